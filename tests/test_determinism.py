"""The same input gives the same text under any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import autograph as ag
from corpus import CASES

EVERY = 5


def texts() -> str:
    """Return the texts of every stage for part of the corpus."""
    parts = []
    for case in CASES[::EVERY]:
        compiled = ag.compile(case.function)
        parts.append(f"## {case.name}")
        try:
            parts.append(str(compiled.converted))
            arguments = case.makers[0]()
            parts += [
                str(stage(*arguments))
                for stage in (compiled.graph, compiled.optimized, compiled.program)
            ]
        except ag.ConversionError as error:
            parts.append(f"not staged: {error}")
    return "\n".join(parts)


def run(seed: int) -> str:
    """Return the texts made in a process of its own under a hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    environment["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    return subprocess.run(
        [sys.executable, __file__],
        env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_texts_do_not_depend_on_the_hash_seed():
    """Converted source, graphs and programs are equal under two seeds."""
    one, two = run(1), run(2)
    assert one.count("\n## ") > 40
    assert one == two


def test_a_second_compilation_gives_the_same_texts():
    """Compiling again in one process gives the same texts again."""
    assert texts() == texts()


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(texts())
