"""Graphs of programs as TensorBoard draws them: names that nest, edges, and what each node cost.

Owns the names: a loop or branch is a box, ``f/while/body/if/then/exp``. It leaves the messages to
`messages`. Invariants: every node has a record, also in a branch that never ran; records lie end to
end in the order of the graph, so that what TensorBoard shows for a box (last end less first start)
is the sum of what is in it. The page counts in whole microseconds, and takes what has none for
unused: what ran shows at least one.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runtime.ir.graph import Constant, Graph, Node, Origin, Region, Value
from runtime.ir.names import region_labels
from runtime.ir.types import ArrayType, NumberType, ScalarType, Type
from runtime.profiling.profile import OperationProfile, Profile

from .messages import GraphNode, NodeRecord, Shape

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_.\-]+")
_NO_PARAMETERS_FROM_INPUTS = ("if", "block", "try")
_OF_MEMBERS = ("method", "getattr", "setattr", "delattr")
"""Operations that are better told by the name of the method or attribute."""
_MAX_TEXT = 200


def nodes_of(profile: Profile) -> tuple[list[GraphNode], list[NodeRecord]]:
    """Return the nodes of the programs of a profile, and what each cost.

    Each program is a box of its own, called like its function.
    """
    taken: dict[str, None] = {}
    nodes: list[GraphNode] = []
    records: list[NodeRecord] = []
    clock = 0.0
    for program in profile.programs:
        walker = _Walker(program.graph, taken, program.by_node)
        for node, cost in walker.nodes():
            start = round(clock)
            clock += max(cost.seconds * 1e6, 1.0 if cost.calls else 0.0)
            shapes = (node.shapes or ((),)) if cost.calls or cost.is_place else ()
            nodes.append(node)
            records.append(
                NodeRecord(node.name, start, round(clock) - start, cost.bytes, cost.calls, shapes)
            )
    return nodes, records


@dataclass(frozen=True)
class _Cost:
    """What a node cost."""

    seconds: float = 0.0
    bytes: int = 0
    calls: int = 0
    is_place: bool = True
    """It is no operation: a parameter, or where control or values leave a box."""


_PLACE = _Cost()
_NEVER = _Cost(is_place=False)


class _Walker:
    """Names and edges of one graph."""

    def __init__(
        self, graph: Graph, taken: dict[str, None], costs: Mapping[int, OperationProfile]
    ) -> None:
        self._graph = graph
        self._taken = taken
        self._costs = costs
        self._giver: dict[Value, str] = {}
        """The name of the node that gives each value."""
        self._nodes: list[tuple[GraphNode, _Cost]] = []

    def nodes(self) -> list[tuple[GraphNode, _Cost]]:
        """Return the nodes, depth first, in the order of the graph."""
        box = self._name(self._graph.name)
        self._region(self._graph.body, box)
        for function in self._graph.functions:
            self._region(function.body, self._name(f"{box}/{_part(function.name)}"))
        return self._nodes

    def _name(self, wanted: str) -> str:
        """Return a name that nothing has, for a node or a box."""
        head, _, last = wanted.rpartition("/")
        base = f"{head}/{_part(last)}" if head else _part(last)
        name, number = base, 1
        while name in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._taken[name] = None
        return name

    def _add(
        self,
        name: str,
        op: str,
        inputs: Iterable[Value],
        outputs: Sequence[Value] = (),
        attributes: Mapping[str, str] | None = None,
        cost: _Cost = _PLACE,
    ) -> None:
        """Add a node."""
        givers = (self._giver[value] for value in inputs if value in self._giver)
        shapes = tuple(_shape(value.type) for value in outputs)
        types = ", ".join(f"{value.name or 'value'}: {value.type}" for value in outputs)
        shown = {**({"type": _short(types)} if types else {}), **(attributes or {})}
        unique = tuple(dict.fromkeys(givers))
        self._nodes.append((GraphNode(name, op, unique, shown, shapes), cost))
        for value in outputs:
            self._giver[value] = name

    def _region(self, region: Region, box: str, given: Sequence[Value] = ()) -> list[Value]:
        """Add what is in a region; return the values that it hands to its owner."""
        if not region.nodes and region.end.kind == "yield":  # there would be an empty box
            for param, value in zip(region.params, given, strict=False):
                if value in self._giver:
                    self._giver[param] = self._giver[value]
            return list(region.end.values)
        for number, param in enumerate(region.params):
            name = self._name(f"{box}/{param.name or 'value'}")
            self._add(name, "Parameter", given[number : number + 1], [param])
        known = [self._costs[node.key] for node in region.nodes if node.key in self._costs]
        ran = not known or any(cost.calls for cost in known)
        for node in region.nodes:
            self._node(node, box, ran)
        end = region.end
        if end.kind == "yield":
            return list(end.values)
        if end.kind != "unreachable":
            self._add(self._name(f"{box}/{end.kind}"), end.kind, end.values)
        return []

    def _node(self, node: Node, box: str, ran: bool) -> None:
        """Add an operation; `ran` tells if others beside it were executed."""
        op = node.op.name
        member = node.attrs.get("name")
        shown = member if op in _OF_MEMBERS and isinstance(member, str) else op
        name = self._name(f"{box}/{shown}")
        attributes, known = self._attributes(node), self._costs.get(node.key)
        cost = _NEVER
        if known is not None:
            cost = _Cost(known.seconds, known.bytes, known.calls, False)
        elif ran:  # it is part of the syntax of another one, or branches
            cost = _Cost(calls=1, is_place=False)
        if not node.regions:
            self._add(name, op, node.inputs, node.outputs, attributes, cost)
            return
        self._add(self._name(f"{name}/{op}"), op, node.inputs, (), attributes, cost)
        labels = region_labels(op, len(node.inputs), node.attrs)
        given = () if op in _NO_PARAMETERS_FROM_INPUTS else node.inputs
        handed: list[Value] = []
        for number, region in enumerate(node.regions):
            label = labels[number] if number < len(labels) else "region"
            inner = f"{name}/{label}"
            handed += self._region(region, self._name(inner) if region.nodes else inner, given)
        if node.outputs:
            self._add(self._name(f"{name}/result"), "result", handed, node.outputs)

    def _attributes(self, node: Node) -> dict[str, str]:
        """Return what TensorBoard shows beside a node."""
        found = {}
        constants = [v.value for v in node.inputs if isinstance(v, Constant)]
        if constants:
            found["constants"] = _short(", ".join(map(_constant, constants)))
        if node.origin is not None:
            found["line"] = _line(node.origin)
        cost = self._costs.get(node.key)
        if cost is not None:
            found["calls"] = f"{'' if cost.is_exact else '~'}{cost.calls}"
        return found


def _part(text: str) -> str:
    """Return `text` as one part of a name.

    >>> _part("np.exp"), _part("<lambda>"), _part("größe")
    ('np.exp', 'lambda_', 'gr_e')
    """
    name = _NOT_IN_A_NAME.sub("_", text).lstrip("_-")
    return name or "value"


def _constant(item: object) -> str:
    """Return a constant as graphs show it; an object by its class."""
    if isinstance(item, int | float | complex | str | bytes | tuple | slice | None):
        return repr(item)
    return getattr(item, "__name__", None) or type(item).__name__


def _line(origin: Origin) -> str:
    source = linecache.getline(origin.file, origin.line).strip()
    return _short(f"{Path(origin.file).name}:{origin.line}: {source}")


def _short(text: str) -> str:
    """Return a text that TensorBoard's page shows as it is, cut if it is long.

    The page does not undo the escapes of quotes, backslashes and letters that are not ASCII.
    """
    plain = text.replace("'", "`").replace('"', "`").replace("\\", "/")
    plain = plain.encode("ascii", "replace").decode()
    return plain if len(plain) <= _MAX_TEXT else plain[: _MAX_TEXT - 3] + "..."


def _shape(type_: Type) -> Shape:
    """Return a type's shape: of an array, () for a number, None for anything else."""
    if isinstance(type_, NumberType | ScalarType):
        return ()
    if not isinstance(type_, ArrayType) or type_.shape is None:
        return None
    return tuple(extent if isinstance(extent, int) else -1 for extent in type_.shape)
