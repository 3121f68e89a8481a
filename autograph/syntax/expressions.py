"""Expressions printed as Python source, with no parentheses but those they need.

Owns the text of expressions: operators and their binding, displays, subscripts, constants and
f-strings. Statements and patterns are printed by `unparse`. Invariant: `put` encloses an operand
exactly if it binds less tightly than its place needs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from io import StringIO

from astunparse.unparser import Unparser

from autograph.syntax.quoting import Unquotable, escape, escape_braces, quote

# Levels of binding, loosest first, from the table in the language reference ("Operator
# precedence"). An operand is put in parentheses when its own level is below what its place needs.
YIELD, NAMED, TEST, OR, AND, NOT, COMPARE = range(7)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, FACTOR, POWER, AWAIT, ATOM = range(7, 17)

_OPERATOR_LEVELS: dict[type[ast.AST], int] = {
    ast.Or: OR, ast.And: AND, ast.Not: NOT,
    ast.BitOr: BIT_OR, ast.BitXor: BIT_XOR, ast.BitAnd: BIT_AND,
    ast.LShift: SHIFT, ast.RShift: SHIFT, ast.Add: SUM, ast.Sub: SUM,
    ast.Mult: TERM, ast.Div: TERM, ast.FloorDiv: TERM, ast.Mod: TERM, ast.MatMult: TERM,
    ast.UAdd: FACTOR, ast.USub: FACTOR, ast.Invert: FACTOR, ast.Pow: POWER,
}  # fmt: skip
_LEVELS: dict[type[ast.AST], int] = {
    ast.Yield: YIELD, ast.YieldFrom: YIELD, ast.NamedExpr: NAMED, ast.Lambda: TEST,
    ast.IfExp: TEST, ast.Compare: COMPARE, ast.Await: AWAIT,
}  # fmt: skip

_INFINITY = "1e" + repr(sys.float_info.max_10_exp + 1)
_DECIMAL_BITS = 10_000  # below the length at which Python refuses to print an integer in decimal
ALL_QUOTES = ("'", '"', "'''", '"""')
#: Whether the expressions of an f-string may hold any quote and any backslash (PEP 701).
_FREE_FSTRINGS = sys.version_info >= (3, 12)


def level_of(node: ast.AST) -> int:
    """Return how tightly the text of an expression holds together."""
    if isinstance(node, ast.BinOp | ast.UnaryOp | ast.BoolOp):
        return _OPERATOR_LEVELS[type(node.op)]
    if isinstance(node, ast.Constant):
        # Made by hand only: the parser gives an operation for the sign.
        value = node.value
        negative = value < 0 if isinstance(value, int) else repr(value).startswith("-")
        return FACTOR if negative else ATOM
    return _LEVELS.get(type(node), ATOM)


class ExpressionPrinter(Unparser):  # type: ignore[misc]  # astunparse has no types
    """One printing of one expression; the methods named after a node class print it."""

    def __init__(
        self,
        tree: ast.AST,
        file: StringIO,
        quotes: tuple[str, ...] = ALL_QUOTES,
        raw: bool = False,
    ) -> None:
        # Inside an f-string before Python 3.12: what quotes are left, and no backslashes.
        self._quotes = quotes
        self._raw = raw
        super().__init__(tree, file)

    def put(self, node: ast.AST, level: int = TEST) -> None:
        """Print an operand where `level` is needed."""
        if level_of(node) < level:
            self.write("(")
            self.dispatch(node)
            self.write(")")
        else:
            self.dispatch(node)

    def put_bare(self, node: ast.AST) -> None:
        """Print an operand where a tuple needs no parentheses, nor does `yield`."""
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            self.commas(node.elts)
        else:
            self.put(node, TEST if isinstance(node, ast.NamedExpr) else YIELD)

    def commas(self, nodes: Iterable[ast.AST]) -> None:
        """Print operands with commas between them."""
        for index, node in enumerate(nodes):
            if index:
                self.write(", ")
            self.put(node)

    # -- expressions ----------------------------------------------------------------------------

    def _BinOp(self, tree: ast.BinOp) -> None:
        level = level_of(tree)
        power = isinstance(tree.op, ast.Pow)
        self.put(tree.left, AWAIT if power else level)
        self.write(f" {self.binop[type(tree.op).__name__]} ")
        self.put(tree.right, FACTOR if power else level + 1)

    def _UnaryOp(self, tree: ast.UnaryOp) -> None:
        self.write(self.unop[type(tree.op).__name__])
        self.write(" " if isinstance(tree.op, ast.Not) else "")
        self.put(tree.operand, level_of(tree))

    def _BoolOp(self, tree: ast.BoolOp) -> None:
        for index, value in enumerate(tree.values):
            self.write(f" {self.boolops[type(tree.op)]} " if index else "")
            self.put(value, level_of(tree) + 1)

    def _Compare(self, tree: ast.Compare) -> None:
        self.put(tree.left, COMPARE + 1)
        for operator, operand in zip(tree.ops, tree.comparators, strict=True):
            self.write(f" {self.cmpops[type(operator).__name__]} ")
            self.put(operand, COMPARE + 1)

    def _IfExp(self, tree: ast.IfExp) -> None:
        self.put(tree.body, TEST + 1)
        self.write(" if ")
        self.put(tree.test, TEST + 1)
        self.write(" else ")
        self.put(tree.orelse)

    def _Lambda(self, tree: ast.Lambda) -> None:
        self.write("lambda")
        arguments = tree.args
        if any((arguments.posonlyargs, arguments.args, arguments.vararg)) or any(
            (arguments.kwonlyargs, arguments.kwarg)
        ):
            self.write(" ")
        self.dispatch(arguments)
        self.write(": ")
        self.put(tree.body)

    def _NamedExpr(self, tree: ast.NamedExpr) -> None:
        self.put(tree.target)
        self.write(" := ")
        self.put(tree.value)

    def _Await(self, tree: ast.Await) -> None:
        self.write("await ")
        self.put(tree.value, ATOM)

    def _Yield(self, tree: ast.Yield) -> None:
        self.write("yield")
        if tree.value is not None:
            self.write(" ")
            self.put(tree.value)

    def _YieldFrom(self, tree: ast.YieldFrom) -> None:
        self.write("yield from ")
        self.put(tree.value)

    def _Starred(self, tree: ast.Starred) -> None:
        self.write("*")
        self.put(tree.value, BIT_OR)

    def _Attribute(self, tree: ast.Attribute) -> None:
        # `3.real` is not a number with an attribute.
        number = isinstance(tree.value, ast.Constant) and type(tree.value.value) is int
        self.write("(" if number else "")
        self.put(tree.value, YIELD if number else ATOM)
        self.write(f").{tree.attr}" if number else f".{tree.attr}")

    def _Call(self, tree: ast.Call) -> None:
        self.put(tree.func, ATOM)
        if len(tree.args) == 1 and not tree.keywords and isinstance(tree.args[0], ast.GeneratorExp):
            self.dispatch(tree.args[0])
            return
        self.write("(")
        self.commas([*tree.args, *tree.keywords])
        self.write(")")

    def _keyword(self, tree: ast.keyword) -> None:
        self.write("**" if tree.arg is None else f"{tree.arg}=")
        self.put(tree.value)

    def _Subscript(self, tree: ast.Subscript) -> None:
        self.put(tree.value, ATOM)
        self.write("[")
        if isinstance(tree.slice, ast.Tuple) and tree.slice.elts:
            self.commas(tree.slice.elts)
            self.write("," if len(tree.slice.elts) == 1 else "")
        else:
            self.put(tree.slice)
        self.write("]")

    def _Slice(self, tree: ast.Slice) -> None:
        if tree.lower is not None:
            self.put(tree.lower)
        self.write(":")
        if tree.upper is not None:
            self.put(tree.upper)
        if tree.step is not None:
            self.write(":")
            self.put(tree.step)

    def _Tuple(self, tree: ast.Tuple) -> None:
        self.write("(")
        self.commas(tree.elts)
        self.write(",)" if len(tree.elts) == 1 else ")")

    def _List(self, tree: ast.List) -> None:
        self.write("[")
        self.commas(tree.elts)
        self.write("]")

    def _Set(self, tree: ast.Set) -> None:
        # An empty display would be a dict.
        self.write("{" if tree.elts else "{*()")
        self.commas(tree.elts)
        self.write("}")

    def _Dict(self, tree: ast.Dict) -> None:
        self.write("{")
        for index, (key, value) in enumerate(zip(tree.keys, tree.values, strict=True)):
            self.write(", " if index else "")
            if key is None:
                self.write("**")
                self.put(value, BIT_OR)
            else:
                self.put(key)
                self.write(": ")
                self.put(value)
        self.write("}")

    def _ListComp(self, tree: ast.ListComp) -> None:
        self.comprehension("[]", tree.elt, None, tree.generators)

    def _SetComp(self, tree: ast.SetComp) -> None:
        self.comprehension("{}", tree.elt, None, tree.generators)

    def _GeneratorExp(self, tree: ast.GeneratorExp) -> None:
        self.comprehension("()", tree.elt, None, tree.generators)

    def _DictComp(self, tree: ast.DictComp) -> None:
        self.comprehension("{}", tree.key, tree.value, tree.generators)

    def comprehension(
        self,
        brackets: str,
        element: ast.expr,
        value: ast.expr | None,
        generators: list[ast.comprehension],
    ) -> None:
        """Print a comprehension between `brackets`."""
        self.write(brackets[0])
        self.put(element)
        if value is not None:
            self.write(": ")
            self.put(value)
        for generator in generators:
            self.dispatch(generator)
        self.write(brackets[1])

    def _comprehension(self, tree: ast.comprehension) -> None:
        self.write(" async for " if tree.is_async else " for ")
        self.put_bare(tree.target)
        self.write(" in ")
        self.put(tree.iter, OR)
        for condition in tree.ifs:
            self.write(" if ")
            self.put(condition, OR)

    # -- constants and f-strings ----------------------------------------------------------------

    def _Constant(self, tree: ast.Constant) -> None:
        if tree.kind == "u":
            self.write("u")
        self.constant(tree.value)

    def constant(self, value: object) -> None:
        """Print a constant."""
        if isinstance(value, tuple):
            self.write("(")
            for index, item in enumerate(value):
                self.write(", " if index else "")
                self.constant(item)
            self.write(",)" if len(value) == 1 else ")")
        elif value is Ellipsis:
            self.write("...")
        elif isinstance(value, str | bytes):
            self.write(quote(value, self._quotes) if self._raw else repr(value))
        elif type(value) is int and value.bit_length() > _DECIMAL_BITS:
            self.write(hex(value))
        elif isinstance(value, float | complex):
            text = repr(value).replace("nan", f"({_INFINITY} - {_INFINITY})")
            self.write(text.replace("inf", _INFINITY))
        else:
            self.write(repr(value))

    def _arguments(self, tree: ast.arguments) -> None:
        positional = [*tree.posonlyargs, *tree.args]
        defaults = [*[None] * (len(positional) - len(tree.defaults)), *tree.defaults]
        parts: list[tuple[str, ast.arg | None, ast.expr | None]] = [
            ("", parameter, default)
            for parameter, default in zip(positional, defaults, strict=True)
        ]
        if tree.posonlyargs:
            parts.insert(len(tree.posonlyargs), ("/", None, None))
        if tree.vararg is not None or tree.kwonlyargs:
            parts.append(("*", tree.vararg, None))
        parts.extend(
            ("", parameter, default)
            for parameter, default in zip(tree.kwonlyargs, tree.kw_defaults, strict=True)
        )
        if tree.kwarg is not None:
            parts.append(("**", tree.kwarg, None))
        for index, (stars, parameter, default) in enumerate(parts):
            self.write(f"{', ' if index else ''}{stars}")
            if parameter is not None:
                self.parameter(parameter, default)

    def parameter(self, parameter: ast.arg, default: ast.expr | None) -> None:
        """Print one parameter with its annotation and default."""
        self.write(parameter.arg)
        if parameter.annotation is not None:
            self.write(": ")
            self.put(parameter.annotation)
        if default is not None:
            self.write(" = " if parameter.annotation is not None else "=")
            self.put(default)

    def _arg(self, tree: ast.arg) -> None:
        self.parameter(tree, None)

    def _JoinedStr(self, tree: ast.JoinedStr) -> None:
        for outer in self._quotes:
            try:
                text = self.fstring(tree, outer)
            except Unquotable:
                continue
            self.write(f"f{outer}{text}{outer}")
            return
        if self._raw:
            raise Unquotable
        if _FREE_FSTRINGS:
            self.write(f"f'{self.fstring(tree, None)}'")
        else:
            self.write(self.format_call(tree))

    def fstring(self, tree: ast.JoinedStr, outer: str | None, *, spec: bool = False) -> str:
        """Return the inside of an f-string; None: between ``'``, with any quote in it again."""
        parts = []
        for value in tree.values:
            if isinstance(value, ast.FormattedValue):
                parts.append(self.field(value, outer))
                continue
            assert isinstance(value, ast.Constant) and isinstance(value.value, str)
            text = value.value
            if self._raw:
                # An f-string inside of one: what cannot stand as it is cannot stand at all.
                quote(text, (outer or "'",))
                if spec and ("{" in text or "}" in text):
                    raise Unquotable
                parts.append(text.replace("{", "{{").replace("}", "}}"))
            else:
                # Doubled braces do not stand for braces in a format specification.
                braces = escape_braces if spec else (("{", "{{"), ("}", "}}"))
                parts.append(escape(text, outer or "'", braces))
        return "".join(parts)

    def field(self, tree: ast.FormattedValue, outer: str | None) -> str:
        """Return one field of an f-string, with its braces."""
        if outer is None:
            text = self.inner(tree.value, self._quotes, raw=False)
        else:
            left = tuple(other for other in ALL_QUOTES if outer not in other)
            if len(outer) == 1:
                left = tuple(other for other in left if other[0] != outer)
            text = self.inner(tree.value, tuple(q for q in left if q in self._quotes), raw=True)
            if outer in text or "\\" in text or ("\n" in text and len(outer) == 1):
                raise Unquotable
        if text.startswith("{"):
            text = f" {text}"
        if tree.conversion != -1:
            text += f"!{chr(tree.conversion)}"
        if tree.format_spec is not None:
            assert isinstance(tree.format_spec, ast.JoinedStr)
            text += f":{self.fstring(tree.format_spec, outer, spec=True)}"
        return f"{{{text}}}"

    def inner(self, tree: ast.expr, quotes: tuple[str, ...], *, raw: bool) -> str:
        """Print the expression of a field: nothing in it may look like its colon."""
        buffer = StringIO()
        ExpressionPrinter(tree, buffer, quotes, raw)
        text = buffer.getvalue().strip("\n")
        return f"({text})" if level_of(tree) < OR else text

    def format_call(self, tree: ast.JoinedStr) -> str:
        """Return a call of `str.format` with the value of an f-string that cannot be written."""
        template: list[str] = []
        values: list[str] = []

        def add(pieces: ast.JoinedStr) -> None:
            for piece in pieces.values:
                if isinstance(piece, ast.FormattedValue):
                    values.append(self.inner(piece.value, ALL_QUOTES, raw=False))
                    mark = "" if piece.conversion == -1 else f"!{chr(piece.conversion)}"
                    template.append(f"{{{mark}")
                    if isinstance(piece.format_spec, ast.JoinedStr):
                        template.append(":")
                        add(piece.format_spec)
                    template.append("}")
                elif isinstance(piece, ast.Constant):
                    template.append(str(piece.value).replace("{", "{{").replace("}", "}}"))

        add(tree)
        return f"{''.join(template)!r}.format({', '.join(values)})"
