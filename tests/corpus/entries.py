"""What a corpus entry is.

Owns `Case` and the list that `case` fills. Invariant: arguments are made afresh for every call, so
that no call sees what another one did; what the arguments of one call share stays shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import cast

Maker = Callable[[], tuple[object, ...]]
Expected = type[BaseException] | None


@dataclass(frozen=True)
class Case:
    """One plain function with the calls that the suites make of it."""

    function: FunctionType
    makers: tuple[Maker, ...]
    """Each returns fresh arguments for one call."""
    raises: tuple[Expected, ...]
    """For each maker, the class of the exception that the plain function raises, or None."""
    staged: bool
    """Whether every call must run as a graph."""
    retraces: bool
    """Whether a number's value decides the trace, so that another number may trace again."""
    watch: Callable[[], object] | None
    """Returns what the function may change besides its arguments; makers reset it."""

    @property
    def name(self) -> str:
        """Module and name of the function, for test ids."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"


CASES: list[Case] = []


def case(
    function: Callable[..., object],
    *makers: Maker,
    raises: Expected | tuple[Expected, ...] = None,
    staged: bool = True,
    retraces: bool = False,
    watch: Callable[[], object] | None = None,
) -> None:
    """Enter `function` into the corpus with one call for each of `makers`.

    Raises
    ------
    ValueError
        If `raises` is a tuple of another length than `makers`.
    """
    expected = raises if isinstance(raises, tuple) else (raises,) * len(makers)
    if len(expected) != len(makers):
        raise ValueError(f"{function.__name__}: {len(makers)} calls, {len(expected)} outcomes")
    CASES.append(Case(cast(FunctionType, function), makers, expected, staged, retraces, watch))
