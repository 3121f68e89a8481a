"""Passes on ``try``, ``with``, variables in memory and the functions of a graph."""

from __future__ import annotations

import pytest

from runtime.ir.graph import Graph, walk
from runtime.ir.reader import read_graph
from runtime.ir.verifier import verify
from runtime.memory.order import memory_order
from runtime.memory.verifier import verify_memory
from runtime.ops.catalog import OPERATIONS
from runtime.passes.cse import cse
from runtime.passes.dce import dce
from runtime.passes.fold import fold
from runtime.passes.pipeline import PIPELINE, SEPARATE_PIPELINE, Pass, optimize
from runtime.passes.prune import prune

assert OPERATIONS
HEAD = "graph f(u: f64[n], x: float, k: int, m: opaque, g: opaque) { "


def checked(graph: Graph, after: Graph) -> Graph:
    """Return `after`, which is well formed and does to memory what `graph` does."""
    verify(graph)
    verify(after)
    verify_memory(graph, after)
    return after


def names(graph: Graph) -> list[str]:
    """Return the operations of a graph, in order."""
    return [node.op.name for node in walk(graph.body)]


@pytest.mark.parametrize(
    "body",
    [
        # what the body computes is not computed where a handler, else or final part runs
        "try(@ValueError) body { a = add(k, 1) yield } except (e: opaque) { b = add(k, 1) "
        "return b } return 0",
        "try() [final=True] body { a = add(k, 1) yield } final { b = add(k, 1) return b } return 0",
        "try(@ValueError) body { a = add(k, 1) yield } except (e: opaque) { yield } "
        "b = add(k, 1) return b",
        "with(m) body (v: opaque) { a = add(k, 1) yield } b = add(k, 1) return b",
        # the body may have written before the error
        "a = getitem(u, k) try(@IndexError) body { setitem(u, 0, 1.0) c = getitem(u, 9) raise c } "
        "except (e: opaque) { yield } b = getitem(u, k) d = add(a, b) return d",
        "w = np.zeros(3) a = getitem(w, 0) with(m) body (v: opaque) { setitem(w, 0, 1.0) "
        "raise @ValueError } b = getitem(w, 0) d = add(a, b) return d",
        # what is entered may be an argument
        "with(m) body (v: opaque) { a = getitem(u, k) setitem(v, 0, 1.0) b = getitem(u, k) "
        "d = add(a, b) return d } return 0.0",
        "try(@ValueError) body { raise x } except (e: opaque) { a = getitem(u, k) "
        "setitem(e, 0, 1.0) b = getitem(u, k) d = add(a, b) return d } return 0.0",
        # a variable that is written in between
        "s: slot<int> = slot(k) a = getitem(s, 0) setitem(s, 0, 3) b = getitem(s, 0) "
        "d = add(a, b) return d",
        "s: slot<int> = slot(k) a = getitem(s, 0) try(@ValueError) body { setitem(s, 0, 3) "
        "r = call(g) yield } except (e: opaque) { b = getitem(s, 0) d = add(a, b) return d } "
        "return 0",
    ],
)
def test_what_an_error_may_separate_is_not_merged(body: str) -> None:
    graph = read_graph(HEAD + body + " }")
    assert names(checked(graph, cse(graph))) == names(graph)


@pytest.mark.parametrize(
    "body",
    [
        "a = add(k, 1) try(@ValueError) body { b = add(k, 1) return b } except (e: opaque) "
        "{ yield } return a",
        "a = add(k, 1) try(@ValueError) body { r = call(g) yield } except (e: opaque) "
        "{ b = add(k, 1) return b } return a",
    ],
)
def test_what_was_computed_before_is_used_in_the_parts(body: str) -> None:
    graph = read_graph(HEAD + body + " }")
    assert len(names(checked(graph, cse(graph)))) == len(names(graph)) - 1


@pytest.mark.parametrize(
    "body",
    [
        "with(m) body (v: opaque) { yield } return 0",
        "try(@ValueError) body { a = getitem(u, k) yield } except (e: opaque) { yield } return 0",
        "try(@ValueError) [orelse=True] body { yield } except (e: opaque) { raise } orelse "
        "{ r = call(g) yield } return 0",
        "try(@ValueError) body { r = call(g) yield } except (e: opaque) { return 1 } return 0",
        "s: slot<int> = slot(k) try(@ValueError) body { setitem(s, 0, 2) r = call(g) yield } "
        "except (e: opaque) { b = getitem(s, 0) return b } return 0",
    ],
)
def test_what_matters_after_an_error_is_kept(body: str) -> None:
    graph = read_graph(HEAD + body + " }")
    assert names(checked(graph, dce(graph))) == names(graph)


def test_what_nothing_needs_goes_from_every_part() -> None:
    graph = read_graph(
        HEAD + "try(@ValueError) [orelse=True, final=True] body { a = add(x, 1.0) r = call(g) "
        "yield } except (e: opaque) { b = add(x, 2.0) r2 = call(g) yield } orelse "
        "{ c = add(x, 3.0) r3 = call(g) yield } final { d = add(x, 4.0) r4 = call(g) yield } "
        "with(m) body (v: opaque) { h = add(x, 5.0) yield } return 0 }"
    )
    after = checked(graph, dce(graph))
    assert names(after) == ["try", "call", "call", "call", "call", "with"]


def test_branches_on_constants_go_from_every_part() -> None:
    graph = read_graph(
        HEAD + "try(@ValueError) body { if(True) then { r = call(g) yield } else { yield } yield } "
        "except (e: opaque) { if(False) then { yield } else { raise } unreachable } return 0 }"
    )
    after = checked(graph, prune(graph))
    assert names(after) == ["try", "call"]
    (node,) = after.nodes
    assert node.regions[1].end.kind == "raise"
    assert node.regions[1].end.values == ()


def test_what_raises_while_folding_is_left_to_the_handler() -> None:
    graph = read_graph(
        HEAD + "try(@ZeroDivisionError) body { a = truediv(1, 0) return a } except (e: opaque) "
        "{ b = add(1, 2) return b } unreachable }"
    )
    after = checked(graph, fold(graph))
    assert names(after)[:2] == ["try", "truediv"]


def test_what_follows_a_with_is_reached_by_an_error_that_is_swallowed() -> None:
    graph = read_graph(
        HEAD + "with(m) body (v: opaque) { raise @ValueError } a = getitem(u, k) return a }"
    )
    assert memory_order(graph).is_reached(graph.nodes[1])


FUNCTIONS = """
graph f(u: f64[n]) {
  a: f64 = apply(u, u) [function="g"]
  b = getitem(u, 0)
  c: f64 = apply(u, u) [function="g"]
  d = getitem(u, 0)
  return d
}
function g(v: f64[n], w: f64[n]) {
  a = getitem(v, 0)
  unused = add(a, 1.0)
  setitem(w, 0, 1.0)
  b = getitem(v, 0)
  two = add(1, 1)
  c = getitem(v, two)
  return c
}
function h(n: int) {
  less = sub(n, 1)
  unused = add(n, 1)
  d: float = apply(less) [function="h"]
  return d
}
"""


@pytest.mark.parametrize("passes", [PIPELINE, SEPARATE_PIPELINE])
def test_functions_are_optimized_without_trust_in_their_callers(passes: tuple[Pass, ...]) -> None:
    """Their array arguments may share memory: what they read of one is not merged."""
    graph = verify(read_graph(FUNCTIONS))
    after = optimize(graph, passes, verify=True)
    verify(after)
    kept = [[node.op.name for node in walk(function.body)] for function in after.functions]
    assert kept == [["getitem", "setitem", "getitem", "getitem"], ["sub", "apply"]]
    assert names(after) == ["apply", "getitem", "apply", "getitem"]


def test_what_a_function_returns_may_be_an_argument() -> None:
    graph = read_graph(
        'graph f(u: f64[n]) { v: f64[n] = apply(u) [function="g"] a = getitem(u, 0) '
        "setitem(v, 0, 1.0) b = getitem(u, 0) c = add(a, b) return c } "
        "function g(w: f64[n]) { return w }"
    )
    assert names(checked(graph, cse(graph))) == names(graph)
