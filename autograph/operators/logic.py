"""Truth, identity, membership and chained comparison in converted code.

Owns what Python offers no method for: ``and``, ``or``, ``not``, ``is``, ``in`` and chains.
Invariant: operands are evaluated when Python would evaluate them, and at most once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runtime.ir.types import (
    BOOL,
    BottomType,
    NoneType,
    OpaqueType,
    TupleType,
    Type,
    UnboundType,
    UnionType,
)
from runtime.tracing import control
from runtime.tracing.signals import Unstageable
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import Symbol, is_symbolic, value_of

Thunk = Callable[[], object]
_COMPARE: dict[str, Callable[[Any, Any], object]] = {  # expressions: a symbol on the right sees
    "<": lambda a, b: a < b,  # by the instruction that it was not on the left
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": operator.eq,
    "!=": operator.ne,
}


def and_(first: object, *rest: Thunk) -> object:
    """Return ``first and ...``: the first operand that is false, else the last.

    >>> and_(0, lambda: 1 / 0), and_(1, lambda: 2)
    (0, 2)
    """
    if not rest:
        return first
    tracer = current_tracer()
    if tracer is None:
        return and_(rest[0](), *rest[1:]) if first else first
    return control.cond(
        tracer, first, lambda: and_(rest[0](), *rest[1:]), lambda: first, (), ()
    )


def or_(first: object, *rest: Thunk) -> object:
    """Return ``first or ...``: the first operand that is true, else the last.

    >>> or_(3, lambda: 1 / 0), or_(0, lambda: [])
    (3, [])
    """
    if not rest:
        return first
    tracer = current_tracer()
    if tracer is None:
        return first if first else or_(rest[0](), *rest[1:])
    return control.cond(tracer, first, lambda: first, lambda: or_(rest[0](), *rest[1:]), (), ())


def not_(operand: object) -> object:
    """Return ``not operand``.

    >>> not_([])
    True
    """
    tracer = current_tracer()
    if tracer is None:
        return not operand
    truth = control.known_truth(tracer, operand)
    return tracer.operate("not", operand) if truth is None else not truth


def is_(a: object, b: object) -> object:
    """Return ``a is b``.

    >>> is_(None, None)
    True
    """
    tracer = current_tracer()
    if tracer is None:
        return a is b
    if a is b or not is_symbolic((a, b)):
        return tracer.host.plain(a) is tracer.host.plain(b)
    if type(a) is Symbol and type(b) is Symbol and value_of(a) is value_of(b):
        return True
    for one, other in ((a, b), (b, a)):
        if type(one) is Symbol and other is None:
            known = tracer.ask(one, _is_none)
            if known is not None:
                return known
        if type(one) is Symbol and isinstance(other, bool):
            if not tracer.ask(one, _may_be_bool):
                return False
        if type(one) is tuple and is_symbolic(one):
            if type(other) is tuple or (type(other) is Symbol and tracer.ask(other, _may_be_tuple)):
                raise Unstageable(
                    "`is` asks for the identity of a tuple that is made at run time, which is "
                    "made anew at each use",
                    "compare with ==, or keep what tells the tuples apart in a variable",
                )
    return tracer.operate("is", a, b)


def is_not(a: object, b: object) -> object:
    """Return ``a is not b``.

    >>> is_not(None, None)
    False
    """
    return not_(is_(a, b))


def in_(item: object, container: object) -> object:
    """Return ``item in container``.

    >>> in_(2, (1, 2))
    True
    """
    tracer = current_tracer()
    if tracer is None or not is_symbolic((item, container)):
        return item in container  # type: ignore[operator]  # Python's own error
    return tracer.operate("in", item, container)


def not_in(item: object, container: object) -> object:
    """Return ``item not in container``.

    >>> not_in(2, (1, 2))
    False
    """
    tracer = current_tracer()
    if tracer is None or not is_symbolic((item, container)):
        return item not in container  # type: ignore[operator]  # Python's own error
    return tracer.operate("not_in", item, container)


def compare(first: object, *chain: object) -> object:
    """Return the comparison ``first < second < ...``, of a chain or with a tuple.

    Of a tuple with run-time values Python would compare the items one by one, and ask of each
    whether it is equal; so the whole comparison is recorded.

    `chain` alternates an operator's text and a function that computes the next operand.

    >>> compare(1, "<", lambda: 2, "<", lambda: 2)
    False
    """
    text, thunk, *rest = chain
    second = thunk()  # type: ignore[operator]  # a thunk by position
    tracer = current_tracer()
    name = _TUPLE_OPERATIONS.get(text)  # type: ignore[call-overload]  # a text: one of the table's
    in_tuple = type(first) is tuple or type(second) is tuple
    if tracer is not None and name and in_tuple and is_symbolic((first, second)):
        result = tracer.operate(name, first, second)
    else:
        result = _COMPARISONS[text](first, second)  # type: ignore[index]
    return and_(result, lambda: compare(second, *rest)) if rest else result


_TUPLE_OPERATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}

_COMPARISONS: dict[str, Callable[[object, object], object]] = {
    **_COMPARE,
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}


def _is_none(type_: Type) -> bool | None:
    """Answer whether values of `type_` are None, None where only the run can tell."""
    if isinstance(type_, NoneType):
        return True
    return None if _may_be(type_, NoneType) else False


def _may_be_bool(type_: Type) -> bool:
    if isinstance(type_, UnionType):
        return any(_may_be_bool(option) for option in type_.options)
    return type_ == BOOL or isinstance(type_, OpaqueType | BottomType)


def _may_be_tuple(type_: Type) -> bool:
    return _may_be(type_, TupleType)


def _may_be(type_: Type, kind: type[Type]) -> bool:
    if isinstance(type_, UnionType):
        return any(_may_be(option, kind) for option in type_.options)
    return isinstance(type_, kind | OpaqueType | BottomType | UnboundType)
