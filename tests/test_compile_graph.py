"""From a graph to a program: passes in order, single ones left out."""

from __future__ import annotations

import pytest

from runtime.compile import compile_graph
from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Graph
from runtime.ir.types import FLOAT
from runtime.ops.arithmetic import ADD, MUL
from runtime.passes.pipeline import Pass


def example() -> Graph:
    """Return the graph of ``x * (1.0 + 1.0) + x * (1.0 + 1.0)``."""
    build = Builder()
    x = build.param(FLOAT, "x")
    products = []
    for _ in range(2):
        (two,) = build.append(ADD, [Constant(1.0), Constant(1.0)])
        products += build.append(MUL, [x, two])
    (y,) = build.append(ADD, products)
    build.end("return", [y])
    return build.graph("f")


def test_the_program_is_of_the_optimized_graph() -> None:
    """All passes run by default, and the program keeps the graph it is of."""
    program = compile_graph(example())
    assert [node.op.name for node in program.graph.nodes] == ["mul", "add"]
    assert program.function(3.0) == 12.0


def test_single_passes_are_left_out_by_name() -> None:
    """Without a pass its changes are not made; the result is the same."""
    program = compile_graph(example(), without=["cse"])
    assert [node.op.name for node in program.graph.nodes] == ["mul", "mul", "add"]
    assert program.function(3.0) == 12.0


def test_no_passes() -> None:
    """An empty pipeline lowers the graph as it is."""
    graph = example()
    assert compile_graph(graph, ()).graph is graph


def test_passes_are_run_in_order() -> None:
    """The pipeline may be any sequence of passes."""
    calls = []

    def note(name: str) -> Pass:
        def run(graph: Graph) -> Graph:
            calls.append(name)
            return graph

        return Pass(name, run, "to be seen")

    compile_graph(example(), [note("one"), note("two"), note("three")], without=["two"])
    assert calls == ["one", "three"]


def test_unknown_pass_is_refused() -> None:
    """A misspelt name is an error that says which there are."""
    with pytest.raises(ValueError, match=r"no pass 'csse'.*fold"):
        compile_graph(example(), without=["csse"])
