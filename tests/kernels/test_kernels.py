"""Every kernel, plain against compiled: the executor is NumPy, so agreement is exact."""

from __future__ import annotations

import functools

import pytest

from differential.test_differential import Record, record
from kernels import KERNELS


@functools.cache
def outcome(name: str) -> Record:
    """Return what the calls of one kernel did, or raise what compiling it raised."""
    return record(next(case for case in KERNELS if case.name == name))


NAMES = [case.name for case in KERNELS]


@pytest.mark.parametrize("name", NAMES)
def test_agrees(name):
    """Compiled, every call returns, changes and prints what the plain kernel does."""
    result = outcome(name)
    assert not result.unexpected, "\n".join(result.unexpected)
    assert not result.differing, "\n".join(result.differing)


@pytest.mark.parametrize("name", NAMES)
def test_is_staged_once(name):
    """Other sizes and numbers do not trace again; a second call runs none of the user's code."""
    result = outcome(name)
    assert not result.entered
    assert result.traces_of_second_calls == 0
    assert 0 < result.traces <= result.kinds


def test_there_are_enough_kernels():
    """At least 60 kernels, all with different names."""
    assert len(set(NAMES)) == len(NAMES) >= 60
