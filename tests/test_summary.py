"""Summaries are written where they were asked for, and misuse is told in words."""

from __future__ import annotations

import json
import os
import struct
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.summary import wire
from autograph.summary.records import read_records
from autograph.summary.writer import default_writer
from runtime.profiling.recorder import RECORDER


def events(folder: Path) -> list[dict[int, object]]:
    """Return the events of all files of a folder, in order of files and writing."""
    found = []
    for path in sorted(folder.iterdir()):
        assert "tfevents" in path.name
        with path.open("rb") as file:
            found += [dict(wire.fields(data)) for data in read_records(file)]
    return found


def values(folder: Path) -> list[tuple[str, int, bytes]]:
    """Return tag, step and tensor of each value."""
    found = []
    for event in events(folder):
        if 5 in event:
            summary = event[5]
            assert isinstance(summary, bytes)
            ((_, value),) = wire.fields(summary)
            fields = dict(wire.fields(value))
            found.append((fields[1].decode(), event.get(2, 0), fields[8]))
    return found


def number(tensor: bytes) -> float:
    """Return the number of a tensor of one float."""
    return struct.unpack("<f", dict(wire.fields(tensor))[4])[0]


@pytest.fixture(autouse=True)
def no_trace_left() -> Iterator[None]:
    """No test leaves a trace on."""
    yield
    assert not RECORDER.active


def newton(x, tolerance):
    y = x
    while abs(y * y - x) > tolerance:
        y = 0.5 * (y + x / y)
        if y < 0.0:
            y = np.exp(y)
    return y


# -- writers ------------------------------------------------------------------------------------


def test_file_begins_with_its_version(tmp_path: Path):
    ag.summary.create_file_writer(tmp_path / "a" / "b").close()
    (event,) = events(tmp_path / "a" / "b")
    assert event[3] == b"brain.Event:2"


def test_default_writer_holds_inside_the_block(tmp_path: Path):
    writer = ag.summary.create_file_writer(tmp_path)
    with writer.as_default():
        ag.summary.scalar("loss", 0.5, 3)
    with pytest.raises(ag.SummaryError, match=r"no writer for scalar 'loss': write `with"):
        ag.summary.scalar("loss", 0.25, 4)
    ((tag, step, tensor),) = values(tmp_path)
    assert (tag, step, number(tensor)) == ("loss", 3, 0.5)
    writer.close()


def test_writer_in_a_with_of_its_own_is_closed_after_it(tmp_path: Path):
    with ag.summary.create_file_writer(tmp_path) as writer:
        ag.summary.scalar("loss", 0.5, 3)
    assert len(values(tmp_path)) == 1
    with pytest.raises(ag.SummaryError, match="is closed"), writer.as_default():
        ag.summary.scalar("loss", 0.5, 3)
    with pytest.raises(ag.SummaryError, match="is closed"), writer:
        pass
    writer.close()


def test_what_is_flushed_is_in_the_file(tmp_path: Path):
    writer = ag.summary.create_file_writer(tmp_path)
    with writer.as_default():
        ag.summary.scalar("loss", 0.5, 3)
        writer.flush()
        assert len(values(tmp_path)) == 1
    writer.close()


def test_a_forgotten_writer_writes_what_is_pending(tmp_path: Path):
    writer = ag.summary.create_file_writer(tmp_path)
    writer.write(b"")
    del writer
    assert len(events(tmp_path)) == 2


def test_two_writers_of_one_folder_have_two_files(tmp_path: Path):
    first, second = (ag.summary.create_file_writer(tmp_path) for _ in range(2))
    with first.as_default(), second.as_default():
        ag.summary.scalar("inner", 1.0, 0)
    with first.as_default():
        ag.summary.scalar("outer", 1.0, 0)
    first.close()
    second.close()
    assert len(list(tmp_path.iterdir())) == 2
    assert sorted(tag for tag, _, _ in values(tmp_path)) == ["inner", "outer"]


def test_threads_share_a_writer_and_lose_nothing(tmp_path: Path):
    writer = ag.summary.create_file_writer(tmp_path)

    def write(name: str) -> None:
        with writer.as_default():
            for step in range(100):
                ag.summary.scalar(name, step, step)

    threads = [threading.Thread(target=write, args=(f"t{k}",)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    found = values(tmp_path)
    for k in range(8):
        assert [step for tag, step, _ in found if tag == f"t{k}"] == list(range(100))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_writes_a_file_of_its_own(tmp_path: Path):
    writer = ag.summary.create_file_writer(tmp_path)
    writer.flush()
    with writer.as_default():
        ag.summary.scalar("before", 1.0, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside threads
            child = os.fork()
        if child == 0:
            status = 1
            try:
                writer.flush()  # what the parent has not written yet is the parent's
                ag.summary.scalar("child", 1.0, 0)
                writer.close()
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        ag.summary.scalar("parent", 1.0, 0)
    writer.close()
    assert len(list(tmp_path.iterdir())) == 2
    assert sorted(tag for tag, _, _ in values(tmp_path)) == ["before", "child", "parent"]


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ag.SummaryError, match="there is a file of that name, not a folder"):
            ag.summary.create_file_writer(path)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder that nobody may write to")
def test_a_folder_that_cannot_be_written_is_told():
    with pytest.raises(ag.SummaryError, match="cannot write summaries to /proc/self: "):
        ag.summary.create_file_writer("/proc/self")


@pytest.mark.parametrize("logdir", [None, 3, "", b""])
def test_a_logdir_that_is_no_path_is_told(logdir):
    with pytest.raises(ag.SummaryError, match="logdir is the path of a folder"):
        ag.summary.create_file_writer(logdir)


# -- scalars and histograms -----------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Give a folder with a default writer."""
    with ag.summary.create_file_writer(tmp_path) as writer:
        yield tmp_path
        writer.flush()


def written(folder: Path) -> list[tuple[str, int, bytes]]:
    """Return what the default writer has written so far."""
    default_writer("test").flush()
    return values(folder)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (2, 2.0), (True, 1.0), (np.float32(0.5), 0.5), (np.array(3), 3.0), (1e300, np.inf),
        (float("-inf"), -np.inf),
    ],
)  # fmt: skip
def test_scalars_are_written_as_float32(folder, value, stored):
    ag.summary.scalar("x", value, 0)
    assert number(written(folder)[0][2]) == stored


def test_nan_is_a_scalar(folder):
    ag.summary.scalar("x", float("nan"), 0)
    assert np.isnan(number(written(folder)[0][2]))


@pytest.mark.parametrize("value", ["1", None, 1j, object(), [[1], [2, 3]], 10**400])
def test_what_is_no_number_is_refused(folder, value):
    with pytest.raises(ag.SummaryError, match="scalar 'x' takes real numbers"):
        ag.summary.scalar("x", value, 0)
    with pytest.raises(ag.SummaryError, match="histogram 'x' takes real numbers"):
        ag.summary.histogram("x", value, 0)
    assert written(folder) == []


def test_an_array_is_no_scalar(folder):
    with pytest.raises(ag.SummaryError, match=r"is one number, not an array of shape \(1,\)"):
        ag.summary.scalar("x", [1.0], 0)


@pytest.mark.parametrize("step", [1.0, "1", None, True, np.float64(3.0), 1j])
def test_a_step_is_a_whole_number(folder, step):
    for write in (ag.summary.scalar, ag.summary.histogram):
        with pytest.raises(TypeError, match="step is a whole number, not"):
            write("x", 1.0, step)


def test_steps_have_64_bits(folder):
    ag.summary.scalar("x", 1.0, np.int64(2**63 - 1))
    ag.summary.scalar("x", 1.0, -1)
    with pytest.raises(ValueError, match="at most 64 bits"):
        ag.summary.scalar("x", 1.0, 2**63)
    assert [step for _, step, _ in written(folder)] == [2**63 - 1, 2**64 - 1]


@pytest.mark.parametrize(("name", "error"), [(3, TypeError), (None, TypeError), ("", ValueError)])
def test_a_name_is_a_text(folder, name, error):
    with pytest.raises(error, match="the name of a summary is"):
        ag.summary.scalar(name, 1.0, 0)


def rows(tensor: bytes) -> np.ndarray:
    """Return the rows of a histogram."""
    content = dict(wire.fields(tensor)).get(4, b"")
    return np.frombuffer(content, "<f8").reshape(-1, 3)


def test_histograms_count_every_value_once(folder):
    data = np.random.default_rng(0).normal(size=(40, 25))
    ag.summary.histogram("w", data, 2)
    found = rows(written(folder)[0][2])
    assert found.shape == (30, 3)
    assert found[:, 2].sum() == 1000
    assert (found[0, 0], found[-1, 1]) == (data.min(), data.max())
    assert (found[1:, 0] == found[:-1, 1]).all()


@pytest.mark.parametrize("data", [[], np.zeros((0, 3)), np.array([], object)])
def test_an_empty_histogram_has_no_buckets(folder, data):
    ag.summary.histogram("w", data, 0)
    assert rows(written(folder)[0][2]).shape == (0, 3)


@pytest.mark.parametrize("data", [[5.0], [5, 5, 5], [True, True], [1e308, 1e308]])
def test_equal_values_share_a_bucket(folder, data):
    ag.summary.histogram("w", data, 0)
    ((_, _, count),) = rows(written(folder)[0][2])
    assert count == len(data)


@pytest.mark.parametrize("data", [[-1.7e308, 1.7e308], [1.0, 1.0 + 2**-52], [0.0, 5e-324]])
def test_extreme_values_are_counted(folder, data):
    ag.summary.histogram("w", data, 0)
    found = rows(written(folder)[0][2])
    assert np.isfinite(found).all()
    assert found[:, 2].sum() == 2


def test_nan_and_infinity_are_refused_in_histograms(folder):
    with pytest.raises(ag.SummaryError, match="2 of 3 values are nan or infinite"):
        ag.summary.histogram("w", [1.0, np.nan, np.inf], 0)


@pytest.mark.parametrize(("buckets", "error"), [(0, ag.SummaryError), (2.5, TypeError)])
def test_buckets_are_counted_in_whole_numbers(folder, buckets, error):
    with pytest.raises(error, match="bucket"):
        ag.summary.histogram("w", [1.0], 0, buckets)


def logging(x, n):
    for i in range(n):
        x = x * 2.0
        ag.summary.scalar("x", x, i)
    return x


def test_summaries_are_written_from_compiled_functions(folder):
    compiled = ag.compile(logging, fallback="error")
    for _ in range(2):
        compiled(1.0, 3)
    found = [(step, number(tensor)) for _, step, tensor in written(folder)]
    assert found == [(0, 2.0), (1, 4.0), (2, 8.0)] * 2


# -- traces ---------------------------------------------------------------------------------------


def nodes(folder: Path) -> tuple[dict[str, dict[int, object]], dict[str, dict[int, object]]]:
    """Return the nodes of the graph of the only trace, and their records, by name."""
    ((_, _, tensor),) = written(folder)
    metadata = dict(wire.fields(dict(wire.fields(tensor))[8]))
    graph = dict(wire.fields(metadata[4]))[2]
    found = [dict(wire.fields(node)) for k, node in wire.fields(graph) if k == 1]
    records = []
    if 1 in metadata:
        device = dict(wire.fields(metadata[1]))[1]
        records = [dict(wire.fields(node)) for k, node in wire.fields(device) if k == 2]
    return (
        {node[1].decode(): node for node in found},
        {record[1].decode(): record for record in records},
    )


def test_a_trace_nests_and_has_a_record_for_every_node(folder):
    ag.summary.trace_on(graph=True, profiler=True)
    compiled = ag.compile(newton)
    compiled(2.0, 1e-9)
    profile = ag.summary.trace_export("newton", step=3)
    graph, records = nodes(folder)
    assert "newton/while/body/if/then/np.exp" in graph
    assert list(graph) == list(records)
    assert "while abs(y * y - x) > tolerance:" in str(profile)


def test_records_lie_end_to_end(folder):
    ag.summary.trace_on()
    ag.compile(newton)(np.float64(2.0), 1e-9)
    ag.summary.trace_export("newton")
    _, records = nodes(folder)
    clock = 0
    for record in records.values():
        assert record.get(2, 0) == clock
        clock += record.get(5, 0)
    assert clock >= 5


def test_inputs_of_nodes_are_nodes(folder):
    ag.summary.trace_on()
    ag.compile(newton)(2.0, 1e-9)
    ag.summary.trace_export("newton")
    ((_, _, tensor),) = written(folder)
    graph = dict(wire.fields(dict(wire.fields(dict(wire.fields(tensor))[8]))[4]))[2]
    found = [list(wire.fields(node)) for k, node in wire.fields(graph) if k == 1]
    names = [dict(node)[1] for node in found]
    assert len(set(names)) == len(names)
    for node in found:
        assert {value for k, value in node if k == 3} <= set(names)


def test_a_graph_alone_has_no_costs(folder):
    ag.summary.trace_on(graph=True, profiler=False)
    ag.compile(newton)(2.0, 1e-9)
    ag.summary.trace_export("newton")
    graph, records = nodes(folder)
    assert graph and not records


def test_two_functions_of_one_name_are_two_boxes(folder):
    ag.summary.trace_on()
    ag.compile(newton)(2.0, 1e-9)
    ag.compile(newton)(2.0, 1e-9)
    ag.summary.trace_export("both")
    graph, _ = nodes(folder)
    assert {name.split("/")[0] for name in graph} == {"newton", "newton_1"}


def test_a_trace_goes_to_a_timeline_too(folder, tmp_path):
    ag.summary.trace_on()
    ag.compile(newton)(2.0, 1e-9)
    path = tmp_path / "timeline.json"
    ag.summary.trace_export("newton", chrome=path)
    assert json.loads(path.read_text())["traceEvents"]
    path.unlink()


def test_export_without_a_trace_is_told(folder):
    with pytest.raises(ag.SummaryError, match="trace_export without trace_on"):
        ag.summary.trace_export("x")


def test_export_without_a_run_is_told(folder):
    ag.summary.trace_on()
    with pytest.raises(ag.SummaryError, match=r"no compiled function ran since trace_on\(\)"):
        ag.summary.trace_export("x")


def test_export_of_plain_functions_says_why_they_are_plain(folder):
    def plain():
        return locals()

    ag.summary.trace_on()
    with pytest.warns(ag.AutographWarning):
        ag.compile(plain)()
    with pytest.raises(ag.SummaryError, match=r"plain ran as plain Python: .*locals"):
        ag.summary.trace_export("x")


def test_export_without_a_writer_is_told():
    ag.summary.trace_on()
    with pytest.raises(ag.SummaryError, match="no writer for trace 'x'"):
        ag.summary.trace_export("x")


@pytest.mark.parametrize(
    ("name", "step", "error"), [("x", 1.5, TypeError), (3, 0, TypeError), ("", 0, ValueError)]
)
def test_export_checks_name_and_step(folder, name, step, error):
    ag.summary.trace_on()
    ag.compile(newton)(2.0, 1e-9)
    with pytest.raises(error):
        ag.summary.trace_export(name, step)


def test_a_name_is_taken_once_for_each_step(folder):
    compiled = ag.compile(newton)
    for step in (0, 1):
        ag.summary.trace_on()
        compiled(2.0, 1e-9)
        ag.summary.trace_export("newton", step)
    ag.summary.trace_on()
    compiled(2.0, 1e-9)
    with pytest.raises(ag.SummaryError, match=r"'newton' of step 1 is in .* already"):
        ag.summary.trace_export("newton", 1)


def test_tracing_twice_warns_and_begins_anew(folder):
    ag.summary.trace_on()
    with pytest.warns(ag.AutographWarning, match="trace_on while a trace is on"):
        ag.summary.trace_on()
    ag.summary.trace_off()


def test_tracing_nothing_is_refused():
    with pytest.raises(ValueError, match="not neither"):
        ag.summary.trace_on(graph=False, profiler=False)


def test_traces_of_runs_that_raise_are_whole(folder):
    def failing(x):
        y = x * 2.0
        raise KeyError(y)

    ag.summary.trace_on()
    with pytest.raises(KeyError):
        ag.compile(failing)(1.0)
    ag.summary.trace_export("failing")
    graph, records = nodes(folder)
    assert list(graph) == list(records)
    assert "failing/mul" in graph


def test_sessions_are_traced(folder):
    with ag.Graph().as_default():
        a = ag.placeholder(np.float64, (None,), name="a")
        b = np.exp(a)
    ag.summary.trace_on()
    with ag.Session() as session:
        session.run(b, feed_dict={a: np.zeros(3)})
    ag.summary.trace_export("run")
    graph, _ = nodes(folder)
    assert "session/np.exp" in graph
