"""Simple statements: assignments, deletions, assertions, raises and the jumps.

Owns statements that hold no others. It leaves constructs to `control`. Invariant: targets are
assigned in CPython's order, from left to right, each value unpacked before any of its targets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from ..syntax.definedness import Status
from ..syntax.templates import Maker
from .expressions import Expressions
from .facts import State
from .unit import Unconvertible


@dataclass(frozen=True)
class Place:
    """Where in the converted code a statement stands.

    Attributes
    ----------
    tail : bool
        Falling off the end of the block ends the user's function.
    payload : tuple of str
        Shared names whose values go with what the function returns.
    scope : str
        The variable of the ``ag.scope`` around, empty if there is none.
    loop : State or None
        The state of the innermost loop.
    in_body : bool
        The block belongs to the very function made of the loop's body.
    present : frozenset of str
        Names that surely have a Python value here, if only the mark of an unbound name.
    """

    tail: bool = False
    payload: tuple[str, ...] = ()
    scope: str = ""
    loop: State | None = None
    in_body: bool = False
    present: frozenset[str] = frozenset()

    def within(self, state: State) -> Place:
        """Return this place as seen from inside a function made of a construct."""
        return replace(self, present=self.present - state.assigned | {*state.inputs})


class Statements(Expressions):
    """Converts the simple statements of one function."""

    def hand(self, at: gast.AST, name: str, statement: gast.AST, role: str) -> Any:
        """Return the value of `name` to hand on at a node of the control-flow graph."""
        if self.facts.status(name, statement, role) == Status.UNBOUND:
            return self.unbound(at, name)
        return Maker(at).load(name)

    def hands(
        self, at: gast.AST, names: Sequence[str], statement: gast.AST, role: str
    ) -> list[Any]:
        """Return the values of `names`, likewise."""
        return [self.hand(at, name, statement, role) for name in names]

    def simple(self, statement: Any, place: Place) -> list[Any]:
        """Return what a simple statement becomes."""
        converters: dict[type, Callable[[Any, Place], list[Any]]] = {
            gast.Expr: self.expression, gast.Assign: self.assignment,
            gast.AnnAssign: self.annotated, gast.AugAssign: self.augmented,
            gast.Delete: self.deletion, gast.Assert: self.assertion, gast.Raise: self.raising,
            gast.Return: self.returning, gast.Break: self.breaking, gast.Continue: self.continuing,
            gast.Pass: lambda node, place: [], gast.Nonlocal: lambda node, place: [],
            gast.Global: lambda node, place: [],
        }  # fmt: skip
        convert = converters.get(type(statement))
        if convert is None:
            name = type(statement).__name__.lower()
            raise Unconvertible(
                statement, name, "it is not converted yet", "move it into another function"
            )
        return convert(statement, place)

    def expression(self, node: gast.Expr, place: Place) -> list[Any]:
        """Convert an expression statement; docstrings stay."""
        if isinstance(node.value, gast.Yield):
            item = node.value.value
            args = [] if item is None else [self.visit(item)]
            return [Maker(node).expression(self.operator(node, "yield_", args))]
        return [Maker(node).expression(self.visit(node.value))]

    def assignment(self, node: gast.Assign, place: Place) -> list[Any]:
        """Convert an assignment to any number of targets."""
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self.assign(node.targets[0], value, node.value)
        if not any(map(self.is_compound, node.targets)):
            targets = [self.visit(target) for target in node.targets]
            return [Maker(node).place(gast.Assign(targets, value, None))]
        maker = Maker(node.value)
        name = self.unit.names.fixed("value")
        statements = [maker.assign(maker.store(name), value)]
        for target in node.targets:
            statements += self.assign(target, maker.load(name), node.value)
        return statements

    def assign(self, target: Any, value: Any, original: gast.AST | None = None) -> list[Any]:
        """Return the statements that assign a converted value, made of `original`, to a target."""
        maker = Maker(target)
        if not isinstance(target, gast.Tuple | gast.List):
            if self.is_global(target):
                value = self.operator(target, "store_global", [maker.constant(target.id), value])
            return [maker.assign(self.visit(target), value)]
        if _matches(target, original) and not any(map(self.is_compound, target.elts)):
            return [maker.assign(self.visit(target), value)]
        starred = [isinstance(item, gast.Starred) for item in target.elts]
        if any(starred):
            before = starred.index(True)
            counts = [before, len(starred) - before - 1]
            name = "unpack_starred"
        else:
            counts, name = [len(starred)], "unpack"
        parts = self.operator(target, name, [value, *map(maker.constant, counts)])
        items = [item.value if isinstance(item, gast.Starred) else item for item in target.elts]
        nested = [self.is_compound(item) for item in items]
        first = nested.index(True) if any(nested) else len(items)
        direct = [self.visit(item) for item in items[:first]]
        names = [self.unit.names.fresh("part") for _ in items[first:]]
        outer = gast.Tuple([*direct, *map(maker.store, names)], gast.Store())
        statements = [maker.assign(maker.place(outer), parts)]
        for item, part in zip(items[first:], names, strict=True):
            statements += self.assign(item, Maker(item).load(part))
        return statements

    def is_global(self, target: gast.AST) -> bool:
        """Tell whether a target is a global variable."""
        return isinstance(target, gast.Name) and target.id in self.facts.globals

    def is_compound(self, target: gast.AST) -> bool:
        """Tell whether assigning a target takes more than one assignment statement."""
        return isinstance(target, gast.Tuple | gast.List) or self.is_global(target)

    def annotated(self, node: gast.AnnAssign, place: Place) -> list[Any]:
        """Convert an annotated assignment; without a value nothing happens in it."""
        if node.value is not None:
            return self.assign(node.target, self.visit(node.value))
        return [] if isinstance(node.target, gast.Name) else self.evaluated(node.target)

    def evaluated(self, target: Any) -> list[Any]:
        """Return the statements that evaluate the parts of a target and assign nothing."""
        parts = [target.value]
        if isinstance(target, gast.Subscript):
            parts.append(target.slice)
        return [
            Maker(part).expression(self.visit(part))
            for part in parts
            if not isinstance(part, gast.Constant)
        ]

    def augmented(self, node: gast.AugAssign, place: Place) -> list[Any]:
        """Keep an augmented assignment, checking first that its name is bound."""
        maker, statements = Maker(node.target), []
        if self.is_global(node.target):
            name = self.unit.names.fixed("value")
            value = maker.load(node.target.id)
            added = gast.AugAssign(maker.store(name), node.op, self.visit(node.value))
            return [
                maker.assign(maker.store(name), value),
                Maker(node).place(added),
                *self.assign(node.target, maker.load(name)),
            ]
        if isinstance(node.target, gast.Name) and node.target.id in self.facts.visible:
            name = node.target.id
            status = self.facts.defined.reads.get(node.target, Status.BOUND)
            checked = self.checked(node.target, name, status)
            if not isinstance(checked, gast.Name):
                statements.append(maker.assign(maker.store(name), checked))
        target = self.visit(node.target)
        value = self.visit(node.value)
        return [*statements, Maker(node).place(gast.AugAssign(target, node.op, value))]

    def deletion(self, node: gast.Delete, place: Place) -> list[Any]:
        """Unbind names; other deletions stay."""
        statements = []
        for target in node.targets:
            maker = Maker(target)
            if isinstance(target, gast.Tuple | gast.List):
                inner = maker.place(gast.Delete(list(target.elts)))
                statements += self.deletion(inner, place)
            elif self.is_global(target):
                raise Unconvertible(
                    target,
                    f"`del {target.id}`",
                    f"{target.id} is a global",
                    "assign None to it",
                )
            elif isinstance(target, gast.Name):
                status = self.facts.defined.reads.get(target, Status.BOUND)
                checked = self.checked(target, target.id, status)
                if not isinstance(checked, gast.Name):
                    statements.append(maker.expression(checked))
                gone = self.unbound(target, target.id)
                statements.append(maker.assign(maker.store(target.id), gone))
            else:
                statements.append(maker.place(gast.Delete([self.visit(target)])))
        return statements

    def assertion(self, node: gast.Assert, place: Place) -> list[Any]:
        """Convert an assertion, which ``python -O`` leaves out."""
        if not __debug__:
            return []
        args = [self.visit(node.test)]
        if node.msg is not None:
            args.append(Maker(node.msg).thunk(self.visit(node.msg)))
        return [Maker(node).expression(self.operator(node, "assert_", args))]

    def raising(self, node: gast.Raise, place: Place) -> list[Any]:
        """Convert a raise."""
        if node.exc is None:
            return [Maker(node).expression(self.operator(node, "reraise"))]
        args = [self.visit(part) for part in (node.exc, node.cause) if part is not None]
        return [Maker(node).expression(self.operator(node, "raise_", args))]

    def returning(self, node: gast.Return, place: Place) -> list[Any]:
        """Convert a return."""
        value = None if node.value is None else self.visit(node.value)
        shared = self.hands(node, place.payload, node, "run")
        return self.leave(node, value, shared, place)

    def leave(self, at: gast.AST, value: Any, shared: Sequence[Any], place: Place) -> list[Any]:
        """Return the statements that end the user's function with a converted value."""
        maker = Maker(at)
        if shared:
            value = maker.load_tuple([value or maker.constant(None), *shared])
        if not place.scope:
            return [maker.return_(value)]
        jump = maker.attribute(maker.load(place.scope), "return_")
        return [maker.expression(maker.call(jump, [value or maker.constant(None)]))]

    def breaking(self, node: gast.Break, place: Place) -> list[Any]:
        """Convert a break."""
        return [Maker(node).expression(self.jump(node, "break_", place))]

    def continuing(self, node: gast.Continue, place: Place) -> list[Any]:
        """Convert a continue; in the body's own function it is a return."""
        if not place.in_body:
            return [Maker(node).expression(self.jump(node, "continue_", place))]
        maker = Maker(node)
        values = self.jump_values(node, place)
        return [maker.return_(maker.load_tuple(values) if values else None)]

    def jump(self, node: Any, name: str, place: Place) -> Any:
        """Return the call that leaves the trip with the loop's state."""
        return self.operator(node, name, self.jump_values(node, place))

    def jump_values(self, node: Any, place: Place) -> list[Any]:
        """Return the loop's state where a jump leaves its trip.

        A name that is wanted where the jump goes has a value; any other is handed over as it is
        where it surely has one.
        """
        assert place.loop is not None
        wanted = self.facts.live.after[self.facts.number(node, "run")]
        return [
            self.hand(node, name, node, "run")
            if name in wanted or name in place.present
            else self.unbound(node, name)
            for name in place.loop.inputs
        ]


def _matches(target: Any, value: gast.AST | None) -> bool:
    """Tell whether a tuple display unpacks into `target` without being made."""
    return (
        isinstance(value, gast.Tuple)
        and len(value.elts) == len(target.elts)
        and not any(isinstance(item, gast.Starred) for item in (*value.elts, *target.elts))
        and not any(isinstance(item, gast.Tuple | gast.List) for item in target.elts)
    )
