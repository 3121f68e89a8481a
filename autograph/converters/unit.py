"""What the converters of one function share: its tree, its surroundings, fresh names.

Owns `Unit`, `Names`, `Surroundings` and the exception by which a converter gives up. It leaves
what is known of each function inside to `facts`. Invariant: a name made here is used nowhere in
the user's function, and the same function always gets the same names.
"""

from __future__ import annotations

import builtins
import functools
import operator
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..syntax.scope import ExpressionFunction, HelperFunction, Scope
from ..syntax.templates import Maker


class Unconvertible(Exception):
    """A construct that passes the fence, but not where it stands.

    Attributes
    ----------
    node : gast.AST
        The construct, with its position.
    construct, reason, advice : str
        What it is, why it cannot be converted, and what to write instead.
    shared : bool
        Whether it can be converted if variables that functions share live in memory.
    """

    def __init__(
        self, node: gast.AST, construct: str, reason: str, advice: str, shared: bool = False
    ) -> None:
        super().__init__(f"{construct}: {reason}; {advice}")
        self.shared = shared
        self.node = node
        self.construct = construct
        self.reason = reason
        self.advice = advice


class Names:
    """Makes names that the user's function does not use."""

    def __init__(self, tree: gast.AST, others: Sequence[str]) -> None:
        self.taken: dict[str, None] = dict.fromkeys(others)
        self.taken.update(dict.fromkeys(_identifiers(tree)))
        self.standing: dict[str, str] = {}

    def fresh(self, base: str) -> str:
        """Return `base`, or `base` with the first free number, and take it."""
        name, number = base, 1
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        self.taken[name] = None
        return name

    def fixed(self, base: str) -> str:
        """Return a name that stands for `base` everywhere in the function."""
        if base not in self.standing:
            self.standing[base] = self.fresh(base)
        return self.standing[base]


def _identifiers(tree: gast.AST) -> Iterator[str]:
    for node in gast.walk(tree):
        if isinstance(node, gast.Name):
            yield node.id
        elif isinstance(node, gast.FunctionDef | gast.ClassDef):
            yield node.name
        elif isinstance(node, gast.MatchAs | gast.MatchStar) and node.name is not None:
            yield node.name
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            yield node.rest
        elif isinstance(node, gast.Global | gast.Nonlocal):
            yield from node.names


_ABSENT = object()


@dataclass
class Surroundings:
    """What the names of a function mean outside it, as it is converted.

    Attributes
    ----------
    function : types.FunctionType
        The user's function.
    own : dict
        Names bound anywhere in its tree, or free in it: not global.
    assumed : dict from str to object
        The global names whose meaning the converted code relies on, with that meaning.
    """

    function: types.FunctionType
    own: dict[str, None]
    assumed: dict[str, object] = field(default_factory=dict)

    def global_value(self, name: str) -> object:
        """Return what the global or builtin `name` is now; a private object if nothing."""
        return _ABSENT if name in self.own else look_up(self.function, name)

    def is_builtin(self, name: str) -> bool:
        """Tell whether `name` is one of Python's own builtins here, and rely on it."""
        value = self.global_value(name)
        if value is _ABSENT or value is not getattr(builtins, name, _ABSENT):
            return False
        self.assumed[name] = value
        return True

    def is_ufunc(self, node: gast.AST) -> bool:
        """Tell whether `node` says ``np.<ufunc>``, and rely on it."""
        return isinstance(self._of_numpy(node), np.ufunc)

    def makes_arrays(self, node: gast.AST) -> bool:
        """Tell whether `node` says ``np.mgrid`` or the like, and rely on it."""
        value = self._of_numpy(node)
        return any(value is maker for maker in _ARRAY_MAKERS)

    def _of_numpy(self, node: gast.AST) -> object:
        """Return what ``np.<name>`` is, and rely on it; None if `node` says something else."""
        if not (isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name)):
            return None
        if self.global_value(node.value.id) is not np:
            return None
        self.assumed[node.value.id] = np
        return getattr(np, node.attr, None)


_builtins_of = operator.attrgetter("__builtins__")


def look_up(function: types.FunctionType, name: str) -> object:
    """Return what a global or builtin name means to `function`; a private object if nothing."""
    if name in function.__globals__:
        return function.__globals__[name]
    namespace: Any = _builtins_of(function)  # type checkers disagree whether there is such
    if isinstance(namespace, types.ModuleType):
        namespace = vars(namespace)
    return namespace.get(name, _ABSENT)


_ARRAY_MAKERS = (np.mgrid, np.ogrid, np.r_, np.c_)

Place = tuple[str, int, int, int, int]
"""File, line, column, end line and end column of an expression."""


@dataclass
class Unit:
    """One function on its way through the pipeline.

    Attributes
    ----------
    tree : gast.FunctionDef
        Desugared, then converted.
    helpers : dict from HelperFunction to str
        The kind of expression each was: ``"list"``, ``"set"``, ``"dict"`` or ``"generator"``.
    shown : dict from str to str
        For functions whose names were made here, the names they show where it is another.
    generated : dict
        The names of all functions made here.
    lambdas : dict from gast.Lambda to None
        Those that the user wrote, converted.
    assigned : dict from Place to str
        The name that the value of the expression at a place is assigned to.
    function_values : bool
        Whether inner functions may be called at any time, as values.
    items : bool
        Whether any subscript may pick an item by a number known only at run time.
    """

    tree: Any
    names: Names
    surroundings: Surroundings
    operators_name: str
    helpers: dict[HelperFunction, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    generated: dict[str, None] = field(default_factory=dict)
    lambdas: dict[gast.Lambda, None] = field(default_factory=dict)
    assigned: dict[Place, str] = field(default_factory=dict)
    function_values: bool = False
    items: bool = False

    @functools.cached_property
    def tuples(self) -> dict[str, None]:
        """The names to which a tuple display is assigned anywhere."""
        return {
            target.id: None
            for node in gast.walk(self.tree)
            if isinstance(node, gast.Assign) and isinstance(node.value, gast.Tuple)
            for target in node.targets
            if isinstance(target, gast.Name)
        }

    def function_name(self, construct: str, at: gast.AST) -> str:
        """Return a fresh name for a function made of `construct`, after its line."""
        name = self.names.fresh(f"{construct}_L{at.lineno}")
        self.generated[name] = None
        return name


_INLINED = sys.version_info >= (3, 12)
"""Since 3.12 comprehensions run in the frame of their function, and its errors say so."""


def scopes_between(inner: Scope, owner: Scope) -> list[Scope]:
    """Return the scopes from `inner` up to that of `owner`, which is not among them."""
    found = []
    while inner is not owner:
        found.append(inner)
        assert inner.parent is not None
        inner = inner.parent
    return found


def is_free(unit: Unit, inner: Scope, owner: Scope) -> bool:
    """Tell whether to CPython a local of `owner` is a free variable in `inner`."""
    return any(
        scope.kind != "helper" or not _INLINED or unit.helpers[scope.node] == "generator"
        for scope in scopes_between(inner, owner)
    )


def own_nodes(tree: gast.AST | Sequence[gast.AST], *, helpers: bool) -> Iterator[gast.AST]:
    """Yield the nodes of some code, the bodies of inner functions not; those of helpers if asked.

    An inner function itself is yielded, and so is what runs when it is made.
    """
    waiting = list(reversed(tree)) if isinstance(tree, list) else [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, gast.Lambda | gast.FunctionDef):
            children = [node.args, *getattr(node, "decorator_list", [])]
            if helpers and isinstance(node, HelperFunction):
                children += node.body
        else:
            children = list(gast.iter_child_nodes(node))
        waiting.extend(reversed(children))


def has_statements(node: gast.AST) -> bool:
    """Tell whether an expression holds a function that needs statements to make."""
    return any(isinstance(part, ExpressionFunction) for part in own_nodes(node, helpers=False))


_CALLING = (
    gast.Call, gast.Attribute, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Compare,
    gast.AugAssign, gast.For, gast.FormattedValue, gast.Starred, gast.Yield,
)  # fmt: skip


def can_call(tree: gast.AST | Sequence[gast.AST]) -> bool:
    """Tell whether some code may call a function of the user's, if only through an operator."""
    return any(isinstance(node, _CALLING) for node in own_nodes(tree, helpers=True))


def has_return(tree: gast.AST | Sequence[gast.AST]) -> bool:
    """Tell whether some statements hold a return of their own function."""
    return any(isinstance(node, gast.Return) for node in own_nodes(tree, helpers=False))


def is_generator(function: Any) -> bool:
    """Tell whether a ``def`` is that of a generator."""
    body = function.body if isinstance(function.body, list) else [function.body]
    return any(isinstance(node, gast.Yield) for node in own_nodes(body, helpers=False))


def header(statement: gast.AST) -> Any:
    """Return the part of a statement that stands for it: of a construct, its test or iterable."""
    if isinstance(statement, gast.If | gast.While):
        return statement.test
    if isinstance(statement, gast.For):
        return statement.iter
    if isinstance(statement, gast.With):
        return statement.items[0].context_expr
    if isinstance(statement, gast.ExceptHandler) and statement.type is not None:
        return statement.type
    if isinstance(statement, gast.Try | gast.ExceptHandler):
        keyword = Maker(statement).place(gast.Pass())
        keyword.end_lineno = statement.lineno
        length = len("try" if isinstance(statement, gast.Try) else "except")
        keyword.end_col_offset = statement.col_offset + length
        return keyword
    return statement
