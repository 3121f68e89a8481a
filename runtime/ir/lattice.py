"""The lattice of types: join and order.

Owns `join`, the least type that covers two, and `covers`, the order it induces. Invariant: join
is commutative, associative and idempotent up to the order of a union's options (which is
canonical), promotes nothing, and every chain of joins is short: an extent, a dtype, a rank or a
number's extent is forgotten once, a union holds at most `MAX_OPTIONS` types, then opaque.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from .types import (
    BOTTOM,
    OPAQUE,
    PLAIN,
    ArrayType,
    BottomType,
    IteratorType,
    NamedTupleType,
    NumberType,
    OpaqueType,
    RangeType,
    SlotType,
    TupleType,
    Type,
    UnionType,
    VariableType,
    is_plain,
    same_dtype,
)

MAX_OPTIONS = 4


def join(a: Type, b: Type) -> Type:
    """Return the least type that covers `a` and `b`.

    >>> from .types import FLOAT, INT, ArrayType, NumberType
    >>> import numpy as np
    >>> f64 = np.dtype(np.float64)
    >>> str(join(ArrayType(f64, ("n", 3)), ArrayType(f64, ("m", 3))))
    'f64[?, 3]'
    >>> str(join(NumberType("int", 3), FLOAT))
    'float | int(3)'
    """
    if a == b or isinstance(b, BottomType):
        return a
    if isinstance(a, BottomType):
        return b
    if isinstance(a, OpaqueType) or isinstance(b, OpaqueType):
        return PLAIN if is_plain(a) and is_plain(b) else OPAQUE
    merged = _merge(a, b)
    if merged is not None:
        return merged
    return _union((*_options(a), *_options(b)))


def join_all(types: Iterable[Type]) -> Type:
    """Return the least type that covers all of `types`; bottom when there are none."""
    nothing: Type = BOTTOM
    return reduce(join, types, nothing)


def covers(general: Type, special: Type) -> bool:
    """Tell whether every value of type `special` is one of type `general`."""
    return join(general, special) == general


def _options(type_: Type) -> tuple[Type, ...]:
    return type_.options if isinstance(type_, UnionType) else (type_,)


def _merge(a: Type, b: Type) -> Type | None:
    """Join two types of one family without a union; None when they belong apart."""
    if isinstance(a, NumberType) and isinstance(b, NumberType) and a.kind == b.kind:
        return NumberType(a.kind)
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        if a.dtype != b.dtype and a.dtype is not None and b.dtype is not None:
            return None
        dtype = a.dtype if same_dtype(a.dtype, b.dtype) else None
        if a.shape is None or b.shape is None or len(a.shape) != len(b.shape):
            return ArrayType(dtype, None)
        extents = zip(a.shape, b.shape, strict=True)
        return ArrayType(dtype, tuple(x if x == y else None for x, y in extents))
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        if len(a.items) != len(b.items) or type(a) is not type(b):
            return None
        items = tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True))
        if not isinstance(a, NamedTupleType):
            return TupleType(items)
        same = isinstance(b, NamedTupleType) and a.cls is b.cls
        return NamedTupleType(items, a.cls) if same else None
    if isinstance(a, IteratorType) and isinstance(b, IteratorType):
        return IteratorType(join(a.item, b.item))
    if isinstance(a, SlotType) and isinstance(b, SlotType):
        return SlotType(join(a.content, b.content))
    if isinstance(a, RangeType) and isinstance(b, RangeType):
        return RangeType()
    if isinstance(a, VariableType) and isinstance(b, VariableType) and a.cls is b.cls:
        content = join(a.content, b.content)
        return VariableType(a.cls, content) if isinstance(content, ArrayType) else None
    return None


def _union(options: tuple[Type, ...]) -> Type:
    kept: list[Type] = []
    for option in options:
        current = option
        merging = True
        while merging:
            merging = False
            for index, other in enumerate(kept):
                merged = current if other == current else _merge(other, current)
                if merged is not None:
                    del kept[index]
                    current, merging = merged, True
                    break
        kept.append(current)
    if len(kept) == 1:
        return kept[0]
    if len(kept) > MAX_OPTIONS:
        return PLAIN if all(is_plain(option) for option in kept) else OPAQUE
    return UnionType(tuple(sorted(kept, key=str)))
