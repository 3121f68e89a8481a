"""Names whose type after a branch, or round a loop, depends on the path."""

from __future__ import annotations

import numpy as np

from .entries import case


def dtypes_differ(x):
    """Make an integer or a float array."""
    if x.sum() > 0:
        y = x.astype(np.int64)
    else:
        y = x * 0.5
    return y


case(dtypes_differ, lambda: (np.array([1.5, 2.5]),), lambda: (np.array([-1.5, -2.5]),))


def number_kinds_differ(x):
    """Bind an int on one path, a float on the other: nothing is promoted."""
    if x > 1:
        y = 1
    else:
        y = 2.0
    return y, y / 2, y // 2


case(number_kinds_differ, lambda: (2,), lambda: (0,))


def int_becomes_float(x, n):
    """Start with an int and add floats: zero trips keep the int."""
    total = 0
    for _ in range(n):
        total = total + x
    return total


case(int_becomes_float, lambda: (0.5, 4), lambda: (0.5, 0), lambda: (0.25, 30))


def int_becomes_numpy(x):
    """Start with a Python int and add NumPy scalars."""
    total = 0
    for v in x:
        total += v
    return total, type(total) is int


case(int_becomes_numpy, lambda: (np.arange(4),), lambda: (np.zeros(0, np.int32),))


def extents_differ(x):
    """Keep a shorter array on one path."""
    if x[0] > 0:
        x = x[1:]
    return x * 2


case(extents_differ, lambda: (np.array([1.0, 2.0, 3.0]),), lambda: (np.array([-1.0, 2.0]),))


def grows_in_loop(x, n):
    """Let an array grow at every trip."""
    for _ in range(n):
        x = np.concatenate([x, x[-1:] + 1])
    return x


case(grows_in_loop, lambda: (np.zeros(1), 3), lambda: (np.array([1.0, 5.0]), 0))


def ranks_differ(x):
    """Return a matrix or a vector."""
    if x.sum() > 2:
        y = x[None, :]
    else:
        y = x
    return y + 1


case(ranks_differ, lambda: (np.ones(3),), lambda: (np.ones(1),))


def number_or_array(x):
    """Bind a number or an array."""
    if x.sum() > 2:
        y = 0.0
    else:
        y = x
    return y + 1


case(number_or_array, lambda: (np.ones(3),), lambda: (np.ones(2),))


def none_until_found(x):
    """Start with None and test identity."""
    first = None
    for v in x:
        if first is None and v > 2:
            first = v
    if first is None:
        return "nothing"
    return first


case(none_until_found, lambda: (np.array([1.0, 3.0, 4.0]),), lambda: (np.array([1.0]),))


def none_or_array(x, flag):
    """Return None on one path."""
    y = None
    if flag > 0:
        y = x + 1
    return y


case(none_or_array, lambda: (np.ones(2), 1), lambda: (np.ones(2), 0))


def strings_chosen(x):
    """Bind one of two strings by a value, then use it."""
    if x.sum() > 0:
        word = "up"
    else:
        word = "down"
    return word, word + "!", word == "up"


case(strings_chosen, lambda: (np.ones(2),), lambda: (-np.ones(2),))


def functions_chosen(x):
    """Bind one of two functions by a value, then call it."""
    if x.sum() > 0:
        f = np.sin
    else:
        f = np.cos
    return f(x)


case(functions_chosen, lambda: (np.ones(2),), lambda: (-np.ones(2),), staged=False)


def dtype_chosen(x):
    """Bind one of two dtypes by a value, then use it."""
    if x[0] > 0:
        kind = np.float32
    else:
        kind = np.int16
    return np.zeros(2, kind)


case(dtype_chosen, lambda: (np.ones(2),), lambda: (-np.ones(2),), staged=False)


def tuple_of_two(x):
    """Join tuples element by element."""
    if x > 0:
        pair = (x, 1)
    else:
        pair = (1.5, x)
    a, b = pair
    return a, b, pair


case(tuple_of_two, lambda: (3,), lambda: (-3,))


def tuples_of_two_lengths(x):
    """Join tuples of different lengths."""
    if x > 0:
        t = (x, 1, 2)
    else:
        t = (x,)
    return t, len(t)


case(tuples_of_two_lengths, lambda: (3,), lambda: (-3,))


def list_or_array(x):
    """Bind a list or an array."""
    if x[0] > 0:
        y = [1.0, 2.0]
    else:
        y = x
    return y


case(list_or_array, lambda: (np.ones(2),), lambda: (-np.ones(2),))


def changes_twice(x, n):
    """Change a name's type at each of the first trips."""
    y = 0
    for i in range(n):
        if i == 0:
            y = x
        elif i == 1:
            y = x * np.float32(2)
        else:
            y = y + np.ones(1)
    return y


case(
    changes_twice,
    lambda: (2, 0),
    lambda: (2, 1),
    lambda: (2, 2),
    lambda: (2, 5),
)


def float32_kept(x):
    """Keep float32 through arithmetic with Python floats."""
    y = x
    while y.max() > 1:
        y = y * 0.5
    return y


case(float32_kept, lambda: (np.array([9.0, 2.0], np.float32),), lambda: (np.ones(1, np.float32),))


def swap_kinds(n):
    """Swap an int and a float round a loop."""
    a, b = 1, 2.0
    for _ in range(n):
        a, b = b, a
    return a, b


case(swap_kinds, lambda: (0,), lambda: (1,), lambda: (20,), lambda: (21,))


def observed_rank(x, n):
    """Ask for the rank of an array that changes rank once."""
    ranks = 0
    for _ in range(n):
        ranks = ranks * 10 + x.ndim
        if x.ndim == 1:
            x = x[None]
    return x, ranks


case(observed_rank, lambda: (np.ones(2), 3), lambda: (np.ones(2), 0))


def branch_that_raises(x):
    """Let the raising branch contribute nothing to the join."""
    if x.sum() >= 0:
        y = np.sqrt(x)
    else:
        raise ValueError("negative", float(x.sum()))
    return y + 1


case(
    branch_that_raises,
    lambda: (np.array([4.0]),),
    lambda: (np.array([-4.0, 1.0]),),
    raises=(None, ValueError),
)


def bool_or_int(x):
    """Join a bool and an int."""
    if x > 3:
        y = x > 5
    else:
        y = x
    return y, y + 1


case(bool_or_int, lambda: (9,), lambda: (4,), lambda: (2,))


def widening_inside(x, n):
    """Widen an inner loop's name by the outer loop."""
    y = 1
    for _ in range(n):
        z = y
        while z < 3:
            z = z + x
        y = z
    return y


case(widening_inside, lambda: (0.75, 2), lambda: (1, 2), lambda: (0.75, 0))
