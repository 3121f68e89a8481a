"""The command line says what it does, and what the user got wrong, in one line."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograph import cli
from autograph.typespec import TypeSpec

ROOT = Path(__file__).parent.parent

PROGRAM = '''
"""A user's file."""
import math

print("imported")

def halve(x, steps=3):
    while steps > 0:
        x = x / 2
        steps -= 1
    return x

class Model:
    def __init__(self):
        self.rate = 2.0
    def step(self, x):
        return self.rate * x
    class Inner:
        @staticmethod
        def twice(x):
            return 2 * x

model = Model()
number = 3
made = eval("lambda x: x")

def generate(n):
    return (yield from n)

if __name__ == "__main__":
    raise SystemExit("run as a program")
'''


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a user's file, and forget afterwards what was imported."""
    path = tmp_path / "user_program.py"
    path.write_text(PROGRAM)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def refused(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command line, see that it refuses in one line, and return that."""
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line != "imported"]
    assert len(lines) == 1, err
    assert lines[0].startswith("autograph: ")
    return lines[0].removeprefix("autograph: ")


def printed(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command line, see that it succeeds, and return what it printed."""
    status = cli.main(words)
    out, err = capsys.readouterr()
    assert (status, err.replace("imported\n", "")) == (0, "")
    return out


def test_converted_source_is_the_default(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("convert", f"{program}:halve", capsys=capsys)
    assert out.startswith("def halve(x, steps=3):\n")
    assert "ag.while_loop(" in out
    assert out.endswith("\n") and not out.endswith("\n\n")


def test_explain_names_each_construct(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("explain", f"{program}:halve", "float", "int", capsys=capsys)
    assert out.startswith("halve\n")
    assert "while steps > 0:  staged: its test depends on" in out


def test_explain_tells_a_fallback(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("explain", f"{program}:generate", "int", capsys=capsys)
    assert "runs as plain Python:" in out
    assert "it makes generate a generator" in out


def test_explain_needs_arguments(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "missing 1 required positional argument: 'x'" in refused(
        "explain", f"{program}:halve", capsys=capsys
    )


def test_source_is_as_it_stands(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("convert", f"{program}:halve", "--stage", "source", capsys=capsys)
    assert out == PROGRAM[PROGRAM.index("def halve") : PROGRAM.index("\nclass Model")]


@pytest.mark.parametrize("stage", ["graph", "optimized", "program"])
def test_later_stages_trace(program: Path, stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("convert", f"{program}:halve", "--stage", stage, "8.0", "3", capsys=capsys)
    assert "while" in out
    assert ("return" in out) and ("x" in out)


def test_types_stand_for_arguments(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = ("convert", f"{program}:halve", "--stage", "graph")
    out = printed(*target, "f64[n,3]", "int", capsys=capsys)
    assert out.startswith("graph halve(x: f64[n, 3], steps: int) -> f64[n, 3] {\n")
    assert "steps=" not in out
    assert printed(*target, "f64[n,3]", capsys=capsys) == out


def test_options_may_stand_between_arguments(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = printed("convert", "--stage", "graph", f"{program}:halve", "8.0", "3", capsys=capsys)
    last = printed("convert", f"{program}:halve", "8.0", "3", "--stage=graph", capsys=capsys)
    inside = printed("convert", f"{program}:halve", "8.0", "--stage=graph", "3", capsys=capsys)
    assert first == last == inside


def test_arguments_by_name(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = ("convert", f"{program}:halve", "--stage", "program")
    named = printed(*target, "8.0", "steps=3", capsys=capsys)
    assert named == printed(*target, "8.0", "3", capsys=capsys)


def test_modules_are_found_from_the_current_directory(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "def halve" in printed("convert", "user_program:halve", capsys=capsys)


@pytest.mark.parametrize("name", ["Model.step", "Model.Inner.twice", "model.step"])
def test_dotted_names(program: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("convert", f"{program}:{name}", capsys=capsys)
    assert out.startswith(f"def {name.split('.')[-1]}(")


def test_bound_method_brings_its_object(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed("convert", f"{program}:model.step", "--stage=program", "1.5", capsys=capsys)
    assert "return" in out


def test_arguments_are_literals_or_types() -> None:
    words = [
        "3",
        "-1.5",
        "'abc'",
        "[1, 2]",
        "(1, 2)",
        "None",
        "f64[n,3]",
        "int",
        "k=f64",
        "s='a=b'",
    ]
    args, kwargs = cli._read_arguments(words)
    assert args == (3, -1.5, "abc", [1, 2], (1, 2), None, TypeSpec("f64[n,3]"), TypeSpec("int"))
    assert kwargs == {"k": TypeSpec("f64"), "s": "a=b"}


def test_negative_number_is_an_argument(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed("convert", f"{program}:halve", "--stage=graph", "-1.5", "-3", capsys=capsys)


def test_main_block_does_not_run_and_prints_go_to_stderr(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["convert", f"{program}:halve"]) == 0
    out, err = capsys.readouterr()
    assert err == "imported\n"
    assert "imported" not in out


def test_only_the_directory_of_the_file_joins_the_path(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sys.path[:]
    printed("convert", f"{program}:halve", capsys=capsys)
    assert sys.path == [str(program.parent), *before]


def test_file_named_like_a_module_in_use(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = program.with_name("textwrap.py")
    other.write_text("def f(x):\n    return x\n")
    printed("convert", f"{other}:f", capsys=capsys)
    assert textwrap.dedent(" a") == "a"
    assert sys.modules["textwrap"] is textwrap
    del sys.modules["textwrap_file"]


WRONG = {
    ("convert",): "the following arguments are required: FILE:NAME | MODULE:NAME",
    ("convert", "user_program.py"): "user_program.py: write FILE:NAME or MODULE:NAME",
    ("convert", "user_program.py:"): "user_program.py:: write FILE:NAME or MODULE:NAME",
    ("convert", "user_program.py:a b"): "a b is not the name of a function",
    ("convert", "none.py:f"): "none.py: no such file",
    ("convert", ".:f"): "not the name of a module",
    ("convert", "./:f"): "not a file",
    ("convert", "no_such_module:f"): "no module named no_such_module",
    ("convert", "no_such.module:f"): "no module named no_such",
    ("convert", "os.nothing:f"): "no module named os.nothing",
    ("convert", "user_program.py:halv"): "user_program.py has no halv; did you mean halve?",
    ("convert", "user_program.py:Model.stop"): "user_program.py.Model has no stop",
    ("convert", "user_program.py:number"): "number is of type int, not a function",
    ("convert", "user_program.py:Model"): "Model is a class, not a function",
    ("convert", "user_program.py:math.sqrt"): "not a function written in Python",
    ("convert", "user_program.py:made"): "no source",
    ("convert", "user_program.py:generate"): "the value of `yield from`, which is what a",
    ("convert", "user_program.py:halve", "--stage", "ast"): "invalid choice: 'ast'",
    ("convert", "user_program.py:halve", "--stag", "graph"): "--stag",
    ("convert", "user_program.py:halve", "f64[n"): "argument f64[n: neither a Python literal nor",
    ("convert", "user_program.py:halve", "steps=1", "2"): "give those without a name first",
    ("convert", "user_program.py:halve", "x=1", "x=2"): "x is given twice",
    ("convert", "user_program.py:halve", "--stage=graph"): "give a type such as f64[n,3]",
    (
        "convert",
        "user_program.py:halve",
        "--stage=graph",
        "1",
        "2",
        "3",
    ): "halve: takes from 1 to 2 ",
    ("convert", "user_program.py:halve", "--stage=graph", "1", "wrong=2"): "wrong",
    ("convert", "user_program.py:halve", "-o", "none/there.py"): "cannot write",
    ("convert", "user_program.py:halve", "-o", "."): "cannot write",
    ("convert", "user_program.py:halve", "-o"): "expected one argument",
    ("graph", "user_program.py:halve", "1.0", "-o", "x.png"): "dot -Tpng GRAPH.dot -o x.png",
    ("profile", "user_program.py:halve", "f64[10000000000000]"): "Unable to allocate",
    ("profile", "user_program.py:halve", "--call", "halve("): "halve(: '(' was never closed",
    (): "nothing to do",
    ("--wrong",): "unrecognized arguments: --wrong",
    ("explode",): "invalid choice: 'explode'",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_what_is_wrong_is_told_in_one_line(
    program: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert WRONG[words] in refused(*words, capsys=capsys)


BROKEN_FILES = {
    "def f(:\n": "broken.py:1: ",
    "x = 1\nx = = 2\n": "broken.py:2: ",
    "import no_such_module\n": "No module named 'no_such_module' (",
    "1 / 0\n": "ZeroDivisionError: division by zero (",
    "raise ValueError('one\\ntwo')\n": "ValueError: one (",
    "class E(Exception): pass\nraise E\n": "raised E (",
    "import sys\nsys.exit(3)\n": "exited while it was imported, status 3",
    "from . import x\n": "ImportError: attempted relative import",
    "def f(): return g()\ndef g(): return f()\nf()\n": "RecursionError",
    "\0": "null bytes",
    "def __getattr__(name): raise KeyError(name)\n": "broken.py.f raised KeyError: 'f'",
}


@pytest.mark.parametrize("text", BROKEN_FILES)
def test_broken_files_are_told_in_one_line(
    program: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program.with_name("broken.py").write_text(text)
    assert BROKEN_FILES[text] in refused("convert", "broken.py:f", capsys=capsys)


def test_module_is_no_name_one_may_have_meant(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused("convert", f"{program}:maths", capsys=capsys).endswith("has no maths")


def test_advice_follows_the_reason(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused("convert", f"{program}:generate", capsys=capsys)
    assert line.startswith(f"{program}:28:13: the value of `yield from`, which is what a generator")
    assert line.endswith("; write `yield from` as a statement of its own")


def test_output_is_written_whole(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = program.with_name("out.py")
    assert printed("convert", f"{program}:halve", "-o", str(target), capsys=capsys) == ""
    assert target.read_text() == printed("convert", f"{program}:halve", capsys=capsys)
    assert [path.name for path in program.parent.glob(".out*")] == []
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~mask


def test_output_keeps_the_mode_and_the_link(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real, link = program.with_name("real.py"), program.with_name("link.py")
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    printed("convert", f"{program}:halve", "-o", str(link), capsys=capsys)
    assert link.is_symlink()
    assert real.read_text().startswith("def halve")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_output_that_fails_leaves_the_file_as_it_was(
    program: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = program.with_name("out.py")
    target.write_text("old")

    def fail(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    line = refused("convert", f"{program}:halve", "-o", str(target), capsys=capsys)
    assert line == f"cannot write {target}: No space left on device"
    assert target.read_text() == "old"
    assert sorted(path.name for path in program.parent.iterdir() if path.suffix != "") == [
        "out.py",
        "user_program.py",
    ]


def test_refused_function_does_not_touch_the_output(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused("convert", f"{program}:generate", "-o", "out.py", capsys=capsys)
    assert not Path("out.py").exists()


def test_output_to_a_device(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed("convert", f"{program}:halve", "-o", os.devnull, capsys=capsys)
    assert not Path(os.devnull).is_file()


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("autograph ")
    for words in (["--help"], ["convert", "--help"]):
        assert cli.main(words) == 0
        assert "examples/newton.py:newton" in capsys.readouterr().out


def test_terminal_is_highlighted(
    program: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = printed("convert", f"{program}:halve", capsys=capsys)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    colored = printed("convert", f"{program}:halve", capsys=capsys)
    assert "\x1b[" in colored
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR")
    assert "while_loop" in printed("convert", f"{program}:halve", capsys=capsys)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    assert printed("convert", f"{program}:halve", capsys=capsys) == plain


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "autograph", *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii"},
        check=False,
    )


def test_process(program: Path) -> None:
    done = run("convert", "user_program.py:halve", cwd=program.parent)
    assert (done.returncode, done.stderr) == (0, "imported\n")
    wrong = run("convert", "user_program.py:nothing", cwd=program.parent)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr


def test_letters_the_terminal_lacks(program: Path) -> None:
    program.write_text("def f(größe):\n    return größe\n", encoding="utf-8")
    done = run("convert", "user_program.py:f", cwd=program.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("def f(gr")


def test_broken_pipe_is_quiet(program: Path) -> None:
    body = "".join(f"    x = x + {number}\n" for number in range(20_000))
    program.write_text(f"def f(x):\n{body}    return x\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "autograph", "convert", "user_program.py:f", "--stage=source"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=program.parent,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == cli.BROKEN_PIPE


@pytest.mark.parametrize(
    ("output", "reason"),
    [("/dev/full", "No space left on device"), ("-", "standard output is closed")],
)
def test_output_that_cannot_be_written_is_told_in_one_line(
    program: Path, output: str, reason: str
) -> None:
    if output != "-" and not Path(output).exists():
        pytest.skip(f"there is no {output} here")
    target = "&-" if output == "-" else output
    command = f'exec "$0" -m autograph convert user_program.py:halve >{target}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        stderr=subprocess.PIPE, text=True, cwd=program.parent, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"imported\nautograph: cannot print: {reason}\n"
