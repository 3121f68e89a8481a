"""Common subexpressions are merged where nobody can tell."""

from __future__ import annotations

import pytest

from runtime.ir.graph import Graph, walk
from runtime.ir.reader import read_graph
from runtime.ir.verifier import verify
from runtime.memory.verifier import verify_memory
from runtime.ops.catalog import OPERATIONS
from runtime.passes.cse import cse

assert OPERATIONS


def merged(text: str) -> int:
    """Return how many operations are merged; the result is verified."""
    graph = read_graph(text)
    after = cse(graph)
    verify(after)
    verify_memory(graph, after)
    return count(graph) - count(after)


def count(graph: Graph) -> int:
    return len(list(walk(graph.body)))


@pytest.mark.parametrize(
    "body",
    [
        "a = add(x, 1.0) b = add(x, 1.0) c = mul(a, b) return c",
        "a = truediv(1.0, x) b = truediv(1.0, x) c = mul(a, b) return c",
        "a = getitem(u, k) b = getitem(u, k) c = add(a, b) return c",
        "s = build_slice(1, None, None) v = getitem(u, s) w = getitem(u, s) "
        "p = np.sum(v) q = np.sum(w) c = mul(p, q) return c",
        "a = add(x, 1.0) y: float = if(flag) then { b = add(x, 1.0) yield b } else { yield x } "
        "d = add(a, y) return d",
        "a = add(k, 1) y: int = for(range(0, 3, 1), k) body (i: int, y1: int) { b = add(k, 1) "
        "yield b } d = add(a, y) return d",
        "a = add(m, 1) b = add(m, 1) p = getitem(a, 0) q = getitem(b, 0) d = build_tuple(p, q) "
        "return d",
    ],
)
def test_equal_operations_are_merged(body: str) -> None:
    head = "graph f(x: float, k: int, flag: bool, u: f64[n], m: i64[n])"
    assert merged(head + " { " + body + " }") >= 1


@pytest.mark.parametrize(
    "body",
    [
        # another write in between, through the array, a view, or an island
        "a = getitem(u, k) setitem(u, 0, 1.0) b = getitem(u, k) c = add(a, b) return c",
        "s = build_slice(1, None, None) v = getitem(u, s) a = getitem(v, k) setitem(u, 1, 1.0) "
        "b = getitem(v, k) c = add(a, b) return c",
        "a = getitem(u, k) setitem(z, 0, 1.0) b = getitem(u, k) c = add(a, b) return c",
        "a = getitem(u, k) r = call(g) b = getitem(u, k) c = add(a, b) return c",
        # another attribute, an effect
        'a = getattr(x) [name="real"] b = getattr(x) [name="imag"] c = add(a, b) return c',
        "a = builtins.print(k) b = builtins.print(k) return k",
        # results that can be told apart
        "a = add(m, 1) b = add(m, 1) p = getitem(a, 0) d = build_tuple(b, p) return d",
        "a = add(m, 1) b = add(m, 1) p = getitem(b, 0) d = build_tuple(a, p) return d",
        "a = add(m, 1) b = add(m, 1) d = build_tuple(a, b) return d",
        "a = add(m, 1) b = add(m, 1) setitem(a, 0, 9) p = getitem(b, 0) return p",
        "a = add(m, 1) b = add(m, 1) d = is(a, b) return d",
        "a = build_list(1) b = build_list(1) d = is(a, b) return d",
        "a = add(k, 1000) b = add(k, 1000) d = is(a, b) return d",
        # a warning for each
        "a = add(u, 1.0) b = add(u, 1.0) p = getitem(a, 0) q = getitem(b, 0) "
        "d = build_tuple(p, q) return d",
        # constants that differ in class or sign
        "a = mul(x, 1) b = mul(x, True) d = mul(x, 1.0) e = build_tuple(a, b, d) return e",
        "a = mul(x, 0.0) b = mul(x, -0.0) e = build_tuple(a, b) return e",
        # neither runs before the other
        "y: float = if(flag) then { a = add(x, 1.0) yield a } else { b = add(x, 1.0) yield b } "
        "return y",
        "y: float = if(flag) then { a = add(x, 1.0) yield a } else { yield x } b = add(x, 1.0) "
        "d = build_tuple(y, b) return d",
        # unknown code
        "a = call(g, x) b = call(g, x) d = build_tuple(a, b) return d",
    ],
)
def test_operations_that_can_be_told_apart_stay(body: str) -> None:
    head = "graph f(x: float, k: int, flag: bool, u: f64[n], z: f64[n], m: i64[n], g: opaque)"
    assert merged(head + " { " + body + " }") == 0


def test_a_read_in_a_loop_that_writes_is_not_the_one_before_it() -> None:
    text = """
    graph f(u: f64[n]) {
      a = getitem(u, 0)
      y: f64 = for(range(0, 3, 1), a) body (i: int, y1: f64) {
        b = getitem(u, 0)
        setitem(u, 0, 1.0)
        yield b
      }
      return y
    }"""
    assert merged(text) == 0


def test_arguments_that_are_checked_not_to_overlap_are_apart() -> None:
    graph = read_graph("""
    graph f(u: f64[n], z: f64[n], k: int) {
      a = getitem(u, k)
      setitem(z, 0, 1.0)
      b = getitem(u, k)
      c = build_tuple(a, b)
      return c
    }""")
    assert cse(graph) is graph
    after = cse(graph, overlapping=False)
    assert count(after) == count(graph) - 1
    verify_memory(graph, after, overlapping=False)
