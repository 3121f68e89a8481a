"""Syntax trees: the small forms that instrumented programs are put together from.

Owns making and copying statements at a position of the user's. It leaves what they are for to
`instrument`. Invariant: a tree that is given is not changed, but for positions that are missing.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeVar

Tree = TypeVar("Tree", bound=ast.AST)
Statements = list[ast.stmt]
JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Raise)
LOOPS = (ast.For, ast.While)


def has_loop(statement: ast.stmt) -> bool:
    """Tell whether `statement` is a loop or has one in it."""
    return any(isinstance(tree, LOOPS) for tree in ast.walk(statement))


def has_jump(statements: Sequence[ast.stmt]) -> bool:
    """Tell whether control may leave `statements` before their end, errors left out."""
    return any(isinstance(tree, JUMPS) for one in statements for tree in ast.walk(one))


def leading_run(statements: Statements) -> tuple[Statements, Statements]:
    """Return the statements before the first with a loop in it, and the others."""
    for number, statement in enumerate(statements):
        if has_loop(statement):
            return statements[:number], statements[number:]
    return statements, []


def leave_unless(test: ast.expr, count: Statements, where: ast.expr) -> Statements:
    """Return what leaves a loop when `test` does not hold."""
    leave = [*count, ast.Break()]
    return [at(ast.If(ast.UnaryOp(ast.Not(), test), leave, []), where)]


def true(where: ast.AST) -> ast.expr:
    """Return the literal ``True``."""
    return at(ast.Constant(True), where)


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of what is called `name`."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def rebuilt(tree: Tree, **changed: object) -> Tree:
    """Return a copy of `tree`, at its position, with other parts."""
    parts = {**dict(ast.iter_fields(tree)), **changed}
    return ast.copy_location(type(tree)(**parts), tree)


def at(tree: Tree, where: ast.AST) -> Tree:
    """Give what has no position in `tree` that of `where`, and return it."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        one = waiting.pop()
        if "lineno" in one._attributes:
            if hasattr(one, "lineno"):
                continue
            ast.copy_location(one, where)
        waiting.extend(ast.iter_child_nodes(one))
    return tree


def parse(text: str, where: ast.AST, names: Mapping[str, str]) -> Statements:
    """Return the statements of `text` at the position of `where`, with names replaced."""
    lines = ast.parse(text).body
    for one in lines:
        for tree in ast.walk(one):
            if isinstance(tree, ast.Name):
                tree.id = names.get(tree.id, tree.id)
            if "lineno" in tree._attributes:
                ast.copy_location(tree, where)
    return lines
