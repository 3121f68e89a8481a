"""Places for the vertices and edges of a picture.

Owns layers, order in a layer, and coordinates; sizes come from the lengths of the texts. It leaves
what is drawn to `outline`, and drawing to `svg`. Invariants: nothing overlaps but edges; an edge
runs downward; the same outline gives the same places; the work is near linear in the size of the
graph.

The method is that of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical
system structures" (1981): layers, order by barycenters, coordinates. Layers are bounded in width,
as by Coffman and Graham (1972). In a layer the coordinates nearest to what each vertex wishes,
with the order kept, are an isotonic regression, found by pooling adjacent violators (Ayer et al.,
1955). A frame is laid out by itself, from the inside out; an operation with regions is a vertex as
large as its frames need. A value used far below is not drawn as a long line: a reference with its
name stands where it is used.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .outline import Edge, Frame, Vertex, frames_of

CHARACTER = 7.25
"""Width of a character, in pixels, of the 12 pixel monospaced font of the page."""
LINE = 18.0
"""Height of a line of text, in pixels."""
_PADDING = 10.0
_GAP_BESIDE = 18.0
_GAP_BELOW = 34.0
_TITLE = 24.0
_MAX_IN_LAYER = 7
_MAX_SPAN = 6
_MAX_ROW = 1500.0
_SWEEPS = 4

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlacedVertex:
    """A vertex with the place of its upper left corner in its frame, and its size, in pixels."""

    vertex: Vertex
    x: float
    y: float
    width: float
    height: float
    frames: tuple[PlacedFrame, ...] = ()
    """Places of the frames in it, relative to the vertex."""


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """An edge and the points it runs through, in pixels from the frame's upper left corner."""

    edge: Edge
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class PlacedFrame:
    """A frame laid out: its place in the vertex around it, its size, and what is in it."""

    label: str
    x: float
    y: float
    width: float
    height: float
    vertices: tuple[PlacedVertex, ...]
    edges: tuple[PlacedEdge, ...]


@dataclass(eq=False, slots=True)
class _Cell:
    """What takes up room in a layer: a vertex, a reference to one, or an edge passing through."""

    vertex: Vertex | None
    width: float
    height: float
    layer: int
    frames: tuple[PlacedFrame, ...] = ()
    above: list[_Cell] = field(default_factory=list)
    below: list[_Cell] = field(default_factory=list)
    center: float = 0.0
    top: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class _Route:
    """An edge as the cells that it runs through, first and last included."""

    edge: Edge
    cells: tuple[_Cell, ...]


def place(frames: Sequence[Frame]) -> tuple[PlacedFrame, ...]:
    """Lay out the frames of an outline, one below the other.

    >>> from .outline import Vertex
    >>> vertices = tuple(Vertex("operation", name, (), (), None) for name in ("a", "b"))
    >>> placed, = place([Frame("graph f", vertices, ())])
    >>> [vertex.vertex.label for vertex in placed.vertices]
    ['a', 'b']
    """
    placed: list[PlacedFrame] = []
    top = 0.0
    for frame in frames:
        placed.append(replace(_place_frame(frame), y=top))
        top += placed[-1].height + _GAP_BELOW
    return tuple(placed)


def _place_frame(frame: Frame) -> PlacedFrame:
    cells = [_cell(vertex) for vertex in frame.vertices]
    _assign_layers(frame, cells)
    routes = _route(frame, cells)
    layers = _layers(cells, routes)
    _order(layers)
    _place_across(layers)
    _place_down(layers)
    return _finished(frame, layers, routes)


def _cell(vertex: Vertex) -> _Cell:
    """Return the cell of a vertex, with what is inside laid out."""
    longest = max([vertex.label, *vertex.results], key=len)
    width = len(longest) * CHARACTER + 2 * _PADDING
    if not vertex.frames:
        return _Cell(vertex, width, LINE + 8, 0)
    frames, inner_width, inner_height = _pack([_place_frame(frame) for frame in vertex.frames])
    height = _TITLE + inner_height + _PADDING
    return _Cell(vertex, max(width, inner_width + 2 * _PADDING), height, 0, frames)


def _pack(frames: list[PlacedFrame]) -> tuple[tuple[PlacedFrame, ...], float, float]:
    """Place frames side by side, in rows; return them, and the width and height of all."""
    placed: list[PlacedFrame] = []
    x, y, row_height, width = _PADDING, _TITLE, 0.0, 0.0
    for frame in frames:
        if x > _PADDING and x + frame.width > _MAX_ROW:
            x, y, row_height = _PADDING, y + row_height + _PADDING, 0.0
        placed.append(replace(frame, x=x, y=y))
        row_height = max(row_height, frame.height)
        width = max(width, x + frame.width - _PADDING)
        x += frame.width + _PADDING
    return tuple(placed), width, y + row_height - _TITLE


def _assign_layers(frame: Frame, cells: list[_Cell]) -> None:
    """Put each vertex below what it uses and below earlier effects, with few in a layer.

    Operations without effects sink to their first use; captured values go right above it, and
    parameters stay on top.
    """
    inputs: dict[int, list[int]] = {}
    for edge in frame.edges:
        inputs.setdefault(edge.target, []).append(edge.source)
    filled: dict[int, int] = {}
    last_effect = -1
    given = ("parameter", "capture")
    for index, (vertex, cell) in enumerate(zip(frame.vertices, cells, strict=True)):
        if vertex.kind in given:
            continue
        ordered = vertex.kind in ("effect", "end") or bool(vertex.frames)
        layer = max((_below(cells[i], frame.vertices[i]) for i in inputs.get(index, ())), default=1)
        if ordered:
            layer = max(layer, last_effect + 1)
        if vertex.kind == "end":
            layer = max([layer, *filled])
        while filled.get(layer, 0) >= _MAX_IN_LAYER:
            layer += 1
        filled[layer] = filled.get(layer, 0) + (_MAX_IN_LAYER if vertex.frames else 1)
        cell.layer = layer
        if ordered:
            last_effect = layer
    _sink(frame, cells, inputs, filled)
    _assign_given(frame, cells)


def _sink(
    frame: Frame, cells: list[_Cell], inputs: dict[int, list[int]], filled: dict[int, int]
) -> None:
    """Move operations down to the first use of their results, but past no change of memory.

    What takes nothing cannot see a change, and passes it.
    """
    first_use: dict[int, int] = {}
    change = max(filled, default=0) + 1
    for index in reversed(range(len(cells))):
        vertex, cell = frame.vertices[index], cells[index]
        takes = inputs.get(index, [])
        if vertex.kind == "operation" and not vertex.frames and index in first_use:
            layer = min(first_use[index], change if takes else first_use[index]) - 1
            while layer > cell.layer and filled.get(layer, 0) >= _MAX_IN_LAYER:
                layer -= 1
            if layer > cell.layer:
                filled[cell.layer] -= 1
                filled[layer] = filled.get(layer, 0) + 1
                cell.layer = layer
        elif vertex.kind == "effect" or _changes(vertex):
            change = cell.layer
        for source in takes:
            first_use[source] = min(first_use.get(source, cell.layer), cell.layer)


def _changes(vertex: Vertex) -> bool:
    """Tell whether what is inside of an operation changes memory, or may."""
    inside = (inner for frame in frames_of(vertex.frames) for inner in frame.vertices)
    return any(inner.kind == "effect" for inner in inside)


def _below(cell: _Cell, vertex: Vertex) -> int:
    return 1 if vertex.kind in ("parameter", "capture") else cell.layer + 1


def _assign_given(frame: Frame, cells: list[_Cell]) -> None:
    """Put parameters on top, and captured values right above their first use."""
    first_use: dict[int, int] = {}
    for edge in frame.edges:
        layer = cells[edge.target].layer
        first_use[edge.source] = min(first_use.get(edge.source, layer), layer)
    for index, vertex in enumerate(frame.vertices):
        if vertex.kind == "parameter":
            cells[index].layer = 0
        elif vertex.kind == "capture":
            cells[index].layer = max(first_use.get(index, 1) - 1, 0)


def _route(frame: Frame, cells: list[_Cell]) -> list[_Route]:
    """Lead each edge through a cell in every layer it crosses; far uses get a reference."""
    routes: list[_Route] = []
    references: dict[tuple[int, object, int], _Cell] = {}
    for edge in frame.edges:
        source, target = cells[edge.source], cells[edge.target]
        if target.layer - source.layer > _MAX_SPAN:
            source = _reference(edge, target.layer - 1, references)
        passing = [_Cell(None, 4.0, 0.0, layer) for layer in range(source.layer + 1, target.layer)]
        line = (source, *passing, target)
        for upper, lower in itertools.pairwise(line):
            upper.below.append(lower)
            lower.above.append(upper)
        routes.append(_Route(edge, line))
    return routes


def _reference(edge: Edge, layer: int, known: dict[tuple[int, object, int], _Cell]) -> _Cell:
    """Return the reference to a value in a layer."""
    key = (edge.source, edge.value, layer)
    if key not in known:
        name = edge.label.partition(":")[0]
        vertex = Vertex("capture", name, (), (edge.value,), None)
        known[key] = _Cell(vertex, len(name) * CHARACTER + 2 * _PADDING, LINE + 8, layer)
    return known[key]


def _layers(cells: list[_Cell], routes: list[_Route]) -> list[list[_Cell]]:
    """Return the cells of each layer, in the order of the program; empty layers left out."""
    found: dict[int, dict[_Cell, None]] = {}
    for cell in (*cells, *(cell for route in routes for cell in route.cells)):
        found.setdefault(cell.layer, {})[cell] = None
    return [list(found[layer]) for layer in sorted(found)]


def _order(layers: list[list[_Cell]]) -> None:
    """Order each layer by the mean place of its neighbors, down and up, a few times."""
    rank = {cell: float(index) for layer in layers for index, cell in enumerate(layer)}

    def barycenter(cell: _Cell, neighbors: list[_Cell]) -> float:
        if not neighbors:
            return rank[cell]
        return sum(rank[other] for other in neighbors) / len(neighbors)

    for sweep in range(_SWEEPS):
        downward = sweep % 2 == 0
        for layer in layers if downward else reversed(layers):
            wished = {c: barycenter(c, c.above if downward else c.below) for c in layer}
            layer.sort(key=wished.__getitem__)
            for index, cell in enumerate(layer):
                rank[cell] = float(index)


def _place_across(layers: list[list[_Cell]]) -> None:
    """Give each cell the center nearest to those of its neighbors."""
    for layer in layers:
        left = 0.0
        for cell in layer:
            cell.center = left + cell.width / 2
            left += cell.width + _GAP_BESIDE
    for sweep in range(_SWEEPS):
        downward = sweep % 2 == 0
        for layer in layers if downward else reversed(layers):
            _straighten(layer, [_wish(c, c.above if downward else c.below) for c in layer])
    leftmost = min((c.center - c.width / 2 for layer in layers for c in layer), default=0.0)
    for layer in layers:
        for cell in layer:
            cell.center -= leftmost - _PADDING


def _wish(cell: _Cell, neighbors: list[_Cell]) -> float:
    if not neighbors:
        return cell.center
    return sum(other.center for other in neighbors) / len(neighbors)


def _straighten(layer: list[_Cell], wishes: list[float]) -> None:
    """Move the cells of a layer as near to their wishes as their order and widths allow.

    With the room that the cells before take up subtracted, the centers must not decrease: blocks
    of cells that want to pass each other are pooled at the mean of their wishes.
    """
    room = 0.0
    offsets: list[float] = []
    for index, cell in enumerate(layer):
        if index:
            room += layer[index - 1].width / 2 + _GAP_BESIDE + cell.width / 2
        offsets.append(room)
    blocks: list[tuple[float, int]] = []  # sum of wishes, number of cells
    for wish, offset in zip(wishes, offsets, strict=True):
        total, count = wish - offset, 1
        while blocks and blocks[-1][0] * count >= total * blocks[-1][1]:
            before, number = blocks.pop()
            total, count = total + before, count + number
        blocks.append((total, count))
    means = [total / count for total, count in blocks for _ in range(count)]
    for cell, mean, offset in zip(layer, means, offsets, strict=True):
        cell.center = mean + offset


def _place_down(layers: list[list[_Cell]]) -> None:
    """Put the layers below one another, with room for the labels of edges."""
    top = _TITLE
    for layer in layers:
        height = max(cell.height for cell in layer)
        for cell in layer:
            cell.top = top
            if cell.vertex is None:
                cell.height = height
        results = max((len(c.vertex.results) for c in layer if c.vertex is not None), default=0)
        top += height + _GAP_BELOW + LINE * max(results - 1, 0)


def _finished(frame: Frame, layers: list[list[_Cell]], routes: list[_Route]) -> PlacedFrame:
    placed = tuple(
        PlacedVertex(c.vertex, c.center - c.width / 2, c.top, c.width, c.height, c.frames)
        for layer in layers
        for c in layer
        if c.vertex is not None
    )
    edges = tuple(PlacedEdge(route.edge, _points(route)) for route in routes)
    width = max((v.x + v.width for v in placed), default=0.0) + _PADDING
    passing = max((x for edge in edges for x, _ in edge.points), default=0.0) + _PADDING
    height = max((v.y + v.height for v in placed), default=0.0) + _PADDING
    title = len(frame.label) * CHARACTER + 2 * _PADDING
    return PlacedFrame(frame.label, 0.0, 0.0, max(width, passing, title), height, placed, edges)


def _points(route: _Route) -> tuple[Point, ...]:
    first, *passing, last = route.cells
    start = (first.center, first.top + first.height)
    through = [(c.center, y) for c in passing for y in (c.top, c.top + c.height)]
    return (start, *through, (last.center, last.top))
