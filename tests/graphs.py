"""Random well-formed graphs with arguments, for the property tests of every suite.

`programs()` is the strategy; `outcome` runs anything on a program's arguments and returns all that
a caller can see, in a form that compares with ``==``. Loops are bounded; errors that Python or
NumPy raise are part of what a graph means.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from graph_maker import (
    LENGTH,
    MATRIX,
    MAX_REGION_DEPTH,
    NUMBER,
    VECTOR,
    Context,
    Maker,
    deeper,
    is_number,
)
from runtime.ir.graph import Constant, Definition, Graph, Region, Value
from runtime.ir.lattice import join
from runtime.ir.types import (
    FLOAT,
    INT,
    LIST,
    OPAQUE,
    UNBOUND,
    SlotType,
    Type,
)
from runtime.ops.catalog import OPERATIONS
from runtime.ops.containers import UNBOUND_MARKER

CAUGHT = (
    ValueError, KeyError, Exception, BaseException, ZeroDivisionError, (IndexError, TypeError),
)  # fmt: skip


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
    maker.statements(draw(st.integers(1, statements)), Context())
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


class _Maker(Maker):
    """One graph under construction, with errors, variables in memory and functions."""

    def _slot(self, context: Context) -> None:
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
        if action != "read" and (is_number(value.type) or isinstance(value, Constant)):
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

    def _try(self, context: Context) -> None:
        """Guard statements; whatever part may end by a jump."""
        classes = [Constant(self.draw(st.sampled_from(CAUGHT)))
                   for _ in range(self.draw(st.integers(0, 2)))]  # fmt: skip
        attrs: dict[str, object] = {}
        if classes and self.chance(30):
            attrs["orelse"] = True
        if not classes or self.chance(40):
            attrs["final"] = True
        inner = deeper(context)
        handling = replace(inner, handles=True)
        regions = [self._part(inner, (), 30)]
        regions += [self._part(handling, [Value(OPAQUE, "error")], 30) for _ in classes]
        regions += [self._part(inner, (), 20) for _ in attrs]
        self.build.append(
            OPERATIONS["try"], classes, attrs, regions=regions, outputs=[], origin=self.origin()
        )

    def _with(self, context: Context) -> None:
        """Guard statements by a manager that notes what happens in a list."""
        lists = [value for value in self.visible if value.type == LIST]
        if not lists:
            self._list(context)
            return
        log = self.draw(st.sampled_from(lists))
        (manager,) = self.build.append(OPERATIONS["call"], [Constant(Manager), log])
        entered = Value(OPAQUE, self.name())

        def note(context: Context) -> None:
            if self.chance(50):
                self.append("method", log, entered, name="append")
                self.visible.pop()
            self._part_body(context, 20)

        self._region(deeper(context), [entered], note)
        self.build.append(
            OPERATIONS["with"], [manager], regions=[self.closed], outputs=[],
            origin=self.origin(),
        )  # fmt: skip

    def _part(self, context: Context, params: Sequence[Value], leaves: int) -> Region:
        self._region(context, params, lambda context: self._part_body(context, leaves))
        return self.closed

    def _part_body(self, context: Context, leaves: int) -> None:
        self.statements(self.draw(st.integers(0, 3)), context)
        if self.chance(leaves):
            self.leave(context)
        else:
            self.build.end("yield")

    def _apply(self, context: Context) -> None:
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

            def body(context: Context) -> None:
                self.defined = names
                self._function_body(context)

            inner = Context(1, returns=[], numbers=True)
            self._region(inner, params, body)
            functions.append(Definition(name, self.closed, "generated.py"))
        return tuple(functions)

    def _function_body(self, context: Context) -> None:
        depth = self.visible[0]
        (deep,) = self.build.append(OPERATIONS["le"], [depth, Constant(0)])
        names, self.defined = self.defined, []
        self.visible.remove(depth)

        def end(context: Context) -> None:
            self.statements(self.draw(st.integers(0, 2)), context)
            self.build.end("return", [self.number()])

        def goes_on(context: Context) -> None:
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
