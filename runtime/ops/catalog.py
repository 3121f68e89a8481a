"""Every family of operations, imported in one place.

Owns the list of families; importing this file fills `OPERATIONS` and `FUNCTIONS`. Invariant: no
other file imports a family for its side effect.
"""

from __future__ import annotations

from . import (
    arithmetic,
    attributes,
    builtin_iterables,
    builtins,
    containers,
    control,
    environment,
    exceptions,
    mathematics,
    methods,
    reductions,
    selection,
    shape,
    text,
    ufuncs,
)
from .registry import FUNCTIONS, OPERATIONS

PYTHON_FAMILIES = (
    control, environment, arithmetic, containers, attributes, text, builtins, builtin_iterables, exceptions,
    environment, mathematics,
)  # fmt: skip
"""Python's own operators, containers and functions."""
NUMPY_FAMILIES = (ufuncs, reductions, shape, selection, methods)
"""NumPy's functions and the methods of arrays."""
FAMILIES = (*PYTHON_FAMILIES, *NUMPY_FAMILIES)

__all__ = ["FAMILIES", "FUNCTIONS", "NUMPY_FAMILIES", "OPERATIONS", "PYTHON_FAMILIES"]
