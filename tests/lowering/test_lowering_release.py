"""Variables are deleted where the plain function drops what they hold, and nowhere else."""

from __future__ import annotations

import numpy as np

import autograph as ag


def helper(x):
    twice = x + x
    square = twice * twice
    return square - twice


def two_calls(x):
    first = helper(x)
    second = helper(first)
    return first * second


def in_loop(x, n):
    for _ in range(n):
        mine = x * 2
        x = helper(mine)
    return x


def of_numbers(x):
    y = helper_of_numbers(x)
    return y + helper_of_numbers(y)


def helper_of_numbers(x):
    a = x + 1
    return a * a


def carried(x, n):
    old = x
    for _ in range(n):
        new = helper(old)
        old = old + new
    return old


def deletions(function, *args):
    """Return what the program deletes, and see that it is right, twice."""
    compiled = ag.compile(function, fallback="error")
    text = compiled.program(*args)
    for _ in range(2):
        assert np.array_equal(compiled(*args), function(*args))
    lines = str(text).splitlines()
    return [line.strip() for line in lines if line.strip().startswith("del ")]


def test_locals_of_an_inlined_function_are_deleted():
    assert deletions(two_calls, np.arange(3.0)) == ["del twice"]


def test_own_locals_stay():
    assert deletions(in_loop, np.arange(3.0), 2) == ["del twice"]


def test_numbers_are_not_worth_it():
    assert deletions(of_numbers, 2.0) == []


def test_what_the_next_trip_reads_stays():
    assert deletions(carried, np.arange(3.0), 3) == ["del twice"]
