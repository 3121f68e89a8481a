"""Families of NumPy's functions in use: decompositions, sets, histograms, polynomials, signals."""

from __future__ import annotations

import numpy as np

from .entries import case

SPD = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])


def principal_axes(x, k):
    """Project on the leading eigenvectors of the covariance."""
    centered = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(centered, rowvar=False))
    order = np.argsort(values)[::-1][:k]
    result = np.linalg.eigh(centered.T @ centered)
    same = result.eigenvalues[-1] >= result.eigenvalues[0]
    return centered @ vectors[:, order], values[order], same, len(result), result[0].shape


case(
    principal_axes,
    lambda: (np.arange(12.0).reshape(4, 3) ** 2, 2),
    lambda: (np.random.default_rng(0).normal(size=(6, 2)), 1),
)


def decompositions(a):
    """Return named tuples as they are, and parts of them by name and number."""
    svd = np.linalg.svd(a, full_matrices=False)
    q, r = np.linalg.qr(a)
    sign, logdet = np.linalg.slogdet(a.T @ a)
    rebuilt = (svd.U * svd.S) @ svd.Vh
    first, *rest = svd
    again = np.linalg.qr(a)
    fits = np.allclose(rebuilt, a)
    return svd, again, q @ r, sign * logdet, fits, type(svd), first.size, rest


case(decompositions, lambda: (SPD,), lambda: (SPD[:, :2],), lambda: (SPD.astype(np.float32),))


def named_tuples_in_branches(a, flag):
    """Join named tuples with others, compare and add them as tuples."""
    parts = np.linalg.eigh(a) if flag else np.linalg.eig(a)
    pair = tuple(parts)
    one = (1,)
    more = np.linalg.slogdet(a) + one
    swapped = np.linalg.slogdet(a)[::-1]
    for part in parts:
        pair += (part.shape,)
    return parts, pair, more, swapped, isinstance(parts, tuple), parts.eigenvalues.sum()


case(named_tuples_in_branches, lambda: (SPD, True), lambda: (SPD, False))


def write_into_parts(a):
    """Write into an array that a named tuple holds: it is seen through the tuple."""
    parts = np.linalg.eigh(a)
    parts.eigenvectors[0] = 7.0
    values, vectors = parts
    values *= 2
    return parts, vectors[0, 0], values is parts[0]


case(write_into_parts, lambda: (SPD,))


def real_or_complex(a):
    """Eigenvalues are real or complex: it depends on the numbers."""
    values = np.linalg.eigvals(a)
    if np.iscomplexobj(values):
        return values.imag, np.abs(values)
    return values + 1, np.sort(values)


case(
    real_or_complex,
    lambda: (SPD,),
    lambda: (np.array([[0.0, 1.0], [-1.0, 0.0]]),),
    lambda: (np.eye(2, dtype=complex),),
)


def solvers(a, b):
    """Solve in several ways; singular matrices raise NumPy's own error."""
    x = np.linalg.solve(a, b)
    y, residuals, rank, singular = np.linalg.lstsq(a, b, rcond=None)
    power = np.linalg.matrix_power(a, 3)
    return x, y, residuals, rank, singular, power, np.linalg.cond(a), np.linalg.matrix_rank(a)


case(
    solvers,
    lambda: (SPD, np.ones(3)),
    lambda: (SPD, np.ones((3, 2))),
    lambda: (np.zeros((2, 2)), np.ones(2)),
    lambda: (SPD, np.ones(2)),
    raises=(None, None, np.linalg.LinAlgError, ValueError),
)


def contractions(a, b, v):
    """Sum over subscripts, written with and without an output, with an ellipsis."""
    c = np.einsum("ij,jk", a, b)
    d = np.einsum("...ij,...j->...i", np.stack([a, a]), v)
    diagonal = np.einsum("ii->i", a)
    diagonal[:] = 0
    return c, d, a, np.einsum("ij,jk,k->i", a, b, v), np.linalg.multi_dot([a, b, v]), np.kron(v, v)


case(contractions, lambda: (SPD.copy(), SPD.T, np.arange(3.0)))


def sets(x, y):
    """Distinct elements, with what belongs to them."""
    values, index, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True
    )
    common, i, j = np.intersect1d(x, y, return_indices=True)
    result = np.unique_counts(x)
    return (
        values[inverse], index, counts, common, i, j, result.values, result.counts.sum(),
        np.union1d(x, y), np.setdiff1d(x, y), np.setxor1d(x, y), np.isin(x, y),
    )  # fmt: skip


case(
    sets,
    lambda: (np.array([3, 1, 3, 2]), np.array([2, 3, 5])),
    lambda: (np.array([1.5, np.nan, 1.5]), np.array([1.5])),
)


def binned(x, bins, edges):
    """Count in bins, of one and two dimensions, and return given edges as they are."""
    counts, made = np.histogram(x, bins=bins)
    weighted, given = np.histogram(x, edges, weights=x)
    grid, rows, columns = np.histogram2d(x, x[::-1], bins=(bins, 2))
    density, _ = np.histogram(x, "sqrt", density=True)
    return counts, made, weighted, given is edges, grid, rows, columns, density.dtype, made.sum()


case(
    binned,
    lambda: (np.arange(7.0) ** 2, 4, np.array([0.0, 10.0, 40.0])),
    lambda: (np.arange(5.0), 1, np.arange(6.0)),
    lambda: (np.arange(5.0), 0, np.arange(6.0)),
    raises=(None, None, ValueError),
)


def polynomials(x, y, degree):
    """Fit, evaluate, derive, integrate and factor."""
    p = np.polyfit(x, y, degree)
    fitted = np.polyval(p, x)
    slope = np.polyval(np.polyder(p), 1.5)
    whole = np.polyint(p)
    quotient, remainder = np.polydiv(np.polymul(p, [1.0, 2.0]), p)
    return fitted, slope, whole, np.roots([1, -3, 2]), np.poly([1.0, 2.0]), quotient, remainder


case(
    polynomials,
    lambda: (np.arange(6.0), np.arange(6.0) ** 2, 2),
    lambda: (np.arange(4.0), np.arange(4.0), 1),
)


def spectra(x, n):
    """Transform and filter."""
    spectrum = np.fft.rfft(x, n)
    frequencies = np.fft.rfftfreq(n, 0.5)
    spectrum[frequencies > 0.5] = 0
    back = np.fft.irfft(spectrum, n)
    image = np.fft.fftshift(np.fft.fft2(np.outer(x, x)))
    return back, np.abs(image), np.fft.hfft(x), x * np.hanning(len(x)), np.kaiser(n, 8.6)


case(spectra, lambda: (np.arange(8.0), 8), lambda: (np.arange(5.0), 6))


def sampled(x, y, spacing):
    """Differences, gradients, integrals, interpolation."""
    steps = np.diff(y, prepend=0.0)
    slope = np.gradient(y, spacing)
    rows, columns = np.gradient(np.outer(y, y))
    return (
        steps, slope, rows - columns.T, np.trapezoid(y, x), np.interp([0.5, 9.0], x, y),
        np.convolve(y, [1, 2, 1], mode="same"), np.unwrap(y * 3), np.ediff1d(y, to_end=9.0),
        np.cumsum(y), np.corrcoef(x, y)[0, 1],
    )  # fmt: skip


case(
    sampled,
    lambda: (np.arange(5.0), np.arange(5.0) ** 2, 0.5),
    lambda: (np.arange(4.0), np.sin(np.arange(4.0)), 2.0),
)


def grids(n, m):
    """Indices of grids, triangles and diagonals."""
    out = np.zeros((n, n))
    out[np.tril_indices(n, -1)] = np.arange(n * (n - 1) // 2)
    out[np.diag_indices(n)] += 9
    rows, columns = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    flat = np.ravel_multi_index((rows, columns), (n, m))
    i, j = np.unravel_index(flat, (n, m))
    steps, step = np.linspace(0, 1, m, retstep=True)
    mesh = np.mgrid[0:n, 0:m]
    a, b = np.ogrid[0:n, 0:m]
    return out, (i == rows).all(), j, steps, step, mesh, a * b, np.triu(out), np.vander(steps, 2)


case(grids, lambda: (3, 2), lambda: (2, 5), lambda: (1, 1))


def chosen(x, k):
    """Choose by numbers and by conditions."""
    first = np.select([x < 1, x > 2], [x, x * 10], default=-1.0)
    second = np.choose(k, [x, x + 1, x + 2])
    order = np.lexsort((x, k))
    low, high = np.split(x[order], 2)
    parts = np.array_split(x, 3)
    return first, second, order, low, high, parts, np.pad(x, 2, mode="reflect"), np.trim_zeros(x)


case(chosen, lambda: (np.array([0.0, 1.0, 2.0, 3.0]), np.array([0, 2, 1, 0])))


def views_and_identity(x):
    """Functions that return their argument, or a view of it."""
    flat = np.squeeze(x)
    flat[0] = 5
    same = np.atleast_2d(x) is x
    real = np.real_if_close(x)
    bottom, top = x
    top[1] = 8
    required = np.require(x, dtype=float)
    return flat, same, real is x, bottom, required is x, np.nan_to_num(x, copy=False) is x, x


case(views_and_identity, lambda: (np.arange(4.0).reshape(2, 2),))


def constant_grids(k):
    """Grids of constants are new on each call."""
    mesh = np.mgrid[0:3, 0:2]
    mesh[0] += k
    rows, columns = np.ogrid[0:2, 0:1:3j]
    line = np.mgrid[0:k]
    joined = np.r_[0:3, 1.5, k]
    joined[0] = 9
    return mesh, rows + columns, line, joined, np.c_[mesh[0], mesh[1]], np.ogrid[0:k, 0:2][0] * 2


case(constant_grids, lambda: (2,), lambda: (3,))


def places_of_elements(x):
    """Loop over places, and over places with elements; write meanwhile."""
    total = 0.0
    for i, j in np.ndindex(x.shape):
        total += x[i, j] * i
        x[i, j] += 1
    for place, value in np.ndenumerate(x):
        if value > 2:
            x[place] = -value
        total += place[0] - value
    for index in np.ndindex(2, len(x)):
        total += sum(index)
    return total, x, list(np.ndindex(1, 2)), next(np.ndindex(3))


case(
    places_of_elements,
    lambda: (np.arange(6.0).reshape(2, 3),),
    lambda: (np.zeros((0, 2)),),
    lambda: (np.arange(4).reshape(2, 2),),
)


def limits_of_dtypes(x):
    """Tolerances from the dtype at hand."""
    info = np.finfo(x.dtype)
    small = np.abs(x) < 8 * info.eps
    most = np.iinfo(np.int32).max
    x[small] = info.tiny
    return x, small, most + 1, np.finfo(np.float32).max * 2, info.bits


case(
    limits_of_dtypes,
    lambda: (np.array([0.0, 1.0, 1e-20]),),
    lambda: (np.array([0, 1], np.float32),),
    lambda: (np.array([1, 2]),),
    raises=(None, None, ValueError),
)
