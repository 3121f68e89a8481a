"""Shapes of the results of functions that rearrange axes.

Owns the arithmetic of ``reshape`` and ``transpose``, and reading a shape argument, which functions
and methods share. It leaves the functions to `shape` and `creation`. Invariant: an extent keeps its
name only where it is certainly the same length.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.graph import Constant, Value
from ..ir.types import ArrayType, Extent, NoneType, NumberType, ScalarType, TupleType, Type
from .calling import axes_of, integer_of, known
from .dense import CertainError, Shape, UndecidedError, size_of


def extent_of(type_: Type) -> Extent:
    """Return the extent that an integer used as a length means; -1 if it is that.

    Raises
    ------
    UndecidedError
        If it is no integer.
    CertainError
        If it is negative, but not -1.
    """
    if isinstance(type_, NumberType) and type_.kind == "int":
        if isinstance(type_.extent, int) and type_.extent < -1:
            raise CertainError
        return type_.extent
    if isinstance(type_, ScalarType) and type_.dtype.kind in "iu":
        return None
    raise UndecidedError


def shape_argument(value: Value) -> Shape:
    """Return the shape that an argument such as ``(n, 3)`` or ``n`` means.

    Raises
    ------
    UndecidedError
        If not even the number of axes is known.
    """
    if isinstance(value, Constant):
        payload = value.value
        items = payload if type(payload) is tuple else (payload,)
        return tuple(extent_of(NumberType("int", integer_of(item))) for item in items)
    if isinstance(value.type, TupleType):
        return tuple(extent_of(item) for item in value.type.items)
    return (extent_of(value.type),)


def reshaped(type_: ArrayType, arguments: Sequence[Value]) -> ArrayType:
    """Return the type of an array given a new shape.

    Parameters
    ----------
    type_
        The array.
    arguments
        The shape: one tuple, or one integer for each axis. One extent may be -1.

    >>> print(reshaped(ArrayType(None, ("n",)), [Constant((-1, 1))]))
    ?[n, 1]
    """
    if len(arguments) == 1:
        shape = shape_argument(arguments[0])
    else:
        shape = tuple(extent_of(argument.type) for argument in arguments)
    size = size_of(type_.shape)
    if -1 not in shape:
        new = size_of(shape)
        if isinstance(size, int) and isinstance(new, int) and size != new:
            raise CertainError
        return ArrayType(type_.dtype, shape)
    if shape.count(-1) > 1:
        raise CertainError
    others = size_of(tuple(extent for extent in shape if extent != -1))
    free: Extent = None
    if isinstance(size, int) and isinstance(others, int):
        if others == 0 or size % others:
            raise CertainError
        free = size // others
    elif others == 1:
        free = size
    return ArrayType(type_.dtype, tuple(free if extent == -1 else extent for extent in shape))


def permuted(type_: ArrayType, arguments: Sequence[Value]) -> ArrayType:
    """Return the type of an array with its axes permuted.

    Parameters
    ----------
    type_
        The array.
    arguments
        The order: none or ``None`` to reverse the axes, one tuple, or one integer for each axis.
    """
    if not arguments or (len(arguments) == 1 and isinstance(arguments[0].type, NoneType)):
        return ArrayType(type_.dtype, None if type_.shape is None else type_.shape[::-1])
    payloads = [known(argument) for argument in arguments]
    order = payloads[0] if len(payloads) == 1 else tuple(payloads)
    if type_.shape is None:
        raise UndecidedError
    axes = axes_of(order, len(type_.shape))
    if len(axes) != len(type_.shape):
        raise CertainError
    return ArrayType(type_.dtype, tuple(type_.shape[axis] for axis in axes))


def padded_shape(shape: Shape, rank: int) -> Shape:
    """Return the shape that ``atleast_1d``, ``atleast_2d`` or ``atleast_3d`` gives."""
    if len(shape) >= rank:
        return shape
    if rank == 3:
        shapes: dict[int, Shape] = {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}
        return shapes[len(shape)]
    return (1,) * (rank - len(shape)) + shape
