"""Random well-formed graphs with arguments, for the property tests of every suite.

`programs()` is the strategy; `outcome` runs anything on a program's arguments and returns all that
a caller can see, in a form that compares with ``==``. Loops are bounded; errors that Python or
NumPy raise are part of what a graph means.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st

from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Definition, Graph, Origin, Region, Terminator, Value
from runtime.ir.lattice import covers, join, join_all
from runtime.ir.types import (
    FLOAT,
    INT,
    LIST,
    OPAQUE,
    UNBOUND,
    ArrayType,
    NumberType,
    ScalarType,
    SlotType,
    Type,
    UnionType,
)
from runtime.ops.catalog import OPERATIONS
from runtime.ops.containers import UNBOUND_MARKER

F64 = np.dtype(np.float64)
VECTOR = ArrayType(F64, ("n",))
MATRIX = ArrayType(F64, ("n", 2))
HINTS = ("x", "y", "total", "y1", "", "self.x", "1bad", "at")
CAUGHT = (
    ValueError, KeyError, Exception, BaseException, ZeroDivisionError, (IndexError, TypeError),
)  # fmt: skip
NUMBER = join(INT, FLOAT)
"""What the functions of a graph return, and some variables in memory hold."""
MAX_REGION_DEPTH = 3
LENGTH = 3

_ELEMENTWISE = ("add", "sub", "lt", "le", "gt", "ge", "eq", "ne", "truediv")
_UNARY = ("neg", "pos")
_FUNCTIONS = ("np.maximum", "np.sin", "np.sum", "np.sqrt", "np.max")


class Manager:
    """A context manager that notes what happens to it in a list, and swallows some errors."""

    def __init__(self, log: list[object]) -> None:
        self.log = log

    def __enter__(self) -> int:
        """Return how long the list is."""
        self.log.append("enter")
        return len(self.log)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> bool:
        """Swallow a KeyError."""
        self.log.append(kind.__name__ if kind else "leave")
        return kind is KeyError


@dataclass(frozen=True)
class Program:
    """A graph and arguments for it."""

    graph: Graph
    arguments: tuple[object, ...]

    def fresh(self) -> tuple[object, ...]:
        """Return copies of the arguments that share memory as the originals do."""
        return copy.deepcopy(self.arguments)


def outcome(run: Callable[..., object], program: Program) -> tuple[object, ...]:
    """Return what a caller of `run` sees: result or error, and the arguments afterwards.

    Objects of the result that are arguments, or the same object twice, are told from copies.
    """
    arguments = program.fresh()
    try:
        with np.errstate(all="ignore"):
            result: object = run(*arguments)
    except Exception as error:
        return "raised", type(error), str(error), observed(arguments)
    return "returned", observed((result, arguments))


def observed(value: object) -> object:
    """Return a form of `value` that compares exactly: types, bits, layout, sharing."""
    seen: dict[int, int] = {}
    buffers: dict[int, int] = {}

    def walk(item: object) -> object:
        if isinstance(item, tuple | list):
            return type(item).__name__, tuple(walk(inner) for inner in item)
        if isinstance(item, np.ndarray):
            first = seen.setdefault(id(item), len(seen))
            root = item
            while isinstance(root.base, np.ndarray):
                root = root.base
            buffer = buffers.setdefault(id(root), len(buffers))
            text = item.tolist() if item.dtype == object else item.tobytes()
            return str(item.dtype), item.shape, item.strides, first, buffer, repr(text)
        if isinstance(item, float | complex | np.generic):
            return type(item).__name__, np.asarray(item).tobytes()
        return type(item).__name__, repr(item)

    return walk(value)


@st.composite
def programs(draw: st.DrawFn, statements: int = 6) -> Program:
    """Return a random program: a graph that the verifier accepts, and arguments for it."""
    maker = _Maker(draw)
    functions = maker.definitions(draw(st.sampled_from((0, 0, 1, 2))))
    arguments: list[object] = []
    for index in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("vector", "vector", "matrix", "int", "float")))
        type_, value = _argument(draw, kind)
        maker.visible.append(maker.build.param(type_, f"a{index}"))
        arguments.append(value)
    maker.statements(draw(st.integers(1, statements)), _Context())
    maker.finish()
    graph = maker.build.graph("generated", "generated.py")
    return Program(replace(graph, functions=functions), tuple(arguments))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Return a random graph that the verifier accepts."""
    return draw(programs()).graph


def _argument(draw: st.DrawFn, kind: str) -> tuple[Type, object]:
    number = st.sampled_from((0.0, -0.0, 1.0, 0.5, -2.0, 3.25, 1e300, float("inf")))
    if kind == "int":
        return INT, draw(st.integers(-3, 3))
    if kind == "float":
        return FLOAT, draw(number)
    shape = (LENGTH,) if kind == "vector" else (LENGTH, 2)
    size = int(np.prod(shape))
    values = draw(st.lists(number, min_size=size, max_size=size))
    return (VECTOR if kind == "vector" else MATRIX), np.array(values).reshape(shape)


@dataclass(frozen=True)
class _Context:
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


class _Maker:
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
        value = self.pick(_is_number, Constant(1))
        return value if _is_number(value.type) else Constant(0.5)

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

    def statements(self, count: int, context: _Context) -> None:
        for _ in range(count):
            kinds = ["compute"] * 4 + ["write", "view", "list", "tuple", "slot"]
            kinds += ["slot"] * bool(self.slots) + ["apply"] * bool(self.defined)
            if context.depth < MAX_REGION_DEPTH:
                kinds += ["if", "if", "while", "for", "block", "try", "try", "with"]
            getattr(self, "_" + self.draw(st.sampled_from(kinds)))(context)

    def _compute(self, context: _Context) -> None:
        op = self.draw(st.sampled_from((*_ELEMENTWISE, "mul", *_UNARY, *_FUNCTIONS)))
        first = self.pick(_is_numeric)
        if op in ("np.sum", "np.max") and self.chance(50):
            self.append(op, first, Constant(0), keywords=("axis",))
        elif op in _UNARY or op in ("np.sin", "np.sqrt", "np.sum", "np.max"):
            self.append(op, first)
        else:
            second = self.constant() if op == "mul" else self.pick(_is_numeric)
            self.append(op, first, second)

    def _write(self, context: _Context) -> None:
        base = self.pick(_is_array)
        if isinstance(base, Constant):
            return
        if self.chance(40):
            self.append(self.draw(st.sampled_from(("iadd", "isub"))), base, self.pick(_is_scalar))
            return
        index = self.pick(lambda t: isinstance(t, NumberType) and t.kind == "int", Constant(0))
        self.append("setitem", base, index, self.pick(_is_scalar))

    def _view(self, context: _Context) -> None:
        base = self.pick(_is_array)
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

    def _list(self, context: _Context) -> None:
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

    def _tuple(self, context: _Context) -> None:
        """Make a tuple and take it apart, which may swap two references."""
        pair = self.append("build_tuple", self.pick(_is_numeric), self.pick(_is_numeric))
        assert pair is not None
        self.append("unpack", pair, count=2)

    def _region(
        self, context: _Context, params: Sequence[Value], end: Callable[[_Context], None]
    ) -> Terminator:
        """Build a region into ``self.closed``; what it defines is seen nowhere else."""
        outside, slots = len(self.visible), len(self.slots)
        with self.build.region(params) as opened:
            self.visible.extend(params)
            end(context)
            self.closed = opened.close()
        del self.visible[outside:], self.slots[slots:]
        return self.closed.end

    def _if(self, context: _Context) -> None:
        test = self.test()
        count = self.draw(st.integers(0, 2))
        inner = _deeper(context)
        left = self.chance(40)
        regions = []
        for leave in (left, False) if self.chance(60) else (False, left):

            def end(context: _Context, leave: bool = leave) -> None:
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

    def leave(self, context: _Context) -> None:
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

    def next_state(self, context: _Context) -> tuple[Value, ...]:
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

    def _while(self, context: _Context) -> None:
        init = [Constant(0), *self.initial_state()]
        types = [_widened(value.type) for value in init]
        params = [[Value(t, self.name()) for t in types] for _ in range(3)]
        limit = Constant(self.draw(st.integers(0, 3)))

        def test(context: _Context) -> None:
            more = self.build.append(OPERATIONS["lt"], [params[0][0], limit])
            self.build.end("yield", more)

        self._region(context, params[0], test)
        regions = [self.closed]
        breaks: list[tuple[Value, ...]] = []
        with_counter = self._loop_context(context, params[1], breaks)

        def body(context: _Context) -> None:
            (counter,) = self.build.append(OPERATIONS["add"], [params[1][0], Constant(1)])
            self._loop_body(replace(context, counter=counter))

        self._region(with_counter, params[1], body)
        regions.append(self.closed)
        self._finish_loop("while", init, regions, params[2], breaks, types, context)

    def _for(self, context: _Context) -> None:
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
        self, context: _Context, state: list[Value], breaks: list[tuple[Value, ...]]
    ) -> _Context:
        return replace(
            _deeper(context), state=tuple(state), counter=None, breaks=breaks
        )

    def _loop_body(self, context: _Context) -> None:
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
        context: _Context,
    ) -> None:
        last = types
        if self.chance(25):

            def orelse(context: _Context) -> None:
                self.statements(self.draw(st.integers(0, 1)), context)
                self.build.end("yield", [self.pick(_is_numeric) for _ in types])

            self._region(_deeper(context), params, orelse)
            regions.append(self.closed)
            last = [value.type for value in self.closed.end.values]
        outputs = [join_all((t, *(values[i].type for values in breaks)))
                   for i, t in enumerate(last)]  # fmt: skip
        self.own(op, inputs, regions, outputs)

    def _block(self, context: _Context) -> None:
        count = self.draw(st.integers(0, 2))
        returns: list[tuple[Value, ...]] = []
        inner = _Context(
            context.depth + 1, returns=returns, results=count, handles=context.handles
        )

        def body(context: _Context) -> None:
            self.statements(self.draw(st.integers(0, 3)), context)
            values = tuple(self.pick(_is_numeric) for _ in range(count))
            returns.append(values)
            self.build.end("return", values)

        self._region(inner, (), body)
        self.own("block", [], [self.closed], _joined(returns))

    def _slot(self, context: _Context) -> None:
        """Make a variable in memory, read it, write it, or add to it."""
        if not self.slots or self.chance(30):
            first = self.number()
            slot = Value(SlotType(NUMBER), self.name())
            if self.chance(40):
                first = self.draw(st.sampled_from((Constant(UNBOUND_MARKER), first)))
                slot = Value(SlotType(join(NUMBER, UNBOUND)), self.name())
            self.build.append(OPERATIONS["slot"], [first], outputs=[slot], origin=self.origin())
            self.slots.append(slot)
            return
        slot = self.draw(st.sampled_from(self.slots))
        action = self.draw(st.sampled_from(("read", "write", "write", "add")))
        value = self.number()
        if action == "read" or action == "add":
            found = self.read(slot)
            if action == "add":
                value = self.append("iadd", found, value) or found
        if slot.type != SlotType(NUMBER) and self.chance(15):
            value = Constant(UNBOUND_MARKER)
        if action != "read" and (_is_number(value.type) or isinstance(value, Constant)):
            self.append("setitem", slot, Constant(0), value)

    def read(self, slot: Value) -> Value:
        """Return the value of a variable, checked where it may be unbound."""
        if slot.type == SlotType(NUMBER):
            found = self.append("getitem", slot, Constant(0))
        else:
            (found,) = self.build.append(OPERATIONS["getitem"], [slot, Constant(0)])
            found = self.append("check_bound", found, name="n")
        assert found is not None
        return found

    def _try(self, context: _Context) -> None:
        """Guard statements; whatever part may end by a jump."""
        classes = [Constant(self.draw(st.sampled_from(CAUGHT)))
                   for _ in range(self.draw(st.integers(0, 2)))]  # fmt: skip
        attrs: dict[str, object] = {}
        if classes and self.chance(30):
            attrs["orelse"] = True
        if not classes or self.chance(40):
            attrs["final"] = True
        inner = _deeper(context)
        handling = replace(inner, handles=True)
        regions = [self._part(inner, (), 30)]
        regions += [self._part(handling, [Value(OPAQUE, "error")], 30) for _ in classes]
        regions += [self._part(inner, (), 20) for _ in attrs]
        self.build.append(
            OPERATIONS["try"], classes, attrs, regions=regions, outputs=[], origin=self.origin()
        )

    def _with(self, context: _Context) -> None:
        """Guard statements by a manager that notes what happens in a list."""
        lists = [value for value in self.visible if value.type == LIST]
        if not lists:
            self._list(context)
            return
        log = self.draw(st.sampled_from(lists))
        (manager,) = self.build.append(OPERATIONS["call"], [Constant(Manager), log])
        entered = Value(OPAQUE, self.name())

        def note(context: _Context) -> None:
            if self.chance(50):
                self.append("method", log, entered, name="append")
                self.visible.pop()
            self._part_body(context, 20)

        self._region(_deeper(context), [entered], note)
        self.build.append(
            OPERATIONS["with"], [manager], regions=[self.closed], outputs=[],
            origin=self.origin(),
        )  # fmt: skip

    def _part(self, context: _Context, params: Sequence[Value], leaves: int) -> Region:
        self._region(context, params, lambda context: self._part_body(context, leaves))
        return self.closed

    def _part_body(self, context: _Context, leaves: int) -> None:
        self.statements(self.draw(st.integers(0, 3)), context)
        if self.chance(leaves):
            self.leave(context)
        else:
            self.build.end("yield")

    def _apply(self, context: _Context) -> None:
        self.call(Constant(self.draw(st.integers(0, 3))))

    def call(self, depth: Value) -> None:
        """Call a function of the graph, which calls further ones `depth` levels deep."""
        arrays = [value for value in self.visible if value.type == VECTOR]
        number = self.number()
        name = self.draw(st.sampled_from(self.defined if arrays else self.defined[:1]))
        last = number if name == self.defined[0] else self.draw(st.sampled_from(arrays))
        arguments = [depth, number, last]
        output = Value(NUMBER, self.name())
        self.build.append(
            OPERATIONS["apply"], arguments, {"function": name}, outputs=[output],
            origin=self.origin(),
        )  # fmt: skip
        self.visible.append(output)

    def definitions(self, count: int) -> tuple[Definition, ...]:
        """Return functions of the graph that call each other to a depth they are given.

        The first takes a number where the others take an array.
        """
        names = [f"function{number}" for number in range(count)]
        functions = []
        for number, name in enumerate(names):
            last = VECTOR if number else NUMBER
            params = [Value(INT, "depth"), Value(NUMBER, "x"), Value(last, "a")]
            self.defined = []

            def body(context: _Context) -> None:
                self.defined = names
                self._function_body(context)

            inner = _Context(1, returns=[], numbers=True)
            self._region(inner, params, body)
            functions.append(Definition(name, self.closed, "generated.py"))
        return tuple(functions)

    def _function_body(self, context: _Context) -> None:
        depth = self.visible[0]
        (deep,) = self.build.append(OPERATIONS["le"], [depth, Constant(0)])
        names, self.defined = self.defined, []
        self.visible.remove(depth)

        def end(context: _Context) -> None:
            self.statements(self.draw(st.integers(0, 2)), context)
            self.build.end("return", [self.number()])

        def goes_on(context: _Context) -> None:
            self.build.end("yield")

        regions = []
        for part in (end, goes_on):
            self._region(replace(context, depth=MAX_REGION_DEPTH), (), part)
            regions.append(self.closed)
        self.own("if", [deep], regions, [])
        (less,) = self.build.append(OPERATIONS["sub"], [depth, Constant(1)])
        self.statements(self.draw(st.integers(0, 2)), context)
        self.defined = names
        self.call(less)
        self.defined = []
        self.statements(self.draw(st.integers(0, 1)), context)
        self.build.end("return", [self.number()])
        self.defined = names

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


def _deeper(context: _Context) -> _Context:
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


def _is_number(type_: Type) -> bool:
    return covers(NUMBER, type_)


def _is_scalar(type_: Type) -> bool:
    return all(isinstance(t, NumberType | ScalarType) for t in _options(type_))


def _is_array(type_: Type) -> bool:
    return isinstance(type_, ArrayType) and type_.rank != 0
