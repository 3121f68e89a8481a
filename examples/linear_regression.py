"""Linear regression as a module, trained by a compiled step, on measurements of 1857.

At which pressure of the air does water boil at a given temperature? Prints the line that gradient
descent finds and the one of least squares; the exit status is 1 if they differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from progress import progress

import autograph as ag

BOILING = Path(__file__).parent / "data" / "boiling.csv"

Array = NDArray[np.float64]


class LinearRegression(ag.Module):
    """An affine function of `inputs` numbers to `outputs` numbers, zero to begin with."""

    def __init__(self, inputs: int, outputs: int) -> None:
        with self.name_scope:
            self.w = ag.Variable(np.zeros((inputs, outputs)), name="w")
            self.b = ag.Variable(np.zeros(outputs), name="b")

    @ag.compile
    def __call__(self, x: Any) -> Any:
        """Return what the line says at each row of `x`, float (n, inputs)."""
        return x @ self.w + self.b


@ag.compile
def training_step(model: Any, x: Any, target: Any, rate: float) -> Any:
    """Go one step down the gradient of the mean squared error, and return that error.

    The gradients are written by hand: of the mean of ``(x @ w + b - target) ** 2``, that to ``w``
    is ``2 * x.T @ error / n``, and that to ``b`` is twice the mean of the error.
    """
    error = model(x) - target
    model.w.assign_sub(rate * 2.0 * (x.T @ error) / len(x))
    model.b.assign_sub(rate * 2.0 * error.mean(axis=0))
    return np.mean(error * error)


def measurements() -> tuple[Array, Array]:
    """Return boiling points, and 100 times the decimal logarithms of pressures; both (17, 1)."""
    table = np.loadtxt(BOILING, delimiter=",", skiprows=5)
    return table[:, :1], 100.0 * np.log10(table[:, 1:])


def standardized(x: Array) -> tuple[Array, Array, Array]:
    """Return the columns with mean 0 and deviation 1, the means and the deviations."""
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    return (x - mean) / deviation, mean, deviation


def train(model: LinearRegression, x: Array, target: Array, steps: int) -> list[float]:
    """Train `model`, and return the mean squared error before each step."""
    return [float(training_step(model, x, target, 0.1)) for _ in progress(steps, "training")]


def main(arguments: list[str] | None = None) -> int:
    """Train, compare and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200, help="of gradient descent")
    steps = parser.parse_args(arguments).steps
    points, target = measurements()
    x, mean, deviation = standardized(points)
    model = LinearRegression(1, 1)
    errors = train(model, x, target, steps)
    slope = float((model.w.numpy()[:, 0] / deviation)[0])
    offset = float(model.b.numpy()[0] - slope * mean[0])
    best_slope, best_offset = np.polyfit(points[:, 0], target[:, 0], 1)

    with tempfile.TemporaryDirectory() as folder:
        model.save_checkpoint(Path(folder, "model"))
        restored = LinearRegression(1, 1)
        restored.load_checkpoint(Path(folder, "model"))
    same = bool((restored(x) == model(x)).all())
    print("Linear regression: 100 log10 of the pressure at which water boils, by temperature")
    print(f"    trained        {slope:.4f} * temperature {offset:+.2f} after {steps} steps")
    print(f"    least squares  {best_slope:.4f} * temperature {best_offset:+.2f}")
    print(f"    mean squared error from {errors[0]:.1f} to {errors[-1]:.4f}")
    print(f"    restored from a checkpoint, it says {'the same' if same else 'SOMETHING ELSE'}")
    close = np.allclose([slope, offset], [best_slope, best_offset], rtol=1e-6)
    return 0 if close and same else 1


if __name__ == "__main__":
    sys.exit(main())
