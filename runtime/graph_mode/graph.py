"""Graphs that users build by hand.

Owns `Graph`: placeholders, names, variables, constants, and what its tensors answer to Python. It
leaves recording to `runtime.tracing`, and running to `program` and `session`. Invariants: nothing
runs while a graph is built; an operation that is refused leaves the graph as it was; one thread at
a time builds a graph.
"""

from __future__ import annotations

import functools
import itertools
import os
import pathlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CodeType

import numpy as np

from ..errors import SessionError
from ..ir.graph import Attributes, Definition, Origin, Region, Value
from ..ir.types import ArrayType, ScalarType, Type, VariableType, is_numeric
from ..ops.registry import Operation
from ..scopes import checked_name, scoped
from ..thread_state import changed
from ..tracing.host import NOT_HANDLED, Host
from ..tracing.signals import StaticDemand, TraceSignal, Unstageable
from ..tracing.symbol import BoundAttribute, Symbol, is_symbolic, tracer_of, value_of
from ..tracing.tracer import Tracer
from ..variables import Variable
from .names import UniqueNames, operation_name
from .variables import GraphStorage

_PACKAGES = tuple(
    str(pathlib.Path(__file__).parent.parent.parent / package) + os.sep
    for package in ("runtime", "autograph")
)
Shape = Sequence[int | str | None]
_CLASSES: dict[type[Type], type] = {ArrayType: np.ndarray, ScalarType: np.generic}
_WANTED_BY_CALLS = ("an array", "an integer", "a number", "a copy", "a key", "a text")
"""What calls of functions ask for that NumPy does not hand on to tensors."""


class _GraphHost(Host):
    """What the tracer of a hand-built graph asks about the world."""

    symbols_are_keys = True

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def origin(self) -> Origin | None:
        """Return the innermost position outside this project."""
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGES):
            frame = frame.f_back
        return _origin(frame.f_code, frame.f_lasti // 2)

    def constant(self, item: object) -> object:
        """Return a snapshot of an array or list; it is read-only, like every constant."""
        if type(item) is np.ndarray:
            snapshot = item.copy(order="K")
            snapshot.flags.writeable = False
            self.graph.constants.append(snapshot)
            return snapshot
        if type(item) is list:
            return [self.constant(part) for part in item]
        return super().constant(item)

    def lift(self, tracer: Tracer, item: object) -> Value | None:
        """Return the present value of a variable, which a graph reads where it is used."""
        return tracer.value(item.value()) if isinstance(item, Variable) else None

    def attribute(self, tracer: Tracer, symbol: Symbol, name: str) -> object:
        """Return the name and the graph of a tensor; all else is an operation."""
        if name == "name":
            return self.graph.name_of(value_of(symbol))
        if name == "graph":
            return self.graph
        cls = _CLASSES.get(type(value_of(symbol).type))
        if cls is not None and not hasattr(cls, name):
            described = self.graph.describe(value_of(symbol))
            raise AttributeError(f"{described} is an array, which has no attribute {name!r}")
        return NOT_HANDLED

    def text(self, symbol: Symbol) -> str | None:
        """Return what `print` shows of a tensor."""
        value = value_of(symbol)
        return f"<{self.graph.describe(value)}: {value.type}>"

    def known_length(self, type_: Type) -> int | None:
        """Return the length that a tensor certainly has."""
        if isinstance(type_, ArrayType) and type_.shape and isinstance(type_.shape[0], int):
            return type_.shape[0]
        return None

    def demanded(
        self, signal: TraceSignal, value: Value | None = None, purpose: str = ""
    ) -> BaseException:
        """Return what is raised where Python needs what only a run can tell."""
        if value is not None:
            signal = StaticDemand(value, purpose)
        tracer = self.graph.tracer
        if len(tracer.builder.regions) > 1 or tracer.loops:
            return signal  # a loop may still be unrolled
        tracer.outermost.end = None
        return self.graph.error_for(signal)


class _GraphTracer(Tracer):
    """A tracer for code that is not converted: tensors may stand in lists, and have names."""

    host: _GraphHost

    def value(self, item: object) -> Value:
        """Return the graph value for `item`, lists of tensors included."""
        if type(item) is list and _holds_symbol(item):
            return self.value(self.append("build_list", item))
        graph = self.host.graph
        if isinstance(item, Symbol) and tracer_of(item) is not self:
            raise SessionError(f"{graph_of(item, graph).describe(value_of(item))} is of another "
                               "graph than what it is used with")  # fmt: skip
        return super().value(item)

    def append_many(
        self,
        operation: Operation | str,
        inputs: Sequence[object],
        attrs: Attributes | None = None,
        name: str = "",
    ) -> list[Symbol]:
        """Record an operation; its results get names, by default that of the operation."""
        mark = self.mark()
        try:
            symbols = super().append_many(operation, inputs, attrs)
        except TraceSignal as signal:
            self.go_back(mark)
            raise self.host.demanded(signal) from None
        node = self.builder.current.nodes[-1] if symbols else None
        if node is not None:
            self._give_names(name or operation_name(node.op, node.inputs, node.attrs), symbols)
        return symbols

    def append_regions(
        self,
        op: Operation,
        inputs: Sequence[Value],
        regions: Sequence[Region],
        outputs: Sequence[Value],
        origin: Origin | None,
        attrs: Attributes | None = None,
    ) -> list[Symbol]:
        """Record an operation with regions; its results get names like others."""
        hints = [output.name for output in outputs]
        symbols = super().append_regions(op, inputs, regions, outputs, origin, attrs)
        for symbol, hint in zip(symbols, hints, strict=True):
            self._give_names(hint or operation_name(op, inputs, attrs or {}), [symbol])
        return symbols

    def _give_names(self, name: str, symbols: Sequence[Symbol]) -> None:
        if self.builder.current is self.outermost:
            for symbol in symbols:
                self.host.graph.give_name(symbol, name)

    def function(
        self, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record a call of `function`, whose arguments may be lists of tensors."""
        lifted = {name: self._lift(item) for name, item in kwargs.items()}
        return super().function(function, [self._lift(item) for item in args], lifted)

    def _lift(self, item: object) -> object:
        if isinstance(item, Variable):
            return item.value()
        if type(item) is list and _holds_symbol(item):
            return self.append("build_list", [self._lift(part) for part in item])
        return item


def _holds_symbol(items: list[object]) -> bool:
    return any(
        _holds_symbol(i) if type(i) is list else is_symbolic(i) or isinstance(i, Variable)
        for i in items
    )


@functools.lru_cache(maxsize=4096)
def _origin(code: CodeType, instruction: int) -> Origin:
    places = itertools.islice(code.co_positions(), instruction, None)
    line, end_line, column, end_column = next(places, (None, None, None, None))
    line = line or code.co_firstlineno
    return Origin(
        code.co_filename, line, column or 0, end_line or line, end_column or 0, code.co_qualname
    )


class Graph:
    """A graph built by hand: operations on tensors, recorded and run later by a `Session`.

    >>> from runtime.graph_mode.building import placeholder
    >>> from runtime.graph_mode.session import Session
    >>> graph = Graph()
    >>> with graph.as_default():
    ...     a = placeholder(np.float32, (None, 2), name="a")
    ...     b = a @ np.ones((2, 1), np.float32)
    >>> b.name, graph.get_tensor_by_name("matmul") is b
    ('matmul', True)
    >>> with Session(graph) as session:
    ...     session.run(b, feed_dict={a: [[1, 2], [3, 4]]})
    array([[3.],
           [7.]], dtype=float32)
    """

    def __init__(self) -> None:
        self.constants: list[np.ndarray] = []
        """Snapshots of the arrays that the graph was built with."""
        self.variables: dict[Variable, Value] = {}
        """The variables that were made while the graph was built, and what stands for each."""
        self.definitions: dict[str, Definition] = {}
        """The functions that compiled functions brought along."""
        self.programs: dict[object, object] = {}
        """What was made to run parts of the graph, by what is fetched and fed."""
        self.extents = 0
        """How many lengths were named for compiled functions."""
        self.tracer = _GraphTracer(_GraphHost(self))
        self._origins: dict[Value, Origin | None] = {}
        self._names = UniqueNames()
        self._named: dict[str, Symbol] = {}
        self._name_of: dict[Value, str] = {}

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Record what is done with tensors inside a ``with`` block, in this thread.

        Raises
        ------
        SessionError
            If Python code inside needs the value of a tensor (``if tensor:``), which exists only
            in a run.
        """
        opened, loops = self.tracer.builder.regions, self.tracer.loops
        depths = len(opened), len(loops)
        try:
            with changed(tracer=self.tracer, graph=self, run=None):
                yield self
        except TraceSignal as signal:
            self.tracer.outermost.end = None
            raise self.error_for(signal) from None
        finally:  # what Ctrl-C in the wrong moment left open
            del opened[depths[0] :], loops[depths[1] :]

    def placeholder(
        self, dtype: object, shape: Shape | None = None, name: str | None = None
    ) -> Symbol:
        """Add a tensor that is fed in each run; see the function `placeholder`."""
        try:
            declared = np.dtype(dtype)  # type: ignore[call-overload]  # NumPy's own error if not
        except TypeError as error:
            raise SessionError(f"a placeholder has no dtype {dtype!r}") from error
        if not is_numeric(declared):
            raise SessionError(f"a placeholder has a numeric dtype, not {declared}")
        extents = None if shape is None else _extents(shape)
        chosen = "placeholder" if name is None else checked_name(name)
        scalar = extents == ()  # a number does not change, an array of no axes may
        type_ = ScalarType(declared) if scalar else ArrayType(declared, extents)
        symbol = self.tracer.parameter(type_, "")
        self.give_name(symbol, chosen)
        self._origins[value_of(symbol)] = self.tracer.host.origin()
        return symbol

    def new_variable(self, variable: Variable, name: str, array: np.ndarray) -> GraphStorage:
        """Add a variable that starts as `array` in each session, and return its storage."""
        type_ = VariableType(Variable, ArrayType(array.dtype, array.shape))
        symbol = self.tracer.parameter(type_, "")
        value, unique = value_of(symbol), self.give_name(symbol, name, scope=False)
        self.variables[variable] = value
        return GraphStorage(self, unique, value, array)

    def name_of_variable(self, variable: Variable) -> str:
        """Return the name of a variable of this graph: unique in it."""
        return self._name_of[self.variables[variable]]

    # Names

    def give_name(self, tensor: Symbol, name: str, scope: bool = True) -> str:
        """Give a tensor of this graph a name of its own, and return it."""
        value = value_of(tensor)
        unique = self._names.take(scoped(name) if scope else name)
        last = unique.rpartition("/")[2]
        if not value.name and last.isidentifier():
            value.name = last
        self._name_of[value] = unique
        self._named[unique] = tensor
        return unique

    def name_of(self, value: Value) -> str:
        """Return the name of a tensor: unique in the graph, but for tensors inside branches."""
        return self._name_of.get(value, value.name)

    def get_tensor_by_name(self, name: str) -> Symbol:
        """Return the tensor of that name, such as ``"layer/c"`` (or ``"layer/c:0"``).

        Raises
        ------
        SessionError
            If there is none.
        """
        found = self._named.get(name.removesuffix(":0"))
        if found is None or value_of(found) in self.variables.values():
            known = ", ".join(self.tensor_names()) or "none"
            raise SessionError(f"no tensor is called {name!r}; there are {known}")
        return found

    def tensor_names(self) -> tuple[str, ...]:
        """Return the names of all tensors, in the order in which they were made."""
        held = list(self.variables.values())
        return tuple(name for name, it in self._named.items() if value_of(it) not in held)

    def describe(self, value: Value) -> str:
        """Return what messages call a value: ``placeholder 'a'`` or ``tensor 'b'``."""
        name = self._name_of.get(value) or value.name
        if value in self._origins:
            return f"placeholder {name!r}"
        if value in self.variables.values():
            return f"variable {name!r}"
        return f"tensor {name!r}" if name else f"a tensor of type {value.type}"

    def place(self, value: Value) -> str:
        """Return the file and line where a placeholder was made, or nothing."""
        origin = self._origins.get(value)
        return "" if origin is None else f"{origin.file}:{origin.line}"

    # Tensors in messages, and from outside

    def value(self, tensor: object, what: str) -> Value:
        """Return the graph value of a tensor of this graph; `what` introduces it in messages.

        Raises
        ------
        SessionError
            If `tensor` is something else, of another graph, or made inside a branch or loop.
        """
        if type(tensor) is not Symbol:
            raise SessionError(f"{what} is {described(tensor)}, not a tensor")
        if tracer_of(tensor) is not self.tracer:
            owner = graph_of(tensor, self)
            raise SessionError(f"{what}, {owner.describe(value_of(tensor))}, is of another graph")
        if not self.tracer.is_visible(tensor):
            raise SessionError(
                f"{what}, {self.describe(value_of(tensor))}, was made inside a branch or loop: "
                "return it from there"
            )
        return value_of(tensor)

    def error_for(self, signal: TraceSignal) -> SessionError:
        """Return the error that tells the user why something cannot be part of a graph."""
        if isinstance(signal, StaticDemand):
            instead = "a branch or loop that depends on a tensor is written with cond, while_loop "
            instead += "or for_loop"
            if signal.purpose in _WANTED_BY_CALLS:
                instead = "call what needs it in a function that is compiled"
            if signal.purpose == "a length" and isinstance(signal.value.type, ArrayType):
                instead = "x.shape[0] gives the length of x as a tensor"
            return SessionError(
                f"Python code asks {self.describe(signal.value)} for {signal.purpose}, but a "
                f"tensor has a value only in a run; {instead}"
            )
        if isinstance(signal, Unstageable):
            advice = f"; {signal.advice or 'values exist only in a run of a session'}"
            return SessionError(f"this cannot be part of a graph: {signal.reason}{advice}")
        return SessionError("the graph has ended here: it raises an exception or loops for ever")


def graph_of(tensor: Symbol, otherwise: Graph) -> Graph:
    """Return the graph of a tensor, or another one if it belongs to a compiled function."""
    host = tracer_of(tensor).host
    return host.graph if isinstance(host, _GraphHost) else otherwise


def hand_built(tensor: object) -> Graph | None:
    """Return the graph of a tensor that belongs to a graph built by hand, None for all else."""
    host = tracer_of(tensor).host if isinstance(tensor, Symbol) else None
    return host.graph if isinstance(host, _GraphHost) else None


def described(item: object) -> str:
    """Say what stands where a tensor should."""
    if isinstance(item, BoundAttribute):
        return "a method that is not called"
    if isinstance(item, str):
        return f"the text {item!r}, which get_tensor_by_name takes"
    return f"an object of class {type(item).__qualname__}"


def _extents(shape: object) -> tuple[int | str | None, ...]:
    if isinstance(shape, str | bytes) or not isinstance(shape, Iterable):
        raise SessionError(f"a shape is a tuple of lengths, names and None, not {shape!r}")
    return tuple(_extent(extent) for extent in shape)


def _extent(extent: object) -> int | str | None:
    if extent is None or (isinstance(extent, str) and extent.isidentifier()):
        return extent
    if isinstance(extent, int | np.integer) and not isinstance(extent, bool) and extent >= 0:
        return int(extent)
    raise SessionError(f"a shape holds lengths, names and None, not {extent!r}")
