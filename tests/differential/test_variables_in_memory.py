"""Variables that change inside ``try`` live in memory: their types and whether they are bound."""

from __future__ import annotations

import pytest

import autograph as ag


def test_a_variable_that_no_path_bound_is_unbound():
    """The mark of an unbound name never comes out."""

    def program(x):
        try:
            if x > 0:
                y = 1
        finally:
            x = 0
        return y

    compiled = ag.compile(program, fallback="error")
    assert compiled(1) == 1
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'y'"):
        compiled(-1)


def test_a_type_that_a_later_trip_gives_is_seen_by_an_earlier_question():
    """The question is asked before the assignment that changes its answer."""

    def program(n):
        total = 0
        kinds = []
        for _ in range(n):
            try:
                kinds.append("int" if isinstance(total, int) else "float")
                total = total + 0.5
            finally:
                n = 0
        return total, kinds

    compiled = ag.compile(program, fallback="error")
    assert compiled(3) == program(3) == (1.5, ["int", "float", "float"])


def test_what_an_exception_leaves_is_what_was_assigned_last():
    """The handler sees the assignment before the operation that raised, not the one after."""

    def program(x):
        stage = 0
        try:
            stage = 1
            y = 1 // x
            stage = 2
        except ZeroDivisionError:
            y = -1
        return stage, y

    compiled = ag.compile(program, fallback="error")
    assert [compiled(1), compiled(0), compiled(2)] == [(2, 1), (1, -1), (2, 0)]
