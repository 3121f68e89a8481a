"""Trees printed as Python source.

Owns the text of every tree that this project shows. astunparse gives the dispatcher, the indenter
and the plain statements; it predates Python 3.9, and what it prints wrongly or not at all on 3.11
to 3.13 (index tuples, `match`, `except*`, quotes in f-strings, type parameters, ...) is mended
here, as are the parentheses that it puts around every operation.

Invariant: parsing the text gives the tree back, positions aside. A tree that no text stands for
(an f-string of Python 3.12 on 3.11) is printed as another expression with the same value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from io import StringIO
from typing import Any

import gast

from autograph.syntax.expressions import ATOM, NAMED, TEST, YIELD, ExpressionPrinter
from autograph.syntax.quoting import triple_quote

# Levels of patterns: `p as name`, `p | q`, and the rest.
_AS_PATTERN, _OR_PATTERN, _CLOSED_PATTERN = range(3)


def unparse(node: ast.AST) -> str:
    """Print a tree as Python source.

    Parameters
    ----------
    node
        A tree of `ast` or of `gast`: module, statement, expression or part of one.

    Returns
    -------
    str
        Without a newline at the end, and without position comments.

    Examples
    --------
    >>> print(unparse(ast.parse("if (a): y = ((0.5)*(y + (x[(1, 2)] / -y)))")))
    if a:
        y = 0.5 * (y + x[1, 2] / -y)
    """
    if type(node) is getattr(gast, type(node).__name__, None):
        node = gast.gast_to_ast(node)
    buffer = StringIO()
    _Printer(node, buffer)
    return buffer.getvalue().strip("\n ")


class _Printer(ExpressionPrinter):
    """One printing of one tree; the methods named after a node class print it."""

    # Whether the block has nothing in it yet, and whether a definition has just ended.
    _opened = True
    _defined = False

    # -- layout ---------------------------------------------------------------------------------

    def fill(self, text: str = "") -> None:
        if self._defined and self._indent == 0:
            self.f.write("\n")
        self._opened = self._defined = False
        super().fill(text)

    def block(self, body: list[ast.stmt], *, docstring: bool = False) -> None:
        """Print a colon and an indented block."""
        self.write(":")
        self._indent += 1
        self.body(body, docstring=docstring)
        self._indent -= 1

    def body(self, body: list[ast.stmt], *, docstring: bool) -> None:
        """Print statements; the first may be a docstring."""
        self._opened = True
        for index, statement in enumerate(body):
            text = _docstring(statement) if docstring and index == 0 else None
            if text is None:
                self.dispatch(statement)
            else:
                self.fill(text)

    # -- statements -----------------------------------------------------------------------------

    def _Module(self, tree: ast.Module) -> None:
        self.body(tree.body, docstring=True)

    def _Expr(self, tree: ast.Expr) -> None:
        self.fill()
        self.put(tree.value, TEST if isinstance(tree.value, ast.NamedExpr) else YIELD)

    def _Assign(self, tree: ast.Assign) -> None:
        self.fill()
        for target in tree.targets:
            self.put_bare(target)
            self.write(" = ")
        self.put_bare(tree.value)

    def _AugAssign(self, tree: ast.AugAssign) -> None:
        self.fill()
        self.put(tree.target)
        self.write(f" {self.binop[type(tree.op).__name__]}= ")
        self.put_bare(tree.value)

    def _AnnAssign(self, tree: ast.AnnAssign) -> None:
        self.fill()
        enclosed = not tree.simple and isinstance(tree.target, ast.Name)
        self.write("(" if enclosed else "")
        self.put(tree.target)
        self.write("): " if enclosed else ": ")
        self.put(tree.annotation)
        if tree.value is not None:
            self.write(" = ")
            self.put(tree.value, YIELD if isinstance(tree.value, ast.Yield) else TEST)

    def _Return(self, tree: ast.Return) -> None:
        self.fill("return")
        if tree.value is not None:
            self.write(" ")
            if isinstance(tree.value, ast.Tuple):
                self.put_bare(tree.value)
            else:
                self.put(tree.value)

    def _Delete(self, tree: ast.Delete) -> None:
        self.fill("del ")
        self.commas(tree.targets)

    def _Assert(self, tree: ast.Assert) -> None:
        self.fill("assert ")
        self.commas([tree.test] if tree.msg is None else [tree.test, tree.msg])

    def _Raise(self, tree: ast.Raise) -> None:
        self.fill("raise")
        if tree.exc is not None:
            self.write(" ")
            self.put(tree.exc)
        if tree.cause is not None:
            self.write(" from ")
            self.put(tree.cause)

    def _ImportFrom(self, tree: ast.ImportFrom) -> None:
        self.fill(f"from {'.' * (tree.level or 0)}{tree.module or ''} import ")
        self.commas(tree.names)

    def _TypeAlias(self, tree: Any) -> None:
        self.fill("type ")
        self.dispatch(tree.name)
        self.type_parameters(tree)
        self.write(" = ")
        self.put(tree.value)

    def _If(self, tree: ast.If) -> None:
        self.fill("if ")
        self.put(tree.test, NAMED)
        self.block(tree.body)
        while len(tree.orelse) == 1 and isinstance(tree.orelse[0], ast.If):
            tree = tree.orelse[0]
            self.fill("elif ")
            self.put(tree.test, NAMED)
            self.block(tree.body)
        self.clause("else", tree.orelse)

    def _While(self, tree: ast.While) -> None:
        self.fill("while ")
        self.put(tree.test, NAMED)
        self.block(tree.body)
        self.clause("else", tree.orelse)

    def _For(self, tree: ast.For | ast.AsyncFor, keyword: str = "for ") -> None:
        self.fill(keyword)
        self.put_bare(tree.target)
        self.write(" in ")
        self.put(tree.iter)
        self.block(tree.body)
        self.clause("else", tree.orelse)

    def _AsyncFor(self, tree: ast.AsyncFor) -> None:
        self._For(tree, "async for ")

    def clause(self, keyword: str, body: list[ast.stmt]) -> None:
        """Print ``else:`` or ``finally:``, if there is one."""
        if body:
            self.fill(keyword)
            self.block(body)

    def _With(self, tree: ast.With | ast.AsyncWith, keyword: str = "with ") -> None:
        self.fill(keyword)
        only = tree.items[0] if len(tree.items) == 1 else None
        if only and only.optional_vars is None and isinstance(only.context_expr, ast.Tuple):
            # One pair of parentheses would group items: `with (a, b):` enters both.
            self.write("(")
            self.dispatch(only.context_expr)
            self.write(")")
        else:
            self.commas(tree.items)
        self.block(tree.body)

    def _AsyncWith(self, tree: ast.AsyncWith) -> None:
        self._With(tree, "async with ")

    def _withitem(self, tree: ast.withitem) -> None:
        self.put(tree.context_expr)
        if tree.optional_vars is not None:
            self.write(" as ")
            self.put(tree.optional_vars)

    def _Try(self, tree: Any, keyword: str = "except") -> None:
        self.fill("try")
        self.block(tree.body)
        for handler in tree.handlers:
            self._ExceptHandler(handler, keyword)
        self.clause("else", tree.orelse)
        self.clause("finally", tree.finalbody)

    def _TryStar(self, tree: Any) -> None:
        self._Try(tree, "except*")

    def _ExceptHandler(self, tree: ast.ExceptHandler, keyword: str = "except") -> None:
        self.fill(keyword)
        if tree.type is not None:
            self.write(" ")
            self.put(tree.type)
        if tree.name:
            self.write(f" as {tree.name}")
        self.block(tree.body)

    # -- definitions ----------------------------------------------------------------------------

    def definition(self, tree: Any, keyword: str) -> None:
        """Print the decorators, the keyword and the name of a definition."""
        if not self._opened:
            self._defined = False
            self.f.write("\n")
        for decorator in tree.decorator_list:
            self.fill("@")
            self.put(decorator, NAMED)
        self.fill(f"{keyword} {tree.name}")
        self.type_parameters(tree)

    def _FunctionDef(self, tree: Any, keyword: str = "def") -> None:
        self.definition(tree, keyword)
        self.write("(")
        self.dispatch(tree.args)
        self.write(")")
        if tree.returns is not None:
            self.write(" -> ")
            self.put(tree.returns)
        self.block(tree.body, docstring=True)
        self._defined = True

    def _AsyncFunctionDef(self, tree: ast.AsyncFunctionDef) -> None:
        self._FunctionDef(tree, "async def")

    def _ClassDef(self, tree: ast.ClassDef) -> None:
        self.definition(tree, "class")
        if tree.bases or tree.keywords:
            self.write("(")
            self.commas([*tree.bases, *tree.keywords])
            self.write(")")
        self.block(tree.body, docstring=True)
        self._defined = True

    def type_parameters(self, tree: Any) -> None:
        """Print ``[T, *Ts, **P]``, if there are any."""
        parameters = getattr(tree, "type_params", None)
        if parameters:
            self.write("[")
            self.commas(parameters)
            self.write("]")

    def _TypeVar(self, tree: Any, stars: str = "") -> None:
        self.write(stars + tree.name)
        if getattr(tree, "bound", None) is not None:
            self.write(": ")
            self.put(tree.bound)
        if getattr(tree, "default_value", None) is not None:
            self.write(" = ")
            self.put(tree.default_value)

    def _TypeVarTuple(self, tree: Any) -> None:
        self._TypeVar(tree, "*")

    def _ParamSpec(self, tree: Any) -> None:
        self._TypeVar(tree, "**")

    # -- match ----------------------------------------------------------------------------------

    def _Match(self, tree: ast.Match) -> None:
        self.fill("match ")
        self.put(tree.subject)
        self.write(":")
        self._indent += 1
        for case in tree.cases:
            self.dispatch(case)
        self._indent -= 1

    def _match_case(self, tree: ast.match_case) -> None:
        self.fill("case ")
        self.pattern(tree.pattern)
        if tree.guard is not None:
            self.write(" if ")
            self.put(tree.guard, NAMED)
        self.block(tree.body)

    def pattern(self, node: ast.pattern, level: int = _AS_PATTERN) -> None:
        """Print a pattern where `level` is needed."""
        if isinstance(node, ast.MatchAs) and node.pattern is not None:
            own = _AS_PATTERN
        else:
            own = _OR_PATTERN if isinstance(node, ast.MatchOr) else _CLOSED_PATTERN
        self.write("(" if own < level else "")
        self.dispatch(node)
        self.write(")" if own < level else "")

    def patterns(self, nodes: Iterable[ast.pattern], separator: str, level: int) -> None:
        """Print patterns with a separator between them."""
        for index, node in enumerate(nodes):
            self.write(separator if index else "")
            self.pattern(node, level)

    def _MatchValue(self, tree: ast.MatchValue) -> None:
        self.put(tree.value)

    def _MatchSingleton(self, tree: ast.MatchSingleton) -> None:
        self.write(repr(tree.value))

    def _MatchSequence(self, tree: ast.MatchSequence) -> None:
        self.write("[")
        self.patterns(tree.patterns, ", ", _AS_PATTERN)
        self.write("]")

    def _MatchStar(self, tree: ast.MatchStar) -> None:
        self.write(f"*{tree.name or '_'}")

    def _MatchMapping(self, tree: ast.MatchMapping) -> None:
        self.write("{")
        for index, (key, pattern) in enumerate(zip(tree.keys, tree.patterns, strict=True)):
            self.write(", " if index else "")
            self.put(key)
            self.write(": ")
            self.pattern(pattern)
        if tree.rest is not None:
            self.write(f"{', ' if tree.keys else ''}**{tree.rest}")
        self.write("}")

    def _MatchClass(self, tree: ast.MatchClass) -> None:
        self.put(tree.cls, ATOM)
        self.write("(")
        self.patterns(tree.patterns, ", ", _AS_PATTERN)
        named = zip(tree.kwd_attrs, tree.kwd_patterns, strict=True)
        for index, (name, pattern) in enumerate(named, len(tree.patterns)):
            self.write(f"{', ' if index else ''}{name}=")
            self.pattern(pattern)
        self.write(")")

    def _MatchAs(self, tree: ast.MatchAs) -> None:
        if tree.pattern is not None:
            self.pattern(tree.pattern, _OR_PATTERN)
            self.write(" as ")
        self.write(tree.name or "_")

    def _MatchOr(self, tree: ast.MatchOr) -> None:
        self.patterns(tree.patterns, " | ", _CLOSED_PATTERN)


def _docstring(statement: ast.stmt) -> str | None:
    """Return the text of a docstring between triple quotes; None if this is none."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
        return None
    value = statement.value.value
    if not isinstance(value, str) or statement.value.kind is not None:
        return None
    return triple_quote(value)
