"""Random Python expressions.

Owns the base of the program writer: choices, names and the expressions. It leaves statements to
`random_programs`. Invariant: an expression is small, and reads mostly names that are bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
Choose = Callable[[int], int]
"""Returns a number from 0 to below its argument; 0 is the simplest choice."""


@dataclass
class Expressions:
    """Writes expressions; each method returns one."""

    choose: Choose
    bound: dict[str, None] = field(default_factory=dict)
    """Names that are bound for sure here."""
    seen: dict[str, None] = field(default_factory=dict)
    """Names that are bound on some path."""
    constructs: Counter[str] = field(default_factory=Counter)

    def _one(self, options: Sequence[T]) -> T:
        return options[self.choose(len(options))]

    def _chance(self, n: int) -> bool:
        """Return True once in `n` times."""
        return self.choose(n) == n - 1

    def some_array(self) -> str:
        """Return the name of an array: a local, seldom the global or an attribute."""
        if self._chance(12):
            self.constructs["global array"] += 1
            return "TABLE"
        if self._chance(12):
            self.constructs["attribute"] += 1
            return "o0.data"
        return self._name("ab") or "a0"

    def _risky(self, safe: Sequence[str], other: Callable[[int], str]) -> str:
        """Return one of `safe`; seldom any expression, which may be zero."""
        return other(3) if self._chance(10) else self._one(safe)

    def _name(self, kinds: str) -> str | None:
        """Return a name whose first letter is in `kinds`; seldom one that may be unbound."""
        pool = self.seen if self._chance(40) else self.bound
        names = [n for n in pool if n[0] in kinds]
        return self._one(names) if names else None

    def _target(self, kind: str) -> str:
        return f"{kind}{self.choose(3)}"

    def integer(self, depth: int = 0) -> str:
        """Return an expression that is mostly an int."""
        pick = self.choose(3 if depth > 2 else 12)
        if pick == 0:
            return str(self.choose(4) - 1)
        if pick <= 2:
            return self._name("ic") or "2"
        if pick == 3:
            return f"({self.integer(depth + 1)} + {self.integer(depth + 1)})"
        if pick == 4:
            return f"({self.integer(depth + 1)} - {self.integer(depth + 1)})"
        if pick == 5:
            return f"{self.integer(depth + 1)} % {self._risky(['3', '5', '2'], self.integer)}"
        if pick == 6:
            return f"{self.integer(depth + 1)} // {self._risky(['2', '3'], self.integer)}"
        if pick == 7:
            return f"len({self._name('abl') or 'a0'})"
        if pick == 8:
            self.constructs["conditional expression"] += 1
            return (
                f"({self.integer(depth + 1)} if {self.condition(depth + 1)} "
                f"else {self.integer(depth + 1)})"
            )
        if pick == 9:
            return f"min({self.integer(depth + 1)}, SCALE)"
        if pick == 10:
            return f"({self.integer(depth + 1)} * SCALE) % 1000"
        return f"int({self._name('b') or 'b0'}.sum().real)"

    def real(self, depth: int = 0) -> str:
        """Return an expression that is a number of some kind."""
        pick = self.choose(3 if depth > 2 else 13)
        if pick <= 1:
            return "o0.value" if self._chance(10) else self._name("fz") or "0.5"
        if pick == 2:
            return self._one(["0.5", "1.5", "-2.0", "0.0", "1"])
        if pick <= 5:
            sign = self._one(["+", "-", "*"])
            return f"({self.real(depth + 1)} {sign} {self.real(depth + 1)})"
        if pick == 6:
            return f"({self.real(depth + 1)} / {self._risky(['2', '3.0'], self.real)})"
        if pick == 7:
            return f"{self.some_array()}[{self.integer(2)} % 2]"
        if pick == 8:
            method = self._one(["sum()", "mean()", "max()", "size", "min()"])
            return f"{self.some_array()}.{method}"
        if pick == 9:
            self.constructs["helper"] += 1
            return f"helper({self.real(depth + 1)}{self._one(['', ', 2', ', y=0.5'])})"
        if pick == 10:
            return f"abs({self.real(depth + 1)})"
        if pick == 11:
            function = self._name("g")
            if function is None:
                return self.integer(depth + 1)
            self.constructs["call of inner function"] += 1
            return f"{function}({self.real(depth + 1)})"
        return f"max({self.real(depth + 1)}, {self.integer(depth + 1)})"

    def array(self, depth: int = 0) -> str:
        """Return an expression that is mostly an array."""
        name = self.some_array()
        pick = self.choose(2 if depth > 1 else 12)
        if pick == 0:
            return name
        if pick == 1:
            return f"{name} + {self.real(2)}"
        if pick == 2:
            return f"{name}[{self.slice()}]"
        if pick == 3:
            return f"{self.array(depth + 1)} * {self._one(['2', '0.5', name])}"
        if pick == 4:
            return f"np.{self._one(['abs', 'sqrt', 'square', 'negative'])}({self.array(2)})"
        if pick == 5:
            return f"np.where({name} > {self.real(2)}, {name}, {self.real(2)})"
        if pick == 6:
            return f"{name}.copy()"
        if pick == 7:
            kind = self._one(["np.float32", "np.int64", "float"])
            return f"{name}.astype({kind})"
        if pick == 8:
            return f"np.zeros({self.choose(4)})"
        if pick == 9:
            return f"np.concatenate([{name}, {self.some_array()}])[:4]"
        if pick == 10:
            return f"{name}.ravel()"
        return f"np.arange({self.integer(2)} % 4)"

    def slice(self) -> str:
        """Return a slice or an index of one dimension."""
        return self._one(["1:", ":-1", "::2", ":2", "::-1", f":{self.integer(2)} % 3", "..."])

    def condition(self, depth: int = 0) -> str:
        """Return an expression that is used for its truth."""
        pick = self.choose(4 if depth > 1 else 12)
        sign = self._one(["<", ">", "==", "<=", "!="])
        if pick <= 1:
            return f"{self.integer(2)} {sign} {self.integer(2)}"
        if pick <= 3:
            return f"{self.real(2)} {sign} {self.real(2)}"
        if pick == 4:
            return f"not ({self.condition(depth + 1)})"
        if pick <= 6:
            self.constructs["and/or"] += 1
            word = self._one(["and", "or"])
            return f"({self.condition(depth + 1)} {word} {self.condition(depth + 1)})"
        if pick == 7:
            self.constructs["chained comparison"] += 1
            return f"{self.integer(2)} < {self.real(2)} <= {self.integer(2)}"
        if pick == 8:
            return f"{self._name('l') or 'l0'}"
        if pick == 9:
            return f"{self._name('a') or 'a0'} is {self._name('ab') or 'b0'}"
        if pick == 10:
            self.constructs["question of type"] += 1
            name = self._name("if") or "i0"
            return f"isinstance({name}, {self._one(['int', 'float', '(bool, str)'])})"
        return f"np.any({self.some_array()} > {self.real(2)})"

    def anything(self) -> str:
        """Return an expression of any type."""
        return self._one([self.integer, self.real, self.array, self.text])()

    def text(self, depth: int = 0) -> str:
        """Return an expression that is a string."""
        self.constructs["f-string"] += 1
        return f'f"<{{{self._name("ifz") or "i0"}}} {{{self._name("if") or "f0"}!r:>6}}>"'
