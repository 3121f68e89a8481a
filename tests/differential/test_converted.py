"""Every function of the corpus, plain against converted but run as Python, on real values."""

from __future__ import annotations

from types import FunctionType

import pytest

from autograph import operators
from autograph.convert import convert
from autograph.errors import ConversionError
from corpus import CASES
from differential.harness import differences, observe


def converted_function(function: FunctionType) -> FunctionType:
    """Return the converted form of `function`, in the same globals and with the same cells."""
    conversion = convert(function)
    namespace = function.__globals__
    namespace[conversion.operators_name] = operators
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    converted = FunctionType(
        conversion.code,
        namespace,
        function.__name__,
        function.__defaults__,
        tuple(cells[name] for name in conversion.code.co_freevars),
    )
    converted.__kwdefaults__ = function.__kwdefaults__
    return converted


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_converted_agrees_with_plain(case):
    """The converted function does on real values what the plain one does."""
    try:
        converted = converted_function(case.function)
    except ConversionError:
        assert not case.staged
        return
    file = case.function.__code__.co_filename
    for maker in case.makers:
        want = observe(case.function, maker(), file, case.watch)
        assert not differences(observe(converted, maker(), file, case.watch), want)
