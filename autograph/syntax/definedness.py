"""Which names are bound.

Owns the forward analysis over one control-flow graph: at each point, and at each read, whether a
local is bound on all paths, on none, or on some. It leaves the paths to `cfg`. Invariant: `BOUND`
and `UNBOUND` are proofs; where there is none the answer is `MAYBE`. A read that happens for certain
proves the name bound from there on, since it would have raised. `MAYBE` always means that some
assignment reaches the point.
"""

from __future__ import annotations

import enum
import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import gast

from .cfg import Event, Graph


class Status(enum.IntFlag):
    """What is known of a name; the join of two paths is their union.

    `UNREACHABLE` also stands for a name after a read that cannot but raise.
    """

    UNREACHABLE = 0
    BOUND = 1
    UNBOUND = 2
    MAYBE = 3


States = Mapping[str, Status]


@dataclass(frozen=True)
class Definedness:
    """What is known at each node, and at each event.

    Attributes
    ----------
    before, after : tuple of mapping from str to Status
        By node number; empty where control never comes.
    reads : dict from gast.AST to Status
        For each ``Name`` that is read or deleted, the status of its name at that moment.
    doubtful : dict
        Names that are read or deleted somewhere where they may be unbound, as keys.
    makes : dict from gast.AST to mapping
        For each inner function, the status of all names as it is made.
    reachable : tuple of bool
        By node number.
    """

    before: tuple[States, ...]
    after: tuple[States, ...]
    reads: dict[gast.AST, Status]
    doubtful: dict[str, None]
    makes: dict[gast.AST, States]
    reachable: tuple[bool, ...]


def analyze(graph: Graph, entry: States, rebound: Mapping[str, bool] | None = None) -> Definedness:
    r"""Return what is known of the names in `entry` at every node of `graph`.

    Parameters
    ----------
    graph : Graph
    entry : mapping from str to Status
        Every name of interest with its status as the function starts.
    rebound : mapping from str to bool, optional
        Names that inner functions bind at unknown moments, and whether they may unbind them too.

    Examples
    --------
    >>> from . import cfg, scope
    >>> text = "def f(xs):\n  for x in xs: y = x\n  return y"
    >>> function = gast.parse(text).body[0]
    >>> graph = cfg.build(function, scope.analyze(function))
    >>> start = {"xs": Status.BOUND, "x": Status.UNBOUND, "y": Status.UNBOUND}
    >>> analyze(graph, start).reads[function.body[1].value].name
    'MAYBE'
    """
    walk = _Walk(graph, entry, rebound or {})
    walk.settle()
    return walk.result()


class _Bits(Mapping[str, Status]):
    """The status of every name at one point: a bit a name for each of two questions."""

    __slots__ = ("bound", "positions", "unbound")

    def __init__(self, positions: Mapping[str, int], bound: int = 0, unbound: int = 0) -> None:
        self.positions = positions
        self.bound = bound
        self.unbound = unbound

    def __getitem__(self, name: str) -> Status:
        at = self.positions[name]
        return _STATUSES[(self.bound >> at & 1) + 2 * (self.unbound >> at & 1)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.positions)

    def __len__(self) -> int:
        return len(self.positions)

    def put(self, name: str, status: Status) -> None:
        bit = 1 << self.positions[name]
        self.bound = self.bound | bit if status & Status.BOUND else self.bound & ~bit
        self.unbound = self.unbound | bit if status & Status.UNBOUND else self.unbound & ~bit

    def copy(self) -> _Bits:
        return _Bits(self.positions, self.bound, self.unbound)


_STATUSES = (Status.UNREACHABLE, Status.BOUND, Status.UNBOUND, Status.MAYBE)


class _Walk:
    def __init__(self, graph: Graph, entry: States, rebound: Mapping[str, bool]) -> None:
        self.graph = graph
        self.rebound = rebound
        self.positions = {name: number for number, name in enumerate(entry)}
        self.before = [_Bits({}) for _ in graph.nodes]
        self.after = [_Bits({}) for _ in graph.nodes]
        self.reached = [False for _ in graph.nodes]
        start = _Bits(self.positions)
        for name, status in entry.items():
            start.put(name, self.seen(name, status))
        self.before[0] = start
        self.reached[0] = True
        self.reads: dict[gast.AST, Status] = {}
        self.doubtful: dict[str, None] = {}
        self.makes: dict[gast.AST, States] = {}

    def seen(self, name: str, status: Status) -> Status:
        """Return `status` as far as it can be relied on, for a name others may bind."""
        if name not in self.rebound:
            return status
        if self.rebound[name] or status == Status.UNBOUND:
            return Status.MAYBE
        return status

    def settle(self) -> None:
        """Visit nodes in program order, again those before which something changed."""
        waiting = [0]
        while waiting:
            number = heapq.heappop(waiting)
            state = self.before[number].copy()
            for event in self.graph.nodes[number].events:
                self.step(event, state)
            self.after[number] = state
            for successor in self.graph.nodes[number].successors:
                if self.merge(successor, state) and successor not in waiting:
                    heapq.heappush(waiting, successor)

    def merge(self, number: int, state: _Bits) -> bool:
        if not self.reached[number]:
            self.reached[number] = True
            self.before[number] = state.copy()
            return True
        target = self.before[number]
        bound, unbound = target.bound | state.bound, target.unbound | state.unbound
        changed = (bound, unbound) != (target.bound, target.unbound)
        target.bound, target.unbound = bound, unbound
        return changed

    def step(self, event: Event, state: _Bits) -> None:
        if event.kind == "make":
            self.makes[event.node] = state.copy()
        if event.name not in self.positions:
            return
        status = state[event.name]
        if event.kind in ("read", "delete") and isinstance(event.node, gast.Name):
            self.reads[event.node] = status
        if event.kind in ("read", "delete") and status & Status.UNBOUND:
            self.doubtful[event.name] = None
        # Where a name is read for certain and unbound, control goes no further.
        if event.kind == "delete":
            after = Status.UNBOUND if status & Status.BOUND else Status.UNREACHABLE
        elif event.kind == "write":
            after = Status.BOUND
        else:
            after = status & Status.BOUND
        if event.certain:
            state.put(event.name, self.seen(event.name, after))
        elif event.kind != "read":
            state.put(event.name, self.seen(event.name, status | after))

    def result(self) -> Definedness:
        return Definedness(
            tuple(self.before),
            tuple(self.after),
            self.reads,
            self.doubtful,
            self.makes,
            tuple(self.reached),
        )
