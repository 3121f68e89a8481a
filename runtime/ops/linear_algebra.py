"""Products of arrays, diagonals, and ``numpy.linalg``.

Owns ``dot``, ``einsum``, ``kron``, ``trace``, ``linalg.solve`` and their kin. It leaves ``matmul``,
a ufunc, to `ufuncs`, and decompositions to `decompositions`. Invariant: two axes that are summed
over together have one length, or the product certainly raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.types import OPAQUE, ArrayType, Extent, Type
from .calling import (
    Arguments,
    axes_of,
    axis_of,
    define,
    integer_of,
    maybe,
    numpy_function,
    settled,
    view_of,
)
from .dense import (
    CertainError,
    Dense,
    Shape,
    UndecidedError,
    array_or_scalar,
    array_with,
    broadcast_extent,
    broadcast_result,
    broadcast_shapes,
    probe_dtype,
    same_extent,
    size_of,
)
from .reductions import reduced_shape
from .registry import Alias, Raises, Sharing
from .ufuncs import ufunc_result_types


def _product_dtype(function: Callable[..., object], parts: Sequence[Dense]) -> np.dtype | None:
    return probe_dtype(function, [part.dtype for part in parts])


def _dot(arguments: Arguments) -> Type:
    a, b = arguments.dense("a"), arguments.dense("b")
    dtype = _product_dtype(np.dot, [a, b])
    if a.shape is None or b.shape is None:
        return array_or_scalar(dtype, None)
    if not a.shape or not b.shape:
        return broadcast_result(dtype, [a.shape, b.shape])
    contracted = b.shape[-2] if len(b.shape) > 1 else b.shape[0]
    same_extent(a.shape[-1], contracted)
    rest = (*b.shape[:-2], b.shape[-1]) if len(b.shape) > 1 else ()
    return array_or_scalar(dtype, (*a.shape[:-1], *rest))


def _dot_raises(arguments: Arguments) -> Raises:
    """Return when a product raises: never, for what certainly fits."""
    a, b = arguments.dense("a"), arguments.dense("b")
    if a.dtype is None or b.dtype is None:
        return Raises.VALUE
    if a.shape is None or b.shape is None:
        return Raises.SHAPE
    if a.shape and b.shape:
        inner = (a.shape[-1], b.shape[-2] if len(b.shape) > 1 else b.shape[0])
        if inner[0] is None or inner[0] != inner[1]:
            return Raises.SHAPE
    return Raises.WARNS


define("dot", "a b out", _dot, raises=_dot_raises)


def _inner(arguments: Arguments) -> Type:
    a, b = arguments.dense("a"), arguments.dense("b")
    dtype = _product_dtype(np.inner, [a, b])
    if a.shape is None or b.shape is None:
        return array_or_scalar(dtype, None)
    if not a.shape or not b.shape:
        return broadcast_result(dtype, [a.shape, b.shape])
    same_extent(a.shape[-1], b.shape[-1])
    return array_or_scalar(dtype, (*a.shape[:-1], *b.shape[:-1]))


define("inner", "a b", _inner)


def _vdot(arguments: Arguments) -> Type:
    parts = [arguments.dense("a"), arguments.dense("b")]
    sizes = [size_of(part.shape) for part in parts]
    same_extent(sizes[0], sizes[1])
    return array_or_scalar(_product_dtype(np.vdot, parts), ())


define("vdot", "a b", _vdot)


def _outer(arguments: Arguments) -> Type:
    parts = [arguments.dense("a"), arguments.dense("b")]
    return ArrayType(
        _product_dtype(np.outer, parts), tuple(size_of(part.shape) for part in parts)
    )


define("outer", "a b out", _outer, raises=settled(_outer, "a", "b", settled=Raises.WARNS))


def _tensordot(first: str, second: str) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        a, b = arguments.dense(first), arguments.dense(second)
        dtype = _product_dtype(np.inner, [a, b])
        axes = arguments.constant("axes", 2)
        if a.shape is None or b.shape is None:
            return ArrayType(dtype, None)
        left, right = _contracted(axes, len(a.shape), len(b.shape))
        for i, j in zip(left, right, strict=True):
            same_extent(a.shape[i], b.shape[j])
        rest = [extent for i, extent in enumerate(a.shape) if i not in left]
        rest += [extent for j, extent in enumerate(b.shape) if j not in right]
        return ArrayType(dtype, tuple(rest))

    return rule


def _contracted(axes: object, first: int, second: int) -> tuple[list[int], list[int]]:
    """Return the axes of both operands that ``tensordot`` sums over."""
    if isinstance(axes, tuple):
        if len(axes) != 2:
            raise UndecidedError
        pairs = [axis if isinstance(axis, tuple) else (axis,) for axis in axes]
        if len(pairs[0]) != len(pairs[1]):
            raise CertainError
        left = [axis_of(axis, first) for axis in pairs[0]]
        return left, [axis_of(axis, second) for axis in pairs[1]]
    count = integer_of(axes)
    if count < 0:
        raise UndecidedError
    if count > min(first, second):
        raise CertainError
    return list(range(first - count, first)), list(range(count))


define("tensordot", "a b axes", _tensordot("a", "b"))
define("linalg.tensordot", "x1 x2 axes", _tensordot("x1", "x2"))


def _matmul(arguments: Arguments) -> Type:
    return ufunc_result_types(np.matmul, [arguments.value("x1"), arguments.value("x2")])[0]


define("linalg.matmul", "x1 x2", _matmul)


def _einsum(arguments: Arguments) -> Type:
    arguments.only("operands", "optimize", "dtype", "order", "casting")
    text = arguments.constant("operands")
    operands = [arguments.inputs[i].type for i in arguments.rest[1:]]
    if not isinstance(text, str) or not operands:
        raise UndecidedError
    sources, arrow, target = text.replace(" ", "").partition("->")
    names = sources.split(",")
    if len(names) != len(operands):
        raise CertainError
    sizes: dict[str, Extent] = {}
    rest: list[Shape] = []
    for letters, type_ in zip(names, operands, strict=True):
        if not isinstance(type_, ArrayType) or type_.shape is None or not letters:
            raise UndecidedError
        rest += _named_axes(letters, type_.shape, sizes)
    ellipsis = broadcast_shapes(rest)
    if not arrow:
        once = [letter for letter in sorted(sizes) if sources.count(letter) == 1]
        target = "..." * bool(rest) + "".join(once)
    if any(letter not in sizes for letter in target.replace("...", "")):
        raise CertainError
    before, dots, after = target.partition("...")
    shape = (
        *(sizes[letter] for letter in before),
        *(ellipsis if dots else ()),
        *(sizes[letter] for letter in after),
    )
    return array_or_scalar(_einsum_dtype(arguments, operands), shape)


def _named_axes(letters: str, shape: Shape, sizes: dict[str, Extent]) -> list[Shape]:
    """Enter the length of each axis that has a letter; return the axes of the ellipsis, if any."""
    before, dots, after = letters.partition("...")
    count = len(before) + len(after)
    if count > len(shape) or (not dots and count != len(shape)):
        raise CertainError
    end = len(shape) - len(after)
    pairs = [*zip(before, shape, strict=False), *zip(after, shape[end:], strict=True)]
    for letter, extent in pairs:
        sizes[letter] = broadcast_extent(sizes.get(letter, extent), extent)
    return [shape[len(before) : end]] if dots else []


def _einsum_dtype(arguments: Arguments, operands: Sequence[Type]) -> np.dtype | None:
    if arguments.given("dtype"):
        return arguments.dtype()
    dtypes = [type_.dtype for type_ in operands if isinstance(type_, ArrayType)]
    dtype: np.dtype | None = dtypes[0]
    for other in dtypes[1:]:
        dtype = probe_dtype(_sum_of_two, [dtype, other]) if dtype is not None else None
    return dtype if len(dtypes) > 1 or dtype is None else probe_dtype(_sum_of_one, [dtype])


def _sum_of_one(a: np.ndarray) -> object:
    return np.einsum("i->", a)


def _sum_of_two(a: np.ndarray, b: np.ndarray) -> object:
    return np.einsum("i,i->", a, b)


def _einsum_alias(arguments: Arguments) -> Alias:
    positions = arguments.rest[1:]
    return Alias(Sharing.MAYBE, positions)


define(
    "einsum", "*operands out optimize dtype order casting", _einsum, _einsum_alias,
    fallback=OPAQUE,
)  # fmt: skip


def _kron(arguments: Arguments) -> Type:
    a, b = arguments.dense("a"), arguments.dense("b")
    dtype = _product_dtype(np.kron, [a, b])
    if a.shape is None or b.shape is None:
        raise UndecidedError
    if not a.shape and not b.shape:
        return array_or_scalar(dtype, ())
    rank = max(len(a.shape), len(b.shape))
    shapes = [(1,) * (rank - len(shape)) + shape for shape in (a.shape, b.shape)]
    return ArrayType(dtype, tuple(size_of(pair) for pair in zip(*shapes, strict=True)))


define("kron", "a b", _kron)


def _cross(arguments: Arguments) -> Type:
    arguments.only("a", "b", "axis")
    a, b = arguments.array("a"), arguments.array("b")
    if not a.shape or not b.shape:
        raise UndecidedError
    if arguments.given("axis") and len(a.shape) != len(b.shape):
        raise UndecidedError
    at = arguments.constant("axis", -1) if arguments.given("axis") else -1
    lengths = (a.shape[axis_of(at, len(a.shape))], b.shape[axis_of(at, len(b.shape))])
    dtype = probe_dtype(np.cross, [a.dtype, b.dtype], ((3,), (3,)))
    if 3 not in lengths:
        raise UndecidedError  # two vectors of length 2 give a number
    if lengths == (3, 3):
        return ArrayType(dtype, broadcast_shapes([a.shape, b.shape]))
    rest = broadcast_shapes(
        [shape[:axis] + shape[axis + 1 :] for shape, axis in
         ((shape, axis_of(at, len(shape))) for shape in (a.shape, b.shape))]
    )  # fmt: skip
    where = axis_of(at, len(rest) + 1)
    return ArrayType(dtype, (*rest[:where], 3, *rest[where:]))


define("cross", "a b axisa axisb axisc axis", _cross)


# Diagonals


def _rest(arguments: Arguments, name: str) -> tuple[Shape | None, Shape | None]:
    """Return the shape without the two axes of a diagonal, and those two extents."""
    shape = arguments.array(name).shape
    if shape is None:
        return None, None
    first = axis_of(arguments.constant("axis1", 0), len(shape))
    second = axis_of(arguments.constant("axis2", 1), len(shape))
    if first == second:
        raise CertainError
    rest = tuple(extent for i, extent in enumerate(shape) if i not in (first, second))
    return rest, (shape[first], shape[second])


def _diagonal(arguments: Arguments) -> Type:
    return array_with(arguments.array("a").dtype, lambda: _diagonal_shape(arguments))


def _diagonal_shape(arguments: Arguments) -> Shape | None:
    rest, pair = _rest(arguments, "a")
    if rest is None or pair is None:
        return None
    offset = arguments.constant("offset", 0) if _offset_is_known(arguments) else None
    square = offset == 0 and pair[0] == pair[1]
    return (*rest, pair[0] if square else None)


def _offset_is_known(arguments: Arguments) -> bool:
    try:
        return isinstance(arguments.constant("offset", 0), int)
    except UndecidedError:
        return False


define(
    "diagonal", "a offset axis1 axis2", _diagonal, view_of("a"),
    settled(_diagonal, "a", "axis1", "axis2"),
)  # fmt: skip


def _trace(arguments: Arguments) -> Type:
    try:
        rest, _ = _rest(arguments, "a")
    except UndecidedError:
        arguments.array("a")
        rest = None
    options = {"dtype": arguments.dtype()} if arguments.given("dtype") else {}
    dtype = probe_dtype(np.sum, [arguments.array("a").dtype], (), options)
    return array_or_scalar(dtype, rest)


define("trace", "a offset axis1 axis2 dtype out", _trace)


# numpy.linalg


def _matrix(arguments: Arguments, name: str = "a") -> ArrayType:
    type_ = arguments.array(name)
    if type_.shape is not None and len(type_.shape) < 2:
        raise CertainError
    return type_


def _matrix_function(
    name: str, shape: Callable[[Shape], Shape], *options: str
) -> Callable[[Arguments], Type]:
    """Return the rule of a function of matrices; `shape` maps that of the operand.

    The `options` matter to values alone.
    """
    function = numpy_function(name)

    def rule(arguments: Arguments) -> Type:
        arguments.only("a", *options)
        type_ = _matrix(arguments)
        assert function is not None
        dtype = probe_dtype(function, [type_.dtype], ((2, 2),))
        return array_or_scalar(dtype, None if type_.shape is None else shape(type_.shape))

    return rule


def _same(shape: Shape) -> Shape:
    same_extent(shape[-1], shape[-2])
    return shape


def _dropped(shape: Shape) -> Shape:
    same_extent(shape[-1], shape[-2])
    return shape[:-2]


def _values(shape: Shape) -> Shape:
    same_extent(shape[-1], shape[-2])
    return shape[:-1]


def _swapped(shape: Shape) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2])


define("linalg.det", "a", _matrix_function("linalg.det", _dropped))
define("linalg.inv", "a", _matrix_function("linalg.inv", _same))
define("linalg.cholesky", "a upper", _matrix_function("linalg.cholesky", _same, "upper"))
define("linalg.eigvalsh", "a UPLO", _matrix_function("linalg.eigvalsh", _values, "UPLO"))
define(
    "linalg.pinv", "a rcond hermitian rtol",
    _matrix_function("linalg.pinv", _swapped, "rcond", "hermitian", "rtol"),
)  # fmt: skip


def _solve(arguments: Arguments) -> Type:
    a, b = _matrix(arguments), arguments.array("b")
    dtype = probe_dtype(np.linalg.solve, [a.dtype, b.dtype], ((2, 2), (2,)))
    if a.shape is None or b.shape is None:
        return ArrayType(dtype, None)
    if not b.shape:
        raise UndecidedError
    size = same_extent(a.shape[-1], a.shape[-2])
    if len(b.shape) == 1:
        same_extent(size, b.shape[0])
        return ArrayType(dtype, (*a.shape[:-2], a.shape[-1]))
    same_extent(size, b.shape[-2])
    outer = broadcast_shapes([a.shape[:-2], b.shape[:-2]])
    return ArrayType(dtype, (*outer, *b.shape[-2:]))


define("linalg.solve", "a b", _solve)


def _norm(arguments: Arguments) -> Type:
    arguments.only("x", "ord", "axis", "keepdims")
    operand = arguments.dense("x")
    axis = arguments.constant("axis")
    keepdims = arguments.flag("keepdims")
    dtype = probe_dtype(np.linalg.norm, [operand.dtype])
    if arguments.given("ord"):
        order = arguments.constant("ord")
        if operand.shape is None or not isinstance(order, int | float | str):
            raise UndecidedError
        rank = len(operand.shape if axis is None else axes_of(axis, len(operand.shape)))
        if rank not in (1, 2):
            raise CertainError
        dtype = probe_dtype(
            np.linalg.norm, [operand.dtype], ((2,) * rank,), {"ord": order}
        )
    return array_or_scalar(dtype, reduced_shape(operand.shape, axis, keepdims))


define("linalg.norm", "x ord axis keepdims", _norm)


def _matrix_power(arguments: Arguments) -> Type:
    arguments.integer("n", 0)
    type_ = _matrix(arguments)
    if type_.dtype is None or type_.dtype.kind not in "fc" or type_.dtype.char in "egG":
        raise UndecidedError
    return type_ if type_.shape is None else ArrayType(type_.dtype, _same(type_.shape))


define("linalg.matrix_power", "a n", _matrix_power, maybe("a"))

