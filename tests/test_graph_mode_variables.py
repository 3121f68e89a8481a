"""Variables of graphs: a value in each session, and the order of reads and assignments."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import SessionError, VariableError


@pytest.fixture
def graph() -> Iterator[ag.Graph]:
    """Give a graph that is being built."""
    built = ag.Graph()
    with built.as_default():
        yield built


def test_each_session_has_values_of_its_own(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0], name="w")
    add = w.assign_add([1.0, 1.0])
    with ag.Session() as one, ag.Session() as two:
        assert one.run(add).tolist() == [2.0, 3.0]
        assert one.run(add).tolist() == [3.0, 4.0]
        assert two.run(w).tolist() == [1.0, 2.0]
        assert one.run(w).tolist() == [3.0, 4.0]


def test_a_variable_begins_on_first_use_or_by_the_initializer(graph: ag.Graph) -> None:
    w = ag.Variable(1.0)
    add = w.assign_add(1.0)
    init = ag.global_variables_initializer()
    later = ag.Variable(5.0)
    more = later.assign_add(1.0)
    with ag.Session() as session:
        assert session.run(add) == 2.0
        assert session.run(more) == 6.0
        assert session.run(init) is None
        assert session.run([w, later]) == [1.0, 6.0]
        assert session.run([add, init]) == [2.0, None]
        assert session.run({"w": w, "init": [init]}) == {"w": 1.0, "init": [None]}
    assert repr(init) == "<initializer of 1 variables>"


def test_assignments_run_only_if_they_are_needed(graph: ag.Graph) -> None:
    w = ag.Variable(1.0)
    before = w + 0.0
    add = w.assign_add(1.0)
    after = w * 10.0
    from_result = add * 100.0
    with ag.Session() as session:
        assert session.run([before, after, w]) == [1.0, 10.0, 1.0]
        assert session.run([before, add, after]) == [1.0, 2.0, 20.0]
        assert session.run(from_result) == 300.0
        assert session.run(w) == 3.0


def test_order_is_that_of_building(graph: ag.Graph) -> None:
    w = ag.Variable(1.0)
    first = w.assign(w * 3.0)
    second = w.assign_add(1.0)
    third = w.assign_sub(w / 2.0)
    with ag.Session() as session:
        assert session.run([third, second, first]) == [2.0, 4.0, 3.0]
    with ag.Session() as session:
        assert session.run([third, first, w]) == [1.5, 3.0, 1.5]


def test_values_that_were_fetched_stay(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0])
    add = w.assign_add(1.0)
    with ag.Session() as session:
        taken: Any = session.run(w)
        taken[0] = 100.0
        assert session.run(w).tolist() == [1.0, 2.0]
        view: Any = session.run(w[1:])
        session.run(add)
        view[0] = 7.0
        assert session.run(w).tolist() == [2.0, 3.0]


def test_arrays_that_are_assigned_are_snapshots(graph: ag.Graph) -> None:
    w = ag.Variable([0.0, 0.0])
    given = np.ones(2)
    operation = w.assign(given)
    fed = ag.placeholder(np.float64, (2,))
    from_feed = w.assign(fed)
    given[0] = 5.0
    data = np.array([8.0, 9.0])
    with ag.Session() as session:
        assert session.run(operation).tolist() == [1.0, 1.0]
        assert session.run(from_feed, {fed: data}).tolist() == [8.0, 9.0]
        data[0] = 0.0
        assert session.run(w).tolist() == [8.0, 9.0]


def test_assignments_in_branches_and_loops(graph: ag.Graph) -> None:
    w = ag.Variable(0, name="w")
    n = ag.placeholder(np.int64, (), name="n")
    chosen = ag.cond(n > 3, lambda: w.assign_add(n), lambda: w.value())
    with ag.Session() as session:
        assert session.run(chosen, {n: 5}) == 5
        assert session.run(chosen, {n: 2}) == 5

    def body(i: Any) -> tuple[Any]:
        v = w
        v += 1
        return (i + 1,)

    (trips,) = ag.while_loop(lambda i: i < n, body, (0,))
    with ag.Session() as session:
        assert session.run([trips, w], {n: 4}) == [4, 4]


def test_variables_as_tests_and_sequences(graph: ag.Graph) -> None:
    w, count = ag.Variable([1, 2, 3], name="w"), ag.Variable(3)
    n = ag.placeholder(np.int64, ())
    chosen = ag.cond(count, lambda: n + 1, lambda: n - 1)
    (total,) = ag.for_loop(w, lambda item, total: (total + item * n,), (0,))
    (left,) = ag.while_loop(lambda i: count, lambda i: (i + count.assign_sub(1),), (n,))
    with ag.Session() as session:
        assert session.run([chosen, total], {n: 2}) == [3, 12]
        assert session.run([left, count], {n: 2}) == [5, 0]
        assert session.run(chosen, {n: 2}) == 1


def test_operators_and_functions_read_the_variable(graph: ag.Graph) -> None:
    w = ag.Variable([[1.0, 2.0]], name="w")
    x = ag.placeholder(np.float64, (2, 1), name="x")
    fetches = [
        w @ x, x.T * w, 2 - w, w[0, 1], np.exp(w), np.sum(w), w.sum(axis=0), np.add(x.T, w),
        np.concatenate([w, w]), -w, w > 1.5, w.T,
    ]  # fmt: skip
    a, b = np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])
    expected = [
        a @ b, b.T * a, 2 - a, a[0, 1], np.exp(a), np.sum(a), a.sum(axis=0), np.add(b.T, a),
        np.concatenate([a, a]), -a, a > 1.5, a.T,
    ]  # fmt: skip
    with ag.Session() as session:
        for found, wanted in zip(session.run(fetches, {x: b}), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_builtins_of_numbers_are_operations(graph: ag.Graph) -> None:
    x = ag.placeholder(np.float64, ())
    with ag.Session() as session:
        found = session.run([round(x, 1), round(x), abs(x)], {x: -2.567})
    assert found == [-2.6, -3, 2.567]


def test_names_are_unique_and_scoped(graph: ag.Graph) -> None:
    with ag.name_scope("layer"):
        a, b = ag.Variable(1.0, name="w"), ag.Variable(2.0, name="w")
    assert (a.name, b.name) == ("layer/w", "layer/w_1")
    assert (a + 0.0).name == "add"
    assert b.value().name == "w_1_read"
    assert a.assign(3.0).name == "w_assign"
    assert repr(a) == "Variable(a variable of a graph, f64[], name='layer/w')"
    assert isinstance(a, ag.Variable)


def test_variables_have_no_value_outside_of_sessions(graph: ag.Graph) -> None:
    w = ag.Variable(1.0, name="w")
    for ask in (w.numpy, lambda: float(w), lambda: np.asarray(w)):
        with pytest.raises((VariableError, SessionError)):
            ask()
    with pytest.raises(VariableError, match=r"variable 'w' belongs to a graph and has a value in"):
        w.numpy()


def test_use_outside_of_its_graph_is_refused() -> None:
    with ag.Graph().as_default():
        w = ag.Variable(1.0, name="w")
    with pytest.raises(VariableError, match="variable 'w' belongs to a graph: fetch it in a ses"):
        w + 1.0
    with ag.Graph().as_default():
        for use in (lambda: w + 1.0, lambda: w.assign(2.0), lambda: np.exp(w)):
            with pytest.raises(VariableError, match="variable 'w' is of another graph than the"):
                use()
        with pytest.raises(SessionError, match="a fetch, variable 'w', is of another graph"):
            ag.Session().run(w)


def test_eager_variables_are_refused_in_graphs() -> None:
    v = ag.Variable([1.0], name="v")
    with ag.Graph().as_default():
        x = ag.placeholder(np.float64, (1,))
        for use in (lambda: x + v, lambda: v * x, lambda: np.add(v, x), lambda: v[0]):
            with pytest.raises(VariableError, match=r"variable 'v' was made outside of the graph"):
                use()
        total = x + v.numpy()
    with ag.Session() as session:
        assert session.run(total, {x: [2.0]}).tolist() == [3.0]
        with pytest.raises(SessionError, match="'v', was made outside of a graph: its value is"):
            session.run(v)


def test_in_place_operators_that_nothing_would_run_are_refused(graph: ag.Graph) -> None:
    w = ag.Variable(1.0, name="w")
    with pytest.raises(VariableError, match=r"write `operation = variable.assign_add\(...\)`"):
        w += 1.0
    with pytest.raises(VariableError, match=r"write `operation = variable.assign\(...\)`"):
        w *= 2.0


def test_what_never_fits_is_refused_while_building(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0], name="w")
    x = ag.placeholder(np.float32, (2,))
    y = ag.placeholder(np.float64, (3,))
    with pytest.raises(VariableError, match="'w' has dtype f64, but is assigned a tensor of dtyp"):
        w.assign(x)
    with pytest.raises(VariableError, match=r"'w' has shape \(2,\), but is assigned a tensor of t"):
        w.assign(y)
    with pytest.raises(VariableError, match=r"but is assigned a value of shape \(3,\)"):
        w.assign([1.0, 2.0, 3.0])


def test_what_does_not_fit_in_a_run_is_refused_then(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0], name="w")
    x = ag.placeholder(np.float64, (None,), name="x")
    operation = w.assign(x)
    with ag.Session() as session:
        with pytest.raises(VariableError, match=r"'w' has shape \(2,\), but is assigned a value"):
            session.run(operation, {x: [1.0]})
        assert session.run(w).tolist() == [1.0, 2.0]


def test_tensors_in_lists_are_assigned(graph: ag.Graph) -> None:
    w = ag.Variable([1.0, 2.0], name="w")
    x = ag.placeholder(np.float64, ())
    first, second = w.assign([x, 2.0 * x]), w.assign((1.0, x))
    with ag.Session() as session:
        assert session.run(first, {x: 3.0}).tolist() == [3.0, 6.0]
        assert session.run(second, {x: 3.0}).tolist() == [1.0, 3.0]


def test_tensors_are_not_assigned_to_eager_variables(graph: ag.Graph) -> None:
    with ag.eager():
        v = ag.Variable(1.0, name="v")
    x = ag.placeholder(np.float64, ())
    with pytest.raises(VariableError, match="'v' has dtype f64, but is assigned a tensor of a gr"):
        v.assign(x)


def test_variables_are_not_fed(graph: ag.Graph) -> None:
    w = ag.Variable(1.0, name="w")
    read = w.value()
    double = read * 2.0
    with ag.Session() as session:
        with pytest.raises(SessionError, match="a key of feed_dict is variable 'w'; run an assign"):
            session.run(w, {w: 2.0})
        assert session.run(double, {read: 5.0}) == 10.0


def test_initializer_of_another_graph_is_refused(graph: ag.Graph) -> None:
    with ag.Graph().as_default():
        init = ag.global_variables_initializer()
    with pytest.raises(SessionError, match="an initializer, is of another graph"):
        ag.Session().run(init)


def test_a_tensor_is_no_beginning(graph: ag.Graph) -> None:
    x = ag.placeholder(np.float64, ())
    with pytest.raises(VariableError, match="variable 'v' starts with"):
        ag.Variable(x, name="v")


def test_runs_under_threads_all_count(graph: ag.Graph) -> None:
    w = ag.Variable(0)
    add = w.assign_add(1)
    session = ag.Session(graph)
    session.run(w)

    def work() -> None:
        for _ in range(100):
            session.run(add)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(w) == 800
