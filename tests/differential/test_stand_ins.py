"""What stands for the user's objects while tracing never shows in what the user gets to see."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autograph as ag


def method_not_called(x):
    """Forget the parentheses."""
    return x.sum + 1


def method_indexed(x):
    """Index a method."""
    return x.sum[0]


def builtin_added(x):
    """Add to a builtin function."""
    return len + x.size


def builtin_attribute(x):
    """Ask a builtin function for what it has not."""
    return len.size


def generator_function_added(x):
    """Add to a generator function."""

    def numbers():
        yield x

    return numbers + 1


def spread_number(x):
    """Spread what is no iterable into a list."""
    return [*..., x]


def printed_number(x):
    """Spread what is no iterable over parameters."""
    return print(*..., x)


def named_number(x):
    """Spread what is no mapping over parameters."""
    return dict(**x.size, a=1) if x is None else dict(**..., a=x)


@pytest.mark.parametrize(
    "program",
    [
        method_not_called,
        method_indexed,
        builtin_added,
        builtin_attribute,
        generator_function_added,
        spread_number,
        printed_number,
        named_number,
    ],
)
def test_errors_are_in_words_of_the_user(program):
    """Python's errors name the classes of operands: the user's, in the error and the warning."""
    x = np.ones(2)
    with pytest.raises((TypeError, AttributeError)) as plain:
        program(x)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        with pytest.raises((TypeError, AttributeError)) as compiled:
            ag.compile(program)(x)
    assert (type(compiled.value), str(compiled.value)) == (type(plain.value), str(plain.value))
    told = "".join(str(warning.message) for warning in given)
    assert not [word for word in ("autograph.", "runtime.", "Bound", "Replaced") if word in told]


def test_text_of_a_map_or_generator_is_not_made_while_tracing():
    """The text of an iterator tells where it is."""

    def program(n):
        def numbers():
            yield n

        return f"{map(abs, range(n))}"[:12], f"{numbers}"[:9], f"{numbers()}"[:17]

    with pytest.warns(ag.AutographWarning):
        assert ag.compile(program)(2) == ("<map object ", "<function", "<generator object")
