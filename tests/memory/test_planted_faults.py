"""The memory verifier finds each fault that a pass might make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from runtime.errors import GraphError
from runtime.ir.graph import Constant, Graph, Node, Region, walk
from runtime.ir.reader import read_graph
from runtime.ir.rewriter import Rewriter, Rewritten, substitute
from runtime.memory.verifier import verify_memory
from runtime.ops.catalog import OPERATIONS


def node_named(graph: Graph, name: str) -> Node:
    """Return the operation whose first output is called `name`, or which is called so itself."""
    for node in walk(graph.body):
        if node.op.name == name or (node.outputs and node.outputs[0].name == name):
            return node
    raise AssertionError(f"no operation {name!r}")


class _Edit(Rewriter):
    """Moves or drops operations: `place` maps a key to what stands there in order."""

    def __init__(self, place: dict[int, tuple[Node, ...]]) -> None:
        super().__init__()
        self._place = place

    def node(self, node: Node) -> Rewritten:
        for other in self._place.get(node.key, (node,)):
            self.emit(self.copy(other))
        return None


def moved(graph: Graph, name: str, before: str) -> Graph:
    """Return `graph` with the operation `name` moved to just before the operation `before`."""
    node, other = node_named(graph, name), node_named(graph, before)
    return _Edit({node.key: (), other.key: (node, other)}).graph(graph)


def moved_after(graph: Graph, name: str, after: str) -> Graph:
    node, other = node_named(graph, name), node_named(graph, after)
    return _Edit({node.key: (), other.key: (other, node)}).graph(graph)


def dropped(graph: Graph, name: str) -> Graph:
    return _Edit({node_named(graph, name).key: ()}).graph(graph)


def merged(graph: Graph, name: str, into: str) -> Graph:
    """Return `graph` with the operation `name` dropped and the result of `into` in its place."""
    node, other = node_named(graph, name), node_named(graph, into)
    pairs = dict(zip(node.outputs, other.outputs, strict=True))
    return dropped(substitute(graph, pairs), name)


def changed(graph: Graph, name: str, change: Callable[[Node], Node]) -> Graph:
    node = node_named(graph, name)
    return _Edit({node.key: (change(node),)}).graph(graph)


def assert_caught(before: Graph, after: Graph, words: str) -> None:
    assert verify_memory(before, before) is before
    with pytest.raises(GraphError, match=words):
        verify_memory(before, after)


READ_AND_WRITE = """
graph f(x: f64[n]) {
  r = np.sum(x)
  setitem(x, 0, 9.0)
  t = np.sum(x)
  s = build_tuple(r, t)
  return s
}"""


def test_a_read_hoisted_over_a_write() -> None:
    graph = read_graph(READ_AND_WRITE)
    assert_caught(graph, moved(graph, "t", "setitem"), "sum reads x and no longer sees the write")


def test_a_read_sunk_under_a_write() -> None:
    graph = read_graph(READ_AND_WRITE)
    assert_caught(graph, moved_after(graph, "r", "setitem"), "sum reads x .* now sees the write")


def test_a_dropped_write() -> None:
    graph = read_graph(READ_AND_WRITE)
    assert_caught(graph, dropped(graph, "setitem"), "setitem was dropped: it writes x")


def test_a_read_merged_with_one_before_the_write() -> None:
    graph = read_graph(READ_AND_WRITE)
    assert_caught(graph, merged(graph, "t", "r"), "reads of x, which is written in between")


def test_a_read_through_a_view_hoisted_over_a_write_to_the_base() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      s = build_slice(1, 3, None)
      view = getitem(x, s)
      setitem(x, 1, 9.0)
      r = np.sum(view)
      return r
    }""")
    assert_caught(graph, moved(graph, "r", "setitem"), "no longer sees the write by setitem")


def test_a_read_hoisted_over_a_write_to_an_argument_that_may_overlap() -> None:
    graph = read_graph("""
    graph f(x: f64[n], y: f64[n]) {
      setitem(x, 1, 9.0)
      r = np.sum(y)
      return r
    }""")
    after = moved(graph, "r", "setitem")
    assert_caught(graph, after, "no longer sees the write")
    assert verify_memory(graph, after, overlapping=False) is after


LOOP = """
graph f(x: f64[n], k: int) {
  y: f64 = for(range(0, 3, 1), 0.0) body (i: int, y1: f64 | float) {
    r = np.sum(x)
    w = iadd(x, 1.0)
    yield r
  }
  last = np.sum(x)
  return last
}"""


def test_a_read_moved_round_the_back_edge() -> None:
    graph = read_graph(LOOP)
    assert_caught(graph, moved_after(graph, "r", "w"), "no longer sees what it held at first")


def test_a_read_hoisted_out_of_a_loop_that_writes() -> None:
    graph = read_graph(LOOP)
    assert_caught(graph, moved(graph, "r", "for"), "sum reads x, w and no longer sees the write")


def test_a_read_after_a_loop_hoisted_over_it() -> None:
    graph = read_graph(LOOP)
    assert_caught(graph, moved(graph, "last", "for"), "no longer sees the write by iadd")


def test_a_read_after_a_loop_moved_into_its_last_trip() -> None:
    """A loop of no trip leaves the old value; a read inside would never see it."""
    graph = read_graph(LOOP)
    after = moved_after(graph, "last", "w")
    assert_caught(graph, after, "no longer sees what it held at first")


def test_a_write_sunk_out_of_a_loop() -> None:
    graph = read_graph(LOOP)
    after = changed(graph, "for", lambda loop: replace(loop, regions=loop.regions))
    after = moved(after, "w", "last")
    assert_caught(graph, after, "was moved: it writes x")


def test_a_write_hoisted_out_of_a_branch() -> None:
    graph = read_graph("""
    graph f(c: bool_, x: f64[n]) {
      if(c) then { w = iadd(x, 1.0) yield } else { yield }
      return x
    }""")
    assert_caught(graph, moved(graph, "w", "if"), "it writes x")


def test_two_fresh_buffers_merged_that_escape() -> None:
    graph = read_graph("""
    graph f(n: int) {
      a = np.zeros(n)
      b = np.zeros(n)
      t = build_tuple(a, b)
      return t
    }""")
    assert_caught(graph, merged(graph, "b", "a"), "a in place of b: the two can be told apart")


def test_two_fresh_buffers_merged_of_which_one_is_written() -> None:
    graph = read_graph("""
    graph f(n: int) {
      a = np.zeros(n)
      b = np.zeros(n)
      setitem(b, 0, 1.0)
      r = np.sum(a)
      return r
    }""")
    assert_caught(graph, merged(graph, "b", "a"), "writes a, which it did not")


def test_two_results_merged_that_are_compared_by_identity() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      a = add(x, 1.0)
      b = add(x, 1.0)
      same = is(a, b)
      return same
    }""")
    assert_caught(graph, merged(graph, "b", "a"), "told apart")


RAISES = """
graph f(x: f64[n], a: float, b: float) {
  p = truediv(1.0, a)
  q = truediv(2.0, b)
  setitem(x, 0, 1.0)
  r = truediv(3.0, a)
  return r
}"""


def test_a_raising_operation_moved_past_a_write() -> None:
    graph = read_graph(RAISES)
    assert_caught(graph, moved_after(graph, "q", "setitem"), "was moved: it")
    assert_caught(graph, moved(graph, "r", "setitem"), "was moved: it")


def test_two_raising_operations_swapped() -> None:
    graph = read_graph(RAISES)
    assert_caught(graph, moved(graph, "q", "p"), "truediv was moved: it may raise")


def test_a_dead_operation_dropped_that_may_raise() -> None:
    graph = read_graph(RAISES)
    assert_caught(graph, dropped(graph, "p"), "truediv was dropped: it may raise")


def test_a_raising_operation_hoisted_out_of_a_branch() -> None:
    graph = read_graph("""
    graph f(c: bool_, a: float) {
      r: float = if(c) then { q = truediv(1.0, a) yield q } else { yield a }
      return r
    }""")
    assert_caught(graph, moved(graph, "q", "if"), "it may raise|decides what happens")


def test_a_raising_operation_hoisted_out_of_a_loop() -> None:
    graph = read_graph("""
    graph f(k: int, a: float) {
      r: float = for(range(0, 3, 1), a) body (i: int, r1: float) {
        q = truediv(1.0, a)
        yield q
      }
      return r
    }""")
    assert_caught(graph, moved(graph, "q", "for"), "it may raise|decides what happens")


def test_a_raising_operation_merged_with_one_in_another_branch() -> None:
    graph = read_graph("""
    graph f(c: bool_, a: float) {
      r: float = if(c) then { q = truediv(1.0, a) yield q } else { yield a }
      p = truediv(1.0, a)
      return p
    }""")
    assert_caught(graph, merged(graph, "p", "q"), "truediv was dropped: it may raise")


def test_a_raising_operation_merged_with_an_equal_one_before_is_right() -> None:
    graph = read_graph("""
    graph f(c: bool_, a: float) {
      p = truediv(1.0, a)
      r: float = if(c) then { q = truediv(1.0, a) yield q } else { yield a }
      return r
    }""")
    after = merged(graph, "q", "p")
    assert verify_memory(graph, after) is after


def test_an_escaped_scratch_buffer_reused() -> None:
    graph = read_graph("""
    graph f(x: f64[n], xs: list) {
      a = add(x, 1.0)
      t = method(xs, a) [name="append"]
      b = add(x, 2.0)
      return b
    }""")

    def reuse(node: Node) -> Node:
        a = node_named(graph, "a").outputs[0]
        return replace(node, op=OPERATIONS["iadd"], inputs=(a, node.inputs[1]))

    words = "iadd writes a, which has escaped: it is stored"
    assert_caught(graph, changed(graph, "b", reuse), words)


def test_a_fresh_buffer_that_escapes_hoisted_out_of_a_loop() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      xs = build_list()
      for(range(0, 3, 1)) body (i: int) {
        a = add(x, 1.0)
        t = method(xs, a) [name="append"]
        yield
      }
      return xs
    }""")
    assert_caught(graph, moved(graph, "a", "for"), "moved to another loop")


def test_a_folded_array_that_is_returned() -> None:
    graph = read_graph("graph f() { a = np.zeros(3) return a }")
    a = node_named(graph, "a")
    after = _Edit({a.key: ()}).graph(substitute(graph, {a.outputs[0]: Constant(np.zeros(3))}))
    assert_caught(graph, after, "the two can be told apart")


def test_a_constant_array_that_takes_the_place_of_a_number() -> None:
    graph = read_graph("graph f(k: int) { a = add(k, 1) return a }")
    a = node_named(graph, "a").outputs[0]
    after = substitute(graph, {a: Constant(np.zeros(3))})
    assert_caught(graph, after, "a constant ndarray was made that escapes")


def test_a_read_of_another_array_that_is_written() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      a = add(x, 1.0)
      b = add(x, 1.0)
      w = iadd(a, 5.0)
      r = np.sum(b)
      return r
    }""")
    assert_caught(graph, merged(graph, "b", "a"), "sum reads .* which it did not")


def test_a_dead_read_dropped_that_may_raise_after_the_list_changed() -> None:
    graph = read_graph("""
    graph f(xs: list) {
      a = getitem(xs, 0)
      t = method(xs) [name="clear"]
      b = getitem(xs, 0)
      return a
    }""")
    assert_caught(graph, dropped(graph, "b"), "getitem was dropped: it may raise")


def test_a_constant_array_that_is_written() -> None:
    graph = read_graph("graph f(x: f64[n]) { a = add(x, 1.0) setitem(a, 0, 1.0) return x }")
    a = node_named(graph, "a")
    after = _Edit({a.key: ()}).graph(substitute(graph, {a.outputs[0]: Constant(np.zeros(3))}))
    assert_caught(graph, after, "writes")


def test_an_island_moved_over_a_write_or_dropped() -> None:
    graph = read_graph("""
    graph f(x: f64[n], g: opaque) {
      setitem(x, 0, 1.0)
      r = call(g)
      setitem(x, 1, 1.0)
      return x
    }""")
    assert_caught(graph, moved(graph, "r", "setitem"), "was moved")
    assert_caught(graph, dropped(graph, "r"), "it may run unknown code")


def test_a_read_of_the_callers_array_hoisted_over_an_island() -> None:
    graph = read_graph("""
    graph f(x: f64[n], g: opaque) {
      kept = add(x, 1.0)
      r = call(g)
      s = np.sum(x)
      k = np.sum(kept)
      t = build_tuple(s, k)
      return t
    }""")
    assert_caught(graph, moved(graph, "s", "r"), "no longer sees the write by call")
    after = moved(graph, "k", "r")
    assert verify_memory(graph, after) is after


def test_a_loop_dropped_that_may_not_end() -> None:
    graph = read_graph("""
    graph f(c: bool_) {
      while() test () { yield c } body () { yield }
      return 1
    }""")
    assert_caught(graph, dropped(graph, "while"), "it may not end")


def test_a_jump_lost() -> None:
    graph = read_graph("""
    graph f(c: bool_, x: f64[n]) {
      for(range(0, 3, 1)) body (i: int) {
        if(c) then { break } else { yield }
        w = iadd(x, 1.0)
        yield
      }
      return x
    }""")
    assert_caught(graph, dropped(graph, "if"), "decides what happens|end of a region is lost")


def test_the_other_branch_taken() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      if(True) then { w = iadd(x, 1.0) yield } else { v = isub(x, 1.0) yield }
      return x
    }""")
    node = node_named(graph, "if")
    right, wrong = (_inlined(graph, node, region) for region in node.regions)
    assert verify_memory(graph, right) is right
    assert_caught(graph, wrong, "isub writes x")


def _inlined(graph: Graph, node: Node, region: Region) -> Graph:
    return _Edit({node.key: region.nodes}).graph(graph)


def test_a_branch_pruned_on_a_test_that_is_not_constant() -> None:
    graph = read_graph("""
    graph f(c: bool_, x: f64[n]) {
      if(c) then { w = iadd(x, 1.0) yield } else { yield }
      return x
    }""")
    node = node_named(graph, "if")
    assert_caught(graph, _inlined(graph, node, node.regions[1]), "was dropped")
    assert_caught(graph, _inlined(graph, node, node.regions[0]), "moved|dropped")
    after = changed(graph, "if", lambda n: replace(n, inputs=(Constant(False),)))
    assert_caught(graph, _inlined(after, node_named(after, "if"), node.regions[1]), "dropped")
