"""Graphs and types from text."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import Program, programs
from runtime.errors import GraphError
from runtime.ir.graph import Constant, Graph, Node, Region, Terminator, Value
from runtime.ir.lattice import join_all
from runtime.ir.printer import format_graph, graph_objects
from runtime.ir.reader import read_graph, read_type
from runtime.ir.types import (
    BOTTOM,
    DICT,
    LIST,
    NONE,
    NUMBER_KINDS,
    OPAQUE,
    PLAIN,
    SET,
    SLICE,
    STRING,
    UNBOUND,
    ArrayType,
    IteratorType,
    NumberType,
    ObjectType,
    RangeType,
    ScalarType,
    TupleType,
    Type,
)
from runtime.ops.catalog import OPERATIONS


class Plain:
    """A class of a user."""


def same_graph(first: Graph, second: Graph, *, origins: bool = True) -> bool:
    """Tell whether two graphs are equal up to the names of values and the keys of operations."""
    pairs: dict[Value, Value] = {}

    def value(a: Value, b: Value) -> bool:
        if isinstance(a, Constant) and isinstance(b, Constant):
            literal = type(a.value) is type(b.value) and repr(a.value) == repr(b.value)
            return a.type == b.type and (a.value is b.value or literal)
        return type(a) is type(b) and a.type == b.type and pairs.setdefault(a, b) is b

    def values(a: tuple[Value, ...], b: tuple[Value, ...]) -> bool:
        return len(a) == len(b) and all(map(value, a, b))

    def end(a: Terminator, b: Terminator) -> bool:
        same_origin = a.origin == b.origin or not origins
        return a.kind == b.kind and values(a.values, b.values) and same_origin

    def node(a: Node, b: Node) -> bool:
        same_origin = a.origin == b.origin or not origins
        same = a.op is b.op and dict(a.attrs) == dict(b.attrs) and same_origin
        inner = len(a.regions) == len(b.regions) and all(map(region, a.regions, b.regions))
        return same and inner and values(a.inputs, b.inputs) and values(a.outputs, b.outputs)

    def region(a: Region, b: Region) -> bool:
        same = values(a.params, b.params) and len(a.nodes) == len(b.nodes)
        return same and all(map(node, a.nodes, b.nodes)) and end(a.end, b.end)

    files = first.file == second.file or not origins
    return first.name == second.name and files and region(first.body, second.body)


@given(programs())
@settings(max_examples=50, deadline=None)
def test_reading_undoes_printing(program: Program) -> None:
    text = format_graph(program.graph, origins=True)
    back = read_graph(text, graph_objects(program.graph).__getitem__)
    assert same_graph(program.graph, back)
    assert format_graph(back, origins=True) == text


@given(programs())
@settings(max_examples=20, deadline=None)
def test_printed_text_without_origins_is_stable(program: Program) -> None:
    text = format_graph(program.graph)
    back = read_graph(text, graph_objects(program.graph).__getitem__)
    assert format_graph(back) == text
    assert same_graph(program.graph, back, origins=False)


DAMAGES = ("(", ")", "{", "}", "[", ":", ",", '"', "\\", "=", "-", "9", "x", "@7", "yield", " ",
           "dtype<<M8[zz]>", "b\"\\q\"", "nan", "range(0, 10, 0)", "i8(300)", "é", "\x00", "\ud800",
           "object<a.b>", "((((", "float16(", "f16(1e300)", "slice(1,2)", "->")  # fmt: skip


@given(programs(), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_damaged_text_gives_a_graph_or_a_graph_error(program: Program, seed: int) -> None:
    text = format_graph(program.graph, origins=True)
    chance = random.Random(seed)
    for _ in range(8):
        damaged = text
        for _ in range(chance.randint(1, 3)):
            start = chance.randrange(len(damaged))
            stop = min(len(damaged), start + chance.choice((0, 1, 1, 5, 40)))
            middle = chance.choice((*DAMAGES, "", damaged[stop : stop + 9]))
            damaged = damaged[:start] + middle + damaged[stop:]
        try:
            read_graph(damaged)
        except GraphError as error:
            assert str(error).startswith("line ")


@given(st.text(max_size=60) | st.text(alphabet="graph f(x:int){}yield,=[]\"@ \n1", max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_text_gives_a_graph_error(text: str) -> None:
    with pytest.raises(GraphError):
        read_graph("graph f(" + text)


@pytest.mark.parametrize(
    "text",
    [
        "graph f() { return " + "(" * 100_000,
        "graph f() { " + "x: (" * 100_000,
        "graph f(x: " + "(" * 100_000,
        "graph f(x: int) {" + "y: int = block() body {" * 100_000,
        "graph f() { return " + "9" * 10_000 + " }",
        "graph f(x: f64[" + "9" * 50 + "]) { return x }",
        "graph f(x: f64[" + "?, " * 100 + "?]) { return x }",
        'graph f() { return dtype("f8, f8") }',
        'graph f() { return dtype("U99999999999") }',
        "graph f() { return f64(i8(3)) }",
        "graph f() { return complex(1, 2) }",
    ],
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(GraphError, match=r"^line 1, column"):
        read_graph(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph f(x: int) {\n  return y\n}", "line 2, column 10: no value is called 'y' here"),
        ("graph f(x: int) {\n  y: int = nothing(x)\n",
         "line 2, column 12: no operation is called 'nothing'"),
        ("graph f(x: integer) {", "line 1, column 12: expected a type, found 'integer'"),
        ("graph f(x: int, x: int) {", "line 1, column 17: the name 'x' is defined already"),
        ("graph f(x: int) { x: int = add(x, x)",
         "line 1, column 19: the name 'x' is defined already"),
        ("graph f(nan: int)", "line 1, column 9: expected the name of a new value, found 'nan'"),
        ("graph f(x: int) { }",
         "line 1, column 19: expected an operation or the end of the region"),
        ("graph f(x: int) { return x", "the end of the text"),
        ("graph f(x: int) { return x } more", "expected the end of the graph, found 'more'"),
        ("graph f(x: int) -> f64 { return x }", "said to be f64 but are int"),
        ("graph f(x: int) { return @1 }", "the object @1 is not known here"),
        ("graph f(x: object<a.B>) { return x }", "the class 'a.B' is not known here"),
        ('graph f(x: int) { return "\\q" }', r"unknown escape"),
        ("graph f(x: int) { y = add(a=x, x) return y }", "expected a keyword"),
        ("graph f(x: int) { y = if(x) then { yield 1 } else { yield 2 } return y }",
         "need types: y: ..."),
        ("graph f(x: int) { y = add(x, 1) [a=1, a=2] return y }", "'a' is given twice"),
        ("graph f(x: int) { return $ }", "line 1, column 26: unexpected character '$'"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(text: str, message: str) -> None:
    with pytest.raises(GraphError) as caught:
        read_graph(text)
    assert message in str(caught.value)


def test_attributes_keywords_and_stars_are_read() -> None:
    text = """\
graph f(x: int) -> int {
  t: int = build_tuple(*x, x, *3, axis=0) [count=2, "odd name"=(1, "a")]
  return t
}
"""
    graph = read_graph(text)
    assert dict(graph.nodes[0].attrs) == {
        "keywords": ("axis",), "starred": (0, 2), "count": 2, "odd name": (1, "a"),
    }  # fmt: skip
    assert format_graph(graph) == text


def test_end_without_results_is_read() -> None:
    for end, declared in (("return", "()"), ("unreachable", "bottom")):
        text = f"graph f() -> {declared} {{\n  {end}\n}}\n"
        assert format_graph(read_graph(text)) == text


@pytest.mark.parametrize("word", ["yield", "nan", "at", "unreachable"])
def test_words_are_no_values(word: str) -> None:
    with pytest.raises(GraphError):
        read_graph(f"graph f(x: int) {{ y = add(x, {word}y) return {word} }}")


def test_inner_values_are_not_seen_outside() -> None:
    text = "graph f(x: int) { if(x) then { y = add(x, 1) yield } else { yield } return y }"
    with pytest.raises(GraphError, match="no value is called 'y' here"):
        read_graph(text)


@pytest.mark.parametrize(
    "value",
    [
        3, -3, 10**4000, True, None, ..., -0.0, float("-inf"), 5e-324, 1.7e308,
        complex(-0.0, float("inf")), "a\n\"b\"\\\ud800\x00é\U0001f600\x7f", b"a\xff\n\"\\",
        (), (1,), (1, (2.0, "x", None)), slice(None, 3, (1,)), range(-1, 9, 2), range(10**30),
        np.float32(0.1),
        np.float16(0.1), np.int8(-3), np.uint64(2**64 - 1), np.bool_(False), np.complex64(1.1 + 1j),
        np.float64("inf"), np.dtype("f4"), np.dtype(">f8"), np.dtype("M8[25s]"), np.dtype("U3"),
        ValueError, np.float64, int,
    ],
)  # fmt: skip
def test_constants_come_back_exactly(value: object) -> None:
    graph = Graph("f", Region((), (), Terminator("return", (Constant(value),))))
    (back,) = read_graph(format_graph(graph)).results
    assert isinstance(back, Constant)
    assert type(back.value) is type(value)
    assert repr(back.value) == repr(value) if not isinstance(value, int) else back.value == value


@pytest.mark.parametrize(
    "text", ["dtype(f32)", "dtype(float32)", 'dtype("<f4")', "dtype(dtype<<f4>)"]
)
def test_forms_of_a_dtype(text: str) -> None:
    (constant,) = read_graph(f"graph f() {{ return {text} }}").results
    assert isinstance(constant, Constant)
    assert constant.value == np.dtype(np.float32)


@pytest.mark.parametrize("text", ["dtype(3)", "dtype(nothing)", "(1 2)", "(1)", "slice(1 2, 3)"])
def test_malformed_constants_are_refused(text: str) -> None:
    with pytest.raises(GraphError, match=r"line 1, column .* expected"):
        read_graph(f"graph f() {{ return {text} }}")


def test_huge_numbers_come_back() -> None:
    huge = Constant(-(10**5000))
    graph = Graph("f", Region((), (), Terminator("return", (huge,))))
    (back,) = read_graph(format_graph(graph)).results
    assert isinstance(back, Constant)
    assert back.value == huge.value


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_nan_keeps_its_sign(sign: float) -> None:
    value = np.copysign(np.nan, sign).item()
    graph = Graph("f", Region((), (), Terminator("return", (Constant(value),))))
    (back,) = read_graph(format_graph(graph)).results
    assert isinstance(back, Constant)
    assert np.float64(back.value).tobytes() == np.float64(value).tobytes()


EXTENTS = st.sampled_from((0, 1, 3, "n", "rows", None))
DTYPES = st.sampled_from([np.dtype(code) for code in "?bBhHiIlLefdFDg"] + [np.dtype(">f8")])
CLASSES = st.sampled_from((Plain, type(len), type(np), type(np.exp), type))
SIMPLE: st.SearchStrategy[Type] = st.one_of(
    st.sampled_from((BOTTOM, UNBOUND, OPAQUE, PLAIN, NONE, STRING, LIST, DICT, SET, SLICE)),
    st.builds(NumberType, st.sampled_from(NUMBER_KINDS)),
    st.builds(NumberType, st.just("int"), st.sampled_from((-3, 0, 7, "n"))),
    st.builds(ScalarType, DTYPES),
    st.builds(ArrayType, st.none() | DTYPES, st.none() | st.lists(EXTENTS, max_size=3).map(tuple)),
    st.builds(RangeType, EXTENTS),
    st.builds(ObjectType, CLASSES),
)
TYPES = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(TupleType, st.lists(inner, max_size=3).map(tuple)),
        st.builds(IteratorType, inner),
        st.lists(inner, min_size=2, max_size=3).map(join_all),
    ),
    max_leaves=5,
)


@given(TYPES)
@settings(max_examples=50, deadline=None)
def test_types_come_back_exactly(type_: Type) -> None:
    lookup = {f"{Plain.__module__}.Plain": Plain}.__getitem__
    back = read_type(str(type_), lookup)
    assert back == type_
    assert str(back) == str(type_)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("f64[n,3]", "f64[n, 3]"), ("float32[n]", "f32[n]"), ("float64", "f64"), ("bool[2]",
         "bool_[2]"),
        ("float[]", "f64[]"), ("None", "none"), ("(int)", "int"), ("( int , )", "(int,)"),
        (" str ", "str"), ("uint8[?]", "u8[?]"), ("int | float | int(3)", "float | int"),
    ],
)  # fmt: skip
def test_forms_that_people_write(text: str, printed: str) -> None:
    assert str(read_type(text)) == printed


@pytest.mark.parametrize(
    "text",
    ["", "f64[", "(int int)", '"int"', "->", "f64]", "f64[-1]", "f65", "int int", "(int", "1",
     "f64[1.5]", "iterator<int", "a | ", "object<os.system>", "f64[0x3]"],
)  # fmt: skip
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(GraphError, match=r"^line 1, column \d+: "):
        read_type(text)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_can_be_named(name: str) -> None:
    graph = read_graph(f"graph f(x: int) {{ y: int = {name}(x) return y }}")
    assert graph.nodes[0].op is OPERATIONS[name]
