"""The seventeen programs of the comparison with other compilers: staged, exact, traced once."""

from __future__ import annotations

import inspect

import pytest

import autograph as ag
from differential.harness import differences, observe
from peers import PROGRAMS

NAMES = [program.name for program in PROGRAMS]


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_program_is_staged_and_exact_with_one_trace(program):
    """Every call does what plain NumPy does, arguments included; another size traces nothing."""
    compiled = ag.compile(program.function, fallback="error")
    file = inspect.getfile(program.function)
    for maker in (*program.calls, program.calls[0]):
        want = observe(program.function, maker(), file)
        assert want.result[0] == "returned"
        assert not differences(observe(compiled, maker(), file), want)
    assert len(compiled.signatures) == 1


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_program_is_exact_on_the_sizes_that_are_timed(program):
    """So it is on large arrays, the largest left out."""
    compiled = ag.compile(program.function, fallback="error")
    for size, maker in program.timed.items():
        if "10^7" not in size:
            want = observe(program.function, maker())
            assert not differences(observe(compiled, maker()), want)


def test_there_are_seventeen():
    assert len(set(NAMES)) == len(NAMES) == 17
