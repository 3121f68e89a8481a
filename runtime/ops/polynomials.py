"""Polynomials by their coefficients: ``np.polyval``, ``np.polyfit``, ``np.roots`` and their kin.

Owns their lengths and dtypes. It leaves the classes of ``numpy.polynomial`` and ``np.poly1d``,
which are objects, to unknown calls. Invariant: where leading zeros are cut, or roots may be
complex, the type says that it depends on values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.lattice import join
from ..ir.types import FLOAT, ArrayType, Extent, NumberType, TupleType, Type
from .calling import Arguments, define, maybe
from .dense import (
    CertainError,
    Dense,
    UndecidedError,
    array_or_scalar,
    probe_dtype,
    same_extent,
)
from .probing import larger, learned, one_of_arrays, plus, scalar_of


def _coefficients(arguments: Arguments, name: str = "p") -> Dense:
    """Return coefficients as a vector."""
    dense = arguments.dense(name)
    if dense.shape is None:
        raise UndecidedError
    if len(dense.shape) > 1:
        raise CertainError
    return Dense(dense.dtype, dense.shape or (1,))


def _length(dense: Dense) -> Extent:
    assert dense.shape is not None
    return dense.shape[0]


def _value(arguments: Arguments) -> Type:
    coefficients = arguments.dense("p")
    if coefficients.rank != 1:
        raise UndecidedError
    at = arguments.dense("x")
    dtype = learned("polyval", [coefficients.dtype, at.dtype])
    length = _length(coefficients)
    perhaps_none = not isinstance(length, int) or length == 0
    if perhaps_none and (dtype is None or dtype != at.dtype):
        raise UndecidedError  # no coefficients give zeros like `x`
    if at.shape == () or at.shape is None:
        if perhaps_none:
            raise UndecidedError
        return array_or_scalar(dtype, at.shape)
    return ArrayType(dtype, at.shape)


define("polyval", "p x", _value, maybe("x"))


def _fit(arguments: Arguments) -> Type:
    x, y = arguments.array("x"), arguments.array("y")
    degree = arguments.type("deg")
    if not isinstance(degree, NumberType) or degree.kind != "int":
        raise UndecidedError
    if isinstance(degree.extent, int) and degree.extent < 0:
        raise CertainError
    count: Extent = degree.extent + 1 if isinstance(degree.extent, int) else None
    if x.shape is None or y.shape is None or len(y.shape) not in (1, 2):
        raise UndecidedError
    if len(x.shape) != 1:
        raise CertainError
    same_extent(x.shape[0], y.shape[0])
    keys, shapes = [x.dtype, y.dtype], ((4,), (4,))
    several = y.shape[1:]
    dtype = probe_dtype(_line, keys, shapes)
    fitted = ArrayType(dtype, (count, *several))
    if arguments.flag("full"):
        parts = [probe_dtype(_LINE_PARTS[i], keys, shapes) for i in range(4)]
        if arguments.given("rcond"):
            raise UndecidedError
        residuals, least = ArrayType(parts[0], (None,)), ArrayType(parts[2], (count,))
        return TupleType((fitted, residuals, scalar_of(parts[1]), least, scalar_of(parts[3])))
    covariance = arguments.constant("cov", False)
    if covariance is False:
        return fitted
    if covariance is not True and not isinstance(covariance, str):
        raise UndecidedError
    matrix = probe_dtype(_line_covariance, keys, shapes)
    return TupleType((fitted, ArrayType(matrix, (count, count, *several))))


def _ramp(x: np.ndarray) -> np.ndarray:
    return np.arange(len(x)).astype(x.dtype)


def _line(x: np.ndarray, y: np.ndarray) -> object:
    return np.polyfit(_ramp(x), y, 1)


def _line_covariance(x: np.ndarray, y: np.ndarray) -> object:
    return np.polyfit(_ramp(x), y, 1, cov=True)[1]


def _line_part(part: int) -> Callable[..., object]:
    def function(x: np.ndarray, y: np.ndarray) -> object:
        found: Sequence[object] = np.polyfit(_ramp(x), y, 1, full=True)
        return found[part]

    return function


_LINE_PARTS = tuple(_line_part(part) for part in (1, 2, 3, 4))
define("polyfit", "x y deg rcond full w cov", _fit)


def _from_roots(arguments: Arguments) -> Type:
    dense = arguments.dense("seq_of_zeros")
    shape = dense.shape
    if shape is None or not shape or dense.dtype is None:
        raise UndecidedError
    if len(shape) > 2:
        raise CertainError
    length = shape[0] if len(shape) == 1 else same_extent(shape[0], shape[1])
    dtype = learned("poly", [dense.dtype], ((2,) * len(shape),))
    dtypes = [dtype]
    if dtype is not None and (dense.dtype.kind == "c" or len(shape) == 2):
        dtypes.append(np.result_type(dtype, np.complex64))
    result = one_of_arrays(dtypes, (plus(length, 1),))
    return result if isinstance(length, int) and length > 0 else join(result, FLOAT)


define("poly", "seq_of_zeros", _from_roots)


def _roots(arguments: Arguments) -> Type:
    coefficients = _coefficients(arguments)
    if coefficients.dtype is None:
        raise UndecidedError
    real = learned("roots", [coefficients.dtype], ((1,),))  # of a constant: none
    some = probe_dtype(_some_roots, [coefficients.dtype])
    dtypes = [real, some]
    if some is not None:
        dtypes.append(np.result_type(some, np.complex64))
    return one_of_arrays(dtypes, (None,))


def _some_roots(p: np.ndarray) -> object:
    return np.roots(np.array([1, 0, 0], p.dtype) + np.array([0, 2, 1], p.dtype))


define("roots", "p", _roots)


def _sum_of(arguments: Arguments) -> Type:
    parts = [_coefficients(arguments, name) for name in ("a1", "a2")]
    dtype = learned("polyadd", [part.dtype for part in parts])
    return ArrayType(dtype, (larger(*map(_length, parts)),))


define("polyadd", "a1 a2", _sum_of)


def _difference(arguments: Arguments) -> Type:
    parts = [_coefficients(arguments, name) for name in ("a1", "a2")]
    dtype = learned("polysub", [part.dtype for part in parts])
    return ArrayType(dtype, (larger(*map(_length, parts)),))


define("polysub", "a1 a2", _difference)


def _product(arguments: Arguments) -> Type:
    parts = [_coefficients(arguments, name) for name in ("a1", "a2")]
    return ArrayType(learned("polymul", [part.dtype for part in parts]), (None,))


define("polymul", "a1 a2", _product)


def _quotient(arguments: Arguments) -> Type:
    parts = [_coefficients(arguments, name) for name in ("u", "v")]
    dtypes = [learned("polydiv", [part.dtype for part in parts], (), item) for item in (0, 1)]
    return TupleType(tuple(ArrayType(dtype, (None,)) for dtype in dtypes))


define("polydiv", "u v", _quotient)


def _derivative(arguments: Arguments) -> Type:
    arguments.only("p", "m")
    coefficients = _coefficients(arguments)
    times = arguments.integer("m", 1)
    if times < 0:
        raise CertainError
    if times == 0 or arguments.dense("p").shape == ():
        raise UndecidedError  # the coefficients themselves
    dtype = learned("polyder", [coefficients.dtype], ((4,),), options={"m": times})
    return ArrayType(dtype, (plus(_length(coefficients), -times),))


define("polyder", "p m", _derivative, maybe("p"))


def _integral(arguments: Arguments) -> Type:
    arguments.only("p", "m")
    coefficients = _coefficients(arguments)
    times = arguments.integer("m", 1)
    if times < 0:
        raise CertainError
    if times == 0 or arguments.dense("p").shape == ():
        raise UndecidedError
    dtype = learned("polyint", [coefficients.dtype], ((4,),), options={"m": times})
    return ArrayType(dtype, (plus(_length(coefficients), times),))


define("polyint", "p m k", _integral, maybe("p"))
