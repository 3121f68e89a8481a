"""Jumps through ``try``: the final part runs at the right moment, on the right values."""

from __future__ import annotations

import inspect

import pytest
from guarded_sketch import Guarded, loop_with

from runtime.ir.graph import Constant, Origin, Value
from runtime.ir.types import INT, LIST


def text(source: str) -> str:
    """Return a program's text as it stands indented in a test."""
    return inspect.cleandoc(source)


@pytest.mark.parametrize("kind", ["break", "continue"])
def test_the_final_part_sees_the_state_before_the_jump(kind: str) -> None:
    """The jump hands over the next state, but the final part still reads the present one."""
    s = Guarded(seen=LIST)

    def guarded(i: Value, total: Value) -> None:
        def body() -> None:
            is_two = s.do("eq", i, 2)
            s.if_(is_two, lambda: s.jump(kind, s.do("add", total, 7)), lambda: None)

        s.try_(body, final=lambda: s.log(total))

    program = s.checked(loop_with(s, guarded))
    seen: list[object] = []
    assert program.function(seen) == {"break": 2007, "continue": 3007}[kind]
    assert seen == {"break": [0, 1000, 2000], "continue": [0, 1000, 2000, 2007]}[kind]


def test_the_final_part_sees_an_index_of_the_state_before_the_jump() -> None:
    """An index that is written out where it is used is made of the present state, too."""
    s = Guarded(x=LIST, seen=LIST)

    def guarded(i: Value, total: Value) -> None:
        index = s.do("build_slice", total, None, None)
        s.do("getitem", s.x, index)

        def final() -> None:
            s.log(s.do("builtins.len", s.do("getitem", s.x, index)))

        s.try_(lambda: s.jump("continue", s.do("add", total, 1)), final=final)

    program = s.checked(loop_with(s, guarded))
    seen: list[object] = []
    assert program.function([0] * 10, seen) == 4
    assert seen == [10, 9, 8, 7]


def test_a_function_called_in_the_final_part_sees_the_state_before_the_jump() -> None:
    """Operations from another file take the present state as an argument."""
    s = Guarded(seen=LIST)
    there = Origin("other.py", 3, 0, 3, 5, "helper")

    def guarded(i: Value, total: Value) -> None:
        def final() -> None:
            tenth = s.do("truediv", total, 10, at=there)
            s.do("method", s.seen, tenth, name="append", at=there)

        s.try_(lambda: s.jump("continue", s.do("add", total, 10)), final=final)

    program = s.checked(loop_with(s, guarded))
    seen: list[object] = []
    assert program.function(seen) == 40
    assert seen == [0.0, 1.0, 2.0, 3.0]
    assert "def helper" in program.source


def test_a_variable_that_a_function_of_another_file_writes_is_shared() -> None:
    """It stays an object in memory."""
    s = Guarded(x=INT)
    n = s.slot(s.x, "n")
    there = Origin("other.py", 3, 0, 3, 5, "helper")
    s.do("setitem", n, 0, s.do("truediv", 12, s.x, at=there), at=there)
    program = s.checked(s.read(n))
    assert "def helper" in program.source
    assert program.function(4) == 3.0


def test_a_return_from_a_block_runs_the_final_part_first() -> None:
    """What follows the final part in the block is skipped, what follows the block is not."""
    s = Guarded(x=INT, seen=LIST)

    def body() -> object:
        def guarded() -> None:
            s.if_(s.x, lambda: s.jump("return", s.do("mul", s.x, 2)), lambda: None)

        s.try_(guarded, final=lambda: s.log(s.x))
        s.log("on")
        return -1

    (y,) = s.block(body, to="y")
    s.log("after")
    program = s.checked(s.do("add", y, 1))
    for x, result, words in ((3, 7, [3, "after"]), (0, 0, [0, "on", "after"])):
        seen: list[object] = []
        assert program.function(x, seen) == result
        assert seen == words


def test_a_return_of_the_function_is_one_of_python() -> None:
    """In the tail of the function no flag is needed."""
    s = Guarded(x=INT)
    s.try_(
        lambda: s.jump("return", s.do("truediv", 1, s.x)),
        (ZeroDivisionError, lambda error: s.jump("return", 0.0)),
    )
    s.jump("unreachable")
    program = s.checked()
    assert program.source == text("""
        def f(x):
            try:
                return 1 / x
            except ZeroDivisionError:
                return 0.0
        """)
    assert [program.function(x) for x in (4, 0)] == [0.25, 0.0]


def test_a_jump_in_the_final_part_drops_the_error() -> None:
    """It is written down even where the loop would go on anyway."""
    s = Guarded(seen=LIST)

    def trip(i: Value) -> None:
        s.log(i)
        s.try_(lambda: s.do("truediv", 1, 0), final=lambda: s.jump("continue"))

    s.for_(Constant(range(3)), {}, trip, item=INT)
    seen: list[object] = []
    s.checked(None).function(seen)
    assert seen == [0, 1, 2]


def test_a_jump_in_the_final_part_calls_off_a_return() -> None:
    """A return on its way out of two loops is forgotten."""
    s = Guarded(n=INT, seen=LIST)

    def body() -> int:
        def outer(i: Value) -> None:
            def inner(j: Value) -> None:
                def final() -> None:
                    s.log(j)
                    s.if_(s.do("lt", i, 1), lambda: s.jump("break"), lambda: None)

                s.try_(lambda: s.jump("return", i), final=final)

            s.for_(Constant(range(2)), {}, inner, item=INT, name="j")

        s.for_(Constant(range(3)), {}, outer, item=INT)
        return -1

    (y,) = s.block(body, to="y")
    program = s.checked(s.do("add", y, s.n))
    seen: list[object] = []
    assert program.function(10, seen) == 11
    assert seen == [0, 0]


def test_a_jump_inside_the_final_part_is_its_own_affair() -> None:
    """A loop in the final part may be left, and the return goes on."""
    s = Guarded(n=INT)

    def body() -> int:
        def outer(i: Value) -> None:
            def middle(k: Value) -> None:
                def final() -> None:
                    s.for_(Constant(range(2)), {}, lambda j: s.jump("break"), item=INT, name="j")

                s.try_(lambda: s.jump("return", i), final=final)

            s.for_(Constant(range(2)), {}, middle, item=INT, name="k")

        s.for_(Constant(range(5, 9)), {}, outer, item=INT)
        return -1

    (y,) = s.block(body, to="y")
    assert s.checked(s.do("add", y, s.n)).function(10) == 15
