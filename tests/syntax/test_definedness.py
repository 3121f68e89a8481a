"""Which names are bound."""

from __future__ import annotations

import ast

import gast
import pytest

from autograph.syntax import cfg, definedness, scope
from autograph.syntax.definedness import Status


def status(text, name="y", **options):
    """Return what is known of `name` at its last read."""
    function = gast.ast_to_gast(ast.parse(text)).body[0]
    own = scope.analyze(function)
    graph = cfg.build(function, own)
    start = {
        local: Status.BOUND if local in own.root.parameters else Status.UNBOUND
        for local in own.root.locals
    }
    found = definedness.analyze(graph, start, **options)
    reads = [node for node in found.reads if node.id == name]
    return found.reads[max(reads, key=lambda node: (node.lineno, node.col_offset))].name


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = 1\n  return y", "BOUND"),
        ("if x: y = 1\n  return y", "MAYBE"),
        ("if x: y = 1\n  else: y = 2\n  return y", "BOUND"),
        ("if x: y = 1\n  else: raise x\n  return y", "BOUND"),
        ("if x: y = 1\n  else: return 1\n  return y", "BOUND"),
        ("for y in x: pass\n  return y", "MAYBE"),
        ("for i in x: y = i\n  return y", "MAYBE"),
        ("for i in x:\n    y = 1\n    break\n  else: y = 2\n  return y", "BOUND"),
        ("for i in x:\n    if i: break\n    y = 1\n  else: y = 2\n  return y", "MAYBE"),
        ("while x: y = 1\n  return y", "MAYBE"),
        ("while x: pass\n  else: y = 1\n  return y", "BOUND"),
        ("while True:\n    y = 1\n    if x: break\n  return y", "BOUND"),
        ("while True:\n    if x: break\n    y = 1\n  return y", "MAYBE"),
        ("for i in x:\n    if i: continue\n    y = 1\n  return y", "MAYBE"),
        ("y = 1\n  del y\n  return y", "UNBOUND"),
        ("y = 1\n  if x: del y\n  return y", "MAYBE"),
        ("return y\n  y = 1", "UNBOUND"),
        ("def y(): pass\n  return y", "BOUND"),
        ("return (y := 1) + y", "BOUND"),
        ("x and (y := 1)\n  return y", "MAYBE"),
        ("x if (y := x) else 1\n  return y", "BOUND"),
        ("if x: y = 1\n  z = y\n  return y", "BOUND"),
        ("if x: y = 1\n  x and y\n  return y", "MAYBE"),
        ("for i in x:\n    z = y\n    y = 1\n  return y", "MAYBE"),
        ("y: int\n  return y\n  y = 1", "UNBOUND"),
    ],
)
def test_status_at_the_last_read(body, expected):
    assert status(f"def f(x):\n  {body}") == expected


def test_a_read_that_raises_proves_nothing():
    """Otherwise a name nothing binds would be taken for one that may be bound."""
    assert status("def f(x):\n  for i in x:\n    y\n  return y\n  y = 1") == "UNBOUND"
    assert status("def f(x):\n  y\n  return y\n  y = 1") == "UNREACHABLE"


def test_names_that_inner_functions_bind():
    text = "def f(x):\n  y\n  y = 1\n  return y"
    assert status("def f(x):\n  return y\n  y = 1", rebound={"y": False}) == "MAYBE"
    assert status(text, rebound={"y": False}) == "BOUND"
    assert status(text, rebound={"y": True}) == "MAYBE"
