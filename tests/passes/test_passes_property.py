"""Every pass keeps what random graphs mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from graphs import Program, outcome, programs
from interpreter import interpret
from runtime.ir.graph import Graph
from runtime.ir.printer import format_graph
from runtime.ir.verifier import verify
from runtime.memory.verifier import verify_memory
from runtime.passes.pipeline import PIPELINE, Pass, optimize


def assert_kept(program: Program, after: Graph) -> None:
    """Check that a caller sees the same of `after` as of the program's graph."""
    verify(after)
    verify_memory(program.graph, after)
    expected = outcome(lambda *arguments: interpret(program.graph, *arguments), program)
    assert outcome(lambda *arguments: interpret(after, *arguments), program) == expected


@pytest.mark.parametrize("step", PIPELINE, ids=lambda step: step.name)
@given(program=programs())
@settings(max_examples=50, deadline=None)
def test_a_pass_keeps_the_meaning(step: Pass, program: Program) -> None:
    after = step.function(program.graph)
    assert_kept(program, after)
    assert step.function(after) is after or step.name in ("prune", "fold")


@given(program=programs(statements=9))
@settings(max_examples=50, deadline=None)
def test_the_pipeline_keeps_the_meaning(program: Program) -> None:
    after = optimize(program.graph, verify=True)
    verify(after)
    expected = outcome(lambda *arguments: interpret(program.graph, *arguments), program)
    assert outcome(lambda *arguments: interpret(after, *arguments), program) == expected


@given(program=programs())
@settings(max_examples=20, deadline=None)
def test_the_pipeline_is_deterministic(program: Program) -> None:
    assert format_graph(optimize(program.graph)) == format_graph(optimize(program.graph))


@given(program=programs())
@settings(max_examples=20, deadline=None)
def test_the_verifier_accepts_a_graph_as_itself(program: Program) -> None:
    assert verify_memory(program.graph, program.graph) is program.graph
