"""Names, modules and docstrings of what a program makes are those of plain Python."""

# Loops that make functions are what is tested here.
# ruff: noqa: B023, B905, E731

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag

NAMES = ("__name__", "__qualname__", "__module__", "__doc__", "__class__")
ABSENT = "absent"


def told(item: object) -> object:
    """Return what `item` tells of itself."""
    if isinstance(item, tuple):
        return tuple(map(told, item))
    return [getattr(item, name, ABSENT) for name in NAMES]


def lambda_of_branch_in_loop(x):
    """A branch in a loop makes the one that is returned."""
    f = None
    for i in range(len(x)):
        f = (lambda v: v + i) if x[i] > 0 else (lambda: 0)
    return f


def lambda_of_if_in_loop(x):
    """The same by statements."""
    f = lambda: 1
    for i in range(len(x)):
        if x[i] > 0:
            f = lambda v: v + i
        else:
            f = lambda v, w=2: v - i
    return f


def lambda_returned_by_branch(x):
    """Two lambdas without parameters."""
    if x.sum() > 0:
        return lambda: x
    return lambda: (lambda: 1)


def lambda_in_lambda(x):
    """What the returned one returns has both in its name."""
    f = lambda: lambda v: v if x.sum() > 0 else lambda: v
    return f, f(), f()(1)


def nested(x):
    """Inner functions keep their docstrings."""

    def first(a):
        """Tell of the first."""

        def second(b):
            """Tell of the second."""
            return a + b

        return second

    return first, first(x)


def made_in_branch(x):
    """A function of a branch is no part of anything but the function."""
    if x.sum() > 0:
        def chosen():
            """Be chosen."""
            return x
    else:
        chosen = None
    return chosen


def generator_function(x):
    """The function itself, and what it makes."""

    def numbers():
        """Count."""
        yield x

    return numbers, numbers()


def iterators(x):
    """Iterators have neither names nor modules of their own."""
    return map(abs, x), filter(None, x), zip(x, x), enumerate(x), reversed(x), (v for v in x)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "program",
    [
        lambda_of_branch_in_loop, lambda_of_if_in_loop, lambda_returned_by_branch, lambda_in_lambda,
        nested, made_in_branch, generator_function, iterators,
    ],
)  # fmt: skip
def test_what_leaves_tells_the_same_of_itself(program: Callable[..., object], sign: int) -> None:
    """Whether it was compiled or not."""
    x = sign * np.ones(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        compiled = ag.compile(program)(x)
    assert told(compiled) == told(program(x))


def asked_of_functions(n):
    """Ask functions made here."""

    def numbers():
        """Count."""
        yield n

    def plain(v):
        """Be plain."""
        return v

    short = lambda: n
    return (
        numbers.__doc__, numbers.__name__, numbers.__qualname__, numbers.__module__,
        plain.__doc__, plain.__name__, plain.__qualname__, plain.__module__,
        short.__doc__, short.__name__, short.__qualname__, short.__module__,
        len.__doc__, zip.__name__, n.__doc__,
    )  # fmt: skip


def asked_of_generator(n):
    """Ask a generator."""

    def numbers():
        """Count."""
        yield n

    made = numbers()
    return made.__name__, made.__qualname__, [*made]


@pytest.mark.parametrize("program", [asked_of_functions, asked_of_generator])
def test_names_asked_for_while_tracing_are_those_of_plain_python(
    program: Callable[..., object],
) -> None:
    """They are known while compiling."""
    assert ag.compile(program, fallback="error")(3) == program(3)


def documentation_of_map(n):
    """Its class's."""
    return map(abs, range(n)).__doc__


def documentation_of_enumeration(n):
    """Its class's, not the generator's."""

    def numbers():
        yield n

    return enumerate(numbers()).__doc__, hasattr(enumerate(numbers()), "__name__")


def class_of_generator(n):
    """It is Python's own."""

    def numbers():
        yield n

    return numbers().__class__.__module__, map(abs, range(n)).__class__.__module__


def documentation_of_generator(n):
    """There is none."""

    def numbers():
        """Count."""
        yield n

    return numbers().__doc__


@pytest.mark.parametrize(
    "program",
    [
        documentation_of_map, documentation_of_enumeration, class_of_generator,
        documentation_of_generator,
    ],
)  # fmt: skip
def test_what_stands_for_iterators_shows_nothing_of_itself(program: Callable[..., object]) -> None:
    """The plain function is called where the run alone could tell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        assert ag.compile(program)(3) == program(3)


def no_module(n):
    """A map has none."""
    return map(abs, range(n)).__module__


def test_what_iterators_have_not_raises() -> None:
    """In Python's own words."""
    with pytest.raises(AttributeError) as plain:
        no_module(2)
    with pytest.warns(ag.AutographWarning), pytest.raises(AttributeError) as compiled:
        ag.compile(no_module)(2)
    assert str(compiled.value) == str(plain.value)
