"""Special methods of the user's classes.

Owns which method an operator means, and finding it on the class of a symbolic object. Invariant:
only methods written in Python by the user are found; everything else happens at run time.
"""

from __future__ import annotations

import inspect
from types import FunctionType

from runtime.ir.types import ObjectType
from runtime.tracing.symbol import Symbol, value_of

from .allowlist import is_library_module

_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and",
    "or", "xor",
)  # fmt: skip
_OTHERS = (
    "neg", "pos", "invert", "getitem", "setitem", "delitem", "lt", "le", "gt", "ge",
)  # fmt: skip
METHODS = {name: f"__{name}__" for name in (*_BINARY, *_OTHERS)} | {
    "i" + name: f"__i{name}__" for name in _BINARY
}
"""The method of the first operand that an operation means."""
REFLECTED = {name: f"__r{name}__" for name in _BINARY}
"""The method of the second operand, tried after the first one's."""


def find(item: object, method: str) -> FunctionType | None:
    """Return the user's `method` for a symbolic object, or None."""
    if type(item) is not Symbol:
        return None
    type_ = value_of(item).type
    if not isinstance(type_, ObjectType) or is_library_module(type_.cls.__module__):
        return None
    found = inspect.getattr_static(type_.cls, method, None)
    return found if isinstance(found, FunctionType) else None
