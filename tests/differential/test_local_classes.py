"""Classes made inside a compiled function: staged where they stay inside, refused where not."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe, without_accidents


class Base:
    """A class that local ones derive from."""

    def twice(self, v):
        return v * 2


class Watching:
    """A class whose objects run code whenever an attribute is read."""

    def __getattr__(self, name):
        return 7


def counter(x, n):
    """A method changes what it captured."""
    seen = []

    class Counter:
        def see(self, v):
            seen.append(v)
            return v + len(seen)

    c = Counter()
    for _ in range(n):
        x = c.see(x)
    return x, seen


def with_state(x, n):
    """Objects keep attributes, and have more than one method."""

    class Account:
        """Money."""

        rate = 0.5

        def __init__(self, start, step=1):
            self.total = start
            self.step = step

        def add(self, v):
            if v > 2:
                self.total = self.total + v * self.rate
            else:
                self.total = self.total - self.step
            return self

        def value(self):
            return self.total

    a = Account(x)
    b = Account(x, step=3)
    for i in range(n):
        a.add(i)
        b.add(-i)
    return a.value(), b.value(), a.rate, Account.rate, Account.__doc__, Account.__name__


def arrays(x):
    """Attributes are arrays that methods write into."""

    class Buffer:
        def __init__(self, data):
            self.data = data

        def scale(self, k):
            self.data *= k

    b = Buffer(x)
    b.scale(3.0)
    return b.data, x


def nonlocal_count(x, n):
    """A method rebinds a variable of the function."""
    count = 0

    class Probe:
        def note(self, v):
            nonlocal count
            count += 1
            return v * 2

    p = Probe()
    x = p.note(x)
    x = p.note(x)
    return x, count


def operators(x):
    """Operators mean the methods of the class."""

    class Vector:
        def __init__(self, a, b):
            self.a = a
            self.b = b

        def __add__(self, other):
            return Vector(self.a + other.a, self.b + other.b)

        def __getitem__(self, i):
            return self.a if i == 0 else self.b

        def __len__(self):
            return 2

        def __call__(self, k):
            return self.a * k

    v = Vector(x, 2 * x) + Vector(1, 2)
    return v[0], v[1], len(v), v(10)


def derived(x):
    """A base class may be one of the file, or a local one."""

    class Child(Base):
        def more(self, v):
            return self.twice(v) + 1

    class Grandchild(Child):
        def most(self, v):
            return self.more(v) + 1

    g = Grandchild()
    return g.most(x), isinstance(g, Base), isinstance(g, Child)


def chosen(x, n):
    """One of two objects of one class, chosen while it runs, and kept round a loop."""

    class Cell:
        def __init__(self, v):
            self.v = v

        def bump(self):
            self.v = self.v + 1

    a = Cell(x)
    b = Cell(-x)
    best = a if x > 0 else b
    for i in range(n):
        best.bump()
        if i % 2 == 0:
            best = a
        else:
            best = b
    return a.v, b.v, best.v, best is a


def in_try(x):
    """Made inside a ``try``, used after it."""
    try:
        class Holder:
            def inverse(self, v):
                return 1 / v

        h = Holder()
        y = h.inverse(x)
    except ZeroDivisionError:
        y = -1.0
    return y


def managed(x):
    """A context manager."""
    trail = []

    class Manager:
        def __enter__(self):
            trail.append("in")
            return 5

        def __exit__(self, kind, error, traceback):
            trail.append("out")
            return True

    with Manager() as five:
        x = 1 / x
        trail.append(five)
    return x, trail


def helper(x):
    """Make one in a function that is inlined."""

    class Inner:
        def __init__(self, v):
            self.v = v

    return Inner(x).v + 1


def twice_inlined(x):
    """Call it twice."""
    return helper(x) * helper(x + 1)


def in_a_class_of_a_branch(x):
    """The class itself is made in a branch."""
    y = 0
    if x > 0:
        class Local:
            def get(self, v):
                return v + 1

        y = Local().get(x)
    return y


def slots(x):
    """A class with slots."""

    class Point:
        __slots__ = ("a", "b")

        def __init__(self, a):
            self.a = a

    p = Point(x)
    return p.a


STAGED = {
    counter: [(1.5, 0), (1.5, 3)],
    with_state: [(1.0, 0), (1.0, 6), (2, 5)],
    arrays: [(np.array([1.0, 2.0]),)],
    nonlocal_count: [(1, 3), (1.5, 0)],
    operators: [(1,), (2.5,)],
    derived: [(3,), (np.arange(3.0),)],
    chosen: [(1, 0), (1, 3), (-2, 4)],
    in_try: [(2.0,), (0,)],
    managed: [(2.0,), (0,)],
    twice_inlined: [(2.0,), (3,)],
    in_a_class_of_a_branch: [(1,), (-1,)],
    slots: [(3,)],
}


@pytest.mark.parametrize("function", STAGED, ids=lambda f: f.__name__)
def test_agrees(function):
    """The compiled function does what the plain one does, without falling back."""
    compiled = ag.compile(function, fallback="error")
    for arguments in STAGED[function]:
        got = without_accidents(observe(compiled, copy.deepcopy(arguments), __file__))
        want = without_accidents(observe(function, copy.deepcopy(arguments), __file__))
        assert not differences(got, want)


def returned(x):
    """An object is returned."""

    class Probe:
        pass

    return Probe()


def in_list(x):
    """An object is kept in a list."""

    class Probe:
        pass

    kept = [Probe()]
    return len(kept)


def in_tuple(x):
    """An object is returned in a tuple."""

    class Probe:
        pass

    return x, Probe()


def class_returned(x):
    """The class is returned."""

    class Probe:
        pass

    return Probe


def printed(x):
    """An object is printed."""

    class Probe:
        pass

    print(Probe() is None, Probe())
    return x


def in_attribute(x):
    """An object is the attribute of another."""

    class Node:
        pass

    a = Node()
    a.next = Node()
    return x


def asked_for_truth(x):
    """Python asks an object for its truth."""

    class Never:
        def __bool__(self):
            return False

    return 1 if Never() else 2


def compared(x):
    """Python compares objects with a method."""

    class Same:
        def __eq__(self, other):
            return True

    return Same() == Same()


def raised(x):
    """An object is raised."""

    class Stop(Exception):
        pass

    try:
        if x > 0:
            raise Stop
    except Stop:
        return 1
    return 0


def method_kept(x):
    """A bound method is kept."""

    class Probe:
        def note(self):
            return 1

    kept = [Probe().note]
    return kept[0]()


def shadowed(x):
    """An attribute hides a method."""

    class Probe:
        def note(self):
            return 1

    p = Probe()
    p.note = x
    return p.note


def made_in_a_loop(x, n=3):
    """Each trip makes a class of its own."""
    previous = None
    answers = []
    for _ in range(int(x)):
        class Probe:
            pass

        answers.append(isinstance(previous, Probe))
        previous = Probe()
    return answers


def watching(x):
    """Reading an attribute runs code of the base class."""

    class Child(Watching):
        pass

    return Child().anything


def asked_for_its_class(x):
    """The class of an object is asked for."""

    class Probe:
        pass

    return type(Probe()) is Probe


LEAVING = [
    returned, in_list, in_tuple, class_returned, printed, in_attribute, asked_for_truth, compared,
    raised, method_kept, shadowed, made_in_a_loop, watching, asked_for_its_class,
]  # fmt: skip


@pytest.mark.parametrize("function", LEAVING, ids=lambda f: f.__name__)
def test_refused(function):
    """What leaves the function runs as plain Python, and the reason names the class."""
    with pytest.raises(ag.ConversionError, match=r"class|Probe|method"):
        ag.compile(function, fallback="error")(20)


def computed_base(x):
    """A base class that is no name."""

    class Probe(np.ndarray if x else Base):
        pass

    return x


def computed_attribute(x):
    """A class attribute that is computed."""

    class Probe:
        size = len("abc")

    return Probe.size


def decorated(x):
    """A decorated method."""

    class Probe:
        @staticmethod
        def note():
            return 1

    return Probe.note()


def zero_argument_super(x):
    """A method that uses ``super``."""

    class Probe(Base):
        def twice(self, v):
            return super().twice(v)

    return Probe().twice(x)


def private(x):
    """A private name, which Python writes differently inside a class."""

    class Probe:
        def __init__(self):
            self.__x = 1

    return Probe()._Probe__x


def finalizer(x):
    """A method that Python calls when it likes."""

    class Probe:
        def __del__(self):
            print("gone")

    Probe()
    return x


def name_of_the_body(x):
    """A default that is a name of the class body."""

    class Probe:
        size = 3

        def note(self, n=size):
            return n

    return Probe().note()


REFUSED = [
    computed_base, computed_attribute, decorated, zero_argument_super, private, finalizer,
    name_of_the_body,
]  # fmt: skip


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_refused_before_tracing(function):
    """What may not be written in such a class is refused with its place."""
    with pytest.raises(ag.ConversionError, match="inside"):
        ag.compile(function, fallback="error")(1)
