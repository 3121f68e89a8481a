"""Probes around single operations: which trees compute one, and how each is wrapped.

Owns expressions and simple statements, the numbers of operations, and how often each is reached. It
leaves statements with others in them, and when which form runs, to `instrument`. Invariant: what is
wrapped is evaluated at the same moment as before, and its value is the very object.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ..ir.graph import Node
from ..lowering.program import Emitted
from ..lowering.statements import Function
from ..ops.control import IF
from .trees import Statements, Tree, at, call, rebuilt


@dataclass(frozen=True)
class Loop:
    """A loop of the program."""

    kind: str
    """``for`` or ``while``."""
    line: int
    file: str


@dataclass(eq=False)
class Probed:
    """An operation with a probe."""

    node: Node
    counters: tuple[int, ...]
    """Counters whose sum says how often the operation was reached."""
    minus: tuple[int, ...]
    """Counters to take off that sum: of the jumps past the operation."""
    conditional: bool
    """It is evaluated in some executions of its unit only; the samples tell in how many."""
    loops: tuple[Loop, ...]
    """The loops around it, outermost first."""
    file: str
    line: int
    """Where its syntax stands; the origin of the operation says more, if there is one."""


@dataclass(eq=False)
class Tables:
    """What the functions of one program share."""

    emitted: Emitted
    plain: frozenset[str]
    """Names of functions that stay as they are."""
    called: frozenset[str]
    """Names of the functions of the program."""
    operations: list[Probed] = field(default_factory=list)
    index: dict[Node, int] = field(default_factory=dict)
    """Where an operation is in `operations`."""
    costs: list[float] = field(default_factory=list)
    """For each unit: what its probes take."""
    entries: list[int] = field(default_factory=list)
    """Units that are whole functions."""
    counters: int = 0
    """How many further counters there are; they get their numbers when all units have theirs."""


@dataclass(eq=False)
class Reached:
    """How often control reaches a place: a sum of counters; grows while statements are read."""

    counters: tuple[int, ...]
    minus: tuple[int, ...] = ()
    conditional: bool = False


class Marker:
    """Puts probes around the operations of one function."""

    def __init__(self, tables: Tables, function: Function) -> None:
        self._tables = tables
        self._function = function
        self.loops: tuple[Loop, ...] = ()
        """The loops around what is being marked, outermost first."""
        self.probes = 0
        """How many probes there are so far."""

    def statement(self, statement: ast.stmt, reached: Reached) -> Statements:
        """Return a statement with probes in it, and after it if it is an operation."""
        timed = self._children(statement, reached)
        node = self._tables.emitted.operations.get(statement)
        if node is None:
            return [timed]
        self.probes += 1
        number = self.number(node, reached, statement)
        return [timed, at(ast.Expr(call(".done", ast.Constant(number))), statement)]

    def expression(self, tree: ast.expr, reached: Reached) -> ast.expr:
        """Return an expression with a probe around each operation in it."""
        if isinstance(tree, ast.Lambda | ast.GeneratorExp | ast.ListComp | ast.SetComp):
            return tree
        inner = self._children(tree, reached)
        node = self._tables.emitted.operations.get(tree)
        if node is None or node.op is IF:
            return inner
        self.probes += 1
        called = inner.func if isinstance(inner, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else ""
        if name in self._tables.called and name not in self._tables.plain:
            return at(call(".returned", inner), tree)
        number = self.number(node, reached, tree)
        return at(call(".value", ast.Constant(number), inner), tree)

    def _children(self, tree: Tree, reached: Reached) -> Tree:
        """Return `tree` with probes in its parts."""
        sometimes = Reached(reached.counters, reached.minus, True)
        changed: dict[str, object] = {}
        for name, part in ast.iter_fields(tree):
            here = reached
            if isinstance(tree, ast.IfExp) and name in ("body", "orelse"):
                here = sometimes
            if isinstance(part, ast.AST):
                new: object = self._part(part, here, name)
            elif isinstance(part, list):
                new = [
                    self._part(
                        one,
                        sometimes if isinstance(tree, ast.BoolOp) and number else here,
                        name,
                    )
                    if isinstance(one, ast.AST)
                    else one
                    for number, one in enumerate(part)
                ]
            else:
                continue
            changed[name] = new
        return rebuilt(tree, **changed)

    def _part(self, part: ast.AST, reached: Reached, field_: str) -> ast.AST:
        if isinstance(part, ast.expr) and field_ != "format_spec":
            return self.expression(part, reached)
        if isinstance(part, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
            return part
        return self._children(part, reached)

    def number(self, node: Node, reached: Reached, where: ast.AST) -> int:
        """Return the number of an operation; one that stands at two places has one number."""
        tables = self._tables
        number = tables.index.setdefault(node, len(tables.operations))
        if number < len(tables.operations):
            known = tables.operations[number]
            known.counters += reached.counters
            known.minus += reached.minus
            return number
        line = getattr(where, "lineno", 0)
        tables.operations.append(
            Probed(
                node, reached.counters, reached.minus, reached.conditional, self.loops,
                self._function.file, line,
            )
        )  # fmt: skip
        return number
