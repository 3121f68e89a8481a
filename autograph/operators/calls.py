"""Calls in converted code.

Owns `call`. It leaves deciding what a callee is to the tracer's table of operations and, past that,
to the environment. Invariant: with no tracer at work, ``call(f, ...)`` is ``f(...)``.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import BoundAttribute, Symbol


def call(function: Callable[..., object], /, *args: object, **kwargs: object) -> object:
    """Call `function`: convert it, record it as an operation, or just call it.

    >>> call(max, 1, 2)
    2
    """
    tracer = current_tracer()
    if tracer is None:
        return function(*args, **kwargs)
    if type(function) is Symbol:
        return tracer.call_value(function, args, kwargs)
    if type(function) is BoundAttribute:
        return function(*args, **kwargs)
    return tracer.function(function, args, kwargs)
