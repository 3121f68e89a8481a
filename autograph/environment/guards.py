"""Guards: what must be true of the outside world for a trace to apply.

Owns the guard classes: each can be checked now, and written as a condition of the call path.
Invariant: a guard that holds means that tracing again would read the same type or value there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from runtime.ir.types import (
    ArrayType,
    DictType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SetType,
    SliceType,
    StringType,
    TupleType,
    Type,
    VariableType,
    type_of,
)
from runtime.ops.registry import UNKNOWN_VALUE

from .paths import Path

NameOf = Callable[[object], str]
_CLASS_OF_KIND: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
_SIMPLE_CLASSES: dict[type[Type], type] = {
    NoneType: type(None), StringType: str, ListType: list, DictType: dict, SetType: set,
    SliceType: slice, RangeType: range,
}  # fmt: skip


class Guard:
    """Base of all guards; `path` is where it looks."""

    path: Path

    def holds_for(self, value: object) -> bool:
        """Tell whether the guard holds for what is at its path."""
        raise NotImplementedError

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return a Python condition on the expression `text`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TypeGuard(Guard):
    """The value has this type; extents and numbers are free unless known."""

    path: Path
    type: Type

    def holds_for(self, value: object) -> bool:
        """Tell whether `value` has the type."""
        return has_type(value, self.type)

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the test of class, dtype and rank."""
        return type_condition(text, self.type, name_of)

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.path}: {self.type}"


@dataclass(frozen=True, slots=True)
class ClassGuard(Guard):
    """The value is of exactly this class, and of this dtype where it is an array."""

    path: Path
    cls: type
    dtype: np.dtype | None = None

    def holds_for(self, value: object) -> bool:
        """Tell whether `value` is of the class (and dtype)."""
        return type(value) is self.cls and getattr(value, "dtype", None) == self.dtype

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the test of class and dtype."""
        test = f"type({text}) is {name_of(self.cls)}"
        return test if self.dtype is None else f"{test} and {text}.dtype == {name_of(self.dtype)}"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.path}: {self.cls.__qualname__}"


@dataclass(frozen=True, slots=True)
class IdentityGuard(Guard):
    """The value is this very object (a function, a class, a module)."""

    path: Path
    value: object

    def holds_for(self, value: object) -> bool:
        """Tell whether `value` is the object."""
        return value is self.value

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the identity test."""
        return f"{text} is {name_of(self.value)}"

    def __str__(self) -> str:
        """Return the text for messages; it has no addresses in it."""
        shown = getattr(self.value, "__qualname__", None) or repr(self.value)
        if " at 0x" in shown:
            shown = f"the {type(self.value).__qualname__} that it was"
        return f"{self.path} is {shown}"


@dataclass(frozen=True, slots=True)
class EqualGuard(Guard):
    """The value equals this one, which the trace has built in."""

    path: Path
    value: object

    def holds_for(self, value: object) -> bool:
        """Tell whether `value` is of the same class and the same to the last bit."""
        if type(value) is not type(self.value):
            return False
        if isinstance(value, float | complex | np.generic):
            return repr(value) == repr(self.value)
        return bool(value == self.value)

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the test of class and value."""
        if isinstance(self.value, float | complex | np.generic):
            return f"{name_of(self.holds_for)}({text})"
        return f"type({text}) is {name_of(type(self.value))} and {text} == {name_of(self.value)}"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.path} == {self.value!r}"


@dataclass(frozen=True, slots=True)
class KeysGuard(Guard):
    """The dictionary of keyword arguments has these keys, in this order."""

    path: Path
    keys: tuple[str, ...]

    def holds_for(self, value: object) -> bool:
        """Tell whether `value` is a dictionary with the keys."""
        return isinstance(value, dict) and tuple(value) == self.keys

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the test of the keys."""
        return f"tuple({text}) == {self.keys!r}"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.path} has the keys {', '.join(self.keys) or '(none)'}"


@dataclass(frozen=True, slots=True)
class StructureGuard(Guard):
    """The container is of this very class, and has these keys or this length."""

    path: Path
    cls: type
    keys: tuple[int | str, ...]
    """Of a dict; else the indices."""
    type: Type

    def holds_for(self, value: object) -> bool:
        """Tell whether `value` is such a container; no code of its keys runs."""
        if type(value) is not self.cls or not has_type(value, self.type):
            return False
        if isinstance(value, dict):
            kinds = tuple(map(type, value))
            return kinds == tuple(map(type, self.keys)) and tuple(value) == self.keys
        return len(value) == len(self.keys)  # type: ignore[arg-type]  # a list or tuple

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the test of class and form."""
        if self.cls is not list:
            return f"{name_of(self.holds_for)}({text})"
        return f"type({text}) is list and len({text}) == {len(self.keys)}"

    def __str__(self) -> str:
        """Return the text for messages."""
        keys = f": {', '.join(map(repr, self.keys))}" if self.cls is dict else ""
        return f"{self.path} is a {self.cls.__name__} of {len(self.keys)} items{keys}"


@dataclass(frozen=True, slots=True)
class AbsentGuard(Guard):
    """There is no such global, so the name means the builtin."""

    path: Path

    def holds_for(self, value: object) -> bool:
        """Tell whether nothing was found."""
        return value is UNKNOWN_VALUE

    def condition(self, text: str, name_of: NameOf) -> str:
        """Return the test for absence."""
        return f"{text} is {name_of(UNKNOWN_VALUE)}"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"no {self.path}"


def has_type(value: object, type_: Type) -> bool:
    """Tell whether `value` has type `type_` as a guard means it.

    >>> has_type(np.zeros(3), ArrayType(np.dtype(float), ("n",)))
    True
    """
    actual = type_of(value)
    if isinstance(type_, VariableType):
        held = type_.content
        return isinstance(actual, VariableType) and _is_array(actual.content, held)
    if isinstance(type_, ArrayType):
        return _is_array(actual, type_)
    if isinstance(type_, NumberType):
        return type(value) is _CLASS_OF_KIND[type_.kind]
    if isinstance(type_, TupleType):
        return (
            type(value) is tuple
            and len(value) == len(type_.items)
            and all(has_type(v, t) for v, t in zip(value, type_.items, strict=True))
        )
    if type(type_) in _SIMPLE_CLASSES:
        return type(value) is _SIMPLE_CLASSES[type(type_)]
    return isinstance(type_, OpaqueType) or actual == type_


def _is_array(actual: Type, type_: ArrayType) -> bool:
    """Tell whether an array of type `actual` has the dtype, rank and known extents of `type_`."""
    return (
        isinstance(actual, ArrayType)
        and actual.dtype == type_.dtype
        and actual.rank == type_.rank
        and all(
            not isinstance(known, int) or known == length
            for known, length in zip(type_.shape or (), actual.shape or (), strict=False)
        )
    )


def type_condition(text: str, type_: Type, name_of: NameOf) -> str:
    """Return a Python condition that the expression `text` has type `type_`."""
    if isinstance(type_, ArrayType):
        return _array_condition(text, np.ndarray, type_, name_of)
    if isinstance(type_, TupleType):
        parts = [f"type({text}) is tuple", f"len({text}) == {len(type_.items)}"]
        parts += [
            type_condition(f"{text}[{i}]", item, name_of) for i, item in enumerate(type_.items)
        ]
        return " and ".join(parts)
    if isinstance(type_, NumberType):
        return f"type({text}) is {type_.kind}"
    if isinstance(type_, ScalarType):
        return f"type({text}) is {name_of(type_.dtype.type)}"
    if isinstance(type_, VariableType):
        return _array_condition(text, type_.cls, type_.content, name_of)
    if isinstance(type_, ObjectType):
        return f"type({text}) is {name_of(type_.cls)}"
    if isinstance(type_, NoneType):
        return f"{text} is None"
    if isinstance(type_, OpaqueType):
        return "True"
    return f"type({text}) is {name_of(_SIMPLE_CLASSES[type(type_)])}"


def _array_condition(text: str, cls: type, type_: ArrayType, name_of: NameOf) -> str:
    """Return the test of class, dtype, rank and known extents of an array or a variable."""
    parts = [f"type({text}) is {name_of(cls)}"]
    parts.append(f"{text}.dtype is {name_of(type_.dtype)}")
    parts.append(f"{text}.ndim == {type_.rank}")
    parts += [
        f"{text}.shape[{axis}] == {extent}"
        for axis, extent in enumerate(type_.shape or ())
        if isinstance(extent, int)
    ]
    return " and ".join(parts)
