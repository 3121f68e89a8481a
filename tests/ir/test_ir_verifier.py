"""Every rule of the verifier catches a graph that breaks it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from graphs import Program, programs
from runtime.errors import GraphError
from runtime.ir.graph import Constant, Graph, Node, Region, Terminator, Value
from runtime.ir.names import OPERATIONS
from runtime.ir.reader import read_graph
from runtime.ir.types import FLOAT, INT
from runtime.ir.verifier import verify
from runtime.ops.registry import Operation

GOOD = """
graph f(x: int, xs: list) {
  flag: bool = lt(x, 3)
  y: int, z: int = while(0, x) test (y1: int, z1: int) {
    more: bool = lt(y1, x)
    yield more
  } body (y2: int, z2: int) {
    if(flag) then {
      break y2, z2
    } else {
      yield
    }
    next: int = add(y2, 1)
    yield next, z2
  } orelse (y3: int, z3: int) {
    yield y3, z3
  }
  w: int = for(xs, y) body (item: opaque, w1: int) {
    u: int = block() body {
      v: int | none = if(flag) then {
        return w1
      } else {
        yield None
      }
      return 4
    }
    if(item) then {
      continue u
    } else {
      raise @ValueError
    }
    unreachable
  }
  if(flag) then {
    return 1
  } else {
    yield
  }
  return w
}
"""


def test_good_graph_is_returned() -> None:
    graph = read_graph(GOOD)
    assert verify(graph) is graph


@given(programs())
@settings(max_examples=40, deadline=None)
def test_random_graphs_are_well_formed(program: Program) -> None:
    verify(program.graph)


FAULTS = [
    ("flag: bool = lt(x, 3)", "flag: int = lt(x, 3)",
     "'flag' has type int, which does not cover bool"),
    ("flag: bool = lt(x, 3)", "flag: bool, other: int = lt(x, 3)", "it has 1 outputs, not 2"),
    ("flag: bool = lt(x, 3)", "flag: bool = lt(x, 3) [keywords=(1, 2)]",
     "a keyword is not a string"),
    ("flag: bool = lt(x, 3)", 'flag: bool = lt(x, 3) [keywords=("a", "b", "c")]',
     "more inputs than there are"),
    ("flag: bool = lt(x, 3)", "flag: bool = lt(a=x, a=3)", "a keyword is given twice"),
    ("flag: bool = lt(x, 3)", "flag: bool = lt(x, 3) [starred=(2,)]", "starred counts an input"),
    ("flag: bool = lt(x, 3)", "flag: bool = lt(x, 3) region { yield }",
     "the operation has no regions"),
    ("while(0, x)", "while(0, 1.5)",
     "'z1' has type int, which does not cover float: 1.5 flows into the test"),
    ("while(0, x)", "while(0)", "it takes 2 inputs, not 1"),
    ("test (y1: int, z1: int)", "test (y1: int)", "region test takes 2 parameters, not 1"),
    ("yield more", "yield more, more", "the test takes 1 values, not 2"),
    ("yield more", "break 0, 1", "break: it cannot stand here"),
    ("yield more", "return 0", "return: it cannot stand here"),
    ("body (y2: int, z2: int)", "body (y2: bool, z2: int)",
     "'y2' has type bool, which does not cover int"),
    ("break y2, z2", "break y2", "the outputs of the loop takes 2 values, not 1"),
    ("break y2, z2", "break y2, 2.5", "'z' has type int, which does not cover float"),
    ("break y2, z2", "continue y2, 2.5", "'z1' has type int, which does not cover float"),
    ("yield next, z2", "yield 1.5, z2", "'y1' has type int, which does not cover float"),
    ("yield next, z2", "yield next", "the next test takes 2 values, not 1"),
    ("orelse (y3: int, z3: int)", "orelse (y3: bool, z3: int)",
     "'y3' has type bool, which does not"),
    ("yield y3, z3", "yield y3, None", "'z' has type int, which does not cover none"),
    ("yield y3, z3", "break y3, z3", "break: it cannot stand here"),
    ("y: int, z: int = while", "y: int, z: bool = while",
     "'z' has type bool, which does not cover int"),
    ("for(xs, y) body (item: opaque, w1: int)", "for(xs, y) body (item: opaque, w1: bool)",
     "not cover int"),
    ("for(xs, y) body (item: opaque, w1: int)", "for(xs) body (item: opaque, w1: int)",
     "it takes 2 inputs, not 1"),
    ("w: int = for(xs, y)", "w: int = for(xs, 1.5)", "which does not cover float"),
    ("continue u", "continue 1.5", "which does not cover float"),
    ("continue u", "break 1.5", "'w' has type int, which does not cover float"),
    ("continue u", "yield u", "the operation takes 0 values, not 1"),
    ("        return w1\n", "        return 1.5\n", "'u' has type int, which does not cover float"),
    ("        return w1\n", "        return w1, w1\n", "the block takes 1 values, not 2"),
    ("        return w1\n", "        break w1\n", "break: it cannot stand here"),
    ("        yield None\n", "        yield 1.5\n",
     "'v' has type int | none, which does not cover float"),
    ("      return 4\n", "      yield 4\n", "yield: it cannot stand here"),
    ("raise @ValueError", "raise", "it takes an exception"),
    ("    unreachable\n", "    unreachable flag\n", "it hands over nothing"),
    ("  return w\n", "  return w, w\n", "the graph takes 1 values, not 2"),
    ("  return w\n", "  break\n", "break: it cannot stand here"),
    ("    return 1\n", "    return\n", "the graph takes 1 values, not 0"),
    ("u: int = block() body {", "u: int = block() body (q: int) {",
     "its region body takes 0 parameters, not 1"),
    ("body (item: opaque, w1: int)", "body (item: opaque, w1: int, q: int)",
     "its region body takes 2 parameters, not 3"),
    ("u: int = block()", "u: int = block(x)", "it takes 0 inputs, not 1"),
    ("  if(flag) then {\n    return 1\n  }", "  if(flag, x) then {\n    return 1\n  }",
     "it takes 1 inputs, not 2"),
    (" else {\n    yield\n  }\n  return w", "\n  return w", "it has 1 regions"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS)
def test_fault_is_caught(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    graph = read_graph(GOOD.replace(old, new))
    with pytest.raises(GraphError) as caught:
        verify(graph)
    assert message in str(caught.value)
    assert caught.value.__notes__[0].startswith("graph f(x: int")


def test_message_names_operation_and_value() -> None:
    graph = read_graph(GOOD.replace("flag: bool = lt(x, 3)", "flag: int = lt(x, 3)"))
    with pytest.raises(GraphError) as caught:
        verify(graph)
    assert str(caught.value) == (
        "graph f: flag = lt(x, 3): 'flag' has type int, which does not cover bool: "
        "the operation gives"
    )


def with_nodes(graph: Graph, *nodes: object) -> Graph:
    return replace(graph, body=replace(graph.body, nodes=tuple(nodes)))


@pytest.fixture
def simple() -> Graph:
    return read_graph("graph f(x: int) { y = add(x, 1) z = add(y, 1) return z }")


def test_use_before_definition(simple: Graph) -> None:
    first, second = simple.nodes
    with pytest.raises(GraphError, match=r"z = add\(y, 1\): 'y' is not defined here"):
        verify(with_nodes(simple, second, first))


def test_use_of_a_value_of_an_inner_region() -> None:
    graph = read_graph(
        "graph f(x: int) { if(x) then { y = add(x, 1) yield } else { yield } return x }"
    )
    (inner,) = graph.nodes[0].regions[0].nodes
    end = Terminator("return", inner.outputs)
    with pytest.raises(GraphError, match="'y' is not defined here"):
        verify(replace(graph, body=replace(graph.body, end=end)))


def test_use_in_the_sibling_region() -> None:
    graph = read_graph("graph f(x: int) { y: int = if(x) then { z = add(x, 1) yield z } else "
                       "{ yield x } return y }")  # fmt: skip
    node = graph.nodes[0]
    then, other = node.regions
    regions = (then, replace(other, end=then.end))
    with pytest.raises(GraphError, match="'z' is not defined here"):
        verify(with_nodes(graph, replace(node, regions=regions)))


def test_output_used_inside_its_own_region() -> None:
    graph = read_graph("graph f(x: int) { y: int = if(x) then { yield x } else { yield x } "
                       "return y }")  # fmt: skip
    node = graph.nodes[0]
    inside = replace(node.regions[0], end=Terminator("yield", node.outputs))
    with pytest.raises(GraphError, match="'y' is not defined here"):
        verify(with_nodes(graph, replace(node, regions=(inside, node.regions[1]))))


def test_second_definition(simple: Graph) -> None:
    first, second = simple.nodes
    again = replace(second, outputs=first.outputs)
    with pytest.raises(GraphError, match="'y' is defined twice"):
        verify(with_nodes(simple, first, again))


def test_equal_keys(simple: Graph) -> None:
    first, second = simple.nodes
    with pytest.raises(GraphError, match="another operation has the same key"):
        verify(with_nodes(simple, first, replace(second, key=first.key)))


def test_defined_constant(simple: Graph) -> None:
    first, second = simple.nodes
    constant = Constant(1)
    constant.type = INT
    with pytest.raises(GraphError, match="a constant cannot be defined"):
        verify(with_nodes(simple, first, replace(second, outputs=(constant,))))


def test_constant_of_another_type() -> None:
    constant = Constant(1)
    constant.type = FLOAT
    graph = Graph("f", Region((), (), Terminator("return", (constant,))))
    with pytest.raises(GraphError, match="a constant has the type float, not its own"):
        verify(graph)


def test_unregistered_operation(simple: Graph) -> None:
    first, second = simple.nodes
    other = Operation("add", first.op.kernel, first.op.infer, first.op.effects)
    with pytest.raises(GraphError, match="the operation is not registered"):
        verify(with_nodes(simple, replace(first, op=other), second))


def test_parameter_defined_twice() -> None:
    x = Value(INT, "x")
    with pytest.raises(GraphError, match="'x' is defined twice"):
        verify(Graph("f", Region((x, x), (), Terminator("return", (x,)))))


GUARDED = """\
graph f(x: int, m: opaque) {
  s: slot<int | none> = slot(None)
  try((@ValueError, @KeyError), @BaseException) [orelse=True, final=True] body {
    v: int = apply(x, 1) [function="g"]
    setitem(s, 0, v)
    yield
  } except (error: opaque) {
    if(x) then {
      raise
    } else {
      yield
    }
    return 1
  } except (other: opaque) {
    raise other
  } orelse {
    with(m) body (entered: opaque) {
      yield
    }
    yield
  } final {
    yield
  }
  w: int | none = getitem(s, 0)
  return w
}
function g(a: int, b: int) {
  if(b) then {
    return 0
  } else {
    yield
  }
  u: int = apply(a, b) [function="g"]
  return u
}
"""
GUARDED_FAULTS = [
    ("(error: opaque)", "(error: opaque, more: opaque)",
     "its region except takes 1 parameters, not 2"),
    ("(@ValueError, @KeyError), @BaseException", "m, @BaseException", "are not constant"),
    ("    setitem(s, 0, v)\n    yield\n", "    yield v\n", "the operation takes 0 values, not 1"),
    ("    setitem(s, 0, v)\n    yield\n", "    raise\n", "it takes an exception"),
    ("  } final {\n    yield\n", "  } final {\n    raise\n", "it takes an exception"),
    ("  } final {\n    yield\n", "  } final {\n    break\n", "break: it cannot stand here"),
    ("raise other", "raise other, other, other", "it takes an exception and possibly a cause"),
    ("with(m) body (entered: opaque)", "with(m, m) body (entered: opaque)",
     "it takes 1 inputs, not 2"),
    ("with(m) body (entered: opaque)", "with(m) body", "its region body takes 1 parameters"),
    ("with(m) body (entered", "z: int = with(m) body (entered", "it has outputs"),
    ('v: int = apply(x, 1) [function="g"]', 'v: int = apply(x) [function="g"]',
     "the function takes 2 values, not 1"),
    ('v: int = apply(x, 1) [function="g"]', 'v: int = apply(x, 1.5) [function="g"]',
     "'b' has type int, which does not cover float"),
    ('v: int = apply(x, 1) [function="g"]', 'v: int = apply(x, 1) [function="h"]',
     "the graph has no such function"),
    ('v: int = apply(x, 1) [function="g"]', 'v: int = apply(x, 1) [function="g"] region { yield }',
     "one output and no regions"),
    ("    return 0\n", "    return None\n", "'v' has type int, which does not cover none"),
    ("  return u\n", "  return u, u\n", "the function takes 1 values, not 2"),
    ("setitem(s, 0, v)", "setitem(s, 1, v)", "'s' is not read or written as a variable"),
    ("setitem(s, 0, v)", "delitem(s, 0)", "'s' is not read or written as a variable"),
    ("setitem(s, 0, v)", "setitem(m, 0, s)", "'s' is not read or written as a variable"),
    ("setitem(s, 0, v)", "setitem(s, 0, 1.5)",
     "'s' holds int | none, which does not cover float"),
    ("w: int | none = getitem(s, 0)", "w: float = getitem(s, 0)",
     "'w' has type float, which does not cover"),
]  # fmt: skip


def test_errors_and_functions_are_well_formed() -> None:
    verify(read_graph(GUARDED))


@pytest.mark.parametrize(("old", "new", "message"), GUARDED_FAULTS)
def test_fault_of_errors_and_functions_is_caught(old: str, new: str, message: str) -> None:
    assert GUARDED.count(old) == 1
    with pytest.raises(GraphError) as caught:
        verify(read_graph(GUARDED.replace(old, new)))
    assert message in str(caught.value)


def test_a_read_may_know_less_than_all_that_is_written() -> None:
    """Before anything else was written, a variable holds its first value."""
    verify(read_graph(GUARDED.replace("w: int | none = getitem", "w: int = getitem")))


def test_try_has_a_handler_or_a_final_part() -> None:
    for attributes, parts in (("", ""), (" [orelse=True, final=True]", " orelse { yield }")):
        parts += " final { yield }" * ("final" in attributes)
        graph = read_graph(f"graph f() {{ try(){attributes} body {{ yield }}{parts} return 1 }}")
        with pytest.raises(GraphError, match="it has no handler"):
            verify(graph)


def test_try_has_as_many_regions_as_parts() -> None:
    graph = read_graph(GUARDED)
    (slot, node, read) = graph.nodes
    fewer = replace(node, attrs={"final": True})
    nodes = (slot, fewer, read)
    with pytest.raises(GraphError, match="it has 5 regions"):
        verify(replace(graph, body=replace(graph.body, nodes=nodes)))


@pytest.mark.parametrize("part", range(5))
def test_what_a_part_defines_is_seen_nowhere_else(part: int) -> None:
    graph = read_graph(GUARDED)
    defined = Value(INT, "made_inside")
    add = Node(OPERATIONS["add"], (Constant(1), Constant(2)), {}, (), (defined,), None)
    (slot, node, read) = graph.nodes
    regions = list(node.regions)
    regions[part] = replace(regions[part], nodes=(add, *regions[part].nodes))
    other = (part + 1) % 5
    regions[other] = replace(regions[other], end=Terminator("return", (defined,)))
    nodes = (slot, replace(node, regions=tuple(regions)), read)
    with pytest.raises(GraphError, match="'made_inside' is not defined here"):
        verify(replace(graph, body=replace(graph.body, nodes=nodes)))


def test_a_function_sees_nothing_of_the_graph() -> None:
    graph = read_graph(GUARDED)
    (function,) = graph.functions
    body = replace(function.body, end=Terminator("return", (graph.params[0],)))
    with pytest.raises(GraphError, match="'x' is not defined here"):
        verify(replace(graph, functions=(replace(function, body=body),)))


def test_two_functions_of_one_name_are_refused() -> None:
    graph = read_graph(GUARDED)
    twice = read_graph("graph f() { return 1 } function g() { return 1 } function g() { return 2 }")
    with pytest.raises(GraphError, match="two functions have one name"):
        verify(replace(graph, functions=twice.functions))
