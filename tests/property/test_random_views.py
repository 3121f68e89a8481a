"""Random programs of views, aliases, reads and writes: after every statement as with NumPy.

The long ones log every array; the short ones do the same few reads before and after a write.
"""

from __future__ import annotations

import random
import re

import pytest
from comparing import disagreements
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_alias_programs import HOLDERS, TWINS, WAYS, WRITING, alias_snippet
from random_view_programs import STATEMENTS, view_snippet


@st.composite
def snippets(draw):
    """Draw a program of few statements."""
    return view_snippet(lambda n: draw(st.integers(0, n - 1)), size=6)


def check(snippet):
    """Fail if a program differs compiled; a dead operation's warning may go."""
    found = disagreements(snippet, warned=False)
    assert not found, f"{snippet}\n" + "\n".join(found)


@st.composite
def short_snippets(draw):
    """Draw a program of one or two reads around a write."""
    size = draw(st.integers(1, 2))
    return alias_snippet(lambda n: draw(st.integers(0, n - 1)), size=size)


@given(snippets())
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck),
          phases=(Phase.explicit, Phase.generate))  # fmt: skip
def test_random_views_and_writes(snippet):
    check(snippet)


@given(short_snippets())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck),
          phases=(Phase.explicit, Phase.generate))  # fmt: skip
def test_random_reads_around_writes(snippet):
    check(snippet)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_many_random_reads_around_writes(block):
    for seed in range(200 * block, 200 * (block + 1)):
        check(alias_snippet(random.Random(seed).randrange))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_many_random_views_and_writes(block):
    for seed in range(200 * block, 200 * (block + 1)):
        check(view_snippet(random.Random(seed).randrange))


def test_programs_use_nearly_every_statement():
    programs = "".join(str(view_snippet(random.Random(seed).randrange)) for seed in range(300))
    statements = "".join(line for group in STATEMENTS for line in group)
    assert set(re.findall(r"np\.\w+", statements)) <= set(re.findall(r"np\.\w+", programs))


def test_short_programs_use_every_function_of_the_lists():
    programs = "".join(str(alias_snippet(random.Random(seed).randrange)) for seed in range(600))
    statements = "".join((HOLDERS, WAYS, WRITING, *TWINS))
    used, wanted = (set(re.findall(r"(?:np)?\.[a-z]\w+", text)) for text in (programs, statements))
    assert wanted <= used
