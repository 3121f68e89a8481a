"""Variables that a ``try`` or ``with`` changes move into boxes.

Owns the choice of those variables and rewriting what is done to them into reads and writes of
``name.value``. It leaves the statements themselves to `handling`. Invariant: afterwards no name
that is bound in a part of a ``try`` or ``with`` is looked at outside of that part, so that an
exception may end the part anywhere and nothing is lost.

A name needs no box where it is *local to a part*: mentioned nowhere else, and bound there before it
is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..syntax import scope
from ..syntax.cfg import blocks
from ..syntax.scope import ExpressionFunction, HelperFunction, Scope, ScopeTable
from ..syntax.templates import Maker
from .nodes import BoxValue, OperatorCall
from .unit import Unconvertible, Unit, can_call, header, is_free, own_nodes

Boxed = dict[tuple[Scope, str], None]


def boxes(unit: Unit) -> None:
    """Put what every ``try`` and ``with`` binds into boxes, where it is looked at elsewhere."""
    guarded = any(isinstance(node, gast.Try | gast.With) for node in gast.walk(unit.tree))
    if not guarded and not unit.function_values:
        return
    for node in gast.walk(unit.tree):
        if isinstance(node, gast.With):
            _split(node)
    table = scope.analyze(unit.tree)
    chosen = _Choice(table).boxed
    if unit.function_values:
        chosen |= _changing(table)
    _Boxes(unit, table, chosen).function(unit.tree)


def _split(node: gast.With) -> None:
    """Give a ``with`` of several managers one for each."""
    if len(node.items) > 1:
        inner = gast.With(node.items[1:], node.body, None)
        node.items, node.body = node.items[:1], [Maker(node).place(inner)]


def _changing(table: ScopeTable) -> Boxed:
    """Return the names that inner functions capture and that may change after these are made."""
    return {
        (own, name): None
        for own in table.root.walk()
        for name in own.captured
        if name in own.rebound
        or name in own.deleted
        or _bindings(own, name) > 1
        or _is_bound_later(own, name)
    }


def _is_bound_later(own: Scope, name: str) -> bool:
    """Tell whether a function that captures `name` stands before what binds it."""
    body = own.node.body if isinstance(own.node.body, list) else []
    places = [
        (node.lineno, node.col_offset)
        for child in own.children
        for inner in child.walk()
        if name in inner.references and inner.owner(name) is own
        for node in [child.node]
    ]
    return any(
        (node.lineno, node.col_offset) > place or _is_decorated(node, place)
        for node in own_nodes(body, helpers=False)
        if _binds(node, name) or (_is_definition(node) and node.name == name)
        for place in places
    )


def _is_decorated(node: Any, place: tuple[int, int]) -> bool:
    """Tell whether `node` at `place` is a function whose name means what a decorator returns."""
    return bool(getattr(node, "decorator_list", ())) and (node.lineno, node.col_offset) == place


def _bindings(own: Scope, name: str) -> int:
    """Return how often a function binds its name, as far as one matters: twice in a loop."""
    body = own.node.body if isinstance(own.node.body, list) else []
    count = int(name in own.parameters)
    looping = False
    for node in own_nodes(body, helpers=False):
        binds = _binds(node, name) or (_is_definition(node) and node.name == name)
        handled = isinstance(node, gast.ExceptHandler) and node.name is not None
        count += binds or (handled and node.name.id == name)
        if isinstance(node, gast.For | gast.While) and not looping:
            inside = own_nodes([node], helpers=False)
            looping = any(
                _binds(part, name) or (_is_definition(part) and part.name == name)
                for part in inside
            )
    return count + looping


class _Choice:
    """Finds the names that need boxes."""

    def __init__(self, table: ScopeTable) -> None:
        self.table = table
        self.boxed: Boxed = {}
        for own in table.root.walk():
            body = own.node.body
            if isinstance(body, list):
                self.statements(own, body)
        for own in table.root.walk():
            if isinstance(own.node.body, list):
                self.errors(own)

    def statements(self, own: Scope, statements: Sequence[Any]) -> None:
        """Look at all parts in some statements."""
        for statement in statements:
            for part in _parts(statement):
                self.part(own, part)
            for block in blocks(statement):
                self.statements(own, block)

    def part(self, own: Scope, part: list[Any]) -> None:
        """Box what one part binds, unless it is local to the part."""
        for name in self.bound(own, part):
            owner = own.owner(name)
            if owner is None:
                continue
            if owner is not own or name in own.captured or not self.is_local(own, name, part):
                self.boxed[owner, name] = None
        if can_call(part):
            for name, owner in own.visible().items():
                if name in owner.rebound:
                    self.boxed[owner, name] = None

    def bound(self, own: Scope, part: list[Any]) -> dict[str, None]:
        """Return the names that a part binds."""
        found: dict[str, None] = {}
        for node in own_nodes(part, helpers=False):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                found[node.id] = None
            elif isinstance(node, HelperFunction):
                inner = self.table.of[node]
                found.update({n: None for n in inner.bound if n not in inner.locals})
            elif _is_definition(node):
                found[node.name] = None
        for node in own_nodes(part, helpers=False):
            if isinstance(node, gast.ExceptHandler) and node.name is not None:
                found.pop(node.name.id, None)  # see `errors`
                if any(_binds(inner, node.name.id) for inner in own_nodes(part, helpers=False)):
                    found[node.name.id] = None
        return found

    def mentions(self, own: Scope, name: str, statements: list[Any]) -> int:
        """Return how often some code of `own` mentions its name."""
        return _mentions(self.table, own, name, statements)

    def is_local(self, own: Scope, name: str, part: list[Any]) -> bool:
        """Tell whether a name is mentioned in one part only, and bound there first."""
        everywhere = self.mentions(own, name, own.node.body)
        return everywhere == self.mentions(own, name, part) and self.is_bound_first(
            own, name, part
        )

    def is_bound_first(self, own: Scope, name: str, block: list[Any]) -> bool:
        """Tell whether every run of `block` that looks at `name` binds it first."""
        mentioning = [node for node in block if self.mentions(own, name, [node])]
        if not mentioning:
            return True
        first = mentioning[0]
        if isinstance(first, gast.Assign | gast.AnnAssign) and first.value is not None:
            targets = first.targets if isinstance(first, gast.Assign) else [first.target]
            return not self.mentions(own, name, [first.value]) and _binds_name(targets, name)
        if _is_definition(first):
            return bool(first.name == name)
        header = _header(first)
        if len(mentioning) > 1 or not header or self.mentions(own, name, header):
            return False
        if isinstance(first, gast.For) and _binds_name([first.target], name):
            return not self.mentions(own, name, first.orelse)
        if isinstance(first, gast.For) and self.mentions(own, name, [first.target]):
            return False
        if isinstance(first, gast.Try):
            return False
        inside = [_target(first), *blocks(first)]
        return all(self.is_bound_first(own, name, inner) for inner in inside)

    def errors(self, own: Scope) -> None:
        """Box the names of errors that are looked at outside of their handlers."""
        handlers = [
            node
            for node in own_nodes(own.node.body, helpers=False)
            if isinstance(node, gast.ExceptHandler) and node.name is not None
        ]
        for name in dict.fromkeys(handler.name.id for handler in handlers):
            owner = own.owner(name)
            if owner is None:
                handler = next(h for h in handlers if h.name.id == name)
                raise Unconvertible(
                    header(handler), "`except`", f"{name} is a global", "choose a local name"
                )
            same = [handler for handler in handlers if handler.name.id == name]
            everywhere = self.mentions(own, name, own.node.body)
            inside = sum(1 + self.mentions(own, name, handler.body) for handler in same)
            rebound = any(
                isinstance(node, gast.Name)
                and node.id == name
                and not isinstance(node.ctx, gast.Load)
                for handler in same
                for node in own_nodes(handler.body, helpers=False)
            )
            if owner is not own or name in own.captured or inside != everywhere or rebound:
                self.boxed[owner, name] = None


def _mentions(table: ScopeTable, own: Scope, name: str, statements: list[Any]) -> int:
    count = 0
    for node in own_nodes(statements, helpers=False):
        if isinstance(node, gast.Name):
            count += node.id == name
        elif isinstance(node, gast.FunctionDef | gast.Lambda):
            count += _is_definition(node) and node.name == name
            inner = table.of[node]
            count += any(name in s.references and s.owner(name) is own for s in inner.walk())
    return count


def _parts(statement: gast.AST) -> list[list[Any]]:
    """Return the parts of a ``try`` or ``with``, with what is bound as they start."""
    if isinstance(statement, gast.With):
        return [[*_target(statement), *statement.body]]
    return blocks(statement) if isinstance(statement, gast.Try) else []


def _target(statement: Any) -> list[Any]:
    """Return the assignment that starts the body of a ``with``."""
    if not isinstance(statement, gast.With) or statement.items[0].optional_vars is None:
        return []
    maker = Maker(statement)
    return [maker.assign(statement.items[0].optional_vars, maker.constant(None))]


def _header(statement: Any) -> list[Any]:
    """Return what a construct evaluates first; nothing for other statements."""
    if isinstance(statement, gast.If | gast.While):
        return [statement.test]
    if isinstance(statement, gast.With):
        return [statement.items[0].context_expr]
    return [statement.iter] if isinstance(statement, gast.For) else []


def _is_definition(node: Any) -> bool:
    return isinstance(node, gast.FunctionDef) and not isinstance(node, ExpressionFunction)


def _binds(node: gast.AST, name: str) -> bool:
    """Tell whether a node that is not the name of an error binds `name`."""
    if isinstance(node, gast.ExceptHandler):
        return False
    children = gast.iter_child_nodes(node)
    return any(
        isinstance(child, gast.Name)
        and child.id == name
        and not isinstance(child.ctx, gast.Load)
        for child in children
    )


def _binds_name(targets: Sequence[Any], name: str) -> bool:
    """Tell whether assigning targets binds `name` and looks at it nowhere."""
    found = [node for target in targets for node in gast.walk(target)]
    named = [node for node in found if isinstance(node, gast.Name) and node.id == name]
    return bool(named) and all(isinstance(node.ctx, gast.Store) for node in named)


class _Boxes(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    """Rewrites everything that is done to the chosen names."""

    def __init__(self, unit: Unit, table: ScopeTable, boxed: Boxed) -> None:
        self.unit = unit
        self.table = table
        self.boxed = boxed
        self.scope = table.root

    def function(self, node: Any) -> None:
        """Rewrite the body of a function, whose boxes are made in it."""
        outer, self.scope = self.scope, self.table.of[node]
        own = [name for owner, name in self.boxed if owner is self.scope]
        if isinstance(node.body, list):
            firsts = {name: self.first(name, node.body) for name in own}
            body = []
            for number, statement in enumerate(node.body):
                making = [name for name in own if firsts[name] == number]
                rewritten = self.visit(statement)
                rewritten = rewritten if isinstance(rewritten, list) else [rewritten]
                body += self.made(making, statement, rewritten)
            node.body = body
        else:
            node.body = self.visit(node.body)
        self.scope = outer

    def first(self, name: str, body: list[Any]) -> int:
        """Return the number of the first statement that mentions a name."""
        return next(
            number
            for number, statement in enumerate(body)
            if _mentions(self.table, self.scope, name, [statement])
        )

    def made(self, names: Sequence[str], statement: Any, rewritten: list[Any]) -> list[Any]:
        """Return a rewritten statement, after the boxes that it is the first to need."""
        for name in names:
            if _starts(name, statement) and name not in self.scope.parameters:
                value = rewritten[0].value
                return [*self.making(names, statement, name), self.box(statement, name, value)]
        return [*self.making(names, statement), *rewritten]

    def making(self, names: Sequence[str], statement: Any, but: str = "") -> list[Any]:
        parameters = self.scope.parameters
        return [
            self.box(statement, n, Maker(statement).load(n) if n in parameters else None)
            for n in names
            if n != but
        ]

    def box(self, at: gast.AST, name: str, value: Any) -> Any:
        """Return the statement that makes a box."""
        maker = Maker(header(at))
        values = [maker.constant(name)] + ([] if value is None else [value])
        return maker.assign(maker.store(name), self.operator(maker, "box", values))

    def operator(self, maker: Maker, name: str, args: list[Any]) -> Any:
        function = maker.attribute(maker.load(self.unit.operators_name), name)
        return maker.place(OperatorCall(function, args, []))

    def is_boxed(self, name: str) -> bool:
        """Tell whether `name` is in a box here."""
        return (self.scope.owner(name), name) in self.boxed

    def content(self, at: gast.AST, name: str, context: Any, attribute: str = "") -> Any:
        """Return the content of a box."""
        maker = Maker(at)
        owner = self.scope.owner(name)
        assert owner is not None
        attribute = attribute or ("free" if is_free(self.unit, self.scope, owner) else "value")
        return maker.place(BoxValue(maker.load(name), attribute, context))

    def visit_Name(self, node: gast.Name) -> Any:
        return self.content(node, node.id, node.ctx) if self.is_boxed(node.id) else node

    def visit_NamedExpr(self, node: gast.NamedExpr) -> Any:
        value = self.visit(node.value)
        if not self.is_boxed(node.target.id):
            return Maker(node).place(gast.NamedExpr(node.target, value))
        put = self.content(node.target, node.target.id, gast.Load(), "put")
        return Maker(node).place(OperatorCall(put, [value], []))

    def visit_Assign(self, node: gast.Assign) -> Any:
        node.value = self.visit(node.value)
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def visit_AnnAssign(self, node: gast.AnnAssign) -> Any:
        if not isinstance(node.target, gast.Name) or not self.is_boxed(node.target.id):
            return self.generic_visit(node)
        maker = Maker(node)
        if node.value is None:
            return maker.place(gast.Pass())
        return maker.assign(self.visit(node.target), self.visit(node.value))

    def visit_Delete(self, node: gast.Delete) -> Any:
        return [statement for target in node.targets for statement in self.deleted(target)]

    def deleted(self, target: Any) -> list[Any]:
        """Return the statements that delete one target."""
        maker = Maker(target)
        if isinstance(target, gast.Tuple | gast.List):
            return [statement for item in target.elts for statement in self.deleted(item)]
        if isinstance(target, gast.Name) and self.is_boxed(target.id):
            look = maker.expression(self.content(target, target.id, gast.Load()))
            return [look, self.emptied(target, target.id)]
        return [maker.place(gast.Delete([self.visit(target)]))]

    def emptied(self, at: gast.AST, name: str) -> Any:
        """Return the statement after which a box holds nothing."""
        maker = Maker(at)
        unbound = self.operator(maker, "unbound", [maker.constant(name)])
        return maker.assign(self.content(at, name, gast.Store()), unbound)

    def visit_Nonlocal(self, node: gast.Nonlocal) -> Any:
        node.names = [name for name in node.names if not self.is_boxed(name)]
        return node if node.names else Maker(node).place(gast.Pass())

    def visit_ExceptHandler(self, node: gast.ExceptHandler) -> Any:
        name = node.name
        if name is None or not self.is_boxed(name.id):
            return self.generic_visit(node)
        node.name = None
        self.generic_visit(node)
        at = header(node)  # names of errors have no place of their own
        maker = Maker(at)
        error = self.unit.names.fixed("error")
        node.name = maker.store(error)
        bound = maker.assign(self.content(at, name.id, gast.Store()), maker.load(error))
        last = [self.emptied(at, name.id)]
        node.body = [bound, maker.place(gast.Try(node.body, [], [], last))]
        return node

    def visit_Lambda(self, node: gast.Lambda) -> Any:
        self.definition(node)
        return node

    def visit_ExpressionFunction(self, node: ExpressionFunction) -> Any:
        return self.visit_Lambda(node)

    def visit_HelperFunction(self, node: HelperFunction) -> Any:
        return self.visit_Lambda(node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self.definition(node)
        name = node.name
        if not self.is_boxed(name):
            return node
        node.name = self.unit.names.fresh(name)
        self.unit.generated[node.name] = None
        self.unit.shown[node.name] = name
        maker = Maker(node)
        return [node, maker.assign(self.content(node, name, gast.Store()), maker.load(node.name))]

    def definition(self, node: Any) -> None:
        """Rewrite what runs when a function is made, and its body."""
        args = node.args
        args.defaults = [self.visit(default) for default in args.defaults]
        args.kw_defaults = [default and self.visit(default) for default in args.kw_defaults]
        self.function(node)


def _starts(name: str, statement: Any) -> bool:
    """Tell whether a statement does nothing but assign a value, made without `name`, to it."""
    if not (isinstance(statement, gast.Assign) and len(statement.targets) == 1):
        return False
    target = statement.targets[0]
    named = [target.value] if isinstance(target, BoxValue) else []
    inside = [
        node
        for node in gast.walk(statement.value)
        if isinstance(node, gast.Name) and node.id == name
    ]
    return bool(named) and named[0].id == name and not inside

