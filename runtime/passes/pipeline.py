"""The passes, in the order in which they run.

Owns the pipeline and running it. It leaves every change of a graph to the passes. Invariant: the
optimized graph means what the graph meant; with `verify` each step is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..ir.graph import Definition, Graph
from ..ir.verifier import verify as verify_graph
from ..memory.verifier import verify_memory
from .cse import cse
from .dce import dce
from .fold import fold
from .prune import prune
from .simplify import simplify

Whole = Callable[[Graph], Graph]
"""Makes the graph that is to be well formed from the part that was changed."""
MAX_ROUNDS = 4
"""How often the pipeline is run at most: a fold may decide a branch, that may allow a fold."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of the pipeline."""

    name: str
    function: Callable[[Graph], Graph]
    """Returns the changed graph, or the very graph it was given."""
    reason: str
    """Why it is there, and why at this place."""
    overlapping: bool = True
    """Whether it is right also where arguments share memory with each other."""


PIPELINE: tuple[Pass, ...] = (
    Pass("fold", fold, "constants first: what they decide need not be looked at again"),
    Pass("simplify", simplify, "operations that give their input go; equal ones then look equal"),
    Pass("prune", prune, "branches on constants go; the later passes see straight code"),
    Pass("cse", cse, "equal results are computed once; makes operations unused"),
    Pass("dce", dce, "last: drops what the passes before left unused"),
)

SEPARATE_PIPELINE: tuple[Pass, ...] = tuple(
    replace(step, function=partial(cse, overlapping=False), overlapping=False)
    if step.function is cse
    else step
    for step in PIPELINE
)
"""The same for calls whose array arguments are known to share no memory."""


def optimize(
    graph: Graph, passes: Sequence[Pass] = PIPELINE, verify: bool = False
) -> Graph:
    """Run `passes` on `graph`, again until nothing changes.

    Parameters
    ----------
    graph
        A well-formed graph.
    passes
        What to run, in order.
    verify
        Whether to check the graph and its memory after each pass (tests do).

    Returns
    -------
    Graph
        The optimized graph; `graph` itself if nothing changed.

    Raises
    ------
    GraphError
        If `verify` is set and a pass broke a rule; a note names the pass.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.graph import Constant
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> two, = build.append(arithmetic.ADD, [Constant(1.0), Constant(1.0)])
    >>> y, = build.append(arithmetic.MUL, [x, two])
    >>> build.end("return", [y])
    >>> [node.op.name for node in optimize(build.graph("f"), verify=True).nodes]
    ['mul']
    """
    for definition in graph.functions:
        graph = _with_function(graph, definition, passes, verify)
    return _rounds(graph, passes, (lambda changed: changed) if verify else None)


def _rounds(graph: Graph, passes: Sequence[Pass], whole: Whole | None) -> Graph:
    """Run `passes` until nothing changes, checking each step if there is a `whole` to check."""
    for _ in range(MAX_ROUNDS):
        before = graph
        for step in passes:
            graph = step.function(graph) if whole is None else _checked(step, graph, whole)
        if graph is before:
            break
    return graph


def _with_function(
    graph: Graph, definition: Definition, passes: Sequence[Pass], verify: bool
) -> Graph:
    """Run `passes` on a function of `graph`, as on a graph of its own.

    Nothing checks what its callers hand to it, so passes that count on such a check are left out.
    """

    def whole(changed: Graph) -> Graph:
        new = replace(definition, body=changed.body)
        return replace(
            graph, functions=tuple(new if f is definition else f for f in graph.functions)
        )

    alone = Graph(definition.name, definition.body, definition.file)
    safe = [step for step in passes if step.overlapping]
    changed = _rounds(alone, safe, whole if verify else None)
    return graph if changed is alone else whole(changed)


def _checked(step: Pass, graph: Graph, whole: Whole) -> Graph:
    """Run one pass and check what it made."""
    changed = step.function(graph)
    if changed is not graph:
        try:
            verify_graph(whole(changed))
            verify_memory(graph, changed, overlapping=step.overlapping)
        except Exception as error:
            error.add_note(f"after pass {step.name}")
            raise
    return changed
