"""Functions of samples and signals, elementwise functions that are no ufuncs, and predicates.

Owns ``round``, ``real``, ``isclose``, ``interp``, ``diff``, ``convolve``, ``bincount``, ``fft.*``
and their kin. It leaves means and quantiles to `reductions`. Invariant: elementwise functions give
scalars where NumPy does, which is learnt from NumPy itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.types import (
    BOOL,
    INT,
    ArrayType,
    Extent,
    NumberType,
    ScalarType,
    TupleType,
    Type,
    UnionType,
)
from .calling import Arguments, axis_of, define, maybe, numpy_function, settled
from .dense import (
    CertainError,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    broadcast_result,
    probe_dtype,
    size_of,
)
from .reductions import reduced_shape
from .registry import Raises

_BOOL = np.dtype(bool)


def _elementwise(name: str, *extra: str) -> Callable[[Arguments], Type]:
    """Return the rule of a function of one operand that gives a scalar for no axes."""
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        arguments.only("x", *extra)
        operand = arguments.dense("x")
        assert function is not None
        return array_or_scalar(probe_dtype(function, [operand.dtype]), operand.shape)

    return rule


for _name in ("round", "around"):
    define(
        _name, "x decimals out", _elementwise("round", "decimals"), maybe("x"),
        settled(_elementwise("round"), "x", settled=Raises.WARNS),
    )  # fmt: skip
for _name in ("fix",):
    define(_name, "x out", _elementwise(_name))
define("sinc", "x", _elementwise("sinc"))
define("angle", "x deg", _elementwise("angle", "deg"))


def _nan_to_num(arguments: Arguments) -> Type:
    arguments.only("x", "nan", "posinf", "neginf")
    operand = arguments.dense("x")
    return array_or_scalar(probe_dtype(np.nan_to_num, [operand.dtype]), operand.shape)


define("nan_to_num", "x copy nan posinf neginf", _nan_to_num, writes=("x",))


def _i0(arguments: Arguments) -> Type:
    operand = arguments.dense("x")
    return ArrayType(probe_dtype(np.i0, [operand.dtype]), operand.shape)


define("i0", "x", _i0)


def _part(name: str) -> Callable[[Arguments], Type]:
    """Return the rule of ``real`` and ``imag``, which give what the attribute gives."""
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        type_ = arguments.type("val")
        assert function is not None
        if isinstance(type_, ScalarType):
            dtype = probe_dtype(function, [type_.dtype])
            assert dtype is not None
            return ScalarType(dtype)
        array = arguments.array("val")
        return ArrayType(probe_dtype(function, [array.dtype]), array.shape)

    return rule


define("real", "val", _part("real"), maybe("val"), settled(_part("real"), "val"))
define("imag", "val", _part("imag"), maybe("val"), settled(_part("imag"), "val"))


# Comparison and predicates


def _isclose(arguments: Arguments) -> Type:
    operands = [arguments.dense(name) for name in ("a", "b")]
    arguments.only("a", "b", "equal_nan", "rtol", "atol")
    for name in ("rtol", "atol"):
        if name in arguments.positions and not isinstance(arguments.type(name), NumberType):
            raise UndecidedError
    return broadcast_result(_BOOL, [operand.shape for operand in operands])


define("isclose", "a b rtol atol equal_nan", _isclose)


def _truth(arguments: Arguments) -> Type:
    return BOOL


define("allclose", "a b rtol atol equal_nan", _truth, fallback=BOOL)
define("array_equal", "a1 a2 equal_nan", _truth, fallback=BOOL)
define("array_equiv", "a1 a2", _truth, fallback=BOOL)
define("shares_memory", "a b max_work", _truth, fallback=BOOL)
define("may_share_memory", "a b max_work", _truth, fallback=BOOL)


def _is_complex_like(name: str) -> Callable[[Arguments], Type]:
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        operand = arguments.dense("x")
        assert function is not None
        if operand.shape:
            return ArrayType(_BOOL, operand.shape)
        if operand.shape is None:
            raise UndecidedError
        return BOOL_OR_SCALAR

    return rule


BOOL_OR_SCALAR = UnionType(tuple(sorted((BOOL, ScalarType(_BOOL)), key=str)))
for _name in ("iscomplex", "isreal"):
    define(_name, "x", _is_complex_like(_name))
for _name in ("iscomplexobj", "isrealobj"):
    define(_name, "x", _truth, raises=Raises.NEVER, fallback=BOOL)
define("isscalar", "element", _truth, raises=Raises.NEVER, fallback=BOOL)
for _name in ("isposinf", "isneginf"):
    define(_name, "x out", _elementwise(_name))


def _numeric(type_: Type) -> bool:
    return isinstance(type_, ArrayType | ScalarType | NumberType)


def _shape(arguments: Arguments) -> Type:
    if not _numeric(arguments.type("a")):
        raise UndecidedError
    type_ = arguments.type("a")
    shape = type_.shape if isinstance(type_, ArrayType) else ()
    if shape is None:
        raise UndecidedError
    return TupleType(tuple(NumberType("int", extent) for extent in shape))


define("shape", "a", _shape, raises=Raises.NEVER)


def _ndim(arguments: Arguments) -> Type:
    type_ = arguments.type("a")
    if not _numeric(type_):
        return INT
    return NumberType("int", type_.rank if isinstance(type_, ArrayType) else 0)


define("ndim", "a", _ndim, fallback=INT)


def _size(arguments: Arguments) -> Type:
    type_ = arguments.type("a")
    if arguments.given("axis") or not _numeric(type_):
        return INT
    return NumberType("int", size_of(type_.shape) if isinstance(type_, ArrayType) else 1)


define("size", "a axis", _size, fallback=INT)


def _dtype_object(arguments: Arguments) -> Type:
    raise UndecidedError


for _name in ("result_type", "min_scalar_type", "promote_types"):
    define(_name, "*arrays_and_dtypes", _dtype_object)
define("can_cast", "from_ to casting", _truth, fallback=BOOL)
define("issubdtype", "arg1 arg2", _truth, fallback=BOOL)


# Samples and signals


def _bincount(arguments: Arguments) -> Type:
    arguments.dense("x")
    weighted = arguments.given("weights")
    return ArrayType(np.dtype(float if weighted else np.intp), (None,))


define("bincount", "x weights minlength", _bincount)


def _interp(arguments: Arguments) -> Type:
    values = arguments.dense("fp")
    dtype = probe_dtype(_interpolated, [values.dtype])
    return array_or_scalar(dtype, arguments.dense("x").shape)


def _interpolated(values: np.ndarray) -> object:
    return np.interp(np.ones(2), np.ones(2), values)


define("interp", "x xp fp left right period", _interp)


def _diff(arguments: Arguments) -> Type:
    arguments.only("a", "n", "axis")
    operand = arguments.dense("a")
    times = arguments.integer("n", 1)
    dtype = probe_dtype(np.diff, [operand.dtype])
    if times <= 0:
        raise UndecidedError

    def result() -> Shape | None:
        if operand.shape is None:
            return None
        at = axis_of(arguments.constant("axis", -1), len(operand.shape))
        shape: list[Extent] = list(operand.shape)
        extent = shape[at]
        shape[at] = max(0, extent - times) if isinstance(extent, int) else None
        return tuple(shape)

    return array_with(dtype, result)


define("diff", "a n axis prepend append", _diff, raises=settled(_diff, "a", settled=Raises.WARNS))


def _ediff1d(arguments: Arguments) -> Type:
    arguments.only("ary")
    operand = arguments.dense("ary")
    size = size_of(operand.shape)
    extent = max(0, size - 1) if isinstance(size, int) else None
    return ArrayType(probe_dtype(np.ediff1d, [operand.dtype]), (extent,))


define("ediff1d", "ary to_end to_begin", _ediff1d)


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


def _trapezoid(arguments: Arguments) -> Type:
    arguments.only("y")
    operand = arguments.array("y")
    if operand.shape is not None and not operand.shape:
        raise CertainError
    dtype = probe_dtype(np.trapezoid, [operand.dtype])
    return array_or_scalar(dtype, reduced_shape(operand.shape, -1, False))


define("trapezoid", "y x dx axis", _trapezoid)


def _unwrap(arguments: Arguments) -> Type:
    arguments.only("p")
    operand = arguments.array("p")
    if not operand.shape:
        raise UndecidedError
    return ArrayType(probe_dtype(np.unwrap, [operand.dtype]), operand.shape)


define("unwrap", "p discont axis period", _unwrap)


def _gradient(arguments: Arguments) -> Type:
    if len(arguments.inputs) != 1 or arguments.rest != (0,):
        raise UndecidedError
    operand = arguments.array("f")
    if not operand.shape:
        raise UndecidedError
    if any(isinstance(extent, int) and extent < 2 for extent in operand.shape):
        raise CertainError
    result = ArrayType(probe_dtype(np.gradient, [operand.dtype]), operand.shape)
    return result if len(operand.shape) == 1 else TupleType((result,) * len(operand.shape))


define("gradient", "*f axis edge_order", _gradient)


def _undecided(arguments: Arguments) -> Type:
    raise UndecidedError


define("cov", "m y rowvar bias ddof fweights aweights dtype", _undecided)
define("corrcoef", "x y rowvar dtype", _undecided)
define("histogram", "a bins range density weights", _undecided)
define("histogram_bin_edges", "a bins range weights", _undecided)
define("histogram2d", "x y bins range density weights", _undecided)
define("real_if_close", "a tol", _undecided, maybe("a"))
define("polyval", "p x", _undecided)
define("polyfit", "x y deg rcond full w cov", _undecided)
define("ravel_multi_index", "multi_index dims mode order", _undecided)
for _name in ("hanning", "hamming", "bartlett", "blackman"):
    define(_name, "M", lambda arguments: ArrayType(np.dtype(float), (None,)))


# Fourier transforms


def _transform(name: str) -> Callable[[Arguments], Type]:
    """Return the rule of a transform along one axis that keeps its length."""
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        arguments.only("a", "axis")
        operand = arguments.array("a")
        assert function is not None
        dtype = probe_dtype(function, [operand.dtype])
        return array_with(dtype, lambda: _transformed(name, operand.shape, arguments))

    return rule


def _transformed(name: str, shape: Shape | None, arguments: Arguments) -> Shape | None:
    if shape is None:
        return None
    axis = axis_of(arguments.constant("axis", -1), len(shape))
    extent = shape[axis]
    if extent == 0:
        raise CertainError
    if name == "fft.rfft":
        extent = extent // 2 + 1 if isinstance(extent, int) else None
    elif name == "fft.irfft":
        extent = 2 * (extent - 1) if isinstance(extent, int) else None
        if extent == 0:
            raise CertainError
    return (*shape[:axis], extent, *shape[axis + 1 :])


for _name in ("fft", "ifft", "rfft", "irfft"):
    define(f"fft.{_name}", "a n axis norm out", _transform(f"fft.{_name}"))


def _transform_all(name: str) -> Callable[[Arguments], Type]:
    function = numpy_function(name)
    least = 2 if name.endswith("2") else 1

    def rule(arguments: Arguments) -> Type:
        arguments.only("a")
        operand = arguments.array("a")
        assert function is not None
        dtype = probe_dtype(function, [operand.dtype], ((2, 2),))
        if operand.shape is None or len(operand.shape) < least:
            raise UndecidedError
        return ArrayType(dtype, operand.shape)

    return rule


for _name in ("fft2", "ifft2", "fftn", "ifftn"):
    define(f"fft.{_name}", "a s axes norm out", _transform_all(f"fft.{_name}"))


def _frequencies(arguments: Arguments) -> Type:
    raise UndecidedError


for _name in ("fftfreq", "rfftfreq"):
    define(f"fft.{_name}", "n d device", _frequencies)
for _name in ("fftshift", "ifftshift"):
    define(f"fft.{_name}", "x axes", lambda arguments: arguments.array("x"))
