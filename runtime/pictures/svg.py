"""Pictures in SVG.

Owns the drawing of a layout. It leaves places to `layout`, colors and behavior to the page around
it, which knows the classes named here. Invariant: every text is escaped, and nothing refers to
anything outside of the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from ..ir.graph import Origin
from .layout import LINE, PlacedEdge, PlacedFrame, PlacedVertex, Point

Hover = Callable[[Origin], str]
"""What is shown of a place in the user's source when the pointer is over it."""


def svg(frames: Sequence[PlacedFrame], hover: Hover) -> str:
    """Return a layout as an SVG element.

    Parameters
    ----------
    frames
        What `runtime.pictures.layout.place` returns.
    hover
        Gives the text that is shown when the pointer is over an operation.

    Examples
    --------
    >>> print(svg([PlacedFrame("graph f", 0, 0, 80, 30, (), ())], lambda origin: ""))
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 30" width="80" height="30">
    <g class="frame" transform="translate(0 0)">
    <rect width="80" height="30" rx="6"/><text class="title" x="8" y="16">graph f</text>
    </g>
    </svg>
    """
    width = max((frame.x + frame.width for frame in frames), default=0.0)
    height = max((frame.y + frame.height for frame in frames), default=0.0)
    size = f'width="{_number(width)}" height="{_number(height)}"'
    box = f"0 0 {_number(width)} {_number(height)}"
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size}>']
    for frame in frames:
        lines.extend(_frame(frame, hover))
    lines.append("</svg>")
    return "\n".join(lines)


def _frame(frame: PlacedFrame, hover: Hover) -> Iterator[str]:
    yield f'<g class="frame" transform="{_moved(frame.x, frame.y)}">'
    size = f'width="{_number(frame.width)}" height="{_number(frame.height)}"'
    yield f'<rect {size} rx="6"/><text class="title" x="8" y="16">{escape(frame.label)}</text>'
    for edge in frame.edges:
        yield from _edge(edge)
    for vertex in frame.vertices:
        yield from _vertex(vertex, hover)
    yield "</g>"


def _vertex(placed: PlacedVertex, hover: Hover) -> Iterator[str]:
    vertex = placed.vertex
    place = _moved(placed.x, placed.y)
    origin = vertex.origin
    source = ""
    if origin is not None:
        source = f' data-file="{escape(origin.file)}" data-line="{origin.line}"'
    outer = " outer" if placed.frames else ""
    yield f'<g class="vertex {vertex.kind}{outer}" transform="{place}"{source}>'
    if origin is not None:
        yield f"<title>{escape(hover(origin))}</title>"
    size = f'width="{_number(placed.width)}" height="{_number(placed.height)}"'
    radius = _number(placed.height / 2) if vertex.kind in ("parameter", "capture") else "4"
    middle = _number(placed.width / 2)
    yield f'<rect {size} rx="{radius}"/><text x="{middle}" y="17">{escape(vertex.label)}</text>'
    for frame in placed.frames:
        yield from _frame(frame, hover)
    for index, result in enumerate(vertex.results):
        y = _number(placed.height + 13 + LINE * index)
        yield f'<text class="type" x="{middle}" y="{y}">{escape(result)}</text>'
    yield "</g>"


def _edge(placed: PlacedEdge) -> Iterator[str]:
    label = escape(placed.edge.label)
    yield f'<path class="edge" d="{_curve(placed.points)}"><title>{label}</title></path>'


def _curve(points: Sequence[Point]) -> str:
    """Return a smooth line downward through the points: vertical at each of them."""
    (x, y), *rest = points
    path = f"M{_number(x)} {_number(y)}"
    for next_x, next_y in rest:
        if next_x == x:
            path += f"V{_number(next_y)}"
        else:
            half, end = _number((y + next_y) / 2), _number(next_x)
            path += f"C{_number(x)} {half} {end} {half} {end} {_number(next_y)}"
        x, y = next_x, next_y
    return path


def _moved(x: float, y: float) -> str:
    return f"translate({_number(x)} {_number(y)})"


def _number(value: float) -> str:
    """Return a coordinate with the precision that a screen has.

    >>> _number(2.0), _number(1.26)
    ('2', '1.3')
    """
    return f"{value:.1f}".removesuffix(".0")
