"""Compiled functions where a graph is built: their control flow goes into the graph."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographWarning, SessionError, VariableError


@pytest.fixture
def graph() -> Iterator[ag.Graph]:
    """Give a graph that is being built."""
    built = ag.Graph()
    with built.as_default():
        yield built


def run(fetches: Any, feeds: Any = None) -> Any:
    with ag.Session() as session:
        return session.run(fetches, feeds)


@ag.compile(fallback="error")
def collatz(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@ag.compile(fallback="error")
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@ag.compile(fallback="error")
def running(x, width=2):
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = x[i : i + width].mean()
    return out


def test_control_flow_on_tensors_is_staged(graph: ag.Graph) -> None:
    n = ag.placeholder(np.int64, (), name="n")
    steps = collatz(n)
    assert steps.name == "collatz"
    assert run([steps, factorial(n)], {n: 6}) == [8, 720]
    assert run(steps, {n: 27}) == 111


def test_a_call_may_be_part_of_more(graph: ag.Graph) -> None:
    x = ag.placeholder(np.float64, ("k",))
    y = running(x * 2.0) + 1.0
    z = running(y, width=3)
    assert run([y, z], {x: [1.0, 2.0, 3.0, 4.0]})[1].tolist() == [6.0]
    assert run(y, {x: [1.0, 2.0]}).tolist() == [4.0]


def test_several_lengths_stay_apart(graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def both(x, y):
        return x.sum() * len(y), x

    a, b = ag.placeholder(np.float64, ("n",)), ag.placeholder(np.float64, ("m",))
    (first, x), (second, y) = both(a, b), both(b, a)
    feeds = {a: [1.0, 2.0], b: [3.0, 4.0, 5.0]}
    assert run([first, second, x.shape[0], y.shape[0]], feeds) == [9.0, 24.0, 2, 3]
    local = [both(a, np.ones(4))[0], both(np.ones(3), a)[0]]
    assert run(local, feeds) == [12.0, 6.0]


def test_lengths_of_two_calls_are_not_one(graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def ones(x, w):
        return np.ones(len(w)) + x.sum()

    x = ag.placeholder(np.float64, ("k",))
    one, two = ones(x, np.ones(2)), ones(x, np.ones(3))
    assert str(one + two) == "<tensor 'add': f64[?]>"
    with pytest.raises(ValueError, match="could not be broadcast"):
        run(one + two, {x: [1.0]})


def test_results_keep_their_structure(graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def several(x):
        return x + 1.0, (x * 2.0, {"x": x}), [x]

    x = ag.placeholder(np.float64, ())
    one, (two, table), held = several(x)
    assert run([one, two, table, held], {x: 3.0}) == [4.0, 6.0, {"x": 3.0}, [3.0]]


def test_arguments_that_are_no_tensors(graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def mixed(x, scale, items, *rest, text="a"):
        total = x * scale
        for item in items:
            total = total + item
        for one in rest:
            total = total - one
        return total if text == "a" else -total

    x = ag.placeholder(np.float64, ())
    y = ag.placeholder(np.float64, ())
    held = np.array(10.0)
    result = mixed(x, held, [1.0, y], y, 2.0)
    other = mixed(x, 3, (1, 2), text="b")
    held[...] = 0.0
    assert run([result, other], {x: 2.0, y: 5.0}) == [19.0, -9.0]


def test_globals_are_taken_as_they_are(graph: ag.Graph, monkeypatch: Any) -> None:
    monkeypatch.setitem(globals(), "SCALE", np.array([1.0, 2.0]))
    x = ag.placeholder(np.float64, (2,))
    result = uses_scale(x)
    monkeypatch.setitem(globals(), "SCALE", np.array([0.0, 0.0]))
    assert run(result, {x: [3.0, 4.0]}).tolist() == [3.0, 8.0]


@ag.compile(fallback="error")
def uses_scale(x):
    return x * SCALE  # noqa: F821  # set by the test


def test_a_call_runs_as_a_whole(graph: ag.Graph, capsys: Any) -> None:
    w = ag.Variable(0.0, name="w")

    @ag.compile(fallback="error")
    def step(x):
        w.assign_add(x)
        print("step", float(w))
        if w > 5.0:
            raise ValueError("too much")
        return x * 2.0

    x = ag.placeholder(np.float64, ())
    double = step(x)
    with ag.Session() as session:
        assert session.run(w) == 0.0
        assert session.run(double, {x: 2.0}) == 4.0
        assert session.run([double, w], {x: 2.0}) == [4.0, 4.0]
        with pytest.raises(ValueError, match="too much"):
            session.run(double, {x: 2.0})
        assert session.run(w) == 6.0
    assert capsys.readouterr().out == "step 2.0\nstep 4.0\nstep 6.0\n"


def test_a_call_that_returns_nothing_can_be_fetched(graph: ag.Graph) -> None:
    w = ag.Variable(1.0)

    @ag.compile(fallback="error")
    def double():
        w.assign(w * 2)

    operation = double()
    with ag.Session() as session:
        assert session.run(operation) is None
        assert session.run([operation, w]) == [None, 4.0]


class Layer:
    """Has a variable, and a compiled method."""

    def __init__(self, start: Any) -> None:
        self.w = ag.Variable(start, name="w")
        self.calls = 3

    @ag.compile(fallback="error")
    def __call__(self, x):
        y = x
        for _ in range(self.calls):
            y = y * self.w
        return y

    @ag.compile(fallback="error")
    def norm(self):
        return np.sqrt((self.w * self.w).sum())


def test_methods_use_the_variables_of_their_object(graph: ag.Graph) -> None:
    x = ag.placeholder(np.float64, (2,))
    one, two = Layer([1.0, 2.0]), Layer([3.0, 4.0])
    assert (one.w.name, two.w.name) == ("w", "w_1")
    fetches = [one(x), two(x), two.norm()]
    with ag.Session() as session:
        a, b, c = session.run(fetches, {x: [1.0, 1.0]})
        assert (a.tolist(), b.tolist(), c) == ([1.0, 8.0], [27.0, 64.0], 5.0)
        session.run(one.w.assign([0.0, 1.0]))
        assert session.run(fetches[0], {x: [1.0, 1.0]}).tolist() == [0.0, 1.0]


class Stack:
    """Has layers in a list, so that compiled code reaches them only at run time."""

    def __init__(self) -> None:
        self.layers = [Layer([1.0, 2.0]), Layer([3.0, 1.0])]

    @ag.compile(fallback="error")
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
            layer.w += 1.0
        return x


def test_variables_reached_at_run_time_have_the_values_of_the_session(graph: ag.Graph) -> None:
    x = ag.placeholder(np.float64, (2,))
    stack = Stack()
    y = stack(x)
    weights = [layer.w for layer in stack.layers]
    with ag.Session() as one, ag.Session() as two:
        for session in (one, two):
            assert session.run(y, {x: [1.0, 1.0]}).tolist() == [27.0, 8.0]
        assert one.run(y, {x: [1.0, 1.0]}).tolist() == [512.0, 216.0]
        assert [w.tolist() for w in two.run(weights)] == [[2.0, 3.0], [4.0, 2.0]]


def test_islands_use_the_values_of_the_session(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0], name="w")
    seen = []

    @ag.do_not_convert
    def island(x):
        seen.append(w.numpy().tolist())
        w.assign(x)
        other = ag.Graph()
        with other.as_default():
            ag.Variable(0.0).assign_add(1.0)
        return w.assign_sub(1.0) + 0.0

    result = ag.compile(lambda x: island(x) + w, fallback="error")(ag.constant([5.0, 6.0]))
    with ag.Session() as session:
        assert session.run(result).tolist() == [8.0, 10.0]
        assert session.run(w).tolist() == [4.0, 5.0]
    assert seen == [[1.0, 2.0]]


class Lazy:
    """Makes its variable when it is first called."""

    def __init__(self) -> None:
        self.w: Any = None

    def __call__(self, x):
        if self.w is None:
            self.w = ag.Variable(np.ones(2), name="w")
        return x + self.w


def test_a_function_that_makes_variables_runs_while_the_graph_is_built(graph: ag.Graph) -> None:
    x = ag.placeholder(np.float64, (2,))
    layer = Lazy()
    call = ag.compile(Lazy.__call__)
    with pytest.warns(AutographWarning, match="it makes variables, which belong to a graph as it"):
        y = call(layer, x)
    z = call(layer, y)
    assert tuple(graph.variables) == (layer.w,)
    assert z.name == "call"
    with ag.Session() as session:
        session.run(layer.w.assign([2.0, 3.0]))
        assert session.run(z, {x: [0.0, 0.0]}).tolist() == [4.0, 6.0]


def test_a_variable_that_is_returned_can_be_used_and_fetched(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0])

    @ag.compile(fallback="error")
    def add(v):
        v.assign_add(1.0)
        return v

    returned = add(w)
    more = returned * 2.0
    with ag.Session() as session:
        first: Any = session.run(returned)
        assert first.tolist() == [2.0, 3.0]
        first[0] = 100.0
        assert session.run(more).tolist() == [6.0, 8.0]


def test_calls_without_tensors_run_at_once(graph: ag.Graph) -> None:
    assert collatz(27) == 111
    assert running(np.arange(4.0)).tolist() == [0.5, 1.5, 2.5]
    x = ag.placeholder(np.float64, ())
    assert run(x * collatz(6), {x: 2.0}) == 16.0


def test_calls_after_building_go_into_the_graph_of_the_tensor() -> None:
    with ag.Graph().as_default() as graph:
        n = ag.placeholder(np.int64, ())
    assert run(collatz(n), {n: 6}) == 8
    assert graph.get_tensor_by_name("collatz") is not None


def test_what_cannot_be_compiled_runs_on_tensors_as_plain_python(graph: ag.Graph) -> None:
    @ag.compile
    def listed(x):
        return x + len(locals())

    x = ag.placeholder(np.float64, ())
    with pytest.warns(AutographWarning, match="`locals` sees the variables"):
        result = listed(x)
    assert run(result, {x: 1.0}) == 2.0


def test_eager_blocks_run_the_plain_function(graph: ag.Graph) -> None:
    n = ag.placeholder(np.int64, (), name="n")
    with ag.eager(), pytest.raises(SessionError, match="asks tensor 'gt' for the truth"):
        collatz(n)


def test_variables_that_do_not_belong_here_are_refused(graph: ag.Graph) -> None:
    outside: Any = None
    with ag.eager():
        outside = ag.Variable(1.0, name="outside")
    with ag.Graph().as_default():
        other = ag.Variable(1.0, name="other")
    times = ag.compile(lambda v, x: v * x, fallback="error")
    x = ag.placeholder(np.float64, ())
    with pytest.raises(VariableError, match="variable 'outside' was made outside of the graph"):
        times(outside, x)
    with pytest.raises(VariableError, match="variable 'other' is of another graph"):
        times(other, x)


def test_tensors_in_dicts_and_of_other_graphs_are_refused(graph: ag.Graph) -> None:
    with ag.Graph().as_default():
        other = ag.placeholder(np.int64, (), name="other")
    with pytest.raises(SessionError, match="placeholder 'other' is of another graph"):
        collatz(other)
    first = ag.compile(lambda table: table["x"], fallback="error")
    with pytest.raises(SessionError, match="table holds tensors in a dict; pass them one by one"):
        first({"x": ag.placeholder(np.float64, ())})


def test_a_function_that_always_raises_is_refused(graph: ag.Graph) -> None:
    @ag.compile(fallback="error")
    def fails(x):
        raise ValueError(f"no {x}")

    with pytest.raises(SessionError, match="fails always raises an exception"):
        fails(ag.placeholder(np.float64, ()))


def test_graphs_of_threads_do_not_mix() -> None:
    failures: list[BaseException] = []
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        try:
            for _ in range(5):
                graph = ag.Graph()
                with graph.as_default():
                    assert ag.get_default_graph() is graph
                    n = ag.placeholder(np.int64, (), name="n")
                    w = ag.Variable(number, name="w")
                    steps = collatz(n + w) * 1
                    for _ in range(20):
                        n = n + 1
                assert ag.executing_eagerly()
                assert collatz(6) == 8
                with ag.Session(graph) as session:
                    assert session.run(steps, {graph.get_tensor_by_name("n"): 6 - number}) == 8
                    assert session.run(w) == number
                assert len(graph.variables) == 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
