"""Variables of functions that functions called in a region assign.

Owns `Cells`, which watches the closure cells of every function entered while tracing. A branch or
a loop's body is run once on symbols; a variable that a called function assigns there would keep
what that one run gave it. Invariant: such an assignment never goes unnoticed, unless the construct
itself hands the variable on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CellType

from .signals import SharedVariable

_EMPTY = object()


class Cells:
    """The cells known so far, and what they held when each open region was entered."""

    def __init__(self) -> None:
        """Know no cell, outside of any region."""
        self._known: dict[int, tuple[CellType, str]] = {}
        self._entered: list[dict[int, object]] = []

    def watch(self, function: Callable[..., object]) -> None:
        """Watch the variables that `function` has from the functions around it."""
        for name, cell in _variables(function):
            if id(cell) not in self._known:
                self._known[id(cell)] = cell, name
                for held in self._entered:
                    held[id(cell)] = _content(cell)

    def enter(self) -> None:
        """Remember what all known cells hold as a region begins."""
        self._entered.append({key: _content(cell) for key, (cell, _) in self._known.items()})

    def leave(self, function: Callable[..., object], names: Sequence[str]) -> None:
        """Check, as the region that ran `function` ends, that only `names` were assigned.

        Raises
        ------
        SharedVariable
            If another variable was.
        """
        handed_on = {id(cell) for name, cell in _variables(function) if name in names}
        for key, before in self._entered[-1].items():
            cell, name = self._known[key]
            if key not in handed_on and _content(cell) is not before:
                raise SharedVariable(
                    f"the variable {name} is assigned by a function that is called in a branch or "
                    "a loop of another function",
                    "return the new value, or call it in the function that owns the variable",
                )

    def forget(self) -> None:
        """Forget what was remembered for the innermost region."""
        self._entered.pop()


def _variables(function: Callable[..., object]) -> Iterator[tuple[str, CellType]]:
    closure = getattr(function, "__closure__", None) or ()
    code = getattr(function, "__code__", None)
    return zip(code.co_freevars if code else (), closure, strict=False)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY
