"""Loops: Python's own, without copies, and right whatever moves round them."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from graph_sketch import Sketch

from runtime.ir.types import FLOAT, INT, OPAQUE, PLAIN, TupleType


def text(source: str) -> str:
    """Return a program's text as it stands indented in a test."""
    return inspect.cleandoc(source)


def test_newton_is_as_a_person_would_write_it() -> None:
    """A break, an in-place step and a joined variable: no flag, no copy."""
    s = Sketch(x=FLOAT, tol=FLOAT)

    def body(y, steps):
        s.if_(s.do("gt", steps, 50), lambda: s.jump("break", y, steps), lambda: None)
        y = s.do("mul", 0.5, s.do("add", y, s.do("truediv", s.x, y)), to="y")
        return y, s.do("iadd", steps, 1, to="steps")

    y, _ = s.while_(
        {"y": s.x, "steps": 0},
        lambda y, steps: s.do("gt", s.do("sub", s.do("mul", y, y), s.x), s.tol),
        body,
        type=FLOAT,
    )
    program = s.program(y, name="newton")
    assert program.source == text("""
        def newton(x, tol):
            y = x
            steps = 0
            while y * y - x > tol:
                if steps > 50:
                    break
                y = 0.5 * (y + x / y)
                steps += 1
            return y
        """)
    assert abs(program.function(2.0, 1e-12) - 2**0.5) < 1e-9


def swap_program(count: int):
    """Return a program that moves its arguments round `count` values, `n` times."""
    names = "abcd"[:count]
    s = Sketch(**dict.fromkeys(names, OPAQUE), n=INT)
    values = [getattr(s, name) for name in names]
    results = s.for_(
        s.do("builtins.range", s.n),
        dict(zip(names, values, strict=True)),
        lambda i, *state: (*state[1:], state[0]),
    )
    return s.program(s.do("build_tuple", *results))


def test_swap_is_one_parallel_assignment() -> None:
    """Two references change places, whatever the number of trips."""
    program = swap_program(2)
    assert "a, b = (b, a)" in program.source
    a, b = np.ones(2), np.zeros(2)
    for trips in range(4):
        first, second = program.function(a, b, trips)
        assert (first is a, second is b) == (trips % 2 == 0, trips % 2 == 0)


def test_rotation_of_three() -> None:
    """Three references rotate."""
    program = swap_program(3)
    assert [program.function(1, 2, 3, n) for n in range(4)] == [
        (1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3),
    ]  # fmt: skip


def test_lost_copy() -> None:
    """The value of the last trip but one is used after the next is computed."""
    s = Sketch(n=INT)
    x, last = s.while_(
        {"x": 0, "last": -1},
        lambda x, last: s.do("lt", x, s.n),
        lambda x, last: (s.do("add", x, 1, to="x"), x),
        type=INT,
    )
    program = s.program(s.do("build_tuple", x, last))
    assert program.function(3) == (3, 2)
    assert program.function(0) == (0, -1)


def test_state_used_inside_after_its_next_value_exists() -> None:
    """The old value is read after the new one is computed."""
    s = Sketch(n=INT)

    def body(i, x):
        new = s.do("add", x, 1, to="x")
        s.do("method", s.log, x, name="append")
        s.do("method", s.log, new, name="append")
        return new

    s.log = s.param(OPAQUE, "log")
    (x,) = s.for_(s.do("builtins.range", s.n), {"x": 10}, body, type=INT)
    log: list[int] = []
    assert s.program(x).function(2, log) == 12
    assert log == [10, 11, 11, 12]


def test_zero_trips_leave_the_old_values() -> None:
    """A loop that does not run hands out its initial values."""
    s = Sketch(x=INT, n=INT)
    (y,) = s.for_(s.do("builtins.range", s.n), {"y": s.x}, lambda i, y: s.do("add", y, i, to="y"))
    program = s.program(s.do("build_tuple", s.x, y))
    assert program.function(7, 0) == (7, 7)
    assert program.function(7, 3) == (7, 10)


def test_initial_value_stays_usable_after_the_loop() -> None:
    """A parameter that is state and also read later gets a variable of its own."""
    s = Sketch(x=INT)
    (y,) = s.while_(
        {"y": s.x}, lambda y: s.do("lt", y, 10), lambda y: s.do("mul", y, 2, to="y"), type=INT
    )
    program = s.program(s.do("sub", y, s.x))
    assert program.function(3) == 9


def test_nested_loops_share_their_variable() -> None:
    """State handed through an inner loop needs no copies."""
    s = Sketch(n=INT)

    def outer(i, y):
        return s.for_(
            s.do("builtins.range", i), {"y": y}, lambda j, y: s.do("iadd", y, j, to="y"), name="j",
            type=INT,
        )  # fmt: skip

    (y,) = s.for_(s.do("builtins.range", s.n), {"y": 0}, outer, type=INT)
    program = s.program(y)
    assert program.source == text("""
        def f(n):
            y = 0
            for i in range(n):
                for j in range(i):
                    y += j
            return y
        """)
    assert program.function(5) == sum(j for i in range(5) for j in range(i))


def test_state_in_the_test_only() -> None:
    """A value that the test compares with survives the body."""
    s = Sketch(n=INT)
    old, new = s.while_(
        {"old": 0, "new": 100},
        lambda old, new: s.do("ne", old, new),
        lambda old, new: (new, s.do("floordiv", new, 2, to="new")),
        type=INT,
    )
    assert s.program(s.do("add", old, new)).function(0) == 0


def test_statements_before_the_test() -> None:
    """A test that needs statements is tested inside the loop."""
    s = Sketch(log=OPAQUE)

    def test(x):
        s.do("method", s.log, x, name="append")
        return s.do("lt", x, 2)

    (x,) = s.while_({"x": 0}, test, lambda x: s.do("add", x, 1, to="x"), type=INT)
    program = s.program(x)
    assert program.source == text("""
        def f(log):
            x = 0
            while True:
                log.append(x)
                if not x < 2:
                    break
                x = x + 1
            return x
        """)
    log: list[int] = []
    assert (program.function(log), log) == (2, [0, 1, 2])


def test_break_hands_over_its_own_values() -> None:
    """Where values differ at the break they are set before it."""
    s = Sketch(n=INT)

    def body(i, found):
        big = s.do("gt", s.do("mul", i, i), s.n)
        s.if_(big, lambda: s.jump("break", i), lambda: None)
        return found

    (found,) = s.for_(s.do("builtins.range", 100), {"found": -1}, body, type=INT, item=INT)
    program = s.program(found)
    assert program.source == text("""
        def f(n):
            found = -1
            for i in range(100):
                if i * i > n:
                    found = i
                    break
            return found
        """)
    assert [program.function(n) for n in (8, 10**6)] == [3, -1]


def test_else_of_a_loop_runs_unless_left_by_break() -> None:
    """`orelse` is Python's own."""
    s = Sketch(n=INT, stop=INT)

    def body(i, y):
        s.if_(s.do("eq", i, s.stop), lambda: s.jump("break", y), lambda: None)
        return s.do("add", y, i, to="y")

    (y,) = s.for_(
        s.do("builtins.range", s.n), {"y": 0}, body, lambda y: s.do("mul", y, 10, to="y"), type=INT
    )
    program = s.program(y)
    assert "    else:\n" in program.source
    assert [program.function(4, stop) for stop in (2, 9)] == [1, 60]


def test_else_of_a_while_with_statements_before_the_test() -> None:
    """The else part runs where the test fails, before the loop is left."""
    s = Sketch(log=OPAQUE, stop=INT)

    def test(x):
        s.do("method", s.log, x, name="append")
        return s.do("lt", x, 3)

    def body(x):
        s.if_(s.do("eq", x, s.stop), lambda: s.jump("break", x), lambda: None)
        return s.do("add", x, 1, to="x")

    (x,) = s.while_({"x": 0}, test, body, lambda x: s.do("neg", x, to="x"), type=INT)
    program = s.program(x)
    assert [program.function([], stop) for stop in (1, 9)] == [1, -3]


def test_continue() -> None:
    """`continue` hands its values to the next trip."""
    s = Sketch(n=INT)

    def body(i, y):
        odd = s.do("mod", i, 2)
        s.if_(odd, lambda: s.jump("continue", y), lambda: None)
        return s.do("add", y, i, to="y")

    (y,) = s.for_(s.do("builtins.range", s.n), {"y": 0}, body, type=INT, item=INT)
    program = s.program(y)
    assert "continue" in program.source
    assert program.function(6) == 6


def test_tuple_target_of_enumerate() -> None:
    """Unpacking of the items is the loop's target."""
    s = Sketch(x=OPAQUE)
    item = TupleType((INT, PLAIN))

    def body(pair, y):
        number, value = s.do_all("unpack", pair, count=2, to="k value")
        return s.do("add", y, s.do("mul", number, value), to="y")

    (y,) = s.for_(s.do("builtins.enumerate", s.x), {"y": 0}, body, item=item, name="")
    program = s.program(y)
    assert program.source == text("""
        def f(x):
            y = 0
            for k, value in enumerate(x):
                y = y + k * value
            return y
        """)
    assert program.function([5, 6]) == 6


def test_tuple_target_by_index() -> None:
    """Items that are only indexed are unpacked; equal indices are one name."""
    s = Sketch(x=OPAQUE)

    def body(pair, y):
        value = s.do("getitem", pair, 1, to="value")
        again = s.do("getitem", pair, -1)
        return s.do("add", y, s.do("mul", value, again), to="y")

    (y,) = s.for_(
        s.do("builtins.enumerate", s.x), {"y": 0}, body, item=TupleType((INT, INT)), name=""
    )
    program = s.program(y)
    assert "for _, value in enumerate(x):" in program.source
    assert program.function([5, 6]) == 61


def test_index_out_of_range_still_raises() -> None:
    """An item that is not there is asked for where the user asked for it."""
    s = Sketch(x=OPAQUE)
    (y,) = s.for_(
        s.do("builtins.enumerate", s.x), {"y": 0}, lambda pair, y: s.do("getitem", pair, 2),
        item=TupleType((INT, INT)),
    )  # fmt: skip
    with pytest.raises(IndexError):
        s.program(y).function([1])


def test_items_of_unknown_type_are_unpacked_only_first_thing() -> None:
    """Unpacking that may raise stays behind what happens before it."""
    s = Sketch(x=OPAQUE, log=OPAQUE)

    def body(pair, y):
        s.do("method", s.log, 1, name="append")
        _, b = s.do_all("unpack", pair, count=2, to="a b")
        return b

    (y,) = s.for_(s.x, {"y": 0}, body)
    program = s.program(y)
    assert "        log.append(1)\n        a, y = i\n" in program.source
    log: list[int] = []
    assert (program.function([(1, 2)], log), log) == (2, [1])


def test_whole_item_is_kept_where_it_is_used() -> None:
    """An item that is also used as a whole is not dissolved."""
    s = Sketch(x=OPAQUE)

    def body(pair, y):
        s.do("getitem", pair, 0)
        return pair

    (y,) = s.for_(s.do("builtins.enumerate", s.x), {"y": 0}, body, item=TupleType((INT, INT)))
    assert s.program(y).function([7]) == (0, 7)


def test_array_state_is_never_copied() -> None:
    """What goes round is the reference: in-place writes reach the caller's array."""
    s = Sketch(x=OPAQUE, n=INT)
    (y,) = s.for_(
        s.do("builtins.range", s.n), {"y": s.x}, lambda i, y: s.do("iadd", y, 1, to="y")
    )
    program = s.program(y)
    x = np.zeros(2)
    assert program.function(x, 3) is x
    assert x.tolist() == [3, 3]


def test_two_states_from_one_value_part_company() -> None:
    """States that start as one value are two variables."""
    s = Sketch(x=INT)
    a, b = s.for_(
        s.do("builtins.range", 3),
        {"a": s.x, "b": s.x},
        lambda i, a, b: (s.do("add", a, 1, to="a"), s.do("mul", b, 2, to="b")),
        type=INT,
    )
    assert s.program(s.do("build_tuple", a, b, s.x)).function(1) == (4, 8, 1)
