"""Every family of operations, imported in one place.

Owns the list of families; importing this file fills `OPERATIONS` and `FUNCTIONS`. Invariant: no
other file imports a family for its side effect.
"""

from __future__ import annotations

from . import control
from .registry import FUNCTIONS, OPERATIONS

FAMILIES = (control,)

__all__ = ["FAMILIES", "FUNCTIONS", "OPERATIONS"]
