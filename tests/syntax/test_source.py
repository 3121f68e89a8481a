"""Functions are read from where they stand, or not at all."""

from __future__ import annotations

import ast
import functools
import importlib.util
import linecache
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import gast
import pytest

from autograph.syntax.source import FunctionSource, NoSource, read_function


def load(path: Path, text: str) -> ModuleType:
    """Write a module and import it, with its source not yet in any cache."""
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def text_of(source: FunctionSource) -> str:
    """Print the tree of a source."""
    return ast.unparse(gast.gast_to_ast(source.node))


def test_positions_are_those_of_the_file(tmp_path: Path) -> None:
    module = load(
        tmp_path / "placed.py",
        """\
        # one
        class Model:
            if True:
                def step(self, x):
                    return (
        x + 1)
        """,
    )
    source = read_function(module.Model.step)
    assert source.file == str(tmp_path / "placed.py")
    assert (source.first_line, source.node.lineno, source.node.col_offset) == (4, 4, 8)
    value = source.node.body[0].value
    assert (value.lineno, value.col_offset, value.end_col_offset) == (6, 0, 5)
    assert source.text == ("        def step(self, x):\n            return (\nx + 1)\n")


def test_columns_count_bytes_as_tracebacks_do(tmp_path: Path) -> None:
    module = load(tmp_path / "wide.py", 'def f(x):\n    "é"; return x\n')
    assert read_function(module.f).node.body[1].col_offset == len('    "é"; '.encode())


def test_decorators_belong_to_the_text(tmp_path: Path) -> None:
    module = load(
        tmp_path / "decorated.py",
        """\
        def same(f):
            return f

        @same
        @same
        def f(x):
            return x
        """,
    )
    source = read_function(module.f)
    assert source.first_line == 4
    assert source.node.lineno == 6
    assert source.text.startswith("@same\n@same\ndef f")


def test_lambdas_on_one_line_are_told_apart(tmp_path: Path) -> None:
    module = load(
        tmp_path / "lambdas.py",
        """\
        fs = [lambda x: x + 1, lambda x: x + 2, lambda x: x + 1, lambda: 0, lambda: 5,
              lambda y: (lambda z: y + z), lambda a, b=lambda: 7: b, lambda q: 1 if True else 2]
        """,
    )
    sources = [read_function(f) for f in module.fs]
    columns = [(source.node.lineno, source.node.col_offset) for source in sources]
    assert columns == [(1, 6), (1, 23), (1, 40), (1, 57), (1, 68), (2, 6), (2, 35), (2, 61)]
    inner = read_function(module.fs[5](1))
    assert text_of(inner) == "lambda z: y + z"
    default = read_function(module.fs[6](1))
    assert text_of(default) == "lambda: 7"


def test_lambda_over_several_lines(tmp_path: Path) -> None:
    module = load(
        tmp_path / "split.py",
        """\
        f, g = (lambda x: x
                .real
                .sum(axis=0)), lambda y: (
            y
        )
        """,
    )
    assert text_of(read_function(module.f)) == "lambda x: x.real.sum(axis=0)"
    assert text_of(read_function(module.g)) == "lambda y: y"
    assert read_function(module.g).text.count("\n") == 3


def test_lambdas_are_told_apart_without_columns(tmp_path: Path) -> None:
    script = tmp_path / "bare.py"
    script.write_text(
        "from autograph.syntax.source import read_function\n"
        "f, g = (lambda x: x + 1), (lambda x: x + 2)\n"
        "for each in (f, g): print(read_function(each).node.body.right.value)\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", str(script)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.stdout.split() == ["1", "2"]


def test_names_are_mangled_by_the_innermost_class(tmp_path: Path) -> None:
    module = load(
        tmp_path / "private.py",
        """\
        class Outer:
            class _Inner:
                def step(self, x):
                    self.__count = x.__len__()
                    return f(__key=1)
            def plain(self):
                return self.__x
        def free(self):
            return self.__x
        """,
    )
    step = text_of(read_function(module.Outer._Inner.step))
    assert "self._Inner__count = x.__len__()" in step
    assert "_Inner__key=1" in step
    assert "self._Outer__x" in text_of(read_function(module.Outer.plain))
    assert "self.__x" in text_of(read_function(module.free))


def test_each_reading_gives_a_new_tree(tmp_path: Path) -> None:
    module = load(tmp_path / "twice.py", "def f(x):\n    return x\n")
    first = read_function(module.f)
    first.node.body.clear()
    assert len(read_function(module.f).node.body) == 1


def test_bound_method_is_its_function(tmp_path: Path) -> None:
    module = load(tmp_path / "method.py", "class A:\n    def f(self): return 1\n")
    assert read_function(module.A().f).node.name == "f"


def test_function_of_this_file_although_pytest_rewrote_it() -> None:
    def local(x: int) -> int:
        assert x == 3, "three"
        return x

    assert local(3) == 3
    assert read_function(local).node.name == "local"


def test_file_changed_after_the_import_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "stale.py"
    module = load(path, "def f(x):\n    return x + 1\n")
    path.write_text("def f(x):\n    return x + 22\n")
    linecache.clearcache()
    with pytest.raises(NoSource, match=r"stale\.py is not what it was") as caught:
        read_function(module.f)
    assert caught.value.name == "f"
    assert caught.value.file == str(path)


@pytest.mark.parametrize("text", ["def g(x):\n    return x + 1\n", "", "def f(x:\n", "x = 1\n" * 9])
def test_file_without_the_function_is_noticed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gone.py"
    module = load(path, "def f(x):\n    return x + 1\n")
    path.write_text(text)
    linecache.clearcache()
    with pytest.raises(NoSource):
        read_function(module.f)


@pytest.mark.parametrize(("old", "new"), [("1", "1.0"), ("1", "True"), ("0.0", "-0.0")])
def test_equal_constants_of_another_kind_are_noticed(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "kinds.py"
    module = load(path, f"def f():\n    return [{old}, (9, {old})]\n")
    path.write_text(f"def f():\n    return [{new}, (9, {new})]\n")
    linecache.clearcache()
    with pytest.raises(NoSource):
        read_function(module.f)


def test_change_above_that_moves_the_function_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "moved.py"
    module = load(path, "def f(x):\n    return x + 1\n")
    path.write_text("\n\ndef f(x):\n    return x + 1\n")
    linecache.clearcache()
    with pytest.raises(NoSource):
        read_function(module.f)


def test_reloaded_module_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "again.py"
    first = load(path, "def f(x):\n    return x + 1\n")
    read_function(first.f)
    path.write_text("def f(x):\n    return x + 22\n")
    # As after importlib.reload, the cache of lines still has the old text.
    code = compile(path.read_text(), str(path), "exec", dont_inherit=True)
    space: dict[str, object] = {}
    exec(code, space)
    assert "22" in text_of(read_function(space["f"]))


def test_future_imports_above_count(tmp_path: Path) -> None:
    module = load(
        tmp_path / "future.py",
        "from __future__ import annotations\ndef f(x: int):\n    return x\n",
    )
    assert read_function(module.f).first_line == 2


def test_exec_has_no_source() -> None:
    space: dict[str, object] = {}
    exec("def f(x): return x", space)
    with pytest.raises(NoSource, match="`exec`") as caught:
        read_function(space["f"])
    assert caught.value.file == "<string>"


def test_python_c_has_no_source() -> None:
    program = (
        "from autograph.syntax.source import NoSource, read_function\n"
        "def f(x): return x\n"
        "try: print(read_function(f).text)\n"
        "except NoSource as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    # From 3.13 on Python itself keeps the text of `-c`.
    assert "put it in a file" in done.stdout or done.stdout == "def f(x): return x\n\n"


def test_text_in_linecache_is_enough() -> None:
    # So do notebooks and doctests.
    text = "def f(x):\n    return x + 1\n"
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(keepends=True), "<cell 1>")
    try:
        space: dict[str, object] = {}
        exec(compile(text, "<cell 1>", "exec", dont_inherit=True), space)
        assert read_function(space["f"]).text == text
    finally:
        del linecache.cache["<cell 1>"]


@pytest.mark.parametrize("thing", [len, int, functools.partial(print), 3])
def test_what_is_not_python_has_no_source(thing: object) -> None:
    with pytest.raises(NoSource, match="not a function written in Python"):
        read_function(thing)


def test_warnings_of_the_file_are_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "warned.py"
    with pytest.warns((SyntaxWarning, DeprecationWarning)):
        module = load(path, 'def f(x):\n    return "\\d"\n')
    assert read_function(module.f).node.name == "f"
