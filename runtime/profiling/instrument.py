"""Instrumented programs: an emitted program with probes around its operations.

Owns the syntax: where probes stand, which statements are a unit of sampling, and how executions are
counted. It leaves what the probes do to `probes`. Invariants: the instrumented program evaluates
what the program evaluates, in the same order, at the same positions of the user's file; what is
added raises nothing and reads no variable of the program. Names that are added start with a dot,
so that they meet no other.

>>> # for x in xs:          for x in xs:
>>> #     y = y * x             .c0 += 1
>>> #                           if .c0 < .n0:
>>> #                               y = y * x
>>> #                           else:
>>> #                               .n0 = .begin(0, .c0)
>>> #                               y = .value(7, y * x)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from ..ir.graph import Node, walk
from ..ir.types import NoneType, NumberType, ScalarType, StringType
from ..lowering.origins import origin_in
from ..lowering.program import Emitted
from ..lowering.statements import Function
from ..ops.closures import CLOSURE
from ..ops.control import FOR
from ..ops.registry import Sharing
from .marking import Loop, Marker, Probed, Reached, Tables
from .probes import BEGIN, FRESH, NOTHING, PERHAPS, PROBE, Layout
from .trees import (
    JUMPS,
    Statements,
    at,
    call,
    has_jump,
    has_loop,
    leading_run,
    leave_unless,
    parse,
    rebuilt,
    true,
)

Position = tuple[int, int, int | None, int | None]
_FREE = ("build_", "unpack")
"""Starts of names of operations whose results hold what was there before."""


@dataclass(eq=False)
class Instrumented:
    """The syntax of an instrumented program."""

    trees: dict[Function, ast.FunctionDef]
    operations: list[Probed]
    layout: Layout


def instrument(emitted: Emitted) -> Instrumented:
    """Return the program of `emitted` with probes.

    Functions that the program makes objects of stay plain: who calls them, and when, is unknown.
    """
    names = {emitted.names[function]: tree for function, tree in emitted.trees.items()}
    plain = _closures(emitted, names)
    tables = Tables(emitted, plain, frozenset(names))
    trees, starts = {}, []
    for function, tree in emitted.trees.items():
        starts.append(len(tables.costs))
        stays = emitted.names[function] in plain
        trees[function] = tree if stays else _FunctionInstrumenter(tables, function).run(tree)
    is_whole = bool(tables.entries) and tables.entries[-1] == starts[-1]
    units = len(tables.costs)
    for probed in tables.operations:  # further counters are numbered from -1 downward until now
        probed.counters = tuple(c if c >= 0 else units - 1 - c for c in probed.counters)
        probed.minus = tuple(c if c >= 0 else units - 1 - c for c in probed.minus)
    makes = tuple(_makes(probed.node) for probed in tables.operations)
    layout = Layout(
        len(makes), makes, tuple(tables.costs), tables.counters, tuple(tables.entries),
        starts[-1] if is_whole else None,
    )  # fmt: skip
    return Instrumented(trees, tables.operations, layout)


def _closures(emitted: Emitted, names: dict[str, ast.FunctionDef]) -> frozenset[str]:
    """Return the names of functions that are made objects, and of those that they call."""
    waiting = [
        argument.id
        for tree, node in emitted.operations.items()
        if node.op is CLOSURE and isinstance(tree, ast.Call)
        for argument in tree.args[:1]
        if isinstance(argument, ast.Name)
    ]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in names and name not in found:
            found.add(name)
            waiting += [n.id for n in ast.walk(names[name]) if isinstance(n, ast.Name)]
    return frozenset(found)


def _makes(node: Node) -> int:
    """Return how the arrays that an operation makes are counted."""
    scalar = (NumberType, ScalarType, StringType, NoneType)
    if not node.outputs or all(isinstance(value.type, scalar) for value in node.outputs):
        return NOTHING
    if node.op.name.startswith(_FREE):
        return NOTHING
    sharing = node.op.effects(node.inputs, node.attrs).aliases[0].sharing
    if sharing in (Sharing.SAME, Sharing.VIEW):
        return NOTHING
    return FRESH if sharing is Sharing.FRESH else PERHAPS


class _FunctionInstrumenter:
    """Instruments one function."""

    def __init__(self, tables: Tables, function: Function) -> None:
        self._tables = tables
        self._function = function
        self._first_unit = len(tables.costs)
        self._first_counter = tables.counters
        self._marker = Marker(tables, function)
        self._counts = True
        """Whether parts of the function are counted, not the whole alone."""
        self._for: dict[Position, list[Node]] = {}

    def run(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """Return the definition of the instrumented function."""
        if any(has_loop(statement) for statement in tree.body):
            body = self._with_counters(tree.body)
        else:
            body = self._whole(tree.body)
        return rebuilt(tree, body=body)

    def _whole(self, statements: Statements) -> Statements:
        """Return the body of a function without loops: it is one unit."""
        self._counts = False
        unit = self._new_unit()
        self._tables.entries.append(unit)
        timed, _ = self._both(statements, Reached((unit,)))
        self._close(unit, 0)
        first = statements[0]
        lines = parse(
            "_count = _next(_entry)\n"
            f"if _count < _due[{unit}]:\n    pass\n"
            f"else:\n    _due[{unit}] = _begin({unit}, _count)\n",
            first,
            {
                "_count": ".count", "_next": ".next", "_entry": f".entry{unit}", "_due": ".due",
                "_begin": ".begin",
            },
        )
        choice = lines[1]
        assert isinstance(choice, ast.If)
        choice.body = statements
        choice.orelse += timed
        return lines

    def _with_counters(self, statements: Statements) -> Statements:
        """Return the body of a function with loops: counters in variables, handed over at last."""
        body = self._block(statements)
        units = range(self._first_unit, len(self._tables.costs))
        counters = range(self._first_counter, self._tables.counters)
        counts = [f".c{unit}" for unit in units] + [f".k{number}" for number in counters]
        dues = [f".n{unit}" for unit in units]
        if not units and not counters:
            return body
        first = statements[0]
        start: Statements = [
            ast.Assign([ast.Name(name, ast.Store()) for name in counts], ast.Constant(0))
        ]
        if dues:
            slice_ = ast.Slice(ast.Constant(units.start), ast.Constant(units.stop))
            start.append(
                ast.Assign(
                    [ast.Tuple([ast.Name(name, ast.Store()) for name in dues], ast.Store())],
                    ast.Subscript(ast.Name(".due", ast.Load()), slice_, ast.Load()),
                )
            )
        flush = call(
            ".flush",
            ast.Constant(units.start),
            ast.Constant(counters.start),
            *(
                ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())
                for names in (counts[: len(units)], dues, counts[len(units) :])
            ),
        )
        final = ast.Try(body, [], [], [ast.Expr(flush)])
        return [at(statement, first) for statement in (*start, final)]

    # -- units -------------------------------------------------------------------------------

    def _new_unit(self) -> int:
        self._tables.costs.append(0.0)
        return len(self._tables.costs) - 1

    def _close(self, unit: int, before: int) -> None:
        """Settle what the probes of a unit cost: those made since there were `before`."""
        self._tables.costs[unit] = BEGIN + PROBE * (self._marker.probes - before)

    def _new_counter(self) -> int:
        self._tables.counters += 1
        return -self._tables.counters

    def _choice(
        self, unit: int, plain: Statements, timed: Statements, iteration: int | None = None
    ) -> Statements:
        """Return what counts an execution of a unit and runs one of its two forms."""
        where = (plain or timed)[0]
        extra = ""
        if iteration is not None:  # not for the first trip: what was before is no step
            extra = f", {iteration} if _c > _e + 1 else -1"
        lines = parse(
            f"_c += 1\nif _c < _n:\n    pass\nelse:\n    _n = _begin({unit}, _c{extra})\n",
            where,
            {"_c": f".c{unit}", "_n": f".n{unit}", "_e": f".e{unit}", "_begin": ".begin"},
        )
        choice = lines[1]
        assert isinstance(choice, ast.If)
        choice.body = plain or choice.body
        choice.orelse += timed
        return lines

    def _block(self, statements: Sequence[ast.stmt]) -> Statements:
        """Return statements, loops among them: each run without loops is a unit."""
        result: Statements = []
        run: Statements = []
        for statement in statements:
            if has_loop(statement):
                result += self._unit(run)
                run = []
                result += self._compound(statement)
            else:
                run.append(statement)
        return [*result, *self._unit(run)]

    def _unit(self, statements: Statements) -> Statements:
        """Return statements without loops, plain and timed."""
        if not statements or not self._is_worth_timing(statements):
            return statements
        unit, before = self._new_unit(), self._marker.probes
        timed, plain = self._both(statements, Reached((unit,)))
        self._close(unit, before)
        return self._choice(unit, plain, timed)

    def _is_worth_timing(self, statements: Sequence[ast.stmt]) -> bool:
        """Tell whether there is an operation in `statements`."""
        operations = self._tables.emitted.operations
        return any(tree in operations for one in statements for tree in ast.walk(one))

    def _test(self, test: ast.expr) -> tuple[Statements, ast.expr]:
        """Return what stands before an expression that is a unit, and the expression."""
        if not any(tree in self._tables.emitted.operations for tree in ast.walk(test)):
            return [], test
        unit, before = self._new_unit(), self._marker.probes
        timed = self._marker.expression(test, Reached((unit,)))
        self._close(unit, before)
        count = parse("_c += 1", test, {"_c": f".c{unit}"})
        return count, self._sampled(unit, test, timed)

    def _sampled(self, unit: int, plain: ast.expr, timed: ast.expr) -> ast.IfExp:
        """Return the expression that is `plain` or, when the unit is due, `timed`."""
        (line,) = parse(
            f"_plain if _c < _n else ((_n := _begin({unit}, _c)) and _timed)",
            plain,
            {"_c": f".c{unit}", "_n": f".n{unit}", "_begin": ".begin"},
        )
        assert isinstance(line, ast.Expr) and isinstance(line.value, ast.IfExp)
        choice = line.value
        assert isinstance(choice.orelse, ast.BoolOp)
        choice.body = plain
        choice.orelse.values[1] = timed
        return choice

    # -- statements with loops in them ---------------------------------------------------------

    def _compound(self, statement: ast.stmt) -> Statements:
        if isinstance(statement, ast.If):
            before, test = self._test(statement.test)
            body, orelse = self._block(statement.body), self._block(statement.orelse)
            return [*before, rebuilt(statement, test=test, body=body, orelse=orelse)]
        if isinstance(statement, ast.While):
            return self._while(statement)
        if isinstance(statement, ast.For):
            return self._for_loop(statement)
        if isinstance(statement, ast.With):
            (item,) = statement.items
            before, manager = self._test(item.context_expr)
            items = [ast.withitem(manager, item.optional_vars)]
            return [*before, rebuilt(statement, items=items, body=self._block(statement.body))]
        assert isinstance(statement, ast.Try)
        handlers = [rebuilt(h, body=self._block(h.body)) for h in statement.handlers]
        return [
            rebuilt(
                statement,
                body=self._block(statement.body),
                handlers=handlers,
                orelse=self._block(statement.orelse),
                finalbody=self._block(statement.finalbody),
            )
        ]

    def _while(self, statement: ast.While) -> Statements:
        """Return a ``while`` loop; its test and the first statements of its body are a unit."""
        outside = self._marker.loops
        self._marker.loops = (*outside, Loop("while", statement.test.lineno, self._function.file))
        if statement.orelse:
            body = self._while_with_else(statement)
        else:
            body = [rebuilt(statement, test=true(statement), body=self._trips(statement))]
        self._marker.loops = outside
        if statement.orelse:
            loop = body[-1]
            assert isinstance(loop, ast.While)
            loop.orelse = self._block(statement.orelse)
        return body

    def _while_with_else(self, statement: ast.While) -> Statements:
        """Return a loop whose test stays in its head; ``else`` is not yet dealt with."""
        test = statement.test
        if any(tree in self._tables.emitted.operations for tree in ast.walk(test)):
            unit, before = self._new_unit(), self._marker.probes
            timed = self._marker.expression(test, Reached((unit,)))
            self._close(unit, before)
            choice = self._sampled(unit, test, timed)
            assert isinstance(choice.test, ast.Compare)
            one = ast.BinOp(ast.Name(f".c{unit}", ast.Load()), ast.Add(), ast.Constant(1))
            counted = ast.NamedExpr(ast.Name(f".c{unit}", ast.Store()), one)
            choice.test.left = at(counted, test)
            test = choice
        return [rebuilt(statement, test=test, body=self._block(statement.body))]

    def _trips(self, statement: ast.While) -> Statements:
        """Return the body of a loop for ever that does what `statement` does."""
        run, rest = leading_run(statement.body)
        test = statement.test
        tested = not (isinstance(test, ast.Constant) and test.value is True)
        if not self._is_worth_timing([ast.Expr(test), *run]):
            leave = leave_unless(test, [], test) if tested else []
            return [*leave, *self._block(statement.body)] or [at(ast.Pass(), statement)]
        unit, before = self._new_unit(), self._marker.probes
        reached = Reached((unit,))
        timed: Statements = []
        plain: Statements = []
        if tested:
            counter = self._new_counter()
            count = parse("_k += 1", test, {"_k": f".k{-1 - counter}"})
            timed = leave_unless(self._marker.expression(test, reached), count, test)
            plain = leave_unless(test, count, test)
            reached.minus += (counter,)
        timed_run, plain_run = self._both(run, reached)
        self._close(unit, before)
        choice = self._choice(unit, [*plain, *plain_run], [*timed, *timed_run])
        return [*choice, *self._block(rest)]

    def _for_loop(self, statement: ast.For) -> Statements:
        before, iterable = self._test(statement.iter)
        outside = self._marker.loops
        self._marker.loops = (*outside, Loop("for", statement.lineno, self._function.file))
        run, rest = leading_run(statement.body)
        node = self._for_node(statement)
        if self._is_worth_timing(run):
            unit, probes = self._new_unit(), self._marker.probes
            iteration = None
            if node is not None and not rest:
                iteration = self._marker.number(node, Reached((unit,)), statement)
            timed, plain = self._both(run, Reached((unit,)))
            self._close(unit, probes)
            body = [*self._choice(unit, plain, timed, iteration), *self._block(rest)]
            if iteration is not None:
                names = {"_e": f".e{unit}", "_c": f".c{unit}"}
                before += parse("_e = _c", statement, names)
        else:
            body = self._block(statement.body)
        if node is not None and node not in self._tables.index:
            counter = self._new_counter()
            self._marker.number(node, Reached((counter,)), statement)
            body = [*parse("_k += 1", statement, {"_k": f".k{-1 - counter}"}), *body]
        self._marker.loops = outside
        orelse = self._block(statement.orelse)
        return [*before, rebuilt(statement, iter=iterable, body=body, orelse=orelse)]

    def _for_node(self, statement: ast.For) -> Node | None:
        """Return the operation of a ``for`` loop, told by its position."""
        if not self._for:
            self._for = _for_nodes(self._function, self._tables.emitted)
        waiting = self._for.get(_position(statement), [])
        return waiting.pop(0) if waiting else None

    # -- statements without loops in them ------------------------------------------------------

    def _both(
        self, statements: Sequence[ast.stmt], reached: Reached
    ) -> tuple[Statements, Statements]:
        """Return statements with probes, and without any but in branches that are due."""
        timed: Statements = []
        plain: Statements = []
        for statement in statements:
            one, other = self._forms(statement, reached)
            timed += one
            plain += other
        return timed, plain

    def _forms(self, statement: ast.stmt, reached: Reached) -> tuple[Statements, Statements]:
        if isinstance(statement, ast.If):
            test = self._marker.expression(statement.test, reached)
            body = self._arm(statement.body, reached)
            orelse = self._arm(statement.orelse, reached)
            return (
                [rebuilt(statement, test=test, body=body[0], orelse=orelse[0])],
                [rebuilt(statement, body=body[1], orelse=orelse[1])],
            )
        if isinstance(statement, ast.With):
            (item,) = statement.items
            manager = self._marker.expression(item.context_expr, reached)
            items = [ast.withitem(manager, item.optional_vars)]
            timed, plain = self._both(statement.body, reached)
            return (
                [rebuilt(statement, items=items, body=timed)],
                [rebuilt(statement, body=plain)],
            )
        if isinstance(statement, ast.Try):
            body = self._both(statement.body, reached)
            arms = [self._arm(handler.body, reached) for handler in statement.handlers]
            orelse = self._arm(statement.orelse, reached)
            final = self._both(statement.finalbody, reached)
            forms: Statements = [
                rebuilt(
                    statement,
                    body=body[form],
                    handlers=[
                        rebuilt(handler, body=arm[form])
                        for handler, arm in zip(statement.handlers, arms, strict=True)
                    ],
                    orelse=orelse[form],
                    finalbody=final[form],
                )
                for form in (0, 1)
            ]
            return forms[:1], forms[1:]
        return self._marker.statement(statement, reached), [statement]

    def _arm(self, statements: Statements, reached: Reached) -> tuple[Statements, Statements]:
        """Return both forms of a block that is not always executed, a unit of its own."""
        if not statements:
            return [], []
        leaves = isinstance(statements[-1], JUMPS)
        if not self._counts:
            inner = Reached(reached.counters, conditional=True)
            reached.conditional = reached.conditional or leaves or has_jump(statements)
            return self._both(statements, inner)
        where = statements[0]
        if not self._is_worth_timing(statements):
            if not leaves:
                reached.conditional = reached.conditional or has_jump(statements)
                return statements, statements
            counter = self._new_counter()
            reached.minus += (counter,)
            counted = [*parse("_k += 1", where, {"_k": f".k{-1 - counter}"}), *statements]
            return counted, counted
        light = self._is_light(statements)
        unit, before = self._new_counter() if light else self._new_unit(), self._marker.probes
        inner = Reached((unit,))
        timed, plain = self._both(statements, inner)
        reached.minus += (unit,) if leaves else inner.minus
        reached.conditional = reached.conditional or (inner.conditional and not leaves)
        name = f".k{-1 - unit}" if light else f".c{unit}"
        count = parse("_c += 1", where, {"_c": name})
        if light:  # a choice would take longer than what is chosen
            return [*count, *timed], [*count, *plain]
        self._close(unit, before)
        return [*count, *timed], self._choice(unit, plain, timed)

    def _is_light(self, statements: Sequence[ast.stmt]) -> bool:
        """Tell whether `statements` do nothing but arithmetic on Python's own numbers."""
        operations = self._tables.emitted.operations
        trees = (tree for one in statements for tree in ast.walk(one))
        return all(
            isinstance(value.type, NumberType)
            for node in (operations.get(tree) for tree in trees)
            if node is not None
            for value in (*node.inputs, *node.outputs)
        )


def _for_nodes(function: Function, emitted: Emitted) -> dict[Position, list[Node]]:
    """Return the ``for`` loops of a program by their position in the file of `function`."""
    found: dict[Position, list[Node]] = {}
    for node in (n for body in emitted.graph.bodies for n in walk(body)):
        origin = origin_in(node.origin, function.file)
        if node.op is FOR and origin is not None:
            place = (origin.line, origin.column, origin.end_line, origin.end_column)
            found.setdefault(place, []).append(node)
    return found


def _position(tree: ast.stmt) -> Position:
    return tree.lineno, tree.col_offset, tree.end_lineno, tree.end_col_offset
