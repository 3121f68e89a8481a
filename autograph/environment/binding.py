"""Calls of converted functions whose arguments are spread from a run-time list or dict.

Owns `bind_spread`, which has Python itself bind the arguments at run time, with its own errors, to
a function that only returns its parameters. It leaves entering the function to the `World`.
Invariant: what is known while tracing and certainly goes to one parameter stays known.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from runtime.ir.graph import Constant
from runtime.ops.attributes import is_spread
from runtime.tracing.signals import Unstageable
from runtime.tracing.symbol import Splat, is_symbolic
from runtime.tracing.tracer import Tracer

_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def bind_spread(
    tracer: Tracer,
    function: FunctionType,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> dict[str, object]:
    """Return the values of all parameters of a call.

    Parameters
    ----------
    tracer
        Records the binding.
    function
        The converted function.
    args, kwargs
        Its arguments, some of which are a `Splat`.

    Returns
    -------
    Values by name: symbols, and what is known.

    Raises
    ------
    Unstageable
        If the function has a default that only the run knows.
    """
    parameters = tuple(inspect.signature(function).parameters.values())
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    positional = [p.name for p in named if p.kind is not p.KEYWORD_ONLY]
    known = _known_arguments(positional, args, kwargs)
    binder = Constant(_binder(function, parameters))
    inputs, attrs = tracer.arguments(
        [_enters(item) for item in args[: len(positional)]] + list(args[len(positional) :]),
        {
            name: _enters(item) if any(name == p.name for p in named) else item
            for name, item in kwargs.items()
        },
        binder,
    )
    bound = tracer.append("bind", inputs, attrs)
    values = tracer.append_many("unpack", (bound,), {"count": len(parameters)})
    return {
        parameter.name: known[parameter.name]
        if parameter in named and parameter.name in known
        else value
        for parameter, value in zip(parameters, values, strict=True)
    }


def _known_arguments(
    names: Sequence[str], args: Sequence[object], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """Return the arguments whose parameter is certain."""
    known = {name: item for name, item in kwargs.items() if not is_spread(name)}
    for name, item in zip(names, args):  # noqa: B905  # too many: an error at run time
        if type(item) is Splat:
            break
        known[name] = item
    return known


def _enters(item: object) -> object:
    """Return what stands for `item` where only its place counts, if it cannot enter a graph."""
    return item if is_symbolic(item) or isinstance(item, _PLAIN) else None


def _binder(function: FunctionType, parameters: tuple[inspect.Parameter, ...]) -> FunctionType:
    """Return a function with the name and parameters of `function` that returns them."""
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    if is_symbolic((*defaults, *keyword_defaults.values())):
        raise Unstageable(
            f"a default of {function.__qualname__} is known only at run time",
            "name the arguments",
        )
    empty = inspect.Parameter.empty  # defaults are replaced below
    header = inspect.Signature(
        [
            p.replace(annotation=empty, default=empty if p.default is empty else None)
            for p in parameters
        ]
    )
    names = "".join(f"{parameter.name}, " for parameter in parameters)
    namespace: dict[str, Any] = {}
    exec(f"def binder{header}: return ({names})", namespace)
    binder: FunctionType = namespace["binder"]
    binder.__defaults__ = function.__defaults__
    binder.__kwdefaults__ = function.__kwdefaults__
    for name in ("__name__", "__qualname__", "__module__"):  # they stand in Python's errors
        setattr(binder, name, getattr(function, name))
    return binder
