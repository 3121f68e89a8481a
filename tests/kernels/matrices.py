"""Linear algebra by loops over rows, columns and slices."""

from __future__ import annotations

import numpy as np

from .entries import definite, integers, kernel, normal


def lu(a):
    """Doolittle factorization without pivoting, by rows."""
    n = a.shape[0]
    lower = np.eye(n)
    upper = a.copy()
    for k in range(n - 1):
        for i in range(k + 1, n):
            lower[i, k] = upper[i, k] / upper[k, k]
            upper[i, k:] -= lower[i, k] * upper[k, k:]
    return lower, upper


kernel(lu, lambda: (definite(0, 4),), lambda: (definite(1, 1),), lambda: (definite(2, 20),))


def lu_pivoted(a):
    """Factorize in place with partial pivoting; raise on a singular matrix."""
    n, m = a.shape
    if n != m:
        raise ValueError("matrix must be square")
    perm = np.arange(n)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if a[p, k] == 0.0:
            raise np.linalg.LinAlgError("matrix is singular")
        if p != k:
            a[[k, p]] = a[[p, k]]
            perm[[k, p]] = perm[[p, k]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return perm


kernel(
    lu_pivoted,
    lambda: (normal(0, 4, 4),),
    lambda: (np.array([[0.0, 1.0], [2.0, 3.0]]),),
    lambda: (normal(2, 30, 30),),
)


def cholesky(a):
    """Cholesky-Banachiewicz factorization."""
    n = len(a)
    lower = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j] - np.dot(lower[i, :j], lower[j, :j])
            if i == j:
                if s <= 0:
                    raise ValueError(f"leading minor {i + 1} is not positive")
                lower[i, i] = np.sqrt(s)
            else:
                lower[i, j] = s / lower[j, j]
    return lower


kernel(cholesky, lambda: (definite(3, 3),), lambda: (definite(4, 5),), lambda: (definite(5, 18),))


def gram_schmidt(a):
    """QR factorization by modified Gram-Schmidt."""
    _, n = a.shape
    q = a.astype(float).copy()
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.linalg.norm(q[:, k])
        q[:, k] /= r[k, k]
        for j in range(k + 1, n):
            r[k, j] = q[:, k] @ q[:, j]
            q[:, j] -= r[k, j] * q[:, k]
    return q, r


kernel(
    gram_schmidt,
    lambda: (normal(1, 4, 3),),
    lambda: (normal(2, 2, 2),),
    lambda: (normal(3, 30, 12),),
)


def householder(a):
    """QR factorization by Householder reflections."""
    m, n = a.shape
    r = np.array(a, dtype=float)
    q = np.eye(m)
    for k in range(min(m - 1, n)):
        x = r[k:, k]
        e = np.zeros_like(x)
        e[0] = np.copysign(np.linalg.norm(x), x[0])
        v = x + e
        v = v / np.linalg.norm(v)
        r[k:, :] -= 2.0 * np.outer(v, v @ r[k:, :])
        q[:, k:] -= 2.0 * np.outer(q[:, k:] @ v, v)
    return q, np.triu(r[:n])


kernel(
    householder,
    lambda: (normal(1, 4, 3),),
    lambda: (normal(2, 5, 5),),
    lambda: (normal(3, 24, 20),),
)


def forward_substitution(lower, b):
    """Solve a lower triangular system."""
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


kernel(
    forward_substitution,
    lambda: (np.tril(definite(0, 3)), normal(1, 3)),
    lambda: (np.tril(definite(2, 5)), normal(3, 5)),
    lambda: (np.tril(definite(4, 60)), normal(5, 60)),
)


def back_substitution(upper, b):
    """Solve an upper triangular system, from the last row up, in place."""
    n = b.shape[0]
    for i in range(n - 1, -1, -1):
        b[i] -= np.dot(upper[i, i + 1 :], b[i + 1 :])
        b[i] /= upper[i, i]


kernel(
    back_substitution,
    lambda: (np.triu(definite(0, 3)), normal(1, 3)),
    lambda: (np.triu(definite(2, 5)), normal(3, 5)),
    lambda: (np.triu(definite(4, 60)), normal(5, 60)),
)


def thomas(lower, diagonal, upper, rhs):
    """Solve a tridiagonal system with the algorithm of Thomas."""
    n = len(rhs)
    cp = np.empty(n - 1)
    dp = np.empty(n)
    cp[0] = upper[0] / diagonal[0]
    dp[0] = rhs[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i - 1] * cp[i - 1]
        if i < n - 1:
            cp[i] = upper[i] / m
        dp[i] = (rhs[i] - lower[i - 1] * dp[i - 1]) / m
    x = np.empty(n)
    x[-1] = dp[-1]
    for i in reversed(range(n - 1)):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def bands(n):
    """Return a tridiagonal system of `n` equations."""
    return normal(1, n - 1), 5.0 + normal(2, n), normal(3, n - 1), normal(4, n)


kernel(thomas, lambda: bands(4), lambda: bands(9), lambda: bands(200))


def gauss_jordan(a):
    """Invert a matrix by elimination on the augmented matrix."""
    n = a.shape[0]
    m = np.hstack([a, np.eye(n)])
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r, i]))
        m[[i, pivot]] = m[[pivot, i]]
        m[i] /= m[i, i]
        for j in range(n):
            if j != i:
                m[j] -= m[j, i] * m[i]
    return m[:, n:]


kernel(
    gauss_jordan,
    lambda: (normal(0, 3, 3),),
    lambda: (normal(1, 5, 5),),
    lambda: (normal(2, 14, 14),),
)


def conjugate_gradient(a, b, tol=1e-10, max_iter=200):
    """Solve a symmetric positive definite system."""
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    history = []
    for _ in range(max_iter):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        rs_new = r @ r
        history.append(float(np.sqrt(rs_new)))
        if np.sqrt(rs_new) < tol:
            break
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x, history


kernel(
    conjugate_gradient,
    lambda: (definite(0, 3), normal(1, 3)),
    lambda: (definite(2, 6), normal(3, 6), 1e-3, 4),
    lambda: (definite(4, 40), normal(5, 40)),
)


def power_iteration(a, tol, limit):
    """Return the largest eigenvalue and its vector."""
    v = np.ones(a.shape[1]) / np.sqrt(a.shape[1])
    value = 0.0
    for _ in range(limit):
        w = a @ v
        norm = np.linalg.norm(w)
        v = w / norm
        new = v @ a @ v
        if abs(new - value) < tol * abs(new):
            return new, v
        value = new
    else:
        print("no convergence after", limit, "steps")
    return value, v


kernel(
    power_iteration,
    lambda: (definite(0, 3), 1e-9, 500),
    lambda: (definite(1, 5), 1e-12, 3),
    lambda: (definite(2, 30), 1e-9, 300),
)


def jacobi_eigenvalues(a, sweeps):
    """Diagonalize a symmetric matrix by cyclic Jacobi rotations."""
    a = a.copy()
    n = a.shape[0]
    vectors = np.eye(n)
    for _ in range(sweeps):
        off = np.sum(np.tril(a, -1) ** 2)
        if off < 1e-20:
            break
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(a[p, q]) < 1e-15:
                    continue
                theta = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
                t = np.sign(theta) / (abs(theta) + np.sqrt(theta * theta + 1.0)) if theta else 1.0
                c = 1.0 / np.sqrt(t * t + 1.0)
                s = t * c
                ap, aq = a[:, p].copy(), a[:, q].copy()
                a[:, p], a[:, q] = c * ap - s * aq, s * ap + c * aq
                ap, aq = a[p, :].copy(), a[q, :].copy()
                a[p, :], a[q, :] = c * ap - s * aq, s * ap + c * aq
                vp = vectors[:, p].copy()
                vectors[:, p] = c * vp - s * vectors[:, q]
                vectors[:, q] = s * vp + c * vectors[:, q]
    order = np.argsort(np.diag(a))
    return np.diag(a)[order], vectors[:, order]


kernel(
    jacobi_eigenvalues,
    lambda: (definite(0, 3), 10),
    lambda: (definite(1, 4), 2),
    lambda: (definite(2, 10), 8),
)


def csr_matvec(data, indices, indptr, x):
    """Multiply a sparse matrix in CSR form with a vector, row by row."""
    n = len(indptr) - 1
    y = np.zeros(n, dtype=np.result_type(data, x))
    for i in range(n):
        start, end = indptr[i], indptr[i + 1]
        y[i] = np.dot(data[start:end], x[indices[start:end]])
    return y


def csr_matvec_scalar(data, indices, indptr, x):
    """Do the same entry by entry."""
    y = np.zeros(indptr.size - 1)
    for i in range(y.size):
        acc = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            acc += data[k] * x[indices[k]]
        y[i] = acc
    return y


def sparse(n, nonzeros):
    """Return data, columns and row pointers of a sparse matrix, and a vector."""
    rows = np.sort(integers(1, n, nonzeros))
    pointers = np.searchsorted(rows, np.arange(n + 1))
    return normal(2, nonzeros), integers(3, n, nonzeros), pointers, normal(4, n)


kernel(csr_matvec, lambda: sparse(4, 6), lambda: sparse(3, 0), lambda: sparse(100, 500))
kernel(csr_matvec_scalar, lambda: sparse(4, 6), lambda: sparse(3, 0), lambda: sparse(50, 400))


def coo_to_csr(rows, cols, vals, n):
    """Count, accumulate, scatter."""
    indptr = np.zeros(n + 1, dtype=int)
    for r in rows:
        indptr[r + 1] += 1
    for i in range(n):
        indptr[i + 1] += indptr[i]
    indices = np.empty_like(cols)
    data = np.empty_like(vals)
    cursor = indptr[:-1].copy()
    for r, c, v in zip(rows, cols, vals):  # noqa: B905  # on purpose
        dest = cursor[r]
        indices[dest] = c
        data[dest] = v
        cursor[r] += 1
    return data, indices, indptr


kernel(
    coo_to_csr,
    lambda: (integers(1, 3, 5), integers(2, 3, 5), normal(3, 5), 3),
    lambda: (integers(1, 6, 0), integers(2, 3, 0), normal(3, 0), 6),
    lambda: (integers(1, 50, 300), integers(2, 50, 300), normal(3, 300), 50),
)


def matmul_blocked(a, b, block=8):
    """Multiply matrices block by block."""
    n, k = a.shape
    k2, m = b.shape
    assert k == k2, "inner dimensions must agree"
    c = np.zeros((n, m), dtype=np.result_type(a.dtype, b.dtype))
    for i0 in range(0, n, block):
        for j0 in range(0, m, block):
            for k0 in range(0, k, block):
                c[i0 : i0 + block, j0 : j0 + block] += (
                    a[i0 : i0 + block, k0 : k0 + block] @ b[k0 : k0 + block, j0 : j0 + block]
                )
    return c


kernel(
    matmul_blocked,
    lambda: (normal(0, 3, 5), normal(1, 5, 2), 2),
    lambda: (normal(0, 9, 4), normal(1, 4, 9)),
    lambda: (normal(0, 40, 33), normal(1, 33, 48)),
)


def lanczos(a, v, steps):
    """Tridiagonalize with full reorthogonalization."""
    n = v.size
    basis = np.zeros((steps + 1, n))
    alpha, beta = np.zeros(steps), np.zeros(steps)
    basis[0] = v / np.linalg.norm(v)
    for j in range(steps):
        w = a @ basis[j]
        if j > 0:
            w -= beta[j - 1] * basis[j - 1]
        alpha[j] = w.dot(basis[j])
        w -= alpha[j] * basis[j]
        for i in range(j + 1):
            w -= (w @ basis[i]) * basis[i]
        beta[j] = np.linalg.norm(w)
        if beta[j] < 1e-12:
            return alpha[: j + 1], beta[:j], basis[: j + 1]
        basis[j + 1] = w / beta[j]
    return alpha, beta[:-1], basis[:-1]


kernel(
    lanczos,
    lambda: (definite(0, 4), normal(1, 4), 3),
    lambda: (np.eye(3), normal(1, 3), 3),
    lambda: (definite(2, 40), normal(3, 40), 20),
)


def determinant(matrix):
    """Expand recursively along the first row."""
    n = matrix.shape[0]
    if n == 1:
        return matrix[0, 0]
    if n == 2:
        return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]
    total = 0
    for j in range(n):
        minor = np.delete(matrix[1:], j, axis=1)
        total += (-1) ** j * matrix[0, j] * determinant(minor)
    return total


kernel(
    determinant,
    lambda: (normal(0, 3, 3),),
    lambda: (normal(1, 1, 1),),
    lambda: (normal(2, 5, 5),),
)
