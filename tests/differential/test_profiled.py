"""Every staged function of the corpus, plain against compiled with probes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator

import pytest

import autograph as ag
from corpus import CASES
from differential.harness import differences, observe
from runtime.profiling import probes
from runtime.profiling.recorder import RECORDER

STAGED = [case for case in CASES if case.staged]


@pytest.fixture(params=["some", pytest.param("all", marks=pytest.mark.slow)])
def recording(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Record with every execution timed, or with every third one."""
    if request.param == "some":
        monkeypatch.setattr(probes, "_begin", lambda made: lambda unit, n, now: (n + 3, False))
    RECORDER.start(probes=True)
    yield
    RECORDER.stop()


@pytest.mark.parametrize("case", STAGED, ids=[case.name for case in STAGED])
def test_corpus_with_probes_agrees_with_plain(case, recording):
    """Three calls each: the same outcome as the plain function has."""
    compiled = ag.compile(case.function, fallback="error")
    module = inspect.getmodule(case.function)
    assert module is not None
    file = module.__file__ or ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        for maker in case.makers:
            want = observe(case.function, maker(), file, case.watch)
            for _ in range(3):
                got = observe(compiled, maker(), file, case.watch)
                assert not (different := differences(got, want)), "\n".join(different)
    assert sum(one.calls for one in RECORDER.recordings.values()) >= 3 * len(case.makers)
