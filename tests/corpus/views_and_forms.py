"""Views of every kind, arrays that change their form, flat iterators and parts of numbers."""

from __future__ import annotations

import warnings

import numpy as np

from .entries import case
from .index_writes import matrix


def views_of_all_kinds(x):
    """Write through views, then look at them after a write to the base."""
    a, b, c = x.T, x.reshape(-1), x.ravel()
    a[0, 0], b[1], c[2] = 10, 11, 12
    d = x[:, :2].diagonal()
    e = np.broadcast_to(x[0], (2, 3))
    f, g = x.swapaxes(0, 1), x[None].squeeze()
    f[2, 1], g[1, 0] = 14, 15
    h = np.expand_dims(x, 0)
    h[0, 1, 1] = 16
    x[0] = 100
    return a, b, c, d, e, f, g, h, x


case(
    views_of_all_kinds,
    lambda: (matrix(),),
    lambda: (np.asfortranarray(matrix()),),
    lambda: (np.arange(12.0).reshape(4, 3)[::2],),
)


def views_of_functions(x):
    """Write through what NumPy's functions give, view or copy as memory has it."""
    made = [
        np.ravel(x), np.reshape(x, (3, 2)), np.transpose(x), np.moveaxis(x, 0, 1), np.flip(x),
        np.rot90(x), np.atleast_3d(x), np.asarray(x), np.ascontiguousarray(x), np.squeeze(x),
        x.astype(float, copy=False), np.split(x, 3, axis=1)[1], x.view(), np.real(x),
    ]  # fmt: skip
    for k in range(len(made)):
        made[k][0] = k
    return made, x


case(views_of_functions, lambda: (matrix(),), lambda: (np.asfortranarray(matrix()),))


def bits_changed(x):
    """Write the bits of floats through views of other dtypes."""
    words, octets = x.view(np.int64), x.view("u1")
    words[0] = 0
    octets[8] = 3
    halves = x.view(np.float32)
    return x, words, octets.sum(), halves.shape


case(bits_changed, lambda: (np.arange(5.0),))


def parts_of_numbers(z):
    """Write the real and imaginary parts."""
    z.real = 3
    z.real[0] = 5
    z.real += 1
    part = z.real
    part[1] = 7
    z.imag *= 2
    return z, part, z.imag, z.real.sum()


case(parts_of_numbers, lambda: (np.ones(3, complex),), lambda: (np.ones(3, np.complex64)[::2],))


def part_of_reals(x):
    """Write the imaginary part of reals, which there is none of."""
    x.real[0] = 2
    x.imag = 1
    return x


case(part_of_reals, lambda: (np.ones(3),), raises=TypeError)


def flat_iterators(x):
    """Read, write and iterate in flat order."""
    x.flat[1] = 5
    x.flat[2:4] = [7, 8]
    x.flat[::2] += 1
    x.flat[0] *= 3
    total = 0
    for v in x.flat:
        total += v
    flat = x.flat
    flat[1] = 9
    picked = x.flat[1], x.flat[[0, 1]], x.flat[x.ravel() > 3], list(x.flat), len(x.flat)
    x.flat = 3 + x
    return total, picked, x, flat.copy(), flat.base is x, next(flat), flat.index


case(flat_iterators, lambda: (matrix(),), lambda: (matrix().T,))


def sorted_in_place(x):
    """Sort views and the whole."""
    tail = x[1:]
    tail.sort()
    x.partition(2)
    x[::-1].sort()
    head = x[0]
    x.fill(head + x[1])
    return x, tail, head


case(sorted_in_place, lambda: (np.array([5.0, 3.0, 1.0, 4.0]),), lambda: (np.arange(9) % 4,))


def bytes_swapped(x):
    """Swap bytes: a copy, then in place."""
    y = x.byteswap()
    same = x.byteswap(inplace=True)
    x.byteswap(True)
    return y, same is x, x


case(bytes_swapped, lambda: (np.arange(3),), lambda: (np.arange(3, dtype=">i2"),))


def shape_assigned(x):
    """Give an array another shape in place: its views keep theirs."""
    view, first = x[:], x[0]
    before = len(x), x.ndim, x.shape, x.T, x[1:], x.dtype
    x.shape = (3, 2)
    x[0] = 9
    middle = len(x), x.ndim, x.T, x[1:]
    x.shape = -1
    return before, middle, x.shape, x.ndim, view, first, x[1] + 1, x.sum(0)


case(shape_assigned, lambda: (matrix(),), lambda: (np.arange(6).reshape(6, 1),))


def shape_assigned_wrongly(x):
    """Assign a shape that does not fit."""
    x[0] = 3
    x.shape = (4, 2)


case(shape_assigned_wrongly, lambda: (matrix(),), raises=ValueError)


def shape_assigned_in_a_loop(x, n):
    """Change the shape of a fresh array from trip to trip, under two names."""
    y = np.zeros(4)
    other = y
    for i in range(n):
        y.shape = (2, 2) if i % 2 == 0 else 4
        other[0] += i
        x[i % 2] += other.ndim
    return y, other.shape


case(
    shape_assigned_in_a_loop,
    lambda: (np.zeros(2), 3),
    lambda: (np.zeros(2), 0),
)


def flattened(v):
    """Flatten the caller's array in place."""
    v.shape = (v.size,)
    return v.ndim


def shape_assigned_by_helper(x):
    """Have a helper change the shape of an array in a list."""
    held = [x]
    n = flattened(held[0])
    return n, x.ndim, x[3], x + np.ones(6)


case(shape_assigned_by_helper, lambda: (matrix(),))


class Table:
    """Has attributes called as those of arrays."""

    def __init__(self, x):
        self.shape = x.shape
        self.dtype = x.dtype


def attributes_called_alike(x):
    """Assign attributes of an object that are called shape and dtype."""
    table = Table(x)
    table.shape = table.shape[:1]
    return table.shape, table.dtype, x.ndim, x.dtype


case(attributes_called_alike, lambda: (matrix(),))


def dtype_assigned(x):
    """Give an array another dtype in place."""
    before = x.dtype, x + 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x.dtype = np.int64
    x[0, 0] = 7
    return before, x + 1, x.dtype, x.itemsize, x.sum()


case(dtype_assigned, lambda: (matrix(),))


def resized_without_counting(n):
    """Grow an array as needed."""
    x = np.zeros(2)
    for i in range(n):
        if i >= len(x):
            x.resize(2 * len(x), refcheck=False)
        x[i] = i
    x.resize((2, n), refcheck=False)
    return x, len(x), x.ndim, x[0].sum()


case(resized_without_counting, lambda: (9,), lambda: (1,))


def methods_of_the_class(x):
    """Call methods taken from the class."""
    np.ndarray.sort(x, 1)
    np.ndarray.fill(x[0], 4)
    total = np.ndarray.sum(x, axis=0)
    np.ndarray.resize(x, (1, 3), refcheck=False)
    return total, x.shape, x.ndim, x


case(methods_of_the_class, lambda: (matrix()[:, ::-1].copy(),))


def methods_that_are_gone(x):
    """Call a method that NumPy 2 has no more."""
    x[0] = 1
    return x.itemset(0, 5)


case(methods_that_are_gone, lambda: (matrix(),), raises=AttributeError)


def heads_of_arrays(x):
    """Look at what is known of an array beside its elements."""
    view = x[1:]
    flags = x.flags
    return (
        x.strides, x.T.strides, x.itemsize, x.nbytes, x.base is None, view.base is x,
        flags.writeable, flags["C_CONTIGUOUS"], flags.owndata, view.flags.owndata, x.device,
        x.to_device("cpu") is x, x.data.shape, x.flags.c_contiguous,
    )  # fmt: skip


case(heads_of_arrays, lambda: (matrix(),), lambda: (np.asfortranarray(matrix()),))


def structured(n):
    """Write fields of records."""
    a = np.zeros(n, dtype=[("x", "f8"), ("y", "i4")])
    a["x"] = 1.5
    a["y"][0] = 3
    a[1] = (2, 3)
    return a["x"].sum(), a[0]["y"], a["y"].tolist(), len(a)


case(structured, lambda: (3,))


def iterated_for_writing(x):
    """Write through NumPy's iterators."""
    with np.nditer(x, op_flags=["readwrite"]) as it:
        for v in it:
            v[...] = 2 * v
    total = 0
    for (i, j), v in np.ndenumerate(x):
        total += i * v
        x[i, j] = total
    for i in np.ndindex(2, 3):
        x[i] += 1
    return total, x


case(iterated_for_writing, lambda: (matrix(),))
