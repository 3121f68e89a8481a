"""What is at work in each thread: whether functions run as plain Python, and the graph being built.

Owns `STATE` and changing it for a while. It leaves what the modes mean to `graph_mode` and to the
call paths. Invariant: what is set on the class holds for every thread that has nothing of its own;
what a ``with`` block sets is seen by its thread alone, and gone after it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

_MISSING = object()


class ThreadState(threading.local):
    """The state of the running thread; class attributes are what threads begin with."""

    plain = False
    """Whether compiled functions run as plain Python."""
    graph: Any = None
    """The graph that is being built, None where operations run at once."""
    tracer: Any = None
    """The tracer that records what is done with symbols, None where nothing is recorded."""
    run: Any = None
    """The session that runs a part of its graph, None outside of such runs."""
    scope = ""
    """The name scopes around, each with a slash at its end."""
    slow = False
    """Whether compiled functions may not be called in the fast way: plain, or a graph is built."""


STATE = ThreadState()


class _Change:
    """Other values in the state of this thread, for a ``with`` block.

    Ctrl-C may strike between any two steps. So setting is undone if it is not finished, undoing is
    begun again, and a block whose end was not reached at all is undone when it is forgotten.
    """

    _before: dict[str, Any] | None = None

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values
        self._state: dict[str, Any] = {}

    def __enter__(self) -> None:
        state = self._state = vars(STATE)
        before = {name: state.get(name, _MISSING) for name in self._values}
        try:
            self._before = before
            state.update(self._values)
            _settle(state)
        except BaseException:
            self._undo(self._values)
            raise

    def __exit__(self, *error: object) -> None:
        try:
            self._undo(self._values)
        except BaseException:
            self._undo(self._values)
            raise

    def __del__(self) -> None:
        if self._before is not None:
            state = self._state
            self._undo([name for name, value in self._values.items() if state.get(name) is value])

    def _undo(self, names: Iterable[str]) -> None:
        """Give back what was there before; may be done twice."""
        before = self._before
        if before is not None:
            for name in names:
                if before[name] is _MISSING:
                    self._state.pop(name, None)
                else:
                    self._state[name] = before[name]
            _settle(self._state)
        self._before = None


def _settle(state: dict[str, Any]) -> None:
    """Make `slow` agree with what a thread has of its own; without that, with the others."""
    if "plain" in state or "graph" in state:
        graph = state.get("graph", ThreadState.graph)
        state["slow"] = state.get("plain", ThreadState.plain) or graph is not None
    else:
        state.pop("slow", None)


def changed(**values: object) -> AbstractContextManager[None]:
    """Give attributes of `STATE` other values inside a ``with`` block, in this thread.

    >>> with changed(plain=True):
    ...     STATE.plain, STATE.slow
    (True, True)
    >>> STATE.plain, STATE.slow
    (False, False)
    """
    return _Change(values)


def change_everywhere(**values: object) -> None:
    """Give attributes of `STATE` other values in all threads that have none of their own."""
    for name, value in values.items():
        setattr(ThreadState, name, value)
    ThreadState.slow = ThreadState.plain or ThreadState.graph is not None
