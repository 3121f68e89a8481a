"""Special methods of the user's classes.

Owns which method an operator means, and finding it on the class of a symbolic object. Invariant:
only methods written in Python by the user are found; everything else happens at run time.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType

import numpy as np

from runtime.ir.types import ObjectType, OpaqueType, UnionType
from runtime.tracing.symbol import Symbol, value_of

from .allowlist import is_library_module
from .instances import class_of

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
_IN_PLACE = {"i" + name: name for name in _BINARY}
_ABSENT = object()


TAKES_TWO = frozenset((*_BINARY, *("i" + name for name in _BINARY), "lt", "le", "gt", "ge"))
"""The operators for which Python looks at the classes of both operands."""


def methods_tried(name: str) -> Iterator[tuple[int, str]]:
    """Yield the methods an operator tries, in order, each with the number of its operand.

    >>> list(methods_tried("iadd"))
    [(0, '__iadd__'), (0, '__add__'), (1, '__radd__')]
    """
    if name in METHODS:
        yield 0, METHODS[name]
    plain = _IN_PLACE.get(name, name)
    if plain != name:
        yield 0, METHODS[plain]
    if plain in REFLECTED:
        yield 1, REFLECTED[plain]


def has_other(item: object, method: str) -> bool:
    """Tell whether the user's class of `item` has such a method that is no function of his."""
    cls = find_class(item)
    found = _ABSENT if cls is None else inspect.getattr_static(cls, method, _ABSENT)
    return found is not _ABSENT and not isinstance(found, FunctionType)


def in_order(name: str, first: object, second: object) -> bool:
    """Tell whether the method of the first operand is tried first, and yields to the second's.

    Python prefers the second operand's method where its class is a subclass of the first's; an
    array treats an object it does not know as an item, and ``|=`` of a dict takes any mapping.
    """
    if find_class(first) is None and find_class(second) is None:
        return True
    classes = [_class(first), _class(second)]
    if classes[0] is None or classes[1] is None or (name == "ior" and classes[0] is dict):
        return False
    if classes[0] is not classes[1] and issubclass(classes[1], classes[0]):
        return False
    return not issubclass(classes[0], np.ndarray | np.generic | str | bytes) and (
        find_class(first) is not None or not is_library_module(classes[0].__module__)
        or classes[0] in _YIELDING
    )


_YIELDING = (bool, int, float, complex, list, tuple, dict, set, type(None))
"""Builtin classes whose operators leave an object they do not know to the object."""


def _class(item: object) -> type | None:
    """Return the exact class of an operand, None if only the run can tell."""
    return class_of(value_of(item).type) if isinstance(item, Symbol) else type(item)


def find_class(item: object) -> type | None:
    """Return the user's class of a symbolic object, None for anything else."""
    if type(item) is not Symbol:
        return None
    type_ = value_of(item).type
    if not isinstance(type_, ObjectType) or is_library_module(type_.cls.__module__):
        return None
    return type_.cls


def customizes_attributes(cls: type) -> bool:
    """Tell whether reading an attribute of the class may run code of its own."""
    reader = inspect.getattr_static(cls, "__getattribute__")
    return reader is not object.__getattribute__ or hasattr(cls, "__getattr__")


def is_generated(function: FunctionType) -> bool:
    """Tell whether a library wrote `function` (namedtuple, dataclass), not the user."""
    return function.__code__.co_filename.startswith("<")


def may_be_not_implemented(result: object) -> bool:
    """Tell whether a method may have returned NotImplemented, so that Python would go on."""
    if type(result) is not Symbol:
        return result is NotImplemented
    type_ = value_of(result).type
    options = type_.options if isinstance(type_, UnionType) else (type_,)
    return any(
        isinstance(option, OpaqueType) or option == ObjectType(type(NotImplemented))
        for option in options
    )


def find(item: object, method: str) -> FunctionType | None:
    """Return the user's `method` for a symbolic object, or None."""
    cls = find_class(item)
    if cls is None:
        return None
    found = inspect.getattr_static(cls, method, None)
    return found if isinstance(found, FunctionType) else None
