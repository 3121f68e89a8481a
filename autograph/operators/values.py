"""Displays, names, strings and exceptions in converted code.

Owns list, set and dict displays, unpacking, f-strings, unbound names, ``assert`` and ``raise``.
Invariant: with no tracer at work each is exactly the Python construct it stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from runtime.ir.graph import Constant
from runtime.ops.containers import CHECK_BOUND, UNBOUND_MARKER
from runtime.tracing import control, generators, handlers
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import Symbol, has_splat, is_symbolic
from runtime.tracing.tracer import Tracer

from .mapping import Mapped


def list_(*items: object) -> object:
    """Return a new list of `items`.

    >>> list_(1, 2)
    [1, 2]
    """
    tracer = current_tracer()
    if tracer is None:
        return list(items)
    inputs, attrs = tracer.arguments(items, {})
    return tracer.append("spread" if attrs else "build_list", inputs, attrs)


def set_(*items: object) -> object:
    """Return a new set of `items`.

    >>> set_(1, 1)
    {1}
    """
    tracer = current_tracer()
    if tracer is None:
        return set(items)
    if has_splat(items):
        return tracer.function(set, (list_(*items),), {})
    return tracer.append("build_set", items)


def tuple_(*items: object) -> object:
    """Return a tuple of `items`, some of which were starred.

    >>> tuple_(1, *(2, 3))
    (1, 2, 3)
    """
    tracer = current_tracer()
    if tracer is None or not has_splat(items):
        return items
    return tracer.function(tuple, (list_(*items),), {})


class Spread(NamedTuple):
    """What ``**mapping`` is in a dict display."""

    mapping: object


def spread(mapping: object) -> Spread:
    """Return ``**mapping`` as a part of a dict display."""
    return Spread(mapping)


def dict_(*parts: tuple[object, object] | Spread) -> object:
    """Return a new dict of (key, value) pairs and of what ``**`` spreads.

    Raises
    ------
    TypeError
        If what is spread is no mapping.

    Examples
    --------
    >>> dict_(("a", 1), spread({"b": 2}))
    {'a': 1, 'b': 2}
    """
    tracer = current_tracer()
    if tracer is None:
        plain: object = {}
        for part in parts:
            plain = _merged(plain, part.mapping if isinstance(part, Spread) else dict([part]))
        return plain
    result: object = None
    waiting: list[object] = []
    for part in parts:
        if not isinstance(part, Spread):
            waiting += part
            continue
        if type(part.mapping) is dict:  # keyword arguments of a call
            waiting += [item for pair in part.mapping.items() for item in pair]
            continue
        if result is None or waiting:
            made = tracer.append("build_dict", waiting)
            result = made if result is None else _merge(tracer, result, made)
            waiting = []
        result = _merge(tracer, result, part.mapping)
    if result is None:
        return tracer.append("build_dict", waiting)
    return _merge(tracer, result, tracer.append("build_dict", waiting)) if waiting else result


def _merge(tracer: Tracer, first: object, second: object) -> object:
    return tracer.append("call", (Constant(_merged), first, second))


def _merged(first: object, second: object) -> object:
    return {**first, **second}  # type: ignore[dict-item]  # Python's own error


def unpack(value: object, count: int) -> object:
    """Return `value` in a form that unpacks into `count` names as `value` itself does.

    >>> a, b = unpack([1, 2], 2)
    >>> a + b
    3
    """
    tracer = current_tracer()
    if tracer is not None and isinstance(value, Mapped):
        value = value.first(tracer, count + 1)  # one more, to see that it has too many
    if tracer is None or not isinstance(value, Symbol):
        return value
    contents = tracer.host.contents(tracer, value)
    if contents is not None and len(contents.items) == count:
        return contents.items
    return tuple(tracer.append_many("unpack", (value,), {"count": count}))


def unpack_starred(value: object, before: int, after: int) -> object:
    """Return `value` as a tuple whose item at `before` is the list a starred name gets.

    >>> unpack_starred((1, 2, 3, 4), 1, 1)
    (1, [2, 3], 4)
    """
    tracer = current_tracer()
    if tracer is not None and isinstance(value, generators.Generated):
        value = generators.as_list(tracer, value)
    if tracer is not None and isinstance(value, Symbol):
        attrs = {"before": before, "after": after}
        return tuple(tracer.append_many("unpack_starred", (value,), attrs))
    items: list[object]
    [*items] = value  # type: ignore[misc]  # the error of an assignment is not that of list()
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    last = len(items) - after
    return (*items[:before], list_(*items[before:last]), *items[last:])


def unbound(name: str) -> object:
    """Return what stands for the unbound local `name`."""
    return UNBOUND_MARKER


def bound(value: object, name: str, free: bool = False) -> object:
    """Return `value` unless it stands for an unbound name.

    Parameters
    ----------
    value
        What the name holds.
    name
        The user's name.
    free
        Whether it is a variable of an enclosing function.

    Raises
    ------
    UnboundLocalError, NameError
        If it is unbound (`NameError` for free variables), with Python's own words.
    """
    tracer = current_tracer()
    if tracer is None:
        return CHECK_BOUND.kernel({"name": name, "free": free}, value)
    return handlers.bound(tracer, value, name, free)


class Field(NamedTuple):
    """One replacement field of an f-string."""

    value: object
    conversion: str
    spec: object


def field(value: object, conversion: str = "", spec: object = "") -> Field:
    """Return the field ``{value!conversion:spec}`` of an f-string."""
    return Field(value, conversion, spec)


def fstring(*parts: str | Field) -> object:
    """Return the f-string made of literal texts and fields.

    >>> fstring("x = ", field(3.14159, "", ".2f"))
    'x = 3.14'
    """
    fields = [part for part in parts if isinstance(part, Field)]
    tracer = current_tracer()
    if tracer is None or not is_symbolic(tuple(i for f in fields for i in (f.value, f.spec))):
        return "".join(p if isinstance(p, str) else _formatted(p) for p in parts)
    numbers = iter(range(len(fields)))
    layout = tuple(part if isinstance(part, str) else next(numbers) for part in parts)
    attrs = {"parts": layout, "conversions": tuple(f.conversion for f in fields)}
    return tracer.append("fstring", [i for f in fields for i in (f.value, f.spec)], attrs)


_CONVERSIONS: dict[str, Callable[[object], object]] = {
    "": lambda value: value, "r": repr, "s": str, "a": ascii,
}  # fmt: skip


def _formatted(part: Field) -> str:
    return format(_CONVERSIONS[part.conversion](part.value), part.spec)  # type: ignore[arg-type]


def percent(template: str, values: object) -> object:
    """Return ``template % values``.

    >>> percent("%d%%", 5)
    '5%'
    """
    tracer = current_tracer()
    if tracer is None or not is_symbolic(values):
        return template % values
    return tracer.operate("mod", template, values)


def assert_(test: object, message: Callable[[], object] | None = None) -> None:
    """Raise AssertionError, with what `message` returns, unless `test` holds.

    Raises
    ------
    AssertionError
        If `test` is false.
    """
    tracer = current_tracer()
    if tracer is None:
        if not test:
            raise AssertionError(*([] if message is None else [message()]))
        return

    def fail() -> None:
        args = () if message is None else (message(),)
        tracer.raise_(tracer.function(AssertionError, args, {}))

    control.cond(tracer, test, lambda: None, fail, (), ())


_NO_CAUSE = object()


def raise_(error: object, cause: object = _NO_CAUSE) -> None:
    """Raise `error`, an exception or a class of exceptions (from `cause`, where given)."""
    tracer = current_tracer()
    if tracer is None:
        if cause is _NO_CAUSE:
            raise error  # type: ignore[misc]  # Python's own error
        raise error from cause  # type: ignore[misc]  # Python's own error if not
    if cause is _NO_CAUSE:
        tracer.raise_(error)
    else:
        tracer.raise_(error, cause)


def store_global(name: str, value: object) -> object:
    """Return `value`, which the caller assigns to the global `name`; record the assignment."""
    tracer = current_tracer()
    if tracer is not None:
        tracer.host.store_global(name, value)
    return value
