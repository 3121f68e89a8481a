"""Making instances of the builtin exception classes.

Owns an operation for each class, called ``builtins.<class>``. Invariant: the result is exactly of
that class; classes that may answer with a subclass (``OSError``, exception groups) are opaque or
left out.
"""

from __future__ import annotations

import builtins

from ..ir.types import OPAQUE, ObjectType, is_plain
from .effects import NOTHING
from .functions import Arguments, TypeRule, define
from .registry import ANYTHING, Effects, Operation, Raises

_MANY = 1_000_000
_CHECKED = (
    "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError", "SyntaxError",
    "IndentationError", "TabError", "SystemExit", "StopIteration",
)  # fmt: skip
_LEFT_OUT = ("BaseExceptionGroup", "ExceptionGroup")


def _rule(cls: type[BaseException]) -> TypeRule:
    made = OPAQUE if issubclass(cls, OSError) else ObjectType(cls)
    return lambda arguments: made


def _effects(arguments: Arguments) -> Effects:
    """Return the effects of a class that only stores its arguments; it leads to them."""
    return NOTHING if all(map(is_plain, arguments.types())) else Effects(aliases=(ANYTHING,))


def _checked_effects(arguments: Arguments) -> Effects:
    """Return the effects of a class that looks at its arguments."""
    calls = not all(map(is_plain, arguments.types()))
    return Effects(Raises.VALUE, calls=calls, aliases=(ANYTHING,))


def _define_all() -> dict[type, Operation]:
    operations: dict[type, Operation] = {}
    for name, cls in sorted(vars(builtins).items()):
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            continue
        if cls.__name__ != name or name in _LEFT_OUT:
            continue
        checked = name in _CHECKED or issubclass(cls, OSError)
        effects = _checked_effects if checked else _effects
        operations[cls] = define(f"builtins.{name}", cls, _rule(cls), effects, count=(0, _MANY))
    return operations


EXCEPTIONS = _define_all()
"""The operation that makes an instance of each builtin exception class."""
