"""Ufuncs with all their keywords and methods, by any name."""

from __future__ import annotations

import numpy as np
from numpy import add, maximum

from .entries import case
from .index_writes import matrix


def outputs_given(x, y):
    """Write results into arrays, by keyword, by position and in a tuple."""
    a = np.add(x, 1, out=y)
    b = np.multiply(y, 2, y)
    c = np.subtract(y, x, out=(y,))
    np.add(x[:-1], x[1:], out=x[1:])
    return a is y, b is y, c is y, x, y


case(outputs_given, lambda: (np.arange(3.0), np.zeros(3)))


def two_outputs_given(x, q, r):
    """Write two results, or only one of them."""
    a, b = np.divmod(x, 2, q, r)
    before = q.copy(), r.copy()
    c, d = np.modf(x / 3, out=(q, None))
    return a is q, b is r, c is q, d, before


case(two_outputs_given, lambda: (np.arange(3.0), np.zeros(3), np.zeros(3)))


def output_does_not_fit(x, y):
    """Write into an array of another shape, after a write that did fit."""
    np.add(x, 1, out=x)
    return np.add(x, 1, out=y)


case(output_does_not_fit, lambda: (np.zeros(3), np.zeros(2)), raises=ValueError)


def output_loses_digits(x):
    """Write floats into integers."""
    x += 1
    return np.add(x, 1.5, out=x)


case(
    output_loses_digits,
    lambda: (np.arange(3),),
    raises=np._core._exceptions._UFuncOutputCastingError,
)


def selected_places(x, mask):
    """Compute only where a mask holds."""
    out = np.zeros(3)
    np.sqrt(x, out=out, where=mask)
    total = np.add.reduce(x, where=mask)
    return out, total, x.sum(where=mask, initial=3.0), np.max(x, where=mask, initial=-9.0)


case(selected_places, lambda: (np.array([1.0, -4.0, 9.0]), np.array([True, False, True])))


def at_places(x, i):
    """Change places, repeated ones once for each."""
    np.add.at(x, i, 1)
    np.negative.at(x, i[:1])
    np.subtract.at(x, (i,), x[i])
    add.at(x, slice(1, None), 2)
    return x


case(at_places, lambda: (np.zeros(3), np.array([0, 0, 2])), lambda: (np.ones(3), np.array([1])))


def methods_by_name(x, i):
    """Call methods of ufuncs through names."""
    f, g = np.maximum, np.add.at
    f.at(x, i, 5)
    g(x, i, 1)
    h = f.accumulate
    return h(x), maximum.reduce(x), f.outer(x, x), add.reduceat(x, [0, 1]), x


case(methods_by_name, lambda: (np.zeros(3), np.array([0, 0, 2])))


def chosen_ufunc(x, flag):
    """Choose a ufunc by a number, and call its methods."""
    f = np.add if flag > 0 else np.multiply
    total = f.reduce(x)
    f.at(x, 0, 3)
    return total, f(x, 2), f.accumulate(x), f.outer(x, x)


case(
    chosen_ufunc,
    lambda: (np.arange(1.0, 4.0), 1),
    lambda: (np.arange(1.0, 4.0), 0),
    retraces=True,
)


def ufuncs_in_loops(x):
    """Loop over ufuncs in a tuple and in a list."""
    totals, runs = {}, []
    for f in (np.add, np.multiply, np.maximum):
        totals[f.__name__] = f.reduce(x)
    for f in [np.add, np.multiply]:
        run = f.accumulate(x)
        runs.append(run)
        x[0] += 1
    return totals, runs


case(ufuncs_in_loops, lambda: (np.arange(1.0, 4.0),))


def reduced_every_way(x, out):
    """Reduce with every keyword."""
    np.add.reduce(x, 0, None, out)
    first = out.copy()
    second = np.multiply.reduce(x, axis=1, keepdims=True, dtype=np.float32)
    third = np.add.reduce(x, axis=None, initial=5), np.logical_or.reduce(x, axis=(0, 1))
    same = np.maximum.reduce(x, out=out)
    running = np.add.accumulate(x, axis=1), np.minimum.accumulate(x)
    return first, second, third, same is out, out, running, np.add.reduceat(x, [0, 1, 0], axis=1)


case(reduced_every_way, lambda: (matrix(), np.zeros(3)), lambda: (matrix() - 9, np.ones(3)))


def reductions_written(x, out):
    """Write reductions of functions and methods into an array."""
    np.sum(x, axis=0, out=out)
    a = out.copy()
    x.max(0, out)
    b = out.copy()
    np.cumsum(x[0], out=out)
    r = x.mean(axis=0, out=out)
    return a, b, r is out, out


case(reductions_written, lambda: (matrix(), np.zeros(3)))


def empty_reduced(x):
    """Reduce no elements: sums are zero, extrema an error."""
    total = np.add.reduce(x), np.multiply.reduce(x)
    return total, np.maximum.reduce(x)


case(empty_reduced, lambda: (np.zeros(2),), lambda: (np.zeros(0),), raises=(None, ValueError))


def dtypes_chosen(x):
    """Choose the dtype, the casting and the order."""
    return (
        np.add(x, x, dtype=np.float32), np.add(x, 1, dtype="f4", casting="unsafe"),
        np.sqrt(x, dtype="c16"), np.add(x, 1, order="F"), np.add(x, 1, subok=False),
        np.multiply(x, 2, signature="dd->d"), np.multiply(x, 2, sig="dd->d"),
    )  # fmt: skip


case(dtypes_chosen, lambda: (matrix(),), lambda: (np.arange(3),))


def dtype_refused(x):
    """Choose a dtype that the operands cannot be cast to."""
    x[0] = 3
    return np.add(x, x + 0.5, dtype=int)


case(
    dtype_refused,
    lambda: (np.arange(3),),
    raises=np._core._exceptions._UFuncInputCastingError,
)


def axes_chosen(a, b):
    """Choose the axes of products."""
    return (
        np.matmul(a, b, axes=[(0, 1), (0, 1), (1, 0)]), np.matmul(a, b, out=np.zeros((2, 2))),
        np.vecdot(a, b, axis=0), np.vecdot(a, b, keepdims=True),
        np.vecdot(a, b, axis=0, keepdims=True), np.vecdot(a, b[0]),
    )  # fmt: skip


case(axes_chosen, lambda: (np.ones((2, 2)), np.arange(4.0).reshape(2, 2)))


def scratch_exchanged(u, v, n):
    """Write steps into the other array, in turns."""
    for _ in range(n):
        np.add(u, 1, out=v)
        u, v = v, u
    return u, v


case(
    scratch_exchanged,
    lambda: (np.zeros(2), np.ones(2), 3),
    lambda: (np.zeros(2), np.ones(2), 0),
)


def noisy_maximum(a, b):
    """Return the larger, and tell."""
    print("compare", a, b)
    return a if a > b else b


NOISY = np.frompyfunc(noisy_maximum, 2, 1)


def ufunc_of_python(x):
    """Call a ufunc made of a Python function, which prints, between writes."""
    x[0] = 7
    largest = NOISY.reduce(x)
    x[1] = largest + 1
    f = NOISY if x[0] > 0 else np.maximum
    return f(x, 2), f.accumulate(x).tolist(), largest


case(ufunc_of_python, lambda: (np.arange(3.0),), staged=False)
