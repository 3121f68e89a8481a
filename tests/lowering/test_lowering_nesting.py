"""Nesting: values used once stand in their use, and nothing changes its order."""

from __future__ import annotations

import inspect
from itertools import pairwise

import numpy as np
import pytest
from graph_sketch import Sketch
from random_graphs import READ, WRITE

from runtime.ir.graph import Constant, Value
from runtime.ir.types import BOOL, INT, LIST, OPAQUE, ArrayType

ARRAY = ArrayType(np.dtype(np.float64), ("n",))


def text(source: str) -> str:
    """Return a program's text as it stands indented in a test."""
    return inspect.cleandoc(source)


def log_call(s: Sketch, number: int) -> Value:
    """Append a call that logs `number` and returns it."""
    return s.do("call", s.log, number)


def logger() -> tuple[list[object], object]:
    """Return a list and a function that appends to it and returns its argument."""
    log: list[object] = []

    def function(value: object) -> object:
        log.append(value)
        return value

    return log, function


def test_chains_are_nested_for_temporary_elision() -> None:
    """Arithmetic on arrays is one expression, with no name that would keep a temporary."""
    s = Sketch(a=ARRAY, b=ARRAY, c=ARRAY)
    product = s.do("mul", s.a, s.b, to="t")
    assert s.program(s.do("add", product, s.c)).source == text("""
        def f(a, b, c):
            return a * b + c
        """)


def test_operands_in_their_order_are_nested() -> None:
    """Calls that are made from left to right anyway are nested."""
    s = Sketch(log=OPAQUE)
    one, two = log_call(s, 1), log_call(s, 2)
    program = s.program(s.do("sub", one, two))
    assert "return log(1) - log(2)" in program.source


def test_operands_out_of_order_are_not() -> None:
    """Python would call the second operand first: it is named instead."""
    s = Sketch(log=OPAQUE)
    one, two = log_call(s, 1), log_call(s, 2)
    program = s.program(s.do("sub", two, one))
    log, function = logger()
    assert (program.function(function), log) == (1, [1, 2])


def test_value_stays_before_a_write() -> None:
    """What is read before a write is not read after it."""
    s = Sketch(x=LIST)
    old = s.do("getitem", s.x, 0, to="old")
    s.do("setitem", s.x, 0, 9)
    program = s.program(s.do("add", old, 1))
    assert program.function([5]) == 6


def test_pure_reads_and_writes_keep_their_order() -> None:
    """Of operations that never raise, a read stays before the write after it."""
    s = Sketch(cell=LIST)
    (old,) = s.append(READ, [s.cell])
    s.append(WRITE, [s.cell, Constant(9)])
    (new,) = s.append(READ, [s.cell])
    program = s.program(s.do("build_tuple", new, old))
    assert program.function([5]) == (9, 5)


def test_view_may_be_made_late_only_where_nothing_can_tell() -> None:
    """An expression that may raise does not pass a write."""
    s = Sketch(x=LIST)
    bad = s.do("getitem", s.x, 7)
    s.do("setitem", s.x, 0, 9)
    program = s.program(bad)
    x = [0]
    with pytest.raises(IndexError):
        program.function(x)
    assert x == [0]


def test_raising_keeps_its_order() -> None:
    """Of two operations that raise the first one does."""
    s = Sketch(x=INT)
    first = s.do("floordiv", 1, s.x)
    second = s.do("lshift", 1, -1)
    program = s.program(s.do("sub", second, first))
    with pytest.raises(ZeroDivisionError):
        program.function(0)


def test_assignment_evaluates_its_value_first() -> None:
    """``x[i()] = v()``: where the index was computed first it is named."""
    s = Sketch(x=OPAQUE, log=OPAQUE)
    index, value = log_call(s, 0), log_call(s, 7)
    s.do("setitem", s.x, index, value)
    log, function = logger()
    x = [1]
    s.program(None).function(x, function)
    assert (x, log) == ([7], [0, 7])


def test_values_with_several_uses_are_named() -> None:
    """A value used twice is computed once."""
    s = Sketch(log=OPAQUE)
    value = s.do("call", s.log, 3, to="value")
    program = s.program(s.do("mul", value, value))
    assert program.source == text("""
        def f(log):
            value = log(3)
            return value * value
        """)


def test_unused_operations_run() -> None:
    """An operation without uses is an expression statement."""
    s = Sketch(log=OPAQUE)
    log_call(s, 1)
    assert "    log(1)\n" in s.program(None).source


def test_not_nested_into_a_loop() -> None:
    """A value computed before a loop is not computed in it."""
    s = Sketch(log=OPAQUE)
    value = log_call(s, 1)
    (y,) = s.for_(s.do("builtins.range", 3), {"y": 0}, lambda i, y: s.do("add", y, value, to="y"))
    log, function = logger()
    assert (s.program(y).function(function), log) == (3, [1])


def test_branches_that_are_expressions_are_one() -> None:
    """A choice between two values is a conditional expression."""
    s = Sketch(c=BOOL, x=INT)
    (y,) = s.if_(s.c, lambda: s.do("neg", s.x), lambda: 0, to="y")
    program = s.program(s.do("add", y, 1))
    assert "return (-x if c else 0) + 1" in program.source
    assert [program.function(c, 4) for c in (True, False)] == [-3, 1]


def test_branch_that_keeps_a_variable_is_a_statement() -> None:
    """``if c: y = ...`` needs nothing in its other branch."""
    s = Sketch(c=BOOL, y=INT)
    (y,) = s.if_(s.c, lambda: s.do("neg", s.y, to="y"), lambda: s.y, to="y")
    program = s.program(s.do("add", y, y))
    assert program.source == text("""
        def f(c, y):
            if c:
                y = -y
            return y + y
        """)


def test_and_or() -> None:
    """Yielding the test itself is ``and`` or ``or``, in chains too."""
    s = Sketch(a=OPAQUE, b=OPAQUE, c=OPAQUE)
    first = s.do("getitem", s.a, 0)

    def inner():
        second = s.do("getitem", s.b, 0)
        return s.if_(second, lambda: s.do("getitem", s.c, 0), lambda: second, to="_")

    (y,) = s.if_(first, inner, lambda: first, to="_")
    program = s.program(y)
    assert "return a[0] and b[0] and c[0]" in program.source
    assert program.function([1], [2], [3]) == 3
    assert program.function([0], None, None) == 0


def test_or_yields_its_test() -> None:
    """The left operand is the value where it is true."""
    s = Sketch(a=OPAQUE, b=OPAQUE)
    first = s.do("getitem", s.a, 0)
    (y,) = s.if_(first, lambda: first, lambda: s.do("getitem", s.b, 0), to="_")
    program = s.program(y)
    assert "return a[0] or b[0]" in program.source
    assert program.function([""], ["x"]) == "x"


def test_shortcut_with_statements_tests_once() -> None:
    """Where the other side needs statements, the test is named and evaluated once."""
    s = Sketch(log=OPAQUE, x=LIST)
    test = log_call(s, 1)

    def then():
        s.do("setitem", s.x, 0, 5)
        return 2

    (y,) = s.if_(test, then, lambda: test, to="y")
    log, function = logger()
    x = [0]
    assert (s.program(y).function(function, x), log, x) == (2, [1], [5])


def test_shortcut_of_a_comparison_with_statements() -> None:
    """The test is named although nothing forces it to run early."""
    s = Sketch(x=INT, log=LIST)
    test = s.do("lt", s.x, 2, to="test")

    def then():
        s.do("setitem", s.log, 0, 5)
        return 7

    (y,) = s.if_(test, then, lambda: test, to="y")
    program = s.program(y)
    assert [program.function(x, [0]) for x in (1, 3)] == [7, False]


def test_elif() -> None:
    """A branch that is all of an else is an ``elif``."""
    s = Sketch(x=INT, log=LIST)

    def put(number):
        def body():
            s.do("setitem", s.log, 0, number)

        return body

    def orelse():
        s.if_(s.do("eq", s.x, 2), put(2), put(3))

    s.if_(s.do("eq", s.x, 1), put(1), orelse)
    program = s.program(None)
    assert "    elif x == 2:\n" in program.source
    results = []
    for x in (1, 2, 9):
        log = [0]
        program.function(x, log)
        results += log
    assert results == [1, 2, 3]


def test_long_chains_are_cut() -> None:
    """Neither Python's compiler nor a reader has to follow a thousand levels."""
    s = Sketch(x=INT)
    value = s.x
    for number in range(3000):
        value = s.do("add", value, number % 3)
    program = s.program(value)
    assert program.function(1) == 1 + 3000
    assert max(line.count("(") for line in program.source.splitlines()) < 60


def test_many_waiting_values_are_bounded() -> None:
    """A wide expression compiles in reasonable time and gives its values in order."""
    s = Sketch(x=INT)
    values = [s.do("add", s.x, number) for number in range(2000)]
    result = s.program(s.do("build_list", *values)).function(0)
    assert result == list(range(2000))


def test_same_graph_same_text() -> None:
    """Lowering twice gives one text."""

    def build() -> str:
        s = Sketch(x=OPAQUE)
        values = [s.do("getitem", s.x, i, to=n) for i, n in enumerate(["a", "b", "a", ""])]
        for left, right in pairwise(values):
            s.do("setitem", s.x, left, right)
        array = Constant(np.ones(2))
        return s.program(s.do("build_tuple", *values, array)).source

    assert build() == build()
