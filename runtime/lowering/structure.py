"""Which statements control comes out of.

Owns the rearrangement that lets a block be left without a loop or flag, by moving what follows a
branch into the side that does not leave. Invariant: the same statements run, in the same order.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .statements import (
    Branch,
    Jump,
    Label,
    Raise,
    Return,
    Statement,
    Unreachable,
    inner_blocks,
)


def falls_through(block: Sequence[ast.stmt]) -> bool:
    """Tell whether control may come out at the end of emitted statements."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, ast.If):
        return falls_through(last.body) or falls_through(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue)


def tail_form(block: Sequence[Statement], label: Label) -> list[Statement] | None:
    """Return `block` rearranged so that it leaves `label` only where it ends; None if it cannot."""
    result: list[Statement] = []
    for number, statement in enumerate(block):
        if isinstance(statement, Jump) and _leaves(statement, label):
            return [*result, statement]
        if not _contains_leave(statement, label):
            result.append(statement)
            continue
        rest = list(block[number + 1 :])
        if not isinstance(statement, Branch):
            return None
        if rest and _ends(statement.then) and _ends(statement.orelse):
            return None
        then = tail_form(_continued(statement.then, rest), label)
        orelse = tail_form(_continued(statement.orelse, rest), label)
        if then is None or orelse is None:
            return None
        return [*result, Branch(statement.test, then, orelse, statement.origin)]
    return result


def _continued(side: list[Statement], rest: list[Statement]) -> list[Statement]:
    return [*side, *rest] if _ends(side) else side


def _ends(block: Sequence[Statement]) -> bool:
    """Tell whether control may come out at the end of `block`."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, Branch):
        return _ends(last.then) or _ends(last.orelse)
    return not isinstance(last, Jump | Return | Raise | Unreachable)


def _leaves(jump: Jump, label: Label) -> bool:
    return jump.kind == "leave" and jump.label is label


def _contains_leave(statement: Statement, label: Label) -> bool:
    if isinstance(statement, Jump):
        return _leaves(statement, label)
    return any(
        _contains_leave(inner, label)
        for block in inner_blocks(statement)
        for inner in block
    )
