"""Functions that the program makes.

Owns the operation ``closure`` and the function objects it makes at run time. It leaves tracing the
body to `runtime.tracing` and the definition to `runtime.lowering`. Invariant: to Python the object
has the name, the parameters and the defaults of the user's function.

The inputs are the captured values, then the defaults of parameters, then those of keyword-only
ones. Attributes: ``function`` names the function of the graph, whose parameters are the captured
values, then the function object itself if ``own`` says so, then all parameters; ``captured`` and
``defaults`` are numbers of inputs; ``parameters``
are the names in order, with ``/`` and stars as in a signature; ``keyword_defaults``
are the names of keyword-only parameters with a default; ``name``, ``qualname``, ``module``,
``doc`` and ``annotations`` (pairs) are those of the function.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any, cast

from ..ir.graph import Attributes, Value
from ..ir.types import OPAQUE, Type
from .registry import ANYTHING, Effects, Operation, register

FILE = "<function made by a compiled function>"


def _kernel(*inputs: object) -> object:
    raise TypeError("a function of the graph is lowered, not called")


def _infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (OPAQUE,)


def _effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Return that what is captured can be reached from the function, whoever calls it."""
    return Effects(aliases=(ANYTHING,))


CLOSURE = register(
    Operation(
        "closure", _kernel, _infer, _effects,
        doc="a function that runs a function of the graph with captured values",
    )
)  # fmt: skip


def parameter_names(attrs: Attributes) -> tuple[str, ...]:
    """Return the names of the parameters of a function that ``closure`` makes."""
    names = cast(tuple[str, ...], attrs["parameters"])
    return tuple(name.lstrip("*") for name in names if name not in ("/", "*"))


def maker(attrs: Attributes) -> Callable[..., types.FunctionType]:
    """Return what makes the functions of one ``closure``: of the definition and the inputs.

    >>> make = maker({"captured": 1, "defaults": 1, "keyword_defaults": (), "parameters": ("v",),
    ...     "name": "g", "qualname": "f.<locals>.g", "module": "m", "doc": None, "annotations": ()})
    >>> function = make(lambda k, v: k * v, 10, 2)
    >>> function(), function(v=3), function.__qualname__
    (20, 30, 'f.<locals>.g')
    """
    return functools.partial(_make, _template(attrs), dict(attrs))


def _template(attrs: Attributes) -> Callable[..., types.FunctionType]:
    """Return a function of the definition and the captured values that returns a function."""
    parameters = cast(tuple[str, ...], attrs["parameters"])
    names = parameter_names(attrs)
    own = [_unlike(f"captured_{number}", names) for number in range(cast(int, attrs["captured"]))]
    definition = _unlike("definition", names)
    made = _unlike("made", names)
    handed = ", ".join([*own, *([made] if attrs.get("own") else []), *names])
    lines = (
        f"def template({', '.join([definition, *own])}):",
        f"    def {made}({', '.join(parameters)}):",
        f"        return {definition}({handed})",
        f"    return {made}",
    )
    namespace: dict[str, Any] = {"__name__": attrs["module"]}
    exec(compile("\n".join(lines), FILE, "exec", dont_inherit=True), namespace)
    return cast(Callable[..., types.FunctionType], namespace["template"])


def _unlike(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _make(
    template: Callable[..., types.FunctionType],
    attrs: dict[str, Any],
    definition: object,
    *inputs: object,
) -> types.FunctionType:
    captured, defaults = attrs["captured"], attrs["captured"] + attrs["defaults"]
    function = template(definition, *inputs[:captured])
    name, qualname = attrs["name"], attrs["qualname"]
    function.__code__ = function.__code__.replace(co_name=name, co_qualname=qualname)
    function.__name__, function.__qualname__ = name, qualname
    function.__module__, function.__doc__ = attrs["module"], attrs["doc"]
    function.__defaults__ = inputs[captured:defaults] or None
    keywords = dict(zip(attrs["keyword_defaults"], inputs[defaults:], strict=True))
    function.__kwdefaults__ = keywords or None
    function.__annotations__ = dict(attrs["annotations"])
    return function
