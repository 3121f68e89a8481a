"""Errors: ``try`` and ``with``, jumps through them, variables that live across them."""

from __future__ import annotations

import contextlib
import inspect
import traceback
from collections.abc import Iterator

import pytest
from guarded_sketch import Guarded

from runtime.ir.graph import Constant, Origin, Value
from runtime.ir.types import INT, LIST, OPAQUE


def text(source: str) -> str:
    """Return a program's text as it stands indented in a test."""
    return inspect.cleandoc(source)


def test_every_part_is_one_of_python() -> None:
    """The four parts of ``try`` become the four of Python, with the error where it is read."""
    s = Guarded(x=OPAQUE, seen=LIST)
    total = s.slot(0, "total")
    s.try_(
        lambda: s.write(total, s.do("truediv", 1, s.x)),
        (ZeroDivisionError, lambda error: s.log("zero")),
        ((TypeError, ValueError), lambda error: s.log(error)),
        (BaseException, lambda error: s.jump("raise")),
        orelse=lambda: s.log("fine"),
        final=lambda: s.log("end"),
    )
    program = s.checked(s.read(total))
    assert program.source == text("""
        def f(x, seen):
            total = 0
            try:
                total = 1 / x
            except ZeroDivisionError:
                seen.append('zero')
            except (TypeError, ValueError) as error:
                seen.append(error)
            except BaseException:
                raise
            else:
                seen.append('fine')
            finally:
                seen.append('end')
            return total
        """)
    for x, result, words in ((2, 0.5, ["fine", "end"]), (0, 0, ["zero", "end"])):
        seen: list[object] = []
        assert program.function(x, seen) == result
        assert seen == words


def test_a_bare_raise_raises_the_error_itself() -> None:
    """The traceback goes on from where the error was raised first."""
    s = Guarded(x=INT)
    place = Origin("<graph>", 7, 0, 7, 5, "f")
    s.try_(
        lambda: s.do("truediv", 1, s.x, at=place),
        (ZeroDivisionError, lambda error: s.jump("raise")),
    )
    function = s.checked(None).function
    with pytest.raises(ZeroDivisionError) as caught:
        function(0)
    assert traceback.extract_tb(caught.tb)[-1].lineno == 7
    assert caught.value.__context__ is None


def test_what_a_handler_reads_is_not_overwritten_in_the_body() -> None:
    """An array that the body replaces is still there for the handler."""
    s = Guarded(x=INT, f=OPAQUE)
    y = s.do("mul", s.x, 2, to="y")

    def body() -> None:
        again = s.do("add", y, 1, to="y")
        s.do("call", s.f, again, again)

    s.try_(body, (ValueError, lambda error: s.do("call", s.f, y)))
    program = s.checked(y)

    def fails(*values: int) -> None:
        if len(values) == 2:
            raise ValueError
        assert values == (6,)

    assert program.function(3, fails) == 6


def test_in_place_steps_do_not_reach_the_handler() -> None:
    """``n += 1`` on a number in the body leaves the number that the handler sees."""
    s = Guarded(n=INT, f=OPAQUE)
    out = s.slot(None, "out")

    def body() -> None:
        s.do("call", s.f, s.do("iadd", s.n, 1, to="n"))

    s.try_(body, (ValueError, lambda error: s.write(out, s.n)))
    program = s.checked(s.read(out))

    def fails(value: int) -> None:
        raise ValueError(value)

    assert program.function(4, fails) == 4


def test_a_variable_in_memory_has_its_last_value_in_the_handler() -> None:
    """It is one variable of Python, also where the body changes it in place."""
    s = Guarded(x=INT)
    n = s.slot(0, "n")

    def body() -> None:
        s.write(n, s.do("iadd", s.read(n), 1))
        s.write(n, s.do("iadd", s.read(n), s.do("floordiv", 10, s.x)))

    def handler(error: Value) -> None:
        s.write(n, s.do("mul", s.read(n), 100))

    s.try_(body, (ZeroDivisionError, handler))
    program = s.checked(s.read(n))
    assert program.source == text("""
        def f(x):
            n = 0
            try:
                n += 1
                n += 10 // x
            except ZeroDivisionError:
                n = n * 100
            return n
        """)
    assert [program.function(x) for x in (5, 0)] == [3, 100]


def test_reading_a_variable_does_not_pass_its_change() -> None:
    """A value that was read before a write is the old one."""
    s = Guarded(x=INT)
    n = s.slot(s.x, "n")
    old = s.read(n)
    s.write(n, s.do("add", s.x, 1))
    new = s.read(n)
    s.write(n, 0)
    assert s.checked(s.do("build_tuple", old, new, old)).function(1) == (1, 2, 1)


def test_else_is_not_guarded() -> None:
    """An error in the else part goes past the handlers."""
    s = Guarded(x=INT)
    s.try_(
        lambda: s.do("truediv", 1, 1),
        (ZeroDivisionError, lambda error: None),
        orelse=lambda: s.do("truediv", 1, s.x),
    )
    with pytest.raises(ZeroDivisionError):
        s.checked(None).function(0)


def test_a_body_that_jumps_skips_the_else_part() -> None:
    """A jump to where the loop goes on anyway is written down before an else part."""
    s = Guarded(seen=LIST)

    def trip(i: Value) -> None:
        def body() -> None:
            s.if_(s.do("lt", i, 2), lambda: s.jump("continue"), lambda: None)

        s.try_(body, (ValueError, lambda error: None), orelse=lambda: s.log(i))

    s.for_(Constant(range(4)), {}, trip, item=INT)
    seen: list[object] = []
    s.checked(None).function(seen)
    assert seen == [2, 3]


def test_the_name_of_an_error_is_no_other_variable() -> None:
    """Python deletes it at the end of the handler, also after a jump out of it."""
    s = Guarded(x=INT, seen=LIST)

    def body() -> object:
        def trip(i: Value) -> None:
            def handler(error: Value) -> None:
                s.log(s.do("builtins.str", error))
                s.jump("return", s.do("add", s.x, i, to="error"))

            s.try_(lambda: s.do("truediv", i, s.x), (ZeroDivisionError, handler))
            s.log(i)

        s.for_(Constant(range(2)), {}, trip, item=INT)
        return s.x

    (y,) = s.block(body, to="error")
    program = s.checked(s.do("build_tuple", y, s.x, y))
    seen: list[object] = []
    assert program.function(0, seen) == (0, 0, 0)
    assert seen == ["division by zero"]


def test_the_name_of_an_error_is_not_that_of_a_later_value() -> None:
    """A value from before the handler that is read after it keeps its variable."""
    s = Guarded(x=INT, f=OPAQUE)
    before = s.do("add", s.x, 1, to="error")

    def handler(error: Value) -> None:
        s.do("call", s.f, error)

    s.try_(lambda: s.do("truediv", 1, s.x), (ZeroDivisionError, handler))
    assert s.checked(s.do("mul", before, before)).function(0, str) == 1


def test_the_name_of_an_error_is_not_that_of_what_a_branch_in_the_handler_sets() -> None:
    """A jump to the end of the handler's own block does not leave the handler."""
    s = Guarded(x=INT, f=OPAQUE)
    result = s.slot(None, "result")

    def handler(error: Value) -> None:
        message = s.do("builtins.str", error, to="error")
        s.write(result, s.do("build_tuple", message, message))

    s.try_(lambda: s.do("truediv", 1, s.x), (ZeroDivisionError, handler))
    assert s.checked(s.read(result)).function(0, str) == ("division by zero",) * 2


def test_the_state_of_a_loop_is_not_what_the_handler_reads() -> None:
    """The test of the loop may raise after the state was set."""
    s = Guarded(f=OPAQUE, seen=LIST)
    first = s.do("call", s.f, 0, to="n")

    def body() -> None:
        s.while_(
            {"n": first},
            lambda n: s.do("call", s.f, n),
            lambda n: s.do("add", n, 1),
        )

    s.try_(body, (ValueError, lambda error: s.log(first)))

    def fails(value: int) -> int:
        if value == 7:
            raise ValueError
        return 5 + value

    seen: list[object] = []
    s.checked(None).function(fails, seen)
    assert seen == [5]


def test_a_final_part_does_not_overwrite_what_is_returned() -> None:
    """A return hands over its value before the final part runs."""
    s = Guarded(x=INT, f=OPAQUE, seen=LIST)

    def body() -> int:
        def final() -> None:
            y = s.do("call", s.f, s.x, to="y")
            s.log(y)
            s.log(y)

        s.try_(lambda: s.jump("return", s.do("mul", s.x, 2, to="y")), final=final)
        return -1

    (y,) = s.block(body, to="y")
    seen: list[object] = []
    assert s.checked(s.do("build_tuple", y, y)).function(3, str, seen) == (6, 6)
    assert seen == ["3", "3"]


def test_what_a_final_part_reads_is_not_overwritten_before_a_raise() -> None:
    """Nothing reads the value after the raise but the final part."""
    s = Guarded(x=INT, seen=LIST)
    y = s.do("mul", s.x, 2, to="y")

    def body() -> None:
        s.log(s.do("add", y, 1, to="y"))
        other = s.do("call", Constant(str), s.x, to="y")
        s.log(other)
        s.log(other)
        s.jump("raise", ValueError)

    s.try_(body, final=lambda: s.log(y))
    s.jump("unreachable")
    seen: list[object] = []
    with pytest.raises(ValueError):
        s.checked().function(3, seen)
    assert seen == [7, "3", "3", 6]


def test_with_enters_and_leaves() -> None:
    """The manager is entered, its value bound, and left by a jump, too."""
    s = Guarded(manager=OPAQUE, seen=LIST)

    def body(entered: Value) -> None:
        s.log(entered)
        s.jump("return", 1)

    s.with_(s.manager, body)
    s.log("swallowed")
    program = s.checked(2)
    assert program.source == text("""
        def f(manager, seen):
            with manager as entered:
                seen.append(entered)
                return 1
            seen.append('swallowed')
            return 2
        """)
    seen: list[object] = []
    assert program.function(contextlib.nullcontext(5), seen) == 1
    assert seen == [5]


def test_what_follows_a_with_that_swallows_sees_its_own_values() -> None:
    """A value that is read after ``with`` is not overwritten in its body."""
    s = Guarded(x=INT, f=OPAQUE)
    y = s.do("mul", s.x, 2, to="y")

    def body(entered: Value) -> None:
        changed = s.do("iadd", y, 1, to="y")
        s.do("call", s.f, changed, changed)
        s.jump("raise", ValueError)

    s.with_(contextlib.suppress(ValueError), body)
    program = s.checked(y)

    def fails(*values: int) -> None:
        raise ValueError

    assert program.function(3, fails) == 6


def test_leaving_a_with_may_raise_after_its_last_statement() -> None:
    """What the handler around reads is not overwritten by that statement either."""
    s = Guarded(x=INT, manager=OPAQUE, seen=LIST)
    y = s.do("mul", s.x, 2, to="y")

    def body() -> None:
        s.with_(s.manager, lambda entered: s.do("iadd", y, 1, to="y"))

    s.try_(body, (ValueError, lambda error: s.log(y)))
    program = s.checked(None)

    @contextlib.contextmanager
    def fails() -> Iterator[None]:
        yield
        raise ValueError

    seen: list[object] = []
    program.function(3, fails(), seen)
    assert seen == [6]


def test_nothing_moves_into_or_out_of_a_try() -> None:
    """What may raise stays on its side, also when it is used on the other."""
    s = Guarded(x=INT, seen=LIST)
    outside = s.do("truediv", 1, s.x, to="a")
    s.try_(lambda: s.log(outside), (ZeroDivisionError, lambda error: s.log("caught")))
    program = s.checked(None)
    with pytest.raises(ZeroDivisionError):
        program.function(0, [])


def test_parts_of_a_handover_are_set_together() -> None:
    """If computing the second value raises, the handler sees the first as it was."""
    s = Guarded(f=OPAQUE, seen=LIST)

    def trip(i: Value, a: Value, b: Value) -> None:
        def body() -> None:
            second = s.do("call", s.f, b)
            s.jump("continue", i, second)

        s.try_(body, (ValueError, lambda error: s.log(s.do("build_tuple", a, b))))
        s.jump("break", a, b)

    a, _ = s.for_(Constant(range(5, 8)), {"a": 0, "b": 1}, trip, item=INT, type=OPAQUE)
    program = s.checked(a)

    def fails(value: int) -> int:
        if value == 3:
            raise ValueError
        return value + 1

    seen: list[object] = []
    assert program.function(fails, seen) == 6
    assert seen == [(6, 3)]


def test_a_try_that_always_jumps_ends_its_block() -> None:
    """Nothing stands after it that would run."""
    s = Guarded(x=INT, seen=LIST)

    def body() -> object:
        def guard() -> None:
            s.try_(
                lambda: s.jump("return", s.do("truediv", 1, s.x)),
                (ZeroDivisionError, lambda error: s.jump("return", 0)),
            )
            s.jump("unreachable")

        s.if_(s.do("lt", s.x, 9), guard, lambda: None)
        s.log("nine")
        return -1

    (y,) = s.block(body, to="y")
    program = s.checked(s.do("add", y, 1))
    seen: list[object] = []
    assert [program.function(x, seen) for x in (2, 0, 9)] == [1.5, 1, 0]
    assert seen == ["nine"]
