"""Histograms of one, two and more dimensions.

Owns ``histogram``, its edges, and those of two and more dimensions. It leaves ``bincount`` and
``digitize`` to `statistics` and `selection`. Invariant: edges that are given may be returned.
"""

from __future__ import annotations

import numpy as np

from ..ir.types import LIST, OPAQUE, ArrayType, Extent, NumberType, StringType, TupleType, Type
from .calling import Arguments, any_input, define
from .dense import CertainError, UndecidedError, dense_of, probe_dtype
from .probing import learned, plus

_COUNT = np.dtype(np.intp)


def _bins(arguments: Arguments) -> tuple[Extent, np.dtype | None, bool]:
    """Return the number of bins, the dtype of edges that are given, and whether they are."""
    if "bins" not in arguments.positions:
        return 10, None, False
    type_ = arguments.type("bins")
    if isinstance(type_, NumberType) and type_.kind == "int":
        if isinstance(type_.extent, int) and type_.extent < 1:
            raise CertainError
        return type_.extent, None, False
    if isinstance(type_, StringType):
        return None, None, False
    edges = dense_of(type_)
    if edges.rank != 1:
        raise UndecidedError
    assert edges.shape is not None
    if edges.shape[0] == 0:
        raise UndecidedError
    return plus(edges.shape[0], -1), edges.dtype, True


def _edges(arguments: Arguments) -> ArrayType:
    count, dtype, given = _bins(arguments)
    if not given:
        dtype = learned("histogram_bin_edges", [arguments.dense("a").dtype])
    return ArrayType(dtype, (plus(count, 1),))


define("histogram_bin_edges", "a bins range weights", _edges, any_input)


def _histogram(arguments: Arguments) -> Type:
    operand = arguments.dense("a")
    edges = _edges(arguments)
    density = arguments.given("density") and arguments.flag("density")
    dtype: np.dtype | None = np.dtype(float) if density else _COUNT
    if arguments.given("weights"):
        keys = [operand.dtype, arguments.dense("weights").dtype]
        dtype = probe_dtype(_weighted_density if density else _weighted, keys)
    return TupleType((ArrayType(dtype, (_bins(arguments)[0],)), edges))


def _weighted(a: np.ndarray, weights: np.ndarray) -> object:
    return np.histogram(a, weights=weights)[0]


def _weighted_density(a: np.ndarray, weights: np.ndarray) -> object:
    return np.histogram(a, weights=weights, density=True)[0]


define("histogram", "a bins range density weights", _histogram, any_input)


def _counts(arguments: Arguments, dimensions: int) -> list[Extent]:
    """Return the number of bins along each axis; None where edges are given."""
    if "bins" not in arguments.positions:
        return [10] * dimensions
    type_ = arguments.type("bins")
    if isinstance(type_, NumberType) and type_.kind == "int":
        return [type_.extent] * dimensions
    items = type_.items if isinstance(type_, TupleType) else ()
    counts = [item.extent if isinstance(item, NumberType) else None for item in items]
    return counts if len(counts) == dimensions else [None] * dimensions


def _histogram_of_two(arguments: Arguments) -> Type:
    operands = [arguments.dense(name) for name in ("x", "y")]
    counts = _counts(arguments, 2)
    plain = all(count is not None for count in counts) or "bins" not in arguments.positions
    edges: list[Type] = []
    for i, count in enumerate(counts):
        dtype = None
        if plain:
            keys = [operand.dtype for operand in operands]
            dtype = learned("histogram2d", keys, (), i + 1)
        edges.append(ArrayType(dtype, (plus(count, 1),)))
    return TupleType((ArrayType(np.dtype(float), tuple(counts)), *edges))


define("histogram2d", "x y bins range density weights", _histogram_of_two, any_input)


def _histogram_of_many(arguments: Arguments) -> Type:
    sample = arguments.array("sample")
    rank = None
    if sample.shape is not None and len(sample.shape) == 2 and isinstance(sample.shape[1], int):
        rank = sample.shape[1]
    if sample.rank == 1:
        rank = 1
    if not rank:
        return TupleType((ArrayType(np.dtype(float), None), LIST))
    return TupleType((ArrayType(np.dtype(float), tuple(_counts(arguments, rank))), LIST))


define(
    "histogramdd", "sample bins range density weights", _histogram_of_many, any_input,
    fallback=OPAQUE,
)  # fmt: skip
