"""Small programs, one for each thing that is easily got wrong on the way to a program."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

import autograph as ag
from differential.harness import differences, observe


def agree(function: Callable[..., object], *arguments: tuple[object, ...]) -> None:
    """Assert that `function` is staged and does compiled what it does plain."""
    compiled = ag.compile(function, fallback="error")
    file = function.__code__.co_filename
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for given in arguments:
            for _ in range(2):
                want = observe(function, _copied(given), file)
                assert not differences(observe(compiled, _copied(given), file), want)


def _copied(arguments: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)


def test_middle_operand_is_computed_once():
    """A chained comparison prints once from its middle."""

    def middle(x):
        print("middle", x)
        return x

    def program(a, b, c):
        return a < middle(b) < c

    agree(program, (1, 2, 3), (3, 2, 1), (1, 2, 2))


def test_type_that_comes_from_a_continue():
    """The value of a continue is of another type than that of the end of the body."""

    def program(x):
        last = 0
        total = 0.0
        for v in x:
            total += last
            if v > 1:
                last = 2.5
                continue
            last = 1
        return total, last, last // 2

    agree(program, (np.array([0.0, 2.0, 2.0]),), (np.array([2.0, 0.0]),), (np.zeros(0),))


def test_type_that_comes_from_a_break():
    """The value of a break is of another type than that of a loop that ends."""

    def program(x):
        found = 0
        for v in x:
            if v > 1:
                found = 2.5
                break
        return found, found + True, found // 2, type(found) is int

    agree(program, (np.array([0.0, 2.0]),), (np.array([0.5]),))


def test_length_that_depends_on_a_branch():
    """The length of a joined array is asked for afterwards."""

    def program(x, y):
        if x[0] > 0:
            z = x
        else:
            z = y
        return len(z), z.shape, z.size

    agree(program, (np.ones(3), np.ones(4)), (np.zeros(3), np.ones(4)))


def test_length_that_changes_round_a_loop():
    """The length of an array that shrinks is asked for in each trip."""

    def program(x):
        total = 0
        while len(x) > 1:
            total = total * 10 + len(x)
            x = x[1:]
        return total, len(x)

    agree(program, (np.ones(4),), (np.ones(1),), (np.zeros(0),))


def test_rank_asked_round_a_loop():
    """The rank differs from the second trip on."""

    def program(x, n):
        seen = 0
        for _ in range(n):
            if np.ndim(x) == 0:
                seen += 1
            else:
                seen += 100
            x = np.zeros(2) + x
        return seen

    agree(program, (1.0, 3), (1.0, 1), (1.0, 0))


def test_zeros_of_both_signs_in_branches():
    """0.0 and -0.0 stay two values."""

    def program(x):
        if x > 0:
            y = 0.0
        else:
            y = -0.0
        return y

    agree(program, (1,), (-1,))


def test_equal_arrays_are_two_objects():
    """Two equal fresh arrays are returned: the caller may write one of them."""

    def program(x):
        a = x + 1
        b = x + 1
        return a, b, a is b

    agree(program, (np.ones(2),), (np.arange(3),))


def test_equal_reads_of_one_state_agree():
    """Equal reads with no write between them, and with one."""

    def program(x):
        a = x[0] * 2 + x[0] * 2
        x[0] = 7
        return a, x[0] * 2

    agree(program, (np.ones(2),), (np.arange(3),))


def test_read_round_a_loop_of_writes():
    """A read at the start of a trip sees what the last trip wrote at its end."""

    def program(x, n):
        first = x[0]
        total = x[0] * 0
        for i in range(n):
            total = total + x[0]
            x[0] = x[0] + i
        return first, total, x[0]

    agree(program, (np.ones(2), 4), (np.ones(2), 0), (np.arange(3), 3))


def test_write_through_a_chosen_name():
    """A read of the array after a write through a name that may be that array."""

    def program(a, b, flag):
        before = a[0] + 0
        t = a if flag > 0 else b
        t[0] = 9
        return before, a[0] + 0, b[0] + 0

    agree(program, (np.ones(2), np.zeros(2), 1), (np.ones(2), np.zeros(2), 0))


def test_plus_of_a_bool():
    """+True is the int 1."""

    def program(x):
        return +(x > 1), +x

    agree(program, (2,), (0,), (2.5,))


def test_first_of_two_errors_wins():
    """Of two failing expressions the one that Python evaluates first raises."""

    def program(x, i, n):
        a = x[i]
        b = 10 // n
        return b - a

    agree(program, (np.arange(3), 1, 2), (np.arange(3), 9, 0), (np.arange(3), 1, 0))


def test_write_before_a_failing_expression():
    """A write before the failure is made, one after it is not."""

    def program(x, n):
        x[0] = 5
        y = 10 // n
        x[1] = 6
        return y

    agree(program, (np.zeros(2), 2), (np.zeros(2), 0))


def test_write_before_a_read_in_one_result():
    """What a call changes is seen by a read after it, though the result shows the read first."""

    def program(n):
        xs = [1, 2, n]
        a = xs.pop()
        b = len(xs)
        return b, a, xs

    agree(program, (3,), (2.5,))


def test_failing_expression_before_a_write():
    """The value is computed before the write that follows, used after it."""

    def program(x, n):
        y = 10 // n
        x[0] = 5
        return y

    agree(program, (np.zeros(2), 2), (np.zeros(2), 0))


def test_value_of_an_assignment_fails_first():
    """In ``x[i] = v`` the value is evaluated before the index."""

    def program(x, i, n, m):
        x[10 // m] = i // n
        return x

    agree(program, (np.zeros(20), 4, 2, 5), (np.zeros(20), 4, 0, 0), (np.zeros(20), 4, 2, 0))


def test_old_value_of_a_loop_variable():
    """A value of the last trip is read beside its successor."""

    def program(n):
        a, b, c = 0, 1, 2
        for i in range(n):
            a, b, c = b, c, a + i
        return a, b, c

    agree(program, (0,), (1,), (20,))


def test_conversion_of_a_condition_happens_once():
    """The truth of an object is asked once, where Python asks."""

    def program(x):
        y = x[x > 1]
        if y.size and y[0] > 2:
            return "large"
        return y.size

    agree(program, (np.array([1.0, 3.0]),), (np.array([1.0, 2.0]),), (np.zeros(0),))


DEBUG = False


def test_branch_on_a_constant():
    """A test that folding decides takes the side that Python takes."""

    def program(x):
        size = 2 * 3
        y = x
        while size > 7:
            y = y + 1
        if size > 5 and not DEBUG:
            y = y * 2
        else:
            y = y * 3
        for i in range(20):
            if 2 * 3 > 5:
                y = y + i
            else:
                y = y - i
        return y

    agree(program, (1.5,), (np.ones(2),))


def test_bound_on_the_path_of_a_continue():
    """A name that only a trip with continue binds, read by a later trip."""

    def program(x):
        total = 0.0
        for v in x:
            if v > 1:
                seen = v
                continue
            total += seen
        return total

    agree(program, (np.array([2.0, 1.0, 3.0, 0.5]),), (np.array([1.0, 2.0]),), (np.zeros(0),))


def test_bool_of_a_joined_number():
    """A bool or an int, turned into a bool."""

    def program(x):
        if x > 3:
            y = x > 5
        else:
            y = x
        return bool(y), not y, y

    agree(program, (9,), (4,), (2,), (0,))


def test_length_known_only_by_branch():
    """Both lengths are known while tracing, not which."""

    def program(x):
        if x > 3:
            z = np.zeros(2)
        else:
            z = np.ones(3)
        if len(z) == 2:
            return "two"
        return z.shape[0] * 10

    agree(program, (9,), (2,))


def test_loop_that_is_unrolled_only_at_first():
    """Effects of trips that were unrolled before the loop had to be staged happen once."""

    def program(x):
        seen = []
        for i in range(3):
            print("trip", i)
            seen.append(i)
            if x > i:
                break
        return seen

    agree(program, (9,), (1,), (0,))


def test_read_of_a_base_after_a_write_through_a_view():
    """Equal reads with a write through a view between them."""

    def program(x):
        view = x[1:]
        before = x[1] + x[2]
        view[0] = 50
        after = x[1] + x[2]
        return before, after

    agree(program, (np.arange(4),), (np.arange(4.0),))


def test_read_of_a_view_after_a_write_through_its_base():
    """The same the other way round."""

    def program(x):
        view = x[1:]
        before = view[0] + 0
        x[1] = 50
        return before, view[0] + 0

    agree(program, (np.arange(4),), (np.arange(4.0),))


def test_index_computed_before_the_value():
    """An index that fails is computed in a statement before the value that fails, too."""

    def program(x, n, m):
        i = 10 % m
        v = 4 // n
        x[i] = v
        return x

    agree(program, (np.zeros(20), 2, 3), (np.zeros(20), 0, 0), (np.zeros(20), 0, 3))


def _position(m, wanted):
    for i in range(len(m)):
        for j in range(len(m[i])):
            if m[i, j] == wanted:
                return 10 * i + j
    return -1


def test_helper_that_returns_out_of_two_loops_in_a_loop():
    """Each call in the loop looks anew, after one that found and one that did not."""

    def program(m, n):
        total = []
        for k in range(n):
            position = _position(m, 3 * k)
            total.append(position)
        return total

    m = np.arange(6).reshape(2, 3)
    agree(program, (m, 4), (m, 1), (m, 0))


def test_warning_of_known_operands_is_given_at_run_time():
    """An operation on constants that warns is neither folded nor silent."""

    def program(x):
        if x > 0:
            return np.float64(1.0) / np.float64(0.0)
        return np.log(np.float64(-1.0))

    agree(program, (1,), (-1,))
