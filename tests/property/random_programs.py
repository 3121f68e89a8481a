"""Random Python programs as text, with arguments.

Owns `Writer`, which writes one function from a stream of choices: hypothesis draws them and can
shrink, the fuzzer takes them from a seed. Invariant: every program ends after few steps, and its
numbers, texts and lists stay small; it may raise any error, and may read names that are unbound.
"""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FunctionType

from random_expressions import Expressions

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


def helper(x, y=1):
    if x > y:
        return x - y
    return y * 2


"""
PARAMETERS = ("i0", "f0", "a0", "b0", "o0")
"""An int, a float, a float array, another array that may overlap the first, and a `Box`."""


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


@dataclass(frozen=True)
class Place:
    """Where in the program a statement stands."""

    depth: int
    loop: bool = False
    """Whether break and continue are allowed."""
    indent: str = "    "
    inner: bool = False
    """Whether it is in an inner function."""
    finishing: bool = False
    """Whether a jump out would be silenced (in a finally block)."""

    def deeper(self, **changes: object) -> Place:
        """Return the place of a block nested here."""
        return replace(self, depth=self.depth + 1, indent=self.indent + "    ", **changes)


@dataclass
class Writer(Expressions):
    """Writes a program; each method writes one construct."""

    size: int = 22
    """About how many statements the function has."""
    lines: list[str] = field(default_factory=list)
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def program(self) -> Program:
        """Write the whole program."""
        for name in PARAMETERS:
            self._bind(name)
        place = Place(0)
        self._line(place, "l0 = [1, 2.5]")
        self._bind("l0")
        while self.size > 0:
            self.statement(place)
        names = ", ".join(n for n in self.bound if n[0] in "ifabltzs")
        self._line(place, f"return ({names})")
        text = f"{HEADER}def f({', '.join(PARAMETERS)}):\n" + "\n".join(self.lines) + "\n"
        calls = tuple(self.call_arguments() for _ in range(3))
        return Program(text, calls, tuple(self.constructs))

    def call_arguments(self) -> str:
        """Return the arguments of one call; arrays may overlap, with each other or the global."""
        number = self._one(["0", "1", "3", "-2", "7", "2**40"])
        real = self._one(["0.5", "2.0", "-1.25", "0.0", "-0.0", "1e300", "float('nan')"])
        first = self._one(["np.arange(3.0)", "np.array([1.5, -2.0, 0.25, 4.0])", "np.ones(2)",
                           "np.arange(8.0)[::2]", "np.array([[1.0, 2.0], [3.0, 4.0]])",
                           "np.full(4, 0.5)", "np.zeros(0)", "TABLE[1:]"])  # fmt: skip
        kinds = ["np.float64", "np.float32", "np.float64", "np.complex128", "np.int64", "np.int8",
                 "bool"]  # fmt: skip
        second = f"np.array([1, 0, 2, 1], {self._one(kinds)})"
        if self._chance(6):
            first, second = "z[1:]", "z[:-1]"
        elif self._chance(12):
            first = second = "z"
        data = self._one(["np.ones(3)", "np.arange(4.0)", "z", "TABLE"])
        box = f"Box({self._one([real, number, '1.5'])}, {data})"
        return f"(lambda z: ({number}, {real}, {first}, {second}, {box}))(np.arange(4.0))"

    def _line(self, place: Place, text: str) -> None:
        self.lines.append(place.indent + text)

    def _bind(self, name: str) -> None:
        self.bound[name] = None
        self.seen[name] = None

    @contextmanager
    def _path(self) -> Iterator[None]:
        """Forget, after a block that may not run, what it bound."""
        before = dict(self.bound)
        yield
        self.bound = {n: None for n in before if n in self.bound}

    # Statements.

    def statement(self, place: Place) -> None:
        """Write one statement, simple or compound."""
        self.size -= 1
        compound = place.depth < 4 and self.size > 0
        options: list[Callable[[Place], None]] = [
            self.assign, self.assign, self.augment, self.tuple_assign, self.write, self.write,
            self.retype, self.list_change, self.alias, self.output,
            self.shared_write,
        ]  # fmt: skip
        if compound:
            options += [
                self.branch, self.branch, self.while_loop, self.for_loop, self.for_loop,
                self.inner_function, self.handled,
            ]  # fmt: skip
        if place.depth > 0 or self._chance(6):
            options += [self.jump, self.rare]
        self._one(options)(place)

    def block(self, place: Place) -> None:
        """Write one to three statements."""
        for _ in range(1 + self.choose(3)):
            self.statement(place)

    def assign(self, place: Place) -> None:
        """Bind a name to a value of its kind."""
        kind, expression = self._one(
            [("i", self.integer), ("f", self.real), ("a", self.array), ("z", self.anything)]
        )
        name = self._target(kind)
        self._line(place, f"{name} = {expression()}")
        self._bind(name)

    def retype(self, place: Place) -> None:
        """Bind a name to a value of any kind of number or array."""
        self.constructs["retyped name"] += 1
        name = self._target("z")
        expression = self._one(
            [self.integer, self.real, self.real, self.array, lambda: self._risky(["0"], self._none)]
        )()
        self._line(place, f"{name} = {expression}")
        self._bind(name)

    def _none(self, depth: int) -> str:
        return "None"

    def augment(self, place: Place) -> None:
        """Augment a name."""
        self.constructs["augmented assignment"] += 1
        kind = self._one("ifab")
        name = self._name(kind)
        if name is None:
            return self.assign(place)
        sign = self._one(["+=", "-=", "*=" if kind != "i" else "+="])
        self._line(place, f"{name} {sign} {self.integer(1) if kind == 'i' else self.real(1)}")
        return None

    def tuple_assign(self, place: Place) -> None:
        """Assign several names at once, or swap."""
        self.constructs["tuple assignment"] += 1
        kind = self._one("ifaz")
        names = [n for n in self.bound if n[0] == kind]
        if len(names) > 1:
            k = self.choose(len(names) - 1)
            first, second = names[k], names[k + 1]
            self._line(place, f"{first}, {second} = {second}, {first}")
        else:
            self._line(place, f"i1, f1 = {self.integer()}, {self.real()}")
            self._bind("i1")
            self._bind("f1")

    def alias(self, place: Place) -> None:
        """Give an array a second name, or name a view of it."""
        self.constructs["alias or view"] += 1
        name = self._target("a")
        source = self.some_array()
        part = self._one(["", f"[{self.slice()}]"])
        self._line(place, f"{name} = {source}{part}")
        self._bind(name)

    def write(self, place: Place) -> None:
        """Write into an array."""
        self.constructs["array write"] += 1
        name = self.some_array()
        pick = self.choose(6)
        if pick <= 1:
            self._line(place, f"{name}[{self.integer(2)} % 3] = {self.real(1)}")
        elif pick == 2:
            self._line(place, f"{name}[{self.slice()}] = {self.real(1)}")
        elif pick == 3:
            self._line(place, f"{name}[1:] += {self.some_array()}[:-1]")
        elif pick == 4:
            i, j = self.integer(2), self.integer(2)
            self._line(
                place, f"{name}[{i} % 2], {name}[{j} % 2] = {name}[{j} % 2], {name}[{i} % 2]"
            )
        else:
            self._line(place, f"{name}[{name} > {self.real(2)}] = {self.real(2)}")

    def shared_write(self, place: Place) -> None:
        """Change an attribute, the global array, or an array by a function."""
        pick = self.choose(6)
        value = self.real(1)
        if pick == 0:
            self.constructs["attribute write"] += 1
            self._line(place, f"o0.value {self._one(['=', '+=', '*='])} {value}")
        elif pick == 1:
            self._line(place, f"f2 = o0.grow({value})")
            self._bind("f2")
        elif pick == 2:
            self.constructs["attribute write"] += 1
            self._line(place, f"o0.data = {self.array()}")
        elif pick == 3:
            self._line(place, f"TABLE[{self.slice()}] = {value}")
        elif pick == 4:
            self.constructs["write in a helper"] += 1
            self._line(place, f"a2 = poke({self.some_array()}, {self.integer(2)}, {value})")
            self._bind("a2")
        else:
            self.constructs["out="] += 1
            name = self.some_array()
            self._line(place, f"np.add({name}, {self.real(2)}, out={name})")

    def list_change(self, place: Place) -> None:
        """Change or rebind a list."""
        self.constructs["list"] += 1
        name = self._name("l") or "l0"
        pick = self.choose(5)
        if pick <= 1:
            self._line(place, f"{name}.append({self._one([self.real, self.array])()})")
        elif pick == 2:
            self._line(place, f"{name}[{self.integer(2)} % 2] = {self.anything()}")
        elif pick == 3:
            target = self._target("l")
            self._line(place, f"{target} = [{self.anything()}, {self.integer()}]")
            self._bind(target)
        else:
            target = self._target("l")
            self._line(place, f"{target} = {name}")
            self._bind(target)

    def output(self, place: Place) -> None:
        """Print."""
        self.constructs["print"] += 1
        self._line(place, f"print({self._name('ifzs') or 'i0'}, {self.anything()})")

    def branch(self, place: Place) -> None:
        """Write an if, with or without elif and else."""
        self.constructs["if"] += 1
        self._line(place, f"if {self.condition()}:")
        before = dict(self.bound)
        self.block(place.deeper())
        after = [dict(self.bound)]
        if self._chance(3):
            self.bound = dict(before)
            self._line(place, f"elif {self.condition()}:")
            self.block(place.deeper())
            after.append(dict(self.bound))
        self.bound = dict(before)
        if self.choose(2):
            self._line(place, "else:")
            self.block(place.deeper())
        after.append(dict(self.bound))
        self.bound = {n: None for n in after[0] if all(n in names for names in after)}

    def while_loop(self, place: Place) -> None:
        """Write a while loop of at most four trips."""
        self.constructs["while"] += 1
        counter = f"c{next(self.fresh)}"
        self._line(place, f"{counter} = 0")
        self._bind(counter)
        test = self._one([f"{counter} < 4 and {self.condition(1)}", f"{counter} < 3"])
        self._line(place, f"while {test}:")
        with self._path():
            inside = place.deeper(loop=True)
            self._line(inside, f"{counter} += 1")
            self.block(inside)
        self._loop_else(place)

    def for_loop(self, place: Place) -> None:
        """Write a for loop over few items."""
        self.constructs["for"] += 1
        variable = self._target("i")
        header, names = self._one([
            lambda: (f"for {variable} in range({self.integer(2)} % 5):", [variable]),
            lambda: (f"for f1 in {self.some_array()}[:4]:", ["f1"]),
            lambda: (f"for {variable}, f2 in enumerate({self.some_array()}[:3]):",
                     [variable, "f2"]),
            lambda: (f"for z1 in {self._name('l') or 'l0'}[:4]:", ["z1"]),
            lambda: (f"for {variable} in range(3, {self.integer(2)} % 3, -1):", [variable]),
            lambda: (f"for f1, f2 in zip({self.some_array()}[:3], "
                     f"{self.some_array()}):", ["f1", "f2"]),
        ])()  # fmt: skip
        self._line(place, header)
        with self._path():
            for name in names:
                self._bind(name)
            self.block(place.deeper(loop=True))
        self._loop_else(place)

    def _loop_else(self, place: Place) -> None:
        if self._chance(4):
            self.constructs["loop else"] += 1
            self._line(place, "else:")
            with self._path():
                self.block(place.deeper())

    def jump(self, place: Place) -> None:
        """Write a jump, mostly under a condition."""
        options = []
        if not place.finishing:
            options += [("return", f"return {self.anything()}")]
            if place.loop:
                options += [("break", "break"), ("continue", "continue")] * 2
        options += [("raise", f'raise ValueError("stop", {self.real(1)})')]
        kind, text = self._one(options)
        self.constructs[kind] += 1
        if self._chance(5) and place.depth > 0:
            self._line(place, text)
        else:
            self._line(place, f"if {self.condition()}:")
            self._line(place, f"    {text}")

    def rare(self, place: Place) -> None:
        """Write an assert, a del, or a string that grows."""
        pick = self.choose(3)
        if pick == 0:
            self.constructs["assert"] += 1
            self._line(place, f"assert {self.condition()}, {self.real(1)}")
        elif pick == 1 and not place.inner:
            name = self._name("fz")
            if name is None or name in PARAMETERS:
                return self.assign(place)
            self.constructs["del"] += 1
            self._line(place, f"del {name}")
            self.bound.pop(name, None)
        else:
            name = self._name("s")
            start = f"{name} + " if name else ""
            self._line(place, f"s0 = {start}{self.text()}")
            self._bind("s0")
        return None

    def inner_function(self, place: Place) -> None:
        """Write an inner function, with or without nonlocal."""
        if place.inner:
            return self.assign(place)
        self.constructs["inner function"] += 1
        name = f"g{next(self.fresh)}"
        self._line(place, f"def {name}(p):")
        inside = place.deeper(loop=False, inner=True)
        names = [n for n in self.bound if n[0] in "f"]
        changed = self._one(names)
        if self._chance(4):
            self.constructs["nonlocal"] += 1
            self._line(inside, f"nonlocal {changed}")
            self._line(inside, f"{changed} = {changed} + p")
        with self._path():
            if self.choose(2):
                self._line(inside, f"if p > {changed}:")
                self._line(inside, f"    return {self.real(2)}")
        self._line(inside, f"return p * {self._one([changed, '2', self._name('f') or 'f0'])}")
        self._bind(name)
        return None

    def handled(self, place: Place) -> None:
        """Write a try or with statement."""
        if not self._chance(2):
            return self.branch(place)
        if self._chance(4):
            self.constructs["with"] += 1
            manager = self._one(["o0", "np.errstate(all='ignore')"])
            self._line(place, f"with {manager}{self._one(['', ' as z2'])}:")
            with self._path():
                self.block(place.deeper())
            return None
        self.constructs["try"] += 1
        self._line(place, "try:")
        with self._path():
            self.block(place.deeper())
        caught = self._one(["(ValueError, IndexError, ZeroDivisionError)", "ValueError",
                            "(ValueError, TypeError) as error", "Exception as error"])  # fmt: skip
        self._line(place, f"except {caught}:")
        with self._path():
            if "error" in caught:
                self._line(place.deeper(), "print(type(error).__name__, error.args)")
            self.block(place.deeper())
        if self._chance(3):
            self._line(place, "else:")
            with self._path():
                self.block(place.deeper())
        if self.choose(2):
            self._line(place, "finally:")
            with self._path():
                self.block(place.deeper(loop=False, finishing=True))
        return None
