"""Constant folding.

Owns replacing an operation on constants by its result. It leaves running the operation, and
deciding whether that may be done ahead, to `runtime.memory.constants`, and branches on constants
to `prune`. Invariant: what is replaced would have given the very same value, of the same exact
type, in every run, without an error, a warning or another effect.
"""

from __future__ import annotations

from ..ir.graph import Graph, Node
from ..ir.rewriter import Rewriter, Rewritten
from ..memory.constants import evaluate


class _Fold(Rewriter):
    def node(self, node: Node) -> Rewritten:
        node = self.copy(node)
        return evaluate(node) or node


def fold(graph: Graph) -> Graph:
    """Replace each operation on constants by the constant it gives.

    An operation is run by its own kernel, under ``errstate(all="raise")`` and with warnings as
    errors; whatever raises or warns stays where it is. Results that can change (arrays, lists) or
    are long are not made constants: what the program creates is new at each call.

    Parameters
    ----------
    graph
        Any graph.

    Returns
    -------
    Graph
        The graph with fewer operations; `graph` itself if there was nothing to fold.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.graph import Constant
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> third, = build.append(arithmetic.TRUEDIV, [Constant(1), Constant(4)])
    >>> y, = build.append(arithmetic.MUL, [x, third])
    >>> build.end("return", [y])
    >>> before = build.graph("f")
    >>> [node.op.name for node in before.nodes]
    ['truediv', 'mul']
    >>> after = fold(before)
    >>> [node.op.name for node in after.nodes], after.nodes[0].inputs[1].value
    (['mul'], 0.25)
    >>> fold(after) is after
    True
    """
    return _Fold().graph(graph)
