"""Positions of the emitted tree.

Owns carrying the origin of an operation to the syntax made for it, so that tracebacks end at the
user's file, line and columns. Invariant: every node of a placed tree that can have a position has
one that Python's compiler accepts; an attribute ends on the line where it begins, since Python
gives what is done with it the line on which it ends.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from ..ir.graph import Origin

Tree = TypeVar("Tree", bound=ast.AST)


def origin_in(origin: Origin | None, file: str) -> Origin | None:
    """Return the position in `file` that led to `origin`, None if none did."""
    while origin is not None and origin.file != file:
        origin = origin.caller
    return origin


def place(tree: Tree, origin: Origin | None) -> Tree:
    """Give every node of `tree` that has no position yet that of `origin`, and return it."""
    if origin is None:
        position = (1, 0, 1, 0)
    else:
        position = (origin.line, origin.column, origin.end_line, origin.end_column)
    line, column, end_line, end_column = position
    line, column = max(line, 1), max(column, 0)
    if (end_line, end_column) < (line, column):
        end_line, end_column = line, column
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if "lineno" in node._attributes:
            if hasattr(node, "lineno"):
                continue
            node.lineno = line  # type: ignore[attr-defined]  # has positions
            node.col_offset = column  # type: ignore[attr-defined]  # has positions
            node.end_lineno = end_line  # type: ignore[attr-defined]  # has positions
            node.end_col_offset = end_column  # type: ignore[attr-defined]  # has positions
            if isinstance(node, ast.Attribute) and end_line != line:
                node.end_lineno, node.end_col_offset = line, column
        todo.extend(ast.iter_child_nodes(node))
    return tree
