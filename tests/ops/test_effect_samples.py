"""Every write that an operation of NumPy declares is seen in some sample, so a lost one is too."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator

import numpy as np

from ops.numpy_method_samples import NUMPY_SAMPLES
from ops.numpy_samples import call
from ops.sample import Sample, run
from ops.test_array_methods import SCALAR_CALLS, receivers
from ops.test_python_operations import state
from ops.test_ufunc_calls import SAMPLES as UFUNC_SAMPLES
from ops.test_ufunc_calls import keywords
from runtime.ir.graph import Constant, Value
from runtime.ir.types import type_of
from runtime.ops.catalog import OPERATIONS
from runtime.ops.registry import Effects, Sharing

ROW, INDEX = np.array([0.25, 2.75, 1.5]), np.array([2, 0])
MORE = [
    ("np.argmax", call(ROW, 0, np.array(7))), ("np.argmin", call(ROW, 0, np.array(7))),
    ("np.take", call(ROW, INDEX, out=np.zeros(2))), ("np.around", call(ROW, 1, np.zeros(3))),
    ("np.round", call(ROW, out=np.zeros(3))),
]  # fmt: skip
"""Samples in which ``out`` is given and changes."""


def samples() -> Iterator[tuple[str, Sample]]:
    """Yield all samples of NumPy's functions and of methods, with the operation's name."""
    yield from ((name, sample) for name, made in NUMPY_SAMPLES.items() for sample in made)
    yield from UFUNC_SAMPLES
    yield from MORE
    for name, calls in SCALAR_CALLS.items():
        for receiver in receivers(np.dtype(float)) + receivers(np.dtype(complex)):
            for arguments, options in calls:
                attrs = {"name": name, **keywords(options)}
                yield "method", Sample((receiver, *arguments, *options.values()), attrs)


def seen_state(item: object) -> object:
    """Return what can be seen of an argument, flags included."""
    flags = str(item.flags) if isinstance(item, np.ndarray) else ""
    return state(item), flags


def subject(name: str, sample: Sample) -> str:
    """Return what a sample is of: a function, or a method of a class."""
    if name != "method":
        return name
    return f"{type(sample.inputs[0]).__name__}.{sample.attrs['name']}"


def effects_of(name: str, sample: Sample) -> Effects:
    """Return the declared effects for inputs whose types are known."""
    inputs = [
        Constant(item) if isinstance(item, np.ufunc | type) else Value(type_of(item))
        for item in sample.inputs
    ]
    return OPERATIONS[name].effects(inputs, sample.attrs)


def shares(result: object, item: object) -> bool:
    """Tell whether `result` is, or holds, the memory of `item`."""
    if isinstance(result, tuple | list):
        return any(shares(part, item) for part in result)
    if isinstance(result, np.ndarray) and isinstance(item, np.ndarray):
        return np.shares_memory(result, item)
    return result is item


_CERTAIN = (Sharing.SAME, Sharing.VIEW)


@functools.cache
def unseen() -> tuple[list[str], list[str]]:
    """Return the subjects whose declared writes, and whose certain sharing, no sample shows."""
    written: dict[str, bool] = {}
    shared: dict[str, bool] = {}
    for name, sample in samples():
        if name not in OPERATIONS or name.startswith("np.random."):
            continue
        effects = effects_of(name, sample)
        shares_input = any(alias.sharing in _CERTAIN for alias in effects.aliases)
        if effects.calls or not (effects.writes or shares_input):
            continue
        key, inputs = subject(name, sample), sample.fresh()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = run(OPERATIONS[name], inputs, sample.attrs)
            except Exception:  # then there is nothing to see
                continue
        if any(isinstance(inputs[i], np.ndarray) for i in effects.writes):
            pairs = [(sample.inputs[i], inputs[i]) for i in effects.writes]
            changed = any(seen_state(before) != seen_state(after) for before, after in pairs)
            written[key] = written.get(key, False) or changed
        if shares_input:
            aliases = [i for alias in effects.aliases for i in alias.inputs]
            found = any(shares(result, inputs[i]) for i in aliases)
            shared[key] = shared.get(key, False) or found
    return (
        [key for key, seen in written.items() if not seen],
        [key for key, seen in shared.items() if not seen],
    )


def test_declared_writes_are_seen() -> None:
    assert unseen()[0] == []


def test_certain_sharing_is_seen() -> None:
    assert unseen()[1] == []


def test_more_samples_write_what_is_declared() -> None:
    for name, sample in MORE:
        inputs = sample.fresh()
        run(OPERATIONS[name], inputs, sample.attrs)
        pairs = enumerate(zip(sample.inputs, inputs, strict=True))
        changed = {i for i, (before, after) in pairs if seen_state(before) != seen_state(after)}
        assert changed
        assert changed == set(effects_of(name, sample).writes)
