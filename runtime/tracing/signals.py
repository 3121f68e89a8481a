"""Control flow inside the tracer.

Owns the exceptions by which a trace leaves a region, asks to be started again, or gives up. They
derive from ``BaseException`` so that no handler in a user's function catches them. Invariant:
none of them ever leaves a compiled function.
"""

from __future__ import annotations

from typing import Literal

from ..ir.graph import Origin, Value


class TraceSignal(BaseException):
    """Base of the signals of the tracer."""


class LoopJump(TraceSignal):
    """``break`` or ``continue`` of the innermost loop, with its state."""

    def __init__(self, kind: Literal["break", "continue"], state: tuple[object, ...]) -> None:
        super().__init__(kind)
        self.kind = kind
        self.state = state


class ReturnJump(TraceSignal):
    """``return`` from the function of `scope`."""

    def __init__(self, scope: object, value: object) -> None:
        super().__init__()
        self.scope = scope
        self.value = value


class RegionEnd(TraceSignal):
    """The innermost open region has been ended (by ``raise``, or because it is unreachable)."""


class Unstageable(TraceSignal):
    """Something that cannot be staged: the plain function runs instead.

    `reason` says what, `advice` what to write instead; `origin` where, if not where it was raised.
    """

    def __init__(self, reason: str, advice: str = "", origin: Origin | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice
        self.origin = origin


class SharedVariable(Unstageable):
    """A function assigns a variable of another where a region would have to hand it on.

    It can be followed if the variable lives in memory.
    """


class StaticDemand(TraceSignal):
    """Python code needs the actual value of `value`, for the purpose in words.

    `chooses` says that it is needed to choose between functions, `indexes` that it stands between
    brackets.
    """

    def __init__(
        self, value: Value, purpose: str, chooses: bool = False, indexes: bool = False
    ) -> None:
        super().__init__(purpose)
        self.indexes = indexes
        self.value = value
        self.purpose = purpose
        self.chooses = chooses


class LoopMustBeStaged(TraceSignal):
    """A loop that was being unrolled turns out to depend on run-time values."""

    def __init__(self, loop: object) -> None:
        super().__init__()
        self.loop = loop
