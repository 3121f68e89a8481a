"""``max``, ``min``, ``sorted`` and ``list.sort`` with a ``key`` that is the user's function.

Owns writing these out as loops, so that the key function is inlined like any other call. It leaves
keys that are builtin or library functions to the run. Invariant: keys are computed in order, each
once, and compared as Python compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

from runtime.ir.types import ListType
from runtime.tracing import control
from runtime.tracing.host import NOT_HANDLED
from runtime.tracing.symbol import Symbol, has_splat, value_of
from runtime.tracing.tracer import Tracer

from .allowlist import is_library_function

_COMPARISONS: dict[object, str] = {max: "gt", min: "lt"}


def has_key_function(args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
    """Tell whether a call of ``max``, ``min`` or ``sorted`` has a key that is to be inlined."""
    key = kwargs.get("key")
    function = key.__func__ if isinstance(key, MethodType) else key
    if not isinstance(function, FunctionType) or is_library_function(function):
        return False
    return bool(args) and not has_splat((*args, *kwargs.values()))


def best(
    tracer: Tracer, function: Callable[..., object], args: Sequence[object], kwargs: dict[str, Any]
) -> object:
    """Record ``max`` or ``min`` with a key function, and return the result."""
    key, others = kwargs["key"], {name: kwargs[name] for name in kwargs if name != "key"}
    if not set(others) <= {"default"} or (others and len(args) > 1):
        return tracer.function(function, args, others)  # raises TypeError, whatever the key is

    def body(item: object, none: object, chosen: object, highest: object) -> tuple[object, ...]:
        value = tracer.function(key, (item,), {})
        compare = _COMPARISONS[function]
        better = control.cond(
            tracer, none, lambda: True, lambda: tracer.operate(compare, value, highest), (), ()
        )
        keep = control.cond(
            tracer, better, lambda *kept: (item, value), None, (chosen, highest), ()
        )
        return False, *keep  # type: ignore[misc]  # two, as given

    items = args[0] if len(args) == 1 else tuple(args)
    none, chosen, _ = control.for_loop(tracer, items, body, (True, None, None), (), None)

    def of_nothing() -> object:
        return others["default"] if others else tracer.function(function, ((),), {})

    return control.cond(tracer, none, of_nothing, lambda: chosen, (), ())


def ordered(tracer: Tracer, args: Sequence[object], kwargs: dict[str, Any]) -> object:
    """Record ``sorted`` with a key function, and return the new list."""
    key, others = kwargs["key"], {name: kwargs[name] for name in kwargs if name != "key"}
    if len(args) != 1 or not set(others) <= {"reverse"}:
        return tracer.function(sorted, args, others)  # raises TypeError, whatever the key is
    items: Any = tracer.function(list, args, {})
    keys = _listed(tracer, items, lambda item: tracer.function(key, (item,), {}))
    lookup = tracer.append("getattr", (keys,), {"name": "__getitem__"})
    places = tracer.function(range, (tracer.function(len, (items,), {}),), {})
    order = tracer.function(sorted, (places,), {"key": lookup, **others})
    return _listed(tracer, order, lambda place: items[place])


def list_method(
    world: object,
    tracer: Tracer,
    owner: Symbol,
    name: str,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> object:
    """Record ``owner.sort`` with a key function; leave all other methods to the tracer."""
    if name != "sort" or args or not isinstance(value_of(owner).type, ListType):
        return NOT_HANDLED
    if not has_key_function((owner,), kwargs):
        return NOT_HANDLED
    owner[:] = ordered(tracer, (owner,), dict(kwargs))
    return None


def _listed(tracer: Tracer, items: object, item_of: Callable[[object], object]) -> object:
    """Record a loop that makes the list of ``item_of(item)`` for all items."""
    result: Any = tracer.append("build_list", ())

    def body(item: object) -> tuple[object, ...]:
        result.append(item_of(item))
        return ()

    control.for_loop(tracer, items, body, (), (), None)
    return result
