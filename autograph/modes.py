"""Eager or compiled, at once or in a graph: the switches that users turn.

Owns `eager`, `run_eagerly`, `executing_eagerly`, and turning graph building on and off for all
code. It leaves the state behind them to `runtime.thread_state`, and graphs to `runtime.graph_mode`.
Invariant: ``with`` blocks change only the thread that enters them; inside `eager` a compiled
function is the plain function.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.graph_mode.default import build_by_default
from runtime.thread_state import STATE, change_everywhere, changed


def run_eagerly(on: bool) -> None:
    """Make compiled functions run as plain Python in all threads (True), or compile again.

    Parameters
    ----------
    on
        Whether compiled functions run as plain Python, wherever no `eager` block says otherwise.
    """
    change_everywhere(plain=bool(on))


def executing_eagerly() -> bool:
    """Tell whether operations run at once here, and do not go to a graph that is being built.

    >>> executing_eagerly()
    True
    """
    return STATE.graph is None


@contextmanager
def eager(on: bool = True) -> Iterator[None]:
    """Run compiled functions as plain Python inside a ``with`` block, in this thread.

    No graph is built inside either: variables and constants that are made there are eager ones.

    Parameters
    ----------
    on
        False to compile inside the block although it is nested in one that does not.
    """
    with changed(plain=bool(on), graph=None, tracer=None) if on else changed(plain=False):
        yield


def disable_eager_execution() -> None:
    """Make building a graph the default: placeholders, variables and tensors go to one graph.

    That is `get_default_graph`; a `Session` runs it. ``with graph.as_default():`` and ``with
    eager():`` still have their way. Holds for all threads, until `enable_eager_execution`.

    >>> disable_eager_execution()
    >>> executing_eagerly()
    False
    >>> enable_eager_execution()
    >>> executing_eagerly()
    True
    """
    build_by_default(True)


def enable_eager_execution() -> None:
    """Make running at once the default again; the graph that was the default is kept."""
    build_by_default(False)
