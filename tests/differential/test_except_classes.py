"""Classes in ``except`` clauses that are none, compared with plain Python."""

# Wrong clauses are what is tested here.
# ruff: noqa: B030

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def nothing(x):
    """Catch None."""
    try:
        return 1 / x
    except None:
        return 2


def nothing_after_another(x):
    """Catch None where another clause does not."""
    try:
        return 1 / x
    except ValueError:
        return 3
    except None:
        return 2
    finally:
        print("finally")


def nothing_never_asked(x):
    """Catch None after a clause that takes it."""
    try:
        return 1 / x
    except ArithmeticError:
        return 3
    except None:
        return 2


def tuple_with_number(x):
    """One class is a number."""
    try:
        return 1 / x
    except (ZeroDivisionError, 3):
        return 2


def tuple_in_tuple(x):
    """A tuple of tuples."""
    try:
        return 1 / x
    except (ZeroDivisionError, (ValueError, TypeError)):
        return 2


def no_exception(x):
    """A class, but of numbers."""
    try:
        return 1 / x
    except int:
        return 2


def the_argument(x):
    """A value of the run."""
    try:
        return 1 / x
    except x:
        return 2


def an_instance(x):
    """An error instead of its class."""
    try:
        return 1 / x
    except ZeroDivisionError():
        return 2


def undefined(x):
    """A name that is looked up only when an error arrives."""
    try:
        return 1 / x
    except NotThere:  # noqa: F821  # on purpose
        return 2


def nested(x):
    """The error of the clause is caught."""
    try:
        try:
            return 1 / x
        except None:
            return 2
    except TypeError as error:
        return str(error), type(error.__context__).__name__


@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize(
    "program",
    [
        nothing, nothing_after_another, nothing_never_asked, tuple_with_number, tuple_in_tuple,
        no_exception, the_argument, an_instance, undefined, nested,
    ],
)  # fmt: skip
def test_clause_is_looked_at_when_an_error_arrives(program: Callable[..., object], x: int) -> None:
    """Its own error comes at its own line."""
    file = program.__code__.co_filename
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        got = observe(ag.compile(program), (x,), file)
    assert not differences(got, observe(program, (x,), file))


def test_clause_that_calls_is_not_evaluated_before_its_time():
    """A function that returns the class runs when an error arrives."""

    def asked():
        print("asked")
        return ZeroDivisionError

    def program(x):
        try:
            return 1 / x
        except asked():
            return np.inf

    compiled = ag.compile(program)
    file = program.__code__.co_filename
    for x in (0, 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ag.AutographWarning)
            got = observe(compiled, (x,), file)
        assert not differences(got, observe(program, (x,), file))
