"""Programs that hold 50 MB or more, each in a manner of its own, and loops that fill arrays.

Owns `HOLDING` and `FILLING`. Invariant: what the plain function frees before it goes on is large
enough to be missed if a compiled one kept it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corpus.entries import Maker

MILLION = 1_000_000


def chain(x):
    """A chain of temporaries."""
    y = x * 2 + 1
    z = np.sqrt(y) - np.exp(-y)
    return (z * z + y / 3).sum()


def rebound(x):
    """One name bound again and again."""
    y = x + 1
    y = y * 2
    y = y - x
    y = np.sort(y)
    return y[::2].mean()


def filled(n, steps):
    """A table filled row by row, each row from the one before."""
    table = np.zeros((steps, n))
    table[0] = 1.0
    for k in range(1, steps):
        row = table[k - 1] * 0.5 + 1.0
        row[0] = k
        table[k] = row
    return table


def returned_view(x):
    """A view of a temporary: the whole of it stays alive, no more."""
    y = x * 3
    z = y + 1
    scale = z.max()
    y /= scale
    return y.reshape(-1, 10)[:, 3]


def branches(x, large):
    """Temporaries in branches."""
    if large:
        y = np.abs(x) + 1
        z = y * y
        total = z.sum()
    else:
        y = x[:10]
        total = 0.0
    w = x - total
    return w.min()


def smoothed(x):
    """Helper: the mean of neighbors."""
    left, right = x[:-2], x[2:]
    total = left + right
    return total / 2


def helper_calls(x):
    """Temporaries of helpers, which are gone when they return."""
    a = smoothed(x)
    b = smoothed(a)
    c = smoothed(b)
    return c.sum()


def guarded(x, trials):
    """Temporaries in ``try`` and ``with``, in a loop."""
    best = np.inf
    for k in range(trials):
        try:
            with np.errstate(all="ignore"):
                y = np.log(x - k)
                z = y * y
            if not np.isfinite(z).all():
                raise ValueError(k)
            best = min(best, z.sum())
        except ValueError:
            y = None
            z = None
            best = best - 1
    return best


def swapped(u, steps):
    """Two buffers that change places."""
    v = np.empty_like(u)
    for _ in range(steps):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        v[0], v[-1] = u[0], u[-1]
        u, v = v, u
    return u


def collected(n, parts):
    """A list of arrays, joined."""
    found = []
    for k in range(parts):
        part = np.full(n, k) + 0.5
        found.append(part)
    whole = np.concatenate(found)
    found.clear()
    return whole.cumsum()


def early(x, limit):
    """A loop that is left from the middle, with arrays at hand."""
    total = 0.0
    while True:
        y = x * 1.5
        total += y[0]
        if total > limit:
            return y
        z = np.cumsum(y)
        x = z / z[-1] + 1


def deleted(x):
    """Names deleted by hand."""
    y = x * 2
    z = y + x
    del y
    w = z.reshape(2, -1).T.copy()
    del z
    return w.max(axis=0)


def comprehension(x, parts):
    """Arrays in a comprehension, and a sum over them."""
    pieces = [part * 2 for part in np.split(x, parts)]
    total = np.zeros_like(pieces[0])
    for piece in pieces:
        total += piece
    return total


def in_place(x):
    """No temporaries at all."""
    x *= 2
    x += 1
    np.sqrt(x, out=x)
    x.sort()
    return x


HOLDING: tuple[tuple[Callable[..., object], Maker], ...] = (
    (chain, lambda: (np.ones(3 * MILLION),)),
    (rebound, lambda: (np.linspace(0, 1, 4 * MILLION),)),
    (filled, lambda: (MILLION, 8)),
    (returned_view, lambda: (np.ones(4 * MILLION),)),
    (branches, lambda: (np.ones(3 * MILLION), True)),
    (branches, lambda: (np.ones(7 * MILLION), False)),
    (helper_calls, lambda: (np.ones(4 * MILLION),)),
    (guarded, lambda: (np.full(3 * MILLION, 2.5), 4)),
    (swapped, lambda: (np.ones(4 * MILLION), 3)),
    (collected, lambda: (MILLION, 4)),
    (early, lambda: (np.ones(3 * MILLION), 2.5)),
    (deleted, lambda: (np.ones(4 * MILLION),)),
    (comprehension, lambda: (np.ones(6 * MILLION), 6)),
    (in_place, lambda: (np.linspace(1, 0, 2 * MILLION),)),
)
"""Programs, with arguments for which they hold 50 MB or more, but for `in_place`."""


def fill_items(n):
    """One item at a time."""
    out = np.zeros(n)
    for i in range(n):
        out[i] = i * 0.5
    return out


def fill_from_before(n):
    """Each item from the one before."""
    out = np.ones(n)
    for i in range(1, n):
        out[i] = out[i - 1] * 0.5 + out[i]
    return out


def fill_augmented(n):
    """Add to an item that a number chooses."""
    out = np.zeros(n)
    for i in range(n):
        out[(7 * i) % n] += 1
    return out


def fill_through_view(n):
    """Through views and an alias."""
    out = np.zeros((n, 2))
    left = out[:, 0]
    for i in range(n):
        row = out[i]
        row[1] = i
        left[i] = row[1] + 1
    return out


def put(out, i, value):
    """Write one item."""
    out[i] = value


def fill_in_helper(n):
    """By a helper that writes its argument, under a condition."""
    out = np.zeros(n)
    for i in range(n):
        if i % 3:
            put(out, i, i)
        else:
            out[i] = -1
    return out


def fill_guarded(n):
    """Inside ``try``."""
    out = np.zeros(n)
    for i in range(n + 1):
        try:
            out[i] = 1.0
        except IndexError:
            out[0] = -1.0
    return out


def fill_swapped(n):
    """Two arrays that change places in each step."""
    a, b = np.zeros(n), np.zeros(n)
    for i in range(n):
        a[i] = b[i] + 1
        a, b = b, a
    return a, b


FILLING = (
    fill_items, fill_from_before, fill_augmented, fill_through_view, fill_in_helper, fill_guarded,
    fill_swapped,
)  # fmt: skip
