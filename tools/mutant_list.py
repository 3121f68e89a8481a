"""The faults that `mutants.py` plants."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    name: str
    fault: str
    """What goes wrong, in words."""
    file: str
    """Path in the project."""
    old: str
    """The right text; it stands exactly once in the file."""
    new: str
    tests: tuple[str, ...]
    """Arguments for pytest: the tests that must fail."""


MUTANTS: list[Mutant] = []
