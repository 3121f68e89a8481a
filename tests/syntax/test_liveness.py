"""Which names are still wanted."""

from __future__ import annotations

import ast

import gast

from autograph.syntax import cfg, liveness, scope


def live(text, line, role="run", *, always=()):
    """Return the names live before the node of the statement on `line`."""
    function = gast.ast_to_gast(ast.parse(text)).body[0]
    graph = cfg.build(function, scope.analyze(function))
    found = liveness.analyze(graph, always)
    [number] = [
        number
        for (statement, its), number in graph.index.items()
        if statement.lineno == line and its == role
    ]
    return "".join(sorted(found.before[number]))


def test_old_value_survives_a_loop_that_does_not_run():
    assert live("def f(x, y):\n  for i in x:\n    y = i\n  return y", 2, "iter") == "xy"


def test_overwritten_is_dead():
    assert live("def f(x, y):\n  y = x\n  return y", 2) == "x"


def test_one_branch_that_reads_is_enough():
    text = "def f(c, y):\n  if c:\n    y = 1\n  return y"
    assert live(text, 2, "test") == "cy"


def test_both_branches_overwrite():
    text = "def f(c, y):\n  if c:\n    y = 1\n  else:\n    y = 2\n  return y"
    assert live(text, 2, "test") == "c"


def test_wanted_round_the_loop():
    text = "def f(c, y):\n  while c:\n    z = y\n    y = 1\n  return c"
    assert live(text, 2, "body") == "cy"


def test_break_wants_what_follows_the_loop_not_the_else():
    text = "def f(c, x, y):\n  while c:\n    break\n  else:\n    return y\n  return x"
    assert live(text, 3) == "x"
    assert live(text, 2, "test") == "cxy"


def test_continue_wants_what_the_test_reads():
    text = "def f(c, x):\n  while c:\n    continue\n    x\n  return 1"
    assert live(text, 3) == "c"


def test_deleting_looks_at_the_name():
    assert live("def f(x):\n  del x", 2) == "x"


def test_a_write_that_may_be_skipped_kills_nothing():
    assert live("def f(c, x):\n  c and (x := 1)\n  return x", 2) == "cx"


def test_captured_names_are_always_wanted():
    assert live("def f(x, y):\n  y = 1\n  return 2", 2, always=["y"]) == "y"
