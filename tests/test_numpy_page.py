"""docs/numpy.md says what the compiler makes of every function of NumPy, and it is true."""

from __future__ import annotations

import functools
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from runtime.ops.opaque_numpy import OPAQUE_FUNCTIONS, UNKNOWN_CODE

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "numpy.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^Operations: (.*)\.$", TEXT, re.MULTILINE)
KINDS = {name: "operation" for line in LISTED for name in re.findall(r"`([\w.]+)`", line)}
KINDS |= dict(re.findall(r"^\| `([\w.]+)` \| (opaque|call) \|", TEXT, re.MULTILINE))

NO_ARRAYS = frozenset((
    "base_repr", "binary_repr", "broadcast_shapes", "can_cast", "common_type", "frombuffer",
    "fromstring", "isdtype", "isscalar", "issubdtype", "iterable", "mask_indices",
    "min_scalar_type", "ndim", "promote_types", "result_type", "shape", "size",
    "format_float_positional", "format_float_scientific",
))  # fmt: skip
"""Functions that do not compute on numeric arrays."""
FAMILIES = (
    "sort argsort lexsort partition argpartition searchsorted nonzero argwhere flatnonzero extract "
    "where count_nonzero unique unique_all unique_counts unique_inverse unique_values union1d "
    "intersect1d setdiff1d setxor1d isin mean var std median quantile percentile nanmean nanstd "
    "average cov corrcoef correlate digitize bincount ptp histogram histogram2d histogramdd "
    "histogram_bin_edges concatenate stack vstack hstack dstack column_stack split array_split "
    "hsplit vsplit dsplit tile repeat pad ix_ indices meshgrid unravel_index ravel_multi_index "
    "diag_indices tril_indices triu_indices triu tril take take_along_axis choose select compress "
    "einsum dot inner outer tensordot kron cross vdot matmul linalg.multi_dot linalg.matrix_power "
    "linalg.eigh linalg.svd linalg.qr linalg.slogdet linalg.eig linalg.eigvals linalg.solve "
    "linalg.lstsq linalg.inv linalg.cholesky linalg.det linalg.pinv linalg.norm fft.fft fft.irfft "
    "fft.rfftn fft.fft2 fft.fftshift polyval polyfit poly roots polyadd polyder polyint hanning "
    "hamming bartlett blackman kaiser interp gradient diff ediff1d convolve trapezoid unwrap "
    "linspace logspace geomspace arange full eye tri vander nan_to_num clip real_if_close i0 sinc "
    "angle sum prod max min any all cumsum cumprod nansum argmax argmin ufunc.reduce ufunc.at "
    "ufunc.accumulate ufunc.outer ufunc.reduceat Generator.normal Generator.integers "
    "Generator.choice Generator.shuffle"
).split()


def load_tool() -> ModuleType:
    """Import tools/numpy_table.py, which is in no package."""
    path = ROOT / "tools" / "numpy_table.py"
    spec = importlib.util.spec_from_file_location("numpy_table_tool", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def tool() -> ModuleType:
    """Return the tool."""
    return load_tool()


@functools.cache
def rows() -> dict[str, tuple[str, str]]:
    """Return what the tool finds here and now: kind and note of each function."""
    found = {}
    for section in tool().rows().values():
        found |= {row.name: (row.kind, row.note) for row in section}
    return found


def test_page_is_what_the_tool_finds_for_every_function_of_this_version() -> None:
    changed = {
        name: (KINDS[name], kind)
        for name, (kind, _) in rows().items()
        if name in KINDS and KINDS[name] != kind
    }
    assert changed == {}, "run python tools/numpy_table.py"


@pytest.mark.skipif(
    f"NumPy\n{'.'.join(np.__version__.split('.')[:2])}." not in TEXT
    or not hasattr(np, "float128"),
    reason="the page is of another version of NumPy, or of a platform with other dtypes",
)
def test_page_is_what_the_tool_writes() -> None:
    assert tool().page_text() == TEXT, "run python tools/numpy_table.py"


def test_most_functions_are_on_the_page() -> None:
    assert len(set(rows()) & set(KINDS)) > 0.9 * len(rows())


def test_whatever_is_no_operation_has_a_reason() -> None:
    assert [name for name, (kind, note) in rows().items() if kind != "operation" and not note] == []


def test_at_most_one_in_twenty_functions_on_numeric_arrays_is_opaque() -> None:
    compute = [
        kind
        for name, (kind, _) in rows().items()
        if name not in NO_ARRAYS and "." not in name.removeprefix("linalg.").removeprefix("fft.")
        and kind != "call"
    ]  # fmt: skip
    assert len(compute) > 250
    assert compute.count("opaque") <= 0.05 * len(compute)


def test_no_function_of_the_great_families_is_opaque() -> None:
    assert [name for name in FAMILIES if rows()[name][0] != "operation"] == []


def test_opaque_functions_are_those_that_are_declared() -> None:
    opaque = {name for name, (kind, _) in rows().items() if kind == "opaque"}
    known = {name for name in opaque if "." not in name}
    assert known <= set(OPAQUE_FUNCTIONS)


def test_no_reason_is_given_for_an_operation() -> None:
    declared = {**OPAQUE_FUNCTIONS, **UNKNOWN_CODE}
    assert [name for name in declared if rows().get(name, ("",))[0] == "operation"] == []
