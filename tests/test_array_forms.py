"""Arrays whose dtype or shape changes in place: what is refused, and what is left open."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autograph as ag
from differential.harness import differences, observe


def reason(function, *arguments):
    """Return why a call falls back."""
    with pytest.raises(ag.ConversionError) as caught:
        ag.compile(function, fallback="error")(*arguments)
    return str(caught.value)


def resized(n):
    x = np.arange(4.0)
    x.resize(n)
    return x


def resized_with_two_names(n):
    x = np.arange(4.0)
    y = x
    x.resize(n)
    return x, y


def resized_with_a_view(n):
    x = np.arange(4.0)
    y = x[1:]
    x.resize(n)
    return x, y


def resized_in_a_list(n):
    held = [np.zeros(2)]
    held[0].resize(n)
    return held


@pytest.mark.parametrize(
    "function", [resized, resized_with_two_names, resized_with_a_view, resized_in_a_list]
)
def test_resize_that_counts_names_runs_as_plain_python(function):
    compiled = ag.compile(function)
    file = function.__code__.co_filename
    for n in (6, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ag.AutographWarning)
            assert not differences(observe(compiled, (n,), file), observe(function, (n,), file))


def test_the_reason_says_what_to_write():
    assert "np.resize" in reason(resized, 6)
    assert "refcheck=False" in reason(resized, 6)
    assert "np.resize" in reason(resized_in_a_list, 6)


def test_types_are_open_only_where_a_form_changes():
    def changed(x):
        y = x + 1
        x.shape = x.size
        return y

    def unchanged(x):
        y = x + 1
        x = x.reshape(x.size)
        return y

    x = np.ones((2, 2))
    assert "f64[" not in str(ag.compile(changed).graph(x))
    assert "f64[" in str(ag.compile(unchanged).graph(x))


def test_reads_of_the_form_are_not_merged_over_a_change():
    def program(x):
        before = (len(x), x.shape, x.ndim, x.T, x[1:], x.strides)
        x.shape = (3, 2)
        return before, (len(x), x.shape, x.ndim, x.T, x[1:], x.strides)

    text = ag.compile(program).program(np.ones((2, 3)))
    assert text.count("len(x)") == 2
    assert text.count("x.T") == 2


def test_views_are_made_before_writing_is_forbidden():
    @ag.compile(fallback="error")
    def program(x):
        view = x.T
        x.setflags(write=False)
        return view

    assert program(np.zeros(3)).flags.writeable
