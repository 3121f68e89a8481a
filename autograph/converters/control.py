"""Constructs: branches, loops, early returns, and the functions made of them.

Owns ``if``, ``while``, ``for``, the form of early returns, and inner ``def``. It leaves the choice
of state to `facts`. Invariant: in every function made of a construct, each name handed on has a
Python value at that point, if only the mark of an unbound name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from ..syntax.cfg import Construct, first_role
from ..syntax.definedness import Status
from ..syntax.scope import HelperFunction
from ..syntax.templates import Maker
from .facts import Facts, State
from .handling import Handling
from .statements import Place
from .unit import Unconvertible, Unit, has_return, header, is_generator, own_nodes


class Functions(Handling):
    """Converts one function, its constructs and the functions inside it."""

    def block(self, statements: Sequence[Any], place: Place) -> list[Any]:
        """Return what a block becomes; what control never reaches is left out."""
        converted: list[Any] = []
        for number, statement in enumerate(statements):
            if not self.is_reached(statement):
                break
            last = number == len(statements) - 1 or not self.is_reached(statements[number + 1])
            early = place.tail and has_return(statement)
            if early and not isinstance(statement, gast.Return):
                if isinstance(statement, gast.If) and last:
                    converted += self.statement(statement, place)
                else:
                    converted += self.scope(statements[number:], place)
                break
            converted += self.statement(statement, place)
            written = self.facts.surely_written(statement)
            place = replace(place, present=place.present.union(written))
        return converted

    def falls_off(self, statements: Sequence[Any]) -> bool:
        """Tell whether control may come to the end of a block."""
        if not statements:
            return True
        last = statements[-1]
        if not self.is_reached(last):
            return False
        if isinstance(last, Construct):
            return self.facts.reaches(last, "join")
        return not isinstance(last, gast.Return | gast.Raise | gast.Break | gast.Continue)

    def statement(self, statement: Any, place: Place) -> list[Any]:
        """Return what one statement becomes, after the definitions it needs."""
        outer, self.pending = self.pending, []
        if isinstance(statement, gast.If):
            converted = self.branch(statement, place)
        elif isinstance(statement, gast.For):
            converted = self.for_loop(statement, place)
        elif isinstance(statement, gast.While):
            converted = self.while_loop(statement, place)
        elif isinstance(statement, gast.Try):
            converted = self.try_(statement, place)
        elif isinstance(statement, gast.With):
            converted = self.with_(statement, place)
        elif isinstance(statement, gast.FunctionDef):
            converted = self.decorated(statement)
        else:
            converted = self.simple(statement, place)
        converted, self.pending = [*self.pending, *converted], outer
        return converted

    def scope(self, statements: Sequence[Any], place: Place) -> list[Any]:
        """Return the form of a block that returns out of loops, or from one branch of several."""
        maker = Maker(header(statements[0]))
        name = self.unit.names.fixed("scope")
        payload = tuple(self.facts.shared_in(statements, self.facts.assigned(statements)))
        missing = [n for n in payload if self.starts_without(n, statements[0])]
        inside = replace(place, tail=False, scope=name, payload=payload)
        body = self.block(statements, inside)
        if payload and self.falls_off(statements):
            shared = [maker.load(shared) for shared in payload]
            body += self.leave(maker.at, None, shared, inside)
        item = gast.withitem(self.operator(maker.at, "scope"), maker.store(name))
        opened = maker.place(gast.With([item], body, None))
        start = [maker.assign(maker.store(n), self.unbound(maker.at, n)) for n in missing]
        value = maker.attribute(maker.load(name), "value")
        return [*start, opened, *self.finish(maker, value, payload, place)]

    def starts_without(self, name: str, statement: gast.AST) -> bool:
        """Tell whether `name` has no value as control comes to `statement`."""
        return self.facts.status(name, statement, first_role(statement)) == Status.UNBOUND

    def finish(
        self, maker: Maker, value: Any, shared: tuple[str, ...], place: Place
    ) -> list[Any]:
        """Return the statements that end the function with a value that carries shared names."""
        if not shared:
            return self.leave_with(maker, value, place)
        result = self.unit.names.fixed("result")
        names = maker.store_names([result, *shared], always_tuple=True)
        return [maker.assign(names, value), *self.leave_with(maker, maker.load(result), place)]

    def leave_with(self, maker: Maker, value: Any, place: Place) -> list[Any]:
        """Return the statements that end the function with `value`."""
        return self.leave(maker.at, value, [maker.load(name) for name in place.payload], place)

    def branch(self, node: gast.If, place: Place) -> list[Any]:
        """Convert an ``if``."""
        maker = Maker(node.test)
        ending = place.tail and has_return(node)
        inside = replace(place, in_body=False, tail=ending)
        state = self.state(node, inside)
        if ending:
            inside = replace(inside, payload=state.shared)
        definitions: list[Any] = []
        if self.both_fit(node, inside):
            value = self.conditional(node, inside)
        else:
            test = self.visit(node.test)
            then, definition = self.arm(node, "body", state, inside)
            orelse, other = self.other_arm(node, state, inside)
            definitions = [*definition, *other]
            args = [test, then, *orelse]
            keywords = []
            if state.inputs:
                values = maker.load_tuple(self.inputs(maker.at, state))
                if orelse:
                    args.append(values)
                else:
                    keywords.append(maker.keyword("state", values))
            value = self.operator(node.test, "cond", args, keywords)
        names = state.outputs
        if ending and state.shared:
            names = (self.unit.names.fixed("result"), *state.shared)
        if names:
            value.keywords.append(maker.keyword("names", maker.constant(" ".join(names))))
        if ending:
            return [*definitions, *self.finish(maker, value, state.shared, place)]
        if not state.outputs:
            return [*definitions, maker.expression(value)]
        target = maker.store_names(state.outputs, always_tuple=False)
        return [*definitions, maker.assign(target, value)]

    def inputs(self, at: gast.AST, state: State) -> list[Any]:
        """Return the values that enter a construct."""
        return [
            self.unbound(at, name) if name in state.missing else Maker(at).load(name)
            for name in state.inputs
        ]

    def fits(self, node: gast.If, role: str, state: State, place: Place) -> bool:
        """Tell whether a branch comes to one expression."""
        statements = _without_pass(getattr(node, role))
        if state.shared or len(state.outputs) > 1 or any(map(_binds_inside, statements)):
            return False
        if not statements:
            return True
        first = statements[0]
        if isinstance(first, gast.Break | gast.Continue | gast.Return | gast.Raise):
            return True
        if len(statements) > 1:
            return False
        if isinstance(first, gast.If):
            inner = self.facts.states[first]
            return (place.tail or inner.outputs == state.outputs) and self.both_fit(first, place)
        target = first.targets[0] if isinstance(first, gast.Assign) else None
        return (
            isinstance(target, gast.Name)
            and len(first.targets) == 1
            and state.outputs == (target.id,)
        )

    def both_fit(self, node: gast.If, place: Place) -> bool:
        """Tell whether both branches come to one expression."""
        state = self.state(node, place)
        return all(self.fits(node, role, state, place) for role in ("body", "orelse"))

    def state(self, node: gast.If, place: Place) -> State:
        """Return the state of a branch; where it ends the function only shared names go on."""
        state = self.facts.states[node]
        return replace(state, outputs=state.shared) if place.tail else state

    def conditional(self, node: gast.If, place: Place) -> Any:
        """Return an ``if`` whose branches both come to one expression."""
        state = self.state(node, place)
        test = self.visit(node.test)
        roles = ["body", "orelse"] if node.orelse or state.outputs else ["body"]
        arms = [self.single(node, role, state, place) for role in roles]
        thunks = [Maker(arm).thunk(arm) for arm in arms]
        return self.operator(node.test, "cond", [test, *thunks])

    def single(self, node: gast.If, role: str, state: State, place: Place) -> Any:
        """Return the one expression that a branch comes to."""
        statements = _without_pass(getattr(node, role))
        if not statements:
            if state.outputs:
                return self.hand(node.test, state.outputs[0], node, role)
            return Maker(node.test).constant(None)
        first = statements[0]
        if isinstance(first, gast.Break):
            return self.jump(first, "break_", place)
        if isinstance(first, gast.Continue):
            return self.jump(first, "continue_", place)
        if isinstance(first, gast.If):
            return self.conditional(first, place)
        if isinstance(first, gast.Return):
            return self.returning(first, place)[0].value or Maker(first).constant(None)
        if isinstance(first, gast.Raise):
            return self.raising(first, place)[0].value
        return self.visit(first.value)

    def arm(
        self, node: gast.If, role: str, state: State, place: Place
    ) -> tuple[Any, list[Any]]:
        """Return the function of one branch, and the statements that define it."""
        statements = getattr(node, role)
        maker = Maker(node.test if role == "body" else header(statements[0]))
        if self.fits(node, role, state, place):
            single = self.single(node, role, state, place)
            return Maker(single).thunk(single, state.inputs), []
        name = self.unit.function_name("then" if role == "body" else "else", node)
        body = self.block(statements, place.within(state))
        if self.facts.reaches(node, role):
            values = self.hands(maker.at, state.outputs, node, role)
            if place.tail:
                body += self.leave(maker.at, None, values, place) if values else []
            elif values:
                value = values[0] if len(values) == 1 else maker.load_tuple(values)
                body.append(maker.return_(value))
        return maker.load(name), [self.made(maker, name, (), state, body)]

    def other_arm(
        self, node: gast.If, state: State, place: Place
    ) -> tuple[list[Any], list[Any]]:
        """Return the function of the ``else`` branch, none if the state goes through unchanged."""
        if node.orelse:
            function, definitions = self.arm(node, "orelse", state, place)
            return [function], definitions
        if state.inputs == state.outputs and not place.tail:
            return [], []
        if not state.inputs and not state.outputs:
            return [], []
        maker = Maker(node.test)
        values = [
            maker.load(self.parameter(name, state))
            if name in state.inputs
            else self.hand(node.test, name, node, "orelse")
            for name in state.outputs
        ]
        if place.tail:
            values = [maker.constant(None), *values]
        body = values[0] if len(values) == 1 else maker.load_tuple(values)
        if not values:
            body = maker.constant(None)
        return [maker.thunk(body, self.parameters_of(state))], []

    def while_loop(self, node: gast.While, place: Place) -> list[Any]:
        """Convert a ``while``."""
        maker = Maker(node.test)
        state = self.facts.states[node]
        outer, self.pending = self.pending, []
        test = maker.return_(self.visit(node.test))
        test_body, self.pending = [*self.pending, test], outer
        test_name = self.unit.function_name("while_test", node)
        functions = [self.made(maker, test_name, (), state, test_body)]
        body_name = self.unit.function_name("while_body", node)
        body = self.loop_body(node, node.body, "body", state, place)
        functions.append(self.made(maker, body_name, (), state, body))
        args = [maker.load(test_name), maker.load(body_name)]
        return self.loop("while", node, functions, args, state, place)

    def for_loop(self, node: gast.For, place: Place) -> list[Any]:
        """Convert a ``for``."""
        maker = Maker(node.iter)
        state = self.facts.states[node]
        iterable = self.visit(node.iter)
        start: list[Any] = []
        at = Maker(node.target)
        direct = isinstance(node.target, gast.Name) and not self.is_global(node.target)
        if direct and node.target.id not in state.inputs:
            item = node.target.id
        else:
            item = self.unit.names.fixed("item")
            start = self.assign(node.target, at.load(item))
        name = self.unit.function_name("for_body", node)
        body = [*start, *self.loop_body(node, node.body, "body", state, place)]
        functions = [self.made(at, name, [item], state, body, overwritten=_name_of(node.target))]
        return self.loop("for", node, functions, [iterable, maker.load(name)], state, place)

    def loop_body(
        self, node: Any, statements: Sequence[Any], role: str, state: State, place: Place
    ) -> list[Any]:
        """Return the body of a loop, or its ``else`` block, which hands on the whole state."""
        inside = replace(place.within(state), tail=False, in_body=False)
        if role == "body":
            inside = replace(inside, loop=state, in_body=True)
        converted = self.block(statements, inside)
        if self.facts.reaches(node, role) and state.outputs:
            maker = Maker(header(node))
            values = self.hands(maker.at, state.outputs, node, role)
            converted.append(maker.return_(maker.load_tuple(values)))
        return converted

    def loop(
        self,
        kind: str,
        node: Any,
        functions: list[Any],
        args: list[Any],
        state: State,
        place: Place,
    ) -> list[Any]:
        """Return the definitions and the call of a loop."""
        maker = Maker(header(node))
        args = [*args, maker.load_tuple(self.inputs(maker.at, state))]
        keywords = []
        if state.outputs:
            names = maker.constant(" ".join(state.outputs))
            keywords.append(maker.keyword("names", names))
        if node.orelse and self.is_reached(node.orelse[0]):
            name = self.unit.function_name(f"{kind}_else", node)
            body = self.loop_body(node, node.orelse, "orelse", state, place)
            functions.append(self.made(Maker(header(node.orelse[0])), name, (), state, body))
            keywords.append(maker.keyword("orelse", maker.load(name)))
        value = self.operator(maker.at, f"{kind}_loop", args, keywords)
        if not state.outputs:
            return [*functions, maker.expression(value)]
        target = maker.store_names(state.outputs, always_tuple=True)
        return [*functions, maker.assign(target, value)]

    def decorated(self, node: gast.FunctionDef) -> list[Any]:
        """Convert an inner function, with its decorators as calls."""
        maker = Maker(node)
        if node.name in self.facts.globals:
            raise Unconvertible(
                node, f"`def {node.name}`", f"{node.name} is a global", "define it at the top"
            )
        statements: list[Any] = []
        decorators = []
        for decorator in node.decorator_list:
            at = Maker(decorator)
            value = self.visit(decorator)
            if not isinstance(value, gast.Name):
                name = self.unit.names.fresh("decorator")
                statements.append(at.assign(at.store(name), value))
                value = at.load(name)
            decorators.append((at, value))
        statements += self.function(node)
        for at, value in reversed(decorators):
            call = self.operator(at.at, "call", [value, maker.load(node.name)])
            statements.append(at.assign(at.store(node.name), call))
        return statements

    def function(self, node: Any) -> list[Any]:
        """Return the definition of an inner function."""
        args = node.args if isinstance(node, HelperFunction) else self.parameters(node.args)
        inner = Functions(self.unit, self.table, self.table[node])
        definition = inner.definition(node, args)
        if is_generator(node):
            definition.decorator_list = [
                Maker(node).attribute(Maker(node).load(self.unit.operators_name), "generator")
            ]
        elif self.unit.function_values and not isinstance(node, HelperFunction):
            definition.decorator_list = [
                Maker(node).attribute(Maker(node).load(self.unit.operators_name), "made")
            ]
        return [definition]

    def definition(self, node: Any, args: Any) -> Any:
        """Return what the function of this converter becomes."""
        maker = Maker(node)
        body = list(node.body)
        documentation = []
        if _is_documentation(body[0]):
            documentation, body = body[:1], body[1:]
        declared = self.facts.declared()
        start = [maker.nonlocal_(declared)] if declared else []
        start += [
            maker.assign(maker.store(name), self.unbound(node, name))
            for name in self.facts.starts_unbound()
        ]
        if args.kwarg is not None and not _is_only_passed_on(args.kwarg.id, node.body):
            # a dictionary of the function's own, that it may change
            pairs = self.operator(node, "spread", [maker.load(args.kwarg.id)])
            fresh = self.operator(node, "dict_", [pairs])
            start.append(maker.assign(maker.store(args.kwarg.id), fresh))
        converted = [*start, *self.block(body, Place(tail=True))]
        converted = [*documentation, *self.global_declarations(maker, converted), *converted]
        if not converted:
            converted = [maker.place(gast.Pass())]
        return maker.place(
            gast.FunctionDef(node.name, args, converted, [], node.returns, None, [])
        )


def _name_of(target: gast.AST) -> str:
    return target.id if isinstance(target, gast.Name) else ""


def _without_pass(statements: Sequence[Any]) -> list[Any]:
    return [statement for statement in statements if not isinstance(statement, gast.Pass)]


def _binds_inside(statement: gast.AST) -> bool:
    nodes = own_nodes(statement, helpers=False)
    return any(isinstance(node, gast.NamedExpr) for node in nodes)


def _is_only_passed_on(name: str, body: Sequence[gast.AST]) -> bool:
    """Tell whether all that is done with the keywords `name` is to call with them."""
    nodes = [node for statement in body for node in gast.walk(statement)]
    passed = [
        keyword.value
        for node in nodes
        if isinstance(node, gast.Call)
        for keyword in node.keywords
        if keyword.arg is None
    ]
    used = [node for node in nodes if isinstance(node, gast.Name) and node.id == name]
    return all(any(node is value for value in passed) for node in used)


def _is_documentation(statement: Any) -> bool:
    return (
        isinstance(statement, gast.Expr)
        and isinstance(statement.value, gast.Constant)
        and isinstance(statement.value.value, str)
    )


def convert(unit: Unit, table: dict[gast.AST, Facts]) -> None:
    """Convert the tree of `unit`, whose defaults and annotations stay as written."""
    tree = unit.tree
    unit.tree = Functions(unit, table, table[tree]).definition(tree, tree.args)


