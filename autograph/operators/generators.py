"""Generators in converted code.

Owns `generator`, which marks the function made of a generator function, `yield_`, and loops over
generators with no tracer at work. It leaves traced loops to `runtime.tracing.generators`.
Invariant: the code of a generator runs only inside a loop over it, whose body takes the place of
each ``yield``; any other use of it is refused.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType

from runtime.ir.types import ArrayType, ListType, RangeType, StringType, TupleType, Type
from runtime.tracing import generators
from runtime.tracing.gathering import refuse_early_effects
from runtime.tracing.signals import ReturnJump
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import Symbol

Consumer = Callable[[object], None]


class _Consumers(threading.local):
    """What takes the items of the generators that this thread runs, innermost last."""

    def __init__(self) -> None:
        self.waiting: list[Consumer] = []


_consumers = _Consumers()


class Items:
    """A generator outside of tracing."""

    def __init__(self, run: Callable[[], object]) -> None:
        """Keep what runs its code."""
        self._run = run

    def __iter__(self) -> Iterator[object]:
        """Refuse to be iterated by anything but a converted loop."""
        raise RuntimeError("a converted generator is only looped over")

    def consume(self, consumer: Callable[[object], bool]) -> None:
        """Run the generator until `consumer` returns False."""

        def take(item: object) -> None:
            if not consumer(item):
                raise ReturnJump(self, None)

        _consumers.waiting.append(take)
        try:
            self._run()
        except ReturnJump as jump:
            if jump.scope is not self:
                raise
        finally:
            _consumers.waiting.pop()


def generator(function: FunctionType) -> Callable[..., object]:
    """Mark the function that a generator function became."""
    if current_tracer() is not None:
        return generators.GeneratorFunction(function)

    @functools.wraps(function)
    def called(*args: object, **kwargs: object) -> Items:
        return Items(functools.partial(function, *args, **kwargs))

    return called


def iterated(items: Iterable[object]) -> object:
    """Return what a generator expression over `items` loops over later.

    >>> list(iterated([1, 2]))
    [1, 2]
    """
    tracer = current_tracer()
    if tracer is None:
        return iter(items)
    if isinstance(items, generators.Generated):
        return items
    if type(items) is Symbol:
        if tracer.ask(items, _is_iterated_by_number):
            return items
        return tracer.function(iter, (items,), {})
    return items if isinstance(items, tuple | range | str) else tracer.function(iter, (items,), {})


def _is_iterated_by_number(type_: Type) -> bool:
    """Tell whether looping later sees what an iterator made now would see."""
    if isinstance(type_, ArrayType):
        return bool(type_.rank)
    return isinstance(type_, ListType | TupleType | RangeType | StringType)


def gathered(items: object, consumer: str) -> object:
    """Return the items of a generator expression that the builtin function `consumer` takes.

    >>> gathered([1, 2], "sum")
    [1, 2]
    """
    tracer = current_tracer()
    if tracer is not None and type(items) is Symbol:
        refuse_early_effects(tracer, items, consumer)
    return items


def yield_(item: object = None) -> None:
    """Hand `item` to the loop that asked for it.

    Examples
    --------
    >>> @generator
    ... def twice(x):
    ...     yield_(x)
    ...     yield_(x + 1)
    >>> twice(1).consume(lambda item: print(item) or True)
    1
    2
    """
    tracer = current_tracer()
    if tracer is not None:
        generators.yield_(tracer, item)
        return
    consumer = _consumers.waiting.pop()
    try:
        consumer(item)
    finally:
        _consumers.waiting.append(consumer)
