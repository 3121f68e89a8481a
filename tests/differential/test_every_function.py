"""Every function of NumPy on all its samples, in a function of its own, plain against compiled."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe
from ops.numpy_method_samples import NUMPY_SAMPLES
from ops.random_samples import GENERATOR, LEGACY, samples_of
from ops.sample import Sample
from runtime.ops.catalog import OPERATIONS
from runtime.ops.random_generators import RANDOM_METHODS

Written = tuple[str, tuple[object, ...]]
FUNCTIONS = sorted(
    name for name in NUMPY_SAMPLES
    if name in OPERATIONS and name != "np.random.seed" and not name.startswith("np.random.")
)  # fmt: skip


def is_written_out(value: object) -> bool:
    """Tell whether people write such an argument as a constant."""
    if isinstance(value, tuple):
        return all(map(is_written_out, value))
    return value is None or type(value) in (bool, str) or (type(value) is int and abs(value) < 99)


def text_of(callee: str, sample: Sample, first: int = 0) -> Written:
    """Return a call of `callee` on a sample as an expression of `a`, `b`..., and the arguments."""
    names = sample.attrs.get("keywords", ())
    assert isinstance(names, tuple)
    split = len(sample.inputs) - len(names)
    given: list[object] = list(sample.inputs[:first])
    parts = []
    for position, value in enumerate(sample.inputs):
        if position < first:
            continue
        if is_written_out(value):
            text = repr(value)
        else:
            text = "abcdefgh"[len(given)]
            given.append(value)
        parts.append(text if position < split else f"{names[position - split]}={text}")
    return f"{callee}({', '.join(parts)})", tuple(given)


def written_calls(name: str) -> list[Written]:
    """Return the calls of one function, or of one method if the name has a colon."""
    if ":" not in name:
        return [text_of(name, sample) for sample in NUMPY_SAMPLES[name]]
    owner, _, method = name.partition(":")
    if owner == "method":
        found = [sample for sample in NUMPY_SAMPLES["method"] if sample.attrs["name"] == method]
        arrays = [sample for sample in found if isinstance(sample.inputs[0], ARRAYS)]
        return [text_of(f"a.{method}", sample, 1) for sample in arrays]
    cls = {"Generator": GENERATOR, "RandomState": LEGACY}[owner]
    return [text_of(f"a.{method}", sample, 1) for sample in samples_of(cls, method)]


def module_of(calls: list[Written], folder: Path, name: str) -> ModuleType:
    """Return a module with a function for each call: it uses the result, and returns it."""
    lines = ["import numpy as np", ""]
    for number, (text, given) in enumerate(calls):
        parameters = ", ".join("abcdefgh"[: len(given)])
        lines += [f"def f{number}({parameters}):", f"    x = {text}", "    return x, [x]", "", ""]
    file = folder / f"calls_{name.replace('.', '_').replace(':', '_')}.py"
    file.write_text("\n".join(lines), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


ARRAYS = (np.ndarray, np.generic, np.ufunc)
CHANGING = ("seed", "set_state")
"""Methods that take numbers from outside, or an argument that is no argument of a call."""
NAMES = sorted({str(sample.attrs["name"]) for sample in NUMPY_SAMPLES["method"]})
METHODS = [
    *(f"method:{name}" for name in NAMES),
    *(f"Generator:{name}" for name in RANDOM_METHODS[GENERATOR]),
    *(f"RandomState:{name}" for name in RANDOM_METHODS[LEGACY] if name not in CHANGING),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_compiled_calls_agree_with_plain_ones(name: str, tmp_path: Path) -> None:
    calls = written_calls(name)
    module = module_of(calls, tmp_path, name)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's are compared by `observe`
        for number, (text, given) in enumerate(calls):
            function: Callable[..., object] = getattr(module, f"f{number}")
            want = observe(function, fresh(given), module.__file__ or "")
            got = observe(ag.compile(function), fresh(given), module.__file__ or "")
            found += [f"{text} of {given}: {line}" for line in differences(got, want)]
    assert not found, "\n".join(found[:5])


def fresh(given: tuple[object, ...]) -> tuple[object, ...]:
    """Return copies of arguments that keep what they share."""
    return Sample(given).fresh()
