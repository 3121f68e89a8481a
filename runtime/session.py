"""Graph mode: building a graph by hand, and running parts of it.

Owns `Graph`, `placeholder` and `Session`. It leaves recording to `runtime.tracing`, choosing what a
fetch needs to `fetching`, checking feeds to `feeds`, and running to `compile`: the graph is the
same as that of a compiled function. Invariants: nothing runs while a graph is built; a run changes
nothing that it was fed; a graph may grow between two runs.
"""

from __future__ import annotations

import functools
import itertools
import os
import pathlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CodeType, TracebackType

import numpy as np

from .compile import compile_graph
from .errors import SessionError
from .feeds import Lengths, convert_feed
from .fetching import Fetching, fetching
from .ir.graph import Origin, Value
from .ir.types import ArrayType, is_numeric
from .tracing.host import Host
from .tracing.signals import StaticDemand, TraceSignal, Unstageable
from .tracing.state import current_tracer, tracing
from .tracing.symbol import BoundAttribute, Symbol, is_symbolic, tracer_of, value_of
from .tracing.tracer import Tracer

_PACKAGES = tuple(
    str(pathlib.Path(__file__).parent.parent / package) + os.sep
    for package in ("runtime", "autograph")
)
Shape = Sequence[int | str | None]


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


class _GraphTracer(Tracer):
    """A tracer for code that is not converted: tensors may stand in lists."""

    def value(self, item: object) -> Value:
        """Return the graph value for `item`, lists of tensors included."""
        if type(item) is list and _holds_symbol(item):
            return self.value(self.append("build_list", item))
        return super().value(item)

    def function(
        self, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record a call of `function`, whose arguments may be lists of tensors."""
        lifted = {name: self._lift(item) for name, item in kwargs.items()}
        return super().function(function, [self._lift(item) for item in args], lifted)

    def _lift(self, item: object) -> object:
        if type(item) is list and _holds_symbol(item):
            return self.append("build_list", [self._lift(part) for part in item])
        return item


def _holds_symbol(items: list[object]) -> bool:
    return any(_holds_symbol(i) if type(i) is list else is_symbolic(i) for i in items)


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

    >>> graph = Graph()
    >>> with graph.as_default():
    ...     a = placeholder(np.float32, (None, 2), name="a")
    ...     b = a @ np.ones((2, 1), np.float32)
    >>> with Session() as session:
    ...     session.run(b, feed_dict={a: [[1, 2], [3, 4]]})
    array([[3.],
           [7.]], dtype=float32)
    """

    def __init__(self) -> None:
        self.constants: list[np.ndarray] = []
        """Snapshots of the arrays that the graph was built with."""
        self._tracer = _GraphTracer(_GraphHost(self))
        self._placeholders: dict[Value, str] = {}
        self._programs: dict[object, _Program] = {}

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Record what is done with tensors inside a ``with`` block, in this thread.

        Raises
        ------
        SessionError
            If Python code inside needs the value of a tensor (``if tensor:``), which exists only
            in a run.
        """
        try:
            with tracing(self._tracer):
                yield self
        except TraceSignal as signal:
            raise _building_error(signal) from None

    def placeholder(
        self, dtype: object, shape: Shape | None = None, name: str | None = None
    ) -> Symbol:
        """Add a tensor that is fed in each run; see the function `placeholder`."""
        try:
            declared = np.dtype(dtype)  # type: ignore[call-overload]
        except TypeError as error:
            raise SessionError(f"a placeholder has no dtype {dtype!r}") from error
        if not is_numeric(declared):
            raise SessionError(f"a placeholder has a numeric dtype, not {declared}")
        extents = None if shape is None else tuple(_extent(extent) for extent in shape)
        chosen = name or "placeholder"
        taken = set(self._placeholders.values())
        unique = chosen
        for count in itertools.count(1):
            if unique not in taken:
                break
            unique = f"{chosen}_{count}"
        symbol = self._tracer.parameter(ArrayType(declared, extents), unique)
        self._placeholders[value_of(symbol)] = unique
        return symbol

    def value(self, tensor: object, what: str) -> Value:
        """Return the graph value of a tensor of this graph; `what` introduces it in messages.

        Raises
        ------
        SessionError
            If `tensor` is something else, of another graph, or made inside a branch or loop.
        """
        if type(tensor) is not Symbol:
            raise SessionError(
                f"{what} is an object of class {type(tensor).__qualname__}, not a tensor"
            )
        if tracer_of(tensor) is not self._tracer:
            owner = tracer_of(tensor).host
            graph = owner.graph if isinstance(owner, _GraphHost) else self
            raise SessionError(f"{what}, {graph.describe(value_of(tensor))}, is of another graph")
        if not self._tracer.is_visible(tensor):
            raise SessionError(
                f"{what}, {self.describe(value_of(tensor))}, was made inside a branch or loop: "
                "return it from there"
            )
        return value_of(tensor)

    def describe(self, value: Value) -> str:
        """Return what messages call a value: ``placeholder 'a'`` or ``tensor 'b'``."""
        if value in self._placeholders:
            return f"placeholder {self._placeholders[value]!r}"
        return f"tensor {value.name!r}" if value.name else f"a tensor of type {value.type}"

    def program(self, fetches: Sequence[Value], feeds: Sequence[Value]) -> _Program:
        """Return the program that computes `fetches` from `feeds`, made once for each such pair.

        Raises
        ------
        SessionError
            If a placeholder that is needed is not fed.
        """
        nodes = self._tracer.builder.regions[0].nodes
        key = (tuple(fetches), frozenset(feeds), len(nodes))
        program = self._programs.get(key)
        if program is None:
            plan = fetching(tuple(nodes), fetches, feeds)
            if plan.missing:
                missing = ", ".join(self.describe(value) for value in plan.missing)
                fetched = ", ".join(self.describe(value) for value in fetches)
                raise SessionError(f"{missing} is not fed, but needed for {fetched}")
            program = self._programs[key] = _Program(self, plan)
        return program


class _Program:
    """A compiled part of a graph."""

    def __init__(self, graph: Graph, plan: Fetching) -> None:
        self._graph = graph
        self._plan = plan
        self._run = compile_graph(plan.graph).function

    def __call__(self, feeds: Mapping[Value, object]) -> tuple[object, ...]:
        """Return the fetched values; `feeds` are not changed, constants are not handed out."""
        lengths: Lengths = {}
        arguments = []
        for value in self._plan.feeds:
            fed = convert_feed(value, self._graph.describe(value), feeds[value], lengths)
            if value in self._plan.written and isinstance(fed, np.ndarray):
                fed = fed.copy(order="K")
            arguments.append(fed)
        with tracing(None):
            results = self._run(*arguments)
        assert isinstance(results, tuple)
        return tuple(self._own(result) for result in results)

    def _own(self, result: object) -> object:
        if isinstance(result, np.ndarray) and not result.flags.writeable:
            if any(np.may_share_memory(result, constant) for constant in self._graph.constants):
                return result.copy(order="K")
        return result


class Session:
    """Runs parts of a graph.

    Parameters
    ----------
    graph
        The graph; by default the one that is being built, else that of the fetches of each run.
    """

    def __init__(self, graph: Graph | None = None) -> None:
        self._graph = graph or _default_graph()
        self._closed = False

    def run(self, fetches: object, feed_dict: Mapping[object, object] | None = None) -> object:
        """Compute tensors.

        Only what the fetches depend on runs. An inner tensor may be fed like a placeholder: then
        what computes it does not run.

        Parameters
        ----------
        fetches
            A tensor, or lists, tuples and dicts of fetches, nested as you like.
        feed_dict
            For each placeholder that is needed (and any other tensor) its value: an array of its
            dtype and shape, or Python data that convert to it.

        Returns
        -------
        object
            The values, in the structure of `fetches`: arrays, NumPy scalars, or what the
            operations of the tensors give.

        Raises
        ------
        SessionError
            If the session is closed; a fetch is no tensor, or of another graph; a placeholder that
            is needed is not fed; a feed has the wrong dtype or shape.
        """
        if self._closed:
            raise SessionError("the session is closed")
        feeds = feed_dict or {}
        graph = self._graph or _graph_of(fetches) or _graph_of(list(feeds))
        if graph is None:
            return _map(fetches, _refuse)
        fetched: dict[Value, None] = {}
        _map(fetches, lambda leaf: fetched.setdefault(graph.value(leaf, "a fetch")))
        fed = {graph.value(key, "a key of feed_dict"): item for key, item in feeds.items()}
        values = tuple(fetched)
        results = dict(zip(values, graph.program(values, tuple(fed))(fed), strict=True))
        return _map(fetches, lambda leaf: results[graph.value(leaf, "a fetch")])

    def close(self) -> None:
        """End the session; it runs nothing any more."""
        self._closed = True

    def __enter__(self) -> Session:
        """Return the session itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the session."""
        self.close()


def placeholder(dtype: object, shape: Shape | None = None, name: str | None = None) -> Symbol:
    """Add a tensor that is fed in each run to the graph that is being built.

    Parameters
    ----------
    dtype
        Anything `np.dtype` takes: a numeric dtype.
    shape
        For each axis its length, None if any length will do, or a name: axes of one name have
        one length in each run. None for any number of axes.
    name
        What messages call it; made unique.

    Returns
    -------
    Symbol
        A tensor: it takes operators, methods and NumPy functions, and is a key of `feed_dict`.

    Raises
    ------
    SessionError
        If no graph is being built, or dtype or shape are none.
    """
    graph = _default_graph()
    if graph is None:
        raise SessionError(
            "a placeholder belongs to a graph: write `with Graph().as_default():` around it"
        )
    return graph.placeholder(dtype, shape, name)


def _extent(extent: object) -> int | str | None:
    if extent is None or (isinstance(extent, str) and extent.isidentifier()):
        return extent
    if isinstance(extent, int | np.integer) and not isinstance(extent, bool) and extent >= 0:
        return int(extent)
    raise SessionError(f"a shape holds lengths, names and None, not {extent!r}")


def _default_graph() -> Graph | None:
    tracer = current_tracer()
    host = None if tracer is None else tracer.host
    return host.graph if isinstance(host, _GraphHost) else None


def _graph_of(fetches: object) -> Graph | None:
    """Return the graph of the first tensor in `fetches`, if there is one."""
    found: list[Graph] = []

    def note(leaf: object) -> None:
        host = tracer_of(leaf).host if type(leaf) is Symbol else None
        if isinstance(host, _GraphHost):
            found.append(host.graph)

    _map(fetches, note)
    return found[0] if found else None


def _refuse(leaf: object) -> object:
    raise SessionError(f"a fetch is an object of class {type(leaf).__qualname__}, not a tensor")


def _map(fetches: object, function: Callable[[object], object]) -> object:
    """Apply `function` to every leaf of nested fetches and return the same structure."""
    if isinstance(fetches, Symbol | BoundAttribute):
        return function(fetches)
    if isinstance(fetches, dict):
        return {key: _map(part, function) for key, part in fetches.items()}
    if isinstance(fetches, list):
        return [_map(part, function) for part in fetches]
    if isinstance(fetches, tuple):
        parts = [_map(part, function) for part in fetches]
        make = getattr(type(fetches), "_make", tuple)
        return make(parts)
    return function(fetches)


def _building_error(signal: TraceSignal) -> SessionError:
    if isinstance(signal, StaticDemand):
        name = f"tensor {signal.value.name!r}" if signal.value.name else "a tensor"
        return SessionError(
            f"Python code asks {name} for {signal.purpose}, which exists only in a run; "
            "a branch or loop that depends on a tensor is written with cond or while_loop"
        )
    if isinstance(signal, Unstageable):
        return SessionError(f"this cannot be part of a graph: {signal.reason}")
    return SessionError("the graph has ended here: it raises an exception or loops for ever")
