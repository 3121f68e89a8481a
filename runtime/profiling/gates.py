"""Gates: which calls of a program are recorded, where recording each would take too long.

Owns the count of the calls that pass unrecorded, and how many may do so between two that are
recorded. It leaves recording to `recorder`, and the test in line to who calls: ``if
next(gate.passed) < gate.due[0]:`` the plain program is run, else `gate.recorded`. Invariants: every
call is counted exactly, in any number of threads; a call gives the same either way.

A recorded call takes about half a microsecond more than what its probes take. The first `WARM`
calls are recorded, then as many as cost an eighth of the time from call to call: all, if that is
long.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from time import perf_counter_ns
from typing import Any

WARM = 256
"""How many first calls are recorded in any case."""
SHARE = 8
"""One part in so many of the time may go to recording calls."""
MAX_GAP = 1000
"""At least one call in about so many is recorded."""
MIN_MEAN = 50.0
"""The shortest time from call to call, in nanoseconds."""
_FOR_EVER = 2**62


def counting() -> Iterator[int]:
    """Return an iterator that counts who asks it, from 1; `counted` tells how many did.

    >>> calls = counting()
    >>> next(calls), next(calls), counted(calls)
    (1, 2, 2)
    """
    return iter(range(1, _FOR_EVER + 1))  # one step of it cannot be interrupted by a thread


def counted(calls: Iterator[int]) -> int:
    """Return how often an iterator made by `counting` was asked."""
    return _FOR_EVER - operator.length_hint(calls)


class Gate:
    """What stands before a program while it is recorded."""

    def __init__(self, plain: Callable[..., Any], record: Callable[..., Any]) -> None:
        self.plain = plain
        """The program itself."""
        self.passed = counting()
        """Counts the calls."""
        self.due = [0]
        """From which call on the next is to be recorded."""
        self.cost = 0.0
        """What it takes to record a call, in nanoseconds; 0 if all are to be recorded."""
        self.recorded = self._recorded
        """Runs a call that is recorded; always the same object."""
        self._record = record
        self._taken = counting()
        self.open()

    def open(self) -> None:
        """Begin anew: the next calls are recorded."""
        self._warm = counted(self._taken) + WARM
        self._previous, self._started, self._seed = 0, 0, 1
        self.cost = 0.0
        self.due[0] = 0

    def close(self) -> None:
        """Let no call pass unrecorded: what is around them takes their time off its own."""
        self.cost = 0.0
        self.due[0] = 0

    @property
    def skipped(self) -> int:
        """How many calls were not recorded, of all that there ever were."""
        taken = counted(self._taken)  # first: a call is counted here after it passed
        return counted(self.passed) - taken

    def _recorded(self, *arguments: object) -> Any:
        if next(self._taken) >= self._warm:
            self._schedule()
        return self._record(*arguments)

    def _schedule(self) -> None:
        """Set when the next call is recorded."""
        now, passed = perf_counter_ns(), counted(self.passed)
        since, took = passed - self._previous, now - self._started
        known = self._started != 0
        self._previous, self._started = passed, now
        if not known or since <= 0:
            return
        gap = int(SHARE * self.cost / max((took - self.cost) / since, MIN_MEAN))
        if gap <= 1 or not self.cost:
            self.due[0] = 0
            return
        self._seed = (self._seed * 1103515245 + 12345) & 0x7FFFFFFF  # the C standard's generator
        self.due[0] = passed + 1 + (self._seed >> 8) % (2 * min(gap, MAX_GAP) - 1)
