"""Inner functions that call themselves, with variables of the function around them."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def memory(n):
    """Results are kept in a dict."""
    known = {}

    def number(k):
        if k in known:
            return known[k]
        result = k if k < 2 else number(k - 1) + number(k - 2)
        known[k] = result
        return result

    return number(n), known


def argument(n):
    """An argument and an array."""
    x = np.arange(3.0) + n

    def power(k):
        return x if k == 0 else n * power(k - 1)

    return power(n)


def constant_that_changes(n):
    """What is known while compiling is another one at the second call."""
    k = 1

    def product(m):
        return k if m <= 1 else m * product(m - 1)

    first = product(n)
    k = 2
    return first, product(n)


def rebound(n):
    """A value of the run is."""
    x = n * 2

    def total(k):
        return x if k == 0 else total(k - 1) + x

    first = total(n)
    x = x + 1
    return first, total(n)


def counted(n):
    """The calls are counted, in an expression that is evaluated later."""
    count = 0

    def walk(k):
        nonlocal count
        count += 1
        return 0 if k == 0 else walk(k - 1) + 1

    return walk(n), count


def best_so_far(n):
    """Branches of the function assign."""
    best = None

    def search(k):
        nonlocal best
        if best is None or (k * 7) % 5 > best:
            best = (k * 7) % 5
        if k:
            search(k - 1)

    search(n)
    return best


def mutual(n):
    """Two functions that call each other."""
    x = n + 0.5

    def even(k):
        return x if k == 0 else odd(k - 1)

    def odd(k):
        return -x if k == 0 else even(k - 1)

    return even(n), odd(n)


def helper_beside(n):
    """A function that it calls has captured something as well."""
    x = n * 2

    def scale(v):
        return v * x

    def walk(k):
        return scale(1) if k == 0 else scale(walk(k - 1))

    return walk(n)


def sorting(n):
    """A list is sorted in place."""
    items = [(i * 7) % 5 for i in range(n + 2)]

    def quicksort(low, high):
        if low >= high:
            return
        pivot, place = items[high], low
        for j in range(low, high):
            if items[j] < pivot:
                items[place], items[j] = items[j], items[place]
                place += 1
        items[place], items[high] = items[high], items[place]
        quicksort(low, place - 1)
        quicksort(place + 1, high)

    quicksort(0, len(items) - 1)
    return items


def defaults(n):
    """Defaults were computed when the function was made."""

    def walk(k, total=n, *, step=n * 2):
        return total * step if k == 0 else walk(k - 1, total + k)

    return walk(n), walk(n, 2, step=3)


def made_in_loop(n):
    """Each has a variable of its own."""
    results = []
    for x in range(3):

        def walk(k, x=x):
            return x if k == 0 else walk(k - 1) * 2

        results.append(walk(n))
    return results


def late(n):
    """A variable is bound after the function was made."""

    def walk(k):
        return z if k == 0 else walk(k - 1)

    z = n * 2
    return walk(n)


def unbound(n):
    """It never is."""

    def walk(k):
        return z if k == 0 else walk(k - 1)

    if n > 100:
        z = 1
    return walk(n)


def raising(n):
    """An error passes all of them."""
    x = n * 2

    def walk(k):
        if k == 0:
            raise ValueError(x)
        walk(k - 1)

    walk(n)


def kept(n):
    """The function is an item of a list, and is itself."""
    x = n * 2

    def walk(k):
        return x if k == 0 else walk(k - 1) + 1

    table = [walk, lambda v: v]
    return table[0](n), walk(2), table[0] is walk


def kept_mutual(n):
    """Two of them are."""

    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return [even, odd][n % 2](n)


def cached(n):
    """The name means what the decorator returned."""

    @functools.lru_cache(None)
    def number(k):
        return k if k < 2 else number(k - 1) + number(k - 2)

    return number(n), tuple(number.cache_info())


def replaced(n):
    """The name means another function later."""

    def walk(k):
        return 0 if k == 0 else walk(k - 1) + 1

    old = [walk]

    def walk(k):
        return 100

    return old[0](n), walk(n)


def named_as_in_the_runtime(n):
    """Names that the compiler might use."""

    def made(k, definition=1):
        return k if k < 1 else made(k - 1)

    return [made][0](n)


PROGRAMS = (
    memory, argument, constant_that_changes, rebound, counted, best_so_far, mutual, helper_beside,
    sorting, defaults, made_in_loop, late, unbound, raising, kept, kept_mutual, cached, replaced,
    named_as_in_the_runtime,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_recursion_of_an_inner_function_is_staged(program: Callable[..., object]) -> None:
    """One trace serves all depths."""
    compiled = ag.compile(program, fallback="error")
    file = program.__code__.co_filename
    for n in (7, 0, 9):
        assert not differences(observe(compiled, (n,), file), observe(program, (n,), file))
    assert len(compiled.signatures) == 1


def any_number_spread(items, named):
    """A list and a dict are spread over parameters that take any number."""

    def told(first, second=1, *others, key=5, **more):
        return first, second, others, key, sorted(more.items()), len(others)

    return told(*items), told(0, *items, **named), told(**{"first": 1}, **named)


@pytest.mark.parametrize(
    "arguments", [([1, 2, 3], {"key": 2, "z": 1}), ([1], {}), ([], {}), ([1], {"second": 2})]
)
def test_spread_over_any_number_of_parameters(arguments: tuple[object, ...]) -> None:
    """Python itself binds them, at run time."""
    compiled = ag.compile(any_number_spread, fallback="error")
    file = any_number_spread.__code__.co_filename
    want = observe(any_number_spread, arguments, file)
    assert not differences(observe(compiled, arguments, file), want)
