"""What is known while compiling, picked by numbers known only at run time."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe

LETTERS, NUMBERS, BYTES = "ACGT", (3, 1, 2), b"xyz"


def literal(k):
    """A literal text, tuple, range and bytes."""
    return "ACGT"[k], (1, 2.5, "x", None)[k], b"abcd"[k], range(10, 20)[k]


def negative(k):
    """From the end."""
    return "ACGT"[-k], (1, 2, 3, 4)[-k]


def globals_picked(k):
    """They are globals."""
    return LETTERS[k], NUMBERS[k], BYTES[k], LETTERS[k].lower(), ord(LETTERS[k])


def slices(k):
    """Parts of them."""
    t = (1, 2, 3, 4)
    parts = t[:k], t[k:], t[k:3], t[:: k + 1]
    return parts, "hello"[k:], b"hello"[:k], range(9)[k:], LETTERS[::-1][k]


def mixed(k):
    """A tuple of values of the run and others."""
    t = (k, 1, "s", None, (2, 3), (k, k))
    return t[k], t[k:], t[4][k % 2]


def compared(k):
    """What is picked decides."""
    return "abc"[k % 3] == "b", "abc"[k % 3] in "xb", {"a": 1, "b": 2, "c": 3}["abc"[k % 3]]


def collected(k):
    """In loops, by items of an array."""
    out, total = [], 0
    for v in np.arange(k):
        out.append(LETTERS[v])
        total += NUMBERS[v]
    return "".join(out), total, ["ab"[v % 2] for v in range(k)]


def functions_of_numpy(k):
    """Functions of libraries."""
    x = np.arange(3.0)
    return (np.sin, np.cos, np.sum, np.mean)[k](x), (math.sin, math.cos)[k % 2](1.0)


def classes(k):
    """Classes and dtypes."""
    return (int, float)[k % 2](2.5), np.zeros(2, dtype=(np.float32, np.int8)[k % 2])


def beyond(k):
    """There is no such item."""
    return "ab"[k + 2]


def beyond_tuple(k):
    """There is no such item."""
    return (1, 2)[k + 2]


def no_number(k):
    """A float is no index."""
    return "ab"[k / 2]


PROGRAMS = (
    literal, negative, globals_picked, slices, mixed, compared, collected, functions_of_numpy,
    classes, beyond, beyond_tuple, no_number,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_one_trace_serves_all_numbers(program: Callable[..., object]) -> None:
    """Python picks at run time, with its own errors."""
    compiled = ag.compile(program, fallback="error")
    file = program.__code__.co_filename
    for k in (1, 0, 2):
        assert not differences(observe(compiled, (k,), file), observe(program, (k,), file))
    assert len(compiled.signatures) == 1


def chosen(x):
    """Contents of an array choose a function of NumPy, or of Python."""
    f = np.sum if x.sum() > 0 else np.mean
    g = len if x.sum() > 0 else np.size
    h = operator.add if x.sum() > 0 else operator.sub
    return f(x), f is np.sum, f.__name__, g(x), h(x, 1)


def chosen_in_loop(x):
    """A loop chooses."""
    f = np.sum
    for i in range(3):
        if x.sum() > i:
            f = np.mean
    return f(x)


def from_containers(x):
    """A dict or a list does."""
    table = {"sum": np.sum, "mean": np.mean}
    return table["sum" if x.sum() > 0 else "mean"](x), [np.max, np.min][int(x.sum() > 0)](x)


def looped_over(x):
    """They are looped over."""
    total = 0.0
    for f in [np.sum, np.mean, len]:
        total += f(x)
    return total, [f(x) for f in (np.min, np.std)], [*map(np.sum, [x, x])]


@pytest.mark.parametrize("program", [chosen, chosen_in_loop, from_containers, looped_over])
def test_function_of_a_library_chosen_by_contents(program: Callable[..., object]) -> None:
    """It is a value of the run."""
    compiled = ag.compile(program, fallback="error")
    file = program.__code__.co_filename
    for x in (np.array([1.0, 2.0]), np.array([-1.0, -2.0])):
        assert not differences(observe(compiled, (x,), file), observe(program, (x,), file))
    assert len(compiled.signatures) == 1
