"""Dead code goes, effects stay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter import interpret
from runtime.errors import GraphError
from runtime.ir.graph import Constant, Graph, Region, Terminator, Value, walk
from runtime.ir.printer import format_graph
from runtime.ir.reader import read_graph
from runtime.ir.types import OPAQUE
from runtime.ir.verifier import verify
from runtime.memory.verifier import verify_memory
from runtime.ops.catalog import OPERATIONS
from runtime.passes.dce import dce

assert OPERATIONS


def swept(text: str) -> Graph:
    graph = read_graph(text)
    after = dce(graph)
    verify(after)
    verify_memory(graph, after)
    return after


def ops(graph: Graph) -> list[str]:
    return [node.op.name for node in walk(graph.body)]


HEAD = "graph f(x: float, k: int, c: bool_, u: f64[n], xs: list, g: opaque)"


@pytest.mark.parametrize(
    "body",
    [
        "a = add(x, 1.0) b = mul(a, a)",
        "a = add(u, 1.0)",
        "if(c) then { a = add(x, 1.0) yield } else { yield }",
        "y: float = if(c) then { a = add(x, 1.0) yield a } else { yield x }",
        "y: float = for(range(0, 3, 1), x) body (i: int, y1: float) { z = add(y1, x) yield z }",
        "for(u) body (i: f64) { if(c) then { break } else { yield } yield }",
        "y: float = block() body { if(c) then { return x } else { yield } return 1.0 }",
    ],
)
def test_what_nothing_needs_goes(body: str) -> None:
    assert ops(swept(HEAD + " { " + body + " return 1 }")) == []


@pytest.mark.parametrize(
    "body",
    [
        "a = truediv(1.0, x)",
        "a = iadd(u, 1.0)",
        "a = call(g)",
        "a = getitem(u, 0)",
        't = method(xs, x) [name="append"]',
        "a = builtins.print(x)",
        "while() test () { yield c } body () { yield }",
        "if(c) then { raise @ValueError } else { yield }",
        "if(c) then { return 2 } else { yield }",
        "if(g) then { yield } else { yield }",
        "for(g) body (i: opaque) { yield }",
        "for(range(0, 3, 1)) body (i: int) { if(c) then { return 2 } else { yield } yield }",
        "for(range(0, 3, 1)) body (i: int) { a = truediv(1.0, x) yield }",
    ],
)
def test_what_has_an_effect_stays(body: str) -> None:
    text = HEAD + " { " + body + " return 1 }"
    graph = read_graph(text)
    assert dce(graph) is graph


def test_a_jump_keeps_the_branch_that_decides_it() -> None:
    graph = swept(HEAD + """ {
      for(range(0, 3, 1)) body (i: int) {
        dead = add(x, 1.0)
        test = gt(x, 1.0)
        if(test) then { break } else { yield }
        a = iadd(u, 1.0)
        yield
      }
      return u
    }""")
    assert ops(graph) == ["for", "gt", "if", "iadd"]


def test_an_early_return_stays_when_the_block_is_used() -> None:
    graph = read_graph(HEAD + """ {
      y: float = block() body { if(c) then { return x } else { yield } return 1.0 }
      return y
    }""")
    assert dce(graph) is graph


def with_try(body: str) -> Graph:
    """Return a graph with a ``try`` around the operations `body`, whose handler does nothing."""
    graph = read_graph(HEAD + " { block() body { " + body + " return } return 1 }")
    (block,) = graph.nodes
    region = replace(block.regions[0], end=Terminator("yield"))
    handler = Region((Value(OPAQUE, "error"),), (), Terminator("yield"))
    node = replace(
        block, op=OPERATIONS["try"], inputs=(Constant(ZeroDivisionError),),
        regions=(region, handler),
    )  # fmt: skip
    return replace(graph, body=replace(graph.body, nodes=(node,)))


def test_a_try_stays_while_something_in_it_may_raise() -> None:
    graph = with_try("a = truediv(1.0, x)")
    assert dce(graph) is graph
    inlined = replace(graph, body=replace(graph.body, nodes=graph.nodes[0].regions[0].nodes))
    with pytest.raises(GraphError, match="truediv was moved: it may raise"):
        verify_memory(graph, inlined)


def test_a_try_around_nothing_that_raises_goes() -> None:
    graph = with_try("a = add(x, 1.0)")
    after = dce(graph)
    assert ops(after) == []
    verify_memory(graph, after)


LOOP = """
graph f(c: bool_, n: int) -> int {
  a: int, b: int, d: int = while(0, 10, 20) test (a1: int, b1: int, d1: int) {
    more: bool = lt(a1, n)
    yield more
  } body (a2: int, b2: int, d2: int) {
    a3: int = add(a2, 1)
    b3: int = add(b2, d2)
    if(c) then {
      break a3, b3, 7
    } else {
      yield
    }
    yield a3, b3, d2
  } orelse (a4: int, b4: int, d4: int) {
    yield a4, b4, 8
  }
  return a
}
"""


def test_the_state_of_a_loop_shrinks_to_what_is_needed() -> None:
    graph = swept(LOOP)
    assert ops(graph) == ["while", "lt", "add", "if"]
    text = format_graph(graph)
    assert "while(0)" in text and "break a3\n" in text and "yield a4\n" in text
    assert [interpret(graph, c, 4) for c in (False, True)] == [4, 1]


def test_state_that_another_state_needs_stays() -> None:
    graph = read_graph(LOOP.replace("return a", "return b"))
    after = dce(graph)
    verify(after)
    assert ops(after) == ops(graph)
    assert [interpret(after, c, 3) for c in (False, True)] == [70, 30]


def test_unused_outputs_of_a_branch_go() -> None:
    graph = swept(HEAD + """ {
      p: float, q: float = if(c) then { a = add(x, 1.0) b = mul(x, 2.0) yield a, b }
      else { yield x, x }
      return q
    }""")
    assert ops(graph) == ["if", "mul"]


def test_state_used_only_to_compute_itself_goes() -> None:
    graph = swept("""
    graph f(u: f64[n]) {
      total: int = for(range(0, 3, 1), 0) body (i: int, t: int) {
        w = iadd(u, 1.0)
        t1 = add(t, i)
        yield t1
      }
      return u
    }""")
    assert ops(graph) == ["for", "iadd"]
