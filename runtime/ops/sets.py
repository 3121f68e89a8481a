"""Sets: distinct elements, and operations on arrays taken as sets; orders of several keys.

Owns ``unique`` and its kin, ``intersect1d``, ``lexsort`` and ``trim_zeros``. It leaves ``sort`` and
``isin`` to `selection`. Invariant: how many distinct elements there are is known only at run time.
"""

from __future__ import annotations

import functools

import numpy as np

from ..ir.types import OPAQUE, ArrayType, TupleType, Type
from .calling import Arguments, axis_of, define, maybe
from .dense import (
    Shape,
    UndecidedError,
    array_or_scalar,
    broadcast_shapes,
    dense_of,
    probe_dtype,
    size_of,
)
from .probing import learned, named

_INDEX = np.dtype(np.intp)
_VECTOR = ArrayType(_INDEX, (None,))


def _unique(arguments: Arguments) -> Type:
    operand = arguments.dense("ar")
    flags = [arguments.flag(f"return_{part}") for part in ("index", "inverse", "counts")]
    along = arguments.given("axis")
    shape: Shape | None = (None,)
    if along:
        shape = operand.shape
        axis = arguments.integer("axis", 0)
        if shape is not None:
            axis = axis_of(axis, len(shape))
            shape = (*shape[:axis], None, *shape[axis + 1 :])
    values = ArrayType(operand.dtype, shape)
    inverse = _inverse_along(shape) if along else _inverse_of(operand.shape)
    parts = [part for part, asked in zip((_VECTOR, inverse, _VECTOR), flags, strict=True) if asked]
    return TupleType((values, *parts)) if parts else values


def _inverse_of(shape: Shape | None) -> Type:
    """Return the type of the places of all elements: shaped like the operand, or flat."""
    if not _inverse_keeps_shape():
        return _VECTOR
    return ArrayType(_INDEX, shape)


def _inverse_along(shape: Shape | None) -> Type:
    return ArrayType(_INDEX, (None,) if _inverse_along_is_flat() else None)


@functools.cache
def _inverse_keeps_shape() -> bool:
    """Tell what this version of NumPy does; 2.0 and later differ from each other."""
    return np.unique(np.zeros((2, 3)), return_inverse=True)[1].ndim == 2


@functools.cache
def _inverse_along_is_flat() -> bool:
    return np.unique(np.zeros((2, 3)), return_inverse=True, axis=0)[1].ndim == 1


define(
    "unique", "ar return_index return_inverse return_counts axis equal_nan sorted", _unique
)


def _unique_values(arguments: Arguments) -> Type:
    return ArrayType(arguments.dense("x").dtype, (None,))


define("unique_values", "x", _unique_values)


def _unique_counts(arguments: Arguments) -> Type:
    return named("unique_counts", _unique_values(arguments), _VECTOR)


define("unique_counts", "x", _unique_counts)


def _unique_inverse(arguments: Arguments) -> Type:
    inverse = ArrayType(_INDEX, arguments.dense("x").shape)
    return named("unique_inverse", _unique_values(arguments), inverse)


define("unique_inverse", "x", _unique_inverse)


def _unique_all(arguments: Arguments) -> Type:
    inverse = ArrayType(_INDEX, arguments.dense("x").shape)
    return named("unique_all", _unique_values(arguments), _VECTOR, inverse, _VECTOR)


define("unique_all", "x", _unique_all)


def _intersection(arguments: Arguments) -> Type:
    operands = [arguments.dense(name) for name in ("ar1", "ar2")]
    dtype = learned("intersect1d", [operand.dtype for operand in operands])
    common = ArrayType(dtype, (None,))
    if arguments.flag("return_indices"):
        return TupleType((common, _VECTOR, _VECTOR))
    return common


define("intersect1d", "ar1 ar2 assume_unique return_indices", _intersection)


def _in_one(arguments: Arguments) -> Type:
    arguments.dense("ar2")
    return ArrayType(np.dtype(bool), (size_of(arguments.dense("ar1").shape),))


define("in1d", "ar1 ar2 assume_unique invert kind", _in_one)


# Orders


def _lexsort(arguments: Arguments) -> Type:
    if arguments.integer("axis", -1) != -1:
        raise UndecidedError
    type_ = arguments.type("keys")
    if isinstance(type_, TupleType) and type_.items:
        shapes = [dense_of(item).shape for item in type_.items]
        known = [shape for shape in shapes if shape]
        if len(known) != len(shapes):
            raise UndecidedError
        return ArrayType(_INDEX, broadcast_shapes(known))
    array = arguments.array("keys")
    if array.shape is None or not array.shape:
        raise UndecidedError
    return array_or_scalar(_INDEX, array.shape[1:])


define("lexsort", "keys axis", _lexsort)


def _sort_complex(arguments: Arguments) -> Type:
    array = arguments.array("a")
    return ArrayType(probe_dtype(np.sort_complex, [array.dtype]), array.shape)


define("sort_complex", "a", _sort_complex)


def _trimmed(arguments: Arguments) -> Type:
    array = arguments.array("filt")
    if array.shape is None or not array.shape:
        raise UndecidedError
    return ArrayType(array.dtype, (None,) * len(array.shape))


define("trim_zeros", "filt trim axis", _trimmed, maybe("filt"), fallback=OPAQUE)
