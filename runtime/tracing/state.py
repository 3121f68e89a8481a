"""Which tracer is at work in this thread.

Owns asking for it and setting it for a while; it is kept in `runtime.thread_state`. Invariant: what
one thread traces is invisible to others.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ..thread_state import STATE, changed

if TYPE_CHECKING:
    from .tracer import Tracer


def current_tracer() -> Tracer | None:
    """Return the tracer at work in this thread, or None."""
    tracer: Tracer | None = STATE.tracer
    return tracer


def tracing(tracer: Tracer | None) -> AbstractContextManager[None]:
    """Make `tracer` the current one of this thread inside a ``with`` block."""
    return changed(tracer=tracer)
