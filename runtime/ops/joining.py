"""Functions that join arrays, and that split them.

Owns ``concatenate``, ``stack``, ``split`` and their kin. It leaves rearranging one array to
`shape`. Invariant: arrays of a list, whose items are unknown, give an opaque result; a tuple's are
known one by one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..ir.types import LIST, OPAQUE, ArrayType, Extent, TupleType, Type
from .calling import Arguments, any_input, axis_of, define, list_result
from .dense import (
    CertainError,
    Dense,
    DtypeKey,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    dense_of,
    dtype_key,
    probe_dtype,
    same_extent,
    size_of,
    total,
)
from .registry import Raises
from .shaping import padded_shape


def _parts(arguments: Arguments, name: str) -> tuple[list[Dense], list[DtypeKey]]:
    """Return the arrays of a tuple, and what promotion sees of each."""
    type_ = arguments.type(name)
    if isinstance(type_, TupleType) and type_.items:
        return [dense_of(item) for item in type_.items], [dtype_key(item) for item in type_.items]
    raise UndecidedError


def _joined_dtype(arguments: Arguments, keys: Sequence[DtypeKey]) -> np.dtype | None:
    if arguments.given("dtype"):
        return arguments.dtype()
    if any(key is None for key in keys) and len(set(keys)) > 1:
        return None
    if len(keys) > 4 and len(set(keys)) > 4:
        raise UndecidedError
    return probe_dtype(_concatenated, list(dict.fromkeys(keys)))


def _concatenated(*arrays: object) -> np.ndarray:
    return np.concatenate([np.atleast_1d(np.asarray(array)) for array in arrays])


def _join(shapes: Sequence[Shape], axis: int) -> Shape:
    """Return the shape of arrays of one rank joined along `axis`."""
    if len({len(shape) for shape in shapes}) != 1:
        raise CertainError
    result: list[Extent] = []
    for position, column in enumerate(zip(*shapes, strict=True)):
        if position == axis:
            result.append(total(column))
        else:
            result.append(_common(column))
    return tuple(result)


def _common(column: Sequence[Extent]) -> Extent:
    """Return the length that axes have which must be equally long."""
    return functools.reduce(same_extent, column)


def _concatenate(arguments: Arguments) -> Type:
    arguments.only("arrays", "axis", "out", "dtype")
    parts, keys = _parts(arguments, "arrays")
    dtype = _joined_dtype(arguments, keys)
    return array_with(dtype, lambda: _joined(parts, arguments.constant("axis", 0)))


def _join_raises(arguments: Arguments) -> Raises:
    """Return when joining arrays raises: not if they are all of one shape, rank above 0."""
    if any(name not in ("arrays", "axis") for name in arguments.positions):
        return Raises.VALUE
    parts, _ = _parts(arguments, "arrays")
    shape = parts[0].shape
    same = bool(shape) and all(part.shape == shape and part.dtype for part in parts)
    if not same or shape is None or None in shape:
        return Raises.SHAPE if _axis_is_known(arguments) else Raises.VALUE
    return Raises.NEVER if _axis_is_known(arguments) else Raises.VALUE


def _axis_is_known(arguments: Arguments) -> bool:
    try:
        arguments.constant("axis", 0)
    except UndecidedError:
        return False
    return True


def _joined(parts: Sequence[Dense], axis: object) -> Shape | None:
    """Return the shape of arrays joined along `axis`, flat if it is None."""
    if axis is None:
        return (total([size_of(part.shape) for part in parts]),)
    shapes = [part.shape for part in parts if part.shape is not None]
    if len(shapes) != len(parts):
        return None
    if not all(shapes):
        raise CertainError
    return _join(shapes, axis_of(axis, len(shapes[0])))


for _name in ("concatenate", "concat"):
    define(
        _name, "arrays axis out dtype casting", _concatenate, raises=_join_raises, fallback=OPAQUE
    )


def _stack(arguments: Arguments) -> Type:
    arguments.only("arrays", "axis", "out", "dtype")
    parts, keys = _parts(arguments, "arrays")
    dtype = _joined_dtype(arguments, keys)
    shapes = [part.shape for part in parts if part.shape is not None]
    if len(shapes) != len(parts):
        return ArrayType(dtype, None)
    if len({len(shape) for shape in shapes}) != 1:
        raise CertainError
    inner = [_common(column) for column in zip(*shapes, strict=True)]

    def result() -> Shape:
        inner.insert(axis_of(arguments.constant("axis", 0), len(inner) + 1), len(parts))
        return tuple(inner)

    return array_with(dtype, result)


define("stack", "arrays axis out dtype casting", _stack, raises=_join_raises, fallback=OPAQUE)


def _stacked(rank: int, axis: int) -> Callable[[Arguments], Type]:
    """Return the rule of ``hstack`` and its kin: operands padded to `rank`, joined on `axis`."""

    def rule(arguments: Arguments) -> Type:
        arguments.only("tup", "dtype")
        parts, keys = _parts(arguments, "tup")
        dtype = _joined_dtype(arguments, keys)
        shapes = [padded_shape(part.shape, rank) for part in parts if part.shape is not None]
        if len(shapes) != len(parts):
            return ArrayType(dtype, None)
        flat = rank == 1 and len(shapes[0]) == 1
        return ArrayType(dtype, _join(shapes, 0 if flat else axis))

    return rule


for _name in ("vstack", "row_stack"):
    define(_name, "tup dtype casting", _stacked(2, 0), fallback=OPAQUE)
define("hstack", "tup dtype casting", _stacked(1, 1), fallback=OPAQUE)
define("dstack", "tup dtype casting", _stacked(3, 2), fallback=OPAQUE)


def _column_stack(arguments: Arguments) -> Type:
    parts, keys = _parts(arguments, "tup")
    dtype = _joined_dtype(arguments, keys)
    shapes = [
        part.shape if len(part.shape) >= 2 else ((*part.shape, 1) if part.shape else (1, 1))
        for part in parts
        if part.shape is not None
    ]
    if len(shapes) != len(parts):
        return ArrayType(dtype, None)
    return ArrayType(dtype, _join(shapes, 1))


define("column_stack", "tup", _column_stack, fallback=OPAQUE)


def _append(arguments: Arguments) -> Type:
    parts = [arguments.dense(name) for name in ("arr", "values")]
    keys = [part.dtype for part in parts]
    dtype = probe_dtype(_concatenated, keys)
    return array_with(dtype, lambda: _joined(parts, arguments.constant("axis")))


define("append", "arr values axis", _append, fallback=OPAQUE)


# Splitting


for _name in ("split", "array_split"):
    define(_name, "ary indices_or_sections axis", list_result, any_input, fallback=LIST)
for _name in ("hsplit", "vsplit", "dsplit"):
    define(_name, "ary indices_or_sections", list_result, any_input, fallback=LIST)


def _unstack(arguments: Arguments) -> Type:
    type_ = arguments.array("x")
    if type_.shape is None:
        raise UndecidedError
    if not type_.shape:
        raise CertainError
    axis = axis_of(arguments.constant("axis", 0), len(type_.shape))
    count = type_.shape[axis]
    if not isinstance(count, int) or count > _MAX_UNSTACKED:
        raise UndecidedError
    rest = (*type_.shape[:axis], *type_.shape[axis + 1 :])
    return TupleType((array_or_scalar(type_.dtype, rest),) * count)


_MAX_UNSTACKED = 16
define("unstack", "x axis", _unstack, any_input, fallback=OPAQUE)


# Lists and tuples

_ALIKE = frozenset(
    f"np.{name}"
    for name in (
        "concatenate", "concat", "stack", "vstack", "hstack", "dstack", "column_stack", "array",
        "asarray", "asanyarray", "ascontiguousarray", "sum", "prod", "max", "min", "mean", "std",
        "var", "any", "all", "median", "argmax", "argmin", "cumsum", "cumprod", "sort", "argsort",
        "row_stack", "linalg.multi_dot", "polyval", "roots", "poly", "polyder", "polyint",
        "lexsort", "unique", "quantile", "percentile", "diff", "flip", "histogram", "interp",
        "diag", "outer",
    )
)  # fmt: skip


def treats_tuple_as_list(name: str, keywords: Mapping[str, object], count: int) -> bool:
    """Tell whether an operation makes the same of a tuple as of a list, as its first argument.

    Parameters
    ----------
    name
        The operation's name.
    keywords
        The keyword arguments.
    count
        The number of positional arguments. With a dtype that may be structured the two differ.

    >>> treats_tuple_as_list("np.array", {}, 1), treats_tuple_as_list("np.block", {}, 1)
    (True, False)
    """
    if name not in _ALIKE:
        return False
    dtype = keywords.get("dtype")
    plain = dtype is None or (isinstance(dtype, type) and issubclass(dtype, _NUMBERS))
    return plain and (count == 1 or "array" not in name)


_NUMBERS = (bool, int, float, complex, np.number, np.bool_)
