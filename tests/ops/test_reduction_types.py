"""Types of reductions, for every kind of operand with every axis, against NumPy itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from ops.sample import Sample, run
from ops.test_numpy_operations import describes, descriptions
from runtime.ir.graph import Constant
from runtime.ops.catalog import OPERATIONS
from runtime.ops.registry import Raises

NAMES = (
    "sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "ptp", "argmax", "argmin",
    "median", "average", "count_nonzero", "nansum", "nanprod", "nanmax", "nanmin", "nanmean",
    "nanstd", "nanvar", "nanmedian", "nanargmax", "nanargmin", "cumsum", "cumprod", "nancumsum",
    "nancumprod", "percentile", "quantile", "nanpercentile", "nanquantile", "amax",
)  # fmt: skip
OPERANDS = (
    2, True, 1.5, 1j, np.float32(3), np.int8(3), np.bool_(True), np.array(2.0), np.array(2, "u1"),
    np.arange(3.0), np.arange(3, dtype="f2"), np.arange(6, dtype="i4").reshape(2, 3),
    np.ones((2, 3), bool), np.arange(6, dtype="c8").reshape(2, 3), np.ones(3, ">f8"),
    np.zeros((0, 2)), [1, 2, 3], [[1, 2], [3, 4]],
)  # fmt: skip
AXES = ({}, {"axis": None}, {"axis": 0}, {"axis": -1}, {"axis": ()}, {"axis": (0,)},
        {"axis": (0, 1)})  # fmt: skip
KEPT = ({}, {"keepdims": True}, {"keepdims": False})
FRACTIONS = (0, 1, 0.5, True, [0.5], np.float32(0.5), np.array([0.5, 0.25]), np.array([0, 1]))


def samples(name: str) -> Iterator[Sample]:
    """Yield calls of the reduction called `name`."""
    kept = KEPT if "cum" not in name else KEPT[:1]
    fractions = [(q,) for q in FRACTIONS] if name.endswith("tile") else [()]
    for operand, axis, keeps, more in itertools.product(OPERANDS, AXES, kept, fractions):
        keywords = {**axis, **keeps}
        yield Sample((operand, *more, *keywords.values()), {"keywords": tuple(keywords)})


@pytest.mark.parametrize("name", NAMES)
def test_reductions_have_types_for_all_operands_and_axes(name: str) -> None:
    op = OPERATIONS[f"np.{name}"]
    for sample in samples(name):
        try:
            result = run(op, sample.fresh(), sample.attrs)
        except (TypeError, ValueError, LookupError, ArithmeticError):
            continue
        for inputs in descriptions(sample):
            (type_,) = op.result_types(inputs, sample.attrs)
            assert describes(type_, result), f"{sample}: {inputs} -> {type_}, not {result!r}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("axis", [1.0, True, "a", (0, 1.0), (None,), np.float64(0)])
def test_reductions_over_no_axis_may_raise(name: str, axis: object) -> None:
    more = (0.5,) if name.endswith("tile") else ()
    sample = Sample((np.ones((2, 3)), *more, axis), {"keywords": ("axis",)})
    raises = OPERATIONS[f"np.{name}"].effects(list(map(Constant, sample.inputs)), sample.attrs)
    assert raises.raises is Raises.VALUE
