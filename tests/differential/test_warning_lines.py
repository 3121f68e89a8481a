"""Warnings of NumPy come at the user's line, once for each operation, on every call."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autograph as ag


def constants(n):
    """Compute from constants what NumPy warns of."""
    a = np.arccos(2)
    b = np.log(0)
    c = 1 / np.float64(0)
    d = np.exp(1.0) / 0
    return n * a, b, c, d


def constants_in_loops(n):
    """Warn in every trip of a loop, and of a loop that is unrolled."""
    total = 0.0
    for k in range(n):
        total += k * np.sqrt(-1.0)
    for k in (0.0, 1.0):
        total += np.log(k)
    return total


def constants_in_a_branch(n):
    """Warn in the branch that is taken."""
    if n > 2:
        y = np.log(-1.0)
    else:
        y = _reciprocal(0.0)
    return y


def _reciprocal(x):
    return np.divide(1.0, x)


def under_errstate(n):
    """Warn only where it is asked for."""
    with np.errstate(divide="ignore"):
        a = np.log(0.0)
    b = np.log(0.0)
    try:
        with np.errstate(divide="raise"):
            c = np.log(0.0)
    except FloatingPointError as error:
        c = str(error)
    return n, a, b, c


# fmt: off
def calls_over_lines(n):
    """Warn in calls that end on a later line than they begin."""
    x = np.arange(
        -1.0, n)
    return np.log(
        x
        - 1), (np.
               sqrt(
                   -x))
# fmt: on


def given(function, n):
    """Return what `function` gives, and what it warns of, with the lines."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(n)
    return repr(result), [(w.category, str(w.message), w.filename, w.lineno) for w in caught]


@pytest.mark.parametrize(
    "function",
    [constants, constants_in_loops, constants_in_a_branch, under_errstate, calls_over_lines],
    ids=lambda f: f.__name__,
)
def test_warnings_are_the_plain_ones(function):
    compiled = ag.compile(function, fallback="error")
    for n in (3, 2, 3):
        assert given(compiled, n) == given(function, n)


def error_of_an_unused_result(x):
    """Make warnings errors, which do not depend on whether the result is used."""
    with np.errstate(divide="raise"):
        try:
            np.log(x)
        except FloatingPointError as error:
            return str(error)
    return "none"


def error_of_an_unused_name(x):
    """The same, for a helper and the state as a whole."""
    old = np.seterr(all="raise")
    try:
        _quotient(x)
        return "none"
    except FloatingPointError as error:
        return str(error)
    finally:
        np.seterr(**old)


def _quotient(x):
    unused = 1.0 / x  # noqa: F841  # on purpose
    return 2


def calls_for_unused_results(x):
    """Have NumPy call a function for what it would warn of."""
    seen = []
    with np.errstate(divide="call", call=lambda *what: seen.append(what)):
        np.log(x)
        np.log(x)
    return seen


def unused(x):
    """Compute what nobody uses."""
    np.log(x)
    return x


@pytest.mark.parametrize(
    "function",
    [error_of_an_unused_result, error_of_an_unused_name, calls_for_unused_results],
    ids=lambda f: f.__name__,
)
def test_floating_point_errors_of_unused_results_are_raised(function):
    compiled = ag.compile(function, fallback="error")
    for x in (np.array([1.0, 0.0]), np.array([1.0, 2.0])):
        assert compiled(x) == function(x)


def test_where_warnings_are_errors_unused_results_are_computed():
    compiled = ag.compile(unused, fallback="error")
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="log"):
        compiled(np.array([1.0, 0.0]))


def logarithm_that_nobody_reads(x):
    unread = np.log(x)
    unread = x + 1
    return unread


def test_an_unread_result_raises_where_the_caller_asks_for_errors() -> None:
    compiled = ag.compile(logarithm_that_nobody_reads, fallback="error")
    for _ in range(2):
        assert compiled(np.zeros(2)).tolist() == [1.0, 1.0]
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
            compiled(np.zeros(2))
    assert len(compiled.signatures) == 2
    assert compiled.signatures[0].guards[-1] == "raising of floating-point errors is False"
