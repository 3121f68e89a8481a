"""What is inferred for Python's operations is not only right but as exact as promised."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.ir.graph import Constant, Value
from runtime.ir.lattice import join
from runtime.ir.types import (
    BOOL,
    COMPLEX,
    DICT,
    FLOAT,
    INT,
    LIST,
    NONE,
    OPAQUE,
    PLAIN,
    STRING,
    UNBOUND,
    ArrayType,
    IteratorType,
    NumberType,
    ObjectType,
    RangeType,
    ScalarType,
    TupleType,
    Type,
)
from runtime.ops.catalog import OPERATIONS
from runtime.ops.iteration import item_alias, item_type
from runtime.ops.registry import Raises, Sharing

F64, F32, I64, I8 = map(np.dtype, ("f8", "f4", "i8", "i1"))
N, TWO = NumberType("int", "n"), NumberType("int", 2)
VECTOR, MATRIX = ArrayType(F64, ("n",)), ArrayType(F64, ("n", 3))


def operands(items: tuple[object, ...]) -> list[Value]:
    """Return a value for each type, a constant for anything else."""
    return [Value(item) if isinstance(item, Type) else Constant(item) for item in items]


def inferred(operation: str, /, *items: object, **attrs: object) -> str:
    """Return the types of an operation's outputs as text."""
    return ", ".join(map(str, OPERATIONS[operation].result_types(operands(items), attrs)))


NUMBERS = [
    ("add", (BOOL, BOOL), "int"),
    ("add", (N, 0), "int(n)"),
    ("add", (TWO, TWO), "int(4)"),
    ("add", (INT, FLOAT), "float"),
    ("sub", (N, N), "int(0)"),
    ("sub", (N, 1), "int"),
    ("mul", (N, 1), "int(n)"),
    ("mul", (FLOAT, COMPLEX), "complex"),
    ("truediv", (INT, INT), "float"),
    ("floordiv", (INT, INT), "int"),
    ("floordiv", (TWO, 0), "int"),
    ("floordiv", (FLOAT, INT), "float"),
    ("floordiv", (COMPLEX, INT), "bottom"),
    ("mod", (7, 4), "int(3)"),
    ("pow", (INT, INT), "float | int"),
    ("pow", (INT, 2), "int"),
    ("pow", (INT, -2), "float"),
    ("pow", (INT, BOOL), "int"),
    ("pow", (FLOAT, FLOAT), "complex | float"),
    ("pow", (FLOAT, 2.0), "float"),
    ("pow", (FLOAT, INT), "float"),
    ("pow", (COMPLEX, INT), "complex"),
    ("and", (BOOL, BOOL), "bool"),
    ("and", (INT, BOOL), "int"),
    ("and", (INT, FLOAT), "bottom"),
    ("lshift", (BOOL, BOOL), "int"),
    ("lt", (INT, FLOAT), "bool"),
    ("lt", (COMPLEX, FLOAT), "bottom"),
    ("eq", (COMPLEX, NONE), "bool"),
    ("neg", (BOOL,), "int"),
    ("neg", (TWO,), "int(-2)"),
    ("pos", (N,), "int(n)"),
    ("invert", (FLOAT,), "bottom"),
    ("not", (OPAQUE,), "bool"),
]
NUMPY = [
    ("add", (INT, ScalarType(F32)), "f32"),
    ("add", (FLOAT, ScalarType(I64)), "f64"),
    ("add", (VECTOR, MATRIX), "f64[n, 3]"),
    ("mul", (ArrayType(F32, ("n",)), FLOAT), "f32[n]"),
    ("mul", (ArrayType(I8, (3,)), INT), "i8[3]"),
    ("truediv", (ArrayType(I64, (3,)), INT), "f64[3]"),
    ("lt", (VECTOR, FLOAT), "bool_[n]"),
    ("pow", (VECTOR, 2), "f64[n]"),
    ("pow", (ArrayType(I64, ("n",)), FLOAT), "f64[n]"),
    ("pow", (ArrayType(np.dtype(bool), ("n",)), 2), "?[n]"),
    ("matmul", (MATRIX, ArrayType(F64, (3, "m"))), "f64[n, m]"),
    ("add", (COMPLEX, ScalarType(F64)), "complex"),
    ("add", (ScalarType(F64), COMPLEX), "c128"),
    ("iadd", (ArrayType(I64, ("n",)), ArrayType(I8, (1,))), "i64[n]"),
    ("iadd", (ScalarType(F64), VECTOR), "f64[n]"),
    ("iadd", (VECTOR, OPAQUE), "opaque"),
    ("iadd", (VECTOR, LIST), "f64[n]"),
]
SEQUENCES = [
    ("add", (STRING, STRING), "str"),
    ("mod", (STRING, PLAIN), "str"),
    ("mod", (STRING, OPAQUE), "opaque"),
    ("mul", (STRING, INT), "str"),
    ("mul", (ScalarType(I64), LIST), "list"),
    ("add", (LIST, LIST), "list"),
    ("iadd", (LIST, IteratorType(INT)), "list"),
    ("iadd", (LIST, VECTOR), "opaque"),
    ("add", (TupleType((INT,)), TupleType((VECTOR,))), "(int, f64[n])"),
    ("mul", (TupleType((INT,)), 2), "(int, int)"),
    ("add", (NONE, INT), "bottom"),
    ("add", (join(NONE, INT), INT), "int"),
    ("add", (join(INT, UNBOUND), INT), "int"),
    ("or", (DICT, DICT), "dict"),
    ("lt", (TupleType((INT,)), TupleType((INT, STRING))), "bool"),
    ("lt", (TupleType((VECTOR,)), TupleType((VECTOR,))), "plain"),
    ("build_tuple", (1, VECTOR), "(int(1), f64[n])"),
    ("build_tuple", (TupleType((TupleType((TupleType((INT,)),)),)),), "plain"),
    ("getitem", (TupleType((INT, FLOAT)), 1), "float"),
    ("getitem", (TupleType((INT, FLOAT)), INT), "float | int"),
    ("getitem", (TupleType((INT, FLOAT)), 2), "bottom"),
    ("getitem", (TupleType((INT, FLOAT)), slice(1, None)), "(float,)"),
    ("getitem", (MATRIX, INT), "f64[3]"),
    ("getitem", (STRING, INT), "str"),
    ("getitem", (RangeType(), INT), "int"),
    ("getitem", (LIST, INT), "opaque"),
    ("builtins.len", (MATRIX,), "int(n)"),
    ("builtins.len", (TupleType((INT, INT)),), "int(2)"),
    ("builtins.len", (OPAQUE,), "int"),
    ("builtins.range", (N,), "range(n)"),
    ("builtins.range", (0, N), "range(n)"),
    ("builtins.range", (1, 8, 3), "range(3)"),
    ("builtins.range", (N, 4), "range"),
    ("builtins.enumerate", (MATRIX,), "iterator<(int, f64[3])>"),
    ("builtins.zip", (VECTOR, STRING), "iterator<(f64, str)>"),
    ("builtins.reversed", (RangeType(),), "iterator<int>"),
    ("builtins.sum", (RangeType(),), "int"),
    ("builtins.sum", (ArrayType(F64, (3,)),), "f64"),
    ("builtins.sum", (VECTOR,), "f64 | int(0)"),
    ("builtins.sum", (TupleType((INT, FLOAT)),), "float"),
    ("builtins.min", (INT, FLOAT), "float | int"),
    ("builtins.max", (VECTOR,), "f64"),
    ("builtins.tuple", (ArrayType(F64, (2,)),), "(f64, f64)"),
    ("builtins.divmod", (INT, FLOAT), "(float, float)"),
    ("builtins.divmod", (VECTOR, FLOAT), "(f64[n], f64[n])"),
    ("builtins.round", (FLOAT,), "int"),
    ("builtins.round", (FLOAT, 2), "float"),
    ("builtins.int", (N,), "int(n)"),
    ("builtins.float", (OPAQUE,), "float"),
    ("builtins.abs", (-3,), "int(3)"),
    ("builtins.abs", (COMPLEX,), "float"),
    ("builtins.str", (LIST,), "str"),
    ("builtins.str", (OPAQUE,), "opaque"),
    ("builtins.ValueError", ("text",), "object<builtins.ValueError>"),
    ("builtins.OSError", (2, "text"), "opaque"),
    ("builtins.getattr", (MATRIX, "shape"), "(int(n), int(3))"),
    ("math.sqrt", (OPAQUE,), "float"),
    ("math.floor", (ScalarType(F64),), "int"),
    ("math.frexp", (FLOAT,), "(float, int)"),
    ("math.prod", (TupleType((INT, FLOAT)),), "float"),
]


@pytest.mark.parametrize(("name", "items", "expected"), [*NUMBERS, *NUMPY, *SEQUENCES])
def test_inferred_type(name: str, items: tuple[object, ...], expected: str) -> None:
    assert inferred(name, *items) == expected


@pytest.mark.parametrize(
    ("base", "name", "expected"),
    [
        (MATRIX, "shape", "(int(n), int(3))"),
        (MATRIX, "T", "f64[3, n]"),
        (MATRIX, "ndim", "int(2)"),
        (VECTOR, "size", "int(n)"),
        (MATRIX, "size", "int"),
        (ArrayType(np.dtype("c8"), ("n",)), "imag", "f32[n]"),
        (ArrayType(F64, None), "shape", "plain"),
        (MATRIX, "flat", "plain"),
        (COMPLEX, "real", "float"),
        (INT, "shape", "bottom"),
        (PLAIN, "T", "plain"),
        (ObjectType(type(F64)), "name", "str"),
    ],
)
def test_attribute_type(base: Type, name: str, expected: str) -> None:
    assert inferred("getattr", base, name=name) == expected


@pytest.mark.parametrize(
    ("value", "count", "expected"),
    [
        (TupleType((INT, VECTOR)), 2, "int, f64[n]"),
        (TupleType((INT, VECTOR)), 3, "bottom, bottom, bottom"),
        (MATRIX, 2, "f64[3], f64[3]"),
        (ArrayType(F64, (3,)), 2, "bottom, bottom"),
        (LIST, 1, "opaque"),
        (INT, 1, "bottom"),
        (OPAQUE, 0, ""),
    ],
)
def test_unpacked_types(value: Type, count: int, expected: str) -> None:
    assert inferred("unpack", value, count=count) == expected


def test_unpacking_with_a_star_gives_a_list() -> None:
    value = TupleType((INT, FLOAT, STRING))
    assert inferred("unpack_starred", value, before=1, after=1) == "int, list, str"


def test_checked_name_is_no_longer_unbound() -> None:
    assert inferred("check_bound", join(INT, UNBOUND), name="x") == "int"
    assert inferred("check_bound", UNBOUND, name="x") == "bottom"


@pytest.mark.parametrize(
    ("iterable", "expected", "sharing"),
    [
        (MATRIX, "f64[3]", Sharing.VIEW),
        (VECTOR, "f64", Sharing.FRESH),
        (ArrayType(F64, None), "plain", Sharing.MAYBE),
        (RangeType(), "int", Sharing.FRESH),
        (TupleType((INT, VECTOR)), "f64[n] | int", Sharing.MAYBE),
        (LIST, "opaque", Sharing.ANYTHING),
        (IteratorType(VECTOR), "f64[n]", Sharing.MAYBE),
        (STRING, "str", Sharing.FRESH),
        (INT, "bottom", Sharing.FRESH),
        (join(MATRIX, LIST), "opaque", Sharing.ANYTHING),
    ],
)
def test_items(iterable: Type, expected: str, sharing: Sharing) -> None:
    assert str(item_type(iterable)) == expected
    assert item_alias(iterable).sharing is sharing


@pytest.mark.parametrize(
    ("name", "items", "expected"),
    [
        ("add", (INT, INT), Raises.NEVER),
        ("add", (FLOAT, 1), Raises.NEVER),
        ("add", (FLOAT, INT), Raises.VALUE),
        ("truediv", (FLOAT, 2.0), Raises.NEVER),
        ("truediv", (FLOAT, FLOAT), Raises.VALUE),
        ("add", (join(FLOAT, STRING), 2.0), Raises.VALUE),
        ("floordiv", (INT, 2), Raises.NEVER),
        ("pow", (FLOAT, 2), Raises.VALUE),
        ("pow", (INT, 2), Raises.NEVER),
        ("lshift", (INT, INT), Raises.VALUE),
        ("lt", (INT, FLOAT), Raises.NEVER),
        ("add", (VECTOR, VECTOR), Raises.WARNS),
        ("add", (VECTOR, ArrayType(F64, ("m",))), Raises.SHAPE),
        ("add", (VECTOR, 1), Raises.WARNS),
        ("add", (ArrayType(I8, (3,)), 1), Raises.NEVER),
        ("add", (ArrayType(I8, (3,)), 300), Raises.VALUE),
        ("add", (ArrayType(I8, (3,)), INT), Raises.VALUE),
        ("floordiv", (ArrayType(I64, (3,)), 2), Raises.WARNS),
        ("pow", (ArrayType(I64, (3,)), -1), Raises.VALUE),
        ("iadd", (VECTOR, FLOAT), Raises.VALUE),
        ("matmul", (MATRIX, ArrayType(F64, (3,))), Raises.WARNS),
        ("matmul", (MATRIX, VECTOR), Raises.SHAPE),
        ("getitem", (MATRIX, (slice(None), 0)), Raises.NEVER),
        ("getitem", (MATRIX, INT), Raises.VALUE),
        ("builtins.len", (MATRIX,), Raises.NEVER),
        ("builtins.int", (FLOAT,), Raises.VALUE),
        ("math.sqrt", (FLOAT,), Raises.VALUE),
        ("math.fabs", (FLOAT,), Raises.NEVER),
    ],
)
def test_when_it_raises(name: str, items: tuple[object, ...], expected: Raises) -> None:
    assert OPERATIONS[name].effects(operands(items), {}).raises is expected


@pytest.mark.parametrize("name", ["add", "getitem", "lt", "iadd", "in", "builtins.sum"])
def test_an_operand_of_unknown_class_may_run_its_code(name: str) -> None:
    for items in ((OPAQUE, INT), (VECTOR, OPAQUE), (join(INT, OPAQUE), OPAQUE)):
        assert OPERATIONS[name].effects(operands(items), {}).calls


def test_a_plain_operand_runs_no_code_but_may_be_shared() -> None:
    effects = OPERATIONS["getitem"].effects(operands((PLAIN, INT)), {})
    assert not effects.calls
    assert effects.reads == (0,)
    assert effects.aliases[0].sharing is Sharing.MAYBE


def test_effects_of_a_union_are_those_of_its_options() -> None:
    effects = OPERATIONS["iadd"].effects(operands((join(VECTOR, FLOAT), FLOAT)), {})
    assert (effects.writes, effects.aliases[0].sharing) == ((0,), Sharing.MAYBE)


def test_what_is_iterated_once_is_written() -> None:
    effects = OPERATIONS["builtins.list"].effects(operands((IteratorType(INT),)), {})
    assert effects.writes == (0,)
