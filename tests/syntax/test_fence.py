"""Every construct gets a yes or a no."""

from __future__ import annotations

import ast
import sys
import textwrap

import gast
import pytest

from autograph.syntax.fence import VERDICTS, Rejection, check, format_rejection
from autograph.syntax.source import FunctionSource


def rejections(text: str) -> tuple[Rejection, ...]:
    """Check the first definition in `text`."""
    tree = gast.parse(textwrap.dedent(text))
    first = tree.body[0]
    return check(first.value if isinstance(first, gast.Expr) else first)


def body(*lines: str) -> tuple[Rejection, ...]:
    """Check a function `f` of `x` with this body."""
    return rejections("def f(x):\n" + "".join(f"    {line}\n" for line in lines))


def test_every_class_of_gast_has_a_verdict() -> None:
    made_by_gast = {
        name
        for name, kind in vars(gast).items()
        if isinstance(kind, type)
        and issubclass(kind, ast.AST)
        and kind.__module__ == "gast.gast"
        and kind.__bases__ != (ast.AST,)
    }
    assert len(made_by_gast) > 100
    assert made_by_gast - set(VERDICTS) == set()


@pytest.mark.parametrize("name", sorted(name for name, no in VERDICTS.items() if no is not None))
def test_every_no_has_a_reason_and_an_advice(name: str) -> None:
    verdict = VERDICTS[name]
    assert verdict is not None
    for text in (verdict.construct, verdict.reason, verdict.advice):
        assert text.format(function="f")
        assert not text.endswith(".")


def test_an_unknown_class_is_refused() -> None:
    class Novelty(ast.expr):
        _fields = ()

    tree = gast.parse("def f(): return 1").body[0]
    tree.body[0].value = Novelty()
    (found,) = check(tree)
    assert found.reason == "Novelty is not known to the compiler"


ACCEPTED = """
    y = x[1:, ..., 0]
    y: float = 0.5 * x
    del x[0], x.a, y
    for i, (a, *b) in enumerate(x): continue
    while x: break
    if (n := len(x)) > 3: return n
    while (m := f(x)) and m: [k := a for a in x]
    def g(z, k=3): return z + k
    g = lambda z, *r, **k: z
    [a for a in x if a]
    {a: 1 for a in x}
    any(a for a in x)
    f(*x, **x)
    [*x, 1]
    {'a': 1}
    assert x, 'message'
    raise ValueError(x) from None
    global x_of_module; x_of_module = x
    with x as y, x: pass
    yield x
    def g(): yield
    {**x, 'a': 1}
    f'{x!r:>{x}}'
    1 < x < 3 and not x or None
    vars(x), dir(x)
    super(int, x)
    lambda: {1: 2}
    x @= x
"""


@pytest.mark.parametrize("line", [line.strip() for line in ACCEPTED.strip().splitlines()])
def test_accepted(line: str) -> None:
    assert body(line) == ()


REFUSED = {
    "y = yield x": "the value of `yield`, which is what a caller sends, cannot be compiled",
    "y = yield from x": (
        "the value of `yield from`, which is what a generator returns, cannot be compiled"
    ),
    "with x: yield 1": "`yield` inside `try` or `with` cannot be compiled",
    "async def g(): pass": "f is a coroutine; a coroutine cannot be compiled",
    "import math": "an import inside f would run while it is traced",
    "from math import pi": "an import inside f would run while it is traced",
    "class A(x()): pass":
        "a base class that is computed cannot be compiled in a class made inside f",
    "x and (y := x)": "`:=` inside `and` or `or` cannot be compiled yet",
    "(y := x) if x else 1": "`:=` inside a conditional expression cannot be compiled yet",
    "lambda: (y := x)": "`:=` inside a lambda cannot be compiled yet",
    "1 < x < (y := 3)": "`:=` inside a chain of comparisons cannot be compiled yet",
    "assert x, (y := 3)": "`:=` inside the message of `assert` cannot be compiled yet",
    "eval('x')": "`eval` sees the variables of f, which a compiled function does not keep",
    "exec('x')": "`exec` sees the variables of f, which a compiled function does not keep",
    "locals()": "`locals` sees the variables of f, which a compiled function does not keep",
    "y = globals": "`globals` sees the variables of f, which a compiled function does not keep",
    "vars()": "`vars()` sees the variables of f, which a compiled function does not keep",
    "dir()": "`dir()` sees the variables of f, which a compiled function does not keep",
    "super().f(x)": "`super()` without arguments needs the class that f is written in",
    "return __class__": "`super()` without arguments needs the class that f is written in",
    "raise": "a bare `raise` outside of `except` needs an exception that a caller handles",
}


@pytest.mark.parametrize(("line", "reason"), list(REFUSED.items()))
def test_refused(line: str, reason: str) -> None:
    (found,) = body(line)
    assert found.reason == reason
    assert found.line == 2
    assert found.advice


def test_exception_groups_are_refused() -> None:
    found = body("try: x()", "except* ValueError: import a")
    assert [each.construct for each in found] == ["`except*`", "import inside a function"]


def test_bare_raise_belongs_into_a_handler() -> None:
    assert body("try: x()", "except ValueError:", "    if x: raise") == ()
    (found,) = body("try: x()", "except ValueError:", "    def g(): raise")
    assert found.construct == "bare `raise`"


def test_names_of_patterns_are_bound() -> None:
    assert body("match x:", "    case [eval, *dir]: return eval(x), dir()") == ()


def test_decorators_of_inner_functions_are_looked_at() -> None:
    assert body("@x", "def g(): pass") == ()
    (found,) = body("@eval('x')", "def g(): pass")
    assert (found.line, found.column, found.end_column) == (2, 5, 9)


def test_async_parts_are_refused() -> None:
    (found,) = rejections("async def f(x): return [await y async for y in x]")
    assert found.reason == "f is a coroutine; a coroutine cannot be compiled"
    found_inside = rejections("def f(x): return [y async for y in x]")
    assert [each.construct for each in found_inside] == ["`async`"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters_are_refused() -> None:
    assert [each.construct for each in rejections("def f[T](x: T): return x")] == ["type parameter"]


def test_nonlocal_is_refused_if_it_leaves_the_compiled_function() -> None:
    assert body("y = 0", "def g():", "    nonlocal y", "    y += 1") == ()
    found = rejections("def f():\n    nonlocal y\n    y = 1\n")
    assert [each.construct for each in found] == ["`nonlocal y`"]
    inner = body("def g():", "    nonlocal y", "    y += 1")
    assert [each.line for each in inner] == [3]


def test_shadowed_builtins_are_ordinary_names() -> None:
    assert rejections("def f(eval, vars): return eval(1), vars()") == ()
    assert body("super = x", "super()") == ()
    assert body("def g(dir): return lambda: dir()") == ()


def test_what_is_outside_of_the_function_is_not_looked_at() -> None:
    assert rejections("@eval('x')\ndef f(x=locals(), y: (yield) = 1) -> eval: return x") == ()


def test_annotation_of_a_local_is_not_looked_at() -> None:
    assert body("y: locals() = x") == ()


def test_lambda_is_named_so() -> None:
    (found,) = rejections("lambda x: (yield x)")
    assert found.construct == "`yield`"
    (found,) = rejections("lambda x: (y := x)")
    assert found.construct == "`:=`"


def test_rejections_come_in_the_order_of_the_source() -> None:
    found = body("with x:", "    import b; yield 1", "import a; y = yield 2")
    places = [(each.line, each.column) for each in found]
    assert places == sorted(places)
    assert len(found) == 4


def test_only_functions_can_be_checked() -> None:
    (found,) = check(gast.parse("x = 1"))
    assert found.reason == "only a function can be compiled"


def test_format_points_at_the_construct() -> None:
    text = "    def f(x):\n        y = 'é'; await x  # why\n"
    (found,) = check(gast.parse("if 1:\n" + text).body[0].body[0])
    moved = Rejection(
        found.line + 8,
        found.column,
        found.end_column,
        found.construct,
        found.reason,
        found.advice,
    )
    source = FunctionSource("model.py", text, None, first_line=10)
    assert format_rejection(moved, source) == textwrap.dedent(
        """\
        model.py:11:18: f is a coroutine; a coroutine cannot be compiled
            y = 'é'; await x  # why
                     ^^^^^^^
            compile the numeric part as a function of its own and call that"""
    )


def test_format_of_a_construct_over_several_lines() -> None:
    text = "def f(x):\n\tasync with x:\n\t\tpass\n"
    (found,) = check(gast.parse(text).body[0])
    assert found.end_column is None
    lines = format_rejection(found, FunctionSource("m.py", text, None, 1)).splitlines()
    assert lines[1:3] == ["    async with x:", "    ^^^^^^^^^^^^^"]
