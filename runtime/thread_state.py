"""What is at work in each thread: whether functions run as plain Python, and the graph being built.

Owns `STATE` and changing it for a while. It leaves what the modes mean to `graph_mode` and to the
call paths. Invariant: what is set on the class holds for every thread that has nothing of its own;
what a ``with`` block sets is seen by its thread alone, and gone after it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
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
    slow = False
    """Whether compiled functions may not be called in the fast way: plain, or a graph is built."""


STATE = ThreadState()


@contextmanager
def changed(**values: object) -> Iterator[None]:
    """Give attributes of `STATE` other values inside a ``with`` block, in this thread.

    >>> with changed(plain=True):
    ...     STATE.plain, STATE.slow
    (True, True)
    >>> STATE.plain, STATE.slow
    (False, False)
    """
    names = (*values, "slow")
    previous = {name: vars(STATE).get(name, _MISSING) for name in names}
    for name, value in values.items():
        setattr(STATE, name, value)
    STATE.slow = STATE.plain or STATE.graph is not None
    try:
        yield
    finally:
        for name, value in previous.items():
            if value is _MISSING:
                delattr(STATE, name)
            else:
                setattr(STATE, name, value)


def change_everywhere(**values: object) -> None:
    """Give attributes of `STATE` other values in all threads that have none of their own."""
    for name, value in values.items():
        setattr(ThreadState, name, value)
    ThreadState.slow = ThreadState.plain or ThreadState.graph is not None
