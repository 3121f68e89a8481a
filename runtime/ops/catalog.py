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
    closures,
    containers,
    control,
    creation,
    decompositions,
    environment,
    exceptions,
    fourier,
    grids,
    histograms,
    joining,
    linear_algebra,
    mathematics,
    methods,
    numpy_objects,
    opaque_numpy,
    polynomials,
    random_generators,
    random_numbers,
    reductions,
    selection,
    sets,
    shape,
    signals,
    statistics,
    text,
    ufuncs,
    variables,
)
from .registry import FUNCTIONS, OPERATIONS

PYTHON_FAMILIES = (
    control, environment, arithmetic, containers, attributes, text, builtins, builtin_iterables,
    exceptions, mathematics, closures, variables,
)  # fmt: skip
"""Python's own operators, containers and functions."""
NUMPY_FAMILIES = (
    ufuncs, reductions, shape, joining, creation, selection, linear_algebra, statistics,
    decompositions, histograms, polynomials, fourier, signals, sets, grids, numpy_objects,
    random_numbers, random_generators, methods, opaque_numpy,
)  # fmt: skip
"""NumPy's functions and the methods of arrays."""
opaque_numpy.register_remaining()
FAMILIES = (*PYTHON_FAMILIES, *NUMPY_FAMILIES)

__all__ = ["FAMILIES", "FUNCTIONS", "NUMPY_FAMILIES", "OPERATIONS", "PYTHON_FAMILIES"]
