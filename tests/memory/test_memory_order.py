"""Which writes each read sees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runtime.ir.graph import Constant, Graph, Node, Region, Terminator, Value, walk
from runtime.ir.reader import read_graph
from runtime.ir.types import INT, OPAQUE, ScalarType
from runtime.memory.classes import alias_classes
from runtime.memory.order import ENTRY_KEY, memory_order
from runtime.ops.catalog import OPERATIONS

assert OPERATIONS


def nodes_by_name(graph: Graph) -> dict[str, Node]:
    """Return operations by the name of their first output."""
    return {node.outputs[0].name: node for node in walk(graph.body) if node.outputs}


def seen(text: str, read: str, *, overlapping: bool = False) -> set[str]:
    """Return the names of the writes that `read` may see last; ``entry`` for none."""
    graph = read_graph(text)
    order = memory_order(graph, alias_classes(graph, overlapping=overlapping))
    names = {node.key: name for name, node in nodes_by_name(graph).items()}
    names[ENTRY_KEY] = "entry"
    return {names[key] for key in order.reaching_writes(nodes_by_name(graph)[read])}


def test_a_read_sees_the_last_write() -> None:
    text = "graph f(x: f64[n]) { a = iadd(x, 1.0) b = iadd(a, 1.0) r = np.sum(x) return r }"
    assert seen(text, "r") == {"b"}


def test_a_write_to_another_array_is_not_seen_unless_arguments_overlap() -> None:
    text = "graph f(x: f64[n], y: f64[n]) { w = iadd(y, 1.0) r = np.sum(x) return r }"
    assert seen(text, "r") == {"entry"}
    assert seen(text, "r", overlapping=True) == {"w"}


BRANCH = """
graph f(c: bool_, x: f64[n]) {{
  if({test}) then {{ w = iadd(x, 1.0) {end} }} else {{ yield }}
  r = np.sum(x)
  return r
}}"""


@pytest.mark.parametrize(
    ("test", "end", "expected"),
    [
        ("c", "yield", {"w", "entry"}),
        ("True", "yield", {"w"}),
        ("False", "yield", {"entry"}),
        ("c", "return 1.0", {"entry"}),
    ],
)
def test_a_branch(test: str, end: str, expected: set[str]) -> None:
    assert seen(BRANCH.format(test=test, end=end), "r") == expected


LOOP = """
graph f(c: bool_, x: f64[n]) {
  for(range(0, 3, 1)) body (i: int) {
    early = np.sum(x)
    w = iadd(x, 1.0)
    late = np.sum(x)
    yield
  }
  after = np.sum(x)
  return after
}"""


def test_a_loop_may_run_no_trip_or_many() -> None:
    assert seen(LOOP, "early") == {"entry", "w"}
    assert seen(LOOP, "late") == {"w"}
    assert seen(LOOP, "after") == {"entry", "w"}


JUMPS = """
graph f(c: bool_, d: bool_, x: f64[n]) {
  while() test () { yield c } body () {
    top = np.sum(x)
    if(d) then { a = iadd(x, 1.0) break } else { yield }
    if(c) then { b = iadd(x, 2.0) continue } else { yield }
    e = iadd(x, 3.0)
    yield
  } orelse () {
    over = np.sum(x)
    yield
  }
  after = np.sum(x)
  return after
}"""


def test_break_and_continue_carry_what_they_wrote() -> None:
    assert seen(JUMPS, "top") == {"entry", "b", "e"}
    assert seen(JUMPS, "over") == {"entry", "b", "e"}
    assert seen(JUMPS, "after") == {"entry", "a", "b", "e"}


def test_a_loop_on_true_ends_by_break_alone() -> None:
    text = """
    graph f(d: bool_, x: f64[n]) {
      while() test () { yield True } body () {
        a = iadd(x, 1.0)
        if(d) then { break } else { yield }
        b = iadd(x, 2.0)
        yield
      }
      r = np.sum(x)
      return r
    }"""
    assert seen(text, "r") == {"a"}


def test_a_block_ends_at_each_return() -> None:
    text = """
    graph f(c: bool_, x: f64[n]) {
      block() body {
        if(c) then { a = iadd(x, 1.0) return } else { yield }
        b = iadd(x, 2.0)
        return
      }
      r = np.sum(x)
      return r
    }"""
    assert seen(text, "r") == {"a", "b"}


def guarded(*regions: Region, inputs: tuple[Value, ...] = (), **attrs: object) -> Node:
    return Node(OPERATIONS["try"], inputs, attrs, regions, (), None)


TRY = """
graph f(c: bool_, x: f64[n]) {
  block() body {
    a = iadd(x, 1.0)
    q = truediv(1, 2)
    b = iadd(x, 2.0)
    return
  }
  block() body {
    inside = np.sum(x)
    h = iadd(x, 3.0)
    return
  }
  after = np.sum(x)
  return after
}"""


def with_try(text: str, final: bool = False) -> Graph:
    """Return the graph with its first two blocks made the body and the handler of a ``try``."""
    graph = read_graph(text)
    first, second, *rest = graph.nodes
    regions = [
        replace(node.regions[0], end=replace(node.regions[0].end, kind="yield"))
        for node in (first, second)
    ]
    if final:
        node = guarded(*regions, final=True)
    else:
        error = Value(OPAQUE, "error")
        handler = replace(regions[1], params=(error,))
        node = guarded(regions[0], handler, inputs=(Constant(ValueError),))
    return replace(graph, body=replace(graph.body, nodes=(node, *rest)))


def seen_in(graph: Graph, read: str) -> set[str]:
    order = memory_order(graph)
    names = {node.key: name for name, node in nodes_by_name(graph).items()}
    names[ENTRY_KEY] = "entry"
    return {names[key] for key in order.reaching_writes(nodes_by_name(graph)[read])}


def test_a_handler_may_see_whatever_the_body_did() -> None:
    graph = with_try(TRY)
    assert seen_in(graph, "inside") == {"entry", "a", "b"}
    assert seen_in(graph, "after") == {"b", "h"}


def test_what_is_done_finally_comes_after_everything() -> None:
    graph = with_try(TRY, final=True)
    assert seen_in(graph, "inside") == {"entry", "a", "b"}
    assert seen_in(graph, "after") == {"h"}


def test_a_jump_passes_through_what_is_done_finally() -> None:
    graph = with_try("""
    graph f(c: bool_, x: f64[n]) {
      block() body {
        a = iadd(x, 1.0)
        break
      }
      block() body {
        h = iadd(x, 3.0)
        return
      }
      return 1
    }""".replace("break", "return"), final=True)
    (node,) = graph.nodes
    body = replace(node.regions[0], end=Terminator("break"))
    node = replace(node, regions=(body, node.regions[1]))
    x = graph.params[1]
    loop = Node(
        OPERATIONS["for"], (Constant(range(3)),), {},
        (Region((Value(INT, "i"),), (node,), Terminator("yield")),), (), None,
    )  # fmt: skip
    read = Node(OPERATIONS["np.sum"], (x,), {}, (), (Value(ScalarType(np.dtype("f8")), "r"),), None)
    graph = replace(graph, body=replace(graph.body, nodes=(loop, read)))
    assert seen_in(graph, "r") == {"entry", "h"}


def test_an_island_writes_what_it_can_reach_and_nothing_else() -> None:
    text = """
    graph f(g: opaque, x: f64[n]) {
      given = add(x, 1.0)
      kept = add(x, 1.0)
      island = call(g, given)
      of_argument = np.sum(x)
      of_given = np.sum(given)
      of_kept = np.sum(kept)
      return 1
    }"""
    assert seen(text, "of_argument") == {"island"}
    assert seen(text, "of_given") == {"island"}
    assert seen(text, "of_kept") == {"entry"}


def test_an_island_sees_what_was_written_before_it() -> None:
    text = """
    graph f(g: opaque, x: f64[n]) {
      kept = add(x, 1.0)
      inside = iadd(kept, 1.0)
      shown = iadd(x, 1.0)
      island = call(g)
      return 1
    }"""
    assert seen(text, "island") == {"shown", "entry"}


def test_reads_with_no_write_between_see_one_version() -> None:
    graph = read_graph("""
    graph f(c: bool_, x: f64[n]) {
      a = np.sum(x)
      if(c) then { b = np.sum(x) yield } else { yield }
      d = np.sum(x)
      w = iadd(x, 1.0)
      e = np.sum(x)
      return 1
    }""")
    order = memory_order(graph)
    nodes = nodes_by_name(graph)
    versions = {name: order.version(nodes[name]) for name in "abde"}
    assert versions["a"] == versions["b"] == versions["d"] != versions["e"]


def test_what_cannot_be_reached_has_no_version() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      if(True) then { yield } else { a = np.sum(x) yield }
      return 1
    }""")
    assert not memory_order(graph).is_reached(nodes_by_name(graph)["a"])
