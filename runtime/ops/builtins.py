"""Builtin functions on single values: conversions, numbers, questions about objects, ``print``.

Owns their blocks. It leaves iterables to `builtin_iterables`, texts to `text`, exception classes to
`exceptions`. Invariant: a result type is concrete only where the function itself guarantees the
exact class, whatever classes of a user's are involved.
"""

from __future__ import annotations

import numpy as np

from ..ir.graph import Value
from ..ir.lattice import join, join_all
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    OPAQUE,
    SLICE,
    ArrayType,
    DictType,
    ListType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SetType,
    StringType,
    TupleType,
    Type,
    is_plain,
)
from .arithmetic import POW, is_numeric_operand, truth_effects
from .attributes import GETATTR
from .containers import is_hashable
from .effects import (
    NOTHING,
    conservative,
    elementwise_raises,
    merge_effects,
    plain_effects,
    readable,
)
from .functions import Arguments, always, define, opaque
from .number_types import binary_number, int_type, is_builtin, known_int, number_raises
from .registry import FRESH, UNKNOWN, Effects, Raises, constant_of
from .ufuncs import ufunc_result_types


def fresh_effects(arguments: Arguments) -> Effects:
    """Return the effects of a function whose result shares nothing with its plain operands."""
    return conservative(arguments.inputs, FRESH)


def _numbers(arguments: Arguments, *kinds: str) -> bool:
    """Tell whether all operands are Python numbers of these kinds."""
    return all(isinstance(t, NumberType) and t.kind in kinds for t in arguments.types())


# Length


def _length_type(arguments: Arguments) -> Type:
    (type_,) = arguments.types()
    if isinstance(type_, ArrayType):
        if type_.shape is None:
            return INT
        return NumberType("int", type_.shape[0]) if type_.shape else BOTTOM
    if isinstance(type_, TupleType):
        return int_type(len(type_.items))
    if isinstance(type_, RangeType):
        return NumberType("int", type_.length)
    sized = isinstance(type_, StringType | ListType | DictType | SetType)
    return BOTTOM if is_builtin(type_) and not sized else INT


def _length_effects(arguments: Arguments) -> Effects:
    (type_,) = arguments.types()
    if isinstance(type_, ArrayType):
        return NOTHING if type_.shape else Effects(Raises.VALUE, reads=(0,))
    if isinstance(type_, ListType | DictType | SetType):
        return Effects(reads=(0,))
    if isinstance(type_, TupleType | StringType):
        return NOTHING
    if is_builtin(type_):
        short = isinstance(type_, RangeType) and type_.length is not None
        return NOTHING if short else Effects(Raises.VALUE)
    return fresh_effects(arguments)


LEN = define("builtins.len", len, _length_type, _length_effects)


# Numbers


def _absolute_type(arguments: Arguments) -> Type:
    (type_,) = arguments.types()
    if isinstance(type_, NumberType):
        number = known_int(type_)
        if number is not None:
            return int_type(abs(number))
        if type_.kind == "complex":
            return FLOAT
        return INT if type_.kind == "bool" else type_
    if is_numeric_operand(type_):
        return ufunc_result_types(np.absolute, arguments.inputs)[0]
    return BOTTOM if is_builtin(type_) else opaque(arguments)


def _absolute_effects(arguments: Arguments) -> Effects:
    (type_,) = arguments.types()
    if isinstance(type_, NumberType):
        return Effects(Raises.VALUE) if type_.kind == "complex" else NOTHING
    if is_numeric_operand(type_):
        results = ufunc_result_types(np.absolute, arguments.inputs)
        raises = elementwise_raises(np.absolute, arguments.inputs, results)
        return Effects(raises, reads=readable(arguments.inputs))
    return fresh_effects(arguments)


def _int_type(arguments: Arguments) -> Type:
    types = arguments.types()
    if not types:
        return int_type(0)
    if len(types) == 1 and isinstance(types[0], NumberType):
        if types[0].kind == "complex":
            return BOTTOM
        return types[0] if types[0].kind == "int" else INT
    builtin = len(types) == 1 and is_builtin(types[0]) and not isinstance(types[0], StringType)
    return BOTTOM if builtin else INT


def _float_type(arguments: Arguments) -> Type:
    types = arguments.types()
    if not types:
        return FLOAT
    if isinstance(types[0], NumberType):
        return BOTTOM if types[0].kind == "complex" else FLOAT
    return BOTTOM if is_builtin(types[0]) and not isinstance(types[0], StringType) else FLOAT


def _int_effects(arguments: Arguments) -> Effects:
    return NOTHING if _numbers(arguments, "bool", "int") and len(arguments.inputs) < 2 else (
        fresh_effects(arguments)
    )


def fits_float(type_: Type) -> bool:
    """Tell whether ``float(x)`` certainly works for a Python number or NumPy scalar."""
    if isinstance(type_, NumberType):
        return type_.kind in ("bool", "float") or type_.extent is not None
    return isinstance(type_, ScalarType) and type_.dtype.kind in "biuf"


def _float_effects(arguments: Arguments) -> Effects:
    return NOTHING if all(map(fits_float, arguments.types())) else fresh_effects(arguments)


def _complex_effects(arguments: Arguments) -> Effects:
    fits = all(fits_float(t) or t == COMPLEX for t in arguments.types())
    return NOTHING if fits else fresh_effects(arguments)


def _bool_effects(arguments: Arguments) -> Effects:
    return truth_effects(arguments.inputs, {}) if arguments.inputs else NOTHING


def _round_type(arguments: Arguments) -> Type:
    type_ = arguments.inputs[0].type
    digits = arguments.get(1, "ndigits")
    if not isinstance(type_, NumberType):
        return BOTTOM if is_builtin(type_) else opaque(arguments)
    if type_.kind == "complex":
        return BOTTOM
    if type_.kind in ("bool", "int"):
        return type_ if digits is None and type_.kind == "int" else INT
    if digits is None or digits.type == NONE:
        return INT
    if isinstance(digits.type, NumberType | ScalarType):
        return FLOAT
    return join(INT, FLOAT) if is_plain(digits.type) else OPAQUE


def _round_effects(arguments: Arguments) -> Effects:
    short = _numbers(arguments, "bool", "int") and len(arguments.inputs) == 1
    return NOTHING if short else fresh_effects(arguments)


def _divmod_type(arguments: Arguments) -> Type:
    left, right = arguments.inputs
    if isinstance(left.type, NumberType) and isinstance(right.type, NumberType):
        parts = tuple(binary_number(name, left, right) for name in ("floordiv", "mod"))
        return BOTTOM if BOTTOM in parts else TupleType(parts)
    if is_numeric_operand(left.type) and is_numeric_operand(right.type):
        return TupleType(ufunc_result_types(np.divmod, (left, right)))
    return BOTTOM if is_builtin(left.type) and is_builtin(right.type) else opaque(arguments)


def _divmod_effects(arguments: Arguments) -> Effects:
    left, right = arguments.inputs
    if isinstance(left.type, NumberType) and isinstance(right.type, NumberType):
        return Effects(number_raises("floordiv", left, right))
    return fresh_effects(arguments)


def _pow_type(arguments: Arguments) -> Type:
    inputs = _named(arguments, "base", "exp", "mod")
    if len(inputs) == 2:
        return POW.result_types(inputs, {})[0]
    if len(inputs) != 3:
        return opaque(arguments)
    types = [value.type for value in inputs]
    if types[2] == NONE:
        return POW.result_types(inputs[:2], {})[0]
    if all(isinstance(t, NumberType) for t in types):
        return INT if _numbers(arguments, "bool", "int") else BOTTOM
    return opaque(arguments)


def _pow_effects(arguments: Arguments) -> Effects:
    inputs = _named(arguments, "base", "exp", "mod")
    if len(inputs) == 2 and not arguments.keywords:
        return POW.effects(inputs, {})
    return fresh_effects(arguments)


def _named(arguments: Arguments, *names: str) -> list[Value]:
    """Return the operands in the order of `names`, which may also be positional."""
    found = (arguments.get(position, name) for position, name in enumerate(names))
    return [value for value in found if value is not None]


ABS = define("builtins.abs", abs, _absolute_type, _absolute_effects)
INT_ = define("builtins.int", int, _int_type, _int_effects, count=(0, 2), keywords=("base",))
FLOAT_ = define("builtins.float", float, _float_type, _float_effects, count=(0, 1))
COMPLEX_ = define(
    "builtins.complex", complex, always(COMPLEX), _complex_effects, count=(0, 2),
    keywords=("real", "imag"),
)  # fmt: skip
BOOL_ = define("builtins.bool", bool, always(BOOL), _bool_effects, count=(0, 1))
ROUND = define(
    "builtins.round", round, _round_type, _round_effects, count=(1, 2), keywords=("ndigits",)
)
DIVMOD = define("builtins.divmod", divmod, _divmod_type, _divmod_effects, count=(2, 2))
POW_ = define(
    "builtins.pow", pow, _pow_type, _pow_effects, count=(0, 3), keywords=("base", "exp", "mod")
)
SLICE_ = define(
    "builtins.slice", slice,
    lambda arguments: SLICE if all(map(is_plain, arguments.types())) else OPAQUE,
    lambda arguments: NOTHING, count=(1, 3),
)  # fmt: skip


# Questions about objects

_PLAIN_CLASSES = frozenset((
    bool, int, float, complex, str, bytes, bytearray, tuple, list, dict, set, frozenset, range,
    slice, type(None), type, object, BaseException, Exception,
))  # fmt: skip


def _is_plain_class(payload: object) -> bool:
    """Tell whether asking for instances of a class, or of a tuple of them, runs no user's code."""
    if type(payload) is tuple:
        return all(_is_plain_class(item) for item in payload)
    if not isinstance(payload, type):
        return False
    return payload in _PLAIN_CLASSES or (
        type(payload) is type and payload.__module__ in ("numpy", "builtins")
    )


def _isinstance_effects(arguments: Arguments) -> Effects:
    value, classes = arguments.inputs
    known = not isinstance(value.type, OpaqueType | ObjectType) or is_plain(value.type)
    return NOTHING if known and _is_plain_class(constant_of(classes)) else UNKNOWN


def _issubclass_effects(arguments: Arguments) -> Effects:
    payloads = [constant_of(value) for value in arguments.inputs]
    return NOTHING if all(map(_is_plain_class, payloads)) else UNKNOWN


def _class_type(arguments: Arguments) -> Type:
    (type_,) = arguments.types()
    known = is_builtin(type_) or isinstance(type_, ArrayType | ScalarType)
    return ObjectType(type) if known else OPAQUE


def _no_effect(arguments: Arguments) -> Effects:
    return NOTHING


def _hash_effects(arguments: Arguments) -> Effects:
    (type_,) = arguments.types()
    return NOTHING if is_hashable(type_) else fresh_effects(arguments)


def _name_operand(arguments: Arguments) -> str | None:
    name = constant_of(arguments.inputs[1])
    return name if type(name) is str else None


def _getattr_type(arguments: Arguments) -> Type:
    name = _name_operand(arguments)
    if name is None:
        return OPAQUE
    (found,) = GETATTR.result_types(arguments.inputs[:1], {"name": name})
    return join_all((found, *(value.type for value in arguments.inputs[2:])))


def _getattr_effects(arguments: Arguments) -> Effects:
    name = _name_operand(arguments)
    if name is None:
        return UNKNOWN
    found = GETATTR.effects(arguments.inputs[:1], {"name": name})
    if len(arguments.inputs) > 2:
        default = plain_effects(arguments.inputs)
        return merge_effects(found, Effects(aliases=default.aliases))
    return found


def _hasattr_effects(arguments: Arguments) -> Effects:
    plain = all(is_plain(t) or isinstance(t, ListType | DictType | SetType | TupleType)
                for t in arguments.types())  # fmt: skip
    known = plain and _name_operand(arguments) is not None
    return Effects(reads=readable(arguments.inputs)) if known else UNKNOWN


ISINSTANCE = define(
    "builtins.isinstance", isinstance, always(BOOL), _isinstance_effects, count=(2, 2)
)
ISSUBCLASS = define(
    "builtins.issubclass", issubclass, always(BOOL), _issubclass_effects, count=(2, 2)
)
TYPE = define("builtins.type", type, _class_type, _no_effect)
CALLABLE = define("builtins.callable", callable, always(BOOL), _no_effect)
HASH = define("builtins.hash", hash, always(INT), _hash_effects)
ID = define("builtins.id", id, always(INT), _no_effect)
HASATTR = define("builtins.hasattr", hasattr, always(BOOL), _hasattr_effects, count=(2, 2))
GETATTR_ = define("builtins.getattr", getattr, _getattr_type, _getattr_effects, count=(2, 3))


# The outside


def _print_effects(arguments: Arguments) -> Effects:
    return Effects(Raises.VALUE, reads=readable(arguments.inputs), calls=True)


PRINT = define(
    "builtins.print", print, always(NONE), _print_effects, count=(0, 1_000_000),
    keywords=("sep", "end", "file", "flush"),
)  # fmt: skip

