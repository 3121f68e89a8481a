"""Writes through masks, integer arrays and mixed indices, and NumPy's functions that write."""

from __future__ import annotations

import numpy as np

from .entries import case


def matrix():
    """Return a matrix that counts up."""
    return np.arange(6.0).reshape(2, 3).copy()


def read_only():
    """Return an array that must not be written."""
    x = np.arange(3.0)
    x.flags.writeable = False
    return x


def mask_written(x):
    """Write where a condition holds, plainly and augmented."""
    x[x > 2] = -1
    x[x < 1] += 10
    x[x == 10] *= 3
    return x


case(mask_written, lambda: (matrix(),), lambda: (np.arange(5),), lambda: (np.zeros(0),))


def mask_filled_from_array(x, values):
    """Write an array through a mask: as many values as places."""
    x[x > 2] = values
    return x


case(
    mask_filled_from_array,
    lambda: (matrix(), np.array([7.0, 8.0, 9.0])),
    lambda: (matrix(), np.array([7.0, 8.0])),
    raises=(None, ValueError),
)


def repeated_indices_augmented(x, i):
    """Augment through indices with repetitions: each place changes once."""
    x[i] += 1
    np.add.at(x, i, 10)
    return x


case(
    repeated_indices_augmented,
    lambda: (np.zeros(4), np.array([0, 0, 1])),
    lambda: (np.zeros(4, np.int8), np.array([-1, 3, 3])),
    lambda: (np.zeros(4), np.array([0, 9])),
    raises=(None, None, IndexError),
)


def mixed_indices(x, i):
    """Mix integers, slices, arrays, None and an ellipsis, in reads and writes."""
    old = x[:, i, None]
    x[..., i] = 7
    x[1:, i] += 2
    x[i, i] = 5
    x[i[:1], ..., 0] -= 1
    return old, x, x[i][:, i], x[0, :, None][..., 0], x[None, i, 1:]


case(
    mixed_indices,
    lambda: (np.arange(9.0).reshape(3, 3), np.array([0, 2])),
    lambda: (np.arange(27.0).reshape(3, 3, 3), np.array([1, 1, 0])),
)


def arrays_apart(x, i):
    """Index with two arrays that a slice keeps apart: their axes come first."""
    y = x[i, :, i]
    x[i, :, 0] = y
    return y, x[:, i, i], x[0, :, i], x[i, 0]


case(arrays_apart, lambda: (np.arange(8.0).reshape(2, 2, 2), np.array([0, 1])))


def boolean_scalars(x, flag):
    """Index with single booleans: they add an axis of length one or none."""
    a, b, c = x[True], x[False], x[None, True]
    x[True] += 1
    x[False] = 6
    return a, b, c, x[x.sum() > 0], x, x[np.True_].shape, x[flag]


case(boolean_scalars, lambda: (matrix(), True), lambda: (np.array(1.0), False))


def without_axes(x):
    """Read and write an array without axes."""
    x[...] = 5
    x[()] += 1
    number = x[()]
    view = x[...]
    x += 1
    return number, view, x[None], view[()] == 7


case(without_axes, lambda: (np.array(1.0),), lambda: (np.array(1),))


def empty_selections(x):
    """Select nothing, and write into it."""
    x[np.array([], int)] = 9
    x[x > 100] = 9
    x[2:2] += 1
    x[[]] = 3
    return x, x[[]], x[np.array([], int)].shape, x[:0]


case(empty_selections, lambda: (matrix(),), lambda: (np.arange(3),))


def selections_are_copies(x, i):
    """Change what indexing by arrays gave: the base stays."""
    picked = x[i]
    picked += 100
    masked = x[x > 1]
    masked[:] = -1
    return x, picked, masked


case(selections_are_copies, lambda: (np.arange(4.0), np.array([0, 3])))


def index_helpers(x):
    """Write through what NumPy's index helpers give."""
    x[np.ix_([0, 1], [0, 2])] += 5
    x[np.s_[0, 1:]] = 3
    rows, columns = np.triu_indices(2)
    x[rows, columns] = 8
    x[np.nonzero(x > 6)] = 0
    x[np.diag_indices(2)] = 77
    x[np.unravel_index(5, (2, 3))] = 44
    return x


case(index_helpers, lambda: (matrix(),))


def written_by_functions(x, mask):
    """Write with NumPy's functions."""
    np.copyto(x, 3, where=mask)
    np.put(x, [0, 2], 9)
    x.put([1], 4.5)
    np.place(x, mask, [1, 2])
    np.putmask(x, x > 4, x * 2)
    return x


case(
    written_by_functions,
    lambda: (np.zeros(3), np.array([True, False, True])),
    lambda: (np.zeros(3, np.int16), np.array([False, False, True])),
)


def written_along_an_axis(x, i):
    """Write along an axis and along the diagonal."""
    before = np.take_along_axis(x, i, 1)
    np.put_along_axis(x, i, 9, axis=1)
    np.fill_diagonal(x, 5)
    np.fill_diagonal(x[:, ::-1], -5)
    return before, x


case(written_along_an_axis, lambda: (np.zeros((3, 3)), np.array([[0], [1], [1]])))


def written_in_a_loop(x, order, n):
    """Write through a mask and through indices that change from trip to trip."""
    for k in range(n):
        x[x > k] -= 1
        x[order[k:]] += 0.5
        if x[order[0]] > 2:
            x[order % 2 == 0] = k
    return x


case(
    written_in_a_loop,
    lambda: (np.arange(4.0), np.array([3, 1, 2, 0]), 3),
    lambda: (np.arange(4.0), np.array([3, 1, 2, 0]), 0),
)


def branches_that_write(x, y, flag):
    """Write one of two arrays, and views of either."""
    if flag > 0:
        x[x > 0] = 1
        view = x[1:]
    else:
        view = y[:1]
        y += 1
    view[...] = 9
    return x, y, view


case(
    branches_that_write,
    lambda: (np.arange(3.0), np.ones(3), 1),
    lambda: (np.arange(3.0), np.ones(3), 0),
)


class Grid:
    """Holds an array and a view of it."""

    def __init__(self, cells):
        self.cells = cells
        self.edge = cells[0]


def attributes_that_alias(x):
    """Write through attributes."""
    grid = Grid(x)
    grid.cells[0] = 4
    grid.edge += 1
    grid.cells += 2
    grid.cells[grid.cells > 6] = 0
    return grid.cells is x, grid.edge, x


case(attributes_that_alias, lambda: (matrix(),))


def containers_that_alias(x):
    """Write through a list, a dict, a tuple and a closure that hold one array."""
    items, table, pair = [x, x], {"x": x}, (x, 2)

    def scale(k):
        x[k] *= 2
        return x.sum()

    items[0][0] = 5
    table["x"][1] += 1
    pair[0][...] -= 1
    total = scale(0) + scale(1)
    items[1][items[0] > 3] = 0
    return x, items[1] is x, total


case(containers_that_alias, lambda: (matrix(),), lambda: (np.arange(4.0),))


def read_only_items(x):
    """Write an item of a read-only array."""
    x[0] = 1


def read_only_mask(x):
    """Write a read-only array through a mask."""
    x[x > 1] = 1


def read_only_augmented(x):
    """Augment a read-only array."""
    x += 1


def read_only_out(x):
    """Let a ufunc write a read-only array."""
    np.add(x, 1, out=x)


def read_only_sorted(x):
    """Sort a read-only array."""
    x.sort()


def read_only_copied_to(x):
    """Copy to a read-only array."""
    np.copyto(x, 3)


def read_only_flat(x):
    """Write a read-only array through its flat iterator."""
    x.flat[0] = 3


def read_only_broadcast(x):
    """Write a broadcast view, which is read-only."""
    y = np.broadcast_to(x, (2, 3))
    y[0] = 1


def read_only_diagonal(x):
    """Write a diagonal, which is a read-only view."""
    np.diagonal(x[None] + x[:, None])[0] = 1


for refused in (
    read_only_items, read_only_mask, read_only_augmented, read_only_out, read_only_sorted,
    read_only_copied_to, read_only_flat, read_only_broadcast, read_only_diagonal,
):  # fmt: skip
    case(refused, lambda: (read_only(),), raises=ValueError)


def made_read_only(x, n):
    """Forbid writing half-way: what was written before stays."""
    for i in range(n):
        x[i] = i + 1
        if i == 1:
            x.flags.writeable = False
    return x


case(made_read_only, lambda: (np.zeros(4), 2), lambda: (np.zeros(4), 4), raises=(None, ValueError))


def views_before_read_only(x):
    """Keep views made before writing was forbidden: they may be written."""
    y, t = x[1:], x.T
    x.setflags(write=False)
    y[0] = 5
    return y, t, x.flags.writeable, t.flags.writeable, x[1:].flags.writeable


case(views_before_read_only, lambda: (np.zeros(3),))
