"""The decorator.

Owns `compile` and what it puts on a compiled function. It leaves calls to `dispatch`. Invariant: a
compiled function is a plain function with the name, signature, defaults and docstring of the
user's, so that methods, `inspect.signature` and pickling work.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import os
from collections import UserString
from collections.abc import Callable, Collection, Sequence
from html import escape
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from runtime.compile import compile_graph
from runtime.errors import ConversionError
from runtime.ir.graph import Graph
from runtime.ir.printer import format_graph
from runtime.lowering.program import Program
from runtime.passes.pipeline import PIPELINE, optimize
from runtime.pictures.dot import dot
from runtime.pictures.outline import outline
from runtime.pictures.page import page
from runtime.profiling.profile import Profile
from runtime.replacing import replacing

from .convert import convert
from .dispatch import Fallback, Options, Record, Signatures
from .explain import explain
from .staging import NotStaged
from .syntax.source import NoSource, read_function
from .typespec import TypeSpec

Function = TypeVar("Function", bound=Callable[..., Any])


class LazyText(UserString):
    """A text that is computed when it is first looked at."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    @functools.cached_property
    def data(self) -> str:  # type: ignore[override]  # UserString stores it
        """The text."""
        return self._make()

    def __repr__(self) -> str:
        """Return the text as it is, for a prompt to show."""
        return self.data


class GraphView(str):
    """The text of a graph, which also draws it; `graph` is the graph itself.

    A notebook shows it as a picture, beside the source and what that was converted to.
    """

    graph: Graph
    converted: LazyText

    def __new__(cls, graph: Graph, converted: LazyText) -> GraphView:
        """Return the view of `graph`, and of the converted source that it was traced from."""
        view = super().__new__(cls, format_graph(graph))
        view.graph = graph
        view.converted = converted
        return view

    def __repr__(self) -> str:
        """Return the text as it is, for a prompt to show."""
        return str(self)

    def to_dot(self) -> str:
        """Return the graph in DOT, the language of Graphviz.

        Regions are clusters, edges carry types, and an operation's tooltip is its line of source.
        """
        return dot(self.graph.name, outline(self.graph))

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return a page that shows the graph: nested boxes, with the source beside them.

        Parameters
        ----------
        path
            Where to write the page, as a whole; None to write nothing.

        Returns
        -------
        str
            The page: one document that loads nothing, and works without a network.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        text = page(self.graph.name, outline(self.graph))
        if path is not None:
            with replacing(path) as file:
                file.write(text.encode("utf-8", "backslashreplace"))
        return text

    def _repr_html_(self) -> str:
        """Return what a notebook shows: source, conversion and graph side by side."""
        texts = [("converted", str(self.converted))]
        inner = page(self.graph.name, outline(self.graph), texts)
        return (
            f'<iframe srcdoc="{escape(inner)}" sandbox="allow-scripts" '
            'style="width: 100%; height: 640px; border: 0"></iframe>'
        )


class ProgramView(str):
    """The text of a program; `program` is the program itself."""

    program: Program

    def __new__(cls, program: Program) -> ProgramView:
        """Return the view of `program`."""
        view = super().__new__(cls, program.source)
        view.program = program
        return view

    def __repr__(self) -> str:
        """Return the text as it is, for a prompt to show."""
        return str(self)

    @property
    def function(self) -> Callable[..., object]:
        """What runs: takes the parameters, then what was captured, by position."""
        return self.program.function


@overload
def compile(function: Function, /) -> Function: ...


@overload
def compile(
    function: Function, /, *, fallback: Fallback = ..., without: Collection[str] = ...
) -> Function: ...


@overload
def compile(
    *, fallback: Fallback = ..., without: Collection[str] = ...
) -> Callable[[Function], Function]: ...


def compile(
    function: Any = None, /, *, fallback: Fallback = "warn", without: Collection[str] = ()
) -> Any:
    """Compile a function: trace it to a graph when called, optimize that, run it on NumPy.

    Used as ``@compile``, ``@compile(...)`` or ``compile(f)``.

    Parameters
    ----------
    function
        A function, lambda, method, ``staticmethod`` or ``classmethod``, ``functools.partial``, or
        an object with ``__call__``.
    fallback
        What happens to a call that cannot be staged: ``"warn"`` runs the plain function and gives
        one `AutographWarning` per reason; ``"error"`` raises `ConversionError`.
    without
        Names of optimization passes that are switched off.

    Returns
    -------
    A function to be called like the plain one. It has the attributes

    - ``source``, ``converted``: the original and the converted source;
    - ``graph(*args)``, ``optimized(*args)``, ``program(*args)``: the texts of the stages for such
      a call; arguments may be `TypeSpec` objects;
    - ``explain(*args)``: for every branch, loop and call, what became of it, and why;
    - ``profile(*args)``: makes such a call and returns where its time and memory went, a
      `runtime.profiling.profile.Profile`;
    - ``signatures``: the traces made so far.

    Raises
    ------
    TypeError
        If `function` is no function, or not written in Python.
    ValueError
        If `fallback` or a name in `without` is none of those that exist.
    ConversionError
        From a call, under ``fallback="error"``, if it cannot be staged.

    Examples
    --------
    >>> @compile
    ... def power(x, n):
    ...     result = 1
    ...     for _ in range(n):
    ...         result = result * x
    ...     return result
    >>> power(2, 10)
    1024
    """
    options = Options(_checked_fallback(fallback), _checked_passes(without))
    if function is None:
        return lambda decorated: _compile(decorated, options)
    return _compile(function, options)


def _checked_fallback(fallback: Fallback) -> Fallback:
    if fallback not in ("warn", "error"):
        raise ValueError(f'fallback is "warn" or "error", not {fallback!r}')
    return fallback


def _checked_passes(without: Collection[str]) -> tuple[str, ...]:
    names = [step.name for step in PIPELINE]
    for name in without:
        if name not in names:
            raise ValueError(f"there is no pass {name!r}; there are {', '.join(names)}")
    return tuple(without)


def _compile(function: Any, options: Options) -> Any:
    if isinstance(function, staticmethod | classmethod):
        return type(function)(_compile(function.__func__, options))
    if isinstance(function, MethodType):
        return MethodType(_compile(function.__func__, options), function.__self__)
    if isinstance(function, functools.partial):
        inner = _compile(function.func, options)
        return functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, FunctionType):
        original = vars(function).get("__autograph_original__", function)
        if vars(function).get("__wrapped__") is not original:  # copied by another decorator
            original = function
        return _compile_function(original, options)
    if not callable(function) or isinstance(function, type):
        raise TypeError(f"compile takes a function, not {function!r}{_advice(function)}")
    call = inspect.getattr_static(type(function), "__call__")
    if isinstance(call, FunctionType):
        return MethodType(_compile_function(call, options), function)
    raise TypeError(
        f"compile takes a function written in Python, not {function!r}{_advice(function)}"
    )


def _advice(function: object) -> str:
    """Return what to write in place of compiling something that is no function."""
    if isinstance(function, type):
        return "; decorate its methods"
    if isinstance(function, property | functools.cached_property):
        return "; put @compile below the decorator that makes it"
    if hasattr(function, "cache_info"):
        return "; put @compile below the decorator that caches"
    if isinstance(function, str):
        return f"; write compile(fallback={function!r})"
    return ""


def _compile_function(original: FunctionType, options: Options) -> FunctionType:
    record = Record(original, options)
    namespace: dict[str, object] = {
        "__name__": original.__module__, "__builtins__": builtins
    }  # fmt: skip
    placeholder = FunctionType(
        (lambda: None).__code__, namespace, original.__name__, original.__defaults__
    )
    functools.update_wrapper(placeholder, original)
    placeholder.__kwdefaults__ = original.__kwdefaults__
    record.compiled = placeholder
    record.publish()
    inspectors: dict[str, object] = {
        "__autograph_original__": original,
        "__autograph_record__": record,
        "source": LazyText(lambda: _source(original)),
        "converted": LazyText(lambda: convert(original).text),
        "graph": functools.partial(_graph, record),
        "optimized": functools.partial(_optimized, record),
        "program": functools.partial(_program, record),
        "explain": functools.partial(explain, record),
        "profile": functools.partial(_profile, record),
        "signatures": Signatures(record),
    }
    vars(placeholder).update(inspectors)
    return placeholder


def _source(original: FunctionType) -> str:
    try:
        return read_function(original).text
    except NoSource as error:
        raise ConversionError(str(error)) from None


def _graph(record: Record, *args: object, **kwargs: object) -> GraphView:
    """Return the graph that tracing a call with these arguments gives, unoptimized."""
    return GraphView(_traced(record, args, kwargs), LazyText(lambda: convert(record.original).text))


def _optimized(record: Record, *args: object, **kwargs: object) -> GraphView:
    """Return the graph that a call with these arguments runs."""
    passes = [step for step in PIPELINE if step.name not in record.options.without]
    graph = optimize(_traced(record, args, kwargs), passes)
    return GraphView(graph, LazyText(lambda: convert(record.original).text))


def _program(record: Record, *args: object, **kwargs: object) -> ProgramView:
    """Return the NumPy program that a call with these arguments runs."""
    graph = _traced(record, args, kwargs)
    return ProgramView(compile_graph(graph, without=record.options.without))


def _profile(record: Record, *args: object, **kwargs: object) -> Profile:
    """Call the function with probes in its program, and return what they measured."""
    for item in (*args, *kwargs.values()):
        if isinstance(item, TypeSpec):
            raise TypeError(
                f"profile runs the function, so it takes values, not TypeSpec({item.text!r})"
            )
    return record.profile(record.bind(args, kwargs))


def _traced(record: Record, args: Sequence[object], kwargs: dict[str, object]) -> Graph:
    try:
        return record.trace(record.bind(args, kwargs)).graph
    except NotStaged as error:
        raise ConversionError(error.reason) from None
