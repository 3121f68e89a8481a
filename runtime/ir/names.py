"""Names that graph texts use: operations, well-known objects, regions.

Owns the tables that printer and reader share, so that the reader needs no import of what it
names: `runtime.ops` fills them. Invariant: a name means one thing for the life of the process.
"""

from __future__ import annotations

import builtins
import types as python_types
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..ops.registry import Operation

OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name; `runtime.ops.registry.register` enters them."""

REGION_LABELS: dict[str, tuple[str, ...]] = {
    "if": ("then", "else"),
    "while": ("test", "body", "orelse"),
    "for": ("body", "orelse"),
    "block": ("body",),
    "with": ("body",),
}
"""What the regions of an operation are called, in order; see `region_labels` for ``try``."""

_objects: dict[str, object] = {}
_names: dict[int, str] = {}


def region_labels(operation: str, inputs: int, attrs: Mapping[str, object]) -> tuple[str, ...]:
    """Return what the regions of an operation are called; those not named are ``region``.

    >>> region_labels("try", 2, {"final": True})
    ('body', 'except', 'except', 'final')
    """
    if operation != "try":
        return REGION_LABELS.get(operation, ())
    last = tuple(label for label in ("orelse", "final") if attrs.get(label))
    return ("body", *("except",) * inputs, *last)


def name_object(name: str, value: object) -> None:
    """Let texts show `value` as ``@name`` and read that as this very object.

    Raises
    ------
    ValueError
        If the name is taken by another object.
    """
    if _objects.setdefault(name, value) is not value:
        raise ValueError(f"the name {name!r} is taken")
    _names.setdefault(id(value), name)


def object_of_name(name: str) -> object:
    """Return the well-known object of that name.

    Raises
    ------
    KeyError
        If there is none.
    """
    return _objects[name]


def name_of_object(value: object) -> str | None:
    """Return the name of a well-known object, None for any other.

    >>> name_of_object(ValueError), name_of_object(np.float32), name_of_object(7)
    ('ValueError', 'np.float32', None)
    """
    return _names.get(id(value))


def class_name(cls: type) -> str:
    """Return the full name of a class, as ``object<...>`` shows it."""
    return f"{cls.__module__}.{cls.__qualname__}"


def _name_known_objects() -> None:
    for name, value in vars(builtins).items():
        if isinstance(value, type):
            name_object(name, value)
    for scalar in np.sctypeDict.values():
        name_object(f"np.{scalar.__name__}", scalar)
    name_object("np.ndarray", np.ndarray)
    name_object("np.generic", np.generic)


_name_known_objects()

KNOWN_CLASSES: dict[str, type] = {
    class_name(cls): cls
    for cls in (
        *(value for value in vars(builtins).values() if isinstance(value, type)),
        *(value for value in vars(python_types).values() if isinstance(value, type)),
        *(type(np.dtype(code)) for code in np.typecodes["All"]),
        np.ufunc,
        np.ndarray,
        type(np.sum),
    )
}
"""Classes that ``object<...>`` may name in any text, by full name; families add NumPy's own."""


def name_class(cls: type) -> type:
    """Let texts name `cls` by its full name, and return it."""
    return KNOWN_CLASSES.setdefault(class_name(cls), cls)
