"""The paths through a function."""

from __future__ import annotations

import ast

import gast

from autograph.syntax import cfg, scope


def graph_of(text):
    function = gast.ast_to_gast(ast.parse(text)).body[0]
    return function, cfg.build(function, scope.analyze(function))


def after(graph, statement, role="run"):
    """Return (role, line) of the nodes that follow a node."""
    nodes = [graph.nodes[n] for n in graph.nodes[graph.index[statement, role]].successors]
    return [(node.role, getattr(node.statement, "lineno", 0)) for node in nodes]


def is_reached(graph, statement, role):
    seen, waiting = set(), [0]
    while waiting:
        number = waiting.pop()
        if number not in seen:
            seen.add(number)
            waiting += graph.nodes[number].successors
    return graph.index[statement, role] in seen


def events(text):
    function, graph = graph_of(f"def f(a, b, c):\n  {text}")
    number = graph.index[function.body[0], "run"]
    return [(e.kind, e.name, e.certain) for e in graph.nodes[number].events]


def test_zero_trip_loop_goes_straight_on():
    function, graph = graph_of("def f(xs):\n  for x in xs:\n    y = x\n  return y")
    [loop, _] = function.body
    assert after(graph, loop, "head") == [("target", 2), ("orelse", 2)]
    assert after(graph, loop, "body") == [("head", 2)]


def test_break_skips_else_and_continue_goes_to_the_head():
    function, graph = graph_of(
        "def f(c):\n  while c:\n    if c: break\n    continue\n  else:\n    c = 1\n  return c"
    )
    loop = function.body[0]
    assert after(graph, loop.body[0].body[0]) == [("join", 2)]
    assert after(graph, loop.body[1]) == [("test", 2)]
    assert after(graph, loop, "test") == [("test", 3), ("run", 6)]


def test_jumps_in_else_leave_the_outer_loop():
    function, graph = graph_of(
        "def f(c):\n  while c:\n    for x in c: pass\n    else: break\n  return c"
    )
    inner = function.body[0].body[0]
    assert after(graph, inner.orelse[0]) == [("join", 2)]


def test_endless_loop_ends_only_by_break():
    function, graph = graph_of("def f(c):\n  while True:\n    c = 1\n  return c")
    loop, end = function.body
    assert after(graph, loop, "test") == [("run", 3)]
    assert not is_reached(graph, loop, "join")
    assert after(graph, end) == [("exit", 0)]


def test_return_and_raise_leave():
    function, graph = graph_of("def f(c):\n  if c: return 1\n  else: raise c\n  c = 2")
    branch = function.body[0]
    assert after(graph, branch.body[0]) == after(graph, branch.orelse[0]) == [("exit", 0)]
    assert not is_reached(graph, branch, "join")


def test_values_come_before_targets():
    assert events("a = b = c") == [
        ("read", "c", True), ("write", "a", True), ("write", "b", True)
    ]  # fmt: skip


def test_augmented_assignment_reads_first():
    assert events("a += b") == [("read", "a", True), ("read", "b", True), ("write", "a", True)]


def test_skipped_operands_are_uncertain():
    assert events("(a and b)") == [("read", "a", True), ("read", "b", False)]
    assert events("(a if b else c)") == [
        ("read", "b", True), ("read", "a", False), ("read", "c", False)
    ]  # fmt: skip
    assert events("(a < b < c)") == [
        ("read", "a", True), ("read", "b", True), ("read", "c", False)
    ]  # fmt: skip


def test_names_bound_by_def_walrus_and_del():
    assert events("def g(x=a): return b") == [
        ("read", "a", True), ("make", "", True), ("write", "g", True)
    ]  # fmt: skip
    assert events("(a := b)") == [("read", "b", True), ("write", "a", True)]
    assert events("del a") == [("delete", "a", True)]


def test_annotations_do_not_happen():
    assert events("a: b") == []
    assert events("a: b = c") == [("read", "c", True), ("write", "a", True)]
