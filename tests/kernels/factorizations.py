"""More linear algebra in place: rotations, blocks, multigrid, least squares."""

from __future__ import annotations

import numpy as np

from .entries import definite, kernel, normal


def givens_qr(a):
    """QR by Givens rotations, row pairs changed in place."""
    r = a.copy()
    m, n = r.shape
    q = np.eye(m)
    for j in range(n):
        for i in range(m - 1, j, -1):
            if r[i, j] == 0:
                continue
            h = np.hypot(r[i - 1, j], r[i, j])
            c, s = r[i - 1, j] / h, r[i, j] / h
            rotation = np.array([[c, s], [-s, c]])
            r[i - 1 : i + 1, j:] = rotation @ r[i - 1 : i + 1, j:]
            q[:, i - 1 : i + 1] = q[:, i - 1 : i + 1] @ rotation.T
    return q, r


kernel(
    givens_qr,
    lambda: (normal(0, 3, 2),),
    lambda: (normal(1, 5, 5),),
    lambda: (normal(2, 30, 20),),
)


def one_sided_jacobi(a, tol=1e-12, sweeps=30):
    """Singular values by orthogonalizing pairs of columns."""
    u = a.astype(float)
    n = u.shape[1]
    v = np.eye(n)
    for _ in range(sweeps):
        off = 0.0
        for p in range(n - 1):
            for q in range(p + 1, n):
                alpha = u[:, p] @ u[:, p]
                beta = u[:, q] @ u[:, q]
                gamma = u[:, p] @ u[:, q]
                off = max(off, abs(gamma) / np.sqrt(alpha * beta))
                if abs(gamma) < tol:
                    continue
                zeta = (beta - alpha) / (2 * gamma)
                t = np.sign(zeta) / (abs(zeta) + np.sqrt(1 + zeta**2)) if zeta != 0 else 1.0
                c = 1 / np.sqrt(1 + t * t)
                s = c * t
                for m in (u, v):
                    m[:, p], m[:, q] = c * m[:, p] - s * m[:, q], s * m[:, p] + c * m[:, q]
        if off < tol:
            break
    sigma = np.linalg.norm(u, axis=0)
    order = np.argsort(-sigma)
    return u[:, order] / sigma[order], sigma[order], v[:, order].T


kernel(
    one_sided_jacobi,
    lambda: (normal(0, 3, 2),),
    lambda: (normal(1, 4, 4),),
    lambda: (normal(2, 12, 8),),
)


def ldl(a):
    """Unit lower triangle and diagonal of a symmetric matrix, in the storage of a copy."""
    m = np.array(a)
    n = len(m)
    d = np.empty(n)
    for j in range(n):
        row = m[j, :j] * d[:j]
        d[j] = m[j, j] - np.dot(row, m[j, :j])
        if d[j] == 0:
            raise np.linalg.LinAlgError("zero pivot")
        m[j + 1 :, j] = (m[j + 1 :, j] - m[j + 1 :, :j] @ row) / d[j]
    lower = np.tril(m, -1)
    np.fill_diagonal(lower, 1.0)
    return lower, d


kernel(ldl, lambda: (definite(0, 2),), lambda: (definite(1, 5),), lambda: (definite(2, 60),))


def cholesky_update(lower, x):
    """Change a Cholesky factor in place for ``a + x x^T``."""
    x = x.copy()
    n = len(x)
    for k in range(n):
        r = np.hypot(lower[k, k], x[k])
        c, s = r / lower[k, k], x[k] / lower[k, k]
        lower[k, k] = r
        if k < n - 1:
            lower[k + 1 :, k] = (lower[k + 1 :, k] + s * x[k + 1 :]) / c
            x[k + 1 :] = c * x[k + 1 :] - s * lower[k + 1 :, k]


kernel(
    cholesky_update,
    lambda: (np.linalg.cholesky(definite(0, 1)), normal(0, 1)),
    lambda: (np.linalg.cholesky(definite(0, 4)), normal(1, 4)),
    lambda: (np.linalg.cholesky(definite(0, 80)), normal(2, 80)),
)


def strassen(a, b, cutoff=2):
    """A product of square matrices whose size is a power of two, by Strassen's seven products."""
    n = a.shape[0]
    if n <= cutoff:
        return a @ b
    h = n // 2
    a11, a12, a21, a22 = a[:h, :h], a[:h, h:], a[h:, :h], a[h:, h:]
    b11, b12, b21, b22 = b[:h, :h], b[:h, h:], b[h:, :h], b[h:, h:]
    m1 = strassen(a11 + a22, b11 + b22, cutoff)
    m2 = strassen(a21 + a22, b11, cutoff)
    m3 = strassen(a11, b12 - b22, cutoff)
    m4 = strassen(a22, b21 - b11, cutoff)
    m5 = strassen(a11 + a12, b22, cutoff)
    m6 = strassen(a21 - a11, b11 + b12, cutoff)
    m7 = strassen(a12 - a22, b21 + b22, cutoff)
    c = np.empty_like(a)
    c[:h, :h] = m1 + m4 - m5 + m7
    c[:h, h:] = m3 + m5
    c[h:, :h] = m2 + m4
    c[h:, h:] = m1 - m2 + m3 + m6
    return c


kernel(
    strassen,
    lambda: (normal(0, 2, 2), normal(1, 2, 2)),
    lambda: (normal(0, 8, 8), normal(1, 8, 8)),
    lambda: (normal(0, 32, 32), normal(1, 32, 32), 8),
)


def smooth(u, f, h, sweeps):
    """Sweep over `u` in place, damped."""
    for _ in range(sweeps):
        u[1:-1] += 0.5 * (0.5 * (u[:-2] + u[2:] + h * h * f[1:-1]) - u[1:-1])


def v_cycle(u, f, h):
    """One multigrid cycle for ``-u'' = f``; `u` is changed in place."""
    smooth(u, f, h, 3)
    n = len(u) - 1
    if n > 2:
        r = np.zeros_like(u)
        r[1:-1] = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) / h**2
        coarse = r[::2].copy()
        coarse[1:-1] = 0.25 * (r[1:-2:2] + 2 * r[2:-1:2] + r[3::2])
        e = np.zeros_like(coarse)
        v_cycle(e, coarse, 2 * h)
        u[::2] += e
        u[1::2] += 0.5 * (e[:-1] + e[1:])
        smooth(u, f, h, 3)


def multigrid(f, cycles):
    """The solution of ``-u'' = f`` on the unit interval, and the norms of the residuals."""
    n = len(f) - 1
    u = np.zeros(n + 1)
    norms = []
    for _ in range(cycles):
        v_cycle(u, f, 1.0 / n)
        residual = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) * n**2
        norms.append(float(np.linalg.norm(residual)))
    return u, norms


kernel(
    multigrid,
    lambda: (np.ones(5), 2),
    lambda: (np.linspace(0, 1, 17), 3),
    lambda: (np.ones(257), 5),
)


def levinson_durbin(r, order):
    """Coefficients of linear prediction from an autocorrelation."""
    a = np.zeros(order + 1)
    a[0] = 1.0
    e = r[0]
    for k in range(1, order + 1):
        reflection = -np.dot(a[:k], r[k:0:-1]) / e
        a[1 : k + 1] += reflection * a[k - 1 :: -1]
        e *= 1.0 - reflection**2
    return a, e


kernel(
    levinson_durbin,
    lambda: (np.array([2.0, 1.0]), 1),
    lambda: (np.array([4.0, 2.0, 1.0, 0.5]), 3),
    lambda: (0.9 ** np.arange(80), 60),
)


def gram_polynomials(x, degree):
    """Polynomials orthogonal on the points `x`, by the three-term recurrence."""
    p = np.zeros((degree + 1, x.size))
    p[0] = 1 / np.sqrt(x.size)
    for k in range(degree):
        q = x * p[k]
        for _ in range(2):
            q -= p[: k + 1].T @ (p[: k + 1] @ q)
        norm = np.sqrt((q * q).sum())
        if norm < 1e-10:
            return p[: k + 1]
        p[k + 1] = q / norm
    return p


kernel(
    gram_polynomials,
    lambda: (np.linspace(-1, 1, 4), 2),
    lambda: (np.linspace(-1, 1, 3), 5),
    lambda: (np.linspace(-1, 1, 400), 15),
)
