"""Probes: what an instrumented program calls to tell where it is.

Owns the measurements of one program in one thread, and which executions are timed at all. It leaves
placing the probes to `instrument`, and making sense of the numbers to `profile`. Invariants: a
probe gives back the very object it is given and keeps no reference to it; it never raises; the
numbers of one `Probes` are written by one thread.

An operation lasts from the end of the probe before it to the start of its own, so probes do not
measure themselves but for a constant, which `biases` measures once, to be taken off.

**Units.** Statements that are executed one after another are a unit. A unit is there twice, plain
and with probes; a counter tells which of the two runs. The first `WARM` executions are timed, then
as many as cost a fifth of the program's own time: all of them where operations are long, one in
hundred in a loop over scalars. How many executions are left out in between is a random number, lest
a period of the program meet that of the samples. The counts of executions are exact.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter_ns
from typing import Any

import numpy as np

from .gates import counted, counting

WARM = 32
"""How many first executions of a unit are timed in any case."""
MAX_GAP = 5000
"""At least one execution in about so many is timed."""
SHARE = 25
"""One part in so many of the time may go to probes."""
MIN_MEAN = 20.0
"""The shortest time between two executions of a unit, in nanoseconds."""
BEGIN, PROBE = 900.0, 400.0
"""What it costs to begin a unit and to pass a probe, in nanoseconds: sets how often a unit is
timed, nothing else."""
MAX_EVENTS = 20_000
"""How many timed operations of one program in one thread a timeline holds."""


@dataclass(frozen=True)
class Layout:
    """How many numbers the probes of a program need."""

    operations: int
    makes: tuple[int, ...]
    """For each operation, how its arrays are counted: `NOTHING`, `FRESH` or `PERHAPS`."""
    costs: tuple[float, ...]
    """For each unit, about what its probes take, in nanoseconds."""
    counters: int
    """How many counters there are besides those of the units."""
    entries: tuple[int, ...] = ()
    """Units that are whole functions; an iterator counts their executions."""
    main: int | None = None
    """The unit that is the whole of the program's main function, if there is one."""


POWERS = 64
"""How many powers of two lengths of time are told apart by."""
NOTHING, FRESH, PERHAPS = range(3)
"""The results of an operation: no new arrays; new arrays; new if nobody else holds them."""


@dataclass(eq=False)
class Probes:
    """The measurements of one program in one thread, and the functions that take them."""

    layout: Layout
    lengths: list[int] = field(init=False)
    """For each operation and each power of two: how many of its timed executions took less than
    that number of nanoseconds, and no less than half of it."""
    nanoseconds: list[int] = field(init=False)
    """Likewise: how long those executions took together."""
    made: list[int] = field(init=False)
    """For each operation: bytes of the arrays that its timed executions made."""
    counts: list[int] = field(init=False)
    """For each unit, then each further counter: how often it was executed."""
    due: list[int] = field(init=False)
    """For each unit: how many executions from now the next timed one is."""
    timed: list[int] = field(init=False)
    """For each unit: how often it began to be timed."""
    events: list[tuple[int, int, int]] = field(default_factory=list)
    """The first timed operations: which, from when, to when, in nanoseconds."""
    calls: list[tuple[int, int]] = field(default_factory=list)
    """When the first calls of the program started and ended."""
    called: int = 0
    """How many calls there were."""
    whole: int = 0
    """Nanoseconds from start to end of the calls that are not part of another measured one."""
    thread: str = field(default_factory=lambda: threading.current_thread().name)
    identity: int = field(default_factory=threading.get_ident)

    skip: Callable[[int], None] = field(init=False)
    """Takes nanoseconds off the operation that is going on: another program has measured them."""

    def __post_init__(self) -> None:
        """Prepare the lists."""
        layout = self.layout
        self.lengths = [0] * (layout.operations * POWERS)
        self.nanoseconds = [0] * (layout.operations * POWERS)
        self.made = [0] * layout.operations
        self.counts = [0] * (len(layout.costs) + layout.counters)
        self.due = [1] * len(layout.costs)
        self.timed = [0] * len(layout.costs)
        self._entries = {unit: counting() for unit in layout.entries}

    def functions(self) -> dict[str, object]:
        """Return the probes by the names that instrumented programs call them by."""
        value, done, returned, begin, self.skip = _probe_functions(self)
        return {
            ".value": value, ".done": done, ".returned": returned, ".begin": begin,
            ".flush": self.flush, ".due": self.due, ".next": next,
            **{f".entry{unit}": entry for unit, entry in self._entries.items()},
        }  # fmt: skip

    def flush(
        self,
        first_unit: int,
        first_counter: int,
        executed: tuple[int, ...],
        due: tuple[int, ...],
        counted: tuple[int, ...],
    ) -> None:
        """Add what a function counted in its variables, at its end."""
        counts = self.counts
        for unit, (count, then) in enumerate(zip(executed, due, strict=True), first_unit):
            counts[unit] += count
            self.due[unit] = then - count
        for number, count in enumerate(counted, len(self.due) + first_counter):
            counts[number] += count

    def timed_executions(self, operation: int) -> int:
        """Return how many executions of an operation were timed."""
        return sum(self.lengths[operation * POWERS : (operation + 1) * POWERS])

    def estimate(self, operation: int, executions: int, bias: float) -> float:
        """Return how long so many executions of an operation took, in nanoseconds.

        What is seen in a sample stands for many executions, but not what is seen once or twice in
        two hundred samples: the system may have taken the processor away. Such an execution
        counts once, as it was.
        """
        span = range(operation * POWERS, (operation + 1) * POWERS)
        hits, whole = self.timed_executions(operation), sum(self.nanoseconds[i] for i in span)
        if not hits or not executions:
            return 0.0
        rare, rare_time = 0, 0
        if executions > hits:
            for number in reversed(span):
                if rare + self.lengths[number] > max(hits // 200, min(2, hits - 1)):
                    break
                rare += self.lengths[number]
                rare_time += self.nanoseconds[number]
        mean = max((whole - rare_time) / (hits - rare) - bias, 0.0)
        return rare_time + mean * (executions - rare)

    def count(self, counter: int) -> int:
        """Return how often a unit was executed, or what a further counter holds."""
        entry = self._entries.get(counter)
        return self.counts[counter] if entry is None else counted(entry)


def _probe_functions(probes: Probes) -> tuple[Callable[..., Any], ...]:
    """Return the functions ``value``, ``done``, ``returned``, ``begin`` and ``skip``.

    They share when the last of them ended.
    """
    nanoseconds, lengths, made = probes.nanoseconds, probes.lengths, probes.made
    makes, events = probes.layout.makes, probes.events
    clock, array, refcount, fresh = perf_counter_ns, np.ndarray, sys.getrefcount, _REFERENCES
    last = clock()

    def value(operation: int, result: object) -> object:
        """Note the end of an operation, and give back its result."""
        nonlocal last
        now = clock()
        took = now - last
        length = operation * POWERS + took.bit_length()
        lengths[length] += 1
        nanoseconds[length] += took
        if makes[operation]:
            kind = type(result)
            if kind is array:
                new = makes[operation] == FRESH or (
                    result.base is None and refcount(result) <= fresh  # type: ignore[attr-defined]
                )
                if new:
                    made[operation] += result.nbytes  # type: ignore[attr-defined]  # an array
            elif kind is tuple or kind is list:
                made[operation] += _bytes(result, makes[operation] == FRESH)  # type: ignore[arg-type]
        if len(events) < MAX_EVENTS:
            events.append((operation, last, now))
        last = clock()
        return result

    def done(operation: int) -> None:
        """Note the end of an operation that is a statement."""
        nonlocal last
        now = clock()
        took = now - last
        length = operation * POWERS + took.bit_length()
        lengths[length] += 1
        nanoseconds[length] += took
        if len(events) < MAX_EVENTS:
            events.append((operation, last, now))
        last = clock()

    def returned(result: object) -> object:
        """Go on after a call of a function of the program, which has taken its own time."""
        nonlocal last
        last = clock()
        return result

    begin = _begin(probes)

    def begins(unit: int, count: int, iteration: int = -1) -> int:
        """Begin a timed execution of a unit, and return the count of the next one."""
        nonlocal last
        now = clock()
        then, adjacent = begin(unit, count, now)
        if iteration >= 0 and adjacent:  # what was between two timed trips is the step of the loop
            took = now - last
            length = iteration * POWERS + took.bit_length()
            lengths[length] += 1
            nanoseconds[length] += took
        last = clock()
        return then

    def skip(duration: int) -> None:
        nonlocal last
        last += duration

    return value, done, returned, begins, skip


def _begin(probes: Probes) -> Callable[[int, int, int], tuple[int, bool]]:
    """Return what decides when a unit is timed next, and tells if the time before was the last."""
    costs, counts, timed = probes.layout.costs, probes.counts, probes.timed
    previous = [0] * len(costs)
    started = [0] * len(costs)
    means = [0.0] * len(costs)
    seed = 1

    def begin(unit: int, count: int, now: int) -> tuple[int, bool]:
        nonlocal seed
        timed[unit] += 1
        total = counts[unit] + count  # `count` starts anew in each call
        since = total - previous[unit]
        if since > 0 and started[unit]:
            means[unit] = max((now - started[unit] - costs[unit]) / since, MIN_MEAN)
        previous[unit], started[unit] = total, now
        adjacent = since == 1 and timed[unit] > 1
        if timed[unit] < WARM or not means[unit]:
            return count + 1, adjacent
        gap = min(int(costs[unit] * SHARE / means[unit]), MAX_GAP)
        if gap <= 1:
            return count + 1, adjacent
        if timed[unit] % 2:  # two in a row show what is between them
            return count + 1, adjacent
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF  # the generator of the C standard
        return count + 1 + (seed >> 8) % (4 * gap - 1), adjacent

    return begin


def _bytes(parts: list[object] | tuple[object, ...], new: bool) -> int:
    """Return the bytes of the arrays in a container that are new, if it is."""
    total = 0
    for part in parts:
        if type(part) is np.ndarray and (
            new or (part.base is None and sys.getrefcount(part) <= _REFERENCES_IN_CONTAINER)
        ):
            total += part.nbytes
    return total


def _references() -> int:
    """Return how many references there are to a result that nobody else holds, inside a probe."""

    def probe(operation: int, result: object) -> int:
        return sys.getrefcount(result)

    return probe(0, np.empty(1) + 1)


def _references_in_container() -> int:
    """Return how many references there are to an array that its container alone holds."""
    for part in [np.empty(1) + 1]:
        return sys.getrefcount(part)
    return 0


_REFERENCES = _references()
_REFERENCES_IN_CONTAINER = _references_in_container()


_EMPTY_LOOP = """
def empty(trips):
    count, due, before = 0, 1, 0
    for _ in trips:
        count += 1
        if count < due:
            pass
        else:
            due = begin(0, count, 0 if count > before + 1 else -1)
            value(1, None)
            value(2, None)
"""
"""A loop as `runtime.profiling.instrument` makes it, of operations that do nothing."""


@functools.cache
def biases() -> tuple[float, float]:
    """Return how long an operation that does nothing seems to last, and a step of a loop."""
    probes = Probes(Layout(3, (NOTHING,) * 3, (0.0,), 0))
    functions = probes.functions()
    namespace: dict[str, Any] = {"begin": functions[".begin"], "value": functions[".value"]}
    exec(_EMPTY_LOOP, namespace)
    rounds = []
    for _ in range(20):
        before = [sum(probes.nanoseconds[i * POWERS : (i + 1) * POWERS]) for i in (0, 2)]
        namespace["empty"](range(100))
        after = [sum(probes.nanoseconds[i * POWERS : (i + 1) * POWERS]) for i in (0, 2)]
        step, operation = (b - a for a, b in zip(before, after, strict=True))
        rounds.append((operation / 100, step / 99))
    operations, steps = zip(*rounds, strict=True)
    return median(operations), median(steps)
