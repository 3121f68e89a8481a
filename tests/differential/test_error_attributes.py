"""What errors of Python's own carry besides their arguments."""

from __future__ import annotations

import pytest

import autograph as ag


def missing_name(n):
    """A name that is nowhere."""
    try:
        return nowhere
    except NameError as error:
        return error.args, error.name


def missing_attribute_of_tuple(n):
    """Known while compiling, with a value of the run inside."""
    try:
        return (1, n).other
    except AttributeError as error:
        return error.args, error.name, error.obj


def missing_attribute_of_number(n):
    """Known at run time."""
    try:
        return n.other
    except AttributeError as error:
        return error.args, error.name, error.obj is n


def unbound_local(n):
    """A variable without a value."""
    try:
        if n > 5:
            late = 1
        return late
    except UnboundLocalError as error:
        return error.args, error.name


def of_a_function(n):
    """What has no such attribute is a function made here."""

    def inner():
        return n

    try:
        return inner.other
    except AttributeError as error:
        return error.args, error.name, error.obj is inner


@pytest.mark.parametrize(
    "program",
    [
        missing_name, missing_attribute_of_tuple, missing_attribute_of_number, unbound_local,
        of_a_function,
    ],
)  # fmt: skip
def test_names_and_objects_that_errors_tell_of(program) -> None:
    """They are Python's."""
    assert ag.compile(program, fallback="error")(3) == program(3)
