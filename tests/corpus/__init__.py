"""A corpus of small plain functions with arguments, shared by the suites.

Owns `CASES`. The functions are written as anyone would write them; nothing in them knows that they
are going to be compiled.
"""

from __future__ import annotations

from . import (
    arithmetic,
    arrays,
    blocks,
    containers,
    control_flow,
    everyday,
    failures,
    found,
    functions,
    generators,
    index_writes,
    joins,
    jumps,
    mixtures,
    numpy_families,
    other_dtypes,
    random_draws,
    reads_around_writes,
    recursion,
    structures,
    texts,
    ufuncs,
    unbound_names,
    views_and_forms,
    writes,
)
from .entries import CASES, Case

__all__ = ["CASES", "Case"]

MODULES = (
    control_flow, joins, unbound_names, jumps, arithmetic, arrays, writes, functions, containers,
    texts, failures, mixtures, everyday, recursion,
    blocks, generators, random_draws, numpy_families, other_dtypes, found, index_writes,
    views_and_forms, ufuncs, reads_around_writes, structures,
)  # fmt: skip
