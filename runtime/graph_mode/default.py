"""The graph that is built where no other is.

Owns the default graph, and making it the default of all threads. It leaves the switches that users
turn to the front end. Invariant: there is one default graph at a time, the same for all threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import SessionError
from ..thread_state import STATE, ThreadState, change_everywhere
from .graph import Graph


@dataclass
class _Default:
    graph: Graph = field(default_factory=Graph)


_default = _Default()


def get_default_graph() -> Graph:
    """Return the graph that is being built here, else the one that is built by default.

    >>> graph = Graph()
    >>> with graph.as_default():
    ...     get_default_graph() is graph
    True
    """
    graph: Graph | None = STATE.graph
    return _default.graph if graph is None else graph


def reset_default_graph() -> None:
    """Put a new, empty graph in the place of the default one.

    Raises
    ------
    SessionError
        Inside ``with graph.as_default():``, whose graph is none of the default's business.
    """
    if STATE.graph not in (None, ThreadState.graph):
        raise SessionError("reset_default_graph is called while another graph is being built")
    _default.graph = Graph()
    if ThreadState.graph is not None:
        build_by_default(True)


def build_by_default(on: bool) -> None:
    """Build the default graph in all threads that say nothing else, or stop to."""
    if on:
        change_everywhere(graph=_default.graph, tracer=_default.graph.tracer)
    else:
        change_everywhere(graph=None, tracer=None)
