"""Methods that are used as values, compared with plain Python: one object each time one is read."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def kept(x):
    """Containers, closures and loops hand on the object."""
    m = x.sum
    held = [m for _ in range(3)]
    k = m
    for _ in range(2):
        k = m
    same = held[0] is m, held[0] is held[2], (m,)[0] is m, {1: m}[1] is m
    return same, (lambda: m)() is m, k is m


def read_twice(x):
    """Each reading makes an object, and they are equal."""
    return x.sum is x.sum, x.sum == x.sum, x.sum != x.mean, x.sum is not None, {x.sum: 1}[x.sum]


def looked_for(x):
    """Membership compares."""
    m = x.sum
    return m in [m], m in (m,), [m].index(m), [m, m].count(m)


def truth(x):
    """A method is true."""
    m = x.sum
    return bool(m), not m, 1 if m else 2, (m and 1), (m or 1) is m


def called_later(x, n):
    """What is read first is the array that is asked."""
    m = x.max
    x = x + 1
    values = [m()]
    for _ in range(n):
        m = x.min
        x = x * 2
        values.append(m())
    return values


def chosen(x, n):
    """A number chooses."""
    m = x.sum if n > 1 else x.mean
    return m()


def handed_on(x):
    """Functions and builtins take them."""
    def apply(f):
        return f()

    return apply(x.sum), functools.partial(x.sum, 0)(), [*map(x.take, [0, 1])]


def told(x):
    """Names and texts."""
    m = x.sum
    return m.__name__, m.__self__ is x, callable(m), type(m).__name__, str(m)[:10], f"{m}"[:10]


def assigned(x):
    """Attributes cannot be assigned."""
    m = x.sum
    m.x = 3


def assigned_in_try(x):
    """The error's words can be seen."""
    m = x.sum
    try:
        m.x = 3
    except AttributeError as error:
        return str(error)


def deleted(x):
    """Nor deleted."""
    m = x.sum
    del m.x


def read(x):
    """Nor read, where there are none."""
    return x.sum.other


def replaced(x):
    """The array itself takes no method."""
    x.sum = 3


def indexed(x):
    """There are no items."""
    return x.sum[0]


def stored(x):
    """None to be assigned."""
    x.sum[0] = 1


def added(x):
    """No sum."""
    m = x.sum
    m += 1
    return m


def added_to(x):
    """From either side."""
    return 1 + x.sum


def compared(x):
    """No order."""
    return 1 < x.sum


def negated(x):
    """No sign."""
    return -x.sum


def measured(x):
    """No length."""
    return len(x.sum)


def looped(x):
    """No items to loop over."""
    for _ in x.sum:
        pass


def unpacked(x):
    """Nor to unpack."""
    a, b = x.sum
    return a, b


def spread(x):
    """Nor to spread."""
    return [*x.sum]


def entered(x):
    """No context."""
    with x.sum:
        pass


PROGRAMS = (
    kept, read_twice, looked_for, truth, handed_on, told, assigned, assigned_in_try, deleted, read,
    replaced, indexed, stored, added, added_to, compared, negated, measured, looped, unpacked,
    spread, entered,
)  # fmt: skip


def agree(program: Callable[..., object], *arguments: object) -> None:
    """Assert that `program` is staged, and does compiled what it does plain."""
    file = program.__code__.co_filename
    want = observe(program, arguments, file)
    got = observe(ag.compile(program, fallback="error"), arguments, file)
    assert not differences(got, want)


@pytest.mark.parametrize("program", PROGRAMS)
def test_method_of_an_array(program: Callable[..., object]) -> None:
    """It is an object like any other."""
    agree(program, np.arange(3.0))


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("program", [called_later, chosen])
def test_method_that_a_number_decides_on(program: Callable[..., object], n: int) -> None:
    """In loops and branches."""
    agree(program, np.arange(3.0), n)


def test_method_of_a_text_made_by_the_run():
    """Texts have methods as well."""

    def program(x):
        m = f"abc{x}".upper
        return [m][0] is m, m(), m.__name__

    agree(program, 3)


def test_method_that_is_only_called_leaves_no_trace():
    """The object itself is made where it is asked for alone."""

    def program(x):
        m = x.sum
        return m() + x.mean()

    assert "getattr" not in str(ag.compile(program).graph(np.ones(2)))
