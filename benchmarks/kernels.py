"""Time every kernel of `tests/kernels`, compiled against plain, and measure peak memory.

Prints one line per kernel: milliseconds of the plain function and the ratio of times plain /
compiled, so that 1.0 is a tie and more is faster than plain. Both are run in turns on fresh
arguments, which are made outside the measured time; the median of the rounds' ratios is what
counts. With ``--memory`` it prints the peak of memory that Python and NumPy allocate instead.

    python benchmarks/kernels.py [--memory] [--program] [NAME ...]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from ratios import peak, ratio

import autograph as ag

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from kernels import KERNELS
from kernels.large import LARGE


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
