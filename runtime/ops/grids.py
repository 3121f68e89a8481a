"""Indices of grids, diagonals and triangles, and functions of shapes.

Owns ``diag_indices``, ``tril_indices``, ``ravel_multi_index``, ``broadcast_shapes`` and packing of
bits. It leaves ``indices`` and ``ix_`` to `selection`, ``meshgrid`` to `creation`. Invariant: the
number of places in a triangle is known where the triangle is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.graph import Constant, Value
from ..ir.types import (
    BOTTOM,
    PLAIN,
    ArrayType,
    Extent,
    NumberType,
    ScalarType,
    SliceType,
    TupleType,
    Type,
    type_of,
)
from .calling import Arguments, axis_of, define, integer_of
from .dense import (
    CertainError,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    broadcast_shapes,
    dense_of,
    same_extent,
    size_of,
)
from .registry import opaque_like
from .shaping import shape_argument

_INDEX = np.dtype(np.intp)
_COUNTING = np.arange(1).dtype
_BYTE = np.dtype(np.uint8)
_MAX_COUNTED = 4096


def _diagonal(arguments: Arguments) -> Type:
    count = arguments.type("n")
    if not isinstance(count, NumberType) or count.kind != "int":
        raise UndecidedError
    extent = count.extent
    if isinstance(extent, int):
        extent = max(extent, 0)
    rank = arguments.integer("ndim", 2)
    return TupleType((ArrayType(_COUNTING, (extent,)),) * max(rank, 0))


define("diag_indices", "n ndim", _diagonal)


def _diagonal_of(arguments: Arguments) -> Type:
    shape = arguments.array("arr").shape
    if shape is None:
        raise UndecidedError
    if len(shape) < 2:
        raise CertainError
    extent = shape[0]
    for other in shape[1:]:
        extent = same_extent(extent, other)
    return TupleType((ArrayType(_COUNTING, (extent,)),) * len(shape))


define("diag_indices_from", "arr", _diagonal_of)


def _places(shape: tuple[Extent, Extent], offset: int | None, upper: bool) -> Type:
    """Return the type of the rows and columns of a triangle."""
    rows, columns = shape
    count = None
    if isinstance(rows, int) and isinstance(columns, int) and offset is not None:
        if rows * columns <= _MAX_COUNTED:
            below = np.tri(rows, columns, offset - upper, dtype=bool)
            count = int((~below if upper else below).sum())
    return TupleType((ArrayType(_INDEX, (count,)),) * 2)


def _offset(arguments: Arguments) -> int | None:
    try:
        return arguments.integer("k", 0)
    except UndecidedError:
        return None


def _triangle(upper: bool) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        rows = _count(arguments, "n")
        columns = _count(arguments, "m") if arguments.given("m") else rows
        return _places((rows, columns), _offset(arguments), upper)

    return rule


def _count(arguments: Arguments, name: str) -> Extent:
    """Return a number of rows; a negative one means none."""
    type_ = arguments.type(name)
    if isinstance(type_, ScalarType) and type_.dtype.kind in "iu":
        return None
    if not isinstance(type_, NumberType) or type_.kind != "int":
        raise UndecidedError
    return max(type_.extent, 0) if isinstance(type_.extent, int) else type_.extent


def _triangle_of(upper: bool) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        shape = arguments.array("arr").shape
        if shape is None:
            return _places((None, None), None, upper)
        if len(shape) != 2:
            raise CertainError
        return _places((shape[0], shape[1]), _offset(arguments), upper)

    return rule


for _name, _upper in (("tril", False), ("triu", True)):
    define(f"{_name}_indices", "n k m", _triangle(_upper))
    define(f"{_name}_indices_from", "arr k", _triangle_of(_upper))


def _raveled(arguments: Arguments) -> Type:
    type_ = arguments.type("multi_index")
    if isinstance(type_, TupleType):
        shapes = [dense_of(item).shape for item in type_.items]
        known = [shape for shape in shapes if shape is not None]
        if not shapes or len(known) != len(shapes):
            raise UndecidedError
        return array_or_scalar(_INDEX, broadcast_shapes(known))
    array = arguments.array("multi_index")
    if not array.shape:
        raise UndecidedError
    return array_or_scalar(_INDEX, array.shape[1:])


define("ravel_multi_index", "multi_index dims mode order", _raveled)


def _broadcast(arguments: Arguments) -> Type:
    if len(arguments.rest) != len(arguments.inputs):
        raise UndecidedError
    shapes: list[Shape] = []
    for value in arguments.inputs:
        shape = shape_argument(value)
        if -1 in shape:
            raise CertainError
        shapes.append(shape)
    return TupleType(tuple(NumberType("int", extent) for extent in broadcast_shapes(shapes)))


define("broadcast_shapes", "*args", _broadcast)


# np.mgrid and its like


def made_type(base: Value, index: Value) -> Type:
    """Return the type of ``np.mgrid[index]`` and the like.

    Parameters
    ----------
    base
        ``np.mgrid``, ``np.ogrid``, ``np.r_`` or ``np.c_``, a constant.
    index
        What stands between the brackets.

    Returns
    -------
    Type
        Exact for an index of numbers; otherwise the numbers of axes, for slices alone.

    >>> print(made_type(Constant(np.mgrid), Constant((slice(0, 2), slice(0, 1, 3j)))))
    f64[2, 2, 3]
    """
    maker = base.value if isinstance(base, Constant) else None
    if isinstance(index, Constant):
        return _made_now(maker, index.value)
    parts = index.type.items if isinstance(index.type, TupleType) else (index.type,)
    if maker not in (np.mgrid, np.ogrid) or not all(isinstance(p, SliceType) for p in parts):
        return opaque_like([index])
    count = len(parts)
    if not isinstance(index.type, TupleType):
        return ArrayType(None, (None,))
    if maker is np.mgrid:
        return ArrayType(None, (count, *(None,) * count))
    shapes = (tuple(None if i == j else 1 for j in range(count)) for i in range(count))
    return TupleType(tuple(ArrayType(None, shape) for shape in shapes))


def _made_now(maker: object, index: object) -> Type:
    """Return the type of what is made of an index that is known, by making it if it is small."""
    parts = index if isinstance(index, tuple) else (index,)
    if not all(isinstance(part, slice) and _is_short(part) for part in parts) or len(parts) > 3:
        return PLAIN
    try:
        made = maker[index]  # type: ignore[index]  # np.mgrid and its like
    except (TypeError, ValueError, IndexError, ZeroDivisionError):
        return BOTTOM
    return type_of(made)


def _is_short(part: slice) -> bool:
    """Tell whether a slice makes few numbers."""
    numbers = [part.start, part.stop, part.step]
    return all(
        number is None or (isinstance(number, int | float | complex) and abs(number) <= _SHORT)
        for number in numbers
    ) and not (isinstance(part.step, float) and abs(part.step) < 0.01)


_SHORT = 64


# Bits


def _packed(arguments: Arguments) -> Type:
    array = arguments.array("a")

    def shape() -> Shape | None:
        axis = arguments.constant("axis")
        if axis is None:
            return (_eighth(size_of(array.shape)),)
        if array.shape is None or not array.shape:
            return None
        at = axis_of(axis, len(array.shape))
        return (*array.shape[:at], _eighth(array.shape[at]), *array.shape[at + 1 :])

    return array_with(_BYTE, shape)


def _eighth(extent: Extent) -> Extent:
    return (extent + 7) // 8 if isinstance(extent, int) else None


define("packbits", "a axis bitorder", _packed)


def _unpacked(arguments: Arguments) -> Type:
    array = arguments.array("a")

    def shape() -> Shape | None:
        axis = arguments.constant("axis")
        if axis is None:
            return (_eightfold(size_of(array.shape), arguments),)
        if array.shape is None or not array.shape:
            return None
        at = axis_of(axis, len(array.shape))
        return (*array.shape[:at], _eightfold(array.shape[at], arguments), *array.shape[at + 1 :])

    return array_with(_BYTE, shape)


def _eightfold(extent: Extent, arguments: Arguments) -> Extent:
    if arguments.given("count"):
        count = integer_of(arguments.constant("count"))
        return count if count >= 0 else None
    return extent * 8 if isinstance(extent, int) else None


define("unpackbits", "a axis count bitorder", _unpacked)
