"""Expressions that wait to be nested into their use.

Owns the list of expressions that are computed, in the order of the graph, but not yet written
down, and the rule that says which of them must become statements first. It leaves what to nest
where to `schedule`. Invariant: the statements written so far, then the waiting expressions in
their order, mean what the graph means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..ir.graph import Constant, Origin, Value
from .ordering import NOTHING, conflict
from .statements import (
    Branch,
    Choose,
    Evaluate,
    Expression,
    Read,
    Statement,
    Transfer,
)

MAX_HEIGHT = 24
"""Deeper expressions are cut: Python's compiler recurses over them, and nobody reads them."""
MAX_WAITING = 16
"""More waiting expressions are written down, which bounds the work of comparing them."""


@dataclass(frozen=True, eq=False, slots=True)
class Nested:
    """An expression with what is needed to move it."""

    expression: Expression
    effects: int = NOTHING
    height: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class _Waiting:
    value: Value
    nested: Nested
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Taken:
    """The operands of an operation, with the effects and height of the whole."""

    operands: tuple[Expression, ...]
    effects: int
    height: int

    def build(self, expression: Expression) -> Nested:
        """Return `expression`, made of the operands, with its effects and height."""
        return Nested(expression, self.effects, self.height)


class Pending:
    """The waiting expressions of one region, and the statements written so far.

    Values in `inlined` are no variables: their expression is written at each use.
    """

    def __init__(self, inlined: Mapping[Value, Nested]) -> None:
        self.statements: list[Statement] = []
        self._inlined = inlined
        self._waiting: list[_Waiting] = []

    def push(self, value: Value, nested: Nested, origin: Origin | None) -> None:
        """Let `value` wait for its one use."""
        self._waiting.append(_Waiting(value, nested, origin))
        if len(self._waiting) > MAX_WAITING:
            self._write(self._waiting.pop(0))

    def peek(self, value: Value) -> Nested | None:
        """Return what waits as `value`, None if it is a variable or constant."""
        return next((w.nested for w in self._waiting if w.value is value), None)

    def only(self, value: Value) -> Nested | None:
        """Return `value` as an expression if that is all there is in this region, else None."""
        if self.statements or len(self._waiting) > 1:
            return None
        if not self._waiting:
            return Nested(self._read(value))
        waiting = self._waiting[0]
        return waiting.nested if waiting.value is value else None

    def flush(self) -> None:
        """Write down all that waits."""
        self.take((), (), NOTHING, alone=True)

    def take(
        self,
        values: Sequence[Value],
        order: Sequence[int],
        effects: int,
        *,
        unnested: Iterable[Value] = (),
        alone: bool = False,
        waits: bool = False,
        inner: Sequence[Nested] = (),
    ) -> Taken:
        """Return `values` as operands of an operation that runs next, or waits next.

        Parameters
        ----------
        values : the operands.
        order : the positions of those that may be nested, as Python will evaluate them.
        effects : what the operation itself does.
        unnested : further values that must be variables when the operation runs.
        alone : nothing may wait across the operation.
        waits : the operation is not written now, but will wait behind what waits already.
        inner : expressions that become part of the operation besides the operands.
        """
        rank = {values[position]: number for number, position in enumerate(order)}
        barred = {*unnested}
        barred.update(values[i] for i in range(len(values)) if i not in order)
        written = {
            i
            for i, waiting in enumerate(self._waiting)
            if waiting.value in barred
            or (alone and waiting.value not in rank)
            or (waiting.value in rank and waiting.nested.height >= MAX_HEIGHT)
        }
        for part in inner:
            effects |= part.effects
        self._close_over(written, rank, None if waits else effects)
        nested: dict[Value, Nested] = {}
        kept: list[_Waiting] = []
        for i, waiting in enumerate(self._waiting):
            if i in written:
                self._write(waiting)
            elif waiting.value in rank:
                nested[waiting.value] = waiting.nested
            else:
                kept.append(waiting)
        self._waiting = kept
        parts = [*nested.values(), *inner]
        for part in parts:
            effects |= part.effects
        height = 1 + max((part.height for part in parts), default=0)
        operands = tuple(
            nested[value].expression if value in nested else self._read(value) for value in values
        )
        return Taken(operands, effects, height)

    def _read(self, value: Value) -> Expression:
        return self._inlined[value].expression if value in self._inlined else Read(value)

    def _close_over(self, written: set[int], rank: dict[Value, int], effects: int | None) -> None:
        """Add to `written` what has to be written down so that all keeps its order.

        What is written runs first. Then, if the operation has `effects` now, its operands run by
        rank, the operation, and the rest; if it waits, the rest, its operands by rank, and it.
        """
        waiting = self._waiting

        def place(i: int) -> tuple[int, int]:
            """Return what says when an expression runs, by comparison."""
            number = rank.get(waiting[i].value)
            if i in written:
                return 0, i
            if number is not None:
                return 2, number
            return (3 if effects is not None else 1), i

        changed = True
        while changed:
            changed = False
            for i in range(len(waiting) - 1, -1, -1):
                mine = waiting[i].nested.effects
                if i in written or mine == NOTHING:
                    continue
                here = place(i)
                passes_operation = effects is not None and here[0] == 3 and conflict(mine, effects)
                if passes_operation or any(
                    place(j) < here and conflict(mine, waiting[j].nested.effects)
                    for j in range(i + 1, len(waiting))
                ):
                    written.add(i)
                    changed = True

    def _write(self, waiting: _Waiting) -> None:
        expression = waiting.nested.expression
        self.statements.append(definition(waiting.value, expression, waiting.origin))


def definition(value: Value, expression: Expression, origin: Origin | None) -> Statement:
    """Return the statement that lets `value` be the value of `expression`.

    A choice in which one side is a variable becomes a branch: the variable may turn out to be the
    same, and then that side does nothing.
    """
    if isinstance(expression, Read):
        return Transfer((value,), (expression.value,), origin)
    if isinstance(expression, Choose) and any(
        isinstance(side, Read) and not isinstance(side.value, Constant)
        for side in (expression.then, expression.orelse)
    ):
        return Branch(
            expression.test,
            [definition(value, expression.then, origin)],
            [definition(value, expression.orelse, origin)],
            expression.node.origin,
        )
    return Evaluate(expression, (value,), origin)
