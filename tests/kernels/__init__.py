"""Kernels in the manner of published scientific code, shared by the tests and the benchmark.

Owns `KERNELS`. The functions are plain NumPy; nothing in them knows that they will be compiled.
"""

from __future__ import annotations

from . import (
    dynamic_programs,
    equations,
    factorizations,
    grids,
    inference,
    learning,
    matrices,
    particles,
    records,
    signals,
    simulations,
)
from .entries import KERNELS

__all__ = ["KERNELS"]

MODULES = (
    matrices, factorizations, grids, equations, dynamic_programs, learning, inference, signals,
    records, simulations, particles,
)  # fmt: skip
