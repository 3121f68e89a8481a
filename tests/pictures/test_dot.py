"""Pictures in DOT."""

from __future__ import annotations

import re

from hypothesis import given, settings

from graphs import graphs
from runtime.ir.graph import Graph
from runtime.ir.reader import read_graph
from runtime.pictures.dot import dot
from runtime.pictures.outline import frames_of, outline

NESTED = read_graph("""graph f(x: f64[n], t: bool) -> f64[n] {
  y: f64[n] = if(t) then {
    y1: f64[n] = mul(x, 2.0)
    yield y1
  } else {
    yield x
  }
  return y
}
""")


def test_a_branch_is_a_cluster_with_a_cluster_for_each_side() -> None:
    text = dot("f", outline(NESTED))
    assert re.findall(r'label="(graph f|if|then|else)"', text) == [
        "graph f", "if", "if", "then", "else"
    ]  # fmt: skip
    assert text.count("subgraph cluster") == 4


def test_edges_carry_types_and_cross_clusters() -> None:
    text = dot("f", outline(NESTED))
    assert '  v1 -> v4 [label="x: f64[n]"]' in text


def test_text_of_the_user_is_quoted() -> None:
    graph = read_graph(
        'graph f(x: str) -> opaque {\n  v: opaque = add(x, "a\\"];\\\\")\n  return v\n}\n'
    )
    assert r'label="add(·, \"a\\\"];\\\\\")"' in dot("f", outline(graph))


@given(graphs())
@settings(max_examples=30, deadline=None)
def test_braces_match_and_every_end_of_an_edge_is_drawn(graph: Graph) -> None:
    frames = outline(graph)
    text = dot(graph.name, frames)
    unquoted = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    assert unquoted.count("{") == unquoted.count("}")
    drawn = set(re.findall(r"^ +(v\d+) \[", unquoted, re.MULTILINE))
    for source, target in re.findall(r"^ +(v\d+) -> (v\d+) ", unquoted, re.MULTILINE):
        assert source in drawn and target in drawn
    edges = sum(len(frame.edges) for frame in frames_of(frames))
    assert unquoted.count(" -> ") == edges
