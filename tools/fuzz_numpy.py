"""Compare random uses of NumPy, plain and compiled, for as long as one likes.

Takes turns among index expressions, calls of ufuncs and reductions, calls like the samples of all
operations, and programs of views and writes. Prints each that differs with the seed that makes it
again; the exit status is 1 if any differs.

    python tools/fuzz_numpy.py [--minutes M] [--kind KIND] [--seed SEED] [--start SEED]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests" / part) for part in ("", "property")]

from comparing import Snippet, disagreements  # noqa: E402
from random_call_expressions import call_snippet  # noqa: E402
from random_index_expressions import indexing_snippet  # noqa: E402
from random_view_programs import view_snippet  # noqa: E402
from sampled_calls import sampled_snippet  # noqa: E402

KINDS: dict[str, Callable[[Callable[[int], int]], Snippet]] = {
    "indexing": indexing_snippet,
    "calls": call_snippet,
    "samples": sampled_snippet,
    "views": view_snippet,
}


def main() -> int:
    """Run snippets until the time is over and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    parser.add_argument("--seed", type=int, help="only this seed")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    seed = options.start if options.seed is None else options.seed
    counts: Counter[str] = Counter()
    failures = 0
    while time.monotonic() < end and failures < options.failures:
        for kind in [options.kind] if options.kind else KINDS:
            snippet = KINDS[kind](random.Random(seed).randrange)
            found = disagreements(snippet, warned=kind != "views")
            counts[kind] += 1
            if found:
                failures += 1
                print(f"{kind} differs (--kind {kind} --seed {seed}):", snippet, *found, sep="\n")
        if options.seed is not None:
            break
        seed += 1
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()) + f"; {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
