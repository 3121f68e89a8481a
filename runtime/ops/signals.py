"""Functions of sampled signals: differences, gradients, integrals, convolutions, windows.

Owns ``diff``, ``gradient``, ``trapezoid``, ``convolve``, ``interp``, ``unwrap`` and the windows. It
leaves Fourier transforms to `fourier`. Invariant: a length is known only where it follows from
lengths.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.types import ArrayType, Extent, NumberType, TupleType, Type
from .calling import Arguments, axes_of, axis_of, define, numpy_function, settled
from .dense import (
    CertainError,
    Dense,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    probe_dtype,
    size_of,
)
from .probing import learned, plus
from .reductions import reduced_shape
from .registry import Raises


def _interp(arguments: Arguments) -> Type:
    values = arguments.dense("fp")
    dtype = probe_dtype(_interpolated, [values.dtype])
    return array_or_scalar(dtype, arguments.dense("x").shape)


def _interpolated(values: np.ndarray) -> object:
    return np.interp(np.ones(2), np.ones(2), values)


define("interp", "x xp fp left right period", _interp)


# Differences


def _diff(arguments: Arguments) -> Type:
    arguments.only("a", "n", "axis", "prepend", "append")
    operand = arguments.dense("a")
    times = arguments.integer("n", 1)
    if times < 0:
        raise CertainError
    if times == 0:
        raise UndecidedError  # the operand itself
    added = [arguments.dense(name) for name in ("prepend", "append") if arguments.given(name)]
    keys = [operand.dtype, *(part.dtype for part in added)]
    dtype = operand.dtype
    if added:
        dtype = probe_dtype(_joined, keys)
    dtype = probe_dtype(np.diff, [dtype])

    def result() -> Shape | None:
        if operand.shape is None or any(part.shape is None for part in added):
            return None
        at = axis_of(arguments.constant("axis", -1), len(operand.shape))
        extent = operand.shape[at]
        for part in added:
            more = part.shape[at] if part.shape else 1
            extent = extent + more if isinstance(extent, int) and isinstance(more, int) else None
        return (*operand.shape[:at], plus(extent, -times), *operand.shape[at + 1 :])

    return array_with(dtype, result)


def _joined(*parts: np.ndarray) -> object:
    return np.concatenate(parts)


define("diff", "a n axis prepend append", _diff, raises=settled(_diff, "a", settled=Raises.WARNS))


def _ediff1d(arguments: Arguments) -> Type:
    operand = arguments.dense("ary")
    length = plus(size_of(operand.shape), -1)
    for name in ("to_end", "to_begin"):
        if arguments.given(name):
            more = size_of(arguments.dense(name).shape)
            length = length + more if isinstance(length, int) and isinstance(more, int) else None
    return ArrayType(probe_dtype(np.ediff1d, [operand.dtype]), (length,))


define("ediff1d", "ary to_end to_begin", _ediff1d)


def _gradient(arguments: Arguments) -> Type:
    if not arguments.rest:
        raise UndecidedError
    type_ = arguments.inputs[arguments.rest[0]].type
    if not isinstance(type_, ArrayType) or not type_.shape:
        raise UndecidedError
    axes = axes_of(arguments.constant("axis"), len(type_.shape))
    spacings = len(arguments.rest) - 1
    if spacings not in (0, 1, len(axes)):
        raise CertainError
    edge = arguments.integer("edge_order", 1)
    for axis in axes:
        extent = type_.shape[axis]
        if isinstance(extent, int) and extent < edge + 1:
            raise CertainError
    result = ArrayType(probe_dtype(np.gradient, [type_.dtype]), type_.shape)
    return result if len(axes) == 1 else TupleType((result,) * len(axes))


define("gradient", "*f axis edge_order", _gradient)


# Integrals and convolutions


def _trapezoid(arguments: Arguments) -> Type:
    y = arguments.array("y")
    if y.shape is not None and not y.shape:
        raise CertainError
    axis = arguments.constant("axis", -1)
    keys = [y.dtype]
    if arguments.given("x"):
        x = arguments.array("x")
        if x.rank != 1 and (x.rank is None or x.rank != y.rank):
            raise UndecidedError
        keys.append(x.dtype)
    elif "dx" in arguments.positions:
        kind = arguments.type("dx")
        if not isinstance(kind, NumberType) or kind.kind == "complex":
            raise UndecidedError
    return array_or_scalar(probe_dtype(np.trapezoid, keys), reduced_shape(y.shape, axis, False))


for _name in ("trapezoid", "trapz"):
    define(_name, "y x dx axis", _trapezoid)


def _convolution(name: str) -> Callable[[Arguments], Type]:
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        operands = [arguments.dense(part) for part in ("a", "v")]
        default = "full" if name == "convolve" else "valid"
        mode = arguments.constant("mode", default)
        if any(operand.shape is not None and len(operand.shape) > 1 for operand in operands):
            raise CertainError
        assert function is not None
        dtype = probe_dtype(function, [operand.dtype for operand in operands])
        sizes = [size_of(operand.shape) for operand in operands]
        return ArrayType(dtype, (_convolved(sizes[0], sizes[1], mode),))

    return rule


def _convolved(first: Extent, second: Extent, mode: object) -> Extent:
    if 0 in (first, second):
        raise CertainError
    if not (isinstance(first, int) and isinstance(second, int)):
        return None
    lengths = {
        "full": first + second - 1,
        "same": max(first, second),
        "valid": abs(first - second) + 1,
    }
    return lengths.get(mode) if isinstance(mode, str) else None


define("convolve", "a v mode", _convolution("convolve"))
define("correlate", "a v mode", _convolution("correlate"))


def _unwrap(arguments: Arguments) -> Type:
    for name in ("discont", "period"):
        if arguments.given(name):
            kind = arguments.type(name)
            if not isinstance(kind, NumberType) or kind.kind not in ("int", "float"):
                raise UndecidedError
    operand = arguments.array("p")
    if not operand.shape:
        raise UndecidedError
    axis_of(arguments.constant("axis", -1), len(operand.shape))
    period = arguments.type("period") if arguments.given("period") else NumberType("float")
    if period != NumberType("float"):
        whole = operand.dtype is None or operand.dtype.kind not in "fc"
        if whole:
            raise UndecidedError
    return ArrayType(learned("unwrap", [operand.dtype]), operand.shape)


define("unwrap", "p discont axis period", _unwrap)


def _cumulative(name: str) -> Callable[[Arguments], Type]:
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        array = arguments.array("x")
        assert function is not None
        options = {"dtype": arguments.dtype()} if arguments.given("dtype") else {}
        dtype = probe_dtype(function, [array.dtype], (), options)
        more = int(arguments.flag("include_initial"))
        if array.shape is None:
            return ArrayType(dtype, None)
        extents = array.shape or (1,)
        if not arguments.given("axis"):
            if len(extents) > 1:
                raise CertainError
            return ArrayType(dtype, (plus(extents[0], more),))

        def shape() -> Shape | None:
            axis = axis_of(arguments.constant("axis"), len(extents))
            return (*extents[:axis], plus(extents[axis], more), *extents[axis + 1 :])

        return array_with(dtype, shape)

    return rule


for _name in ("cumulative_sum", "cumulative_prod"):
    define(_name, "x axis dtype out include_initial", _cumulative(_name))


# Windows


def _window(arguments: Arguments) -> Type:
    count = arguments.type("M")
    if not isinstance(count, NumberType) or count.kind == "complex":
        raise UndecidedError
    extent = count.extent if count.kind == "int" else None
    if "beta" in arguments.positions:
        beta = arguments.type("beta")
        if not isinstance(beta, NumberType) or beta.kind == "complex":
            raise UndecidedError
    return ArrayType(np.dtype(float), (max(extent, 0) if isinstance(extent, int) else extent,))


for _name in ("hanning", "hamming", "bartlett", "blackman"):
    define(_name, "M", _window)
define("kaiser", "M beta", _window)


# Covariances


def _observed(arguments: Arguments, first: str) -> tuple[list[Dense], Extent]:
    """Return the samples, and how many variables they are of."""
    samples = [arguments.dense(name) for name in (first, "y") if arguments.given(name)]
    rows = arguments.flag("rowvar", True)
    counts = [_variables(sample.shape, rows) for sample in samples]
    known = [count for count in counts if isinstance(count, int)]
    return samples, sum(known) if len(known) == len(counts) else None


def _variables(shape: Shape | None, rows: bool) -> Extent:
    """Return how many variables a sample is of; versions of NumPy differ on one row of them."""
    if shape is None or len(shape) > 2:
        raise UndecidedError
    if len(shape) < 2:
        return 1
    if rows:
        return shape[0]
    return shape[1] if isinstance(shape[0], int) and shape[0] != 1 else None


def _covariance_dtype(arguments: Arguments, samples: list[Dense]) -> np.dtype | None:
    if arguments.given("dtype"):
        return arguments.dtype()
    return probe_dtype(np.cov, [sample.dtype for sample in samples])


def _cov(arguments: Arguments) -> Type:
    samples, count = _observed(arguments, "m")
    dtype = _covariance_dtype(arguments, samples)
    if not isinstance(count, int):
        return ArrayType(dtype, None)
    return ArrayType(dtype, () if count == 1 else (count, count))


define("cov", "m y rowvar bias ddof fweights aweights dtype", _cov)


def _corrcoef(arguments: Arguments) -> Type:
    samples, count = _observed(arguments, "x")
    dtype = _covariance_dtype(arguments, samples)
    if not isinstance(count, int):
        return array_or_scalar(dtype, None)
    return array_or_scalar(dtype, () if count == 1 else (count, count))


define("corrcoef", "x y rowvar dtype", _corrcoef)
