"""Lists written where they are used: what is known of them, and when it no longer holds."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def row():
    """Return an array that counts up."""
    return np.arange(4.0)


def picked(x):
    return x[[0, 2]], x[[True, False, True, False]], x[[]], x[[[0, 1], [2, 3]]]


def picked_with_others(x):
    m = x.reshape(2, 2)
    return m[:, [0, 1]], m[[0, 1], [1, 0]], m[[1], :], m[..., [0]], m[[0, 1], 1:], m[[0, 1], None]


def written(x):
    x[[0, 2]] = 5
    x[:2] = [7, 8]
    x[[1, 3]] += [1, 2]
    x[[0, 0]] += 1
    x[1:3] *= [2, 3]
    return x


def combined(x):
    return x * [1, 2, 3, 4], [1, 2, 3, 4] * x, x == [0, 9, 2, 9], x @ [1, 0, 0, 1], x - [[1], [2]]


def functions(x):
    np.put(x, [0, 1], [3, 4])
    x.put([2], [9])
    np.add.at(x, [0, 0], [1, 2])
    return np.take(x, [1, 0]), x.take([1, 1]), np.maximum(x, [1, 5, 1, 5]), np.where(x > 3, x, [0])


def methods_of_ufuncs(x):
    np.add.at(x, [0, 0, -1], [1, 2, 3])
    np.add.at(x, [True, False, True, False], 5)
    np.add.at(x, [[0, 1], [1, 2]], 1)
    np.add.at(x, [], 1)
    np.negative.at(x, [1])
    np.add.at(*(x, [2]), [4])
    m = x.reshape(2, 2)
    np.add.at(m, [0, 0], [10, 20])
    np.add.at(m, (0, 0), 100)
    return (
        x, np.add.reduce([x[0], x[1]]), np.add.accumulate([1, 2.5]), np.add.outer([1, 2], x),
        np.add.reduceat(x, [0, 2]), np.add.reduceat([1, 2, 3], [0, 1]),
    )  # fmt: skip


def wrong_length(x):
    x[0] = 9
    x[:2] = [1, 2, 3]


def out_of_bounds(x):
    x[0] = 9
    return x[[0, 9]]


def of_values(x, k):
    x[[k, 1]] += [k, x[0]]
    return x[[k, -1]]


def changed_by_method(x):
    index = [0, 2]
    index.append(1)
    return x[index]


def changed_by_item(x):
    index = [0, 2]
    index[0] = slice
    index[0] = 3
    return x[index]


def changed_through_holder(x):
    rows = [[0], [1]]
    rows[0].append(2)
    return x[rows[0]], x[rows[1]]


def changed_through_tuple(x):
    index = [0]
    pair = (index, 1)
    pair[0].append(3)
    return x[index]


def changed_by_helper(x):
    def add(items):
        items.append(3)

    index, values = [0], [5]
    add(index)
    add(values)
    x[index] = values
    return x


def changed_in_a_branch(x):
    index = [0]
    if x[0] == 0:
        index.append(1)
    return x[index]


def changed_in_a_loop(x, n):
    index = [0]
    total = 0
    for i in range(n):
        total += x[index].sum()
        index.append(i)
    return total, x[index]


def kept_value(x):
    values = [1, 2]
    x[:2] = values
    values[0] = 5
    x[2:] = values
    return x


def kinds_that_change(x, n):
    k = 0
    for i in range(n):
        x[[k, 1]] += 1
        k = i > 1
    return x


def left_list(x):
    items = [1, 2, 3, 4]
    items += x
    return items


def in_a_closure(x):
    index = [0, 1]

    def read():
        return x[index].sum()

    first = read()
    index.append(2)
    return first, read()


@pytest.mark.parametrize(
    "function",
    [
        picked, picked_with_others, written, combined, functions, methods_of_ufuncs, wrong_length,
        out_of_bounds,
        changed_by_method, changed_by_item, changed_through_holder, changed_through_tuple,
        changed_by_helper, changed_in_a_branch, kept_value, left_list, in_a_closure,
    ],
)  # fmt: skip
def test_lists_are_what_they_are_when_used(function):
    file = function.__code__.co_filename
    compiled = ag.compile(function, fallback="error")
    want = observe(function, (row(),), file)
    assert not differences(observe(compiled, (row(),), file), want)


@pytest.mark.parametrize("function", [of_values, changed_in_a_loop, kinds_that_change])
def test_lists_of_values_that_change(function):
    file = function.__code__.co_filename
    compiled = ag.compile(function, fallback="error")
    for n in (0, 2, 3):
        want = observe(function, (row(), n), file)
        assert not differences(observe(compiled, (row(), n), file), want)


def test_indices_have_types():
    text = str(ag.compile(picked).graph(row()))
    assert "f64[2] = getitem" in text
    assert "f64[?] = getitem" in text
    assert "f64[2, 2] = getitem" in text
    assert "f64[0] = getitem" in text


def test_a_list_of_numbers_runs_no_unknown_code():
    assert str(ag.compile(written).explain(row())).count("island") == 0
    weights = np.ones(4)

    def program(x):
        x[[0, 2]] = [1, 2]
        np.add.at(x, [0, 0], [3, 4])
        return x + weights

    assert "f64[x_0]" in str(ag.compile(program, fallback="error").graph(row()))
