"""A reference interpreter: executes a graph directly, by the kernels of its operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.ir.graph import Constant, Graph, Node, Region, Value
from runtime.ops.control import BLOCK, FOR, IF, WHILE

Environment = dict[Value, object]


@dataclass
class Outcome:
    """How a region ended."""

    kind: str
    values: list[object]


def interpret(graph: Graph, arguments: Sequence[object]) -> object:
    """Return what the graph returns for `arguments`."""
    environment = dict(zip(graph.params, arguments, strict=True))
    outcome = _region(graph.body, environment)
    assert outcome.kind == "return"
    (result,) = outcome.values
    return result


def _read(values: Sequence[Value], environment: Environment) -> list[object]:
    return [v.value if isinstance(v, Constant) else environment[v] for v in values]


def _region(region: Region, environment: Environment) -> Outcome:
    for node in region.nodes:
        outcome = _node(node, environment)
        if outcome is not None:
            return outcome
    values = _read(region.end.values, environment)
    if region.end.kind == "raise":
        raise values[0]  # type: ignore[misc]
    assert region.end.kind != "unreachable"
    return Outcome(region.end.kind, values)


def _node(node: Node, environment: Environment) -> Outcome | None:
    """Execute an operation; return how the region around it ends, if it does."""
    if node.op is IF:
        (test,) = _read(node.inputs, environment)
        outcome = _region(node.regions[0 if test else 1], environment)
    elif node.op is WHILE:
        outcome = _while(node, environment)
    elif node.op is FOR:
        outcome = _for(node, environment)
    elif node.op is BLOCK:
        outcome = _region(node.regions[0], environment)
        if outcome.kind == "return":
            outcome = Outcome("yield", outcome.values)
    else:
        result = node.op.kernel_for(node.attrs)(*_read(node.inputs, environment))
        results = [result] if len(node.outputs) == 1 else list(result or ())  # type: ignore
        outcome = Outcome("yield", results)
    if outcome.kind != "yield":
        return outcome
    environment.update(zip(node.outputs, outcome.values, strict=True))
    return None


def _while(node: Node, environment: Environment) -> Outcome:
    state = _read(node.inputs, environment)
    while True:
        environment.update(zip(node.regions[0].params, state, strict=True))
        if not _region(node.regions[0], environment).values[0]:
            return _orelse(node, 2, state, environment)
        environment.update(zip(node.regions[1].params, state, strict=True))
        outcome = _region(node.regions[1], environment)
        if outcome.kind == "break":
            return Outcome("yield", outcome.values)
        if outcome.kind == "return":
            return outcome
        state = outcome.values


def _for(node: Node, environment: Environment) -> Outcome:
    iterable, *state = _read(node.inputs, environment)
    for item in iterable:  # type: ignore[attr-defined]
        environment.update(zip(node.regions[0].params, [item, *state], strict=True))
        outcome = _region(node.regions[0], environment)
        if outcome.kind == "break":
            return Outcome("yield", outcome.values)
        if outcome.kind == "return":
            return outcome
        state = outcome.values
    return _orelse(node, 1, state, environment)


def _orelse(
    node: Node, number: int, state: list[object], environment: Environment
) -> Outcome:
    if len(node.regions) <= number:
        return Outcome("yield", state)
    environment.update(zip(node.regions[number].params, state, strict=True))
    return _region(node.regions[number], environment)
