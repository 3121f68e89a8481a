"""Which variables in memory are certainly bound.

Owns finding the checks for unbound names that can never fail, by what was assigned before them on
every path. It leaves dropping them to `regions`. Invariant: a variable counts as bound only where
every path to it, those that errors take included, assigned it after it was last unbound.

It is the definite assignment of the Java language (specification, chapter 16), with unbinding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..ir.graph import Constant, Node, Region, Value, walk
from ..ir.types import OpaqueType, SlotType, Type, UnboundType, UnionType
from ..ops.containers import CHECK_BOUND, SLOT, UNBOUND_MARKER
from ..ops.control import APPLY, BLOCK, FOR, IF, TRY, WHILE, WITH

_State = frozenset[Value]
"""The variables that are bound."""


def needless_checks(body: Region) -> frozenset[Node]:
    """Return the operations ``check_bound`` in `body` that never raise."""
    walk_ = _Walk(body)
    walk_.region(body, frozenset())
    return frozenset(walk_.needless)


class _Walk:
    """Walks a region in order; a state of None is unreachable."""

    def __init__(self, body: Region) -> None:
        self.needless: list[Node] = []
        self._bound: set[Value] = set()
        """Values that are bound wherever they are defined."""
        self._breaks: list[list[_State]] = []
        self._returns: list[list[_State]] = [[]]
        for node in walk(body):
            if node.op is FOR:
                self._bound.add(node.regions[0].params[0])
            elif node.op in (TRY, WITH):
                self._bound.update(param for region in node.regions for param in region.params)
            elif not node.regions and node.op is not APPLY and not _is_read(node):
                self._bound.update(node.outputs)

    def region(self, region: Region, state: _State | None) -> _State | None:
        """Return the variables that are bound where `region` yields."""
        before: Node | None = None
        for node in region.nodes:
            if state is None:
                return None
            state = self._node(node, before, state)
            before = node
        if state is None or region.end.kind == "yield":
            return state
        if region.end.kind == "break" and self._breaks:
            self._breaks[-1].append(state)
        elif region.end.kind == "return":
            self._returns[-1].append(state)
        return None

    def _node(self, node: Node, before: Node | None, state: _State) -> _State | None:
        if _is_write(node):
            slot = node.outputs[0] if node.op is SLOT else node.inputs[0]
            return state | {slot} if self._is_bound(node.inputs[-1]) else state - {slot}
        if _is_read(node):
            if node.inputs[0] in state:
                self._bound.add(node.outputs[0])
            return state
        if node.op is CHECK_BOUND:
            if self._is_bound(node.inputs[0]):
                self.needless.append(node)
            elif before is not None and _is_read(before) and node.inputs == before.outputs:
                return state | {before.inputs[0]}
            return state
        if node.op is IF:
            return _meet(self.region(region, state) for region in node.regions)
        if node.op is BLOCK:
            self._returns.append([])
            last = self.region(node.regions[0], state)
            return _meet((last, *self._returns.pop()))
        if node.op in (WHILE, FOR):
            return self._loop(node, state)
        if node.op is TRY:
            return self._try(node, state)
        if node.op is WITH:
            left = state - self._unbinds(node.regions)
            return _meet((self.region(node.regions[0], state), left))
        return state

    def _loop(self, node: Node, state: _State) -> _State | None:
        head: _State | None = state - self._unbinds(node.regions)
        regions = list(node.regions)
        self._breaks.append([])
        if node.op is WHILE:
            head = self.region(regions.pop(0), head)
        self.region(regions.pop(0), head)
        breaks = self._breaks.pop()
        if regions:
            head = self.region(regions[0], head)
        return _meet((head, *breaks))

    def _try(self, node: Node, state: _State) -> _State | None:
        parts = list(node.regions)
        final = parts.pop() if node.attrs.get("final") else None
        orelse = parts.pop() if node.attrs.get("orelse") else None
        body, *handlers = parts
        jumps = [*self._breaks, *self._returns]
        marks = [len(states) for states in jumps]
        last = self.region(body, state)
        if orelse is not None:
            last = self.region(orelse, last)
        caught = state - self._unbinds((body,))
        last = _meet((last, *(self.region(handler, caught) for handler in handlers)))
        if final is None:
            return last
        unbound = self._unbinds((final,))
        end = self.region(final, state - self._unbinds(node.regions[:-1]))
        for states, mark in zip(jumps, marks, strict=True):
            states[mark:] = [jump - unbound for jump in states[mark:]]
        return None if last is None or end is None else last - unbound | end

    def _is_bound(self, value: Value) -> bool:
        if isinstance(value, Constant):
            return value.value is not UNBOUND_MARKER
        return value in self._bound or not _may_be_unbound(value.type)

    def _unbinds(self, regions: Sequence[Region]) -> _State:
        """Return the variables that `regions` may unbind."""
        return frozenset(
            node.outputs[0] if node.op is SLOT else node.inputs[0]
            for region in regions
            for node in walk(region)
            if _is_write(node) and not self._is_bound(node.inputs[-1])
        )


def _meet(states: Iterable[_State | None]) -> _State | None:
    """Return what is bound on every path that arrives."""
    arriving = [state for state in states if state is not None]
    return frozenset.intersection(*arriving) if arriving else None


def _is_read(node: Node) -> bool:
    return node.op.name == "getitem" and isinstance(node.inputs[0].type, SlotType)


def _is_write(node: Node) -> bool:
    if node.op is SLOT:
        return True
    return node.op.name == "setitem" and isinstance(node.inputs[0].type, SlotType)


def _may_be_unbound(type_: Type) -> bool:
    if isinstance(type_, UnionType):
        return any(map(_may_be_unbound, type_.options))
    return isinstance(type_, UnboundType | OpaqueType)
