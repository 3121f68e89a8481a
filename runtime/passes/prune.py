"""Pruning of control flow that is decided while compiling.

Owns the branches and loops whose test is a constant, and function scopes that return only at
their end. It leaves making tests constant to `fold`. Invariant: what is dropped can never run;
what is kept keeps its order.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.graph import Graph, Node
from ..ir.rewriter import Rewriter, Rewritten
from ..memory.effects import loop_orelse, returns_at_its_end, test_truth
from ..ops.control import IF, WHILE


class _Prune(Rewriter):
    def node(self, node: Node) -> Rewritten:
        if node.op is IF:
            truth = test_truth(node)
            if truth is not None:
                return self.inline(node.regions[0 if truth else 1])
        elif node.op is WHILE and test_truth(node) is False:
            return self._no_trip(node)
        elif returns_at_its_end(node):
            body = node.regions[0]
            return self.inline(replace(body, end=replace(body.end, kind="yield")))
        return self.copy(node)

    def _no_trip(self, node: Node) -> Rewritten:
        """Keep one run of the test, then what follows a loop that ran to its end."""
        state = self.values(node.inputs)
        if self.inline(node.regions[0], state) is None:
            return None
        orelse = loop_orelse(node)
        return state if orelse is None else self.inline(orelse, state)


def prune(graph: Graph) -> Graph:
    """Put the taken branch in place of an ``if`` on a constant, and likewise for loops and blocks.

    - ``if`` with a constant test: the operations of the branch that is taken;
    - ``while`` whose test yields a constant that is false: the operations of its test, then of
      its ``orelse``;
    - ``block`` that returns only at its end: its operations.

    Parameters
    ----------
    graph
        Any graph.

    Returns
    -------
    Graph
        The graph with fewer regions; `graph` itself if there was nothing to prune.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.graph import Constant, Value
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic, control
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> with build.region() as then:
    ...     doubled, = build.append(arithmetic.ADD, [x, x])
    ...     build.end("yield", [doubled])
    >>> with build.region() as orelse:
    ...     build.end("yield", [x])
    >>> y, = build.append(control.IF, [Constant(True)], outputs=[Value(FLOAT, "y")],
    ...                   regions=[then.close(), orelse.close()])
    >>> build.end("return", [y])
    >>> before = build.graph("f")
    >>> [node.op.name for node in before.nodes]
    ['if']
    >>> after = prune(before)
    >>> [node.op.name for node in after.nodes], after.results == (doubled,)
    (['add'], True)
    >>> prune(after) is after
    True
    """
    return _Prune().graph(graph)
