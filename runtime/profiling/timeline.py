"""Timelines: what was measured, as Chrome's trace format.

Owns the slices (calls, loops, lines, operations) and their file. It leaves measuring to `probes`.
Invariants: slices of one thread nest; the file is JSON by the standard, and is written whole or not
at all. The form is the "JSON Array Format" of Google's *Trace Event Format* document: complete
events, with times in microseconds.
"""

from __future__ import annotations

import json
import linecache
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..replacing import replacing
from .marking import Probed
from .probes import Probes
from .recorder import Recording

Event = dict[str, object]


def write_chrome_trace(recordings: Sequence[Recording], path: str | os.PathLike[str]) -> None:
    """Write the timeline of `recordings` to a file; see `runtime.profiling.profile.Profile`."""
    text = json.dumps({"traceEvents": chrome_events(recordings), "displayTimeUnit": "ns"})
    with replacing(path) as file:
        file.write(text.encode())


def chrome_events(recordings: Sequence[Recording]) -> list[Event]:
    """Return the slices of all threads, those that start first at the front of each program.

    The first call starts at 0: a clock that began long ago has no nanoseconds left in a float.
    """
    process = os.getpid()
    calls = (call for one in recordings for probes in one.measured for call in probes.calls)
    zero = min((start for start, _ in calls), default=0)
    events: list[Event] = []
    threads: dict[int, str] = {}
    for recording in recordings:
        if recording.instrumented is None:
            continue
        for probes in recording.measured:
            threads[probes.identity] = probes.thread
            name = recording.program.graph.name
            slices = _slices(name, recording.instrumented.operations, probes)
            events += [one.event(process, probes.identity, zero) for one in slices]
    names: list[Event] = [
        {
            "ph": "M", "name": "thread_name", "pid": process, "tid": identity,
            "args": {"name": name},
        }
        for identity, name in threads.items()
    ]  # fmt: skip
    return names + events


@dataclass(eq=False)
class _Slice:
    """A stretch of time with a name."""

    name: str
    kind: str
    start: int
    end: int
    """Nanoseconds."""
    key: object = None
    """What makes two events one slice if nothing else is between them."""
    details: dict[str, object] = field(default_factory=dict)

    def event(self, process: int, thread: int, zero: int) -> Event:
        """Return the event of the format."""
        return {
            "ph": "X", "name": self.name, "cat": self.kind, "pid": process, "tid": thread,
            "ts": (self.start - zero) / 1000, "dur": (self.end - self.start) / 1000,
            "args": self.details,
        }  # fmt: skip


def _slices(name: str, operations: Sequence[Probed], probes: Probes) -> Iterator[_Slice]:
    """Yield the slices of one program in one thread."""
    for start, end in probes.calls:
        yield _Slice(name, "call", start, end)
    calls = sorted(probes.calls)
    position = 0
    open_: list[_Slice] = []
    for number, start, end in probes.events:
        while position < len(calls) and calls[position][1] < start:
            position += 1
            yield from reversed(open_)  # a loop ends with the call it is in
            open_.clear()
        probed = operations[number]
        wanted = _around(probed)
        kept = 0
        while kept < min(len(open_), len(wanted)) and open_[kept].key == wanted[kept].key:
            kept += 1
        yield from reversed(open_[kept:])
        del open_[kept:]
        for slice_ in wanted[kept:]:
            slice_.start = start
            open_.append(slice_)
        for slice_ in open_:
            slice_.end = end
        yield _Slice(probed.node.op.name, "operation", start, end)
    yield from reversed(open_)


def _around(probed: Probed) -> list[_Slice]:
    """Return the slices that an operation stands in: its loops, then its line."""
    around = [
        _Slice(f"{loop.kind}, line {loop.line}", "loop", 0, 0, loop) for loop in probed.loops
    ]
    origin = probed.node.origin
    file, line = (origin.file, origin.line) if origin else (probed.file, probed.line)
    details: dict[str, object] = {"file": file, "line": line}
    source = linecache.getline(file, line).strip()
    return [*around, _Slice(f"{line}: {source}", "line", 0, 0, (file, line), details)]
