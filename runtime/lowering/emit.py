"""Python syntax of statements.

Owns turning the scheduled statements of one function, with their variables, into a function
definition: jumps, loops, assignments. It leaves expressions to `expressions`. Invariant: the
tree executes the statements in their order; every node of it has a position.

A jump that no ``break`` or ``continue`` of Python reaches (it leaves several loops at once) sets
a flag and breaks; the flag is looked at after the loop, not in it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ..ir.graph import Constant, Node, Origin, Value
from ..ops.containers import UNBOUND_MARKER
from .coalesce import Variables
from .expressions import ExpressionEmitter
from .names import GlobalNames, LocalNames
from .origins import origin_in, place
from .patterns import IN_PLACE, is_unbound, unbound_error
from .release import Releases
from .statements import (
    Apply,
    Branch,
    CheckBound,
    Evaluate,
    Expression,
    ForLoop,
    Function,
    Handler,
    InPlace,
    InPlaceItem,
    Jump,
    Label,
    Labelled,
    Raise,
    Read,
    Return,
    Statement,
    Transfer,
    Try,
    Unreachable,
    WhileLoop,
    With,
    is_statement_only,
    operands,
    variables,
)
from .structure import falls_through, tail_form

JumpTarget = tuple[Literal["leave", "continue"], Label]
Tail = frozenset[JumpTarget]
_NOWHERE: Tail = frozenset()


@dataclass(eq=False)
class _PythonLoop:
    """A loop of the emitted text that is open."""

    label: Label
    """The loop, or the labelled block that is written as a loop which runs once."""
    is_left: bool = False
    flags: dict[JumpTarget, str] = field(default_factory=dict)
    """Flags to look at after the loop, for jumps that lead further."""


class FunctionEmitter:
    """Makes the definition of one function."""

    def __init__(
        self,
        function: Function,
        variables_: Variables,
        locals_: LocalNames,
        globals_: GlobalNames,
        function_names: dict[Function, str],
        hint: Callable[[Value], str],
        operations: dict[ast.AST, Node],
    ) -> None:
        self._function = function
        self._variables = variables_
        self._locals = locals_
        self._globals = globals_
        self._expressions = ExpressionEmitter(
            function.file, locals_, globals_, function_names, hint, operations
        )
        self._operations = operations
        """The operation that each statement of its own kind was made for."""
        self._releases = Releases(function, variables_, hint)
        self._loops: list[_PythonLoop] = []
        self._guards = 0
        """How many ``try`` stand around that may catch what is raised here."""
        self._finals: list[int] = []
        """How many loops are open around each final part that is being emitted."""
        self._last: Origin | None = None

    def definition(self, name: str) -> ast.FunctionDef:
        """Return the function definition."""
        definition = ast.parse(f"def {name}(): pass").body[0]
        assert isinstance(definition, ast.FunctionDef)
        body = self._block(self._function.body, _NOWHERE)
        first = min((node.lineno for node in body), default=1)
        definition.args.args = [
            ast.arg(self._locals.of(value)) for value in self._function.params
        ]
        definition.lineno = definition.end_lineno = first
        for argument in definition.args.args:
            place(argument, Origin("", first, 0, first, 0, ""))
        definition.body = body or [place(ast.Pass(), None)]
        return definition

    # -- blocks ------------------------------------------------------------------------------

    def _block(self, statements: list[Statement], tail: Tail) -> list[ast.stmt]:
        """Return a block; jumps to where it leads anyway (`tail`) need no statement."""
        folds: dict[Statement, dict[int, Evaluate]] = {
            statement: self._folds(statements, number)
            for number, statement in enumerate(statements)
            if isinstance(statement, Transfer)
        }
        folded = {evaluation for fold in folds.values() for evaluation in fold.values()}
        result: list[ast.stmt] = []
        for number, statement in enumerate(statements):
            if statement in folded:
                continue
            here = tail if number == len(statements) - 1 else _NOWHERE
            result += self._statement(statement, here, folds.get(statement, {}))
            released = self._releases.after(statement)
            if released:
                result.append(self._delete(released))
        return result

    def _delete(self, values: tuple[Value, ...]) -> ast.stmt:
        """Return the deletion of the variables of `values`, which are bound and hold arrays."""
        names = [ast.Name(self._locals.of(value), ast.Del()) for value in values]
        return place(ast.Delete(list[ast.expr](names)), self._last)

    def _statement(
        self, statement: Statement, tail: Tail, folds: dict[int, Evaluate]
    ) -> list[ast.stmt]:
        origin = origin_in(statement.origin, self._function.file) or self._last
        self._last = origin
        result: list[ast.stmt]
        match statement:
            case Evaluate():
                result = [self._evaluate(statement, origin)]
            case InPlace():
                result = self._in_place(statement, origin)
                self._operations[result[-1]] = statement.node
            case InPlaceItem():
                result = [self._in_place_item(statement, origin)]
                self._operations[result[-1]] = statement.node
            case CheckBound():
                result = [self._check_bound(statement, origin)]
            case Transfer():
                result = self._transfer(statement, folds, origin)
            case Branch():
                result = self._branch(statement, tail, origin)
            case WhileLoop():
                result = self._while(statement, tail, origin)
            case ForLoop():
                result = self._for(statement, tail, origin)
            case Try():
                result = self._try(statement, tail, origin)
            case With():
                result = self._with(statement, tail, origin)
            case Labelled():
                result = self._labelled(statement, tail, origin)
            case Jump():
                result = self._jump((statement.kind, statement.label), tail)
            case Return():
                result = [self._return(statement, origin)]
            case Raise():
                parts = [self._expressions.emit(part, origin) for part in operands(statement)]
                result = [ast.Raise(*parts)]
            case Unreachable():
                result = []
        return [place(tree, origin) for tree in result]

    # -- assignments -------------------------------------------------------------------------

    def _evaluate(self, statement: Evaluate, origin: Origin | None) -> ast.stmt:
        expression, targets = statement.expression, statement.targets
        if isinstance(expression, Apply):
            special = self._special(expression, targets, origin)
            if special is not None:
                self._operations[special] = expression.node
                return special
        value = self._expressions.emit(expression, origin)
        if len(targets) > 1:
            return ast.Assign([self._expressions.target(targets, origin)], value)
        if targets and self._variables.is_live(statement, targets[0]):
            return ast.Assign([self._expressions.target(targets[0], origin)], value)
        return ast.Expr(value)

    def _special(
        self, expression: Apply, targets: tuple[Value, ...], origin: Origin | None
    ) -> ast.stmt | None:
        """Return the statement of an operation that has one of its own."""
        operands, name = expression.operands, expression.node.op.name
        emit = self._expressions.emit
        match name:
            case "setitem":
                value = emit(operands[2], origin)
                return ast.Assign([self._place_of(expression, ast.Store(), origin)], value)
            case "setattr":
                value = emit(operands[1], origin)
                return ast.Assign([self._place_of(expression, ast.Store(), origin)], value)
            case "delitem" | "delattr":
                return ast.Delete([self._place_of(expression, ast.Del(), origin)])
            case "unpack":
                target = self._expressions.target(targets, origin)
                return ast.Assign([target], emit(operands[0], origin))
            case "unpack_starred":
                before = expression.node.attrs["before"]
                assert isinstance(before, int)
                parts = [self._expressions.target(target, origin) for target in targets]
                parts[before] = ast.Starred(parts[before], ast.Store())
                return ast.Assign([ast.Tuple(parts, ast.Store())], emit(operands[0], origin))
        return None

    def _place_of(
        self, expression: Apply, context: ast.expr_context, origin: Origin | None
    ) -> ast.Subscript | ast.Attribute:
        """Return the item or attribute that an operation reads, sets or deletes."""
        base = self._expressions.emit(expression.operands[0], origin)
        name = expression.node.attrs.get("name")
        if expression.node.op.name in ("getattr", "setattr", "delattr"):
            assert isinstance(name, str)
            return ast.Attribute(base, name, context)
        index = self._expressions.index(expression.operands[1], origin)
        return ast.Subscript(base, index, context)

    def _in_place(self, statement: InPlace, origin: Origin | None) -> list[ast.stmt]:
        target = self._expressions.target(statement.target, origin)
        assert isinstance(target, ast.Name)
        result: list[ast.stmt] = []
        if not self._variables.same(statement.target, statement.operand):
            source = self._expressions.emit(Read(statement.operand), origin)
            again = self._expressions.target(statement.target, origin)
            result.append(ast.Assign([again], source))
        operator = IN_PLACE[statement.node.op.name]()
        right = self._expressions.emit(statement.right, origin)
        return [*result, ast.AugAssign(target, operator, right)]

    def _in_place_item(self, statement: InPlaceItem, origin: Origin | None) -> ast.stmt:
        target = self._place_of(statement.place, ast.Store(), origin)
        operator = IN_PLACE[statement.node.op.name]()
        return ast.AugAssign(target, operator, self._expressions.emit(statement.right, origin))

    def _check_bound(self, statement: CheckBound, origin: Origin | None) -> ast.stmt:
        error = unbound_error(statement.node)
        call: ast.expr = ast.Call(
            ast.Name(self._globals.of(type(error), type(error).__name__), ast.Load()),
            [ast.Constant(str(error))],
            [ast.keyword("name", ast.Constant(error.name))] if error.name else [],
        )
        if is_unbound(statement.value):
            return ast.Raise(call)
        value = self._expressions.emit(statement.value, origin)
        marker = self._expressions.emit(Read(Constant(UNBOUND_MARKER)), origin)
        return ast.If(ast.Compare(value, [ast.Is()], [marker]), [ast.Raise(call)], [])

    def _folds(self, statements: list[Statement], end: int) -> dict[int, Evaluate]:
        """Return the evaluations before the transfer at `end` that can stand in it.

        They are keyed by the position of the source they become. Their value goes nowhere else,
        and the transfer evaluates its sources in the order the evaluations stand in.
        """
        transfer = statements[end]
        found: dict[int, Evaluate] = {}
        if not isinstance(transfer, Transfer):
            return found
        limit = len(transfer.sources)
        for number in range(end - 1, -1, -1):
            statement = statements[number]
            if not isinstance(statement, Evaluate) or len(statement.targets) != 1:
                break
            value = statement.targets[0]
            if self._variables.reads.get(value) != 1 or value not in transfer.sources:
                break
            position = transfer.sources.index(value)
            target = transfer.targets[position]
            if (
                position >= limit
                or self._variables.same(target, value)
                or not self._variables.is_live(transfer, target)
                or is_statement_only(statement.expression)
            ):
                break
            found[position] = statement
            limit = position
        return found

    def _transfer(
        self, statement: Transfer, folds: dict[int, Evaluate], origin: Origin | None
    ) -> list[ast.stmt]:
        sources: list[Expression] = [
            folds[i].expression if i in folds else Read(source)
            for i, source in enumerate(statement.sources)
        ]
        moves = [
            (target, source)
            for target, source in zip(statement.targets, sources, strict=True)
            if self._variables.is_live(statement, target)
            and not (isinstance(source, Read) and self._variables.same(target, source.value))
        ]
        if folds and len(moves) > 1 and self._guards:
            return [self._parallel(moves, origin)]  # all or nothing is set if one raises
        number = self._variables.number
        set_before: set[int] = set()
        for target, source in moves:
            if any(number[value] in set_before for value in variables(source)):
                return [self._parallel(moves, origin)]
            set_before.add(number[target])
        return [
            ast.Assign(
                [self._expressions.target(target, origin)], self._expressions.emit(source, origin)
            )
            for target, source in moves
        ]

    def _parallel(
        self, moves: list[tuple[Value, Expression]], origin: Origin | None
    ) -> ast.stmt:
        targets = tuple(target for target, _ in moves)
        values = [self._expressions.emit(source, origin) for _, source in moves]
        return ast.Assign(
            [self._expressions.target(targets, origin)], ast.Tuple(values, ast.Load())
        )

    # -- control -----------------------------------------------------------------------------

    def _return(self, statement: Return, origin: Origin | None) -> ast.stmt:
        values = [self._expressions.emit(value, origin) for value in statement.expressions]
        if len(values) == 1:
            return ast.Return(values[0])
        return ast.Return(ast.Tuple(values, ast.Load()) if values else None)

    def _branch(self, statement: Branch, tail: Tail, origin: Origin | None) -> list[ast.stmt]:
        test = self._expressions.emit(statement.test, origin)
        then = self._block(statement.then, tail)
        orelse = self._block(statement.orelse, tail)
        if not then and orelse:
            return [ast.If(place(negated(test), origin), orelse, [])]
        if then and orelse and not falls_through(then):
            return [place(ast.If(test, then, []), origin), *orelse]
        return [ast.If(test, then or [ast.Pass()], orelse)]

    def _while(self, statement: WhileLoop, tail: Tail, origin: Origin | None) -> list[ast.stmt]:
        loop = _PythonLoop(statement.label)
        test_origin = origin_in(statement.test_origin, self._function.file) or origin
        again: Tail = frozenset({("continue", statement.label)})
        self._loops.append(loop)
        before = self._block(statement.before_test, _NOWHERE)
        test = self._expressions.emit(statement.test, test_origin)
        if not before:
            body = self._block(statement.body, again)
            self._loops.pop()
            orelse = [] if _is_true(test) else self._block(statement.orelse, tail)
            tree = ast.While(test, body or [ast.Pass()], [])
            return self._finish_loop(loop, tree, orelse, origin)
        if not _is_true(test):
            exit_ = self._block(statement.orelse, tail)
            if not exit_ or falls_through(exit_):
                exit_.append(ast.Break())
            before.append(place(ast.If(negated(test), exit_, []), test_origin))
        body = self._block(statement.body, again)
        self._loops.pop()
        forever = ast.While(ast.Constant(True), [*before, *body], [])
        return self._finish_loop(loop, forever, [], origin)

    def _for(self, statement: ForLoop, tail: Tail, origin: Origin | None) -> list[ast.stmt]:
        iterable = self._expressions.emit(statement.iterable, origin)
        target = self._expressions.target(statement.target, origin)
        loop = _PythonLoop(statement.label)
        self._loops.append(loop)
        body = self._block(statement.body, frozenset({("continue", statement.label)}))
        self._loops.pop()
        orelse = self._block(statement.orelse, tail)
        tree = ast.For(target, iterable, body or [ast.Pass()], [])
        return self._finish_loop(loop, tree, orelse, origin)

    def _finish_loop(
        self,
        loop: _PythonLoop,
        tree: ast.While | ast.For,
        orelse: list[ast.stmt],
        origin: Origin | None,
    ) -> list[ast.stmt]:
        """Return the loop, what happens when it ends by itself, and the jumps that lead further."""
        before: list[ast.stmt] = []
        after: list[ast.stmt] = []
        if orelse and (loop.is_left or loop.flags):
            tree.orelse = orelse
        else:
            after += orelse
        for target, flag in loop.flags.items():
            off = ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False))
            before.append(place(off, origin))
            jump = self._jump(target, _NOWHERE)
            after.append(place(ast.If(ast.Name(flag, ast.Load()), jump, []), origin))
        return [*before, place(tree, origin), *after]

    def _labelled(
        self, statement: Labelled, tail: Tail, origin: Origin | None
    ) -> list[ast.stmt]:
        structured = tail_form(statement.body, statement.label)
        if structured is not None:
            return self._block(structured, tail | {("leave", statement.label)})
        loop = _PythonLoop(statement.label)
        self._loops.append(loop)
        body = self._block(statement.body, _NOWHERE)
        self._loops.pop()
        if falls_through(body):
            body.append(ast.Break())
        return self._finish_loop(loop, ast.While(ast.Constant(True), body, []), [], origin)

    def _try(self, statement: Try, tail: Tail, origin: Origin | None) -> list[ast.stmt]:
        self._guards += 1
        body = self._block(statement.body, _NOWHERE if statement.orelse else tail)
        handlers = [self._handler(handler, tail, origin) for handler in statement.handlers]
        orelse = self._block(statement.orelse, tail)
        self._guards -= 1
        self._finals.append(len(self._loops))
        final = self._block(statement.final, _NOWHERE)  # a jump there drops the error
        self._finals.pop()
        if not handlers and not final:
            return [*body, *orelse]
        return [ast.Try(body or [ast.Pass()], handlers, orelse, final)]

    def _handler(
        self, handler: Handler, tail: Tail, origin: Origin | None
    ) -> ast.ExceptHandler:
        name = None if handler.error is None else self._locals.of(handler.error)
        classes = self._expressions.classes(handler.classes, origin)
        called_off = self._no_jump_pending()  # an error in a final part takes the place of a jump
        body = [*called_off, *self._block(handler.body, tail)] or [ast.Pass()]
        return ast.ExceptHandler(classes, name, body)

    def _with(self, statement: With, tail: Tail, origin: Origin | None) -> list[ast.stmt]:
        manager = self._expressions.emit(statement.manager, origin)
        target = None
        if statement.target is not None:
            target = self._expressions.target(statement.target, origin)
        self._guards += 1
        body = self._block(statement.body, tail) or [ast.Pass()]
        self._guards -= 1
        # Control comes here past a jump in the body if the manager swallowed a later error.
        return [ast.With([ast.withitem(manager, target)], body), *self._no_jump_pending()]

    def _jump(self, target: JumpTarget, tail: Tail) -> list[ast.stmt]:
        if target in tail:
            return []
        return [*self._jumps_no_more(target[1]), *self._leave(target)]

    def _jumps_no_more(self, label: Label) -> list[ast.stmt]:
        """Return what calls off the jumps that one in a final part takes the place of."""
        if not self._finals or any(
            loop.label is label for loop in self._loops[self._finals[-1] :]
        ):
            return []
        return self._no_jump_pending()

    def _no_jump_pending(self) -> list[ast.stmt]:
        """Return what takes down the flags of all jumps that may be on their way."""
        flags = [flag for loop in self._loops for flag in loop.flags.values()]
        return [
            ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False))
            for flag in dict.fromkeys(flags)
        ]

    def _leave(self, target: JumpTarget) -> list[ast.stmt]:
        kind, label = target
        innermost = self._loops[-1]
        if innermost.label is label:
            if kind == "continue":
                return [ast.Continue()]
            innermost.is_left = True
            return [ast.Break()]
        known = (loop.flags[target] for loop in self._loops if target in loop.flags)
        flag = next(known, None) or self._globals.fresh_local(self._locals, "leaves")
        innermost.flags[target] = flag
        set_flag = ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(True))
        return [set_flag, ast.Break()]


def negated(test: ast.expr) -> ast.expr:
    """Return the test that holds where `test` does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and test.value is True
