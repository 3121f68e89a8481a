"""Functions that make arrays: of constants, of ranges, of other arrays.

Owns ``zeros`` and its kin, ``arange``, ``linspace``, ``array``, ``asarray``, ``eye``, ``diag`` and
the constructors of NumPy scalars (``np.float32(x)``). It leaves reading shape arguments to
`shaping`. Invariant: the shape of a new array is known as far as the numbers that give it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.graph import Value
from ..ir.lattice import join
from ..ir.types import (
    COMPLEX,
    FLOAT,
    OPAQUE,
    PLAIN,
    ArrayType,
    Extent,
    ListType,
    NumberType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
)
from .calling import Arguments, any_input, axis_of, define, maybe, settled
from .dense import (
    NUMERIC_DTYPES,
    CertainError,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    broadcast_shapes,
    dense_of,
    probe_dtype,
    size_of,
    weak_dtype,
)
from .registry import FRESH, Alias, Raises, Sharing
from .shaping import extent_of, shape_argument

_FLOAT = np.dtype(float)
_INTEGER = np.dtype(int)


def new_shape(value: Value) -> Shape | None:
    """Return the shape of a new array, None when not even its rank is known.

    Raises
    ------
    CertainError
        If an extent is negative.
    """
    try:
        shape = shape_argument(value)
    except UndecidedError:
        return None
    if -1 in shape:
        raise CertainError
    return shape


def _filled(arguments: Arguments) -> Type:
    arguments.only("shape", "dtype", "order")
    return ArrayType(arguments.dtype() or _FLOAT, new_shape(arguments.value("shape")))


def _filled_raises(arguments: Arguments) -> Raises:
    """Return when making an array raises: its extents are certainly lengths."""
    shape = new_shape(arguments.value("shape"))
    if "order" in arguments.positions or shape is None or None in shape:
        return Raises.VALUE
    return Raises.NEVER


for _name in ("zeros", "ones", "empty"):
    define(
        _name, "shape dtype order device like", _filled, raises=_filled_raises, fallback=OPAQUE
    )


def _full(arguments: Arguments) -> Type:
    arguments.only("shape", "fill_value", "dtype", "order")
    filled = dense_of(arguments.type("fill_value"))
    dtype = arguments.dtype() or filled.dtype
    return ArrayType(dtype, new_shape(arguments.value("shape")))


def _full_raises(arguments: Arguments) -> Raises:
    return Raises.VALUE if "dtype" in arguments.positions else _filled_raises(arguments)


define(
    "full", "shape fill_value dtype order device like", _full, raises=_full_raises,
    fallback=OPAQUE,
)  # fmt: skip


def _like(name: str) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        arguments.only(name, "fill_value", "dtype", "order", "shape")
        operand = arguments.dense(name)
        shape = new_shape(arguments.value("shape")) if arguments.given("shape") else operand.shape
        return ArrayType(arguments.dtype() or operand.dtype, shape)

    return rule


def _like_raises(arguments: Arguments) -> Raises:
    return Raises.VALUE if set(arguments.positions) - {"a", "prototype", "dtype"} else Raises.NEVER


for _name, _first in (("zeros_like", "a"), ("ones_like", "a"), ("empty_like", "prototype")):
    define(
        _name, f"{_first} dtype order subok shape device", _like(_first), raises=_like_raises,
        fallback=OPAQUE,
    )  # fmt: skip
define("full_like", "a fill_value dtype order subok shape device", _like("a"), fallback=OPAQUE)


def _square(arguments: Arguments, rows: str, columns: str) -> ArrayType:
    extents: list[Extent] = [extent_of(arguments.type(rows))]
    extents.append(
        extent_of(arguments.type(columns)) if arguments.given(columns) else extents[0]
    )
    if -1 in extents:
        raise CertainError
    return ArrayType(arguments.dtype() or _FLOAT, tuple(extents))


def _eye(arguments: Arguments) -> Type:
    arguments.only("N", "M", "k", "dtype")
    return _square(arguments, "N", "M")


def _square_raises(arguments: Arguments) -> Raises:
    """Return when a new matrix raises: its extents are certainly lengths."""
    if any(name not in ("N", "M", "n", "dtype") for name in arguments.positions):
        return Raises.VALUE
    first = "n" if "n" in arguments.positions else "N"
    return Raises.VALUE if None in (_square(arguments, first, "M").shape or ()) else Raises.NEVER


define("eye", "N M k dtype order device like", _eye, raises=_square_raises, fallback=OPAQUE)


def _tri(arguments: Arguments) -> Type:
    """Return the type of a triangle of ones; its extents may be negative, which means none."""
    try:
        return _eye(arguments)
    except CertainError:
        return ArrayType(arguments.dtype() or _FLOAT, (None, None))


define("tri", "N M k dtype like", _tri, fallback=OPAQUE)


def _identity(arguments: Arguments) -> Type:
    arguments.only("n", "dtype")
    return _square(arguments, "n", "n")


define("identity", "n dtype like", _identity, raises=_square_raises, fallback=OPAQUE)


# Ranges


def _arange(arguments: Arguments) -> Type:
    arguments.only("start", "stop", "step", "dtype")
    types = [arguments.type(n) for n in ("start", "stop", "step") if arguments.given(n)]
    if not types:
        raise UndecidedError
    if not all(isinstance(type_, NumberType | ScalarType) for type_ in types):
        raise UndecidedError
    dtype = arguments.dtype() or _range_dtype(types)
    return ArrayType(dtype, (_range_length(types),))


def _range_dtype(types: list[Type]) -> np.dtype | None:
    integers = [t for t in types if isinstance(t, NumberType) and t.kind in ("bool", "int")]
    if len(integers) != len(types):
        keys = [_range_key(type_) for type_ in types]
        return probe_dtype(_range_of, keys, ((),) * len(keys))
    starts = types[:1] + types[2:] if len(types) > 1 else []
    if NumberType("int") in starts:
        raise UndecidedError
    keys = [np.dtype(bool) if type_.kind == "bool" else int for type_ in integers]
    return probe_dtype(_range_of, keys, ((),) * len(keys))


def _range_key(type_: Type) -> np.dtype | type[int] | type[float] | type[complex]:
    if isinstance(type_, ScalarType):
        return type_.dtype
    assert isinstance(type_, NumberType)
    if type_.kind == "bool":
        return np.dtype(bool)
    return {"int": int, "float": float, "complex": complex}[type_.kind]


def _range_of(*bounds: int) -> np.ndarray:
    plain = [bound if isinstance(bound, int) else np.asarray(bound)[()] for bound in bounds]
    return np.arange(*plain)


def _range_length(types: list[Type]) -> Extent:
    extents: list[Extent] = []
    for type_ in types:
        if not isinstance(type_, NumberType) or type_.kind != "int":
            return None
        extents.append(type_.extent)
    if len(extents) == 1:
        extents.insert(0, 0)
    literals = [extent for extent in extents if isinstance(extent, int)]
    if len(literals) == len(extents):
        return len(range(*literals)) if extents[2:] != [0] else None
    if extents[0] == 0 and extents[2:] in ([], [1]):
        return extents[1]
    return None


def _arange_raises(arguments: Arguments) -> Raises:
    result = _arange(arguments)
    known = isinstance(result, ArrayType) and result.shape is not None and None not in result.shape
    return Raises.NEVER if known and "dtype" not in arguments.positions else Raises.VALUE


define(
    "arange", "start stop step dtype device like", _arange, raises=_arange_raises,
    fallback=OPAQUE,
)  # fmt: skip


def _spaced(function: Callable[..., object]) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        arguments.only("start", "stop", "num", "endpoint", "base", "dtype", "axis", "retstep")
        ends = [arguments.type(name) for name in ("start", "stop")]
        if arguments.given("base") and arguments.type("base") not in (FLOAT, NumberType("int")):
            raise UndecidedError
        extent: Extent = 50
        if "num" in arguments.positions:
            extent = extent_of(arguments.type("num"))
        if extent == -1:
            raise CertainError
        dtype = arguments.dtype() or weak_dtype(function, ends)
        if not all(isinstance(end, ArrayType | NumberType | ScalarType) for end in ends):
            raise UndecidedError
        spaced = array_with(dtype, lambda: _spaced_shape(arguments, ends, extent))
        if not arguments.flag("retstep"):
            return spaced
        if spaced.rank != 1 or arguments.given("dtype"):
            raise UndecidedError
        plain = all(isinstance(end, NumberType) for end in ends)
        step = ScalarType(_FLOAT) if plain and dtype == _FLOAT else PLAIN
        several = isinstance(extent, int) and extent > 1 and "endpoint" not in arguments.positions
        return TupleType((spaced, step if several else join(step, FLOAT)))

    return rule


def _spaced_shape(arguments: Arguments, ends: Sequence[Type], extent: Extent) -> Shape | None:
    """Return the shape between two ends: theirs, with the axis of the steps put in."""
    shapes = [end.shape if isinstance(end, ArrayType) else () for end in ends]
    known = [shape for shape in shapes if shape is not None]
    if len(known) != len(shapes):
        return None
    shape = broadcast_shapes(known)
    axis = axis_of(arguments.constant("axis", 0), len(shape) + 1)
    return (*shape[:axis], extent, *shape[axis:])


define(
    "linspace", "start stop num endpoint retstep dtype axis device", _spaced(np.linspace),
    fallback=OPAQUE,
)  # fmt: skip
define("logspace", "start stop num endpoint base dtype axis", _spaced(np.logspace), fallback=OPAQUE)
define("geomspace", "start stop num endpoint dtype axis", _spaced(np.geomspace), fallback=OPAQUE)


# Arrays of other values


def _array(arguments: Arguments) -> Type:
    arguments.only("a", "dtype", "copy", "order")
    return _converted(arguments)


def _converted(arguments: Arguments) -> Type:
    type_ = arguments.type("a")
    dtype = arguments.dtype()
    if dtype is not None and isinstance(type_, NumberType):
        return ArrayType(dtype, ())
    if dtype is not None and isinstance(type_, ListType | OpaqueType):
        raise UndecidedError
    operand = dense_of(type_)
    return ArrayType(dtype or operand.dtype, operand.shape)


def _array_raises(arguments: Arguments) -> Raises:
    """Return when making an array of one value raises: never, unless it holds several."""
    one = isinstance(arguments.type("a"), ArrayType | ScalarType | NumberType)
    return Raises.NEVER if one and set(arguments.positions) == {"a"} else Raises.VALUE


def _array_alias(arguments: Arguments) -> Alias:
    return maybe("a")(arguments) if "copy" in arguments.positions else FRESH


def _as_array_alias(arguments: Arguments) -> Alias:
    """Return the alias of ``asarray``: an array of the right dtype is returned as it is."""
    type_ = arguments.type("a")
    if not isinstance(type_, ArrayType):
        return FRESH
    dtype = arguments.dtype()
    if set(arguments.positions) - {"a", "dtype"}:
        return maybe("a")(arguments)
    if dtype is None:
        return Alias(Sharing.SAME, (arguments.positions["a"],))
    if type_.dtype is not None and dtype != type_.dtype:
        return FRESH
    return maybe("a")(arguments)


define(
    "array", "a dtype copy order subok ndmin like ndmax", _array, _array_alias,
    _array_raises, fallback=OPAQUE,
)  # fmt: skip
for _name in ("asarray", "asanyarray"):
    define(
        _name, "a dtype order device copy like", _array, _as_array_alias, _array_raises,
        fallback=OPAQUE,
    )  # fmt: skip


def _contiguous(arguments: Arguments) -> Type:
    arguments.only("a", "dtype")
    result = _converted(arguments)
    assert isinstance(result, ArrayType)
    if result.shape is None:
        return result
    return ArrayType(result.dtype, result.shape or (1,))


for _name in ("ascontiguousarray", "asfortranarray"):
    define(_name, "a dtype like", _contiguous, maybe("a"), fallback=OPAQUE)


def _astype(arguments: Arguments) -> Type:
    dtype = arguments.dtype()
    if dtype is None:
        raise UndecidedError
    return ArrayType(dtype, arguments.array("x").shape)


def _astype_alias(arguments: Arguments) -> Alias:
    return maybe("x")(arguments) if "copy" in arguments.positions else FRESH


define("astype", "x dtype copy device", _astype, _astype_alias)


def _require(arguments: Arguments) -> Type:
    arguments.only("a", "dtype", "requirements")
    type_ = arguments.type("a")
    if not isinstance(type_, ArrayType):
        raise UndecidedError
    return ArrayType(arguments.dtype() or type_.dtype, type_.shape)


define("require", "a dtype requirements like", _require, maybe("a"), fallback=OPAQUE)


def _copy(arguments: Arguments) -> Type:
    arguments.only("a", "order")
    operand = arguments.dense("a")
    return ArrayType(operand.dtype, operand.shape)


define("copy", "a order subok", _copy, raises=_array_raises, fallback=OPAQUE)


def _mesh(arguments: Arguments) -> Type:
    parts = [dense_of(arguments.inputs[i].type) for i in arguments.rest]
    if not parts:
        return TupleType(())
    by_row = arguments.constant("indexing", "xy") == "xy" and len(parts) > 1
    sparse = arguments.flag("sparse")
    extents = [size_of(part.shape) for part in parts]
    order = [1, 0, *range(2, len(parts))] if by_row else list(range(len(parts)))
    items: list[Type] = []
    for number, part in enumerate(parts):
        shape = tuple(extents[i] if i == number or not sparse else 1 for i in order)
        items.append(ArrayType(part.dtype, shape))
    return TupleType(tuple(items))


def _mesh_alias(arguments: Arguments) -> Alias:
    return any_input(arguments) if "copy" in arguments.positions else FRESH


define("meshgrid", "*xi copy sparse indexing", _mesh, _mesh_alias, fallback=OPAQUE)


# Diagonals and triangles


def _diag(arguments: Arguments) -> Type:
    operand = arguments.array("v")
    offset = abs(arguments.integer("k", 0)) if _is_known(arguments, "k") else None
    if operand.shape is None:
        raise UndecidedError
    if len(operand.shape) == 1:
        extent = operand.shape[0]
        if offset is None:
            side: Extent = None
        else:
            side = extent if offset == 0 else (extent + offset if isinstance(extent, int) else None)
        return ArrayType(operand.dtype, (side, side))
    if len(operand.shape) != 2:
        raise CertainError
    rows, columns = operand.shape
    return ArrayType(operand.dtype, (rows if rows == columns and offset == 0 else None,))


def _is_known(arguments: Arguments, name: str) -> bool:
    try:
        arguments.integer(name, 0)
    except UndecidedError:
        return False
    return True


define("diag", "v k", _diag, maybe("v"), settled(_diag, "v"))
define("diagflat", "v k", lambda arguments: _unknown_square(arguments))


def _unknown_square(arguments: Arguments) -> Type:
    return ArrayType(arguments.dense("v").dtype, (None, None))


def _triangle(arguments: Arguments) -> Type:
    operand = arguments.array("m")
    if operand.shape is None or not operand.shape:
        raise UndecidedError
    if len(operand.shape) == 1:
        return ArrayType(operand.dtype, (operand.shape[0],) * 2)
    return operand


for _name in ("tril", "triu"):
    define(_name, "m k", _triangle, raises=settled(_triangle, "m"))


def _vander(arguments: Arguments) -> Type:
    operand = arguments.array("x")
    columns = extent_of(arguments.type("N")) if arguments.given("N") else None
    rows = operand.shape[0] if operand.shape else None
    dtype = probe_dtype(np.vander, [operand.dtype])
    return ArrayType(dtype, (rows, columns if arguments.given("N") else rows))


define("vander", "x N increasing", _vander)


# Scalars


def _scalar_constructor(dtype: np.dtype) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        arguments.only("value")
        if "value" not in arguments.positions:
            return ScalarType(dtype)
        type_ = arguments.type("value")
        if type_ == COMPLEX and dtype.kind != "c":
            raise UndecidedError
        if isinstance(type_, NumberType | ScalarType):
            return ScalarType(dtype)
        if isinstance(type_, ArrayType):
            return array_or_scalar(dtype, type_.shape)
        raise UndecidedError

    return rule


for _name, _dtype in {str(dtype.type.__name__): dtype for dtype in NUMERIC_DTYPES}.items():
    define(_name, "value", _scalar_constructor(_dtype), maybe("value"))
