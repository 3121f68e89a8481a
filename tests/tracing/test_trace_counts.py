"""How often the bodies of loops are run on symbols."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import autograph as ag
from tests.corpus.entries import CASES


def nested(depth: int):
    """Return a function of `depth` nested loops whose every level widens and is observed."""
    lines = ["def program(n):", "    a0 = 0"]
    for level in range(depth):
        pad = "    " * (level + 1)
        lines.append(f"{pad}a{level + 1} = a{level}")
        lines.append(f"{pad}for i{level} in range(n):")
        lines.append(f"{pad}    if isinstance(a{level + 1}, int):")
        lines.append(f"{pad}        a{level + 1} = a{level + 1} + 0.5")
        lines.append(f"{pad}    else:")
        lines.append(f"{pad}        a{level + 1} = a{level + 1} + 1")
    lines.append("    " * (depth + 1) + f"a{depth} = a{depth} * 1.5")
    levels = reversed(range(depth))
    lines += ["    " * (level + 1) + f"a{level} = a{level + 1}" for level in levels]
    lines.append("    return a0")
    text = "\n".join(lines) + "\n"
    file = f"<nested loops {depth}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, object] = {}
    exec(compile(text, file, "exec"), scope)
    return scope["program"]


def test_loops_nested_to_depth_eight_need_at_most_sixty_body_traces():
    """Every level widens from int to float, and the body asks for the type."""
    program = nested(8)
    compiled = ag.compile(program, fallback="error")
    assert compiled(2) == program(2)
    assert compiled.signatures[0].staged["for"] == 8
    assert compiled.signatures[0].body_traces <= 60


def test_nested_loops_that_ask_nothing_are_traced_once_each():
    """Types settle on the graph, without running Python again."""

    def program(n, x):
        total = 0
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    total = total + x[i] * j + k
        return total

    compiled = ag.compile(program, fallback="error")
    assert compiled(3, np.ones(3)) == program(3, np.ones(3))
    assert compiled.signatures[0].body_traces == 3


@pytest.fixture(scope="module")
def counts():
    """Body traces and staged loops over the corpus."""
    bodies = loops = 0
    for case in CASES:
        if not case.staged:
            continue
        compiled = ag.compile(case.function, fallback="error")
        for maker in case.makers:
            try:
                compiled(*maker())
            except Exception:  # the case's own
                continue
        for made in compiled.signatures:
            bodies += made.body_traces
            loops += made.staged["while"] + made.staged["for"]
    return bodies, loops


def test_bodies_are_traced_at_most_three_times_over_the_corpus(counts):
    """The bound of the design, over all staged loops."""
    bodies, loops = counts
    print(f"{bodies} body traces for {loops} staged loops")
    assert bodies <= 3 * loops
