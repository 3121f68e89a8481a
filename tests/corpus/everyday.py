"""Programs for errors, indexing, containers and iteration, as they are met every day."""

from __future__ import annotations

import collections
import itertools
import math

import numpy as np

from .entries import case


def _array(*values):
    return np.array(values)


def annotated_locals(x: int) -> float:
    """Annotate locals."""
    y: float = x / 2
    z: int
    if x > 1:
        z = 3
    else:
        z = 4
    return y + z


case(annotated_locals, lambda: (3,), lambda: (0,))


def every_index(x, i):
    """Index with slices, None, ellipsis, lists and masks."""
    s = slice(i, None)
    return x[s], x[i, None], x[None, i:], x[..., -1], x[np.ix_([0])], x[[i]], x[x > i]


case(every_index, lambda: (_array(1.0, 2.0, 3.0), 1), lambda: (_array(5, 6), 0))


def axis_argument(m, axis):
    """Take an axis from the caller."""
    return m.sum(axis), np.sum(m, axis=axis), m.sum(axis=axis, keepdims=True)


case(
    axis_argument,
    lambda: (np.ones((2, 3)), 0),
    lambda: (np.ones((2, 3)), 1),
    lambda: (np.ones((2, 3)), None),
    lambda: (np.ones((2, 3)), (0, 1)),
    lambda: (np.ones((2, 3)), 5),
    raises=(None, None, None, None, np.exceptions.AxisError),
)


def repeated_sequences(x, n):
    """Repeat sequences."""
    return [x] * n, (x,) * n, "ab" * n, [0] * n + [x]


case(repeated_sequences, lambda: (1.5, 3), lambda: (1.5, 0))


def inner_recursion(n):
    """Recurse in an inner function."""

    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    return fact(n)


case(inner_recursion, lambda: (5,), lambda: (30,))


def double_recursion(n):
    """Recurse twice."""
    return n if n < 2 else double_recursion(n - 1) + double_recursion(n - 2)


case(double_recursion, lambda: (10,), lambda: (1,), lambda: (2.0,))


def thirty_errors(x):
    """Raise in thirty ways."""
    if x == 0:
        raise ValueError
    if x == 1:
        raise ValueError("a", x)
    if x == 2:
        raise KeyError(x) from ValueError("c")
    if x == 3:
        raise TypeError(f"{x}")
    if x == 4:
        return [][x]
    if x == 5:
        return {}[x]
    if x == 6:
        return x.foo
    if x == 7:
        return x()
    if x == 8:
        return x[0]
    if x == 9:
        return 1 + "a"
    if x == 10:
        return int("z")
    if x == 11:
        return undefined_thing  # noqa: F821  # on purpose
    if x == 12:
        raise StopIteration(x)
    if x == 13:
        raise x
    if x == 14:
        assert x < 0, (x, "m")
    if x == 15:
        return len(x)
    if x == 16:
        a, b = (x,)  # noqa: F841  # on purpose
        return a
    if x == 17:
        return np.zeros(-1)
    if x == 18:
        return np.zeros(3)[x]
    if x == 19:
        return math.sqrt(-x)
    if x == 20:
        return "a" < x
    if x == 21:
        return float("abc")
    if x == 22:
        return [1, 2].index(x)
    if x == 23:
        return max([])
    if x == 24:
        return np.array([1, 2]) + np.array([1, 2, 3])
    if x == 25:
        return np.ones((2, 3)) @ np.ones((2, 3))
    if x == 26:
        return x.real.bit_length(1)
    if x == 27:
        return print(x, foo=1)
    if x == 28:
        return math.foo
    if x == 29:
        return np.foo(x)
    if x == 30:
        return np.sum(x, 1, 2, 3, 4, 5, 6, 7, 8)
    return x


case(
    thirty_errors,
    *[lambda i=i: (i,) for i in range(32)],
    raises=(
        ValueError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        KeyError,
        AttributeError,
        TypeError,
        TypeError,
        TypeError,
        ValueError,
        NameError,
        StopIteration,
        TypeError,
        AssertionError,
        TypeError,
        ValueError,
        ValueError,
        IndexError,
        ValueError,
        TypeError,
        ValueError,
        ValueError,
        ValueError,
        ValueError,
        ValueError,
        TypeError,
        TypeError,
        AttributeError,
        AttributeError,
        TypeError,
        None,
    ),
    staged=False,
)


def errors_in_a_trip(x, k):
    """Raise in the third trip of a loop."""
    for i in range(k):
        if i == 2:
            if x == 0:
                y = x // 0
            elif x == 1:
                y = [1][i + 5]
            elif x == 2:
                y = np.ones(3)[i + 5]
            else:
                y = math.log(0)  # noqa: F841  # on purpose
    return 0


case(
    errors_in_a_trip,
    *[lambda i=i: (i, 5) for i in range(4)],
    raises=(ZeroDivisionError, IndexError, IndexError, ValueError),
)


TABLE = np.arange(5.0)


def global_array_written(i):
    """Write a global array."""
    TABLE[i] += 1
    s = TABLE[i]
    for j in range(2):
        TABLE[j] = TABLE[j] * 2
    return s, TABLE.sum()


def _table_reset(i):
    TABLE[:] = np.arange(5.0)
    return (i,)


case(
    global_array_written,
    lambda: _table_reset(0),
    lambda: _table_reset(3),
    lambda: _table_reset(9),
    raises=(None, None, IndexError),
    watch=lambda: TABLE.copy(),
)


def collections_used(n):
    """Use the containers of collections."""
    q = collections.deque([1, 2])
    for i in range(n):
        q.append(i)
    c = collections.Counter()
    for i in range(n):
        c[i % 2] += 1
    d = collections.defaultdict(list)
    for i in range(n):
        d[i % 2].append(i)
    return list(q), dict(c), dict(d)


case(collections_used, lambda: (5,), lambda: (0,))


def iterators(x):
    """Use iterators."""
    it = iter(x)
    a = next(it)
    rest = list(it)
    return a, rest, list(itertools.accumulate(rest)), next(it, "end")


case(iterators, lambda: (_array(1, 2, 3),), lambda: ([4],))


def complex_branch(z):
    """Branch on a complex number."""
    if z.imag > 0:
        z = z.conjugate()
    return z.real, z.imag, abs(z), z * 1j, z**2


case(
    complex_branch, lambda: (1 + 2j,), lambda: (np.complex64(1 - 1j),), lambda: (_array(1 + 1j)[0],)
)


def number_methods(n):
    """Use methods and attributes of numbers."""
    return (
        n.bit_length() if isinstance(n, int) else n.is_integer(),
        n.__class__,
        -n,
        +n,
        abs(n),
        n.real,
    )


case(number_methods, lambda: (5,), lambda: (2.0,), lambda: (True,))


def default_of_none(x, y=None):
    """Test a default for None."""
    if y is None:
        y = x * 2
    return x + y


case(default_of_none, lambda: (1,), lambda: (1, 5), lambda: (_array(1.0), _array(2.0)))


def while_array_is_true(x):
    """Loop on the truth of an array."""
    while x.any():
        x = x[:-1] if x.size > 1 else x * 0
    return x


case(while_array_is_true, lambda: (_array(1, 1, 1),), lambda: (np.zeros(3),))


def deleted_items(d, x):
    """Delete items."""
    if x in d:
        del d[x]
    xs = [1, 2, 3]
    del xs[0], xs[-1]
    return d, xs


case(deleted_items, lambda: ({1: 2}, 1), lambda: ({1: 2}, 3))


def nested_conditionals(a, b):
    """Nest conditional expressions."""
    x = a if a > b else b if b > 0 else None
    y = (a or b) and (b or a)
    return x, y, not a, a is not None and b != 0


case(nested_conditionals, lambda: (1, 2), lambda: (0, -1), lambda: (0.0, 0))


def views_written(x):
    """Write through views of every kind."""
    y = x[::2]
    y[:] = 0
    z = x.T
    w = x.reshape(-1)
    w[0] = 9
    v = x.view()
    v += 1
    return y, z, w, v, x.flags.c_contiguous


case(
    views_written,
    lambda: (np.arange(6.0).reshape(2, 3),),
    lambda: (np.asfortranarray(np.arange(6.0).reshape(2, 3)),),
)


def flat_iteration(x):
    """Iterate over elements."""
    x.flat[0] = 5
    for v in x.flat:
        print(v)
    s = 0
    for i in np.ndindex(x.shape):
        s += x[i]
    for v in np.nditer(x):
        s = s + v
    return s


case(flat_iteration, lambda: (np.arange(4.0).reshape(2, 2),))


def masked_functions(x, m):
    """Write through masks and functions."""
    np.add(x, 1, out=x, where=m)
    x[m] = x[m][::-1]
    np.put(x, [0], 3)
    np.place(x, x > 3, [1])
    np.copyto(x, 7, where=x == 1)
    return x


case(masked_functions, lambda: (np.arange(4.0), _array(True, False, True, True)))


def warnings_given(x):
    """Give floating-point warnings."""
    y = 1 / x
    z = np.log(x)
    np.array([200], np.uint8) + np.uint8(100)
    return y, z, np.sqrt(x)


case(warnings_given, lambda: (_array(0.0, 1.0),), lambda: (np.float64(0),), lambda: (_array(-1.0),))


def chains_of_kinds(x, lo, hi):
    """Chain comparisons of several kinds."""
    return lo <= x < hi, lo <= x <= hi != 3, x == lo == hi


case(chains_of_kinds, lambda: (1, 0, 2), lambda: (3, 3, 3), lambda: (1.5, 2, 1))


def every_membership(x, xs):
    """Test membership in containers of every kind."""
    return x in xs, x not in xs, x in (1, 2), x in {3, 4}, x in {"a": 1}, "a" in "abc"


case(every_membership, lambda: (1, [1, 2]), lambda: (3, (4,)))


def nested_unpacking(x):
    """Unpack nested targets."""
    a, (b, *c), d = x[0], x[1:4], x[-1]
    [e, f] = x[:2]
    return a, b, c, d, e, f


case(
    nested_unpacking,
    lambda: (_array(1, 2, 3, 4, 5),),
    lambda: ([1, 2, 3],),
    lambda: ((1,),),
    raises=(None, None, ValueError),
)


def two_loops_left(m):
    """Leave two loops in every way."""
    for r in m:
        for v in r:
            if v < 0:
                return "neg"
            if v > 10:
                break
        else:
            continue
        return "big"
    return "fine"


case(
    two_loops_left,
    lambda: (_array([1, 2], [3, 4]),),
    lambda: (_array([1, 2], [3, -4]),),
    lambda: (_array([1, 20], [3, -4]),),
)


def every_print(x):
    """Print in every way."""
    print(x, end=" ")
    print(x, x, sep="-")
    print(f"{x}", file=None)
    print(*[x, 1])
    print("a\tb", [x], {"a": x})


case(every_print, lambda: (1,), lambda: (_array(1.0, 2.0),), staged=False)


def repeated_function(f, x, n):
    """Apply a function argument again and again."""
    for _ in range(n):
        x = f(x)
    return x


case(
    repeated_function,
    lambda: (lambda v: v + 1, 1, 3),
    lambda: (math.sqrt, 16.0, 2),
    lambda: (np.sqrt, _array(16.0), 2),
    lambda: (int, 2.5, 1),
    lambda: (str, 2.5, 1),
    staged=False,
)


def branches_on_class(x):
    """Branch on classes."""
    if isinstance(x, (int, np.integer)):
        return "int"
    if isinstance(x, np.ndarray):
        return "arr", x.dtype.kind
    if isinstance(x, (list, tuple)):
        return "seq"
    if callable(x):
        return "call"
    if hasattr(x, "shape"):
        return "shape"
    return type(x)


case(
    branches_on_class,
    lambda: (1,),
    lambda: (np.int8(1),),
    lambda: (_array(1.0),),
    lambda: ([1],),
    lambda: ((1,),),
    lambda: (len,),
    lambda: (np.float32(1),),
    lambda: ("s",),
    lambda: (None,),
    lambda: (True,),
)


def game_of_life(board, steps):
    """Sum up neighbors by a generator expression, in a loop that rebinds what it uses."""
    for _ in range(steps):
        neighbors = sum(
            np.roll(np.roll(board, i, 0), j, 1)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i or j)
        )
        board = ((neighbors == 3) | ((board == 1) & (neighbors == 2))).astype(int)
        if not board.any():
            break
    return board


case(
    game_of_life,
    lambda: (np.eye(6, dtype=int), 3),
    lambda: (np.ones((3, 3), int), 4),
    lambda: (np.arange(20).reshape(4, 5) % 2, 2),
)
