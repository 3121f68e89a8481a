"""Calls of Python's builtin functions in converted code.

Owns what is known of their results while tracing. It leaves recording them to the tracer.
Invariant: an answer given now holds for every run of the trace.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Protocol

from runtime.tracing.symbol import Symbol, is_symbolic
from runtime.tracing.tracer import Tracer

from .instances import instance_answer, isinstance_at_run_time, plain_classes
from .key_functions import best, has_key_function, ordered

_PLAIN_CLASSES = (type(None), bool, int, float, complex, str, bytes)


class Surroundings(Protocol):
    """What is asked about the world of the traced function."""

    def special(self, item: object, method: str) -> FunctionType | None:
        """Return the user's special method for a symbolic object, or None."""
        ...

    def assigned(self, item: object) -> None:
        """Refuse the assignment of an attribute of something that is part of the trace."""
        ...


def call_builtin(
    world: Surroundings,
    tracer: Tracer,
    function: object,
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> object:
    """Call a builtin `function`: answer now, or record it."""
    if function in (setattr, delattr) and len(args) == (3 if function is setattr else 2):
        if not isinstance(args[0], Symbol):
            world.assigned(args[0])
        if type(args[1]) is str:  # recorded as the statement is
            change: Callable[..., object] = function
            return change(*args)
    if function is type and len(args) == 1 and type(args[0]) in _PLAIN_CLASSES:
        return type(args[0])
    known = function is isinstance and len(args) == 2 and not is_symbolic(args[1:])
    if known and type(args[0]) is Symbol:
        classes = plain_classes(args[1])
        answer = tracer.ask(args[0], functools.partial(instance_answer, classes=classes))
        return isinstance_at_run_time(tracer, args[0], classes, answer)
    if function is len and len(args) == 1:
        if type(args[0]) is tuple:
            return len(args[0])
        found = world.special(args[0], "__len__")
        if found is not None:
            return tracer.function(found, (args[0],), {})
    if function in (max, min, sorted) and has_key_function(args, kwargs):
        choose: Callable[..., object] = function
        if function is sorted:
            return ordered(tracer, args, kwargs)
        return best(tracer, choose, args, kwargs)
    if function in (enumerate, zip, reversed) and all(type(a) in (tuple, range) for a in args):
        if not is_symbolic(tuple(kwargs.values())):
            items: Callable[..., Iterable[object]] = function
            return tuple(items(*args, **kwargs))
    return tracer.function(function, args, kwargs)
