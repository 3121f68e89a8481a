"""Numbers over time: scalars and histograms.

Owns what may be written and how it is put into tensors. It leaves files to `writer`. Invariant:
what is wrong with a name, step or value is told before anything is written.
"""

from __future__ import annotations

import operator
import time

import numpy as np
from numpy.typing import NDArray

from runtime.errors import SummaryError

from .messages import (
    SCALAR,
    TENSOR,
    double_tensor,
    float_tensor,
    summary_event,
    summary_metadata,
)
from .writer import default_writer

BUCKETS = 30


def scalar(name: str, value: object, step: int) -> None:
    """Write one number, for TensorBoard to draw over the steps.

    Parameters
    ----------
    name
        What the curve is called; slashes group curves.
    value
        A real number: Python's, NumPy's, or an array with one element and no axes. Written as
        float32; infinities and nan are drawn as such.
    step
        Where it is on the horizontal axis.

    Raises
    ------
    SummaryError
        If the value is no such number, or there is no default writer.
    TypeError
        If `name` is no text or `step` no whole number.

    Examples
    --------
    >>> import tempfile
    >>> from .writer import create_file_writer
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with create_file_writer(folder):
    ...         for step in range(3):
    ...             scalar("loss", 1.0 / (step + 1), step)
    """
    tag, number = checked_name(name), checked_step(step)
    array = _numbers(f"scalar {name!r}", value)
    if array.ndim:
        raise SummaryError(f"scalar {name!r} is one number, not an array of shape {array.shape}")
    with np.errstate(over="ignore"):  # what float32 cannot hold is infinite
        tensor = float_tensor(float(np.float32(array)))
    metadata = summary_metadata("scalars", b"", SCALAR)
    default_writer(f"scalar {name!r}").write(
        summary_event(time.time(), number, tag, tensor, metadata)
    )


def histogram(name: str, values: object, step: int, buckets: int = BUCKETS) -> None:
    """Write how numbers are distributed, for TensorBoard to draw over the steps.

    Parameters
    ----------
    name
        What the histogram is called; slashes group histograms.
    values
        Real numbers: an array of any shape, or nested lists. It may be empty.
    step
        Where it is on the axis of steps.
    buckets
        Into how many parts of equal length the span of the values is cut.

    Raises
    ------
    SummaryError
        If `values` are no real numbers, some are nan or infinite, or there is no default writer.
    TypeError
        If `name` is no text, or `step` or `buckets` no whole number.
    """
    tag, number = checked_name(name), checked_step(step)
    count = _whole(buckets, "buckets")
    if count < 1:
        raise SummaryError(f"histogram {name!r} has at least one bucket, not {count}")
    array = _numbers(f"histogram {name!r}", values).ravel()
    finite = np.isfinite(array)
    if not finite.all():
        raise SummaryError(
            f"histogram {name!r}: {len(array) - np.count_nonzero(finite)} of {len(array)} values "
            "are nan or infinite; write those apart, for instance as a scalar"
        )
    tensor = double_tensor(histogram_rows(array, count))
    metadata = summary_metadata("histograms", b"", TENSOR)
    default_writer(f"histogram {name!r}").write(
        summary_event(time.time(), number, tag, tensor, metadata)
    )


def histogram_rows(values: NDArray[np.float64], buckets: int) -> NDArray[np.float64]:
    """Return left end, right end and count of each bucket.

    Parameters
    ----------
    values : float64 (n,), finite.
    buckets : how many, if the values are not all equal.

    Returns
    -------
    float64 (k, 3)

    >>> histogram_rows(np.array([0.0, 1.0, 1.0, 2.0]), 2)
    array([[0., 1., 1.],
           [1., 2., 3.]])
    >>> histogram_rows(np.array([3.0, 3.0]), 30)
    array([[2.5, 3.5, 2. ]])
    """
    if not len(values):
        return np.zeros((0, 3))
    low, high = float(values.min()), float(values.max())
    parts = np.arange(buckets + 1) / buckets
    edges = low * (1.0 - parts) + high * parts  # the span itself may be infinite
    edges[0], edges[-1] = low, high
    if not (edges[1:] > edges[:-1]).all():  # equal values, or too near each other for buckets
        return np.array([[low - 0.5, high + 0.5, float(len(values))]])
    counts, _ = np.histogram(values, edges)
    return np.column_stack((edges[:-1], edges[1:], counts.astype(np.float64)))


def checked_name(name: object) -> str:
    """Return the name of a summary.

    Raises
    ------
    TypeError
        If it is no text.
    ValueError
        If it is empty.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a summary is a text, not {name!r}")
    if not name:
        raise ValueError("the name of a summary is empty")
    return str(name)


def checked_step(step: object) -> int:
    """Return a step.

    Raises
    ------
    TypeError
        If it is no whole number.
    ValueError
        If it has more than 64 bits.
    """
    return _whole(step, "step")


def _whole(value: object, what: str) -> int:
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{what} is a whole number, not {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # Python's own error if not
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"{what} has at most 64 bits, not {number}")
    return number


def _numbers(what: str, values: object) -> NDArray[np.float64]:
    """Return real numbers as float64."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise SummaryError(f"{what} takes real numbers: {error}") from None
    if array.dtype.kind not in "biuf" and array.size:
        raise SummaryError(
            f"{what} takes real numbers, not {type(values).__name__} of dtype {array.dtype}"
        )
    return array.astype(np.float64)
