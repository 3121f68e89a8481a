"""From a traced graph to a program: passes, then lowering.

Owns running the passes in order, with single ones switched off by name. It leaves which passes
there are to `runtime.passes.pipeline`. Invariant: the program means what the graph means.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .ir.graph import Graph
from .lowering.program import Program, lower
from .passes.pipeline import PIPELINE, Pass, optimize


def compile_graph(
    graph: Graph, passes: Sequence[Pass] = PIPELINE, *, without: Collection[str] = ()
) -> Program:
    """Return `graph`, optimized, as a Python program.

    Parameters
    ----------
    graph
        A well-formed graph.
    passes
        What to run, in order.
    without
        Names of passes to leave out.

    Returns
    -------
    Program
        Its `graph` is the optimized one.

    Raises
    ------
    ValueError
        If `without` names a pass that is not among `passes`.

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
    >>> graph = build.graph("double")
    >>> print(compile_graph(graph).source)
    def double(x):
        return x * 2.0
    >>> print(compile_graph(graph, without=["fold"]).source)
    def double(x):
        return x * (1.0 + 1.0)
    """
    names = [step.name for step in passes]
    for name in without:
        if name not in names:
            raise ValueError(f"there is no pass {name!r}; there are {', '.join(names)}")
    kept = [step for step in passes if step.name not in without]
    return lower(optimize(graph, kept))
