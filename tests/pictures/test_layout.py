"""Places in a picture: nothing overlaps, edges run down, the same graph gives the same places."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings

from graphs import graphs
from runtime.ir.graph import Graph, Value
from runtime.ir.reader import read_graph
from runtime.ir.types import FLOAT
from runtime.pictures.layout import PlacedFrame, place
from runtime.pictures.outline import Edge, Frame, Vertex, frames_of, outline

Box = tuple[float, float, float, float]


def inner_frames(frames: tuple[PlacedFrame, ...]) -> Iterator[PlacedFrame]:
    for frame in frames:
        yield frame
        for vertex in frame.vertices:
            yield from inner_frames(vertex.frames)


def overlap(one: Box, other: Box) -> bool:
    (left, top, right, bottom), (left2, top2, right2, bottom2) = one, other
    slack = 1e-6
    across = left < right2 - slack and left2 < right - slack
    return across and top < bottom2 - slack and top2 < bottom - slack


def boxes(frame: PlacedFrame) -> list[Box]:
    return [(v.x, v.y, v.x + v.width, v.y + v.height) for v in frame.vertices]


def chain(count: int) -> Frame:
    """Return a frame in which each operation takes the first value and the one before."""
    values = [Value(FLOAT, f"v{i}") for i in range(count)]
    vertices = tuple(
        Vertex("parameter" if i == 0 else "operation", value.name, (), (value,), None)
        for i, value in enumerate(values)
    )
    edges = [Edge(i, i + 1, values[i], values[i].name) for i in range(count - 1)]
    edges += [Edge(0, i, values[0], "v0") for i in range(2, count)]
    return Frame("graph f", vertices, tuple(edges))


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_nothing_overlaps(graph: Graph) -> None:
    for frame in inner_frames(place(outline(graph))):
        found = boxes(frame)
        for index, one in enumerate(found):
            assert not any(overlap(one, other) for other in found[:index])
            left, top, right, bottom = one
            assert left >= 0 and top >= 0 and right <= frame.width and bottom <= frame.height


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_frames_lie_inside_their_operation_and_apart(graph: Graph) -> None:
    for frame in inner_frames(place(outline(graph))):
        for vertex in frame.vertices:
            found = [(f.x, f.y, f.x + f.width, f.y + f.height) for f in vertex.frames]
            for index, one in enumerate(found):
                assert not any(overlap(one, other) for other in found[:index])
                assert one[2] <= vertex.width + 1e-6 and one[3] <= vertex.height + 1e-6


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_edges_run_down(graph: Graph) -> None:
    for frame in inner_frames(place(outline(graph))):
        for edge in frame.edges:
            heights = [y for _, y in edge.points]
            assert heights == sorted(heights)


@given(graphs())
@settings(max_examples=20, deadline=None)
def test_every_vertex_and_edge_has_its_place(graph: Graph) -> None:
    drawn = outline(graph)
    for frame, placed in zip(frames_of(drawn), inner_frames(place(drawn)), strict=False):
        if frame.label == placed.label:
            assert len(placed.edges) == len(frame.edges)
            assert len(placed.vertices) >= len(frame.vertices)  # and references


@given(graphs())
@settings(max_examples=20, deadline=None)
def test_the_same_outline_gives_the_same_places(graph: Graph) -> None:
    drawn = outline(graph)
    assert place(drawn) == place(drawn)


def test_a_far_use_gets_a_reference_in_place_of_a_long_line() -> None:
    (frame,) = place([chain(30)])
    references = [v for v in frame.vertices if v.vertex.kind == "capture"]
    assert references and {v.vertex.label for v in references} == {"v0"}
    assert max(len(edge.points) for edge in frame.edges) < 20


def test_work_grows_linearly_with_a_chain_whose_first_value_is_used_everywhere() -> None:
    small, large = (place([chain(count)])[0] for count in (200, 2000))
    points = [sum(len(edge.points) for edge in frame.edges) for frame in (small, large)]
    assert points[1] < 11 * points[0]


def test_many_independent_operations_are_not_put_into_one_row() -> None:
    vertices = tuple(Vertex("operation", f"v{i}", (), (), None) for i in range(300))
    (frame,) = place([Frame("graph f", vertices, ())])
    assert frame.width < 1000


def places(text: str) -> dict[str, float]:
    """Return how far down the operations of a graph are, by the names of their results."""
    (frame,) = place(outline(read_graph(text)))
    drawn = (vertex for vertex in frame.vertices if vertex.vertex.results)
    return {v.vertex.results[0].partition(":")[0]: v.y for v in drawn}


def test_an_operation_stands_above_its_first_use_not_at_the_top() -> None:
    found = places(
        "graph f(x: f64[n]) -> f64[n] {\n"
        "  a: f64[n] = np.exp(x)\n  b: f64[n] = add(a, 1.0)\n  c: f64[n] = mul(x, x)\n"
        "  d: f64[n] = mul(c, c)\n  e: f64[n] = mul(d, d)\n  g: f64[n] = sub(e, b)\n"
        "  return g\n}\n"
    )
    assert found["a"] == found["d"] and found["b"] == found["e"]


def test_an_operation_stays_above_a_later_change_of_memory() -> None:
    found = places(
        "graph f(x: f64[n]) -> f64[n] {\n"
        "  before: f64[n] = add(x, 1.0)\n  top: f64[n] = mul(x, x)\n  y: f64[n] = mul(top, top)\n"
        "  setitem(y, 0, 1.0)\n  a: f64[n] = mul(y, y)\n  b: f64[n] = mul(a, a)\n"
        "  c: f64[n] = mul(b, before)\n  return c\n}\n"
    )
    assert found["before"] <= found["y"]
