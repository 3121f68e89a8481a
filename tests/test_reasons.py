"""Why a call falls back is said with the user's file and line."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag


def test_what_cannot_be_returned_is_located_at_the_function():
    """The function has ended when its result turns out not to fit a graph."""

    def program(x):
        return (lambda **named: named)(k=x)

    line = program.__code__.co_firstlineno
    with pytest.raises(ag.ConversionError, match=rf"test_reasons\.py:{line}: "):
        ag.compile(program, fallback="error")(1)


class One:
    """A class of the user's: what is called has to be known."""

    number = 1


class Two(One):
    """Another one."""

    number = 2


def test_the_limit_of_traces_is_located_and_names_the_argument():
    """Eight traces are made for values that have to be built in, then no more."""

    def program(k):
        return (One, Two, One, Two, One, Two, One, Two, One, Two)[k].number

    compiled = ag.compile(program)
    line = program.__code__.co_firstlineno
    with pytest.warns(ag.AutographWarning, match=rf"test_reasons\.py:{line}: .* value of k;"):
        assert [compiled(k) for k in range(10)] == [program(k) for k in range(10)]
    assert len(compiled.signatures) == 8


def _refused_helper(x):
    return sorted(locals())


def _calls_a_refused_helper(x):
    y = x + 1
    return _refused_helper(y)


def test_refusal_inside_a_helper_shows_its_place_and_then_the_call():
    """One position leads the message: the innermost."""
    with pytest.raises(ag.ConversionError) as caught:
        ag.compile(_calls_a_refused_helper, fallback="error")(1)
    first, *_, last = str(caught.value).splitlines()
    assert first.count("test_reasons.py:") == 1
    assert f":{_refused_helper.__code__.co_firstlineno + 1}:" in first
    line = _calls_a_refused_helper.__code__.co_firstlineno + 2
    assert last.startswith("    where ")
    assert last.endswith(f"test_reasons.py:{line} calls it")


def tuple_asked_for_its_identity(x):
    pair = (x, 1)
    kept = {"pair": pair}
    return kept["pair"] is pair


def test_the_identity_of_a_tuple_made_at_run_time_falls_back():
    with pytest.raises(ag.ConversionError, match=r"identity of a tuple .* compare with =="):
        ag.compile(tuple_asked_for_its_identity, fallback="error")(np.ones(2))
    with pytest.warns(ag.AutographWarning, match="identity of a tuple"):
        assert ag.compile(tuple_asked_for_its_identity)(np.ones(2)) is True


def test_a_tuple_is_itself_and_is_not_none():
    def same(x):
        pair = (x, 1)
        other = pair
        return pair is other, pair is None, pair is not None

    assert ag.compile(same, fallback="error")(np.ones(2)) == (True, False, True)


def stops_at_an_item(values, log):
    def item(value):
        log.append(value)
        return value

    return min(item(value) for value in values)


def test_a_generator_with_effects_that_min_may_stop_falls_back():
    log = []
    with pytest.warns(ag.AutographWarning, match=r"make a list of the items first: min\(\[...\]\)"):
        with pytest.raises(TypeError, match="not supported between instances"):
            ag.compile(stops_at_an_item)([3, "a", 2], log)
    assert log == [3, "a"]


def sums_of_items_without_effects(values, pairs, rng):
    return sum(v * v for v in values), sum(a * b for a, b in pairs), sum(
        rng.normal() for _ in range(3)
    )


def test_a_generator_without_effects_or_of_numbers_is_compiled():
    program = ag.compile(sums_of_items_without_effects, fallback="error")
    result = program([1, 2], [(1, 2), (3, 4)], np.random.default_rng(0))
    assert result == sums_of_items_without_effects(
        [1, 2], [(1, 2), (3, 4)], np.random.default_rng(0)
    )
