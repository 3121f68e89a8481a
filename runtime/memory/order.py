"""The order of reads and writes: which write each read sees.

Owns MemorySSA: at each operation, the version of every class that it reads and that it makes.
It leaves what may share memory to `classes`. Invariants:

- every operation that may write a class makes a new version of it, and so does every place where
  different versions meet: the head of a loop, the end of a branch, loop or block;
- two reads of one version see the same memory;
- what cannot be reached (a branch of a constant test, whatever follows a jump) has no versions.

A write to one element does not end what an earlier write to another left, so a version stands for
all that was written up to it; `MemoryOrder.reaching` gives the last writes only, around loops and
past loops of no trip, which together with the order of the writes tells everything.

Source: D. Novillo, "Memory SSA: a unified approach for sparsely representing memory operations"
(GCC summit 2007), on structured control flow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from ..ir.graph import Graph, Node, Region, Value, walk
from ..ops.control import BLOCK, FOR, IF, TRY, WHILE, WITH
from ..ops.registry import Effects
from .classes import ESCAPED, AliasClasses, alias_classes
from .effects import effects_of, loop_body, loop_orelse, test_effects, test_truth

VersionKind = Literal["entry", "write", "merge"]
ENTRY_KEY = 0
"""Stands in sets of keys for what memory held before the program, or when it was created."""


class Version:
    """One version of a class; compares by identity."""

    __slots__ = ("class_", "key", "kind", "sources")

    def __init__(
        self, kind: VersionKind, class_: int, key: int, sources: Iterable[Version] = ()
    ) -> None:
        self.kind = kind
        """Whether it stands at the entry, is made by a write, or merges others."""
        self.class_ = class_
        self.key = key
        """Key of the operation that makes it; `ENTRY_KEY` at the entry."""
        self.sources = list(sources)
        """What a merge merges."""



_State = dict[int, Version]
Truth = Callable[[Node], bool | None]
"""Tells what is known of the test of an ``if`` or ``while``."""


class MemoryOrder:
    """The versions that the operations of one graph read and make, by the operations' keys."""

    def __init__(self, classes: AliasClasses) -> None:
        self.classes = classes
        self.reads: dict[int, dict[int, Version]] = {}
        """For each operation that was reached: the version of each class that it reads."""
        self.writes: dict[int, dict[int, Version]] = {}
        """The version of each class that it makes."""
        self.before: dict[int, dict[int, Version]] = {}
        """The version of each class that it writes, just before."""
        self._reaching: dict[Version, frozenset[int]] = {}

    def is_reached(self, node: Node) -> bool:
        """Tell whether the program can get to `node`, as far as constants tell."""
        return node.key in self.reads

    def version(self, node: Node) -> tuple[tuple[int, Version], ...]:
        """Return the versions that `node` reads, by class: equal if two see the same memory."""
        return tuple(sorted(self.reads[node.key].items(), key=lambda item: item[0]))

    def reaching_writes(self, node: Node) -> frozenset[int]:
        """Return the keys of the last writes that `node` may see, over all classes it reads."""
        found: frozenset[int] = frozenset()
        for version in self.reads.get(node.key, {}).values():
            found |= self.reaching(version)
        return found

    def reaching(self, version: Version) -> frozenset[int]:
        """Return the keys of the writes that `version` may be, `ENTRY_KEY` for none at all."""
        known = self._reaching.get(version)
        if known is not None:
            return known
        seen = {version: None}
        pending = [version]
        keys = set()
        while pending:
            current = pending.pop()
            if current.kind != "merge":
                keys.add(current.key)
            for source in current.sources:
                if source not in seen:
                    seen[source] = None
                    pending.append(source)
        result = frozenset(keys)
        self._reaching[version] = result
        return result


class _Target:
    """Where jumps of one construct arrive: the states they bring."""

    def __init__(self) -> None:
        self.breaks: list[_State] = []
        self.continues: list[_State] = []
        self.returns: list[_State] = []


class _Walk:
    """Walks a program in order; a state maps each class to its version, None is unreachable."""

    def __init__(self, order: MemoryOrder, truth: Truth, known: Mapping[int, Node]) -> None:
        self.order = order
        self.truth = truth
        self.known = known
        self.classes = order.classes
        self.entries: _State = {}
        self.loops: list[_Target] = []
        self.blocks: list[_Target] = []

    def version(self, state: _State, class_: int) -> Version:
        known = state.get(class_)
        if known is None:
            known = self.entries.get(class_)
        if known is None:
            known = self.entries[class_] = Version("entry", class_, ENTRY_KEY)
        return known

    def region(self, region: Region, state: _State | None) -> _State | None:
        """Walk a region; return the state in which it yields, None if it does not."""
        for node in region.nodes:
            if state is None:
                return None
            state = self.node(node, state)
        if state is None or region.end.kind == "yield":
            return state
        if region.end.kind == "break" and self.loops:
            self.loops[-1].breaks.append(state)
        elif region.end.kind == "continue" and self.loops:
            self.loops[-1].continues.append(state)
        elif region.end.kind == "return" and self.blocks:
            self.blocks[-1].returns.append(state)
        return None

    def node(self, node: Node, state: _State) -> _State | None:
        if node.op is IF:
            state = self.access(node, node.inputs, effects_of(node), state)
            taken = self.truth(node)
            ways = [
                self.region(region, dict(state))
                for index, region in enumerate(node.regions)
                if taken is None or taken == (not index)
            ]
            return self.merge(node, ways)
        if node.op is BLOCK:
            self.access(node, node.inputs, effects_of(node), state)
            self.blocks.append(_Target())
            way = self.region(node.regions[0], dict(state))
            return self.merge(node, [way, *self.blocks.pop().returns])
        if node.op is WHILE or node.op is FOR:
            return self.loop(node, state)
        if node.op is TRY:
            return self.guarded(node, state)
        if node.op is WITH:
            entered = self.access(node, node.inputs, effects_of(node), state)
            way = self.region(node.regions[0], dict(entered))
            left = self.interrupted(node, entered, node.regions)
            self.leaving(node, left)
            return self.merge(node, [way, left])
        known = self.known.get(node.key, node)
        return self.access(node, known.inputs, effects_of(known), state)

    def loop(self, node: Node, state: _State) -> _State | None:
        head = dict(state)
        heads = []
        for class_ in self.written_in(node):
            before = self.version(state, class_)
            head[class_] = Version("merge", class_, node.key, [before])
            heads.append(head[class_])
        target = _Target()
        self.loops.append(target)
        last: _State | None
        entered: _State | None
        if node.op is FOR:
            head = self.access(node, node.inputs, effects_of(node), head)
            last, entered = dict(head), dict(head)
        else:
            last, entered = self.test(node, head)
        way = self.region(loop_body(node), entered) if entered is not None else None
        self.loops.pop()
        for back in (way, *target.continues):
            if back is not None:
                for version in heads:
                    version.sources.append(self.version(back, version.class_))
        orelse = loop_orelse(node)
        if orelse is not None and last is not None:
            last = self.region(orelse, dict(last))
        return self.merge(node, [last, *target.breaks])

    def guarded(self, node: Node, state: _State) -> _State | None:
        """Walk a ``try``: an error may be raised, and handled, anywhere in its body."""
        state = self.access(node, node.inputs, effects_of(node), state)
        has_orelse, has_final = bool(node.attrs.get("orelse")), bool(node.attrs.get("final"))
        body, *handlers = node.regions
        final = handlers.pop() if has_final else None
        orelse = handlers.pop() if has_orelse else None
        marks = self.marks()
        way = self.region(body, dict(state))
        if orelse is not None and way is not None:
            way = self.region(orelse, way)
        error = self.interrupted(node, state, (body,))
        ways = [way, *(self.region(handler, dict(error)) for handler in handlers)]
        merged = self.merge(node, ways)
        if final is None:
            return merged
        last = self.region(final, self.interrupted(node, state, node.regions[:-1]))
        if last is None:
            return None
        self.pass_through(last, marks)
        return None if merged is None else last

    def interrupted(self, node: Node, state: _State, regions: Sequence[Region]) -> _State:
        """Return the state in which an error may leave `regions`, which begin in `state`."""
        found: dict[int, dict[Version, None]] = {}
        for region in regions:
            for inner in walk(region):
                for made in (self.order.writes.get(inner.key, {}),):
                    for class_, version in made.items():
                        found.setdefault(class_, {})[version] = None
        merged = dict(state)
        for class_, versions in found.items():
            sources = (self.version(state, class_), *versions)
            merged[class_] = Version("merge", class_, node.key, sources)
        return merged

    def marks(self) -> list[tuple[list[_State], int]]:
        """Return how many jumps each construct around has met so far."""
        targets = [*self.loops, *self.blocks]
        lists = [states for t in targets for states in (t.breaks, t.continues, t.returns)]
        return [(states, len(states)) for states in lists]

    def pass_through(self, last: _State, marks: Sequence[tuple[list[_State], int]]) -> None:
        """Let the jumps met since `marks` pass through what ends in the state `last`."""
        for states, count in marks:
            for index in range(count, len(states)):
                states[index] = {**states[index], **last}

    def leaving(self, node: Node, state: _State) -> None:
        """Record that the end of a ``with`` writes what its beginning did."""
        for class_, made in self.order.writes[node.key].items():
            state[class_] = Version("merge", class_, node.key, (made, self.version(state, class_)))

    def test(self, node: Node, head: _State) -> tuple[_State | None, _State | None]:
        """Walk the test of a ``while``; return the states in which it fails and succeeds."""
        test = node.regions[0]
        tested = self.region(test, dict(head))
        if tested is None:
            self.order.reads.setdefault(node.key, {})
            self.order.writes.setdefault(node.key, {})
            return None, None
        tested = self.access(node, test.end.values, test_effects(node), tested)
        truth = self.truth(node)
        failed = None if truth is True else dict(tested)
        return failed, (None if truth is False else dict(tested))

    def access(
        self, node: Node, values: Sequence[Value], effects: Effects, state: _State
    ) -> _State:
        """Record what `node` reads and writes; return the state after it."""
        reads, writes = touched(values, effects, self.classes)
        self.order.reads[node.key] = {c: self.version(state, c) for c in reads}
        self.order.before[node.key] = {c: self.version(state, c) for c in writes}
        made = {c: Version("write", c, node.key) for c in writes}
        self.order.writes[node.key] = made
        return {**state, **made} if made else state

    def written_in(self, node: Node) -> tuple[int, ...]:
        """Return the classes that a loop may write, in order."""
        found: dict[int, None] = {}
        pending = [node]
        while pending:
            current = pending.pop()
            known = self.known.get(current.key, current)
            effects, values = effects_of(known), known.inputs
            if current.op is WHILE:
                effects, values = test_effects(current), current.regions[0].end.values
            found.update(dict.fromkeys(touched(values, effects, self.classes)[1]))
            pending.extend(inner for region in current.regions for inner in region.nodes)
        return tuple(sorted(found))

    def merge(self, node: Node, ways: Sequence[_State | None]) -> _State | None:
        states = [way for way in ways if way is not None]
        if not states:
            return None
        merged: _State = {}
        for class_ in sorted({c: None for s in states for c in s}):
            versions = tuple(dict.fromkeys(self.version(s, class_) for s in states))
            if len(versions) == 1:
                merged[class_] = versions[0]
            else:
                merged[class_] = Version("merge", class_, node.key, versions)
        return merged


def touched(
    values: Sequence[Value], effects: Effects, classes: AliasClasses
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the classes that `effects` on `values` may read and write.

    What runs unknown code reads and writes everything that can be reached from outside, but not
    what the program made and kept for itself.
    """
    reads = [c for i in effects.reads for c in classes.of(values[i])]
    writes = [c for i in effects.writes for c in classes.of(values[i])]
    if effects.calls:
        reads.append(ESCAPED)
        writes.append(ESCAPED)
    return classes.reach(reads), classes.reach(writes)


def memory_order(
    graph: Graph,
    classes: AliasClasses | None = None,
    truth: Truth = test_truth,
    known: Mapping[int, Node] = MappingProxyType({}),
) -> MemoryOrder:
    """Return the versions of memory in `graph`.

    Parameters
    ----------
    graph
        The graph.
    classes
        Its alias classes; computed here, with arguments that do not overlap, if not given.
    truth
        What is known of tests: those on constants, if not given.
    known
        By key: operations that tell more of the effects of those in the graph.

    Returns
    -------
    MemoryOrder
        The side table.

    Examples
    --------
    A read before and a read after a write see different versions:

    >>> import numpy as np
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.graph import Constant
    >>> from runtime.ir.types import ArrayType
    >>> from runtime.ops import containers
    >>> build = Builder()
    >>> x = build.param(ArrayType(np.dtype("f8"), (3,)), "x")
    >>> a, = build.append(containers.GETITEM, [x, Constant(0)])
    >>> _ = build.append(containers.SETITEM, [x, Constant(0), Constant(1.0)])
    >>> b, = build.append(containers.GETITEM, [x, Constant(0)])
    >>> build.end("return", [b])
    >>> graph = build.graph("f")
    >>> order = memory_order(graph)
    >>> first, write, second = graph.nodes
    >>> order.reaching_writes(first) == {ENTRY_KEY}
    True
    >>> order.reaching_writes(second) == {write.key}
    True
    """
    order = MemoryOrder(classes or alias_classes(graph))
    _Walk(order, truth, known).region(graph.body, {})
    return order


def writes_by_class(graph: Graph, order: MemoryOrder) -> Mapping[int, tuple[int, ...]]:
    """Return, for each class, the keys of the operations that may write it, in order."""
    found: dict[int, list[int]] = {}
    for key, made in order.writes.items():
        for class_ in made:
            found.setdefault(class_, []).append(key)
    return {class_: tuple(found[class_]) for class_ in sorted(found)}
