"""Variables of functions around the compiled one, which code that is not compiled may rebind."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe

STATE = None
MODE = "first"


@functools.lru_cache(None)
def change_globals(n):
    """Rebind globals; nobody compiles what a cache holds."""
    global STATE, MODE
    STATE, MODE = n, "second"
    return n


def texts_and_nothing(n):
    """They are rebound between two reads."""
    before = STATE, MODE
    change_globals(n)
    return before, STATE, MODE, STATE is None, MODE == "first"


def test_text_or_none_in_a_global_is_read_in_its_place():
    """No trace holds what it was."""
    global STATE, MODE
    compiled = ag.compile(texts_and_nothing, fallback="error")
    for n in (1, 2):
        STATE, MODE = None, "first"
        want = texts_and_nothing(n)
        change_globals.cache_clear()
        STATE, MODE = None, "first"
        assert compiled(n) == want


def programs():
    """Return programs by name, with what sets their surroundings back."""
    number, array, pair, items, table = 2.0, np.arange(3.0), (1, 2), [1], {"a": 1}
    count, nothing, text = 0, None, "first"
    generator = np.random.default_rng(1)

    @functools.lru_cache(None)
    def change(n):
        nonlocal number, array, pair, count, nothing, text
        number, array, pair, nothing, text = n, array + 1, (n, 3), n, "second"
        count += 1
        items.append(n)
        return n

    def bump():
        nonlocal count
        count += 1
        return count

    def read_around_a_change(x):
        before = number, array, pair, nothing, text
        change(x)
        return before, number, array, pair, pair[0], items, table["a"], count, nothing, text

    def with_random_numbers(x):
        return x * number + random.random() + array.sum() + generator.normal(), len(pair)

    def with_error_state(x):
        with np.errstate(divide="ignore"):
            return array / (x * number)

    def helper_that_assigns(x):
        first = bump()
        return first, count, bump(), count, x

    def functions_kept(x):
        kept = [lambda v: v * number + count, lambda v: v + array]
        before = [f(x) for f in kept]
        change(x)
        return before, [f(x) for f in kept]

    def recursion(x):
        def power(n):
            return number if n <= 1 else n * power(n - 1)

        return power(x)

    def recursion_around_a_change(x):
        def power(n):
            return number if n <= 1 else change(n) * power(n - 1)

        return power(x), number

    def in_loop(x):
        total = 0
        for v in items:
            total += v * number + random.random()
        return total + x

    def unbound(x):
        try:
            return later + x
        except NameError as error:
            return error.args, error.name

    def back():
        nonlocal number, array, pair, count, nothing, text, generator
        number, array, pair, count, nothing, text = 2.0, np.arange(3.0), (1, 2), 0, None, "first"
        items[:] = [1, 2]
        generator = np.random.default_rng(1)
        random.seed(1)
        change.cache_clear()

    if number > 5:
        later = 1
    return back, [
        read_around_a_change, with_random_numbers, with_error_state, helper_that_assigns,
        functions_kept, recursion, recursion_around_a_change, in_loop, unbound,
    ]  # fmt: skip


BACK, PROGRAMS = programs()


@pytest.mark.parametrize("program", PROGRAMS, ids=[p.__name__ for p in PROGRAMS])
def test_variable_of_a_function_around_is_as_it_is_at_that_moment(
    program: Callable[..., object],
) -> None:
    """In the call that makes the trace, and in others."""
    strict = program.__name__ != "helper_that_assigns"  # that helper is not compiled
    compiled = ag.compile(program, fallback="error" if strict else "warn")
    file = program.__code__.co_filename
    for x in (3, 2, 5):
        BACK()
        want = observe(program, (x,), file)
        BACK()
        assert not differences(observe(compiled, (x,), file), want)
    assert len(compiled.signatures) == 1


def test_two_closures_of_one_recursive_function_are_told_apart():
    """Each has a variable of its own."""

    def make(k):
        def power(n):
            return k if n <= 0 else 2 * power(n - 1)

        return power

    one, other = make(1), make(5)

    def program(n):
        return one(n), other(n), one(n + 1)

    assert ag.compile(program, fallback="error")(6) == program(6)


def test_name_that_is_a_global_elsewhere_in_the_function_is_refused():
    """To converted code both would be one variable."""
    MODE = "around"

    def program(x):
        def other():
            global MODE
            return MODE

        return MODE, other(), x

    with pytest.warns(ag.AutographWarning, match="MODE is a variable of a function around as well"):
        assert ag.compile(program)(1) == program(1)
