"""Compare random programs, plain and compiled, for as long as one likes.

Prints every program that differs, with the seed that makes it again, and at the end which
constructs were covered and how many programs were staged. The exit status is 1 if any differs.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests" / part) for part in ("", "property")]

from differential.harness import differences, observe, without_accidents  # noqa: E402
from random_programs import Writer  # noqa: E402

import autograph as ag  # noqa: E402


def compare(seed: int, size: int) -> tuple[list[str], tuple[str, ...], str]:
    """Run the program of `seed` plain and compiled.

    Returns
    -------
    found, constructs, reason
        How it differs, what it contains, and why it fell back ("" if it was staged).
    """
    program = Writer(random.Random(seed).randrange, size=size).program()
    name = f"<random program {seed}>"
    plain = program.function(name)
    reason = ""
    found = []
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        compiled = ag.compile(plain)

        def collecting(*arguments):
            with warnings.catch_warnings(record=True) as inner:
                warnings.simplefilter("always")
                try:
                    return compiled(*arguments)
                finally:
                    given.extend(inner)

        for call in (0, 1, 2, 0):
            want, got = (
                observe(function, program.arguments(plain, call), name,
                        lambda: program.watched(plain))
                for function in (plain, collecting)
            )  # fmt: skip
            found += [
                f"call {call}, {line}"
                for line in differences(without_accidents(got), without_accidents(want))
            ]
    for warning in given:
        if issubclass(warning.category, ag.AutographWarning):
            reason = str(warning.message)
    if found:
        found = [program.text, *program.calls, *found]
    return found, program.constructs, reason


def main() -> int:
    """Run programs until the time is over and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=None, help="run only the program of this seed")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--size", type=int, default=22, help="about how many statements")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    seed = options.start if options.seed is None else options.seed
    covered: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    count = failures = staged = 0
    while time.monotonic() < end and failures < options.failures:
        found, constructs, reason = compare(seed, options.size)
        count += 1
        covered.update(constructs)
        staged += not reason
        if reason:
            reasons[re.sub(r"<random program \d+>:\d+:|'\w+'|\d+", "_", reason)[:110]] += 1
        if found:
            failures += 1
            print(f"seed {seed} differs (--seed {seed} --size {options.size}):", *found, sep="\n")
        if options.seed is not None:
            break
        seed += 1
    print(f"{count} programs, {staged} staged, {failures} differ")
    print("constructs:", ", ".join(f"{name} {n}" for name, n in sorted(covered.items())))
    print("fallbacks:", *(f"{n:6} {text}" for text, n in reasons.most_common(12)), sep="\n  ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
