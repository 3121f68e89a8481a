"""Exact simplifications of single operations.

Owns rewrite rules that replace an operation by one of its inputs. It leaves operations on
constants to `fold`. Invariant: every rule is exact: the value that takes the place is the very
object that the operation gives, in every run, and the operation neither raises nor warns. There
is no ``x * 1`` among them (``True * 1`` is not ``True``), nor ``x + 0`` (of -0.0).
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.graph import Graph, Node, Value
from ..ir.rewriter import rewrite
from ..ir.types import BOOL, NumberType
from ..memory.effects import effects_of
from ..ops.registry import Raises, Sharing

Rule = Callable[[Node], Value | None]


def _same_object(node: Node) -> Value | None:
    """Drop what hands on its input and does nothing: a check that cannot fail, ``z.real``."""
    effects = effects_of(node)
    (alias,) = effects.aliases
    if effects.calls or effects.writes or effects.raises is not Raises.NEVER:
        return None
    return node.inputs[alias.inputs[0]] if alias.sharing is Sharing.SAME else None


def _truth_of_bool(node: Node) -> Value | None:
    """Drop ``bool(x)`` of a ``bool``."""
    return node.inputs[0] if node.inputs[0].type == BOOL else None


def _plus(node: Node) -> Value | None:
    """Drop ``+x`` of a Python number (that of a ``bool`` has another type, an ``int``)."""
    return node.inputs[0] if isinstance(node.inputs[0].type, NumberType) else None


RULES: dict[str, Rule] = {
    "check_bound": _same_object,
    "getattr": _same_object,
    "truth": _truth_of_bool,
    "builtins.bool": _truth_of_bool,
    "pos": _plus,
}
"""The rule for each operation that has one."""


def simplify(graph: Graph) -> Graph:
    """Replace operations that give one of their inputs, unchanged, by that input.

    Parameters
    ----------
    graph
        Any graph.

    Returns
    -------
    Graph
        The graph with fewer operations; `graph` itself if no rule applied.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> same, = build.append(arithmetic.POS, [x])
    >>> y, = build.append(arithmetic.MUL, [same, same])
    >>> build.end("return", [y])
    >>> before = build.graph("f")
    >>> after = simplify(before)
    >>> [node.op.name for node in before.nodes], [node.op.name for node in after.nodes]
    (['pos', 'mul'], ['mul'])
    >>> simplify(after) is after
    True
    """

    def transform(node: Node) -> Node | tuple[Value, ...]:
        rule = RULES.get(node.op.name)
        if rule is None or len(node.outputs) != 1 or not node.inputs:
            return node
        value = rule(node)
        return node if value is None or value.type != node.outputs[0].type else (value,)

    return rewrite(graph, transform)
