"""The converted texts of classes, and of functions that become values."""

# ruff: noqa: B023, PERF401

from __future__ import annotations

import os
import pathlib

from autograph.convert import convert

GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "converted"


def with_class(x, start):
    class Total:
        """A sum."""

        step = 1

        def __init__(self):
            self.value = start

        def add(self, v) -> None:
            self.value += v * x

    t = Total()
    t.add(Total.step)
    return t.value


def with_functions(n, x):
    kept = []
    for i in range(n):
        kept.append(lambda: x * i)

    def last():
        return later

    kept.append(last)
    later = x
    return [g() for g in kept]


def test_golden_texts():
    """The converted texts are those on file; AUTOGRAPH_WRITE_GOLDEN=1 writes them anew."""
    text = f"{convert(with_class).text}\n\n\n{convert(with_functions, True).text}\n"
    path = GOLDEN / "inner_functions.txt"
    if os.environ.get("AUTOGRAPH_WRITE_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()


def test_other_conversions_do_not_change():
    """Without function values there is nothing in memory."""
    assert "box" not in convert(with_functions).text
    assert convert(with_functions) is convert(with_functions)
    assert convert(with_functions) is not convert(with_functions, True)
