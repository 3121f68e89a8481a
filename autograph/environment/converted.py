"""What the world takes from conversion, and what it hands on.

Owns `Converted`, what a converted function has to have, and `Capture`. Invariant: a capture is read
again at every call, by its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Protocol

from runtime.ir.graph import Value

from .paths import Path


class Converted(Protocol):
    """What the world needs of a converted function."""

    @property
    def open_code(self) -> CodeType:
        """The converted function's code, to which variables of functions around are globals."""
        ...

    @property
    def assigned(self) -> Mapping[tuple[str, int, int, int, int], str]:
        """The name that the value of the expression at a place is assigned to."""
        ...

    @property
    def operators_name(self) -> str:
        """The global name through which the code reaches the operators."""
        ...


@dataclass(frozen=True)
class Capture:
    """A piece of the world that is a parameter of the graph."""

    path: Path
    value: Value
