"""Peak memory of compiled kernels against that of the plain ones, on large arrays."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

import autograph as ag
from kernels import KERNELS
from kernels.large import LARGE


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
