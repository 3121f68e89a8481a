"""Escapes: which memory the program makes is still reachable when its names are gone.

Owns the reasons why fresh memory must not be reused, shared or replaced by another object: it was
returned, stored, passed to unknown code, raised, or a view of it was. It leaves the partition
into classes to `classes`. Invariant: memory not named here is reachable by the graph's own values
alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..ir.graph import Graph, Node, Origin, TerminatorKind, Value, walk, walk_regions
from ..ir.types import ArrayType, is_immutable
from ..ops.control import FOR, IF
from ..ops.registry import Sharing
from .classes import ESCAPED, AliasClasses
from .effects import (
    IDENTITY_OPERATIONS,
    carries_memory,
    effects_of,
    escaping_inputs,
    exits,
)

_LEAVING: tuple[tuple[TerminatorKind, str], ...] = (
    ("return", "it is returned"), ("raise", "it is raised"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Escape:
    """How memory gets out."""

    value: Value
    """The name under which it does; perhaps a view, or a tuple that holds it."""
    reason: str
    origin: Origin | None


class Escapes:
    """The escaping classes of one graph."""

    def __init__(self, classes: AliasClasses) -> None:
        self.classes = classes
        self._of_class: dict[int, Escape] = {}

    def add(self, value: Value, reason: str, origin: Origin | None) -> None:
        """Note that `value` gets out, unless that is known of its classes."""
        for class_ in self.classes.of(value):
            self._of_class.setdefault(class_, Escape(value, reason, origin))

    def of(self, value: Value) -> Escape | None:
        """Return how the memory of `value` gets out; None if it does not.

        Memory that can be reached from outside from the start, such as an argument's, has escaped.
        """
        for class_ in self.classes.of(value):
            if class_ in self._of_class:
                return self._of_class[class_]
            if class_ in self.classes.visible:
                return Escape(value, "it can be reached from outside", None)
        return None

    @property
    def by_class(self) -> Mapping[int, Escape]:
        """The first escape of each class that has one, found in program order."""
        return self._of_class


def escapes(graph: Graph, classes: AliasClasses) -> Escapes:
    """Return which memory of `graph` escapes, and how.

    Parameters
    ----------
    graph
        The graph.
    classes
        Its alias classes.

    Returns
    -------
    Escapes
        The side table.
    """
    found = Escapes(classes)
    for node in walk(graph.body):
        for position, reason in escaping_inputs(node, effects_of(node)):
            found.add(node.inputs[position], reason, node.origin)
    for kind, reason in _LEAVING:
        for _, end in exits(graph.body, kind):
            for value in end.values:
                found.add(value, reason, end.origin)
    return found


class IdentityUses:
    """Tells which values another, equal object could be told from.

    That is so unless all that is done with a value is reading: it is not written, returned, handed
    to a region or its owner, stored, viewed, passed to unknown code or compared by identity.
    """

    def __init__(self, graph: Graph) -> None:
        self._kept: set[Value] = set()
        self._compared: set[Value] = set()
        for region in walk_regions(graph.body):
            self._kept.update(region.end.values)
        for node in walk(graph.body):
            self._kept.update(node.inputs[i] for i in _kept_inputs(node))
            if node.op.name in IDENTITY_OPERATIONS:
                self._compared.update(node.inputs)

    def matters(self, value: Value) -> bool:
        """Tell whether an equal object in place of `value` might be noticed."""
        if value in self._compared:
            return True
        return not is_immutable(value.type) and value in self._kept


def _kept_inputs(node: Node) -> tuple[int, ...]:
    """Return the positions of inputs that `node` writes, keeps, hands on or looks into."""
    everything = tuple(range(len(node.inputs)))
    effects = effects_of(node)
    if effects.calls:
        return everything
    if node.op is FOR and not effects.writes:
        return everything[1:]
    if node.regions and node.op is not IF:
        return everything
    if any(alias.sharing is Sharing.ANYTHING for alias in effects.aliases):
        return everything
    shared = [i for alias in effects.aliases for i in alias.inputs]
    holders = any(
        not is_immutable(o.type) and not isinstance(o.type, ArrayType) for o in node.outputs
    )
    stores = any(not isinstance(node.inputs[i].type, ArrayType) for i in effects.writes)
    if node.op is not IF and (holders or stores):
        return everything
    return tuple(dict.fromkeys((*effects.writes, *shared)))


def fresh_values(graph: Graph, classes: AliasClasses) -> tuple[Value, ...]:
    """Return the outputs that name memory which the program makes, in program order."""
    return tuple(
        output
        for node in walk(graph.body)
        if not node.regions
        for output in node.outputs
        if carries_memory(output.type)
        and ESCAPED not in classes.of(output)
        and _is_made_here(node, output)
    )


def _is_made_here(node: Node, output: Value) -> bool:
    aliases = effects_of(node).aliases
    index = node.outputs.index(output)
    return index < len(aliases) and not aliases[index].inputs
