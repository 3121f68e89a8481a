"""Variables in compiled functions: what plain Python does, in the same order, in one trace."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime.ir.printer import format_graph
from runtime.ir.reader import read_graph


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error), error.args


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, tuple | list):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape, a.flags.writeable) == (b.dtype, b.shape, b.flags.writeable)
        np.testing.assert_array_equal(a, b)
    elif isinstance(a, ag.Variable):
        same((a.name, a.trainable, a.numpy()), (b.name, b.trainable, b.numpy()))
    else:
        assert a == b


def check(function: Callable[..., Any], *states: Any, calls: int = 2, traces: int = 1) -> None:
    """Compare plain and compiled calls with variables that start as `states`, and the state."""
    compiled = ag.compile(function, fallback="error")
    ours = [ag.Variable(state, name=f"v{i}") for i, state in enumerate(states)]
    theirs = [ag.Variable(state, name=f"v{i}") for i, state in enumerate(states)]
    for _ in range(calls):
        with np.errstate(all="ignore"):
            plain, staged = outcome(function, *theirs), outcome(compiled, *ours)
        staged = theirs[ours.index(staged)] if any(staged is v for v in ours) else staged
        same(staged, plain)
        same(ours, theirs)
    assert len(compiled.signatures) == traces


def all_reads(v, w):
    return (
        v + 1, 1 - v, v * w, v @ v, -v, abs(v), v == w, v < 2, v[0], v[::-1], len(v), v.T, v.sum(),
        v.shape, v.ndim, v.dtype, v.size, v.name, v.trainable, np.exp(v), np.sum(v, axis=0),
        np.where(v > 1, v, w), v.value() + v.read(), v.numpy(), np.concatenate((v, w)),
        v.astype(np.float32), list(v), float(w[0]), [x for x in v], np.stack([v, w]), divmod(v, 2),
        v.reshape(3, 1), 2.0 in v,
    )  # fmt: skip


def reads_before_and_after(v):
    before = v.value()
    first = v + 0
    v.assign(first * 2)
    view = v[1:]
    v.assign_sub([1.0, 1.0, 1.0])
    return before, first, view, v + 0


def in_place(v, w):
    same_object = v
    v += 1
    v -= w
    v *= 2
    v /= w
    v **= 2
    return v is same_object, v + 0


def as_an_object(v, w):
    a, b = v.value(), v.value()
    table = {"v": v}
    pair = (v, w)
    first, second = pair
    first += second
    return (
        a is b, v is w, isinstance(v, ag.Variable), type(v) is ag.Variable, first is v,
        table["v"] is v, [x.name for x in pair], v is not None, repr(v), f"{w[0]:.2f}",
    )  # fmt: skip


def lengths(v, w):
    parts = np.split(w.numpy(), len(v))
    out = np.zeros(v.shape)
    for i in range(v.shape[0]):
        out[i] = v[i] * w[-1]
    return out, len(parts), v.reshape(v.size, 1)


def returns_it(v):
    v.assign_add(1.0)
    return v


def in_branches(v, w):
    if v[0] > w[0]:
        v.assign(w)
    else:
        w.assign_add(v)
    if v.sum() > 3:
        return v * 1
    return w.numpy()


def in_loops(v, w):
    total = 0.0
    for row in v:
        total += row
        w.assign_add(row)
    while w[0] > 1:
        w /= 2
        if total > 3:
            v.assign(w)
            break
    return total


def as_tests(v, w):
    if v[0]:
        v.assign_add(w)
    return (v[0] and w[0]), not v[0]


def chosen(v, w):
    target = v if v[0] > w[0] else w
    target.assign_add(1.0)
    target += 1.0
    return target.sum(), v + w


def in_a_list(v, w):
    held = [v, w]
    for one in held:
        one.assign_add(1.0)
    held[0] += 1.0
    return held[0] is v, held[1] + 0


def refused(v):
    v.assign_add(1.0)
    v.assign([1.0])
    v.assign_add(1.0)


def refused_dtype(v):
    v.assign_add(1j)


def written_items(v):
    v[0] = 1.0


def written_value(v):
    x = v.value()
    x[0] = 1.0


def written_out(v):
    np.add(v, 1, out=v)


def written_elsewhere(v):
    out = np.zeros(3)
    np.add(v, 1, out=out)
    out[1:] = v[1:]
    out[0] = v[2]
    out += v
    out[:] = v
    return out


def wrong_call(v):
    return v.assign()


def helper(v, x):
    v.assign_add(x)
    return v + x


def in_helpers(v):
    a = helper(v, 1.0)
    b = helper(v, a)
    return a, b


def in_closures(v):
    def step(x):
        v.assign_add(x)
        return v * x

    return step(1.0), step(2.0)


def kept_by_try(v):
    try:
        v.assign_add(1.0)
        v.assign([1.0])
    except ag.VariableError as error:
        return str(error), v + 0
    finally:
        v.assign_sub(0.5)
    return None


@pytest.mark.parametrize(
    "function", [
        all_reads, in_place, in_branches, in_loops, as_tests, chosen, in_a_list, as_an_object,
        lengths,
    ],
)  # fmt: skip
def test_two_variables(function: Callable[..., Any]) -> None:
    check(function, [1.0, 2.0, 3.0], [2.0, 4.0, 8.0])
    check(function, [5.0, 6.0, 7.0], [2.0, 1.0, 1.0])


@pytest.mark.parametrize(
    "function",
    [
        reads_before_and_after, returns_it, refused, refused_dtype, written_items, written_value,
        written_out, written_elsewhere, wrong_call, in_helpers, in_closures, kept_by_try,
    ],
)  # fmt: skip
def test_one_variable(function: Callable[..., Any]) -> None:
    check(function, [1.0, 2.0, 3.0])


def test_the_same_variable_twice() -> None:
    def both(v, w):
        v.assign_add(1.0)
        w.assign_add(v)
        return v + w

    compiled = ag.compile(both, fallback="error")
    for function in (both, compiled):
        v = ag.Variable([1.0, 2.0])
        assert function(v, v).tolist() == [8.0, 12.0]


def test_one_trace_serves_all_variables_of_a_dtype_and_rank() -> None:
    @ag.compile(fallback="error")
    def double(v):
        v.assign_add(v)
        return len(v)

    for length in (2, 5, 9):
        v = ag.Variable(np.ones(length))
        assert double(v) == length
        assert v.numpy().tolist() == [2.0] * length
    assert len(double.signatures) == 1
    double(ag.Variable(np.ones(2, np.float32)))
    double(ag.Variable(np.ones((2, 2))))
    assert len(double.signatures) == 3


def test_the_program_reads_and_assigns_in_order() -> None:
    @ag.compile(fallback="error")
    def step(v, x):
        y = v + x
        v.assign(y)
        v *= 2
        return y, v + x

    assert str(step.program(ag.Variable([1.0]), np.ones(1))) == (
        "def step(v, x):\n"
        "    y = v.value() + x\n"
        "    v.assign(y)\n"
        "    v.__imul__(2)\n"
        "    return (y, v.value() + x)"
    )


class Counter:
    """Keeps its variables in attributes, one of them made when it is first needed."""

    def __init__(self, size: int) -> None:
        self.total = ag.Variable(np.zeros(size), name="total")
        self.count: Any = None

    def add(self, x: Any) -> Any:
        if self.count is None:
            self.count = ag.Variable(0, name="count")
        self.total += x
        self.count.assign_add(1)
        return self.total / self.count

    def scale(self, x: Any) -> Any:
        self.total *= x
        self.total -= 1
        return self.total.sum()


def test_a_variable_is_made_once_where_it_is_first_needed() -> None:
    plain = Counter(2)
    results = [plain.add(np.ones(2)), plain.add(np.ones(2))]
    counter = Counter(2)
    add = ag.compile(Counter.add, fallback="error")
    same([add(counter, np.ones(2))], results[:1])
    made = counter.count
    same([add(counter, np.ones(2))], results[1:])
    assert counter.count is made
    assert int(made) == 2
    assert repr(counter.total) == repr(plain.total)


def test_in_place_operators_on_attributes_keep_types() -> None:
    scale = ag.compile(Counter.scale, fallback="error")
    for size in (2, 3):
        plain, counter = Counter(size), Counter(size)
        held = counter.total
        same(scale(counter, 2.0), plain.scale(2.0))
        assert counter.total is held
        same(counter.total, plain.total)
    assert len(scale.signatures) == 1
    program = str(scale.program(counter, 2.0))
    assert "total.assign_sub(1)" in program
    assert "self" not in program.splitlines()[1]


class Pair:
    """Two variables that change places."""

    def __init__(self) -> None:
        self.a, self.b = ag.Variable([1.0], name="a"), ag.Variable([2.0], name="b")

    def rotate(self) -> Any:
        kept = self.a
        self.a = self.b
        self.a += 10.0
        self.b = kept
        self.b -= 1.0
        return self.a * 1, self.b * 1


def test_attributes_that_change_places() -> None:
    plain, pair = Pair(), Pair()
    rotate = ag.compile(Pair.rotate, fallback="error")
    for _ in range(3):
        same(rotate(pair), plain.rotate())
        same([pair.a, pair.b], [plain.a, plain.b])


def test_an_attribute_that_gets_another_variable_is_seen() -> None:
    scale = ag.compile(Counter.scale, fallback="error")
    counter = Counter(2)
    scale(counter, 2.0)
    counter.total = ag.Variable([10.0, 20.0])
    assert scale(counter, 2.0) == 58.0
    counter.total = np.array([1.0, 2.0])
    assert scale(counter, 2.0) == 4.0
    assert isinstance(counter.total, np.ndarray)


GLOBAL = ag.Variable([1.0, 2.0], name="GLOBAL")


def uses_global(x):
    GLOBAL.assign_add(x)
    return GLOBAL * 2


def test_globals_and_closures_are_shared_between_traces() -> None:
    local = ag.Variable(0.0)

    @ag.compile(fallback="error")
    def uses_closure(x):
        local.assign_add(x.sum())
        return local + 0

    compiled = ag.compile(uses_global, fallback="error")
    GLOBAL.assign([1.0, 2.0])
    assert compiled(1.0).tolist() == [4.0, 6.0]
    assert compiled(np.ones(2)).tolist() == [6.0, 8.0]
    assert GLOBAL.numpy().tolist() == [3.0, 4.0]
    uses_closure(np.ones(2))
    uses_closure(np.ones((2, 2)))
    assert float(local) == 6.0


def test_islands_see_and_change_variables() -> None:
    seen = []

    @ag.do_not_convert
    def island(v):
        seen.append(v.numpy().tolist())
        v.assign_add(1.0)

    def program(v):
        v.assign([5.0, 6.0])
        island(v)
        x = v + 0
        v.assign_add(x)
        return x

    compiled = ag.compile(program, fallback="error")
    v = ag.Variable([0.0, 0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(v).tolist() == [6.0, 7.0]
    assert seen == [[5.0, 6.0]]
    assert v.numpy().tolist() == [12.0, 14.0]


def test_eight_threads_add_to_one_variable() -> None:
    v = ag.Variable(np.zeros(2))

    @ag.compile(fallback="error")
    def add(x):
        for _ in range(20):
            v.assign_add(x)
        return v + 0

    def work() -> None:
        for _ in range(10):
            add(np.ones(2))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy().tolist() == [1600.0, 1600.0]


def test_a_variable_made_in_a_compiled_function_is_a_new_one_each_time() -> None:
    @ag.compile(fallback="error")
    def make(x):
        v = ag.Variable(x, name="made")
        v.assign_add(1.0)
        return v

    first, second = make(np.ones(2)), make(np.ones(2))
    assert first is not second
    assert repr(first) == repr(second) == "Variable(array([2., 2.]), name='made')"


def test_graphs_with_variables_are_read_back_from_text() -> None:
    v, x = ag.Variable([1.0, 2.0]), np.ones(2)
    graph = ag.compile(in_place).graph(v, ag.Variable(x)).graph
    text = format_graph(graph)
    assert format_graph(read_graph(text)) == text
    assert 'variable.change(v, w) [method="assign_sub"]' in text


def test_types_of_variables_are_read_back_from_text() -> None:
    type_ = ag.TypeSpec("variable<f64[n, 3]>").type
    assert str(type_) == "variable<f64[n, 3]>"
    assert str(ag.TypeSpec("(variable<f64[2]>, none | variable<?[...]>)").type) == (
        "(variable<f64[2]>, none | variable<?[...]>)"
    )
    with pytest.raises(ag.GraphError, match="a variable holds an array"):
        ag.TypeSpec("variable<int>")


FUNCTIONS = (
    math.floor, math.ceil, math.trunc, math.sqrt, math.hypot, math.fsum, math.prod, abs, len, sum,
    any, tuple, float, int, complex, range, round, max, min, sorted, pow, divmod,
)  # fmt: skip


@pytest.mark.parametrize("value", [2.5, [2.5], [2.5, 3.5]])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_numbers_do_what_they_do_plainly(
    function: Callable[..., Any], value: object
) -> None:
    def call(v):
        try:
            return function(v)
        except (TypeError, ValueError) as error:
            return type(error), str(error)

    plain = call(ag.Variable(value))
    compiled = ag.compile(call, fallback="error")(ag.Variable(value))
    assert repr(compiled) == repr(plain)
