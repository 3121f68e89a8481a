"""What ``f.graph(...)`` and ``f.optimized(...)`` give: text that also draws itself."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.cli import main


@ag.compile
def clipped_sum(x, low):
    total = 0.0
    for value in x:
        if value > low:
            total += value
    return total


ARGUMENTS = (np.ones(3), 0.5)


def test_dot_has_a_cluster_for_the_loop() -> None:
    text = clipped_sum.graph(*ARGUMENTS).to_dot()
    assert text.startswith('digraph "clipped_sum" {')
    assert 'label="for"; tooltip=' in text


def test_html_is_written_and_returned(tmp_path: Path) -> None:
    path = tmp_path / "graph.html"
    text = clipped_sum.graph(*ARGUMENTS).to_html(path)
    assert path.read_text(encoding="utf-8") == text
    assert "if value &gt; low:" in text


def test_nothing_is_written_without_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert clipped_sum.optimized(*ARGUMENTS).to_html().startswith("<!doctype html>")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        clipped_sum.graph(*ARGUMENTS).to_html(tmp_path)


def test_a_notebook_shows_source_conversion_and_graph() -> None:
    shown = html.unescape(clipped_sum.graph(*ARGUMENTS)._repr_html_())
    assert "ag.for_loop(x, for_body_" in shown
    assert 'data-line="' in shown
    assert "<svg" in shown


@pytest.mark.parametrize(
    ("name", "beginning"),
    [("g.html", "<!doctype html>"), ("g.dot", "digraph "), ("g.txt", "graph square(")],
)
def test_the_command_line_draws_by_the_suffix(tmp_path: Path, name: str, beginning: str) -> None:
    source = tmp_path / "square_of.py"
    source.write_text("def square(x):\n    return x * x\n", encoding="utf-8")
    assert main(["graph", f"{source}:square", "f64[n]", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(beginning)


def test_the_command_line_draws_the_optimized_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "dead_sum.py"
    source.write_text("def f(x):\n    y = x + 1\n    return 2 * 3\n", encoding="utf-8")
    assert main(["graph", f"{source}:f", "int", "--optimized", "--format", "dot"]) == 0
    shown = capsys.readouterr().out
    assert "return 6" in shown and "add" not in shown


def test_the_command_line_prints_text_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "half_of.py"
    source.write_text("def half(x):\n    return x / 2\n", encoding="utf-8")
    assert main(["graph", f"{source}:half", "float"]) == 0
    assert capsys.readouterr().out.startswith("graph half(x: float) -> float {")
