"""Tables and grids filled in place: edit distance, heat equation."""

from __future__ import annotations

import numpy as np

from .entries import program


def edit_distance(a, b):
    """How many insertions, deletions and changes lead from one sequence to the other."""
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), dtype=np.int64)
    d[:, 0] = np.arange(n + 1)
    d[0, :] = np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


def letters(seed, n):
    """A sequence of letters as numbers."""
    return np.random.default_rng(seed).integers(0, 4, n)


program(
    edit_distance,
    lambda: (letters(0, 0), letters(1, 3)),
    lambda: (letters(2, 9), letters(3, 12)),
    timed={"500 x 500": lambda: (letters(4, 500), letters(5, 500))},
)


def heat_equation(u, alpha, steps):
    """Diffusion on a square whose edge keeps its temperature; `u` is changed in place."""
    for _ in range(steps):
        u[1:-1, 1:-1] += alpha * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
    return u


def hot_edge(n):
    """A cold square with one hot edge."""
    u = np.zeros((n, n))
    u[0] = 100.0
    return u


program(
    heat_equation,
    lambda: (hot_edge(4), 0.1, 3),
    lambda: (hot_edge(9), 0.2, 10),
    timed={"256 x 256, 100 steps": lambda: (hot_edge(256), 0.2, 100)},
)
