"""Measure what profiling costs: programs with probes against the same programs without.

Prints processor time with probes by processor time without; 1.0 is no cost. Both run in turns, and
the shortest times of all rounds are what counts: what else the machine does can only make them
longer. The loops over scalars are the hardest case: an operation there takes less time than a clock
does. What profiling costs while it is off is nothing: the call path is the same code then, which is
checked.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import autograph as ag
from runtime.profiling.recorder import RECORDER, Recording

sys.path.insert(0, str(Path(__file__).parent))
from scalar_loop import collatz_sum, logistic

ROUNDS = 15
CALLS = 50_000


def branches(n: int) -> int:
    """Take one of two short branches in each trip: the shortest operations there are."""
    y = 0
    for i in range(n):
        if i % 2 == 0:
            y += i
        else:
            y -= 1
    return y


def nested(n: int, m: int) -> int:
    """Run a short loop in a loop."""
    total = 0
    for i in range(n):
        for j in range(m):
            total += i * j
    return total


def fibonacci(n: int) -> int:
    """Recurse."""
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def small_arrays(x: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Compute with arrays of a hundred elements."""
    for _ in range(n):
        x = np.sqrt(x * x + 1.0)
    return x


def tiny(x: float) -> float:
    """Do next to nothing; it is the calls that count."""
    return x * 2.0 + 1.0


def few_trips(n: int) -> int:
    """Run a loop of a few trips; calls and trips count."""
    total = 0
    for i in range(n):
        total += i
    return total


def seconds(function: Callable[..., object], arguments: tuple[object, ...], calls: int) -> float:
    """Return the processor time of so many calls."""
    start = time.process_time()
    for _ in range(calls):
        function(*arguments)
    return time.process_time() - start


def cost(function: Callable[..., object], arguments: tuple[object, ...], calls: int = 1) -> float:
    """Return the shortest time with probes by the shortest time without."""
    program = ag.compile(function, fallback="error").program(*arguments).program
    recording = Recording(program)
    assert recording.function(*arguments) is not NotImplemented  # makes the program with probes
    rounds = [
        (
            seconds(recording.function, arguments, calls),
            seconds(program.function, arguments, calls),
        )
        for _ in range(ROUNDS)
    ]
    probed, plain = (min(times) for times in zip(*rounds, strict=True))
    return probed / plain


def cost_of_calls(function: Callable[..., object], arguments: tuple[object, ...]) -> float:
    """Return the like of many calls of a compiled function, its call path included."""
    compiled = ag.compile(function, fallback="error")
    compiled(*arguments)
    rounds = []
    for _ in range(ROUNDS):
        plain = seconds(compiled, arguments, CALLS)
        RECORDER.start(probes=True)
        compiled(*arguments)  # makes the program with probes
        rounds.append((seconds(compiled, arguments, CALLS), plain))
        RECORDER.stop()
    probed, plain = (min(times) for times in zip(*rounds, strict=True))
    return probed / plain


def check_off() -> None:
    """Check that a compiled function is the same code before and after a recording."""
    compiled = ag.compile(tiny, fallback="error")
    compiled(1.0)
    before = compiled.__code__
    RECORDER.start(probes=True)
    compiled(1.0)
    RECORDER.stop()
    after = compiled.__code__
    assert (before.co_code, before.co_consts, before.co_names) == (
        after.co_code, after.co_consts, after.co_names,
    )  # fmt: skip


def main() -> None:
    """Measure and print."""
    check_off()
    print("time with probes by time without")
    for name, ratio in (
        ("for with break, floats", cost(logistic, (0.3, 100_000))),
        ("while with break, ints", cost(collatz_sum, (100_000,))),
        ("for with branches, ints", cost(branches, (100_000,))),
        ("for in for, 1000 trips each", cost(nested, (300, 1000))),
        ("for in for, 3 inner trips", cost(nested, (100_000, 3))),
        ("recursion", cost(fibonacci, (22,))),
        ("small arrays", cost(small_arrays, (np.ones(100), 30_000))),
        ("many calls of next to nothing", cost_of_calls(tiny, (1.0,))),
        ("many calls of a short loop", cost_of_calls(few_trips, (3,))),
        ("many calls with small arrays", cost_of_calls(small_arrays, (np.ones(100), 1))),
    ):
        print(f"    {name:30} {ratio:5.2f}")


if __name__ == "__main__":
    main()
