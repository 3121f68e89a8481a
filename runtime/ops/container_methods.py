"""Methods of strings, lists, dicts and sets.

Owns their result types and effects. It leaves calling them to `methods`. Invariant: a method that
compares, hashes or iterates objects of unknown class runs unknown code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..ir.graph import Attributes, Value
from ..ir.types import (
    BOOL,
    DICT,
    INT,
    LIST,
    NONE,
    OPAQUE,
    SET,
    STRING,
    ArrayType,
    DictType,
    ListType,
    ObjectType,
    RangeType,
    SetType,
    StringType,
    TupleType,
    Type,
    is_immutable,
    is_plain,
)
from .registry import ANYTHING, FRESH, UNKNOWN, Alias, Effects, Raises


class MethodRules(Protocol):
    """What is known of one method of one family of receivers; the receiver is input 0."""

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the type of the result."""
        ...

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        """Return the effects for inputs that are not unions."""
        ...


@dataclass(frozen=True, slots=True)
class ContainerMethod:
    """A method of a list, dict or set."""

    result: Type
    """Its type, whatever the arguments."""
    alias: Alias = FRESH
    writes: bool = False
    """It changes the receiver."""
    arguments: tuple[int, int] = (0, 0)
    """The least and most arguments with which it does not raise for their number."""
    raises: Raises = Raises.VALUE
    """When it raises, given such arguments and no unknown code."""
    needs: Callable[[Type], bool] | None = None
    """With arguments of these types it runs no unknown code; None if arguments do not matter."""
    compares: bool = False
    """It compares items of the receiver, which may be objects of any class."""

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the type of the result."""
        return (self.result,)

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        """Return the effects for inputs that are not unions."""
        given = [value.type for value in inputs[1:]]
        harmless = self.needs is None or all(self.needs(type_) for type_ in given)
        writes = (0,) if self.writes else ()
        least, most = self.arguments
        if self.compares or not harmless or attrs.get("keywords"):
            return Effects(Raises.VALUE, (0,), writes, calls=True, aliases=(ANYTHING,))
        readable = tuple(i for i, value in enumerate(inputs) if not is_immutable(value.type))
        fits = least <= len(given) <= most
        return Effects(
            self.raises if fits else Raises.VALUE, readable, writes, aliases=(self.alias,)
        )


def _builtin_iterable(type_: Type) -> bool:
    """Tell whether iterating a value of `type_` runs no unknown code."""
    return isinstance(
        type_, ListType | TupleType | DictType | SetType | RangeType | StringType | ArrayType
    )


LIST_METHODS: dict[str, MethodRules] = {
    "append": ContainerMethod(NONE, FRESH, True, (1, 1), Raises.NEVER),
    "extend": ContainerMethod(NONE, FRESH, True, (1, 1), needs=_builtin_iterable),
    "insert": ContainerMethod(NONE, FRESH, True, (2, 2)),
    "pop": ContainerMethod(OPAQUE, ANYTHING, True, (0, 1), needs=is_plain),
    "remove": ContainerMethod(NONE, FRESH, True, compares=True),
    "clear": ContainerMethod(NONE, FRESH, True, raises=Raises.NEVER),
    "sort": ContainerMethod(NONE, FRESH, True, compares=True),
    "reverse": ContainerMethod(NONE, FRESH, True, raises=Raises.NEVER),
    "copy": ContainerMethod(LIST, raises=Raises.NEVER),
    "index": ContainerMethod(INT, compares=True),
    "count": ContainerMethod(INT, compares=True),
}
DICT_METHODS: dict[str, MethodRules] = {
    "get": ContainerMethod(OPAQUE, ANYTHING, needs=is_plain, arguments=(1, 2)),
    "setdefault": ContainerMethod(OPAQUE, ANYTHING, True, needs=is_plain, arguments=(1, 2)),
    "pop": ContainerMethod(OPAQUE, ANYTHING, True, needs=is_plain, arguments=(1, 2)),
    "popitem": ContainerMethod(OPAQUE, ANYTHING, True),
    "update": ContainerMethod(NONE, FRESH, True, (1, 1), compares=True),
    "clear": ContainerMethod(NONE, FRESH, True, raises=Raises.NEVER),
    "copy": ContainerMethod(DICT, raises=Raises.NEVER),
    "keys": ContainerMethod(OPAQUE, ANYTHING, raises=Raises.NEVER),
    "values": ContainerMethod(OPAQUE, ANYTHING, raises=Raises.NEVER),
    "items": ContainerMethod(OPAQUE, ANYTHING, raises=Raises.NEVER),
}
SET_METHODS: dict[str, MethodRules] = {
    "add": ContainerMethod(NONE, FRESH, True, (1, 1), needs=is_plain),
    "discard": ContainerMethod(NONE, FRESH, True, (1, 1), needs=is_plain),
    "remove": ContainerMethod(NONE, FRESH, True, (1, 1), needs=is_plain),
    "pop": ContainerMethod(OPAQUE, ANYTHING, True),
    "clear": ContainerMethod(NONE, FRESH, True, raises=Raises.NEVER),
    "copy": ContainerMethod(SET, raises=Raises.NEVER),
    **{
        name: ContainerMethod(NONE, FRESH, True, compares=True)
        for name in (
            "update", "intersection_update", "difference_update", "symmetric_difference_update",
        )
    },
    **{
        name: ContainerMethod(SET, compares=True)
        for name in ("union", "intersection", "difference", "symmetric_difference")
    },
    **{
        name: ContainerMethod(BOOL, compares=True)
        for name in ("issubset", "issuperset", "isdisjoint")
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StringMethod:
    """A method of strings; with arguments that are plain, or lists, it runs no unknown code."""

    result: Type
    lists: bool = False
    """It takes a list of strings."""

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the type of the result."""
        return (self.result,)

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        """Return the effects for inputs that are not unions."""
        for value in inputs:
            if not (is_plain(value.type) or (self.lists and isinstance(value.type, ListType))):
                return UNKNOWN
        readable = tuple(i for i, value in enumerate(inputs) if not is_immutable(value.type))
        return Effects(Raises.VALUE, readable)


_STRING_RESULTS: dict[Type, tuple[str, ...]] = {
    STRING: (
        "capitalize", "casefold", "center", "expandtabs", "format", "ljust", "lower", "lstrip",
        "replace", "removeprefix", "removesuffix", "rjust", "rstrip", "strip", "swapcase", "title",
        "translate", "upper", "zfill", "join", "format_map",
    ),
    INT: ("count", "find", "index", "rfind", "rindex"),
    BOOL: (
        "endswith", "startswith", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit",
        "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper",
    ),
    LIST: ("split", "rsplit", "splitlines"),
    TupleType((STRING,) * 3): ("partition", "rpartition"),
    ObjectType(bytes): ("encode",),
}  # fmt: skip
STRING_METHODS: dict[str, MethodRules] = {
    name: StringMethod(result, lists=name == "join")
    for result, names in _STRING_RESULTS.items()
    for name in names
}
