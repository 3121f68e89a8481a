"""Variables that keep objects alive.

Owns saying which values are objects that may do something when they are freed, such as a temporary
directory that removes itself, and in which call of a function their variable lives. It leaves what
follows from that to `schedule`, `coalesce` and `release`. Invariant: an object that the plain
function holds by a variable is not freed before that variable is assigned again or its function
returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..ir.graph import Node, Origin, Value
from ..ir.types import ObjectType, OpaqueType
from .statements import (
    Apply,
    Branch,
    CheckBound,
    Evaluate,
    Expression,
    ForLoop,
    InPlace,
    InPlaceItem,
    Invoke,
    Raise,
    Return,
    Statement,
    WhileLoop,
    With,
    children,
    operands,
)

_MAKERS = frozenset({"call", "method", "new_object"})
"""Operations that may return an object that nothing else holds."""

Frame = tuple[Origin | None, str]
"""Where a function was called, and its name."""


def is_held(node: Node, hint: Callable[[Value], str]) -> bool:
    """Tell whether an operation makes an object that a variable of the user's then holds."""
    if node.op.name not in _MAKERS or len(node.outputs) != 1:
        return False
    (value,) = node.outputs
    return isinstance(value.type, ObjectType | OpaqueType) and bool(hint(value))


def holds(statement: Statement, hint: Callable[[Value], str]) -> bool:
    """Tell whether the target of a statement keeps an object alive."""
    return (
        isinstance(statement, Evaluate)
        and isinstance(statement.expression, Apply)
        and len(statement.targets) == 1
        and is_held(statement.expression.node, hint)
    )


def frame_of(origin: Origin | None) -> Frame | None:
    """Return the call of a function in which an operation stands."""
    return None if origin is None else (origin.caller, origin.function)


def frames(statement: Statement) -> Iterator[Frame]:
    """Yield the calls of functions in which a statement, or a part of it, stands.

    What is in its inner blocks is not counted.
    """
    for origin in _origins(statement):
        while origin is not None:
            yield origin.caller, origin.function
            origin = origin.caller


def _origins(statement: Statement) -> Iterator[Origin | None]:
    yield statement.origin
    pending = list(_expressions(statement))
    while pending:
        expression = pending.pop()
        if isinstance(expression, Apply | Invoke):
            yield expression.node.origin
        pending += children(expression)


def _expressions(statement: Statement) -> Iterator[Expression]:
    match statement:
        case Evaluate():
            yield statement.expression
        case InPlace():
            yield statement.right
        case InPlaceItem():
            yield from (statement.place, statement.right)
        case CheckBound():
            yield statement.value
        case Branch() | WhileLoop():
            yield statement.test
        case ForLoop():
            yield statement.iterable
        case With():
            yield statement.manager
        case Return() | Raise():
            yield from operands(statement)
