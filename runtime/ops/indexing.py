"""What indexing an array gives: the type, the memory it shares, and whether it may raise.

Owns basic and advanced indexing of arrays, as ``getitem`` and ``setitem`` use it. It leaves
indexing tuples, lists and dicts to `containers`, functions such as ``np.take`` to `selection`.
Invariant: only indices made of integers, slices, ``None`` and ``...`` are said to give views.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ir.graph import Attributes, Constant, Value
from ..ir.types import (
    BOTTOM,
    PLAIN,
    ArrayType,
    Extent,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    ScalarType,
    SliceType,
    TupleType,
    Type,
)
from .calling import opaque_result
from .dense import CertainError, Shape, UndecidedError, array_or_scalar, broadcast_shapes
from .registry import FRESH, Alias, Raises, Sharing

_WHOLE = slice(None)
ARRAY_MAKERS = (np.mgrid, np.ogrid, np.r_, np.c_)
"""NumPy's objects whose items are new arrays."""


class _Kind(enum.Enum):
    INTEGER = "consumes an axis"
    SLICE = "keeps an axis"
    NEW = "adds an axis"
    REST = "keeps all axes that no other part names"
    ARRAY = "integers or booleans, by advanced indexing"
    LIST = "a list: some array"


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of an index."""

    kind: _Kind
    integer: int | None = None
    """The integer, where known."""
    bounds: slice | None = None
    """The slice, where known."""
    shape: Shape = ()
    """The shape that an array part selects with (of a mask: that of its true elements)."""
    consumes: int = 1
    """How many axes of the base it stands for."""
    zero_dimensional: bool = False
    """An integer array without axes: an integer that makes a copy."""


def index_type(base: Value, index: Value) -> Type:
    """Return the type of ``base[index]`` for an array `base`.

    Parameters
    ----------
    base
        An array; anything else gives an opaque type.
    index
        Any value. Parts known while compiling make extents exact.

    Returns
    -------
    Type
        A scalar type for an integer for each axis, an array type otherwise; bottom when the index
        certainly does not fit.

    >>> matrix = Value(ArrayType(np.dtype(float), ("n", 3)))
    >>> print(index_type(matrix, Constant((slice(None), 0))), index_type(matrix, Constant((1, 2))))
    f64[n] f64
    """
    fallback = opaque_result([base, index], PLAIN)
    type_ = base.type
    if not isinstance(type_, ArrayType):
        return fallback
    try:
        return _result(type_, _parts(index))
    except UndecidedError:
        return fallback
    except CertainError:
        return BOTTOM


def index_alias(base: Value, index: Value) -> Alias:
    """Return how ``base[index]`` shares the memory of `base`, an array, which is input 0."""
    try:
        parts = _parts(index)
    except (UndecidedError, CertainError):
        return Alias(Sharing.MAYBE, (0,))
    kinds = {part.kind for part in parts}
    if _Kind.ARRAY in kinds or _Kind.LIST in kinds:
        return FRESH
    result = index_type(base, index)
    if isinstance(result, ScalarType):
        return FRESH
    if isinstance(result, ArrayType):
        return Alias(Sharing.VIEW, (0,))
    return Alias(Sharing.MAYBE, (0,))


def index_raises(base: Value, index: Value) -> Raises:
    """Return when ``base[index]`` raises: never, if the index certainly fits the array `base`."""
    type_ = base.type
    try:
        parts = _parts(index)
        if not isinstance(type_, ArrayType) or type_.shape is None:
            return Raises.VALUE
        axes = _spread(parts, len(type_.shape))
    except (UndecidedError, CertainError):
        return Raises.VALUE
    position = 0
    for part in axes:
        if part.kind in (_Kind.ARRAY, _Kind.LIST):
            return Raises.VALUE
        if part.kind is _Kind.SLICE and part.bounds is None:
            return Raises.VALUE
        if part.kind is _Kind.INTEGER and not _inside(part.integer, type_.shape[position]):
            return Raises.VALUE
        position += part.consumes
    return Raises.NEVER


def _inside(integer: int | None, extent: Extent) -> bool:
    return integer is not None and isinstance(extent, int) and -extent <= integer < extent


def with_lists(index: Value, attrs: Attributes) -> Value:
    """Return `index` with arrays in place of lists whose form the attribute ``lists`` tells.

    It has an item for each part of the index: nothing, or a letter and lengths.

    >>> print(with_lists(Value(ListType()), {"lists": ("i2",)}).type)
    i64[2]
    """
    forms = attrs.get("lists")
    if not isinstance(forms, tuple):
        return index
    if isinstance(index.type, ListType) and len(forms) == 1:
        return Value(_listed(index.type, str(forms[0])))
    if not isinstance(index.type, TupleType) or len(index.type.items) != len(forms):
        return index
    pairs = zip(index.type.items, forms, strict=True)
    return Value(TupleType(tuple(_listed(item, str(form)) for item, form in pairs)))


def _listed(type_: Type, form: str) -> Type:
    if not form or not isinstance(type_, ListType):
        return type_
    lengths = tuple(int(length) for length in form[1:].split(","))
    return ArrayType(np.dtype(bool) if form[0] == "b" else np.dtype(np.intp), lengths)


def makes_arrays(base: Value) -> bool:
    """Tell whether `base` is one of NumPy's objects whose items are new arrays.

    >>> makes_arrays(Constant(np.mgrid)), makes_arrays(Constant(np.s_))
    (True, False)
    """
    return isinstance(base, Constant) and any(base.value is maker for maker in ARRAY_MAKERS)


# Taking an index apart


def _parts(index: Value) -> list[_Part]:
    """Return the parts of an index.

    Raises
    ------
    UndecidedError
        If a part is of unknown kind.
    CertainError
        If a part cannot be an index.
    """
    if isinstance(index, Constant):
        payload = index.value
        if type(payload) is tuple:
            return [_constant_part(item) for item in payload]
        return [_constant_part(payload)]
    if isinstance(index.type, TupleType):
        return [_part(item) for item in index.type.items]
    return [_part(index.type)]


def _constant_part(payload: object) -> _Part:
    if type(payload) is slice:
        bounds = (payload.start, payload.stop, payload.step)
        exact = all(bound is None or type(bound) is int for bound in bounds)
        return _Part(_Kind.SLICE, bounds=payload if exact and payload.step != 0 else None)
    if payload is Ellipsis:
        return _Part(_Kind.REST, consumes=0)
    if isinstance(payload, int | np.integer) and not isinstance(payload, bool):
        return _Part(_Kind.INTEGER, integer=int(payload))
    return _part(Constant(payload).type)


def _part(type_: Type) -> _Part:
    if isinstance(type_, NumberType):
        if type_.kind == "int":
            return _Part(_Kind.INTEGER, type_.extent if isinstance(type_.extent, int) else None)
        return _array_part(np.dtype(type_.kind), ())
    if isinstance(type_, SliceType):
        return _Part(_Kind.SLICE)
    if isinstance(type_, NoneType):
        return _Part(_Kind.NEW, consumes=0)
    if isinstance(type_, ObjectType) and type_.cls is type(Ellipsis):
        return _Part(_Kind.REST, consumes=0)
    if isinstance(type_, ScalarType):
        return _Part(_Kind.INTEGER) if type_.dtype.kind in "iu" else _array_part(type_.dtype, ())
    if isinstance(type_, ArrayType):
        if type_.dtype is None or type_.shape is None:
            raise UndecidedError
        return _array_part(type_.dtype, type_.shape)
    if isinstance(type_, ListType):
        return _Part(_Kind.LIST)
    raise UndecidedError


def _array_part(dtype: np.dtype, shape: Shape) -> _Part:
    if dtype.kind == "b":
        return _Part(_Kind.ARRAY, shape=(None,), consumes=len(shape))
    if dtype.kind in "iu":
        return _Part(_Kind.ARRAY, shape=shape, zero_dimensional=not shape)
    raise CertainError


# Types


def _result(type_: ArrayType, parts: Sequence[_Part]) -> Type:
    kinds = [part.kind for part in parts]
    if _Kind.LIST in kinds:
        return ArrayType(type_.dtype, None)
    if type_.shape is None:
        if all(part.kind is _Kind.INTEGER or part.zero_dimensional for part in parts):
            return array_or_scalar(type_.dtype, None)
        return ArrayType(type_.dtype, None)
    axes = _spread(parts, len(type_.shape))
    if _Kind.ARRAY not in kinds:
        return _basic(type_.dtype, type_.shape, axes, keeps=_Kind.REST in kinds)
    return _advanced(type_.dtype, type_.shape, axes, keeps=_Kind.REST in kinds)


def _spread(parts: Sequence[_Part], rank: int) -> list[_Part]:
    """Return `parts` with ``...`` (at the end when missing) replaced by whole slices."""
    missing = rank - sum(part.consumes for part in parts)
    if missing < 0 or sum(part.kind is _Kind.REST for part in parts) > 1:
        raise CertainError
    rest = [_Part(_Kind.SLICE, bounds=_WHOLE)] * missing
    at = next((i for i, part in enumerate(parts) if part.kind is _Kind.REST), len(parts))
    return [*parts[:at], *rest, *parts[at + 1 :]]


def _basic(dtype: np.dtype | None, shape: Shape, axes: Sequence[_Part], keeps: bool) -> Type:
    """Return the type of basic indexing; `keeps` says the index has an ellipsis."""
    result: list[Extent] = []
    position = 0
    for part in axes:
        if part.kind is _Kind.NEW:
            result.append(1)
        elif part.kind is _Kind.SLICE:
            result.append(_sliced(shape[position], part.bounds))
        elif _outside(part.integer, shape[position]):
            raise CertainError
        position += part.consumes
    if keeps:
        return ArrayType(dtype, tuple(result))
    return array_or_scalar(dtype, tuple(result))


def _outside(integer: int | None, extent: Extent) -> bool:
    return integer is not None and isinstance(extent, int) and not _inside(integer, extent)


def _sliced(extent: Extent, bounds: slice | None) -> Extent:
    """Return how many items of `extent` a slice selects.

    >>> _sliced(5, slice(1, None)), _sliced("n", slice(None, None, -1)), _sliced("n", slice(1))
    (4, 'n', None)
    """
    if bounds is None:
        return 0 if extent == 0 else None
    if isinstance(extent, int):
        return len(range(*bounds.indices(extent)))
    if bounds.stop is None and (bounds.start, bounds.step) in (
        (None, None), (0, None), (None, 1), (0, 1), (None, -1), (-1, -1),
    ):  # fmt: skip
        return extent
    return None


def _advanced(dtype: np.dtype | None, shape: Shape, axes: Sequence[_Part], keeps: bool) -> Type:
    """Return the type of indexing with arrays; `keeps` says the index has an ellipsis."""
    chosen = [i for i, part in enumerate(axes) if part.kind in (_Kind.ARRAY, _Kind.INTEGER)]
    selected = broadcast_shapes([axes[i].shape for i in chosen])
    together = chosen == list(range(chosen[0], chosen[-1] + 1))
    before: list[Extent] = []
    after: list[Extent] = []
    position = 0
    for i, part in enumerate(axes):
        side = before if together and i < chosen[0] else after
        if part.kind is _Kind.NEW:
            side.append(1)
        elif part.kind is _Kind.SLICE:
            side.append(_sliced(shape[position], part.bounds))
        position += part.consumes
    result = (*before, *selected, *after)
    integers = all(axes[i].kind is _Kind.INTEGER or axes[i].zero_dimensional for i in chosen)
    if integers and not keeps:
        return array_or_scalar(dtype, result)
    return ArrayType(dtype, result)
