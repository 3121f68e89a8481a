"""Random structured graphs: the program does what the reference interpreter does."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_graphs import LOG, graphs

from graphs import Program, outcome, programs
from interpreter import interpret
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
    expected = observe(lambda cell: interpret(graph, p, q, cell))
    actual = observe(lambda cell: program.function(p, q, cell))
    assert actual == expected, program.source


@settings(max_examples=50, deadline=None)
@given(graphs(), st.integers(-3, 3), st.integers(-3, 3))
def test_program_does_what_the_graph_says(graph: Graph, p: int, q: int) -> None:
    """Integers, jumps of every kind, effects, two files."""
    agrees(graph, p, q)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_programs_on_arrays_do_what_their_graphs_say(program: Program) -> None:
    """Arrays and lists, views and writes: the caller sees the same objects changed alike."""
    function = lower(program.graph).function
    expected = outcome(lambda *arguments: interpret(program.graph, *arguments), program)
    assert outcome(function, program) == expected
