"""Parameters of every kind, and the decorator on every kind of function."""

from __future__ import annotations

import functools

import numpy as np

import autograph as ag


def every_kind(a, b=2, /, c=3, *rest, d, e=5, **more):
    """Take parameters of every kind."""
    more["sum"] = a + b + c + sum(rest) + d + e
    for key in more:
        more[key] = more[key] * 2
    return more


def test_parameters_of_every_kind_arrive():
    """Positional-only, defaults, starred, keyword-only and further keywords."""
    compiled = ag.compile(every_kind, fallback="error")
    assert compiled(1, d=4) == every_kind(1, d=4)
    assert compiled(1, 2, 3, 4, 5, d=6, e=7, f=8) == every_kind(1, 2, 3, 4, 5, d=6, e=7, f=8)
    assert compiled(1, d=4, g=1.5, f=2) == every_kind(1, d=4, g=1.5, f=2)


def test_a_wrong_argument_is_pythons_own_error():
    """Class, words and name of the function."""
    compiled = ag.compile(every_kind, fallback="error")
    for wrong in (lambda f: f(), lambda f: f(1, 2, 3), lambda f: f(1, d=4, a=1, b=2)):
        plain, ours = [], []
        for function, seen in ((every_kind, plain), (compiled, ours)):
            try:
                seen.append(wrong(function))
            except TypeError as error:
                seen.append(str(error))
        assert ours == plain


def test_the_dictionary_of_keywords_is_fresh_at_each_call():
    """A caller's dictionary is not changed."""
    given = {"f": 1}
    compiled = ag.compile(every_kind, fallback="error")
    compiled(1, d=4, **given)
    assert given == {"f": 1}


class Model:
    """Holds the decorator on methods of each kind."""

    def __init__(self):
        self.weights = np.array([1.0, 2.0])

    @ag.compile(fallback="error")
    def method(self, x):
        """Multiply."""
        return x @ self.weights

    @staticmethod
    @ag.compile(fallback="error")
    def static(x):
        """Add one."""
        return x + 1

    @ag.compile(fallback="error")
    @classmethod
    def of_class(cls, x):
        """Name the class."""
        return cls.__name__, x

    def __call__(self, x):
        """Add."""
        return x + self.weights


def test_methods_of_each_kind():
    """Bound, static and class methods, and an object that is called."""
    model = Model()
    assert model.method(np.ones(2)) == 3.0
    assert Model.static(1) == model.static(1) == 2
    assert Model.of_class(1) == ("Model", 1)
    called = ag.compile(model, fallback="error")
    assert called(1.0).tolist() == [2.0, 3.0]
    model.weights = np.array([0.0, 1.0])
    assert model.method(np.ones(2)) == 1.0
    assert called(1.0).tolist() == [1.0, 2.0]
    assert len(Model.method.signatures) == 1


def test_a_partial_and_a_lambda():
    """Both are called with what is left."""
    partial = ag.compile(functools.partial(every_kind, 1, d=4), fallback="error")
    assert partial(5) == every_kind(1, 5, d=4)
    double = ag.compile(lambda x, by=2: x * by if x > 0 else by, fallback="error")
    assert (double(3), double(-1, 7)) == (6, 7)


def decorated(function):
    """Hand all arguments on."""

    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(function(*args, **kwargs))

    return inner


@decorated
def bump(x, by=1):
    """Add a number."""
    return x + by


def test_keywords_that_are_only_handed_on():
    """As decorators do."""

    @ag.compile(fallback="error")
    def program(x):
        return bump(x), bump(x, by=5)

    assert program(1) == (3, 7)
