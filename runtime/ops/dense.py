"""What NumPy makes of a value: dtype and shape, broadcasting, and dtypes found by asking NumPy.

Owns `Dense` (a value as ``np.asarray`` sees it), the arithmetic of extents, and `probe_dtype`,
which runs a NumPy function once on tiny arrays to learn the dtype of its result, so that no
promotion rule is written twice. It leaves what each function does with them to the families.
Invariant: knowing less about the inputs never makes an answer sharper.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..ir.lattice import join
from ..ir.types import (
    PLAIN,
    ArrayType,
    Extent,
    NumberType,
    ScalarType,
    TupleType,
    Type,
)

Shape = tuple[Extent, ...]
DtypeKey = np.dtype | type[int] | type[float] | type[complex] | None
"""A dtype, the class of a Python number (which NumPy promotes weakly), or None when unknown."""

NUMERIC_DTYPES: tuple[np.dtype, ...] = tuple(
    np.dtype(code) for code in ("?", *np.typecodes["AllInteger"], *"efdgFDG")
)
"""Every dtype that an array type may have."""
_LOADED_AHEAD = (np.ma,)
"""What NumPy loads when some functions (`unique`) are first called: probing must load nothing."""
_PYTHON_CLASSES: dict[str, type[int] | type[float] | type[complex]] = {
    "int": int, "float": float, "complex": complex,
}  # fmt: skip


class UndecidedError(Exception):
    """The types of the inputs do not settle the type of the result."""


class CertainError(Exception):
    """With inputs of these types the operation certainly raises."""


@dataclass(frozen=True, slots=True)
class Dense:
    """A value as an array: the dtype and shape of ``np.asarray(value)``, None where unknown."""

    dtype: np.dtype | None
    shape: Shape | None

    @property
    def rank(self) -> int | None:
        """Number of axes, None when unknown."""
        return None if self.shape is None else len(self.shape)


def dense_of(type_: Type) -> Dense:
    """Return what ``np.asarray`` makes of a value of `type_`.

    A tuple of such values is stacked.

    Raises
    ------
    UndecidedError
        If that may be something else than a numeric array, such as an array of objects, which is
        what NumPy makes of a Python integer that does not fit 64 bits.

    >>> dense_of(NumberType("float"))
    Dense(dtype=dtype('float64'), shape=())
    """
    if isinstance(type_, ArrayType):
        return Dense(type_.dtype, type_.shape)
    if isinstance(type_, ScalarType):
        return Dense(type_.dtype, ())
    if isinstance(type_, NumberType):
        if type_.kind == "int" and type_.extent is None:
            raise UndecidedError
        return Dense(np.dtype(type_.kind), ())
    if isinstance(type_, TupleType):
        return _stacked([dense_of(item) for item in type_.items], type_)
    raise UndecidedError


def _stacked(items: Sequence[Dense], type_: TupleType) -> Dense:
    """Return the array of a tuple whose items are `items`."""
    if not items:
        return Dense(np.dtype(float), (0,))
    shapes = [item.shape for item in items if item.shape is not None]
    if len(shapes) != len(items) or len({len(shape) for shape in shapes}) != 1:
        raise UndecidedError
    inner = tuple(
        column[0] if all(extent == column[0] for extent in column) else None
        for column in zip(*shapes, strict=True)
    )
    dtypes = [item.dtype for item in items]
    known = [dtype for dtype in dtypes if dtype is not None]
    if len(known) != len(dtypes):
        return Dense(None, (len(items), *inner))
    if any(shape and 0 in shape for shape in shapes):
        raise UndecidedError
    dtype = np.asarray([np.ones((), item)[()] for item in known]).dtype
    return Dense(dtype, (len(items), *inner))


def dtype_key(type_: Type) -> DtypeKey:
    """Return what promotion sees of an array, a scalar or a Python number.

    Raises
    ------
    UndecidedError
        For any other type.
    """
    if isinstance(type_, ArrayType | ScalarType):
        return type_.dtype
    if isinstance(type_, NumberType):
        return np.dtype(bool) if type_.kind == "bool" else _PYTHON_CLASSES[type_.kind]
    raise UndecidedError


def shape_of(type_: Type) -> Shape | None:
    """Return the shape that an array, scalar or number broadcasts with, None when unknown."""
    return type_.shape if isinstance(type_, ArrayType) else ()


def array_with(dtype: np.dtype | None, shape: Callable[[], Shape | None]) -> ArrayType:
    """Return the type of an array of `dtype`, of unknown rank if `shape` leaves it undecided."""
    try:
        return ArrayType(dtype, shape())
    except UndecidedError:
        return ArrayType(dtype, None)


def array_or_scalar(dtype: np.dtype | None, shape: Shape | None) -> Type:
    """Return the type of a result that is a NumPy scalar when it has no axes, else an array.

    >>> f64 = np.dtype(float)
    >>> print(array_or_scalar(f64, ()), array_or_scalar(f64, (3,)), array_or_scalar(f64, None))
    f64 f64[3] f64 | f64[...]
    """
    if shape:
        return ArrayType(dtype, shape)
    if dtype is None:
        return PLAIN
    scalar = ScalarType(dtype)
    return scalar if shape is not None else join(scalar, ArrayType(dtype, None))


def broadcast_extent(a: Extent, b: Extent) -> Extent:
    """Return the length of an axis that broadcasts `a` against `b`, given that it does.

    Raises
    ------
    CertainError
        If the two are known not to fit.

    >>> broadcast_extent("n", 1), broadcast_extent("n", 3), broadcast_extent("n", "m")
    ('n', 3, None)
    """
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if isinstance(a, int) and isinstance(b, int):
        raise CertainError
    if isinstance(a, int):
        return a
    return b if isinstance(b, int) else None


def broadcast_shapes(shapes: Iterable[Shape]) -> Shape:
    """Return the common shape of operands of known ranks, given that they fit.

    Raises
    ------
    CertainError
        If they are known not to fit.
    """
    result: list[Extent] = []
    for shape in shapes:
        longer, shorter = (result, list(shape)) if len(result) >= len(shape) else (shape, result)
        missing = len(longer) - len(shorter)
        result = [
            *longer[:missing],
            *(broadcast_extent(x, y) for x, y in zip(longer[missing:], shorter, strict=True)),
        ]
    return tuple(result)


def broadcast_result(dtype: np.dtype | None, shapes: Sequence[Shape | None]) -> Type:
    """Return the type of an elementwise result of `dtype` over operands of `shapes`."""
    known = [shape for shape in shapes if shape is not None]
    common = broadcast_shapes(known)
    if len(known) == len(shapes):
        return array_or_scalar(dtype, common)
    return ArrayType(dtype, None) if common else array_or_scalar(dtype, None)


def same_extent(a: Extent, b: Extent) -> Extent:
    """Return the length of two axes that must be equally long.

    Raises
    ------
    CertainError
        If they are known not to be.

    >>> same_extent("n", 3), same_extent("n", "m")
    (3, None)
    """
    if a == b or (isinstance(a, int) and not isinstance(b, int)):
        return a
    if isinstance(b, int):
        if isinstance(a, int):
            raise CertainError
        return b
    return None


def size_of(shape: Shape | None) -> Extent:
    """Return the number of elements, as far as it is known.

    >>> size_of((2, 3)), size_of(("n", 1)), size_of(("n", 2)), size_of((None, 0))
    (6, 'n', None, 0)
    """
    if shape is None:
        return None
    if 0 in shape:
        return 0
    rest = [extent for extent in shape if extent != 1]
    if len(rest) == 1:
        return rest[0]
    size = 1
    for extent in rest:
        if not isinstance(extent, int):
            return None
        size *= extent
    return size


def total(extents: Sequence[Extent]) -> Extent:
    """Return the sum of extents, as far as it is known."""
    rest = [extent for extent in extents if extent != 0]
    if len(rest) == 1:
        return rest[0]
    known = [extent for extent in rest if isinstance(extent, int)]
    return sum(known) if len(known) == len(rest) else None


def probe_dtype(
    function: Callable[..., object],
    keys: Sequence[DtypeKey],
    shapes: Sequence[tuple[int, ...]] = (),
    options: Mapping[str, object] | None = None,
) -> np.dtype | None:
    """Return the dtype of ``function(*operands, **options)``, learnt by calling it on ones.

    Parameters
    ----------
    function
        A NumPy function whose result's dtype depends on nothing but the dtypes of its operands.
    keys
        What the operands are. Unknown ones are tried with every numeric dtype.
    shapes
        The shapes of the arrays to try; ``(2,)`` for each if empty. Of a shape ``(k, k)`` the
        operand is an identity matrix.
    options
        Keyword arguments; they must be hashable.

    Returns
    -------
    numpy dtype, or None
        The dtype, None if the unknown ones matter.

    Raises
    ------
    CertainError
        If the function accepts no such dtypes.

    >>> probe_dtype(np.sum, [np.dtype("i4")]), probe_dtype(np.mean, [None])
    (dtype('int64'), None)
    """
    shapes = tuple(shapes) or ((2,),) * len(keys)
    named = tuple(sorted((options or {}).items()))
    choices = [NUMERIC_DTYPES if key is None else (key,) for key in keys]
    found: set[np.dtype] = set()
    for combination in itertools.product(*choices):
        dtype = _probe(function, tuple(combination), shapes, named)
        if dtype is not None:
            found.add(dtype)
        if len(found) > 1:
            return None
    if not found:
        raise CertainError
    return found.pop()


def weak_dtype(function: Callable[..., object], types: Sequence[Type]) -> np.dtype | None:
    """Return the dtype of a function that promotes Python numbers among its operands weakly.

    Raises
    ------
    UndecidedError
        If all operands are Python numbers and one is an integer that may not fit 64 bits.
    """
    if NumberType("int") in types and all(isinstance(type_, NumberType) for type_ in types):
        raise UndecidedError
    shapes = [() if shape_of(type_) == () else (2,) for type_ in types]
    return probe_dtype(function, [dtype_key(type_) for type_ in types], shapes)


@functools.cache
def _probe(
    function: Callable[..., object],
    keys: tuple[np.dtype | type, ...],
    shapes: tuple[tuple[int, ...], ...],
    options: tuple[tuple[str, object], ...],
) -> np.dtype | None:
    operands = [_sample(key, shape) for key, shape in zip(keys, shapes, strict=True)]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(function(*operands, **dict(options))).dtype
    except (TypeError, ValueError):
        return None


def _sample(key: np.dtype | type, shape: tuple[int, ...]) -> object:
    if not isinstance(key, np.dtype):
        return key(1)
    if len(shape) == 2 and shape[0] == shape[1]:
        return np.eye(shape[0], dtype=key)
    return np.ones(shape, key)
