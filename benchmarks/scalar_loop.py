"""Measure a scalar loop of a million trips with a `break`, compiled against plain Python.

Prints the ratio of times plain / compiled, so that 1.0 is a tie and more is faster than plain; both
are run in turns, and the median of the rounds' ratios is what counts.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import autograph as ag

TRIPS = 1_000_000


def logistic(x: float, n: int) -> tuple[float, int]:
    """Iterate the logistic map until it settles, at most `n` times."""
    steps = 0
    for _ in range(n):
        if x > 0.9999999:
            break
        x = 3.7 * x * (1.0 - x)
        steps += 1
    return x, steps


def collatz_sum(n: int) -> int:
    """Walk down and up by the rule of Collatz, wrapped, with a branch in a while loop."""
    total = 0
    k = 0
    x = 27
    while True:
        if k == n:
            break
        if x % 2 == 0:
            x //= 2
        else:
            x = (3 * x + 1) % 1000003
        total += x
        k += 1
    return total


def ratio(plain: Callable[[], object], compiled: Callable[[], object], rounds: int) -> float:
    """Return the median over `rounds` of time of plain by time of compiled."""
    compiled()
    ratios = []
    for _ in range(rounds):
        start = time.perf_counter()
        plain()
        middle = time.perf_counter()
        compiled()
        end = time.perf_counter()
        ratios.append((middle - start) / (end - middle))
    return statistics.median(ratios)


def main() -> None:
    """Measure and print."""
    fast_logistic = ag.compile(logistic, fallback="error")
    fast_collatz = ag.compile(collatz_sum, fallback="error")
    assert fast_logistic(0.3, 1000) == logistic(0.3, 1000)
    assert fast_collatz(1000) == collatz_sum(1000)
    print("staged scalar loops of 10^6 trips, speed relative to plain Python (1.0 is a tie)")
    first = ratio(lambda: logistic(0.3, TRIPS), lambda: fast_logistic(0.3, TRIPS), 9)
    print(f"    for with break, floats   {first:.2f}")
    second = ratio(lambda: collatz_sum(TRIPS), lambda: fast_collatz(TRIPS), 9)
    print(f"    while with break, ints   {second:.2f}")


if __name__ == "__main__":
    main()
