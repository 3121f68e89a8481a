"""Blocks: inlined functions, early returns, jumps over several loops, other files."""

from __future__ import annotations

import inspect
import traceback

import pytest
from graph_sketch import Sketch

from runtime.ir.graph import Origin
from runtime.ir.types import INT, OPAQUE
from runtime.lowering.program import Program


def text(source: str) -> str:
    """Return a program's text as it stands indented in a test."""
    return inspect.cleandoc(source)


def search(s: Sketch):
    """Return a body that returns the first i with i*i > n, or -1."""

    def body():
        def trip(i):
            big = s.do("gt", s.do("mul", i, i), s.n)
            s.if_(big, lambda: s.jump("return", i), lambda: None)
            s.jump("yield")

        s.for_(s.do("builtins.range", 10), {}, trip, item=INT)
        return -1

    return body


def test_block_with_one_return_is_inlined() -> None:
    """A straight-line helper leaves no trace."""
    s = Sketch(x=INT)
    (y,) = s.block(lambda: s.do("mul", s.x, s.x), to="y")
    assert s.program(s.do("add", y, 1)).source == text("""
        def f(x):
            return x * x + 1
        """)


def test_early_return_of_the_function_itself() -> None:
    """A block that is the function's result returns by ``return``."""
    s = Sketch(n=INT)
    (y,) = s.block(search(s), to="y")
    program = s.program(y)
    assert program.source == text("""
        def f(n):
            for i in range(10):
                if i * i > n:
                    return i
            return -1
        """)
    assert [program.function(n) for n in (5, 1000)] == [3, -1]


def test_early_return_out_of_a_loop_of_a_helper() -> None:
    """The loop is left, then the rest of the block is skipped."""
    s = Sketch(n=INT)
    (y,) = s.block(search(s), to="y")
    program = s.program(s.do("add", y, s.n))
    assert program.source == text("""
        def f(n):
            for i in range(10):
                if i * i > n:
                    break
            else:
                i = -1
            return i + n
        """)
    assert [program.function(n) for n in (5, 1000)] == [8, 999]


def test_early_return_and_break_in_one_loop() -> None:
    """Only the return skips what follows the loop."""
    s = Sketch(n=INT, m=INT)

    def body():
        def trip(i):
            s.if_(s.do("eq", i, s.n), lambda: s.jump("return", i), lambda: None)
            s.if_(s.do("eq", i, s.m), lambda: s.jump("break"), lambda: None)

        s.for_(s.do("builtins.range", 10), {}, trip, item=INT)
        return -1

    (y,) = s.block(body, to="y")
    program = s.program(s.do("add", y, 1))
    assert [program.function(n, m) for n, m in ((3, 5), (5, 3), (99, 99))] == [4, 0, 0]


def test_early_return_out_of_two_loops() -> None:
    """A return that leaves two loops sets a flag, looked at after the inner one."""
    s = Sketch(n=INT)

    def body():
        def outer(i):
            def inner(j):
                found = s.do("eq", s.do("mul", i, j), s.n)
                s.if_(found, lambda: s.jump("return", j), lambda: None)

            s.for_(s.do("builtins.range", i), {}, inner, item=INT, name="j")

        s.for_(s.do("builtins.range", 10), {}, outer, item=INT)
        return -1

    (y,) = s.block(body, to="y")
    program = s.program(s.do("add", y, 1))
    assert [program.function(n) for n in (12, 999)] == [4, 0]


def test_early_return_in_a_branch_moves_the_rest() -> None:
    """Where only branches return, no loop is needed."""
    s = Sketch(n=INT, log=OPAQUE)

    def body():
        s.if_(s.do("lt", s.n, 0), lambda: s.jump("return", 0), lambda: None)
        s.do("method", s.log, s.n, name="append")
        return s.do("mul", s.n, 2)

    (y,) = s.block(body, to="y")
    program = s.program(s.do("add", y, 1))
    assert program.source == text("""
        def f(n, log):
            if n < 0:
                y = 0
            else:
                log.append(n)
                y = n * 2
            return y + 1
        """)
    assert [program.function(n, []) for n in (-3, 4)] == [1, 9]


def test_return_from_two_levels_of_branches() -> None:
    """Where a branch both returns and goes on, the block is a loop that runs once."""
    s = Sketch(n=INT)

    def body():
        def outer():
            s.if_(s.do("gt", s.n, 5), lambda: s.jump("return", 5), lambda: None)

        s.if_(s.do("gt", s.n, 0), outer, lambda: None)
        return s.do("neg", s.n)

    (y,) = s.block(body, to="y")
    program = s.program(s.do("add", y, 1))
    assert [program.function(n) for n in (9, 2, -4)] == [6, -1, 5]
    assert program.source.count("-n") == 1


def test_break_out_of_a_block_in_a_loop() -> None:
    """A jump that crosses the loop of a block reaches the loop around it."""
    s = Sketch(n=INT)

    def trip(i, y):
        def body():
            def check():
                s.if_(s.do("gt", i, 3), lambda: s.jump("break", i), lambda: None)

            s.if_(s.do("gt", i, 1), check, lambda: None)
            s.if_(s.do("eq", i, s.n), lambda: s.jump("continue", y), lambda: None)
            return s.do("mul", i, 10)

        (value,) = s.block(body, to="v")
        return s.do("add", y, value, to="y")

    (y,) = s.for_(s.do("builtins.range", 10), {"y": 0}, trip, item=INT, type=INT)
    program = s.program(y)

    def plain(n: int) -> int:
        y = 0
        for i in range(10):
            if i > 1 and i > 3:
                return i
            if i == n:
                continue
            y = y + i * 10
        return y

    assert [program.function(n) for n in range(6)] == [plain(n) for n in range(6)]


def at(file: str, line: int, caller: Origin | None = None) -> Origin:
    """Return a position in a file."""
    return Origin(file, line, 4, line, 9, "helper" if file != "main.py" else "f", caller)


def foreign_program() -> Program:
    """Return a program that calls a function of another file, which calls back."""
    s = Sketch(x=INT, callback=OPAQUE)
    call = at("main.py", 3)
    y = s.do("floordiv", s.x, 2, at=at("helpers.py", 11, call))
    y = s.do("call", s.callback, y, at=at("helpers.py", 12, call))
    y = s.do("mul", y, 2, at=at("main.py", 30, at("helpers.py", 13, call)))
    z = s.do("truediv", 1, y, at=at("helpers.py", 14, call))
    return s.program(s.do("add", z, y, at=at("main.py", 4)), name="f", file="main.py")


def test_operations_of_another_file_are_a_function_of_that_file() -> None:
    """Captured values are its parameters; it returns what is used outside."""
    program = foreign_program()
    assert program.source == text("""
        def helper(x, callback):
            return callback(x // 2)

        def helper_1(arg):
            return 1 / arg

        def f(x, callback):
            t = helper(x, callback) * 2
            return helper_1(t) + t
        """)
    assert program.function(6, lambda v: v) == 1 / 6 + 6


def test_traceback_shows_the_other_file() -> None:
    """The innermost frame is the helper's file, name and line, called from the user's line."""
    with pytest.raises(ZeroDivisionError) as caught:
        foreign_program().function(0, lambda v: v)
    frames = traceback.extract_tb(caught.value.__traceback__)[-2:]
    assert [(frame.filename, frame.name, frame.lineno) for frame in frames] == [
        ("main.py", "f", 3), ("helpers.py", "helper", 14),
    ]  # fmt: skip


def test_loop_of_another_file() -> None:
    """A loop with a test in another file is a function as a whole."""
    s = Sketch(n=INT)
    origin = at("helpers.py", 5, at("main.py", 2))

    def body(y):
        return s.do("add", y, 3, to="y", at=origin)

    outputs = s.while_({"y": 0}, lambda y: s.do("lt", y, s.n, at=origin), body, type=INT)
    node = s.current.nodes.pop()
    s.append(node.op, node.inputs, regions=node.regions, outputs=outputs, origin=origin)
    program = s.program(outputs[0], file="main.py")
    assert "return helper(n)" in program.source
    assert program.function(7) == 9
    assert program.objects["helper"].__code__.co_filename == "helpers.py"


def test_moves_without_failure_stay_in_line() -> None:
    """Operations that cannot raise need no frame of their own."""
    s = Sketch(x=INT)
    y = s.do("add", s.x, 1, at=at("helpers.py", 5, at("main.py", 2)))
    assert "return x + 1" in s.program(y, file="main.py").source
