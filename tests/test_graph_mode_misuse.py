"""What is no graph, no feed and no fetch: an error of its own for each."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import SessionError


@pytest.fixture
def graph() -> Iterator[ag.Graph]:
    """Give a graph that is being built."""
    built = ag.Graph()
    with built.as_default():
        yield built


NEEDS_A_VALUE: dict[str, tuple[Callable[[Any], object], str]] = {
    "if": (bool, "asks tensor 'add' for the truth of a value, but a tensor has a value only in"),
    "float": (float, "asks tensor 'add' for a number"),
    "int": (int, "asks tensor 'add' for an integer"),
    "complex": (complex, "asks tensor 'add' for a number"),
    "len": (len, r"asks tensor 'add' for a length, but .*; x\.shape\[0\] gives the length of x"),
    "range": (range, "asks tensor 'add' for an integer"),
    "iteration": (list, "asks tensor 'add' for its items, but a tensor has a value only in"),
    "array": (np.array, "asks tensor 'add' for an array"),
    "in": (lambda t: 1.0 in t, "asks tensor 'add' for its items"),
    "text": (lambda t: f"{t:.2f}", "asks tensor 'add' for a text, but a tensor has a value only"),
    "copy": (copy.copy, "asks tensor 'add' for a copy"),
    "dict": (lambda t: t + {}, "an object of class dict"),
    "object": (lambda t: np.add(t, object()), "an object of class object"),
}


@pytest.mark.parametrize("use", NEEDS_A_VALUE)
def test_what_needs_a_value_is_refused_at_its_place(graph: ag.Graph, use: str) -> None:
    function, message = NEEDS_A_VALUE[use]
    tensor = ag.placeholder(np.float64, ("n",), name="a") + 1.0
    names = graph.tensor_names()
    with pytest.raises(SessionError, match=message):
        function(tensor)
    assert graph.tensor_names() == names
    with ag.Session() as session:
        result = session.run(tensor * 2.0, {graph.get_tensor_by_name("a"): [1.0]})
    assert result.tolist() == [4.0]


def test_what_numpy_does_not_hand_on_goes_into_a_compiled_function(graph: ag.Graph) -> None:
    n = ag.placeholder(np.int64, (), name="n")
    with pytest.raises(SessionError, match="call what needs it in a function that is compiled"):
        np.zeros(n)
    zeros = ag.compile(lambda n: np.zeros(n) + np.arange(n), fallback="error")(n)
    with ag.Session() as session:
        assert session.run(zeros, {n: 3}).tolist() == [0.0, 1.0, 2.0]


def test_attributes_that_arrays_do_not_have(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (2,), name="a")
    with pytest.raises(AttributeError, match="placeholder 'a' is an array, which has no attribut"):
        a.shpae  # noqa: B018  # on purpose
    assert not hasattr(a.sum(), "numpy")
    assert hasattr(a, "T")


def test_rows_of_known_number_can_be_iterated(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (2, 3))
    assert len(a) == 2
    first, second = a
    with ag.Session() as session:
        assert session.run([first, second], {a: np.arange(6.0).reshape(2, 3)})[1].tolist() == [
            3.0, 4.0, 5.0,
        ]  # fmt: skip


def test_an_error_in_a_branch_leaves_the_graph_usable(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, ())
    with pytest.raises(SessionError, match="for the truth of a value"):
        ag.cond(a > 1, lambda: a if a > 2 else 0.0, lambda: a)
    with pytest.raises(SessionError, match="for a number"):
        ag.while_loop(lambda x: x < 3, lambda x: (float(x),), (a,))
    with pytest.raises(ZeroDivisionError):
        ag.cond(a > 1, lambda: 1 / 0, lambda: a)
    chosen = ag.cond(a > 1, lambda: a * 2.0, lambda: a)
    with ag.Session() as session:
        assert session.run([chosen, a + 1.0], {a: 2.0}) == [4.0, 3.0]


def test_unfed_placeholders_are_named_with_their_place(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (), name="rate")
    b = ag.placeholder(np.float64, (), name="size")
    with pytest.raises(SessionError) as caught:
        ag.Session().run(a * b)
    line = line_of(test_unfed_placeholders_are_named_with_their_place, 1)
    assert str(caught.value) == (
        "placeholder 'rate', placeholder 'size' is not fed, but needed for tensor 'mul'; made at "
        f"{__file__}:{line}, {__file__}:{line + 1}"
    )


def line_of(function: Callable[..., object], offset: int) -> int:
    """Return the number of a line of `function`, counted from its ``def``."""
    return function.__code__.co_firstlineno + offset


def test_tensors_of_two_graphs_do_not_mix(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (), name="a")
    with ag.Graph().as_default():
        b = ag.placeholder(np.float64, (), name="b")
        for mix in (lambda: a + b, lambda: b + a, lambda: np.add(a, b), lambda: np.stack([a, b])):
            with pytest.raises(SessionError, match="is of another graph than what it is used with"):
                mix()


def test_a_session_runs_inside_another_graph(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, ())
    b = a * 2.0
    with ag.Graph().as_default() as other:
        assert ag.Session(graph).run(b, {a: 3.0}) == 6.0
        with pytest.raises(SessionError, match="tensor 'mul', is of another graph"):
            ag.Session().run(b, {a: 3.0})
        assert other.tensor_names() == ()


def test_what_always_raises_or_never_ends_is_refused(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (), name="a")
    with pytest.raises(SessionError, match="the graph has ended here: it raises an exception or"):
        ag.cond(a > 0, lambda: ag.raise_(ValueError("a")), lambda: ag.raise_(ValueError("b")))
    with pytest.raises(SessionError, match="the graph has ended here"):
        ag.while_loop(lambda i: True, lambda i: (i + a,), (a,))
    checked = ag.cond(a > 0, lambda: ag.raise_(ValueError("positive")), lambda: a * 2.0)
    with ag.Session() as session:
        assert session.run(checked, {a: -1.0}) == -2.0
        with pytest.raises(ValueError, match="positive"):
            session.run(checked, {a: 1.0})


@pytest.mark.parametrize("graph_of_session", [3, "graph", ag.Graph])
def test_a_session_runs_a_graph(graph_of_session: Any) -> None:
    with pytest.raises(SessionError, match="a session runs a Graph, not an object of class"):
        ag.Session(graph_of_session)


def test_feeds_are_a_dict(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, ())
    with pytest.raises(SessionError, match="feed_dict is a dict from tensors to values, not an"):
        ag.Session().run(a, [(a, 1.0)])


def test_fetches_without_a_graph_are_refused() -> None:
    with pytest.raises(SessionError, match="a fetch is an object of class NoneType, not a tensor"):
        ag.Session().run({"x": [None]})
    assert ag.Session().run([]) == []


def test_a_name_is_no_fetch_and_no_key(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (), name="a")
    message = "the text 'a', which get_tensor_by_name takes, not a tensor"
    with pytest.raises(SessionError, match=f"a fetch is {message}"):
        ag.Session().run("a")
    with pytest.raises(SessionError, match=f"a fetch is {message}"):
        ag.Session().run([a, "a"], {a: 1.0})
    with pytest.raises(SessionError, match=f"a key of feed_dict is {message}"):
        ag.Session().run(a, {"a": 1.0})


@pytest.mark.parametrize(
    ("dtype", "shape", "message"),
    [
        ("nonsense", None, "a placeholder has no dtype 'nonsense'"),
        (str, None, "a placeholder has a numeric dtype, not <U0"),
        (np.float64, (-1,), "a shape holds lengths, names and None, not -1"),
        (np.float64, (2.5,), "a shape holds lengths, names and None, not 2.5"),
        (np.float64, (True,), "not True"),
        (np.float64, 3, "a shape is a tuple of lengths, names and None, not 3"),
        (np.float64, "abc", "a shape is a tuple of lengths, names and None, not 'abc'"),
    ],
)
def test_what_is_no_placeholder(graph: ag.Graph, dtype: Any, shape: Any, message: str) -> None:
    with pytest.raises(SessionError, match=message):
        ag.placeholder(dtype, shape)


def test_placeholders_need_a_graph() -> None:
    with pytest.raises(SessionError, match=r"write `with Graph\(\).as_default\(\):` around it, or"):
        ag.placeholder(np.float64)


def test_closed_sessions_run_nothing(graph: ag.Graph) -> None:
    a = ag.Variable(1.0)
    with ag.Session() as session:
        session.run(a.assign(2.0))
    with pytest.raises(SessionError, match="the session is closed; open another one"):
        session.run(a)
