"""Random index expressions, read and written: compiled, they do what NumPy does."""

from __future__ import annotations

import random

import pytest
from comparing import disagreements
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_index_expressions import indexing_snippet


@st.composite
def snippets(draw):
    """Draw a function that reads and writes by index."""
    return indexing_snippet(lambda n: draw(st.integers(0, n - 1)))


def check(snippet):
    """Fail if a snippet differs compiled, or is not staged."""
    found = disagreements(snippet, staged=True)
    assert not found, f"{snippet}\n" + "\n".join(found)


@given(snippets())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck),
          phases=(Phase.explicit, Phase.generate))  # fmt: skip
def test_random_indexes(snippet):
    check(snippet)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_many_random_indexes(block):
    for seed in range(1000 * block, 1000 * (block + 1)):
        check(indexing_snippet(random.Random(seed).randrange))
