"""Random graphs in sessions, against the rules: what is needed runs, in the order of building."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag

VARIABLES = 2
KINDS = ("add", "multiply", "maximum", "negative", "read", "assign", "assign_add", "call", "cond")


@dataclass(frozen=True)
class Step:
    """One tensor: how it is made, of which earlier ones, and of which variable."""

    kind: str
    inputs: tuple[int, int]
    variable: int


@ag.compile(fallback="error")
def twice_or_half(a, b):
    if a.sum() > b.sum():
        return a * 2.0
    return b * 0.5


@st.composite
def programs(draw: st.DrawFn) -> list[Step]:
    """Give a program; tensors 0 and 1 are placeholders."""
    steps = []
    for number in range(draw(st.integers(1, 10))):
        earlier = st.integers(0, number + 1)
        inputs = (draw(earlier), draw(earlier))
        variable = draw(st.integers(0, VARIABLES - 1))
        steps.append(Step(draw(st.sampled_from(KINDS)), inputs, variable))
    return steps


def make(step: Step, values: Any, variables: Any) -> Any:
    """Do one step, on tensors and graph variables or on arrays and eager variables."""
    a, b = (values.get(number) for number in step.inputs)
    v = variables[step.variable]
    if step.kind == "read":
        return v + 0.0
    if step.kind in ("assign", "assign_add"):
        made = getattr(v, step.kind)(a)
        return v.numpy() if made is v else made
    if step.kind == "call":
        return twice_or_half(a, b)
    if step.kind == "cond":
        return ag.cond(a[0] > 0, lambda: a - b, lambda: v * a)
    return np.negative(a) if step.kind == "negative" else getattr(np, step.kind)(a, b)


def needed(steps: list[Step], fetches: list[int], fed: set[int]) -> list[int]:
    """Return the steps that the fetches need, in order."""
    found: set[int] = set()
    pending = [number for number in fetches]
    while pending:
        number = pending.pop()
        if number < 2 or number in fed or number in found:
            continue
        found.add(number)
        step = steps[number - 2]
        count = {"read": 0, "assign": 1, "assign_add": 1, "negative": 1}.get(step.kind, 2)
        pending += step.inputs[:count]
    return sorted(found)


def check(steps: list[Step], choices: list[tuple[list[int], list[int]]]) -> None:
    """Compare runs of a session with the reference, one after the other."""
    starts = [np.array([1.0, -2.0]), np.array([0.5, 3.0])]
    with ag.Graph().as_default() as graph:
        tensors: dict[int, Any] = {n: ag.placeholder(np.float64, (2,)) for n in range(2)}
        variables = [ag.Variable(start) for start in starts]
        for step in steps:
            tensors[len(tensors)] = make(step, tensors, variables)
    eager = [ag.Variable(start) for start in starts]
    data = [np.array([1.0, 2.0]), np.array([-1.0, 0.25])]
    count = len(tensors)
    with ag.Session(graph) as session:
        for picked, hidden in choices:
            fetches = [number % count for number in picked]
            fed = {number % count for number in hidden}
            feeds: dict[Any, Any] = {tensors[number]: data[number] for number in range(2)}
            values: dict[int, Any] = dict(enumerate(data))
            for number in fed:
                values[number] = np.array([7.0, float(number)])
                feeds[tensors[number]] = values[number]
            for number in needed(steps, fetches, fed):
                values[number] = make(steps[number - 2], values, eager)
            found: Any = session.run([[tensors[n] for n in fetches], variables], feeds)
            wanted = [[values[n] for n in fetches], [v.numpy() for v in eager]]
            np.testing.assert_array_equal(np.array(found[0]), np.array(wanted[0]))
            np.testing.assert_array_equal(np.array(found[1]), np.array(wanted[1]))


RUNS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 11), min_size=1, max_size=3),
        st.lists(st.integers(0, 11), max_size=1),
    ),
    min_size=1,
    max_size=3,
)


@given(programs(), RUNS)
@settings(max_examples=40, deadline=None)
def test_sessions_follow_the_rules(steps: list[Step], runs: Any) -> None:
    check(steps, runs)


@pytest.mark.slow
@given(programs(), RUNS)
@settings(max_examples=800, deadline=None)
def test_many_sessions_follow_the_rules(steps: list[Step], runs: Any) -> None:
    check(steps, runs)
