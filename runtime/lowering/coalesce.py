"""Variables: which values share one.

Owns liveness over the structured program, interference, and the merging of values into variables
so that loops and joins need no copies. It leaves naming variables to `names`. Invariant: at no
point of a run is a variable set while another value that lives in it is still to be read.

Interference is Chaitin's: what a statement sets interferes with what is live after it, except
with the value it is a copy of (Chaitin, "Register allocation and spilling via graph coloring",
1982). Sets of values are Python integers used as bit sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..ir.graph import Constant, Value
from .holding import Frame, frame_of, holds
from .statements import (
    Branch,
    CheckBound,
    Evaluate,
    ForLoop,
    Function,
    InPlace,
    InPlaceItem,
    Jump,
    Label,
    Labelled,
    Raise,
    Return,
    Statement,
    Transfer,
    Try,
    WhileLoop,
    With,
    inner_blocks,
    is_statement_only,
    operands,
    target_values,
    variables,
)

MAX_CANDIDATES = 16
"""How many variables a value without a partner is tried with."""


@dataclass(frozen=True, eq=False)
class Variables:
    """The variable of each value, as a number, and what is known of them."""

    number: dict[Value, int]
    """Variables are numbered in order of their first value."""
    members: dict[int, list[Value]]
    """The values of each variable, in order of first appearance."""
    live_targets: dict[Statement, frozenset[Value]]
    """The targets of a statement that are read later."""
    reads: dict[Value, int]
    """How often each value is read, in expressions and transfers."""
    live_after: Callable[[Statement], Iterator[Value]]
    """Returns the values that are read later than a statement."""

    def same(self, a: Value, b: Value) -> bool:
        """Tell whether two values are one constant or live in one variable."""
        if isinstance(a, Constant) or isinstance(b, Constant):
            return a is b
        return self.number[a] == self.number[b]

    def is_live(self, statement: Statement, target: Value) -> bool:
        """Tell whether `target`, as `statement` sets it, is read later."""
        return target in self.live_targets.get(statement, frozenset())


def coalesce(function: Function, hint: Callable[[Value], str]) -> Variables:
    """Return the variables of `function`; values called alike by `hint` share one if they can."""
    analysis = _Interference(function, hint)
    groups = _Groups(analysis)
    for first, second in analysis.affinities():
        groups.merge(first, second)
    by_name: dict[tuple[str, Frame | None], list[Value]] = {}
    for value in analysis.values:
        name = hint(value)
        if name:
            # An object that a variable holds makes way only for what the same call assigns.
            frame = analysis.frames.get(value) if name in analysis.holding else None
            _merge_into_one(groups, by_name.setdefault((name, frame), []), value)
    unnamed: list[Value] = []
    named = {groups.find(v) for v in analysis.values if hint(v)}
    named |= {groups.find(v) for v in function.params}
    for value in analysis.values:
        if groups.find(value) not in named:
            _merge_into_one(groups, unnamed, value)
    return _number(analysis, groups)


def _merge_into_one(groups: _Groups, earlier: list[Value], value: Value) -> None:
    """Merge `value` with the first of `earlier` that it can share a variable with."""
    if not any(groups.merge(other, value) for other in earlier[-MAX_CANDIDATES:]):
        earlier.append(value)


def _number(analysis: _Interference, groups: _Groups) -> Variables:
    numbers: dict[int, int] = {}
    number: dict[Value, int] = {}
    members: dict[int, list[Value]] = {}
    for value in analysis.values:
        n = numbers.setdefault(groups.find(value), len(numbers))
        number[value] = n
        members.setdefault(n, []).append(value)
    live = {
        statement: frozenset(analysis.members(mask))
        for statement, mask in analysis.live_targets.items()
    }
    return Variables(number, members, live, analysis.reads, analysis.live_after)


class _Groups:
    """Union of values that share a variable."""

    def __init__(self, analysis: _Interference) -> None:
        self._index = analysis.index
        self._parent = list(range(len(analysis.values)))
        self._members = [1 << i for i in range(len(analysis.values))]
        self._conflicts = list(analysis.conflicts)

    def find(self, value: Value) -> int:
        """Return the number of the group of `value`."""
        return self._find(self._index[value])

    def _find(self, i: int) -> int:
        while self._parent[i] != i:
            self._parent[i] = self._parent[self._parent[i]]
            i = self._parent[i]
        return i

    def merge(self, first: Value, second: Value) -> bool:
        """Let two values share a variable; False if they cannot."""
        a, b = self.find(first), self.find(second)
        if a == b:
            return True
        if self._conflicts[a] & self._members[b] or self._conflicts[b] & self._members[a]:
            return False
        a, b = min(a, b), max(a, b)
        self._parent[b] = a
        self._members[a] |= self._members[b]
        self._conflicts[a] |= self._conflicts[b]
        return True


@dataclass(eq=False)
class _Affinity:
    depth: int
    """How many loops it stands in: copies there cost most."""
    order: int
    first: Value
    second: Value


@dataclass(eq=False)
class _Exits:
    """What is live where jumps to a label lead."""

    leave: dict[Label, int] = field(default_factory=dict)
    again: dict[Label, int] = field(default_factory=dict)


class _Interference:
    """Liveness and interference of one function."""

    def __init__(self, function: Function, hint: Callable[[Value], str]) -> None:
        self._hint = hint
        self.values: list[Value] = []
        self.index: dict[Value, int] = {}
        self.conflicts: list[int] = []
        self.live_targets: dict[Statement, int] = {}
        self.reads: dict[Value, int] = {}
        self.frames: dict[Value, Frame | None] = {}
        """The call of a function that assigns a value."""
        self.holding: set[str] = set()
        """The names of variables that keep objects alive."""
        self._after: dict[Statement, int] = {}
        self._exits = _Exits()
        self._on_error = 0
        """What is live where an error that is raised here leads to."""
        self._headers: dict[Label, int] = {}
        self._affinities: list[_Affinity] = []
        for value in function.params:
            self._enter(value)
        self._survey(function.body, 0)
        live = self._block(function.body, 0)
        params = self._mask(function.params)
        for value in function.params:
            self._set(value, live | params)

    def affinities(self) -> Iterator[tuple[Value, Value]]:
        """Yield the pairs that should share a variable, the most important first."""
        for pair in sorted(self._affinities, key=self._importance):
            yield pair.first, pair.second

    def _importance(self, pair: _Affinity) -> tuple[int, bool, int]:
        alike = self._hint(pair.first) == self._hint(pair.second)
        return -pair.depth, not alike, pair.order

    def live_after(self, statement: Statement) -> Iterator[Value]:
        """Yield the values that are read later than `statement`."""
        return self.members(self._after.get(statement, 0))

    def members(self, mask: int) -> Iterator[Value]:
        """Yield the values of a bit set."""
        while mask:
            low = mask & -mask
            yield self.values[low.bit_length() - 1]
            mask ^= low

    # -- values and pairs ------------------------------------------------------------------

    def _enter(self, value: Value) -> None:
        if value not in self.index and not isinstance(value, Constant):
            self.index[value] = len(self.values)
            self.values.append(value)
            self.conflicts.append(0)

    def _read(self, values: Iterable[Value]) -> None:
        for value in values:
            self._enter(value)
            self.reads[value] = self.reads.get(value, 0) + 1

    def _pair(self, depth: int, first: Value, second: Value) -> None:
        if not isinstance(first, Constant) and not isinstance(second, Constant):
            self._affinities.append(_Affinity(depth, len(self._affinities), first, second))

    def _survey(self, block: list[Statement], depth: int) -> None:
        """Give the values their numbers and collect the pairs, in the order of the text."""
        for number, statement in enumerate(block):
            after = block[number + 1] if number + 1 < len(block) else None
            leaving = isinstance(after, Jump) and after.kind == "leave"
            self._survey_statement(statement, max(depth - leaving, 0))
            is_loop = isinstance(statement, WhileLoop | ForLoop)
            *often, last = inner_blocks(statement) or ([],)
            for part in often:
                self._survey(part, depth + is_loop)
            self._survey(last, depth)

    def _survey_statement(self, statement: Statement, depth: int) -> None:
        match statement:
            case Evaluate():
                self._read(variables(statement.expression))
                for target in statement.targets:
                    self._enter(target)
                    self.frames[target] = frame_of(statement.origin)
                    if holds(statement, self._hint):
                        self.holding.add(self._hint(target))
            case InPlace():
                self._read((statement.operand, *variables(statement.right)))
                self._enter(statement.target)
                self._pair(depth, statement.target, statement.operand)
            case InPlaceItem():
                self._read((*variables(statement.place), *variables(statement.right)))
            case CheckBound():
                self._read(variables(statement.value))
            case Transfer():
                self._read(statement.sources)
                for target, source in zip(statement.targets, statement.sources, strict=True):
                    self._enter(target)
                    self._pair(depth, target, source)
            case Branch() | WhileLoop():
                self._read(variables(statement.test))
            case ForLoop():
                self._read(variables(statement.iterable))
                for target in target_values(statement.target):
                    self._enter(target)
            case Try():
                for handler in statement.handlers:
                    if handler.error is not None:
                        self._enter(handler.error)
            case With():
                self._read(variables(statement.manager))
                if statement.target is not None:
                    self._enter(statement.target)
            case Return() | Raise():
                for expression in operands(statement):
                    self._read(variables(expression))

    # -- liveness --------------------------------------------------------------------------

    def _mask(self, values: Iterable[Value]) -> int:
        mask = 0
        for value in values:
            if not isinstance(value, Constant):
                mask |= 1 << self.index[value]
        return mask

    def _set(self, value: Value, others: int) -> None:
        """Let `value` interfere with `others`."""
        i = self.index[value]
        self.conflicts[i] |= others & ~(1 << i)

    def _note_live(self, statement: Statement, mask: int) -> None:
        self.live_targets[statement] = self.live_targets.get(statement, 0) | mask

    def _block(self, block: list[Statement], live: int) -> int:
        live |= self._on_error
        for statement in reversed(block):
            self._after[statement] = self._after.get(statement, 0) | live
            live = self._statement(statement, live) | self._on_error
        return live

    def _statement(self, statement: Statement, live: int) -> int:
        """Return what is live before `statement` when `live` is after it."""
        match statement:
            case Evaluate():
                return self._evaluate(statement, live)
            case InPlace():
                return self._in_place(statement, live)
            case InPlaceItem():
                read = self._mask(variables(statement.place))
                return live | read | self._mask(variables(statement.right))
            case CheckBound():
                return live | self._mask(variables(statement.value))
            case Transfer():
                return self._transfer(statement, live)
            case Branch():
                then = self._block(statement.then, live)
                orelse = self._block(statement.orelse, live)
                return then | orelse | self._mask(variables(statement.test))
            case WhileLoop():
                return self._while(statement, live)
            case ForLoop():
                return self._for(statement, live)
            case Try():
                return self._try(statement, live)
            case With():
                return self._with(statement, live)
            case Labelled():
                self._exits.leave[statement.label] = live
                return self._block(statement.body, live)
            case Jump():
                return self._arrival(statement)
            case Return() | Raise():
                mask = 0
                for expression in operands(statement):
                    mask |= self._mask(variables(expression))
                return mask
            case _:
                return 0

    def _evaluate(self, statement: Evaluate, live: int) -> int:
        targets = self._mask(statement.targets)
        needed = targets if holds(statement, self._hint) else targets & live
        self._note_live(statement, needed)
        # A target that nobody reads is not emitted, unless it is part of a pattern.
        if needed or len(statement.targets) > 1 or is_statement_only(statement.expression):
            for target in statement.targets:
                self._set(target, live | targets)
        return (live & ~targets) | self._mask(variables(statement.expression))

    def _in_place(self, statement: InPlace, live: int) -> int:
        operand = self._mask((statement.operand,))
        right = self._mask(variables(statement.right))
        target = self._mask((statement.target,))
        self._note_live(statement, target & live)
        # `target = operand` may come before `right` is evaluated.
        others = live | (right & ~operand)
        if statement.same_object:
            others &= ~operand
        self._set(statement.target, others)
        return (live & ~target) | operand | right

    def _transfer(self, statement: Transfer, live: int) -> int:
        targets = self._mask(statement.targets)
        needed = targets & live
        self._note_live(statement, needed)
        read = 0
        for target, source in zip(statement.targets, statement.sources, strict=True):
            bit = self._mask((target,))
            if not needed & bit:
                continue
            copied = self._mask((source,))
            read |= copied
            # Unless it is set itself, the source still holds what the target gets.
            self._set(target, live & ~(copied & ~targets))
        return (live & ~targets) | read

    def _arrival(self, jump: Jump) -> int:
        """Return what is live where `jump` leads in the end."""
        table = self._exits.leave if jump.kind == "leave" else self._exits.again
        return table[jump.label]

    def _arrivals(self, blocks: Iterable[list[Statement]]) -> int:
        """Return what is live where the jumps lead that leave `blocks`."""
        jumps: list[Jump] = []
        inside: set[Label] = set()
        pending = list(blocks)
        while pending:
            for statement in pending.pop():
                if isinstance(statement, Jump):
                    jumps.append(statement)
                elif isinstance(statement, Labelled | WhileLoop | ForLoop):
                    inside.add(statement.label)
                pending += inner_blocks(statement)
        mask = 0
        for jump in jumps:
            if jump.label not in inside:
                mask |= self._arrival(jump)
        return mask

    def _try(self, statement: Try, live: int) -> int:
        around = self._on_error
        *guarded, final = inner_blocks(statement)
        if final:
            # Jumps pass through it as errors do, and what it reads is live all the time.
            live = self._block(final, live | self._arrivals(guarded))
            self._on_error |= live
        entries = 0
        for handler in statement.handlers:
            entry = self._block(handler.body, live)
            if handler.error is not None:
                # The name is deleted wherever control leaves the handler.
                self._set(handler.error, entry | live | self._arrivals((handler.body,)))
                entry &= ~self._mask((handler.error,))
            entries |= entry
        live = self._block(statement.orelse, live)
        self._on_error |= entries
        live = self._block(statement.body, live)
        self._on_error = around
        return live

    def _with(self, statement: With, live: int) -> int:
        around = self._on_error
        self._on_error |= live  # the manager may swallow the error
        body = self._block(statement.body, live)
        self._on_error = around
        if statement.target is not None:
            self._set(statement.target, body)
            body &= ~self._mask((statement.target,))
        return body | self._mask(variables(statement.manager))

    def _while(self, statement: WhileLoop, live: int) -> int:
        label = statement.label
        self._exits.leave[label] = live
        ended = self._block(statement.orelse, live)
        header = self._headers.get(label, 0)
        while True:
            self._exits.again[label] = header
            body = self._block(statement.body, header)
            test = body | ended | self._mask(variables(statement.test))
            before = self._block(statement.before_test, test) | header
            if before == header:
                break
            header = before
        self._headers[label] = header
        return header

    def _for(self, statement: ForLoop, live: int) -> int:
        label = statement.label
        self._exits.leave[label] = live
        ended = self._block(statement.orelse, live)
        items = tuple(target_values(statement.target))
        # ``for x in x`` would be right, and puzzling.
        iterable = self._mask(variables(statement.iterable))
        targets = self._mask(items)
        header = self._headers.get(label, 0) | ended
        while True:
            self._exits.again[label] = header
            body = self._block(statement.body, header)
            for item in items:
                self._set(item, body | targets | iterable)
            before = (body & ~targets) | header
            if before == header:
                break
            header = before
        self._headers[label] = header
        return header | iterable
