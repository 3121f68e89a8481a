"""What an entry of `PROGRAMS` is.

Owns `Program` and the list that `program` fills. Invariant: the calls of one program differ in
sizes and numbers alone, so that one trace must serve them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import cast

from corpus.entries import Maker


@dataclass(frozen=True)
class Program:
    """One plain function with calls to test and calls to time."""

    function: FunctionType
    calls: tuple[Maker, ...]
    """Small calls of different sizes."""
    timed: dict[str, Maker]
    """Calls of the sizes that are timed, by what is said of the size."""

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__


PROGRAMS: list[Program] = []


def program(
    function: Callable[..., object], *calls: Maker, timed: dict[str, Maker] | None = None
) -> None:
    """Enter `function`; without `timed`, the last of `calls` is the one that is timed."""
    PROGRAMS.append(Program(cast(FunctionType, function), calls, timed or {"": calls[-1]}))
