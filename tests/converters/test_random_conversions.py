"""Random programs, converted and run as plain Python, do what CPython does."""

from __future__ import annotations

from hypothesis import HealthCheck, given, note, settings
from programs import GLOBALS, depth_guard, function_in, held, programs
from running import converted_function, outcome, plain

from autograph.errors import ConversionError

REFUSED = ("(nonlocal)", "defaults that are computed", "jumps out of an outer loop")
INPUTS = ((0, 1, [2, 0, 1]), (3, 2, []), (1, 0, [1]))


def check(text):
    """Assert that the function in `text` means the same before and after conversion."""
    try:
        function = function_in(text)
    except SyntaxError:
        return  # patterns that Python itself refuses
    try:
        converted = converted_function(function)
    except ConversionError as error:
        assert any(reason in str(error) for reason in REFUSED), error
        return
    for arguments in INPUTS:
        seen = []
        for version in (function, converted):
            held.log = []
            version.__globals__.update(deeper=depth_guard(), held=held)
            for name in GLOBALS:
                version.__globals__.pop(name, None)
            result = outcome(version, arguments)
            left = [plain(version.__globals__.get(name)) for name in GLOBALS]
            seen.append((result, held.log, left))
        assert seen[0] == seen[1], arguments


@settings(
    max_examples=50, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(programs())
def test_converted_programs_agree_with_python(text):
    """Value, exception, its arguments, and what happened to the list are the same."""
    note(text)
    check(text)
