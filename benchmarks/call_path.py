"""Measure what a call of a compiled function costs over its program.

The program is the emitted function, called directly; the difference is guards and dispatch. The
functions do next to nothing, so that the call path shows. Medians of rounds measured in turns.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import autograph as ag

SCALE = 2.0
CALLS = 20_000
ROUNDS = 15


def one(x: NDArray[np.float64]) -> np.float64:
    """Take one array."""
    return x[0]


def several(x: NDArray[np.float64], y: NDArray[np.float64], k: float) -> float:
    """Take two arrays and a number, and read a global."""
    return k * SCALE


def seconds(function: Callable[..., object], arguments: tuple[object, ...]) -> float:
    """Return the time of one call, from many."""
    start = time.perf_counter()
    for _ in range(CALLS):
        function(*arguments)
    return (time.perf_counter() - start) / CALLS


def overhead(
    function: Callable[..., object],
    arguments: tuple[object, ...],
    captured: tuple[object, ...] = (),
) -> tuple[float, float, float]:
    """Return the median times of plain function, program and compiled function."""
    compiled = ag.compile(function, fallback="error")
    compiled(*arguments)
    program = compiled.program(*arguments).program.function
    operands = (*arguments, *captured)
    rounds = [
        (seconds(function, arguments), seconds(program, operands), seconds(compiled, arguments))
        for _ in range(ROUNDS)
    ]
    plain, direct, whole = (statistics.median(times) for times in zip(*rounds, strict=True))
    return plain, direct, whole


def main() -> None:
    """Measure and print."""
    x, y = np.ones(3), np.ones(3)
    print("microseconds a call: plain function, program alone, compiled, call path")
    for name, (plain, direct, whole) in (
        ("one array", overhead(one, (x,))),
        ("two arrays, number, global", overhead(several, (x, y, 3.0), (SCALE,))),
    ):
        print(
            f"    {name:28} {plain * 1e6:6.2f} {direct * 1e6:6.2f} {whole * 1e6:6.2f}"
            f" {(whole - direct) * 1e6:6.2f}"
        )


if __name__ == "__main__":
    main()
