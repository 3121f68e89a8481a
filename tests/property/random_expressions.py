"""Random Python expressions.

Owns the base of the program writer: choices, names and the expressions. It leaves statements to
`random_statements`. Invariant: an expression is small, and reads mostly names that are bound.

Each program does without about half of all kinds of expressions and statements, which brings
together more often those that it has (Groce and others, "Swarm testing", ISSTA 2012).

The first letter of a name says what it mostly holds: i and c an int, f a number, a and b an array,
l a list, d a dict, s a text, z anything; g, n, h and m are inner functions: without and with
``nonlocal``, generators, lambdas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
Choose = Callable[[int], int]
"""Returns a number from 0 to below its argument; 0 is the simplest choice."""
Writing = Callable[[], str]

INNER = 5
"""The first number in the names of an inner function's own variables."""


@dataclass
class Expressions:
    """Writes expressions; each method returns one."""

    choose: Choose
    bound: dict[str, None] = field(default_factory=dict)
    """Names that are bound for sure here."""
    seen: dict[str, None] = field(default_factory=dict)
    """Names that are bound on some path."""
    assignable: dict[str, None] | None = None
    """In an inner function, the names of functions around it that it may assign."""
    constructs: Counter[str] = field(default_factory=Counter)
    depth: int = 0
    """How many expressions stand around the one that is being written."""
    kept: dict[tuple[str, int], bool] = field(default_factory=dict)
    """For each kind of expression or statement met so far, whether this program has it."""
    binding: bool = True
    """Whether ``:=`` is allowed here."""

    def _one(self, options: Sequence[T]) -> T:
        return options[self.choose(len(options))]

    def _chance(self, n: int) -> bool:
        """Return True once in `n` times."""
        return self.choose(n) == n - 1

    def _kept(self, group: str, options: Sequence[T]) -> list[T]:
        """Return those of a group of options that this program has."""
        for number in range(len(options)):
            if (group, number) not in self.kept:
                self.kept[group, number] = not self.choose(2)
        return [option for n, option in enumerate(options) if self.kept[group, n]]

    def _any_of(
        self, group: str, simple: Sequence[Writing], others: Sequence[Writing], depth: int = 3
    ) -> str:
        """Return what one of `simple` writes, or one of `others` where expressions may nest."""
        nests = self.depth < depth
        writing = self._one([*simple, *self._kept(group, others)] if nests else simple)
        self.depth += 1
        try:
            return writing()
        finally:
            self.depth -= 1

    def _small(self, writing: Writing) -> str:
        """Return what `writing` writes two levels deeper, so that it nests less."""
        self.depth += 2
        try:
            return writing()
        finally:
            self.depth -= 2

    def _without_binding(self, writing: Writing) -> str:
        """Return what `writing` writes where Python, or the compiler, allows no ``:=``."""
        before, self.binding = self.binding, False
        try:
            return writing()
        finally:
            self.binding = before

    def _used(self, construct: str, text: str) -> str:
        """Return `text`, which contains `construct`."""
        self.constructs[construct] += 1
        return text

    # Names.

    def some_array(self) -> str:
        """Return the name of an array: a local, seldom the global or an attribute."""
        if self._chance(12):
            return self._used("global array", "TABLE")
        if self._chance(12):
            return self._used("attribute", "o0.data")
        return self._name("ab") or "a0"

    def _risky(self, safe: Sequence[str], other: Writing) -> str:
        """Return one of `safe`; seldom any expression, which may be zero."""
        return self._small(other) if self._chance(10) else self._one(safe)

    def _name(self, kinds: str) -> str | None:
        """Return a name whose first letter is in `kinds`; seldom one that may be unbound."""
        pool = self.seen if self._chance(25) else self.bound
        names = [n for n in pool if n[0] in kinds]
        return self._one(names) if names else None

    def _target(self, kind: str) -> str:
        """Return a name of one kind to assign, of this function."""
        if self.assignable is None:
            return f"{kind}{self.choose(3)}"
        outer = [name for name in self.assignable if name[0] == kind]
        return self._one([*outer, f"{kind}{INNER}", f"{kind}{INNER + 1}"])

    def _changeable(self, kinds: str) -> str | None:
        """Return a bound name that this function may assign."""
        names = [
            name
            for name in self.bound
            if name[0] in kinds
            and (self.assignable is None or name in self.assignable or int(name[1:]) >= INNER)
        ]
        return self._one(names) if names else None

    def _bind(self, name: str) -> str:
        """Note that a name is bound here, and return it."""
        self.bound[name] = None
        self.seen[name] = None
        return name

    # Numbers.

    def integer(self) -> str:
        """Return an expression that is mostly an int."""
        integer, small = self.integer, lambda: self._small(self.integer)
        return self._any_of(
            "integer",
            [
                lambda: str(self.choose(4) - 1),
                lambda: self._name("ic") or "2",
                lambda: self._name("ic") or "1",
            ],
            [
                lambda: f"({integer()} {self._one('+-')} {integer()})",
                lambda: f"{small()} % {self._risky(['3', '5', '2'], integer)}",
                lambda: f"{small()} // {self._risky(['2', '3'], integer)}",
                lambda: f"len({self._name('abld') or 'a0'})",
                lambda: self.conditional(integer),
                lambda: f"min({integer()}, SCALE)",
                lambda: f"({integer()} * SCALE) % 1000",
                lambda: f"int({self._name('b') or 'b0'}.sum().real)",
                lambda: self._used("helper", f"helper({small()}{self._one(['', ', 2'])})"),
                self.said,
                lambda: self._used("truth value as number", f"({self.condition()}) + {small()}"),
            ],
        )

    def conditional(self, writing: Writing) -> str:
        """Return a conditional expression."""
        condition = self.condition()
        then, orelse = (self._without_binding(writing) for _ in range(2))
        return self._used("conditional expression", f"({then} if {condition} else {orelse})")

    def call(self, function: str, writing: Writing) -> str:
        """Return the call of a helper of two arguments, the second of which has a default."""
        second = self._one(["", ", 2", ", y=0.5"])
        return self._used("helper", f"{function}({writing()}{second})")

    def real(self) -> str:
        """Return an expression that is a number of some kind."""
        real = self.real
        methods = ["sum()", "mean()", "max()", "size", "min()"]
        return self._any_of(
            "real",
            [
                lambda: "o0.value" if self._chance(6) else self._name("fz") or "0.5",
                lambda: self._name("f") or "1.5",
                lambda: f"({self._name('f') or 'f0'} {self._one('+-*')} {self._one('012')})",
                lambda: self._one(["0.5", "1.5", "-2.0", "0.0", "1", "-0.0"]),
            ],
            [
                lambda: f"({real()} {self._one('+-')} {real()})",
                lambda: f"({real()} {self._one('+-')} {real()})",
                lambda: f"({real()} * {self._one(['2', '0.5', '-1', 'TABLE[1]'])})",
                lambda: f"({real()} / {self._risky(['2', '3.0'], real)})",
                lambda: f"{self.some_array()}[{self._small(self.integer)} % 2]",
                lambda: f"{self.some_array()}.{self._one(methods)}",
                lambda: self.call("helper", real),
                lambda: self.call("early", real),
                lambda: f"abs({real()})",
                self.inner_call,
                self.inner_call,
                lambda: f"max({real()}, {self.integer()})",
                lambda: self._used("say", f"say({self._small(real)})"),
                self.looked_up,
                self.in_order,
                lambda: f"({real()} {self._one('+*-')} {self._one(['0.0', '0', '-0.0'])})",
                lambda: self.conditional(real),
                lambda: self.named(lambda: self._small(real)),
                self.consumed,
            ],
        )

    def named(self, writing: Writing) -> str:
        """Return an expression whose value gets a name."""
        if not self.binding:
            return writing()
        name = self._target("z")
        text = f"({name} := {writing()})"
        self.seen[name] = None
        return self._used("walrus", text)

    def inner_call(self) -> str:
        """Return the call of an inner function."""
        function = self._name("gm")
        if function is None:
            return self.real()
        kind = "call of inner function" if function[0] == "g" else "call of lambda"
        return self._used(kind, f"{function}({self._small(self.real)})")

    def looked_up(self) -> str:
        """Return what a dict or a list holds."""
        name = self._name("dl")
        if name is None:
            return self.integer()
        key = self._small(self.integer)
        return f"{name}.get({key} % 3, 0.5)" if name[0] == "d" else f"{name}[{key} % 2]"

    def in_order(self) -> str:
        """Return an expression that reads an array, writes into it, and reads it again."""
        name, value = self._name("a") or "a0", self._small(self.real)
        first, last = self._one([("[0]", "[0]"), (".sum()", "[-1]"), ("[1]", ".max()")])
        text = f"({name}{first} - poke({name}, 0, {value})[1] + {name}{last})"
        return self._used("read, write, read", text)

    def consumed(self) -> str:
        """Return what becomes of all items of a generator or comprehension."""
        function = self._one(["sum", "len", "max"])
        if self._chance(3):
            text = f"{function}([*map(abs, {self._name('l') or 'l0'}[1:2])] or [0])"
            return self._used("map", text)
        if self._chance(2):
            test = self._one(["", " if v", " if v > 0"])
            text = f"{function}([v * 2 for v in {self.some_array()}[:3].tolist(){test}] or [0])"
            return self._used("comprehension", text)
        return self._used("generator used up", f"{function}(list({self.generated()}) or [0])")

    def generated(self) -> str:
        """Return the call of a generator function."""
        name = self._name("h")
        if name is not None and self._chance(2):
            return f"{name}({self._without_binding(lambda: self._small(self.real))})"
        number = self._without_binding(lambda: self._small(self.integer))
        return self._one(
            [f"counting({number})", f"changing({self.some_array()})", f"failing({number})"]
        )

    # Arrays.

    def array(self) -> str:
        """Return an expression that is mostly an array."""
        name = self.some_array()
        small, functions = lambda: self._small(self.real), ["abs", "sqrt", "square", "negative"]
        kinds = ["np.float32", "np.int64", "float"]
        return self._any_of(
            "array",
            [lambda: name, lambda: f"{name} + {small()}"],
            [
                lambda: f"{name}[{self.slice()}]",
                lambda: f"{self.array()} * {self._one(['2', '0.5', name])}",
                lambda: f"np.{self._one(functions)}({self._small(self.array)})",
                lambda: f"np.where({name} > {small()}, {name}, {small()})",
                lambda: f"{name}.copy()",
                lambda: f"{name}.astype({self._one(kinds)})",
                lambda: f"np.zeros({self.choose(4)})",
                lambda: f"np.concatenate([{name}, {self.some_array()}])[:4]",
                lambda: f"{name}.ravel()",
                lambda: f"np.arange({self._small(self.integer)} % 4)",
                lambda: self.conditional(self.array),
            ],
            depth=2,
        )

    def slice(self) -> str:
        """Return a slice or an index of one dimension."""
        bound = self._small(self.integer)
        return self._one(["1:", ":-1", "::2", ":2", "::-1", f":{bound} % 3", "..."])

    # Truth and text.

    def condition(self) -> str:
        """Return an expression that is used for its truth."""
        sign = self._one(["<", ">", "==", "<=", "!="])
        integer, real = (lambda: self._small(self.integer)), (lambda: self._small(self.real))
        condition = self.condition
        return self._any_of(
            "condition",
            [
                lambda: f"{integer()} {sign} {integer()}",
                lambda: f"{integer()} {sign} {integer()}",
                lambda: f"{real()} {sign} {real()}",
                lambda: f"{real()} {sign} {real()}",
            ],
            [
                lambda: f"not ({condition()})",
                lambda: self.both(condition, condition),
                lambda: self.both(condition, condition),
                self.chained,
                lambda: self._name("ld") or "l0",
                lambda: f"{self._name('a') or 'a0'} is {self._name('ab') or 'b0'}",
                self.question,
                self.question,
                lambda: f"np.any({self.some_array()} > {real()})",
                lambda: f"{integer()} in {self._name('ld') or 'l0'}",
                lambda: f"{self.named(integer)} {sign} 1",
                self.said,
                lambda: self._used("any/all", f"any(v > 1 for v in {self.generated()})"),
            ],
            depth=2,
        )

    def questions(self, name: str) -> str:
        """Return questions about the type of a value of many possible types, and the value."""
        kinds = self._one(["int", "float", "bool", "(float, np.ndarray)"])
        asked = [f"isinstance({name}, {kinds})", f"type({name}) is {self._one(['int', 'float'])}"]
        if name[0] == "a":
            asked = [f"{name}.ndim", self._one([f"{name}.dtype", f"{name}.shape"])]
        return self._used("question of type", f"{', '.join(asked)}, {name}")

    def question(self) -> str:
        """Return a question about the type of a name."""
        name, array = self._name("zif") or "i0", self.some_array()
        number = self._name("if") or "i0"
        kinds = ["int", "float", "(bool, str)", "np.floating", "np.ndarray"]
        text = self._one([
            f"isinstance({name}, {self._one(kinds)})", f"type({name}) is {self._one(kinds[:2])}",
            f"{name} is None", f"{array}.ndim == {self._one('12')}", f"bool({number})",
            f"{array}.dtype == {self._one(['float', 'np.float32', 'np.int64'])}",
            f"{array}.shape == ({self._one(['3', '4', '2, 2'])},)", f"len({array}) > 2",
        ])  # fmt: skip
        return self._used("question of type", text)

    def chained(self) -> str:
        """Return a chained comparison."""
        first = self._small(self.integer)
        middle = self._without_binding(self._one([lambda: self._small(self.real), self.said]))
        return self._used("chained comparison", f"{first} < {middle} <= {self._one('201')}")

    def said(self) -> str:
        """Return a number that is printed when it is computed."""
        return self._used("say", f"say({self._small(self.integer)})")

    def chosen(self) -> str:
        """Return ``and`` or ``or`` of numbers, used for its value."""
        self.constructs["and/or as a value"] += 1
        return self.both(self.integer, self.real)

    def both(self, first: Writing, second: Writing) -> str:
        """Return ``and`` or ``or`` of two expressions."""
        left, right = first(), self._without_binding(second)
        return self._used("and/or", f"({left} {self._one(['and', 'or'])} {right})")

    def anything(self) -> str:
        """Return an expression of any type."""
        return self._one([self.integer, self.real, self.array, self.text, self.chosen])()

    def text(self) -> str:
        """Return an expression that is a string."""
        first, second = self._name("ifz") or "i0", self._name("if") or "f0"
        return self._used("f-string", f'f"<{{{first}}} {{{second}!r:>6}}>"')
