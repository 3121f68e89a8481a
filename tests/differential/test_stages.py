"""Every staged function of the corpus at the stages between: traced only, and pass by pass."""

from __future__ import annotations

import linecache
import warnings

import numpy as np
import pytest

import autograph as ag
from corpus import CASES
from differential.harness import differences, observe
from runtime.ir.printer import format_graph
from runtime.ir.verifier import verify
from runtime.passes.pipeline import PIPELINE, optimize

STAGED = [case for case in CASES if case.staged]
NAMES = [case.name for case in STAGED]


@pytest.mark.parametrize("case", STAGED, ids=NAMES)
def test_traced_without_passes_agrees_with_plain(case):
    """The graph as it was traced means what the plain function means."""
    compiled = ag.compile(case.function, fallback="error", without=[step.name for step in PIPELINE])
    file = case.function.__code__.co_filename
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for maker in case.makers:
            want = observe(case.function, maker(), file, case.watch)
            assert not differences(observe(compiled, maker(), file, case.watch), want)


@pytest.mark.parametrize("case", STAGED, ids=NAMES)
def test_each_pass_keeps_the_rules_of_graph_and_memory(case):
    """The verifiers accept what each pass makes, and running the pipeline again changes nothing."""
    compiled = ag.compile(case.function, fallback="error")
    for maker in case.makers:
        graph = compiled.graph(*maker()).graph
        verify(graph)
        optimized = optimize(graph, verify=True)
        assert optimize(optimized, verify=True) is optimized


@pytest.mark.parametrize("case", STAGED, ids=NAMES)
def test_bodies_are_traced_few_times(case):
    """A loop's body is run on symbols at most three times for each loop of the graph."""
    compiled = ag.compile(case.function, fallback="error")
    for maker in case.makers:
        observe(compiled, maker())
    for signature in compiled.signatures:
        loops = signature.staged["while"] + signature.staged["for"]
        assert signature.body_traces <= 3 * max(loops, 1)


def test_texts_of_graphs_are_made():
    """The text of a graph is what the printer makes of it."""
    compiled = ag.compile(STAGED[0].function)
    view = compiled.graph(*STAGED[0].makers[0]())
    assert str(view) == format_graph(view.graph)


def nest(depth: int) -> str:
    """Return a function of nested loops in which every level changes a type and asks for one."""
    lines = ["import numpy as np", "", "", "def f(x, n):", "    total = 0"]
    for level in range(depth):
        pad = "    " * (level + 1)
        lines += [
            f"{pad}y{level} = 0",
            f"{pad}for i{level} in range(n):",
            f"{pad}    if np.ndim(y{level}) == 1:",
            f"{pad}        total = total + 1",
            f"{pad}    y{level} = y{level} + x",
        ]
    lines += [f"{'    ' * (depth + 1)}total = total + y{depth - 1}.sum()", "    return total"]
    return "\n".join(lines) + "\n"


def test_nested_loops_are_traced_few_times():
    """Loops to depth 8, each with a name that becomes an array and is asked for its rank."""
    name = "<nest>"
    text = nest(8)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, object] = {"__name__": "nest"}
    exec(compile(text, name, "exec"), namespace)
    plain = namespace["f"]
    compiled = ag.compile(plain, fallback="error")
    for n in (0, 1, 2):
        want = observe(plain, (np.ones(1), n), name)
        assert not differences(observe(compiled, (np.ones(1), n), name), want)
    assert len(compiled.signatures) == 1
    assert compiled.signatures[0].body_traces <= 60
