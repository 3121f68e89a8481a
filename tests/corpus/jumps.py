"""Nests of break, continue, return and loop else."""

from __future__ import annotations

import numpy as np

from .entries import case


def newton(x, tolerance):
    """Break out of Newton's method after too many steps."""
    y = x
    steps = 0
    while abs(y * y - x) > tolerance:
        if steps > 50:
            break
        y = 0.5 * (y + x / y)
        steps += 1
    return y, steps


case(newton, lambda: (2.0, 1e-12), lambda: (1e10, 0.0), lambda: (9.0, 100.0))


def break_keeps_values(x):
    """Keep what was assigned in the trip that breaks."""
    total = 0.0
    where = -1
    for i, v in enumerate(x):
        total += v
        if total > 3:
            where = i
            total = -total
            break
        total += 0.5
    return total, where


case(break_keeps_values, lambda: (np.array([1.0, 1.0, 2.0, 9.0]),), lambda: (np.array([0.5]),))


def continue_skips(x):
    """Skip the rest of a trip."""
    total = 0.0
    skipped = 0
    for v in x:
        if v < 0:
            skipped += 1
            continue
        total += v
    return total, skipped


case(continue_skips, lambda: (np.array([1.0, -1.0, 2.0]),), lambda: (np.array([-1.0]),))


def return_from_loop(x, wanted):
    """Return from inside a loop."""
    for i in range(len(x)):
        if x[i] == wanted:
            return i
    return -1


case(
    return_from_loop,
    lambda: (np.array([4, 5, 6]), 5),
    lambda: (np.array([4, 5, 6]), 7),
    lambda: (np.zeros(0, np.int64), 7),
)


def return_from_two_loops(m, wanted):
    """Return from the inner of two loops."""
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] == wanted:
                return i, j
    return None


case(
    return_from_two_loops,
    lambda: (np.arange(6).reshape(2, 3), 4),
    lambda: (np.arange(6).reshape(2, 3), 9),
)


def loop_else(n):
    """Find out whether a number is prime by the else of a loop."""
    i = 2
    while i * i <= n:
        if n % i == 0:
            kind = "composite"
            break
        i += 1
    else:
        kind = "prime"
    return kind, i


case(loop_else, lambda: (97,), lambda: (91,), lambda: (2,))


def for_else_value(x, limit):
    """Compute in the else of a for loop with the loop's values."""
    total = 0.0
    for v in x:
        total += v
        if total > limit:
            break
    else:
        total = -total
    return total


case(
    for_else_value,
    lambda: (np.array([1.0, 2.0]), 10.0),
    lambda: (np.array([1.0, 2.0]), 2.0),
    lambda: (np.zeros(0), 2.0),
)


def else_that_breaks(n):
    """Break the outer loop from the inner loop's else."""
    for i in range(n):
        for j in range(i):
            if i + j == 5:
                break
        else:
            if i > 3:
                break
    else:
        return "ran out"
    return i


case(else_that_breaks, lambda: (3,), lambda: (10,), lambda: (0,))


def else_that_continues(n):
    """Continue the outer loop from the inner loop's else."""
    found = 0
    for i in range(n):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            continue
        found += i
    return found


case(else_that_continues, lambda: (12,), lambda: (1,))


def all_jumps(x):
    """Use every jump in one loop."""
    kept = 0.0
    for v in x:
        if v == 0:
            continue
        if v > 100:
            break
        if v < -100:
            return "too low"
        if v == 13:
            raise ValueError("unlucky", kept)
        kept += v
    else:
        kept += 0.25
    return kept


case(
    all_jumps,
    lambda: (np.array([1.0, 0.0, 2.0]),),
    lambda: (np.array([1.0, 200.0, 2.0]),),
    lambda: (np.array([1.0, -200.0]),),
    lambda: (np.array([1.0, 13.0]),),
    raises=(None, None, None, ValueError),
)


def while_true(x):
    """Leave an endless loop by break only."""
    n = 0
    while True:
        x = x * 0.5
        n += 1
        if x < 1:
            break
    return x, n


case(while_true, lambda: (37.0,), lambda: (0.5,))


def while_true_return(x):
    """Leave an endless loop by return only."""
    while True:
        x = x - 3
        if x < 0:
            return x


case(while_true_return, lambda: (10,), lambda: (-1,))


def break_of_inner_only(n):
    """Break an inner loop; the outer one goes on."""
    total = 0
    for i in range(n):
        j = 0
        while True:
            if j > i:
                break
            total += j
            j += 1
        total += 100
    return total


case(break_of_inner_only, lambda: (4,), lambda: (0,))


def continue_in_while(n):
    """Continue after the step of a while loop."""
    i = 0
    odd = 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        odd += i
    return odd


case(continue_in_while, lambda: (10,), lambda: (0,))


def early_return_guard(x):
    """Return before the main work."""
    if x.size == 0:
        return 0.0
    y = x - x.mean()
    if y.max() < 1e-12:
        return y
    return y / y.max()


case(
    early_return_guard,
    lambda: (np.array([1.0, 3.0]),),
    lambda: (np.array([2.0, 2.0]),),
    lambda: (np.zeros(0),),
)


def return_in_every_arm(x):
    """Return in all arms; what follows is never reached."""
    if x > 10:
        return "large"
    elif x > 5:
        return x
    else:
        return None


case(return_in_every_arm, lambda: (11,), lambda: (7,), lambda: (0,))


def falls_off_the_end(x):
    """Return nothing on one path."""
    if x > 0:
        return x


case(falls_off_the_end, lambda: (1.5,), lambda: (-1.5,))


def break_with_swap(a, b, n):
    """Break between two assignments of a swap in progress."""
    for i in range(n):
        t = a
        a = b
        if i == 2:
            break
        b = t
    return a, b


case(break_with_swap, lambda: (1, 2.0, 2), lambda: (1, 2.0, 9), lambda: (1, 2.0, 0))


def try_in_loop(x):
    """Handle an exception in a loop and continue."""
    good = 0.0
    bad = 0
    for v in x:
        try:
            if v < 0:
                raise ValueError("negative")
            good += v
        except ValueError:
            bad += 1
            continue
        finally:
            good += 0.25
    return good, bad


case(try_in_loop, lambda: (np.array([1.0, -2.0]),), lambda: (np.zeros(0),))


def finally_overrides(x):
    """Return from `finally` over another return."""
    for _ in range(3):
        try:
            if x > 0:
                return "try"
        finally:
            if x > 5:
                break  # noqa: B012  # on purpose
    return "after"


case(finally_overrides, lambda: (1,), lambda: (9,), lambda: (-1,))


def return_inside_nested_branches(x, y):
    """Return from some leaves of a tree of branches, go on from others."""
    scale = 1.0
    if x > 0:
        if y > 0:
            return x + y
        scale = 2.0
    else:
        if y > 0:
            scale = 3.0
        else:
            return x * y
    x = x * scale
    return x


case(
    return_inside_nested_branches,
    lambda: (1.0, 1.0),
    lambda: (1.0, -1.0),
    lambda: (-1.0, 1.0),
    lambda: (-1.0, -1.0),
)
