"""Peak memory of compiled programs against that of plain ones; loops that fill arrays."""

from __future__ import annotations

import gc
import sys
import tracemalloc

import pytest

import autograph as ag
from kernels import KERNELS
from kernels.large import LARGE
from kernels.memory_programs import FILLING, HOLDING, in_place


def peak(function, maker):
    """Return the most bytes that one call holds besides its arguments."""
    arguments = maker()
    gc.collect()
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", LARGE)
def test_peak_is_that_of_the_plain_kernel(name):
    """The compiled kernel holds at most 5 % more than the plain one, which holds 50 MB or more."""
    [case] = [case for case in KERNELS if case.name == name]
    compiled = ag.compile(case.function, fallback="error")
    compiled(*case.makers[0]())
    plain = peak(case.function, LARGE[name])
    assert plain >= 50e6
    assert peak(compiled, LARGE[name]) <= 1.05 * plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "maker"),
    HOLDING,
    ids=[f"{function.__name__}-{k}" for k, (function, _) in enumerate(HOLDING)],
)
def test_peak_is_that_of_the_plain_program(function, maker):
    """So does any program, whatever it frees on its way."""
    compiled = ag.compile(function, fallback="error")
    compiled(*maker())
    plain = peak(function, maker)
    assert plain >= 50e6 or function is in_place
    assert peak(compiled, maker) <= 1.05 * plain + 10_000


def instructions(function, n):
    """Return how many instructions of Python one call executes, itself traced before."""
    function(n)
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(n)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("function", FILLING, ids=lambda function: function.__name__)
def test_each_step_of_filling_costs_the_same(function):
    """Twice the steps take twice the instructions, and no step copies the array."""
    compiled = ag.compile(function, fallback="error")
    few, some, many = (instructions(compiled, n) for n in (60, 120, 240))
    assert many - some == pytest.approx(2 * (some - few), rel=0.02)
    assert many <= 1.2 * instructions(function, 240) + 300
    for n in (1_000, 100_000):
        assert peak(compiled, lambda n=n: (n,)) <= 1.05 * peak(function, lambda n=n: (n,)) + 10_000
