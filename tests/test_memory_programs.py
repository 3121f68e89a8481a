"""The eighteen programs that decide whether memory is right: writes, views, swaps, escapes.

Each is run plain and compiled, twice, and everything a caller can see is compared.
"""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def agree(
    function: Callable[..., object],
    *makers: Callable[[], tuple[object, ...]],
    raises: type[BaseException] | None = None,
    staged: bool = True,
) -> None:
    """Assert that `function` behaves the same plain and compiled for each of `makers`.

    Parameters
    ----------
    function
        The plain function.
    makers
        Each returns fresh arguments.
    raises
        The exception that the plain function raises every time.
    staged
        Whether it must run as a graph.
    """
    compiled = ag.compile(function, fallback="error" if staged else "warn")
    file = function.__code__.co_filename
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for maker in makers:
            want = observe(function, maker(), file)
            assert (want.result[0] == "raised") == (raises is not None)
            for _ in range(2):
                assert not differences(observe(compiled, maker(), file), want)


def test_01_jacobi_swaps_the_callers_arrays():
    """Both arrays are the caller's; the result is one of them, by parity."""

    def jacobi(u, v, n):
        for _ in range(n):
            v[1:-1] = 0.5 * (u[:-2] + u[2:])
            u, v = v, u
        return u

    def arguments(n):
        return lambda: (np.array([1.0, 0.0, 0.0, 0.0, 4.0]), np.array([1.0, 7.0, 7.0, 7.0, 4.0]), n)

    agree(jacobi, *(arguments(n) for n in range(4)))


def test_01_jacobi_result_is_the_argument():
    """`result is u` after an even number of steps."""

    @ag.compile(fallback="error")
    def jacobi(u, v, n):
        for _ in range(n):
            v[1:-1] = 0.5 * (u[:-2] + u[2:])
            u, v = v, u
        return u

    for n in range(4):
        u, v = np.array([1.0, 0.0, 4.0]), np.array([1.0, 7.0, 4.0])
        assert jacobi(u, v, n) is (v if n % 2 else u)


def test_02_three_way_rotation():
    """Three arrays rotate round a loop that writes one."""

    def rotate(a, b, c, n):
        for i in range(n):
            a[0] = i
            c += a
            a, b, c = b, c, a
        return a, b, c

    agree(
        rotate,
        *(lambda n=n: (np.zeros(2), np.ones(2), np.full(2, 2.0), n) for n in range(5)),
    )


def test_02_rotation_of_fresh_arrays():
    """The same with arrays made inside."""

    def rotate(x, n):
        a, b, c = x + 1, x + 2, x + 3
        for i in range(n):
            b[0] = a[0] + i
            a, b, c = c, a, b
        return a, b, c

    agree(rotate, *(lambda n=n: (np.zeros(2), n) for n in range(5)))


def test_03_view_taken_before_a_write():
    """A view is read after the write, in a loop."""

    def program(x, n):
        total = 0.0
        for i in range(n):
            view = x[1:3]
            x[1] = i
            total += view[0] + view.sum()
        return total, x

    agree(program, lambda: (np.arange(4.0), 3), lambda: (np.arange(4.0), 0))


def test_03_view_read_on_the_next_trip():
    """A view of one trip is read on the next, after another write."""

    def program(x, n):
        view = x[1:3]
        total = 0.0
        for i in range(n):
            total += view[0]
            x[1] = 10 * i
            view = x[1 + i % 2 : 3]
        return total, view

    agree(program, lambda: (np.arange(4.0), 4), lambda: (np.arange(4.0), 0))


def test_03_value_read_before_a_write():
    """An element and a copy read before the write keep the old value."""

    def program(x):
        old = x[1]
        copy = x[1:3] + 0
        x[1] = 50
        return old, copy, x[1]

    agree(program, lambda: (np.arange(4.0),), lambda: (np.arange(4),))


def test_04_write_through_a_chosen_name():
    """`t` is one of two arrays, the caller's or a fresh one."""

    def program(a, b, flag):
        t = a if flag > 0 else b
        t[0] = 9
        return t, a.sum() - b.sum()

    agree(program, lambda: (np.ones(2), np.zeros(2), 1), lambda: (np.ones(2), np.zeros(2), 0))


def test_04_write_through_a_chosen_name_in_a_loop():
    """The choice changes from trip to trip; one candidate is fresh."""

    def program(a, n):
        b = np.zeros(3)
        for i in range(n):
            t = a if i % 2 == 0 else b
            t[i % 3] = 9 + i
            t += 1
        return a, b

    agree(program, lambda: (np.ones(3), 4), lambda: (np.ones(3), 0))


def test_05_swap_of_rows():
    """Rows are views: after the swap both hold the old row 2."""

    def program(m):
        m[0], m[1] = m[1], m[0]
        return m

    agree(program, lambda: (np.arange(6.0).reshape(3, 2),), lambda: (np.arange(4.0).reshape(2, 2),))


def test_05_swap_of_scalars():
    """Elements are copies: they do swap."""

    def program(x, i, j):
        x[i], x[j] = x[j], x[i]
        return x

    agree(program, lambda: (np.arange(3.0), 0, 1), lambda: (np.arange(3), 0, 2))


def test_06_appended_buffers():
    """`x += 1` appends one buffer many times, `x = x + 1` many buffers."""

    def program(x, y, n):
        xs, ys = [], []
        for _ in range(n):
            x += 1
            xs.append(x)
            y = y + 1
            ys.append(y)
        if n > 1:
            ys[0][0] = 100
        return xs, ys

    agree(program, lambda: (np.zeros(2), np.zeros(2), 3), lambda: (np.zeros(2), np.zeros(2), 0))


def test_07_rows_augmented():
    """The rows of iteration are views of the matrix."""

    def program(m):
        for row in m:
            row *= 2
        return m.sum()

    agree(program, lambda: (np.ones((3, 2)),), lambda: (np.ones((0, 2)),))


def test_08_overlapping_arguments():
    """Two arguments are windows of one array: elements written are read again."""

    def program(a, b):
        for i in range(len(a)):
            a[i] = b[i] + 1
        return b.sum()

    def overlapping():
        z = np.arange(5.0)
        return z[1:], z[:-1]

    agree(program, lambda: (np.zeros(4), np.arange(4.0)), overlapping)
    agree(program, overlapping, lambda: (np.zeros(4), np.arange(4.0)))


def test_08_overlapping_arguments_read_before_the_write():
    """A read before the write may not move behind it when the arguments overlap."""

    def program(a, b):
        first = b[1] * 2
        a[0] = 100
        return first + b[1] * 2

    def overlapping():
        z = np.arange(5.0)
        return z[1:], z[:-1]

    agree(program, lambda: (np.zeros(4), np.arange(4.0)), overlapping)


def test_09_write_past_the_end():
    """Earlier writes stay."""

    def program(x, n):
        for i in range(n):
            x[i] = i + 1
        return x

    agree(program, lambda: (np.zeros(3), 5), raises=IndexError)


def test_09_raise_after_a_chain():
    """What a chain of elementwise operations wrote before a raise stays written."""

    def program(x, y):
        x[:] = np.sqrt(y * 2 + 1) - y
        y *= 0
        if x.sum() != 0:
            raise ValueError("after", x[0])
        return x

    agree(program, lambda: (np.zeros(3), np.arange(3.0) + 1), raises=ValueError)


def test_09_interrupted_by_the_user():
    """Ctrl-C ends a staged loop, and its writes stay."""

    @ag.compile(fallback="error")
    def endless(x):
        while x[1] >= 0:
            x[0] += 1
        return x

    class Interrupted(Exception):
        pass

    def interrupt(number, frame):
        raise Interrupted

    x = np.array([0.0, -1.0])
    endless(x)
    x[1] = 1.0
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interrupted):
            endless(x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert x[0] > 0


def test_10_ravel_then_write():
    """`ravel` is a view or a copy, by the layout at run time."""

    def program(m):
        flat = m.ravel()
        flat[0] = 50
        m[0, 1] = 60
        return flat, m[0, 0], flat[1]

    agree(
        program,
        lambda: (np.arange(4.0).reshape(2, 2),),
        lambda: (np.asfortranarray(np.arange(4.0).reshape(2, 2)),),
        lambda: (np.arange(8.0).reshape(2, 4)[:, ::2],),
    )


def test_11_overlapping_in_place():
    """In-place operations whose operand overlaps the target."""

    def program(u, x, m):
        u[1:] += u[:-1]
        x += x[::-1]
        m[:] = m.T
        return u, x, m

    agree(program, lambda: (np.arange(4.0), np.arange(3.0), np.arange(9.0).reshape(3, 3)))


def test_12_fresh_at_every_call():
    """What the function makes is new at each call."""

    @ag.compile(fallback="error")
    def program():
        return np.zeros(2)

    first = program()
    first[0] = 9
    second = program()
    assert first is not second
    assert second.tolist() == [0.0, 0.0]


def test_12_folded_arrays_stay_inside():
    """An array that could be computed while compiling is still new at each call."""

    @ag.compile(fallback="error")
    def program(n):
        table = np.arange(4.0) * 2
        if n > 0:
            table[0] = n
        return table

    program(5)[1] = 77
    assert program(0).tolist() == [0.0, 2.0, 4.0, 6.0]


def test_13_old_view_beside_a_write():
    """One branch writes, the other returns a view of before."""

    def program(x, flag):
        view = x[:2]
        if flag > 0:
            x[0] = 9
            y = x[1:]
        else:
            y = view
        return y, view

    agree(program, lambda: (np.zeros(3), 1), lambda: (np.zeros(3), 0))


def _report(x):
    print("helper sees", x)


def test_14_print_sees_the_partial_array():
    """A print in the middle sees what was written so far."""

    def program(x):
        for i in range(len(x)):
            x[i] = 2 * i
            print(x)
        return x

    agree(program, lambda: (np.ones(3),))


def test_14_helper_sees_the_partial_array():
    """So does a helper, and a call that is made at run time."""

    def program(x):
        x[0] = 5
        _report(x)
        x[1] = 6
        print(repr(x))
        return x.sum()

    agree(program, lambda: (np.ones(3),))


def test_14_unknown_code_writes():
    """What unknown code wrote is read afterwards."""
    seen = []

    class Recorder:
        __slots__ = ()

        def __call__(self, x):
            seen.append(x.tolist())
            x[0] += 100

    recorder = Recorder()

    def program(x):
        before = x[0]
        x[0] = 5
        recorder(x)
        return before, x[0]

    agree(program, lambda: (np.ones(2),), staged=False)
    assert seen == [[5.0, 1.0]] * 3


def test_15_array_of_a_zero_trip_loop():
    """The array of before the loop comes out, the very object."""

    def program(x, n):
        y = x
        for i in range(n):
            y = y + i
            y[0] = 7
        return y

    agree(program, lambda: (np.zeros(2), 0), lambda: (np.zeros(2), 2))


def test_15_read_only_array():
    """A write to a read-only array raises at its place."""

    def program(x, y):
        y[0] = 1
        x[0] = 2
        y[1] = 3

    def arguments():
        x = np.zeros(2)
        x.flags.writeable = False
        return x, np.zeros(2)

    agree(program, arguments, raises=ValueError)


def test_15_overlapping_out():
    """`out=` overlaps an input: NumPy buffers it."""

    def program(x):
        np.add(x[:-1], x[1:], out=x[1:])
        return x

    agree(program, lambda: (np.arange(5.0),))


def test_16_list_holds_one_array_twice():
    """Writes through either place are seen through the other."""

    def program(x, n):
        xs = [x, x]
        for i in range(n):
            xs[i % 2][i % 2] += 1
        return xs, xs[0] is xs[1]

    agree(program, lambda: (np.zeros(2), 3), lambda: (np.zeros(2), 0))


def test_17_exception_handled_after_a_write():
    """A write before the exception stays; the loop goes on."""

    def program(x, n):
        failures = 0
        for i in range(n):
            try:
                x[0] += 1
                x[i] = 50
            except IndexError:
                failures += 1
        return x, failures

    agree(program, lambda: (np.zeros(2), 4), lambda: (np.zeros(2), 0), staged=False)


def test_18_carried_array_replaced_by_a_view():
    """The array a view looks into must not be written as if it were free."""

    def program(n):
        x = np.arange(6.0)
        out = []
        for i in range(n):
            y = x * 2
            out.append(y)
            x = y[1:]
            if i % 2 == 0:
                x[0] = -1
        return x, out

    agree(program, *(lambda n=n: (n,) for n in range(5)))


def test_18_view_of_itself_with_a_later_write():
    """Shrink a carried array to a view of itself, then write the old one."""

    def program(x, n):
        old = x
        for i in range(n):
            x = x[1:]
            old[i] = 10 * i
            x += 1
        return x, old

    agree(program, *(lambda n=n: (np.arange(6.0), n) for n in range(4)))
