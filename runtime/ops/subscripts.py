"""How ``array[index]`` shares memory, and when it raises.

Owns those two questions. It leaves the type of the result to `indexing`. Invariant: VIEW is
answered only for an index that NumPy certainly takes as basic.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.graph import Value
from ..ir.types import (
    SLICE,
    ArrayType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    ScalarType,
    SliceType,
    TupleType,
    Type,
    type_of,
)
from .indexing import index_type
from .registry import FRESH, UNKNOWN_VALUE, Alias, Raises, Sharing, constant_of

_VIEW = Alias(Sharing.VIEW, (0,))
_MAYBE = Alias(Sharing.MAYBE, (0,))
_ELLIPSIS = ObjectType(type(Ellipsis))


def index_parts(index: Value) -> list[tuple[Type, object]]:
    """Return the types of the parts of an index, each with its payload if that is known."""
    payload = constant_of(index)
    if type(payload) is tuple:
        return [(type_of(part), part) for part in payload]  # type: ignore[attr-defined]
    if isinstance(index.type, TupleType):
        return [(part, UNKNOWN_VALUE) for part in index.type.items]
    return [(index.type, payload)]


def _is_basic(type_: Type) -> bool:
    """Tell whether a part of an index is an integer, a slice, ``None`` or ``...``."""
    if isinstance(type_, NumberType):
        return type_.kind == "int"
    if isinstance(type_, ScalarType):
        return type_.dtype.kind in "iu"
    return isinstance(type_, SliceType | NoneType) or type_ == _ELLIPSIS


def _is_advanced(type_: Type) -> bool:
    """Tell whether a part of an index makes NumPy copy.

    An array without axes may count as an integer, so it is not among them.
    """
    if isinstance(type_, ArrayType):
        return type_.shape is not None and len(type_.shape) > 0
    if isinstance(type_, NumberType):
        return type_.kind == "bool"
    if isinstance(type_, ScalarType):
        return type_.dtype.kind == "b"
    return isinstance(type_, ListType)


def index_alias(base: Value, index: Value) -> Alias:
    """Return how ``base[index]`` shares memory with the array `base`, input 0.

    >>> import numpy as np
    >>> from runtime.ir.graph import Constant
    >>> array = Value(ArrayType(np.dtype("f8"), ("n", 3)))
    >>> index_alias(array, Constant((slice(None), 0))).sharing.name
    'VIEW'
    >>> index_alias(array, Constant((1, 2))).sharing.name
    'FRESH'
    """
    parts = index_parts(index)
    if any(_is_advanced(type_) for type_, _ in parts):
        return FRESH
    if not all(_is_basic(type_) for type_, _ in parts):
        return _MAYBE
    result = index_type(base, index)
    if isinstance(result, ScalarType):
        return FRESH
    return _VIEW if isinstance(result, ArrayType) else _MAYBE


def index_raises(base: Value, index: Value) -> Raises:
    """Return when ``base[index]`` raises for an array `base` and an index without user classes.

    Slices never do, if they are not more than the axes; integers do unless axis and integer are
    both known.
    """
    if not isinstance(base.type, ArrayType) or base.type.shape is None:
        return Raises.VALUE
    parts = index_parts(index)
    taken = [part for part in parts if not isinstance(part[0], NoneType) and part[0] != _ELLIPSIS]
    if len(taken) > len(base.type.shape) or sum(part[0] == _ELLIPSIS for part in parts) > 1:
        return Raises.VALUE
    if len(base.type.shape) + len(parts) > 32:
        return Raises.VALUE
    return Raises.NEVER if all(_in_range(parts, base.type)) else Raises.VALUE


def _in_range(parts: Sequence[tuple[Type, object]], base: ArrayType) -> list[bool]:
    shape = base.shape or ()
    ellipsis_at = next((i for i, part in enumerate(parts) if part[0] == _ELLIPSIS), len(parts))
    before = [part for part in parts[:ellipsis_at] if not isinstance(part[0], NoneType)]
    after = [part for part in parts[ellipsis_at + 1 :] if not isinstance(part[0], NoneType)]
    axes = [*shape[: len(before)], *shape[len(shape) - len(after) :]]
    answers = []
    for (type_, payload), extent in zip((*before, *after), axes, strict=True):
        if type_ == SLICE:
            answers.append(isinstance(payload, slice) and _is_safe(payload))
        else:
            number = type_.extent if isinstance(type_, NumberType) else None
            known = isinstance(number, int) and isinstance(extent, int)
            answers.append(known and -extent <= number < extent)  # type: ignore[operator]
    return answers


def _is_safe(bounds: slice) -> bool:
    parts = (bounds.start, bounds.stop, bounds.step)
    return all(part is None or type(part) is int for part in parts) and bounds.step != 0
