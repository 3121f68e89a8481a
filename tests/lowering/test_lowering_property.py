"""Random structured graphs: the program does what the reference interpreter does."""

from __future__ import annotations

from collections.abc import Callable

from graph_interpreter import interpret
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import LOG, graphs

from runtime.ir.graph import Graph
from runtime.lowering.program import lower


def observe(run: Callable[[list[object]], object]) -> tuple[object, ...]:
    """Return everything that can be seen of a run."""
    LOG.clear()
    cell: list[object] = [5]
    try:
        result: object = run(cell)
    except (KeyError, ValueError) as error:
        result = (type(error), error.args)
    return result, tuple(LOG), tuple(cell)


def agrees(graph: Graph, p: int, q: int) -> None:
    """Check one graph on one input."""
    program = lower(graph)
    expected = observe(lambda cell: interpret(graph, [p, q, cell]))
    actual = observe(lambda cell: program.function(p, q, cell))
    assert actual == expected, program.source


@settings(max_examples=50, deadline=None)
@given(graphs(), st.integers(-3, 3), st.integers(-3, 3))
def test_program_does_what_the_graph_says(graph: Graph, p: int, q: int) -> None:
    agrees(graph, p, q)
