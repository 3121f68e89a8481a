"""Constants: sameness, truth, and running operations ahead."""

from __future__ import annotations

import struct
import time

import numpy as np
import pytest

from runtime.ir.graph import Constant, Node, Value
from runtime.ir.types import LIST
from runtime.memory.constants import constant_key, constant_truth, evaluate
from runtime.ops.catalog import OPERATIONS
from runtime.ops.registry import Effects, Operation

PAYLOADS = (
    1, True, 1.0, np.float64(1.0), np.float32(1.0), np.int64(1), np.bool_(True), 1 + 0j, "1", b"1",
    0.0, -0.0, np.float64(-0.0), np.float64(0.0), 0j, complex(-0.0, 0.0), (1,), (True,), (1.0,),
    None, "", (), float("inf"),
)  # fmt: skip


@pytest.mark.parametrize("index", range(len(PAYLOADS)))
def test_payloads_of_other_classes_or_signs_are_kept_apart(index: int) -> None:
    equal = [i for i, p in enumerate(PAYLOADS) if constant_key(p) == constant_key(PAYLOADS[index])]
    assert equal == [index]


def test_equal_payloads_are_the_same() -> None:
    assert constant_key(1e300) == constant_key(float("1e300"))
    assert constant_key((1, ("a", 2.0))) == constant_key((1, ("a", 2.0)))
    assert constant_key(np.float64(2)) == constant_key(np.float64(2))


def test_a_nan_is_the_same_as_itself_alone() -> None:
    nan, other = float("nan"), struct.unpack("d", struct.pack("d", float("nan")))[0]
    assert constant_key(nan) == constant_key(nan)
    assert constant_key(nan) != constant_key(other)
    assert constant_key(np.float64("nan")) != constant_key(np.float64("nan"))


@pytest.mark.parametrize(
    ("payload", "truth"),
    [(0, False), (2, True), ("", False), (None, False), ((), False), (np.bool_(True), True),
     ([], None), (np.zeros(1), None), (np.zeros(3), None), (object(), None)],
)  # fmt: skip
def test_truth_is_known_of_values_that_cannot_change(payload: object, truth: bool | None) -> None:
    assert constant_truth(Constant(payload)) is truth


def run(name: str, *payloads: object, **attrs: object) -> object:
    """Return what folding makes of an operation; ``left`` if it leaves it in place."""
    op = OPERATIONS[name]
    inputs = tuple(Constant(payload) for payload in payloads)
    outputs = tuple(Value(t) for t in op.result_types(inputs, attrs))
    results = evaluate(Node(op, inputs, attrs, (), outputs, None))
    return "left" if results is None else results[0].value


@pytest.mark.parametrize(
    ("name", "payloads", "expected"),
    [
        ("add", (1, 2), 3),
        ("truediv", (1, 4), 0.25),
        ("mul", (-1.0, 0.0), -0.0),
        ("add", (np.float64(1), 1), np.float64(2)),
        ("add", (np.float32(1), 1), np.float32(2)),
        ("neg", (0.0,), -0.0),
        ("pow", (2, 10), 1024),
        ("add", ("a", "b"), "ab"),
        ("is", (None, 1), False),
    ],
)
def test_the_exact_type_and_sign_are_kept(
    name: str, payloads: tuple[object, ...], expected: object
) -> None:
    result = run(name, *payloads)
    assert constant_key(result) == constant_key(expected)


@pytest.mark.parametrize(
    ("name", "payloads"),
    [
        ("truediv", (1, 0)),
        ("truediv", (np.float64(1), np.float64(0))),
        ("add", (1, "a")),
        ("build_list", (1, 2)),
        ("np.zeros", (3,)),
        ("mul", (np.float64(1e300), np.float64(1e300))),
        ("is", (1000, 1000)),
    ],
)
def test_what_raises_warns_or_makes_what_can_change_is_left(
    name: str, payloads: tuple[object, ...]
) -> None:
    assert run(name, *payloads) == "left"


@pytest.mark.parametrize(
    ("name", "payloads"),
    [
        ("pow", (10, 10**6)),
        ("pow", (10, 10**10)),
        ("pow", (-3, -(10**9))),
        ("lshift", (1, 10**9)),
        ("mul", ("ab", 10**9)),
        ("mul", (10**9, "ab")),
        ("mod", ("%1000000000d", 1)),
    ],
)
def test_what_would_be_huge_is_left_before_it_is_computed(
    name: str, payloads: tuple[object, ...]
) -> None:
    start = time.perf_counter()
    assert run(name, *payloads) == "left"
    assert time.perf_counter() - start < 1.0


def test_an_island_is_left() -> None:
    assert run("call", len, "abc") == "left"


def test_nothing_is_printed_while_compiling(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("builtins.print", 1) == "left"
    assert capsys.readouterr().out == ""


def test_what_would_warn_is_left_even_where_warnings_are_off() -> None:
    with np.errstate(all="ignore"):
        assert run("mul", np.float64(1e300), np.float64(1e300)) == "left"


def test_an_operation_whose_result_can_change_is_not_even_run() -> None:
    calls: list[object] = []

    def kernel(x: object) -> object:
        calls.append(x)
        return x

    op = Operation("probe", kernel, lambda inputs, attrs: (LIST,), lambda inputs, attrs: Effects())
    node = Node(op, (Constant(1),), {}, (), (Value(LIST),), None)
    assert evaluate(node) is None
    assert calls == []
