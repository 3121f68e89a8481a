"""Programs that random ones showed to go wrong, made small."""

from __future__ import annotations

import numpy as np

from .entries import case


def unread_part_of_a_pattern(x, d):
    """Keep what was computed before a pattern binds a name that nobody reads."""

    def same(p):
        return p

    y = same(d.get(0, 0.5))
    match x:
        case float(z):  # noqa: F841  # on purpose
            pass
    return y


case(unread_part_of_a_pattern, lambda: (2.0, {}), lambda: (2, {0: 3}))


def printed_before_an_early_return(x):
    """Print on the way out of the function, and on the way through."""
    if x > 2:
        print("large", x)
        return x
    print("small", x)
    return -x


case(printed_before_an_early_return, lambda: (3.0,), lambda: (1.0,))


def _applied(function, x):
    if x > 0:
        x = function(x)
    return x


def nonlocal_of_a_callers_caller(x):
    """Assign, in a branch of a helper, a variable that the helper does not know."""
    called = False

    def call(value):
        nonlocal called
        called = True
        return value + 1

    y = _applied(call, x)
    return called, y


case(nonlocal_of_a_callers_caller, lambda: (2,), lambda: (-2,), staged=False)


def zero_added(x):
    """Add zero, which changes what is known of the sign of zero."""
    return x + 0, x - 0, x + 0.0, x + -0.0, x * 1


case(zero_added, lambda: (-0.0,), lambda: (0.0,), lambda: (True,))


def counts_down(x):
    """Loop down over ranges that are known."""
    seen = 0
    for i in range(3, 0, -1):
        if x > i:
            seen = 10 * seen + i
    for i in range(40, 1, -3):
        x = x - i
    return seen, x


case(counts_down, lambda: (2.5,))


def length_after_append(items):
    """Ask for the length of a list before and after something is appended."""
    before = len(items)
    items.append(before)
    return before, len(items)


case(length_after_append, lambda: ([],), lambda: ([1.0, 2.0],))


def first_true_operand(x):
    """Leave the second operand of ``or`` and ``and`` alone."""

    def shown(value):
        print(value)
        return value

    return shown(x) or shown(x + 1), shown(x) and shown(x + 1)


case(first_true_operand, lambda: (1,), lambda: (0,))


def guarded_constants(x):
    """Match numbers, of which a guard refuses some."""
    match x:
        case 0 | 1 if x != 0:
            return "one"
        case 0 | 2:
            return "even"
    return "other"


case(guarded_constants, lambda: (0,), lambda: (1,), lambda: (2,), lambda: (3,))


def closure_sees_trips(x, n):
    """Call an inner function that reads what the loop around the call changes."""

    def scaled(v):
        return v * x

    parts = []
    for i in range(n):
        x = x + i
        parts.append(scaled(i))
    if n > 2:
        x = x + 0.5
        parts.append(scaled(1))
    return parts, x


case(closure_sees_trips, lambda: (2.0, 4), lambda: (2, 0))


def dtype_asked_before_it_changes(n, x):
    """Ask for the dtype of what is an array of floats on the first trip only."""
    y = x
    seen = []
    for _ in range(n):
        seen.append(y.dtype == float)
        y = x.dtype if n > 3 else x.astype(np.int64)
        if n > 3:
            break
    return seen, y


case(
    dtype_asked_before_it_changes,
    lambda: (3, np.ones(2)),
    lambda: (0, np.ones(2)),
    lambda: (5, np.ones(2)),
)


def call_over_lines(x):
    """Raise in a call that ends on a later line than it begins."""
    return np.reshape(
        x,
        (3, 3),
    )


case(call_over_lines, lambda: (np.arange(4.0),), raises=ValueError)


# fmt: off
def method_over_lines(x):
    """Raise in methods whose names stand on later lines than what they belong to."""
    y = (x.
         copy().
         reshape(
             4))
    return (y
            .reshape(
                (3, 3)
            ))


case(method_over_lines, lambda: (np.arange(4.0),), lambda: (np.arange(3.0),), raises=ValueError)
# fmt: on


def arrays_of_constants(n):
    """Write into arrays that ufuncs make of tuples and ranges."""
    pair = (1.0, 2.0)
    a = np.exp(pair)
    b = np.sqrt(range(4))
    a[0] = n
    b[1:] += n
    return a, b


case(arrays_of_constants, lambda: (3,), lambda: (-1,))


def classes_by_example(items):
    """Ask for classes by the class of another value."""
    first, nothing = items[0], type(None)
    return (
        isinstance(first, type(None)),
        isinstance(first, (str, nothing)),
        isinstance(first, type(items[1])),
        type(first) is nothing,
        isinstance(3, type(first)),
    )


case(classes_by_example, lambda: ([3, 4],), lambda: ([None, "a"],), lambda: ([2.5, 1],))
