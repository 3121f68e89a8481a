"""Sources of random numbers: types of what they draw, for every method, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from ops.random_samples import (
    GENERATOR,
    LEGACY,
    OTHERS,
    V,
    generator_samples,
    legacy_samples,
    source,
)
from ops.sample import Sample, run
from ops.test_numpy_operations import descriptions
from ops.test_python_operations import check_sharing, describes
from runtime.ir.graph import Value
from runtime.ir.lattice import join
from runtime.ir.types import INT, PLAIN, RANDOM_CLASSES, ArrayType, ObjectType, ScalarType
from runtime.ops.catalog import OPERATIONS
from runtime.ops.methods import METHOD
from runtime.ops.random_generators import RANDOM_METHODS
from runtime.ops.random_numbers import DRAWS
from runtime.ops.registry import Raises

CASES = [
    *((GENERATOR, name, samples) for name, samples in generator_samples().items()),
    *((LEGACY, name, samples) for name, samples in legacy_samples().items()),
    *(
        (cls, name, OTHERS[name])
        for cls in RANDOM_CLASSES
        if cls not in (GENERATOR, LEGACY)
        for name in RANDOM_METHODS[cls]
    ),
]


@pytest.mark.parametrize("cls", RANDOM_CLASSES)
def test_every_method_has_rules(cls: type) -> None:
    names = (name for name in dir(cls) if not name.startswith("_"))
    public = {name for name in names if callable(getattr(cls, name))}
    assert public - {"cffi", "ctypes", "lock"} == set(RANDOM_METHODS[cls])


@pytest.mark.parametrize(("cls", "name", "samples"), CASES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_types_describe_what_is_drawn(cls: type, name: str, samples: list[Sample]) -> None:
    for sample in samples:
        drawn = Sample((source(cls), *sample.inputs), {**sample.attrs, "name": name})
        given = drawn.fresh()
        try:
            result = run(METHOD, given, drawn.attrs)
        except (ValueError, TypeError):
            continue
        for inputs in descriptions(drawn):
            inputs[0] = Value(ObjectType(cls))
            (type_,) = METHOD.result_types(inputs, drawn.attrs)
            effects = METHOD.effects(inputs, drawn.attrs)
            assert describes(type_, result), f"{name}{sample}: {inputs} -> {type_}, not {result!r}"
            assert effects.calls and effects.raises is Raises.VALUE
            check_sharing(effects, given, (result,))


@pytest.mark.parametrize(("cls", "name", "samples"), CASES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_first_sample_has_an_exact_type(cls: type, name: str, samples: list[Sample]) -> None:
    drawn = Sample((source(cls), *samples[0].inputs), {**samples[0].attrs, "name": name})
    inputs = next(iter(descriptions(drawn)))
    (type_,) = METHOD.result_types(inputs, drawn.attrs)
    assert type_ != PLAIN or name == "get_state"


def test_only_declared_arrays_are_written() -> None:
    array = Value(ArrayType(V.dtype, (3,)))
    for name, count in {"shuffle": 1, "permuted": 3}.items():
        inputs = [Value(ObjectType(GENERATOR)), *(array for _ in range(count))]
        assert METHOD.effects(inputs, {"name": name}).writes == (0, count)


def test_draws_are_ordered_with_everything() -> None:
    assert len(DRAWS) > 50
    for name in DRAWS:
        assert OPERATIONS[name].effects([Value(INT)], {}).calls


def test_a_generator_given_to_default_rng_is_returned() -> None:
    generator = np.random.default_rng(1)
    assert np.random.default_rng(generator) is generator
    operation = OPERATIONS["np.random.default_rng"]
    (alias,) = operation.effects([Value(ObjectType(GENERATOR))], {}).aliases
    assert alias.inputs == (0,)


class Subclass(np.random.Generator):
    """A generator of a user's."""


def test_a_subclass_of_generator_is_unknown() -> None:
    for type_ in (ObjectType(Subclass), join(ObjectType(Subclass), INT)):
        operation = OPERATIONS["np.random.default_rng"]
        assert str(operation.result_types([Value(type_)], {})[0]) == "opaque"
        assert str(METHOD.result_types([Value(type_)], {"name": "normal"})[0]) == "opaque"


def test_scalars_are_those_of_numpy() -> None:
    inputs = [Value(ObjectType(GENERATOR)), Value(INT)]
    expected = ScalarType(np.dtype(np.int64))
    assert METHOD.result_types(inputs, {"name": "integers"}) == (expected,)
