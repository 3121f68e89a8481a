"""Result types of Python's operators on Python's own numbers and sequences.

Owns the rules for operands that are exactly ``bool``, ``int``, ``float``, ``complex``, ``str``,
``tuple``, ``list``, ``dict``, ``set``, ``range``, ``slice`` or ``None``. It leaves operands of
NumPy and of unknown classes to `arithmetic`. Invariants: bottom means that CPython certainly raises
a TypeError; an extent is kept only where the result certainly equals it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

from ..ir.graph import Value
from ..ir.lattice import join
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    DICT,
    FLOAT,
    INT,
    LIST,
    NUMBER_KINDS,
    SET,
    STRING,
    DictType,
    IteratorType,
    ListType,
    NoneType,
    NumberType,
    RangeType,
    SetType,
    SliceType,
    StringType,
    TupleType,
    Type,
    is_plain,
)
from .registry import Raises, constant_of, opaque_like

MAX_TUPLE = 64
"""Longest tuple whose items are told apart when tuples are concatenated or repeated."""
MAX_DEPTH = 3
"""How deep tuples in tuples are followed."""
_FOLDED_LIMIT = 2**31
_MAX_EXPONENT = 64

_LITERAL: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv,
    "mod": operator.mod, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "rshift": operator.rshift,
}  # fmt: skip
_ORDERINGS = ("lt", "le", "gt", "ge")
COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")
_BUILTIN = (
    NumberType | StringType | TupleType | ListType | DictType | SetType | RangeType | SliceType
    | NoneType | IteratorType
)  # fmt: skip


def is_builtin(type_: Type) -> bool:
    """Tell whether values of `type_` are exactly of a builtin class whose rules are known here."""
    return isinstance(type_, _BUILTIN)


def tuple_depth(type_: Type) -> int:
    """Return how deep tuples are nested in `type_`; 0 for anything but a tuple."""
    if not isinstance(type_, TupleType):
        return 0
    return 1 + max((tuple_depth(item) for item in type_.items), default=0)


def tuple_type(items: Sequence[Type], inputs: Sequence[Value]) -> Type:
    """Return the type of a tuple of `items`; opaque when it is too long or nested too deep."""
    result = TupleType(tuple(items))
    if len(items) > MAX_TUPLE or tuple_depth(result) > MAX_DEPTH:
        return opaque_like(inputs)
    return result


def known_int(type_: Type) -> int | None:
    """Return the integer that values of `type_` are known to equal, or None."""
    if isinstance(type_, NumberType) and isinstance(type_.extent, int):
        return type_.extent
    return None


def int_type(number: int) -> NumberType:
    """Return the type of an ``int`` known to equal `number`."""
    return NumberType("int", number if -_FOLDED_LIMIT < number < _FOLDED_LIMIT else None)


def binary_number(name: str, left: Value, right: Value) -> Type:
    """Return the type of ``left <name> right`` for two Python numbers.

    >>> str(binary_number("pow", Value(INT), Value(INT)))
    'float | int'
    >>> str(binary_number("add", Value(NumberType("int", 2)), Value(NumberType("int", 3))))
    'int(5)'
    """
    a, b = left.type, right.type
    assert isinstance(a, NumberType) and isinstance(b, NumberType)
    kinds = (a.kind, b.kind)
    if name in COMPARISONS:
        return BOTTOM if name in _ORDERINGS and "complex" in kinds else BOOL
    if name == "pow":
        return _power(left, right)
    kind = max(kinds, key=NUMBER_KINDS.index)
    if name in ("and", "or", "xor", "lshift", "rshift"):
        if kind in ("float", "complex"):
            return BOTTOM
        if kind == "bool" and name in ("and", "or", "xor"):
            return BOOL
        return _int_result(name, a, b)
    if name == "matmul" or (name in ("floordiv", "mod") and kind == "complex"):
        return BOTTOM
    if kind in ("float", "complex"):
        return FLOAT if kind == "float" else COMPLEX
    return FLOAT if name == "truediv" else _int_result(name, a, b)


def _int_result(name: str, a: NumberType, b: NumberType) -> Type:
    """Return ``int`` with the extent that the result is known to equal, if there is one."""
    left, right = a.extent, b.extent
    if isinstance(left, int) and isinstance(right, int):
        fold = _LITERAL.get(name)
        if fold is not None and not (name in ("floordiv", "mod") and right == 0) and (
            name != "rshift" or right >= 0
        ):
            return int_type(fold(left, right))
        return INT
    if a.kind == "int" and (
        (right == 0 and name in ("add", "sub")) or (right == 1 and name in ("mul", "floordiv"))
    ):
        return a
    if b.kind == "int" and ((left == 0 and name == "add") or (left == 1 and name == "mul")):
        return b
    if name == "sub" and left is not None and left == right:
        return int_type(0)
    return INT


def _power(left: Value, right: Value) -> Type:
    a, b = left.type, right.type
    assert isinstance(a, NumberType) and isinstance(b, NumberType)
    if "complex" in (a.kind, b.kind):
        return COMPLEX
    if b.kind == "float":
        exponent = constant_of(right)
        whole = isinstance(exponent, float) and exponent.is_integer()
        return FLOAT if whole or a.kind == "bool" else join(FLOAT, COMPLEX)
    if a.kind == "float":
        return FLOAT
    if b.kind == "bool":
        return INT
    base, number = known_int(a), known_int(b)
    if number is None:
        return join(INT, FLOAT)
    if number < 0:
        return FLOAT
    if base is not None and number <= _MAX_EXPONENT:
        return int_type(base**number)
    return a if number == 1 and a.kind == "int" else INT


def binary_builtin(name: str, left: Value, right: Value) -> Type:
    """Return the type of ``left <name> right`` for two values of builtin classes.

    Bottom when CPython certainly raises TypeError.
    """
    a, b = left.type, right.type
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        return binary_number(name, left, right)
    if name in ("eq", "ne"):
        return BOOL
    if name in _ORDERINGS:
        return _ordering(name, left, right)
    if name == "mod" and isinstance(a, StringType):
        return STRING if is_plain(b) else opaque_like([left, right])
    if name == "add":
        return _concatenated(left, right)
    if name == "mul":
        return _repeated(left, right)
    if isinstance(a, SetType) and isinstance(b, SetType) and name in ("and", "or", "xor", "sub"):
        return SET
    if isinstance(a, DictType) and isinstance(b, DictType) and name == "or":
        return DICT
    return BOTTOM


def _concatenated(left: Value, right: Value) -> Type:
    a, b = left.type, right.type
    if isinstance(a, StringType) and isinstance(b, StringType):
        return STRING
    if isinstance(a, ListType) and isinstance(b, ListType):
        return LIST
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return tuple_type((*a.items, *b.items), [left, right])
    return BOTTOM


def _repeated(left: Value, right: Value) -> Type:
    sequence, count = (left, right) if isinstance(right.type, NumberType) else (right, left)
    kind = count.type.kind if isinstance(count.type, NumberType) else "float"
    if kind not in ("bool", "int"):
        return BOTTOM
    if isinstance(sequence.type, StringType | ListType):
        return STRING if isinstance(sequence.type, StringType) else LIST
    if not isinstance(sequence.type, TupleType):
        return BOTTOM
    times = known_int(count.type)
    if times is None or max(times, 0) * len(sequence.type.items) > MAX_TUPLE:
        return opaque_like([left, right])
    return tuple_type(sequence.type.items * max(times, 0), [left, right])


def _ordering(name: str, left: Value, right: Value) -> Type:
    a, b = left.type, right.type
    for family in (StringType, ListType, SetType, TupleType, SliceType):
        if isinstance(a, family) and isinstance(b, family):
            if family in (StringType, SetType):
                return BOOL
            items = (*a.items, *b.items) if isinstance(a, TupleType) and isinstance(
                b, TupleType
            ) else None
            if items is not None and all(isinstance(i, NumberType | StringType) for i in items):
                return BOOL
            return opaque_like([left, right])
    return BOTTOM


def unary_number(name: str, type_: NumberType) -> Type:
    """Return the type of ``-x``, ``+x`` or ``~x`` for a Python number."""
    if type_.kind in ("float", "complex"):
        return BOTTOM if name == "invert" else type_
    number = known_int(type_)
    if number is not None:
        return int_type({"neg": -number, "pos": number, "invert": ~number}[name])
    return type_ if name == "pos" and type_.kind == "int" else INT


def number_raises(name: str, left: Value, right: Value) -> Raises:
    """Return when ``left <name> right`` raises for two Python numbers.

    Only an ``int`` of unknown size meeting a ``float`` or ``complex`` can be too large for it.
    """
    a, b = left.type, right.type
    assert isinstance(a, NumberType) and isinstance(b, NumberType)
    kinds = (a.kind, b.kind)
    if name in COMPARISONS:
        orders_complex = name in _ORDERINGS and "complex" in kinds
        return Raises.VALUE if orders_complex else Raises.NEVER
    integers = all(kind in ("bool", "int") for kind in kinds)
    converted = any(t.kind == "int" and t.extent is None for t in (a, b))
    mixed = converted and not integers
    if name in ("add", "sub", "mul"):
        return Raises.VALUE if mixed else Raises.NEVER
    if name in ("and", "or", "xor"):
        return Raises.NEVER if integers else Raises.VALUE
    literal = _literal(right)
    if name in ("lshift", "rshift"):
        small = literal is not None and 0 <= literal <= _MAX_EXPONENT
        return Raises.NEVER if integers and small else Raises.VALUE
    if name in ("floordiv", "mod") and "complex" not in kinds:
        return Raises.NEVER if literal and not mixed else Raises.VALUE
    if name == "truediv" and "complex" not in kinds:
        return Raises.NEVER if literal and not converted else Raises.VALUE
    if name == "pow" and integers and literal is not None:
        return Raises.NEVER if 0 <= literal <= _MAX_EXPONENT else Raises.VALUE
    return Raises.VALUE


def _literal(value: Value) -> int | float | None:
    payload = constant_of(value)
    if type(payload) in (bool, int, float):
        return payload  # type: ignore[return-value]  # a number by now
    return known_int(value.type)
