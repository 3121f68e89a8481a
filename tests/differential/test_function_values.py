"""Inner functions and lambdas that become values at run time, compared with plain Python."""

# Loops that make functions are what is tested here.
# ruff: noqa: B007, B023, PERF401

from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe, without_accidents

SCALE = 2


def helper(v):
    """A function of the file that inner ones call."""
    return v + 100


def late_binding(n, x):
    """All see the last value of the loop's variable."""
    functions = []
    for i in range(n):
        functions.append(lambda: x * i)
    return [g() for g in functions]


def by_default(n, x):
    """Each keeps its own value, as a default."""
    functions = []
    for i in range(n):
        functions.append(lambda v, i=i, *, k=x: v * i + k)
    return [g(1.0) for g in functions], [g(2.0, 5, k=1.0) for g in functions]


def chosen(x):
    """The contents of an array choose a lambda."""
    step = (lambda v: v + 1) if x.sum() > 0 else (lambda v: v - 1)
    return step(step(x))


def chosen_by_if(x, k):
    """The same by a statement, with what they capture."""
    if x.sum() > 0:
        def step(v):
            return v * k
    else:
        def step(v):
            return v - k
    return step(x)


def in_dict(x, name):
    """Functions are chosen from a dict by a text."""
    table = {"double": lambda v: v * 2, "square": lambda v: v * v}
    return table[name](x), len(table)


def in_dict_by_contents(x):
    """The key depends on contents."""
    table = {True: lambda v: v * 2, False: lambda v: -v}
    return table[bool(x.sum() > 1)](x)


def in_tuple(x):
    """Functions are chosen from a tuple by a number known only at run time."""
    steps = (lambda v: v + 1, lambda v: v * 2, lambda v: -v)
    for i in range(int(x.sum())):
        x = steps[i % 3](x)
    return x


def counter(n):
    """Functions share a variable that they assign."""
    count = 0

    def up():
        nonlocal count
        count += 1
        return count

    def down(by=1):
        nonlocal count
        count -= by
        return count

    todo = []
    for i in range(n):
        todo.append(up if i % 3 else down)
    seen = [f() for f in todo]
    count += 10
    return seen, count, up(), down(by=3)


def assigned_later(n):
    """A variable is assigned after the function was made and kept."""
    kept = []
    for i in range(n):
        total = i

        def get():
            return total

        kept.append(get)
        total = total + 100
    total = -1
    return [g() for g in kept]


def unbound_at_first(n):
    """A free variable is not bound when the function runs."""
    kept = []
    for i in range(n):
        kept.append(lambda: later)
        if i > 0:
            later = i
    try:
        first = kept[0]()
    except NameError as error:
        first = str(error)
    return first, len(kept)


def identity(n):
    """One function object is one object, however often it is kept."""
    f = lambda: n  # noqa: E731  # on purpose
    kept = []
    for _ in range(n):
        kept.append(f)
        kept.append(lambda: n)
    return [g is f for g in kept], [kept[0] is g for g in kept], f is f


def writes_array(x, n):
    """A captured array is written through a function."""
    w = np.zeros(3)
    todo = []
    for i in range(n):
        todo.append(lambda: w.__setitem__(0, w[0] + x))
    before = w[0]
    for g in todo:
        g()
    return before, w, w.sum()


def sees_writes(x, n):
    """A function sees what was written after it was made."""
    w = np.zeros(3)
    kept = [lambda: w.sum()]
    for i in range(n):
        w[i % 3] += x
        kept.append(kept[0])
    return [g() for g in kept]


def nested(n, x):
    """Functions that return functions."""
    def make(k):
        def inner(v):
            return lambda w: v * k + w * x
        return inner

    kept = []
    for i in range(n):
        kept.append(make(i))
    return [g(2)(3) for g in kept]


def calls_each_other(n, x):
    """A function that is a value calls another inner function."""
    def base(v):
        return v * x

    def pure(v):
        return v + 1

    kept = []
    for i in range(n):
        kept.append(lambda v: pure(base(v)))
    return [g(3) for g in kept]


def uses_globals(n, x):
    """Globals are looked up when the function runs."""
    kept = []
    for i in range(n):
        kept.append(lambda v: helper(np.sin(v)) * SCALE + x)
    return [g(1.0) for g in kept]


def control_flow(n, x):
    """Loops and branches in the function."""
    def collatz(v):
        steps = 0
        while v != 1:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
            steps += 1
        return steps

    kept = {}
    for i in range(n):
        kept[i] = collatz
    return [kept[k](k + 1) for k in kept]


def raises(n, x):
    """An error inside comes out as it is."""
    kept = []
    for i in range(n):
        kept.append(lambda: 1 // (x - i))
    return [g() for g in kept]


def wrong_call(n):
    """A call that does not fit, in Python's words."""
    kept = []
    for i in range(n):
        kept.append(lambda a, /, b, *, c=1: (a, b, c))
    try:
        kept[0](1)
    except TypeError as error:
        return str(error)
    return kept[-1](1, b=2)


def names(n):
    """What a function says of itself."""
    def shown(a, b=2):
        """Say something."""

    kept = []
    for i in range(n):
        kept.append(shown)
    return [(g.__name__, g.__qualname__, g.__doc__, g.__defaults__, g.__module__) for g in kept]


def loop_state(x):
    """The function itself changes round a loop."""
    step = lambda v: v + 1  # noqa: E731  # on purpose
    for i in range(int(x)):
        x = step(x)
        if i == 2:
            step = lambda v: v * 2  # noqa: E731  # on purpose
    return x


def in_try(x, n):
    """Functions are made in a try, and called in its handler."""
    kept = []
    i = -1
    try:
        for i in range(n):
            kept.append(lambda: (i, x))
            if i == 2:
                raise ValueError("enough")
    except ValueError as error:
        i = 50
        return [g() for g in kept], str(error)
    return [g() for g in kept], i


def comprehension(n):
    """Made in a comprehension, whose variable they share."""
    kept = [lambda: i * 10 for i in range(n)]
    return [g() for g in kept]


def parameter_rebound(n, x):
    """A parameter changes after it was captured."""
    kept = []
    for _ in range(n):
        kept.append(lambda: x)
    x = x + 1
    return [g() for g in kept], x


def handed_to_numpy(x):
    """A function is handed to code that is not compiled."""
    k = x.sum()
    return np.apply_along_axis(lambda row: row * k, 0, x)


def sorted_with(xs, n):
    """A key function that changes."""
    key = lambda v: -v  # noqa: E731  # on purpose
    for _ in range(n):
        key = lambda v: v  # noqa: E731  # on purpose
    return sorted(xs, key=key)


STAGED = {
    late_binding: [(0, 2.0), (3, 2.0), (2, np.array([1.0, 10.0]))],
    by_default: [(0, 1.0), (3, 2.0)],
    chosen: [(np.array([1.0, 2.0]),), (np.array([-1.0]),)],
    chosen_by_if: [(np.array([1.0, 2.0]), 3), (np.array([-1.0]), 3)],
    in_dict: [(2.0, "double"), (3, "square"), (3, "no")],
    in_dict_by_contents: [(np.array([1.0, 2.0]),), (np.array([-1.0]),)],
    in_tuple: [(np.array([1.0, 3.0]),), (np.array([0.0]),)],
    counter: [(0,), (7,)],
    assigned_later: [(1,), (4,)],
    unbound_at_first: [(1,), (3,)],
    identity: [(1,), (3,)],
    writes_array: [(2.0, 0), (2.0, 3)],
    sees_writes: [(2.0, 0), (2.0, 4)],
    nested: [(0, 1), (3, 2.5)],
    calls_each_other: [(2, 1.5)],
    uses_globals: [(2, 1.5)],
    control_flow: [(0, 1), (7, 1)],
    raises: [(2, 5), (3, 1)],
    wrong_call: [(1,), (2,)],
    names: [(1,), (3,)],
    loop_state: [(1.0,), (6.0,)],
    in_try: [(1.5, 2), (1.5, 5)],
    comprehension: [(0,), (3,)],
    parameter_rebound: [(2, 5), (2, np.arange(2.0))],
    handed_to_numpy: [(np.arange(6.0).reshape(2, 3),)],
    sorted_with: [([3, 1, 2], 0), ([3, 1, 2], 2)],
}


@pytest.mark.parametrize("function", STAGED, ids=lambda f: f.__name__)
def test_agrees(function):
    """The compiled function does what the plain one does, without falling back."""
    compiled = ag.compile(function, fallback="error")
    for arguments in STAGED[function]:
        got = without_accidents(observe(compiled, copy.deepcopy(arguments), __file__))
        want = without_accidents(observe(function, copy.deepcopy(arguments), __file__))
        assert not differences(got, want)


def adder(x):
    """Return functions that share a variable, and read a global when they run."""
    total = 0

    def add(v, /, times=1):
        """Add."""
        nonlocal total
        for _ in range(times):
            total += v * x * SCALE
        return total

    return add, lambda: total


def test_a_function_that_leaves_goes_on_like_the_plain_one(monkeypatch):
    """It keeps its variables, and sees the globals of now."""
    compiled = ag.compile(adder, fallback="error")
    pairs = [adder(3), compiled(3), compiled(4)]
    assert [add(2) for add, _ in pairs] == [12, 12, 16]
    monkeypatch.setitem(globals(), "SCALE", 10)
    assert [add(1, times=2) for add, _ in pairs] == [72, 72, 96]
    assert [get() for _, get in pairs] == [72, 72, 96]
    plain, ours = pairs[0][0], pairs[1][0]
    assert inspect.signature(plain) == inspect.signature(ours)
    assert (plain.__qualname__, plain.__doc__) == (ours.__qualname__, ours.__doc__)
    with pytest.raises(TypeError) as wanted:
        plain(v=1)
    with pytest.raises(TypeError) as given:
        ours(v=1)
    assert str(given.value) == str(wanted.value)


def apply(function, x):
    """Call what is handed over."""
    return function(x) + 1


def test_a_function_that_left_may_be_handed_to_compiled_code():
    """There is no source to convert it from: it is called as it is."""
    add, _ = ag.compile(adder, fallback="error")(3)
    assert ag.compile(apply)(add, 2) == 13


def refers_to_itself(n):
    """A recursive function is kept."""
    def factorial(k):
        return 1 if k <= 1 else k * factorial(k - 1)

    return [factorial][0](n)


def any_number(n):
    """A function with any number of arguments is kept."""
    kept = []
    for i in range(n):
        kept.append(lambda *given, **named: (given, named, i))
    return kept[0](1, a=2)


def deletes(n):
    """A function deletes what it captured."""
    kept = n

    def drop():
        nonlocal kept
        del kept

    for action in [drop]:
        action()
    try:
        return kept
    except NameError:
        return "gone"


@pytest.mark.parametrize("function", [refers_to_itself, any_number])
def test_functions_that_are_handed_themselves_or_any_number_of_arguments(function):
    """They are values as well."""
    assert ag.compile(function, fallback="error")(3) == function(3)


def test_refused():
    """What cannot be followed runs as plain Python, and the reason names the function."""
    with pytest.raises(ag.ConversionError, match="the function drop deletes a variable"):
        ag.compile(deletes, fallback="error")(3)


def test_one_trace_serves_many_calls():
    """No further trace is made for other values of the same types."""
    compiled = ag.compile(late_binding, fallback="error")
    assert [compiled(n, 2.0) for n in (1, 2, 3)] == [late_binding(n, 2.0) for n in (1, 2, 3)]
    assert len(compiled.signatures) == 1


def chosen_of_the_file(x):
    """The contents of an array choose a function of the file."""
    function = helper if x.sum() > 0 else apply
    return function(x)


def test_functions_of_the_file_are_not_chosen_by_the_run():
    """They would run as plain Python, without a word."""
    with pytest.raises(ag.ConversionError, match=r"decides between functions \(helper, apply\)"):
        ag.compile(chosen_of_the_file, fallback="error")(np.ones(2))


def chosen_of_numpy(x):
    """The contents of an array choose a function of NumPy, and a dtype."""
    function = np.add if x.sum() > 0 else np.subtract
    dtype = np.float32 if x.sum() > 1 else float
    return function(x, 1).astype(dtype)


def test_functions_of_numpy_are_chosen_by_the_run():
    """They are called as they are, as always."""
    compiled = ag.compile(chosen_of_numpy, fallback="error")
    for x in (np.ones(2), -np.ones(2), np.full(1, 0.5)):
        got, want = compiled(x), chosen_of_numpy(x)
        assert got.dtype == want.dtype and (got == want).all()
