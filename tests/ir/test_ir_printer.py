"""The text of graphs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from graphs import programs
from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Graph, Origin, Region, Terminator, Value
from runtime.ir.printer import Names, describe_object, format_constant, format_graph, graph_objects
from runtime.ir.reader import read_graph
from runtime.ir.types import FLOAT, INT, IteratorType, ObjectType, TupleType, UnionType
from runtime.ops.catalog import OPERATIONS


def sample() -> Graph:
    """Return ``while count < limit: count, y = count + 1, max(y, axis=0)``."""
    build = Builder()
    limit = build.param(INT, "limit")
    origin = Origin("user.py", 4, 8, 4, 20, "f")
    states = [[Value(INT, "count"), Value(FLOAT, "y")] for _ in range(3)]
    with build.region(states[1]) as test:
        more = build.append(OPERATIONS["lt"], [states[1][0], limit], name="more")
        build.end("yield", more)
    with build.region(states[2]) as body:
        after, = build.append(OPERATIONS["add"], [states[2][0], Constant(1)], origin=origin)
        build.end("yield", [after, states[2][1]])
    build.append(
        OPERATIONS["while"], [Constant(0), Constant(0.5)],
        regions=[test.close(), body.close()], outputs=states[0], origin=origin,
    )  # fmt: skip
    build.end("return", [states[0][1]])
    return build.graph("f", "user.py")


def test_loop_is_printed_region_by_region() -> None:
    assert format_graph(sample()) == """\
graph f(limit: int) -> float {
  count: int, y: float = while(0, 0.5) test (count1: int, y1: float) {
    more: bool = lt(count1, limit)
    yield more
  } body (count2: int, y2: float) {
    v: int = add(count2, 1)
    yield v, y2
  }
  return y
}
"""


def test_lines_are_comments() -> None:
    text = format_graph(sample(), lines=True)
    assert "    v: int = add(count2, 1)  # line 4\n" in text
    assert "test (count1: int, y1: float) {  # line 4\n" in text


def test_origins_are_written_with_their_callers() -> None:
    node = sample().nodes[0]
    caller = Origin("user.py", 1, 0, 2, 3, "main")
    inner = Origin("other.py", 7, 1, 7, 9, "helper", caller)
    graph = replace(sample(), body=replace(sample().body, nodes=(replace(node, origin=inner),)))
    text = format_graph(graph, origins=True)
    assert 'at 7:1 to 7:9 in "helper" of "other.py" from 1:0 to 2:3 in "main" test' in text
    assert text.startswith('graph f(limit: int) -> float file "user.py" {')


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"), (-3, "-3"), (True, "True"), (None, "None"), (..., "..."),
        (-0.0, "-0.0"), (float("inf"), "inf"), (float("-inf"), "-inf"), (float("nan"), "nan"),
        (-float("nan"), "-nan"), (1e-7, "1e-07"), (0.1, "0.1"), (complex(-0.0, 2),
         "complex(-0.0, 2.0)"),
        ("a\n\"b\"\\\ud800\x00é", r'"a\n\"b\"\\\ud800\x00é"'), (b"a\xff\n", r'b"a\xff\n"'),
        ((), "()"), ((1,), "(1,)"), ((1, (2.0, "x")), '(1, (2.0, "x"))'),
        (slice(None, 3), "slice(None, 3, None)"), (range(1, 9, 2), "range(1, 9, 2)"),
        (np.float32(0.1), "f32(0.10000000149011612)"), (np.int8(-3), "i8(-3)"),
        (np.bool_(True), "bool_(True)"), (np.complex64(1j), "c64(0.0, 1.0)"),
        (np.dtype("f4"), "dtype(f32)"), (np.dtype(">f8"), 'dtype(">f8")'),
        (ValueError, "@ValueError"), (np.float64, "@np.float64"), (int, "@int"),
        ([1], "<list>"), (np.zeros((2, 3)), "<f64[2, 3]>"),
    ],
)  # fmt: skip
def test_constants(value: object, text: str) -> None:
    assert format_constant(value) == text


def test_huge_numbers_are_hexadecimal() -> None:
    assert format_constant(-(10**5000)) == hex(-(10**5000))


def test_objects_are_numbered_and_said_once() -> None:
    build = Builder()
    held, other = [1], np.zeros(3)
    inputs = [Constant(held), Constant(other), Constant(held)]
    build.end("return", build.append(OPERATIONS["build_tuple"], inputs))
    graph = build.graph("f")
    assert "build_tuple(@1, @2, @1)  # @1: list, @2: f64[3]\n" in format_graph(graph)
    assert graph_objects(graph)["1"] is held
    assert graph_objects(graph)["2"] is other


def test_object_words_hold_no_address() -> None:
    class Held:
        pass

    assert describe_object(Held()) == "Held"
    assert "0x" not in describe_object(lambda: 0)


def test_names_do_not_collide_with_words_or_each_other() -> None:
    names = Names()
    hints = ["y", "y", "y1", "", "", "None", "a b", "1x", "self.x", "nan"]
    found = [names.of(Value(INT, hint)) for hint in hints]
    assert found == ["y", "y1", "y11", "v", "v1", "None1", "a_b", "v1x", "self.x", "nan1"]


def test_keywords_that_cannot_be_words_stay_attributes() -> None:
    build = Builder()
    attrs = {"keywords": ("not a word",), "odd name": 1}
    build.end("return", build.append(OPERATIONS["build_tuple"], [Constant(1)], attrs))
    text = format_graph(build.graph("f"))
    assert 'build_tuple(1) [keywords=("not a word",), "odd name"=1]' in text


@pytest.mark.parametrize(
    ("attrs", "text"),
    [
        ({"keywords": ("axis",)}, "(1, 2, axis=3)"),
        ({"keywords": ("a", "b", "c")}, "(a=1, b=2, c=3)"),
        ({"keywords": ()}, "(1, 2, 3) [keywords=()]"),
        ({"keywords": 7}, "(1, 2, 3) [keywords=7]"),
        ({"keywords": ("a",) * 4}, '(1, 2, 3) [keywords=("a", "a", "a", "a")]'),
        ({"keywords": ("nan",)}, '(1, 2, 3) [keywords=("nan",)]'),
        ({"starred": (0, 2)}, "(*1, 2, *3)"),
        ({"starred": (1,), "keywords": ("c",)}, "(1, *2, c=3)"),
        ({"starred": ()}, "(1, 2, 3) [starred=()]"),
        ({"starred": [1]}, "(1, 2, 3) [starred=@1]  # @1: list"),
        ({"starred": (3,)}, "(1, 2, 3) [starred=(3,)]"),
        ({"starred": (2,), "keywords": ("c",)}, "(1, 2, c=3) [starred=(2,)]"),
        ({"starred": (1, 0)}, "(1, 2, 3) [starred=(1, 0)]"),
        ({"starred": (True,)}, "(1, 2, 3) [starred=(True,)]"),
    ],
)
def test_inputs_show_keywords_and_stars_where_they_can(
    attrs: dict[str, object], text: str
) -> None:
    build = Builder()
    inputs = [Constant(1), Constant(2), Constant(3)]
    build.append(OPERATIONS["build_tuple"], inputs, attrs, outputs=[Value(INT, "t")])
    build.end("return")
    assert f"  t: int = build_tuple{text}\n" in format_graph(build.graph("f"))


def test_results_are_declared_whatever_the_end() -> None:
    def declared(*end: Terminator) -> str:
        return format_graph(Graph("f", Region((), (), *end))).splitlines()[0]

    assert declared(Terminator("return")) == "graph f() -> () {"
    assert declared(Terminator("unreachable")) == "graph f() -> bottom {"
    two = (Constant(1), Constant(2.0))
    assert declared(Terminator("return", two)) == "graph f() -> int(1), float {"


class Held:
    """A class of a user."""


def test_objects_hold_the_classes_that_types_name() -> None:
    held = ObjectType(Held)
    types = (
        TupleType((held,)), IteratorType(held), UnionType((INT, held)), held, ObjectType(type(len)),
    )  # fmt: skip
    for type_ in types:
        x = Value(type_, "x")
        graph = Graph("f", Region((x,), (), Terminator("return", (x,))))
        expected = {f"{Held.__module__}.Held": Held} if type_ is not types[-1] else {}
        assert graph_objects(graph) == expected


def test_numpy_values_that_a_literal_would_change_are_objects() -> None:
    assert format_constant(np.longlong(3)) == "<longlong>"
    assert format_constant(np.dtype("q")) == "<LongLongDType>"
    assert format_constant(np.dtype("f4", metadata={"unit": 1})).startswith("<")
    assert format_constant(np.longdouble(0.1)) == "<longdouble>"


def test_graph_that_uses_an_undefined_value_is_printed() -> None:
    graph = Graph("<lambda>", Region((), (), Terminator("return", (Value(INT, "x"),))))
    assert format_graph(graph) == 'graph "<lambda>"() -> int {\n  return x\n}\n'


@given(programs())
@settings(max_examples=25, deadline=None)
def test_printing_twice_gives_the_same(program: object) -> None:
    graph = program.graph
    assert format_graph(graph, origins=True) == format_graph(graph, origins=True)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_text_does_not_depend_on_the_hash_seed(seed: str) -> None:
    code = "import test_ir_printer as t, sys; sys.stdout.write(t.format_graph(t.sample()))"
    paths = [path for path in sys.path if path]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"],
        env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == format_graph(sample())


def test_parts_of_a_try_are_named_and_functions_follow() -> None:
    text = """\
graph f(x: int) -> none {
  try(@ValueError, (@KeyError, @IndexError)) [orelse=True, final=True] body {
    v: int = apply(x) [function="g"]
    yield
  } except (error: opaque) {
    raise
  } except (error1: opaque) {
    yield
  } orelse {
    yield
  } final {
    with(x) body (entered: opaque) {
      yield
    }
    yield
  }
  return None
}
function g(x1: int) -> int {
  return x1
}
"""
    graph = read_graph(text)
    assert format_graph(graph) == text
    assert [function.name for function in graph.functions] == ["g"]


def test_functions_keep_their_files() -> None:
    text = 'graph f() -> int(1) file "a.py" {\n  return 1\n}\n'
    text += 'function g() -> int(1) file "b.py" {\n  return 1 at 1:0 to 1:3 in "g"\n}\n'
    graph = read_graph(text)
    assert format_graph(graph, origins=True) == text
    end = graph.functions[0].body.end
    assert end.origin is not None
    assert (graph.functions[0].file, end.origin.file) == ("b.py", "b.py")
