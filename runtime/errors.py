"""Errors and warnings of the engine.

Owns the classes that the engine raises in its own name. It leaves the user's exceptions alone:
those pass through the engine untouched. Invariant: this file imports nothing of ours.
"""

from __future__ import annotations


class AutographError(Exception):
    """Base of every error that this project raises in its own name."""


class GraphError(AutographError):
    """A graph is malformed, or a text does not describe one.

    Raised by the verifier, the reader and the memory verifier; the message names the operation.
    """


class SessionError(AutographError):
    """A graph-mode program was used wrongly (an unfed placeholder, a value of another graph)."""


class VariableError(AutographError):
    """A variable was given what does not fit it, or used where it cannot be.

    The message names the variable, and both shapes or dtypes where two clash.
    """


class CheckpointError(AutographError):
    """A checkpoint cannot be written or read, or does not fit what it is loaded into.

    The message names the file and says what is wrong; `problems` holds one text for each variable
    that does not fit.
    """

    def __init__(self, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class SummaryError(AutographError):
    """A summary or trace cannot be written, or was asked for where there is none.

    The message names the folder or the summary, and says what to write instead.
    """


class ConversionError(AutographError):
    """A function cannot be compiled, and ``fallback="error"`` forbids running it as plain Python.

    The message names the construct, the user's file and line, and what to write instead.
    """


class AutographWarning(UserWarning):
    """A compiled function runs as plain Python; given once per function and reason."""
