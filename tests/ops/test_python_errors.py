"""Operations raise CPython's own errors, in its own words; their syntax is what Python writes."""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np
import pytest

from ops.sample import apply
from runtime.ir.graph import Constant
from runtime.ir.names import name_of_object
from runtime.ir.types import UNBOUND
from runtime.ops.catalog import OPERATIONS
from runtime.ops.containers import UNBOUND_MARKER


def message(function: Callable[[], object]) -> tuple[type, tuple[object, ...], object]:
    """Return class, arguments and name of the error that `function` raises."""
    try:
        function()
    except Exception as error:
        return type(error), error.args, getattr(error, "name", None)
    raise AssertionError("nothing was raised")


def read_unbound_local() -> object:
    """Read a local that is not bound."""
    if read_unbound_local is None:
        x = 1
    return x


def read_unbound_free() -> object:
    """Read a captured variable that is not bound."""

    def inner() -> object:
        return x

    if inner is None:
        x = 1
    return inner()


def test_unbound_local() -> None:
    check = OPERATIONS["check_bound"]
    ours = message(lambda: apply(check, (UNBOUND_MARKER,), {"name": "x"}))
    assert ours == message(read_unbound_local)


def test_unbound_free_variable() -> None:
    check = OPERATIONS["check_bound"]
    ours = message(lambda: apply(check, (UNBOUND_MARKER,), {"name": "x", "free": True}))
    assert ours == message(read_unbound_free)


def test_bound_value_is_returned_itself() -> None:
    value = np.zeros(2)
    assert apply(OPERATIONS["check_bound"], (value,), {"name": "x"}) is value


def test_the_marker_is_of_type_unbound_and_has_a_name() -> None:
    assert Constant(UNBOUND_MARKER).type == UNBOUND
    assert name_of_object(UNBOUND_MARKER) == "UNBOUND"


@pytest.mark.parametrize("value", [(1, 2, 3), (1,), 5, None, np.zeros(3), np.array(1.0), [1]])
def test_unpacking_errors(value: object) -> None:
    def plain() -> object:
        a, b = value
        return a, b

    ours = message(lambda: apply(OPERATIONS["unpack"], (value,), {"count": 2}))
    assert ours == message(plain)


def test_unpacking_errors_with_a_star() -> None:
    def plain() -> object:
        a, *b, c = (1,)
        return a, b, c

    attrs = {"before": 1, "after": 1}
    ours = message(lambda: apply(OPERATIONS["unpack_starred"], ((1,),), attrs))
    assert ours == message(plain)


def test_unpacking_one_item_gives_the_item() -> None:
    assert apply(OPERATIONS["unpack"], ([7],), {"count": 1}) == 7


def text(operation: str, /, *operands: str, **attrs: object) -> str:
    """Return the syntax of an operation on these expressions as text."""
    syntax = OPERATIONS[operation].syntax
    assert syntax is not None
    trees = [ast.parse(operand, mode="eval").body for operand in operands]
    return ast.unparse(ast.fix_missing_locations(syntax(trees, attrs)))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (text("add", "x * y", "2"), "x * y + 2"),
        (text("pow", "-x", "2"), "(-x) ** 2"),
        (text("not_in", "a", "b"), "a not in b"),
        (text("is_not", "a", "None"), "a is not None"),
        (text("getitem", "x", "slice(1, None, None)"), "x[1:]"),
        (text("getitem", "x", "(slice(None, None, 2), 0, ...)"), "x[::2, 0, ...]"),
        (text("getitem", "x", "slice(1, 2)"), "x[slice(1, 2)]"),
        (text("getitem", "x", "((1, 2), 0)"), "x[(1, 2), 0]"),
        (text("build_slice", "1", "None", "k"), "slice(1, None, k)"),
        (text("build_tuple", "a"), "(a,)"),
        (text("build_set"), "{*()}"),
        (text("build_dict", "a", "1", "b", "2"), "{a: 1, b: 2}"),
        (text("getattr", "x + y", name="T"), "(x + y).T"),
        (text("call", "f", "a", "b", "c", starred=(2,), keywords=("k",)), "f(a, *b, k=c)"),
        (text("fstring", "x", "'.2f'", parts=("a{", 0), conversions=("",)), "f'a{{{x:.2f}'"),
        (text("fstring", "x", "w", parts=(0,), conversions=("r",)), "f'{x!r:{w}}'"),
        (text("fstring", "x", "f'>{w}'", parts=(0,), conversions=("",)), "f'{x:>{w}}'"),
    ],
)
def test_syntax(written: str, expected: str) -> None:
    assert written == expected


def test_statements_have_no_syntax() -> None:
    for name in ("setitem", "delitem", "setattr", "delattr", "unpack", "unpack_starred", "iadd"):
        assert OPERATIONS[name].syntax is None


def test_a_call_spreads_starred_arguments() -> None:
    result = apply(OPERATIONS["call"], (dict, [("a", 1)], 2), {"keywords": ("b",)})
    assert result == {"a": 1, "b": 2}
    assert apply(OPERATIONS["call"], (max, (1, 5), 3), {"starred": (1,)}) == 5
