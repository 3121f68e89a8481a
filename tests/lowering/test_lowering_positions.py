"""Positions: tracebacks end at the user's file, line and columns."""

from __future__ import annotations

import ast
import traceback

import pytest
from graph_sketch import Sketch

from runtime.ir.graph import Origin
from runtime.ir.types import BOOL, INT, OPAQUE
from runtime.lowering.origins import place
from runtime.lowering.program import Program


def at(line: int, column: int, end_column: int) -> Origin:
    """Return a position on one line of the user's file."""
    return Origin("user.py", line, column, line, end_column, "f")


def failing() -> Program:
    """Return the program of a division on line 13 inside an addition on line 12."""
    s = Sketch(x=INT)
    quotient = s.do("floordiv", 1, s.x, at=at(13, 8, 14))
    return s.program(s.do("add", quotient, 1, at=at(12, 4, 30)), file="user.py")


def test_traceback_shows_file_line_columns_and_name() -> None:
    """The innermost frame is the failing operation's own position."""
    with pytest.raises(ZeroDivisionError) as caught:
        failing().function(0)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.filename, frame.name) == ("user.py", "f")
    assert (frame.lineno, frame.colno, frame.end_lineno, frame.end_colno) == (13, 8, 13, 14)


def test_name_of_a_lambda() -> None:
    """The code's name is the graph's, whatever it is."""
    program = Sketch().program(1, name="<lambda>")
    assert program.code.co_name == program.function.__name__ == "<lambda>"
    ast.parse(program.source)


def test_raise_has_its_own_position() -> None:
    """A raise that the user wrote is where the user wrote it."""
    s = Sketch(c=BOOL)

    def then() -> None:
        error = s.do("builtins.ValueError", "no", at=at(7, 14, 30))
        s.end("raise", [error], at(7, 8, 30))

    s.if_(s.c, then, lambda: None, at=at(6, 4, 10))
    with pytest.raises(ValueError, match="no") as caught:
        s.program(None, file="user.py").function(True)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.lineno, frame.colno) == (7, 8)


def test_operations_without_position_take_that_around_them() -> None:
    """What a pass made without origin is shown at the statement it stands in."""
    s = Sketch(x=INT)
    value = s.do("add", s.x, 1, at=at(5, 0, 3))
    quotient = s.do("floordiv", 1, s.x)
    program = s.program(
        s.do("add", value, quotient, at=at(6, 0, 9)), file="user.py"
    )
    with pytest.raises(ZeroDivisionError) as caught:
        program.function(0)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 6


def test_call_in_another_file_is_shown_where_it_was_made() -> None:
    """An operation that stays in line is shown at the call that led to it."""
    s = Sketch(x=OPAQUE, c=OPAQUE)

    def trip(i: object) -> None:
        helper = Origin("other.py", 99, 0, 99, 5, "g", at(3, 4, 8))
        test = s.do("call", s.c, i, at=helper)
        s.if_(test, lambda: s.jump("return", 1), lambda: None, at=helper)
        s.jump("yield")

    s.for_(s.x, {}, trip)
    program = s.program(None, file="user.py")
    lines = {line for *_, line in program.code.co_lines() if line is not None}
    assert 99 not in lines


def test_every_node_has_a_position_that_compiles() -> None:
    """A position that ends before it starts is mended, one that is there is kept."""
    inner = place(ast.Name("x", ast.Load()), at(4, 2, 3))
    tree = place(ast.Expr(ast.UnaryOp(ast.Not(), inner)), Origin("f", 9, 8, 2, 0, "f"))
    compile(ast.Module([tree], []), "f", "exec")
    assert (inner.lineno, tree.lineno, tree.end_lineno) == (4, 9, 9)


def test_interrupt_ends_a_loop() -> None:
    """A loop is Python's own, so an exception from outside ends it."""
    s = Sketch(g=OPAQUE)
    s.while_({}, lambda: True, lambda: s.do("call", s.g) and None)
    calls = []

    def interrupt() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        s.program(None).function(interrupt)
    assert len(calls) == 3
