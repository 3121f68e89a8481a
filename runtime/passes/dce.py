"""Dead code elimination.

Owns finding what no effect and no result depends on, and dropping it: operations, outputs of
branches, state of loops. It leaves what an operation does to `runtime.memory.effects`.
Invariants: an operation that writes, runs unknown code or may raise is never dropped, nor is
anything that decides whether it runs; a ``while`` is never dropped, since it might not end. One
that may only warn is dropped where a warning is all that it may give: not where the program may
make it an error (`with`, `try`, code that is not compiled), nor where it is one already.

The marking is that of aggressive dead code elimination (Cytron et al., TOPLAS 1991, section 7.1)
on structured control flow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ir.graph import Graph, Node, Region, Terminator, TerminatorKind, Value, walk
from ..ir.rewriter import Rewriter, Rewritten
from ..memory.effects import (
    effects_of,
    ends,
    exits,
    is_essential,
    loop_body,
    loop_orelse,
    loop_regions,
)
from ..ops.attributes import CALL
from ..ops.control import BLOCK, FOR, TRY, WHILE, WITH
from ..ops.registry import Raises

_LEAVING: tuple[TerminatorKind, ...] = ("return", "raise", "unreachable")
"""Ends that leave the graph: they matter whenever they are reached."""
_OF_BODY: tuple[TerminatorKind, ...] = ("yield", "continue", "break")
_OF_BLOCK: tuple[TerminatorKind, ...] = ("yield", "return")
_OF_BRANCH: tuple[TerminatorKind, ...] = ("yield",)
_JUMPS: tuple[TerminatorKind, ...] = ("break", "continue")
_HANDLING = (CALL, WITH, TRY)
"""Operations that may change what NumPy does of a floating-point error, or see what it did."""
_ONLY_WARNING = frozenset(("ignore", "warn"))


class _Marker:
    """Marks what is live, from effects and results backwards."""

    def __init__(self, graph: Graph) -> None:
        self.live: set[int] = set()
        self.live_values: set[Value] = set()
        self._producer: dict[Value, Node] = {}
        self._owner_of_param: dict[Value, Node] = {}
        self._owner: dict[int, Node] = {}
        self._region_owner: dict[Region, Node] = {}
        self._nodes: list[Node] = []
        self._values: list[Value] = []
        for node in walk(graph.body):
            self._producer.update(dict.fromkeys(node.outputs, node))
            for region in node.regions:
                self._region_owner[region] = node
                self._owner_of_param.update(dict.fromkeys(region.params, node))
                self._owner.update((inner.key, node) for inner in region.nodes)
        self._mark_roots(graph)
        self._spread()
        self._mark_warnings(graph)
        self._spread()

    def _spread(self) -> None:
        """Mark what the marked needs."""
        while self._nodes or self._values:
            if self._nodes:
                self._expand(self._nodes.pop())
            else:
                self._trace(self._values.pop())

    def _mark_roots(self, graph: Graph) -> None:
        for kind in _LEAVING:
            for region, end in exits(graph.body, kind):
                self._mark_end(region, end)
        for node in walk(graph.body):
            if is_essential(node):
                self._mark_node(node)

    def _mark_warnings(self, graph: Graph) -> None:
        """Keep what may warn, where more than a warning may come of it."""
        nodes = list(walk(graph.body))
        handled = any(node.op in _HANDLING and node.key in self.live for node in nodes)
        if handled or warnings_raise():
            for node in nodes:
                if _may_warn(node):
                    self._mark_node(node)

    def _mark_end(self, region: Region, end: Terminator) -> None:
        """Keep the end of a region that always matters when it is reached."""
        for value in end.values:
            self._mark_value(value)
        self._mark_owner(region)

    def _mark_owner(self, region: Region) -> None:
        if region in self._region_owner:
            self._mark_node(self._region_owner[region])

    def _mark_node(self, node: Node) -> None:
        if node.key not in self.live:
            self.live.add(node.key)
            self._nodes.append(node)

    def _mark_value(self, value: Value) -> None:
        if value not in self.live_values:
            self.live_values.add(value)
            self._values.append(value)

    def _expand(self, node: Node) -> None:
        """Mark what a live operation needs whichever of its outputs are used."""
        if node.key in self._owner:
            self._mark_node(self._owner[node.key])
        if node.op is WHILE:
            for value in node.regions[0].end.values:
                if node.regions[0].end.kind == "yield":
                    self._mark_value(value)
        elif node.op is FOR:
            self._mark_value(node.inputs[0])
        else:
            for value in node.inputs:
                self._mark_value(value)
        if loop_regions(node):
            for kind in _JUMPS:
                for region, _ in exits(loop_body(node), kind):
                    self._mark_owner(region)
        elif node.op is BLOCK:
            for region, _ in exits(node.regions[0], "return"):
                self._mark_owner(region)

    def _trace(self, value: Value) -> None:
        """Mark what a live value is made of."""
        node = self._producer.get(value)
        if node is not None:
            self._mark_node(node)
            if node.regions:
                self._mark_sources(node, node.outputs.index(value))
            return
        owner = self._owner_of_param.get(value)
        if owner is not None:
            self._mark_node(owner)
            index = _state_index(owner, value)
            if index is not None and loop_regions(owner):
                self._mark_sources(owner, index)

    def _mark_sources(self, node: Node, index: int) -> None:
        """Mark all that may become output or state number `index` of `node`."""
        if not loop_regions(node):
            for region in node.regions:
                for end in ends(region, _OF_BLOCK if node.op is BLOCK else _OF_BRANCH):
                    self._mark_value(end.values[index])
            return
        self._mark_value(node.inputs[index + _items(node, 0)])
        body, orelse = loop_body(node), loop_orelse(node)
        for end in ends(body, _OF_BODY):
            self._mark_value(end.values[index])
        for value in _state_params(node, index):
            self._mark_value(value)
        if orelse is not None:
            for end in ends(orelse, _OF_BRANCH):
                self._mark_value(end.values[index])
        self._mark_value(node.outputs[index])


def _may_warn(node: Node) -> bool:
    """Tell whether `node` itself may give a warning, which `np.errstate` may make an error."""
    return not node.regions and effects_of(node).raises >= Raises.WARNS


def warnings_raise() -> bool:
    """Tell whether NumPy does more about floating-point errors just now than warn of them.

    >>> with np.errstate(divide="raise"):
    ...     warnings_raise()
    True
    """
    return not _ONLY_WARNING.issuperset(np.geterr().values())


def drops_warnings(before: Graph, after: Graph) -> bool:
    """Tell whether passes dropped what may warn: then `warnings_raise` must be False for `after`.

    Parameters
    ----------
    before, after
        A graph, and what passes made of it.
    """
    kept = {node.key for body in after.bodies for node in walk(body)}
    return any(
        node.key not in kept and _may_warn(node) and not is_essential(node)
        for body in before.bodies
        for node in walk(body)
    )


def _state_index(node: Node, param: Value) -> int | None:
    """Return the number of the state that `param` holds; None for the item of a ``for``."""
    for number, region in enumerate(node.regions):
        if param in region.params:
            index = region.params.index(param)
            index -= _items(node, number)
            return index if index >= 0 else None
    return None


def _state_params(node: Node, index: int) -> tuple[Value, ...]:
    """Return the parameters that hold state number `index` of a loop."""
    return tuple(
        region.params[index + _items(node, number)]
        for number, region in enumerate(node.regions)
    )


class _Sweep(Rewriter):
    """Drops what is not marked."""

    def __init__(self, marker: _Marker) -> None:
        super().__init__()
        self._marker = marker
        self._kept: dict[Region, tuple[int, ...]] = {}
        self._inside: list[Region] = []

    def node(self, node: Node) -> Rewritten:
        if node.key not in self._marker.live:
            return None
        live = self._marker.live_values
        kept = tuple(i for i, output in enumerate(node.outputs) if output in live)
        if not node.regions or len(kept) == len(node.outputs):
            return self.copy(node)
        self._kept.update(dict.fromkeys(_handing_over(node), kept))
        changed = self.copy(node)
        outputs = tuple(node.outputs[i] for i in kept)
        if not loop_regions(node):
            return replace(changed, outputs=outputs)
        regions = tuple(
            replace(region, params=_kept_after(region.params, kept, _items(node, number)))
            for number, region in enumerate(changed.regions)
        )
        inputs = _kept_after(changed.inputs, kept, _items(node, 0))
        return replace(changed, inputs=inputs, regions=regions, outputs=outputs)

    def region(self, region: Region) -> Region:
        self._inside.append(region)
        try:
            return super().region(region)
        finally:
            self._inside.pop()

    def terminator(self, end: Terminator) -> Terminator:
        end = super().terminator(end)
        kept = self._kept.get(self._inside[-1])
        return end if kept is None else replace(end, values=_kept_after(end.values, kept, 0))


def _handing_over(node: Node) -> tuple[Region, ...]:
    """Return the regions whose end hands over the outputs or the state of `node`."""
    if not loop_regions(node):
        kinds = _OF_BLOCK if node.op is BLOCK else _OF_BRANCH
        return tuple(r for part in node.regions for kind in kinds for r, _ in exits(part, kind))
    found = [region for kind in _OF_BODY for region, _ in exits(loop_body(node), kind)]
    orelse = loop_orelse(node)
    if orelse is not None:
        found += [region for region, _ in exits(orelse, "yield")]
    return tuple(found)


def _kept_after(
    values: tuple[Value, ...], kept: Sequence[int], lead: int
) -> tuple[Value, ...]:
    """Return the first `lead` values, then those numbered `kept` of the rest."""
    return (*values[:lead], *(values[i + lead] for i in kept))


def _items(node: Node, number: int) -> int:
    """Return how many values stand before the state in region (or inputs) `number`."""
    return int(node.op is FOR and number == 0)


def dce(graph: Graph) -> Graph:
    """Drop operations that no effect and no result depends on.

    Dropped are operations without effects (one that only warns may go), branches, blocks and
    ``for`` loops over ranges, arrays, tuples, strings and lists with nothing but those in them, and
    of the others the outputs and the state that nothing needs. Kept is whatever writes, may raise,
    runs unknown code, or might not end.

    Parameters
    ----------
    graph
        Any graph.

    Returns
    -------
    Graph
        The graph with fewer operations; `graph` itself if all of it is needed.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> unused, = build.append(arithmetic.MUL, [x, x])
    >>> y, = build.append(arithmetic.ADD, [x, x])
    >>> build.end("return", [y])
    >>> before = build.graph("f")
    >>> after = dce(before)
    >>> [node.op.name for node in before.nodes], [node.op.name for node in after.nodes]
    (['mul', 'add'], ['add'])
    >>> dce(after) is after
    True
    """
    return _Sweep(_Marker(graph)).graph(graph)
