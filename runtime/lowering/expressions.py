"""Python syntax of expressions.

Owns turning scheduled expressions into `ast` expressions: operations by their own syntax or as
calls of their kernels, constants, indices. It leaves statements to `emit`. Invariant: a constant
enters the tree as an exact literal or as the name of the object itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ..ir.graph import Constant, Node, Origin, Value
from ..ops.closures import CLOSURE, maker
from .names import GlobalNames, LocalNames, kernel_name, literal, object_name
from .origins import origin_in, place
from .statements import (
    Apply,
    Choose,
    Expression,
    Function,
    Invoke,
    Read,
    Shortcut,
    Target,
)


class ExpressionEmitter:
    """Makes the expressions of one function."""

    def __init__(
        self,
        file: str,
        locals_: LocalNames,
        globals_: GlobalNames,
        function_names: dict[Function, str],
        hint: Callable[[Value], str],
        operations: dict[ast.AST, Node],
    ) -> None:
        self._file = file
        self._locals = locals_
        self._globals = globals_
        self._function_names = function_names
        self._hint = hint
        self._operations = operations
        """The operation that each tree was made for; an operation inside another comes first."""

    def emit(self, expression: Expression, around: Origin | None) -> ast.expr:
        """Return the tree of `expression`; `around` is the position where it has none."""
        if isinstance(expression, Read):
            return place(self.read(expression.value), around)
        origin = origin_in(expression.node.origin, self._file) or around
        tree: ast.expr
        if isinstance(expression, Apply):
            tree = self._apply(expression, origin)
        elif isinstance(expression, Choose):
            tree = ast.IfExp(
                self.emit(expression.test, origin),
                self.emit(expression.then, origin),
                self.emit(expression.orelse, origin),
            )
        elif isinstance(expression, Shortcut):
            parts = self._shortcut_parts(expression)
            operator = ast.And() if expression.kind == "and" else ast.Or()
            tree = ast.BoolOp(operator, [self.emit(part, origin) for part in parts])
        else:
            tree = self._invoke(expression, origin)
        self._operations.setdefault(tree, expression.node)
        return place(tree, origin)

    def read(self, value: Value) -> ast.expr:
        """Return the tree that reads a variable or constant."""
        if not isinstance(value, Constant):
            return ast.Name(self._locals.of(value), ast.Load())
        tree = literal(value.value)
        if tree is None:
            name = self._globals.of(value.value, object_name(value.value, self._hint(value)))
            tree = ast.Name(name, ast.Load())
        return tree

    def classes(self, value: Constant, origin: Origin | None) -> ast.expr:
        """Return the tree of the classes that an ``except`` catches."""
        if type(value.value) is not tuple:
            return place(self.read(value), origin)
        parts = [self.classes(Constant(item), origin) for item in value.value]
        return place(ast.Tuple(parts, ast.Load()), origin)

    def target(self, target: Target, origin: Origin | None) -> ast.expr:
        """Return the tree that assigns to variables."""
        if isinstance(target, Value):
            return place(ast.Name(self._locals.of(target), ast.Store()), origin)
        parts = [self.target(part, origin) for part in target]
        return place(ast.Tuple(parts, ast.Store()), origin)

    def index(self, expression: Expression, around: Origin | None) -> ast.expr:
        """Return the tree of an index, with slices written as between brackets."""
        if isinstance(expression, Apply) and expression.node.op.name == "build_tuple":
            origin = origin_in(expression.node.origin, self._file) or around
            parts = [self._index_part(part, origin) for part in expression.operands]
            return place(ast.Tuple(parts, ast.Load()), origin)
        if isinstance(expression, Read) and isinstance(expression.value, Constant):
            value = expression.value.value
            if type(value) is tuple:
                items = [_literal_index(item) for item in value]
                known = [item for item in items if item is not None]
                if len(known) == len(items):
                    return place(ast.Tuple(known, ast.Load()), around)
        return self._index_part(expression, around)

    def _index_part(self, expression: Expression, around: Origin | None) -> ast.expr:
        if isinstance(expression, Apply) and expression.node.op.name == "build_slice":
            origin = origin_in(expression.node.origin, self._file) or around
            bounds = [self._bound(bound, origin) for bound in expression.operands]
            return place(ast.Slice(*bounds), origin)
        if isinstance(expression, Read) and isinstance(expression.value, Constant):
            tree = _literal_index(expression.value.value)
            if tree is not None:
                return place(tree, around)
        return self.emit(expression, around)

    def _bound(self, expression: Expression, around: Origin | None) -> ast.expr | None:
        if isinstance(expression, Read) and isinstance(expression.value, Constant):
            if expression.value.value is None:
                return None
        return self.emit(expression, around)

    def _apply(self, expression: Apply, origin: Origin | None) -> ast.expr:
        node = expression.node
        operands = [self.emit(operand, origin) for operand in expression.operands]
        if node.op.name.startswith("np."):
            # NumPy's functions keep no reference to a shape or an axis: a literal will do.
            for number, operand in enumerate(expression.operands):
                operands[number] = _literal_tuple(operand) or operands[number]
        if node.op.name == "getitem":
            operands[1] = self.index(expression.operands[1], origin)
        if node.op.syntax is not None:
            return node.op.syntax(operands, node.attrs)
        kernel = node.op.kernel_for(node.attrs)
        name = self._globals.of(kernel, kernel_name(node.op.name))
        return _call(ast.Name(name, ast.Load()), operands, node)

    def _invoke(self, expression: Invoke, origin: Origin | None) -> ast.expr:
        function = ast.Name(self._function_names[expression.function], ast.Load())
        arguments = [self.emit(argument, origin) for argument in expression.arguments]
        node = expression.node
        if node.op is CLOSURE:
            name = self._globals.of(maker(node.attrs), f"make_{expression.function.name}")
            return ast.Call(ast.Name(name, ast.Load()), [function, *arguments], [])
        return ast.Call(function, arguments, [])

    def _shortcut_parts(self, expression: Shortcut) -> list[Expression]:
        """Return the operands of a chain: ``a and (b and c)`` is ``a and b and c``."""
        right = expression.right
        if isinstance(right, Shortcut) and right.kind == expression.kind:
            return [expression.left, *self._shortcut_parts(right)]
        return [expression.left, right]


def _call(function: ast.expr, operands: Sequence[ast.expr], node: Node) -> ast.expr:
    """Return a call with the trailing operands by keyword and starred ones splatted."""
    keywords = node.op.keywords(node.attrs)
    starred = node.attrs.get("starred", ())
    assert isinstance(starred, tuple)
    count = len(operands) - len(keywords)
    arguments = [
        ast.Starred(operand, ast.Load()) if number in starred else operand
        for number, operand in enumerate(operands[:count])
    ]
    named = [ast.keyword(*pair) for pair in zip(keywords, operands[count:], strict=True)]
    return ast.Call(function, arguments, named)


def _literal_tuple(expression: Expression) -> ast.expr | None:
    """Return a constant tuple of numbers as a literal, None for anything else."""
    if not isinstance(expression, Read) or not isinstance(expression.value, Constant):
        return None
    value = expression.value.value
    if type(value) is not tuple or any(type(item) is not int for item in value):
        return None
    items = [tree for item in value if (tree := literal(item)) is not None]
    return ast.Tuple(items, ast.Load()) if len(items) == len(value) else None


def _literal_index(value: object) -> ast.expr | None:
    """Return a constant index as a literal, slices included; None if it is none."""
    if type(value) is not slice:
        return literal(value)
    bounds: list[ast.expr | None] = []
    for bound in (value.start, value.stop, value.step):
        tree = None if bound is None else literal(bound)
        if bound is not None and tree is None:
            return None
        bounds.append(tree)
    return ast.Slice(*bounds)
