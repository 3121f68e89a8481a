"""Variables outside of graphs: what they hold, refuse, and do in arithmetic and NumPy functions."""

from __future__ import annotations

import copy
import operator
import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag


@pytest.fixture
def w() -> ag.Variable:
    """Give a variable of two by two float32 numbers."""
    return ag.Variable([[1.0, 2.0], [3.0, 4.0]], name="w", dtype=np.float32)


def test_what_a_variable_says_of_itself(w: ag.Variable) -> None:
    assert (w.name, w.dtype, w.shape, w.ndim, w.size, w.trainable) == (
        "w", np.dtype("f4"), (2, 2), 2, 4, True,
    )  # fmt: skip
    other = ag.Variable(3, trainable=False)
    assert (other.name, other.dtype, other.shape, other.trainable) == (
        "Variable", np.dtype("i8"), (), False,
    )  # fmt: skip


def test_repr_shows_value_and_name(w: ag.Variable) -> None:
    expected = "Variable(array([[1., 2.],\n       [3., 4.]], dtype=float32), name='w')"
    assert repr(w) == str(w) == f"{w}" == expected
    assert repr(ag.Variable(1, trainable=False)) == (
        "Variable(array(1), name='Variable', trainable=False)"
    )


def test_what_is_given_is_copied() -> None:
    given = np.ones(2)
    v = ag.Variable(given)
    given[0] = 5.0
    assert v.numpy().tolist() == [1.0, 1.0]
    v.assign(given)
    given[1] = 7.0
    assert v.numpy().tolist() == [5.0, 1.0]


def test_numpy_gives_a_new_array_to_write_to(w: ag.Variable) -> None:
    taken = w.numpy()
    taken[0, 0] = 9.0
    assert w.numpy()[0, 0] == 1.0


def test_value_is_read_only_and_stays_as_it_was(w: ag.Variable) -> None:
    before = w.value()
    assert np.shares_memory(w.read(), before)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer versions of NumPy advise against it
        w.value().shape = (4,)
    assert w.value().shape == (2, 2)
    w.assign_add(1.0)
    assert before.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(ValueError, match="read-only"):
        before[0, 0] = 1.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        before.flags.writeable = True


def test_assignments_return_the_variable(w: ag.Variable) -> None:
    assert w.assign(np.zeros((2, 2), np.float32)) is w
    assert w.assign_add(2.0) is w
    assert w.assign_sub(np.ones(2, np.float32)) is w
    assert w.numpy().tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert w.dtype == np.float32


def test_in_place_operators_change_the_variable_itself(w: ag.Variable) -> None:
    alias = w
    w += 1
    w *= 2
    w -= np.float32(2.0)
    w /= 2
    assert alias is w
    assert w.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    w @= np.eye(2, dtype=np.float32)
    w **= 2
    w //= 2
    w %= 3
    assert w.numpy().tolist() == [[0.0, 2.0], [1.0, 2.0]]


def test_in_place_operators_of_whole_numbers() -> None:
    v = ag.Variable([1, 6])
    v <<= 2
    v |= 1
    v &= 29
    v ^= 1
    v >>= 1
    assert v.numpy().tolist() == [2, 12]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros((2, 2)), r"variable 'w' has dtype f32, but is assigned an array of dtype f64 and "
         r"shape \(2, 2\); convert it with .astype\(np.float32\)"),
        (np.float64(1.0), "is assigned a scalar of dtype f64"),
        (np.zeros(2, np.float32), r"has shape \(2, 2\), but is assigned a value of shape \(2,\)"),
        (1.0, r"has shape \(2, 2\), but is assigned a value of shape \(\)"),
        ([[1j, 0], [0, 0]], "has dtype f32, but is assigned Python data of dtype complex128"),
        ([[1.0, 2.0], [3.0]], "is assigned an object of class list: "),
        ("text", "is assigned an object of class str"),
        (None, "is assigned an object of class NoneType"),
        ([[10**40, 0], [0, 0]], "is assigned an object of class list that NumPy has no dtype for"),
        (np.zeros((2, 2), ">f4"), "is assigned an array of dtype >f4"),
        (np.ma.array(np.zeros((2, 2), np.float32)), "is assigned an object of class MaskedArray"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(w: ag.Variable, value: object, message: str) -> None:
    with pytest.raises(ag.VariableError, match=message):
        w.assign(value)
    assert w.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_sum_that_does_not_fit_is_refused(w: ag.Variable) -> None:
    with pytest.raises(ag.VariableError, match="'w' has dtype f32, but is updated to an array of"):
        w.assign_add(np.ones((2, 2)))
    with pytest.raises(ag.VariableError, match=r"has shape \(2, 2\), but is updated to a value of"):
        w += np.ones((3, 2, 2), np.float32)
    with pytest.raises(ag.VariableError, match="has dtype i64, but is updated to"):
        ag.Variable(1).assign_add(0.5)
    with pytest.raises(ValueError, match="broadcast"):
        w.assign_sub(np.ones(3, np.float32))
    assert w.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_python_numbers_convert_without_loss_of_kind(w: ag.Variable) -> None:
    w.assign([[1, 2], [3, 4.5]])
    assert w.numpy().dtype == np.float32
    small = ag.Variable([1], dtype=np.int8)
    small.assign([5])
    with pytest.raises(ag.VariableError, match="'Variable' has dtype i8, but is assigned"):
        small.assign([300])
    with pytest.raises(ag.VariableError, match="Python data of dtype float64"):
        small.assign([1.0])


@pytest.mark.parametrize(
    ("value", "dtype", "message"),
    [
        ("text", None, "variable 'v' starts with an object of class str; it holds numbers"),
        (None, None, "starts with an object of class NoneType"),
        (["a"], None, "variable 'v' would have dtype <U1"),
        ([1.0, [2.0]], None, "variable 'v' cannot start with an object of class list: "),
        (1.0, "nonsense", "variable 'v' has no dtype 'nonsense'"),
        (np.array([1.0], ">f8"), None, "would have dtype >f8"),
        (np.ma.array([1.0]), None, "starts with an object of class MaskedArray"),
        ([300], np.int8, "variable 'v' cannot start with"),
    ],
)  # fmt: skip
def test_what_is_no_beginning(value: object, dtype: object, message: str) -> None:
    with pytest.raises(ag.VariableError, match=message):
        ag.Variable(value, name="v", dtype=dtype)


def test_names_are_checked_and_scoped() -> None:
    with pytest.raises(ValueError, match="'a b' is no name"):
        ag.Variable(1, name="a b")
    with ag.name_scope("outer"), ag.name_scope("inner") as scope:
        assert scope == "outer/inner"
        assert ag.Variable(1, name="w").name == "outer/inner/w"
    assert ag.Variable(1, name="w").name == "w"
    with pytest.raises(ValueError, match="'' is no name"), ag.name_scope(""):
        pass


def test_attributes_are_fixed(w: ag.Variable) -> None:
    with pytest.raises(AttributeError, match=r"value of variable 'w' is fixed; use .assign"):
        w.value = 1.0
    with pytest.raises(AttributeError, match="name of variable 'w' is fixed"):
        w.name = "v"
    with pytest.raises(AttributeError, match="name of variable 'w' is fixed"):
        del w.name


def test_items_are_not_assigned(w: ag.Variable) -> None:
    with pytest.raises(ag.VariableError, match="items of variable 'w' are not assigned; write"):
        w[0] = 1.0


BINARY = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, divmod, operator.lt, operator.le, operator.gt, operator.ge, operator.eq,
    operator.ne,
)  # fmt: skip
WHOLE = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift)


def same(a: Any, b: Any) -> None:
    if isinstance(a, tuple):
        for x, y in zip(a, b, strict=True):
            same(x, y)
        return
    assert type(a) is type(b)
    np.testing.assert_array_equal(a, b)
    assert getattr(a, "dtype", None) == getattr(b, "dtype", None)


@pytest.mark.parametrize("other", [2, 2.5, np.float32(3.0), np.array([1.0, 2.0])])
@pytest.mark.parametrize("function", BINARY)
def test_operators_take_the_value_on_both_sides(function: Any, other: Any) -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    v = ag.Variable(array)
    same(function(v, other), function(array, other))
    same(function(other, v), function(other, array))
    same(function(v, v), function(array, array))


@pytest.mark.parametrize("function", WHOLE)
def test_operators_of_whole_numbers(function: Any) -> None:
    array = np.array([1, 2, 3])
    v = ag.Variable(array)
    same(function(v, 2), function(array, 2))
    same(function(2, v), function(2, array))


def test_other_operators(w: ag.Variable) -> None:
    array = w.numpy()
    for function in (operator.neg, operator.pos, abs, len, list, np.asarray):
        same(np.asarray(function(w)), np.asarray(function(array)))
    same(w @ w, array @ array)
    same(array @ w, array @ array)
    same(~ag.Variable([1, 2]), ~np.array([1, 2]))
    assert 2.0 in w
    assert 9.0 not in w


def test_single_numbers_convert() -> None:
    v = ag.Variable(2.5)
    assert (float(v), int(v), bool(v), complex(v), f"{v:.2f}") == (2.5, 2, True, 2.5 + 0j, "2.50")
    assert list(range(ag.Variable(3))) == [0, 1, 2]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ag.Variable([1, 2]))


def test_reading_items(w: ag.Variable) -> None:
    assert w[0].tolist() == [1.0, 2.0]
    assert w[1, ag.Variable(0)] == 3.0
    assert w[:, w[0] > 1].tolist() == [[2.0], [4.0]]
    assert w.T.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    with pytest.raises(ValueError, match="read-only"):
        w[0][0] = 1.0


def test_numpy_functions_take_the_value(w: ag.Variable) -> None:
    array = w.numpy()
    same(np.exp(w), np.exp(array))
    same(np.sum(w, axis=0), np.sum(array, axis=0))
    same(np.add.reduce(w), np.add.reduce(array))
    same(np.concatenate([w, array]), np.concatenate([array, array]))
    same(np.where(w > 2, w, 0), np.where(array > 2, array, 0))
    same(np.stack((w, w)), np.stack((array, array)))
    same(np.clip(w, a_min=2, a_max=ag.Variable(np.float32(3))), np.clip(array, 2, np.float32(3)))
    same(w.sum(axis=1), array.sum(axis=1))
    same(w.astype(int), array.astype(int))
    same(np.zeros_like(w), np.zeros_like(array))
    same(np.array(w), array)
    same(np.asarray(w, np.float64), array.astype(float))
    assert np.array(w).flags.writeable


def test_results_go_to_other_arrays(w: ag.Variable) -> None:
    out = np.zeros((2, 2), np.float32)
    assert np.add(w, 1, out=out) is out
    out += w
    assert out.tolist() == [[3.0, 5.0], [7.0, 9.0]]
    out[0] = w[1]
    out[1] = ag.Variable([8.0, 9.0])
    assert out.tolist() == [[3.0, 4.0], [8.0, 9.0]]


@pytest.mark.parametrize(
    "write",
    [
        lambda v: np.add(v, 1, out=v),
        lambda v: np.add.at(v, 0, 1),
        lambda v: np.sum(np.ones((2, 2, 2)), axis=0, out=v),
        lambda v: np.copyto(v, 1),
        lambda v: np.place(v, np.ones((2, 2), bool), [1]),
    ],
)
def test_numpy_functions_do_not_write_into_variables(
    w: ag.Variable, write: Callable[[Any], object]
) -> None:
    with pytest.raises(ag.VariableError, match="cannot write into variable 'w'"):
        write(w)


def test_variables_are_keys_by_identity() -> None:
    a, b = ag.Variable(1.0), ag.Variable(1.0)
    table = {a: "a", b: "b"}
    a.assign(2.0)
    assert table[a] == "a"
    assert len({a, b, a}) == 2


def test_copies_are_variables_of_their_own(w: ag.Variable) -> None:
    for other in (copy.copy(w), copy.deepcopy(w), pickle.loads(pickle.dumps(w))):
        assert repr(other) == repr(w)
        other.assign_add(1.0)
        assert other.dtype == w.dtype
    assert w.numpy()[0, 0] == 1.0


class Counted(ag.Variable):
    """A variable that also holds something of its own."""

    __slots__ = ("count",)

    def __init__(self, value: object, count: int) -> None:
        super().__init__(value)
        object.__setattr__(self, "count", count)


class Same(ag.Variable):
    """A variable of a class of its own."""


def test_copies_keep_their_class() -> None:
    for variable in (Counted([1.0], 3), Same([1.0])):
        for other in (copy.copy(variable), pickle.loads(pickle.dumps(variable))):
            assert type(other) is type(variable)
            assert repr(other) == repr(variable)
            assert getattr(other, "count", 3) == 3
            other.assign_add(1.0)
        assert variable.numpy().tolist() == [1.0]


def test_a_variable_may_start_as_another(w: ag.Variable) -> None:
    other = ag.Variable(w, name="other")
    w.assign_add(1.0)
    assert other.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    other.assign(w)
    assert other.numpy().tolist() == w.numpy().tolist()


def test_concurrent_additions_all_count() -> None:
    v = ag.Variable(0)

    def work() -> None:
        for _ in range(500):
            v.assign_add(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert int(v) == 4000


def test_no_addition_is_lost() -> None:
    v = ag.Variable(1.0)
    other = threading.Thread(target=lambda: v.assign_add(10.0))

    class Slow:
        def __radd__(self, value: Any) -> Any:
            other.start()
            other.join(0.1)  # waits in vain for what has to wait for this addition
            return value + 100.0

    v.assign_add(Slow())
    other.join()
    assert float(v) == 111.0


def test_an_operand_may_use_the_variable_itself() -> None:
    v = ag.Variable(1.0)

    class Odd:
        def __radd__(self, other: Any) -> Any:
            v.assign(10.0)
            return other + 1.0

    v.assign_add(Odd())
    assert float(v) == 2.0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_does_not_wait_for_threads_of_the_parent(w: ag.Variable) -> None:
    adding, forked = threading.Event(), threading.Event()

    class Slow:
        __array_ufunc__ = None

        def __radd__(self, value: np.ndarray) -> np.ndarray:
            adding.set()
            assert forked.wait(60)
            return value

    thread = threading.Thread(target=w.assign_add, args=(Slow(),))
    thread.start()
    assert adding.wait(60)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        w.assign_add(1.0)
        os._exit(7 if w.numpy()[0, 0] == 2.0 else 8)
    forked.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
