"""Exact simplifications, and what is not one."""

from __future__ import annotations

import pytest

from runtime.ir.graph import Graph, walk
from runtime.ir.reader import read_graph
from runtime.ir.verifier import verify
from runtime.memory.verifier import verify_memory
from runtime.ops.catalog import OPERATIONS
from runtime.passes.simplify import simplify

assert OPERATIONS

HEAD = "graph f(x: float, k: int, b: bool, s: f64, u: f64[n], g: opaque, m: float | unbound)"


def simplified(body: str) -> tuple[Graph, Graph]:
    graph = read_graph(HEAD + " { " + body + " return a }")
    after = simplify(graph)
    verify(after)
    verify_memory(graph, after)
    return graph, after


@pytest.mark.parametrize(
    "body",
    [
        "a = pos(x)",
        "a = pos(k)",
        "a = truth(b)",
        'a = check_bound(x) [name="x"]',
        'a = getattr(u) [name="real"]',
    ],
)
def test_what_gives_its_input_goes(body: str) -> None:
    _, after = simplified(body)
    assert [node.op.name for node in walk(after.body)] == []


@pytest.mark.parametrize(
    "body",
    [
        "a = pos(b)",
        "a = pos(u)",
        "a = pos(s)",
        "a = truth(k)",
        "a = mul(k, 1)",
        "a = add(x, 0.0)",
        'a = check_bound(m) [name="m"]',
        'a = check_bound(g) [name="g"]',
        'a = getattr(u) [name="T"]',
        'a = getattr(u) [name="imag"]',
    ],
)
def test_what_may_give_something_else_stays(body: str) -> None:
    graph, after = simplified(body)
    assert after is graph
