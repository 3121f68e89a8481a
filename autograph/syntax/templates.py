"""Makes tree nodes that stand at the position of a node of the user's.

Owns the spelling of `gast` constructors (with all the fields that every Python version wants) and
the rule that a generated node is never without a position. It leaves what is made, and where it
goes, to the converters. Invariant: every node made here has the line and columns of the node that
its `Maker` was given, where it begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Maker:
    """Makes nodes at the position of `at`.

    Examples
    --------
    >>> import ast
    >>> at = gast.parse("f(x)").body[0].value
    >>> node = Maker(at).call(Maker(at).load("g"), [Maker(at).constant(1)])
    >>> ast.unparse(gast.gast_to_ast(node)), node.lineno
    ('g(1)', 1)
    """

    def __init__(self, at: gast.AST) -> None:
        self.at = at

    def place(self, node: Any) -> Any:
        """Give `node` itself, not its children, the position; return it."""
        for field in POSITION:
            setattr(node, field, getattr(self.at, field, None))
        return node

    def load(self, name: str) -> Any:
        """Make a read of `name`."""
        return self.place(gast.Name(name, gast.Load(), None, None))

    def store(self, name: str) -> Any:
        """Make an assignment target."""
        return self.place(gast.Name(name, gast.Store(), None, None))

    def constant(self, value: object) -> Any:
        """Make a constant."""
        return self.place(gast.Constant(value, None))

    def load_tuple(self, items: Sequence[gast.AST]) -> Any:
        """Make a tuple of values."""
        return self.place(gast.Tuple(list(items), gast.Load()))

    def store_names(self, names: Sequence[str], *, always_tuple: bool) -> Any:
        """Make the target that takes one value, or a tuple of values, into `names`."""
        if len(names) == 1 and not always_tuple:
            return self.store(names[0])
        return self.place(gast.Tuple([self.store(name) for name in names], gast.Store()))

    def attribute(self, value: gast.AST, name: str) -> Any:
        """Make a read of an attribute; it ends on the line where it begins.

        Python gives a call of an attribute the line on which the attribute ends.
        """
        node = self.place(gast.Attribute(value, name, gast.Load()))
        if node.end_lineno != node.lineno:
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
        return node

    def call(
        self, function: gast.AST, args: Sequence[gast.AST], keywords: Sequence[gast.AST] = ()
    ) -> Any:
        """Make a call."""
        return self.place(gast.Call(function, list(args), list(keywords)))

    def keyword(self, name: str, value: gast.AST) -> Any:
        """Make a keyword argument."""
        return self.place(gast.keyword(name, value))

    def arguments(self, names: Iterable[str]) -> Any:
        """Make a plain parameter list."""
        params = [self.place(gast.Name(name, gast.Param(), None, None)) for name in names]
        return gast.arguments(params, [], None, [], [], None, [])

    def thunk(self, body: gast.AST, params: Iterable[str] = ()) -> Any:
        """Make a ``lambda``."""
        return self.place(gast.Lambda(self.arguments(params), body))

    def function(self, name: str, params: Iterable[str], body: Sequence[gast.AST]) -> Any:
        """Make a ``def`` with plain parameters."""
        statements = list(body) or [self.place(gast.Pass())]
        return self.place(
            gast.FunctionDef(name, self.arguments(params), statements, [], None, None, [])
        )

    def assign(self, target: gast.AST, value: gast.AST) -> Any:
        """Make an assignment."""
        return self.place(gast.Assign([target], value, None))

    def expression(self, value: gast.AST) -> Any:
        """Make an expression statement."""
        return self.place(gast.Expr(value))

    def return_(self, value: gast.AST | None) -> Any:
        """Make a return."""
        return self.place(gast.Return(value))

    def nonlocal_(self, names: Sequence[str]) -> Any:
        """Make a ``nonlocal`` declaration."""
        return self.place(gast.Nonlocal(list(names)))

    def if_(self, test: gast.AST, body: Sequence[gast.AST], orelse: Sequence[gast.AST]) -> Any:
        """Make a branch."""
        return self.place(gast.If(test, list(body), list(orelse)))

    def for_(self, target: gast.AST, iterable: gast.AST, body: Sequence[gast.AST]) -> Any:
        """Make a loop over an iterable."""
        return self.place(gast.For(target, iterable, list(body), [], None))
