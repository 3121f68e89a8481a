"""NumPy functions, methods, shapes and indexing without writes."""

from __future__ import annotations

import numpy as np

from .entries import case


def normalized(x):
    """Chain elementwise operations and reductions."""
    centered = x - x.mean()
    return centered / np.sqrt((centered**2).sum())


case(
    normalized,
    lambda: (np.array([1.0, 2.0, 4.0]),),
    lambda: (np.array([1, 2, 4, 8]),),
    lambda: (np.array([1.0, 2.0], np.float32),),
)


def axes_and_keepdims(m):
    """Reduce along axes."""
    return m.sum(axis=0), m.max(axis=1, keepdims=True), np.mean(m, axis=-1), m.argmax()


case(axes_and_keepdims, lambda: (np.arange(6.0).reshape(2, 3),), lambda: (np.ones((1, 1)),))


def matrix_products(a, b):
    """Multiply matrices and vectors."""
    return a @ b, np.dot(a, b), a @ b[:, 0]


case(
    matrix_products,
    lambda: (np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)),
    lambda: (np.arange(4).reshape(2, 2), np.arange(4).reshape(2, 2)),
    lambda: (np.ones((2, 3)), np.ones((2, 3))),
    raises=(None, None, ValueError),
)


def shape_mismatch(x, y):
    """Add arrays whose shapes may not fit: NumPy's own error."""
    return x + y


case(
    shape_mismatch,
    lambda: (np.ones(3), np.ones(3)),
    lambda: (np.ones(3), np.ones((2, 1))),
    lambda: (np.ones(3), np.ones(2)),
    raises=(None, None, ValueError),
)


def shapes(x):
    """Ask for shape, size, length, rank and dtype."""
    n, m = x.shape
    return n, m, x.size, len(x), x.ndim, x.dtype, x.shape


case(shapes, lambda: (np.zeros((2, 3)),), lambda: (np.zeros((5, 1), np.int8),))


def unpack_shape(x):
    """Unpack a shape into the wrong number of names."""
    n, m = x.shape
    return n * m


case(
    unpack_shape,
    lambda: (np.zeros((2, 3)),),
    lambda: (np.zeros(3),),
    raises=(None, ValueError),
)


def reshaped(x, n):
    """Reshape to a number of rows known at run time."""
    return x.reshape(n, -1), x.reshape((n, x.size // n)).T


case(
    reshaped,
    lambda: (np.arange(6.0), 2),
    lambda: (np.arange(6.0), 3),
    lambda: (np.arange(6.0), 4),
    raises=(None, None, ValueError),
)


def created(n):
    """Make arrays of a size known at run time."""
    return np.zeros(n), np.ones((n, 2)), np.arange(n), np.full(n, 2.5), np.eye(n)


case(created, lambda: (3,), lambda: (0,))


def like_arguments(x):
    """Make arrays like another one."""
    return np.zeros_like(x), np.ones_like(x), np.empty_like(x).shape, np.full_like(x, 7)


case(like_arguments, lambda: (np.arange(3),), lambda: (np.ones((2, 2), np.float32),))


def stacked(x, y):
    """Join arrays."""
    return np.concatenate([x, y]), np.stack((x, x)), np.vstack([x, x]), np.hstack([x, y])


case(stacked, lambda: (np.ones(2), np.zeros(3)), lambda: (np.ones(1, np.int32), np.zeros(0)))


def broadcast(x, y):
    """Broadcast with new axes."""
    return x[:, None] * y[None, :], x[..., None] + y


case(broadcast, lambda: (np.arange(3.0), np.arange(2.0)))


def basic_indexing(m, i):
    """Index with integers, slices, and negative ones."""
    return m[i], m[-1], m[i, 0], m[:, -1], m[::-1], m[0:i], m[..., 0]


case(
    basic_indexing,
    lambda: (np.arange(6.0).reshape(3, 2), 1),
    lambda: (np.arange(6.0).reshape(3, 2), -3),
    lambda: (np.arange(6.0).reshape(3, 2), 3),
    raises=(None, None, IndexError),
)


def computed_index(x):
    """Index with a computed NumPy integer."""
    i = np.argmin(x)
    return x[i], x[: i + 1], i


case(computed_index, lambda: (np.array([3.0, 1.0, 2.0]),), lambda: (np.array([1.0]),))


def boolean_index(x, limit):
    """Filter by a mask."""
    kept = x[x > limit]
    return kept, len(kept), kept.sum()


case(boolean_index, lambda: (np.array([1.0, 5.0]), 2), lambda: (np.array([1.0]), 2))


def integer_array_index(x, order):
    """Index with an array of integers."""
    return x[order], x[np.argsort(x)]


case(
    integer_array_index,
    lambda: (np.array([3.0, 1.0, 2.0]), np.array([2, 0])),
    lambda: (np.array([3.0]), np.array([1])),
    raises=(None, IndexError),
)


def selected(x):
    """Select with where, clip and maximum."""
    return np.where(x > 1, x, -x), np.clip(x, 0, 2), np.maximum(x, 1), np.sign(x)


case(selected, lambda: (np.array([-1.0, 0.5, 3.0]),), lambda: (np.array([5, -5]),))


def casts(x):
    """Change the dtype."""
    return x.astype(np.float32), x.astype(int), x.astype("f8"), x.astype(x.dtype)


case(casts, lambda: (np.array([1.5, 2.5]),), lambda: (np.array([1, 2], np.int16),))


def to_python(x):
    """Leave NumPy: item, tolist, float."""
    return x[0].item(), x.tolist(), float(x[0]), int(x[-1])


case(to_python, lambda: (np.array([1.5, 2.5]),), lambda: (np.array([3]),))


def cumulative(x):
    """Accumulate, differ, sort."""
    return np.cumsum(x), np.diff(x), np.sort(x), np.cumsum(x)[-1]


case(cumulative, lambda: (np.array([3.0, 1.0, 2.0]),), lambda: (np.array([5]),))


def linear_algebra(m):
    """Call into numpy.linalg."""
    return np.linalg.norm(m), np.trace(m), np.linalg.solve(m + np.eye(2), np.ones(2))


case(
    linear_algebra,
    lambda: (np.array([[1.0, 2.0], [3.0, 4.0]]),),
    lambda: (-np.eye(2),),
    raises=(None, np.linalg.LinAlgError),
)


def power_iteration(m, tolerance):
    """Find the dominant eigenvalue."""
    v = np.ones(m.shape[0]) / np.sqrt(m.shape[0])
    value = 0.0
    while True:
        w = m @ v
        new = v @ w
        v = w / np.sqrt(w @ w)
        if abs(new - value) < tolerance:
            break
        value = new
    return new, v


case(
    power_iteration,
    lambda: (np.array([[2.0, 1.0], [1.0, 3.0]]), 1e-12),
    lambda: (np.diag([5.0, 1.0, 0.5]), 1e-9),
)


def escape_time(re, im):
    """Update masked elements while any is active."""
    c = re + 1j * im[:, None]
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=int)
    active = np.ones(c.shape, dtype=bool)
    steps = 0
    while np.any(active) and steps < 20:
        z[active] = z[active] * z[active] + c[active]
        active = np.abs(z) <= 2
        count[active] += 1
        steps += 1
    return count


case(
    escape_time,
    lambda: (np.linspace(-2, 1, 5), np.linspace(-1, 1, 4)),
    lambda: (np.linspace(0, 1, 2), np.linspace(1, 2, 3)),
)


def empty_reduction(x):
    """Reduce nothing: NumPy's error for max, not for sum."""
    return x.sum(), x.max()


case(
    empty_reduction,
    lambda: (np.array([1.0]),),
    lambda: (np.zeros(0),),
    raises=(None, ValueError),
)


def order_of_memory(m):
    """Keep Fortran order and strides in results."""
    return m.T, m + 1, m.copy(), np.ascontiguousarray(m.T), m[:, ::2]


case(
    order_of_memory,
    lambda: (np.arange(6.0).reshape(2, 3),),
    lambda: (np.asfortranarray(np.arange(6.0).reshape(2, 3)),),
    lambda: (np.arange(12.0).reshape(4, 3)[::2],),
)


def ufunc_methods(x):
    """Use methods of ufuncs."""
    return np.add.reduce(x), np.multiply.outer(x, x), np.maximum.accumulate(x)


case(ufunc_methods, lambda: (np.array([1.0, 3.0, 2.0]),), lambda: (np.array([4]),))


def moving_average(x, width):
    """Fill a new array from windows of another."""
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = x[i : i + width].mean()
    return out


case(
    moving_average,
    lambda: (np.arange(6.0), 3),
    lambda: (np.arange(4.0), 1),
    lambda: (np.arange(4.0), 6),
    raises=(None, None, ValueError),
)


def dimension_dependent(x):
    """Branch on the number of dimensions, known while tracing."""
    if x.ndim == 1:
        return x * 2
    return x.sum(axis=0)


case(dimension_dependent, lambda: (np.ones(2),), lambda: (np.ones((2, 2)),))


def scalar_or_array(a, w):
    """Branch on whether an argument is a number."""
    if np.ndim(w) == 0:
        return a * w
    return a[: len(w)] * w


case(scalar_or_array, lambda: (np.ones(3), 2.0), lambda: (np.ones(3), np.arange(2.0)))


def ufuncs_of_what_is_no_array(x, name):
    """Give ufuncs nothing to be known at run time but a dtype, or the items of a tuple."""
    kind = np.dtype(name)
    a = np.exp(0, dtype=kind)
    b = np.add(1, 2, dtype=np.dtype("i2"), casting="unsafe")
    return a, b, np.maximum((x, 1), 2), np.add((x, x), 1, dtype=kind)


case(ufuncs_of_what_is_no_array, lambda: (3, "f8"), lambda: (0, "f4"), retraces=True)
