"""The linear regression of linear_regression.py in graph mode: placeholders, a session, feeds.

The graph is built first, and nothing runs meanwhile; then a session runs the parts of it that are
asked for. Prints the line that is found; the exit status is 1 if it is not that of least squares.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from linear_regression import LinearRegression, measurements, standardized
from progress import progress

import autograph as ag


@dataclass(frozen=True)
class Training:
    """A graph that trains a model, and what one runs or feeds of it."""

    graph: ag.Graph
    model: LinearRegression
    x: Any
    """To be fed: float (n, 1)."""
    target: Any
    """To be fed: float (n, 1)."""
    loss: Any
    """The mean squared error."""
    step: Any
    """What assigns the variables after one step down the gradient."""
    begin: Any
    """What gives the variables their first values."""


def build(rate: float = 0.1) -> Training:
    """Build the graph."""
    graph = ag.Graph()
    with graph.as_default():
        x = ag.placeholder(np.float64, (None, 1), name="x")
        target = ag.placeholder(np.float64, (None, 1), name="target")
        model = LinearRegression(1, 1)
        error = model(x) - target
        with ag.name_scope("training"):
            loss = ag.identity(np.mean(error * error), name="loss")
            step = [
                model.w.assign_sub(rate * 2.0 * (x.T @ error) / x.shape[0]),
                model.b.assign_sub(rate * 2.0 * error.mean(axis=0)),
            ]
        begin = ag.global_variables_initializer()
    return Training(graph, model, x, target, loss, step, begin)


def main(arguments: list[str] | None = None) -> int:
    """Train, compare and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200, help="of gradient descent")
    steps = parser.parse_args(arguments).steps
    points, target = measurements()
    x, mean, deviation = standardized(points)
    training = build()
    feeds = {training.x: x, training.target: target}
    with ag.Session(training.graph) as session, tempfile.TemporaryDirectory() as folder:
        session.run(training.begin)
        first: Any = session.run(training.loss, feed_dict=feeds)
        for _ in progress(steps, "training"):
            session.run(training.step, feed_dict=feeds)
        last: Any = session.run(training.loss, feed_dict=feeds)
        w, b = session.run((training.model.w, training.model.b))
        training.model.save_checkpoint(Path(folder, "model"), session)
        eager = LinearRegression(1, 1)
        eager.load_checkpoint(Path(folder, "model"))
    slope = float((w[:, 0] / deviation)[0])
    offset = float(b[0] - slope * mean[0])
    best = np.polyfit(points[:, 0], target[:, 0], 1)
    restored = np.mean((eager(x) - target) ** 2)
    print("The same in graph mode")
    print(f"    trained        {slope:.4f} * temperature {offset:+.2f} after {steps} steps")
    print(f"    mean squared error from {first:.1f} to {last:.4f}")
    print(f"    an eager module with its checkpoint has {restored:.4f}")
    close = np.allclose([slope, offset], best, rtol=1e-6) and np.isclose(restored, last)
    return 0 if close else 1


if __name__ == "__main__":
    sys.exit(main())
