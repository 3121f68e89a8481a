"""Random well-formed regions, statement by statement.

Owns the choice of operands, branches, loops, blocks and jumps. It leaves whole graphs, and
statements about errors, to `graphs`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st

from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Origin, Terminator, Value
from runtime.ir.lattice import covers, join, join_all
from runtime.ir.types import (
    FLOAT,
    INT,
    LIST,
    ArrayType,
    NumberType,
    ScalarType,
    Type,
    UnionType,
)
from runtime.ops.catalog import OPERATIONS

F64 = np.dtype(np.float64)
VECTOR = ArrayType(F64, ("n",))
MATRIX = ArrayType(F64, ("n", 2))
HINTS = ("x", "y", "total", "y1", "", "self.x", "1bad", "at")
NUMBER = join(INT, FLOAT)
"""What the functions of a graph return, and some variables in memory hold."""
MAX_REGION_DEPTH = 3
LENGTH = 3

_ELEMENTWISE = ("add", "sub", "lt", "le", "gt", "ge", "eq", "ne", "truediv")
_UNARY = ("neg", "pos")
_FUNCTIONS = ("np.maximum", "np.sin", "np.sum", "np.sqrt", "np.max")


@dataclass(frozen=True)
class Context:
    """Where a region stands: how it may be left."""

    depth: int = 0
    state: tuple[Value, ...] | None = None
    """Parameters of the innermost loop of this block; None outside."""
    counter: Value | None = None
    """What the loop's first state must become, so that it ends; None if it needs none."""
    breaks: list[tuple[Value, ...]] = field(default_factory=list)
    returns: list[tuple[Value, ...]] | None = None
    """What the block around it was left with; None in the graph itself."""
    results: int = 1
    numbers: bool = False
    """Whether those are of type `NUMBER`."""
    handles: bool = False
    """Whether a handler is around, so that a bare ``raise`` may stand here."""


class Maker:
    """One graph under construction."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.build = Builder()
        self.visible: list[Value] = []
        self.slots: list[Value] = []
        """The variables in memory that are in sight."""
        self.defined: list[str] = []
        """The names of the functions of the graph."""

    # -- choosing ---------------------------------------------------------------------------

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def pick(self, wanted: Callable[[Type], bool], default: Value | None = None) -> Value:
        found = [value for value in self.visible if wanted(value.type)]
        if self.chance(50):
            found = found[-3:]
        if default is None or self.chance(15):
            found.append(self.constant())
        if default is not None:
            found.append(default)
        return self.draw(st.sampled_from(found))

    def number(self) -> Value:
        """Return a value of type `NUMBER`."""
        value = self.pick(is_number, Constant(1))
        return value if is_number(value.type) else Constant(0.5)

    def constant(self) -> Constant:
        value = st.sampled_from((0, 1, 2, -1, 0.5, -0.0, 2.0, True))
        return Constant(self.draw(value))

    def name(self) -> str:
        return self.draw(st.sampled_from(HINTS))

    def origin(self) -> Origin | None:
        if not self.chance(30):
            return None
        line = self.draw(st.integers(1, 99))
        file = self.draw(st.sampled_from(("generated.py", "other.py")))
        caller = Origin("generated.py", 1, 0, 1, 4, "f") if file == "other.py" else None
        return Origin(file, line, 4, line, 9, "f.<locals>.g", caller)

    def append(self, op: str, *inputs: Value, **attrs: object) -> Value | None:
        origin = self.origin()
        outputs = self.build.append(
            OPERATIONS[op], inputs, attrs, origin=origin, name=self.name()
        )
        self.visible.extend(outputs)
        return outputs[0] if outputs else None

    # -- statements -------------------------------------------------------------------------

    def statements(self, count: int, context: Context) -> None:
        for _ in range(count):
            kinds = ["compute"] * 4 + ["write", "view", "list", "tuple", "slot"]
            kinds += ["slot"] * bool(self.slots) + ["apply"] * bool(self.defined)
            if context.depth < MAX_REGION_DEPTH:
                kinds += ["if", "if", "while", "for", "block", "try", "try", "with"]
            getattr(self, "_" + self.draw(st.sampled_from(kinds)))(context)

    def _compute(self, context: Context) -> None:
        op = self.draw(st.sampled_from((*_ELEMENTWISE, "mul", *_UNARY, *_FUNCTIONS)))
        first = self.pick(_is_numeric)
        if op in ("np.sum", "np.max") and self.chance(50):
            self.append(op, first, Constant(0), keywords=("axis",))
        elif op in _UNARY or op in ("np.sin", "np.sqrt", "np.sum", "np.max"):
            self.append(op, first)
        else:
            second = self.constant() if op == "mul" else self.pick(_is_numeric)
            self.append(op, first, second)

    def _write(self, context: Context) -> None:
        base = self.pick(is_array)
        if isinstance(base, Constant):
            return
        if self.chance(40):
            self.append(self.draw(st.sampled_from(("iadd", "isub"))), base, self.pick(_is_scalar))
            return
        index = self.pick(lambda t: isinstance(t, NumberType) and t.kind == "int", Constant(0))
        self.append("setitem", base, index, self.pick(_is_scalar))

    def _view(self, context: Context) -> None:
        base = self.pick(is_array)
        if isinstance(base, Constant):
            return
        if self.chance(50):
            start, stop = self.draw(st.sampled_from(((0, 2), (1, None), (None, -1))))
            index = self.append("build_slice", Constant(start), Constant(stop), Constant(None))
            assert index is not None
            self.visible.remove(index)
        else:
            index = Constant(self.draw(st.integers(-1, 2)))
        self.append("getitem", base, index)

    def _list(self, context: Context) -> None:
        """Make a list, put something into one, or read it."""
        lists = [value for value in self.visible if value.type == LIST]
        if not lists or self.chance(30):
            self.append("build_list", *(self.pick(_is_numeric) for _ in range(2)))
            return
        held = self.draw(st.sampled_from(lists))
        if self.chance(60):
            self.append("method", held, self.pick(_is_numeric), name="append")
            self.visible.pop()
        else:
            self.append("builtins.len", held)

    def _tuple(self, context: Context) -> None:
        """Make a tuple and take it apart, which may swap two references."""
        pair = self.append("build_tuple", self.pick(_is_numeric), self.pick(_is_numeric))
        assert pair is not None
        self.append("unpack", pair, count=2)

    def _region(
        self, context: Context, params: Sequence[Value], end: Callable[[Context], None]
    ) -> Terminator:
        """Build a region into ``self.closed``; what it defines is seen nowhere else."""
        outside, slots = len(self.visible), len(self.slots)
        with self.build.region(params) as opened:
            self.visible.extend(params)
            end(context)
            self.closed = opened.close()
        del self.visible[outside:], self.slots[slots:]
        return self.closed.end

    def _if(self, context: Context) -> None:
        test = self.test()
        count = self.draw(st.integers(0, 2))
        inner = deeper(context)
        left = self.chance(40)
        regions = []
        for leave in (left, False) if self.chance(60) else (False, left):

            def end(context: Context, leave: bool = leave) -> None:
                self.statements(self.draw(st.integers(0, 2)), context)
                if leave:
                    self.leave(context)
                else:
                    self.build.end("yield", [self.pick(_is_numeric) for _ in range(count)])

            self._region(inner, (), end)
            regions.append(self.closed)
        yields = [r.end.values for r in regions if r.end.kind == "yield"]
        self.own("if", [test], regions, _joined(yields))

    def test(self) -> Value:
        op = self.draw(st.sampled_from(("lt", "ge", "eq")))
        outputs = self.build.append(
            OPERATIONS[op], [self.pick(_is_scalar), self.pick(_is_scalar)]
        )
        return outputs[0]

    def leave(self, context: Context) -> None:
        """End the region by a jump out of it."""
        kinds = ["return", "raise"]
        if context.state is not None:
            kinds += ["break", "break", "continue", "continue"]
        if context.handles:
            kinds += ["reraise"]
        kind = self.draw(st.sampled_from(kinds))
        if kind == "reraise":
            self.build.end("raise")
        elif kind == "raise":
            self.build.end("raise", [Constant(self.draw(st.sampled_from((ValueError, KeyError))))])
        elif kind == "return":
            found = (self.number() if context.numbers else self.pick(_is_numeric)
                     for _ in range(context.results))  # fmt: skip
            values = tuple(found)
            if context.returns is not None:
                context.returns.append(values)
            self.build.end("return", values)
        else:
            values = self.next_state(context)
            if kind == "break":
                context.breaks.append(values)
            self.build.end("break" if kind == "break" else "continue", values)

    def next_state(self, context: Context) -> tuple[Value, ...]:
        """Return values that fit the state of the innermost loop."""
        assert context.state is not None
        values = []
        for param in context.state:
            if context.counter is not None and param is context.state[0]:
                values.append(context.counter)
            else:
                values.append(self.pick(lambda t, p=param: covers(p.type, t), param))
        return tuple(v if covers(p.type, v.type) else p for p, v in
                     zip(context.state, values, strict=True))  # fmt: skip

    def initial_state(self) -> list[Value]:
        return [self.pick(_is_numeric) for _ in range(self.draw(st.integers(0, 2)))]

    def _while(self, context: Context) -> None:
        init = [Constant(0), *self.initial_state()]
        types = [_widened(value.type) for value in init]
        params = [[Value(t, self.name()) for t in types] for _ in range(3)]
        limit = Constant(self.draw(st.integers(0, 3)))

        def test(context: Context) -> None:
            more = self.build.append(OPERATIONS["lt"], [params[0][0], limit])
            self.build.end("yield", more)

        self._region(context, params[0], test)
        regions = [self.closed]
        breaks: list[tuple[Value, ...]] = []
        with_counter = self._loop_context(context, params[1], breaks)

        def body(context: Context) -> None:
            (counter,) = self.build.append(OPERATIONS["add"], [params[1][0], Constant(1)])
            self._loop_body(replace(context, counter=counter))

        self._region(with_counter, params[1], body)
        regions.append(self.closed)
        self._finish_loop("while", init, regions, params[2], breaks, types, context)

    def _for(self, context: Context) -> None:
        init = self.initial_state()
        types = [_widened(value.type) for value in init]
        params = [[Value(t, self.name()) for t in types] for _ in range(2)]
        rows = [value for value in self.visible if value.type in (VECTOR, MATRIX)]
        items: Value = Constant(range(self.draw(st.integers(0, 3))))
        item: Type = INT
        if rows and self.chance(40):
            items = self.draw(st.sampled_from(rows))
            item = ScalarType(F64) if items.type == VECTOR else ArrayType(F64, (2,))
        breaks: list[tuple[Value, ...]] = []
        inner = self._loop_context(context, params[0], breaks)
        self._region(inner, [Value(item, "i"), *params[0]], self._loop_body)
        self._finish_loop("for", [items, *init], [self.closed], params[1], breaks, types, context)

    def _loop_context(
        self, context: Context, state: list[Value], breaks: list[tuple[Value, ...]]
    ) -> Context:
        return replace(
            deeper(context), state=tuple(state), counter=None, breaks=breaks
        )

    def _loop_body(self, context: Context) -> None:
        self.statements(self.draw(st.integers(0, 3)), context)
        self.build.end("yield", self.next_state(context))

    def _finish_loop(
        self,
        op: str,
        inputs: list[Value],
        regions: list[object],
        params: list[Value],
        breaks: list[tuple[Value, ...]],
        types: list[Type],
        context: Context,
    ) -> None:
        last = types
        if self.chance(25):

            def orelse(context: Context) -> None:
                self.statements(self.draw(st.integers(0, 1)), context)
                self.build.end("yield", [self.pick(_is_numeric) for _ in types])

            self._region(deeper(context), params, orelse)
            regions.append(self.closed)
            last = [value.type for value in self.closed.end.values]
        outputs = [join_all((t, *(values[i].type for values in breaks)))
                   for i, t in enumerate(last)]  # fmt: skip
        self.own(op, inputs, regions, outputs)

    def _block(self, context: Context) -> None:
        count = self.draw(st.integers(0, 2))
        returns: list[tuple[Value, ...]] = []
        inner = Context(
            context.depth + 1, returns=returns, results=count, handles=context.handles
        )

        def body(context: Context) -> None:
            self.statements(self.draw(st.integers(0, 3)), context)
            values = tuple(self.pick(_is_numeric) for _ in range(count))
            returns.append(values)
            self.build.end("return", values)

        self._region(inner, (), body)
        self.own("block", [], [self.closed], _joined(returns))

    def own(self, op: str, inputs: Sequence[Value], regions: Sequence[object],
            types: Sequence[Type]) -> None:  # fmt: skip
        outputs = [Value(t, self.name()) for t in types]
        self.build.append(
            OPERATIONS[op], inputs, regions=regions, outputs=outputs, origin=self.origin()
        )
        self.visible.extend(outputs)

    def finish(self) -> None:
        """Return a few of the values, so that what was computed is seen."""
        last = self.visible[-4:]
        result = self.append("build_tuple", *last)
        assert result is not None
        self.build.end("return", [result], self.origin())


def deeper(context: Context) -> Context:
    return replace(context, depth=context.depth + 1)


def _joined(rows: Sequence[Sequence[Value]]) -> list[Type]:
    types = [value.type for value in rows[0]]
    for row in rows[1:]:
        types = [join(a, b.type) for a, b in zip(types, row, strict=True)]
    return types


def _widened(type_: Type) -> Type:
    """Return the type that the state of a loop gets for an initial value of `type_`."""
    if isinstance(type_, NumberType):
        return NumberType(type_.kind)
    return type_


def _options(type_: Type) -> tuple[Type, ...]:
    return type_.options if isinstance(type_, UnionType) else (type_,)


def _is_numeric(type_: Type) -> bool:
    return all(isinstance(t, NumberType | ScalarType | ArrayType) for t in _options(type_))


def is_number(type_: Type) -> bool:
    return covers(NUMBER, type_)


def _is_scalar(type_: Type) -> bool:
    return all(isinstance(t, NumberType | ScalarType) for t in _options(type_))


def is_array(type_: Type) -> bool:
    return isinstance(type_, ArrayType) and type_.rank != 0
