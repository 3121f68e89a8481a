"""Programs that mix many features, as programs do."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import numpy as xp

from .entries import case


def _array(*values):
    return np.array(values)


class Model:
    """An object with every kind of method."""

    scale = 3

    def __init__(self, w):
        self.w = w
        self.n = 0
        self.log = []

    @property
    def total(self):
        return self.w.sum()

    @staticmethod
    def sq(v):
        return v * v

    @classmethod
    def make(cls, v):
        return cls.scale * v

    def step(self, x):
        self.n += 1
        if x > self.total:
            self.w = self.w + x
        else:
            self.w[0] += x
        self.log.append(x)
        return self.sq(x)

    def __call__(self, x):
        return self.step(x) + 1

    def __len__(self):
        return 7

    def __getitem__(self, i):
        return self.w[i]

    def __add__(self, o):
        return self.w + o

    def __bool__(self):
        return self.n > 0

    def __contains__(self, x):
        return x in self.w


class SubModel(Model):
    """A subclass."""

    scale = 5

    def step(self, x):
        return super().step(x) * 2


def methods_in_loop(m, xs):
    """Call methods of an object that change it, in a loop over an array."""
    t = 0
    for x in xs:
        t += m.step(x)
    return t, m.n, m.total, len(m), m[0], m + 1, (1 if m else 2), (3.0 in m)


case(
    methods_in_loop,
    lambda: (Model(_array(1.0, 2.0)), _array(1.0, 5.0, 2.0)),
    lambda: (SubModel(_array(1.0, 2.0)), _array(1.0, 5.0, 2.0)),
    lambda: (Model(_array(1.0, 2.0)), np.zeros(0)),
    staged=False,
)


def chained_assignment(n):
    """Assign to several targets at once."""
    a = b = n * 2
    c = [0] * 3
    c[0] = d = n
    (e, f), g = (a, b), c
    return a, b, c, d, e, f, g


case(chained_assignment, lambda: (3,), lambda: (2.5,))


def nested_augmentation(o, d, m, i):
    """Augment attributes, items and items of items."""
    for k in range(i):
        o.data[k] += 1
        d["k"] += k
        m[k][0] *= 2
        o.count = o.count + 1
    return o.count


case(
    nested_augmentation,
    lambda: (SimpleNamespace(data=np.zeros(4), count=0), {"k": 1}, np.ones((3, 2)), 3),
    lambda: (SimpleNamespace(data=np.zeros(4), count=0), {"k": 1.5}, [[1], [2]], 2),
)


def shadowed_builtins(x):
    """Shadow builtins with locals."""
    len = 3
    sum = lambda v: v * 2  # noqa: E731  # on purpose
    if x > len:
        return sum(x)
    return len


case(shadowed_builtins, lambda: (5,), lambda: (1,))


def numpy_by_another_name(x):
    """Reach NumPy by another name."""
    y = xp.sin(x)
    e = xp.exp
    return e(y), xp.pi, math.pi * x


case(numpy_by_another_name, lambda: (1.0,), lambda: (_array(1.0, 2.0),))


def pairs_of_rows(m):
    """Iterate over pairs of rows, counted."""
    t = []
    for i, (a, b) in enumerate(zip(m, m[1:])):  # noqa: B905, RUF007  # on purpose
        t.append((i, (a * b).sum()))
    return t


case(pairs_of_rows, lambda: (np.arange(6.0).reshape(3, 2),), lambda: (np.arange(3),))


def keys_and_lambdas(x):
    """Hand lambdas to builtins."""
    xs = x.tolist()
    return (
        sorted(xs, key=lambda v: -v),
        sorted(xs, reverse=True),
        list(map(lambda v: v + 1, xs)),
        list(filter(lambda v: v > 1, xs)),
        max(xs, key=abs),
    )


case(keys_and_lambdas, lambda: (_array(3, -1, 2),), lambda: (_array(1.5),), staged=False)


def strings_of_values(x, s):
    """Use f-strings with =, nested formats, and methods of strings."""
    t = f"{x=} {s!s:>5} {x:{s}}" if isinstance(s, str) and s.startswith(".") else s.upper()
    return (
        t,
        "%s|%r" % (x, s),  # noqa: UP031  # on purpose
        f"{x:>4}|{s}",
        s * 2,
        s[::-1],
        s.split(","),
        x.__class__.__name__,
    )


case(strings_of_values, lambda: (1.5, ".2f"), lambda: (3, "a,b"))


def structured_array(x):
    """Read and write fields of a structured array."""
    y = x["a"] + 1
    if y.sum() > 3:
        x["b"] = y
    return y, x


case(structured_array, lambda: (np.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f8")]),))


def dates(x):
    """Compute with dates."""
    d = np.diff(x)
    if d[0] > np.timedelta64(1, "D"):
        return d.max()
    return x + np.timedelta64(2, "h")


case(
    dates,
    lambda: (np.array(["2020-01-01", "2020-01-05"], "M8[D]"),),
    lambda: (np.array(["2020-01-01", "2020-01-02"], "M8[D]"),),
)


def object_array(x):
    """Iterate over an object array."""
    t = 0
    for v in x:
        t = t + v
    return t, x[0]


case(
    object_array,
    lambda: (np.array([1, 2.5, 3], object),),
    lambda: (np.array(["a"], object),),
    raises=(None, TypeError),
)


def array_of_strings(x):
    """Compare the strings of an array."""
    n = 0
    for s in x:
        if s == "a":
            n += 1
    return n, x.tolist()


case(
    array_of_strings,
    lambda: (np.array(["a", "b", "a"]),),
    lambda: (["a", "b"],),
    raises=(None, AttributeError),
)


def no_dimensions(x):
    """Branch on an array of no dimensions."""
    if x > 0:
        y = x + 1
    else:
        y = x
    y += 1
    return y, type(y).__name__


case(
    no_dimensions,
    lambda: (np.array(1.0),),
    lambda: (np.float64(2),),
    lambda: (np.array(-1),),
    lambda: (True,),
)


def any_iterable(a):
    """Iterate over whatever comes."""
    t = 0
    for v in a:
        t = t + v
    return t, len(a)


case(
    any_iterable,
    lambda: (range(5),),
    lambda: ([1, 2],),
    lambda: ((1, 2.5),),
    lambda: ({1: 2, 3: 4},),
    lambda: ({7},),
    lambda: (b"ab",),
    lambda: (_array(1, 2),),
)


def list_grows_while_iterated(xs):
    """Append to the list that is being iterated."""
    for v in xs:
        if len(xs) < 6:
            xs.append(v + 1)
    return xs


case(list_grows_while_iterated, lambda: ([1, 2],), lambda: ([],))


def all_comprehensions(x):
    """Comprehensions of every kind."""
    a = [(i, v) for i, v in enumerate(x) if v > 0 if i < 2]
    b = {int(v): i for i, v in enumerate(x)}
    c = [y for v in x if (y := v * 2) > 1]
    d = sum(v for v in x)
    e = all(v > 0 for v in x)
    return a, b, c, d, e


case(all_comprehensions, lambda: (_array(1.0, -2.0, 3.0),), lambda: (np.zeros(0),))


def search(x, v):
    """Search with while, break, continue and else."""
    i = 0
    while i < len(x):
        if x[i] == v:
            break
        i += 1
        continue
    else:
        i = -1
    return i


case(search, lambda: (_array(1, 2), 2), lambda: (_array(1, 2), 5))
