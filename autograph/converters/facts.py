"""What is known of each function of a tree, and what state each construct hands on.

Owns running the analyses, once, on the desugared tree, and the rules that make state of them: a
name is state of a construct when it is bound in it and wanted after it, or when it is round a loop.
It leaves writing the code to the converters. Invariant: sequences of names are in order of first
binding, those of outer functions first.

A name that is bound inside a ``try`` or ``with`` and looked at elsewhere lives in a box by now, so
that those two hand nothing on.

A name that an inner function captures lives in one cell for the whole function. It is called
*shared* here: it is wanted everywhere, and functions made of constructs bind it with a prologue.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from ..syntax import cfg, definedness, liveness, scope
from ..syntax.definedness import Status
from ..syntax.scope import HelperFunction, Scope, ScopeTable
from .nodes import BoxValue
from .unit import can_call, own_nodes

Construct = Any


@dataclass(frozen=True)
class State:
    """The names that a construct takes and gives.

    Attributes
    ----------
    inputs : tuple of str
        Handed to the functions made of the construct.
    outputs : tuple of str
        Given back by them; of a loop the same as `inputs`.
    shared : tuple of str
        Those among them that live in a cell.
    missing : tuple of str
        Those among `inputs` that have no value to hand over.
    assigned : frozenset of str
        All names bound in the construct.
    """

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    assigned: frozenset[str] = frozenset()


class Facts:
    """What is known of one function."""

    def __init__(self, own: Scope, scopes: ScopeTable, around: Facts | None) -> None:
        self.scope = own
        self.around = around
        self.visible = own.visible()
        self.globals: tuple[str, ...] = own.globals
        if around is not None and own.kind == "helper":
            self.globals += around.globals
        self.graph = cfg.build(own.node, scopes)
        wanted = [name for name, owner in self.visible.items() if name in owner.captured]
        self.live = liveness.analyze(self.graph, wanted)
        self.defined = definedness.analyze(self.graph, self._entry(), self._rebound())
        self.settled = {name: self._is_settled(name) for name in own.captured}
        self.states: dict[Construct, State] = {}
        self._plan(_body(own.node))
        bound = self._bound_by_statements()
        self.floating = [name for name in own.captured if name not in bound]
        self.marked: dict[str, None] = {
            name: None
            for name in own.captured
            if name in self.floating
            or (not self.settled[name] and (name in own.deleted or name in own.rebound))
        }
        self._note_marks()

    def _entry(self) -> dict[str, Status]:
        entry = {}
        for name, owner in self.visible.items():
            if owner is self.scope:
                bound = name in owner.parameters
                entry[name] = Status.BOUND if bound else Status.UNBOUND
            elif self.scope.kind == "helper":
                assert self.around is not None
                made = self.around.defined.makes.get(self.scope.node, {})
                entry[name] = made.get(name, Status.BOUND)
            else:
                entry[name] = Status.BOUND if self._is_safe(name) else Status.MAYBE
        return entry

    def _rebound(self) -> dict[str, bool]:
        return {
            name: name in owner.deleted
            for name, owner in self.visible.items()
            if name in owner.rebound and not (owner is not self.scope and self._is_safe(name))
        }

    def _is_safe(self, name: str) -> bool:
        """Tell whether `name`, of a function around, is bound whenever this one looks at it."""
        return self.facts_of(self.visible[name]).settled.get(name, True)

    def facts_of(self, owner: Scope) -> Facts:
        """Return the facts of this function or of one around it."""
        facts: Facts | None = self
        while facts is not None and facts.scope is not owner:
            facts = facts.around
        assert facts is not None
        return facts

    def _is_settled(self, name: str) -> bool:
        """Tell whether `name` is bound whenever an inner function may look at it."""
        if name in self.scope.deleted:
            return False
        return all(
            self.defined.makes.get(child.node, {}).get(name, Status.BOUND) == Status.BOUND
            for child in self.scope.children
            if self._looks_at(child, name) or self._may_hand_on(child, name)
        )

    def _may_hand_on(self, child: Scope, name: str) -> bool:
        """Tell whether constructs of `child` may carry `name` past a call that binds it."""
        if name not in self.scope.rebound or child.kind == "helper":
            return False
        return any(can_call(_body(inner.node) or [inner.node.body]) for inner in child.walk())

    def _looks_at(self, child: Scope, name: str) -> bool:
        """Tell whether `child`, or what is in it, may look at `name` at an unknown moment."""
        return any(
            name in inner.references
            and inner.owner(name) is self.scope
            and (child.kind != "helper" or inner is not child or name in inner.bound)
            for inner in child.walk()
        )

    def _bound_by_statements(self) -> set[str]:
        """Return the names that the converted function itself binds, not a function made in it."""
        bound = set(self.scope.parameters)
        for statement in _body(self.scope.node):
            number = self.graph.index.get((statement, "run"))
            if statement in self.states:
                bound.update(self.states[statement].outputs)
            elif number is not None and self.defined.reachable[number]:
                events = self.graph.nodes[number].events
                bound.update(
                    event.name
                    for event in events
                    if event.kind in ("write", "delete")
                    and not isinstance(event.node, HelperFunction)
                )
        return bound

    def ordered(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return `names` in order of first binding."""
        chosen = set(names)
        return tuple(name for name in self.visible if name in chosen)

    def number(self, statement: gast.AST, role: str) -> int:
        """Return the number of a node of the control-flow graph."""
        return self.graph.index[statement, role]

    def reaches(self, statement: gast.AST, role: str) -> bool:
        """Tell whether control ever comes to a node."""
        return self.defined.reachable[self.number(statement, role)]

    def status(self, name: str, statement: gast.AST, role: str) -> Status:
        """Return what is known of `name` as control comes to a node."""
        return self.defined.before[self.number(statement, role)].get(name, Status.BOUND)

    def assigned(self, statements: Sequence[gast.AST]) -> dict[str, None]:
        """Return the names that statements bind or unbind."""
        found: dict[str, None] = {}
        for statement in statements:
            for role in ("run", "test", "iter", "enter", "target"):
                number = self.graph.index.get((statement, role))
                if number is not None:
                    for event in self.graph.nodes[number].events:
                        if event.kind in ("write", "delete"):
                            found[event.name] = None
            for block in cfg.blocks(statement):
                found.update(self.assigned(block))
            if isinstance(statement, gast.Try):
                found.update(self.assigned(statement.handlers))
        return {name: None for name in found if name in self.visible}

    def surely_written(self, statement: gast.AST) -> list[str]:
        """Return the names that a statement always leaves with a Python value."""
        state = self.states.get(statement)
        if state is not None:
            return list(state.outputs)
        number = self.graph.index.get((statement, "run"))
        events = self.graph.nodes[number].events if number is not None else ()
        return [e.name for e in events if e.kind in ("write", "delete") and e.certain]

    def shared_in(self, statements: Sequence[gast.AST], assigned: Iterable[str]) -> list[str]:
        """Return the shared names that some code may bind, itself or by a call."""
        chosen = set(assigned)
        calls = can_call(list(statements))
        return [
            name
            for name, owner in self.visible.items()
            if name in owner.captured and (name in chosen or (calls and name in owner.rebound))
        ]

    def _plan(self, statements: Sequence[gast.AST]) -> None:
        """Find the state of every construct."""
        for statement in statements:
            if isinstance(statement, gast.If):
                self.states[statement] = self._branch_state(statement)
            elif isinstance(statement, gast.For | gast.While):
                self.states[statement] = self._loop_state(statement)
            elif isinstance(statement, gast.Try | gast.With):
                assigned = frozenset(self.assigned([statement]))
                self.states[statement] = State(assigned=assigned)
            for block in cfg.blocks(statement):
                self._plan(block)

    def _branch_state(self, statement: gast.If) -> State:
        inside = [*statement.body, *statement.orelse]
        assigned = self.assigned(inside)
        shared = self.shared_in(inside, assigned)
        after = self.live.before[self.number(statement, "join")]
        at_test = self.number(statement, "test")
        known = self.defined.after[at_test]
        missing = {n for n in (*assigned, *shared) if known.get(n) == Status.UNBOUND}
        inputs = [
            name
            for name in assigned
            if name in self.live.after[at_test] and name not in missing
        ]
        outputs = [name for name in assigned if name in after]
        if not self.reaches(statement, "join"):
            outputs = []
        elif shared:
            outputs += shared
        return State(
            self.ordered([*inputs, *shared]),
            self.ordered(outputs),
            self.ordered(shared),
            self.ordered(missing),
            frozenset(assigned),
        )

    def _loop_state(self, statement: Any) -> State:
        assigned = self.assigned([statement])
        shared = self.shared_in([statement], assigned)
        is_for = isinstance(statement, gast.For)
        after = self.live.before[self.number(statement, "join")]
        head = self.live.before[self.number(statement, "head" if is_for else "test")]
        names = [name for name in assigned if name in after or name in head]
        before = self.number(statement, "iter" if is_for else "enter")
        known = self.defined.after[before]
        chosen = self.ordered([*names, *shared])
        missing = [n for n in chosen if known.get(n) == Status.UNBOUND or n not in head]
        return State(
            chosen, chosen, self.ordered(shared), self.ordered(missing), frozenset(assigned)
        )

    def _note_marks(self) -> None:
        """Note which shared names may hold the mark of an unbound name."""
        for statement, state in self.states.items():
            for name in state.shared:
                if self.status(name, statement, cfg.first_role(statement)) != Status.BOUND:
                    self.facts_of(self.visible[name]).marked[name] = None

    def starts_unbound(self) -> tuple[str, ...]:
        """Return the locals that must have a value from the start.

        That is those that inner functions bind at unknown moments, and those that they refer to
        though no converted statement of this function binds them: they would not be locals.
        """
        return tuple(
            name
            for name in self.scope.locals
            if name in self.floating
            or (
                name in self.scope.rebound
                and name not in self.scope.parameters
                and (
                    name in self.marked
                    or name in self.defined.doubtful
                    or not self.settled[name]
                )
            )
        )

    def declared(self) -> tuple[str, ...]:
        """Return the names of outer functions that the converted function binds."""
        names = [*self.scope.bound, *(n for state in self.states.values() for n in state.shared)]
        outer = (n for n in names if n in self.visible and self.visible[n] is not self.scope)
        return self.ordered(outer)


def _body(node: Any) -> list[Any]:
    return node.body if isinstance(node.body, list) else []


def analyze(tree: gast.AST) -> dict[gast.AST, Facts]:
    """Return the facts of every function of a desugared tree, by its node."""
    scopes = scope.analyze(tree)
    for own in scopes.root.walk():
        for node in own_nodes(_body(own.node) or own.node.body, helpers=False):
            if isinstance(node, BoxValue):
                # A box is made before anything looks at it and never replaced: not shared.
                owner = own.owner(node.value.id)
                assert owner is not None
                owner.captured.pop(node.value.id, None)
    found: dict[gast.AST, Facts] = {}
    for own in scopes.root.walk():
        around = found[own.parent.node] if own.parent else None
        found[own.node] = Facts(own, scopes, around)
    return found
