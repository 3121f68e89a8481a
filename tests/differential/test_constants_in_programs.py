"""Constants in emitted programs, where the user wrote names: Python's compiler warns of none."""

from __future__ import annotations

import autograph as ag

TEXT, NUMBERS = "text", (1, 2)


def known_names(x):
    """Compare names whose values are known with one whose value is not."""
    text, number, pair = TEXT, 3, NUMBERS
    return text is x, number is x, pair is not x, x is text, x is not number


def test_no_warning_that_the_plain_function_does_not_give():
    """Warnings are errors here."""
    compiled = ag.compile(known_names, fallback="error")
    for x in ("text", "other", 2.5, NUMBERS):
        assert compiled(x) == known_names(x)
