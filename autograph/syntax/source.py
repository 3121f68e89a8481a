"""From a function to its source: file, text and tree, with the positions they have in the file.

Owns finding the source of a function object and proving that it *is* the source of that function.
It leaves judging the tree to `fence` and printing it to `unparse`.

Names such as ``__x`` inside a class are mangled here, as the compiler would, so that no later stage
needs to know the class.

Invariants: nothing is dedented or re-indented (the whole file is parsed as it stands), so every
node carries the line and the UTF-8 column it has in the file; and the node that is returned
compiles to the code that the function runs, or `NoSource` is raised.
"""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import linecache
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

_FUTURE_FLAGS = functools.reduce(
    lambda flags, name: flags | getattr(__future__, name).compiler_flag,
    __future__.all_feature_names,
    0,
)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

# Fields of gast nodes that hold identifiers which a class mangles.
_NAME_FIELDS = {
    "Name": ("id",),
    "Attribute": ("attr",),
    "keyword": ("arg",),
    "FunctionDef": ("name",),
    "AsyncFunctionDef": ("name",),
    "Global": ("names",),
    "Nonlocal": ("names",),
    "alias": ("name", "asname"),
}


class NoSource(Exception):
    """A function has no source that could be read, or none that is true.

    Attributes
    ----------
    name
        The qualified name of the function.
    file
        The file its code names, which need not exist; None when it has no code at all.
    reason
        What is the matter, as a clause.
    advice
        What to do about it, as a clause.
    """

    def __init__(self, name: str, file: str | None, reason: str, advice: str) -> None:
        super().__init__(f"{name} has no source to compile: {reason}; {advice}")
        self.name = name
        self.file = file
        self.reason = reason
        self.advice = advice


@dataclass(frozen=True)
class FunctionSource:
    """The source of one function.

    Attributes
    ----------
    file
        The name of the file, as its code has it.
    text
        The whole lines of the definition, decorators included, as they stand in the file.
    node
        A gast FunctionDef, AsyncFunctionDef or Lambda, with the positions of the file and with
        private names such as ``__x`` as the class around it mangles them. Each call makes a new
        tree, which the caller may change.
    first_line
        The line of the file on which `text` starts, from 1.
    """

    file: str
    text: str
    node: Any
    first_line: int


def read_function(function: Callable[..., object]) -> FunctionSource:
    """Read the source of a function, and make sure that it is the one the function runs.

    Parameters
    ----------
    function
        A function written in Python: `def`, `lambda`, or a bound method of one.

    Returns
    -------
    FunctionSource
        With the tree of the definition, in file positions.

    Raises
    ------
    NoSource
        If `function` is not written in Python, if its file cannot be read (an interactive prompt,
        ``python -c``, ``exec``), or if the file has changed since the function was made from it.

    Examples
    --------
    >>> import textwrap
    >>> source = read_function(textwrap.dedent)
    >>> source.node.name, source.node.lineno == source.first_line
    ('dedent', True)
    >>> read_function(len)
    Traceback (most recent call last):
    autograph.syntax.source.NoSource: len has no source to compile: it is not a function written \
in Python; pass a function made by `def` or `lambda`
    """
    plain = function.__func__ if isinstance(function, types.MethodType) else function
    if not isinstance(plain, types.FunctionType):
        name = getattr(plain, "__qualname__", None) or type(plain).__qualname__
        raise NoSource(
            name,
            None,
            "it is not a function written in Python",
            "pass a function made by `def` or `lambda`",
        )
    code = plain.__code__
    name, file = plain.__qualname__, code.co_filename
    found = None
    lines = linecache.getlines(file, plain.__globals__)
    if lines:
        found = _find("".join(lines), code)
    if found is None:
        # linecache may hold the text of an earlier import of the same file.
        linecache.checkcache(file)
        fresh = linecache.getlines(file, plain.__globals__)
        if fresh and fresh != lines:
            lines, found = fresh, _find("".join(fresh), code)
    if not lines:
        raise NoSource(name, file, *_why_unreadable(file))
    if found is None:
        raise NoSource(
            name,
            file,
            f"{file} is not what it was when the function was made from it",
            "import it again",
        )
    node, class_name = found
    first = _first_line(node)
    last = node.end_lineno or node.lineno
    text = "".join(lines[first - 1 : last])
    tree = gast.ast_to_gast(node)
    if class_name is not None:
        _mangle(tree, class_name)
    return FunctionSource(file, text, tree, first)


def _mangle(tree: Any, class_name: str) -> None:
    """Give private names in a function the form they have inside of a class.

    See "Private name mangling" in the language reference.
    """
    prefix = class_name.lstrip("_")
    if not prefix:
        return

    def mangled(name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{prefix}{name}" if private else name

    for node in gast.walk(tree):
        for field in _NAME_FIELDS.get(type(node).__name__, ()):
            value = getattr(node, field)
            if isinstance(value, str) and node is not tree:
                setattr(node, field, mangled(value))
            elif isinstance(value, list):
                setattr(node, field, [mangled(name) for name in value])


def _why_unreadable(file: str) -> tuple[str, str]:
    """Say why a file gave no lines, and what to do."""
    if file.startswith("<frozen "):
        return "it is frozen into the interpreter", "compile a function of your own"
    if file.startswith("<") and file.endswith(">"):
        return (
            f"it was made in {file} (a prompt, `python -c` or `exec`), which is not a file",
            "put it in a file and import it",
        )
    return f"{file} cannot be read", "put the file back, or the function in another one"


@dataclass(frozen=True)
class _Module:
    """A whole file: its tree, and the code objects it compiles to by name and first line."""

    tree: ast.Module
    codes: dict[tuple[str, int], list[types.CodeType]]


@functools.lru_cache(maxsize=16)
def _read_module(text: str, flags: int) -> _Module | None:
    """Parse and compile a whole file; None if it is not Python.

    The whole of it, since what stands above a function changes its code: a name that is imported
    at the top of the file is called in another way than one that is assigned.
    """
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as notebooks do
    try:
        # What there was to warn about was said when the user's file was imported.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            whole = compile(tree, "<check>", "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    codes: dict[tuple[str, int], list[types.CodeType]] = {}
    for code in _codes(whole):
        codes.setdefault((code.co_name, code.co_firstlineno), []).append(code)
    return _Module(tree, codes)


def _first_line(node: ast.stmt | ast.Lambda) -> int:
    """Line on which a definition or statement starts, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _find(text: str, code: types.CodeType) -> tuple[_Definition, str | None] | None:
    """Find the definition in `text` that compiles to `code`, and the class around it."""
    module = _read_module(text, code.co_flags & _FUTURE_FLAGS)
    if module is None:
        return None
    line = code.co_firstlineno
    candidates = [
        (node, class_name)
        for statement in module.tree.body
        if _first_line(statement) <= line <= (statement.end_lineno or line)
        for node, class_name in _definitions(statement)
        if _first_line(node) == line
        and ("<lambda>" if isinstance(node, ast.Lambda) else node.name) == code.co_name
    ]
    own = module.codes.get((code.co_name, line), [])
    if not _is_rewritten(code) and _code_key(code) not in map(_code_key, own):
        return None
    points = _instruction_points(code)
    if len(candidates) == 1 and not points:
        return candidates[0]
    if code.co_name == "<lambda>" and points:
        candidates = [item for item in candidates if _holds(item[0], points)]
        # Of lambdas inside one another, the innermost that holds them all.
        return candidates[-1] if candidates else None
    if code.co_name == "<lambda>":
        alike = [item for item in candidates if _compiles_alone_to(item[0], code)]
        return alike[0] if alike else None
    return candidates[0] if len(candidates) == 1 else None


def _compiles_alone_to(node: _Definition, code: types.CodeType) -> bool:
    """Tell whether a lambda gives `code` even out of its file.

    Python 3.12 keeps no columns of a lambda that returns a constant, and no Python keeps any under
    ``-X no_debug_ranges``. Lambdas that compile alike out of their file mean the same.
    """
    assert isinstance(node, ast.Lambda)
    arguments = copy.copy(node.args)
    arguments.defaults = []
    arguments.kw_defaults = [None for _ in arguments.kwonlyargs]
    bare = ast.copy_location(ast.Lambda(arguments, node.body), node)
    whole = compile(ast.Expression(bare), "<check>", "eval", dont_inherit=True)
    return _code_key(code) == _code_key(next(_codes(whole)))


def _definitions(statement: ast.stmt) -> Iterator[tuple[_Definition, str | None]]:
    """Every definition in a statement, outer before inner, with the innermost class around it."""
    waiting: list[tuple[ast.AST, str | None]] = [(statement, None)]
    while waiting:
        node, class_name = waiting.pop()
        if isinstance(node, _DEFINITIONS):
            yield node, class_name
        inner = node.name if isinstance(node, ast.ClassDef) else class_name
        for field, value in ast.iter_fields(node):
            # Decorators and bases are evaluated outside the class that they decorate.
            around = class_name if field in ("decorator_list", "bases", "keywords") else inner
            children = value if isinstance(value, list) else [value]
            waiting.extend((child, around) for child in children if isinstance(child, ast.AST))


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Every code object inside `code`."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _code_key(code: types.CodeType) -> tuple[object, ...]:
    """Return what makes two code objects run alike, positions aside."""
    return (
        code.co_name,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & ~_FUTURE_FLAGS,
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_cellvars,
        code.co_freevars,
        code.co_exceptiontable,
        tuple(map(_constant_key, code.co_consts)),
    )


def _constant_key(value: object) -> object:
    """Key that keeps 1, 1.0 and True apart, and 0.0 and -0.0."""
    if isinstance(value, types.CodeType):
        return _code_key(value)
    if isinstance(value, tuple):
        return tuple(map(_constant_key, value))
    if isinstance(value, frozenset):
        return frozenset(map(_constant_key, value))
    return type(value), repr(value)


def _is_rewritten(code: types.CodeType) -> bool:
    """Tell whether pytest's assertion rewriting has been at work on this function.

    It compiles another tree than the file's, so that the code cannot be compared.
    """
    return any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames)) or any(
        map(_is_rewritten, _codes(code))
    )


def _instruction_points(code: types.CodeType) -> tuple[tuple[int, int], ...]:
    """Lines and columns at which instructions of `code` start; none under no_debug_ranges."""
    return tuple(
        (line, column)
        for line, _, column, end_column in code.co_positions()
        if line is not None and column is not None and end_column
    )


def _holds(node: _Definition, points: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether all points are in the body of a lambda, which tells lambdas on a line apart."""
    assert isinstance(node, ast.Lambda)
    start = (node.body.lineno, node.body.col_offset)
    end = (node.body.end_lineno or 0, node.body.end_col_offset or 0)
    return start <= min(points) and max(points) <= end
