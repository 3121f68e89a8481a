"""A hypothesis strategy for structured graphs over integers, with effects to watch."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Graph, Origin, Region, Value
from runtime.ir.types import BOOL, INT, LIST
from runtime.ops import arithmetic
from runtime.ops.control import BLOCK, FOR, IF, WHILE
from runtime.ops.registry import FRESH, UNKNOWN, Effects, Operation, Raises

LOG: list[object] = []
"""What `NOTE` was called with, in order."""


def _note(value: object) -> object:
    LOG.append(value)
    return value


def _write(cell: list[object], value: object) -> object:
    cell[0] = value
    return value


def _scale(a: int, b: int) -> int:
    if b % 7 == 3:
        raise ValueError(a, b)
    return a * 3 + b


def _operation(name: str, kernel: Callable[..., object], effects: Effects) -> Operation:
    return Operation(name, kernel, lambda i, a: (INT,), lambda i, a: effects)


NOTE = _operation("note", _note, UNKNOWN)
READ = _operation("read", lambda cell: cell[0], Effects(reads=(0,)))
WRITE = _operation("write", _write, Effects(writes=(0,)))
SCALE = _operation("scale", _scale, Effects(Raises.VALUE))
PAIR = Operation(
    "pair", lambda a, b: (b, a + 1), lambda i, a: (INT, INT),
    lambda i, a: Effects(aliases=(FRESH, FRESH)), outputs=2,
)  # fmt: skip
RANGE = _operation("three", lambda n: range(n % 4), Effects())
BELOW = Operation("below", operator.lt, lambda i, a: (BOOL,), lambda i, a: Effects())
NAMES = ("a", "b", "x", "y", "")


@dataclass(frozen=True)
class Around:
    """What is around a region."""

    values: tuple[Value, ...]
    depth: int
    loop: int | None = None
    """Size of the innermost loop's state."""
    loop_step: Value | None = None
    """The counter of the innermost ``while``: state[0] grows whatever happens."""
    block: int | None = None
    may_return: bool = True
    file: str = "main.py"


@dataclass
class RandomGraph:
    """Draws a graph; `draw` returns an integer from 0 to its argument."""

    draw: Callable[[int], int]
    cell: Value
    build: Builder
    budget: int = 40
    scope: list[Value] = field(default_factory=list)

    def pick(self, values: Sequence[Value]) -> Value:
        """Return one of `values` or a small constant."""
        number = self.draw(len(values))
        return Constant(self.draw(4) - 1) if number == len(values) else values[-1 - number]

    def name(self) -> str:
        """Return a name, perhaps none."""
        return NAMES[self.draw(len(NAMES) - 1)]

    def outputs(self, count: int) -> list[Value]:
        """Return new values."""
        return [Value(INT, self.name()) for _ in range(count)]

    def origin(self, around: Around) -> Origin:
        """Return a position in the file of a region."""
        return Origin(around.file, self.draw(20) + 1, 0, 30, 0, "f")

    def body(
        self, around: Around, params: Sequence[Value], yields: int, ends: Sequence[str] = ("yield",)
    ) -> Region:
        """Return a region that ends in one of `ends`."""
        with self.build.region(params) as region:
            values = [*around.values, *params]
            for _ in range(self.draw(4)):
                if self.budget > 0:
                    self.budget -= 1
                    self.statement(around, values)
            self.end(around, values, yields, ends[self.draw(len(ends) - 1)])
            return region.close()

    def end(self, around: Around, values: list[Value], yields: int, kind: str) -> None:
        """End a region."""
        if kind == "break" or kind == "continue":
            count = around.loop or 0
            results = [self.pick(values) for _ in range(count)]
            if around.loop_step is not None:
                results[0] = self.step(around)
        elif kind == "return":
            count = 1 if around.block is None else around.block
            results = [self.pick(values) for _ in range(count)]
        elif kind == "raise":
            results = [Constant(KeyError(7))]
        else:
            results = [self.pick(values) for _ in range(yields)]
        self.build.end(kind, results, self.origin(around))

    def step(self, around: Around) -> Value:
        """Return the counter of the innermost ``while``, one further."""
        assert around.loop_step is not None
        return self.build.append(
            arithmetic.ADD, [around.loop_step, Constant(1)], origin=self.origin(around)
        )[0]

    def jumps(self, around: Around) -> list[str]:
        """Return the ways in which a branch may end."""
        kinds = ["yield", "yield", "yield"]
        if around.loop is not None:
            kinds += ["break", "continue"]
        if around.may_return:
            kinds.append("return")
        return [*kinds, "raise"]

    def statement(self, around: Around, values: list[Value]) -> None:
        """Append one operation, with regions while the depth allows."""
        kind = self.draw(13 if around.depth > 0 else 8)
        if kind == 8 and self.draw(3) == 0:
            around = Around(
                around.values, around.depth, around.loop, around.loop_step, around.block,
                around.may_return, "other.py",
            )  # fmt: skip
        origin = self.origin(around)
        if kind >= 9:
            makers = (self.branch, self.while_loop, self.for_loop, self.block, self.branch)
            inner = Around(
                tuple(values), around.depth - 1, around.loop, around.loop_step, around.block,
                around.may_return, "other.py" if self.draw(9) == 0 else around.file,
            )  # fmt: skip
            values += makers[kind - 9](inner)
            return
        a, b = self.pick(values), self.pick(values)
        choices: tuple[tuple[Operation, list[Value]], ...] = (
            (arithmetic.ADD, [a, b]), (arithmetic.SUB, [a, b]), (SCALE, [a, b]), (NOTE, [a]),
            (READ, [self.cell]), (WRITE, [self.cell, a]), (arithmetic.IADD, [a, b]),
            (PAIR, [a, b]), (arithmetic.MUL, [a, b]),
        )  # fmt: skip
        op, inputs = choices[kind]
        outputs = self.build.append(op, inputs, origin=origin, name=self.name())
        values += outputs

    def test(self, values: Sequence[Value], around: Around) -> Value:
        """Return a value to branch on."""
        inputs = [self.pick(values), self.pick(values)]
        if self.draw(4) == 0:
            return inputs[0]
        return self.build.append(BELOW, inputs, origin=self.origin(around))[0]

    def branch(self, around: Around) -> list[Value]:
        """Append an ``if``."""
        test = self.test(around.values, around)
        if self.draw(4) == 0 and not isinstance(test, Constant):
            return self.shortcut(around, test)
        count = self.draw(2)
        jumps = self.jumps(around)
        then = self.body(around, [], count, jumps)
        orelse = self.body(around, [], count, jumps if then.end.kind == "yield" else ["yield"])
        outputs = self.outputs(count)
        return list(
            self.build.append(
                IF, [test], regions=[then, orelse], outputs=outputs, origin=self.origin(around)
            )
        )

    def shortcut(self, around: Around, test: Value) -> list[Value]:
        """Append an ``if`` of the shape of ``and`` or ``or``."""
        full = self.body(around, [], 1)
        with self.build.region() as empty:
            self.build.end("yield", [test])
        regions = [full, empty.close()]
        if self.draw(1):
            regions.reverse()
        return list(self.build.append(IF, [test], regions=regions, outputs=self.outputs(1)))

    def loop_around(self, around: Around, count: int, step: Value | None) -> Around:
        """Return what is around the body of a loop."""
        return Around(
            around.values, around.depth, count, step, around.block, around.may_return, around.file
        )

    def while_loop(self, around: Around) -> list[Value]:
        """Append a ``while`` that runs a few times."""
        count = 1 + self.draw(3)
        inits = [Constant(0), *(self.pick(around.values) for _ in range(count - 1))]
        states = [self.outputs(count) for _ in range(3)]
        with self.build.region(states[0]) as test:
            origin = self.origin(around)
            values = [*around.values, *states[0]]
            for _ in range(self.draw(2)):
                self.build.append(NOTE, [self.pick(values)], origin=origin)
            limit = Constant(self.draw(3))
            (below,) = self.build.append(BELOW, [states[0][0], limit], origin=origin)
            self.build.end("yield", [below])
            test_region = test.close()
        inner = self.loop_around(around, count, states[1][0])
        with self.build.region(states[1]) as body:
            values = [*around.values, *states[1]]
            for _ in range(self.draw(4)):
                if self.budget > 0:
                    self.budget -= 1
                    self.statement(inner, values)
            step = self.step(inner)
            self.build.end("yield", [step, *(self.pick(values) for _ in range(count - 1))])
            regions = [test_region, body.close()]
        if self.draw(3) == 0:
            regions.append(self.body(around, states[2], count, self.jumps(around)))
        outputs = self.outputs(count)
        return list(
            self.build.append(
                WHILE, inits, regions=regions, outputs=outputs, origin=self.origin(around)
            )
        )

    def for_loop(self, around: Around) -> list[Value]:
        """Append a ``for`` over a short range."""
        count = self.draw(3)
        (items,) = self.build.append(RANGE, [self.pick(around.values)], origin=self.origin(around))
        inits = [self.pick(around.values) for _ in range(count)]
        params = [Value(INT, self.name()), *self.outputs(count)]
        inner = self.loop_around(around, count, None)
        regions = [self.body(inner, params, count, ["yield", "yield", *self.jumps(inner)])]
        if self.draw(3) == 0:
            regions.append(self.body(around, self.outputs(count), count, self.jumps(around)))
        outputs = self.outputs(count)
        return list(
            self.build.append(
                FOR, [items, *inits], regions=regions, outputs=outputs, origin=self.origin(around)
            )
        )

    def block(self, around: Around) -> list[Value]:
        """Append a ``block``."""
        count = self.draw(2)
        inner = Around(
            around.values, around.depth, around.loop, around.loop_step, count, True, around.file
        )
        region = self.body(inner, [], 0, ["return"])
        outputs = self.outputs(count)
        return list(
            self.build.append(
                BLOCK, [], regions=[region], outputs=outputs, origin=self.origin(around)
            )
        )


@st.composite
def graphs(draw: st.DrawFn, budget: int = 40, depth: int = 3) -> Graph:
    """Return a graph with parameters ``p``, ``q`` (integers) and ``cell`` (a list of one)."""
    build = Builder()
    p, q = build.param(INT, "p"), build.param(INT, "q")
    cell = build.param(LIST, "cell")
    maker = RandomGraph(lambda high: draw(st.integers(0, high)), cell, build, budget)
    around = Around((p, q), depth)
    values = [p, q]
    for _ in range(2 + maker.draw(4)):
        maker.statement(around, values)
    build.end("return", [maker.pick(values)])
    return build.graph("f", "main.py")
