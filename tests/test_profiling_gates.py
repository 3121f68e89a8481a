"""Of functions called very often some calls are recorded; all are counted."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest

import autograph as ag
from runtime.profiling.gates import WARM, Gate, counted, counting
from runtime.profiling.profile import Profile
from runtime.profiling.recorder import RECORDER, Recording

MANY = 20_000


def tiny(x):
    return x * 2.0 + 1.0


def few_trips(n):
    total = 0
    for i in range(n):
        total += i
    return total


def reciprocal(x):
    return 1 / x


def doubled(x):
    return np.multiply(x, 2.0)


tiny_compiled = ag.compile(tiny)


@ag.do_not_convert
def many_tiny(x):
    return [tiny_compiled(x) for _ in range(2000)]


def calling(x):
    return many_tiny(x)


@pytest.fixture
def recording() -> Iterator[None]:
    """Record what runs with probes, and stop afterwards."""
    RECORDER.start(probes=True)
    yield
    RECORDER.stop()


def recorded() -> tuple[Profile, list[Recording]]:
    """Return the profile of what ran since, and the recordings it is made from."""
    found = list(RECORDER.recordings.values())
    return Profile.of(found), found


def test_calls_of_straight_lines_are_exact_though_few_are_recorded(recording):
    compiled = ag.compile(tiny)
    assert {compiled(3.0) for _ in range(MANY)} == {7.0}
    profile, (one,) = recorded()
    assert one.recorded < MANY / 2
    assert profile.calls == MANY
    assert [(op.calls, op.is_exact) for op in profile.operations] == [(MANY, True)] * 2


def test_the_first_calls_are_all_recorded(recording):
    compiled = ag.compile(few_trips)
    for _ in range(WARM):
        compiled(3)
    profile, (one,) = recorded()
    assert one.recorded == WARM
    assert all(row.is_exact and row.calls == 3 * WARM for row in profile.rows)


def test_trips_of_calls_that_are_not_recorded_are_estimated(recording):
    compiled = ag.compile(few_trips)
    for _ in range(MANY):
        compiled(3)
    profile, _ = recorded()
    row = next(row for row in profile.rows if row.source == "total += i")
    assert not row.is_exact
    assert row.calls == pytest.approx(3 * MANY, rel=0.01)


def test_memory_of_calls_that_are_not_recorded_is_estimated(recording):
    compiled = ag.compile(doubled)
    for _ in range(MANY):
        compiled(np.ones(2))
    profile, (one,) = recorded()
    assert one.skipped > 0
    assert sum(row.bytes for row in profile.rows) == pytest.approx(16 * MANY, rel=0.01)


def test_time_is_of_all_calls_and_no_more_than_the_whole(recording):
    compiled = ag.compile(tiny)
    for _ in range(MANY):
        compiled(3.0)
    profile, (one,) = recorded()
    assert one.nanoseconds / 1e9 < profile.seconds
    assert sum(row.seconds for row in profile.rows) <= profile.seconds * 1.000001


def test_every_call_is_counted_in_threads_that_change_all_the_time(recording):
    compiled = ag.compile(tiny)
    wrong: list[float] = []

    def work(number: int) -> None:
        found = [compiled(number + 0.5) for _ in range(5000)]
        wrong.extend(y for y in found if y != 2 * number + 2)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    assert recorded()[0].calls == 40_000


def test_errors_come_through_whether_the_call_is_recorded_or_not(recording):
    compiled = ag.compile(reciprocal)
    for _ in range(2000):
        with pytest.raises(ZeroDivisionError) as caught:
            compiled(0)
        frames = [frame for frame in caught.traceback if str(frame.path) == __file__]
        assert frames[-1].lineno == reciprocal.__code__.co_firstlineno
    assert recorded()[0].calls == 2000


def test_all_calls_inside_of_another_recorded_program_are_recorded(recording):
    """Else their time would be counted twice: as theirs and as that of the line that calls."""
    ag.compile(calling)(1.0)
    _, recordings = recorded()
    assert [one.skipped for one in recordings] == [0, 0]


def test_a_new_recording_counts_anew():
    compiled = ag.compile(tiny)
    for _ in range(2):
        RECORDER.start(probes=True)
        for _ in range(5000):
            compiled(3.0)
        profile, (one,) = recorded()
        assert profile.calls == 5000 and one.recorded >= WARM
    RECORDER.stop()
    for _ in range(5000):
        compiled(3.0)
    assert one.calls == 5000


def test_graphs_alone_are_recorded_with_all_calls_counted():
    compiled = ag.compile(tiny)
    RECORDER.start(probes=False)
    for _ in range(MANY):
        compiled(3.0)
    _, (one,) = recorded()
    RECORDER.stop()
    assert one.calls == MANY


def test_recording_again_gives_the_call_path_no_new_names():
    compiled = ag.compile(tiny)
    compiled(1.0)
    seen = []
    for _ in range(3):
        RECORDER.start(probes=True)
        seen.append(compiled.__code__.co_names)
        RECORDER.stop()
    assert seen[0] == seen[1] == seen[2]


def test_a_gate_of_long_calls_lets_none_pass():
    gate = Gate(lambda: None, lambda: sum(range(20_000)))
    gate.cost = 1000.0
    for _ in range(WARM + 50):
        if next(gate.passed) >= gate.due[0]:
            gate.recorded()
    assert gate.skipped == 0


def test_counting_is_exact_and_starts_at_one():
    calls = counting()
    assert counted(calls) == 0
    assert [next(calls), next(calls)] == [1, 2]
    assert counted(calls) == 2
