"""Random Python programs as text, with arguments.

Owns `Writer`, which writes one function from a stream of choices: hypothesis draws them and can
shrink, the fuzzer takes them from a seed. Invariant: every program ends after few steps, and its
numbers, texts and lists stay small; it may raise any error, and may read names that are unbound.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FunctionType

from random_expressions import INNER
from random_statements import PARAMETERS, Place, Statements

HEADER = """\
import math

import numpy as np

SCALE = 2
TABLE = np.arange(4.0)


class Box:
    def __init__(self, value, data):
        self.value = value
        self.data = data

    def __enter__(self):
        self.value = 0.25
        return self.data

    def __exit__(self, kind, error, traceback):
        print("left", kind)
        return kind is ValueError

    def grow(self, by):
        self.value = self.value + by
        return self.value


def poke(x, i, v):
    x[i % 3] = v
    return x


def say(x):
    print("say", x)
    return x


def helper(x, y=1):
    if x > y:
        return x - y
    return y * 2


def early(x, y=1):
    if x > y:
        print("early", x)
        return x
    while y < 3:
        if x == y:
            print("found", y)
            return y
        y = y + 1
    print("late", y)
    return y


def apply(function, x):
    if x > 0:
        x = function(x)
    return x


def counting(n):
    k = 0
    while k < n % 4:
        print("yields", k)
        yield k
        k += 1
    print("counted", k)


def changing(x):
    for k in range(min(len(x), 3)):
        yield x[k]
        x[0] = k + 0.5


def failing(n):
    yield n
    if n > 1:
        raise ValueError("failing", n)
    yield n + 0.5


"""


@dataclass(frozen=True)
class Program:
    """A random function."""

    text: str
    calls: tuple[str, ...]
    """Python source of the arguments of each call."""
    constructs: tuple[str, ...]

    def function(self, name: str) -> FunctionType:
        """Return the function, compiled under the file name `name`, where its source is found."""
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(True), name)
        namespace: dict[str, object] = {"__name__": "random_program"}
        exec(compile(self.text, name, "exec"), namespace)
        function = namespace["f"]
        assert isinstance(function, FunctionType)
        return function

    def arguments(self, function: FunctionType, call: int) -> tuple[object, ...]:
        """Return fresh arguments for a call of `function`, and reset what it may have changed."""
        namespace = function.__globals__
        namespace["TABLE"][:] = range(4)
        value = eval(self.calls[call], namespace)
        assert isinstance(value, tuple)
        return value

    def watched(self, function: FunctionType) -> object:
        """Return what `function` may change besides its arguments."""
        return function.__globals__["TABLE"]


@dataclass
class Writer(Statements):
    """Writes a program; each method writes one construct."""

    size: int = 22
    """About how many statements the function has."""
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def program(self) -> Program:
        """Write the whole program."""
        for name in PARAMETERS:
            self._bind(name)
        place = Place(0)
        self._line(place, "l0 = [1, 2.5]")
        self._line(place, "d0 = {}")
        self._bind("l0")
        self._bind("d0")
        while self.size > 0:
            self.statement(place)
        names = ", ".join(n for n in self.bound if n[0] in "ifabldtzs")
        self._line(place, f"return ({names})")
        text = f"{HEADER}def f({', '.join(PARAMETERS)}):\n" + "\n".join(self.lines) + "\n"
        return Program(text, self.calls(), tuple(self.constructs))

    def calls(self) -> tuple[str, ...]:
        """Return the arguments of three calls, mostly of the same types."""
        kinds = ["np.float64", "np.float32", "np.float64", "np.complex128", "np.int64", "np.int8",
                 "bool"]  # fmt: skip
        kind = self._one(kinds)
        first = self.call_arguments(kind)
        rest = (self._one(kinds) if self._chance(4) else kind for _ in range(2))
        return first, *(self.call_arguments(kind) for kind in rest)

    def call_arguments(self, kind: str) -> str:
        """Return the arguments of one call; arrays may overlap, with each other or the global."""
        number = self._one(["0", "1", "3", "-2", "7", "2**40"])
        real = self._one(["0.5", "2.0", "-1.25", "-0.0", "0.0", "1e300",
                          "float('nan')"])  # fmt: skip
        first = self._one(["np.arange(3.0)", "np.array([1.5, -2.0, 0.25, 4.0])", "np.ones(2)",
                           "np.arange(8.0)[::2]", "np.full(4, 0.5)", "np.zeros(0)",
                           "TABLE[1:]"])  # fmt: skip
        second = f"np.array([1, 0, 2, 1], {kind})"
        value = "1.5"
        if self._chance(4):
            first, second = self._one([("z[1:]", "z[:-1]"), ("z", "z")])
        elif self._chance(8):
            number, value = "True", self._one([real, number])
        elif self._chance(8):
            first = "np.array([[1.0, 2.0], [3.0, 4.0]])"
        data = self._one(["np.ones(3)", "np.arange(4.0)", "z", "TABLE"])
        box = f"Box({value}, {data})"
        return f"(lambda z: ({number}, {real}, {first}, {second}, {box}))(np.arange(4.0))"

    @contextmanager
    def _path(self) -> Iterator[None]:
        """Forget, after a block that may not run, what it bound."""
        before = dict(self.bound)
        yield
        self.bound = {n: None for n in before if n in self.bound}

    def _part(self, place: Place, header: str, names: Sequence[str] = (), **where: object) -> None:
        """Write a header and a block that may not run, in which `names` are bound."""
        self._line(place, header)
        with self._path():
            for name in names:
                self._bind(name)
            self.block(place.deeper(**where))

    def statement(self, place: Place) -> None:
        """Write one statement, simple or compound."""
        self.size -= 1
        options: list[Callable[[Place], None]] = [self.assign, self.retype, self.output]
        options += self._kept("simple", [
            self.augment, self.tuple_assign, self.write, self.write, self.list_change, self.alias,
            self.shared_write, self.dict_change, self.function_call, self.late_binding,
            self.reread, self.reread, self.failures,
        ])  # fmt: skip
        if place.depth < 4 and self.size > 0:
            options += [self.branch]
            options += self._kept("compound", [
                self.branch, self.while_loop, self.for_loop, self.for_loop,
                self.inner_function, self.handled, self.managed, self.match,
            ])  # fmt: skip
        if place.depth > 0 or self._chance(6):
            options += [self.jump]
            options += self._kept("rare", [
                self.jump, self.assertion, self.deletion, self.growing_text,
            ])  # fmt: skip
        if place.yields:
            options += [self.yielding] * 3
        self._one(options)(place)

    def block(self, place: Place) -> None:
        """Write one to three statements."""
        for _ in range(1 + self.choose(3)):
            self.statement(place)

    # Branches.

    def branch(self, place: Place) -> None:
        """Write an if, with or without elif and else."""
        self.constructs["if"] += 1
        headers = [f"if {self.condition()}:"]
        if self._chance(3):
            headers.append(f"elif {self.condition()}:")
        self._alternatives(place, place, [*headers, *["else:"] * self.choose(2)], "else:")

    def match(self, place: Place) -> None:
        """Write a match over numbers and tuples, whose patterns may bind names."""
        self.constructs["match"] += 1
        first, second = self._name("iz") or "i0", self._name("ifl") or "f0"
        self._line(place, f"match {self._one([first, f'({first}, {second})'])}:")
        name, other = self._target("z"), self._target("z")
        patterns = [f"case ({name}, 0.5 | 1):", "case 0 | 1:", f"case int() as {name}:",
                    f"case (int(), [_, {other}, *_]):", f"case [{name}, *{self._target('l')}]:",
                    f"case float({name}):"]  # fmt: skip
        cases = [self._one(patterns) for _ in range(1 + self.choose(2))]
        if self._chance(2):
            pattern = self._one([cases[0][:-1], "case 0 | 1", f"case {name}"])
            cases[0] = f"{pattern} if {self._without_binding(self.condition)}:"
        self.seen.update({name: None, other: None})
        cases += ["case _:"] * self.choose(2)
        self._alternatives(place, place.deeper(), cases, "case _:")

    def _alternatives(
        self, place: Place, inside: Place, headers: Sequence[str], otherwise: str
    ) -> None:
        """Write blocks of which at most one runs; one does if `otherwise` is among them.

        What they leave in one name is asked for its type afterwards.
        """
        joined = self._target("z" if self.choose(4) else "a") if self._chance(2) else ""
        array = joined if joined[:1] == "a" else ""
        before = dict(self.bound)
        after = [] if otherwise in headers else [before]
        for header in headers:
            self.bound = dict(before)
            self._line(inside, header)
            block = replace(place.deeper(), indent=inside.indent + "    ")
            self.block(block)
            if joined:
                self._line(block, f"{joined} = {self._other(array)}")
                self._bind(joined)
            after.append(self.bound)
        self.bound = {n: None for n in after[0] if all(n in names for names in after)}
        if joined in self.bound:
            self.constructs["joined value"] += 1
            self._line(place, f"print({self.questions(joined)})")

    # Loops.

    def while_loop(self, place: Place) -> None:
        """Write a while loop of at most four trips."""
        self.constructs["while"] += 1
        counter = f"c{next(self.fresh)}"
        self._line(place, f"{counter} = 0")
        self._bind(counter)
        test = self._one([
            lambda: f"{counter} < 4 and "
                    f"{self._without_binding(lambda: self._small(self.condition))}",
            lambda: f"{counter} < 3",
            lambda: f"({self._target('i')} := {counter}) < {self._one('34')}",
        ])()  # fmt: skip
        self._loop(place, f"while {test}:", first=f"{counter} += 1")

    def for_loop(self, place: Place) -> None:
        """Write a for loop over few items."""
        self.constructs["for"] += 1
        i, f, z = self._target("i"), self._target("f"), self._target("z")
        array, small = self.some_array(), self._small(self.integer)
        targets, iterable = self._one([
            lambda: ([i], f"range({small} % 5)"),
            lambda: ([f], f"{array}[:4]"),
            lambda: ([i, f], f"enumerate({array}[:3])"),
            lambda: ([z], f"{self._name('l') or 'l0'}[:4]"),
            lambda: ([i], f"range(3, {small} % 3, -1)"),
            lambda: ([i], self._one(["range(3, 0, -1)", "range(3)", "range(0)", "range(4, -1, -2)",
                                     "range(20)[17:]", "(2, 0, 1)"])),
            lambda: ([f, z], f"zip({array}[:3], {self.some_array()})"),
            lambda: ([i], f"list({self._name('d') or 'd0'})[:4]"),
            lambda: ([z], self._generator()),
            lambda: ([z], self._generator()),
            lambda: ([i, z], f"enumerate({self._generator()})"),
        ])()  # fmt: skip
        if len(set(targets)) == len(targets):
            self._loop(place, f"for {', '.join(targets)} in {iterable}:", targets)

    def _loop(
        self, place: Place, header: str, targets: Sequence[str] = (), first: str = ""
    ) -> None:
        """Write a loop, which may carry a value that changes its type, and may have an else."""
        carried = self._target("z" if self.choose(4) else "a") if self._chance(2) else ""
        array = carried if carried[:1] == "a" else ""
        if carried:
            self.constructs["carried value"] += 1
            start = self.array() if array else self._one(["0", "0.0", "None", "True", "i0"])
            self._line(place, f"{carried} = {start}")
            self._bind(carried)
        self._line(place, header)
        with self._path():
            inside = place.deeper(loop=True)
            if first:
                self._line(inside, first)
            for name in targets:
                self._bind(name)
            if carried:
                self._line(inside, f"print({self.questions(carried)})")
                if self._chance(2):
                    self._line(inside, f"if {self.condition()}:")
                    self._line(inside.deeper(), f"{carried} = {self._other(array)}")
                    self._line(inside.deeper(), self._one(["continue", "break"]))
            self.block(inside)
            if carried and self.choose(2):
                self._line(inside, f"{carried} = {self._other(array)}")
        if self._chance(4):
            self.constructs["loop else"] += 1
            self._part(place, "else:")
        if carried:
            self._line(place, f"print({self.questions(carried)})")

    def _other(self, array: str) -> str:
        """Return what a name holds next: an array if it is one, else a number of some kind."""
        if array:
            return self.array()
        simple = self._one(["0.5", "2", "True", "i0", "f0", "f0 * 2", "None", "a0[0]"])
        return simple if self.choose(3) else self._one([self.real, self.integer])()

    def _generator(self) -> str:
        self.constructs["generator"] += 1
        return self.generated()

    # Functions.

    def inner_function(self, place: Place) -> None:
        """Write an inner function or generator, with or without nonlocal."""
        if self.assignable is not None:
            return self.assign(place)
        shared = [name for name in self.bound if name[0] in "ifazl"]
        outer: list[str] = []
        if self._chance(3):
            self.constructs["nonlocal"] += 1
            outer = list(dict.fromkeys(self._one(shared) for _ in range(1 + self.choose(2))))
        kind = "h" if self._chance(3) else "n" if outer else "g"
        self.constructs["inner generator" if kind == "h" else "inner function"] += 1
        name = f"{kind}{next(self.fresh)}"
        default = self._one(["", f", z{INNER}={self._small(self.real)}"])
        self._line(place, f"def {name}(f{INNER}{default}):")
        inside = Place(place.depth + 1, indent=place.indent + "    ", yields=kind == "h")
        if outer:
            self._line(inside, f"nonlocal {', '.join(outer)}")
        seen = dict(self.seen)
        with self._path():
            self.assignable = dict.fromkeys(outer)
            for parameter in [f"f{INNER}", f"z{INNER}"][: 1 + bool(default)]:
                self._bind(parameter)
            self.block(inside)
            last = "yield" if kind == "h" else "return"
            self._line(inside, f"{last} {self._one([f'f{INNER} * 2', self._small(self.real)])}")
            self.assignable = None
        self.seen = seen
        self._bind(name)
        if kind == "h" and self.choose(3):
            self.constructs["generator"] += 1
            item = self._target("z")
            header = f"for {item} in {name}({self._without_binding(self.integer)}):"
            self._part(place, header, [item], loop=True)
        elif self.choose(3):
            self.function_call(place)
        return None

    # Errors and managers.

    def managed(self, place: Place) -> None:
        """Write a with statement."""
        self.constructs["with"] += 1
        manager = self._one(["o0", "o0", "np.errstate(all='ignore')"])
        target = self._one(["", f" as {self._target('z')}"])
        self._part(place, f"with {manager}{target}:", yields=False)

    def handled(self, place: Place) -> None:
        """Write a try statement."""
        self.constructs["try"] += 1
        inside = place.deeper(yields=False)
        self._line(place, "try:")
        with self._path():
            self.block(inside)
            if self.choose(2):
                self.failure(inside)
        handlers = [self._one(["(ValueError, IndexError)", "ValueError", "IndexError as error",
                               "(ValueError, TypeError) as error", "Exception as error"])
                    for _ in range(self._one([1, 0, 1, 2]))]  # fmt: skip
        for caught in handlers:
            self._line(place, f"except {caught}:")
            if "error" in caught:
                self._line(inside, "print(type(error).__name__, error.args)")
            with self._path():
                self.block(inside)
        if handlers and self._chance(3):
            self._part(place, "else:", yields=False)
        if not handlers or self.choose(2):
            self._part(place, "finally:", loop=False, finishing=True, yields=False)
