"""``autograph profile`` runs a function and prints its lines, or says what is wrong in one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from autograph import cli
from autograph.typespec import TypeSpec, random_value

PROGRAM = '''
import autograph as ag
import numpy as np

SCALE = 2.0

def smooth(x, rounds):
    for i in range(rounds):
        x = (x[:-1] + x[1:]) / SCALE
        if i < 0:
            x = np.exp(x)
    return x

@ag.compile
def compiled(x):
    return x + 1.0

class Model:
    def __init__(self, rate):
        self.rate = rate
    def step(self, x):
        return self.rate * x

def failing(x):
    return x[len(x)]

def plain(x):
    return locals()

def talking(x):
    print("hello")
    return x

def leaving(x):
    raise SystemExit(3)
'''


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give a user's file, and forget afterwards what was imported."""
    path = tmp_path / "user_profiled.py"
    path.write_text(PROGRAM)
    monkeypatch.setattr(sys, "path", sys.path[:])
    known = set(sys.modules)
    yield str(path)
    for name in set(sys.modules) - known:
        if name.startswith("user_profiled"):
            del sys.modules[name]


def test_lines_with_calls_and_memory(program, capsys):
    assert cli.main(["profile", f"{program}:smooth", "f64[1001]", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("smooth: 1 call, ")
    (row,) = (line for line in lines if "SCALE" in line)
    assert row.split()[3] == "20"
    assert "user_profiled.py:9" in row
    assert not any("np.exp" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("smooth", "smooth(np.ones(5), rounds=int(SCALE))"),
        ("compiled", "compiled(np.ones(3))"),
        ("Model.step", "Model(3.0).step(np.ones(3))"),
    ],
)
def test_calls_are_evaluated_in_the_module(program, capsys, name, call):
    assert cli.main(["profile", f"{program}:{name}", "--call", call]) == 0
    assert ": 1 call, " in capsys.readouterr().out


def test_table_and_timeline_go_to_files(program, tmp_path, capsys):
    table, timeline = tmp_path / "table.txt", tmp_path / "timeline.json"
    words = ["profile", f"{program}:smooth", "f64[50]", "2", "-o", str(table)]
    assert cli.main([*words, "--chrome", str(timeline)]) == 0
    assert capsys.readouterr().out == ""
    assert table.read_text().startswith("smooth: 1 call")
    assert json.loads(timeline.read_text())["traceEvents"]


def test_what_the_function_prints_goes_to_stderr(program, capsys):
    assert cli.main(["profile", f"{program}:talking", "3"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "hello\n"
    assert printed.out.startswith("talking: 1 call")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["smooth", "f64[n]", "2"], "argument f64[n]: write numbers for its lengths"),
        (["smooth", "f64[...]", "2"], "argument f64[...]: write its dtype and lengths"),
        (["smooth", "f64[9]", "int"], "argument int: write a value in place of int"),
        (["smooth", "U5[9]", "1"], "neither a Python literal nor a type"),
        (["smooth"], "smooth: missing 2 required positional arguments"),
        (["smooth", "--call", "smooth"], "--call smooth: write a call, such as"),
        (["smooth", "--call", "smooth("], "--call smooth(: "),
        (["smooth", "--call", "nothing(1)"], "--call nothing(1): NameError"),
        (["smooth", "--call", "smooth(1 / 0, 2)"], "--call smooth(1 / 0, 2): ZeroDivisionError"),
        (["smooth", "1", "--call", "smooth(1, 2)"], "give arguments or --call, not both"),
        (["smooth", "--call", "Model(2.0)"], "smooth is a class, not a function"),
        (["failing", "[1, 2]"], "failing: IndexError: list index out of range (user_pro"),
        (["plain", "1"], "locals"),
        (["smooth", "f64[9]", "2", "--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["smooth", "f64[9]", "2", "--seed", "-1"], "argument --seed: -1 is negative"),
        (["leaving", "1"], "leaving: SystemExit: 3 (user_pro"),
        (["smooth", "--call", "smooth(exit(3), 2)"], "--call smooth(exit(3), 2): SystemExit: 3"),
        (["smooth", "f64[9]", "2", "--chrome", "/missing/x"], "cannot write /missing/x: "),
    ],
)
def test_mistakes_are_told_in_one_line(program, capsys, words, message):
    name, *others = words
    assert cli.main(["profile", f"{program}:{name}", *others]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    folder = str(Path(program).parent)
    assert message in printed.err.replace(f"{folder}/", "")


@pytest.mark.parametrize("text", ["f32[2,3]", "i8[4]", "bool_[5]", "c64[2]", "f64[]", "f64[0,7]"])
def test_random_arrays_are_of_the_type(text):
    spec = TypeSpec(text)
    value = random_value(spec.type, np.random.default_rng(0))
    assert isinstance(value, np.ndarray | np.generic)
    assert (value.dtype, value.shape) == (spec.type.dtype, spec.type.shape)


def test_random_arrays_are_those_of_the_seed():
    spec = TypeSpec("(f64[3], i64[2])")
    first, second = (random_value(spec.type, np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_equal(first, second)
