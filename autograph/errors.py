"""Errors and warnings a user may meet; the classes are the engine's.

Invariant: everything this project raises in its own name is an `AutographError`.
"""

from __future__ import annotations

from runtime.errors import (
    AutographError,
    AutographWarning,
    CheckpointError,
    ConversionError,
    GraphError,
    SessionError,
    SummaryError,
    VariableError,
)

__all__ = [
    "AutographError", "AutographWarning", "CheckpointError",
    "ConversionError", "GraphError", "SessionError",
    "SummaryError", "VariableError",
]  # fmt: skip
