"""Which names are bound.

Owns the forward analysis over one control-flow graph: at each point, and at each read, whether a
local is bound on all paths, on none, or on some. It leaves the paths to `cfg`. Invariant: `BOUND`
and `UNBOUND` are proofs; where there is none the answer is `MAYBE`. A read that happens for certain
proves the name bound from there on, since it would have raised. `MAYBE` always means that some
assignment reaches the point.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
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


class _Walk:
    def __init__(self, graph: Graph, entry: States, rebound: Mapping[str, bool]) -> None:
        self.graph = graph
        self.rebound = rebound
        self.before: list[dict[str, Status]] = [{} for _ in graph.nodes]
        self.after: list[dict[str, Status]] = [{} for _ in graph.nodes]
        self.reached = [False for _ in graph.nodes]
        self.before[0] = {name: self.seen(name, status) for name, status in entry.items()}
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
        waiting = [0]
        while waiting:
            number = waiting.pop()
            state = dict(self.before[number])
            for event in self.graph.nodes[number].events:
                self.step(event, state)
            self.after[number] = state
            successors = self.graph.nodes[number].successors
            waiting.extend([after for after in successors if self.merge(after, state)])

    def merge(self, number: int, state: States) -> bool:
        target = self.before[number]
        changed = not self.reached[number]
        self.reached[number] = True
        for name, status in state.items():
            joined = target.get(name, Status.UNREACHABLE) | status
            if joined != target.get(name):
                target[name] = joined
                changed = True
        return changed

    def step(self, event: Event, state: dict[str, Status]) -> None:
        if event.kind == "make":
            self.makes[event.node] = dict(state)
        if event.name not in state:
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
            state[event.name] = self.seen(event.name, after)
        elif event.kind != "read":
            state[event.name] = self.seen(event.name, status | after)

    def result(self) -> Definedness:
        return Definedness(
            tuple(self.before),
            tuple(self.after),
            self.reads,
            self.doubtful,
            self.makes,
            tuple(self.reached),
        )
