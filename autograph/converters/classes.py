"""Class statements become calls of an operator.

Owns rewriting ``class C: ...`` inside a function into ``C = ag.class_(...)``, whose methods are
functions like any other. It leaves which class statements may be compiled to the fence. Invariant:
what the methods capture are variables of the function, never names of the class body.
"""

from __future__ import annotations
import __future__ as features

from typing import Any

import gast

from ..syntax.scope import ExpressionFunction
from ..syntax.templates import Maker
from .nodes import OperatorCall
from .unit import Unit


def classes(unit: Unit) -> None:
    """Turn class statements into assignments."""
    if any(isinstance(node, gast.ClassDef) for node in gast.walk(unit.tree)):
        function = unit.surroundings.function
        _Classes(unit, function.__qualname__).generic_visit(unit.tree)


class _Classes(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    """Rewrites the class statements of one function; `path` is its qualified name."""

    def __init__(self, unit: Unit, path: str) -> None:
        self.unit = unit
        self.path = path
        flags = unit.surroundings.function.__code__.co_flags
        self.annotates = not flags & features.annotations.compiler_flag

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        _Classes(self.unit, f"{self.path}.<locals>.{node.name}").generic_visit(node)
        return node

    def visit_ClassDef(self, node: gast.ClassDef) -> Any:
        maker = Maker(node)
        path = f"{self.path}.<locals>.{node.name}"
        members = [
            maker.load_tuple([Maker(part).constant(name), value])
            for part in node.body
            for name, value in self.members(part, path, node.name)
        ]
        documentation = documentation_of(node)
        args = [
            maker.constant(node.name),
            maker.constant(path),
            maker.constant(documentation),
            maker.load_tuple(node.bases),
            *members,
        ]
        function = maker.attribute(maker.load(self.unit.operators_name), "class_")
        made = maker.place(OperatorCall(function, args, []))
        return maker.assign(maker.store(node.name), made)

    def members(self, part: Any, path: str, class_name: str) -> list[tuple[str, Any]]:
        """Return the names that a statement of the body binds, with what makes their values."""
        if isinstance(part, gast.FunctionDef):
            return [(part.name, self.method(part, path, class_name))]
        if isinstance(part, gast.Assign):
            return [(target.id, part.value) for target in part.targets]
        return []

    def method(self, node: Any, path: str, class_name: str) -> Any:
        """Return the function that a method is."""
        _Classes(self.unit, f"{path}.{node.name}").generic_visit(node)
        name = self.unit.function_name(node.name, node)
        self.unit.shown[name] = f"{class_name}.{node.name}"
        args = node.args
        if not self.annotates:
            node.returns = None
            params = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
            for param in filter(None, params):
                param.annotation = None
        return Maker(node).place(
            ExpressionFunction(name, args, node.body, [], node.returns, None, [])
        )


def documentation_of(node: gast.ClassDef) -> str | None:
    """Return the documentation of a class as Python keeps it, None if there is none."""
    first = node.body[0]
    if not (isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant)):
        return None
    return first.value.value if isinstance(first.value.value, str) else None
