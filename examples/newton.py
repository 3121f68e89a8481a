"""Square roots by Newton's method, on plain numbers."""

from __future__ import annotations


def newton(x: float, tolerance: float) -> tuple[float, int]:
    """Return the square root of `x` and the number of steps.

    Parameters
    ----------
    x
        A positive number.
    tolerance
        How far the square of the result may be from `x`.
    """
    y = x
    steps = 0
    while abs(y * y - x) > tolerance:
        if steps == 50:
            break
        y = 0.5 * (y + x / y)
        steps += 1
    return y, steps
