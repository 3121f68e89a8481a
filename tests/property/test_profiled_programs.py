"""Random whole programs do with probes what they do plain."""

from __future__ import annotations

from agreement import disagreements
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import Writer

from runtime.profiling.recorder import RECORDER


@given(st.data())
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_programs_with_probes_agree_with_plain(data):
    """Value, aliasing, arguments, output, exception and its line are the plain function's."""
    program = Writer(lambda n: data.draw(st.integers(0, n - 1)), size=12).program()
    RECORDER.start(probes=True)
    try:
        found, _ = disagreements(program, "<random program>")
    finally:
        RECORDER.stop()
    assert not found, f"{program.text}\ncalls: {program.calls}\n" + "\n".join(found)
