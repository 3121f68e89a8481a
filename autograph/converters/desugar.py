"""Plain Python into plainer Python, before anything is analyzed.

Owns the rewritings after which only ``if``, ``while``, ``for`` and calls are left to convert:
comprehensions become loops in helper functions, tests that bind names move into the body of their
loop, and what follows an early return moves into the other branch. It leaves the rest to the
converters of statements and expressions. Invariant: each result, a `HelperFunction` read as a
``def`` just before its statement, means what the original meant to CPython.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.cfg import blocks
from ..syntax.scope import ExpressionFunction, HelperFunction
from ..syntax.templates import Maker
from .nodes import OperatorCall
from .unit import Unconvertible, Unit, has_return, has_statements, own_nodes

_WHOLE = {"any": "any", "all": "all", "list": "list", "set": "set"}
"""Builtins whose call with a generator expression becomes one helper."""
_CONSUMERS = ("sum", "tuple", "sorted", "min", "max", "dict", "frozenset")
"""Builtins that ask a generator for all its items, and do nothing else before they return."""

_STOPPING = ("sum", "min", "max", "dict", "frozenset")
"""Those of them that may raise at an item, before they ask for the next."""


def comprehensions(unit: Unit) -> None:
    """Turn comprehensions, and generator expressions that are used up at once, into loops."""
    unit.tree = _Comprehensions(unit).visit(unit.tree)


class _Comprehensions(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def visit_ListComp(self, node: gast.ListComp) -> Any:
        return self.helper(node, "list", "list")

    def visit_SetComp(self, node: gast.SetComp) -> Any:
        return self.helper(node, "set", "set")

    def visit_DictComp(self, node: gast.DictComp) -> Any:
        return self.helper(node, "dict", "dict")

    def visit_GeneratorExp(self, node: gast.GeneratorExp) -> Any:
        for part in gast.walk(node):
            if isinstance(part, gast.NamedExpr) or getattr(part, "is_async", False):
                raise Unconvertible(
                    node,
                    "generator expression",
                    "it binds a name, or suspends the function, at unknown moments",
                    "write a list comprehension",
                )
        maker, items = Maker(node), self.unit.names.fixed("items")
        first = self.visit(node.generators[0].iter)
        at = Maker(node.elt)
        item = at.expression(at.place(gast.Yield(self.visit(node.elt))))
        name = self.unit.function_name("generator", node)
        self.unit.shown[name] = "<genexpr>"
        body = self.loops(node, [item])
        function = maker.place(
            ExpressionFunction(name, maker.arguments([items]), body, [], None, None, [])
        )
        iterated = maker.attribute(maker.load(self.unit.operators_name), "iterated")
        return maker.call(function, [maker.place(OperatorCall(iterated, [first], []))])

    def visit_Expr(self, node: gast.Expr) -> Any:
        node = self.generic_visit(node)
        if not isinstance(node.value, gast.YieldFrom):
            return node
        maker, name = Maker(node.value), self.unit.names.fixed("item")
        item = maker.expression(maker.place(gast.Yield(maker.load(name))))
        return maker.for_(maker.store(name), node.value.value, [item])

    def visit_Call(self, node: gast.Call) -> Any:
        if not (node.args and isinstance(node.args[0], gast.GeneratorExp)):
            return self.generic_visit(node)
        generator, *others = node.args
        function = node.func
        alone = not others and not node.keywords
        if isinstance(function, gast.Name) and self.unit.surroundings.is_builtin(function.id):
            if function.id in _WHOLE and alone:
                return self.helper(generator, _WHOLE[function.id], "generator")
            if function.id in _CONSUMERS:
                items = self.helper(generator, "list", "generator")
                if function.id in _STOPPING:
                    maker = Maker(generator)
                    gathered = maker.attribute(maker.load(self.unit.operators_name), "gathered")
                    named = [items, maker.constant(function.id)]
                    items = maker.place(OperatorCall(gathered, named, []))
                node.args = [items, *others]
        elif _is_text_method(function, "join") and alone:
            node.args = [self.helper(generator, "list", "generator")]
        return self.generic_visit(node)

    def visit_HelperFunction(self, node: HelperFunction) -> Any:
        return node  # made here, and visited then

    def visit_Lambda(self, node: gast.Lambda) -> Any:
        node = self.generic_visit(node)
        if not has_statements(node.body):
            return node
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        if not all(isinstance(default, gast.Constant | gast.Name) for default in defaults):
            raise Unconvertible(
                node,
                "lambda",
                "it holds a comprehension and has defaults that are computed",
                "write it as a def",
            )
        maker = Maker(node)
        name = self.unit.function_name("lambda", node)
        self.unit.shown[name] = "<lambda>"
        body = [Maker(node.body).return_(node.body)]
        return maker.place(ExpressionFunction(name, node.args, body, [], None, None, []))

    def helper(self, node: Any, result: str, kind: str) -> Any:
        """Return the call of a new helper that builds `result` from a comprehension."""
        if any(generator.is_async for generator in node.generators):
            raise Unconvertible(
                node, "asynchronous comprehension", "it suspends the function", "use a plain loop"
            )
        maker = Maker(node)
        names = self.unit.names
        items, built = names.fixed("items"), names.fixed("result")
        first = self.visit(node.generators[0].iter)
        body = self.loops(node, self.element(node, result, built))
        if result in ("any", "all"):
            body.append(maker.return_(maker.constant(result == "all")))
        else:
            empty = {
                "list": gast.List([], gast.Load()),
                "dict": gast.Dict([], []),
                "set": gast.Set([]),
            }[result]
            start = maker.assign(maker.store(built), maker.place(empty))
            body = [start, *body, maker.return_(maker.load(built))]
        name = self.unit.function_name(result, node)
        function = maker.place(
            HelperFunction(name, maker.arguments([items]), body, [], None, None, [])
        )
        self.unit.helpers[function] = kind
        return maker.call(function, [first])

    def loops(self, node: Any, body: list[Any]) -> list[Any]:
        """Return the loops of a comprehension, the first over ``items``, around a `body`."""
        maker = Maker(node)
        for number, generator in reversed(list(enumerate(node.generators))):
            for test in reversed(generator.ifs):
                body = [Maker(test).if_(self.visit(test), body, [])]
            iterable = self.visit(generator.iter) if number else None
            iterable = iterable or maker.load(self.unit.names.fixed("items"))
            body = [maker.for_(self.visit(generator.target), iterable, body)]
        return body

    def element(self, node: Any, result: str, built: str) -> list[Any]:
        """Return the statements that use one item."""
        maker = Maker(node)
        if result == "dict":
            key, value = self.visit(node.key), self.visit(node.value)
            statements = []
            if not isinstance(key, gast.Constant | gast.Name):
                # An assignment would compute the value before the key.
                name = self.unit.names.fixed("key")
                statements = [Maker(key).assign(Maker(key).store(name), key)]
                key = Maker(key).load(name)
            place = gast.Subscript(maker.load(built), key, gast.Store())
            return [*statements, Maker(value).assign(maker.place(place), value)]
        element = self.visit(node.elt)
        at = Maker(element)
        if result in ("any", "all"):
            test = element if result == "any" else at.place(gast.UnaryOp(gast.Not(), element))
            return [at.if_(test, [at.return_(at.constant(result == "any"))], [])]
        method = at.attribute(at.load(built), "add" if result == "set" else "append")
        return [at.expression(at.call(method, [element]))]


def _is_text_method(node: gast.AST, name: str) -> bool:
    return (
        isinstance(node, gast.Attribute)
        and node.attr == name
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, str)
    )


def loop_tests(unit: Unit) -> None:
    """Move a ``while`` test that binds names into the loop, where what it binds is state."""
    shared = any(
        isinstance(node, gast.Nonlocal) or (isinstance(node, HelperFunction) and _binds(node))
        for node in gast.walk(unit.tree)
    )
    for node in list(gast.walk(unit.tree)):
        if isinstance(node, gast.While) and (_binds(node.test) or (shared and _calls(node.test))):
            _move_test(node)


def _calls(test: gast.AST) -> bool:
    nodes = own_nodes(test, helpers=True)
    return any(isinstance(node, gast.Call | gast.Attribute | gast.Subscript) for node in nodes)


def _binds(tree: gast.AST) -> bool:
    nodes = tree.body if isinstance(tree, HelperFunction) else tree
    return any(isinstance(node, gast.NamedExpr) for node in own_nodes(nodes, helpers=True))


def _move_test(node: gast.While) -> None:
    if any(True for _ in jumps(node.orelse)):
        raise Unconvertible(
            node.test,
            "while",
            "its test may bind names, and its else block jumps out of an outer loop",
            "bind the names before the loop and at the end of its body",
        )
    maker = Maker(node.test)
    leave = [*node.orelse, maker.place(gast.Break())]
    stop = maker.if_(maker.place(gast.UnaryOp(gast.Not(), node.test)), leave, [])
    node.test, node.orelse = maker.constant(True), []
    node.body = [stop, *node.body]


def jumps(statements: Sequence[gast.AST]) -> list[gast.AST]:
    """Return the ``break`` and ``continue`` in `statements` that leave them for a loop outside."""
    found: list[gast.AST] = []
    for statement in statements:
        if isinstance(statement, gast.Break | gast.Continue):
            found.append(statement)
        elif isinstance(statement, gast.For | gast.While):
            found += jumps(statement.orelse)
        else:
            found += [jump for block in blocks(statement) for jump in jumps(block)]
    return found


def early_returns(unit: Unit) -> None:
    """Move what follows ``if c: return a`` into the other branch, so that both end the function."""
    for node in list(gast.walk(unit.tree)):
        if isinstance(node, gast.FunctionDef):
            node.body = _structured(node.body)


def _structured(block: list[Any]) -> list[Any]:
    for number, statement in enumerate(block):
        if not (isinstance(statement, gast.If) and has_return(statement)):
            continue
        rest = block[number + 1 :]
        if rest and _ends(statement.body):
            statement.orelse = statement.orelse + rest
        elif rest and _ends(statement.orelse):
            statement.body = statement.body + rest
        elif rest:
            return block
        statement.body = _structured(statement.body)
        statement.orelse = _structured(statement.orelse)
        return block[: number + 1]
    return block


def _ends(block: Sequence[gast.AST]) -> bool:
    """Tell whether control never falls off the end of `block`, since it returns or raises."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, gast.If):
        return _ends(last.body) and _ends(last.orelse)
    return isinstance(last, gast.Return | gast.Raise)
