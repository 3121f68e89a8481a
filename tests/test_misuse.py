"""Wrong uses of `compile`, `TypeSpec` and the views are told with what to write instead."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import autograph as ag


class Model:
    """A user's class."""

    @property
    def rate(self) -> float:
        """A property."""
        return 2.0

    @functools.cached_property
    def size(self) -> int:
        """A cached property."""
        return 3


@functools.lru_cache
def cached(x: int) -> int:
    return x


WRONG: dict[str, tuple[Any, str]] = {
    "a class": (Model, "decorate its methods"),
    "a property": (Model.rate, "put @compile below the decorator that makes it"),
    "a cached property": (vars(Model)["size"], "put @compile below the decorator that makes it"),
    "a cached function": (cached, "put @compile below the decorator that caches"),
    "an option": ("error", r"write compile\(fallback='error'\)"),
    "a number": (3, "not 3$"),
    "an array": (np.ones(2), r"not array\(\[1., 1.\]\)$"),
    "a function of NumPy": (np.sum, "written in Python, not <function sum at [^;]*$"),
}


@pytest.mark.parametrize("case", WRONG)
def test_compile_says_what_to_decorate(case: str) -> None:
    wrong, advice = WRONG[case]
    with pytest.raises(TypeError, match=advice):
        ag.compile(wrong)


@pytest.mark.parametrize("wrong", [np.float64, 3, None])
def test_a_type_specification_is_text(wrong: object) -> None:
    with pytest.raises(TypeError, match="as text, such as 'f64"):
        ag.TypeSpec(wrong)


@ag.compile
def clipped(x: float) -> float:
    if x > 1:
        return 1.0
    return x


@ag.compile
def doubled(x: float) -> float:
    return x + x


@pytest.mark.parametrize("view", ["graph", "optimized", "program", "explain"])
def test_a_prompt_shows_a_view_as_it_is(view: str) -> None:
    shown = getattr(clipped, view)(2.0)
    assert repr(shown) == str(shown)
    assert "\n" in repr(shown)


@pytest.mark.parametrize("view", ["source", "converted"])
def test_a_prompt_shows_source_as_it_is(view: str) -> None:
    shown = getattr(clipped, view)
    assert repr(shown) == str(shown)
    assert "\n" in repr(shown)


def test_an_explanation_says_that_there_is_nothing_to_explain() -> None:
    assert "there is no branch, loop or call in it" in str(doubled.explain(2.0))
    assert "there is no branch" not in str(clipped.explain(2.0))


def applied(function: Any, x: float) -> Any:
    return function(x)


def imports(x: float) -> float:
    import math

    return math.sqrt(x)


def test_a_function_that_cannot_be_compiled_spoils_no_call_with_another() -> None:
    compiled = ag.compile(applied, fallback="error")
    with pytest.raises(ag.ConversionError, match="an import inside imports"):
        compiled(imports, 4.0)
    assert compiled(helper, 4.0) == 5.0
    with pytest.raises(ag.ConversionError, match="an import inside imports"):
        compiled(imports, 4.0)


def test_each_such_function_is_named() -> None:
    compiled = ag.compile(applied, fallback="error")
    for number in range(3):
        namespace: dict[str, Any] = {}
        exec(f"def made_{number}(x):\n    return x + {number}", namespace)
        with pytest.raises(ag.ConversionError, match=f"^made_{number} has no source"):
            compiled(namespace[f"made_{number}"], 1.0)


def helper(x: float) -> float:
    return x + 1 if x > 0 else x
