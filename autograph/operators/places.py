"""Subscripts and starred arguments in converted code that may not stay as written.

Owns `item` and `part`, for what Python would index with a number that is known only at run time,
and `star` and `double_star`, for what Python would iterate to make arguments. Ordinary subscripts
stay as written. Invariant: with no tracer at work each does what Python does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any, cast

from runtime.ir.graph import Constant, Value
from runtime.ops.indexing import ARRAY_MAKERS
from runtime.tracing import generators
from runtime.tracing.signals import StaticDemand
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import (
    Splat,
    Symbol,
    is_symbolic,
    literal_int,
    tuple_length,
    value_of,
)
from runtime.tracing.tracer import Tracer


def item(base: Any, index: Any) -> object:
    """Return ``base[index]`` of a tuple, or of an object of NumPy's such as ``np.mgrid``.

    >>> item((1, 2), -1)
    2
    """
    tracer = current_tracer()
    if tracer is not None and any(base is maker for maker in ARRAY_MAKERS):
        return tracer.append("getitem", (Constant(base), index))  # each run makes its own
    if tracer is None or not is_symbolic(index):
        return base[index]
    if isinstance(base, str | bytes | range):
        return tracer.append("getitem", (base, index))
    if type(base) is tuple and _is_known_late(tracer, index):
        possible = tracer.host.may_choose(base)
        inner = any(isinstance(item, FunctionType) for item in base)
        if possible and (tracer.host.function_choices or not inner):
            return tracer.append("getitem", (base, index))
        if inner:
            raise StaticDemand(_demanded(index), "the number of a function in a tuple", possible)
    return base[index]


def part(base: Any, start: Any, stop: Any, step: Any) -> object:
    """Return ``base[start:stop:step]``.

    >>> part("abc", 1, None, None)
    'bc'
    """
    return item(base, slice(start, stop, step))


def _is_known_late(tracer: Tracer, index: object) -> bool:
    """Tell whether only the run knows an index, or a bound of a slice."""
    if type(index) is slice:
        return any(_is_known_late(tracer, bound) for bound in (index.start, index.stop, index.step))
    return type(index) is Symbol and tracer.ask(index, literal_int) is None


def _demanded(index: object) -> Value:
    bounds = (index.start, index.stop, index.step) if type(index) is slice else (index,)
    return next(value_of(bound) for bound in bounds if type(bound) is Symbol)


def star(arguments: Iterable[object], now: bool = False) -> Iterable[object]:
    """Return `arguments`, which stand starred in a call or a list display.

    Parameters
    ----------
    arguments
        What is to be spread.
    now
        Whether what follows may change it, so that it has to be read before.

    Examples
    --------
    >>> print(*star([1, 2]))
    1 2
    """
    tracer = current_tracer()
    if tracer is not None and isinstance(arguments, generators.Generated):
        return (Splat(generators.as_list(tracer, arguments)),)
    if tracer is None or not isinstance(arguments, Symbol):
        return arguments
    if tracer.ask(arguments, tuple_length) is not None:
        return arguments
    if now:
        arguments = cast(Symbol, tracer.append("spread", (arguments,), {"starred": (0,)}))
    return (Splat(arguments),)


def double_star(mapping: Any, number: int) -> Mapping[str, object]:
    """Return `mapping`, which stands as the `number`-th one with two stars in a call.

    >>> dict(**double_star({"a": 1}, 0))
    {'a': 1}
    """
    if current_tracer() is None or not isinstance(mapping, Symbol):
        return mapping  # type: ignore[no-any-return]  # any mapping
    return {f"**{number}": Splat(mapping)}
