"""Lists, dicts, tuples, sets and comprehensions."""

from __future__ import annotations

import numpy as np

from .entries import case


def append_in_loop(x):
    """Append values in a loop over an array."""
    kept = []
    for v in x:
        if v > 1:
            kept.append(v * 2)  # noqa: PERF401  # on purpose
    return kept, len(kept)


case(append_in_loop, lambda: (np.array([0.5, 1.5, 2.5]),), lambda: (np.zeros(0),))


def stack_of_results(n):
    """Append arrays, then stack them."""
    parts = []
    for i in range(n):
        parts.append(np.full(2, i))  # noqa: PERF401  # on purpose
    return np.array(parts)


case(stack_of_results, lambda: (3,), lambda: (20,))


def same_buffer_appended(x, n):
    """Append one array that changes, beside ones that do not."""
    shared, fresh = [], []
    y = x
    for _ in range(n):
        x += 1
        shared.append(x)
        y = y + 1
        fresh.append(y)
    return shared, fresh


case(same_buffer_appended, lambda: (np.zeros(2), 3), lambda: (np.zeros(2), 0))


def argument_list(xs):
    """Read and change a list argument."""
    total = 0.0
    for v in xs:
        total += v
    xs.append(total)
    return total


case(argument_list, lambda: ([1.0, 2.0],), lambda: ([1.5, 2.5],))


def list_indexed_by_value(x):
    """Index a list with a computed number."""
    table = [10, 20, 30]
    i = int(x.sum())
    return table[i]


case(
    list_indexed_by_value,
    lambda: (np.array([1.0, 0.5]),),
    lambda: (np.array([-1.0]),),
    lambda: (np.array([7.0]),),
    raises=(None, None, IndexError),
)


def list_written_by_value(n):
    """Count into a list at computed places."""
    counts = [0, 0, 0]
    for i in range(n):
        counts[i * i % 3] += 1
    return counts


case(list_written_by_value, lambda: (7,), lambda: (0,))


def list_methods(n):
    """Use the methods of a list."""
    xs = [3, 1, 2]
    for i in range(n):
        xs.insert(0, i)
        if len(xs) > 5:
            xs.pop()
    xs.sort()
    xs.reverse()
    xs.extend([9])
    return xs, xs.index(9), xs.count(1)


case(list_methods, lambda: (4,), lambda: (0,))


def list_aliases(n):
    """Change a list through a second name."""
    a = [0]
    b = a
    for i in range(n):
        b.append(i)
    a += [7]
    return a, b, a is b


case(list_aliases, lambda: (2,), lambda: (0,))


def list_holds_array_twice(x):
    """Write an array that a list holds twice."""
    xs = [x, x]
    xs[0][0] = 5
    xs[1] += 1
    return xs, x


case(list_holds_array_twice, lambda: (np.zeros(2),))


def dict_counts(x):
    """Count in a dict with keys known at run time."""
    counts = {}
    for v in x:
        k = int(v)
        counts[k] = counts.get(k, 0) + 1
    return counts


case(dict_counts, lambda: (np.array([1, 2, 1]),), lambda: (np.zeros(0, int),))


def dict_of_arrays(x):
    """Build, read and change a dict with fixed keys."""
    d = {"a": x, "b": x + 1}
    d["a"] = d["a"] * 2
    if "c" not in d:
        d["c"] = d["b"].sum()
    return d, list(d)


case(dict_of_arrays, lambda: (np.ones(2),))


def dict_argument(parameters, x):
    """Read parameters from a dict argument."""
    if parameters["shift"] > 0:
        x = x + parameters["shift"]
    return x * parameters["scale"]


case(
    dict_argument,
    lambda: ({"shift": 1.0, "scale": np.ones(2)}, np.arange(2.0)),
    lambda: ({"shift": 0.0, "scale": np.ones(2)}, np.arange(2.0)),
)


def missing_key(x):
    """Look a missing key up: Python's error."""
    table = {1: "one"}
    return table[x]


case(missing_key, lambda: (1,), lambda: (2,), raises=(None, KeyError))


def comprehension(x):
    """Build a list from an array by a comprehension with a test."""
    return [v * v for v in x if v > 0]


case(
    comprehension,
    lambda: (np.array([1.0, -1.0, 2.0]),),
    lambda: (np.zeros(0),),
)


def nested_comprehension(n):
    """Nest comprehensions."""
    return [[i * j for j in range(i)] for i in range(n)], {k: k * k for k in range(n)}


case(nested_comprehension, lambda: (3,), lambda: (0,))


def generator_expression(x):
    """Consume a generator expression."""
    return sum(v * 2 for v in x), any(v > 1 for v in x)


case(generator_expression, lambda: (np.array([1.0, 2.0]),))


def tuple_state(n):
    """Carry a tuple round a loop."""
    pair = (0, 1)
    for _ in range(n):
        pair = (pair[1], pair[0] + pair[1])
    return pair


case(tuple_state, lambda: (5,), lambda: (0,), lambda: (30,))


def starred_unpacking(x):
    """Unpack with a star."""
    first, *middle, last = x
    return first, middle, last


case(
    starred_unpacking,
    lambda: (np.array([1.0, 2.0, 3.0]),),
    lambda: (np.array([1.0]),),
    raises=(None, ValueError),
)


def unpack_array(x):
    """Unpack an array into two names."""
    a, b = x
    return a + b


case(
    unpack_array,
    lambda: (np.array([1.0, 2.0]),),
    lambda: (np.array([1.0, 2.0, 3.0]),),
    raises=(None, ValueError),
)


def membership(x, k):
    """Test membership in tuples, lists and arrays."""
    return k in (1, 2, 3), k not in [4, 5], k in x


case(membership, lambda: (np.array([1, 9]), 9), lambda: (np.array([1, 9]), 4))


def set_of_values(x):
    """Collect values in a set."""
    seen = set()
    for v in x:
        seen.add(int(v))
    return sorted(seen), 2 in seen


case(set_of_values, lambda: (np.array([2, 1, 2]),), lambda: (np.zeros(0),))


def list_of_state(x, n):
    """Carry a list of arrays round a loop by rebinding it."""
    xs = [x, x + 1]
    for _ in range(n):
        xs = [xs[1], xs[0] * 2]
    return xs


case(list_of_state, lambda: (np.ones(2), 3), lambda: (np.ones(2), 0))


def nested_lists(n):
    """Make nested lists and change an inner one."""
    grid = [[0] * 3 for _ in range(2)]
    rows = [[0] * 2] * 2
    for i in range(n):
        grid[i % 2][i % 3] = i
        rows[0][0] = i
    return grid, rows, rows[0] is rows[1]


case(nested_lists, lambda: (5,), lambda: (0,))


def slices_of_list(x):
    """Slice and concatenate lists."""
    xs = [1, 2, 3, 4]
    ys = xs[1:3] + [x]  # noqa: RUF005  # on purpose
    xs[1:3] = []
    return xs, ys, xs * 2


case(slices_of_list, lambda: (7,))


def while_list(n):
    """Loop while a list is not empty."""
    pending = [n]
    visited = 0
    while pending:
        k = pending.pop()
        visited += 1
        if k > 1:
            pending.append(k // 2)
            pending.append(k // 3)
    return visited


case(while_list, lambda: (10,), lambda: (0,))


def equal_containers(x):
    """Compare tuples and lists."""
    return (x, 1) == (2, 1), [x] == [2], (x, 2) < (3, 0), len((x, x))


case(equal_containers, lambda: (2,), lambda: (2.0,), lambda: (5,))
