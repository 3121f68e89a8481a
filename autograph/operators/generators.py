"""Generators in converted code.

Owns `generator`, which marks the function made of a generator function, and `yield_`. It leaves
loops over generators to `runtime.tracing.generators`. Invariant: converted generators run only
while a trace is made; plain Python runs the user's own.
"""

from __future__ import annotations

from types import FunctionType

from runtime.tracing import generators
from runtime.tracing.state import current_tracer


def generator(function: FunctionType) -> generators.GeneratorFunction:
    """Mark the function that a generator function became."""
    return generators.GeneratorFunction(function)


def yield_(item: object = None) -> None:
    """Hand `item` to the loop that asked for it.

    Raises
    ------
    RuntimeError
        If nothing is being traced.
    """
    tracer = current_tracer()
    if tracer is None:
        raise RuntimeError("the code of a generator runs outside of a trace")
    generators.yield_(tracer, item)
