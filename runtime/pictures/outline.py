"""What a picture of a graph shows: vertices in frames, and edges between them.

Owns the step from a graph to things one can draw: which vertices there are, what is written on
them, which values run between them. It leaves places to `layout`, and drawing to `dot` and `svg`.
Invariants: names are those of the graph's text; an edge joins two vertices of one frame, so that
every frame can be laid out by itself; a value from a frame further out is a vertex of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..ir.graph import Constant, Definition, Graph, Node, Origin, Region, Value
from ..ir.names import region_labels
from ..ir.printer import Names, format_constant, format_with_names

Kind = Literal["operation", "effect", "parameter", "capture", "end"]
"""An operation, one that changes memory or the world, a parameter of a region, a value from further
out, how a region ends."""

OPERAND = "\N{MIDDLE DOT}"
"""Stands for an operand that an edge brings."""
_MAX_LABEL = 48
_SUBSCRIPTS = ("getitem", "setitem", "delitem")


@dataclass(frozen=True, slots=True)
class Vertex:
    """One thing that is drawn."""

    kind: Kind
    label: str
    """What is written on it; one line."""
    results: tuple[str, ...]
    """The values it gives, each as ``name: type``."""
    values: tuple[Value, ...]
    """Those values themselves."""
    origin: Origin | None
    frames: tuple[Frame, ...] = ()
    """The regions of an operation, to be drawn inside it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A value that one vertex gives and another takes."""

    source: int
    target: int
    """Positions in the frame's vertices."""
    value: Value
    label: str
    """``name: type``."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A region: what is drawn inside one box."""

    label: str
    vertices: tuple[Vertex, ...]
    """In execution order, after the parameters; captured values stand before their first use."""
    edges: tuple[Edge, ...]


def outline(graph: Graph) -> tuple[Frame, ...]:
    """Return what a picture of `graph` shows: the graph, then its functions.

    >>> from runtime.ir.reader import read_graph
    >>> from runtime.ops import catalog
    >>> frame, = outline(read_graph('''graph double(x: f64[n]) -> f64[n] {
    ...   y: f64[n] = mul(x, 2.0)
    ...   return y
    ... }'''))
    >>> [vertex.label for vertex in frame.vertices], [edge.label for edge in frame.edges]
    (['x', 'mul(·, 2.0)', 'return'], ['x: f64[n]', 'y: f64[n]'])
    """
    _, names = format_with_names(graph)
    main = _frame(f"graph {graph.name}", graph.body, names)
    return (main, *(_function(function, names) for function in graph.functions))


def frames_of(frames: tuple[Frame, ...]) -> Iterator[Frame]:
    """Yield all frames, each before those in it."""
    for frame in frames:
        yield frame
        for vertex in frame.vertices:
            yield from frames_of(vertex.frames)


def _function(function: Definition, names: Names) -> Frame:
    return _frame(f"function {function.name}", function.body, names)


def _frame(label: str, region: Region, names: Names) -> Frame:
    return _Framing(names).frame(label, region)


class _Framing:
    """Collects the vertices and edges of one frame."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._vertices: list[Vertex] = []
        self._edges: dict[tuple[int, int, Value], Edge] = {}
        self._giver: dict[Value, int] = {}

    def frame(self, label: str, region: Region) -> Frame:
        for parameter in region.params:
            self._add(Vertex("parameter", self._name(parameter), (), (parameter,), None))
        for node in region.nodes:
            self._node(node)
        takes = self._sources(region.end.values)
        written = _arguments([self._operand(value) for value in region.end.values])
        constants = any(isinstance(value, Constant) for value in region.end.values)
        text = _short(f"{region.end.kind} {written}" if constants else region.end.kind)
        self._connect(takes, self._add(Vertex("end", text, (), (), region.end.origin)))
        return Frame(label, tuple(self._vertices), tuple(self._edges.values()))

    def _node(self, node: Node) -> None:
        labels = region_labels(node.op.name, len(node.inputs), node.attrs)
        frames = tuple(
            _frame(labels[index] if index < len(labels) else "region", region, self._names)
            for index, region in enumerate(node.regions)
        )
        inner = (value for region in node.regions for value in _free_values(region))
        takes = self._sources((*node.inputs, *inner))
        effects = node.op.effects(node.inputs, node.attrs)
        changes = bool(effects.writes or effects.calls) and not frames
        results = tuple(self._typed(value) for value in node.outputs)
        label = _short(operation_label(node))
        kind: Kind = "effect" if changes else "operation"
        vertex = Vertex(kind, label, results, node.outputs, node.origin, frames)
        self._connect(takes, self._add(vertex))

    def _add(self, vertex: Vertex) -> int:
        index = len(self._vertices)
        self._vertices.append(vertex)
        for value in vertex.values:
            self._giver[value] = index
        return index

    def _sources(self, values: tuple[Value, ...]) -> list[tuple[int, Value]]:
        """Return which vertex gives each value; values from further out get one here."""
        found = []
        for value in values:
            if isinstance(value, Constant):
                continue
            if value not in self._giver:
                self._add(Vertex("capture", self._name(value), (), (value,), None))
            found.append((self._giver[value], value))
        return found

    def _connect(self, takes: list[tuple[int, Value]], target: int) -> None:
        for source, value in takes:
            edge = Edge(source, target, value, self._typed(value))
            self._edges.setdefault((source, target, value), edge)

    def _name(self, value: Value) -> str:
        return self._names.of(value)

    def _typed(self, value: Value) -> str:
        return f"{self._names.of(value)}: {value.type}"

    def _operand(self, value: Value) -> str:
        return format_constant(value.value) if isinstance(value, Constant) else OPERAND


def _free_values(region: Region) -> Iterator[Value]:
    """Yield the values that `region` takes from outside, each once, in order of use."""
    own: set[Value] = set()
    seen: set[Value] = set()

    def visit(inner: Region) -> Iterator[Value]:
        own.update(inner.params)
        for node in inner.nodes:
            yield from node.inputs
            for deeper in node.regions:
                yield from visit(deeper)
            own.update(node.outputs)
        yield from inner.end.values

    for value in visit(region):
        if value not in own and value not in seen and not isinstance(value, Constant):
            seen.add(value)
            yield value


def operation_label(node: Node) -> str:
    """Return an operation as a picture names it: constants written out, a dot for an edge.

    >>> from runtime.ops import arithmetic
    >>> x = Value(Constant(1.0).type, "x")
    >>> operation_label(Node(arithmetic.POW, (x, Constant(2)), {}, (), (), None))
    'pow(·, 2)'
    """
    if node.regions:
        return node.op.name
    attrs = dict(node.attrs)
    keywords = attrs.pop("keywords", ())
    attrs.pop("starred", None)
    operands = [
        format_constant(value.value) if isinstance(value, Constant) else OPERAND
        for value in node.inputs
    ]
    if isinstance(keywords, tuple) and keywords:
        for index, keyword in enumerate(keywords, len(operands) - len(keywords)):
            operands[index] = f"{keyword}={operands[index]}"
    if node.op.name in _SUBSCRIPTS and isinstance(node.inputs[1], Constant):
        return f"{node.op.name} [{_index(node.inputs[1].value)}]"
    name = attrs.pop("name", None)
    title = f"{node.op.name} .{name}" if isinstance(name, str) else node.op.name
    details = [f"{key}={format_constant(value)}" for key, value in attrs.items()]
    told = f" [{', '.join(details)}]" if details else ""
    if all(operand == OPERAND for operand in operands):
        return title + told
    return f"{title}({_arguments(operands)}){told}"


def _index(index: object) -> str:
    """Return an index as it stands in brackets."""
    if type(index) is tuple and index:
        return ", ".join(_index(item) for item in index) + ("," if len(index) == 1 else "")
    if type(index) is slice:
        start, stop, step = (
            "" if bound is None else format_constant(bound)
            for bound in (index.start, index.stop, index.step)
        )
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    return format_constant(index)


def _arguments(operands: list[str]) -> str:
    return ", ".join(operands)


def _short(text: str) -> str:
    """Return `text` in one line that is not too long to be drawn."""
    text = " ".join(text.split())
    return text if len(text) <= _MAX_LABEL else text[: _MAX_LABEL - 1] + "\N{HORIZONTAL ELLIPSIS}"
