"""Copying and changing graphs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from graphs import Program, outcome, programs
from interpreter import interpret
from runtime.ir.graph import Constant, Graph, Node, Region, Terminator, Value, walk
from runtime.ir.printer import format_graph
from runtime.ir.reader import read_graph
from runtime.ir.rewriter import (
    Rewriter,
    Rewritten,
    captures,
    clone_region,
    defining_nodes,
    rewrite,
    substitute,
    uses,
)
from runtime.ir.types import INT
from runtime.ir.verifier import verify
from runtime.ops.catalog import OPERATIONS

LOOP = """
graph f(x: int) -> int {
  a: int = add(x, 1)
  y: int = while(0) test (y1: int) {
    more: bool = lt(y1, a)
    yield more
  } body (y2: int) {
    b: int = mul(a, 2)
    y3: int = add(y2, b)
    yield y3
  }
  return y
}
"""


@given(programs())
@settings(max_examples=25, deadline=None)
def test_nothing_changed_is_the_same_graph(program: Program) -> None:
    assert rewrite(program.graph, lambda node: node) is program.graph


class _Clone(Rewriter):
    """Replaces the regions of each operation by clones."""

    def node(self, node: Node) -> Rewritten:
        node = self.copy(node)
        return replace(node, regions=tuple(clone_region(region) for region in node.regions))


@given(programs())
@settings(max_examples=25, deadline=None)
def test_clones_mean_the_same(program: Program) -> None:
    graph = verify(_Clone().graph(program.graph))
    assert format_graph(graph) == format_graph(program.graph)
    assert outcome(lambda *a: interpret(graph, *a), program) == outcome(
        lambda *a: interpret(program.graph, *a), program
    )


def test_clone_shares_no_definition() -> None:
    region = read_graph(LOOP).body
    clone = clone_region(region)
    values = {v for node in walk(region) for v in node.outputs} | set(region.params)
    cloned = {v for node in walk(clone) for v in node.outputs} | set(clone.params)
    assert not values & cloned
    assert not {node.key for node in walk(region)} & {node.key for node in walk(clone)}


def test_clone_replaces_outer_values() -> None:
    graph = read_graph(LOOP)
    a = graph.nodes[0].outputs[0]
    ten = Constant(10)
    body = clone_region(graph.nodes[1].regions[1], {a: ten})
    assert body.nodes[0].inputs[0] is ten


def test_value_replaces_outputs_also_inside_regions() -> None:
    graph = read_graph(LOOP)
    changed = rewrite(
        graph, lambda node: [Constant(7)] if node.inputs[:1] == graph.params else node
    )
    loop = changed.nodes[0]
    assert [node.op.name for node in walk(changed.body)] == ["while", "lt", "mul", "add"]
    assert loop.regions[0].nodes[0].inputs[1].value == 7
    assert verify(changed) is changed


def test_key_origin_and_outputs_are_kept_and_the_rest_is_shared() -> None:
    graph = read_graph(LOOP)
    old = graph.nodes[1]
    changed = rewrite(graph, lambda n: [Constant(6)] if n.op.name == "mul" else n)
    new = changed.nodes[1]
    assert new is not old
    assert (new.key, new.outputs, new.origin) == (old.key, old.outputs, old.origin)
    assert changed.nodes[0] is graph.nodes[0]
    assert new.regions[0] is old.regions[0]


def test_node_with_other_outputs_replaces_them() -> None:
    graph = read_graph("graph f(x: int) { y = add(x, 1) z = neg(y) return z }")

    class Double(Rewriter):
        def node(self, node: Node) -> Rewritten:
            if node.op.name != "add":
                return self.copy(node)
            (doubled,) = self.append(OPERATIONS["mul"], [node.inputs[0], Constant(2)])
            self.append(OPERATIONS["pos"], [doubled])
            node = clone_region(Region((), (node,), Terminator("unreachable"))).nodes[0]
            return replace(node, inputs=(doubled, node.inputs[1]))

    changed = verify(Double().graph(graph))
    assert [node.op.name for node in changed.nodes] == ["mul", "pos", "add", "neg"]
    assert interpret(changed, 5) == -11


def test_dropped_node_is_gone() -> None:
    graph = read_graph("graph f(x: int) { y = add(x, 1) return x }")
    assert rewrite(graph, lambda node: None).nodes == ()


class _Prune(Rewriter):
    """Replaces an ``if`` on a constant by its region."""

    def node(self, node: Node) -> Rewritten:
        test = self.value(node.inputs[0]) if node.inputs else None
        if node.op.name == "if" and isinstance(test, Constant):
            return self.inline(node.regions[0 if test.value else 1])
        return self.copy(node)


def test_inlined_region_yields_its_values() -> None:
    graph = read_graph(
        "graph f(x: int) { y: int = if(1) then { z = add(x, 1) yield z } else { yield x } "
        "w = neg(y) return w }"
    )
    changed = verify(_Prune().graph(graph))
    assert [node.op.name for node in changed.nodes] == ["add", "neg"]
    assert interpret(changed, 2) == -3


def test_inlined_jump_ends_the_region() -> None:
    graph = read_graph(
        "graph f(x: int) { y: int = if(1) then { if(True) then { return x } else { yield } "
        "yield 1 } else { yield x } w = neg(y) return w }"
    )
    changed = verify(_Prune().graph(graph))
    assert changed.nodes == ()
    assert interpret(changed, 2) == 2


def test_operations_after_an_inlined_jump_are_not_visited() -> None:
    graph = read_graph(
        "graph f(x: int) { if(True) then { return x } else { yield } w = neg(x) return w }"
    )
    seen = []

    class Watch(_Prune):
        def node(self, node: Node) -> Rewritten:
            seen.append(node.op.name)
            return super().node(node)

    assert verify(Watch().graph(graph)).nodes == ()
    assert seen == ["if"]


def test_given_outputs_are_used() -> None:
    graph = read_graph("graph f(x: int) { y = add(x, 1) return y }")
    mine = Value(INT, "mine")

    class Named(Rewriter):
        def node(self, node: Node) -> Rewritten:
            return self.append(node.op, self.values(node.inputs), outputs=[mine])

    assert Named().graph(graph).results == (mine,)


def test_node_with_fewer_outputs_replaces_none() -> None:
    graph = read_graph(
        "graph f(x: int) { a: int, b: int = if(x) then { yield x, 1 } else { yield 2, x } "
        "return b }"
    )

    class Last(Rewriter):
        def node(self, node: Node) -> Rewritten:
            node = self.copy(node)
            regions = tuple(
                replace(r, end=replace(r.end, values=r.end.values[1:])) for r in node.regions
            )
            return replace(node, outputs=node.outputs[1:], regions=regions)

    changed = verify(Last().graph(graph))
    assert changed.results == graph.results
    assert interpret(changed, 3) == 1


def test_as_many_values_as_outputs() -> None:
    graph = read_graph("graph f(x: int) { y = add(x, 1) return y }")
    with pytest.raises(ValueError, match="zip"):
        rewrite(graph, lambda node: [Constant(1), Constant(2)])


def test_inline_binds_parameters() -> None:
    graph = read_graph(LOOP)

    class Once(Rewriter):
        def node(self, node: Node) -> Rewritten:
            if node.op.name != "while":
                return self.copy(node)
            return self.inline(node.regions[1], self.values(node.inputs))

    assert interpret(verify(Once().graph(graph)), 4) == 10


def test_inline_refuses_another_number_of_arguments() -> None:
    graph = read_graph(LOOP)

    class Wrong(Rewriter):
        def node(self, node: Node) -> Rewritten:
            return self.inline(node.regions[1]) if node.regions else node

    with pytest.raises(ValueError, match="zip"):
        Wrong().graph(graph)


def test_hoisting_places_nodes_before_the_loop() -> None:
    graph = read_graph(LOOP)

    class Hoist(Rewriter):
        hoisted: Node | None = None

        def node(self, node: Node) -> Rewritten:
            if node is self.hoisted:
                return None
            if node.op.name == "while":
                self.hoisted = node.regions[1].nodes[0]
                self.emit(self.hoisted)
            return self.copy(node)

    changed = verify(Hoist().graph(graph))
    assert [node.op.name for node in changed.nodes] == ["add", "mul", "while"]
    assert interpret(changed, 4) == interpret(graph, 4) == 10


def test_substitute_follows_chains() -> None:
    graph = read_graph("graph f(x: int, y: int, z: int) { return x }")
    x, y, z = graph.params
    assert substitute(graph, {y: z, x: y}).results == (z,)
    assert substitute(graph, {x: y, y: z}).results == (z,)


def test_rewrite_does_not_touch_the_old_graph() -> None:
    graph = read_graph(LOOP)
    before = format_graph(graph)
    rewrite(graph, lambda node: None if node.op.name == "add" else node)
    assert format_graph(graph) == before


def test_uses_and_definitions() -> None:
    graph: Graph = read_graph(LOOP)
    a = graph.nodes[0].outputs[0]
    assert uses(graph)[a] == 2
    assert uses(graph)[graph.params[0]] == 1
    assert defining_nodes(graph)[a] is graph.nodes[0]
    assert graph.params[0] not in defining_nodes(graph)


def test_captures_are_what_a_region_sees_from_outside() -> None:
    graph = read_graph(LOOP)
    a = graph.nodes[0].outputs[0]
    assert captures(graph.nodes[1].regions[1]) == (a,)
    assert captures(graph.body) == ()
