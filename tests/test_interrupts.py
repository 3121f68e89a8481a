"""Ctrl-C at any moment: it leaves nothing half done behind, and later calls are right."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime import scopes, thread_state
from runtime.graph_mode import program

# What is raised while a generator is closed is only reported.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

ONES = np.ones(2)
PACKAGES = tuple(os.path.dirname(str(module.__file__)) + os.sep for module in (ag, thread_state))
IN_STEPS = {  # where an interrupt is tried before every single instruction
    str(module.__file__) for module in (scopes, thread_state, program)
}


class Interrupt:
    """Raises KeyboardInterrupt at one of the places where a program may be interrupted."""

    def __init__(self, place: int) -> None:
        self.left = place

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        """Count a place, and raise at the one that is meant."""
        file = frame.f_code.co_filename
        ours = file.startswith(PACKAGES)
        if frame.f_code.co_name == "__del__" or not (ours or file.endswith("contextlib.py")):
            return None
        frame.f_trace_opcodes = file in IN_STEPS
        if event in ("call", "line", "opcode") and ours:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self


def interrupted(work: Callable[[], object], place: int) -> bool:
    """Do `work` until it is interrupted at the given place; tell whether it was."""
    before = sys.gettrace()
    interrupt = Interrupt(place)
    try:
        sys.settrace(interrupt)
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return interrupt.left <= 0


def state() -> tuple[object, ...]:
    """Return all that a thread keeps of its modes."""
    held = thread_state.STATE
    return held.plain, held.graph, held.tracer, held.run, held.slow, held.scope


@ag.compile(fallback="error")
def step(v, x):
    v.assign_add(x)
    return v + x


GRAPH = ag.Graph()
with GRAPH.as_default():
    X = ag.placeholder(np.float64, (2,))
    V = ag.Variable(np.zeros(2))
    SUM = V.assign_add(X)
    TWICE = SUM * 2.0
SESSION = ag.Session(GRAPH)


def build() -> None:
    with ag.Graph().as_default(), ag.name_scope("outer"), ag.name_scope("inner"):
        ag.placeholder(np.float64, ())


def run_eagerly() -> None:
    with ag.eager():
        step(ag.Variable(ONES), ONES)


def run() -> None:
    SESSION.run([TWICE, V], {X: ONES})


def grow() -> None:
    with GRAPH.as_default():
        ag.cond(X[0] > 0, lambda: X * 2.0, lambda: ag.cond(X[1] > 0, lambda: -X, lambda: X))


@pytest.mark.parametrize("work", [build, run_eagerly, run, grow])
def test_no_place_of_an_interrupt_leaves_anything_behind(work: Callable[[], None]) -> None:
    before = state()
    step(ag.Variable(ONES), ONES)
    run()
    stride = 1 if work in (run, run_eagerly) else 11
    place = 1
    while interrupted(work, place):
        assert state() == before, place
        place += stride
    assert place > 50
    twice, held = SESSION.run([TWICE, V], {X: ONES})
    assert np.array_equal(twice, held * 2.0)
    assert held[0] == held[1]
    assert np.array_equal(step(ag.Variable(ONES), ONES), [3.0, 3.0])


def test_a_checkpoint_is_saved_and_loaded_as_a_whole(tmp_path: Path) -> None:
    path, graph = tmp_path / "file", ag.Graph()
    first, second, array = ag.Variable(0.0), ag.Variable(0.0), np.zeros(1)
    with graph.as_default():
        third, fourth = ag.Variable(0.0), ag.Variable(0.0)
    kept = ag.Session(graph)
    everything = {"a": first, "b": third, "c": array, "d": second, "e": fourth}

    def set_all(value: float) -> None:
        first.assign(value)
        second.assign(value)
        array[:] = value
        kept.load({third: value, fourth: value})

    def values() -> set[float]:
        return {*map(float, (first, second, array[0], *kept.run([third, fourth])))}

    def save() -> None:
        ag.save_checkpoint(path, everything, kept)

    def load() -> None:
        ag.load_checkpoint(path, everything, kept)

    save()
    place = 1
    for work in (save, load):
        set_all(1.0)
        while interrupted(work, place):
            saved = {float(item) for found in ag.read_checkpoint(path).values()
                     for item in found.flat}  # fmt: skip
            assert len(saved) == 1, place
            assert len(values()) == 1, place
            assert os.listdir(tmp_path) == ["file"], place
            set_all(float(place))
            place += 1
        place = 1


def test_a_graph_is_built_further_after_an_interrupt() -> None:
    place = 1
    while interrupted(grow, place):
        place += 9
    with GRAPH.as_default():
        larger = ag.cond(X[0] > 5, lambda: X, lambda: X + 5.0)
    assert np.array_equal(SESSION.run(larger, {X: ONES}), [6.0, 6.0])
