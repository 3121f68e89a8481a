"""What iterating over a value gives.

Owns the type of the items of an iterable and how they share its memory. It leaves loops to
`control`, and what iterating does to memory as a whole to `runtime.memory`. Invariant: both
functions are total and monotone.
"""

from __future__ import annotations

from ..ir.lattice import join_all
from ..ir.types import (
    BOTTOM,
    INT,
    OPAQUE,
    PLAIN,
    STRING,
    ArrayType,
    BottomType,
    DictType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SetType,
    StringType,
    TupleType,
    Type,
    UnboundType,
    UnionType,
    is_immutable,
    is_plain,
)
from .registry import ANYTHING, FRESH, Alias, Sharing


def item_type(type_: Type) -> Type:
    """Return the type of any item that iterating over a value of `type_` gives.

    Bottom when there can be none: `type_` is not iterable, or an empty tuple.

    >>> import numpy as np
    >>> f64 = np.dtype("f8")
    >>> str(item_type(ArrayType(f64, ("n", 3)))), str(item_type(ArrayType(f64, ("n",))))
    ('f64[3]', 'f64')
    """
    if isinstance(type_, UnionType):
        bound = (option for option in type_.options if not isinstance(option, UnboundType))
        return join_all(item_type(option) for option in bound)
    if isinstance(type_, ArrayType):
        return row_type(type_)
    if isinstance(type_, TupleType):
        return join_all(type_.items)
    if isinstance(type_, IteratorType):
        return type_.item
    if isinstance(type_, RangeType):
        return INT
    if isinstance(type_, StringType):
        return STRING
    if isinstance(type_, ListType | DictType | SetType):
        return OPAQUE
    if isinstance(type_, OpaqueType | ObjectType):
        return PLAIN if is_plain(type_) else OPAQUE
    return BOTTOM


def row_type(type_: ArrayType) -> Type:
    """Return the type of ``array[i]`` for an integer ``i``; bottom for an array without axes."""
    if type_.shape is None:
        return PLAIN
    if not type_.shape:
        return BOTTOM
    if len(type_.shape) > 1:
        return ArrayType(type_.dtype, type_.shape[1:])
    return PLAIN if type_.dtype is None else ScalarType(type_.dtype)


def item_alias(type_: Type, position: int = 0) -> Alias:
    """Return how the items of a value of `type_` share its memory; it is input `position`.

    >>> import numpy as np
    >>> item_alias(ArrayType(np.dtype("f8"), ("n", 3))).sharing.name
    'VIEW'
    """
    if isinstance(type_, ArrayType):
        if type_.shape is None:
            return Alias(Sharing.MAYBE, (position,))
        return Alias(Sharing.VIEW, (position,)) if len(type_.shape) > 1 else FRESH
    if isinstance(type_, BottomType) or is_immutable(type_):
        return FRESH
    if is_plain(type_) or isinstance(type_, TupleType | IteratorType):
        return Alias(Sharing.MAYBE, (position,))
    return ANYTHING
