"""Samples for NumPy's functions of selection, linear algebra, statistics and random numbers.

They stand apart from `numpy_samples` for their length alone.
"""

from __future__ import annotations

import numpy as np

import ops.numpy_family_samples  # noqa: F401  # enters its samples
from ops.numpy_samples import (
    ARRAYS,
    AXES,
    NUMPY_SAMPLES,
    OPERANDS,
    B,
    C,
    D,
    E,
    F,
    H,
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
from ops.sample import Sample

N = np.array([0, 2, 1])
K = np.array([[0, 1, 0], [1, 0, 1]])

add(
    "where",
    call(B, V, 0.0),
    call(M > 1, M, V),
    call(True, 1.5, 2),
    call(B, 1, 2),
    call(B, W[:3], 1.0),
)
add(
    "where",
    *each(ARRAYS),
    call(B, 1, D),
    call(B, U, 1),
    call(P, V, D),
    call(B, 2**70, 1),
    call(B, M, W),
)
add("nonzero flatnonzero argwhere", *each())
add("take", *each(ARRAYS, 0), call(V, N), call(M, N, 1), call(M, 0, axis=0), call(M, K, axis=0))
add(
    "take",
    call(V, np.array(1)),
    call(M, 0, 5),
    call(V, 9),
    call(M, 0, out=np.array(0.0)),
    call(V, 4, mode="wrap"),
)
add(
    "take_along_axis",
    call(M, K, 0),
    call(M, K, 1),
    call(M, K),
    call(V, N, axis=0),
    call(M, N, None),
)
add("compress", call(B, V), call(B, M, 1), call(B, M, axis=1), call(B[:2], M))
add("extract", call(B, V), call(M > 1, M), call(B, D))
add(
    "clip",
    *each(OPERANDS, 0, 1),
    call(V, 0.5, 2),
    call(V, V, W[:3]),
    call(V, None, 1),
    call(U, 1, 300),
)
add(
    "clip",
    call(M, V, 4.0),
    call(V, 0, 1, out=ramp(3)),
    call(V, min=0, max=1),
    call(5, 2**70, 2**71),
)
add(
    "searchsorted",
    *each((V, D, W), 1.5),
    call(V, N),
    call(V, K, side="right"),
    call(V, P),
    call(V, 2**70),
)
add("digitize", call(1.5, V), call(V, W), call(M, V), call(P, V))
add("choose", call(N, (V, V, V)), call(1, (1, 2)), call(N, V))
add("select", call((B, ~B), (V, D)), call((B,), (V,), 0.5), call((B,), (V,)))
add("isin", *each(OPERANDS, V), call(V, (1, 2)), call(V, 1), call(M, D, invert=True))
add("put", call(ramp(3), 0, 5.0), call(ramp(3), N, V), call(ramp(3), 7, 1.0))
add("place putmask", call(ramp(3), B, V), call(ramp(2, 3), M > 1, V), call(ramp(3), B, D))
add(
    "copyto",
    call(ramp(3), 1.5),
    call(ramp(2, 3), V),
    call(ramp(3), D),
    call(ramp(3, dtype=int), 1.5),
)
add("fill_diagonal", call(ramp(3, 3), 1.5), call(ramp(2, 3), V), call(ramp(3), 1))
add(
    "put_along_axis", call(ramp(2, 3), K, 1.5, 0), call(ramp(2, 3), K, M, 1), call(ramp(3), N, V, 0)
)
add(
    "indices",
    call((2, 3)),
    call((2,), float),
    call((0, 2)),
    call((np.int64(2), 2)),
    call((2, 2), sparse=True),
)
add("ix_", call(N, D), call(D), call(B, N), call(E, D))
add("unravel_index", call(3, (2, 3)), call(N, (2, 3)), call(np.int64(1), 4), call(9, (2, 3)))
add("sort partition", *each(ARRAYS, 0), *each(AXES, 0, -1), call(M, 1, None), call(V, 0))
add(
    "sort",
    *each(),
    *each(AXES, axis=0),
    *each(AXES, axis=None),
    call(V, kind="stable"),
    call(2.5, None),
)
add("argsort", *each(), *each(AXES, 0), *each(AXES, axis=None), call(P, -1), call(M, 4))
add("argpartition", call(V, 1), call(M, 1, 0), call(M, 1, axis=None))
add("lexsort", call((V, D)), call(M), call((V,)))
add("unique", *each(), call(V, return_counts=True), call(M, axis=0), call(V, True))
add(
    "union1d setdiff1d setxor1d intersect1d",
    call(V, D),
    call(W, V),
    call(M, V),
    call(U, D),
    call(V, 2.0),
)

PAIRS = (
    (V, V),
    (V, D),
    (M, V),
    (M, S),
    (V, S),
    (T, W),
    (2.5, V),
    (P, P),
    (3, 2.5),
    (W, V),
    (W, W),
    (S, J.T),
)
PAIRS += (
    (C, C),
    (X, C),
    (np.float32(2), 3),
    (np.float32(2), W),
    (E, E),
    (Z, ramp(0, 2)),
    (U, D),
    (B, B),
    (M, M),
)
PAIRS += ((T, T), (H, V), (2**70, 1), (H, H))
PRODUCTS = [call(a, b) for a, b in PAIRS]
add("dot inner vdot outer kron tensordot cross", *PRODUCTS)
add(
    "matmul vecdot matvec vecmat linalg.matmul",
    *PRODUCTS,
    call(T, ramp(4, 2)),
    call(T, ramp(2, 4, 2)),
)
add("dot", call(M, V, out=ramp(2)), call(M, V, ramp(2)), call(T, ramp(3, 4, 2)))
add(
    "matmul",
    call(S, S, out=ramp(3, 3, dtype="f4")),
    call(M, S, dtype=np.float32),
    call(M, V, ramp(2)),
)
add(
    "tensordot",
    call(V, V, 1),
    call(M, S, 1),
    call(M, M, 2),
    call(M, S, ((1,), (0,))),
    call(V, W, 0),
    call(M, F, (0, 0)),
)
add("cross", call(V, M), call(D, U), call(V[:2], V[:2]), call(W[:3], H))
add(
    "einsum",
    call("ij->ji", M),
    call("ii->i", S),
    call("ij,jk->ik", M, S),
    call("i,i->", V, D),
    call("ij->", M),
)
add(
    "einsum",
    call("ij,j->i", M, W[:3]),
    call("ij,jk", M, S),
    call("...i->...", T),
    call("ii->", S),
    call("i->ii", V),
)
add(
    "einsum",
    call("ij,ij->i", M, H),
    call("i,ij,j->", V[:2], M, V),
    call("ij->ij", M),
    call("ij->i", V),
)
add(
    "diagonal",
    call(S),
    call(M),
    call(T, 0, 1, 2),
    call(S, 1),
    call(S, offset=-1),
    call(V),
    call(T, axis1=0, axis2=2),
)
add(
    "trace",
    call(S),
    call(J),
    call(T),
    call(S, 1),
    call(B[:, None] & B),
    call(S, dtype=float),
    call(T, 0, 1, 2),
    call(V),
)
SQUARES = (X, X.astype("f4"), C + np.eye(2), X.astype(int), np.stack([X, X]), M, V, X.astype(bool))
LINEAR = (
    "linalg.det linalg.inv linalg.cholesky linalg.eigvalsh linalg.pinv linalg.eigvals linalg.qr"
)
add(
    LINEAR + " linalg.svd linalg.eigh linalg.eig linalg.slogdet linalg.matrix_rank linalg.cond",
    *each(SQUARES),
)
add(
    "linalg.solve",
    call(X, V[:2]),
    call(X, X),
    call(np.stack([X, X]), X),
    call(X.astype("f4"), W[:2]),
    call(X, M),
)
add(
    "linalg.solve",
    call(X, V),
    call(X.astype(int), D[:2]),
    call(C + X, V[:2]),
    call(np.stack([X, X]), ramp(2, 2, 1)),
)
add(
    "linalg.norm",
    *each(ARRAYS),
    *each((V, M, T, J), axis=-1),
    call(V, 1),
    call(M, "fro"),
    call(M, 2),
    call(V, np.inf),
)
add(
    "linalg.norm",
    call(M, axis=(0, 1)),
    call(V, 3.5),
    call(M, None, 0, True),
    call(M, keepdims=True),
    call(D, 1),
)
add("linalg.matrix_power", *each(SQUARES, 2), call(X, 0), call(X, -1), call(X, 1), call(M, 2))
add("linalg.lstsq", call(M, V[:2]), call(X, X), call(S, V))

add(
    "round around",
    *each(),
    *each(OPERANDS, 1),
    call(V, decimals=-1),
    call(V, out=ramp(3)),
    call(B, 1),
)
add("sinc angle fix i0 isposinf isneginf iscomplex isreal real imag", *each())
add("angle", call(C, True), call(C, deg=True), call(1j))
add(
    "nan_to_num",
    *each(),
    call(np.array([np.nan, 1.0]), copy=False),
    call(V, nan=1.5),
    call(np.array([np.nan]), False),
)
add(
    "isclose allclose",
    *(call(a, 1.0) for a in OPERANDS),
    call(V, M),
    call(V, W),
    call(V, V, 0.1, atol=1.0),
)
add(
    "array_equal array_equiv shares_memory may_share_memory",
    call(V, V),
    call(V, M),
    call(V, D),
    call(2.5, V),
)
add(
    "iscomplexobj isrealobj isscalar shape ndim size",
    *each(),
    call((1, 2)),
    call("text"),
    call(None),
    call((V, V)),
)
add("size", call(M, 0), call(M, axis=1), call(V, 4))
add(
    "result_type promote_types can_cast issubdtype min_scalar_type",
    call("f4", "f8"),
    call(np.int8, float),
    call(3),
)
add("bincount", call(D), call(U), call(D, V), call(D, minlength=7), call(V), call(D, weights=D))
add(
    "interp",
    call(1.5, V, V),
    call(M, V, D),
    call(W, V, V + 1j),
    call(P, V, V),
    call(V, V, V, left=1.0),
    call(1, V, D),
)
add(
    "diff",
    *each(),
    *each(AXES, 1, 0),
    *each(AXES, axis=0),
    call(V, 2),
    call(V, 5),
    call(V, prepend=1.0),
    call(M, n=0),
)
add("ediff1d", call(V), call(M), call(U), call(E), call(V, to_end=1.0))
add(
    "convolve correlate",
    call(V, W),
    call(D, U),
    call(V, 2.5),
    call(V, W, "same"),
    call(V, W, mode="valid"),
    call(E, V),
)
add("convolve correlate", call(M, V), call(C[0], V), call(B, B))
add("trapezoid", *each(ARRAYS), call(M, axis=0), call(V, V), call(V, dx=2.0))
add("unwrap", *each(ARRAYS), call(M, axis=0))
add("gradient", *each(ARRAYS), call(V, 2.0), call(M, axis=0), call(V, V))
add("cov corrcoef histogram histogram_bin_edges", call(V + N), call(M * M), call(W[::-1]))
add(
    "histogram2d polyfit polyval ravel_multi_index",
    call(V, V),
    call(V, V, 1),
    call(C),
)
add("ravel_multi_index", call((N, N), (3, 3)))
add("hanning hamming bartlett blackman", call(3), call(0), call(4.0))
add(
    "fft.fft fft.ifft fft.rfft fft.irfft",
    *each(ARRAYS),
    *each((M, T), axis=0),
    call(V, 5),
    call(W, norm="ortho"),
)
add(
    "fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.fftshift fft.ifftshift",
    *each(ARRAYS),
    call(M, (2, 2)),
)
add("fft.fftfreq fft.rfftfreq", call(3), call(4, 0.5), call(5, d=2.0))


def _random_samples() -> dict[str, list[Sample]]:
    """Return samples for the functions of the global random state."""
    sized = [call(), call(size=3), call(3), call((2, 2)), call(np.int64(2)), call(size=None)]
    scaled = [
        call(1.0, 2.0),
        call(1.0, 2.0, 3),
        call(1, 2, (2, 2)),
        call(V + 1, 2.0),
        call(2.0, size=2),
    ]
    one = [call(2.0), call(2.0, 3), call(0.5, (2, 2)), call(V + 1), call(0.5, size=2)]
    samples = {name: sized for name in "random random_sample ranf sample standard_normal".split()}
    samples |= dict.fromkeys(("standard_exponential",), sized)
    samples |= dict.fromkeys(("uniform", "normal", "gamma", "beta", "laplace", "lognormal"), scaled)
    samples |= dict.fromkeys(("logistic", "gumbel"), scaled)
    samples |= dict.fromkeys(("exponential", "chisquare", "weibull", "rayleigh", "poisson"), one)
    samples |= {
        "geometric": [call(0.5), call(0.5, 3), call(0.5, (2, 2))],
        "binomial": [call(3, 0.5), call(3, 0.5, 2), call(3, 0.5, size=(2, 2)), call(N, 0.5)],
        "triangular": [call(0.0, 1.0, 2.0), call(0.0, 1.0, 2.0, 3), call(0, 1, 2, size=2)],
        "rand": [call(), call(3), call(2, 3), call(np.int64(2)), call(-1), call(2.5)],
        "randn": [call(), call(3), call(2, 3)],
        "randint": [
            call(5),
            call(1, 5),
            call(1, 5, 3),
            call(5, size=(2, 2)),
            call(5, dtype="i4"),
            call(N + 1),
        ],
        "permutation": [call(4), call(V), call(M), call(P)],
        "choice": [call(4), call(V), call(V, 2), call(4, size=3)],
        "shuffle": [call(ramp(3)), call(ramp(2, 3)), call(P)],
        "seed": [call(1), call(7), call(None)],
        "multinomial": [call(3, V / 3), call(3, V / 3, 2), call(3, V / 3, size=2)],
        "multivariate_normal": [call(V[:2], X), call(V[:2], X, 2), call(V[:2], X, size=2)],
        "dirichlet": [call(V + 1), call(V + 1, 2), call(V + 1, size=2)],
    }
    return samples


for _name, _samples in _random_samples().items():
    add(f"random.{_name}", *_samples)

FUNCTION_SAMPLES: dict[str, list[Sample]] = NUMPY_SAMPLES
"""The samples of every function, those of `numpy_samples` included."""
