"""Helpers, closures, defaults, recursion, state outside."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from .entries import case

SCALE = 2.5
COUNTER = [0]
TOTAL = 0


def _square(x):
    return x * x


def _clamp(x, low=0.0, high=1.0):
    if x < low:
        return low
    if x > high:
        return high
    return x


def helper_call(x):
    """Call a helper in a loop condition and in the body."""
    while _square(x) > 2:
        x = x - _square(x) * 0.1
    return x


case(helper_call, lambda: (3.0,), lambda: (0.5,))


def helper_with_returns(x):
    """Call a helper that returns early, with defaults and keywords."""
    total = 0.0
    for v in x:
        total += _clamp(v) + _clamp(v, high=0.5)
    return total


case(helper_with_returns, lambda: (np.array([-1.0, 0.4, 2.0]),), lambda: (np.zeros(0),))


def defaults(x, factor=2, *, shift=0.5):
    """Use positional and keyword-only defaults."""
    if x > factor:
        return x * factor + shift
    return x


case(defaults, lambda: (3.0,), lambda: (1.0,), lambda: (1.0, 0.5))


def starred(x, *rest):
    """Take any number of arguments."""
    total = x
    for r in rest:
        total = total + r
    return total


case(starred, lambda: (1,), lambda: (1, 2.0, 3))


def captured_global(x):
    """Read a global number and a global function."""
    if x > SCALE:
        return _square(x)
    return x * SCALE


case(captured_global, lambda: (3.0,), lambda: (1.0,))


def global_list_changed(n):
    """Change a list held by a global."""
    for i in range(n):
        COUNTER[0] += i
    return COUNTER[0]


def _counter_reset(n):
    COUNTER[:] = [0]
    return (n,)


case(
    global_list_changed,
    lambda: _counter_reset(4),
    lambda: _counter_reset(0),
    watch=lambda: list(COUNTER),
)


def global_rebound(n):
    """Rebind a global in a loop."""
    global TOTAL
    for i in range(n):
        TOTAL = TOTAL + i
    return n


def _total_reset(n):
    global TOTAL
    TOTAL = 0
    return (n,)


case(
    global_rebound,
    lambda: _total_reset(4),
    lambda: _total_reset(0),
    watch=lambda: TOTAL,
    staged=False,
)


def closure_sees_rebinding(x):
    """Call an inner function after its free variable was rebound."""
    scale = 1.0

    def scaled(v):
        return v * scale

    first = scaled(x)
    if x > 0:
        scale = 10.0
    return first, scaled(x)


case(closure_sees_rebinding, lambda: (2.0,), lambda: (-2.0,))


def closure_in_loop(n):
    """Keep functions made in a loop: they share the loop variable."""
    made = [lambda: i for i in range(2)]  # noqa: B023  # on purpose
    later = []
    for k in range(n):
        later.append(lambda: k)  # noqa: B023, PERF401  # on purpose
    return [f() for f in made], [f() for f in later]


case(closure_in_loop, lambda: (3,), lambda: (0,), staged=False)


def default_in_loop(x):
    """Bind early with a default."""
    parts = []
    for k in range(3):
        parts.append((lambda v, k=k: v * k)(x))  # noqa: PERF401  # on purpose
    return parts


case(default_in_loop, lambda: (2.0,))


def nonlocal_counter(n):
    """Count in an inner function with nonlocal."""
    count = 0

    def bump(k):
        nonlocal count
        if k % 2 == 0:
            count += 1
        return count

    seen = 0
    for i in range(n):
        seen += bump(i)
    return seen, count


case(nonlocal_counter, lambda: (5,), lambda: (0,))


def recursive_factorial(n):
    """Recurse on a number."""
    if n <= 1:
        return 1
    return n * recursive_factorial(n - 1)


case(recursive_factorial, lambda: (5,), lambda: (0,))


def _even(n):
    return True if n == 0 else _odd(n - 1)


def _odd(n):
    return False if n == 0 else _even(n - 1)


def mutual_recursion(n):
    """Recurse through two helpers."""
    return _even(n), _odd(n)


case(mutual_recursion, lambda: (4,), lambda: (3,))


def function_argument(f, x):
    """Take a function as argument."""
    while f(x) > 1:
        x = x * 0.5
    return x


case(
    function_argument,
    lambda: (_square, 8.0),
    lambda: (np.abs, 8.0),
    retraces=True,
)


def inner_function(x, n):
    """Define a function with a loop inside."""

    def power(base, times):
        result = 1
        for _ in range(times):
            result = result * base
        return result

    return power(x, n) + power(x, 2)


case(inner_function, lambda: (3, 4), lambda: (0.5, 0), lambda: (np.arange(3.0), 3))


def composed(x):
    """Use functools and lambda."""
    add = functools.partial(np.add, 1)
    twice = lambda v: v * 2  # noqa: E731  # on purpose
    return twice(add(x))


case(composed, lambda: (np.arange(3.0),), lambda: (2.0,))


@dataclass
class Account:
    """An object with state."""

    balance: float
    moves: int = 0

    def pay(self, amount):
        """Change two attributes, or raise."""
        if amount > self.balance:
            raise ValueError("too much", amount)
        self.balance -= amount
        self.moves += 1
        return self.balance


def attributes_changed(account, amounts):
    """Change attributes of an argument in a loop."""
    for a in amounts:
        account.pay(a)
    return account.balance


case(
    attributes_changed,
    lambda: (Account(10.0), np.array([1.0, 2.0])),
    lambda: (Account(2.0), np.array([1.0, 2.0])),
    raises=(None, ValueError),
)


def local_object(n):
    """Make an object and change it."""
    account = Account(float(n))
    for _ in range(n):
        account.pay(1.0)
    return account.balance, account.moves


case(local_object, lambda: (3,), lambda: (0,), staged=False)


def keyword_arguments(x):
    """Pass keywords and unpacked arguments to a helper."""
    options = {"low": 0.25, "high": 0.75}
    bounds = (0.1, 0.2)
    return _clamp(x, **options), _clamp(x, *bounds)


case(keyword_arguments, lambda: (0.9,), lambda: (0.0,), staged=False)


def wrong_call(x):
    """Call a helper with too many arguments on one path."""
    if x > 0:
        return _square(x)
    return _square(x, 2)


case(wrong_call, lambda: (2,), lambda: (-2,), raises=(None, TypeError), staged=False)


def _pairs(n):
    for i in range(n):
        yield i, i * i


def generator_helper(n):
    """Iterate over a generator helper."""
    total = 0
    for i, square in _pairs(n):
        total += i * square
    return total


case(generator_helper, lambda: (4,), lambda: (0,))


def itself_by_name(x):
    """Read attributes of functions."""
    return _square.__name__, x + 1


case(itself_by_name, lambda: (1,))
