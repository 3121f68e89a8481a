"""The largest eigenvalue of a matrix by power iteration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def power_iteration(
    matrix: NDArray[np.float64], tolerance: float
) -> tuple[np.float64, NDArray[np.float64]]:
    """Return the dominant eigenvalue and its unit eigenvector.

    Parameters
    ----------
    matrix
        Symmetric, float (n, n).
    tolerance
        Stop when the eigenvalue changes by less.

    Raises
    ------
    ValueError
        If the iteration reaches the zero vector.
    """
    vector = np.ones(len(matrix)) / np.sqrt(len(matrix))
    value = vector @ matrix @ vector
    while True:
        image = matrix @ vector
        norm = np.sqrt(image @ image)
        if norm == 0:
            raise ValueError("the start is in the null space", value)
        vector = image / norm
        before = value
        value = vector @ matrix @ vector
        if abs(value - before) < tolerance:
            return value, vector
