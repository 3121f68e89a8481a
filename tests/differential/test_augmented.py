"""Augmented assignments, compared with plain Python: the value, or Python's own words."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe

OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^")
LEFT = ("None", "True", "2", "2.5", "1j", "'%s'", "(1, 2)", "range(3)", "slice(1)", "len", "[1]",
        "{1}", "{1: 2}")  # fmt: skip
RIGHT = (None, 3, 1.5, "a", (1,), [2], {2: 3}, np.arange(2.0))


class Reflected:
    """Answers for both sides, in words."""

    def __radd__(self, other):
        """Tell what was added."""
        return "radd", type(other)

    def __ror__(self, other):
        """Leave it to others."""
        return NotImplemented


class Adding:
    """Has no in-place form."""

    def __add__(self, other):
        """Tell what was added."""
        return "add", type(other)


@pytest.fixture
def programs(tmp_path: Path):
    """Return a module with a program for each operator and what stands on its left."""
    lines: list[str] = []
    for number, operator in enumerate(OPERATORS):
        for place, left in enumerate(LEFT):
            lines += [
                f"def program_{number}_{place}(n):",
                f"    q = {left}",
                f"    q {operator}= n",
                "    return q",
            ]
    path = tmp_path / "augmented_programs.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("augmented_programs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["augmented_programs"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["augmented_programs"]


def test_words_and_values_of_every_operator(programs: types.ModuleType):
    """What stands on the left is known while compiling."""
    for name, program in sorted(vars(programs).items()):
        if not isinstance(program, types.FunctionType):
            continue
        compiled = ag.compile(program)
        for right in (*RIGHT, Reflected(), Adding()):
            file = program.__code__.co_filename
            want = observe(program, (_copied(right),), file)
            got = observe(compiled, (_copied(right),), file)
            assert not differences(got, want), (name, right)


def _copied(item: object) -> object:
    return item.copy() if isinstance(item, list | dict | set | np.ndarray) else item


def test_object_with_no_in_place_form_is_inlined():
    """``+=`` falls back on ``__add__``, and on the other's ``__radd__``."""

    def program(a, b, n):
        a += n
        n += b
        m = 1
        m += b
        return a, n, m

    compiled = ag.compile(program, fallback="error")
    arguments = (Adding(), Reflected(), 2)
    assert compiled(*arguments) == program(*arguments)
    text = str(compiled.graph(*arguments))
    assert "add " not in text and "add(" not in text, text
