"""Tuples of many lengths do not make traces without end."""

from __future__ import annotations

import warnings

import pytest

import autograph as ag


def total(values):
    """Add what a tuple holds."""
    result = 0
    for value in values:
        result += value
    return result


def total_of_all(*values):
    """The same of any number of arguments."""
    return total(values)


def test_each_length_makes_a_trace_until_there_are_eight() -> None:
    """Then the plain function runs, and a warning names the argument."""
    compiled = ag.compile(total)
    with pytest.warns(ag.AutographWarning, match="for each new length of values; pass a list"):
        assert [compiled((1,) * n) for n in range(12)] == list(range(12))
    assert len(compiled.signatures) == 8


def test_lengths_that_have_a_trace_go_on_using_it() -> None:
    """Also after the limit; the warning comes once."""
    compiled = ag.compile(total_of_all)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        for _ in range(2):
            assert [compiled(*(1,) * n) for n in range(12)] == list(range(12))
    assert len(given) == 1
    assert len(compiled.signatures) == 8


def test_types_of_one_length_are_no_reason_to_stop() -> None:
    """Classes of items are few."""
    compiled = ag.compile(total, fallback="error")
    items = (1, 1.0, True, 1j)
    for first in items:
        for second in items:
            assert compiled((first, second)) == total((first, second))
