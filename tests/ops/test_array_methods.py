"""Every method and attribute of arrays and NumPy's scalars, for all dtypes, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from ops.sample import Sample, run
from ops.test_numpy_operations import descriptions
from ops.test_python_operations import check_sharing, describes, state
from ops.test_ufunc_calls import keywords, outcome
from runtime.ir.graph import Constant, Value
from runtime.ir.types import OPAQUE, PLAIN, type_of
from runtime.ops.catalog import OPERATIONS
from runtime.ops.dense import NUMERIC_DTYPES
from runtime.ops.registry import Raises

METHOD, GETATTR = OPERATIONS["method"], OPERATIONS["getattr"]
MASK = np.array([True, False])
INDEX = np.array([1, 0])
CALLS: dict[str, tuple[tuple[tuple[object, ...], dict[str, object]], ...]] = {
    "all": (((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True}), ((), {"where": MASK})),
    "any": (((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True})),
    "argmax": (((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True})),
    "argmin": (((), {}), ((0,), {}), ((), {"axis": -1})),
    "argpartition": (((0,), {}), ((0,), {"axis": None})),
    "argsort": (((), {}), ((0,), {}), ((), {"axis": None}), ((), {"stable": True})),
    "astype": (
        ((np.float32,), {}), (("i8",), {"copy": False}), ((complex,), {"order": "F"}),
        ((np.int8,), {"casting": "safe"}), ((np.float64,), {"subok": False}),
    ),
    "byteswap": (((), {}), ((True,), {}), ((), {"inplace": True}), ((), {"inplace": False})),
    "choose": ((((0, 1),), {}), (([MASK, MASK],), {})),
    "clip": (((0, 1), {}), ((), {"min": 1}), ((None, 1), {}), ((), {"max": INDEX})),
    "compress": (((MASK,), {}), ((MASK, 1), {}), ((MASK,), {"axis": 0})),
    "conj": (((), {}),),
    "conjugate": (((), {}),),
    "copy": (((), {}), (("F",), {}), ((), {"order": "C"})),
    "cumprod": (((), {}), ((0,), {}), ((), {"axis": 1, "dtype": "f8"})),
    "cumsum": (((), {}), ((0,), {}), ((), {"axis": 1, "dtype": "f8"})),
    "diagonal": (((), {}), ((1,), {}), ((), {"axis1": 1, "axis2": 0})),
    "dot": (((INDEX,), {}), ((2,), {}), ((np.ones((2, 3)),), {})),
    "dump": (),
    "dumps": (((), {}),),
    "fill": (((1,), {}), ((True,), {}), ((2.5,), {}), ((1j,), {})),
    "flatten": (((), {}), (("F",), {})),
    "getfield": (((np.int8,), {}), ((np.int8, 0), {})),
    "item": (((), {}), ((0,), {}), ((0, 1), {}), (((1, 1),), {})),
    "max": (
        ((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True}), ((), {"initial": 1}),
        ((), {"initial": 2.5}),
    ),
    "mean": (((), {}), ((0,), {}), ((), {"axis": 1, "dtype": "f4"}), ((), {"where": MASK})),
    "min": (((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True}), ((), {"where": MASK})),
    "nonzero": (((), {}),),
    "partition": (((0,), {}), ((0, 0), {})),
    "prod": (((), {}), ((0,), {}), ((), {"axis": 1, "dtype": "f4"}), ((), {"initial": 2})),
    "put": (((0, 1), {}), ((INDEX, 1, "clip"), {})),
    "ravel": (((), {}), (("F",), {}), ((), {"order": "K"})),
    "repeat": (((2,), {}), ((2, 1), {}), ((INDEX,), {"axis": 0})),
    "reshape": (((4,), {}), ((-1,), {}), ((1, 4), {}), (((4, 1),), {"order": "F"})),
    "resize": (((4,), {"refcheck": False}), (((1, 2),), {"refcheck": False})),
    "round": (((), {}), ((1,), {}), ((), {"decimals": 2})),
    "searchsorted": (((1,), {}), ((INDEX,), {"side": "right"})),
    "setfield": (((1, np.int8), {}), ((1, np.int8, 0), {})),
    "setflags": (((), {"write": False}), ((True,), {})),
    "sort": (((), {}), ((0,), {}), ((), {"axis": 1, "kind": "stable"})),
    "squeeze": (((), {}), ((0,), {})),
    "std": (((), {}), ((0,), {}), ((), {"axis": 1, "ddof": 1}), ((), {"keepdims": True})),
    "sum": (
        ((), {}), ((0,), {}), ((), {"axis": 1, "dtype": "f4"}), ((), {"where": MASK}),
        ((), {"axis": (0, 1), "keepdims": True}), ((), {"initial": 1}),
    ),
    "swapaxes": (((0, 1), {}), ((0, 0), {})),
    "take": (((0,), {}), ((INDEX, 1), {}), ((INDEX,), {"axis": 0, "mode": "clip"})),
    "to_device": ((("cpu",), {}),),
    "tobytes": (((), {}), (("F",), {})),
    "tofile": (),
    "tolist": (((), {}),),
    "trace": (((), {}), ((1,), {}), ((), {"dtype": "f4"})),
    "transpose": (((), {}), ((1, 0), {}), (((1, 0),), {}), ((None,), {})),
    "var": (((), {}), ((0,), {}), ((), {"axis": 1, "ddof": 1, "dtype": "f8"})),
    "view": (((), {}), ((np.int8,), {}), (("f8",), {}), ((), {"dtype": "u1"})),
}  # fmt: skip
"""Arguments to call each method of an array with."""
SCALAR_CALLS: dict[str, tuple[tuple[tuple[object, ...], dict[str, object]], ...]] = {
    **CALLS,
    "as_integer_ratio": (((), {}),),
    "bit_count": (((), {}),),
    "hex": (((), {}),),
    "is_integer": (((), {}),),
    "fromhex": ((("0x1p0",), {}),),
}
ATTRIBUTES = (
    "T", "base", "ctypes", "data", "device", "dtype", "flags", "flat", "imag", "itemsize", "mT",
    "nbytes", "ndim", "real", "shape", "size", "strides",
)  # fmt: skip
SCALAR_ATTRIBUTES = (*ATTRIBUTES, "numerator", "denominator")
NOT_TYPED = (
    "base", "ctypes", "data", "flags", "flat", "choose", "getfield", "dump", "tofile", "view",
)  # fmt: skip
"""What gives an object of no type of its own, or one that depends on values or on byte order."""


GONE = ("itemset", "newbyteorder", "ptp", "tostring")
"""Methods that some versions of NumPy 2 have, only to tell what to call in their place."""


def receivers(dtype: np.dtype) -> list[object]:
    """Return arrays of several ranks, and a scalar."""
    matrix = np.array([[1, 0], [1, 1]]).astype(dtype)
    return [matrix, matrix[0], np.ones((1, 1, 2), dtype), np.ones((), dtype), matrix[0, 0]]


def public(cls: type) -> set[str]:
    """Return the public names of a class."""
    return {name for name in dir(cls) if not name.startswith("_")} - set(GONE)


def test_no_method_or_attribute_is_forgotten() -> None:
    assert public(np.ndarray) <= {*CALLS, *ATTRIBUTES}
    for cls in (np.float64, np.int64, np.complex128, np.bool_):
        assert public(cls) <= {*SCALAR_CALLS, *SCALAR_ATTRIBUTES}


@pytest.mark.parametrize("name", SCALAR_CALLS)
def test_methods_have_types_and_effects(name: str) -> None:
    inexact = []
    for dtype in NUMERIC_DTYPES:
        for receiver in receivers(dtype):
            for arguments, options in SCALAR_CALLS[name]:
                sample = Sample(
                    (receiver, *arguments, *options.values()), {"name": name, **keywords(options)}
                )
                inputs = sample.fresh()
                result = outcome(run, METHOD, inputs, sample.attrs)
                pairs = enumerate(zip(sample.inputs, inputs, strict=True))
                changed = {i for i, (before, after) in pairs if state(before) != state(after)}
                for values in descriptions(sample):
                    (type_,) = METHOD.result_types(values, sample.attrs)
                    effects = METHOD.effects(values, sample.attrs)
                    assert effects.calls or changed <= set(effects.writes), sample
                    if isinstance(result, Exception):
                        assert effects.raises >= Raises.SHAPE, f"{sample}: {result!r}"
                        continue
                    if name != "resize":
                        assert describes(type_, result), f"{sample}: {type_}"
                    check_sharing(effects, inputs, (result,))
                values = [
                    Value(type_of(item)) if isinstance(item, np.ndarray) else Constant(item)
                    for item in sample.inputs
                ]
                values[0] = Value(type_of(receiver))
                (type_,) = METHOD.result_types(values, sample.attrs)
                old = name == "nonzero" and np.ndim(receiver) == 0  # NumPy 2.0 warns
                if not isinstance(result, Exception) and type_ in (PLAIN, OPAQUE) and not old:
                    inexact.append((sample, type_of(result)))
    assert name in NOT_TYPED or inexact == []


@pytest.mark.parametrize("name", SCALAR_ATTRIBUTES)
def test_attributes_have_types_and_effects(name: str) -> None:
    inexact = []
    for dtype in NUMERIC_DTYPES:
        for receiver in receivers(dtype):
            sample = Sample((receiver,), {"name": name})
            result = outcome(run, GETATTR, sample.inputs, sample.attrs)
            for values in descriptions(sample):
                (type_,) = GETATTR.result_types(values, sample.attrs)
                effects = GETATTR.effects(values, sample.attrs)
                if isinstance(result, Exception):
                    assert effects.raises >= Raises.SHAPE, sample
                    continue
                assert describes(type_, result), f"{sample}: {values} {type_}"
                check_sharing(effects, sample.inputs, (result,))
            (type_,) = GETATTR.result_types([Value(type_of(receiver))], sample.attrs)
            if not isinstance(result, Exception) and type_ in (PLAIN, OPAQUE):
                inexact.append((sample, type_of(result)))
    assert name in NOT_TYPED or inexact == []
