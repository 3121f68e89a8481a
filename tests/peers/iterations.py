"""Iterations on numbers and arrays, most of them until something holds."""

from __future__ import annotations

import numpy as np

from .entries import program


def newton_sqrt(x, tol):
    """A square root by Newton's method, on plain numbers."""
    y = x if x > 1 else 1.0
    while abs(y * y - x) > tol * x:
        y = 0.5 * (y + x / y)
    return y


program(newton_sqrt, lambda: (2.0, 1e-12), lambda: (0.25, 1e-6), lambda: (1234.5, 1e-12))


def collatz(limit):
    """The number below `limit` with the longest Collatz sequence, and its length."""
    best, longest = 1, 1
    for start in range(1, limit):
        n, length = start, 1
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            length += 1
        if length > longest:
            best, longest = start, length
    return best, longest


program(collatz, lambda: (1,), lambda: (30,), timed={"below 10^3": lambda: (1000,)})


def mandelbrot_scalars(width, height, limit):
    """Steps until each point escapes, point by point."""
    steps = np.zeros((height, width), dtype=np.int32)
    for row in range(height):
        for column in range(width):
            c = complex(-2.0 + 2.6 * column / width, -1.3 + 2.6 * row / height)
            z = 0j
            n = 0
            while n < limit and z.real * z.real + z.imag * z.imag <= 4.0:
                z = z * z + c
                n += 1
            steps[row, column] = n
    return steps


program(
    mandelbrot_scalars,
    lambda: (3, 2, 9),
    lambda: (8, 9, 30),
    timed={"64 x 64": lambda: (64, 64, 50)},
)


def mandelbrot_arrays(c, limit):
    """Steps until each point escapes, all points at once."""
    z = np.zeros_like(c)
    steps = np.zeros(c.shape, dtype=np.int32)
    active = np.ones(c.shape, dtype=bool)
    n = 0
    while np.any(active) and n < limit:
        z[active] = z[active] ** 2 + c[active]
        active &= np.abs(z) <= 2.0
        steps[active] += 1
        n += 1
    return steps


def plane(n):
    """Points of the complex plane on a grid."""
    x, y = np.linspace(-2.0, 0.6, n), np.linspace(-1.3, 1.3, n)
    return x[None, :] + 1j * y[:, None]


program(
    mandelbrot_arrays,
    lambda: (plane(4), 10),
    lambda: (plane(13), 25),
    timed={"512 x 512": lambda: (plane(512), 50)},
)


def exponential_average(x, alpha):
    """A running average in which old numbers fade."""
    out = np.empty_like(x)
    out[0] = x[0]
    for t in range(1, len(x)):
        out[t] = alpha * x[t] + (1 - alpha) * out[t - 1]
    return out


program(
    exponential_average,
    lambda: (np.arange(4.0), 0.5),
    lambda: (np.random.default_rng(6).normal(size=50), 0.1),
    timed={"10^5": lambda: (np.random.default_rng(6).normal(size=10**5), 0.1)},
)


def power_iteration(a, tol, limit):
    """The largest eigenvalue of a matrix and its vector."""
    v = np.ones(a.shape[0]) / np.sqrt(a.shape[0])
    eigenvalue = 0.0
    for _ in range(limit):
        w = a @ v
        v = w / np.linalg.norm(w)
        previous, eigenvalue = eigenvalue, v @ a @ v
        if abs(eigenvalue - previous) < tol * abs(eigenvalue):
            break
    return eigenvalue, v


def definite(n):
    """A symmetric positive definite matrix."""
    a = np.random.default_rng(7).normal(size=(n, n))
    return a @ a.T / n + np.eye(n)


program(
    power_iteration,
    lambda: (definite(3), 1e-8, 50),
    lambda: (definite(8), 1e-10, 100),
    timed={"n = 200": lambda: (definite(200), 1e-10, 100)},
)


def conjugate_gradient(a, b, tol):
    """The solution of a symmetric positive definite system, and the number of steps."""
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    steps = 0
    while np.sqrt(rs) > tol and steps < 10 * len(b):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        rs_new = r @ r
        p = r + rs_new / rs * p
        rs = rs_new
        steps += 1
    return x, steps


program(
    conjugate_gradient,
    lambda: (definite(3), np.ones(3), 1e-10),
    lambda: (definite(9), np.arange(9.0), 1e-8),
    timed={"n = 200": lambda: (definite(200), np.ones(200), 1e-10)},
)
