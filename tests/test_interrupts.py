"""Ctrl-C at any moment: it leaves no mode, scope or session behind, and later calls are right."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime import checkpoint_format, modules, scopes, thread_state
from runtime.graph_mode import program

# What is raised while a generator is closed is only reported.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

ONES = np.ones(2)
PACKAGES = tuple(os.path.dirname(str(module.__file__)) + os.sep for module in (ag, thread_state))
IN_STEPS = {  # where an interrupt is tried before every single instruction
    str(module.__file__) for module in (checkpoint_format, modules, scopes, thread_state, program)
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
    stride = 1 if work in (run, run_eagerly) else 7
    place = 1
    while interrupted(work, place):
        assert state() == before, place
        place += stride
    assert place > 50
    twice, held = SESSION.run([TWICE, V], {X: ONES})  # type: ignore[misc]
    assert np.array_equal(twice, held * 2.0)
    assert held[0] == held[1]
    assert np.array_equal(step(ag.Variable(ONES), ONES), [3.0, 3.0])


def test_a_graph_is_built_further_after_an_interrupt() -> None:
    place = 1
    while interrupted(grow, place):
        place += 5
    with GRAPH.as_default():
        larger = ag.cond(X[0] > 5, lambda: X, lambda: X + 5.0)
    assert np.array_equal(SESSION.run(larger, {X: ONES}), [6.0, 6.0])  # type: ignore[arg-type]
