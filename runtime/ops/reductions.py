"""Functions that reduce axes, and running totals.

Owns sums, means, extrema, medians, quantiles and their kin. It leaves their methods to `methods`.
Invariant: the dtype of each result is learnt from NumPy itself (`probe_dtype`); a result without
axes is a NumPy scalar.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.lattice import join
from ..ir.types import INT, ArrayType, NumberType, ScalarType, TupleType, Type
from .calling import Arguments, axes_of, define, integer_of, numpy_function
from .dense import (
    CertainError,
    Dense,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    dense_of,
    probe_dtype,
    size_of,
)
from .registry import Raises

_INDEX = np.dtype(np.intp)


def reduced_shape(shape: Shape | None, axis: object, keepdims: bool) -> Shape | None:
    """Return the shape left when `axis` (an integer, a tuple, None for all) is reduced.

    >>> reduced_shape(("n", 3), 0, False), reduced_shape(("n", 3), None, True)
    ((3,), (1, 1))
    """
    if shape is None:
        return () if axis is None and not keepdims else None
    if not shape and axis in (0, -1) and not isinstance(axis, tuple | bool):
        return ()  # NumPy lets a value without axes be reduced over its first one
    axes = axes_of(axis, len(shape))
    if keepdims:
        return tuple(1 if i in axes else extent for i, extent in enumerate(shape))
    return tuple(extent for i, extent in enumerate(shape) if i not in axes)


def _operand(arguments: Arguments) -> Dense:
    return dense_of(arguments.type("a"))


class _Reduction:
    """The result of a function that reduces axes."""

    def __init__(self, name: str, extra: tuple[str, ...] = (), single_axis: bool = False) -> None:
        self.function = numpy_function(name)
        self.extra = extra
        """Arguments that do not matter to the type."""
        self.single_axis = single_axis
        self.drops_nan = name.startswith("nan")

    def __call__(self, arguments: Arguments) -> Type:
        arguments.only("a", "axis", "dtype", "keepdims", "out", *self.extra)
        operand = _operand(arguments)
        return array_or_scalar(self.dtype(operand.dtype, arguments), self.shape(operand, arguments))

    def shape(self, operand: Dense, arguments: Arguments) -> Shape | None:
        """Return the shape of the result, None if the axis is not known."""
        try:
            axis = arguments.constant("axis")
            keepdims = arguments.flag("keepdims")
            if self.single_axis and isinstance(axis, tuple):
                raise CertainError
            return reduced_shape(operand.shape, axis, keepdims)
        except UndecidedError:
            return None

    def dtype(self, dtype: np.dtype | None, arguments: Arguments) -> np.dtype | None:
        """Return the dtype of the result."""
        assert self.function is not None
        options = {} if not arguments.given("dtype") else {"dtype": arguments.dtype()}
        return probe_dtype(self.function, [dtype], (), options)


def _is_total(arguments: Arguments) -> Raises:
    """Return when a sum of a known array raises: its axes fit, since its type was decided."""
    operand = _operand(arguments)
    if operand.dtype is None or operand.shape is None or set(arguments.positions) - _KNOWN:
        return Raises.VALUE
    if not _axis_is_known(arguments) or (not operand.shape and arguments.given("axis")):
        return Raises.VALUE
    return Raises.NEVER if operand.dtype.kind in "biu" else Raises.WARNS


def _axis_is_known(arguments: Arguments) -> bool:
    """Tell whether ``axis`` and ``keepdims`` are what reductions take."""
    try:
        axis = arguments.constant("axis")
        for item in axis if isinstance(axis, tuple) else () if axis is None else (axis,):
            integer_of(item)
        arguments.flag("keepdims")
    except UndecidedError:
        return False
    return True


_KNOWN = {"a", "axis", "keepdims"}


def _mean_raises(arguments: Arguments) -> Raises:
    return max(_is_total(arguments), Raises.WARNS)


def _extremum_raises(arguments: Arguments) -> Raises:
    """Return when an extremum raises: an axis of unknown length may be empty."""
    return _is_total(arguments) if _is_full(_operand(arguments).shape) else Raises.VALUE


def _is_full(shape: Shape | None) -> bool:
    """Tell whether an array of `shape` certainly has elements."""
    return shape is not None and all(isinstance(n, int) and n > 0 for n in shape)


for _name in ("sum", "prod"):
    define(
        _name, "a axis dtype out keepdims initial where", _Reduction(_name, ("initial", "where")),
        raises=_is_total,
    )  # fmt: skip
for _name in ("any", "all"):
    define(
        _name, "a axis out keepdims where", _Reduction(_name, ("where",)), raises=_is_total
    )
for _name in ("max", "min", "amax", "amin"):
    define(
        _name, "a axis out keepdims initial where", _Reduction(_name, ("initial", "where")),
        raises=_extremum_raises,
    )  # fmt: skip
define("ptp", "a axis out keepdims", _Reduction("ptp"))
define(
    "mean", "a axis dtype out keepdims where", _Reduction("mean", ("where",)), raises=_mean_raises
)
for _name in ("std", "var"):
    define(
        _name, "a axis dtype out ddof keepdims where mean correction",
        _Reduction(_name, ("ddof", "where", "correction")), raises=_mean_raises,
    )  # fmt: skip
for _name in ("argmax", "argmin"):
    define(
        _name, "a axis out keepdims", _Reduction(_name, single_axis=True), raises=_extremum_raises
    )
for _name in ("nanargmax", "nanargmin"):
    define(_name, "a axis out keepdims", _Reduction(_name, single_axis=True))
for _name in ("nansum", "nanprod"):
    define(
        _name, "a axis dtype out keepdims initial where", _Reduction(_name, ("initial", "where"))
    )
for _name in ("nanmax", "nanmin"):
    define(_name, "a axis out keepdims initial where", _Reduction(_name, ("where",)))
define("nanmean", "a axis dtype out keepdims where", _Reduction("nanmean", ("where",)))
for _name in ("nanstd", "nanvar"):
    define(
        _name, "a axis dtype out ddof keepdims where mean correction",
        _Reduction(_name, ("ddof", "where", "correction")),
    )  # fmt: skip


class _Median(_Reduction):
    """The result of a median, which may use its operand as scratch."""

    def __call__(self, arguments: Arguments) -> Type:
        if arguments.given("overwrite_input"):
            arguments.flag("overwrite_input")
        return _kept(super().__call__(arguments), arguments)


def _kept(type_: Type, arguments: Arguments) -> Type:
    """Return `type_`, or an array without axes too where ``keepdims`` may keep that array."""
    if isinstance(type_, ScalarType) and arguments.given("keepdims"):
        return join(type_, ArrayType(type_.dtype, ()))
    return type_


for _name in ("median", "nanmedian"):
    define(
        _name, "a axis out overwrite_input keepdims", _Median(_name, ("overwrite_input",)),
        writes=("a:overwrite_input",),
    )  # fmt: skip


class _Quantile(_Reduction):
    """The result of quantiles: the axes of `q` come first."""

    def __call__(self, arguments: Arguments) -> Type:
        arguments.only("a", "q", "axis", "keepdims", "out", "method")
        method = arguments.constant("method", "linear")
        if not isinstance(method, str):
            raise UndecidedError
        operand = _operand(arguments)
        q = dense_of(arguments.type("q"))
        shape = reduced_shape(operand.shape, arguments.constant("axis"), arguments.flag("keepdims"))
        whole = None if q.shape is None or shape is None else (*q.shape, *shape)
        if self.drops_nan and q.shape != () and not _is_full(operand.shape):
            whole = None  # of no numbers there is one mean, whatever `q` is
        assert self.function is not None
        kind = arguments.type("q")
        if arguments.constant("axis") == ():
            raise UndecidedError  # NumPy chooses among single numbers, without converting them
        if not isinstance(kind, ArrayType | ScalarType):
            number = kind.kind if isinstance(kind, NumberType) else "float"
            example = {"bool": True, "int": 0}.get(number, 0.5)
            options = {"q": example, "method": method}
            dtype = probe_dtype(self.function, [operand.dtype], (), options)
        else:
            keys = [operand.dtype, q.dtype]
            dtype = probe_dtype(self.function, keys, ((2,), ()), {"method": method})
        if self.drops_nan and dtype is not None and dtype.kind != "f":
            dtype = dtype if _is_full(operand.shape) else None  # NaN is what is left of nothing
        return _kept(array_or_scalar(dtype, whole), arguments)


for _name in ("percentile", "quantile", "nanpercentile", "nanquantile"):
    define(
        _name, "a q axis out overwrite_input method keepdims weights interpolation",
        _Quantile(_name), writes=("a:overwrite_input",),
    )  # fmt: skip


def _count_nonzero(arguments: Arguments) -> Type:
    """Return the type of a count; its class is what this version of NumPy gives."""
    arguments.only("a", "axis", "keepdims")
    operand = _operand(arguments)
    keepdims = arguments.flag("keepdims")
    if not arguments.given("axis") and not keepdims:
        if operand.dtype is None and operand.shape is None:
            raise UndecidedError
        return _COUNT_TYPE
    shape = reduced_shape(operand.shape, arguments.constant("axis"), keepdims)
    if not shape:
        raise UndecidedError
    return ArrayType(_INDEX, shape)


_COUNTED: object = np.count_nonzero(np.ones(2))
_COUNT_TYPE: Type = INT if isinstance(_COUNTED, int) else ScalarType(_INDEX)
define("count_nonzero", "a axis keepdims", _count_nonzero)


def _average(arguments: Arguments) -> Type:
    arguments.only("a", "axis", "weights", "keepdims", "returned")
    operand = _operand(arguments)
    shape = reduced_shape(operand.shape, arguments.constant("axis"), arguments.flag("keepdims"))
    keys = [operand.dtype]
    average: Callable[..., object] = np.average
    if arguments.given("weights"):
        keys.append(dense_of(arguments.type("weights")).dtype)
        average = _weighted_average
    result = array_or_scalar(probe_dtype(average, keys), shape)
    if not arguments.flag("returned"):
        return result
    return TupleType((result, array_or_scalar(probe_dtype(_sum_of_weights, keys), shape)))


def _weighted_average(a: np.ndarray, weights: np.ndarray) -> object:
    return np.average(a, weights=weights)


def _sum_of_weights(a: np.ndarray, weights: np.ndarray | None = None) -> object:
    return np.average(a, weights=weights, returned=True)[1]



define("average", "a axis weights returned keepdims", _average)


class _Running:
    """The result of a running total: as long as its operand."""

    def __init__(self, name: str) -> None:
        self.function = numpy_function(name)

    def __call__(self, arguments: Arguments) -> Type:
        arguments.only("a", "axis", "dtype", "out")
        operand = _operand(arguments)
        assert self.function is not None
        options = {} if not arguments.given("dtype") else {"dtype": arguments.dtype()}
        dtype = probe_dtype(self.function, [operand.dtype], (), options)
        if not arguments.given("axis"):
            return ArrayType(dtype, (size_of(operand.shape),))
        return array_with(dtype, lambda: self.shape(operand.shape, arguments.constant("axis")))

    def shape(self, shape: Shape | None, axis: object) -> Shape | None:
        """Return the shape of the result along `axis`; that of no axes is left open."""
        if isinstance(axis, tuple):
            raise CertainError
        if axis is not None and shape:
            axes_of(axis, len(shape))
        return (size_of(shape),) if axis is None else shape or None


for _name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):
    define(_name, "a axis dtype out", _Running(_name), raises=_is_total)
