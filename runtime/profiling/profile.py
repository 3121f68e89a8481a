"""Profiles: time, calls and memory of operations and of the user's lines.

Owns the estimates made from what the probes measured, the sums over threads and lines, and the
table. It leaves measuring to `probes`, and timelines to `timeline`. Invariants: the estimates of
all operations are never more together than the measured whole; the same measurements give the same
text.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..ir.graph import Graph, Node
from ..ops.control import FOR
from .marking import Probed
from .probes import Layout, Probes, biases
from .recorder import Recording
from .timeline import write_chrome_trace

_SOURCE_WIDTH = 60


@dataclass(frozen=True)
class OperationProfile:
    """What is known of the executions of one operation."""

    node: Node
    name: str
    """What graphs call it: ``mul``, ``np.exp``."""
    file: str
    line: int
    function: str
    """Qualified name of the function that the line stands in."""
    calls: int
    """How often it was executed."""
    is_exact: bool
    """Whether `calls` was counted; else it is an estimate from samples."""
    seconds: float
    """How long all executions took, without what they called of other profiled functions."""
    bytes: int
    """Size of the arrays that all executions made."""


@dataclass(frozen=True)
class Row:
    """One line of the user's source."""

    file: str
    line: int
    function: str
    source: str
    """The text of the line; empty if there is no such file."""
    seconds: float
    share: float
    """Part of the time of all lines, from 0 to 1."""
    calls: int
    """How often the line was executed: its operation executed most often, in all places where the
    function it stands in was inlined."""
    is_exact: bool
    bytes: int


@dataclass(frozen=True, eq=False)
class ProgramProfile:
    """What one program did."""

    name: str
    graph: Graph
    """The optimized graph, which is what ran."""
    calls: int
    seconds: float
    """From start to end of all calls, probes included, calls from other programs left out; of calls
    that were not recorded, what their operations took."""
    operations: tuple[OperationProfile, ...]
    """Those that have syntax of their own, in the order of the program."""

    @property
    def by_node(self) -> Mapping[int, OperationProfile]:
        """The operations by the keys of their nodes."""
        return {operation.node.key: operation for operation in self.operations}


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """Where the time and the memory of calls of compiled functions went.

    ``str`` gives the table: the user's lines, those that took longest first.

    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import INT
    >>> from runtime.lowering.program import lower
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(INT, "x")
    >>> y, = build.append(arithmetic.MUL, [x, x])
    >>> build.end("return", [y])
    >>> recording = Recording(lower(build.graph("square")))
    >>> recording.function(3)
    9
    >>> profile = Profile.of([recording])
    >>> profile.calls, [(o.name, o.calls, o.bytes) for o in profile.operations]
    (1, [('mul', 1, 0)])
    """

    programs: tuple[ProgramProfile, ...]
    recordings: tuple[Recording, ...]
    notes: tuple[str, ...] = ()
    """What the profile does not show, in sentences: functions that ran as plain Python."""
    result: object = None
    """What the profiled call returned; None where there were several."""

    @staticmethod
    def of(
        recordings: Sequence[Recording], notes: Sequence[str] = (), result: object = None
    ) -> Profile:
        """Return the profile of what has been recorded so far."""
        programs = tuple(_program(one) for one in recordings if one.calls)
        problems = [one.problem for one in recordings if one.problem]
        return Profile(programs, tuple(recordings), (*notes, *problems), result)

    @property
    def operations(self) -> tuple[OperationProfile, ...]:
        """The operations of all programs."""
        return tuple(one for program in self.programs for one in program.operations)

    @property
    def calls(self) -> int:
        """How often the programs were called."""
        return sum(program.calls for program in self.programs)

    @property
    def seconds(self) -> float:
        """From start to end of all calls, probes included where they were recorded."""
        return sum(program.seconds for program in self.programs)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The lines that were executed, those that took longest first."""
        lines: dict[tuple[str, int], list[OperationProfile]] = {}
        for one in self.operations:
            if one.calls:
                lines.setdefault((one.file, one.line), []).append(one)
        whole = sum(one.seconds for one in self.operations)
        rows = [_row(place, operations, whole) for place, operations in lines.items()]
        return tuple(sorted(rows, key=lambda row: (-row.seconds, row.file, row.line)))

    def to_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write a timeline as JSON, for https://ui.perfetto.dev or ``chrome://tracing``.

        It shows the calls, and inside them loops, lines and operations as they were measured:
        those that were sampled, up to 20,000 for a program in a thread.

        Parameters
        ----------
        path
            The file to write; one that exists is replaced.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_chrome_trace(self.recordings, path)

    def __str__(self) -> str:
        """Return the table."""
        return "\n".join([*_table(self), *(f"note: {note}" for note in self.notes)])

    def __repr__(self) -> str:
        """Return the table, for a prompt to show."""
        return str(self)


def _program(recording: Recording) -> ProgramProfile:
    """Return the profile of one program."""
    instrumented = recording.instrumented
    operations: tuple[OperationProfile, ...] = ()
    if instrumented is not None:
        measured = [_estimates(instrumented.operations, probes) for probes in recording.measured]
        operations = tuple(
            _operation(probed, [one[number] for one in measured])
            for number, probed in enumerate(instrumented.operations)
        )
    whole = recording.nanoseconds / 1e9
    estimated = sum(one.seconds for one in operations)
    if estimated > whole > 0.0:  # the shortest operations are the least certain
        scale = whole / estimated
        operations = tuple(
            replace(one, seconds=one.seconds * scale) for one in operations
        )
    skipped, recorded = recording.skipped, recording.recorded
    if skipped > 0 and recorded and instrumented is not None:
        layout, probed = instrumented.layout, instrumented.operations
        whole += sum(one.seconds for one in operations) * skipped / recorded
        operations = tuple(
            _with_skipped(one, skipped, recorded, _is_in_every_call(other, layout))
            for one, other in zip(operations, probed, strict=True)
        )
    graph = recording.program.graph
    return ProgramProfile(graph.name, graph, recorded + skipped, whole, operations)


def _is_in_every_call(probed: Probed, layout: Layout) -> bool:
    """Tell whether each call of the program executes an operation once."""
    return not probed.conditional and not probed.minus and probed.counters == (layout.main,)


def _with_skipped(
    one: OperationProfile, skipped: int, recorded: int, in_every_call: bool
) -> OperationProfile:
    """Return what an operation did in all calls: those not recorded are like those that were."""
    factor = 1.0 + skipped / recorded
    return replace(
        one,
        calls=one.calls + skipped if in_every_call else round(one.calls * factor),
        is_exact=one.is_exact and (in_every_call or not one.calls),
        seconds=one.seconds * factor,
        bytes=round(one.bytes * factor),
    )


@dataclass(frozen=True)
class _Estimate:
    """What is estimated of one operation in one thread."""

    calls: int
    is_exact: bool
    nanoseconds: float
    bytes: float


def _estimates(operations: Sequence[Probed], probes: Probes) -> list[_Estimate]:
    """Return the estimates of all operations from what one thread measured."""
    executed: dict[tuple[int, ...], int] = {}
    """How many timed executions there were, by what the operations are counted with."""
    for number, probed in enumerate(operations):
        if not probed.conditional:
            key = (*probed.counters, -1, *probed.minus)
            executed[key] = max(executed.get(key, 0), probes.timed_executions(number))
    result = []
    for number, probed in enumerate(operations):
        hits = probes.timed_executions(number)
        calls = sum(map(probes.count, probed.counters)) - sum(map(probes.count, probed.minus))
        is_exact = True
        if probed.conditional:
            key = (*probed.counters, -1, *probed.minus)
            timed = sum(probes.timed[unit] for unit in probed.counters if unit < len(probes.timed))
            timed = max(executed.get(key, 0), timed, hits)
            is_exact = timed == calls
            calls = round(calls * hits / timed) if timed else 0
        calls = max(calls, 0)
        made = probes.made[number] / hits if hits else 0.0
        nanoseconds = probes.estimate(number, calls, biases()[probed.node.op is FOR])
        result.append(_Estimate(calls, is_exact, nanoseconds, made * calls))
    return result


def _operation(probed: Probed, estimates: Sequence[_Estimate]) -> OperationProfile:
    """Return the sum of what all threads measured of an operation."""
    origin = probed.node.origin
    return OperationProfile(
        probed.node,
        probed.node.op.name,
        origin.file if origin else probed.file,
        origin.line if origin else probed.line,
        origin.function if origin else "",
        sum(one.calls for one in estimates),
        all(one.is_exact for one in estimates),
        sum(one.nanoseconds for one in estimates) / 1e9,
        round(sum(one.bytes for one in estimates)),
    )


def _row(place: tuple[str, int], operations: Sequence[OperationProfile], whole: float) -> Row:
    file, line = place
    seconds = sum(one.seconds for one in operations)
    places: dict[object, list[OperationProfile]] = {}
    for one in operations:
        origin = one.node.origin
        columns = (origin.column, origin.end_line, origin.end_column) if origin else ()
        places.setdefault((one.name, columns), []).append(one)
    most = max(places.values(), key=lambda same: sum(one.calls for one in same))
    return Row(
        file,
        line,
        next((one.function for one in operations if one.function), ""),
        linecache.getline(file, line).strip(),
        seconds,
        seconds / whole if whole else 0.0,
        sum(one.calls for one in most),
        all(one.is_exact for one in most),
        sum(one.bytes for one in operations),
    )


def _table(profile: Profile) -> Iterator[str]:
    """Yield the lines of the table."""
    names = ", ".join(dict.fromkeys(program.name for program in profile.programs)) or "nothing"
    calls = f"{profile.calls:,} call{'' if profile.calls == 1 else 's'}"
    yield f"{names}: {calls}, {format_seconds(profile.seconds)} with probes"
    rows = profile.rows
    if not rows:
        return
    texts = [("share", "time", "calls", "memory", "line")]
    texts += [
        (
            f"{row.share:.1%}",
            format_seconds(row.seconds),
            f"{'' if row.is_exact else '~'}{row.calls:,}",
            format_bytes(row.bytes),
            f"{Path(row.file).name}:{row.line}",
        )
        for row in rows
    ]
    seconds, made = sum(row.seconds for row in rows), sum(row.bytes for row in rows)
    texts.append(("100.0%", format_seconds(seconds), "", format_bytes(made), "all lines"))
    widths = [max(len(text[column]) for text in texts) for column in range(5)]
    sources = ["", *(_shortened(row.source) for row in rows), ""]
    yield ""
    for (*numbers, place), source in zip(texts, sources, strict=True):
        shown = "  ".join(text.rjust(width) for text, width in zip(numbers, widths, strict=False))
        yield f"{shown}  {place.ljust(widths[4])}  {source}".rstrip()


def _shortened(text: str) -> str:
    return text if len(text) <= _SOURCE_WIDTH else text[: _SOURCE_WIDTH - 3] + "..."


def format_seconds(seconds: float) -> str:
    """Return a duration with three digits.

    >>> format_seconds(0.0123), format_seconds(2e-7), format_seconds(0.0), format_seconds(65.2)
    ('12.3 ms', '0.2 us', '0 us', '65.2 s')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1000 * size else f"{seconds:.0f} s"
    return f"{seconds * 1e6:.3g} us"


def format_bytes(count: int) -> str:
    """Return a size in decimal units.

    >>> format_bytes(0), format_bytes(999), format_bytes(24_000), format_bytes(8_000_000_000)
    ('0 B', '999 B', '24 kB', '8 GB')
    """
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000.0:
            break
        size, unit = size / 1000.0, larger
    return f"{size:.3g} {unit}"
