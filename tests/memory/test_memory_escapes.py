"""Which fresh memory gets out."""

from __future__ import annotations

import pytest

from runtime.ir.graph import walk
from runtime.ir.reader import read_graph
from runtime.memory.classes import alias_classes
from runtime.memory.escapes import IdentityUses, escapes, fresh_values
from runtime.ops.catalog import OPERATIONS

assert OPERATIONS

GRAPH = """
graph f(c: bool_, x: f64[n], xs: list, g: opaque) {{
  y = add(x, 1.0)
  {use}
}}"""


def escape_of_y(use: str) -> str | None:
    graph = read_graph(GRAPH.format(use=use))
    found = escapes(graph, alias_classes(graph)).of(graph.nodes[0].outputs[0])
    return None if found is None else found.reason


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        ("return y", "returned"),
        ("t = build_tuple(1, y) return t", "returned"),
        ("s = build_slice(1, None, None) v = getitem(y, s) return v", "returned"),
        ("if(c) then { return y } else { yield } return 1", "returned"),
        ('t = method(xs, y) [name="append"] return 1', "stored"),
        ("setitem(xs, 0, y) return 1", "stored"),
        ("ys = build_list(y) return 1", "hold"),
        ("t = call(g, y) return 1", "not compiled"),
        ("t = builtins.print(y) return 1", "not compiled"),
        ("v = getitem(y, slice(1, None, None)) t = call(g, v) return 1", "not compiled"),
    ],
)
def test_ways_out(use: str, reason: str) -> None:
    found = escape_of_y(use)
    assert found is not None and reason in found


@pytest.mark.parametrize(
    "use",
    [
        "r = np.sum(y) return r",
        "setitem(x, 0, 1.0) z = add(y, x) return z",
        "b: f64[n] = block() body { return y } return 1",
        "t = call(g) return 1",
    ],
)
def test_kept(use: str) -> None:
    assert escape_of_y(use) is None


def test_an_argument_has_escaped_from_the_start() -> None:
    graph = read_graph("graph f(x: f64[n]) { return 1 }")
    found = escapes(graph, alias_classes(graph)).of(graph.params[0])
    assert found is not None and "outside" in found.reason


def test_fresh_values_are_those_of_memory_made_here() -> None:
    graph = read_graph("""
    graph f(x: f64[n]) {
      y = add(x, 1.0)
      s = build_slice(1, None, None)
      v = getitem(y, s)
      w = iadd(y, 1.0)
      r = np.sum(y)
      return r
    }""")
    names = [value.name for value in fresh_values(graph, alias_classes(graph))]
    assert names == ["y"]


@pytest.mark.parametrize(
    ("use", "matters"),
    [
        ("r = np.sum(y) return r", False),
        ("setitem(y, 0, 1.0) return 1", True),
        ("return y", True),
        ("r = is(y, x) return r", True),
        ("s = build_slice(1, None, None) v = getitem(y, s) return 1", True),
        ("for(y) body (i: f64) { yield } return 1", False),
        ("b: f64[n] = if(c) then { yield y } else { yield x } return 1", True),
    ],
)
def test_identity_matters_unless_a_value_is_only_read(use: str, matters: bool) -> None:
    graph = read_graph(GRAPH.format(use=use))
    (y,) = next(walk(graph.body)).outputs
    assert IdentityUses(graph).matters(y) is matters
