"""Which statements control comes out of.

Owns the rearrangement that lets a block be left without a loop of its own or a flag: what follows
a branch moves into the side that does not leave, what follows a loop into the loop's else.
Invariant: the same statements run, in the same order.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from .statements import (
    Branch,
    ForLoop,
    Jump,
    Label,
    Labelled,
    Raise,
    Return,
    Statement,
    Try,
    Unreachable,
    WhileLoop,
    With,
    inner_blocks,
)


def falls_through(block: Sequence[ast.stmt]) -> bool:
    """Tell whether control may come out at the end of emitted statements."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, ast.If):
        return falls_through(last.body) or falls_through(last.orelse)
    if isinstance(last, ast.Try):
        normal = falls_through(last.body) and falls_through(last.orelse)
        handled = any(falls_through(handler.body) for handler in last.handlers)
        return (normal or handled) and falls_through(last.finalbody)
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
        if isinstance(statement, WhileLoop | ForLoop):
            loop = _loop_in_tail_form(statement, rest, label)
            return None if loop is None else [*result, loop]
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


def _loop_in_tail_form(
    loop: WhileLoop | ForLoop, rest: list[Statement], label: Label
) -> WhileLoop | ForLoop | None:
    """Return a loop that is left by ``break`` in place of `label`, with the rest in its else."""
    if _contains_leave(loop, loop.label):
        return None
    orelse = tail_form(_continued(loop.orelse, rest), label)
    if orelse is None:
        return None
    body = _redirected(loop.body, label, loop.label)
    if isinstance(loop, ForLoop):
        return replace(loop, body=body, orelse=orelse)
    before = _redirected(loop.before_test, label, loop.label)
    return replace(loop, before_test=before, body=body, orelse=orelse)


def _redirected(block: Sequence[Statement], label: Label, to: Label) -> list[Statement]:
    """Return `block` with jumps that leave `label` leaving `to`."""
    return [_redirect(statement, label, to) for statement in block]


def _redirect(statement: Statement, label: Label, to: Label) -> Statement:
    if not _contains_leave(statement, label):
        return statement
    match statement:
        case Jump():
            return replace(statement, label=to)
        case Branch():
            then = _redirected(statement.then, label, to)
            return replace(statement, then=then, orelse=_redirected(statement.orelse, label, to))
        case ForLoop():
            body = _redirected(statement.body, label, to)
            return replace(statement, body=body, orelse=_redirected(statement.orelse, label, to))
        case WhileLoop():
            return replace(
                statement,
                before_test=_redirected(statement.before_test, label, to),
                body=_redirected(statement.body, label, to),
                orelse=_redirected(statement.orelse, label, to),
            )
        case Labelled() | With():
            return replace(statement, body=_redirected(statement.body, label, to))
        case Try():
            handlers = tuple(
                replace(handler, body=_redirected(handler.body, label, to))
                for handler in statement.handlers
            )
            return replace(
                statement,
                body=_redirected(statement.body, label, to),
                handlers=handlers,
                orelse=_redirected(statement.orelse, label, to),
                final=_redirected(statement.final, label, to),
            )
    return statement


def _continued(side: list[Statement], rest: list[Statement]) -> list[Statement]:
    return [*side, *rest] if _ends(side) else side


def _ends(block: Sequence[Statement]) -> bool:
    """Tell whether control may come out at the end of `block`."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, Branch):
        return _ends(last.then) or _ends(last.orelse)
    if isinstance(last, Try):
        normal = _ends(last.body) and _ends(last.orelse)
        handled = any(_ends(handler.body) for handler in last.handlers)
        return (normal or handled) and _ends(last.final)
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
