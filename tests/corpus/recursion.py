"""Functions that call themselves and each other on values known at run time."""

from __future__ import annotations

import numpy as np

from .entries import case


def factorial(n):
    """Multiply past 64 bits."""
    if n <= 1:
        return 1
    return n * factorial(n - 1)


case(factorial, lambda: (5,), lambda: (30,), lambda: (0,))


def fibonacci(n):
    """Call itself twice."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


case(fibonacci, lambda: (12,), lambda: (1,))


def _is_even(n):
    return True if n == 0 else _is_odd(n - 1)


def _is_odd(n):
    return False if n == 0 else _is_even(n - 1)


def parities(n):
    """Call two helpers that call each other."""
    return _is_even(n), _is_odd(n)


case(parities, lambda: (6,), lambda: (7,), lambda: (0,))


def halved_sum(x):
    """Add up an array by halves, which are views."""
    n = len(x)
    if n == 0:
        return 0.0
    if n == 1:
        return x[0]
    return halved_sum(x[: n // 2]) + halved_sum(x[n // 2 :])


case(halved_sum, lambda: (np.arange(7.0),), lambda: (np.zeros(0),), lambda: (np.ones(1),))


def _fill(x, depth):
    x[depth] += depth
    if depth > 0:
        _fill(x, depth - 1)
    x[0] *= 2


def written_on_the_way(x, depth):
    """Write into one array before and after the call of itself."""
    _fill(x, depth)
    return x.sum()


case(
    written_on_the_way,
    lambda: (np.ones(4), 3),
    lambda: (np.ones(4), 0),
    lambda: (np.ones(2), 3),
    raises=(None, None, IndexError),
)


def _collect(n, found):
    found.append(n)
    return found if n == 0 else _collect(n - 1, found)


def countdown(n):
    """Build a list on the way down."""
    return _collect(n, [])


case(countdown, lambda: (4,), lambda: (0,))


def _power(x, n):
    if n == 0:
        return np.ones_like(x)
    half = _power(x, n // 2)
    return half * half * x if n % 2 else half * half


def powers(x, n):
    """Raise an array to powers by squaring, in a loop."""
    total = np.zeros_like(x)
    for i in range(n):
        total += _power(x, i)
    return total


case(powers, lambda: (np.array([2.0, 0.5]), 6), lambda: (np.array([2, 3]), 3))


def closure_recursion(x, n):
    """Call a function that sees a run-time value of the one around it."""

    def scaled(n):
        return x if n == 0 else scaled(n - 1) * 2

    return scaled(n)


case(closure_recursion, lambda: (np.array([2.0, 0.5]), 3), staged=False)


def _gcd(a, b):
    if b < 0:
        raise ValueError("negative", b)
    return a if b == 0 else _gcd(b, a % b)


def common_divisor(a, b):
    """Raise from the depth of the calls."""
    return _gcd(a, b)


case(
    common_divisor,
    lambda: (84, 36),
    lambda: (7, 0),
    lambda: (7, -3),
    raises=(None, None, ValueError),
)
