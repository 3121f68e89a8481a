"""Expressions: what Python gives no method for becomes a call of an operator.

Owns names, calls, displays, strings, truth, identity, membership and lambdas. It leaves arithmetic,
comparison, attributes and subscripts as written, and statements to `statements`. Invariant:
operands are evaluated in CPython's order, and only when CPython evaluates them.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.definedness import Status
from ..syntax.scope import ExpressionFunction, HelperFunction
from ..syntax.templates import Maker
from .facts import Facts
from .nodes import BoxValue, OperatorCall
from .unit import Unconvertible, Unit, is_free, own_nodes, scopes_between

_PLAIN_CLASSES = (range, enumerate, zip, reversed)

_COMPARISONS: dict[type, str] = {
    gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==", gast.NotEq: "!=",
    gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in",
}  # fmt: skip
_TESTS: dict[type, str] = {
    gast.Is: "is_", gast.IsNot: "is_not", gast.In: "in_", gast.NotIn: "not_in",
}  # fmt: skip


class Expressions(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    """Converts the expressions of one function.

    Attributes
    ----------
    pending : list
        Definitions that have to stand before the statement being converted.
    """

    def __init__(self, unit: Unit, table: dict[gast.AST, Facts], facts: Facts) -> None:
        self.unit = unit
        self.table = table
        self.facts = facts
        self.pending: list[Any] = []

    def function(self, node: Any) -> list[Any]:
        """Return the statements that define what an inner ``def`` becomes."""
        raise NotImplementedError

    def operator(
        self,
        at: gast.AST,
        name: str,
        args: Sequence[gast.AST] = (),
        keywords: Sequence[gast.AST] = (),
    ) -> Any:
        """Return a call of an operator."""
        maker = Maker(at)
        function = maker.attribute(maker.load(self.unit.operators_name), name)
        return maker.call(function, args, keywords)

    def unbound(self, at: gast.AST, name: str) -> Any:
        """Return what stands for an unbound name."""
        return self.operator(at, "unbound", [Maker(at).constant(name)])

    def checked(self, at: gast.AST, name: str, status: Status) -> Any:
        """Return a read of a local that looks first whether it is bound, if that is in doubt."""
        maker = Maker(at)
        owner = self.facts.visible[name]
        leaves = any(scope.kind != "helper" for scope in scopes_between(self.facts.scope, owner))
        if leaves and name not in self.facts.facts_of(owner).marked:
            return maker.load(name)
        if status == Status.UNBOUND:
            value = self.unbound(at, name)
        elif status == Status.MAYBE:
            value = maker.load(name)
        else:
            return maker.load(name)
        keywords = []
        if is_free(self.unit, self.facts.scope, owner):
            keywords.append(maker.keyword("free", maker.constant(True)))
        return self.operator(at, "bound", [value, maker.constant(name)], keywords)

    def lazily(self, node: Any) -> Any:
        """Return a function without parameters that evaluates `node`."""
        self.check_lazy(node)
        return Maker(node).thunk(self.visit(node))

    def check_lazy(self, node: Any) -> None:
        """Refuse what cannot move into a function made of an expression."""
        shared = [n for n, owner in self.facts.visible.items() if n in owner.rebound]
        for part in own_nodes(node, helpers=False):
            if isinstance(part, gast.NamedExpr):
                raise Unconvertible(
                    part,
                    "assignment expression",
                    "it stands where it may be skipped",
                    f"bind {part.target.id} in a statement of its own",
                )
            if shared and isinstance(part, gast.Call) and not self.is_plain(part.func):
                raise Unconvertible(
                    part,
                    "call",
                    f"it stands where it may be skipped, and may rebind {shared[0]} (nonlocal)",
                    "use an if statement",
                    shared=True,
                )

    def may_move(self, node: Any) -> bool:
        """Tell whether an expression may move into a function of its own."""
        try:
            self.check_lazy(node)
        except Unconvertible:
            return False
        return True

    def is_plain(self, function: gast.AST) -> bool:
        """Tell whether calls of `function` stay as written."""
        surroundings = self.unit.surroundings
        if isinstance(function, gast.Name):
            # The overlay stands in for functions and a few classes, not for classes used as values.
            meaning = getattr(builtins, function.id, None)
            plain = not isinstance(meaning, type) or meaning in _PLAIN_CLASSES
            return plain and surroundings.is_builtin(function.id)
        return surroundings.is_ufunc(function)

    def visit_Name(self, node: gast.Name) -> Any:
        """Check a read of a local that may be unbound."""
        if not isinstance(node.ctx, gast.Load) or node.id not in self.facts.visible:
            return node
        return self.checked(node, node.id, self.facts.defined.reads.get(node, Status.BOUND))

    def visit_Attribute(self, node: gast.Attribute) -> Any:
        """Convert assigned attributes and special names; other reads stay."""
        maker, value = Maker(node), self.visit(node.value)
        if not isinstance(node.ctx, gast.Load):
            value = self.operator(node.value, "target", [value])
        elif node.attr.startswith("__") and node.attr.endswith("__"):
            return self.operator(node, "special", [value, maker.constant(node.attr)])
        return maker.place(gast.Attribute(value, node.attr, node.ctx))

    def visit_Call(self, node: gast.Call) -> Any:
        """Send a call through ``ag.call``, unless what it calls is known to be plain."""
        keep = isinstance(node.func, HelperFunction)
        if isinstance(node.func, gast.Name):  # a ufunc of constants may warn, or make an array
            keep = self.is_plain(node.func)
        at = self.place_of_call(node)
        function = self.visit(node.func)
        args = self.arguments(node.args, node.keywords)
        keywords = self.keywords(node.keywords)
        if keep:
            return Maker(node).call(function, args, keywords)
        return self.operator(at, "call", [function, *args], keywords)

    def place_of_call(self, node: Any) -> Any:
        """Return a node at the position that Python gives a call, for errors and warnings.

        Of a method whose name stands on a later line than where the call begins, it is the name's.
        Of a module's function it is not.
        """
        function = node.func
        if not isinstance(function, gast.Attribute) or function.end_lineno == node.lineno:
            return node
        if any(isinstance(argument, gast.Starred) for argument in node.args):
            return node
        if any(keyword.arg is None for keyword in node.keywords):
            return node
        base = function.value
        if isinstance(base, gast.Name):
            if isinstance(self.unit.surroundings.global_value(base.id), types.ModuleType):
                return node
        place = Maker(node).place(gast.Pass())
        place.lineno = function.end_lineno
        place.col_offset = max(function.end_col_offset - len(function.attr), 0)
        return place

    def arguments(self, nodes: Sequence[Any], keywords: Sequence[Any] = ()) -> list[Any]:
        """Convert the items of a call or list display, some of which may be starred."""
        converted = []
        for position, node in enumerate(nodes):
            if not isinstance(node, gast.Starred):
                converted.append(self.visit(node))
                continue
            later = (*nodes[position + 1 :], *(keyword.value for keyword in keywords))
            values = [other.value if isinstance(other, gast.Starred) else other for other in later]
            harmless = all(isinstance(value, gast.Name | gast.Constant) for value in values)
            now = [] if harmless else [Maker(node).constant(True)]
            value = self.operator(node.value, "star", [self.visit(node.value), *now])
            converted.append(Maker(node).place(gast.Starred(value, gast.Load())))
        return converted

    def keywords(self, nodes: Sequence[Any]) -> list[Any]:
        """Convert the keyword arguments of a call, some of which may be mappings to spread."""
        converted = []
        for position, node in enumerate(nodes):
            value = self.visit(node.value)
            later = [other.value for other in nodes[position + 1 :]]
            if node.arg is None and all(isinstance(v, gast.Name | gast.Constant) for v in later):
                number = Maker(node).constant(position)
                value = self.operator(node.value, "double_star", [value, number])
            converted.append(Maker(node).keyword(node.arg, value))
        return converted

    def visit_Subscript(self, node: gast.Subscript) -> Any:
        """Convert reads of tuples at places not written out, and of ``np.mgrid`` and the like."""
        base, at = node.value, node.slice
        if not isinstance(node.ctx, gast.Load):
            return self.generic_visit(node)
        if self.unit.surroundings.makes_arrays(base):
            maker = Maker(node)
            whole = maker.attribute(base.value, "s_")  # of numpy: makes an object of an index
            index = maker.place(gast.Subscript(whole, self.visit(at), gast.Load()))
            return self.operator(node, "item", [self.visit(base), index])
        known = isinstance(at.operand if isinstance(at, gast.UnaryOp) else at, gast.Constant)
        if known or isinstance(at, gast.Tuple):
            return self.generic_visit(node)
        if isinstance(at, gast.Slice):
            return self.slice_of(node) if self.unit.items else self.generic_visit(node)
        name = base.id if isinstance(base, gast.Name) else ""
        if self.unit.items or isinstance(base, gast.Tuple) or name in self.unit.tuples:
            return self.operator(node, "item", [self.visit(base), self.visit(at)])
        return self.generic_visit(node)

    def slice_of(self, node: gast.Subscript) -> Any:
        """Convert the read of a slice; a bound that is left out is None."""
        maker = Maker(node)
        bounds = (node.slice.lower, node.slice.upper, node.slice.step)
        values = [maker.constant(None) if b is None else self.visit(b) for b in bounds]
        return self.operator(node, "part", [self.visit(node.value), *values])

    def visit_OperatorCall(self, node: OperatorCall) -> Any:
        """Convert what is handed to an operator."""
        args = [self.visit(argument) for argument in node.args]
        function = node.func
        if isinstance(function, BoxValue):
            function = self.visit(function)
        return Maker(node).call(function, args)

    def visit_BoxValue(self, node: BoxValue) -> Any:
        """Keep the content of a box."""
        return Maker(node).place(gast.Attribute(node.value, node.attr, node.ctx))

    def visit_NamedExpr(self, node: gast.NamedExpr) -> Any:
        """Record the assignment where it is to a global; another stays."""
        maker, value = Maker(node), self.visit(node.value)
        name = node.target.id
        if name in self.facts.globals:
            value = self.operator(node.target, "store_global", [maker.constant(name), value])
        return maker.place(gast.NamedExpr(node.target, value))

    def visit_Lambda(self, node: gast.Lambda) -> Any:
        """Convert a lambda in place."""
        inner = type(self)(self.unit, self.table, self.table[node])
        body = inner.visit(node.body)
        converted = Maker(node).place(gast.Lambda(self.parameters(node.args), body))
        self.unit.lambdas[converted] = None
        return self.operator(node, "made", [converted]) if self.unit.function_values else converted

    def visit_ExpressionFunction(self, node: ExpressionFunction) -> Any:
        """Put the definition before the statement, and its name here."""
        self.pending.extend(self.function(node))
        return Maker(node).load(node.name)

    def visit_HelperFunction(self, node: HelperFunction) -> Any:
        """Do the same for a helper."""
        return self.visit_ExpressionFunction(node)

    def parameters(self, args: gast.arguments) -> Any:
        """Return a parameter list whose defaults are converted."""
        return gast.arguments(
            args.args,
            args.posonlyargs,
            args.vararg,
            args.kwonlyargs,
            [default and self.visit(default) for default in args.kw_defaults],
            args.kwarg,
            [self.visit(default) for default in args.defaults],
        )

    def visit_BoolOp(self, node: gast.BoolOp) -> Any:
        """Convert ``and`` and ``or``; all operands but the first are evaluated on demand."""
        name = "and_" if isinstance(node.op, gast.And) else "or_"
        first, *rest = node.values
        return self.operator(node, name, [self.visit(first), *map(self.lazily, rest)])

    def visit_UnaryOp(self, node: gast.UnaryOp) -> Any:
        """Convert ``not``."""
        if isinstance(node.op, gast.Not):
            return self.operator(node, "not_", [self.visit(node.operand)])
        return self.generic_visit(node)

    def visit_IfExp(self, node: gast.IfExp) -> Any:
        """Convert a conditional expression."""
        test = self.visit(node.test)
        return self.operator(
            node.test, "cond", [test, self.lazily(node.body), self.lazily(node.orelse)]
        )

    def visit_Compare(self, node: gast.Compare) -> Any:
        """Convert identity, membership, chains and tuples; other comparisons stay."""
        if len(node.ops) == 1:
            name = _TESTS.get(type(node.ops[0]))
            operands = (node.left, node.comparators[0])
            in_tuple = any(isinstance(item, gast.Tuple) for item in operands)
            if name is None and in_tuple and self.may_move(operands[1]):
                return self.chain(node)
            if name is None:
                return self.generic_visit(node)
            left, right = self.visit(node.left), self.visit(node.comparators[0])
            return self.operator(node, name, [left, right])
        return self.chain(node)

    def chain(self, node: gast.Compare) -> Any:
        """Return the call of an operator that compares."""
        args = [self.visit(node.left)]
        for operation, operand in zip(node.ops, node.comparators, strict=True):
            text = Maker(operand).constant(_COMPARISONS[type(operation)])
            args += [text, self.lazily(operand)]
        return self.operator(node, "compare", args)

    def visit_BinOp(self, node: gast.BinOp) -> Any:
        """Convert the formatting of a literal text; other operations stay."""
        left, right = self.visit(node.left), self.visit(node.right)
        is_text = isinstance(node.left, gast.Constant) and isinstance(node.left.value, str)
        if is_text and isinstance(node.op, gast.Mod):
            return self.operator(node, "percent", [left, right])
        return Maker(node).place(gast.BinOp(left, node.op, right))

    def visit_List(self, node: gast.List) -> Any:
        """Convert a list display."""
        if not isinstance(node.ctx, gast.Load):
            return self.generic_visit(node)
        return self.operator(node, "list_", self.arguments(node.elts))

    def visit_Set(self, node: gast.Set) -> Any:
        """Convert a set display."""
        return self.operator(node, "set_", self.arguments(node.elts))

    def visit_Tuple(self, node: gast.Tuple) -> Any:
        """Convert a tuple display with starred items."""
        if isinstance(node.ctx, gast.Load) and any(
            isinstance(item, gast.Starred) for item in node.elts
        ):
            return self.operator(node, "tuple_", self.arguments(node.elts))
        return self.generic_visit(node)

    def visit_Dict(self, node: gast.Dict) -> Any:
        """Convert a dict display."""
        pairs = [
            self.operator(value, "spread", [self.visit(value)])
            if key is None
            else Maker(key).load_tuple([self.visit(key), self.visit(value)])
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return self.operator(node, "dict_", pairs)

    def visit_JoinedStr(self, node: gast.JoinedStr) -> Any:
        """Convert an f-string."""
        if all(isinstance(part, gast.Constant) for part in node.values):
            return Maker(node).constant("".join(part.value for part in node.values))
        # Python 3.12 leaves empty texts behind.
        parts = [p for p in node.values if not (isinstance(p, gast.Constant) and not p.value)]
        return self.operator(node, "fstring", [self.visit(part) for part in parts])

    def visit_FormattedValue(self, node: gast.FormattedValue) -> Any:
        """Convert one field of an f-string."""
        maker = Maker(node)
        conversion = "" if node.conversion == -1 else chr(node.conversion)
        args = [self.visit(node.value)]
        if conversion or node.format_spec:
            args.append(maker.constant(conversion))
        if node.format_spec:
            args.append(self.visit(node.format_spec))
        return self.operator(node, "field", args)
