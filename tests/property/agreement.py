"""Whether a random program does compiled what it does plain.

Owns running the calls of a `Program` both ways. It leaves seeing what a call does to
`differential.harness`. Invariant: both run on equal, fresh arguments.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from types import FunctionType

from random_programs import Program

import autograph as ag
from differential.harness import Outcome, differences, observe, without_accidents

ORDER = (0, 1, 2, 0)
"""The calls that are made: each, and the first again."""


def disagreements(program: Program, name: str) -> tuple[list[str], str]:
    """Run a program plain and compiled.

    Parameters
    ----------
    program
        What to run.
    name
        A file name for its source.

    Returns
    -------
    found, reason
        One line for each difference, and why it fell back ("" if it was staged).
    """
    plain = program.function(name)
    compiled = ag.compile(plain)
    reasons: list[str] = []

    def noting(*arguments: object) -> object:
        """Call the compiled function, and keep its warnings."""
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            try:
                return compiled(*arguments)
            finally:
                own = (w for w in given if issubclass(w.category, ag.AutographWarning))
                reasons.extend(str(warning.message) for warning in own)

    found: list[str] = []
    for call in ORDER:
        want = _outcome(program, plain, plain, name, call)
        got = _outcome(program, plain, noting, name, call)
        found += [f"call {call}, {line}" for line in differences(got, want)]
    return found, reasons[-1] if reasons else ""


def _outcome(
    program: Program, plain: FunctionType, function: Callable[..., object], name: str, call: int
) -> Outcome:
    arguments = program.arguments(plain, call)
    watch = functools.partial(program.watched, plain)
    return without_accidents(observe(function, arguments, name, watch))
