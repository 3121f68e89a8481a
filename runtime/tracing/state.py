"""Which tracer is at work in this thread.

Owns the thread-local stack of tracers. Invariant: what one thread traces is invisible to others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tracer import Tracer


class _State(threading.local):
    tracer: Tracer | None = None


_state = _State()


def current_tracer() -> Tracer | None:
    """Return the tracer at work in this thread, or None."""
    return _state.tracer


@contextmanager
def tracing(tracer: Tracer | None) -> Iterator[None]:
    """Make `tracer` the current one of this thread inside a ``with`` block."""
    previous = _state.tracer
    _state.tracer = tracer
    try:
        yield
    finally:
        _state.tracer = previous
