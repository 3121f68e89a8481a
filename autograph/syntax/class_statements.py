"""Which class statements inside a function may be compiled.

Owns the rules: what may stand in the body, and which names mean something of their own in a class.
It leaves what is inside of methods to the fence. Invariant: a class that passes does nothing when
it is made but bind its methods and constants, and Python calls none of its methods unasked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and",
    "or", "xor",
)  # fmt: skip
_OTHERS = (
    "init", "call", "enter", "exit", "len", "getitem", "setitem", "delitem", "contains", "iter",
    "next", "neg", "pos", "invert", "abs", "lt", "le", "gt", "ge", "eq", "ne", "hash", "bool",
    "int", "float", "index", "str", "repr", "format", "round", "reversed",
)  # fmt: skip
_METHODS = frozenset(
    f"__{name}__"
    for name in (*_OTHERS, *_BINARY, *("r" + n for n in _BINARY), *("i" + n for n in _BINARY))
)
"""Special methods that run only where an operation says so."""
_CONSTANTS = frozenset({"__slots__", "__match_args__", "__hash__"})


def refusals(node: Any) -> Iterator[tuple[Any, str]]:
    """Yield what may not be compiled in a class statement, with the reason.

    Parameters
    ----------
    node
        A gast ClassDef.
    """
    for decorator in node.decorator_list:
        yield decorator, "a decorator of a class"
    for keyword in node.keywords:
        yield keyword.value, "a keyword of a class statement"
    for base in node.bases:
        if not isinstance(base, gast.Name):
            yield base, "a base class that is computed"
    if getattr(node, "type_params", None):
        yield node, "a class with type parameters"
    if _is_private(node.name):
        yield node, f"the private class name {node.name}"
    for part in node.body:
        yield from _part(part)
    bound = {name for part in node.body for name in _bound(part)}
    for part in node.body:
        if isinstance(part, gast.FunctionDef):
            yield from _signature(part, bound)
    for inner in gast.walk(node):
        yield from _names(inner)


def _part(part: Any) -> Iterator[tuple[Any, str]]:
    if isinstance(part, gast.Pass):
        return
    if isinstance(part, gast.Expr) and isinstance(part.value, gast.Constant):
        return
    if isinstance(part, gast.FunctionDef):
        if _is_special(part.name) and part.name not in _METHODS:
            yield part, f"the method {part.name}"
        for decorator in part.decorator_list:
            yield decorator, "a decorator of a method"
    elif isinstance(part, gast.Assign) and all(isinstance(t, gast.Name) for t in part.targets):
        for target in part.targets:
            if _is_special(target.id) and target.id not in _CONSTANTS:
                yield target, f"the class attribute {target.id}"
        if not _is_constant(part.value):
            yield part.value, "a class attribute that is no constant"
    else:
        yield part, "a statement that is neither a method nor a constant in the body of a class"


def _bound(part: Any) -> list[str]:
    if isinstance(part, gast.FunctionDef):
        return [part.name]
    targets = part.targets if isinstance(part, gast.Assign) else []
    return [target.id for target in targets if isinstance(target, gast.Name)]


def _signature(method: Any, bound: set[str]) -> Iterator[tuple[Any, str]]:
    """Refuse what looks at the names of the class body, or is computed, as a method is made."""
    args = method.args
    for default in filter(None, (*args.defaults, *args.kw_defaults)):
        if not isinstance(default, gast.Name) and not _is_constant(default):
            yield default, "a default of a method that is computed"
    params = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    annotations = [param.annotation for param in params if param is not None]
    for part in filter(None, (*args.defaults, *args.kw_defaults, *annotations, method.returns)):
        for inner in gast.walk(part):
            if isinstance(inner, gast.Name) and inner.id in bound:
                yield inner, f"a use of {inner.id} in the body of its class"


def _names(node: Any) -> Iterator[tuple[Any, str]]:
    """Refuse names that mean something else inside of a class."""
    if isinstance(node, gast.Name):
        if node.id == "super":
            yield node, "`super`"
        elif _is_private(node.id):
            yield node, f"the private name {node.id}"
    elif isinstance(node, gast.Attribute):
        if _is_private(node.attr):
            yield node, f"the private name {node.attr}"
    elif isinstance(node, gast.FunctionDef):
        if _is_private(node.name):
            yield node, f"the private name {node.name}"
    elif isinstance(node, gast.keyword):
        if node.arg is not None and _is_private(node.arg):
            yield node.value, f"the private name {node.arg}"
    elif isinstance(node, gast.Global | gast.Nonlocal):
        for name in filter(_is_private, node.names):
            yield node, f"the private name {name}"
    elif isinstance(node, gast.MatchAs | gast.MatchStar | gast.MatchClass | gast.MatchMapping):
        named = getattr(node, "name", None) or getattr(node, "rest", None)
        for name in (named or "", *getattr(node, "kwd_attrs", ())):
            if _is_private(name):
                yield node, f"the private name {name}"


def _is_constant(node: Any) -> bool:
    """Tell whether an expression is a number, a text, or a tuple of such."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        value = node.operand
        return isinstance(value, gast.Constant) and type(value.value) in (int, float, complex)
    if isinstance(node, gast.Tuple):
        return all(map(_is_constant, node.elts))
    return isinstance(node, gast.Constant)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")
