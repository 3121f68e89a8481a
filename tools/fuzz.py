"""Compare random programs, plain and compiled, for as long as one likes.

Prints every program that differs, with the seed that makes it again, and at the end which
constructs were covered and how many programs were staged. The exit status is 1 if any differs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests" / part) for part in ("", "property")]

from agreement import disagreements  # noqa: E402  # on the path set above
from random_programs import Program, Writer  # noqa: E402  # on the path set above

PATIENCE = 20
"""After so many seconds a program hangs; they are written to end after few steps."""


class Hangs(BaseException):
    """A program takes too long; no handler in a program catches it."""


def stop(number: int, frame: object) -> None:
    """Stop a program that hangs."""
    raise Hangs


def program_of(seed: int, size: int) -> Program:
    """Return the program of `seed`, of about four to `size` statements."""
    choose = random.Random(seed).randrange
    return Writer(choose, size=4 + choose(max(size - 3, 1))).program()


def compare(program: Program, seed: int) -> tuple[list[str], str]:
    """Return how a program differs, and why it fell back."""
    signal.alarm(PATIENCE)
    try:
        return disagreements(program, f"<random program {seed}>")
    except Hangs:
        return [f"it takes longer than {PATIENCE} seconds"], ""
    finally:
        signal.alarm(0)


class Tally:
    """What is counted over many programs."""

    def __init__(self) -> None:
        self.programs = self.staged = 0
        self.failing: list[int] = []
        """The seeds of programs that differ."""
        self.constructs: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def run(self, seeds: Iterable[int], size: int, failures: int, end: float) -> None:
        """Compare the programs of `seeds`, until the time `end` or until so many differ."""
        for seed in seeds:
            if time.monotonic() > end or len(self.failing) >= failures:
                break
            program = program_of(seed, size)
            found, reason = compare(program, seed)
            self.programs += 1
            self.staged += not reason
            self.constructs.update(program.constructs)
            if reason:
                self.reasons[re.sub(r"<random program \d+>:\d+:|'\w+'|\d+", "_", reason)[:110]] += 1
            if found:
                self.failing.append(seed)
                print(f"seed {seed} differs (make it again with --seeds {seed} --size {size}):")
                print(program.text, *program.calls, *found, sep="\n", flush=True)

    def show(self) -> None:
        """Print the counts."""
        print(f"{self.programs} programs, {self.staged} staged, {len(self.failing)} differ")
        covered = ", ".join(f"{name} {n}" for name, n in sorted(self.constructs.items()))
        print(f"constructs: {covered}")
        common = self.reasons.most_common(12)
        print("fallbacks:", *(f"{n:6} {text}" for text, n in common), sep="\n  ")

    def write(self, file: Path) -> None:
        """Write the counts to a file, as JSON."""
        counts = {"programs": self.programs, "failing": self.failing, "constructs": self.constructs}
        file.write_text(json.dumps(counts))


def main() -> int:
    """Run programs until the time is over and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--seeds", type=int, nargs="+", help="run only the programs of these seeds")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--size", type=int, default=16, help="the most statements, about")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    parser.add_argument("--report", type=Path, help="write the counts to this file, as JSON")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, stop)
    tally = Tally()
    end = time.monotonic() + 60 * options.minutes
    seeds = options.seeds or itertools.count(options.start)
    tally.run(seeds, options.size, options.failures, end)
    tally.show()
    if options.report:
        tally.write(options.report)
    return 1 if tally.failing else 0


if __name__ == "__main__":
    sys.exit(main())
