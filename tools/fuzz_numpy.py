"""Compare random uses of NumPy, plain and compiled, for as long as one likes.

Takes turns among index expressions, calls of ufuncs and reductions, calls like the samples of all
operations, long programs of views and writes, and short ones that read around a write. Prints each
that differs with the seed that makes it again; the exit status is 1 if any differs.

    python tools/fuzz_numpy.py [--minutes M] [--kind KIND] [--seeds SEED ...] [--start SEED]
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests" / part) for part in ("", "property")]

from comparing import Snippet, disagreements  # noqa: E402  # on the path set above
from random_alias_programs import alias_snippet  # noqa: E402  # on the path set above
from random_call_expressions import call_snippet  # noqa: E402  # on the path set above
from random_index_expressions import indexing_snippet  # noqa: E402  # on the path set above
from random_view_programs import view_snippet  # noqa: E402  # on the path set above
from sampled_calls import sampled_snippet  # noqa: E402  # on the path set above

KINDS: dict[str, Callable[[Callable[[int], int]], Snippet]] = {
    "indexing": indexing_snippet,
    "calls": call_snippet,
    "samples": sampled_snippet,
    "views": view_snippet,
    "aliases": alias_snippet,
}


def differ(kind: str, seed: int) -> bool:
    """Run one snippet compiled, print how it differs, and tell whether it does."""
    snippet = KINDS[kind](random.Random(seed).randrange)
    found = disagreements(
        snippet, warned=kind not in ("views", "aliases"), typed=kind != "aliases"
    )
    if found:
        print(f"{kind} differs (--kind {kind} --seeds {seed}):", snippet, *found, sep="\n")
    return bool(found)


def main() -> int:
    """Run snippets until the time is over and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to work")
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    parser.add_argument("--seeds", type=int, nargs="+", help="only these seeds")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    parser.add_argument("--report", type=Path, help="where to write what was found, as JSON")
    options = parser.parse_args()
    end = time.process_time() + 60 * options.minutes  # the same programs on a busy machine
    counts: Counter[str] = Counter()
    failing: list[int] = []
    for seed in options.seeds or itertools.count(options.start):
        if time.process_time() > end or len(failing) >= options.failures:
            break
        for kind in [options.kind] if options.kind else KINDS:
            counts[kind] += 1
            failing += [seed] if differ(kind, seed) else []
    summary = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    print(f"{summary}; {len(failing)} differ")
    if options.report:
        report = {
            "constructs": counts, "programs": sum(counts.values()), "failing": failing,
            "seconds": time.process_time(),
        }  # fmt: skip
        options.report.write_text(json.dumps(report))
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
