"""Samples for decompositions, histograms, polynomials, transforms, signals, sets and grids.

They are entered into `NUMPY_SAMPLES` by being imported.
"""

from __future__ import annotations

import numpy as np

from ops.numpy_samples import (
    ARRAYS,
    B,
    C,
    D,
    E,
    J,
    M,
    P,
    S,
    T,
    U,
    V,
    W,
    X,
    Z,
    add,
    call,
    each,
    ramp,
)

K = np.array([0, 2, 1])
PAIR = np.stack([X, X + np.eye(2)])
TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])
SQUARES = (X, X.astype("f4"), C + np.eye(2), X.astype(int), PAIR, TURN, M, V)
TALL = ramp(4, 2) + np.eye(4)[:, :2]

# Decompositions

add(
    "linalg.eig linalg.eigvals linalg.eigh linalg.slogdet linalg.svd linalg.svdvals",
    *each(SQUARES),
)
add("linalg.eigh", call(X, "U"), call(X, UPLO="L"))
add(
    "linalg.svd",
    call(M),
    call(TALL, False),
    call(M, full_matrices=False),
    call(M, compute_uv=False),
    call(X, hermitian=True),
    call(Z),
)
add("linalg.qr linalg.svdvals", call(M), call(TALL), call(PAIR), call(Z))
add("linalg.qr", *(call(item, mode) for item in (M, TALL) for mode in ("complete", "r", "raw")))
add("linalg.qr", call(PAIR, mode="raw"), call(M, "wrong"))
add("linalg.lstsq", call(TALL, ramp(4)), call(TALL, ramp(4, 3), None), call(M, V[:2], rcond=1e-9))
add("linalg.matrix_rank", *each(SQUARES), call(X, 0.5), call(P), call(M, hermitian=False))
add("linalg.cond", *each(SQUARES), call(X, 1), call(X, "fro"), call(PAIR, p=-2), call(X, np.inf))
add("linalg.tensorinv", call(np.eye(6).reshape(2, 3, 6)), call(np.eye(6).reshape(6, 2, 3), ind=1))
add("linalg.tensorinv", call(np.eye(4).reshape(2, 2, 2, 2)))
add("linalg.tensorsolve", call(np.eye(6).reshape(2, 3, 2, 3), M), call(X, V[:2]))
add("linalg.tensorsolve", call(np.eye(6).reshape(2, 3, 6), M, None))
add("linalg.multi_dot", call((M, S, V)), call((V, M.T)), call((V, S, V)), call((M, M.T, M)))
add("linalg.trace linalg.diagonal linalg.matrix_transpose", *each((S, M, T, J, PAIR, V)))
add("linalg.trace linalg.diagonal", call(M, offset=1), call(T, offset=0))
add("linalg.trace", call(J, dtype=float))
add("linalg.outer", call(V, W), call(D, U), call(M, V), call(V, 2.0))
add("linalg.cross", call(V, D), call(M, V), call(S.T, S.T, axis=0), call(V, V[:2]))
add("linalg.vecdot", call(V, V), call(M, V), call(S, S, axis=0), call(C, C))
add("linalg.matmul", call(M, S), call(V, V), call(T, ramp(4, 2)))
add("linalg.tensordot", call(V, V, axes=1), call(M, S, axes=1), call(M, S, axes=((1,), (0,))))
NORMS: tuple[object, ...] = (1, 2, np.inf, 0, 3.5)
add(
    "linalg.matrix_norm",
    *each((M, S, PAIR, J, C, V)),
    *(call(M, ord=order) for order in NORMS[:3]),
)
add("linalg.matrix_norm", call(PAIR, keepdims=True), call(M, ord="nuc"), call(M, ord="fro"))
add("linalg.vector_norm", *each(ARRAYS), *(call(V, ord=order) for order in NORMS))
add("linalg.vector_norm", call(M, axis=0), call(T, axis=(0, 2)), call(M, axis=1, keepdims=True))
add("linalg.norm", call(M, "nuc"), call(M, 1), call(J, 1), call(V, 0), call(T, 1), call(D, 0))
add("linalg.norm", call(S, 2, (0, 1)), call(T, 2, 1), call(T, "fro", (0, 1)), call(W, -np.inf))
add("linalg.pinv", call(M, 1e-9), call(X, hermitian=True), call(X, rtol=1e-9))
add("linalg.cholesky", call(X, upper=True))
add("linalg.eigvalsh", call(X, "U"))

# Products

add(
    "einsum",
    call("ij,jk", M, S),
    call("ij", M),
    call("ji", M),
    call("...ij,...jk->...ik", T, ramp(2, 4, 2)),
    call("i...->...", T),
    call("...", M),
    call("ij,j,i->", M, V, V[:2]),
    call("ij,ij,ij,ij->ij", M, M, M, M),
    call("ij,jk->ik", J, S, dtype=float),
    call("ij, jk -> ik", M, S, optimize=True),
    call("ii", S),
    call("bij,bjk->bik", T, ramp(2, 4, 2)),
    call("i,j->ij", V, W),
    call("ij->k", M),
    call("i...j->j...", T),
)
add("cross", call(V[:2], V), call(M, V[:2]), call(S, S, axis=0), call(V, V, 0), call(T, V))

# Histograms

add(
    "histogram",
    call(V),
    call(W, 4),
    call(D, np.int64(3)),
    call(V, V),
    call(V, (0.0, 1.0, 3.0)),
    call(V, "auto"),
    call(V, bins=5, range=(0.0, 1.0)),
    call(V, density=True),
    call(V, weights=D),
    call(V, weights=W[:3], density=True),
    call(V, weights=V + 1j),
    call(U, 3, density=None),
    call(E),
    call(M, 0),
)
add(
    "histogram_bin_edges",
    call(V),
    call(W, 4),
    call(V, "sturges"),
    call(V, D),
    call(V, range=(0, 9)),
)
add(
    "histogram2d",
    call(V, V),
    call(V, D, 4),
    call(W, W, (3, 5)),
    call(V, V, V),
    call(V, V, (V, 3)),
    call(V, V, bins=3, density=True),
    call(V, V, weights=V),
    call(V, V, np.array([2, 3])),
)
add("histogramdd", call(M), call(M.T, 4), call(M.T, (3, 5)), call(M.T, bins=(V, 4)), call(V))

# Polynomials

POLYNOMIALS = (V, W, D, C[0] + 1, E, U, 2.5)
add("poly", *each((V, W, D, C[0], E, X, TURN, C + 1, M)))
add("roots", *each((V + 1, W, D, C[0] + 1, E, U, np.array([1.0, 0.0, 1.0]), np.array([2.0]), P)))
add("roots", call(np.array([1, 0, -1])), call(np.array([0.0, 0.0])), call((1.0, 2.0)))
add(
    "polyval",
    *(call(p, x) for p in POLYNOMIALS[:6] for x in (2.0, 3, V, J, M, P, 1j, np.float32(2))),
)
add("polyadd polysub polymul polydiv", *(call(p, q) for p in POLYNOMIALS for q in (V + 1, D, 3, W)))
add("polyder", *each(POLYNOMIALS), call(V, 2), call(V, m=5), call(V, 0), call(V, -1))
add("polyint", *each(POLYNOMIALS), call(V, 2), call(V, m=3), call(V, 0), call(V, k=1.0))
L = np.arange(6.0)
add(
    "polyfit",
    call(L, L**2, 2),
    call(L.astype("f4"), L.astype("f4"), 1),
    call(L, np.stack([L, L], 1), 1),
    call(L.astype(int), L, 1, None),
    call(L, L, 1, full=True),
    call(L, L, 1, cov=True),
    call(L, L**2, 1, cov="unscaled"),
    call(L, L, 1, w=L + 1),
    call(L, L, 1, 1e-9, True),
    call(L, L, -1),
    call(L.astype("f4"), L.astype("f4"), 1, full=True),
    call(L, L + 1j, 1),
)

# Transforms

ONE = "fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft"
add(ONE, *each(ARRAYS), *(call(item, n) for item in (V, M, C, W) for n in (1, 4, 5, None)))
add(ONE, call(M, 4, 0), call(M, n=3, axis=0), call(V, 0), call(M, axis=-1, norm="ortho"))
SEVERAL = "fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 fft.fftn fft.ifftn fft.rfftn fft.irfftn"
add(SEVERAL, *each((M, T, J, C, S)), call(M, (4, 5)), call(T, axes=(0, 1)), call(T, axes=(1, 0)))
add(SEVERAL, call(T, (4, 5), (0, 2)), call(M, s=(2, -1), axes=(0, 1)), call(M, norm="forward"))
add(
    "fft.fftfreq fft.rfftfreq",
    call(8),
    call(5, 0.5),
    call(4, d=2),
    call(0),
    call(6, np.float32(2)),
)
add("fft.fftshift fft.ifftshift", call(M, 0), call(M, axes=(0, 1)))

# Signals

add(
    "diff",
    call(V, prepend=1.0),
    call(M, 1, 0, H := ramp(1, 3)),
    call(M, append=0),
    call(D, append=0.5),
)
add("diff", call(M, prepend=np.zeros((2, 1)), append=np.zeros((2, 2))), call(B, n=2), call(M, n=-1))
add("diff", call(M, axis=0, prepend=H, append=H), call(V, 2, prepend=D))
add("ediff1d", call(V, 1.0), call(V, to_begin=V), call(M, to_end=np.array([1.0, 2.0]), to_begin=0))
add("gradient", call(V, 0.5), call(M, 1.0, 2.0), call(M, 2.0), call(M, V[:2], V + 1, axis=(0, 1)))
add("gradient", call(M, axis=1), call(M, axis=(0, 1)), call(T, axis=(2,)), call(V, edge_order=2))
add("gradient", call(W, 2.0), call(D, V), call(C), call(V[:2], edge_order=2), call(V, 1.0, 2.0))
add(
    "trapezoid",
    call(M, V),
    call(M, dx=2),
    call(W, dx=0.5),
    call(M, M),
    call(M, M, axis=0),
    call(D, D),
)
add("trapezoid", call(W, V + 1, axis=0), call(M, dx=1.0, axis=0), call(V, dx=np.float32(2)))
add("unwrap", call(M, axis=0), call(V, 4.0), call(V, period=3.0), call(D, period=3), call(W, None))
add(
    "cumulative_sum cumulative_prod",
    *each((V, W, D, U, B, P, M)),
    call(M, axis=0),
    call(V, axis=0),
)
add("cumulative_sum", call(V, include_initial=True), call(M, axis=1, include_initial=True))
add("cumulative_sum", call(J, axis=0, dtype=float), call(V, out=ramp(3)))
add("hanning hamming bartlett blackman", call(1), call(5), call(-2), call(np.int64(3)))
add("kaiser", call(4, 1.0), call(5, 14), call(1, 0.0), call(0, 2.0))
RANDOM = np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 0.5]])
add("cov", *each((V, RANDOM, RANDOM.T, W, D, RANDOM[:1], C + RANDOM[:, :2])), call(RANDOM, RANDOM))
add(
    "cov",
    call(V, D),
    call(RANDOM, rowvar=False),
    call(RANDOM, None, True, True),
    call(RANDOM, ddof=0),
)
add("cov", call(RANDOM, dtype=np.float32), call(V, fweights=K + 1), call(V, RANDOM), call(T))
add(
    "corrcoef",
    call(V),
    call(RANDOM),
    call(RANDOM.T, rowvar=False),
    call(V, D + K),
    call(RANDOM[:1]),
)
add("corrcoef", call(RANDOM, dtype=np.float32), call(RANDOM, RANDOM[::-1]))

add("trapz", call(V), call(M, axis=0), call(V, V), call(D, dx=0.5))

# Sets and orders

FLAGS = ("return_index", "return_inverse", "return_counts")
for _mask in range(8):
    _chosen = {flag: True for i, flag in enumerate(FLAGS) if _mask >> i & 1}
    add("unique", call(V, **_chosen), call(J, **_chosen), call(M, axis=0, **_chosen))
add("unique", call(T, axis=-1), call(M, axis=1, return_inverse=True), call(V, False, True))
add("unique", call(2.5, return_counts=True), call(V, equal_nan=False), call(P, return_inverse=True))
add("unique_values unique_counts unique_inverse unique_all", *each((V, D, W, U, B, M, E, C, T, P)))
add("intersect1d", call(V, D), call(W, V), call(V, V, True), call(M, V, return_indices=True))
add("in1d", call(V, D), call(M, V, invert=True), call(2.5, V), call(E, V))
add("lexsort", call((V, D)), call(M), call((M, M)), call(T), call((V,), 0), call((V, 2.0)), call(V))
add("sort_complex", *each((V, W, D, U, C, M, E, T)))
add("trim_zeros", call(V), call(D, "f"), call(np.zeros(3)), call(E), call(V, trim="b"))

# Grids and bits

add("diag_indices", call(3), call(0), call(-1), call(2, 3), call(4, ndim=1), call(np.int64(2)))
add("diag_indices_from", call(X), call(S), call(np.zeros((2, 2, 2))), call(M), call(V))
for _name in ("tril_indices", "triu_indices"):
    add(_name, call(3), call(3, 1), call(3, -1), call(2, 0, 4), call(0), call(-2), call(4, m=2))
    add(_name, call(np.int64(3)), call(3, k=-9), call(2, 5, 3))
    add(f"{_name}_from", call(S), call(M), call(M, 1), call(M, k=-1), call(V))
add("ravel_multi_index", call((K, K), (3, 3)), call((1, 2), (3, 3)), call((K, 1), (3, 3), "clip"))
add("ravel_multi_index", call(np.array([[0, 1], [1, 2]]), (3, 3)), call(np.array([1, 2]), (3, 3)))
add("ravel_multi_index", call((K[:, None], K), (3, 3), order="F"), call((5, 5), (3, 3)))
add("broadcast_shapes", call((2, 1), (1, 3)), call(3, (2, 1)), call(), call((2,), (3,)), call((1,)))
add(
    "packbits",
    call(B),
    call(U),
    call(J),
    call(J.astype(bool), 1),
    call(M),
    call(B, bitorder="little"),
)
add(
    "unpackbits",
    call(U),
    call(U, 0),
    call(U[:, None], axis=1),
    call(U, count=5),
    call(U, count=-2),
)
add("unpackbits", call(V), call(U[:0]))

# Making and splitting

add(
    "linspace",
    call(0.0, 1.0, retstep=True),
    call(0, 1, 1, retstep=True),
    call(0, 1, 0, True, True),
)
add("linspace", call(0, V), call(V, V + 1, 4), call(V, 2.0, 3, axis=1), call(M, V, 2, axis=-1))
add(
    "linspace",
    call(0, 1, 3, False, True),
    call(np.float32(0), 1, 5, retstep=True),
    call(V, V, axis=4),
)
add("logspace geomspace", call(V + 1, 3.0), call(V + 1, D + 2, 4), call(V + 1, 9.0, 4, axis=1))
add(
    "meshgrid",
    call(V, W),
    call(V, W, indexing="ij"),
    call(V, W, sparse=True),
    call(V),
    call(M, 2.0),
)
add(
    "meshgrid",
    call(V, D, U),
    call(V, D, U, indexing="ij", sparse=True),
    call(V, D, copy=False),
    call(),
)
add("row_stack", call((V, V)), call((M, V)), call((V, W)))
add("unstack", call(M), call(T, axis=1), call(V), call(P), call(M, axis=-1), call(M, axis=3))
add(
    "require",
    call(V),
    call(V, float),
    call(M, "f4", "F"),
    call(M, None, ("C", "O")),
    call(P),
    call(2.5),
)
add("choose", call(K, (V, D, W[:3])), call(K, (1, 2, 3)), call(K, np.stack([V, V, V])), call(2, S))
add("choose", call(K + 1, (V, V), mode="wrap"), call(K, (V, V, M)), call(K, (1.0, V, 2)))
BOTH = (V > 1, V < 1)
add("select", call(BOTH, (V, D)), call(BOTH, (V, 1), 0.5), call(BOTH, (1, 2)), call(BOTH, (D, 2)))
add(
    "select",
    call(BOTH, (W[:3], 1.5)),
    call(BOTH, (V,)),
    call((V > 1,), (M,)),
    call(BOTH, (1j, V), V),
)
add("select", call((True,), (2.0,)), call((M > 1, V > 0), (V, J), default=U))
add("real_if_close", *each((V, C, C.astype("c8"), np.array([1j]), P, D, 2.5, 1j)), call(C, 10))
add("nan_to_num", call(V, True), call(D, False), call(W, copy=True, nan=1.0), call(P, copy=False))
add("base_repr", call(5), call(5, 3), call(-7, base=16, padding=2))
add("binary_repr", call(5), call(-5, 8), call(3, width=None))
add("format_float_positional format_float_scientific", call(1.5), call(np.float32(0.1)), call(3, 2))
add(
    "isdtype",
    call(np.float64, "real floating"),
    call(np.dtype("i4"), "bool"),
    call(np.int8, np.int8),
)
add("isfortran iterable", call(V), call(M.T), call(2.5))

# Objects

add("ndindex", call(2, 3), call((2, 3)), call(), call((1,)), call(np.int64(2)), call((2, -1)))
add("ndenumerate", *each((V, M, B, C, T, P, E)))
add("finfo", call(float), call(np.float32), call("f2"), call(np.dtype("c16")), call(1.5), call(int))
add("iinfo", call(int), call(np.uint8), call("i2"), call(3), call(float))

add("average", call(V, returned=True), call(M, 0, returned=True))
add("average", call(D, weights=W[:3], returned=True))
add("average", call(M, 1, V, True), call(M, axis=0, weights=V[:2], returned=True, keepdims=True))
add("average", call(P, returned=True), call(J, None, None, True), call(C, returned=True))
add("clip", call(V, 1.0, None), call(D, None, 1), call(U, 300, None), call(M, V, None))
add("clip", call(P, 1, None))
add("clip", call(W, None, 0.5), call(D, None, 0.5), call(B, 1, None), call(V, min=None, max=1.0))
add("indices", call((2, 3), sparse=True), call((2, 3), float, True), call(2, sparse=True))
METHODS = ("lower", "higher", "nearest", "midpoint", "inverted_cdf", "hazen", "median_unbiased")
QUANTILES = "quantile percentile nanquantile nanpercentile"
add(QUANTILES, *(call(item, 0.5, method=way) for item in (V, D, M, W, P) for way in METHODS))
add(QUANTILES, *(call(item, V / 4, 0, method=way) for item in (M, J, W) for way in METHODS))
add(QUANTILES, call(D, 1, method="lower"), call(U, np.float32(0.5), method="nearest"))
MEDIANS = "median nanmedian"
add(MEDIANS, call(V[::-1].copy(), None, None, True), call(M.copy(), overwrite_input=True))
add(MEDIANS, call(D, overwrite_input=False), call(J.copy(), axis=0, overwrite_input=True))
