"""What the tracer decided about each construct, for explanations.

Owns `Decision`. Invariant: a decision is kept exactly as long as what it describes is part of the
trace; going back in a trace forgets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..ir.graph import Origin

Construct = Literal["if", "while", "for", "call", "try", "with"]
Outcome = Literal["staged", "unrolled", "plain", "operation", "inlined", "island"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one construct at one place."""

    construct: Construct
    origin: Origin | None
    """Where it stands."""
    outcome: Outcome
    """``staged``: an operation with regions; ``unrolled``: run while tracing, trip by trip;
    ``plain``: decided or computed while tracing; ``operation``: an operation of the graph;
    ``inlined``: converted and traced in place; ``island``: called at run time, as it is."""
    reason: str
    """Why, in words."""
