"""Samples for NumPy's functions and for the methods of arrays, strings and containers.

`NUMPY_SAMPLES` maps the name of an operation to its samples; those of ``method`` are in
`METHOD_SAMPLES`. Every function with rules of its own has at least three.
"""

from __future__ import annotations

import numpy as np

from ops.sample import Sample


def call(*inputs: object, **keywords: object) -> Sample:
    """Return a sample of a call with positional and keyword arguments."""
    attrs = {"keywords": tuple(keywords)} if keywords else {}
    return Sample((*inputs, *keywords.values()), attrs)


def ramp(*shape: int, dtype: object = float) -> np.ndarray:
    """Return an array of that shape that counts up from 0."""
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


P = ramp()
V, W, E = ramp(3), ramp(4, dtype="f4"), ramp(0)
D, J, B = ramp(3, dtype="i8"), ramp(2, 3, dtype="i4"), np.array([True, False, True])
U, C = ramp(3, dtype="u1"), ramp(2, 2, dtype="c16")
M, S, T = ramp(2, 3), ramp(3, 3, dtype="f4"), ramp(2, 3, 4)
X = np.array([[4.0, 1.0], [1.0, 3.0]])
H = ramp(1, 3)
F = np.asfortranarray(M)
Z = ramp(2, 0)
OPERANDS = (
    P,
    V,
    W,
    E,
    D,
    J,
    B,
    U,
    C,
    M,
    S,
    T,
    H,
    Z,
    F,
    2.5,
    True,
    7,
    1j,
    np.float32(3),
    np.int8(4),
)
ARRAYS = tuple(item for item in OPERANDS if isinstance(item, np.ndarray))
AXES = (V, M, J, C, T, Z, B, S)

NUMPY_SAMPLES: dict[str, list[Sample]] = {}


def add(names: str, *samples: Sample) -> None:
    """Enter samples for each of `names`, separated by spaces."""
    for name in names.split():
        NUMPY_SAMPLES.setdefault(f"np.{name}", []).extend(samples)


def each(
    operands: tuple[object, ...] = OPERANDS, *rest: object, **keywords: object
) -> list[Sample]:
    """Return a sample for each of `operands`."""
    return [call(operand, *rest, **keywords) for operand in operands]


REDUCTIONS = "sum prod max min amax amin mean std var any all median ptp nansum nanprod nanmax"
REDUCTIONS += " nanmin nanmean nanstd nanvar nanmedian argmax argmin nanargmax nanargmin"
REDUCTIONS += " average count_nonzero"
add(REDUCTIONS, *each(), *each(AXES, 0), *each(AXES, axis=-1), *each(AXES, 1, keepdims=True))
add(REDUCTIONS, *each(AXES, keepdims=True), *each(AXES, axis=(0, 1)), call(V, 5), call(P, 0))
add(REDUCTIONS, call(T, axis=(0, 2), keepdims=True), call(T, axis=None), call(T, (0, 0)))
add("sum prod mean std var nansum cumsum cumprod", call(D, dtype=np.float32), call(M, 0, "f4"))
add(
    "sum prod",
    call(B, dtype=bool),
    call(M, initial=2.5),
    call(J, 0, initial=2),
    call(M, where=F > 1),
)
add("sum mean max argmax median cumsum", call(M, 0, out=ramp(3)), call(M, axis=0, out=ramp(3)))
add("std var nanstd", call(M, ddof=1), call(M, 0, ddof=1))
SCALAR = np.float32(3)
add("sum min cumsum", call(SCALAR, out=ramp()), call(SCALAR, None, out=ramp()))
add("argmax", call(SCALAR, None, ramp(dtype=int)))
add("average", call(V, weights=D), call(M, 0, weights=np.ones(2)), call(J, 1, weights=V))
add("median", call(ramp(3)[::-1].copy(), overwrite_input=True))
QUANTILES = "percentile quantile nanpercentile nanquantile"
add(QUANTILES, *each((V, M, W, D, P, 2.5), 0.5), *each((M, T), 0.25, 0), *each((M,), V / 3, axis=1))
add(QUANTILES, call(J, 0, axis=()), call(M, 0.5, axis=()), call(J, np.array([0, 1]), axis=()))
add(QUANTILES, call(np.zeros((3, 0), "u1"), 0, axis=1), call(np.zeros((3, 0), int), 0.5, axis=1))
add("repeat", call(E, -1), call(Z, -2, axis=1))
add(QUANTILES, call(M, np.array([0.1, 0.9]), keepdims=True), call(M, 1, axis=(0, 1)))
add(
    "cumsum cumprod nancumsum nancumprod", *each(), *each(AXES, 0), *each(AXES, axis=-1), call(P, 0)
)

add(
    "reshape",
    *each(OPERANDS, -1),
    call(M, (3, 2)),
    call(M, (-1, 2)),
    call(F, (6,)),
    call(M, (4, 4)),
)
add("reshape", call(T, (2, -1)), call(Z, (0, 5)), call(V, (3, 1), order="F"), call(M, (-1, -1)))
add("reshape", call(2.5, (1, 1)), call(F, 6), call(Z, -1), call(M, (-1, 4)), call(M, shape=(1, 6)))
add("ravel", *each(), call(F, order="F"), call(M[:, ::2]))
add(
    "transpose permute_dims",
    *each(),
    call(T, (2, 0, 1)),
    call(M, (0, 1)),
    call(M, (0, 0)),
    call(M, None),
)
add("swapaxes", call(M, 0, 1), call(T, 0, -1), call(J, 1, 1), call(V, 0, 1), call(T, 2, 1))
add(
    "moveaxis",
    call(T, 0, -1),
    call(T, (0, 1), (1, 2)),
    call(M, 1, 0),
    call(M, 0, 2),
    call(T, -1, 0),
)
add("rollaxis", call(T, 2), call(M, 1, 0), call(T, 0, 3))
add("matrix_transpose linalg.matrix_transpose", *each(ARRAYS))
add(
    "squeeze",
    *each(),
    call(H, 0),
    call(ramp(1, 1, 2)),
    call(ramp(1, 3, 1), axis=(0, 2)),
    call(M, 0),
)
add("expand_dims", *each(OPERANDS, 0), call(M, -1), call(M, (0, 2)), call(M, 5), call(V, 1))
add("flip", *each(), call(M, 0), call(T, (0, 2)), call(M, 3))
add("flipud fliplr", *each(ARRAYS))
add("rot90", call(M), call(M, 2), call(M, -1), call(T, 1, (1, 2)), call(V), call(M, k=3))
add("roll", *each(ARRAYS, 1), call(M, 1, axis=0), call(M, (1, 2), (0, 1)), call(2.5, 1))
add(
    "concatenate concat", call((V, V)), call((M, M), 1), call((M, J)), call((V, W)), call((V, D, B))
)
add(
    "concatenate concat",
    call((V, M)),
    call((M, S)),
    call((M, H), axis=0),
    call((M, M), None),
    call((P, V)),
)
add(
    "concatenate concat",
    call((V, V), out=ramp(6)),
    call((D, U), dtype=np.float32),
    call((Z, M), 1),
    call((E, V)),
)
add(
    "stack",
    call((V, V)),
    call((V, D), 1),
    call((M, M, J), -1),
    call((V, W)),
    call((P, P)),
    call((1.5, 2)),
)
add("stack", call((M, J), axis=2), call((U, B)))
add("vstack hstack dstack column_stack", call((V, V)), call((M, M)), call((V, D)), call((P, P)))
add("vstack hstack dstack column_stack", call((M, H)), call((T, T)), call((1.5, 2.0)), call((V, M)))
add(
    "append", call(V, V), call(V, 1), call(M, M, 0), call(M, H, axis=0), call(D, 2.5), call(M, V, 0)
)
add("split", call(V, 3), call(M, 2), call(T, (1,), 2), call(V, 2))
add("array_split hsplit vsplit dsplit", call(V, 3), call(M, 3), call(T, 2))
add(
    "repeat", *each(OPERANDS, 2), call(M, 3, 0), call(M, V.astype(int), axis=1), call(M, 2, axis=-1)
)
add("tile", *each(OPERANDS, 2), call(M, (2, 1)), call(V, (2, 2)), call(M, (3, 1, 1)), call(V, 0))
add(
    "broadcast_to",
    call(V, (2, 3)),
    call(2.5, (2, 2)),
    call(H, (4, 3)),
    call(P, 3),
    call(M, 3),
    call(V, (3, 2)),
)
add("atleast_1d atleast_2d atleast_3d", *each(), call(V, V))
add(
    "pad",
    call(V, 1),
    call(M, ((1, 2), (0, 1))),
    call(M, 2, mode="edge"),
    call(D, (1, 2)),
    call(M, 1, "reflect"),
)
add("delete", call(V, 1), call(M, 0, 1), call(M, 0, axis=0), call(T, np.array([0, 1]), 1))
add("insert", call(V, 1, 5.0), call(M, 0, 1.5, 1), call(M, 0, 7, axis=0))
add("resize", call(V, 5), call(M, (3, 3)), call(2.5, (2,)), call(V, -1))
add("broadcast_arrays", call(V, M), call(P, 2.5), call(H, S), call(V, W))

SHAPES = (3, (2, 3), (), (0,), np.int64(2), (np.int64(2), 1), -1, (2, -3), np.array([2, 2]), 2.5)
add(
    "zeros ones",
    *each(SHAPES),
    call((2, 2), int),
    call(3, dtype="f4"),
    call((2, 2), np.bool_, order="F"),
)
add("empty", *(call(shape, dtype="b") for shape in ((0,), (0, 3), (2, 0))))
add(
    "full",
    *each(SHAPES, 1.5),
    call(3, 7),
    call((2, 2), V[:2]),
    call(3, np.float32(1)),
    call(2, 1, dtype="f4"),
)
add(
    "zeros_like ones_like",
    *each(),
    *each(OPERANDS, np.float32),
    call(M, shape=(2, 2)),
    call(M, dtype=int),
)
add("full_like", *each(OPERANDS, 2), call(M, 1.5, "f4"), call(M, 2.5, shape=(4,)))
add("empty_like", call(E), call(Z), call(E, "f4"))
add(
    "eye",
    call(3),
    call(2, 3),
    call(3, dtype=int),
    call(3, k=1),
    call(-1),
    call(np.int64(2)),
    call(2, M=4),
)
add("tri", call(3), call(2, 3), call(3, dtype=int), call(3, 2, 1), call(-1))
add("identity", call(3), call(2, np.float32), call(0), call(np.int8(2)))
RANGES = (5, 0, -3, 2.5, np.float32(4), np.int8(4), True, np.int64(3), 2**40 - 2**40 + 2)
add(
    "arange",
    *each(RANGES),
    call(1, 5),
    call(0, 10, 3),
    call(5, 0, -2),
    call(0, 1, 0.25),
    call(1.5, 4),
)
add(
    "arange",
    call(0, 5, 1),
    call(np.float32(0), 3),
    call(3, dtype="f4"),
    call(2**70, 2**70 + 2),
    call(1, 4, 0),
)
add("arange", call(np.float32(0), np.float32(2)), call(np.int8(1), 4, np.int16(2)), call(2, stop=5))
ENDS = ((0, 1), (0.0, 2.5), (np.float32(1), np.float32(2)), (1, np.float32(3)), (1j, 2), (True, 4))
add(
    "linspace geomspace logspace",
    *(call(a + 1, b) for a, b in ENDS),
    *(call(a + 1, b, 5) for a, b in ENDS),
)
add(
    "linspace",
    call(0, 1, num=4, endpoint=False),
    call(0, 4, 5, dtype=int),
    call(0, 1, -2),
    call(V, 2, 3),
)
add("linspace", call(0, 1, 3, retstep=True), call(0, 1, np.int64(4)))
add("logspace", call(0, 2, 3, base=2.0), call(0, 2, 3, dtype="f4"), call(0, 1, base=np.float32(2)))
CONVERTED = (
    *OPERANDS,
    (1, 2.5),
    (V, V),
    ((1, 2), (3, 4)),
    (),
    (np.float32(1), 2),
    (V, D),
    (V, W),
    (True, 2),
)
add("array asarray asanyarray copy ascontiguousarray asfortranarray", *each(CONVERTED))
add(
    "array asarray asanyarray ascontiguousarray",
    *each(CONVERTED, np.float32),
    *each(CONVERTED, dtype=complex),
)
add(
    "array",
    call(V, copy=False),
    call(M, ndmin=3),
    call(V, dtype=float, copy=False),
    call("text"),
    call(2**70),
)
add("array", call((V, 2.5), dtype=object), call(None), call(B, dtype="i2"), call((2**70, 1)))
add("asarray", call(V, float), call(V, None), call(V, copy=True), call(D, dtype=np.int64))
add("astype", *each(ARRAYS, np.float32), call(V, float, copy=False), call(D, "c16"))
add(
    "meshgrid",
    call(V, W),
    call(V),
    call(V, D, E),
    call(2.5, V),
    call(V, W, indexing="ij"),
    call(M, V),
)
add("diag", *each(ARRAYS), call(V, 1), call(S, 1), call(S, k=-1), call(V, k=-2), call(M, 0))
add("diagflat", call(V), call(M), call(V, 1))
add("tril triu", *each(ARRAYS), call(S, 1), call(T, k=-1))
add("vander", call(V), call(D, 2), call(U, N=4), call(V, increasing=True))
SCALARS = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 longdouble"
)
SCALARS += " complex64 complex128 clongdouble longlong ulonglong"
add(SCALARS, *each(), call(), call("1"), call(2**70), call(-1), call((1, 2)), call(2.5, 1))
