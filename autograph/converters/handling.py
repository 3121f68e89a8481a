"""``try`` and ``with``, and the functions made of parts of constructs.

Owns the functions that the parts of a ``try`` or ``with`` become, and what every function made of
a part starts with. It leaves loops and branches to `control`, and putting variables into boxes to
`boxes`. Invariant: such a function reads the names around it as they are, and binds none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from ..syntax.cfg import first_role
from ..syntax.templates import Maker
from .facts import State
from .statements import Place, Statements
from .unit import header


class Handling(Statements):
    """Converts ``try`` and ``with``."""

    def block(self, statements: Sequence[Any], place: Place) -> list[Any]:
        """Return what a block becomes."""
        raise NotImplementedError

    def global_declarations(self, maker: Maker, body: Sequence[gast.AST]) -> list[Any]:
        """Return the declaration of the globals that a function made here needs.

        That is of those it assigns, and of those that are locals of a function around.
        """
        nodes = [node for statement in body for node in gast.walk(statement)]
        names = [node for node in nodes if isinstance(node, gast.Name)]
        mentioned = {name.id for name in names}
        assigned = {name.id for name in names if not isinstance(name.ctx, gast.Load)}
        parent = self.facts.scope.parent
        hidden = parent.visible() if parent is not None else {}
        needed = [
            name
            for name in dict.fromkeys(self.facts.globals)
            if name in assigned or (name in hidden and name in mentioned)
        ]
        return [maker.place(gast.Global(needed))] if needed else []

    def try_(self, node: gast.Try, place: Place) -> list[Any]:
        """Convert a ``try``."""
        maker = Maker(header(node))
        inside = self.inside(node, place)
        body, functions = self.part(maker, "try", node, [], node.body, inside)
        args = [body]
        for handler in node.handlers:
            at = Maker(header(handler))
            classes = at.constant(None) if handler.type is None else self.lazily(handler.type)
            error = handler.name.id if handler.name else self.unit.names.fixed("error")
            function, definition = self.part(
                at, "except", handler, [error], handler.body, inside
            )
            functions += definition
            args.append(at.load_tuple([classes, function]))
        keywords = []
        for kind, keyword, statements in (
            ("else", "orelse", node.orelse),
            ("finally", "final", node.finalbody),
        ):
            if statements and self.is_reached(statements[0]):
                at = Maker(header(statements[0]))
                function, definition = self.part(at, kind, at.at, [], statements, inside)
                functions += definition
                keywords.append(at.keyword(keyword, function))
        return [*functions, maker.expression(self.operator(maker.at, "try_", args, keywords))]

    def with_(self, node: gast.With, place: Place) -> list[Any]:
        """Convert a ``with`` of one manager."""
        [item] = node.items
        maker = Maker(item.context_expr)
        manager = self.visit(item.context_expr)
        start: list[Any] = []
        if isinstance(item.optional_vars, gast.Name) and not self.is_global(item.optional_vars):
            entered = item.optional_vars.id
        else:
            entered = self.unit.names.fixed("entered")
            if item.optional_vars is not None:
                at = Maker(item.optional_vars)
                start = self.assign(item.optional_vars, at.load(entered))
        inside = self.inside(node, place)
        body, functions = self.part(maker, "with", node, [entered], node.body, inside, start)
        return [*functions, maker.expression(self.operator(maker.at, "with_", [manager, body]))]

    def inside(self, node: Any, place: Place) -> Place:
        """Return the place of the parts of a ``try`` or ``with``."""
        return replace(place.within(self.facts.states[node]), tail=False, in_body=False)

    def part(
        self,
        maker: Maker,
        kind: str,
        at: gast.AST,
        params: Sequence[str],
        statements: Sequence[Any],
        place: Place,
        start: Sequence[Any] = (),
    ) -> tuple[Any, list[Any]]:
        """Return the function of one part, and the statements that define it."""
        body = [*start, *self.block(statements, place)]
        if not body:
            return maker.thunk(maker.constant(None), params), []
        if len(body) == 1 and isinstance(body[0], gast.Expr):
            return Maker(body[0].value).thunk(body[0].value, params), []
        name = self.unit.function_name(kind, at)
        return maker.load(name), [self.made(maker, name, params, State(), body)]

    def is_reached(self, statement: gast.AST) -> bool:
        """Tell whether control ever comes to `statement`."""
        return self.facts.reaches(statement, first_role(statement))

    def parameter(self, name: str, state: State) -> str:
        """Return the parameter that takes `name` in a function made of a construct."""
        return self.unit.names.fixed(f"{name}_in") if name in state.shared else name

    def parameters_of(self, state: State) -> list[str]:
        """Return the parameters of a function made of a construct."""
        return [self.parameter(name, state) for name in state.inputs]

    def made(
        self,
        maker: Maker,
        name: str,
        first: Sequence[str],
        state: State,
        body: list[Any],
        overwritten: str = "",
    ) -> Any:
        """Return the function made of a part of a construct, with the prologue it needs.

        `overwritten` is a name that the first statement of `body` binds.
        """
        prologue = self.global_declarations(maker, body)
        prologue += [maker.nonlocal_(state.shared)] if state.shared else []
        shared = [shared for shared in state.shared if shared != overwritten]
        if shared:
            values = [maker.load(self.parameter(name, state)) for name in shared]
            target = maker.store_names(shared, always_tuple=False)
            value = values[0] if len(values) == 1 else maker.load_tuple(values)
            prologue.append(maker.assign(target, value))
        return maker.function(name, [*first, *self.parameters_of(state)], [*prologue, *body])
