"""Eager or compiled: the switch that every compiled function looks at.

Owns `eager`, `run_eagerly` and `executing_eagerly`. Invariant: `eager` changes only the thread that
enters it; inside, a compiled function is the plain function.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class EagerState(threading.local):
    """Read by the generated call paths: `on` is true where plain functions are to run."""

    on = False


STATE = EagerState()


def run_eagerly(on: bool) -> None:
    """Make compiled functions run as plain Python in all threads (True), or compile again.

    Parameters
    ----------
    on
        Whether compiled functions run as plain Python, wherever no `eager` block says otherwise.
    """
    EagerState.on = bool(on)


def executing_eagerly() -> bool:
    """Tell whether compiled functions called here and now run as plain Python.

    >>> with eager():
    ...     executing_eagerly()
    True
    """
    return STATE.on


@contextmanager
def eager(on: bool = True) -> Iterator[None]:
    """Run compiled functions as plain Python inside a ``with`` block, in this thread.

    Parameters
    ----------
    on
        False to compile inside the block although it is nested in one that does not.
    """
    previous = vars(STATE).get("on")
    STATE.on = bool(on)
    try:
        yield
    finally:
        if previous is None:
            del STATE.on
        else:
            STATE.on = previous
