"""The command line: stages of a function, why they are so, its graph, and where its time goes.

Owns arguments, files and messages. It leaves every stage to `function`. Invariant: whatever the
user gets wrong is told in one line on stderr with exit status 2, never with a traceback, and a file
that is written is either written whole or left as it was.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import importlib
import importlib.util
import inspect
import io
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from autograph.errors import AutographError
from autograph.function import compile as compile_function
from autograph.typespec import TypeSpec, random_value
from autograph.version import __version__
from runtime.replacing import replacing

FORMATS = ("html", "dot", "text")
PICTURES = (".bmp", ".eps", ".gif", ".jpeg", ".jpg", ".pdf", ".png", ".ps", ".svg", ".webp")
"""What one may ask for, but Graphviz has to make."""
STAGES = ("source", "converted", "graph", "optimized", "program")
BROKEN_PIPE = 141  # what a shell reports for a program that SIGPIPE ended
INTERRUPTED = 130

_EXAMPLES = """\
examples:
  autograph convert examples/newton.py:newton
  autograph convert examples/newton.py:newton --stage graph float float
  autograph explain examples/newton.py:newton float float
  autograph graph examples/newton.py:newton float float -o newton.html
  autograph profile examples/kmeans.py:kmeans 'f64[1000,2]' 'f64[3,2]'
  autograph convert mypackage.models:Model.step --stage program 'f64[n,3]' 0.1 -o step.py

arguments for tracing, quoted for the shell where it needs it:
  f64[n,3]  f64[]  i32[4]         arrays, with lengths that are named or known
  f64  int  float  bool  str      NumPy scalars, Python numbers and strings
  3  1.5  'abc'  [1, 2]  None     values
  name=f64[n]                     any of them, by the name of the parameter
"""


class UsageError(Exception):
    """The user asked for something that cannot be done; the message is the line to print."""


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        The words after the name of the program; by default those the process was started with.

    Returns
    -------
    int
        The exit status: 0, or 2 if the user asked for something that cannot be done.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words[:1] == ["convert"]:
            _run(_convert_parser().parse_intermixed_args(words[1:]))
        elif words[:1] == ["explain"]:
            _run(_explain_parser().parse_intermixed_args(words[1:]))
        elif words[:1] == ["graph"]:
            _run(_graph_parser().parse_intermixed_args(words[1:]))
        elif words[:1] == ["profile"]:
            _run(_profile_parser().parse_intermixed_args(words[1:]))
        else:
            _top_parser().parse_args(words)
            raise UsageError("nothing to do: name a command (see autograph --help)")
    except UsageError as error:
        print(f"autograph: {_one_line(str(error))}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # nobody reads any more
        _drop_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as request:  # --help and --version
        return request.code if isinstance(request.code, int) else 0
    return 0


def _top_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="autograph",
        description="Compile NumPy functions with ordinary Python control flow.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"autograph {__version__}")
    parser.add_argument(
        "command",
        nargs="?",
        choices=["convert", "explain", "graph", "profile"],
        help="convert: print a stage of a function; explain: say what became of it, and why; "
        "graph: draw its graph; profile: run it, and say which lines take time and memory",
    )
    return parser


def _convert_parser() -> argparse.ArgumentParser:
    parser = _command_parser(
        "convert",
        "Print what becomes of a function, at one of its stages.",
        "a type or a value for each parameter, for the stages from graph on",
    )
    parser.add_argument(
        "--stage", choices=STAGES, default="converted", help="what to print (default: converted)"
    )
    return parser


def _explain_parser() -> argparse.ArgumentParser:
    about = "Say what becomes of each branch, loop and call of a function, and why."
    parser = _command_parser("explain", about)
    parser.set_defaults(stage="explain")
    return parser


def _graph_parser() -> argparse.ArgumentParser:
    about = "Draw the graph of a function: a page for browsers, Graphviz's language, or text."
    parser = _command_parser("graph", about)
    parser.add_argument(
        "--optimized",
        dest="stage",
        action="store_const",
        const="optimized",
        default="graph",
        help="draw the graph that is run, after optimization",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="html, dot or text (default: by the suffix of the file, else text)",
    )
    parser.set_defaults(format=None)
    return parser


def _profile_parser() -> argparse.ArgumentParser:
    about = (
        "Run a function and print the time, calls and memory of each of its lines. For a type with "
        "known lengths, such as f64[1000,3], an array of random numbers is made."
    )
    parser = _command_parser("profile", about)
    parser.add_argument(
        "--call",
        metavar="CALL",
        help="the call to run, a Python expression in the function's module, in place of ARG",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="of the random numbers (default: 0)"
    )
    parser.add_argument(
        "--chrome", metavar="FILE", help="write a timeline for ui.perfetto.dev to FILE, too"
    )
    parser.set_defaults(stage="profile")
    return parser


def _command_parser(
    command: str, description: str, arguments: str = "a type or a value for each parameter"
) -> argparse.ArgumentParser:
    """Return the parser of one command, with what all commands take."""
    parser = _Parser(
        prog=f"autograph {command}",
        description=description,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "target",
        metavar="FILE:NAME | MODULE:NAME",
        help="the function; NAME may be dotted: Class.method",
    )
    parser.add_argument("arguments", metavar="ARG", nargs="*", help=arguments)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE instead of the terminal"
    )
    parser.set_defaults(format="text")
    return parser


def _run(options: argparse.Namespace) -> None:
    """Print or write what a command asks for.

    Raises
    ------
    UsageError
        If anything the user gave is wrong.
    """
    args, kwargs = _read_arguments(options.arguments)
    function, name = _find(options.target)
    if options.stage == "profile":
        text = _profile_text(function, name, options, args, kwargs)
    else:
        form = options.format or _by_suffix(options.output)
        text = _stage_text(function, name, options.stage, args, kwargs, form)
    if not text.endswith("\n"):
        text += "\n"
    if options.output is None:
        _print(text)
    else:
        _write(Path(options.output), text)


def _by_suffix(output: str | None) -> str:
    """Return the form that a file's name asks for.

    Raises
    ------
    UsageError
        If that is a form of pictures that only Graphviz makes.
    """
    suffix = Path(output or "").suffix.lower()
    if suffix in PICTURES:
        raise UsageError(
            f"cannot write {output}: a graph is written as .html, .dot or text; Graphviz makes "
            f"other pictures: dot -T{suffix[1:]} GRAPH.dot -o {output}"
        )
    return {".html": "html", ".htm": "html", ".dot": "dot", ".gv": "dot"}.get(suffix, "text")


def _one_line(message: str) -> str:
    """Return a message without its middle lines.

    A rejection has four: what is wrong, the line of source, a caret, and the advice.
    """
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    if len(lines) >= 4 and set(lines[2]) == {"^"}:
        return f"{lines[0]}; {lines[3]}"
    return lines[0] if lines else "failed without saying why"


# -- arguments ------------------------------------------------------------------------------------


def _read_arguments(words: Sequence[str]) -> tuple[tuple[object, ...], dict[str, object]]:
    """Read the arguments for tracing: positional ones, and those with a name."""
    args: list[object] = []
    kwargs: dict[str, object] = {}
    for word in words:
        named = re.fullmatch(r"([^\W\d]\w*)=(?!=)(.*)", word, re.DOTALL)
        if named is None and kwargs:
            raise UsageError(f"argument {word}: give those without a name first")
        if named is None:
            args.append(_read_argument(word))
        elif named[1] in kwargs:
            raise UsageError(f"argument {word}: {named[1]} is given twice")
        else:
            kwargs[named[1]] = _read_argument(named[2])
    return tuple(args), kwargs


def _read_argument(word: str) -> object:
    """Read a Python literal or a type.

    >>> _read_argument("[1, 2]"), _read_argument("f64[n,3]")
    ([1, 2], TypeSpec(text='f64[n,3]'))
    """
    with contextlib.suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ast.literal_eval(word)
    try:
        return TypeSpec(word)
    except (AutographError, ValueError, TypeError, RecursionError) as error:
        reason = _one_line(str(error)).rstrip(".")
        raise UsageError(
            f"argument {word}: neither a Python literal nor a type such as f64[n,3]: {reason}"
        ) from None


# -- the function ---------------------------------------------------------------------------------


def _find(target: str) -> tuple[Callable[..., object], str]:
    """Import what ``FILE:NAME`` or ``MODULE:NAME`` names.

    Returns
    -------
    function, name
        The object and its dotted name.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise UsageError(f"{target}: write FILE:NAME or MODULE:NAME")
    if not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"{target}: {name} is not the name of a function")
    is_file = place.endswith(".py") or os.sep in place or Path(place).is_file()
    module = _import_file(Path(place)) if is_file else _import_module(place)
    found: object = module
    for index, part in enumerate(name.split(".")):
        holder = ".".join([place, *name.split(".")[:index]]) if index else place
        try:
            found = getattr(found, part)
        except AttributeError:
            near = difflib.get_close_matches(part, list(_public(found)), n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"{holder} has no {part}{hint}") from None
        except Exception as error:
            raise UsageError(f"{holder}.{part} raised {_describe(error)}") from None
    if not callable(found) or isinstance(found, type):
        raise UsageError(f"{target}: {name} is {_kind(found)}, not a function")
    return found, name


def _public(value: object) -> Iterator[str]:
    """Names of an object that one may have meant."""
    for name in dir(value):
        if not name.startswith("__") and not isinstance(
            inspect.getattr_static(value, name, None), ModuleType
        ):
            yield name


def _kind(value: object) -> str:
    return "a class" if isinstance(value, type) else f"of type {type(value).__name__}"


def _import_file(path: Path) -> ModuleType:
    """Import a file by its path, much as ``python FILE`` would, but not as ``__main__``."""
    if not path.exists():
        raise UsageError(f"{path}: no such file")
    if not path.is_file():
        raise UsageError(f"{path}: not a file")
    directory = str(path.resolve().parent)
    if directory not in sys.path:
        sys.path.insert(0, directory)
    # A file may be named like a module that is in use.
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_file"
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with _importing(str(path)):
        loader.exec_module(module)
    return module


def _import_module(name: str) -> ModuleType:
    """Import a module, also from the current directory."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(f"{name}: no such file, and not the name of a module")
    here = str(Path.cwd())
    if "" not in sys.path and here not in sys.path:
        sys.path.insert(0, here)
    with _importing(name):
        return importlib.import_module(name)


@contextlib.contextmanager
def _importing(name: str) -> Iterator[None]:
    """Turn what goes wrong while `name` is imported into one line.

    What the user's module prints goes to stderr, so that our output is only what was asked for.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except SyntaxError as error:
        file = error.filename or name
        raise UsageError(f"{file}:{error.lineno or 1}: {error.msg}") from None
    except SystemExit as error:
        raise UsageError(f"{name} exited while it was imported, status {error.code}") from None
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise UsageError(f"no module named {error.name}") from None
        raise UsageError(f"importing {name} raised {_describe(error)}") from None
    except Exception as error:
        raise UsageError(f"importing {name} raised {_describe(error)}") from None


def _describe(error: BaseException) -> str:
    """Name an exception, its message, and the line that raised it."""
    text = f": {_one_line(str(error))}" if str(error) else ""
    return f"{type(error).__name__}{text}{_last_line(error)}"


def _last_line(error: BaseException) -> str:
    """Say where in a user's file an exception was raised."""
    own = str(Path(__file__).parent)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(("<", own)):
            return f" ({frame.filename}:{frame.lineno})"
    return ""


# -- the stages -----------------------------------------------------------------------------------


def _stage_text(
    function: Callable[..., object],
    name: str,
    stage: str,
    args: tuple[object, ...],
    kwargs: dict[str, object],
    form: str,
) -> str:
    """Return one stage of a function, as text or in another form."""
    function, args = _plain_function(function, name, args)
    with _in_one_line(function, name), contextlib.redirect_stdout(sys.stderr):
        compiled: Any = compile_function(function)
        shown = getattr(compiled, stage)
        if stage == "explain":
            compiled.__autograph_record__.bind(args, kwargs)  # arguments must be there
        result = shown if stage in ("source", "converted") else shown(*args, **kwargs)
        if form == "html":
            return str(result.to_html())
        return str(result.to_dot() if form == "dot" else result)


def _profile_text(
    function: Callable[..., object],
    name: str,
    options: argparse.Namespace,
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> str:
    """Run a function, and return where its time and memory went."""
    if options.call is not None:
        if args or kwargs:
            raise UsageError("give arguments or --call, not both")
        function, args, kwargs = _read_call(options.call, _plain_function(function, name, ())[0])
    if options.seed < 0:
        raise UsageError(f"argument --seed: {options.seed} is negative")
    generator = np.random.default_rng(options.seed)
    args = tuple(_sample(item, generator) for item in args)
    kwargs = {key: _sample(item, generator) for key, item in kwargs.items()}
    function, args = _plain_function(function, name, args)
    with _in_one_line(function, name), contextlib.redirect_stdout(sys.stderr):
        compiled: Any = compile_function(function, fallback="error")
        profile = compiled.profile(*args, **kwargs)
    if options.chrome is not None:
        try:
            profile.to_chrome_trace(options.chrome)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"cannot write {options.chrome}: {reason}") from None
    return str(profile)


def _sample(item: object, generator: np.random.Generator) -> object:
    """Return a value of a type, or the very item if it is none."""
    if not isinstance(item, TypeSpec):
        return item
    try:
        return random_value(item.type, generator)
    except (ValueError, MemoryError) as error:
        raise UsageError(f"argument {item.text}: {error}") from None


def _read_call(
    text: str, function: FunctionType
) -> tuple[Callable[..., object], tuple[object, ...], dict[str, object]]:
    """Evaluate the function and the arguments of a call, but not the call itself."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise UsageError(f"--call {text}: {error.msg}") from None
    except ValueError as error:
        raise UsageError(f"--call {text}: {error}") from None
    if not isinstance(tree.body, ast.Call):
        raise UsageError(f"--call {text}: write a call, such as f(np.ones(3), 2)")
    called = tree.body.func
    tree.body.func = ast.copy_location(ast.Name("_arguments", ast.Load()), called)
    names = {"np": np, **inspect.unwrap(function).__globals__}
    names["_arguments"] = lambda *args, **kwargs: (args, kwargs)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            found = eval(compile(ast.Expression(called), "--call", "eval"), names)
            args, kwargs = eval(compile(tree, "--call", "eval"), names)
    except (Exception, SystemExit) as error:
        raise UsageError(f"--call {text}: {_describe(error)}") from None
    return found, args, kwargs


def _plain_function(
    function: object, name: str, args: tuple[object, ...]
) -> tuple[FunctionType, tuple[object, ...]]:
    """Return the function behind a method, and the arguments with the object before them."""
    if isinstance(function, MethodType):
        args = (function.__self__, *args)
        function = function.__func__
    if not isinstance(function, FunctionType):
        raise UsageError(f"{name} is {_kind(function)}, not a function written in Python")
    return function, args


@contextlib.contextmanager
def _in_one_line(function: FunctionType, name: str) -> Iterator[None]:
    """Turn what goes wrong with a function into one line."""
    try:
        yield
    except AutographError as error:
        raise UsageError(_one_line(str(error))) from None
    except TypeError as error:
        if _last_line(error):
            raise UsageError(f"{name}: {_describe(error)}") from None
        reason = _one_line(str(error)).removeprefix(f"{function.__name__}() ")
        raise UsageError(
            f"{name}: {reason}; give a type such as f64[n,3] or a literal for each parameter"
        ) from None
    except (Exception, SystemExit) as error:
        raise UsageError(f"{name}: {_describe(error)}") from None


# -- output ---------------------------------------------------------------------------------------


def _print(text: str) -> None:
    """Print a stage, highlighted where there is a terminal to show it."""
    if sys.stdout is None:
        raise UsageError("cannot print: standard output is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a letter of the user's names is no reason to fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        if not (sys.stdout.isatty() and _print_highlighted(text)):
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        raise UsageError(f"cannot print: {error.strerror or error}") from None


def _drop_output() -> None:
    """Keep the interpreter from complaining of what it cannot write when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_highlighted(text: str) -> bool:
    """Print highlighted Python if rich is installed, and tell whether it is."""
    try:
        from rich.console import Console
        from rich.syntax import Syntax
    except ImportError:
        return False
    shown = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
    Console().print(shown, soft_wrap=True, end="")
    return True


def _write(path: Path, text: str) -> None:
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_text(text, encoding="utf-8")  # a device or a pipe
            return
        with replacing(path) as file:
            file.write(text.encode("utf-8"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
