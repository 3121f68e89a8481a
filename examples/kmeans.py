"""k-means clustering, until the assignment stops changing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def kmeans(
    points: NDArray[np.float64], centers: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], int]:
    """Group points round centers.

    Parameters
    ----------
    points
        float (n, d).
    centers
        Where to start, float (k, d); left as it is.

    Returns
    -------
    centers, assignment, rounds
        float (k, d), int (n,) and how many rounds it took.
    """
    centers = centers.copy()
    assignment = np.full(len(points), -1)
    rounds = 0
    while True:
        distances = ((points[:, np.newaxis, :] - centers) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        rounds += 1
        if np.array_equal(nearest, assignment):
            break
        assignment = nearest
        for k in range(len(centers)):
            members = points[assignment == k]
            if len(members) > 0:
                centers[k] = members.mean(axis=0)
    return centers, assignment, rounds
