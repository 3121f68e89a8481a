"""Whose name each name is."""

from __future__ import annotations

import ast

import gast
import pytest

from autograph.syntax.scope import analyze


def table(text):
    return analyze(gast.ast_to_gast(ast.parse(text)).body[0])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(b, /, a, *args, k=1, **rest): pass", "b a k args rest"),
        ("def f():\n  for i in xs:\n    s = i", "i s"),
        ("def f():\n  b = (a := 1)", "a b"),
        ("def f():\n  x: int\n  y: int = 1", "x y"),
        ("def f():\n  def g(z): w = z\n  h = 1", "g h"),
        ("def f():\n  (a, *b), c.d, e[i] = v", "a b"),
        ("def f():\n  global g\n  g = a = 1", "a"),
        ("def f():\n  del x", "x"),
        ("def f():\n  x += 1", "x"),
        ("def f():\n  return 1\n  x = 1", "x"),
    ],
)
def test_locals_in_order_of_first_binding(text, names):
    assert table(text).root.locals == tuple(names.split())


def test_owner_skips_functions_that_only_pass_a_name_on():
    found = table("def f(x):\n  def g():\n    def h(): return x\n    return h")
    innermost = list(found.root.walk())[-1]
    assert innermost.owner("x") is found.root
    assert innermost.owner("print") is None


def test_a_global_declaration_hides_the_local_around():
    found = table("def f(x):\n  def g():\n    global x\n    return x")
    assert found.root.children[0].owner("x") is None
    assert not found.root.captured


def test_captured_by_a_lambda():
    found = table("def f(x):\n  y = 1\n  return lambda z: x + z")
    assert list(found.root.captured) == ["x"]
    assert not found.root.rebound


def test_rebound_and_deleted_by_nonlocal():
    found = table("def f():\n  x = y = 1\n  def g():\n    nonlocal x, y\n    x = 2\n    del y")
    assert list(found.root.rebound) == ["x", "y"]
    assert list(found.root.deleted) == ["y"]
    assert found.root.children[0].locals == ()


def test_defaults_and_decorators_are_read_outside():
    found = table("def f(d, x):\n  @d\n  def g(y=x): return y")
    assert found.root.references == ("d", "x", "g")
    assert not found.root.captured
