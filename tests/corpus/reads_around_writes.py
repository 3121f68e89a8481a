"""Reads before and after every kind of write: the second sees it, the first does not."""

from __future__ import annotations

import numpy as np

from .entries import case


def arrays():
    """Return two arrays and some places."""
    return np.array([3.0, 1.0, 2.0, 5.0]), np.array([7.0, 9.0, 8.0, 6.0]), np.array([2, 0, 0])


def around_out(x, y, i):
    """Write by ``out=`` of a ufunc, by position, and of a reduction."""
    a = y[0], y[1:].sum()
    np.add(x, 1, out=y)
    b = y[0], y[1:].sum()
    np.negative(x, y)
    c = y[0], y[1:].sum()
    np.cumsum(x, out=y)
    return a, b, c, y[0], y[1:].sum()


def around_two_outs(x, y, i):
    """Write two arrays at once."""
    a = x[0], y[0]
    np.divmod(x, 2, out=(x, y))
    b = x[0], y[0]
    np.modf(y, x, y)
    return a, b, x[0], y[0]


def around_where(x, y, i):
    """Write where a mask holds."""
    a = y[0], y.sum()
    np.sqrt(x, out=y, where=x > 2)
    return a, y[0], y.sum()


def around_at(x, y, i):
    """Write by ``at``, from the class, a name and a bound method."""
    a = x[0], x.sum()
    np.add.at(x, i, 1)
    b = x[0], x.sum()
    f, g = np.multiply, np.subtract.at
    f.at(x, i, 2)
    c = x[0], x.sum()
    g(x, i, 3)
    return a, b, c, x[0], x.sum()


def around_copyto(x, y, i):
    """Write by ``copyto``."""
    a = x[0], x.sum()
    np.copyto(x, y)
    b = x[0], x.sum()
    np.copyto(x[1:], 3, where=y[1:] > 6)
    return a, b, x[0], x.sum()


def around_put(x, y, i):
    """Write by ``put``, the function and the method."""
    a = x[0], x.sum()
    np.put(x, i, 9)
    b = x[0], x.sum()
    x.put(i, [1, 2, 3])
    return a, b, x[0], x.sum()


def around_place(x, y, i):
    """Write by ``place`` and ``putmask``."""
    a = x[0], x.sum()
    np.place(x, y > 6, [1, 2])
    b = x[0], x.sum()
    np.putmask(x, y > 6, y)
    return a, b, x[0], x.sum()


def around_axis(x, y, i):
    """Write along an axis and on the diagonal."""
    m = x.reshape(2, 2)
    a = x[0], x[1]
    np.put_along_axis(m, i[None, :2] // 2, 9, axis=0)
    b = x[0], x[1]
    np.fill_diagonal(m, 4)
    return a, b, x[0], x[1]


def around_sort(x, y, i):
    """Sort, partition, fill and swap bytes."""
    a = x[0], y[1]
    x.sort()
    b = x[0], y[1]
    y.partition(2)
    c = x[0], y[1]
    x.fill(8)
    d = x[0], y[1]
    y.byteswap(inplace=True)
    return a, b, c, d, x[0], y[1]


def around_scratch(x, y, i):
    """Let functions use their operands as scratch, or change them in place."""
    y[1] = np.nan
    a = x[0], y[1]
    m = np.median(x, overwrite_input=True)
    b = x[0], y[1]
    np.nan_to_num(y, copy=False)
    return a, m, b, x[0], y[1]


def around_mask(x, y, i):
    """Write through a mask and through integers."""
    a = x[0], x.sum()
    x[x > 2] = 0
    b = x[0], x.sum()
    x[i] += 5
    c = x[0], x.sum()
    x[[0, 3]] = [1, 2]
    return a, b, c, x[0], x.sum()


def around_flat(x, y, i):
    """Write through the flat iterator."""
    a = x[0], x.sum()
    x.flat[0] = 9
    b = x[0], x.sum()
    x.flat[[0, 1]] += 2
    c = x[0], x.sum()
    flat = x.flat
    flat[0] = -1
    d = x[0], x.sum()
    x.flat = y
    return a, b, c, d, x[0], x.sum()


def around_parts(x, y, i):
    """Write the real part and the imaginary part."""
    z = x + 1j * y
    a = z[0], z.sum()
    z.real = 5
    b = z[0], z.sum()
    z.imag[0] = 2
    c = z[0], z.sum()
    z.real[1:] *= 2
    return a, b, c, z[0], z.sum()


def around_views(x, y, i):
    """Write through views made before and after."""
    v, r = x[1:], x[::-1]
    a = v[0], r[0], x.sum()
    x.T[0] = 7
    b = v[0], r[0], x.sum()
    x.reshape(2, 2)[0, 1] = 8
    c = v[0], r[0], x.sum()
    v.view(np.int64)[0] = 0
    d = v[0], r[0], x.sum()
    np.expand_dims(r, 0)[0, 0] = -3
    e = v[0], r[0], x.sum()
    x.ravel()[:] = y
    f = v[0], r[0], x.sum()
    np.swapaxes(x[None], 0, 1)[3, 0] = 11
    return a, b, c, d, e, f, v[0], r[0], x.sum()


def around_data(x, y, i):
    """Write through the buffer of an array."""
    a = x[0], x.sum()
    buffer = x.data
    buffer[0] = 6.5
    return a, x[0], x.sum(), buffer[1]


def around_iterators(x, y, i):
    """Write through rows and through NumPy's iterator."""
    m = x.reshape(2, 2)
    a = x[0], x.sum()
    for row in m:
        row += 1
    b = x[0], x.sum()
    with np.nditer(x, op_flags=["readwrite"]) as it:
        for v in it:
            v[...] = 2 * v
    return a, b, x[0], x.sum()


for written in (
    around_out, around_two_outs, around_where, around_at, around_copyto, around_put, around_place,
    around_axis, around_sort, around_scratch, around_mask, around_flat, around_parts, around_views,
    around_data, around_iterators,
):  # fmt: skip
    case(written, arrays)
