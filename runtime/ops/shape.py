"""Functions that rearrange and repeat arrays.

Owns reshaping, permuting and flipping axes, repeating and padding. It leaves joining and splitting
to `joining`, the arithmetic of shapes to `shaping`. Invariant: a result is called a view only when
it is one for every layout of the operand.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np

from ..ir.graph import Value
from ..ir.types import (
    OPAQUE,
    ArrayType,
    Extent,
    NumberType,
    TupleType,
    Type,
)
from .calling import (
    Arguments,
    any_input,
    axes_of,
    axis_of,
    define,
    integer_of,
    maybe,
    settled,
    view_of,
)
from .dense import (
    CertainError,
    Shape,
    UndecidedError,
    array_with,
    broadcast_shapes,
    dense_of,
    size_of,
    total,
)
from .registry import Raises
from .selection import without_extent
from .shaping import padded_shape, permuted, reshaped, shape_argument


def _array(arguments: Arguments, name: str = "a") -> ArrayType:
    """Return an operand as an array type, whatever numeric value it is."""
    dense = arguments.dense(name)
    return ArrayType(dense.dtype, dense.shape)


_SHAPE = "shape" if "shape" in inspect.signature(np.reshape).parameters else "newshape"
"""What this version of NumPy calls the second parameter of ``reshape``."""


def _reshape(arguments: Arguments) -> Type:
    arguments.only("a", _SHAPE, "order")
    return reshaped(_array(arguments), [arguments.value(_SHAPE)])


def reshape_raises(type_: ArrayType, result: Type) -> Raises:
    """Return when an array of `type_` reshaped to `result` raises: its size may be another."""
    size = size_of(type_.shape)
    if size is not None and isinstance(result, ArrayType) and size_of(result.shape) == size:
        return Raises.NEVER
    return Raises.VALUE


def _reshape_raises(arguments: Arguments) -> Raises:
    if any(name not in ("a", _SHAPE) for name in arguments.positions):
        return Raises.VALUE
    return reshape_raises(_array(arguments), _reshape(arguments))


define("reshape", f"a {_SHAPE} order", _reshape, maybe("a"), _reshape_raises)


def _ravel(arguments: Arguments) -> Type:
    return reshaped(_array(arguments), [Value(NumberType("int", -1))])


define("ravel", "a order", _ravel, maybe("a"), settled(_ravel, "a"))


def _transpose(arguments: Arguments) -> Type:
    given = arguments.given("axes")
    return permuted(arguments.array("a"), [arguments.value("axes")] if given else [])


for _name in ("transpose", "permute_dims"):
    define(_name, "a axes", _transpose, view_of("a"), settled(_transpose, "a", "axes"))


def _swapaxes(arguments: Arguments) -> Type:
    type_ = arguments.array("a")
    if type_.shape is None:
        return ArrayType(type_.dtype, None)
    shape = list(type_.shape)

    def result() -> Shape:
        first, second = (axis_of(_axis(arguments, n), len(shape)) for n in ("axis1", "axis2"))
        shape[first], shape[second] = shape[second], shape[first]
        return tuple(shape)

    return array_with(type_.dtype, result)


define(
    "swapaxes", "a axis1 axis2", _swapaxes, view_of("a"),
    settled(_swapaxes, "a", "axis1", "axis2"),
)  # fmt: skip


def _moveaxis(arguments: Arguments) -> Type:
    type_ = arguments.array("a")
    return array_with(type_.dtype, lambda: _moved(type_.shape, arguments))


def _moved(shape: Shape | None, arguments: Arguments) -> Shape | None:
    if shape is None:
        return None
    source = axes_of(_axis(arguments, "source"), len(shape))
    destination = axes_of(_axis(arguments, "destination"), len(shape))
    if len(source) != len(destination):
        raise CertainError
    order = [axis for axis in range(len(shape)) if axis not in source]
    for target, axis in sorted(zip(destination, source, strict=True)):
        order.insert(target, axis)
    return tuple(shape[axis] for axis in order)


def _axis(arguments: Arguments, name: str) -> object:
    """Return a known axis argument that must be there."""
    payload = arguments.constant(name)
    if payload is None:
        raise UndecidedError
    return payload


define(
    "moveaxis", "a source destination", _moveaxis, view_of("a"),
    settled(_moveaxis, "a", "source", "destination"),
)  # fmt: skip


def _rollaxis(arguments: Arguments) -> Type:
    type_ = arguments.array("a")
    return ArrayType(type_.dtype, None if type_.shape is None else (None,) * len(type_.shape))


define("rollaxis", "a axis start", _rollaxis, view_of("a"))


def _matrix_transpose(arguments: Arguments) -> Type:
    type_ = arguments.array("x")
    if type_.shape is None:
        return ArrayType(type_.dtype, None)
    if len(type_.shape) < 2:
        raise CertainError
    *outer, rows, columns = type_.shape
    return ArrayType(type_.dtype, (*outer, columns, rows))


define("matrix_transpose", "x", _matrix_transpose, view_of("x"))


def _squeeze(arguments: Arguments) -> Type:
    type_ = arguments.array("a")
    if type_.shape is None:
        return ArrayType(type_.dtype, None)
    shape = type_.shape
    return array_with(type_.dtype, lambda: _squeezed(shape, arguments.constant("axis")))


def _squeezed(shape: Shape, axis: object) -> Shape | None:
    if axis is None:
        literal = all(isinstance(extent, int) for extent in shape)
        return tuple(n for n in shape if n != 1) if literal else None
    if not shape and axis in (0, -1):
        return ()  # NumPy lets an array without axes be squeezed along its first one
    axes = axes_of(axis, len(shape))
    if any(isinstance(shape[i], int) and shape[i] != 1 for i in axes):
        raise CertainError
    return tuple(extent for i, extent in enumerate(shape) if i not in axes)


define("squeeze", "a axis", _squeeze, view_of("a"), settled(_squeeze, "a"))


def _expand_dims(arguments: Arguments) -> Type:
    type_ = _array(arguments)
    return array_with(type_.dtype, lambda: _expanded(type_.shape, _axis(arguments, "axis")))


def _expanded(old: Shape | None, axis: object) -> Shape | None:
    if old is None:
        return None
    count = len(axis) if isinstance(axis, tuple) else 1
    shape: list[Extent] = list(old)
    for new in sorted(axes_of(axis, len(old) + count)):
        shape.insert(new, 1)
    return tuple(shape)


define(
    "expand_dims", "a axis", _expand_dims, view_of("a"), settled(_expand_dims, "a", "axis")
)


# Flipping and rolling


def _flip(arguments: Arguments) -> Type:
    type_ = arguments.array("m")
    if not type_.shape:
        raise UndecidedError
    rank = len(type_.shape)
    if "axis" in arguments.positions:
        array_with(None, lambda: axes_of(arguments.constant("axis"), rank))
    return type_


define("flip", "m axis", _flip, view_of("m"), settled(_flip, "m"))


def _flipped(rank: int) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        type_ = arguments.array("m")
        if type_.shape is not None and len(type_.shape) < rank:
            raise CertainError
        return type_

    return rule


define("flipud", "m", _flipped(1), view_of("m"), settled(_flipped(1), "m"))
define("fliplr", "m", _flipped(2), view_of("m"), settled(_flipped(2), "m"))


def _rot90(arguments: Arguments) -> Type:
    type_ = arguments.array("m")
    if type_.shape is None:
        return type_
    shape = list(type_.shape)

    def result() -> Shape:
        axes = arguments.constant("axes", (0, 1))
        if not isinstance(axes, tuple) or len(axes) != 2:
            raise UndecidedError
        first, second = (axis_of(axis, len(shape)) for axis in axes)
        if arguments.integer("k", 1) % 2:
            shape[first], shape[second] = shape[second], shape[first]
        return tuple(shape)

    return array_with(type_.dtype, result)


define("rot90", "m k axes", _rot90, view_of("m"))


def _roll(arguments: Arguments) -> Type:
    return arguments.array("a")


define("roll", "a shift axis", _roll)


# Repeating


def _repeat(arguments: Arguments) -> Type:
    operand = arguments.dense("a")
    times = _length(arguments, "repeats")

    def result() -> Shape | None:
        axis = arguments.constant("axis")
        if axis is None:
            return (_product(size_of(operand.shape), times),)
        if not operand.shape:
            return None
        shape = list(operand.shape)
        at = axis_of(axis, len(shape))
        shape[at] = _product(shape[at], times)
        return tuple(shape)

    return array_with(operand.dtype, result)


def _length(arguments: Arguments, name: str) -> Extent:
    """Return a number of repetitions, None if it is not one known integer.

    A negative one is no error where there is nothing to repeat.
    """
    type_ = arguments.type(name)
    if not isinstance(type_, NumberType) or type_.kind != "int":
        return None
    return None if isinstance(type_.extent, int) and type_.extent < 0 else type_.extent


def _product(a: Extent, b: Extent) -> Extent:
    if 0 in (a, b):
        return 0
    if a == 1:
        return b
    if b == 1:
        return a
    return a * b if isinstance(a, int) and isinstance(b, int) else None


define("repeat", "a repeats axis", _repeat, fallback=OPAQUE)


def _tile(arguments: Arguments) -> Type:
    operand = arguments.dense("A")
    repetitions = shape_argument(arguments.value("reps"))
    if operand.shape is None or any(isinstance(n, int) and n < 0 for n in repetitions):
        return ArrayType(operand.dtype, None)
    rank = max(len(operand.shape), len(repetitions))
    shape = (1,) * (rank - len(operand.shape)) + operand.shape
    times = (1,) * (rank - len(repetitions)) + repetitions
    return ArrayType(operand.dtype, tuple(map(_product, shape, times)))


define("tile", "A reps", _tile, fallback=OPAQUE)


def _broadcast_to(arguments: Arguments) -> Type:
    arguments.only("array", "shape")
    operand = arguments.dense("array")
    shape = shape_argument(arguments.value("shape"))
    if any(extent == -1 for extent in shape):
        raise CertainError
    if operand.shape is not None:
        if len(operand.shape) > len(shape):
            raise CertainError
        broadcast_shapes([operand.shape, shape])
    return ArrayType(operand.dtype, shape)


define("broadcast_to", "array shape subok", _broadcast_to, view_of("array"), fallback=OPAQUE)


def _atleast(rank: int) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        if len(arguments.inputs) != 1 or arguments.rest != (0,):
            raise UndecidedError
        operand = dense_of(arguments.inputs[0].type)
        shape = None if operand.shape is None else padded_shape(operand.shape, rank)
        return ArrayType(operand.dtype, shape)

    return rule


for _rank in (1, 2, 3):
    define(f"atleast_{_rank}d", "*arys", _atleast(_rank), any_input, fallback=OPAQUE)


def _pad(arguments: Arguments) -> Type:
    if not isinstance(arguments.constant("mode", "constant"), str):
        raise UndecidedError
    operand = arguments.dense("array")
    if operand.shape is None:
        return ArrayType(operand.dtype, None)
    widths = _pad_widths(arguments, len(operand.shape))
    extents = zip(operand.shape, widths, strict=True)
    return ArrayType(operand.dtype, tuple(total((extent, width)) for extent, width in extents))


def _pad_widths(arguments: Arguments, rank: int) -> tuple[Extent, ...]:
    """Return by how much each axis grows, None where that is not known."""
    try:
        payload = arguments.constant("pad_width")
        if isinstance(payload, int):
            return (2 * integer_of(payload),) * rank
        if isinstance(payload, tuple) and len(payload) == rank and len(payload) > 1:
            pairs = [pair for pair in payload if isinstance(pair, tuple) and len(pair) == 2]
            if len(pairs) == rank:
                return tuple(integer_of(a) + integer_of(b) for a, b in pairs)
    except UndecidedError:
        pass
    return (None,) * rank


define(
    "pad", "array pad_width mode stat_length constant_values end_values reflect_type", _pad,
    fallback=OPAQUE,
)  # fmt: skip


def _delete(arguments: Arguments) -> Type:
    operand = arguments.array("arr")
    return array_with(operand.dtype, lambda: without_extent(operand.shape, arguments))


define("delete", "arr obj axis", _delete)
define("insert", "arr obj values axis", _delete)


def _resize(arguments: Arguments) -> Type:
    operand = arguments.dense("a")
    shape = shape_argument(arguments.value("new_shape"))
    if any(extent == -1 for extent in shape):
        raise CertainError
    return ArrayType(operand.dtype, shape)


define("resize", "a new_shape", _resize, fallback=OPAQUE)


def _broadcast_arrays(arguments: Arguments) -> Type:
    if len(arguments.rest) != len(arguments.inputs):
        raise UndecidedError
    parts = [dense_of(value.type) for value in arguments.inputs]
    shapes = [part.shape for part in parts if part.shape is not None]
    shape = broadcast_shapes(shapes)
    common = shape if len(shapes) == len(parts) else None
    return TupleType(tuple(ArrayType(part.dtype, common) for part in parts))


define("broadcast_arrays", "*args subok", _broadcast_arrays, any_input, fallback=OPAQUE)
