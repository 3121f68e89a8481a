"""Graphs built by hand, and sessions that run them."""

from __future__ import annotations

import threading
from collections import namedtuple
from collections.abc import Iterator

import numpy as np
import pytest

from autograph import operators as ag
from runtime.errors import SessionError
from runtime.graph_mode.building import placeholder
from runtime.graph_mode.graph import Graph
from runtime.graph_mode.program import program_for
from runtime.graph_mode.session import Session


@pytest.fixture
def graph() -> Iterator[Graph]:
    """Give a graph that is being built."""
    built = Graph()
    with built.as_default():
        yield built


def run(fetches: object, feeds: object = None) -> object:
    with Session() as session:
        return session.run(fetches, feeds)


def test_matmul_of_the_documentation() -> None:
    data = np.arange(6, dtype=np.float32).reshape(3, 2)
    with Graph().as_default():
        a = placeholder(np.float32, (None, 2))
        b = np.array([[1], [2]], np.float32)
        c = a @ b
    with Session() as session:
        result = session.run(c, feed_dict={a: data})
    assert isinstance(result, np.ndarray)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, data @ b)


def test_matmul_of_whole_numbers_is_exact() -> None:
    with Graph().as_default():
        a = placeholder(np.int64, ("n", "k"))
        b = placeholder(np.int64, ("k", "m"))
        c = a @ b
    left, right = np.array([[2**40, 3]]), np.array([[5], [7]])
    result = run(c, {a: left, b: right})
    assert isinstance(result, np.ndarray)
    assert result.dtype == np.int64
    assert result.tolist() == [[5 * 2**40 + 21]]


def test_nothing_runs_while_building(graph: Graph) -> None:
    calls = []
    a = placeholder(np.float64, (2,))
    b = np.apply_along_axis(lambda row: calls.append(1) or row, 0, a)
    assert calls == []
    run(b, {a: np.ones(2)})
    assert calls == [1]


def test_nested_fetches_keep_their_structure(graph: Graph) -> None:
    pair = namedtuple("pair", "first second")
    a = placeholder(np.float64, ())
    b, c = a + 1.0, a * 2.0
    found = run({"x": [b, (c,)], "y": pair(b, a), "z": []}, {a: 3.0})
    assert found == {"x": [4.0, (6.0,)], "y": pair(4.0, 3.0), "z": []}
    assert type(found["y"]) is pair


def test_numpy_functions_take_tensors_in_lists(graph: Graph) -> None:
    a = placeholder(np.float64, ("n",))
    both = np.concatenate([a, np.array([9.0]), a])
    assert run(both, {a: np.array([1.0])}).tolist() == [1.0, 9.0, 1.0]
    stacked = np.stack([a, a + 1], axis=1)
    assert run(stacked, {a: np.array([1.0])}).tolist() == [[1.0, 2.0]]


def test_branches_and_loops_run_in_the_session(graph: Graph) -> None:
    n = placeholder(np.int64, ())
    larger = ag.cond(n > 3, lambda: n * 10, lambda: n - 1)
    (_, total) = ag.while_loop(
        lambda i, total: i < n, lambda i, total: (i + 1, total + i), (0, 0), names="i total"
    )
    assert run([larger, total], {n: 5}) == [50, 10]
    assert run([larger, total], {n: 2}) == [1, 1]


def test_long_loops_unroll_where_their_body_needs_the_number(graph: Graph) -> None:
    a = placeholder(np.float64, ())
    (power,) = ag.for_loop(range(30), lambda i, total: (total + a ** int(i),), (0.0,))
    (total,) = ag.for_loop(range(100), lambda i, total: (total + a * i,), (0.0,))
    assert run([power, total], {a: 2.0}) == [2.0**30 - 1, 9900.0]


def test_only_what_is_needed_runs_and_must_be_fed(graph: Graph) -> None:
    a = placeholder(np.float64, (None,), name="a")
    b = placeholder(np.float64, (None,), name="b")
    calls = []

    def watched(x: np.ndarray, axis: int = 0) -> np.ndarray:
        calls.append("b")
        return x

    other = np.apply_along_axis(watched, 0, b)
    total = a + 1.0
    assert run(total, {a: np.ones(2)}).tolist() == [2.0, 2.0]
    assert calls == []
    assert run(other, {b: np.ones(2)}).tolist() == [1.0, 1.0]


def test_inner_tensor_can_be_fed(graph: Graph) -> None:
    a = placeholder(np.float64, (None,), name="a")
    b = np.sqrt(a)
    c = b + 1.0
    assert run(c, {b: np.array([7.0])}).tolist() == [8.0]
    assert run([b, c], {b: np.array([7.0])})[0].tolist() == [7.0]


def test_inner_scalar_can_be_fed(graph: Graph) -> None:
    a = placeholder(np.float64, (None,))
    total = np.sum(a)
    result = total * 2.0
    assert run(result, {total: 4}) == 8.0
    with pytest.raises(SessionError, match=r"a scalar of f64, but is fed an array of shape \(2,\)"):
        run(result, {total: [1.0, 2.0]})


def test_writes_before_a_fetch_are_seen_and_leave_the_feed_alone(graph: Graph) -> None:
    a = placeholder(np.float64, (3,))
    before = a + 0.0
    a[0] = 9.0
    view = a[1:]
    view[0] = 8.0
    after = a * 1.0
    data = np.zeros(3)
    assert run(before, {a: data}).tolist() == [0.0, 0.0, 0.0]
    assert run(after, {a: data}).tolist() == [9.0, 8.0, 0.0]
    assert data.tolist() == [0.0, 0.0, 0.0]


def test_write_through_a_branch_is_seen(graph: Graph) -> None:
    a, b = placeholder(np.float64, (2,)), placeholder(np.float64, (2,))
    test = placeholder(np.int64, ())
    chosen = ag.cond(test > 0, lambda: a, lambda: b)
    chosen[0] = 5.0
    feeds = {a: [1.0, 1.0], b: [2.0, 2.0], test: 1}
    first, second = run([a + 0.0, b + 0.0], feeds)
    assert first.tolist() == [5.0, 1.0]
    assert second.tolist() == [2.0, 2.0]


def test_write_inside_a_branch_is_seen(graph: Graph) -> None:
    a, test = placeholder(np.float64, (2,)), placeholder(np.int64, ())

    def write() -> None:
        a[0] = 7.0

    ag.cond(test > 0, write)
    assert run(a, {a: [1, 2], test: 1}).tolist() == [7.0, 2.0]
    assert run(a, {a: [1, 2], test: 0}).tolist() == [1.0, 2.0]


def test_write_through_what_unknown_code_returned_is_seen(graph: Graph) -> None:
    a = placeholder(np.float64, (3,))
    windows = np.lib.stride_tricks.sliding_window_view(a, 2, writeable=True)
    windows[0, 1] = 9.0
    assert run(a * 1.0, {a: [1, 2, 3]}).tolist() == [1.0, 9.0, 3.0]


def test_write_through_an_array_in_a_list_is_seen(graph: Graph) -> None:
    a = placeholder(np.float64, (4,))
    parts = np.split(a, 2)
    parts[1][0] = 9.0
    assert run(a * 1.0, {a: [1, 2, 3, 4]}).tolist() == [1, 2, 9, 4]


def test_writes_through_a_list_made_in_the_graph_are_seen(graph: Graph) -> None:
    a, b = placeholder(np.float64, (2,)), placeholder(np.float64, (2,))
    held = ag.list_(a)
    held.append(b)
    for position, number in enumerate((8.0, 9.0)):
        item = held[position]
        item[0] = number
    for tensor, number in ((a, 8.0), (b, 9.0)):
        result = run(tensor * 1.0, {a: [1, 2], b: [1, 2]})
        assert result.tolist() == [number, 2.0]


def test_write_to_a_new_array_is_not_needed(graph: Graph) -> None:
    a = placeholder(np.float64, (3,), name="a")
    b = placeholder(np.float64, (3,), name="b")
    new = a + 1.0
    new[0] = np.sum(b)
    assert run(a * 2.0, {a: [1, 2, 3]}).tolist() == [2.0, 4.0, 6.0]


def test_fed_tensor_hides_the_write_that_made_it(graph: Graph) -> None:
    a = placeholder(np.float64, (2,))
    b = a
    b += 1.0
    c = b * 10.0
    data = np.array([3.0, 4.0])
    first, second = run([c, a], {b: data, a: [1.0, 2.0]})
    assert first.tolist() == [30.0, 40.0]
    assert second.tolist() == [2.0, 3.0]


def test_write_to_another_array_is_not_needed(graph: Graph) -> None:
    a = placeholder(np.float64, (3,), name="a")
    b = placeholder(np.float64, (3,), name="b")
    b[0] = 1.0
    assert run(a + 1.0, {a: np.zeros(3)}).tolist() == [1.0] * 3


def test_one_array_fed_twice_is_two_arrays(graph: Graph) -> None:
    a, b = placeholder(np.float64, (2,)), placeholder(np.float64, (2,))
    a[0] = 5.0
    data = np.zeros(2)
    first, second = run([a + 0.0, b + 0.0], {a: data, b: data})
    assert first.tolist() == [5.0, 0.0]
    assert second.tolist() == [0.0, 0.0]


def test_graph_may_grow_between_runs(graph: Graph) -> None:
    a = placeholder(np.float64, (2,))
    with Session() as session:
        assert session.run(a, {a: [1, 2]}).tolist() == [1.0, 2.0]
        a[0] = 7.0
        assert session.run(a, {a: [1, 2]}).tolist() == [7.0, 2.0]


def test_constants_are_snapshots_that_are_not_handed_out(graph: Graph) -> None:
    held = np.ones(2)
    test = placeholder(np.int64, ())
    chosen = ag.cond(test > 0, lambda: held, lambda: held + 1.0)
    held[0] = 5.0
    first = run(chosen, {test: 1})
    assert isinstance(first, np.ndarray)
    assert first.tolist() == [1.0, 1.0]
    first[0] = 6.0
    assert run(chosen, {test: 1}).tolist() == [1.0, 1.0]


def test_program_is_made_once_for_the_same_fetches(graph: Graph) -> None:
    a = placeholder(np.float64, (None,))
    b = a + 1.0
    value = graph.value(b, "b")
    fed = graph.value(a, "a")
    assert program_for(graph, (value,), (fed,)) is program_for(graph, (value,), (fed,))


@pytest.mark.parametrize(
    ("fed", "message"),
    [
        (np.zeros((2, 3), np.float32),
         r"placeholder 'a' has type f32\[\?, 2\], but is fed an array of shape \(2, 3\)"),
        (np.zeros(2, np.float32), r"but is fed an array of shape \(2,\)"),
        (np.zeros((2, 2)), r"has type f32\[\?, 2\], but is fed an array of dtype f64 .*float32\)$"),
        (np.zeros((2, 2), ">f4"), "but is fed an array of dtype >f4 and shape"),
        (np.zeros((2, 2), object), "but is fed an array of dtype object and shape"),
        (np.ma.zeros((2, 2), np.float32), "but is fed a masked array, whose mask would be lost"),
        ([[1, 10**400]], "but is fed an object of class list"),
        ([["x", "y"]], "Python data of dtype <U1"),
        ([[1.0, 2.0], [3.0]], "an object of class list: "),
        ([[1j, 2.0]], "Python data of dtype complex128"),
        (None, "but is fed an object of class NoneType"),
    ],
)  # fmt: skip
def test_wrong_feed_is_refused(graph: Graph, fed: object, message: str) -> None:
    a = placeholder(np.float32, (None, 2), name="a")
    with pytest.raises(SessionError, match=message):
        run(a @ a, {a: fed})


def test_python_data_converts_without_loss(graph: Graph) -> None:
    a = placeholder(np.int8, (None,), name="a")
    assert run(a, {a: [1, 2]}).dtype == np.int8
    with pytest.raises(SessionError, match="Python data of dtype float64"):
        run(a, {a: [1.5]})
    with pytest.raises(SessionError, match="placeholder 'a' has type i8"):
        run(a, {a: [300]})


def test_numpy_scalars_are_fed_with_their_dtype(graph: Graph) -> None:
    a = placeholder(np.float32, (), name="a")
    assert run(a, {a: np.float32(1.5)}) == 1.5
    with pytest.raises(SessionError, match="is fed a scalar of dtype f64"):
        run(a, {a: np.float64(1.5)})


def test_python_number_inside_can_be_fed(graph: Graph) -> None:
    a = placeholder(np.float64, (None,))
    n = a.shape[0]
    assert run(n + 1, {a: [1.0, 2.0]}) == 3
    assert run(n + 1, {n: 7}) == 8
    for wrong in (7.0, np.int64(7), True):
        with pytest.raises(SessionError, match="is a Python int, but is fed"):
            run(n + 1, {n: wrong})


def test_text_and_opaque_tensors_can_be_fed(graph: Graph) -> None:
    a = placeholder(np.float64, (3,))
    windows = np.lib.stride_tricks.sliding_window_view(a, 2)
    assert run(windows + 1, {windows: np.zeros(1)}).tolist() == [1.0]
    parts = a.tolist()
    assert run(parts, {parts: [1, "x"]}) == [1, "x"]
    with pytest.raises(SessionError, match="has type list, but is fed an object of class str"):
        run(parts, {parts: "x"})


def test_any_rank_where_none_is_declared(graph: Graph) -> None:
    a = placeholder(np.float64)
    assert run(a + 1.0, {a: np.zeros((1, 2))}).tolist() == [[1.0, 1.0]]
    assert run(a + 1.0, {a: [0.0]}).tolist() == [1.0]
    with pytest.raises(SessionError, match="array of dtype object"):
        run(a, {a: np.array([None])})


def test_lists_of_numbers_are_constants(graph: Graph) -> None:
    a = placeholder(np.float64, (2,))
    held = [1.0, 2.0]
    b = a + held
    held[0] = 100.0
    assert run(b, {a: [10, 20]}).tolist() == [11.0, 22.0]
    c = np.add(a, [b[0], 1.0])
    assert run(c, {a: [10, 20]}).tolist() == [21.0, 21.0]
    d = np.block([[a, a], [b, b]])
    assert run(d, {a: [0, 0]}).tolist() == [[0.0] * 4, [1, 2, 1, 2]]


def test_object_that_cannot_be_a_constant_is_refused() -> None:
    with pytest.raises(SessionError, match="this cannot be part of a graph: an object of class"):
        with Graph().as_default():
            a = placeholder(np.float64, (2,))
            np.add(a, {})


def test_named_lengths_agree_within_a_run(graph: Graph) -> None:
    a = placeholder(np.float64, ("n",), name="a")
    b = placeholder(np.float64, ("n",), name="b")
    total = a + b
    assert run(total, {a: [1.0], b: [2.0]}).tolist() == [3.0]
    with pytest.raises(SessionError, match="n is 1 in placeholder 'a'"):
        run(total, {a: [1.0], b: [2.0, 3.0]})


def test_unfed_placeholder_is_named(graph: Graph) -> None:
    a = placeholder(np.float64, (), name="rate")
    with pytest.raises(SessionError, match="placeholder 'rate' is not fed, but needed"):
        run(a + 1.0)


def test_placeholders_get_names_of_their_own(graph: Graph) -> None:
    a, b = placeholder(np.float64), placeholder(np.float64)
    with pytest.raises(SessionError, match="placeholder 'placeholder_1' is not fed"):
        run(a + b, {a: 1.0})


def test_tensor_of_another_graph_is_refused(graph: Graph) -> None:
    a = placeholder(np.float64, (), name="a")
    with Graph().as_default() as other:
        b = placeholder(np.float64, (), name="b")
    with pytest.raises(SessionError, match="a fetch, placeholder 'b', is of another graph"):
        run([a, b], {a: 1.0, b: 1.0})
    with pytest.raises(SessionError, match="another graph"):
        run(a, {a: 1.0, b: 1.0})
    with pytest.raises(SessionError, match="another graph"):
        Session(other).run(a, {a: 1.0})


@pytest.mark.parametrize("fetch", [3, None, np.ones(2), [1]])
def test_what_is_no_tensor_is_no_fetch(graph: Graph, fetch: object) -> None:
    with pytest.raises(SessionError, match="a fetch is an object of class"):
        run(fetch)


def test_method_that_is_not_called_is_no_fetch(graph: Graph) -> None:
    a = placeholder(np.float64, (2,))
    with pytest.raises(SessionError, match="a fetch is a method that is not called, not a tensor"):
        run(a.sum, {a: [1, 2]})


def test_feed_key_is_a_tensor(graph: Graph) -> None:
    a = placeholder(np.float64, ())
    with pytest.raises(SessionError, match="a key of feed_dict is the text 'a', which"):
        run(a, {"a": 1.0})
    with pytest.raises(SessionError, match="is fed a tensor"):
        run(a, {a: a + 1.0})


def test_closed_session_runs_nothing(graph: Graph) -> None:
    a = placeholder(np.float64, ())
    session = Session()
    assert session.run(a, {a: 1.0}) == 1.0
    session.close()
    with pytest.raises(SessionError, match="the session is closed"):
        session.run(a, {a: 1.0})


def test_value_from_inside_a_branch_is_refused(graph: Graph) -> None:
    a = placeholder(np.float64, ())
    inner = []
    ag.cond(a > 0.0, lambda: inner.append(a + 1.0) or a, lambda: a)
    with pytest.raises(SessionError, match="was made inside a branch or loop"):
        run(inner[0], {a: 1.0})


def test_python_branch_on_a_tensor_is_explained() -> None:
    with pytest.raises(SessionError, match=r"the truth of a value, .*with cond, while_loop or"):
        with Graph().as_default():
            a = placeholder(np.float64, (), name="a")
            if a > 0.0:
                a = a + 1.0


def test_placeholder_needs_a_graph_and_a_numeric_dtype(graph: Graph) -> None:
    for dtype in ("f9", object, "U3"):
        with pytest.raises(SessionError, match="dtype"):
            placeholder(dtype)
    for shape in ((-1,), (1.5,), ("not a name",), (True,)):
        with pytest.raises(SessionError, match="a shape holds lengths"):
            placeholder(np.float64, shape)


def test_placeholder_outside_a_graph_is_refused() -> None:
    with pytest.raises(SessionError, match=r"write `with Graph\(\).as_default\(\):`"):
        placeholder(np.float64)


def test_error_of_an_operation_is_its_own(graph: Graph) -> None:
    a = placeholder(np.float64, (None,))
    b = placeholder(np.float64, (None,))
    with pytest.raises(ValueError, match="operands could not be broadcast"):
        run(a + b, {a: np.ones(2), b: np.ones(3)})


def test_default_graph_is_that_of_the_innermost_block(graph: Graph) -> None:
    outer = placeholder(np.float64, ())
    with Graph().as_default() as other:
        inner = placeholder(np.float64, ())
    again = outer + 1.0
    assert other.value(inner, "x")
    assert run(again, {outer: 1.0}) == 2.0


def test_eight_threads_share_a_session(graph: Graph) -> None:
    n = placeholder(np.int64, (), name="n")
    (_, total) = ag.while_loop(
        lambda i, total: i < n, lambda i, total: (i + 1, total + i), (0, 0), names="i total"
    )
    fetches = [total, n * n, [n + k for k in range(3)]]
    session = Session(graph)
    failures: list[object] = []
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        for step in range(40):
            size = number * 40 + step
            chosen = fetches[: 1 + step % 3]
            found = session.run(chosen, {n: size})
            wanted = [size * (size - 1) // 2, size * size, [size + k for k in range(3)]]
            if found != wanted[: len(chosen)]:
                failures.append((size, found))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
