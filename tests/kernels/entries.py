"""What a kernel entry is: a corpus case whose last call is also the one that is timed.

Owns the list `KERNELS`. Invariant: none of the kernels knows that it is going to be compiled, and
every call must be staged; the calls of one kernel differ in sizes and numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import cast

import numpy as np

from corpus.entries import Case, Maker

KERNELS: list[Case] = []


def kernel(function: Callable[..., object], *makers: Maker) -> None:
    """Enter `function` with one call for each of `makers`, small ones first."""
    raises = (None,) * len(makers)
    KERNELS.append(Case(cast(FunctionType, function), makers, raises, True, False, None))


def normal(seed: int, *shape: int) -> np.ndarray:
    """Return normally distributed numbers, the same for the same seed."""
    return np.random.default_rng(seed).normal(size=shape)


def uniform(seed: int, *shape: int) -> np.ndarray:
    """Return numbers between 0 and 1, the same for the same seed."""
    return np.random.default_rng(seed).random(shape)


def integers(seed: int, high: int, *shape: int) -> np.ndarray:
    """Return integers from 0 below `high`, the same for the same seed."""
    return np.random.default_rng(seed).integers(0, high, shape)


def definite(seed: int, n: int) -> np.ndarray:
    """Return a symmetric positive definite matrix, float (n, n)."""
    a = normal(seed, n, n)
    return a @ a.T + n * np.eye(n)
