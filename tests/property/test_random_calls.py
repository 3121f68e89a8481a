"""Random calls of NumPy's functions and methods: compiled, they do what NumPy does.

Compared are value, dtype, shape, layout, aliasing, error with its words and line, and warnings; and
the type in the graph must describe what the call returned.
"""

from __future__ import annotations

import random

import pytest
from comparing import disagreements
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_call_expressions import call_snippet
from sampled_calls import NAMES, sampled_snippet


@st.composite
def snippets(draw, write):
    """Draw a function that makes a call several times."""
    return write(lambda n: draw(st.integers(0, n - 1)))


def check(snippet):
    """Fail if a snippet differs compiled, or is not staged."""
    found = disagreements(snippet, staged=True)
    assert not found, f"{snippet}\n" + "\n".join(found)


@given(snippets(call_snippet))
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck),
          phases=(Phase.explicit, Phase.generate))  # fmt: skip
def test_random_calls_of_ufuncs_and_reductions(snippet):
    check(snippet)


@given(snippets(sampled_snippet))
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck),
          phases=(Phase.explicit, Phase.generate))  # fmt: skip
def test_random_calls_like_the_samples(snippet):
    check(snippet)


@pytest.mark.slow
@pytest.mark.parametrize("write", [call_snippet, sampled_snippet])
@pytest.mark.parametrize("block", range(4))
def test_many_random_calls(block, write):
    for seed in range(1000 * block, 1000 * (block + 1)):
        check(write(random.Random(seed).randrange))


def test_samples_of_most_functions_can_be_written():
    assert len(NAMES) > 250
