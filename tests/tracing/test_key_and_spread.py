"""Key functions of the user's, arguments spread at run time, tuples indexed at run time."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def by_key(xs, reverse):
    return sorted(xs, key=lambda v: v % 3, reverse=reverse)


def in_place(xs, sign):
    ys = xs
    xs.sort(key=lambda v: sign * v)
    return ys


def extremes(xs):
    return max(xs, key=lambda v: v % 3), min(xs, key=lambda v: v % 3)


def or_default(xs, default):
    return max(xs, key=lambda v: -v, default=default)


def of_two(x, y):
    return min(x, y, key=lambda v: (v[0] % 2, v))


def pivot(a, start):
    return max(range(start, len(a)), key=lambda row: abs(a[row]))


def affine(x, scale, shift=0.5, *, power=1):
    return (x * scale + shift) ** power


def spread_list(xs):
    return affine(*xs)


def spread_dict(x, options):
    return affine(x, **options)


def spread_both(xs, options):
    return affine(*xs, **options, power=2)


def transposed(rows):
    return list(zip(*rows, strict=True)), [*rows, 0], (0, *rows), {*rows[0], 7}


def read_before(xs):
    print(*xs, xs.pop())
    return [*xs, xs.pop()]


def picked(x, i):
    choices = (x, -x, 2 * x)
    return choices[i], choices[int(np.argmin(choices))]


def grids(n, x):
    rows, columns = np.mgrid[0:n, :n]
    return rows, np.ogrid[: n + 1], np.r_[x, 0.0, x], np.c_[x, -x], columns


CALLS = [
    (by_key, [([3, 1, 2, 5, 4], False), ([3, 1, 2, 5, 4], True), ([], True), (5, True)]),
    (in_place, [([3, 1, 2], -1), ([], 1)]),
    (extremes, [([4, 8, 3, 5],), ([],), (["a"],)]),
    (or_default, [([4, 2], None), ([], None), ([], 2.5)]),
    (of_two, [((1, 2), (2, 1)), ((1, 2), (1, 2))]),
    (pivot, [(np.array([9.0, -1.0, 4.0, -4.0]), 1), (np.ones(2), 2)]),
    (spread_list, [([2.0, 3.0],), ([2.0, 3.0, 4.0],), ([2.0],), ([1.0, 2.0, 3.0, 4.0],), (5,)]),
    (spread_dict, [(2.0, {"scale": 3}), (2.0, {"scale": 3, "power": 2}), (2.0, {"up": 1}),
                   (2.0, {"x": 3, "scale": 1})]),
    (spread_both, [([2.0], {"scale": 3}), ([2.0, 1.0], {"power": 3})]),
    (transposed, [([[1, 2], [3, 4]],), ([[1, 2], [3]],), ([],)]),
    (read_before, [([1, 2, 3],), ([1],)]),
    (picked, [(3.0, 1), (3.0, -1), (3.0, 5)]),
    (grids, [(2, np.arange(3.0)), (0, np.ones(1))]),
]  # fmt: skip


@pytest.mark.parametrize(("function", "calls"), CALLS, ids=[f.__name__ for f, _ in CALLS])
def test_staged_call_does_what_the_plain_one_does(function, calls):
    compiled = ag.compile(function, fallback="error")
    for call in calls:
        want = observe(function, _copied(call), __file__)
        assert not differences(observe(compiled, _copied(call), __file__), want)


@pytest.mark.parametrize("function", [by_key, spread_list, spread_dict, picked, grids])
def test_one_trace_serves_all_values(function):
    compiled = ag.compile(function, fallback="error")
    [calls] = [calls for f, calls in CALLS if f is function]
    for call in calls[:2]:
        compiled(*_copied(call))
    assert len(compiled.signatures) == 1


def _copied(item):
    if isinstance(item, tuple | list):
        return type(item)(map(_copied, item))
    return item.copy() if hasattr(item, "copy") else item


def distance(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    table[:, 0], table[0] = np.arange(len(a) + 1), np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            changed = int(a[i - 1] != b[j - 1])
            around = table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + changed
            table[i, j] = min(around)
    return int(table[-1, -1])


def common_start(a, b):
    i = 0
    while i < len(a) and i < len(b) and a[i] == b[i]:
        i += 1
    return a[:i], a[i:].upper()


def test_texts_that_are_data_are_known_at_run_time():
    compiled = ag.compile(distance, fallback="error")
    for a, b in [("a" * 20, "b" * 30), ("kitten", "sitting"), ("", "abc")]:
        assert compiled(a, b) == distance(a, b)
    assert len(compiled.signatures) == 1


def test_characters_are_picked_at_run_time():
    compiled = ag.compile(common_start, fallback="error")
    for a, b in [("abcd", "abxd"), ("", "a"), ("xy", "xy")]:
        assert compiled(a, b) == common_start(a, b)


def test_short_texts_do_not_trace_for_ever():
    compiled = ag.compile(distance, fallback="error")
    for n in range(1, 14):
        assert compiled("a" * n, "ab") == distance("a" * n, "ab")
    assert len(compiled.signatures) <= 9
