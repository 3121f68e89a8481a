"""Learning what NumPy gives in parts: items of tuples, classes of named tuples and of numbers.

Owns `component`, a function that gives one item of what a NumPy function returns, for
`probe_dtype`, and arithmetic of extents that several families share. It leaves probing itself to
`dense`. Invariant: a component is one and the same function for the same arguments, so that what
was learned is kept.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..ir.lattice import join
from ..ir.names import name_class
from ..ir.types import (
    PLAIN,
    ArrayType,
    Extent,
    NamedTupleType,
    ScalarType,
    Type,
)
from .calling import numpy_function
from .dense import DtypeKey, Shape, probe_dtype

Options = tuple[tuple[str, object], ...]


@functools.cache
def component(name: str, index: int | None = None, options: Options = ()) -> Callable[..., object]:
    """Return ``np.<name>`` with keyword `options`, or the function of item `index` of its result.

    >>> component("linalg.slogdet", 1)(np.eye(2))
    np.float64(0.0)
    """
    function = numpy_function(name)
    assert function is not None
    whole = functools.partial(function, **dict(options))
    if index is None:
        return whole
    return lambda *operands: whole(*operands)[index]  # type: ignore[index]  # a tuple


def learned(
    name: str,
    keys: Sequence[DtypeKey],
    shapes: Sequence[tuple[int, ...]] = (),
    index: int | None = None,
    options: Mapping[str, object] | None = None,
) -> np.dtype | None:
    """Return the dtype of (an item of) what ``np.<name>`` returns; see `probe_dtype`."""
    function = component(name, index, tuple(sorted((options or {}).items())))
    return probe_dtype(function, keys, shapes)


@functools.cache
def named_tuple(name: str, *operands: tuple[tuple[float, ...], ...]) -> type:
    """Return the class of named tuples that ``np.<name>`` gives, found by calling it once."""
    function = numpy_function(name)
    assert function is not None
    return name_class(type(function(*(np.array(operand) for operand in operands))))


IDENTITY = ((1.0, 0.0), (0.0, 1.0))


def named(name: str, *items: Type) -> NamedTupleType:
    """Return the type of a named tuple that ``np.<name>`` gives for a matrix."""
    return NamedTupleType(items, named_tuple(name, IDENTITY))


def one_of_arrays(dtypes: Sequence[np.dtype | None], shape: Shape | None) -> Type:
    """Return the type of an array whose dtype is one of several, which depends on values."""
    result: Type | None = None
    for dtype in dict.fromkeys(dtypes):
        option = ArrayType(dtype, shape)
        result = option if result is None else join(result, option)
    assert result is not None
    return result


def smaller(a: Extent, b: Extent) -> Extent:
    """Return the smaller of two lengths, as far as it is known.

    >>> smaller(2, 3), smaller("n", "n"), smaller("n", 3), smaller("n", 0)
    (2, 'n', None, 0)
    """
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    if a == b:
        return a
    return 0 if 0 in (a, b) else None


def larger(a: Extent, b: Extent) -> Extent:
    """Return the larger of two lengths, as far as it is known."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    if a == b:
        return a
    if 0 in (a, b):
        return b if a == 0 else a
    return None


def plus(a: Extent, number: int) -> Extent:
    """Return a length that is longer by `number`, at least 0, as far as it is known."""
    if number == 0:
        return a
    return max(a + number, 0) if isinstance(a, int) else None


def scalar_of(dtype: np.dtype | None) -> Type:
    """Return the type of a NumPy scalar of `dtype`."""
    return PLAIN if dtype is None else ScalarType(dtype)
