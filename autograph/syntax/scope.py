"""Says which function every name of a tree belongs to.

Owns the scope table: for each function, lambda and helper of one tree its parameters, its locals in
order of first binding, what it declares, and what inner functions capture. It leaves the order of
events in time to `cfg`. Invariant: nothing is written into the tree, and every sequence is in
source order.

A *helper* is a function that a converter made out of an expression of the user's and that is called
exactly where it stands, such as a comprehension: a ``FunctionDef`` in the place of an expression.
It may read the names around it without those names being captured in the sense used here, since it
never runs at another time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import gast

Kind = Literal["function", "lambda", "helper"]


class ExpressionFunction(gast.FunctionDef):  # type: ignore[misc]  # gast is untyped
    """A ``def`` in the place of an expression: a lambda whose body needs statements.

    The converter of expressions puts it before the statement and its name in its place.
    """


class HelperFunction(ExpressionFunction):
    """An `ExpressionFunction` made of an expression, and called where it stands: a helper."""


@dataclass(eq=False)
class Scope:
    """The names of one function.

    Attributes
    ----------
    node : gast.AST
        The ``FunctionDef`` or ``Lambda``.
    parent : Scope or None
        The function around it, None for the outermost.
    kind : str
        ``"function"``, ``"lambda"`` or ``"helper"``.
    parameters, locals : tuple of str
        In order of first binding; the locals start with the parameters.
    nonlocals, globals : tuple of str
        As declared.
    references : tuple of str
        Every name that the function's own code reads or binds, those of inner functions not.
    bound : tuple of str
        Every name that the function's own code binds or deletes, declared ones included.
    captured : dict
        The locals that an inner function of the user's refers to, or that any inner function binds.
    rebound : dict
        The locals that an inner function binds (``nonlocal``), as keys.
    deleted : dict
        The locals that are deleted somewhere, here or in an inner function, as keys.
    """

    node: gast.AST
    parent: Scope | None
    kind: Kind
    parameters: tuple[str, ...] = ()
    locals: tuple[str, ...] = ()
    nonlocals: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    children: list[Scope] = field(default_factory=list)
    captured: dict[str, None] = field(default_factory=dict)
    rebound: dict[str, None] = field(default_factory=dict)
    deleted: dict[str, None] = field(default_factory=dict)

    def owner(self, name: str) -> Scope | None:
        """Return the scope whose local `name` is here; None if it is global or from outside."""
        if name in self.globals:
            return None
        if name in self.locals:
            return self
        return self.parent.owner(name) if self.parent else None

    def visible(self) -> dict[str, Scope]:
        """Return every name of this tree that is a local here or around, outermost first."""
        names: dict[str, Scope] = dict(self.parent.visible()) if self.parent else {}
        for name in self.globals:
            names.pop(name, None)
        for name in self.locals:
            names.pop(name, None)
            names[name] = self
        return names

    def walk(self) -> Iterator[Scope]:
        """Yield this scope and those inside it, outer before inner, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class ScopeTable:
    """All scopes of one tree.

    Attributes
    ----------
    root : Scope
        The outermost function.
    of : mapping from gast.AST to Scope
        The scope of each function node.
    """

    root: Scope
    of: Mapping[gast.AST, Scope]


class _Collector(gast.NodeVisitor):  # type: ignore[misc]  # gast is untyped
    """Collects the names of one function, and makes the scopes inside it."""

    def __init__(self, scope: Scope, table: dict[gast.AST, Scope]) -> None:
        self.scope = scope
        self.table = table
        self.bindings: dict[str, None] = dict.fromkeys(scope.parameters)
        self.declared: dict[str, None] = {}
        self.references: dict[str, None] = {}
        self.bound: dict[str, None] = {}
        self.removed: dict[str, None] = {}
        self.walrus: dict[str, None] = {}
        table[scope.node] = scope

    def collect(self) -> None:
        node = self.scope.node
        body = node.body if isinstance(node.body, list) else [node.body]
        for child in body:
            self.visit(child)
        self.scope.references = tuple(self.references)
        self.scope.bound = tuple(self.bound)
        self.scope.locals = tuple(name for name in self.bindings if name not in self.declared)

    def visit_Name(self, node: gast.Name) -> None:
        self.references[node.id] = None
        if not isinstance(node.ctx, gast.Load):
            self.bindings[node.id] = self.bound[node.id] = None
        if isinstance(node.ctx, gast.Del):
            self.removed[node.id] = None

    def visit_For(self, node: gast.For) -> None:
        for child in (node.iter, node.target, *node.body, *node.orelse):
            self.visit(child)

    def visit_Assign(self, node: gast.Assign) -> None:
        for child in (node.value, *node.targets):
            self.visit(child)

    def visit_NamedExpr(self, node: gast.NamedExpr) -> None:
        self.visit(node.value)
        if self.scope.kind == "helper":
            self.walrus[node.target.id] = None
        else:
            self.visit(node.target)

    def visit_AnnAssign(self, node: gast.AnnAssign) -> None:
        # Annotations inside functions are never evaluated.
        for child in (node.value, node.target):
            if child is not None:
                self.visit(child)

    def visit_AugAssign(self, node: gast.AugAssign) -> None:
        self.visit(node.target)
        self.visit(node.value)

    def visit_Nonlocal(self, node: gast.Nonlocal) -> None:
        self.declared.update(dict.fromkeys(node.names))
        self.scope.nonlocals += tuple(node.names)

    def visit_Global(self, node: gast.Global) -> None:
        self.declared.update(dict.fromkeys(node.names))
        self.scope.globals += tuple(node.names)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> None:
        for child in definition_time(node):
            self.visit(child)
        self.references[node.name] = None
        self.bindings[node.name] = self.bound[node.name] = None
        self._inner(node, "function")

    def visit_ExpressionFunction(self, node: ExpressionFunction) -> None:
        for child in definition_time(node):
            self.visit(child)
        self._inner(node, "function")

    def visit_HelperFunction(self, node: HelperFunction) -> None:
        self._inner(node, "helper")

    def visit_Lambda(self, node: gast.Lambda) -> None:
        for child in definition_time(node):
            self.visit(child)
        self._inner(node, "lambda")

    def _inner(self, node: gast.AST, kind: Kind) -> None:
        child = Scope(node, self.scope, kind, parameters=parameter_names(node))
        self.scope.children.append(child)
        collector = _Collector(child, self.table)
        collector.collect()
        for name in collector.removed:
            child.deleted[name] = None
        for name in collector.walrus:
            # An assignment expression in a comprehension binds in the function around it.
            child.nonlocals += (name,)
            child.references += (name,)
            child.bound += (name,)
            child.locals = tuple(local for local in child.locals if local != name)
            if self.scope.kind == "helper":
                self.walrus[name] = None
            else:
                self.references[name] = None
                self.bindings[name] = None


def definition_time(node: gast.AST) -> list[gast.AST]:
    """Return the expressions that run when a function is made, in order."""
    args = node.args
    params = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    annotations = [param.annotation for param in params if param is not None]
    decorators = getattr(node, "decorator_list", [])
    returns = getattr(node, "returns", None)
    found = [*decorators, *args.defaults, *args.kw_defaults, *annotations, returns]
    return [child for child in found if child is not None]


def parameter_names(node: gast.AST) -> tuple[str, ...]:
    """Return the parameters of a ``FunctionDef`` or ``Lambda`` in the order of its code object."""
    args = node.args
    params = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return tuple(param.id for param in params if param is not None)


def analyze(function: gast.AST) -> ScopeTable:
    r"""Return the scopes of `function` and of everything inside it.

    Parameters
    ----------
    function : gast.FunctionDef or gast.Lambda
        Its decorators, defaults and annotations belong to the code around it and are not looked at.

    Examples
    --------
    >>> text = "def f(a):\n  for i in a: s = i\n  return lambda: s"
    >>> table = analyze(gast.parse(text).body[0])
    >>> table.root.locals, list(table.root.captured)
    (('a', 'i', 's'), ['s'])
    """
    table: dict[gast.AST, Scope] = {}
    root = Scope(function, None, "function", parameters=parameter_names(function))
    collector = _Collector(root, table)
    collector.collect()
    root.deleted.update(collector.removed)
    for scope in root.walk():
        _note_captures(scope)
    return ScopeTable(root, table)


def _note_captures(scope: Scope) -> None:
    for name in scope.references:
        owner = scope.owner(name)
        if owner is None or owner is scope:
            continue
        binds = name in scope.bound
        if binds or _leaves(scope, owner):
            owner.captured[name] = None
        if binds:
            owner.rebound[name] = None
        if name in scope.deleted:
            owner.deleted[name] = None


def _leaves(scope: Scope, owner: Scope) -> bool:
    """Tell whether a function of the user's stands between `scope` and `owner`."""
    while scope is not owner:
        if scope.kind != "helper":
            return True
        assert scope.parent is not None
        scope = scope.parent
    return False
