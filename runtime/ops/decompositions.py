"""Decompositions, eigenvalues, ranks and solvers of ``numpy.linalg``.

Owns ``eigh``, ``svd``, ``qr``, ``lstsq``, ``cond`` and their kin. It leaves products, ``inv`` and
``solve`` to `linear_algebra`. Invariant: what depends on values (eigenvalues are real or complex)
is a union; named tuples have the class that this version of NumPy gives.
"""

from __future__ import annotations

import itertools

import numpy as np

from ..ir.types import OPAQUE, ArrayType, NumberType, TupleType, Type
from .calling import Arguments, axis_of, define, view_of
from .dense import (
    CertainError,
    Shape,
    UndecidedError,
    array_or_scalar,
    broadcast_shapes,
    dense_of,
    probe_dtype,
    same_extent,
    size_of,
)
from .probing import learned, named, one_of_arrays, scalar_of, smaller
from .reductions import reduced_shape

_PAIR = ((2, 2),)


def _matrix(arguments: Arguments, name: str = "a", square: bool = False) -> ArrayType:
    """Return the type of an operand that must be a matrix, or a stack of them."""
    type_ = arguments.array(name)
    if type_.shape is not None:
        if len(type_.shape) < 2:
            raise CertainError
        if square:
            same_extent(type_.shape[-1], type_.shape[-2])
    return type_


def _leading(shape: Shape | None, *last: object) -> Shape | None:
    return None if shape is None else (*shape[:-2], *last)  # type: ignore[arg-type]  # extents


def _values_or(name: str, part: int | None, type_: ArrayType) -> list[np.dtype | None]:
    """Return the dtypes that eigenvalues or vectors may have: real or complex, by value."""
    real = learned(name, [type_.dtype], _PAIR, part)
    if real is None:
        return [None]
    if real.kind == "c":
        return [real]
    return [real, np.result_type(real, np.complex64)]


def _eig(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, square=True)
    values = _values_or("linalg.eig", 0, type_)
    shape = type_.shape
    last = None if shape is None else shape[:-1]
    return named("linalg.eig", one_of_arrays(values, last), one_of_arrays(values, shape))


define("linalg.eig", "a", _eig)


def _eigenvalues(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, square=True)
    values = _values_or("linalg.eigvals", None, type_)
    return one_of_arrays(values, None if type_.shape is None else type_.shape[:-1])


define("linalg.eigvals", "a", _eigenvalues)


def _eigh(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, square=True)
    values, vectors = (learned("linalg.eigh", [type_.dtype], _PAIR, part) for part in (0, 1))
    last = None if type_.shape is None else type_.shape[:-1]
    return named("linalg.eigh", ArrayType(values, last), ArrayType(vectors, type_.shape))


define("linalg.eigh", "a UPLO", _eigh)


def _slogdet(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, square=True)
    parts = [learned("linalg.slogdet", [type_.dtype], _PAIR, part) for part in (0, 1)]
    return named("linalg.slogdet", *(array_or_scalar(d, _leading(type_.shape)) for d in parts))


define("linalg.slogdet", "a", _slogdet)


def _svd(arguments: Arguments) -> Type:
    type_ = _matrix(arguments)
    full = arguments.flag("full_matrices", True)
    dtypes = [learned("linalg.svd", [type_.dtype], _PAIR, part) for part in (0, 1)]
    outer, m, n = _sides(type_.shape)
    values = ArrayType(dtypes[1], None if outer is None else (*outer, smaller(m, n)))
    if not arguments.flag("compute_uv", True):
        return values
    if outer is None:
        sides: tuple[Shape | None, Shape | None] = (None, None)
    elif full:
        sides = (*outer, m, m), (*outer, n, n)
    else:
        sides = (*outer, m, smaller(m, n)), (*outer, smaller(m, n), n)
    left, right = (ArrayType(dtypes[0], side) for side in sides)
    return named("linalg.svd", left, values, right)


def _sides(shape: Shape | None) -> tuple[Shape | None, int | str | None, int | str | None]:
    """Return the axes before those of a matrix, and its two extents."""
    return (None, None, None) if shape is None else (shape[:-2], shape[-2], shape[-1])


define("linalg.svd", "a full_matrices compute_uv hermitian", _svd)


def _singular_values(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, "x")
    outer, m, n = _sides(type_.shape)
    dtype = learned("linalg.svdvals", [type_.dtype], _PAIR)
    return ArrayType(dtype, None if outer is None else (*outer, smaller(m, n)))


define("linalg.svdvals", "x", _singular_values)


def _qr(arguments: Arguments) -> Type:
    type_ = _matrix(arguments)
    mode = arguments.constant("mode", "reduced")
    if mode not in ("reduced", "complete", "r", "raw"):
        raise UndecidedError
    dtype = learned("linalg.qr", [type_.dtype], _PAIR, options={"mode": "r"})
    if type_.shape is None:
        parts = [ArrayType(dtype, None), ArrayType(dtype, None)]
    else:
        outer, m, n = type_.shape[:-2], type_.shape[-2], type_.shape[-1]
        k = smaller(m, n)
        shapes: dict[object, tuple[Shape, Shape]] = {
            "reduced": ((*outer, m, k), (*outer, k, n)),
            "complete": ((*outer, m, m), (*outer, m, n)),
            "raw": ((*outer, n, m), (*outer, k)),
            "r": ((), (*outer, k, n)),
        }
        parts = [ArrayType(dtype, shape) for shape in shapes[mode]]
    if mode == "r":
        return parts[1]
    return TupleType(tuple(parts)) if mode == "raw" else named("linalg.qr", *parts)


define("linalg.qr", "a mode", _qr)


def _lstsq(arguments: Arguments) -> Type:
    a, b = _matrix(arguments), arguments.array("b")
    if a.shape is None or b.shape is None or len(b.shape) not in (1, 2):
        raise UndecidedError
    if len(a.shape) != 2:
        raise CertainError
    same_extent(a.shape[0], b.shape[0])
    shapes = ((2, 2), (2,))
    parts = [learned("linalg.lstsq", [a.dtype, b.dtype], shapes, part) for part in range(4)]
    solution = ArrayType(parts[0], (a.shape[1], *b.shape[1:]))
    least = ArrayType(parts[3], (smaller(*a.shape),))
    return TupleType((solution, ArrayType(parts[1], (None,)), scalar_of(parts[2]), least))


define("linalg.lstsq", "a b rcond", _lstsq)


def _rank(arguments: Arguments) -> Type:
    type_ = arguments.type("A")
    shape = dense_of(type_).shape
    if shape is None:
        raise UndecidedError
    if len(shape) < 2:
        return NumberType("int")
    return array_or_scalar(np.dtype(np.intp), shape[:-2])


define("linalg.matrix_rank", "A tol hermitian rtol", _rank)


def _condition(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, "x")
    options: dict[str, object] = {}
    if arguments.given("p"):
        order = arguments.constant("p")
        if not isinstance(order, str | int | float):
            raise UndecidedError
        options["p"] = order
    dtype = learned("linalg.cond", [type_.dtype], _PAIR, options=options)
    return array_or_scalar(dtype, _leading(type_.shape))


define("linalg.cond", "x p", _condition)


# Inverses and solvers of tensors


def _tensor_inverse(arguments: Arguments) -> Type:
    type_ = arguments.array("a")
    split = arguments.integer("ind", 2)
    dtype = learned("linalg.inv", [type_.dtype], _PAIR)
    if type_.shape is None:
        return ArrayType(dtype, None)
    if split <= 0:
        raise CertainError
    return ArrayType(dtype, (*type_.shape[split:], *type_.shape[:split]))


define("linalg.tensorinv", "a ind", _tensor_inverse)


def _tensor_solve(arguments: Arguments) -> Type:
    arguments.only("a", "b")
    a, b = arguments.array("a"), arguments.array("b")
    dtype = learned("linalg.solve", [a.dtype, b.dtype], ((2, 2), (2,)))
    if a.shape is None or b.shape is None:
        return ArrayType(dtype, None)
    return ArrayType(dtype, a.shape[len(b.shape) :])


define("linalg.tensorsolve", "a b axes", _tensor_solve)


# Products of several, and the functions that ``numpy.linalg`` has again


def _multi_dot(arguments: Arguments) -> Type:
    type_ = arguments.type("arrays")
    if not isinstance(type_, TupleType) or len(type_.items) < 2:
        raise UndecidedError
    parts = [dense_of(item) for item in type_.items]
    dtype: np.dtype | None = parts[0].dtype
    for part in parts[1:]:
        dtype = None if dtype is None else probe_dtype(np.dot, [dtype, part.dtype])
    shapes = [part.shape for part in parts if part.shape is not None]
    if len(shapes) != len(parts):
        return array_or_scalar(dtype, None)
    inner = (len(shape) == 2 for shape in shapes[1:-1])
    if not all(inner) or any(len(shapes[i]) not in (1, 2) for i in (0, -1)):
        raise CertainError
    for left, right in itertools.pairwise(shapes):
        same_extent(left[-1], right[0])
    return array_or_scalar(dtype, (*shapes[0][:-1], *shapes[-1][1:]))


define("linalg.multi_dot", "arrays out", _multi_dot, fallback=OPAQUE)


def _last_axes(arguments: Arguments) -> Shape | None:
    return _matrix(arguments, "x").shape


def _linalg_trace(arguments: Arguments) -> Type:
    arguments.only("x", "offset", "dtype")
    options = {"dtype": arguments.dtype()} if arguments.given("dtype") else {}
    dtype = probe_dtype(np.sum, [arguments.array("x").dtype], (), options)
    return array_or_scalar(dtype, _leading(_last_axes(arguments)))


define("linalg.trace", "x offset dtype", _linalg_trace)


def _linalg_diagonal(arguments: Arguments) -> Type:
    shape = _last_axes(arguments)
    dtype = arguments.array("x").dtype
    if shape is None:
        return ArrayType(dtype, None)
    whole = "offset" not in arguments.positions and shape[-1] == shape[-2]
    return ArrayType(dtype, (*shape[:-2], shape[-1] if whole else None))


define("linalg.diagonal", "x offset", _linalg_diagonal, view_of("x"))


def _transposed(arguments: Arguments) -> Type:
    shape = _last_axes(arguments)
    return ArrayType(arguments.array("x").dtype, _leading(shape, *_sides(shape)[:0:-1]))


define("linalg.matrix_transpose", "x", _transposed, view_of("x"))


def _linalg_outer(arguments: Arguments) -> Type:
    parts = [arguments.dense(name) for name in ("x1", "x2")]
    if any(part.rank not in (None, 1) for part in parts):
        raise CertainError
    dtype = probe_dtype(np.outer, [part.dtype for part in parts])
    return ArrayType(dtype, tuple(size_of(part.shape) for part in parts))


define("linalg.outer", "x1 x2", _linalg_outer)


def _linalg_cross(arguments: Arguments) -> Type:
    parts = [arguments.array(name) for name in ("x1", "x2")]
    dtype = probe_dtype(np.cross, [part.dtype for part in parts], ((3,), (3,)))
    shapes = [part.shape for part in parts if part.shape is not None]
    axis = arguments.integer("axis", -1)
    if len(shapes) != 2:
        return ArrayType(dtype, None)
    for shape in shapes:
        same_extent(shape[axis_of(axis, len(shape))], 3)
    if axis != -1 and len(shapes[0]) != len(shapes[1]):
        raise UndecidedError
    return ArrayType(dtype, broadcast_shapes(shapes))


define("linalg.cross", "x1 x2 axis", _linalg_cross)


def _vecdot(arguments: Arguments) -> Type:
    parts = [arguments.array(name) for name in ("x1", "x2")]
    dtype = probe_dtype(np.linalg.vecdot, [part.dtype for part in parts])
    shapes = [part.shape for part in parts if part.shape is not None]
    if len(shapes) != 2 or arguments.integer("axis", -1) != -1:
        raise UndecidedError
    if not all(shapes):
        raise CertainError
    same_extent(shapes[0][-1], shapes[1][-1])
    return array_or_scalar(dtype, broadcast_shapes([shape[:-1] for shape in shapes]))


define("linalg.vecdot", "x1 x2 axis", _vecdot)


def _order(arguments: Arguments) -> dict[str, object]:
    """Return the order of a norm as an option to probe with."""
    if not arguments.given("ord"):
        return {}
    order = arguments.constant("ord")
    if not isinstance(order, str | int | float):
        raise UndecidedError
    return {"ord": order}


def _matrix_norm(arguments: Arguments) -> Type:
    type_ = _matrix(arguments, "x")
    dtype = learned("linalg.matrix_norm", [type_.dtype], _PAIR, options=_order(arguments))
    keepdims = arguments.flag("keepdims")
    return array_or_scalar(dtype, _leading(type_.shape, *((1, 1) if keepdims else ())))


define("linalg.matrix_norm", "x keepdims ord", _matrix_norm)


def _vector_norm(arguments: Arguments) -> Type:
    type_ = arguments.array("x")
    dtype = learned("linalg.vector_norm", [type_.dtype], options=_order(arguments))
    shape = reduced_shape(type_.shape, arguments.constant("axis"), arguments.flag("keepdims"))
    return array_or_scalar(dtype, shape)


define("linalg.vector_norm", "x axis keepdims ord", _vector_norm)
