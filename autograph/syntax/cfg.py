"""The order in which things happen in a function.

Owns the control-flow graph of one function and, in each of its nodes, the events on names: reads,
writes, deletions and the making of inner functions, in CPython's order of evaluation. It leaves
what follows from it to `liveness` and `definedness`. Invariant: every path that CPython can take is
a path of the graph, except those that an exception takes out of the middle of a statement.

Constructs get nodes of their own beside those of their statements, found by (statement, role):

=========  ==========================================================================
``test``   the test of an ``if`` or ``while``; of a ``while`` it is the loop's head
``iter``   the iterable of a ``for``, evaluated once
``enter``  just before the head of a ``while``, the body of a ``try``, the body of a ``with``: of
           these two it is also where an exception starts from, which may come at any time
``head``   the point of a ``for`` where the next item is asked for
``target`` the assignment of the item, or of what a ``with`` entered
``final``  the start of the ``finally`` block
``body``   the end of the body, reached by falling off it
``orelse`` the end of the ``else`` block
``join``   the point after the construct
=========  ==========================================================================

The handlers of a ``try`` have nodes of their own: ``run``, where the error is bound, and ``body``.
What may be bound or unbound inside a ``try`` or ``with`` and is looked at elsewhere is expected to
live in memory, so that only where control may go from their start needs to be told here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import gast

from .scope import ExpressionFunction, HelperFunction, Scope, ScopeTable, definition_time

EventKind = Literal["read", "write", "delete", "make"]


@dataclass(frozen=True, eq=False)
class Event:
    """One thing that happens to a name.

    Attributes
    ----------
    kind : str
        ``"read"``, ``"write"``, ``"delete"``, or ``"make"``: an inner function is made.
    name : str
        The name; empty for ``"make"``.
    node : gast.AST
        The ``Name`` node, or the function.
    certain : bool
        False in parts of an expression that may be skipped.
    """

    kind: EventKind
    name: str
    node: gast.AST
    certain: bool = True


@dataclass(eq=False)
class Node:
    """A point of the control-flow graph, with the events that happen there in order."""

    statement: gast.AST | None
    role: str
    events: tuple[Event, ...] = ()
    successors: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Graph:
    """The control-flow graph of one function.

    Attributes
    ----------
    nodes : list of Node
        Node 0 is the entry, node 1 the exit.
    index : dict
        The number of the node of a (statement, role); plain statements have the role ``"run"``.
    """

    nodes: list[Node]
    index: dict[tuple[gast.AST, str], int]

    def predecessors(self) -> list[list[int]]:
        """Return the numbers of the nodes before each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for successor in node.successors:
                found[successor].append(number)
        return found


Construct = gast.If | gast.For | gast.While | gast.Try | gast.With
"""Statements that hold others."""


def first_role(statement: gast.AST) -> str:
    """Return the role of the node at which control comes to `statement`."""
    roles = {
        gast.If: "test", gast.While: "enter", gast.For: "iter", gast.Try: "enter",
        gast.With: "enter",
    }  # fmt: skip
    return roles.get(type(statement), "run")


def blocks(statement: gast.AST) -> list[list[gast.AST]]:
    """Return the blocks that a construct holds, in source order; none of another statement."""
    if isinstance(statement, gast.With):
        return [statement.body]
    if isinstance(statement, gast.Try):
        handlers = [handler.body for handler in statement.handlers]
        return [statement.body, *handlers, statement.orelse, statement.finalbody]
    if isinstance(statement, gast.If | gast.For | gast.While):
        return [statement.body, statement.orelse]
    return []


class _Events(gast.NodeVisitor):  # type: ignore[misc]  # gast is untyped
    """Collects the events of one expression or simple statement."""

    def __init__(self, scopes: ScopeTable) -> None:
        self.scopes = scopes
        self.found: list[Event] = []
        self.certain = True

    def add(self, kind: EventKind, name: str, node: gast.AST) -> None:
        self.found.append(Event(kind, name, node, self.certain))

    def maybe(self, nodes: Sequence[gast.AST | None]) -> None:
        before, self.certain = self.certain, False
        self.all(nodes)
        self.certain = before

    def all(self, nodes: Sequence[gast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Name(self, node: gast.Name) -> None:
        kinds: dict[type, EventKind] = {gast.Load: "read", gast.Store: "write", gast.Del: "delete"}
        self.add(kinds[type(node.ctx)], node.id, node)

    def visit_BoolOp(self, node: gast.BoolOp) -> None:
        self.visit(node.values[0])
        self.maybe(node.values[1:])

    def visit_IfExp(self, node: gast.IfExp) -> None:
        self.visit(node.test)
        self.maybe([node.body, node.orelse])

    def visit_Compare(self, node: gast.Compare) -> None:
        self.all([node.left, node.comparators[0]])
        self.maybe(node.comparators[1:])

    def visit_Dict(self, node: gast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            self.all([key, value])

    def visit_NamedExpr(self, node: gast.NamedExpr) -> None:
        self.all([node.value, node.target])

    def visit_Lambda(self, node: gast.Lambda) -> None:
        self.all(definition_time(node))
        self.add("make", "", node)

    def visit_ExpressionFunction(self, node: ExpressionFunction) -> None:
        self.visit_Lambda(node)

    def visit_HelperFunction(self, node: HelperFunction) -> None:
        # It runs a moment later, at the same place: what it does to names around it happens here,
        # as often as it likes.
        self.add("make", "", node)
        before, self.certain = self.certain, False
        for kind, name in helper_effects(self.scopes.of[node]):
            self.add(kind, name, node)
        self.certain = before

    def visit_FunctionDef(self, node: gast.FunctionDef) -> None:
        self.visit_Lambda(node)
        self.add("write", node.name, node)

    def visit_Assign(self, node: gast.Assign) -> None:
        self.all([node.value, *node.targets])

    def visit_AnnAssign(self, node: gast.AnnAssign) -> None:
        if node.value is not None:
            self.all([node.value, node.target])

    def visit_AugAssign(self, node: gast.AugAssign) -> None:
        if isinstance(node.target, gast.Name):
            self.add("read", node.target.id, node.target)
            self.visit(node.value)
            self.add("write", node.target.id, node.target)
        else:
            self.all([node.target, node.value])

    def visit_Assert(self, node: gast.Assert) -> None:
        self.visit(node.test)
        self.maybe([node.msg])


def helper_effects(scope: Scope) -> list[tuple[EventKind, str]]:
    """Return what a helper may do to the names around it: reads first, then writes."""
    own = set(scope.locals) | set(scope.globals)
    reads = dict.fromkeys(name for name in scope.references if name not in own)
    writes = dict.fromkeys(name for name in scope.bound if name not in own)
    for child in scope.children:
        if child.kind == "helper":
            for kind, name in helper_effects(child):
                if name not in own:
                    (reads if kind == "read" else writes)[name] = None
    kinds: list[tuple[EventKind, str]] = [("read", name) for name in reads]
    return kinds + [("write", name) for name in writes]


class _Builder:
    """Builds the graph, statement by statement.

    `last` holds the nodes from which control falls through to what comes next.
    """

    def __init__(self, scopes: ScopeTable) -> None:
        self.scopes = scopes
        self.graph = Graph([Node(None, "entry"), Node(None, "exit")], {})
        self.last: list[int] = [0]
        self.loops: list[tuple[int, list[int]]] = []

    def add(self, statement: gast.AST, role: str, events: Sequence[gast.AST] = ()) -> int:
        collector = _Events(self.scopes)
        collector.all(events)
        number = len(self.graph.nodes)
        self.graph.nodes.append(Node(statement, role, tuple(collector.found)))
        self.graph.index[statement, role] = number
        for before in self.last:
            self.connect(before, number)
        self.last = [number]
        return number

    def connect(self, before: int, after: int) -> None:
        self.graph.nodes[before].successors.append(after)

    def block(self, statements: Sequence[gast.AST]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: gast.AST) -> None:
        if isinstance(statement, gast.If):
            self.branch(statement)
        elif isinstance(statement, gast.While):
            self.while_(statement)
        elif isinstance(statement, gast.For):
            self.for_(statement)
        elif isinstance(statement, gast.Try):
            self.try_(statement)
        elif isinstance(statement, gast.With):
            self.with_(statement)
        elif isinstance(statement, gast.Break):
            self.loops[-1][1].append(self.add(statement, "run"))
            self.last = []
        elif isinstance(statement, gast.Continue):
            self.connect(self.add(statement, "run"), self.loops[-1][0])
            self.last = []
        elif isinstance(statement, gast.Return | gast.Raise):
            self.connect(self.add(statement, "run", [statement]), 1)
            self.last = []
        else:
            self.add(statement, "run", [statement])

    def branch(self, statement: gast.If) -> None:
        self.add(statement, "test", [statement.test])
        at_test = self.last
        self.block(statement.body)
        self.add(statement, "body")
        ends, self.last = self.last, at_test
        self.block(statement.orelse)
        self.add(statement, "orelse")
        self.last = [*ends, *self.last]
        self.add(statement, "join")

    def while_(self, statement: gast.While) -> None:
        self.add(statement, "enter")
        head = self.add(statement, "test", [statement.test])
        self.loop(statement, head, endless=_is_always_true(statement.test))

    def for_(self, statement: gast.For) -> None:
        self.add(statement, "iter", [statement.iter])
        head = self.add(statement, "head")
        self.add(statement, "target", [statement.target])
        self.loop(statement, head, endless=False)

    def loop(self, statement: gast.For | gast.While, head: int, *, endless: bool) -> None:
        breaks: list[int] = []
        self.loops.append((head, breaks))
        self.block(statement.body)
        self.add(statement, "body")
        for number in self.last:
            self.connect(number, head)
        self.loops.pop()
        self.last = [] if endless else [head]
        self.block(statement.orelse)
        self.add(statement, "orelse")
        self.last = [*self.last, *breaks]
        self.add(statement, "join")

    def try_(self, statement: gast.Try) -> None:
        enter = self.add(statement, "enter")
        self.block(statement.body)
        self.add(statement, "body")
        self.block(statement.orelse)
        self.add(statement, "orelse")
        ends = self.last
        for handler in statement.handlers:
            self.last = [enter]
            self.add(handler, "run", [part for part in (handler.type, handler.name) if part])
            self.block(handler.body)
            self.add(handler, "body")
            ends = [*ends, *self.last]
        self.last = ends
        if statement.finalbody:
            self.last = [*ends, enter]
            self.add(statement, "final")
            self.block(statement.finalbody)
        self.add(statement, "join")

    def with_(self, statement: gast.With) -> None:
        [item] = statement.items
        enter = self.add(statement, "enter", [item.context_expr])
        self.add(statement, "target", [item.optional_vars] if item.optional_vars else [])
        self.block(statement.body)
        self.add(statement, "body")
        # The manager may swallow an exception.
        self.last = [*self.last, enter]
        self.add(statement, "join")


def _is_always_true(test: gast.AST) -> bool:
    return isinstance(test, gast.Constant) and bool(test.value)


def build(function: gast.AST, scopes: ScopeTable) -> Graph:
    r"""Return the control-flow graph of one function, inner functions not entered.

    Parameters
    ----------
    function : gast.FunctionDef or gast.Lambda
    scopes : ScopeTable
        Of the tree that `function` belongs to.

    Examples
    --------
    >>> from .scope import analyze
    >>> function = gast.parse("def f(a):\n  while a: a = a - 1\n  return a").body[0]
    >>> [node.role for node in build(function, analyze(function)).nodes]
    ['entry', 'exit', 'enter', 'test', 'run', 'body', 'orelse', 'join', 'run']
    """
    builder = _Builder(scopes)
    if isinstance(function.body, list):
        builder.block(function.body)
    else:
        builder.add(function.body, "run", [function.body])
    for number in builder.last:
        builder.connect(number, 1)
    return builder.graph
