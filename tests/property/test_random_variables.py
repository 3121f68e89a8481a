"""Random programs with variables: compiled, they do what plain Python does, in the same order."""

from __future__ import annotations

import linecache
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag

NAMES = ("v", "w")
LOCALS = ("x", "y")


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> str:
    """Give an expression of the shape of the variables."""
    leaves = [*NAMES, *LOCALS, "v.value()", "w.numpy()", "1.5", "v[::-1]", "w.T"]
    if depth == 0:
        return draw(st.sampled_from(leaves))
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    form = draw(st.sampled_from(
        ["({a} + {b})", "({a} - {b})", "({a} * {b})", "np.minimum({a}, {b})",
         "np.where(w > 0, {a}, {b})", "helper(v, {a})", "{a}"]
    ))  # fmt: skip
    return form.format(a=left, b=right)


@st.composite
def conditions(draw: st.DrawFn) -> str:
    """Give a condition on a single number."""
    name = draw(st.sampled_from(NAMES))
    return draw(st.sampled_from([f"{name}[0] > 1", f"{name}.sum() < 4", f"np.max({name}) > y[0]"]))


@st.composite
def statements(draw: st.DrawFn, depth: int = 2) -> list[str]:
    """Give a few statements as lines."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 9 if depth else 5))
        name, value = draw(st.sampled_from(NAMES)), draw(expressions())
        if kind == 0:
            lines.append(f"{name}.assign(0.5 * ({value}) + np.zeros(3))")
        elif kind == 1:
            lines.append(f"{name}.assign_{draw(st.sampled_from(['add', 'sub']))}({value})")
        elif kind == 2:
            lines.append(f"{name} {draw(st.sampled_from(['+=', '-=', '*=']))} {value}")
        elif kind <= 4:
            lines.append(f"{draw(st.sampled_from(LOCALS))} = {value} + np.zeros(3)")
        elif kind == 5:
            lines.append(f"log.append({name}.value() if {draw(conditions())} else {name}.numpy())")
        elif kind == 6:
            body = draw(statements(depth - 1))
            lines += [f"if {draw(conditions())}:", *("    " + line for line in body)]
            lines += ["else:", *("    " + line for line in draw(statements(depth - 1)))]
        elif kind == 7:
            body = draw(statements(depth - 1))
            lines += [f"for _ in range({draw(st.sampled_from(['3', 'n']))}):"]
            lines += ["    " + line for line in body]
        elif kind == 8:
            body = draw(statements(depth - 1))
            lines += ["u = v if n > 1 else w", "u += 1.0", *body, "u.assign_sub(x)"]
        else:
            lines += [f"for row in {name}:", "    w.assign_add(row)"]
    return lines


def helper(v: Any, x: Any) -> Any:
    """Change a variable, and use it."""
    v.assign_add(0.5)
    return v * x


def outcome(function: Any, swap: bool) -> list[object]:
    v, w = ag.Variable([1.0, 2.0, 3.0], name="v"), ag.Variable([0.5, -1.0, 2.0], name="w")
    log: list[Any] = []
    with np.errstate(all="ignore"):
        try:
            result: object = function(w if swap else v, w, np.ones(3), np.arange(3.0), 2, log)
        except Exception as error:
            result = repr(error)
    return [result, v.numpy(), w.numpy(), *log]


@given(statements())
@settings(max_examples=40, deadline=None)
def test_compiled_programs_agree_with_plain_ones(body: list[str]) -> None:
    lines = ["def program(v, w, x, y, n, log):", *("    " + line for line in body)]
    source = "\n".join([*lines, "    return v + w, x, y\n"])
    name = f"<variables {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {"np": np, "helper": helper, "__name__": "random_variables"}
    exec(compile(source, name, "exec"), namespace)
    compiled = ag.compile(namespace["program"], fallback="error")
    for swap in (False, True, False):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found, wanted = outcome(compiled, swap), outcome(namespace["program"], swap)
        assert repr(found) == repr(wanted), source


@pytest.mark.slow
@given(statements())
@settings(max_examples=600, deadline=None)
def test_many_compiled_programs_agree_with_plain_ones(body: list[str]) -> None:
    test_compiled_programs_agree_with_plain_ones.hypothesis.inner_test(body)
