"""The structured program between the graph and Python's syntax tree.

Owns the forms of expressions and statements that scheduling produces: what is nested into what,
where control goes, which values are handed over where. It leaves choosing them to `schedule`,
variables to `coalesce` and Python's syntax to `emit`. Invariants:

- a statement runs its expressions in Python's own evaluation order;
- `Transfer` reads all its sources before it sets a target;
- a jump names the `Label` it leaves or continues; it need not be the innermost one;
- every expression stands at one place only, so executing the statements in order executes every
  operation exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ..ir.graph import Constant, Node, Origin, Value


@dataclass(frozen=True, eq=False, slots=True)
class Read:
    """The value of a variable, or a constant."""

    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class Apply:
    """An operation without regions, applied to expressions, one for each of its inputs."""

    node: Node
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Choose:
    """``then if test else orelse``."""

    node: Node
    test: Expression
    then: Expression
    orelse: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Shortcut:
    """``left and right``, ``left or right``."""

    node: Node
    kind: Literal["and", "or"]
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Invoke:
    """A call of a function of the program: operations from another file, or a definition."""

    node: Node
    function: Function
    arguments: tuple[Expression, ...]


Expression = Read | Apply | Choose | Shortcut | Invoke
Target = Value | tuple["Target", ...]
"""What a value is assigned to: a variable, or a tuple to unpack it into."""


class Label:
    """Names a loop or a block that jumps lead out of; compares by identity."""

    __slots__ = ()


@dataclass(frozen=True, eq=False, slots=True)
class Evaluate:
    """Evaluate an expression and assign its outputs to `targets` (none: for its effect)."""

    expression: Expression
    targets: tuple[Value, ...]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class InPlace:
    """``target = operand; target += right``, or ``target += right`` when they share a variable."""

    node: Node
    target: Value
    operand: Value
    right: Expression
    same_object: bool
    """The operation is known to give back its operand, changed."""

    @property
    def origin(self) -> Origin | None:
        """Where the operation comes from."""
        return self.node.origin


@dataclass(frozen=True, eq=False, slots=True)
class InPlaceItem:
    """``base[index] += right`` or ``base.name += right``: reads, changes and stores the item."""

    node: Node
    place: Apply
    """The reading of the item or attribute."""
    right: Expression

    @property
    def origin(self) -> Origin | None:
        """Where the operation comes from."""
        return self.node.origin


@dataclass(frozen=True, eq=False, slots=True)
class CheckBound:
    """Raise what reading an unbound name raises if `value` is the marker of one."""

    node: Node
    value: Expression

    @property
    def origin(self) -> Origin | None:
        """Where the operation comes from."""
        return self.node.origin


@dataclass(frozen=True, eq=False, slots=True)
class Transfer:
    """A parallel assignment of values to values; references, nothing is copied."""

    targets: tuple[Value, ...]
    sources: tuple[Value, ...]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Branch:
    """``if``."""

    test: Expression
    then: list[Statement]
    orelse: list[Statement]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class WhileLoop:
    """A loop with a test; `before_test` stands before the test at each iteration.

    Falling out of `body` is the next iteration; `orelse` runs when the test fails.
    """

    label: Label
    before_test: list[Statement]
    test: Expression
    body: list[Statement]
    orelse: list[Statement]
    origin: Origin | None
    test_origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class ForLoop:
    """A loop over an iterable; `orelse` runs when the items have run out."""

    label: Label
    target: Target
    iterable: Expression
    body: list[Statement]
    orelse: list[Statement]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Handler:
    """An ``except`` clause."""

    classes: Constant
    """The class of errors, or a tuple of classes."""
    error: Value | None
    """Holds the error in `body` and is deleted at its end; None if nothing reads it."""
    body: list[Statement]


@dataclass(frozen=True, eq=False, slots=True)
class Try:
    """``try``; parts that are empty are not there, but for the body."""

    body: list[Statement]
    handlers: tuple[Handler, ...]
    orelse: list[Statement]
    final: list[Statement]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class With:
    """``with manager as target``."""

    manager: Expression
    target: Value | None
    body: list[Statement]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Labelled:
    """Statements that a ``leave`` jump skips to the end of."""

    label: Label
    body: list[Statement]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Jump:
    """Leave a loop or labelled block, or continue with the next iteration of a loop."""

    kind: Literal["leave", "continue"]
    label: Label
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Return:
    """Return the values of `expressions`: one as it is, several as a tuple."""

    expressions: tuple[Expression, ...]
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Raise:
    """``raise exception``, ``raise exception from cause``, or ``raise`` alone."""

    exception: Expression | None
    cause: Expression | None
    origin: Origin | None


@dataclass(frozen=True, eq=False, slots=True)
class Unreachable:
    """Control never comes here."""

    origin: Origin | None = None


Statement = (
    Evaluate | InPlace | InPlaceItem | CheckBound | Transfer | Branch | WhileLoop | ForLoop
    | Try | With | Labelled | Jump | Return | Raise | Unreachable
)  # fmt: skip


@dataclass(eq=False, slots=True)
class Function:
    """One function of the program."""

    name: str
    file: str
    params: tuple[Value, ...]
    body: list[Statement] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    """The functions it calls, in order of first call."""


def leaves(expression: Expression) -> Iterator[Value]:
    """Yield every value that `expression` reads, variables and constants, with repetitions."""
    if isinstance(expression, Read):
        yield expression.value
        return
    for operand in children(expression):
        yield from leaves(operand)


def children(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions that stand directly in `expression`."""
    if isinstance(expression, Apply):
        return expression.operands
    if isinstance(expression, Choose):
        return expression.test, expression.then, expression.orelse
    if isinstance(expression, Shortcut):
        return expression.left, expression.right
    if isinstance(expression, Invoke):
        return expression.arguments
    return ()


def variables(expression: Expression) -> Iterator[Value]:
    """Yield every variable that `expression` reads, with repetitions."""
    for value in leaves(expression):
        if not isinstance(value, Constant):
            yield value


def target_values(target: Target) -> Iterator[Value]:
    """Yield the variables of `target`, from left to right."""
    if isinstance(target, Value):
        yield target
    else:
        for part in target:
            yield from target_values(part)


def is_statement_only(expression: Expression) -> bool:
    """Tell whether `expression` stands in a statement with targets, and nowhere else."""
    return isinstance(expression, Apply) and expression.node.op.name in ("unpack", "unpack_starred")


def inner_blocks(statement: Statement) -> tuple[list[Statement], ...]:
    """Return the lists of statements that stand in `statement`, in order."""
    if isinstance(statement, Branch):
        return statement.then, statement.orelse
    if isinstance(statement, WhileLoop):
        return statement.before_test, statement.body, statement.orelse
    if isinstance(statement, ForLoop):
        return statement.body, statement.orelse
    if isinstance(statement, Try):
        handlers = (handler.body for handler in statement.handlers)
        return statement.body, *handlers, statement.orelse, statement.final
    if isinstance(statement, Labelled | With):
        return (statement.body,)
    return ()


def operands(statement: Return | Raise) -> tuple[Expression, ...]:
    """Return the expressions of a statement that leaves the function, in their order."""
    if isinstance(statement, Return):
        return statement.expressions
    return tuple(part for part in (statement.exception, statement.cause) if part is not None)
