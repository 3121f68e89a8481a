"""Functions that select, place and look up elements.

Owns ``where``, ``take``, ``clip``, ``searchsorted``, ``put`` and their kin. It leaves subscripts to
`indexing`. Invariant: what is selected by values has an unknown length.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ir.types import (
    NONE,
    OPAQUE,
    ArrayType,
    NumberType,
    TupleType,
    Type,
)
from .calling import Arguments, any_input, axis_of, define, settled
from .dense import (
    CertainError,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    broadcast_extent,
    broadcast_result,
    broadcast_shapes,
    dense_of,
    probe_dtype,
    shape_of,
    size_of,
    weak_dtype,
)
from .effects import broadcast_fits
from .registry import Raises
from .shaping import shape_argument

_INDEX = np.dtype(np.intp)
_BOOL = np.dtype(bool)


def _choose(first: complex, second: complex) -> object:
    return np.where(np.ones(2, bool), first, second)


def _where(arguments: Arguments) -> Type:
    condition = arguments.dense("condition")
    if "x" not in arguments.positions and "y" not in arguments.positions:
        if not condition.shape:
            raise UndecidedError
        return TupleType((ArrayType(_INDEX, (None,)),) * len(condition.shape))
    types = [arguments.type(name) for name in ("x", "y")]
    dtype = weak_dtype(_choose, types)
    shapes = [condition.shape, *(shape_of(type_) for type_ in types)]
    known = [shape for shape in shapes if shape is not None]
    common = broadcast_shapes(known)
    return ArrayType(dtype, common if len(known) == len(shapes) else None)


def _where_raises(arguments: Arguments) -> Raises:
    """Return when a choice raises: a Python integer may not fit the dtype of the other choice."""
    types = [value.type for value in arguments.inputs]
    if any(isinstance(t, NumberType) and t.kind == "int" for t in types[1:]):
        return Raises.VALUE
    if isinstance(_where(arguments), TupleType):
        return Raises.NEVER
    return Raises.NEVER if broadcast_fits(types) else Raises.SHAPE


define("where", "condition x y", _where, raises=_where_raises)


def _nonzero(arguments: Arguments) -> Type:
    type_ = arguments.array("a")
    if not type_.shape:
        raise UndecidedError
    return TupleType((ArrayType(_INDEX, (None,)),) * len(type_.shape))


define("nonzero", "a", _nonzero, raises=Raises.NEVER)


def _flatnonzero(arguments: Arguments) -> Type:
    arguments.dense("a")
    return _vector(_INDEX)


def _vector(dtype: np.dtype | None) -> Type:
    return ArrayType(dtype, (None,))


define("flatnonzero", "a", _flatnonzero)


def _argwhere(arguments: Arguments) -> Type:
    operand = arguments.dense("a")
    return ArrayType(_INDEX, (None, operand.rank))


define("argwhere", "a", _argwhere)


def _take(arguments: Arguments) -> Type:
    operand, chosen = arguments.dense("a"), arguments.dense("indices")
    if not arguments.given("axis"):
        return array_or_scalar(operand.dtype, chosen.shape)
    if operand.shape is None or chosen.shape is None:
        return array_or_scalar(operand.dtype, None)
    base = operand.shape or (1,)  # NumPy takes a value without axes for one element
    try:
        axis = axis_of(arguments.constant("axis"), len(base))
    except UndecidedError:
        return array_or_scalar(operand.dtype, None)
    return array_or_scalar(operand.dtype, (*base[:axis], *chosen.shape, *base[axis + 1 :]))


define("take", "a indices axis out mode", _take)


def _take_along_axis(arguments: Arguments) -> Type:
    operand, chosen = arguments.array("arr"), arguments.array("indices")

    def result() -> Shape | None:
        axis = arguments.constant("axis", -1)
        if axis is None:
            return chosen.shape
        if operand.shape is None or chosen.shape is None:
            return None
        if len(operand.shape) != len(chosen.shape):
            raise CertainError
        along = axis_of(axis, len(operand.shape))
        return tuple(
            b if i == along else broadcast_extent(a, b)
            for i, (a, b) in enumerate(zip(operand.shape, chosen.shape, strict=True))
        )

    return array_with(operand.dtype, result)


define("take_along_axis", "arr indices axis", _take_along_axis)


def _compress(arguments: Arguments) -> Type:
    operand = arguments.dense("a")
    if not arguments.given("axis"):
        return array_with(operand.dtype, lambda: (None,))
    shape = (1,) if operand.shape == () else operand.shape
    return array_with(operand.dtype, lambda: without_extent(shape, arguments))


def without_extent(shape: Shape | None, arguments: Arguments) -> Shape | None:
    """Return `shape` with the extent of the argument ``axis`` forgotten."""
    axis = arguments.constant("axis")
    if axis is None or shape is None:
        return (None,) if axis is None else None
    at = axis_of(axis, len(shape))
    return tuple(None if i == at else extent for i, extent in enumerate(shape))


define("compress", "condition a axis out", _compress)
define("extract", "condition arr", lambda arguments: _vector(arguments.dense("arr").dtype))


def clipped(types: Sequence[Type]) -> Type:
    """Return the type of ``clip(a, low, high)`` for operands of `types`."""
    return broadcast_result(weak_dtype(np.clip, types), [shape_of(type_) for type_ in types])


def _clip(arguments: Arguments) -> Type:
    bounds = ("min", "max") if "min" in arguments.positions else ("a_min", "a_max")
    arguments.only("a", *bounds)
    given = [name for name in bounds if arguments.given(name)]
    if len(given) == 1:
        array, bound = arguments.array("a"), arguments.type(given[0])
        dtype = weak_dtype(np.minimum, [array, bound])
        return broadcast_result(dtype, [array.shape, shape_of(bound)])
    if not given:
        raise UndecidedError
    return clipped([arguments.type(name) for name in ("a", *bounds)])


define("clip", "a a_min a_max out min max dtype where casting", _clip)


def _searchsorted(arguments: Arguments) -> Type:
    arguments.dense("a")
    return array_or_scalar(_INDEX, arguments.dense("v").shape)


define("searchsorted", "a v side sorter", _searchsorted)


def _digitize(arguments: Arguments) -> Type:
    arguments.dense("bins")
    return array_or_scalar(_INDEX, arguments.dense("x").shape)


define("digitize", "x bins right", _digitize)


def _choose_from(arguments: Arguments) -> Type:
    """Return the type of ``choose``: shapes of the choices broadcast, and their common dtype."""
    index = arguments.dense("a")
    choices = arguments.type("choices")
    if isinstance(choices, TupleType):
        parts = [dense_of(item) for item in choices.items]
        dtype = dense_of(TupleType(tuple(_single(part.dtype) for part in parts))).dtype
        shapes = [part.shape for part in parts]
    else:
        array = arguments.array("choices")
        if not array.shape:
            raise UndecidedError
        dtype, shapes = array.dtype, [array.shape[1:]]
    return broadcast_result(dtype, [index.shape, *shapes])


def _single(dtype: np.dtype | None) -> Type:
    """Return the type of one element of `dtype`."""
    return ArrayType(dtype, ())


define("choose", "a choices out mode", _choose_from)


def _select(arguments: Arguments) -> Type:
    conditions, choices = (arguments.type(name) for name in ("condlist", "choicelist"))
    if not isinstance(conditions, TupleType) or not isinstance(choices, TupleType):
        raise UndecidedError
    if len(conditions.items) != len(choices.items) or not choices.items:
        raise CertainError
    other = arguments.type("default") if "default" in arguments.positions else NumberType("int", 0)
    dtype = weak_dtype(_promoted, [*choices.items, other])
    shapes = [dense_of(item).shape for item in (*conditions.items, *choices.items)]
    shapes.append(dense_of(other).shape)
    known = [shape for shape in shapes if shape is not None]
    common = broadcast_shapes(known)
    return ArrayType(dtype, common if len(known) == len(shapes) else None)


def _promoted(*values: object) -> object:
    return np.empty(0, np.result_type(*values))  # type: ignore[arg-type]  # arrays and numbers


define("select", "condlist choicelist default", _select, fallback=OPAQUE)


def _isin(arguments: Arguments) -> Type:
    arguments.dense("test_elements")
    return ArrayType(_BOOL, arguments.dense("element").shape)


define("isin", "element test_elements assume_unique invert kind", _isin)


def _no_result(arguments: Arguments) -> Type:
    return NONE


define("put", "a ind v mode", _no_result, writes=("a",), fallback=NONE)
define("place", "arr mask vals", _no_result, writes=("arr",), fallback=NONE)
define("putmask", "a mask values", _no_result, writes=("a",), fallback=NONE)
define("copyto", "dst src casting where", _no_result, writes=("dst",), fallback=NONE)
define("fill_diagonal", "a val wrap", _no_result, writes=("a",), fallback=NONE)
define("put_along_axis", "arr indices values axis", _no_result, writes=("arr",), fallback=NONE)


def _indices(arguments: Arguments) -> Type:
    arguments.only("dimensions", "dtype", "sparse")
    shape = shape_argument(arguments.value("dimensions"))
    dtype = arguments.dtype() or np.dtype(int)
    if arguments.flag("sparse"):
        rank = len(shape)
        one = [tuple(shape[i] if i == at else 1 for i in range(rank)) for at in range(rank)]
        return TupleType(tuple(ArrayType(dtype, extents) for extents in one))
    return ArrayType(dtype, (len(shape), *shape))


define("indices", "dimensions dtype sparse", _indices)


def _open_mesh(arguments: Arguments) -> Type:
    if len(arguments.rest) != len(arguments.inputs):
        raise UndecidedError
    arrays = [v.type for v in arguments.inputs if isinstance(v.type, ArrayType)]
    rank = len(arguments.inputs)
    if len(arrays) != rank or any(part.dtype is None or part.dtype.kind == "b" for part in arrays):
        raise UndecidedError
    items: list[Type] = []
    for position, part in enumerate(arrays):
        if part.shape is None or len(part.shape) != 1 or part.shape[0] in (0, None):
            raise UndecidedError
        extents = tuple(part.shape[0] if i == position else 1 for i in range(rank))
        items.append(ArrayType(part.dtype, extents))
    return TupleType(tuple(items))


define("ix_", "*args", _open_mesh, any_input, fallback=OPAQUE)


def _unravel_index(arguments: Arguments) -> Type:
    chosen = arguments.dense("indices")
    rank = len(shape_argument(arguments.value("shape")))
    return TupleType((array_or_scalar(_INDEX, chosen.shape),) * rank)


define("unravel_index", "indices shape order", _unravel_index)


# Sorting and sets


def _sort(arguments: Arguments) -> Type:
    operand = arguments.dense("a")
    return _along_axis(arguments, operand.dtype)


def _along_axis(arguments: Arguments, dtype: np.dtype | None) -> Type:
    """Return the type of a result of `dtype` like the operand, flat if the axis is None."""
    shape = arguments.dense("a").shape

    def result() -> Shape | None:
        axis = arguments.constant("axis", -1)
        if axis is None:
            return (size_of(shape),)
        if shape:
            axis_of(axis, len(shape))
        return shape or None

    return array_with(dtype, result)


define("sort", "a axis kind order stable", _sort, raises=settled(_sort, "a", "axis"))
define("partition", "a kth axis kind order", _sort)


def _sorting_indices(arguments: Arguments) -> Type:
    return _along_axis(arguments, _INDEX)


define(
    "argsort", "a axis kind order stable", _sorting_indices,
    raises=settled(_sorting_indices, "a", "axis"),
)  # fmt: skip
define("argpartition", "a kth axis kind order", _sorting_indices)
def _union(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.union1d(first, second)


def _set_of(arguments: Arguments) -> Type:
    operands = [arguments.dense(name) for name in ("ar1", "ar2")]
    return _vector(probe_dtype(_union, [operand.dtype for operand in operands]))


define("union1d", "ar1 ar2", _set_of)
define("setxor1d", "ar1 ar2 assume_unique", _set_of)
define("setdiff1d", "ar1 ar2 assume_unique", lambda arguments: _vector(_first_dtype(arguments)))


def _first_dtype(arguments: Arguments) -> np.dtype | None:
    arguments.dense("ar2")
    return arguments.dense("ar1").dtype
