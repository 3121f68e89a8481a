"""``map`` over symbolic iterables.

Owns `Mapped`, what ``map`` gives in converted code: the function is called as items are asked for.
It leaves how a function is called to `calls`, which hands that in. Invariant: items are computed in
order, each once, when Python would compute it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runtime.tracing import control
from runtime.tracing.tracer import Tracer

Function = Callable[..., object]


@dataclass(frozen=True)
class Mapped:
    """``map(function, ...)``; `items` yields the tuples of arguments."""

    function: Function
    items: object
    call: Function
    """Calls a function as converted code does."""

    def before(self, body: Function) -> Function:
        """Return the body of a loop over the mapped items as one over their arguments."""

        def body_over_arguments(arguments: Sequence[object], *state: object) -> object:
            return body(self.call(self.function, *arguments), *state)

        return body_over_arguments

    def as_list(self, tracer: Tracer) -> object:
        """Record a loop that makes the list of all mapped items."""
        result = tracer.append("build_list", ())

        def append(item: object) -> tuple[object, ...]:
            self.call(result.append, item)  # type: ignore[attr-defined]  # a symbol
            return ()

        control.for_loop(tracer, self.items, self.before(append), (), (), None)
        return result
