"""Congruence: which operations certainly give equal results in one run.

Owns the questions with which the verifier justifies that an operation which may raise was
dropped: does an equal one always run before it, or was it run while compiling? It leaves the
versions of memory to `order`. Invariant: it is written apart from common subexpression elimination,
whose mistakes it is to find.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from ..ir.graph import Constant, Graph, Node, Region, Value, walk
from ..ir.rewriter import defining_nodes
from .classes import AliasClasses
from .constants import attributes_key, evaluate, same_constant
from .effects import effects_of
from .order import MemoryOrder


class Congruence:
    """Equal results in one graph."""

    def __init__(self, graph: Graph, classes: AliasClasses, order: MemoryOrder) -> None:
        self._classes = classes
        self._order = order
        self._producers = defining_nodes(graph)
        self._place: dict[int, tuple[tuple[Region, int], ...]] = {}
        self._constants: dict[int, tuple[Constant, ...] | None] = {}
        self._same_op: dict[str, list[Node]] = {}
        self._locate(graph.body, ())
        for node in walk(graph.body):
            self._same_op.setdefault(node.op.name, []).append(node)

    def producer(self, value: Value) -> Node | None:
        """Return the operation that gives `value`; None for a parameter or constant."""
        return self._producers.get(value)

    def constant(self, node: Node) -> tuple[Constant, ...] | None:
        """Return what `node` gives when run while compiling; None if it cannot be."""
        if node.key not in self._constants:
            self._constants[node.key] = None
            if not node.regions:
                inputs = tuple(self._constant_of(value) for value in node.inputs)
                self._constants[node.key] = evaluate(replace(node, inputs=inputs))
        return self._constants[node.key]

    def repeats(self, node: Node, kept: Container[int]) -> Node | None:
        """Return an equal operation, its key in `kept`, that always runs before `node`."""
        for other in self._same_op[node.op.name]:
            if other is not node and other.key in kept and self._dominates(other, node):
                if self._equal(other, node):
                    return other
        return None

    def _constant_of(self, value: Value) -> Value:
        node = self._producers.get(value)
        found = self.constant(node) if node is not None else None
        return value if node is None or found is None else found[node.outputs.index(value)]

    def _locate(self, region: Region, around: tuple[tuple[Region, int], ...]) -> None:
        for index, node in enumerate(region.nodes):
            place = (*around, (region, index))
            self._place[node.key] = place
            for inner in node.regions:
                self._locate(inner, place)

    def _dominates(self, a: Node, b: Node) -> bool:
        """Tell whether `a` stands before `b`, in its region or one around it."""
        region, index = self._place[a.key][-1]
        return any(region is other and index < at for other, at in self._place[b.key])

    def _equal(self, a: Node, b: Node) -> bool:
        """Tell whether two operations without effects give equal results."""
        if a.op is not b.op or a.regions or b.regions or len(a.inputs) != len(b.inputs):
            return False
        if not (self._order.is_reached(a) and self._order.is_reached(b)):
            return False
        effects = effects_of(a)
        if effects.calls or effects.writes or attributes_key(a.attrs) != attributes_key(b.attrs):
            return False
        if self._order.version(a) != self._order.version(b):
            return False
        return all(self._same(v, w) for v, w in zip(a.inputs, b.inputs, strict=True))

    def _same(self, v: Value, w: Value) -> bool:
        v, w = self._constant_of(v), self._constant_of(w)
        if v is w or same_constant(v, w) or self._classes.root(v) is self._classes.root(w):
            return True
        a, b = self._producers.get(v), self._producers.get(w)
        if a is None or b is None or a.outputs.index(v) != b.outputs.index(w):
            return False
        return self._equal(a, b)
