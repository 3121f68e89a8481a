"""Printing a tree and parsing the text gives the tree back."""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
import textwrap
import warnings
from pathlib import Path

import gast
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.syntax.quoting import Unquotable, quote
from autograph.syntax.unparse import unparse

STDLIB = Path(sysconfig.get_paths()["stdlib"])
NUMPY = Path(numpy.__file__).parent


def parse(text: str | bytes) -> ast.Module:
    """Parse without the warnings that odd code gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def assert_round_trip(text: str | bytes) -> str:
    """Print the tree of `text`, compare what comes back, and return what was printed."""
    tree = parse(text)
    printed = unparse(tree)
    assert ast.dump(parse(printed)) == ast.dump(tree), printed
    return printed


def python_files(root: Path) -> list[Path]:
    """Every file below `root` that parses, in a fixed order, without other people's packages."""
    found = sorted(root.rglob("*.py"))
    return [path for path in found if "site-packages" not in path.relative_to(root).parts]


def assert_file_round_trip(path: Path, *, through_gast: bool = True) -> None:
    """Round trip of one file; files that are no Python are passed over."""
    text = path.read_bytes()
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    printed = unparse(gast.ast_to_gast(tree) if through_gast else tree)
    assert ast.dump(parse(printed)) == ast.dump(tree), path


# A prime stride takes files of every kind, and the same ones on every machine.
SAMPLE = [path for path in python_files(STDLIB) if "test" not in path.parts][::13]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: str(path.relative_to(STDLIB)))
def test_sample_of_the_standard_library(path: Path) -> None:
    if path.stat().st_size < 120_000:
        assert_file_round_trip(path)


@pytest.mark.slow
@pytest.mark.parametrize("root", [STDLIB, NUMPY], ids=["stdlib", "numpy"])
def test_everything(root: Path) -> None:
    files = python_files(root)
    assert len(files) > 100
    for path in files:
        assert_file_round_trip(path, through_gast=False)


EXPRESSIONS = r"""
x[:, 0]
x[1:2, ..., None]
x[a,]
x[()]
x[(a, b)]
x[*a]
x[*a, 1:2]
x[lambda: 1]
x[(y := 1)]
x[a:b:c, ::2]
(yield)
(yield (a, b))
(await x) ** 2
await x.y
2 ** -1
(-2) ** 2
-2 ** 2
2 ** 3 ** 4
(2 ** 3) ** 4
a - (b - c)
a - b - c
a / (b * c)
a @ b % c // d
not (a and b)
(not a) == b
not a == b
(a and b) and c
a and (b or c)
(a if b else c) if d else e
a if b else c if d else e
(lambda: a) if b else lambda: c
lambda: (yield)
lambda x, /, y, *, z=1, **k: x
lambda *a, b: 0
lambda: 0
(a < b) < c
a < b <= c is not d not in e
~(a | b) & c ^ d << e
-(-a)
+-a
(3).real
3.0.real
1e309
-1e309j
1_000_000
0xffffffffffffffffffffffffffffffffff
1j
b'\x00\xff"'
'\ud800'
u'old'
'it\'s "it"'
...
f(*a, b=1, **c)
f(a for a in b)
f((a for a in b), 1)
f(b=(a for a in b))
(a := 1)
f((a := 1))
[*a, *b]
{*a, b}
{**a, 'b': c}
{**(a or b)}
[*(a or b)]
f(*a or b)
{a: b for a, b in c if d if (e or f) if (g if h else i)}
[a for (a,) in b]
[a for a, *b in c]
[a for b in (c if d else e)]
[a async for a in b]
{a for a in (lambda: b)}
"""


@pytest.mark.parametrize("text", EXPRESSIONS.strip().splitlines())
def test_expression(text: str) -> None:
    assert_round_trip(text)


STATEMENTS = """
x, y = y, x
(x,) = y
x = *a, b
x = yield y
x = y = z,
x += yield
x: int = 3
(x): int
x.y: int = (1, 2)
return *a, b
return (yield)
del (a, b), c
assert (a, b), c
raise a from b
for a, *b in c: pass
for (a,) in b, c: pass
with (a, b): pass
with ((a, b)): pass
with (a, b) as c: pass
with a as (b, c), d as e: pass
with (a for a in b): pass
with (yield): pass
while a := b(): pass
if (a := b) and c: pass
global a, b
from . import a
from ..a import b as c, d
def f(a, /, b: int = 1, *c: d, e=2, f: int, **g: h) -> (yield): pass
def f(*, a): pass
def f(*args: *Ts): pass
async def f(): return [await x async for x in y]
class A: pass
class A(B, *C, metaclass=D, **E): pass
class A((x for x in y)): pass
"""


@pytest.mark.parametrize("text", STATEMENTS.strip().splitlines())
def test_statement(text: str) -> None:
    assert_round_trip(text)


BLOCKS = {
    "match": """
        match a, *b:
            case 1 | -2 | 3 + 4j | 'a' 'b' | None: pass
            case [a, *_, (b | c) as d] | (e as f): pass
            case {'k': v, X.y: [*rest], **more}: pass
            case {**only}: pass
            case {}: pass
            case A.B(x, y=(1 | 2), z=Z()) if (w := x): pass
            case (a, ): pass
            case _ if (yield): pass
        """,
    "try": """
        try:
            a
        except (B, C) as d:
            pass
        except E:
            raise
        except:
            raise
        else:
            f
        finally:
            g
        """,
    "except star": """
        try:
            a
        except* B as c:
            pass
        except* (D, E):
            pass
        """,
    "elif": """
        if a:
            b
        elif c:
            d
        else:
            if e:
                f
            g
        """,
    "loops": """
        async def f():
            async for a in b:
                break
            else:
                pass
            async with c as d, e:
                continue_
            while a:
                continue
            else:
                pass
        """,
    "docstrings": '''
        """A module.

        With \\\\ and \\""" in it and "end\\""""

        def f():
            """One."""
            'not one'

        class A:
            'With a \\r and a \\x00.'

        def g():
            f'no {docstring}'

        def h():
            u'old'
        ''',
    "decorators": """
        @a.b[c](d)
        @(lambda f: f)
        @(x := y)
        class A:

            @b
            async def f(self): pass

            x = 1

            @c
            class D: pass
        """,
}


@pytest.mark.parametrize("name", BLOCKS)
def test_block(name: str) -> None:
    assert_round_trip(textwrap.dedent(BLOCKS[name]))


F_STRINGS = r"""
f''
f'{a}'
f'{{{a}}}'
f"{a['b']}"
f'''{a['b']["c"]}'''
f"{'a' if b else 'c'}"
f'{a!r:>{b}}'
f'{a:{b}.{c!s}}'
f'{a=}'
f'{a = !s:x}'
f'{(lambda: 1)}'
f'{(a if b else c)}'
f'{(yield)}'
f'{(a := 1)}'
f'{a != b}'
f'{ {1: 2}[1] }'
f'{ {a for a in b} }'
f'\n\t\\{a}\''
f'\N{SNOWMAN}{a}'
f'{a:\x7b\x7d}'
f'{a:\'"}'
f"{f'{a}'}"
f"{f'{a!r}' + 'b'}"
f'{a,}'
f'{*a, b}'
f'{a[1:2]}'
f'{x:%H:%M}'
f"{b'a'}"
f"it's {a} \"and\" '''{b}'''"
'a' f'{b}' 'c'
f'{(3).real:{"a"}}'.x
rf'\d{a}\n'
"""
NEW_F_STRINGS = r"""
f'{'a'}'
f"{f"{f"{a}"}"}"
f'{"\n".join(a)}'
f'{'"' + "'" + '''a''' + '\\'}'
f'{f'{"'"}' + "\""}'
f'{a:{'b'}{"c\n"}}'
f"{x:{'{'}{'}'}}"
f'{"#"}'
f'{"é\u0000"}'
f'{f"{b'\x00'}\n{{"}'
"""


@pytest.mark.parametrize("text", F_STRINGS.strip().splitlines())
def test_fstring(text: str) -> None:
    assert_round_trip(text)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 701 came with Python 3.12")
@pytest.mark.parametrize("text", NEW_F_STRINGS.strip().splitlines())
def test_fstring_of_new_pythons(text: str) -> None:
    assert_round_trip(text)


def test_fstring_with_lines_in_a_field() -> None:
    assert_round_trip("f'''{\n'a' + \"\"\"b\nc\"\"\"}'''")


def test_fstring_that_old_pythons_cannot_write() -> None:
    # Made, not parsed: a backslash inside of a field.
    field = ast.FormattedValue(
        ast.Constant("a\n"), ord("r"), ast.JoinedStr([ast.Constant(">"), named("width")])
    )
    tree = ast.Expression(ast.JoinedStr([ast.Constant("{x} "), field]))
    assert eval(unparse(tree), {"width": 9}) == "{x}     'a\\n'"


def named(name: str) -> ast.FormattedValue:
    """Make the field of a name."""
    return ast.FormattedValue(ast.Name(name, ast.Load()), -1, None)


TYPE_PARAMETERS = """
type X = int
type X[T: int, *Ts, **P] = dict[T, *Ts]
def f[T: (int, str)](x: T) -> T: pass
class A[T, *Ts](B): pass
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 came with Python 3.12")
@pytest.mark.parametrize("text", TYPE_PARAMETERS.strip().splitlines())
def test_type_parameters(text: str) -> None:
    assert_round_trip(text)


@pytest.mark.skipif(sys.version_info < (3, 13), reason="PEP 696 came with Python 3.13")
def test_type_parameter_defaults() -> None:
    assert_round_trip("def f[T = int, *Ts = *tuple[int], **P = [int]](): pass")


def test_made_constants_keep_their_value() -> None:
    for value in (-1, -1.5, (1, (2,)), float("-inf"), 1 + 2j, 10**5000):
        text = unparse(ast.BinOp(ast.Constant(value), ast.Mult(), ast.Constant(1)))
        if not isinstance(value, tuple):
            assert eval(text) == value
    assert eval(unparse(ast.BinOp(ast.Constant(-1), ast.Pow(), ast.Constant(2)))) == 1
    assert unparse(ast.Constant((1, (2,)))) == "(1, (2,))"
    assert eval(unparse(ast.Constant(float("nan")))) != 0
    assert eval(unparse(ast.Set([]))) == set()


def test_layout_is_that_of_a_careful_person() -> None:
    text = textwrap.dedent(
        '''\
        def newton(x, tol):
            """Square root."""
            y = x

            def body_L4(y):
                y = 0.5 * (y + x / y)
                return y, -y

            def test_L4(y):
                return ag.and_(ag.not_(stop), lambda: abs(y * y - x) > tol)
            y, z = ag.while_loop(test_L4, body_L4, (y,), names='y')
            return y[:, 0]

        def g():
            pass

        x = 1'''
    )
    assert unparse(ast.parse(text)) == text


def test_gast_nodes_of_every_kind_are_printed() -> None:
    tree = gast.parse("def f(a, b=1):\n    return a[:, b]\n")
    assert unparse(tree) == "def f(a, b=1):\n    return a[:, b]"
    assert unparse(tree.body[0].body[0].value) == "a[:, b]"
    assert unparse(tree.body[0].args) == "a, b=1"


LITERAL = st.text(st.sampled_from("ab'\"{}\\\n\t\r#\x00é\u2028 "), max_size=8)


@settings(max_examples=50)
@given(st.lists(LITERAL, max_size=4), LITERAL)
def test_any_text_round_trips_in_fstrings(pieces: list[str], spec: str) -> None:
    values: list[ast.expr] = []
    for index, piece in enumerate(pieces):
        values.append(ast.Constant(piece))
        values.append(named(f"name{index}"))
    if spec:
        values.append(
            ast.FormattedValue(ast.Name("x", ast.Load()), -1, ast.JoinedStr([ast.Constant(spec)]))
        )
    values = [value for value in values if getattr(value, "value", "") != ""]
    tree = ast.Module([ast.Expr(ast.JoinedStr(values))], [])
    assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


@settings(max_examples=50)
@given(LITERAL)
def test_any_text_round_trips_as_docstring_and_in_fields(text: str) -> None:
    tree = ast.parse("def f():\n    'x'\n")
    tree.body[0].body[0].value.value = text
    assert ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)
    field = ast.Expression(ast.JoinedStr([ast.FormattedValue(ast.Constant(text), -1, None)]))
    assert eval(unparse(field)) == text


def test_quote_refuses_what_it_cannot_write() -> None:
    assert quote("a\nb", ("'", '"""')) == '"""a\nb"""'
    assert quote(b"a", ("'",)) == "b'a'"
    for value in ("'", "\\", "a\nb", "\x00", b"\xff"):
        with pytest.raises(Unquotable):
            quote(value, ("'",))


def test_sample_is_large_enough() -> None:
    assert 40 <= len(SAMPLE) <= 90
    assert os.path.isdir(STDLIB)
