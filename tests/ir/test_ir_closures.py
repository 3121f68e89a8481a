"""The operation ``closure``: its text, its rules, and the functions it makes."""

from __future__ import annotations

import inspect
from types import FunctionType

import pytest

from runtime.errors import GraphError
from runtime.ir.printer import format_graph
from runtime.ir.reader import read_graph
from runtime.ir.verifier import verify
from runtime.lowering.program import lower
from runtime.memory.classes import alias_classes
from runtime.memory.escapes import escapes
from runtime.ops.catalog import OPERATIONS
from runtime.ops.closures import CLOSURE, maker
from runtime.passes.pipeline import optimize

GOOD = """
graph f(n: int, x: f64[3]) -> list {
  fns: list = build_list()
  i: slot<opaque> = slot(@UNBOUND)
  trips: range = builtins.range(n)
  for(trips) body (item: int) {
    setitem(i, 0, item)
    made: opaque = closure(i, x, 2.5) [function="g", captured=2, defaults=1, parameters=("v", "*",
      "w"), keyword_defaults=(), name="g", qualname="f.g", module="m", doc="Say.",
      annotations=(("v", "float"),)]
    none: none = method(fns, made) [name="append"]
    yield
  }
  return fns
}
function g(i1: slot<opaque>, x1: f64[3], v: opaque, w: opaque) -> opaque {
  i2: opaque = getitem(i1, 0)
  i3: opaque = check_bound(i2) [name="i", free=True]
  a: opaque = mul(v, i3)
  b: opaque = add(a, w)
  c: opaque = add(b, x1)
  return c
}
""".replace(",\n      ", ", ")


def test_the_text_is_read_and_written():
    """Printing what was read gives the text again."""
    assert OPERATIONS["closure"] is CLOSURE
    graph = read_graph(GOOD)
    verify(graph)
    again = read_graph(format_graph(graph))
    assert format_graph(again) == format_graph(graph)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('function="g"', 'function="other"'),
        ("captured=2", "captured=1"),
        ("captured=2", "captured=4"),
        ('("v", "*", "w")', '("v", "*")'),
        ("captured=2, ", ""),
        ("v: opaque, w", "v: int, w"),
        ("x1: f64[3]", "x1: f64[4]"),
        ("i: slot<opaque> = slot(@UNBOUND)", "i: slot<unbound | int> = slot(@UNBOUND)"),
        ("made: opaque", "made: int"),
    ],
)
def test_the_verifier_catches(old: str, new: str):
    """Every rule has a graph that breaks it."""
    assert old in GOOD
    with pytest.raises(GraphError):
        verify(read_graph(GOOD.replace(old, new, 1)))


def test_what_is_captured_escapes():
    """Anybody who has the function can reach it."""
    graph = read_graph(GOOD)
    classes = alias_classes(graph)
    found = escapes(graph, classes)
    x, slot = graph.params[1], graph.nodes[1].outputs[0]
    assert found.of(x) is not None and found.of(slot) is not None


@pytest.mark.parametrize("optimized", [False, True])
def test_the_program_makes_functions_of_python(optimized: bool):
    """Late binding, defaults, and what a function says of itself."""
    graph = read_graph(GOOD)
    if optimized:
        graph = optimize(graph, verify=True)
    first, last = lower(graph).function(2, 100)
    assert first is not last
    assert first(10, w=2) == last(10, w=2) == 10 * 1 + 2 + 100
    assert isinstance(first, FunctionType)
    assert str(inspect.signature(last)) == "(v: 'float' = 2.5, *, w)"


def test_a_made_function_is_like_the_plain_one():
    """Name, parameters, defaults, documentation, and the words of its errors."""
    make = maker({
        "captured": 1, "defaults": 1, "keyword_defaults": ("k",), "module": "m", "doc": "Add.",
        "parameters": ("a", "/", "b", "*", "k"), "name": "g", "qualname": "f.<locals>.g",
        "annotations": (("a", int),),
    })  # fmt: skip
    function = make(lambda captured, a, b, k: (captured, a, b, k), "kept", 2, 3)
    assert function(1) == ("kept", 1, 2, 3)
    assert function(1, b=5, k=6) == ("kept", 1, 5, 6)
    assert str(inspect.signature(function)) == "(a: int, /, b=2, *, k=3)"
    assert (function.__name__, function.__qualname__) == ("g", "f.<locals>.g")
    assert (function.__module__, function.__doc__) == ("m", "Add.")
    with pytest.raises(TypeError, match=r"f\.<locals>\.g\(\) missing 1 required positional"):
        function()


def test_names_of_parameters_do_not_clash():
    """A parameter may be called like one of the maker's own names."""
    make = maker({
        "captured": 1, "defaults": 0, "keyword_defaults": (), "module": "m", "doc": None,
        "parameters": ("definition", "captured_0"), "name": "g", "qualname": "g",
        "annotations": (),
    })  # fmt: skip
    assert make(lambda *given: given, 0)(1, 2) == (0, 1, 2)
