"""Ufuncs called in every way, against NumPy: all pairs of dtypes, keywords, methods, operators."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from ops.sample import Sample, run
from ops.test_numpy_operations import descriptions, operands
from ops.test_python_operations import check_sharing, describes, state
from runtime.ir.graph import Constant, Value
from runtime.ir.types import BOTTOM, PLAIN, ArrayType, Type, type_of
from runtime.ops.arithmetic import BINARY, IN_PLACE
from runtime.ops.catalog import OPERATIONS
from runtime.ops.dense import NUMERIC_DTYPES
from runtime.ops.registry import Raises
from runtime.ops.ufuncs import UFUNCS, numpy_ufuncs

METHOD = OPERATIONS["method"]
BINARY_UFUNCS = [u for u in numpy_ufuncs() if u.nin == 2 and u.signature is None]
UNARY_UFUNCS = [u for u in numpy_ufuncs() if u.nin == 1 and u.signature is None]
PAIRS = list(itertools.product(operands(), repeat=2))


def named(ufunc: np.ufunc) -> str:
    """Return the name of a ufunc, for test ids."""
    return ufunc.__name__


def outcome(function: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Return what a call gives, or the exception."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return error


def check(type_: Type, result: object, what: object) -> None:
    """Assert that `type_` tells exactly what came out, bottom standing for an exception."""
    if isinstance(result, Exception):
        certain = type_ == BOTTOM
        assert certain or not isinstance(result, TypeError), f"{what}: {type_} for {result!r}"
    else:
        assert type_ == type_of(result), f"{what}: {type_} is not {type_of(result)}"


def keywords(options: Mapping[str, object]) -> dict[str, object]:
    """Return the attributes of an operation called with `options`."""
    return {"keywords": tuple(options)}


def method_type(
    receiver: object, name: str, inputs: Sequence[Value], **options: object
) -> Type:
    """Return the inferred type of a method of a ufunc."""
    values = [Constant(receiver), *inputs, *map(Constant, options.values())]
    return METHOD.result_types(values, {"name": name, **keywords(options)})[0]


@pytest.mark.parametrize("ufunc", BINARY_UFUNCS, ids=named)
def test_folds_have_types_for_all_dtypes(ufunc: np.ufunc) -> None:
    for dtype in NUMERIC_DTYPES:
        row, matrix = np.ones(2, dtype), np.ones((2, 3), dtype)
        for array, name, given, options in (
            (row, "reduce", (), {}),
            (matrix, "reduce", (1,), {}),
            (matrix, "reduce", (), {"axis": -1, "keepdims": True}),
            (row, "reduce", (), {"axis": None}),
            (row, "reduce", (), {"dtype": np.float32}),
            (row, "accumulate", (), {}),
            (matrix, "accumulate", (1,), {}),
            (row, "accumulate", (), {"dtype": np.complex64}),
        ):
            result = outcome(getattr(ufunc, name), array, *given, **options)
            inputs = [Value(type_of(array)), *map(Constant, given)]
            check(method_type(ufunc, name, inputs, **options), result, (ufunc, name, dtype))
        indices = np.array([0, 1, 0])
        result = outcome(ufunc.reduceat, matrix, indices, axis=1)
        inputs = [Value(type_of(matrix)), Value(type_of(indices))]
        check(method_type(ufunc, "reduceat", inputs, axis=1), result, (ufunc, "reduceat", dtype))


@pytest.mark.parametrize("ufunc", BINARY_UFUNCS, ids=named)
def test_outer_has_types_for_all_pairs(ufunc: np.ufunc) -> None:
    for (a, x), (b, y) in PAIRS:
        if all(str(t).startswith("int") for t in (a, b)):
            continue
        result = outcome(ufunc.outer, x, y)
        check(method_type(ufunc, "outer", [Value(a), Value(b)]), result, (ufunc, a, b))


@pytest.mark.parametrize("name", IN_PLACE)
def test_operators_in_place_know_which_casts_fail(name: str) -> None:
    op = OPERATIONS[name]
    for (a, x), (b, y) in PAIRS:
        if not isinstance(a, ArrayType):
            continue
        result = outcome(IN_PLACE[name], np.copy(x), y)
        (type_,) = op.result_types([Value(a), Value(b)], {})
        if name in ("ipow", "imatmul"):
            assert isinstance(result, Exception) or describes(type_, result)
        else:
            check(type_, result, (name, a, b))
        ufunc = BINARY[name[1:]][2]
        if name != "imatmul":
            values = [Value(a), Value(b), Value(a)]
            (type_,) = UFUNCS[ufunc.__name__].result_types(values, {"keywords": ("out",)})
            check(type_, outcome(ufunc, x, y, out=np.copy(x)), (ufunc, a, b))


@pytest.mark.parametrize("name", BINARY)
def test_operators_have_types_for_all_pairs(name: str) -> None:
    op = OPERATIONS[name]
    function = getattr(operator, {"and": "and_", "or": "or_"}.get(name, name))
    for (a, x), (b, y) in PAIRS:
        result = outcome(function, x, y)
        (type_,) = op.result_types([Value(a), Value(b)], {})
        known = name not in ("pow", "matmul") and not isinstance(result, Exception)
        if known and isinstance(result, np.generic | np.ndarray):
            assert type_ == type_of(result), (name, a, b)
        elif not isinstance(result, Exception):
            assert describes(type_, result), (name, a, b)


GENERALIZED = [u for u in numpy_ufuncs() if u.signature is not None]


@pytest.mark.parametrize("ufunc", GENERALIZED, ids=named)
def test_generalized_ufuncs_have_types_for_all_pairs(ufunc: np.ufunc) -> None:
    op = UFUNCS[ufunc.__name__]
    for x, y in itertools.product(NUMERIC_DTYPES, repeat=2):
        arrays = [np.ones((2, 2), x), np.ones((2, 2), y)]
        inputs = [Value(type_of(array)) for array in arrays]
        (type_,) = op.result_types(inputs, {})
        check(type_, outcome(ufunc, *arrays), (ufunc, x, y))
        values = [*inputs, Constant(np.float32)]
        (type_,) = op.result_types(values, {"keywords": ("dtype",)})
        check(type_, outcome(ufunc, *arrays, dtype=np.float32), (ufunc, x, y))


@pytest.mark.parametrize("ufunc", [*UNARY_UFUNCS, *BINARY_UFUNCS], ids=named)
def test_dtype_and_casting_have_types_for_all_dtypes(ufunc: np.ufunc) -> None:
    op = UFUNCS[ufunc.__name__]
    for dtype, wanted in itertools.product(NUMERIC_DTYPES, NUMERIC_DTYPES):
        arrays = [np.ones(1, dtype)] * ufunc.nin
        inputs = [Value(type_of(array)) for array in arrays]
        for options in ({"dtype": wanted}, {"dtype": wanted, "casting": "unsafe"}):
            values = [*inputs, *map(Constant, options.values())]
            (type_,) = op.result_types(values, keywords(options))
            check(type_, outcome(ufunc, *arrays, **options), (ufunc, dtype, options))


ROW, MATRIX, MASK = np.arange(3.0), np.arange(6.0).reshape(2, 3), np.array([True, False, True])
INDEX = np.array([0, 0, 2])
SQUARE = np.arange(4.0).reshape(2, 2)
CALLS: tuple[tuple[np.ufunc, tuple[object, ...], dict[str, object]], ...] = (
    (np.add, (ROW, 1.0), {"where": MASK}),
    (np.add, (1.0, 2.0), {"where": MASK}),
    (np.add, (1.0, 2.0), {"where": np.array(True)}),
    (np.add, (ROW, 1.0), {"where": True}),
    (np.add, (ROW, 1.0), {"where": None}),
    (np.add, (ROW, 1.0), {"where": MATRIX > 2}),
    (np.add, (ROW, 1.0), {"where": MASK, "out": np.zeros(3)}),
    (np.add, (ROW, 1.0), {"where": MASK, "out": np.zeros((2, 3))}),
    (np.add, (ROW, 1.0, np.zeros((2, 3))), {"where": MASK}),
    (np.add, (ROW, 1), {"order": "F"}),
    (np.add, (ROW, 1), {"subok": False}),
    (np.add, (MATRIX, MATRIX), {"order": "F", "dtype": "f4"}),
    (np.add, (np.arange(3), 1.5), {"out": np.arange(3)}),
    (np.add, (np.arange(3), 1.5), {"out": np.arange(3), "casting": "unsafe"}),
    (np.add, (np.arange(3), 1.5), {"casting": "no"}),
    (np.add, (ROW, 1), {"signature": "dd->d"}),
    (np.add, (ROW, 1), {"sig": "ff->f", "casting": "same_kind"}),
    (np.add, (ROW, 1), {"signature": (None, None, np.float64)}),
    (np.add, (ROW,), {}),
    (np.sqrt, (ROW,), {"out": np.zeros(3), "where": MASK}),
    (np.sqrt, (np.float32(4),), {"dtype": float}),
    (np.less, (ROW, 1), {"out": np.zeros(3)}),
    (np.less, (ROW, 1), {"dtype": object}),
    (np.divmod, (ROW, 2), {}),
    (np.divmod, (ROW, 2, np.zeros(3), np.zeros(3)), {}),
    (np.divmod, (ROW, 2), {"out": (np.zeros(3), None)}),
    (np.divmod, (ROW, 2), {"out": (None, np.zeros((2, 3)))}),
    (np.divmod, (ROW, 2), {"out": (np.zeros(3), np.zeros(3)), "where": MASK}),
    (np.divmod, (7, 2.5), {"where": MASK}),
    (np.frexp, (ROW,), {"out": (np.zeros(3), np.zeros(3, np.int32))}),
    (np.add, (ROW, 1.0), {"out": (np.zeros(3),)}),
    (np.add, (ROW, 1.0), {"out": (None,)}),
    (np.matmul, (SQUARE, SQUARE), {"axes": [(0, 1), (0, 1), (0, 1)]}),
    (np.matmul, (SQUARE, SQUARE), {"out": np.zeros((2, 2))}),
    (np.matmul, (SQUARE, ROW[:2]), {"dtype": "f4"}),
    (np.vecdot, (MATRIX, MATRIX), {"axis": 0}),
    (np.vecdot, (MATRIX, MATRIX), {"axis": -2, "keepdims": True}),
    (np.vecdot, (MATRIX, MATRIX), {"keepdims": True}),
    (np.vecdot, (MATRIX, ROW), {"axes": [(1,), (0,), ()]}),
    (np.vecdot, (MATRIX, MATRIX), {"axis": 5}),
)  # fmt: skip
if hasattr(np, "matvec"):
    CALLS += (
        (np.matvec, (SQUARE, SQUARE), {"axes": [(0, 1), (0,), (0,)]}),
        (np.vecmat, (ROW[:2], SQUARE), {"out": np.zeros(2)}),
        (np.vecmat, (ROW[:2], SQUARE), {"axis": 0}),
    )
METHOD_CALLS: tuple[tuple[str, tuple[object, ...], dict[str, object]], ...] = (
    ("reduce", (np.add, MATRIX), {"where": MASK}),
    ("reduce", (np.add, MATRIX, 1), {"where": MASK, "initial": 2.0}),
    ("reduce", (np.add, MATRIX, None), {"keepdims": True}),
    ("reduce", (np.add, MATRIX), {"axis": (0, 1)}),
    ("reduce", (np.add, MATRIX), {"axis": ()}),
    ("reduce", (np.add, ROW.reshape(1, 3)), {}),
    ("reduce", (np.add, np.float32(2)), {}),
    ("reduce", (np.add, np.float32(2)), {"axis": None, "keepdims": True}),
    ("reduce", (np.add, (1.0, 2.0)), {}),
    ("reduce", (np.add, [1.0, 2.0]), {}),
    ("reduce", (np.add, MATRIX, 0, None, np.zeros(3)), {}),
    ("reduce", (np.add, MATRIX), {"out": np.zeros(3)}),
    ("reduce", (np.add, MATRIX), {"out": (np.zeros(3),)}),
    ("reduce", (np.add, MATRIX), {"axis": 5}),
    ("reduce", (np.add, np.arange(3)), {"initial": 2.5}),
    ("reduce", (np.add, np.arange(3), 0, float), {}),
    ("reduce", (np.maximum, np.zeros((0, 3))), {}),
    ("reduce", (np.maximum, np.zeros((0, 3))), {"initial": 0}),
    ("reduce", (np.subtract, MATRIX), {"axis": (0, 1)}),
    ("reduce", (np.sqrt, ROW), {}),
    ("reduce", (np.divmod, ROW), {}),
    ("reduce", (np.matmul, SQUARE), {}),
    ("reduce", (np.logical_and, MATRIX), {"dtype": float}),
    ("accumulate", (np.add, ROW[:1]), {}),
    ("accumulate", (np.add, MATRIX, 1), {"out": np.zeros((2, 3))}),
    ("accumulate", (np.add, MATRIX), {"axis": -1, "dtype": "f4"}),
    ("accumulate", (np.add, 2.5), {}),
    ("accumulate", (np.add, MATRIX), {"axis": 2}),
    ("reduceat", (np.add, MATRIX, INDEX, 1), {}),
    ("reduceat", (np.add, ROW, [0, 2]), {}),
    ("reduceat", (np.add, ROW, (0, 2)), {"out": np.zeros(2)}),
    ("reduceat", (np.add, MATRIX, (0, 1)), {"axis": -1, "dtype": int}),
    ("outer", (np.multiply, ROW, MATRIX), {}),
    ("outer", (np.multiply, ROW, 2), {}),
    ("outer", (np.multiply, 2.0, 3), {}),
    ("outer", (np.multiply, [1.0], ROW), {}),
    ("outer", (np.multiply, ROW, ROW), {"out": np.zeros((3, 3))}),
    ("outer", (np.multiply, ROW, ROW), {"dtype": "f4"}),
    ("outer", (np.divmod, ROW, ROW), {}),
    ("outer", (np.sqrt, ROW, ROW), {}),
    ("at", (np.add, np.zeros(3), INDEX, 1.0), {}),
    ("at", (np.negative, np.ones(3), INDEX), {}),
    ("at", (np.add, np.zeros((2, 3)), (0, INDEX), ROW), {}),
    ("at", (np.add, np.arange(3), INDEX, 1.5), {}),
    ("at", (np.add, [1.0], 0, 1.0), {}),
)  # fmt: skip


def ufunc_call(ufunc: np.ufunc, inputs: tuple[object, ...], options: dict[str, object]) -> tuple[
    str, Sample
]:  # fmt: skip
    """Return the operation and the sample of a call of a ufunc."""
    return f"np.{ufunc.__name__}", Sample((*inputs, *options.values()), keywords(options))


def method_call(name: str, inputs: tuple[object, ...], options: dict[str, object]) -> tuple[
    str, Sample
]:  # fmt: skip
    """Return the operation and the sample of a call of a method of a ufunc."""
    return "method", Sample((*inputs, *options.values()), {"name": name, **keywords(options)})


SAMPLES = [*(ufunc_call(*made) for made in CALLS), *(method_call(*made) for made in METHOD_CALLS)]
IDS = [f"{op}-{sample.attrs.get('name', '')}-{i}" for i, (op, sample) in enumerate(SAMPLES)]


@pytest.mark.parametrize(("name", "sample"), SAMPLES, ids=IDS)
def test_calls_have_types_and_effects(name: str, sample: Sample) -> None:
    op, inputs = OPERATIONS[name], sample.fresh()
    result = outcome(run, op, inputs, sample.attrs)
    pairs = zip(sample.inputs, inputs, strict=True)
    changed = {i for i, (before, after) in enumerate(pairs) if state(before) != state(after)}
    for values in descriptions(sample):
        (type_,) = op.result_types(values, sample.attrs)
        effects = op.effects(values, sample.attrs)
        assert effects.calls or changed <= set(effects.writes)
        if isinstance(result, Exception):
            assert effects.raises >= Raises.SHAPE
        else:
            assert describes(type_, result), f"{values}: {type_}"
            check_sharing(effects, inputs, (result,))


def test_calls_that_are_known_have_exact_types() -> None:
    open_types = []
    for name, sample in SAMPLES:
        if any(isinstance(item, list | tuple) for item in sample.inputs):
            continue
        op, inputs = OPERATIONS[name], sample.fresh()
        result = outcome(run, op, inputs, sample.attrs)
        values = [
            Value(type_of(item)) if isinstance(item, np.ndarray) else Constant(item)
            for item in sample.inputs
        ]
        (type_,) = op.result_types(values, sample.attrs)
        if not isinstance(result, Exception) and type_ != type_of(result):
            open_types.append((name, sample.inputs[0], sample.attrs, str(type_)))
    assert open_types == []


def test_numpy_is_not_asked_what_ends_the_process() -> None:
    values = [Value(type_of(np.ones(2, "f4"))), Value(type_of(1)), Constant("equiv")]
    (type_,) = UFUNCS["add"].result_types(values, {"keywords": ("casting",)})
    assert type_ == PLAIN
