"""Every Python operation against its own kernel, on all samples: types, effects, syntax."""

from __future__ import annotations

import ast
import copy
import itertools
import types as python_types
import warnings
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from ops.python_samples import PYTHON_SAMPLES as SAMPLES
from ops.sample import Sample, apply, outputs, run
from runtime.ir.graph import Constant, Value
from runtime.ir.lattice import covers, join, join_all
from runtime.ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    DICT,
    FLOAT,
    INT,
    LIST,
    NONE,
    OPAQUE,
    PLAIN,
    SET,
    SLICE,
    STRING,
    UNBOUND,
    ArrayType,
    IteratorType,
    NamedTupleType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SlotType,
    TupleType,
    Type,
    UnionType,
    is_plain,
    type_of,
)
from runtime.ops import (
    arithmetic,
    attributes,
    builtin_iterables,
    builtins,
    containers,
    exceptions,
    mathematics,
    text,
)
from runtime.ops.catalog import OPERATIONS, PYTHON_FAMILIES
from runtime.ops.registry import Effects, Operation, Raises, Sharing

F64, F32, I64, C128, B = map(np.dtype, ("f8", "f4", "i8", "c16", "?"))
FAMILIES = (
    arithmetic, containers, attributes, text, builtins, builtin_iterables, exceptions, mathematics,
)  # fmt: skip


def operations_of(families: Sequence[python_types.ModuleType]) -> list[Operation]:
    """Return the operations that stand in `families`, by themselves or in a table, by name."""
    found: dict[str, Operation] = {}
    for family in families:
        for value in vars(family).values():
            for item in value.values() if isinstance(value, dict) else (value,):
                if isinstance(item, Operation):
                    found[item.name] = item
    return [found[name] for name in sorted(found)]


PYTHON_OPERATIONS = operations_of(FAMILIES)
NAMES = [op.name for op in PYTHON_OPERATIONS]
NOT_RUN = ("builtins.id", "builtins.print")

ALL_TYPES: tuple[Type, ...] = (
    BOTTOM, UNBOUND, OPAQUE, PLAIN, NONE, BOOL, INT, NumberType("int", 0), NumberType("int", 2),
    NumberType("int", -1), NumberType("int", "n"), FLOAT, COMPLEX, ScalarType(F64), ScalarType(I64),
    ScalarType(B), ArrayType(F64, ()), ArrayType(F64, (3,)), ArrayType(F64, ("n",)),
    ArrayType(F64, (None,)), ArrayType(I64, (3,)), ArrayType(F32, ("n", 3)), ArrayType(F64, None),
    ArrayType(None, (3,)), ArrayType(None, None), STRING, TupleType(()), TupleType((INT, FLOAT)),
    TupleType((NumberType("int", 2), FLOAT)), TupleType((OPAQUE, FLOAT)),
    TupleType((ArrayType(F64, (3,)),)), LIST, DICT, SET, SLICE, RangeType(), RangeType(2),
    RangeType("n"), IteratorType(INT), IteratorType(OPAQUE), ObjectType(object), ObjectType(type),
    ObjectType(python_types.BuiltinFunctionType), ObjectType(python_types.ModuleType),
    ObjectType(type(F64)), ObjectType(bytes), join(INT, FLOAT), join(INT, UNBOUND), join(NONE, INT),
    join(LIST, TupleType(())), join(ArrayType(F64, (3,)), ArrayType(I64, (3,))),
)  # fmt: skip


def plainly(value: object) -> bool:
    """Tell whether `value` is a NumPy or builtin value that holds nothing of a user's."""
    numpys = type(value) is tuple or type(value).__module__.startswith("numpy.")
    if isinstance(value, tuple) and numpys:
        return all(map(plainly, value))
    if isinstance(value, np.ndarray):
        return type(value) is np.ndarray and (
            value.dtype != object or all(map(plainly, value.ravel().tolist()))
        )
    if hasattr(value, "__next__") or isinstance(value, memoryview | type(np.ones(1).flags)):
        return True
    return is_plain(type_of(value)) or isinstance(value, np.generic)


def describes(type_: Type, value: object) -> bool:
    """Tell whether `type_` is a right description of `value`."""
    if isinstance(type_, OpaqueType):
        return plainly(value) if type_.plain else True
    if isinstance(type_, UnionType):
        return any(describes(option, value) for option in type_.options)
    if isinstance(type_, TupleType):
        return (
            type(value) is (type_.cls if isinstance(type_, NamedTupleType) else tuple)
            and len(value) == len(type_.items)
            and all(map(describes, type_.items, value))
        )
    if isinstance(type_, IteratorType):
        return hasattr(value, "__next__") and all(
            describes(type_.item, item) for item in started_again(value)
        )
    if isinstance(type_, SlotType):
        return type(value) is list and len(value) == 1 and describes(type_.content, value[0])
    return covers(unnamed(type_), type_of(value))


def started_again(iterator: object) -> Iterator[object]:
    """Return an iterator over the items that are left, without using them up."""
    if isinstance(iterator, np.ndenumerate):
        return iter(np.ndenumerate(iterator.iter.base))
    if isinstance(iterator, np.ndindex) and hasattr(iterator, "_it"):
        return iter(np.ndindex(iterator._it.shape))  # of NumPy up to 2.3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # iterators will not be copied any more some day
        return iter(copy.deepcopy(iterator))


def unnamed(type_: Type) -> Type:
    """Return `type_` with the names of extents, as `named` makes them, turned into lengths."""
    if isinstance(type_, ArrayType) and type_.shape is not None:
        return ArrayType(type_.dtype, tuple(_length(extent) for extent in type_.shape))
    if isinstance(type_, NumberType):
        return NumberType(type_.kind, _length(type_.extent))
    if isinstance(type_, RangeType):
        return RangeType(_length(type_.length))
    return type_


def _length(extent: int | str | None) -> int | None:
    return int(extent[1:]) if isinstance(extent, str) else extent


def named(type_: Type) -> Type:
    """Return `type_` with a name for each extent; equal lengths get equal names."""
    if isinstance(type_, ArrayType) and type_.shape is not None:
        return ArrayType(type_.dtype, tuple(f"n{extent}" for extent in type_.shape))
    if isinstance(type_, NumberType) and isinstance(type_.extent, int) and type_.extent >= 0:
        return NumberType(type_.kind, f"n{type_.extent}")
    if isinstance(type_, RangeType):
        return RangeType(f"n{type_.length}")
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(named, type_.items)))
    return type_


def forgotten(type_: Type) -> Type:
    """Return `type_` without its extents."""
    if isinstance(type_, ArrayType) and type_.shape is not None:
        return ArrayType(type_.dtype, (None,) * len(type_.shape))
    if isinstance(type_, NumberType):
        return NumberType(type_.kind)
    if isinstance(type_, RangeType):
        return RangeType()
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(forgotten, type_.items)))
    return type_


def opaque(type_: Type) -> Type:
    """Return the opaque type for values of `type_`."""
    return PLAIN if is_plain(type_) else OPAQUE


def described(value: object) -> Type:
    """Return the type of `value`; of an iterator one that tells its items."""
    if hasattr(value, "__next__") and not isinstance(value, np.flatiter):
        return IteratorType(join_all(type_of(item) for item in copy.deepcopy(value)))
    return type_of(value)


def descriptions(sample: Sample) -> Iterator[list[Value]]:
    """Yield several ways in which a compiler may know the inputs of a sample."""
    yield [Constant(value) for value in sample.inputs]
    types = [described(value) for value in sample.inputs]
    for change in (lambda t: t, named, forgotten, opaque):
        yield [Value(change(t)) for t in types]
    for position in range(len(types)) if len(types) > 1 else ():
        yield [Value(opaque(t) if i == position else t) for i, t in enumerate(types)]


def runs(op: Operation) -> Iterator[tuple[Sample, tuple[object, ...], tuple[object, ...] | None]]:
    """Yield samples with their inputs after the run, and the outputs; None if it raised."""
    for sample in SAMPLES[op.name]:
        inputs = sample.fresh()
        try:
            result = run(op, inputs, sample.attrs)
        except Exception:
            yield sample, inputs, None
        else:
            yield sample, inputs, outputs(op, result, sample.attrs)


def test_every_operation_has_samples() -> None:
    assert [name for name in NAMES if not SAMPLES.get(name) and name not in NOT_RUN] == []


def test_every_family_is_imported() -> None:
    assert set(FAMILIES) <= set(PYTHON_FAMILIES)
    assert all(OPERATIONS[op.name] is op for op in PYTHON_OPERATIONS)


@pytest.mark.parametrize("op", PYTHON_OPERATIONS, ids=NAMES)
def test_types_describe_what_the_kernel_returns(op: Operation) -> None:
    for sample, _, results in runs(op):
        if results is None:
            continue
        for inputs in descriptions(sample):
            types = op.result_types(inputs, sample.attrs)
            for type_, result in zip(types, results, strict=True):
                assert describes(type_, result), f"{sample}: {inputs} -> {type_}, got {result!r}"


@pytest.mark.parametrize("op", PYTHON_OPERATIONS, ids=NAMES)
def test_operations_that_never_raise_do_not(op: Operation) -> None:
    for sample in SAMPLES[op.name]:
        for inputs in descriptions(sample):
            raises = op.effects(inputs, sample.attrs).raises
            if raises is Raises.VALUE or raises is Raises.SHAPE:
                continue
            with warnings.catch_warnings(), np.errstate(all="raise"):
                warnings.simplefilter("error")
                try:
                    apply(op, sample.fresh(), sample.attrs)
                except (RuntimeWarning, FloatingPointError):
                    assert raises is Raises.WARNS, f"{inputs} warns"


@pytest.mark.parametrize("op", PYTHON_OPERATIONS, ids=NAMES)
def test_shape_errors_are_the_only_ones_where_shapes_matter(op: Operation) -> None:
    for sample in SAMPLES[op.name]:
        for inputs in descriptions(sample):
            if op.effects(inputs, sample.attrs).raises is Raises.SHAPE:
                try:
                    run(op, sample.fresh(), sample.attrs)
                except ValueError as error:
                    words = ("broadcast", "matmul", "mismatch")
                    assert any(word in str(error) for word in words)


def memory(value: object) -> list[np.ndarray]:
    """Return the arrays that `value` holds."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, list | tuple | set | frozenset):
        return [array for item in value for array in memory(item)]
    if isinstance(value, dict):
        return [array for item in value.items() for array in memory(item)]
    return []


def check_sharing(effects: Effects, inputs: Sequence[object], results: Sequence[object]) -> None:
    """Assert that outputs share memory with inputs as `effects` say."""
    for alias, result in zip(effects.aliases, results, strict=True):
        if not isinstance(result, np.ndarray | list | dict | set | tuple):
            continue
        if alias.sharing is Sharing.SAME:
            assert result is inputs[alias.inputs[0]]
        elif alias.sharing is Sharing.VIEW:
            assert isinstance(result, np.ndarray)
            assert result.size == 0 or np.shares_memory(result, inputs[alias.inputs[0]])
        elif alias.sharing in (Sharing.FRESH, Sharing.MAYBE):
            other = [v for i, v in enumerate(inputs) if i not in alias.inputs]
            if isinstance(result, list | dict | set):
                assert not any(result is value for value in other)
                continue
            for mine, theirs in itertools.product(memory(result), memory(other)):
                assert not np.shares_memory(mine, theirs)


@pytest.mark.parametrize("op", PYTHON_OPERATIONS, ids=NAMES)
def test_outputs_share_memory_as_declared(op: Operation) -> None:
    for sample, inputs, results in runs(op):
        if results is None:
            continue
        for values in descriptions(sample):
            check_sharing(op.effects(values, sample.attrs), inputs, results)


def state(value: object) -> str:
    """Return the content of `value`, of an iterator what is left of it."""
    if isinstance(value, np.flatiter):
        return repr(value.base)
    if hasattr(value, "__next__"):
        return repr(list(copy.deepcopy(value)))
    if isinstance(value, slice):
        return f"slice {[state(part) for part in (value.start, value.stop, value.step)]}"
    return hex(value) if type(value) is int else repr(value)


@pytest.mark.parametrize("op", PYTHON_OPERATIONS, ids=NAMES)
def test_only_declared_inputs_are_written(op: Operation) -> None:
    for sample, inputs, _ in runs(op):
        changed = [
            position
            for position, (before, after) in enumerate(zip(sample.inputs, inputs, strict=True))
            if state(before) != state(after)
        ]
        if not changed:
            continue
        for values in descriptions(sample):
            effects = op.effects(values, sample.attrs)
            assert effects.calls or set(changed) <= set(effects.writes), f"{sample} writes"


def replaced(value: object) -> object:
    """Return an array or list like `value` with other content."""
    if isinstance(value, np.ndarray):
        changed = ~value if value.dtype == bool else value + np.array(1, value.dtype)
        return np.asarray(changed)
    return [*value, 0] if isinstance(value, list) else None


@pytest.mark.parametrize("op", PYTHON_OPERATIONS, ids=NAMES)
def test_results_depend_on_declared_reads_alone(op: Operation) -> None:
    for sample, inputs, results in runs(op):
        effects = op.effects([Value(type_of(v)) for v in sample.inputs], sample.attrs)
        if results is None or effects.calls:
            continue
        for position, value in enumerate(sample.inputs):
            other = replaced(value)
            if other is None or position in effects.reads or position in effects.writes:
                continue
            arguments = list(sample.fresh())
            arguments[position] = other
            again = outputs(op, run(op, tuple(arguments), sample.attrs), sample.attrs)
            for alias, old, new in zip(effects.aliases, results, again, strict=True):
                if position not in alias.inputs and not memory(old):
                    assert state(old) == state(new), f"{sample} reads input {position}"
        del inputs


WITH_SYNTAX = [op for op in PYTHON_OPERATIONS if op.syntax]


@pytest.mark.parametrize("op", WITH_SYNTAX, ids=lambda op: op.name)
def test_syntax_computes_what_the_kernel_does(op: Operation) -> None:
    assert op.syntax is not None
    programs: dict[object, object] = {}
    for sample, _, results in runs(op):
        if results is None:
            continue
        key = (len(sample.inputs), repr(sample.attrs))
        if key not in programs:
            operands: list[ast.expr] = [
                ast.Name(f"x{i}", ast.Load()) for i in range(len(sample.inputs))
            ]
            tree = ast.Expression(op.syntax(operands, sample.attrs))
            programs[key] = compile(ast.fix_missing_locations(tree), "<test>", "eval")
        scope = {f"x{i}": value for i, value in enumerate(sample.fresh())}
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = eval(programs[key], {"slice": slice, **scope})
        assert type(value) is type(results[0])
        assert state(value) == state(results[0]) or "object at" in state(value)


def attributes(op: Operation) -> list[dict[str, object]]:
    """Return the different attributes that the samples of `op` have, at most six."""
    found: list[dict[str, object]] = []
    for sample in SAMPLES[op.name]:
        attrs = {k: v for k, v in sample.attrs.items() if k not in ("keywords", "starred")}
        if attrs not in found and len(found) < 6:
            found.append(attrs)
    return found or [{}]


LIKE_ANOTHER = {
    *(op.name for op in PYTHON_OPERATIONS if op.name.endswith(("Error", "Warning"))),
    *(f"math.{name}" for name in ("acos", "asin", "cos", "exp", "log", "sinh", "tan", "tanh")),
}
GENERAL = [
    (general, special)
    for general in ALL_TYPES
    for special in ALL_TYPES
    if general != special and covers(general, special)
]


@pytest.mark.parametrize(
    "op", [op for op in PYTHON_OPERATIONS if op.name not in LIKE_ANOTHER], ids=lambda op: op.name
)
def test_types_are_total_and_monotone(op: Operation) -> None:
    counts = {len(sample.inputs) for sample in SAMPLES[op.name]} or {1}
    for count in sorted(counts & {1, 2, 3}):
        rest = (Value(INT),) * (count - 2)
        second = ALL_TYPES if count > 1 else ALL_TYPES[:1]
        for attrs in attributes(op) if count == 1 else attributes(op)[:1]:
            table = {}
            for a, b in itertools.product(ALL_TYPES, second):
                inputs = [Value(a), Value(b), *rest][:count]
                table[a, b] = op.result_types(inputs, attrs)
                op.effects(inputs, attrs)
            check_monotone(table, second, count)


def check_monotone(
    table: dict[tuple[Type, Type], tuple[Type, ...]], second: Sequence[Type], count: int
) -> None:
    """Assert that more general inputs give more general results, one input at a time."""
    known: dict[tuple[Type, Type], bool] = {}

    def wider(wide: tuple[Type, ...], narrow: tuple[Type, ...]) -> bool:
        for pair in zip(wide, narrow, strict=True):
            if pair[0] != pair[1] and pair not in known:
                known[pair] = covers(*pair)
        return all(x == y or known[x, y] for x, y in zip(wide, narrow, strict=True))

    for general, special in GENERAL:
        for other in second:
            wide, narrow = table[general, other], table[special, other]
            assert wider(wide, narrow), f"({general}, {other}): {wide} < ({special}): {narrow}"
        for other in ALL_TYPES if count > 1 else ():
            wide, narrow = table[other, general], table[other, special]
            assert wider(wide, narrow), f"({other}, {general}): {wide} < ({special}): {narrow}"
