"""Why a call falls back is said with the user's file and line."""

from __future__ import annotations

import pytest

import autograph as ag


def test_what_cannot_be_returned_is_located_at_the_function():
    """The function has ended when its result turns out not to fit a graph."""

    def program(x):
        return (lambda **named: named)(k=x)

    line = program.__code__.co_firstlineno
    with pytest.raises(ag.ConversionError, match=rf"test_reasons\.py:{line}: "):
        ag.compile(program, fallback="error")(1)
