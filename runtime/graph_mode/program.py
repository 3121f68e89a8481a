"""Programs that run parts of a graph.

Owns making one for what is fetched and fed, keeping it, and what a run takes and gives. It leaves
choosing operations to `fetching`, checking feeds to `feeds`, and compiling to `runtime.compile`.
Invariant: a run changes nothing that it was fed, and hands out nothing that a later run reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..compile import compile_graph
from ..errors import SessionError
from ..ir.graph import Value
from ..profiling.recorder import Recordable
from ..thread_state import changed
from ..variables import Variable
from .feeds import Lengths, convert_feed
from .fetching import Fetching, fetching
from .graph import Graph

States = Mapping[Value, Variable]


@dataclass(frozen=True)
class _Made:
    """A program, and the length of the graph that it was chosen from."""

    length: int
    kept: tuple[int, ...]
    program: Program


def program_for(
    graph: Graph, fetches: Sequence[Value], feeds: Sequence[Value], read: Sequence[Value] = ()
) -> Program:
    """Return the program that computes `fetches` from `feeds`, made once for each such pair.

    Parameters
    ----------
    graph
        The graph they are of.
    fetches, feeds
        Tensors.
    read
        Variables that are read at the very end of the run.

    Raises
    ------
    SessionError
        If a placeholder that is needed is not fed.
    """
    key = (tuple(fetches), frozenset(feeds), tuple(read))
    length = len(graph.tracer.outermost.nodes)
    made = graph.programs.get(key)
    assert made is None or isinstance(made, _Made)
    if made is not None and made.length == length:
        return made.program
    nodes = tuple(graph.tracer.outermost.nodes[:length])
    held = dict.fromkeys(graph.variables.values())
    plan = fetching(nodes, fetches, feeds, held, read, graph.definitions.values())
    if plan.missing:
        raise SessionError(_unfed(graph, plan.missing, fetches))
    kept = tuple(node.key for node in plan.kept)
    program = made.program if made is not None and made.kept == kept else Program(graph, plan)
    graph.programs[key] = _Made(length, kept, program)
    return program


def _unfed(graph: Graph, missing: Sequence[Value], fetches: Sequence[Value]) -> str:
    names = ", ".join(map(graph.describe, missing))
    fetched = ", ".join(map(graph.describe, fetches))
    places = ", ".join(filter(None, map(graph.place, missing)))
    made = f"; made at {places}" if places else ""
    return f"{names} is not fed, but needed for {fetched}{made}"


class Program:
    """A compiled part of a graph."""

    def __init__(self, graph: Graph, plan: Fetching) -> None:
        self._graph = graph
        self._plan = plan
        self._program = Recordable(compile_graph(plan.graph))
        self.variables = plan.variables
        """The variables that it reads or assigns."""

    def __call__(
        self, feeds: Mapping[Value, object], states: States, session: object = None
    ) -> tuple[object, ...]:
        """Return the fetched values; `feeds` are not changed, constants are not handed out.

        Code that is not compiled finds the values of variables in `session`.
        """
        lengths: Lengths = {}
        arguments = []
        for value in self._plan.feeds:
            fed = convert_feed(value, self._graph.describe(value), feeds[value], lengths)
            if value in self._plan.written and isinstance(fed, np.ndarray):
                fed = fed.copy(order="K")
            arguments.append(fed)
        variables = [states[value] for value in self.variables]
        with changed(tracer=None, graph=None, run=session):
            results = self._program.function(*arguments, *variables)
        assert isinstance(results, tuple)
        return tuple(_own(result, arguments) for result in results)


def _own(result: object, feeds: Sequence[object]) -> object:
    """Return `result`, or a copy of what a later run of the session may read."""
    if isinstance(result, Variable):
        return result.numpy()
    if isinstance(result, np.ndarray) and not result.flags.writeable:
        fed = (feed for feed in feeds if isinstance(feed, np.ndarray))
        if not any(np.may_share_memory(result, feed) for feed in fed):
            return result.copy(order="K")
    return result
