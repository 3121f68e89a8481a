"""Objects that do something when they are freed: not before the plain function frees them."""

from __future__ import annotations

import operator
import os
import tempfile
import weakref

import pytest

import autograph as ag

FREED: list[str] = []
CALL = operator.methodcaller("__call__")


class Resource:
    """Tells when it is freed."""

    value = 1

    def __init__(self, name):
        self.name = name

    def __del__(self):
        FREED.append(self.name)


class Box:
    """Holds a value, and can be referred to weakly."""

    def __init__(self, value):
        self.value = value


def make(name):
    """Return a resource; whoever is handed this function calls it without compiling it."""
    return Resource(name)


A, B = (operator.methodcaller("__call__", name) for name in "AB")


def directory_whose_name_is_used(x):
    """Only the name of the directory is read."""
    made = tempfile.TemporaryDirectory()
    name = made.name
    y = x + 1
    return os.path.exists(name), y


def never_read(x):
    """Hold a resource for as long as the function runs."""
    guard = A(make)  # noqa: F841  # on purpose
    return x + 1, list(FREED)


def assigned_again(x):
    """The second takes the place of the first."""
    guard = A(make)
    first = list(FREED)
    guard = B(make)  # noqa: F841  # on purpose
    return x, first, list(FREED)


def read_weakly(x):
    """The variable alone keeps the object."""
    box = Box(x)
    weak = weakref.ref(box)
    return weak().value


def _helper(x):
    guard = A(make)
    name = guard.name
    y = x * 2
    return y, name, list(FREED)


def in_a_helper(x):
    """A variable of an inlined function goes when that returns, or later."""
    inner = _helper(x)
    return inner[0], inner[1], inner[2]


def _called_by_one_that_holds(x):
    guard = B(make)
    return guard.name, list(FREED)


def variables_called_alike(x):
    """The inner function does not assign the outer function's variable."""
    guard = A(make)
    name = guard.name
    return name, _called_by_one_that_holds(x), "A" in FREED


@pytest.mark.parametrize(
    "function",
    [
        directory_whose_name_is_used, never_read, assigned_again, read_weakly, in_a_helper,
        variables_called_alike,
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Implicitly cleaning up:ResourceWarning")
def test_variable_keeps_its_object(function):
    """It does so although its value is not read any more."""
    compiled = ag.compile(function, fallback="error")
    for x in (1, 2.5):
        FREED.clear()
        want = function(x)
        FREED.clear()
        assert compiled(x) == want


def makes_one_with_a_finalizer(x):
    """The finalizer's place in the program is not kept."""
    Resource("here")
    return x + 1, list(FREED)


def test_object_with_a_finalizer_is_not_made_in_a_trace():
    """What `__del__` does comes in its place."""
    compiled = ag.compile(makes_one_with_a_finalizer)
    FREED.clear()
    with pytest.warns(ag.AutographWarning, match="has a `__del__`"):
        assert compiled(1) == (2, ["here"])
