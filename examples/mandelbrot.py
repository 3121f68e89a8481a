"""The Mandelbrot set on a grid, with masked updates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mandelbrot(re: NDArray[np.float64], im: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """Return after how many steps each point of the grid escapes.

    Parameters
    ----------
    re
        Real parts, float (m,).
    im
        Imaginary parts, float (n,).
    limit
        Points that have not escaped after so many steps get this number.

    Returns
    -------
    counts
        int (n, m).
    """
    c = re + 1j * im[:, np.newaxis]
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, dtype=np.int64)
    active = np.ones(c.shape, dtype=bool)
    step = 0
    while np.any(active) and step < limit:
        z[active] = z[active] ** 2 + c[active]
        active &= np.abs(z) <= 2
        counts[active] += 1
        step += 1
    return counts
