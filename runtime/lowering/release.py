"""Variables to delete, so that memory is freed when the plain function frees it.

Owns finding, after each simple statement, the variables whose value was read for the last time and
that the plain function does not hold: temporaries, and locals of functions that were inlined, which
Python drops when they return (not before, if an object may do something when it is freed). It
leaves the statement itself to `emit`. Invariant: a variable is deleted only where it is bound and
holds nothing that is read later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

from ..ir.graph import Constant, Origin, Value
from ..ir.types import ArrayType, OpaqueType, Type, UnionType
from ..ops.registry import Sharing
from .coalesce import Variables
from .holding import Frame, frame_of, frames, holds
from .statements import (
    Apply,
    Evaluate,
    Function,
    InPlace,
    InPlaceItem,
    Read,
    Statement,
    Transfer,
    inner_blocks,
    variables,
)

_SMALL = 1024
"""Arrays known to have no more elements are not worth a statement."""


class Releases:
    """What is deleted after each statement of one function."""

    def __init__(
        self, function: Function, variables_: Variables, hint: Callable[[Value], str]
    ) -> None:
        self._variables = variables_
        self._hint = hint
        self._params = {variables_.number[value] for value in function.params}
        self._made_by: dict[Value, Evaluate | InPlace] = {}
        simple = list(_simple(function.body))
        for statement in simple:
            if isinstance(statement, Evaluate):
                self._made_by.update(dict.fromkeys(statement.targets, statement))
            elif isinstance(statement, InPlace):
                self._made_by[statement.target] = statement
        self._after = {statement: self._released(statement) for statement in simple}
        self._handed_on = set(_handed_on(function.body))
        self._release_held(function.body)

    def after(self, statement: Statement) -> tuple[Value, ...]:
        """Return the values whose variables are deleted after `statement`."""
        return self._after.get(statement, ())

    def _released(self, statement: Statement) -> tuple[Value, ...]:
        number = self._variables.number
        live = {number[value] for value in self._variables.live_after(statement)}
        chosen: dict[int, Value] = {}
        for value in _read_by(statement):
            if isinstance(value, Constant) or number[value] in live | self._params:
                continue
            if self._is_dropped(value) and _may_be_large(value.type):
                chosen[number[value]] = value
        return tuple(chosen.values())

    def _release_held(self, block: Sequence[Statement]) -> None:
        """Release what variables of inlined functions hold, where those functions return."""
        last: dict[Frame | None, Statement] = {}
        for statement in reversed(block):
            for part in inner_blocks(statement):
                self._release_held(part)
            for frame in frames(statement):
                last.setdefault(frame, statement)
            if isinstance(statement, Evaluate) and holds(statement, self._hint):
                end = last.get(frame_of(statement.origin))
                if end in self._after and self._may_go(statement, end):
                    self._after[end] += statement.targets

    def _may_go(self, statement: Evaluate, end: Statement) -> bool:
        """Tell whether `end` may be followed by deleting what `statement` sets."""
        (value,) = statement.targets
        if not _is_inlined(statement.origin) or value in self._handed_on:
            return False
        alone = len(self._variables.members[self._variables.number[value]]) == 1
        return alone and value not in set(self._variables.live_after(end))

    def _is_dropped(self, value: Value) -> bool:
        """Tell whether the plain function drops the value at about its last use."""
        made_by = self._made_by.get(value)
        if made_by is None or holds(made_by, self._hint):
            return False
        if isinstance(made_by, Evaluate) and self._is_view_of_kept(made_by):
            return False
        return not self._hint(value) or _is_inlined(made_by.origin)

    def _is_view_of_kept(self, statement: Evaluate) -> bool:
        """Tell whether a statement makes views of a variable that is kept to the end."""
        expression = statement.expression
        if not isinstance(expression, Apply) or not expression.operands:
            return False
        base = expression.operands[0]
        if not isinstance(base, Read) or isinstance(base.value, Constant):
            return False
        node = expression.node
        aliases = node.op.effects(node.inputs, node.attrs).aliases
        if not all(alias.sharing is Sharing.VIEW for alias in aliases):
            return False
        in_params = self._variables.number[base.value] in self._params
        return in_params or (base.value in self._made_by and not self._is_dropped(base.value))


def _is_inlined(origin: Origin | None) -> bool:
    """Tell whether `origin` is in another function than the one it was reached from."""
    outermost = origin
    while outermost is not None and outermost.caller is not None:
        outermost = outermost.caller
    return outermost is not None and origin is not None and outermost.function != origin.function


def _simple(block: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements without inner blocks."""
    for statement in block:
        if isinstance(statement, Evaluate | InPlace | InPlaceItem):
            yield statement
        for part in inner_blocks(statement):
            yield from _simple(part)


def _handed_on(block: Sequence[Statement]) -> Iterator[Value]:
    """Yield what is copied to other variables."""
    for statement in block:
        if isinstance(statement, Transfer):
            yield from statement.sources
        for part in inner_blocks(statement):
            yield from _handed_on(part)


def _read_by(statement: Statement) -> Iterator[Value]:
    if isinstance(statement, Evaluate):
        yield from variables(statement.expression)
    elif isinstance(statement, InPlace):
        yield statement.operand
        yield from variables(statement.right)
    elif isinstance(statement, InPlaceItem):
        yield from variables(statement.place)
        yield from variables(statement.right)


def _may_be_large(type_: Type) -> bool:
    """Tell whether a value is worth a statement, which costs as much as looking at a variable."""
    if isinstance(type_, UnionType):
        return any(map(_may_be_large, type_.options))
    if isinstance(type_, OpaqueType):
        return True
    if not isinstance(type_, ArrayType):
        return False
    shape = type_.shape
    if shape is None or not all(isinstance(extent, int) for extent in shape):
        return shape is None or bool(shape)
    return prod(extent for extent in shape if isinstance(extent, int)) > _SMALL
