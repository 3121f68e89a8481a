"""NumPy's functions, ufuncs and methods against NumPy, on all samples: types and effects."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ops.numpy_method_samples import NUMPY_SAMPLES
from ops.sample import Sample, apply, run
from ops.test_python_operations import (
    ALL_TYPES,
    check_sharing,
    describes,
    forgotten,
    named,
    opaque,
    state,
)
from runtime.ir.graph import Constant, Value
from runtime.ir.lattice import covers
from runtime.ir.types import (
    COMPLEX,
    FLOAT,
    INT,
    PLAIN,
    ArrayType,
    NumberType,
    ScalarType,
    TupleType,
    Type,
    type_of,
)
from runtime.ops.calling import DEFINED
from runtime.ops.catalog import FUNCTIONS, OPERATIONS
from runtime.ops.dense import NUMERIC_DTYPES
from runtime.ops.indexing import index_alias, index_raises, index_type
from runtime.ops.registry import Operation, Raises, Sharing
from runtime.ops.ufuncs import UFUNCS, numpy_ufuncs, ufunc_result_types

SAMPLED = [OPERATIONS[name] for name in sorted(NUMPY_SAMPLES) if name in OPERATIONS]
NAMES = [op.name for op in SAMPLED]
GLOBAL_STATE = ("np.random.",)


def without_rank(type_: Type) -> Type:
    """Return `type_` without the extents of numbers and the ranks of arrays."""
    type_ = forgotten(type_)
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(without_rank, type_.items)))
    return ArrayType(type_.dtype, None) if isinstance(type_, ArrayType) else type_


def without_dtype(type_: Type) -> Type:
    """Return `type_` without the dtypes of arrays."""
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(without_dtype, type_.items)))
    return ArrayType(None, type_.shape) if isinstance(type_, ArrayType) else type_


def unknown(type_: Type) -> Type:
    """Return `type_` without ranks and dtypes of arrays."""
    return without_dtype(without_rank(type_))


CHANGES: tuple[Callable[[Type], Type], ...] = (
    named, forgotten, without_rank, without_dtype, unknown, opaque,
)  # fmt: skip


WIDENINGS = ((0, 2), (0, 4), (1, 2), (2, 3), (3, 5), (4, 5), (5, 6))
"""Pairs of changes (0 is none) the second of which knows less."""


def holds_arrays(value: object) -> bool:
    """Tell whether `value` is an array, or a tuple of some."""
    if isinstance(value, tuple):
        return any(map(holds_arrays, value))
    return isinstance(value, np.ndarray)


def descriptions(sample: Sample) -> Iterator[list[Value]]:
    """Yield ways in which a compiler may know the inputs, with and without the constants."""
    types = [type_of(value) for value in sample.inputs]
    for fixed in (True, False):
        for change in (lambda type_: type_, *CHANGES):
            yield [
                Constant(value) if fixed and not holds_arrays(value) else Value(change(type_))
                for value, type_ in zip(sample.inputs, types, strict=True)
            ]


def runs(op: Operation) -> Iterator[tuple[Sample, tuple[object, ...], object, bool]]:
    """Yield samples with their inputs after the run, the result, and whether there is one."""
    for sample in NUMPY_SAMPLES[op.name]:
        inputs = sample.fresh()
        try:
            result = run(op, inputs, sample.attrs)
        except Exception as error:
            yield sample, inputs, error, False
        else:
            yield sample, inputs, result, True


def test_functions_with_rules_have_three_samples() -> None:
    unsampled = [
        name for name, rules in DEFINED.items()
        if rules.parameters != ("*inputs",) and len(NUMPY_SAMPLES.get(name, ())) < 3
    ]  # fmt: skip
    assert unsampled == []


def test_samples_name_operations_or_functions_of_other_versions() -> None:
    missing = [name.removeprefix("np.") for name in NUMPY_SAMPLES if name not in OPERATIONS]
    assert [name for name in missing if getattr(np, name, np.sum) not in FUNCTIONS] == []


def test_samples_run() -> None:
    for op in SAMPLED:
        assert any(finished for *_, finished in runs(op)), f"every sample of {op.name} raises"


@pytest.mark.parametrize("op", SAMPLED, ids=NAMES)
def test_types_describe_results(op: Operation) -> None:
    for sample, _, result, finished in runs(op):
        for inputs in descriptions(sample) if finished else ():
            (type_,) = op.result_types(inputs, sample.attrs)
            assert describes(type_, result), f"{sample}: {inputs} -> {type_}, not {type_of(result)}"


@pytest.mark.parametrize("op", SAMPLED, ids=NAMES)
def test_less_knowledge_never_sharpens_types(op: Operation) -> None:
    for sample in NUMPY_SAMPLES[op.name]:
        ways = [op.result_types(inputs, sample.attrs)[0] for inputs in descriptions(sample)]
        half = len(ways) // 2
        steps = [*WIDENINGS, *((half + narrow, half + wide) for narrow, wide in WIDENINGS)]
        steps += [(way, half + way) for way in range(half) if CHANGES[way - 1] is not named]
        for narrow, wide in steps:
            assert covers(ways[wide], ways[narrow]), (
                f"{sample}: {wide}: {ways[wide]} < {narrow}: {ways[narrow]}"
            )


@pytest.mark.parametrize("op", SAMPLED, ids=NAMES)
def test_results_share_memory_as_declared(op: Operation) -> None:
    for sample, inputs, result, finished in runs(op):
        for values in descriptions(sample) if finished else ():
            effects = op.effects(values, sample.attrs)
            check_sharing(effects, inputs, (result,))


@pytest.mark.parametrize("op", SAMPLED, ids=NAMES)
def test_only_declared_inputs_are_written(op: Operation) -> None:
    for sample, inputs, _, _ in runs(op):
        pairs = enumerate(zip(sample.inputs, inputs, strict=True))
        changed = {i for i, (before, after) in pairs if state(before) != state(after)}
        for values in descriptions(sample) if changed else ():
            effects = op.effects(values, sample.attrs)
            random = op.name.startswith(GLOBAL_STATE)
            unknown_code = effects.calls and not random
            assert unknown_code or changed <= set(effects.writes), f"{sample} writes {changed}"


@pytest.mark.parametrize("op", SAMPLED, ids=NAMES)
def test_operations_that_never_raise_do_not(op: Operation) -> None:
    for sample in NUMPY_SAMPLES[op.name]:
        for inputs in descriptions(sample):
            raises = op.effects(inputs, sample.attrs).raises
            if raises >= Raises.SHAPE:
                continue
            with warnings.catch_warnings(), np.errstate(all="raise"):
                warnings.simplefilter("error")
                try:
                    apply(op, sample.fresh(), sample.attrs)
                except (Warning, FloatingPointError):
                    assert raises is Raises.WARNS, f"{inputs} warns"


TOTAL = [op for op in OPERATIONS.values() if op.name.startswith("np.") or op.name == "method"]


@pytest.mark.parametrize("op", TOTAL, ids=lambda op: op.name)
def test_types_and_effects_are_total(op: Operation) -> None:
    names = sorted({str(s.attrs["name"]) for s in NUMPY_SAMPLES["method"]})
    attributes = [{"name": name} for name in names] if op.name == "method" else [{}]
    for attrs in attributes:
        for type_ in ALL_TYPES:
            for inputs in ([type_], [type_, INT], [INT, type_], [type_, type_]):
                values = [Value(item) for item in inputs]
                assert len(op.result_types(values, attrs)) == 1
                assert len(op.effects(values, attrs).aliases) == 1


def test_random_functions_are_ordered_with_everything() -> None:
    operations = [op for op in OPERATIONS.values() if op.name.startswith(GLOBAL_STATE)]
    assert len(operations) > 20
    assert all(op.effects([Value(INT)], {}).calls for op in operations)


# Ufuncs


NUMBERS: tuple[tuple[Type, object], ...] = (
    (FLOAT, 1.5), (COMPLEX, 1j), (NumberType("bool"), True), (NumberType("int", 3), 3),
)  # fmt: skip


def operands() -> list[tuple[Type, object]]:
    """Return scalars and arrays of every dtype, and Python numbers."""
    found: list[tuple[Type, object]] = list(NUMBERS)
    for dtype in NUMERIC_DTYPES:
        found.append((ScalarType(dtype), np.ones((), dtype)[()]))
        found.append((ArrayType(dtype, (2,)), np.ones(2, dtype)))
    return found


ELEMENTWISE = [ufunc for ufunc in numpy_ufuncs() if ufunc.signature is None]


@pytest.mark.parametrize("ufunc", ELEMENTWISE, ids=lambda ufunc: ufunc.__name__)
def test_ufuncs_have_types_for_all_dtypes(ufunc: np.ufunc) -> None:
    wide = np.iinfo(np.int64).max
    for chosen in itertools.product(operands(), repeat=ufunc.nin):
        types = ufunc_result_types(ufunc, [Value(type_) for type_, _ in chosen])
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                results = ufunc(*(operand for _, operand in chosen))
            except TypeError:
                assert set(types) <= {type_of(None), PLAIN} or "bottom" in map(str, types)
                continue
        results = results if isinstance(results, tuple) else (results,)
        for type_, result in zip(types, results, strict=True):
            assert type_ == type_of(result), f"{ufunc.__name__}{chosen}"
    del wide


@pytest.mark.parametrize("ufunc", ELEMENTWISE, ids=lambda ufunc: ufunc.__name__)
def test_ufuncs_of_long_python_integers(ufunc: np.ufunc) -> None:
    if ufunc.__name__ in ("power", "float_power", "left_shift"):
        pytest.skip("they would compute gigantic numbers")
    others = ((INT, 2**63), (INT, 2**70), (INT, -1), (FLOAT, 1.5), *operands()[4:8])
    for chosen in itertools.product(others, repeat=ufunc.nin):
        types = ufunc_result_types(ufunc, [Value(type_) for type_, _ in chosen])
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                results = ufunc(*(operand for _, operand in chosen))
            except (TypeError, OverflowError):
                continue
        results = results if isinstance(results, tuple) else (results,)
        for type_, result in zip(types, results, strict=True):
            assert describes(type_, result), f"{ufunc.__name__}{chosen}"


SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (2,), (3,), (0,), (2, 1), (1, 3), (2, 3), (1, 0))


@pytest.mark.parametrize("name", ["add", "divmod", "matmul", "matvec", "vecdot", "vecmat"])
def test_ufuncs_have_shapes(name: str) -> None:
    if not hasattr(np, name):
        pytest.skip("not in this version of NumPy")
    op = UFUNCS[name]
    for shapes in itertools.product(SHAPES, repeat=2):
        sample = Sample(tuple(np.ones(shape) for shape in shapes))
        try:
            result = run(op, sample.inputs, {})
        except ValueError:
            continue
        for inputs in descriptions(sample):
            (type_,) = op.result_types(inputs, {})
            assert describes(type_, result), f"{name}{shapes}: {inputs} -> {type_}"


OUTPUT = np.zeros((2, 3))
UFUNC_CALLS = [
    ("add", (np.ones(3), 1.0), {"out": np.zeros(3)}),
    ("add", (np.ones(3), 1.0, np.zeros((2, 3))), {}),
    ("add", (np.ones(3), 1.0), {"out": (np.zeros(3),)}),
    ("add", (np.ones(3), 1.0), {"out": None}),
    ("add", (np.ones(3), 1.0), {"where": np.array([True, False, True])}),
    ("add", (np.ones(3), 1.0), {"where": np.array([True, False, True]), "out": np.zeros(3)}),
    ("add", (np.ones(3), 1), {"dtype": np.float32}),
    ("add", (np.ones(3, int), 1), {"dtype": float, "casting": "safe"}),
    ("modf", (np.ones(3),), {}),
    ("modf", (np.ones(3), np.zeros(3)), {}),
    ("modf", (np.ones(3),), {"out": (np.zeros(3), None)}),
    ("modf", (np.ones(3),), {"out": (np.zeros(3), np.zeros(3))}),
    ("divmod", (7, 2), {}),
    ("sqrt", ([1.0, 4.0],), {}),
    ("add", ((1, 2), 3), {}),
    ("add", ("a", "b"), {}),
]


@pytest.mark.parametrize(("name", "inputs", "keywords"), UFUNC_CALLS)
def test_ufuncs_write_through_out(
    name: str, inputs: tuple[object, ...], keywords: dict[str, object]
) -> None:
    op = UFUNCS[name]
    made = Sample((*inputs, *keywords.values()), {"keywords": tuple(keywords)})
    given = made.fresh()
    result = run(op, given, made.attrs)
    pairs = enumerate(zip(made.inputs, given, strict=True))
    changed = {i for i, (before, after) in pairs if state(before) != state(after)}
    for values in descriptions(made):
        (type_,) = op.result_types(values, made.attrs)
        effects = op.effects(values, made.attrs)
        assert describes(type_, result)
        assert effects.calls or changed <= set(effects.writes)
        check_sharing(effects, given, (result,))


def test_every_ufunc_has_an_operation() -> None:
    ufuncs = [value for value in vars(np).values() if isinstance(value, np.ufunc)]
    assert all(ufunc in FUNCTIONS for ufunc in ufuncs)
    assert len(UFUNCS) > 80


def test_callbacks_and_files_stay_unknown() -> None:
    for function in (np.apply_along_axis, np.vectorize, np.fromfunction, np.load, np.savetxt):
        assert function not in FUNCTIONS


# Indexing


BASES = [np.ones(shape) for shape in ((), (3,), (2, 3), (1, 2, 3), (0, 2))]
PARTS: tuple[object, ...] = (
    0, -1, 2, np.int64(1), slice(None), slice(1, None), slice(None, None, -1), slice(0, 9, 2),
    None, Ellipsis, True, np.bool_(False), np.array(0), np.array([0, 0]), np.array([[0], [0]]),
    np.array([True, False]), np.array([[True, False, True]]), np.array(True), 1.0, np.array([1.0]),
    [0, 0],
)  # fmt: skip
INDICES = [*PARTS, *(index for k in (0, 1, 2) for index in itertools.product(PARTS, repeat=k))]


@pytest.mark.parametrize("base", BASES, ids=lambda base: str(base.shape))
def test_indexing_has_types_and_aliases(base: np.ndarray) -> None:
    triples = itertools.product(PARTS[::2], PARTS[1::2], PARTS[::3])
    for index in (*INDICES, *triples):
        try:
            result = base[index]
        except IndexError:
            assert index_raises(Value(type_of(base)), Constant(index)) is Raises.VALUE
            continue
        for change in (lambda t: t, named, forgotten, without_rank, without_dtype, unknown):
            value = Value(change(type_of(base)))
            for at in (Constant(index), Value(type_of(index)), Value(change(type_of(index)))):
                type_ = index_type(value, at)
                assert describes(type_, result), f"{value}[{at}]: {type_} for {index}"
                alias = index_alias(value, at)
                shares = np.shares_memory(np.asarray(result), base)
                if alias.sharing is Sharing.FRESH:
                    assert not shares
                if alias.sharing is Sharing.VIEW:
                    assert shares or np.size(result) == 0


def test_indexing_keeps_named_extents() -> None:
    value = Value(ArrayType(np.dtype(float), ("n", 3)))
    assert str(index_type(value, Constant(slice(None, None, -1)))) == "f64[n, 3]"
    assert str(index_type(value, Constant((slice(1, None), 0)))) == "f64[?]"
    assert str(index_type(value, Constant((Ellipsis, None)))) == "f64[n, 3, 1]"
    assert str(index_type(value, Constant((0, 1)))) == "f64"


def test_basic_indexing_that_fits_never_raises() -> None:
    value = Value(ArrayType(np.dtype(float), ("n", 3)))
    assert index_raises(value, Constant((slice(2), -3))) is Raises.NEVER
    assert index_raises(value, Constant((slice(2), 3))) is Raises.VALUE
    assert index_raises(value, Constant(0)) is Raises.VALUE
