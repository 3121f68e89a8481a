"""Run four plain NumPy programs eagerly and compiled, and compare.

Prints for each the results, whether they agree, what was staged and the times; then the converted
source of the first. The exit status is 1 if any two results disagree.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from kmeans import kmeans
from mandelbrot import mandelbrot
from newton import newton
from numpy.typing import NDArray
from power_iteration import power_iteration

import autograph as ag

IRIS = Path(__file__).parent / "data" / "iris.csv"


@dataclass(frozen=True)
class Program:
    """One of the programs, with its arguments."""

    title: str
    function: Callable[..., object]
    arguments: tuple[object, ...]
    repeat: int
    """How often it is timed."""


def iris() -> NDArray[np.float64]:
    """Return Fisher's Iris measurements, float (150, 4)."""
    return np.loadtxt(IRIS, delimiter=",", skiprows=5, usecols=range(4))


def programs() -> list[Program]:
    """Return the four programs."""
    flowers = iris()
    covariance = np.cov(flowers, rowvar=False)
    re, im = np.linspace(-2.0, 0.5, 240), np.linspace(-1.25, 1.25, 200)
    return [
        Program("Newton's method on scalars", newton, (2e10, 1e-9), 2000),
        Program("Mandelbrot on a 200 x 240 grid", mandelbrot, (re, im, 40), 7),
        Program("k-means on Fisher's Iris data", kmeans, (flowers, flowers[[0, 50, 100]]), 50),
        Program("Power iteration on their covariance", power_iteration, (covariance, 1e-12), 300),
    ]


def same(a: object, b: object) -> bool:
    """Tell whether two results are equal in type, dtype, shape and every bit of the values."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    x, y = np.asarray(a), np.asarray(b)
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def brief(value: object) -> str:
    """Return a result in a few words: large arrays by shape and sum."""
    if isinstance(value, tuple):
        return "(" + ", ".join(brief(item) for item in value) + ")"
    if isinstance(value, np.ndarray) and value.size > 4:
        return f"{value.dtype}{list(value.shape)} with sum {value.sum():.10g}"
    return str(value)


def medians(program: Program, *functions: Callable[..., object]) -> list[float]:
    """Return the median time in seconds of each function, measured in turns."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(program.repeat):
        for function, taken in zip(functions, times, strict=True):
            start = time.perf_counter()
            function(*program.arguments)
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def readable(seconds: float) -> str:
    """Return a time with a unit that suits it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms"


def main() -> int:
    """Run the demonstration and return the exit status."""
    disagreements = 0
    first = None
    for program in programs():
        compiled = ag.compile(program.function, fallback="error")
        first = first or compiled
        eager_result = program.function(*program.arguments)
        compiled_result = compiled(*program.arguments)
        agree = same(eager_result, compiled_result)
        disagreements += not agree
        staged = compiled.signatures[-1].staged
        loops = staged.get("while", 0) + staged.get("for", 0)
        eager_time, compiled_time = medians(program, program.function, compiled)
        print(program.title)
        print(f"    eager     {brief(eager_result)}")
        print(f"    compiled  {brief(compiled_result)}")
        print(f"    agree     {'yes' if agree else 'NO'}")
        print(f"    staged    loops: {loops}, branches: {staged.get('if', 0)}")
        print(f"    time      eager {readable(eager_time)}, compiled {readable(compiled_time)}")
        print()
    if first is not None:
        print("Newton's method, converted:\n")
        print(first.converted)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
