"""From a value at hand to the type that a trace is made for.

Owns `Abstraction`: numbers are forgotten, extents are named, so that one trace serves all of them.
Invariant: a named extent stands for one place, and what is built in stays a number.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.ir.types import (
    ArrayType,
    NumberType,
    RangeType,
    TupleType,
    Type,
    VariableType,
    type_of,
)

from .paths import Attribute, Item, Path


@dataclass(frozen=True)
class Abstraction:
    """What is built into a trace, and where the extents that are not come from."""

    static: Collection[Path]
    """Places whose numbers are built in."""
    extents: dict[str, Path]
    """The place of each named extent; filled here."""

    def type_of(self, path: Path, live: object, name: str) -> Type:
        """Return the type of `live`, found at `path`; extents are named after `name`."""
        type_ = type_of(live)
        if isinstance(type_, NumberType):
            return NumberType(type_.kind)
        if isinstance(type_, ArrayType) and isinstance(live, np.ndarray):
            return ArrayType(type_.dtype, self._shape(path, live, name))
        if isinstance(type_, TupleType) and isinstance(live, tuple):
            parts = enumerate(live)
            return TupleType(
                tuple(self.type_of(Item(path, i), part, f"{name}_{i}") for i, part in parts)
            )
        if isinstance(type_, VariableType):
            shape = self._shape(path, live, name)
            return VariableType(type_.cls, ArrayType(type_.content.dtype, shape))
        return RangeType() if isinstance(type_, RangeType) else type_

    def _shape(self, path: Path, live: Any, name: str) -> tuple[int | str, ...]:
        shape: list[int | str] = []
        for axis, length in enumerate(live.shape):
            place = Item(Attribute(path, "shape"), axis)
            label = f"{name}_{axis}"
            self.extents[label] = place
            shape.append(length if place in self.static else label)
        return tuple(shape)
