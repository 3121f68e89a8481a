"""Structured, string, date and object arrays: without types of their own, but right."""

from __future__ import annotations

import numpy as np

from .entries import case

PARTICLE = np.dtype([("position", float, 2), ("mass", float), ("kind", "U4")])


def particles(n):
    """Return `n` particles."""
    made = np.zeros(n, PARTICLE)
    made["mass"] = np.arange(n) + 1.0
    made["position"] = np.arange(2.0 * n).reshape(n, 2)
    made["kind"] = "dust"
    return made


def structured(p, threshold):
    """Read and write fields, in a loop and by masks."""
    heavy = p["mass"] > threshold
    p["kind"][heavy] = "rock"
    total = np.zeros(2)
    for row in p:
        total += row["mass"] * row["position"]
    p["position"] -= total / p["mass"].sum()
    for i in range(len(p)):
        if p[i]["mass"] < threshold:
            p[i]["mass"] *= 2
    order = np.argsort(p, order="mass")
    return total, p[order]["mass"], p["kind"].tolist(), p.dtype.names, p[["mass", "kind"]]


case(structured, lambda: (particles(4), 2.0), lambda: (particles(1), 0.5))


def records_made_inside(n):
    """Make a structured array and fill it."""
    out = np.zeros(n, dtype=[("x", "f8"), ("n", "i4")])
    for i in range(n):
        out["x"][i] = i / 2
        out[i]["n"] = i * i
    return out, out["n"].sum()


case(records_made_inside, lambda: (3,), lambda: (0,))


def strings(names, prefix):
    """Compare, search and join arrays of strings."""
    hits = np.char.startswith(names, prefix)
    upper = np.char.upper(names)
    lengths = np.char.str_len(names)
    longest = names[np.argmax(lengths)]
    count = 0
    for name in names:
        if name == prefix or len(name) > 3:
            count += 1
    return hits, upper, longest, count, np.sort(names), np.unique(names), names == prefix


case(
    strings,
    lambda: (np.array(["ab", "abcd", "b", "ab"]), "ab"),
    lambda: (np.array(["x"]), "y"),
)


def bytes_and_unicode(raw, text):
    """Convert between bytes and text; write into them, cut to their width."""
    raw[0] = b"longer than that"
    joined = np.concatenate([text, text[::-1]])
    return raw, raw.astype("U"), joined, np.char.add(text, "!"), text[text > "b"]


case(bytes_and_unicode, lambda: (np.array([b"a", b"bc"]), np.array(["a", "b", "c"])))


def dates(days, start):
    """Differences, comparisons and ranges of dates."""
    gaps = np.diff(days)
    late = days[days > start]
    months = days.astype("datetime64[M]")
    week = start + np.arange(7)
    total = np.timedelta64(0, "D")
    for gap in gaps:
        total += gap
    worked = np.busday_count(start, days[-1])
    return gaps, late, months, week, total, gaps.astype(int).mean(), worked


case(
    dates,
    lambda: (
        np.array(["2024-01-01", "2024-02-03", "2024-02-29"], "datetime64[D]"),
        np.datetime64("2024-01-15"),
    ),
)


def not_a_time(times):
    """Missing times."""
    missing = np.isnat(times)
    times[missing] = np.datetime64("1970-01-01")
    return missing, times, times.max() - times.min()


case(not_a_time, lambda: (np.array(["NaT", "2000-01-01"], "datetime64[s]"),))


class Money:
    """An amount that an array of objects holds."""

    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        return Money(self.cents + other.cents)

    def __lt__(self, other):
        return self.cents < other.cents


def objects(items, scale):
    """Sum, sort and index an array of objects: their methods run."""
    total = items.sum()
    first = np.sort(items)[0]
    items[0] = first + total
    return total, first, items, [item.cents * scale for item in items]


case(objects, lambda: (np.array([Money(3), Money(1), Money(2)], dtype=object), 2), staged=False)


def ragged(rows):
    """Arrays of lists and of long integers."""
    lengths = np.array([len(row) for row in rows])
    rows[0].append(7)
    big = np.array([2**70, 1]) * 3
    return lengths, rows, big, big.sum() % 1000, np.array([None, 1])


def long_integers(n):
    """Integers of more than 64 bits among constants make arrays of objects."""
    return np.array([2**70, n]), np.array((2**64, 1)) + n, np.array([-(2**90), 0, 1])


case(long_integers, lambda: (3,))


def _rows():
    made = np.empty(2, dtype=object)
    made[0], made[1] = [1, 2], [3]
    return (made,)


case(ragged, _rows)


def mixed_with_numbers(p, x):
    """Fields are arrays of numbers like others, and views."""
    mass = p["mass"]
    mass += x
    view = p.view(np.recarray) if len(x) > 99 else p
    return mass, view["mass"].max(), np.einsum("i,ij->j", mass, p["position"]), p


case(mixed_with_numbers, lambda: (particles(3), np.ones(3)), lambda: (particles(2), np.ones(2)))


def swapped_bytes(x):
    """Numbers in another byte order."""
    y = x + 1
    x[0] = 9
    return x, y, x.astype(float), x.sum(), x.dtype.byteorder


case(swapped_bytes, lambda: (np.arange(3, dtype=">i4"),), lambda: (np.arange(3.0, dtype=">f8"),))
