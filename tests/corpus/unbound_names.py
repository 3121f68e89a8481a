"""Names that are unbound on some path, and loops that run zero times."""

from __future__ import annotations

import numpy as np

from .entries import case


def bound_in_one_branch(flag, x):
    """Read a name that only one branch binds."""
    if flag > 0:
        offset = x.min()
    return x - offset


case(
    bound_in_one_branch,
    lambda: (1, np.array([3.0, 5.0])),
    lambda: (0, np.array([3.0, 5.0])),
    raises=(None, UnboundLocalError),
)


def bound_but_not_read(flag):
    """Leave a name unbound where it is not read."""
    if flag > 0:
        value = flag * 2
    if flag > 0:
        return value
    return -1


case(bound_but_not_read, lambda: (3,), lambda: (0,))


def bound_in_loop(n):
    """Read after the loop what the loop binds."""
    for i in range(n):
        last = i * i
    return last


case(bound_in_loop, lambda: (5,), lambda: (0,), raises=(None, UnboundLocalError))


def loop_variable_unbound(x):
    """Read the loop variable after a loop that may not run."""
    for v in x:  # noqa: B007  # on purpose
        pass
    return v


case(
    loop_variable_unbound,
    lambda: (np.array([1.0, 2.0]),),
    lambda: (np.zeros(0),),
    raises=(None, UnboundLocalError),
)


def bound_in_while(x):
    """Bind in a while loop, read after it."""
    while x > 1:
        x = x / 2
        half = x
    return half + x


case(bound_in_while, lambda: (8.0,), lambda: (0.5,), raises=(None, UnboundLocalError))


def previous_trip(x):
    """Read what the previous trip bound."""
    total = 0.0
    started = False
    for v in x:
        if started:
            total += v - before  # noqa: F821  # on purpose
        before = v  # noqa: F841  # on purpose
        started = True
    return total


case(previous_trip, lambda: (np.array([1.0, 4.0, 9.0]),), lambda: (np.zeros(0),))


def first_trip_unbound(n):
    """Read on the first trip what only the second one could have."""
    total = 0
    for i in range(n):
        if i > 0:
            total += later  # noqa: F821  # on purpose
        if i > 1:
            later = i  # noqa: F841  # on purpose
    return total


case(
    first_trip_unbound,
    lambda: (1,),
    lambda: (3,),
    lambda: (0,),
    raises=(None, UnboundLocalError, None),
)


def deleted(x, flag):
    """Unbind a name with `del` on one path."""
    y = x + 1
    if flag > 0:
        del y
    return y


case(deleted, lambda: (1.0, 0), lambda: (1.0, 1), raises=(None, UnboundLocalError))


def deleted_and_rebound(n):
    """Unbind and bind again round a loop."""
    y = 0
    for i in range(n):
        del y
        y = i
    return y


case(deleted_and_rebound, lambda: (4,), lambda: (0,))


def old_value_survives(n, start):
    """Keep the value of before a loop that runs zero times."""
    y = start
    for i in range(n):
        y = i * 1.5
    return y


case(old_value_survives, lambda: (0, 7), lambda: (3, 7))


def array_survives(x, n):
    """Keep the very array of before a loop that runs zero times."""
    y = x
    for _ in range(n):
        y = y + 1
    return y


case(array_survives, lambda: (np.zeros(3), 0), lambda: (np.zeros(3), 2))


def while_never_true(x):
    """Skip a while loop whose body would fail."""
    y = x
    while y.size > 100:
        y = y @ np.ones(7)
    return y


case(while_never_true, lambda: (np.ones(3),))


def unbound_after_break(x):
    """Bind only on the path that breaks."""
    for v in x:
        if v > 2:
            found = v
            break
    return found


case(
    unbound_after_break,
    lambda: (np.array([1.0, 3.0, 4.0]),),
    lambda: (np.array([1.0]),),
    raises=(None, UnboundLocalError),
)


def unbound_in_else(x):
    """Bind in the loop's else, which a break skips."""
    for v in x:
        if v > 2:
            break
    else:
        verdict = "all small"
    return verdict


case(
    unbound_in_else,
    lambda: (np.array([1.0]),),
    lambda: (np.array([3.0]),),
    raises=(None, UnboundLocalError),
)


def augmented_unbound(n):
    """Augment a name that is not bound yet."""
    for i in range(n):
        count += i  # noqa: F821, F841  # on purpose
    return n


case(augmented_unbound, lambda: (0,), lambda: (2,), raises=(None, UnboundLocalError))


def closure_unbound(flag):
    """Read a free variable that may not be bound yet."""

    def read():
        return value * 2

    if flag > 0:
        value = flag
    return read()


case(closure_unbound, lambda: (2,), lambda: (0,), raises=(None, NameError))


def exception_name_unbound(x):
    """Read the name of a handled exception after its block."""
    try:
        y = 1 // x
    except ZeroDivisionError as error:
        y = len(error.args)
    return y


case(exception_name_unbound, lambda: (2,), lambda: (0,))


def inner_loop_binds(n, m):
    """Bind in an inner loop that may run zero times in some trips."""
    total = 0
    for i in range(n):
        for j in range(m - i):
            last = j
        total += last
    return total


case(
    inner_loop_binds,
    lambda: (3, 3),
    lambda: (5, 3),
    lambda: (0, 0),
    lambda: (2, 0),
    raises=(None, None, None, UnboundLocalError),
)


def called_before_it_is_bound(x):
    """Call an inner function while a name that another one rebinds is still unbound."""

    def first(p):
        if p > x:
            return abs(x)
        return p * 2

    total = first(1.0)

    def second(p):
        nonlocal total
        total = total + p

    second(3)
    return total


case(called_before_it_is_bound, lambda: (0.5,), lambda: (2.5,))
