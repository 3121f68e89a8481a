"""What a compiled function reads from outside is read again at every call.

One program serves many calls, but none of them sees what was true at an earlier one: rebinding and
writing globals, cells, attributes and defaults between calls, and arguments of another kind.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from differential.harness import codes_of, differences, entered, observe

SCALE = 2
TABLE = np.arange(3.0)
WORD = "plus"


def transform(x):
    """Return twice `x`."""
    return x * 2


def other_transform(x):
    """Return `x` and one."""
    return x + 1


def reads_global_number(x):
    """Read a number."""
    return x * SCALE if SCALE > 0 else x


def reads_global_array(x):
    """Read an array that may be written or replaced."""
    return x + TABLE.sum()


def reads_global_function(x):
    """Call a function found in a global."""
    return transform(x)


def reads_global_text(x):
    """Choose by a text found in a global."""
    if WORD == "plus":
        return x + 1
    return x - 1


def agree(
    compiled: Callable[..., object],
    plain: Callable[..., object],
    *makers: Callable[[], tuple[object, ...]],
) -> None:
    """Assert that both do the same for fresh arguments of each of `makers`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for maker in makers:
            assert not differences(observe(compiled, maker()), observe(plain, maker()))


@pytest.mark.parametrize(
    ("function", "name", "values"),
    [
        (reads_global_number, "SCALE", [3, 0, 2.5, np.float32(1.5), np.ones(2), True]),
        (reads_global_array, "TABLE", [np.ones(2), np.arange(4), np.ones((2, 2)), [1, 2]]),
        (reads_global_function, "transform", [other_transform, np.sqrt, transform]),
        (reads_global_text, "WORD", ["minus", "plus", None]),
    ],
    ids=["number", "array", "function", "text"],
)
def test_a_rebound_global_is_seen(function, name, values, monkeypatch):
    """The value of now counts, of whatever type it is."""
    compiled = ag.compile(function)
    agree(compiled, function, lambda: (2.0,))
    for value in values:
        monkeypatch.setitem(globals(), name, value)
        plain, got = observe(function, (2.0,)), None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ag.AutographWarning)
            got = observe(compiled, (2.0,))
        assert not differences(got, plain), value


def test_a_global_that_comes_to_hide_a_builtin_is_seen(monkeypatch):
    """A name that meant a builtin at the first call."""
    compiled = ag.compile(uses_abs)
    assert compiled(-2.0) == 2.0
    monkeypatch.setitem(globals(), "abs", transform)
    agree(compiled, uses_abs, lambda: (-2.0,))


def uses_abs(x):
    """Call a builtin."""
    return abs(x)


def test_a_written_global_array_is_seen(monkeypatch):
    """Writing into the array counts as much as replacing it, and does not trace again."""
    table = np.zeros(3)
    monkeypatch.setitem(globals(), "TABLE", table)
    compiled = ag.compile(reads_global_array, fallback="error")
    assert compiled(1.0) == 1.0
    table += 5
    assert compiled(1.0) == 16.0
    assert len(compiled.signatures) == 1


def test_a_rebound_cell_is_seen():
    """A captured variable that is rebound between calls."""
    scale = 2.0

    def program(x):
        return x * scale

    compiled = ag.compile(program, fallback="error")
    assert compiled(3.0) == 6.0
    scale = 4.0
    assert compiled(3.0) == 12.0
    scale = 5
    assert compiled(3) == 15
    scale = "ab"
    assert compiled(2) == "abab"


def test_a_changed_attribute_is_seen():
    """Attributes are read by path at each call: number, array and function."""
    model = SimpleNamespace(rate=0.5, weights=np.ones(2), step=transform)

    def program(x):
        return model.step(x * model.rate) + model.weights.sum()

    compiled = ag.compile(program)
    for rate, weights, step in [
        (0.5, np.ones(2), transform),
        (1, np.ones(3), transform),
        (1.5, np.ones((2, 2)), other_transform),
        (np.float32(2), np.arange(2), np.negative),
    ]:
        model.rate, model.weights, model.step = rate, weights, step
        agree(compiled, program, lambda: (3.0,))


def test_changed_defaults_are_seen():
    """Defaults that are replaced, and a mutable one that is changed."""

    def program(x, factor=2, extra=[1.0]):  # noqa: B006  # on purpose
        return x * factor + extra[0]

    compiled = ag.compile(program)
    agree(compiled, program, lambda: (3,))
    program.__defaults__[1][0] = 5.0
    agree(compiled, program, lambda: (3,))


@pytest.mark.parametrize(
    "arguments",
    [
        [
            np.ones(3),
            np.ones(3, np.float32),
            np.ones(3, int),
            np.ones(3, bool),
            np.ones(3, complex),
        ],
        [np.ones(3), np.ones((1, 3)), np.ones((2, 2)), np.ones(()), np.float64(1), 1.0, 1, True],
        [[1.0, 2.0], (1.0, 2.0), (1.0, 2.0, 3.0), np.ones(2), "ab"],
        [1, 1.0, 1j, True, np.int8(1), np.bool_(True), None, "a"],
    ],
    ids=["dtypes", "ranks", "containers", "numbers"],
)
def test_an_argument_of_another_type_is_served_rightly(arguments):
    """Every type has its own trace or falls back; none is run by another's."""

    def program(x):
        total = x * 2
        if np.ndim(x) == 0 and x:
            total = total + total
        return total, type(x).__name__

    compiled = ag.compile(program)
    for argument in [*arguments, *reversed(arguments)]:
        agree(compiled, program, lambda argument=argument: (argument,))


def takes_dtype(x):
    """Make an array of the dtype of another."""
    return np.zeros(2, x.dtype), x.dtype == np.float64


def takes_rank(x):
    """Branch on the rank."""
    if x.ndim == 2:
        return x.sum(axis=1)
    return x


def takes_length(x):
    """Branch on the length of a tuple."""
    if len(x) == 2:
        return x[0]
    return x[-1] * 10


def takes_class(x):
    """Branch on the class of a number."""
    if isinstance(x, bool):
        return "bool"
    if isinstance(x, int):
        return x + 1
    return x


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (takes_dtype, [np.ones(1), np.ones(1, np.float32), np.ones(1, np.int8)]),
        (takes_rank, [np.ones(2), np.ones((2, 2)), np.ones(())]),
        (takes_length, [(1.0, 2.0), (1.0, 2.0, 3.0), (1.0, 2)]),
        (takes_class, [1, True, 1.0, np.int64(1), np.bool_(True), 0, False]),
    ],
    ids=["dtype", "rank", "length", "class"],
)
def test_what_a_trace_has_built_in_is_guarded(function, arguments):
    """A trace that used a dtype, rank, length or class serves no argument of another."""
    compiled = ag.compile(function)
    for argument in [*arguments, *reversed(arguments)]:
        agree(compiled, function, lambda argument=argument: (argument,))
        agree(ag.compile(function), function, lambda argument=argument: (argument,))


def test_an_equal_dtype_that_is_another_object_does_not_trace_again():
    """As after unpickling."""

    @ag.compile(fallback="error")
    def program(x):
        return x + 1

    program(np.ones(2))
    program(pickle.loads(pickle.dumps(np.ones(2))))
    program(np.ones(2, np.dtype("<f8")))
    assert len(program.signatures) == 1


def test_byte_order_counts():
    """An array of the other byte order is of another dtype."""

    def program(x):
        return x + 1, x

    compiled = ag.compile(program)
    other = np.dtype("f8").newbyteorder()
    agree(compiled, program, lambda: (np.ones(2),), lambda: (np.ones(2, other),))


def test_subclasses_are_not_taken_for_arrays():
    """A masked array, a matrix, an int subclass: whatever they do, compiled does it too."""

    class Loud(int):
        def __mul__(self, other):
            return f"{int(self)} times {other}"

    def program(x):
        return x * 2

    compiled = ag.compile(program)
    agree(compiled, program, lambda: (np.ones(2),), lambda: (3,), lambda: (Loud(3),))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        masked = np.ma.array([1.0, 2.0], mask=[0, 1])
        assert type(compiled(masked)) is np.ma.MaskedArray


def test_identity_of_arguments_counts():
    """`a is b` is asked at each call."""

    @ag.compile
    def program(a, b):
        return a is b

    x, y = np.ones(2), np.ones(2)
    assert [program(x, y), program(x, x), program(y, x)] == [False, True, False]


def test_overlap_of_arguments_counts():
    """Arguments that share memory do, after ones that do not, and the other way round."""

    def program(a, b):
        first = b[0]
        a[0] = 100.0
        return first + b[0]

    compiled = ag.compile(program, fallback="error")

    def overlapping():
        z = np.zeros(4)
        return z[1:], z[1:3]

    agree(
        compiled,
        program,
        lambda: (np.zeros(3), np.ones(3)),
        overlapping,
        lambda: (np.zeros(3), np.ones(3)),
        overlapping,
    )


def test_overlap_with_a_global_counts(monkeypatch):
    """The written argument may be the array that a global holds."""

    def program(a):
        first = TABLE[0] * 1
        a[0] = 100.0
        return first + TABLE[0] * 1

    table = np.zeros(3)
    monkeypatch.setitem(globals(), "TABLE", table)
    compiled = ag.compile(program, fallback="error")
    assert compiled(np.ones(3)) == 0.0
    assert compiled(table) == 100.0


def test_eager_is_the_plain_function():
    """Inside `eager()` the plain function itself runs; before and after it the program."""
    compiled = ag.compile(transform, fallback="error")
    codes = codes_of([transform])
    assert compiled(3) == 6
    assert not entered(lambda: compiled(3), codes)
    with ag.eager():
        assert entered(lambda: compiled(3), codes) == ["transform"]
    assert not entered(lambda: compiled(3), codes)


def test_run_eagerly_switches_back_and_forth():
    """Both directions, several times."""
    compiled = ag.compile(transform, fallback="error")
    for _ in range(2):
        ag.run_eagerly(True)
        try:
            assert entered(lambda: compiled(2), codes_of([transform])) == ["transform"]
        finally:
            ag.run_eagerly(False)
        assert not entered(lambda: compiled(2), codes_of([transform]))
        assert compiled(2) == 4
    assert len(compiled.signatures) == 1


def test_a_change_of_the_function_behind_a_helper_is_seen(monkeypatch):
    """A helper's helper is found through its global at each call."""
    compiled = ag.compile(calls_helper, fallback="error")
    assert compiled(3) == 6
    monkeypatch.setitem(globals(), "transform", other_transform)
    assert compiled(3) == 4


def calls_helper(x):
    """Call a helper that calls another."""
    return reads_global_function(x)
