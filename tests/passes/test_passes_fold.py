"""Constant folding and pruning of decided control flow."""

from __future__ import annotations

import pytest

from interpreter import interpret
from runtime.ir.graph import Constant, Graph, walk
from runtime.ir.printer import format_graph
from runtime.ir.reader import read_graph
from runtime.ir.verifier import verify
from runtime.memory.verifier import verify_memory
from runtime.ops.catalog import OPERATIONS
from runtime.passes.fold import fold
from runtime.passes.prune import prune

assert OPERATIONS


def ops(graph: Graph) -> list[str]:
    return [node.op.name for node in walk(graph.body)]


def checked(before: Graph, after: Graph) -> Graph:
    """Return `after`, verified."""
    verify(after)
    return verify_memory(before, after)


def folded(text: str) -> Graph:
    graph = read_graph(text)
    return checked(graph, fold(graph))


def pruned(text: str) -> Graph:
    graph = read_graph(text)
    return checked(graph, prune(graph))


def test_chains_are_folded() -> None:
    graph = folded("graph f() { a = truediv(1, 4) b = add(a, a) return b }")
    assert ops(graph) == []
    (result,) = graph.results
    assert isinstance(result, Constant) and repr(result.value) == "0.5"


def test_what_raises_stays_where_it_is() -> None:
    graph = read_graph("graph f() { a = truediv(1, 0) return 1 }")
    assert fold(graph) is graph
    with pytest.raises(ZeroDivisionError):
        interpret(fold(graph))


def test_arrays_are_made_anew_at_each_call() -> None:
    graph = read_graph("graph f() { a = np.zeros(2) return a }")
    assert fold(graph) is graph


def test_folding_happens_inside_regions() -> None:
    graph = folded("""
    graph f(c: bool_) {
      y: int = if(c) then { a = add(1, 2) yield a } else { yield 4 }
      return y
    }""")
    assert ops(graph) == ["if"]


def test_a_constant_test_takes_its_branch() -> None:
    graph = pruned("""
    graph f(x: float) {
      y: float = if(0) then { a = add(x, 1.0) yield a } else { b = mul(x, 2.0) yield b }
      return y
    }""")
    assert ops(graph) == ["mul"]
    assert interpret(graph, 3.0) == 6.0


def test_a_taken_branch_that_returns_ends_the_graph() -> None:
    graph = pruned("""
    graph f(x: float) {
      if(True) then { return x } else { yield }
      y = mul(x, 2.0)
      return y
    }""")
    assert ops(graph) == []
    assert interpret(graph, 3.0) == 3.0


def test_a_loop_that_never_starts_leaves_its_test_and_else() -> None:
    graph = pruned("""
    graph f(x: f64[n], k: int) {
      a: int = while(k) test (k1: int) {
        w = iadd(x, 1.0)
        yield False
      } body (k2: int) {
        yield 7
      } orelse (k3: int) {
        b = add(k3, 1)
        yield b
      }
      return a
    }""")
    assert ops(graph) == ["iadd", "add"]
    assert interpret(graph, 0, 4) == 5


def test_a_block_that_returns_at_its_end_is_opened() -> None:
    graph = pruned("""
    graph f(x: float) {
      y: float = block() body { a = add(x, 1.0) return a }
      return y
    }""")
    assert ops(graph) == ["add"]


def test_a_block_with_an_early_return_stays() -> None:
    graph = read_graph("""
    graph f(c: bool_, x: float) {
      y: float = block() body { if(c) then { return x } else { yield } return 1.0 }
      return y
    }""")
    assert prune(graph) is graph


def test_a_pruned_break_stays_in_its_loop() -> None:
    graph = pruned("""
    graph f(x: float) {
      y: float = for(range(0, 3, 1), x) body (i: int, y1: float) {
        if(True) then { break y1 } else { yield }
        z = add(y1, 1.0)
        yield z
      }
      return y
    }""")
    assert ops(graph) == ["for"]
    assert "break y1" in format_graph(graph)
    assert interpret(graph, 3.0) == 3.0


@pytest.mark.parametrize("test", ["x", '@1'])
def test_other_tests_are_not_decided(test: str) -> None:
    text = f"graph f(x: float) {{ if({test}) then {{ return 1 }} else {{ yield }} return 2 }}"
    graph = read_graph(text, {"1": [1]}.__getitem__)
    assert prune(graph) is graph
