"""Feeds: turning what a user gives for a tensor into what the graph expects.

Owns the checks of dtype, shape and kind, and the conversion of Python data. It leaves which tensors
are fed to `session`. Invariant: what is accepted has the declared type exactly; nothing loses
information on the way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import SessionError
from ..ir.graph import Value
from ..ir.lattice import covers
from ..ir.types import ArrayType, NumberType, ScalarType, Type, type_of
from ..tracing.symbol import is_symbolic
from ..variables import described

Lengths = dict[str, tuple[int, str]]
"""The length that each named extent has in one run, and the tensor that said so."""


def convert_feed(value: Value, name: str, fed: object, lengths: Lengths) -> object:
    """Return `fed` as a value of the type of `value`.

    Parameters
    ----------
    value
        The tensor that is fed.
    name
        What messages call it, such as ``placeholder 'a'``.
    fed
        What the user gave: an array or NumPy scalar of the very dtype, or Python data (numbers,
        nested lists) that convert to it without loss of kind.
    lengths
        Lengths of the named extents met so far in this run; extended.

    Raises
    ------
    SessionError
        If dtype, shape or kind do not fit; names the tensor, what it is and what was given.
    """
    if is_symbolic(fed):
        raise SessionError(f"{name} is fed a tensor; feed values, such as arrays")
    type_ = value.type
    if isinstance(type_, ArrayType):
        array = _with_dtype(fed, type_.dtype, _refusal(name, type_))
        _check_shape(array.shape, type_, name, lengths)
        return array
    if isinstance(type_, ScalarType):
        array = _with_dtype(fed, type_.dtype, _refusal(name, type_))
        if array.ndim:
            raise SessionError(f"{name} is a scalar of {type_}, but is fed an array of shape "
                               f"{array.shape}")  # fmt: skip
        return array[()]
    if isinstance(type_, NumberType):
        if type(fed).__name__ != type_.kind:
            raise SessionError(f"{name} is a Python {type_.kind}, but is fed {described(fed)}")
        return fed
    if not covers(type_, type_of(fed)):
        raise SessionError(f"{name} has type {type_}, but is fed {described(fed)}")
    return fed


def _refusal(name: str, type_: Type) -> Callable[[str], SessionError]:
    return lambda given: SessionError(f"{name} has type {type_}, but is fed {given}")


def _with_dtype(
    fed: object, dtype: np.dtype | None, refusal: Callable[[str], SessionError]
) -> np.ndarray:
    """Return `fed` as an array of exactly `dtype` (any, if None)."""
    if isinstance(fed, np.ma.MaskedArray):
        raise refusal("a masked array, whose mask would be lost")
    if isinstance(fed, np.ndarray | np.generic):
        array = np.asarray(fed)
        if dtype is not None and array.dtype != dtype:
            advice = "" if array.dtype == object else f"; convert it with .astype(np.{dtype.name})"
            raise refusal(f"{described(fed)}{advice}")
        return array
    try:
        found = np.asarray(fed)
        if found.dtype == object and dtype is not None:
            raise refusal(described(fed))
        if dtype is None or found.dtype == dtype:
            array = found
        elif found.size == 0 or np.can_cast(found.dtype, dtype, "same_kind"):
            array = np.asarray(fed, dtype)
        else:
            raise refusal(f"Python data of dtype {found.dtype}")
    except (ValueError, TypeError, OverflowError) as error:
        raise refusal(f"{described(fed)}: {error}") from error
    if array.dtype == object:
        raise refusal(described(fed))
    return array


def _check_shape(shape: tuple[int, ...], type_: ArrayType, name: str, lengths: Lengths) -> None:
    if type_.shape is None:
        return
    if len(shape) != len(type_.shape) or any(
        isinstance(extent, int) and extent != length
        for extent, length in zip(type_.shape, shape, strict=True)
    ):
        raise SessionError(f"{name} has type {type_}, but is fed an array of shape {shape}")
    for extent, length in zip(type_.shape, shape, strict=True):
        if isinstance(extent, str):
            known, first = lengths.setdefault(extent, (length, name))
            if known != length:
                raise SessionError(
                    f"{name} has type {type_} and is fed an array of shape {shape}, but "
                    f"{extent} is {known} in {first}"
                )
