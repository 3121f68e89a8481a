"""Which expressions may pass each other, and in which order Python evaluates operands.

Owns the summary of effects that nesting asks, and the evaluation order of an operation's emitted
syntax. Invariant: two expressions whose summaries do not conflict give the same results, effects
and exceptions in either order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..ir.graph import Attributes, Constant, Node, Value
from ..ir.types import is_immutable
from ..ops.arithmetic import TRUTH
from ..ops.registry import Effects, Operation, Raises

RAISES = 1
"""It may raise or warn."""
READS = 2
"""It reads memory that may change."""
WRITES = 4
"""It writes memory."""
EVERYTHING = RAISES | READS | WRITES
"""It may run unknown code."""
NOTHING = 0

_CONFLICTS = {RAISES: RAISES | WRITES, READS: WRITES, WRITES: EVERYTHING}


def conflict(first: int, second: int) -> bool:
    """Tell whether expressions with these summaries must stay in their order.

    >>> conflict(READS, READS), conflict(READS, WRITES), conflict(RAISES, RAISES)
    (False, True, True)
    """
    return any(first & bit and second & others for bit, others in _CONFLICTS.items())


def own_effects(node: Node, inputs: Sequence[Value]) -> int:
    """Return the summary of an operation without regions."""
    return _summary(node.op.effects(inputs, node.attrs), inputs)


def _summary(effects: Effects, inputs: Sequence[Value]) -> int:
    if effects.calls:
        return EVERYTHING
    summary = NOTHING
    if effects.raises is not Raises.NEVER:
        summary |= RAISES
    if any(not is_immutable(inputs[i].type) for i in effects.reads):
        summary |= READS
    if effects.writes:
        summary |= WRITES
    return summary


def truth_effects(value: Value) -> int:
    """Return the summary of asking `value` for its truth."""
    return _summary(TRUTH.effects((value,), {}), (value,))


STATEMENT_ORDER = {"setitem": (2, 0, 1), "setattr": (1, 0)}
"""Python evaluates the value of an assignment before its target."""


class _OperandName(ast.Name):
    """Stands for an operand while the order of evaluation is found out."""


def evaluation_order(op: Operation, attrs: Attributes, inputs: Sequence[Value]) -> list[int]:
    """Return the positions of the operands in the order in which Python evaluates them.

    A position that the emitted expression does not evaluate exactly once appears not at all: its
    operand has to be a variable or constant.
    """
    if op.name in STATEMENT_ORDER:
        return list(STATEMENT_ORDER[op.name])
    if op.syntax is None:
        return list(range(len(inputs)))
    operands: list[ast.expr] = [
        constant_placeholder(value.value)
        if isinstance(value, Constant)
        else _OperandName(str(number), ast.Load())
        for number, value in enumerate(inputs)
    ]
    order = [
        int(node.id)
        for node in _evaluated(op.syntax(operands, attrs))
        if isinstance(node, _OperandName)
    ]
    return [number for number in order if order.count(number) == 1]


def constant_placeholder(value: object) -> ast.expr:
    """Return an expression that syntax functions may look at in place of a constant."""
    if value is None or isinstance(value, str | bool | int | float):
        return ast.Constant(value)
    return ast.Name("constant", ast.Load())


def _evaluated(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of an expression in evaluation order."""
    if isinstance(tree, ast.Lambda):
        return
    if isinstance(tree, ast.Dict):
        for key, value in zip(tree.keys, tree.values, strict=True):
            if key is not None:
                yield from _evaluated(key)
            yield from _evaluated(value)
        return
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _evaluated(child)
