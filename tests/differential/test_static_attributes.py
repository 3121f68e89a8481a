"""Classes, functions and operators of the user's own that a trace may build in."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


class Counter:
    """Holds a number, and logs what is done to it."""

    made = 0
    names = ("a",)
    seen: list[object] = []  # noqa: RUF012  # shared on purpose

    def __init__(self, value):
        self.value = value

    @functools.cached_property
    def double(self):
        """Print when computed."""
        print("double")
        return self.value * 2

    def step(self, x):
        """Return something that the test replaces."""
        return self.value + x

    def __add__(self, other):
        """Decline at run time."""
        if self.value > 2:
            return NotImplemented
        return "add"

    def __radd__(self, other):
        """Answer for the second operand."""
        return "radd"


class Special(Counter):
    """Goes first as a second operand."""

    def __radd__(self, other):
        """Answer instead of the first operand."""
        return "special"


class Dynamic:
    """Answers for every attribute."""

    def __getattr__(self, name):
        """Print what is asked for."""
        print(name)
        return len(name)


def counted(x):
    """Return `x`, and count."""
    counted.calls += 1
    return x


counted.calls = 0


def reset() -> None:
    """Undo what programs do."""
    Counter.made, Counter.seen = 0, []
    counted.calls = 0


def state() -> object:
    """Return what programs may change."""
    return Counter.made, Counter.seen, counted.calls


def agree(function: Callable[..., object], *makers: Callable[[], tuple[object, ...]]) -> None:
    """Assert that `function` does compiled what it does plain, staged or not."""
    compiled = ag.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for _ in range(2):
            for make in makers:
                reset()
                want = observe(function, make(), __file__, state)
                reset()
                assert not differences(observe(compiled, make(), __file__, state), want)


def test_attributes_of_classes_are_assigned():
    """An assignment or deletion is seen by the class, and no symbol is."""

    def program(x):
        Counter.made = x + 1
        return Counter.made

    def in_place(x):
        Counter.made += x
        Counter.seen.append(x)
        return Counter.made, Counter.seen

    def by_setattr(x):
        setattr(Counter, "made", x)  # noqa: B010  # on purpose
        return Counter.made

    for function in (program, in_place, by_setattr):
        agree(function, lambda: (1,), lambda: (2.5,))


def test_attributes_of_functions_are_assigned():
    """A function counts its calls."""

    def program(x):
        return counted(x) + counted(x), counted.calls

    agree(program, lambda: (1,), lambda: (2.5,))


def test_attributes_of_classes_are_read_again():
    """A number, a tuple and a method of a class are what they are at the call."""

    def program(x, counter):
        return Counter.made + x, Counter.names, counter.step(x)

    compiled = ag.compile(program, fallback="error")
    step = Counter.step
    try:
        for made in (0, 1, True, 1.0, -0.0):
            Counter.made, Counter.names = made, (made,)
            assert repr(compiled(2, Counter(5))) == repr(program(2, Counter(5)))
        Counter.step = lambda self, x: self.value - x
        assert compiled(2, Counter(5)) == program(2, Counter(5))
    finally:
        reset()
        Counter.step, Counter.names = step, ("a",)


def test_arrays_of_classes_are_left_alone_by_tracing():
    """A list or an array kept in a class is written once for each call."""

    def program(x):
        Counter.seen += [x]
        return len(Counter.seen)

    agree(program, lambda: (1,))


def test_computed_attributes_are_computed_in_their_place():
    """A cached property prints where it is read, and only if it is."""

    def program(counter, x):
        print("before")
        return counter.double + counter.double if x > 0 else 0

    agree(program, lambda: (Counter(1), 1), lambda: (Counter(1), -1), lambda: (Counter(2.5), 1))


def test_objects_with_attributes_of_their_own_are_not_asked():
    """``__getattr__`` runs as often as in the plain function."""

    def program(item, xs):
        return item.first + item.second + sum(isinstance(x, np.matrix) for x in xs)

    agree(program, lambda: (Dynamic(), [1]))


def test_class_of_a_value():
    """``__class__`` and other special names belong to the value."""

    def program(x):
        return x.__class__, x.__class__ is type(x), x.__class__.__name__, x.__doc__

    agree(program, lambda: (1,), lambda: ("a",), lambda: (np.ones(2),), lambda: (Counter(1),))

    def called(x):
        return x.__add__(1), x.__eq__(3), x.__str__(), x.__abs__()

    agree(called, lambda: (3,), lambda: (-2.5,))


def test_who_answers_an_operator():
    """A subclass on the right goes first, NotImplemented passes on, NumPy sees items."""

    def program(a, b):
        return a + b

    pairs = [
        (Counter(1), Special(1)), (Special(1), Counter(1)), (Counter(3), Counter(1)),
        (Counter(3), Special(1)), (Special(3), Special(1)), (1, Counter(1)), (Counter(3), 1),
        (np.arange(2), Counter(1)), (np.float64(1), Counter(1)), ([1], Counter(1)),
        (np.ones(2), Special(3)), (Dynamic, Counter(1)),
    ]  # fmt: skip
    for pair in pairs:
        agree(program, lambda pair=pair: pair)


def test_builtins_are_compared():
    """A builtin given as an argument is the builtin that the code names."""

    def program(f, x):
        return f is len, f == abs, f in (len, sum), {len: 1, abs: 2}.get(f), type(x) is range

    agree(program, lambda: (len, range(2)), lambda: (abs, 3), lambda: (sum, [1]))


def test_streams_are_those_of_the_call():
    """``sys.stdout`` is looked up when the call writes to it."""

    def program(x):
        print(x, file=sys.stdout)
        sys.stdout.write("end\n")
        return x

    agree(program, lambda: (1,))


def test_lists_made_by_methods_of_texts_are_made_at_run_time():
    """A trip of a loop appends to the list that this call made."""

    def program(n):
        parts = "a b".split()
        for i in range(n):
            parts.append(str(i))
        return parts, len(parts)

    agree(program, lambda: (3,), lambda: (0,))


def announced(function):
    """Print before each call."""

    @functools.wraps(function)
    def wrapper(x):
        print("enter", function.__name__)
        return function(x)

    return wrapper


@announced
@ag.compile
def inner(x):
    """Return more."""
    return x + 1


def test_decorator_around_a_compiled_function():
    """What another decorator copied does not hide what it does."""

    def program(x):
        return inner(x)

    agree(program, lambda: (1,))
    agree(inner, lambda: (1,))


def test_errors_of_plain_calls_have_no_context():
    """A call that falls back does not run while an error of the compiler is handled."""

    def failing(x):
        squares = (v for v in [x])
        if x > 0:
            raise ValueError(sys.exc_info())
        return squares

    compiled = ag.compile(failing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for _ in range(2):
            with pytest.raises(ValueError, match="None, None, None") as caught:
                compiled(1)
            assert caught.value.__context__ is None


def test_new_functions_do_not_trace_without_end():
    """A new lambda for each call makes a few traces, then the calls are plain."""

    def program(f, x):
        return f(x)

    compiled = ag.compile(program)
    with pytest.warns(ag.AutographWarning, match="each new value of f"):
        results = [compiled(lambda v, k=k: v + k, 1) for k in range(30)]
    assert results == list(range(1, 31))
    assert len(compiled.signatures) <= 8


def test_builtins_are_those_of_the_call(monkeypatch):
    """A builtin that somebody replaces is the one that is called."""

    def program(x):
        if x < 0:
            return abs(x)
        return x

    compiled = ag.compile(program, fallback="error")
    assert compiled(-1) == 1
    monkeypatch.setattr("builtins.abs", str)
    assert compiled(-1) == "-1"
    monkeypatch.undo()
    assert compiled(-1) == 1


def test_types_of_arguments_have_no_limit_of_traces():
    """Only what is built in counts towards the limit, and only where it differs."""

    def program(x):
        return np.sum(x) * len(x)

    compiled = ag.compile(program, fallback="error")
    for kind in "bBhHiIlLefdFD":
        for rank in (1, 2):
            assert compiled(np.ones((2,) * rank, kind)) == program(np.ones((2,) * rank, kind))
    assert len(compiled.signatures) == 26


class Method:
    """Has a method that objects may hide."""

    def __init__(self, value, run=None):
        self.value = value
        if run is not None:
            self.run = run

    def run(self, x):
        """Be the method of the class."""
        return self.value + x


def test_objects_that_hide_a_method():
    """An attribute of the object itself goes before the method of its class."""

    def called(item, x):
        return item.run(x)

    def assigned(item, x):
        before = item.run(x)
        item.run = abs
        between = item.run(-x)
        del item.run
        return before, between, item.run(x)

    def by_name(item, x):
        setattr(item, "run", abs)  # noqa: B010  # on purpose
        between = item.run(-x)
        delattr(item, "run")
        return between, item.run(x)

    def made(item, x):
        return Method(x, abs).run(-x), Method(x).run(x)

    for function in (called, assigned, by_name, made):
        agree(function, lambda: (Method(1), 2), lambda: (Method(1, abs), -2))


def test_attribute_that_is_deleted():
    """A deleted attribute is not read from what was there at the call."""

    def program(item, x):
        before = item.value
        if x > 0:
            del item.value
        return before, hasattr(item, "value"), item.value

    agree(program, lambda: (Method(1), 0), lambda: (Method(1), 1))


def test_builtins_as_text():
    """The text of a builtin is its own."""

    def program(x):
        return f"{len}", str(abs), repr(range), f"{print!r} {x}", f"{sum}"

    agree(program, lambda: (1,))


def test_same_tuple_is_itself():
    """A tuple is identical to itself, not to another with the same items."""

    def program(x):
        one = (1, x)
        other = one
        return one is other, one is not other, one is (1, x)

    agree(program, lambda: (1,), lambda: ("a",))


def test_little_room_on_the_stack():
    """A first call near the recursion limit decides nothing for later ones."""

    def program(x):
        return [v * x for v in range(3)] if x > 0 else x

    def deeply(depth, function):
        return function(2) if depth == 0 else deeply(depth - 1, function)

    for room in range(40, 640, 50):
        compiled = ag.compile(program)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ag.AutographWarning)
            try:
                deeply(_room_left() - room, compiled)
            except RecursionError:
                pass
        assert compiled(2) == [0, 2, 4]
        assert len(compiled.signatures) == 1


def _room_left() -> int:
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return sys.getrecursionlimit() - depth


def helper(x, k=2):
    """Return a multiple of `x`."""
    return x * k


def other_helper(x, k=3):
    """Return a sum, to take the place of `helper`."""
    return x + k


def test_functions_that_are_changed_in_place():
    """New defaults of a function, or new code put into it, are seen by the next call."""

    def program(x):
        return helper(x) if x > 0 else x

    compiled = ag.compile(program, fallback="error")
    code, defaults = helper.__code__, helper.__defaults__
    try:
        for new in ((2,), (5,), (2.5,), (np.ones(2),)):
            helper.__defaults__ = new
            assert repr(compiled(3)) == repr(program(3))
        helper.__code__, helper.__defaults__ = other_helper.__code__, (1,)
        assert compiled(3) == program(3) == 4
    finally:
        helper.__code__, helper.__defaults__ = code, defaults
