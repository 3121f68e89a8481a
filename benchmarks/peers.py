"""Time the seventeen programs of `tests/peers`, compiled against plain.

They are the work on which compilers for arrays are compared with one another. Prints, for each
program and size, milliseconds of plain NumPy and the ratio of times plain / compiled: 1.0 is a
tie, more is faster than plain. Two runs differ by 1.2 typically.

    python benchmarks/peers.py [--small] [NAME ...]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from ratios import ratio

import autograph as ag

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from peers import PROGRAMS


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="parts of the names of programs; all without")
    parser.add_argument("--small", action="store_true", help="leave arrays of 10^7 elements out")
    options = parser.parse_args()
    speeds = []
    for program in PROGRAMS:
        if options.names and not any(name in program.name for name in options.names):
            continue
        for size, maker in program.timed.items():
            if options.small and "10^7" in size:
                continue
            compiled = ag.compile(program.function, fallback="error")
            seconds, speed = ratio(program.function, compiled, maker)
            speeds.append(speed)
            name = f"{program.name} ({size})" if size else program.name
            print(f"{name:44} {1000 * seconds:10.3f} ms  {speed:6.2f}", flush=True)
    if speeds:
        mean = statistics.geometric_mean(speeds)
        print(f"{len(speeds)} measurements, geometric mean {mean:.2f}, least {min(speeds):.2f}")


if __name__ == "__main__":
    main()
