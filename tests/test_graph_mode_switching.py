"""Eager or graph by default: for all threads, for a block, back and forth."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import SessionError


@pytest.fixture
def default_graph() -> Iterator[ag.Graph]:
    """Make building a new default graph the default."""
    ag.reset_default_graph()
    ag.disable_eager_execution()
    yield ag.get_default_graph()
    ag.enable_eager_execution()
    ag.reset_default_graph()


def in_thread(work: Any) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert failures == []


def test_eager_is_the_default() -> None:
    assert ag.executing_eagerly()
    assert type(ag.constant([1.0])) is np.ndarray


def test_a_graph_without_a_with_block(default_graph: ag.Graph) -> None:
    assert not ag.executing_eagerly()
    a = ag.placeholder(np.float32, (None, 2), name="a")
    b = a @ ag.constant([[1.0], [2.0]], np.float32)
    w = ag.Variable(3.0, name="w")
    with ag.Session() as session:
        assert session.run(b, {a: [[1, 2]]}).tolist() == [[5.0]]
        assert session.run(w) == 3.0
    assert a.graph is default_graph
    assert tuple(default_graph.variables) == (w,)
    with pytest.raises(SessionError, match="for the truth of a value"):
        bool(b)


def test_back_and_forth_any_number_of_times(default_graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (), name="a")
    for number in range(3):
        ag.enable_eager_execution()
        assert ag.executing_eagerly()
        assert ag.constant(2.0) + 1.0 == 3.0
        with pytest.raises(SessionError, match="a placeholder belongs to a graph"):
            ag.placeholder(np.float64)
        ag.disable_eager_execution()
        ag.disable_eager_execution()
        a = ag.identity(a + 1.0, name=f"step{number}")
    assert ag.get_default_graph() is default_graph
    with ag.Session() as session:
        assert session.run(a, {default_graph.get_tensor_by_name("a"): 0.0}) == 3.0


def test_the_default_holds_for_other_threads(default_graph: ag.Graph) -> None:
    def work() -> None:
        assert not ag.executing_eagerly()
        assert ag.placeholder(np.float64, (), name="there").graph is default_graph
        with ag.eager():
            assert ag.executing_eagerly()

    in_thread(work)
    assert "there" in default_graph.tensor_names()


def test_blocks_change_only_their_thread() -> None:
    inside, done = threading.Event(), threading.Event()

    def work() -> None:
        assert inside.wait(10)
        try:
            assert ag.executing_eagerly()
            assert type(ag.constant(1.0)) is np.ndarray
        finally:
            done.set()

    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    with ag.Graph().as_default():
        inside.set()
        assert done.wait(10)
        assert not ag.executing_eagerly()
    thread.join()
    assert failures == []


def test_blocks_nest(default_graph: ag.Graph) -> None:
    with ag.Graph().as_default() as graph:
        assert ag.get_default_graph() is graph
        with ag.eager():
            assert ag.executing_eagerly()
            assert float(ag.Variable(2.0) + 1.0) == 3.0
            with graph.as_default():
                assert not ag.executing_eagerly()
        assert ag.get_default_graph() is graph
        with pytest.raises(SessionError, match="while another graph is being built"):
            ag.reset_default_graph()
    assert ag.get_default_graph() is default_graph


def test_a_new_default_graph_is_empty(default_graph: ag.Graph) -> None:
    ag.placeholder(np.float64, (), name="a")
    ag.reset_default_graph()
    new = ag.get_default_graph()
    assert new is not default_graph
    assert new.tensor_names() == ()
    assert ag.placeholder(np.float64, (), name="a").graph is new


def test_compiled_functions_in_both_modes(default_graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def countdown(n):
        steps = 0
        while n > 0:
            n -= 2
            steps += 1
        return steps

    n = ag.placeholder(np.int64, ())
    steps = countdown(n)
    assert countdown(5) == 3
    ag.enable_eager_execution()
    assert countdown(7) == 4
    assert countdown(np.int64(9)) == 5
    ag.disable_eager_execution()
    with ag.Session() as session:
        assert session.run(steps, {n: 5}) == 3


def test_run_eagerly_and_graphs(default_graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def double(x):
        return x + x

    ag.run_eagerly(True)
    try:
        tensor = double(ag.constant(2.0))
        assert tensor.name == "add"
    finally:
        ag.run_eagerly(False)
    assert double(ag.constant(2.0)).name == "double"


def test_an_error_inside_a_block_leaves_it() -> None:
    with pytest.raises(KeyError), ag.Graph().as_default():
        raise KeyError
    assert ag.executing_eagerly()


def test_variables_made_in_eager_mode_stay_eager(default_graph: ag.Graph) -> None:
    ag.enable_eager_execution()
    v = ag.Variable(1.0, name="v")
    ag.disable_eager_execution()
    with pytest.raises(ag.VariableError, match="variable 'v' was made outside of the graph"):
        v + ag.constant(1.0)
    ag.enable_eager_execution()
    assert float(v + 1.0) == 2.0
