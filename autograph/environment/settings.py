"""How a trace treats the world.

Owns `Settings` and `Restart`, which asks for a trace with others. Invariant: settings only grow
from one trace of a call to the next, so that tracing ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType

from runtime.tracing.signals import TraceSignal

from .paths import Path


@dataclass(frozen=True)
class Settings:
    """How a trace treats the world; a trace that finds them wrong is started again with others."""

    static: frozenset[Path] = frozenset()
    """Numbers and extents that are built into the trace."""
    rebinding: bool = False
    """Code not compiled may rebind variables: read them where they are read, not at the start."""
    written: frozenset[str] = frozenset()
    """Names of attributes that the function itself writes."""
    stored: frozenset[Path] = frozenset()
    """Global variables that the function itself assigns."""
    recursive: frozenset[CodeType] = frozenset()
    """Code of functions that call themselves on values known only at run time."""
    open_arrays: bool = False
    """Leave dtypes and shapes of arrays open: the function changes those of one in place."""
    open_slots: bool = False
    """Give variables that live in memory an open type from the start."""
    texts_move: bool = False
    """Arguments that are texts are known only at run time: the function picks characters there."""
    function_values: bool = False
    """Inner functions become values at run time; what they capture and change lives in memory."""
    items: bool = False
    """Numbers known only at run time pick items of what is known while compiling."""
    function_choices: bool = False
    """The same for functions among which a value known only at run time chooses."""
    structures: bool = True
    """Take lists, tuples and dicts of objects and functions apart."""
    strict: bool = False
    """Refuse islands of functions that could have been converted (``fallback="error"``)."""


class Restart(TraceSignal):
    """The trace must be started again with other settings."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
