"""Time every kernel of `tests/kernels`, compiled against plain, and measure peak memory.

Prints one line per kernel: milliseconds of the plain function and the ratio of times plain /
compiled, so that 1.0 is a tie and more is faster than plain. Both are run in turns on fresh
arguments, which are made outside the measured time; the median of the rounds' ratios is what
counts. With ``--memory`` it prints the peak of memory that Python and NumPy allocate instead.

    python benchmarks/kernels.py [--memory] [--program] [NAME ...]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import autograph as ag

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from kernels import KERNELS
from kernels.large import LARGE

Maker = Callable[[], tuple[object, ...]]
SECONDS_PER_KERNEL = 0.25


def timed(function: Callable[..., object], maker: Maker) -> float:
    """Return the seconds of one call on fresh arguments."""
    arguments = maker()
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def ratio(plain: Callable[..., object], compiled: Callable[..., object], maker: Maker) -> tuple:
    """Return the median time of the plain function and the median of the ratios."""
    timed(plain, maker)
    timed(compiled, maker)
    once = min(timed(plain, maker) for _ in range(3))
    rounds = max(7, min(201, int(SECONDS_PER_KERNEL / 2 / once)))
    times = []
    for k in range(rounds):
        pair = (plain, compiled) if k % 2 else (compiled, plain)
        first, second = (timed(f, maker) for f in pair)
        times.append((first, second) if k % 2 else (second, first))
    median = statistics.median(p for p, _ in times)
    return median, statistics.median(p / c for p, c in times)


def peak(function: Callable[..., object], maker: Maker) -> float:
    """Return the peak of megabytes that one call holds besides its arguments."""
    arguments = maker()
    gc.collect()
    tracemalloc.start()
    result = function(*arguments)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return most / 1e6


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="parts of the names of kernels; all without")
    parser.add_argument("--memory", action="store_true", help="measure memory, not time")
    parser.add_argument("--program", action="store_true", help="print the programs too")
    options = parser.parse_args()
    ratios = []
    for case in KERNELS:
        if options.names and not any(name in case.name for name in options.names):
            continue
        compiled = ag.compile(case.function, fallback="error")
        try:
            compiled(*case.makers[-1]())
        except ag.ConversionError as error:
            print(f"{case.name:40} not staged: {error}")
            continue
        if options.program:
            print(compiled.program(*case.makers[-1]()))
        if options.memory:
            if case.name in LARGE:
                maker = LARGE[case.name]
                compiled(*maker())
                plain, staged = peak(case.function, maker), peak(compiled, maker)
                print(f"{case.name:40} {plain:9.1f} MB  {staged:9.1f} MB  {staged / plain:6.3f}")
            continue
        milliseconds, speed = ratio(case.function, compiled, case.makers[-1])
        ratios.append(speed)
        print(f"{case.name:40} {1000 * milliseconds:9.3f} ms  {speed:6.2f}", flush=True)
    if ratios:
        slow = sum(speed < 0.9 for speed in ratios)
        print(f"{len(ratios)} kernels, geometric mean {statistics.geometric_mean(ratios):.2f}, "
              f"least {min(ratios):.2f}, {slow} below 0.9")  # fmt: skip


if __name__ == "__main__":
    main()
