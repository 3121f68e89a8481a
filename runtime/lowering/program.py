"""Programs: one Python function from one graph.

Owns putting the stages together and compiling the result. It leaves each stage to its file:
`regions` (which operations stand where), `schedule` (statements), `coalesce` (variables), `names`,
`emit` and `expressions` (syntax), `origins` (positions). Invariant: the function does what the
graph says, under the file name and at the positions of the user's source.
"""

from __future__ import annotations

import ast
import builtins
import types
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..ir.graph import Graph, Node
from .coalesce import coalesce
from .emit import FunctionEmitter
from .names import GlobalNames, LocalNames
from .schedule import schedule
from .statements import Function


@dataclass(frozen=True, eq=False)
class Program:
    """A graph as a Python function."""

    graph: Graph
    """What it was made from."""
    source: str
    """The text of the program: helper functions first. What runs is the tree, not this text."""
    function: types.FunctionType
    """Takes the graph's parameters by position, returns its result."""
    objects: dict[str, object]
    """The objects the program refers to by name: constants, kernels, helper functions."""

    @property
    def code(self) -> types.CodeType:
        """The code object of the function."""
        return self.function.__code__


@dataclass(frozen=True, eq=False)
class Emitted:
    """The syntax of a program, before Python compiles it."""

    graph: Graph
    trees: dict[Function, ast.FunctionDef]
    """Definitions, each after those of the functions it calls; the program's own is the last."""
    names: dict[Function, str]
    """What the functions are called in one another."""
    objects: dict[str, object]
    """The objects the program refers to by name, without its functions."""
    operations: dict[ast.AST, Node]
    """The operation that a tree inside the definitions computes: an expression, or a statement."""


def lower(graph: Graph) -> Program:
    """Return `graph` as a Python program.

    Parameters
    ----------
    graph : any verified graph.

    Returns
    -------
    The program. Its function is compiled under ``graph.file`` and called ``graph.name``.

    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import INT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(INT, "x")
    >>> y, = build.append(arithmetic.MUL, [x, x])
    >>> z, = build.append(arithmetic.ADD, [y, x])
    >>> build.end("return", [z])
    >>> program = lower(build.graph("f"))
    >>> print(program.source)
    def f(x):
        return x * x + x
    >>> program.function(3)
    12
    """
    emitted = emit(graph)
    trees = emitted.trees
    namespace = emitted.objects
    main = assemble(emitted, compiled(trees), namespace)
    source = "\n\n".join(ast.unparse(tree) for tree in trees.values())
    return Program(graph, source, main, namespace)


def emit(graph: Graph) -> Emitted:
    """Return the syntax of the program of `graph`; the same for the same graph."""
    scheduled, hint = schedule(graph)
    main = scheduled[-1]
    functions = [callee for function in scheduled for callee in (*_callees(function), function)]
    variables = [coalesce(function, hint) for function in functions]
    locals_ = [
        LocalNames(v, function.params, hint)
        for v, function in zip(variables, functions, strict=True)
    ]
    globals_ = GlobalNames([name for names in locals_ for name in names.taken])
    names = {function: globals_.reserve(function.name) for function in (main, *functions[:-1])}
    operations: dict[ast.AST, Node] = {}
    trees = {
        function: FunctionEmitter(
            function, v, local, globals_, names, hint, operations
        ).definition(names[function])
        for function, v, local in zip(functions, variables, locals_, strict=True)
    }
    globals_.objects["__builtins__"] = builtins  # NumPy looks there when it raises and warns
    return Emitted(graph, trees, names, globals_.objects, operations)


def compiled(trees: Mapping[Function, ast.FunctionDef]) -> dict[Function, types.CodeType]:
    """Return the code of functions, under the names and files of their sources."""
    return {function: _compile(function, tree) for function, tree in trees.items()}


def assemble(
    emitted: Emitted, codes: Mapping[Function, types.CodeType], namespace: dict[str, object]
) -> types.FunctionType:
    """Return the last function of a program that consists of `codes`.

    All of them get `namespace` as their globals, and all but the last a name in it.
    """
    made = {
        function: types.FunctionType(code, namespace, function.name)
        for function, code in codes.items()
    }
    *callees, main = made
    namespace.update((emitted.names[function], made[function]) for function in callees)
    return made[main]


def _callees(function: Function) -> Iterator[Function]:
    """Yield the functions that `function` calls, after those that they call."""
    for callee in function.functions:
        yield from _callees(callee)
        yield callee


def _compile(function: Function, tree: ast.FunctionDef) -> types.CodeType:
    """Return the code of the function that `tree` defines."""
    with warnings.catch_warnings():
        # Constants stand where the user wrote names: ``x is "text"`` is no slip here.
        warnings.simplefilter("ignore", SyntaxWarning)
        module = compile(ast.Module([tree], []), function.file, "exec", dont_inherit=True)
    code = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    return code.replace(co_name=function.name, co_qualname=function.name)
