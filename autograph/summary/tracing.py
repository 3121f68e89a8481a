"""Tracing runs: from `trace_on` to `trace_export`.

Owns turning recording on and off, and the trace as a summary. It leaves recording to
`runtime.profiling`, and nodes to `graphs`. Invariant: after `trace_export` or `trace_off`, whatever
they raise, compiled functions run as if they had never been traced.
"""

from __future__ import annotations

import os
import time
import warnings

from runtime.errors import AutographWarning, SummaryError
from runtime.profiling.profile import Profile
from runtime.profiling.recorder import RECORDER

from .graphs import nodes_of
from .messages import BLOB_SEQUENCE, run_metadata, string_tensor, summary_event, summary_metadata
from .values import checked_name, checked_step
from .writer import default_writer

_WITH_COSTS, _GRAPH_ALONE = "graph_run_metadata", "graph_run_metadata_graph"
_VERSION = b"1"


def trace_on(graph: bool = True, profiler: bool = True) -> None:
    """Record the compiled functions and sessions that run from now on, in all threads.

    Parameters
    ----------
    graph
        Whether to record graphs.
    profiler
        Whether to measure time and memory of each operation as well. Programs then run with
        probes, at up to twice their time.

    Raises
    ------
    ValueError
        If neither is asked for.
    """
    if not graph and not profiler:
        raise ValueError("trace_on records graph, profiler or both, not neither")
    if RECORDER.active:
        warnings.warn(
            "trace_on while a trace is on: what it has recorded so far is dropped; write "
            "trace_export or trace_off before",
            AutographWarning,
            stacklevel=2,
        )
    RECORDER.start(probes=bool(profiler))


def trace_off() -> None:
    """Stop recording, and drop what was recorded."""
    RECORDER.stop()
    RECORDER.recordings, RECORDER.plain = {}, {}


def trace_export(
    name: str, step: int = 0, *, chrome: str | os.PathLike[str] | None = None
) -> Profile:
    """Stop recording, and write what was recorded since `trace_on` as one trace.

    TensorBoard shows it under *Graphs*: pick the tag `name`, then *Profile* and *Compute time* or
    *Memory*.

    Parameters
    ----------
    name
        What the trace is called.
    step
        The step it belongs to.
    chrome
        A file for the timeline as JSON, for https://ui.perfetto.dev.

    Returns
    -------
    Profile
        The same as a table (``print`` it), with its rows as data.

    Raises
    ------
    SummaryError
        If nothing is being recorded; no compiled function ran; there is no default writer; or a
        trace of that name and step is there already.
    OSError
        If the file `chrome` cannot be written.
    """
    if not RECORDER.active:
        raise SummaryError("trace_export without trace_on: write trace_on() before what to record")
    try:
        tag, number = checked_name(name), checked_step(step)
        writer = default_writer(f"trace {name!r}")
        profile = recorded()
        if not profile.programs:
            why = "".join(f"; {note}" for note in profile.notes)
            raise SummaryError(f"no compiled function ran since trace_on(){why}")
        writer.note_export(tag, number)
    finally:
        with_costs = RECORDER.probes
        trace_off()
    nodes, records = nodes_of(profile)
    plugin = _WITH_COSTS if with_costs else _GRAPH_ALONE
    content = string_tensor(run_metadata(nodes, records if with_costs else []))
    metadata = summary_metadata(plugin, _VERSION, BLOB_SEQUENCE)
    writer.write(summary_event(time.time(), number, tag, content, metadata))
    writer.flush()
    if chrome is not None:
        profile.to_chrome_trace(chrome)
    return profile


def recorded() -> Profile:
    """Return the profile of what has been recorded since `trace_on`."""
    notes = [f"{name} ran as plain Python: {reason}" for name, reason in RECORDER.plain.items()]
    return Profile.of(list(RECORDER.recordings.values()), notes)
