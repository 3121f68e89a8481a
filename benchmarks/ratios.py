"""Times and peaks of memory of two functions that do the same, measured in turns.

Owns `timed`, `ratio` and `peak`, which the scripts beside it share. Invariant: arguments are made
afresh for each call, outside of what is measured, since a call may change them.
"""

from __future__ import annotations

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable

Maker = Callable[[], tuple[object, ...]]
SECONDS = 0.25
"""About how long one pair of functions is measured."""


def timed(function: Callable[..., object], maker: Maker) -> float:
    """Return the seconds of one call on fresh arguments."""
    arguments = maker()
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def ratio(
    plain: Callable[..., object], compiled: Callable[..., object], maker: Maker
) -> tuple[float, float]:
    """Return the median time of the plain function, and the median of the ratios of times.

    Returns
    -------
    seconds, speed
        More than 1 is faster than plain.
    """
    timed(plain, maker)
    timed(compiled, maker)
    once = min(timed(plain, maker) for _ in range(3))
    rounds = max(7, min(201, int(SECONDS / 2 / once)))
    times = []
    for k in range(rounds):
        pair = (plain, compiled) if k % 2 else (compiled, plain)
        first, second = (timed(f, maker) for f in pair)
        times.append((first, second) if k % 2 else (second, first))
    median = statistics.median(p for p, _ in times)
    return median, statistics.median(p / c for p, c in times)


def peak(function: Callable[..., object], maker: Maker) -> float:
    """Return the most megabytes that one call holds besides its arguments."""
    arguments = maker()
    gc.collect()
    tracemalloc.start()
    result = function(*arguments)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return most / 1e6
