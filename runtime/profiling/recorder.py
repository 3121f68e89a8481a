"""Recording: which programs run with probes, and what they measured.

Owns instrumented programs, the copy that each thread runs, and whether programs are being recorded
at all. It leaves syntax to `instrument` and measuring to `probes`. Invariants: a program that runs
recorded returns, raises and changes what it would otherwise; a thread writes into measurements of
its own, so there are no locks where programs run; nothing is kept of arguments or results.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

from ..lowering.program import Program, assemble, compiled, emit
from .gates import Gate
from .instrument import Instrumented, instrument
from .probes import MAX_EVENTS, Probes

MAX_CALLS = MAX_EVENTS // 10
_CALL, _HAND_OVER, _COUNTER = 700.0, 600.0, 150.0
"""What it costs to record a call, to hand over what it counted, and each counter, in nanoseconds:
sets how many calls are recorded, nothing else."""


class Recording:
    """One program with probes, and what it measured in each thread.

    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import INT
    >>> from runtime.lowering.program import lower
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(INT, "x")
    >>> y, = build.append(arithmetic.MUL, [x, x])
    >>> build.end("return", [y])
    >>> recording = Recording(lower(build.graph("square")))
    >>> recording.function(3), recording.function(4), recording.calls
    (9, 16, 2)
    """

    def __init__(self, program: Program, *, probes: bool = True) -> None:
        self.program = program
        """The program as it runs when it is not recorded."""
        self.instrumented: Instrumented | None = None
        """Its syntax with probes; None if only calls are counted."""
        self.problem = ""
        """Why there are no probes although they were asked for."""
        self.measured: list[Probes] = []
        """What each thread measured, in order of first call."""
        self._local = threading.local()
        self._counted = 0
        self._gate: Gate | None = None
        self._skipped = 0
        if probes:
            try:
                self._emitted = emit(program.graph)
                made = instrument(self._emitted)
                self._codes = compiled(made.trees)
                self.instrumented = made
            except (RecursionError, SyntaxError) as error:  # nested as deep as Python allows
                self.problem = f"{program.graph.name} ran without probes: {error}"

    @property
    def function(self) -> Callable[..., Any]:
        """What to run in this thread in place of the function of the program."""
        try:
            run: Callable[..., Any] = self._local.run
        except AttributeError:
            with _unmeasured():
                run = self._local.run = self._for_thread()
        return run

    def attach(self, gate: Gate) -> None:
        """Let calls pass through a gate unrecorded, and count those that do from now on."""
        self._gate, self._skipped = gate, -gate.skipped
        gate.cost = _CALL
        if self.instrumented is not None and self.instrumented.layout.main is None:
            layout = self.instrumented.layout
            gate.cost += _HAND_OVER + _COUNTER * (len(layout.costs) + layout.counters)

    def detach(self) -> None:
        """Count no more calls that pass through the gate."""
        self._skipped, self._gate = self.skipped, None

    @property
    def skipped(self) -> int:
        """How many calls were not recorded; what they did is estimated."""
        return self._skipped + (self._gate.skipped if self._gate is not None else 0)

    @property
    def recorded(self) -> int:
        """How many calls were recorded."""
        return self._counted + sum(probes.called for probes in self.measured)

    @property
    def calls(self) -> int:
        """How often the program was called."""
        return self.recorded + self.skipped

    @property
    def nanoseconds(self) -> int:
        """How long all recorded calls took together, probes included."""
        return sum(probes.whole for probes in self.measured)

    def _count(self, *arguments: object) -> Any:
        self._counted += 1
        return self.program.function(*arguments)

    def _for_thread(self) -> Callable[..., Any]:
        """Return the instrumented program with probes of its own."""
        if self.instrumented is None:
            return self._count
        probes = Probes(self.instrumented.layout)
        namespace = {**self._emitted.objects, **probes.functions()}
        # NumPy's warnings are shown once for each line: of the plain program and this one.
        registry = self.program.function.__globals__.setdefault("__warningregistry__", {})
        namespace["__warningregistry__"] = registry
        function = assemble(self._emitted, self._codes, namespace)
        self.measured.append(probes)
        return _timed(function, probes)


class _Innermost(threading.local):
    """The probes of the program that runs innermost in each thread."""

    probes: Probes | None = None


_INNERMOST = _Innermost()


@contextlib.contextmanager
def _unmeasured() -> Iterator[None]:
    """Keep what is done to prepare probes out of the operation that is going on."""
    start, outer = perf_counter_ns(), _INNERMOST.probes
    try:
        yield
    finally:
        if outer is not None:
            outer.skip(perf_counter_ns() - start)


def _timed(function: Callable[..., Any], probes: Probes) -> Callable[..., Any]:
    """Return `function`, with its calls counted and timed."""
    clock, calls, innermost = perf_counter_ns, probes.calls, _INNERMOST

    def run(*arguments: object) -> Any:
        outer = innermost.probes
        innermost.probes = probes
        probes.called += 1
        start = clock()
        try:
            return function(*arguments)
        finally:
            end = clock()
            innermost.probes = outer
            if outer is None:
                probes.whole += end - start
            elif outer is not probes:
                outer.skip(end - start)
            if len(calls) < MAX_CALLS:
                calls.append((start, end))

    return run


@dataclass(eq=False)
class Recorder:
    """What is recorded since `start`."""

    active: bool = False
    """Whether programs are being recorded."""
    probes: bool = False
    """Whether they run with probes."""
    recordings: dict[Program, Recording] = field(default_factory=dict)
    """Every program that ran, in order of first call."""
    plain: dict[str, str] = field(default_factory=dict)
    """Functions that ran as plain Python, and why."""
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """Called when recording starts or stops: who holds functions of programs gets them anew."""
    generation: int = 0
    """Goes up whenever recording starts or stops."""

    def __post_init__(self) -> None:
        """Prepare the lock."""
        self._lock = threading.RLock()

    def start(self, *, probes: bool) -> None:
        """Record the programs that run from now on; what was recorded before is forgotten."""
        with self._lock:
            self._detach()
            self.recordings, self.plain = {}, {}
            self.active, self.probes = True, probes
            self._tell()

    def stop(self) -> None:
        """Record no more; what was recorded stays."""
        with self._lock:
            self._detach()
            self.active = False
            self._tell()

    def _detach(self) -> None:
        for recording in self.recordings.values():
            recording.detach()

    def _tell(self) -> None:
        self.generation += 1
        for listener in list(self.listeners):
            listener()

    def recording(
        self, program: Program, gate: Gate | None = None
    ) -> tuple[Recording | None, int]:
        """Return the recording of a program that is called, if any, and for which generation.

        Calls pass through `gate` on the way to the program, if there is one.
        """
        with self._lock:
            if not self.active:
                return None, self.generation
            if program not in self.recordings:
                made = self.recordings[program] = Recording(program, probes=self.probes)
                if gate is not None:
                    made.attach(gate)
            return self.recordings[program], self.generation

    def note_plain(self, name: str, reason: str) -> None:
        """Note that a call ran as plain Python."""
        if self.active:
            self.plain.setdefault(name, reason)


RECORDER = Recorder()
"""The one of this process."""


class Recordable:
    """A program that is recorded while `RECORDER` is active."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._seen: tuple[Recording | None, int] = (None, -1)
        self._recorded: Callable[..., Any] = self._run
        self._gate: Gate | None = None
        self._opened = -1

    @property
    def gated(self) -> Callable[..., Any] | Gate:
        """What to run at present where calls may pass a gate; see `runtime.profiling.gates`."""
        if not RECORDER.active:
            return self.program.function
        if self._gate is None:
            self._gate = Gate(self.program.function, self._run)
        if self._opened != RECORDER.generation:
            self._opened = RECORDER.generation
            self._gate.open()
        return self._gate

    @property
    def function(self) -> Callable[..., Any]:
        """What to run at present: the function of the program itself while nothing is recorded."""
        return self._recorded if RECORDER.active else self.program.function

    def _run(self, *arguments: object) -> Any:
        recording, generation = self._seen
        if generation != RECORDER.generation:
            with _unmeasured():
                self._seen = RECORDER.recording(self.program, self._gate)
            recording = self._seen[0]
        if recording is None:
            return self.program.function(*arguments)
        if _INNERMOST.probes is not None and self._gate is not None:
            self._gate.close()
        return recording.function(*arguments)
