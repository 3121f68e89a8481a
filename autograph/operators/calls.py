"""Calls in converted code.

Owns `call`. It leaves deciding what a callee is to the tracer's table of operations and, past that,
to the environment. Invariant: with no tracer at work, ``call(f, ...)`` is ``f(...)``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

from runtime.tracing import generators
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import BoundAttribute, Symbol, is_symbolic
from runtime.tracing.tracer import Tracer

from .mapping import mapped


def call(function: Callable[..., object], /, *args: object, **kwargs: object) -> object:
    """Call `function`: convert it, record it as an operation, or just call it.

    >>> call(max, 1, 2)
    2
    """
    tracer = current_tracer()
    if tracer is None:
        return function(*args, **kwargs)
    if isinstance(function, generators.GeneratorFunction):
        return function.called(tracer, args, kwargs)
    if args and isinstance(args[0], generators.Generated) and isinstance(function, type):
        return generators.use_up(tracer, function, args, kwargs)
    if type(function) is Symbol:
        return tracer.call_value(function, args, kwargs)
    if type(function) is BoundAttribute:
        return function(*args, **kwargs)
    if function in (map, filter) and len(args) == 2 and not kwargs:
        if isinstance(args[1], generators.Generated):
            return _around(tracer, function, args[0], args[1])
    if function is map and len(args) > 1 and is_symbolic(args[1:]):
        return mapped(args[0], tracer.function(zip, args[1:], {}), call)  # type: ignore[arg-type]
    if len(args) == 1 and isinstance(args[0], generators.Generated) and _is_join(function):
        args = (generators.as_list(tracer, args[0]),)
    return tracer.function(function, args, kwargs)


def _around(
    tracer: Tracer, function: object, inner: object, items: generators.Generated
) -> generators.Generated:
    """Return ``map`` or ``filter`` of a generator."""
    if function is map:
        return generators.applied(tracer, lambda item: call(inner, item), items)  # type: ignore[arg-type]
    if inner is None:
        return generators.filtered(tracer, lambda item: item, items)
    return generators.filtered(tracer, lambda item: call(inner, item), items)  # type: ignore[arg-type]


def made(function: FunctionType) -> FunctionType:
    """Return `function`, an inner function made just now, and take notice of it.

    >>> made(lambda: 1)()
    1
    """
    tracer = current_tracer()
    if tracer is not None:
        tracer.host.made(tracer, function)
    return function


def _is_join(function: object) -> bool:
    """Tell whether `function` is ``text.join``, which makes a list of its argument first."""
    owner = getattr(function, "__self__", None)
    return isinstance(owner, str) and getattr(function, "__name__", "") == "join"
