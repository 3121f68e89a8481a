"""Random whole programs do compiled what they do plain."""

from __future__ import annotations

from collections import Counter

from agreement import disagreements
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import Writer


@st.composite
def programs(draw):
    """Draw a random program."""
    return Writer(lambda n: draw(st.integers(0, n - 1)), size=16).program()


@given(programs())
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_program_compiled(program):
    """Value, aliasing, arguments, output, exception and its line are the plain function's."""
    found, _ = disagreements(program, "<random program>")
    assert not found, f"{program.text}\ncalls: {program.calls}\n" + "\n".join(found)


def test_programs_cover_the_language():
    """Two hundred programs contain every construct that the writer knows."""
    seen: Counter[str] = Counter()
    state = 1

    def choose(n: int) -> int:
        nonlocal state
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return (state >> 33) % n

    for _ in range(200):
        seen.update(Writer(choose).program().constructs)
    assert set(seen) >= {
        "if", "match", "while", "for", "loop else", "break", "continue", "return", "raise",
        "assert", "del", "try", "with", "inner function", "inner generator", "nonlocal",
        "call of inner function", "call of lambda", "late binding", "helper", "say", "generator",
        "generator used up", "any/all", "comprehension", "walrus", "f-string", "tuple assignment",
        "augmented assignment", "array write", "alias or view", "list", "dict", "global array",
        "global write", "attribute", "attribute write", "write in a helper", "out=", "print",
        "read, write, read", "retyped name", "and/or", "and/or as a value", "chained comparison",
        "conditional expression", "truth value as number", "question of type", "print before raise",
        "failure", "print before return", "print before break", "print before continue",
        "function handed over", "carried value", "joined value", "write through another name",
        "two failures",
    }  # fmt: skip
