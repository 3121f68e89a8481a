"""In-place writes, views and aliasing."""

from __future__ import annotations

import numpy as np

from .entries import case


def fill_squares(x):
    """Write each element of the caller's array."""
    for i in range(len(x)):
        x[i] = i * i
    return x


case(
    fill_squares,
    lambda: (np.zeros(4),),
    lambda: (np.zeros(0),),
    lambda: (np.ones(30, np.int8),),
    raises=(None, None, OverflowError),
)


def fibonacci_table(n):
    """Fill a table from its own earlier entries."""
    table = np.zeros(n, dtype=np.int64)
    table[1] = 1
    for i in range(2, n):
        table[i] = table[i - 1] + table[i - 2]
    return table


case(fibonacci_table, lambda: (10,), lambda: (2,), lambda: (1,), raises=(None, None, IndexError))


def in_place_adds(x, y):
    """Augment an argument in place and keep a second name of it."""
    same = x
    x += y
    x *= 2
    return x, same


case(
    in_place_adds,
    lambda: (np.ones(3), np.arange(3.0)),
    lambda: (np.ones(3, np.float32), 1.5),
)


def in_place_cast_fails(x, y):
    """Add floats into an integer array: NumPy's casting error."""
    x += 1
    x += y
    return x


case(
    in_place_cast_fails,
    lambda: (np.arange(3), np.arange(3)),
    lambda: (np.arange(3), np.ones(3)),
    raises=(None, np._core._exceptions._UFuncOutputCastingError),
)


def rebinding_augment(x, n):
    """Augment a number: rebinding, the caller sees nothing."""
    for _ in range(n):
        x += 1
    return x


case(rebinding_augment, lambda: (1, 3), lambda: (1.5, 3), lambda: (np.float32(1), 3))


def augment_in_loop(x, n):
    """Augment the caller's array at every trip."""
    for i in range(n):
        x += i
    return x.sum()


case(augment_in_loop, lambda: (np.zeros(3), 3), lambda: (np.zeros(2), 0))


def slice_writes(x):
    """Write slices, one of them broadcast."""
    x[1:3] = 7
    x[::2] = x[::2] * 2
    x[-1:] = [5]
    return x


case(slice_writes, lambda: (np.arange(5.0),), lambda: (np.arange(4),))


def overlapping_slices(u):
    """Write a slice from overlapping slices of the same array."""
    u[1:-1] = 0.5 * (u[:-2] + u[2:])
    u[1:] += u[:-1]
    return u


case(overlapping_slices, lambda: (np.array([1.0, 5.0, 2.0, 8.0]),), lambda: (np.ones(2),))


def reversed_in_place(x):
    """Add an array's own reversal in place."""
    x += x[::-1]
    x[:] = x[::-1]
    return x


case(reversed_in_place, lambda: (np.arange(4.0),), lambda: (np.arange(1.0),))


def transposed_in_place(m):
    """Write a matrix's own transpose into it."""
    m[:] = m.T
    return m


case(transposed_in_place, lambda: (np.arange(9.0).reshape(3, 3),))


def rows_changed(m):
    """Change the rows that iteration gives: they are views."""
    for row in m:
        row *= 2
        row[0] = -1
    return m


case(rows_changed, lambda: (np.ones((3, 2)),), lambda: (np.ones((0, 2)),))


def row_swap(m):
    """Swap two rows by tuple assignment: views, so both become one."""
    m[0], m[1] = m[1], m[0]
    return m


case(row_swap, lambda: (np.arange(4.0).reshape(2, 2),), lambda: (np.arange(3.0),))


def row_swap_with_copy(m, i, j):
    """Swap two rows with a copy."""
    held = m[i].copy()
    m[i] = m[j]
    m[j] = held
    return m


case(row_swap_with_copy, lambda: (np.arange(6.0).reshape(3, 2), 0, 2))


def element_swap(x, i, j):
    """Swap two elements by tuple assignment."""
    x[i], x[j] = x[j], x[i]
    return x


case(
    element_swap,
    lambda: (np.arange(3.0), 0, 2),
    lambda: (np.arange(3.0), 0, 3),
    raises=(None, IndexError),
)


def insertion_sort(x):
    """Sort in place by swapping neighbors."""
    for i in range(1, len(x)):
        j = i
        while j > 0 and x[j - 1] > x[j]:
            x[j - 1], x[j] = x[j], x[j - 1]
            j -= 1
    return x


case(insertion_sort, lambda: (np.array([3.0, 1.0, 2.0]),), lambda: (np.zeros(0),))


def view_read_after_write(x):
    """Read through a view what was written through the base."""
    view = x[1:3]
    before = view.sum()
    x[1] = 100
    return before, view.sum(), view


case(view_read_after_write, lambda: (np.arange(4.0),), lambda: (np.arange(2.0),))


def base_read_after_write(x):
    """Read through the base what was written through a view of a view."""
    view = x[1:]
    inner = view[::2]
    inner += 10
    return x, x.sum(), inner


case(base_read_after_write, lambda: (np.arange(5.0),), lambda: (np.arange(1),))


def view_round_a_loop(x, n):
    """Carry a view of an array that is written round a loop."""
    view = x[:1]
    seen = 0.0
    for i in range(n):
        seen += view[0]
        x[0] = i
        view = x[i % 2 :]
    return seen, view


case(view_round_a_loop, lambda: (np.array([5.0, 6.0]), 4), lambda: (np.array([5.0, 6.0]), 0))


def chosen_target(a, b, value):
    """Write through a name that is one of two arguments."""
    target = a if a.sum() > b.sum() else b
    target[0] = value
    return target is a, a.sum()


case(
    chosen_target,
    lambda: (np.ones(2), np.zeros(2), 9.0),
    lambda: (np.zeros(2), np.ones(3), 9.0),
)


def overlapping_arguments(a, b):
    """Write one argument element by element from another one, which may overlap."""
    for i in range(len(a)):
        a[i] = b[i] + 1
    return a


def _overlapping():
    z = np.arange(5.0)
    return z[1:], z[:-1]


def _identical():
    z = np.arange(3.0)
    return z, z


case(
    overlapping_arguments,
    lambda: (np.zeros(4), np.arange(4.0)),
    _overlapping,
    _identical,
    lambda: (np.zeros(3), np.arange(3.0)),
    retraces=True,
)


def same_argument_twice(a, b):
    """Tell whether two arguments are one, after writing one."""
    a[0] = 5
    return a is b, b[0]


case(
    same_argument_twice,
    lambda: (np.zeros(2), np.zeros(2)),
    _identical,
    retraces=True,
)


def returned_by_identity(x, y):
    """Return an argument, a view of it and something fresh."""
    return x, x[1:], x + y, y


case(returned_by_identity, lambda: (np.ones(3), np.ones(3)))


def returned_twice(x):
    """Return one fresh array in two places."""
    y = x + 1
    return y, y, [y[:1], y]


case(returned_twice, lambda: (np.ones(2),))


def fresh_each_call():
    """Return an array made from constants: fresh at each call."""
    return np.zeros(2), np.array([1.0, 2.0])


case(fresh_each_call, lambda: ())


def copied_then_written(x):
    """Write a copy and leave the argument alone."""
    y = x.copy()
    y[0] = -1
    z = x + 0
    z += 1
    return y, z, x


case(copied_then_written, lambda: (np.ones(3),))


def mask_write(x, limit):
    """Write where a mask says."""
    x[x < limit] = limit
    x[x > 2 * limit] *= 0.5
    return x


case(mask_write, lambda: (np.array([0.0, 1.0, 9.0]), 2.0), lambda: (np.zeros(0), 2.0))


def repeated_index_write(x, where):
    """Augment at repeated indices: once each; np.add.at: every time."""
    x[where] += 1
    np.add.at(x, where, 10)
    return x


case(repeated_index_write, lambda: (np.zeros(3), np.array([0, 0, 2])))


def methods_in_place(x):
    """Sort and fill in place."""
    y = x.copy()
    x.sort()
    y.fill(3)
    return x, y, x.sort()


case(methods_in_place, lambda: (np.array([3.0, 1.0, 2.0]),))


def out_arguments(x, y):
    """Write results with `out=`."""
    r = np.add(x, y, out=x)
    np.multiply(x, 2, out=y)
    return r is x, x, y


case(out_arguments, lambda: (np.ones(2), np.arange(2.0)))


def copyto_and_put(x, y):
    """Write with functions."""
    np.copyto(x, y)
    np.put(x, [0], -5)
    return x


case(copyto_and_put, lambda: (np.zeros(3), np.arange(3.0)))


def written_past_the_end(x, n):
    """Fail in the middle: earlier writes stay."""
    for i in range(n):
        x[i] = i + 1
    return x


case(
    written_past_the_end,
    lambda: (np.zeros(3), 3),
    lambda: (np.zeros(3), 5),
    raises=(None, IndexError),
)


def read_only(x, flag):
    """Write a read-only array on one path."""
    if flag > 0:
        x[0] = 1
    return x


def _frozen():
    x = np.zeros(2)
    x.flags.writeable = False
    return x


case(
    read_only,
    lambda: (_frozen(), 0),
    lambda: (_frozen(), 1),
    lambda: (np.zeros(2), 1),
    raises=(None, ValueError, None),
)


def ravel_then_write(x):
    """Write what may be a view or a copy."""
    flat = x.ravel()
    flat[0] = 50
    return x, flat


case(
    ravel_then_write,
    lambda: (np.arange(4.0).reshape(2, 2),),
    lambda: (np.asfortranarray(np.arange(4.0).reshape(2, 2)),),
    lambda: (np.arange(8.0).reshape(2, 4)[:, ::2],),
)


def swapped_buffers(u, v, n):
    """Swap two of the caller's arrays round a loop of writes."""
    for _ in range(n):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u, v = v, u
    return u


case(
    swapped_buffers,
    lambda: (np.array([1.0, 0.0, 4.0]), np.array([1.0, 7.0, 4.0]), 3),
    lambda: (np.array([1.0, 0.0, 4.0]), np.array([1.0, 7.0, 4.0]), 0),
)


def carried_and_returned(x, n):
    """Rebind and write in alternate trips."""
    held = x
    for i in range(n):
        if i % 2 == 0:
            x = x + 1
        x[0] = i
    return x, held


case(
    carried_and_returned,
    lambda: (np.zeros(2), 0),
    lambda: (np.zeros(2), 1),
    lambda: (np.zeros(2), 4),
)


def delete_and_index_twice(x, i):
    """Evaluate a computed index of an augmented write once."""
    calls = [0]

    def index():
        calls[0] += 1
        return i

    x[index()] += 10
    return x, calls[0]


case(delete_and_index_twice, lambda: (np.zeros(3), 1))
