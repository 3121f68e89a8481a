"""Every function of the corpus, plain against compiled."""

from __future__ import annotations

import functools
import inspect
import warnings
from dataclasses import dataclass

import pytest

import autograph as ag
from corpus import CASES, Case
from differential.harness import (
    codes_of,
    differences,
    entered,
    module_functions,
    observe,
    signature_key,
)


@dataclass(frozen=True)
class Record:
    """What the calls of one case did."""

    differing: tuple[str, ...]
    """Lines that tell where compiled and plain differ."""
    unexpected: tuple[str, ...]
    """Lines that tell where the plain function does not do what the case says."""
    entered: tuple[str, ...]
    """Functions of the user's that a second call ran."""
    traces_of_second_calls: int
    traces: int
    kinds: int
    """How many different combinations of argument types there were."""


@functools.cache
def record(case: Case) -> Record:
    """Run all calls of `case`, each twice, plain and compiled."""
    compiled = ag.compile(case.function, fallback="error" if case.staged else "warn")
    module = inspect.getmodule(case.function)
    assert module is not None
    codes = codes_of(module_functions(module))
    file = module.__file__ or ""
    differing: list[str] = []
    unexpected: list[str] = []
    ran: dict[str, None] = {}
    again = 0
    kinds = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for k, (maker, raises) in enumerate(zip(case.makers, case.raises, strict=True)):
            arguments = maker()
            kinds[signature_key(arguments)] = None
            want = observe(case.function, arguments, file, case.watch)
            name = f"call {k}"
            expected = None if raises is None else f"{raises.__module__}.{raises.__qualname__}"
            if (want.result[1][1] if want.result[0] == "raised" else None) != expected:
                unexpected.append(f"{name}: {want.result!r} instead of {expected}")
            got = observe(compiled, maker(), file, case.watch)
            differing += [f"{name}, {line}" for line in differences(got, want)]
            before = len(compiled.signatures)
            outcomes = []
            arguments = maker()

            def second(arguments=arguments, outcomes=outcomes):
                outcomes.append(observe(compiled, arguments, file, case.watch))

            ran.update(dict.fromkeys(entered(second, codes)))
            again += len(compiled.signatures) - before
            differing += [f"{name}, again, {line}" for line in differences(outcomes[0], want)]
    return Record(
        tuple(differing), tuple(unexpected), tuple(ran), again, len(compiled.signatures), len(kinds)
    )


def named(cases: list[Case]) -> pytest.MarkDecorator:
    """Return the decorator that runs a test for each of `cases`."""
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


STAGED = [case for case in CASES if case.staged]


@named(CASES)
def test_compiled_agrees_with_plain(case):
    """Compiled twice, every call does what the plain function does."""
    result = record(case)
    assert not result.unexpected, "\n".join(result.unexpected)
    assert not result.differing, "\n".join(result.differing)


@named(STAGED)
def test_staged_calls_run_none_of_the_users_code(case):
    """A second call enters no code object of the user's module and traces nothing."""
    result = record(case)
    assert not result.entered
    assert result.traces_of_second_calls == 0


@named([case for case in STAGED if not case.retraces])
def test_new_lengths_and_numbers_do_not_trace_again(case):
    """There are no more traces than combinations of argument types."""
    result = record(case)
    assert result.traces <= result.kinds


def test_the_corpus_is_large_and_mostly_staged():
    """At least 120 functions, with different names; most of them staged."""
    assert len({case.name for case in CASES}) == len(CASES) >= 120
    assert len(STAGED) >= 120
