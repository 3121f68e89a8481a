"""The seventeen programs on which compilers for arrays are measured, as plain NumPy.

Owns `PROGRAMS`, in the order of the table that `benchmarks/peers.py` prints. The programs are
written as a scientist writes them; nothing in them knows that they will be compiled.
"""

from __future__ import annotations

from . import elementwise, iterations, networks, tables
from .entries import PROGRAMS, Program

__all__ = ["MODULES", "PROGRAMS", "Program"]

MODULES = (elementwise, networks, iterations, tables)
