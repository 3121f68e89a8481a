"""``map`` over symbolic iterables.

Owns `Mapped`, what ``map`` gives in converted code: the function is called as items are asked for.
It leaves how a function is called to `calls`, which hands that in. Invariant: items are computed in
order, each once, when Python would compute it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runtime.tracing import control, generators
from runtime.tracing.symbol import Symbol
from runtime.tracing.tracer import Tracer

Function = Callable[..., object]


@dataclass(eq=False, repr=False, kw_only=True)
class Mapped(generators.Generated):
    """``map(function, ...)``; `items` yields the tuples of arguments.

    Nothing of it is kept by the compiler while it is used up: `items` is an iterator at run time.
    """

    function: Function
    items: object
    call: Function
    """Calls a function as converted code does."""

    def before(self, body: Function) -> Function:
        """Return the body of a loop over the mapped items as one over their arguments."""

        def body_over_arguments(arguments: Sequence[object], *state: object) -> object:
            return body(self.call(self.function, *arguments), *state)

        return body_over_arguments

    def consume(self, tracer: Tracer, consumer: generators.Consumer) -> None:
        """Record a loop in which each mapped item goes to `consumer`."""

        def each(item: object) -> tuple[object, ...]:
            consumer(item)
            return ()

        control.for_loop(tracer, self.items, self.before(each), (), (), None)

    def first(self, tracer: Tracer, count: int) -> Symbol:
        """Record the making of a list of the first `count` items."""
        counted = tracer.function(zip, (range(count), self.items), {})

        def without_number(function: Function, _: object, arguments: Sequence[object]) -> object:
            return self.call(function, *arguments)

        return generators.as_list(tracer, mapped(self.function, counted, without_number))


def mapped(function: Function, items: object, call: Function) -> Mapped:
    """Return ``map(function, ...)`` over `items`, tuples of arguments."""
    return Mapped("map", None, _no_code, (), function=function, items=items, call=call)


def _no_code(consumer: generators.Consumer) -> None:
    """Do nothing: a map has no code of its own."""


Mapped.__name__ = Mapped.__qualname__ = "map"
