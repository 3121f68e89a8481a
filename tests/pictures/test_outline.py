"""What a picture shows of a graph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from graphs import graphs
from runtime.ir.graph import Constant, Graph, Node, Value, walk, walk_regions
from runtime.ir.reader import read_graph
from runtime.ops.catalog import OPERATIONS
from runtime.pictures.outline import Frame, frames_of, operation_label, outline

LOOP = read_graph("""graph f(x: f64[n], m: int) -> f64[n] {
  y: f64[n] = for(m, x) body (i: int, y1: f64[n]) {
    y2: f64[n] = mul(y1, x)
    setitem(y2, 0, 1.0)
    yield y2
  }
  return y
}
""")


def labels(frame: Frame) -> list[str]:
    return [vertex.label for vertex in frame.vertices]


def test_regions_are_frames_of_their_operation() -> None:
    (frame,) = outline(LOOP)
    (loop,) = (vertex for vertex in frame.vertices if vertex.frames)
    assert labels(frame) == ["x", "m", "for", "return"]
    assert [inner.label for inner in loop.frames] == ["body"]


def test_a_value_from_further_out_is_a_vertex_of_its_own() -> None:
    _, body = frames_of(outline(LOOP))
    kinds = [(vertex.label, vertex.kind) for vertex in body.vertices]
    assert kinds == [
        ("i", "parameter"), ("y1", "parameter"), ("x", "capture"), ("mul", "operation"),
        ("setitem [0]", "effect"), ("yield", "end"),
    ]  # fmt: skip


def test_what_regions_take_leads_to_their_operation() -> None:
    (frame, _) = frames_of(outline(LOOP))
    assert ("x: f64[n]", 2) in [(edge.label, edge.target) for edge in frame.edges]


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_every_operation_and_every_use_is_drawn(graph: Graph) -> None:
    frames = list(frames_of(outline(graph)))
    regions = [region for body in graph.bodies for region in walk_regions(body)]
    assert len(frames) == len(regions)
    drawn = [v for f in frames for v in f.vertices if v.kind in ("operation", "effect")]
    assert len(drawn) == sum(1 for body in graph.bodies for _ in walk(body))
    for frame in frames:
        for index, vertex in enumerate(frame.vertices):
            incoming = {edge.value for edge in frame.edges if edge.target == index}
            assert all(edge.source < edge.target for edge in frame.edges)
            if vertex.kind in ("parameter", "capture"):
                assert not incoming


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_an_operation_is_reached_by_its_inputs(graph: Graph) -> None:
    by_outputs = {
        vertex.values: {edge.value for edge in frame.edges if edge.target == index}
        for frame in frames_of(outline(graph))
        for index, vertex in enumerate(frame.vertices)
        if vertex.kind in ("operation", "effect")
    }
    for body in graph.bodies:
        for node in walk(body):
            if node.outputs:
                taken = {value for value in node.inputs if not isinstance(value, Constant)}
                assert taken <= by_outputs[node.outputs]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("v: opaque = getattr(x) [name=\"shape\"]", "getattr .shape"),
        ("v: opaque = np.sum(x, axis=0)", "np.sum(·, axis=0)"),
        ("v: opaque = getitem(x, (slice(None, None, None), None, slice(1, 4, 2), 3))",
         "getitem [:, None, 1:4:2, 3]"),
        ("v: opaque = getitem(x, (0,))", "getitem [0,]"),
        ("v: opaque = add(x, x)", "add"),
    ],
)  # fmt: skip
def test_constants_are_written_and_values_are_dots(text: str, label: str) -> None:
    graph = read_graph("graph f(x: f64[n]) -> opaque {\n  " + text + "\n  return v\n}\n")
    assert operation_label(graph.nodes[0]) == label


def test_a_long_constant_is_cut() -> None:
    graph = read_graph(
        'graph f(x: opaque) -> opaque {\n  v: opaque = add(x, "%s")\n  return v\n}\n' % ("a" * 90)
    )
    (frame,) = outline(graph)
    assert len(frame.vertices[1].label) == 48


def test_an_operation_with_several_results_names_each() -> None:
    node = Node(
        OPERATIONS["unpack"], (Value(OPERATIONS["unpack"].result_types([Value(Constant(1).type)],
        {"count": 1})[0]),), {"count": 2}, (), (), None,
    )  # fmt: skip
    assert operation_label(node) == "unpack [count=2]"
