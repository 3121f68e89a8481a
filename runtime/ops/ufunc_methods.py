"""The methods of ufuncs: ``reduce``, ``accumulate``, ``reduceat``, ``outer`` and ``at``.

Owns their types and effects. It leaves calling a ufunc to `ufuncs`, and the functions that reduce
(``np.sum``) to `reductions`. Invariant: dtypes are learnt from the very method, called on tiny
arrays; only ufuncs of NumPy and of libraries get here, never one made of a Python function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from ..ir.graph import Constant
from ..ir.types import (
    NONE,
    ArrayType,
    NumberType,
    TupleType,
    Type,
)
from .calling import Arguments, NumpyFunction, axis_of
from .dense import (
    CertainError,
    Dense,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    dtype_key,
    probe_dtype,
    shape_of,
)
from .reductions import reduced_shape
from .registry import Raises


def _ufunc(arguments: Arguments) -> np.ufunc:
    """Return the ufunc that the method is of, one with two operands.

    Raises
    ------
    UndecidedError
        If it is known only at run time.
    CertainError
        If such ufuncs have no such method.
    """
    value = arguments.value("self")
    if not isinstance(value, Constant) or not isinstance(value.value, np.ufunc):
        raise UndecidedError
    if value.value.nin != 2 or value.value.signature is not None:
        raise CertainError
    return value.value


def _folded(arguments: Arguments, method: str) -> tuple[np.dtype | None, Dense]:
    """Return the dtype that folding gives, and the array that is folded."""
    ufunc = _ufunc(arguments)
    if ufunc.nout != 1:
        raise CertainError
    operand = arguments.dense("array")
    options: dict[str, object] = {}
    if arguments.given("dtype"):
        options["dtype"] = arguments.dtype()
    function: Callable[..., object] = getattr(ufunc, method)
    if method == "reduceat":
        options["indices"] = (0,)
    return probe_dtype(function, [operand.dtype], (), options), operand


def _reduce(arguments: Arguments) -> Type:
    dtype, operand = _folded(arguments, "reduce")
    try:
        axis, keepdims = arguments.constant("axis", 0), arguments.flag("keepdims")
        shape = reduced_shape(operand.shape, axis, keepdims)
    except UndecidedError:
        shape = None
    return array_or_scalar(dtype, shape)


def _accumulate(arguments: Arguments) -> Type:
    dtype, operand = _folded(arguments, "accumulate")
    if operand.shape is not None:
        _check_axis(arguments, len(operand.shape))
    return ArrayType(dtype, operand.shape)


def _check_axis(arguments: Arguments, rank: int) -> None:
    """Raise `CertainError` if an array of that rank has no such axis."""
    if rank == 0:
        raise CertainError
    try:
        axis = arguments.constant("axis", 0)
    except UndecidedError:
        return
    if axis is not None and not isinstance(axis, tuple):
        axis_of(axis, rank)


def _reduceat(arguments: Arguments) -> Type:
    dtype, operand = _folded(arguments, "reduceat")
    if operand.shape is not None:
        _check_axis(arguments, len(operand.shape))

    def result() -> Shape | None:
        if operand.shape is None:
            return None
        axis = axis_of(arguments.constant("axis", 0), len(operand.shape))
        return (*operand.shape[:axis], _count(arguments), *operand.shape[axis + 1 :])

    return array_with(dtype, result)


def _count(arguments: Arguments) -> int | str | None:
    """Return the number of indices, None where unknown."""
    try:
        indices = arguments.dense("indices").shape
    except UndecidedError:
        return None
    return indices[0] if indices else None


def _outer(arguments: Arguments) -> Type:
    ufunc = _ufunc(arguments)
    arguments.only("self", "A", "B", "dtype", "order", "subok")
    types = [arguments.type(name) for name in ("A", "B")]
    if any(map(_may_be_long, types)):
        raise UndecidedError
    keys = [dtype_key(type_) for type_ in types]
    shapes = [shape_of(type_) for type_ in types]
    known = [shape for shape in shapes if shape is not None]
    shape = tuple(extent for part in known for extent in part)
    options = {"dtype": arguments.dtype()} if arguments.given("dtype") else {}
    results = [
        probe_dtype(_item_of_outer(ufunc, position), keys, (), options)
        for position in range(ufunc.nout)
    ]
    if len(known) == len(types):
        items = tuple(array_or_scalar(dtype, shape) for dtype in results)
    elif shape:
        items = tuple(ArrayType(dtype, None) for dtype in results)
    else:
        items = tuple(array_or_scalar(dtype, None) for dtype in results)
    return items[0] if ufunc.nout == 1 else TupleType(items)


def _may_be_long(type_: Type) -> bool:
    """Tell whether `type_` may be an integer past 64 bits, of which ``outer`` makes an object."""
    if not isinstance(type_, NumberType) or type_.kind != "int":
        return False
    return type_.extent is None or (isinstance(type_.extent, int) and abs(type_.extent) >= 2**63)


@functools.cache
def _item_of_outer(ufunc: np.ufunc, position: int) -> Callable[..., object]:
    """Return a function that gives one of the results of ``ufunc.outer``."""

    def outer(a: complex, b: complex, **options: object) -> object:
        result = ufunc.outer(a, b, **options)
        return result[position] if ufunc.nout > 1 else result

    return outer


def _nothing(arguments: Arguments) -> Type:
    return NONE


_TOTAL = (
    "add", "multiply", "logical_and", "logical_or", "bitwise_and", "bitwise_or", "bitwise_xor",
)  # fmt: skip
"""Ufuncs with an identity that fold any integers without an error."""


def _fold_raises(arguments: Arguments) -> Raises:
    """Return when folding raises, given that its type is decided: never, for sums and the like."""
    value = arguments.value("self")
    ufunc = value.value if isinstance(value, Constant) else None
    simple = set(arguments.positions) <= {"self", "array", "axis", "keepdims"}
    type_ = arguments.type("array")
    if not isinstance(ufunc, np.ufunc) or ufunc.__name__ not in _TOTAL or not simple:
        return Raises.VALUE
    if not isinstance(type_, ArrayType) or type_.dtype is None or not type_.shape:
        return Raises.VALUE
    try:
        reduced_shape(type_.shape, arguments.constant("axis", 0), arguments.flag("keepdims"))
    except UndecidedError:
        return Raises.VALUE
    return Raises.NEVER if type_.dtype.kind in "biu" else Raises.WARNS


UFUNC_METHODS: dict[str, NumpyFunction] = {
    "reduce": NumpyFunction(
        "self array axis dtype out keepdims initial where", _reduce, raises=_fold_raises
    ),
    "accumulate": NumpyFunction("self array axis dtype out", _accumulate),
    "reduceat": NumpyFunction("self array indices axis dtype out", _reduceat),
    "outer": NumpyFunction("self A B out where dtype casting order subok signature", _outer),
    "at": NumpyFunction("self a indices b", _nothing, writes=("a",), fallback=NONE),
}
"""What is known of the methods of ufuncs; the first parameter is the ufunc."""
