"""Profiles say how often operations ran, how long they took, and what arrays they made."""

from __future__ import annotations

import gc
import json
import linecache
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph.function import compile as compile_function
from runtime.profiling.probes import POWERS, Layout, Probes
from runtime.profiling.profile import Profile
from runtime.profiling.recorder import RECORDER
from runtime.profiling.timeline import chrome_events

HERE = Path(__file__).name


def calls_of(profile: Profile) -> dict[str, int]:
    """Return how often each line ran, by its text."""
    return {row.source: row.calls for row in profile.rows}


def straight(x):
    y = x * 2.0
    return y + 1.0


def counted(n):
    total = 0
    for i in range(n):
        if i % 10 == 0:
            total += 1
        elif i % 10 == 1:
            continue
        total -= i
        if i == 995:
            break
        total *= 1
    return total


def halving(x):
    steps = 0
    while x > 1.0:
        x = x / 2.0
        steps += 1
    else:
        steps += 100
    return steps


def nested(n, m):
    total = 0
    for i in range(n):
        total += i
        for j in range(m):
            total -= j
        total *= 1
    return total


def with_arrays(x, n):
    kept = x
    for _ in range(n):
        kept = np.concatenate([x, x])
        view = kept[1:]
        kept = view + 1.0
    return kept


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def caught(n):
    found = 0
    for i in range(n):
        try:
            found += 10 // (i % 2)
        except ZeroDivisionError:
            found -= 1
    return found


def raising(x):
    y = x + 1.0
    return y[10]


def chosen(n):
    total = 0
    for i in range(n):
        total += i * 2 if i % 4 == 0 else i
    return total


def leaving(n):
    total = 0
    for i in range(n):
        if i % 10 == 1:
            total += 5
            continue
        if i % 10 == 2 and i % 4 == 0:
            total += 7
        total -= i
    return total


@ag.do_not_convert
def same(x):
    return x


@ag.do_not_convert
def larger(x):
    return x + 1.0


def through_opaque(x):
    y = same(x)
    z = larger(x)
    return y, z


inner_compiled = ag.compile(straight)


def outer(x, n):
    y = x
    for _ in range(n):
        y = inner_compiled(y)
    return y


def sorting(x, n):
    for _ in range(n):
        x = np.sort(x[::-1])
    return x


sorting_compiled = ag.compile(sorting)


@ag.do_not_convert
def sorted_elsewhere(x):
    return sorting_compiled(x, 300)


def calling(x):
    y = sorted_elsewhere(x)
    return y + 1.0


@pytest.fixture
def recording() -> Iterator[None]:
    """Record what runs with probes, and stop afterwards."""
    RECORDER.start(probes=True)
    yield
    RECORDER.stop()


def recorded() -> Profile:
    """Return the profile of what ran since."""
    return Profile.of(list(RECORDER.recordings.values()))


def test_result_is_that_of_the_call():
    x = np.arange(3.0)
    profile = ag.compile(straight).profile(x)
    np.testing.assert_array_equal(profile.result, straight(x))
    assert profile.calls == 1
    assert profile.seconds > 0.0


def test_a_prompt_shows_the_table():
    profile = ag.compile(straight).profile(np.arange(3.0))
    assert repr(profile) == str(profile)


def test_calls_of_lines_are_exact_past_branches_and_jumps():
    """The loop is long enough for most of its trips to run without probes."""
    profile = ag.compile(counted).profile(5000)
    assert profile.result == counted(5000)
    calls = calls_of(profile)
    assert calls["for i in range(n):"] == 996
    assert calls["if i % 10 == 0:"] == 996
    assert calls["total += 1"] == 100
    assert calls["elif i % 10 == 1:"] == 896
    assert calls["total -= i"] == 896
    assert calls["if i == 995:"] == 896
    assert calls["total *= 1"] == 895
    assert all(row.is_exact for row in profile.rows)


def test_calls_of_a_while_loop_with_else():
    calls = calls_of(ag.compile(halving).profile(2.0**900))
    assert calls["while x > 1.0:"] == 901
    assert calls["x = x / 2.0"] == 900
    assert calls["steps += 100"] == 1


@pytest.mark.parametrize(("n", "m"), [(0, 3), (1, 0), (300, 2), (2, 3000)])
def test_calls_of_nested_loops(n, m):
    profile = ag.compile(nested).profile(n, m)
    calls = calls_of(profile)
    assert profile.result == nested(n, m)
    assert calls.get("total += i", 0) == n
    assert calls.get("total -= j", 0) == n * m
    assert calls.get("total *= 1", 0) == n


def test_calls_add_up_over_calls_of_the_function(recording):
    compiled = ag.compile(nested)
    for _ in range(50):
        compiled(3, 40)
    profile = recorded()
    assert profile.calls == 50
    assert calls_of(profile)["total -= j"] == 50 * 3 * 40


def test_calls_of_recursive_functions_are_estimated():
    row = {row.source: row for row in ag.compile(fibonacci).profile(17).rows}
    assert row["if n < 2:"].calls == 5167
    estimated = row["return fibonacci(n - 1) + fibonacci(n - 2)"]
    assert not estimated.is_exact
    assert 1000 < estimated.calls < 4000
    assert "~" in str(ag.compile(fibonacci).profile(17))


def test_parts_of_conditional_expressions_are_estimated():
    profile = ag.compile(chosen).profile(20_000)
    (doubled,) = (one for one in profile.operations if one.name == "mul")
    assert not doubled.is_exact
    assert 2_500 < doubled.calls < 10_000


def test_calls_past_a_branch_that_computes_and_leaves():
    calls = calls_of(ag.compile(leaving).profile(4000))
    assert calls["total += 5"] == 400
    assert calls["if i % 10 == 2 and i % 4 == 0:"] == 3600
    assert calls["total += 7"] == 200
    assert calls["total -= i"] == 3600


def test_second_parts_of_and_are_estimated():
    operations = ag.compile(leaving).profile(20_000).operations
    assert any(not one.is_exact and one.name == "mod" and one.calls < 9_000 for one in operations)


def test_calls_with_caught_errors():
    profile = ag.compile(caught).profile(1000)
    assert profile.result == caught(1000)
    assert calls_of(profile)["found -= 1"] == 500


def test_memory_counts_arrays_that_are_made_and_no_views():
    profile = ag.compile(with_arrays).profile(np.zeros(1000), 10)
    made = {row.source: row.bytes for row in profile.rows}
    assert made["kept = np.concatenate([x, x])"] == 10 * 16_000
    assert made["view = kept[1:]"] == 0
    assert made["kept = view + 1.0"] == 10 * 15_992


def test_memory_of_what_is_handed_through_is_not_counted():
    def through(x, y):
        return np.asarray(x), np.ravel(y)

    profile = compile_function(through).profile(np.zeros(10), np.zeros((2, 5)))
    assert sum(row.bytes for row in profile.rows) == 0


def test_memory_of_unknown_code_is_counted_if_nobody_else_holds_it():
    profile = ag.compile(through_opaque).profile(np.zeros(100))
    made = {row.source: row.bytes for row in profile.rows}
    assert made["y = same(x)"] == 0
    assert made["z = larger(x)"] == 800


def test_what_another_profiled_function_takes_is_not_counted_twice(recording):
    x = np.random.default_rng(0).random(20_000)
    sorting_compiled(x, 1)  # compiles
    before = recorded().seconds
    start = time.perf_counter()
    ag.compile(calling)(x)
    whole = time.perf_counter() - start
    profile = recorded()
    rows = {row.source: row for row in profile.rows}
    assert rows["y = sorted_elsewhere(x)"].seconds < rows["x = np.sort(x[::-1])"].seconds / 2
    assert profile.seconds - before <= whole


def test_calls_inside_the_program_are_no_operations():
    names = {one.name for one in ag.compile(fibonacci).profile(5).operations}
    assert "apply" not in names and "add" in names


def test_what_a_call_inside_the_program_takes_is_not_that_of_its_caller(recording):
    """What is timed of the additions is far less than the whole; their operands are the rest."""
    ag.compile(fibonacci)(20)
    (found,) = (one for one in RECORDER.recordings.values())
    assert found.instrumented is not None
    (probes,) = found.measured
    timed = sum(
        sum(probes.nanoseconds[number * POWERS : (number + 1) * POWERS])
        for number, probed in enumerate(found.instrumented.operations)
        if probed.node.op.name == "add"
    )
    assert timed < found.nanoseconds / 2


def measured(*nanoseconds: int) -> Probes:
    """Return the probes of one operation that took so long each time."""
    made = Probes(Layout(1, (0,), (), 0))
    for took in nanoseconds:
        made.lengths[took.bit_length()] += 1
        made.nanoseconds[took.bit_length()] += took
    return made


def test_all_that_was_timed_counts_if_every_execution_was():
    assert measured(100, 100, 5_000_000).estimate(0, 3, 10.0) == 5_000_200 - 30


def test_an_interruption_counts_once_and_is_not_multiplied():
    probes = measured(*[100] * 998, 5_000_000, 4_000_000)
    assert probes.estimate(0, 100_000, 10.0) == 9_000_000 + 99_998 * 90.0


def test_what_takes_long_now_and_then_is_multiplied():
    probes = measured(*[100] * 90, *[100_000] * 10)
    assert probes.estimate(0, 1000, 0.0) == pytest.approx(1000 * 10_090, rel=0.05)


def test_rows_are_sorted_and_shares_are_of_the_whole():
    rows = ag.compile(counted).profile(5000).rows
    assert [row.seconds for row in rows] == sorted((row.seconds for row in rows), reverse=True)
    assert sum(row.share for row in rows) == pytest.approx(1.0)
    assert {Path(row.file).name for row in rows} == {HERE}


def test_estimates_are_no_more_than_the_whole():
    profile = ag.compile(counted).profile(900)
    assert sum(row.seconds for row in profile.rows) <= profile.seconds * 1.000001


def test_long_operations_get_their_time():
    """What takes nearly all of the time is shown to do so."""

    def sorting(x, n):
        total = 0.0
        for i in range(n):
            total += i
            x = np.sort(x[::-1])
        return x, total

    profile = compile_function(sorting).profile(np.random.default_rng(0).random(50_000), 20)
    assert "np.sort" in profile.rows[0].source
    assert profile.rows[0].share > 0.8


def test_table_shows_time_calls_memory_and_line():
    lines = str(ag.compile(with_arrays).profile(np.zeros(1000), 10)).splitlines()
    assert lines[0].startswith("with_arrays: 1 call, ")
    assert lines[2].split() == ["share", "time", "calls", "memory", "line"]
    (row,) = (line for line in lines if "np.concatenate" in line)
    assert " 10 " in row and "160 kB" in row and f"{HERE}:" in row
    assert lines[-1].split()[0] == "100.0%"
    assert lines[-1].endswith("all lines")


def test_errors_of_the_user_come_through_and_the_profile_goes_on(recording):
    compiled = ag.compile(raising)
    for _ in range(2):
        with pytest.raises(IndexError) as caught_error:
            compiled(np.zeros(3))
    frames = caught_error.traceback
    assert frames[-1].lineno == raising.__code__.co_firstlineno + 1
    profile = recorded()
    assert profile.calls == 2
    assert calls_of(profile)["y = x + 1.0"] == 2


def test_profile_of_a_call_that_raises_raises():
    with pytest.raises(IndexError):
        ag.compile(raising).profile(np.zeros(3))


def test_call_path_is_as_before_once_recording_stops():
    compiled = ag.compile(straight)
    compiled(2.0)
    before = compiled.__code__.co_code, compiled.__code__.co_names
    RECORDER.start(probes=True)
    recorded_names = compiled.__code__.co_names
    compiled(2.0)
    RECORDER.stop()
    assert recorded_names != before[1]
    assert (compiled.__code__.co_code, compiled.__code__.co_names) == before
    compiled(2.0)
    assert recorded().calls == 1


def test_traces_made_while_recording_are_recorded_and_freed_of_it(recording):
    compiled = ag.compile(straight)
    compiled(2.0)
    compiled(np.zeros(3))
    assert recorded().calls == 2
    RECORDER.stop()
    compiled(3.0)
    assert recorded().calls == 2


def test_recording_anew_forgets(recording):
    compiled = ag.compile(straight)
    compiled(2.0)
    RECORDER.start(probes=True)
    compiled(2.0)
    assert recorded().calls == 1


def test_threads_are_added_up(recording):
    compiled = ag.compile(nested)
    compiled(1, 1)
    wrong = []

    def work() -> None:
        wrong.extend(n for n in range(20) if compiled(n, 30) != nested(n, 30))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    profile = recorded()
    assert profile.calls == 161
    assert calls_of(profile)["total -= j"] == 8 * 30 * sum(range(20)) + 1


def test_time_of_a_compiled_function_called_by_another_counts_once(recording):
    ag.compile(outer)(np.zeros(200_000), 20)
    profile = recorded()
    assert calls_of(profile)["y = x * 2.0"] == 20
    whole = sum(row.seconds for row in profile.rows)
    assert whole <= profile.seconds * 1.000001


def test_plain_functions_are_noted():
    def plain(n):
        return sorted(locals())

    compiled = ag.compile(plain)
    with pytest.warns(ag.AutographWarning, match="runs as plain Python"):
        profile = compiled.profile(2)
    assert profile.rows == ()
    assert "note: test_plain_functions_are_noted.<locals>.plain ran as plain Python" in str(profile)


def test_eager_mode_is_noted():
    with ag.eager():
        profile = ag.compile(straight, fallback="warn").profile(1.0)
    assert profile.result == 3.0
    assert "eager mode" in profile.notes[0]


def test_types_in_place_of_values_are_refused():
    with pytest.raises(TypeError, match=r"takes values, not TypeSpec\('f64\[n\]'\)"):
        ag.compile(straight).profile(ag.TypeSpec("f64[n]"))


def test_sessions_are_recorded(recording):
    with ag.Graph().as_default():
        a = ag.placeholder(np.float64, (None,), name="a")
        b = np.exp(a)
    with ag.Session() as session:
        session.run(b, feed_dict={a: np.zeros(1000)})
    profile = recorded()
    (one,) = (operation for operation in profile.operations if operation.name == "np.exp")
    assert (one.calls, one.bytes) == (1, 8000)


def test_objects_of_the_program_are_freed(recording):
    """Neither arguments nor results are kept."""
    array = np.zeros(10)
    watch = weakref.ref(array)
    compiled = ag.compile(straight)
    compiled(array)
    del array
    gc.collect()
    assert watch() is None


def test_chrome_trace_is_json_whose_slices_nest(tmp_path: Path):
    profile = ag.compile(nested).profile(3, 4)
    path = tmp_path / "trace.json"
    profile.to_chrome_trace(path)
    events = json.loads(path.read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    kinds = {event["cat"] for event in slices}
    assert kinds == {"call", "loop", "line", "operation"}
    assert sum(event["name"] == "isub" for event in slices) == 12
    open_: list[float] = []
    for event in sorted(slices, key=lambda event: (event["ts"], -event["dur"])):
        while open_ and open_[-1] <= event["ts"]:
            open_.pop()
        end = event["ts"] + event["dur"]
        assert not open_ or end <= open_[-1] + 1e-6, event
        open_.append(end)


def test_chrome_trace_starts_at_zero_however_long_the_clock_has_run(recording):
    compiled = ag.compile(nested)
    compiled(3, 4)
    for one in RECORDER.recordings.values():
        for probes in one.measured:
            late = 2**62  # where floats are far from whole microseconds
            probes.calls[:] = [(start + late, end + late) for start, end in probes.calls]
            probes.events[:] = [(n, start + late, end + late) for n, start, end in probes.events]
    events = chrome_events(list(RECORDER.recordings.values()))
    starts = sorted(event["ts"] for event in events if event["ph"] == "X")
    assert starts[0] == 0.0
    assert len(set(starts)) > 10


def test_chrome_trace_replaces_nothing_if_it_cannot_be_written(tmp_path: Path):
    profile = ag.compile(straight).profile(1.0)
    with pytest.raises(OSError):
        profile.to_chrome_trace(tmp_path / "missing" / "trace.json")
    with pytest.raises(OSError):
        profile.to_chrome_trace(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_programs_nested_too_deep_for_probes_run_without():
    """Python allows twenty blocks in one another; the probes need one."""
    lines = ["def deep(n):", "    total = 0"]
    lines += ["    " * (depth + 1) + f"for i{depth} in range(n):" for depth in range(20)]
    lines += ["    " * 21 + "total += 1", "    return total"]
    name = "<deep>"
    text = "\n".join(lines) + "\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, object] = {}
    exec(compile(text, name, "exec"), namespace)
    profile = ag.compile(namespace["deep"], fallback="error").profile(1)
    assert profile.result == 1
    assert "note: deep ran without probes: too many statically nested blocks" in str(profile)
