"""Calls of compiled functions where a graph is built.

Owns which calls become operations of the graph, and tracing the function for tensors. It leaves
putting the trace into the graph to `runtime.graph_mode.inlining`. Invariant: a call that has to do
with no tensor and no variable of a graph runs at once, as NumPy's own functions do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from runtime.errors import SessionError
from runtime.graph_mode.graph import Graph, hand_built
from runtime.graph_mode.inlining import argument_type, inline
from runtime.graph_mode.variables import holds_tensor, storage_of
from runtime.ir.graph import Constant, Value, walk
from runtime.thread_state import STATE
from runtime.variables import Variable

from .environment.paths import read
from .staging import NotStaged, Trace
from .typespec import TypeSpec

AT_ONCE = object()
"""What `call_in_graph` returns for a call that is to run at once."""


def graph_for(values: Sequence[object]) -> Graph | None:
    """Return the graph that a call belongs to: the one being built, else that of a tensor."""
    graph: Graph | None = STATE.graph
    if graph is None:
        for value in values:
            if type(value) in (tuple, list):
                graph = graph_for(value)  # type: ignore[arg-type]  # a tensor
            graph = graph or hand_built(value)
    return graph


def call_in_graph(
    graph: Graph,
    names: Sequence[str],
    values: Sequence[object],
    trace: Callable[[tuple[object, ...]], Trace],
) -> object:
    """Add a call of a compiled function to a graph.

    Parameters
    ----------
    graph
        The graph.
    names, values
        The parameters, and their values: tensors, and anything else.
    trace
        Traces the function for such values, with `TypeSpec` objects in place of tensors.

    Returns
    -------
    object
        The tensor of the result (tuples as tuples of tensors), or `AT_ONCE`.

    Raises
    ------
    SessionError
        If a tensor is of another graph, or stands in a dict.
    NotStaged, ConversionError
        As `trace` does.
    """
    given = dict(zip(names, values, strict=True))
    tensors: dict[str, Value] = {}
    specs: list[object] = []
    for name, value in given.items():
        if holds_tensor(value):
            tensors[name] = graph.tracer.value(value)
            specs.append(TypeSpec.of(argument_type(tensors[name].type)))
            continue
        if isinstance(value, Mapping) and any(map(holds_tensor, value.values())):
            raise SessionError(f"{name} holds tensors in a dict; pass them one by one")
        specs.append(value)
    made = trace(tuple(specs))
    if _makes_variables(made):
        raise NotStaged(
            "it makes variables, which belong to a graph as it is built, not to a run of it; make "
            "them outside, or call the plain function there"
        )
    arguments: list[object] = [tensors.get(name, value) for name, value in given.items()]
    arguments += [read(capture.path, given) for capture in made.captures]
    if not tensors and not any(map(_belongs_to_graph, arguments)):
        return AT_ONCE
    return inline(graph, made.graph, arguments)


def _makes_variables(made: Trace) -> bool:
    """Tell whether a run of the trace would make a variable."""
    return any(
        isinstance(value, Constant) and value.value is Variable
        for body in made.graph.bodies
        for node in walk(body)
        if node.op.name == "call"
        for value in node.inputs[:1]
    )


def _belongs_to_graph(item: object) -> bool:
    return isinstance(item, Variable) and storage_of(item) is not None
