"""``match`` into ``if``.

Owns the rewriting. It leaves what a pattern asks of a value to `autograph.operators.patterns`.
Invariant: the subject is computed once, patterns are tried in order, and names are bound when the
whole of their pattern has matched, before its guard is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..syntax.templates import Maker
from .nodes import OperatorCall
from .unit import Unit

Captures = list[tuple[str, Any]]
Continuation = Callable[[Captures], list[Any]]


def matches(unit: Unit) -> None:
    """Turn every ``match`` into branches."""
    unit.tree = _Matches(unit).visit(unit.tree)


class _Matches(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def visit_Match(self, node: gast.Match) -> Any:
        self.generic_visit(node)
        maker = Maker(node.subject)
        subject = self.unit.names.fresh("subject")
        start = maker.assign(maker.store(subject), node.subject)
        return [start, *self.cases(node.cases, subject)]

    def cases(self, cases: Sequence[gast.match_case], subject: str) -> list[Any]:
        """Return the branches of the cases that are left."""
        if not cases:
            return []
        case, *rest = cases
        at = Maker(case.pattern)
        test = self.test(case.pattern, subject)
        if test is not None:
            named = [(name, at.load(subject)) for name in _names(case.pattern)]
            return self.tested(case, test, _bindings(at, named), rest, subject)
        if isinstance(case.pattern, gast.MatchSequence) and all(
            isinstance(item, gast.MatchStar) or _is_name(item) for item in case.pattern.patterns
        ):
            names = [item.name or self.unit.names.fresh("part") for item in case.pattern.patterns]
            unpacked = self.unpacked(case.pattern, names, subject)
            test = self.sequence_test(case.pattern, subject)
            return self.tested(case, test, [unpacked], rest, subject)
        if not rest:
            return self.nested(case.pattern, subject, self.guarded(case, case.body))
        matched = self.unit.names.fresh("matched")
        success = self.guarded(case, [at.assign(at.store(matched), at.constant(True))])
        return [
            at.assign(at.store(matched), at.constant(False)),
            *self.nested(case.pattern, subject, success),
            at.if_(at.load(matched), case.body, self.cases(rest, subject)),
        ]

    def tested(
        self, case: Any, test: Any, bound: list[Any], rest: Sequence[Any], subject: str
    ) -> list[Any]:
        """Return the branches of a case whose pattern is one test, before what it binds."""
        at = Maker(case.pattern)
        if case.guard is None:
            if isinstance(test, gast.Constant):
                return [*bound, *case.body]
            return [at.if_(test, [*bound, *case.body], self.cases(rest, subject))]
        if isinstance(test, gast.Constant):
            guarded = Maker(case.guard).if_(case.guard, case.body, self.cases(rest, subject))
            return [*bound, guarded]
        if not bound:
            both = at.place(gast.BoolOp(gast.And(), [test, case.guard]))
            return [at.if_(both, case.body, self.cases(rest, subject))]
        if not rest:
            return [at.if_(test, [*bound, Maker(case.guard).if_(case.guard, case.body, [])], [])]
        matched = self.unit.names.fresh("matched")
        yes = at.assign(at.store(matched), at.constant(True))
        return [
            at.assign(at.store(matched), at.constant(False)),
            at.if_(test, [*bound, Maker(case.guard).if_(case.guard, [yes], [])], []),
            at.if_(at.load(matched), case.body, self.cases(rest, subject)),
        ]

    def guarded(self, case: Any, body: list[Any]) -> Continuation:
        """Return what to do when the pattern of `case` has matched."""

        def done(captures: Captures) -> list[Any]:
            bound = _bindings(Maker(case.pattern), captures)
            if case.guard is None:
                return [*bound, *body]
            return [*bound, Maker(case.guard).if_(case.guard, body, [])]

        return done

    def test(self, pattern: Any, subject: str) -> Any:
        """Return a pattern as one expression; None if it looks at parts of the subject.

        Names in it, if any, are bound to the subject.
        """
        at = Maker(pattern)
        if isinstance(pattern, gast.MatchAs):
            if pattern.pattern is None:
                return at.constant(True)
            return self.test(pattern.pattern, subject)
        if isinstance(pattern, gast.MatchValue):
            return _compared(at, at.load(subject), gast.Eq(), pattern.value)
        if isinstance(pattern, gast.MatchSingleton):
            return _compared(at, at.load(subject), gast.Is(), at.constant(pattern.value))
        if isinstance(pattern, gast.MatchClass):
            if pattern.patterns or pattern.kwd_patterns:
                return None
            return self.operator(at, "match_class", [at.load(subject), pattern.cls])
        if isinstance(pattern, gast.MatchOr):
            tests = [self.test(option, subject) for option in pattern.patterns]
            if any(test is None for test in tests) or _names(pattern):
                return None
            return at.place(gast.BoolOp(gast.Or(), tests))
        if isinstance(pattern, gast.MatchSequence) and all(map(_is_wildcard, pattern.patterns)):
            return self.sequence_test(pattern, subject)
        return None

    def sequence_test(self, pattern: gast.MatchSequence, subject: str) -> Any:
        """Return the test for a sequence of the right length."""
        at = Maker(pattern)
        starred = sum(isinstance(item, gast.MatchStar) for item in pattern.patterns)
        args = [at.load(subject), at.constant(len(pattern.patterns) - starred)]
        if starred:
            args.append(at.constant(True))
        return self.operator(at, "match_sequence", args)

    def nested(self, pattern: Any, subject: str, done: Continuation) -> list[Any]:
        """Return the statements that match `pattern`, and in the innermost of them are `done`."""
        at = Maker(pattern)
        if isinstance(pattern, gast.MatchAs):
            own: Captures = [(pattern.name, at.load(subject))] if pattern.name else []
            if pattern.pattern is None:
                return done(own)
            return self.nested(pattern.pattern, subject, lambda inner: done([*inner, *own]))
        test = self.test(pattern, subject)
        if test is not None:
            return [at.if_(test, done([]), [])]
        if isinstance(pattern, gast.MatchOr):
            return self.alternatives(pattern, subject, done)
        if isinstance(pattern, gast.MatchSequence):
            return self.sequence(pattern, subject, done)
        if isinstance(pattern, gast.MatchMapping):
            return self.mapping(pattern, subject, done)
        return self.instance(pattern, subject, done)

    def alternatives(self, pattern: Any, subject: str, done: Continuation) -> list[Any]:
        """Return the statements for patterns of which one has to match."""
        at = Maker(pattern)
        names = self.unit.names
        either = names.fresh("either")
        captured = [(name, names.fresh(f"{name}_part")) for name in _names(pattern)]
        holders = dict(captured)

        def found(captures: Captures) -> list[Any]:
            held = [(holders[name], value) for name, value in captures]
            return [*_bindings(at, held), at.assign(at.store(either), at.constant(True))]

        statements = [at.assign(at.store(either), at.constant(False))]
        for number, option in enumerate(pattern.patterns):
            tried = self.nested(option, subject, found)
            if number:
                left = at.place(gast.UnaryOp(gast.Not(), at.load(either)))
                tried = [at.if_(left, tried, [])]
            statements += tried
        values = [(name, at.load(holder)) for name, holder in captured]
        return [*statements, at.if_(at.load(either), done(values), [])]

    def sequence(self, pattern: Any, subject: str, done: Continuation) -> list[Any]:
        """Return the statements for a sequence pattern."""
        at = Maker(pattern)
        parts = [self.unit.names.fresh("part") for _ in pattern.patterns]
        inside = self.all(list(zip(pattern.patterns, parts, strict=True)), [], done)
        body = [self.unpacked(pattern, parts, subject), *inside]
        return [at.if_(self.sequence_test(pattern, subject), body, [])]

    def unpacked(self, pattern: gast.MatchSequence, names: list[str], subject: str) -> Any:
        """Return the assignment of the parts of a sequence."""
        at = Maker(pattern)
        targets = [
            at.place(gast.Starred(at.store(name), gast.Store()))
            if isinstance(item, gast.MatchStar)
            else at.store(name)
            for item, name in zip(pattern.patterns, names, strict=True)
        ]
        return at.assign(at.place(gast.Tuple(targets, gast.Store())), at.load(subject))

    def instance(self, pattern: gast.MatchClass, subject: str, done: Continuation) -> list[Any]:
        """Return the statements for a class pattern with patterns in it."""
        at = Maker(pattern)
        args = [at.load(subject), pattern.cls, at.constant(len(pattern.patterns))]
        args += [at.constant(name) for name in pattern.kwd_attrs]
        patterns = [*pattern.patterns, *pattern.kwd_patterns]
        return self.found(at, self.operator(at, "match_class", args), patterns, done)

    def mapping(self, pattern: gast.MatchMapping, subject: str, done: Continuation) -> list[Any]:
        """Return the statements for a mapping pattern."""
        at = Maker(pattern)
        args = [at.load(subject), at.constant(pattern.rest is not None), *pattern.keys]
        patterns = list(pattern.patterns)
        if pattern.rest is not None:
            patterns.append(at.place(gast.MatchAs(None, pattern.rest)))
        return self.found(at, self.operator(at, "match_mapping", args), patterns, done)

    def found(
        self, at: Maker, parts_found: Any, patterns: list[Any], done: Continuation
    ) -> list[Any]:
        """Return the statements that match patterns against parts, which are None if none are."""
        names = self.unit.names
        found = names.fresh("found")
        parts = [names.fresh("part") for _ in patterns]
        inside = self.all(list(zip(patterns, parts, strict=True)), [], done)
        test = _compared(at, at.load(found), gast.IsNot(), at.constant(None))
        target = at.store_names(parts, always_tuple=True)
        unpacked = [at.assign(target, at.load(found))] if parts else []
        return [
            at.assign(at.store(found), parts_found),
            at.if_(test, [*unpacked, *inside], []),
        ]

    def all(
        self, pairs: list[tuple[Any, str]], captures: Captures, done: Continuation
    ) -> list[Any]:
        """Return the statements that match patterns against parts, one after the other."""
        if not pairs:
            return done(captures)
        (pattern, part), *rest = pairs
        if isinstance(pattern, gast.MatchStar):
            own = [(pattern.name, Maker(pattern).load(part))] if pattern.name else []
            return self.all(rest, [*captures, *own], done)
        return self.nested(
            pattern, part, lambda inner: self.all(rest, [*captures, *inner], done)
        )

    def operator(self, maker: Maker, name: str, args: list[Any]) -> Any:
        function = maker.attribute(maker.load(self.unit.operators_name), name)
        return maker.place(OperatorCall(function, args, []))


def _compared(maker: Maker, left: Any, operation: Any, right: Any) -> Any:
    return maker.place(gast.Compare(left, [operation], [right]))


def _bindings(maker: Maker, captures: Captures) -> list[Any]:
    return [maker.assign(maker.store(name), value) for name, value in captures]


def _is_name(pattern: Any) -> bool:
    """Tell whether a pattern takes anything."""
    return isinstance(pattern, gast.MatchAs) and pattern.pattern is None


def _is_wildcard(pattern: Any) -> bool:
    if isinstance(pattern, gast.MatchStar):
        return pattern.name is None
    return _is_name(pattern) and pattern.name is None


def _names(pattern: gast.AST) -> list[str]:
    """Return the names that a pattern binds, in order."""
    found: dict[str, None] = {}
    for node in gast.walk(pattern):
        if isinstance(node, gast.MatchAs | gast.MatchStar) and node.name is not None:
            found[node.name] = None
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            found[node.rest] = None
    return list(found)
