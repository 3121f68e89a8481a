"""Patterns of ``match`` in converted code.

Owns what sequence patterns, mapping patterns and class patterns ask of a value. It leaves the rest
of ``match`` to the converter, which writes it with ``if``. Invariant: with no tracer at work the
answers, and the errors, are CPython's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import cast

import numpy as np

from runtime.ir.graph import Constant
from runtime.ir.types import (
    ArrayType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    RangeType,
    ScalarType,
    StringType,
    TupleType,
    Type,
)
from runtime.tracing.signals import Unstageable
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import Symbol
from runtime.tracing.tracer import Tracer

_MATCH_THEMSELVES = (
    bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple,
)  # fmt: skip
"""Classes whose one positional pattern looks at the value itself."""


def match_sequence(subject: object, count: int, more: bool = False) -> object:
    """Tell whether `subject` is a sequence of `count` items, or of `more`.

    >>> match_sequence([1, 2], 2), match_sequence("ab", 2), match_sequence((1, 2), 1, True)
    (True, False, True)
    """
    tracer = current_tracer()
    if tracer is None or not isinstance(subject, Symbol):
        return _is_sequence(subject, count, more)
    known = tracer.ask(subject, _sequence_kind)
    if known == "none":
        return False
    if known == "unknown":
        return _later(tracer, _is_sequence, subject, count, more)
    length = tracer.function(len, (subject,), {})
    return tracer.operate("ge" if more else "eq", length, count)


def _is_sequence(subject: object, count: int, more: bool) -> bool:
    match subject:  # only Python itself knows what it takes for a sequence
        case [*_]:
            length = len(cast(Sized, subject))
            return length >= count if more else length == count
    return False


_ARRAYS = _is_sequence(np.zeros(1), 1, False)
"""Whether NumPy's arrays are sequences to ``match``; older versions say no."""


def _sequence_kind(type_: Type) -> str:
    if isinstance(type_, TupleType | ListType | RangeType):
        return "sequence"
    if isinstance(type_, ArrayType) and _ARRAYS:
        return "sequence"
    no = isinstance(type_, NoneType | NumberType | ScalarType | ArrayType | StringType)
    return "none" if no else "unknown"


def match_mapping(subject: object, rest: bool, *keys: object) -> object:
    """Return what a mapping pattern looks at: the values of `keys`, None if one is not there.

    Parameters
    ----------
    subject
        What is matched.
    rest
        Whether a new dict of all other items follows.
    *keys
        The keys.

    Raises
    ------
    ValueError
        If two keys are equal.

    Examples
    --------
    >>> match_mapping({"a": 1, "b": 2}, True, "a"), match_mapping([], False)
    ((1, {'b': 2}), None)
    """
    tracer = current_tracer()
    if tracer is None or not isinstance(subject, Symbol):
        return _match_mapping(subject, rest, *keys)
    if not tracer.ask(subject, _may_be_mapping):
        return None
    return _later(tracer, _match_mapping, subject, rest, *keys)


def _match_mapping(subject: object, rest: bool, *keys: object) -> tuple[object, ...] | None:
    match subject:  # only Python itself knows what it takes for a mapping
        case {}:
            mapping = cast(Mapping[object, object], subject)
        case _:
            return None
    if len(mapping) < len(keys):
        return None
    values: dict[object, object] = {}
    for key in keys:
        if key in values:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        value = mapping.get(key, _ABSENT)
        if value is _ABSENT:
            return None
        values[key] = value
    if not rest:
        return tuple(values.values())
    others = {**mapping}
    for key in values:
        del others[key]
    return *values.values(), others


_ABSENT = object()


def _may_be_mapping(type_: Type) -> bool:
    no = NoneType | NumberType | ScalarType | ArrayType | StringType | TupleType | ListType
    return not isinstance(type_, no | RangeType)


def match_class(subject: object, cls: object, count: int = 0, *names: str) -> object:
    """Return what the patterns in ``cls(...)`` look at, None if it is no instance of `cls`.

    Parameters
    ----------
    subject
        The value that is matched.
    cls
        The class.
    count
        The number of positional patterns.
    *names
        The attributes of the patterns with keywords.

    Returns
    -------
    tuple or None or bool
        Without patterns just whether it is an instance.

    Raises
    ------
    TypeError
        If `cls` is no class, or takes fewer positional patterns.

    Examples
    --------
    >>> match_class(3, int), match_class(3, int, 1), match_class(3, str, 1)
    (True, (3,), None)
    >>> match_class(3 + 4j, complex, 0, "imag")
    (4.0,)
    """
    tracer = current_tracer()
    if tracer is None or not isinstance(subject, Symbol):
        return _match_class(tracer, subject, cls, count, names)
    if not isinstance(cls, type):
        raise Unstageable("the class of a pattern is known only at run time")
    if not count and not names:
        return tracer.function(isinstance, (subject, cls), {})
    if tracer.ask(subject, lambda type_: _has_fields(type_, cls, names)):
        wanted = _wanted(cls, count, names)
        if all(name in getattr(cls, "__dataclass_fields__", ()) for name in wanted):
            return tuple(tracer.attribute(subject, name) for name in wanted)
    return _later(tracer, _match_later, subject, Constant(cls), count, *names)


def _has_fields(type_: Type, cls: type, names: Sequence[str]) -> bool:
    return isinstance(type_, ObjectType) and issubclass(type_.cls, cls)


def _match_later(subject: object, cls: object, count: int, *names: str) -> object:
    return _match_class(None, subject, cls, count, names)


def _match_class(
    tracer: Tracer | None, subject: object, cls: object, count: int, names: Sequence[str]
) -> object:
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    plain = subject if tracer is None else tracer.host.plain(subject)
    if not count and not names:
        return isinstance(plain, cls)
    if not isinstance(plain, cls):
        return None
    itself = count == 1 and "__match_args__" not in dir(cls) and _matches_itself(cls)
    wanted = names if itself else _wanted(cls, count, names)
    try:
        parts = tuple(getattr(subject, name) for name in wanted)
    except AttributeError:
        return None
    return (subject, *parts) if itself else parts


def _matches_itself(cls: type) -> bool:
    return issubclass(cls, _MATCH_THEMSELVES)


def _wanted(cls: type, count: int, names: Sequence[str]) -> tuple[str, ...]:
    """Return the attributes that the patterns look at, in order."""
    listed = getattr(cls, "__match_args__", ())
    if not isinstance(listed, tuple):
        raise TypeError(
            f"{cls.__name__}.__match_args__ must be a tuple (got {type(listed).__name__})"
        )
    most = 1 if "__match_args__" not in dir(cls) and _matches_itself(cls) else len(listed)
    if count > most:
        ending = "" if most == 1 else "s"
        raise TypeError(
            f"{cls.__name__}() accepts {most} positional sub-pattern{ending} ({count} given)"
        )
    for number, name in enumerate(listed[:count]):
        if not isinstance(name, str):
            raise TypeError(
                f"__match_args__ elements must be strings (got {type(name).__name__})"
            )
        if name in listed[:number] or name in names:
            raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute '{name}'")
    return (*listed[:count], *names)


def _later(tracer: Tracer, function: object, *args: object) -> object:
    """Record a call of one of the functions above, made at run time."""
    return tracer.append("call", (Constant(function), *args))
