"""The example programs run, agree with what they are compared with, and say so."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import autograph as ag

EXAMPLES = Path(__file__).parent.parent / "examples"


def output(program: str, *arguments: str) -> str:
    """Run an example with warnings as errors and return what it prints."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import an example, which is in no package."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module(name)


def test_linear_regression_finds_the_line_of_least_squares() -> None:
    assert output("linear_regression.py").splitlines() == [
        "Linear regression: 100 log10 of the pressure at which water boils, by temperature",
        "    trained        0.8956 * temperature -42.16 after 200 steps",
        "    least squares  0.8956 * temperature -42.16",
        "    mean squared error from 19514.5 to 0.1268",
        "    restored from a checkpoint, it says the same",
    ]


def test_the_compiled_training_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("linear_regression", monkeypatch)
    points, target = program.measurements()
    x, _, _ = program.standardized(points)
    one, other = program.LinearRegression(1, 1), program.LinearRegression(1, 1)
    errors = program.train(one, x, target, 20)
    with ag.eager():
        assert program.train(other, x, target, 20) == errors
    assert np.array_equal(one.w.numpy(), other.w.numpy())
    assert np.array_equal(one.b.numpy(), other.b.numpy())
    assert len(program.training_step.signatures) == 1


@pytest.mark.parametrize("name", ["linear_regression", "graph_regression"])
def test_too_few_steps_are_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = load(name, monkeypatch)
    assert program.main(["--steps", "3"]) == 1
    assert "after 3 steps" in capsys.readouterr().out


def test_graph_mode_finds_the_same_line() -> None:
    assert output("graph_regression.py").splitlines() == [
        "The same in graph mode",
        "    trained        0.8956 * temperature -42.16 after 200 steps",
        "    mean squared error from 19514.5 to 0.1268",
        "    an eager module with its checkpoint has 0.1268",
    ]


def test_graph_mode_goes_the_same_way_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    eager, graph = load("linear_regression", monkeypatch), load("graph_regression", monkeypatch)
    points, target = eager.measurements()
    x, _, _ = eager.standardized(points)
    model, training = eager.LinearRegression(1, 1), graph.build()
    with ag.Session(training.graph) as session:
        for error in eager.train(model, x, target, 20):
            feeds = {training.x: x, training.target: target}
            assert session.run((training.loss, training.step), feeds)[0] == error
        assert np.array_equal(session.run(training.model.w), model.w.numpy())
        assert np.array_equal(session.run(training.model.b), model.b.numpy())


class Terminal:
    """A standard error that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Do nothing: all is written."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    program = load("progress", monkeypatch)
    assert list(program.progress(3, "counting")) == [0, 1, 2]
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert list(program.progress(3, "counting")) == [0, 1, 2]
    assert "counting" in terminal.text


def test_without_rich_progress_says_how_to_get_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("progress", monkeypatch)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    assert list(program.progress(3, "counting")) == [0, 1, 2]
    assert terminal.text == "no progress bar: it needs rich (pip install 'autograph[cli]')\n"


def test_the_readme_of_the_data_names_every_file() -> None:
    text = (EXAMPLES / "data" / "README.md").read_text(encoding="utf-8")
    for path in (EXAMPLES / "data").glob("*.csv"):
        assert f"`{path.name}`" in text
        assert path.read_text(encoding="utf-8").startswith("# ")
