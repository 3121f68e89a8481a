"""Functions of elements that are no ufuncs, predicates, and questions about arrays.

Owns ``round``, ``real``, ``isclose``, ``shape``, ``bincount`` and their kin. It leaves means and
quantiles to `reductions`, signals to `signals`. Invariant: elementwise functions give
scalars where NumPy does, which is learnt from NumPy itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.types import (
    BOOL,
    INT,
    STRING,
    ArrayType,
    NumberType,
    ScalarType,
    TupleType,
    Type,
    UnionType,
)
from .calling import Arguments, define, maybe, numpy_function, settled
from .dense import (
    UndecidedError,
    array_or_scalar,
    broadcast_result,
    probe_dtype,
    size_of,
)
from .probing import one_of_arrays
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
    if "copy" in arguments.positions and not arguments.flag("copy"):
        array = arguments.array("x")
        if not array.shape:
            raise UndecidedError
        return array
    arguments.only("x", "copy", "nan", "posinf", "neginf")
    operand = arguments.dense("x")
    return array_or_scalar(probe_dtype(np.nan_to_num, [operand.dtype]), operand.shape)


define("nan_to_num", "x copy nan posinf neginf", _nan_to_num, maybe("x"), writes=("x",))


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


def _real_if_close(arguments: Arguments) -> Type:
    """Return the type of what is real where the imaginary parts are small: that depends on them."""
    operand = arguments.dense("a")
    if operand.dtype is None:
        raise UndecidedError
    if operand.dtype.kind != "c":
        return ArrayType(operand.dtype, operand.shape)
    real = probe_dtype(np.real_if_close, [operand.dtype])
    return one_of_arrays([real, operand.dtype], operand.shape)


define("real_if_close", "a tol", _real_if_close, maybe("a"))


# Questions with an answer in Python's own types


def _text(arguments: Arguments) -> Type:
    return STRING


define("base_repr", "number base padding", _text, fallback=STRING)
define("binary_repr", "num width", _text, fallback=STRING)
define(
    "format_float_positional",
    "x precision unique fractional trim sign pad_left pad_right min_digits", _text, fallback=STRING,
)  # fmt: skip
define(
    "format_float_scientific", "x precision unique trim sign pad_left exp_digits min_digits", _text,
    fallback=STRING,
)  # fmt: skip
define("isdtype", "dtype kind", _truth, fallback=BOOL)
define("isfortran", "a", _truth, fallback=BOOL)
define("iterable", "y", _truth, fallback=BOOL)
