"""Transforms, filters, histograms and interpolation."""

from __future__ import annotations

import cmath
import math

import numpy as np

from .entries import integers, kernel, normal, uniform


def fft_recursive(x):
    """Transform of Cooley and Tukey, recursively."""
    n = x.shape[0]
    if n <= 1:
        return x.astype(complex)
    even = fft_recursive(x[::2])
    odd = fft_recursive(x[1::2])
    factor = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    return np.concatenate([even + factor * odd, even - factor * odd])


kernel(fft_recursive, lambda: (normal(0, 4),), lambda: (normal(0, 1),), lambda: (normal(0, 64),))


def fft_in_place(a):
    """Iterative radix-2 transform with bit reversal, in place."""
    n = len(a)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    size = 2
    while size <= n:
        w_size = cmath.exp(-2j * cmath.pi / size)
        for start in range(0, n, size):
            w = 1 + 0j
            half = size // 2
            for k in range(start, start + half):
                t = w * a[k + half]
                a[k + half] = a[k] - t
                a[k] += t
                w *= w_size
        size *= 2


kernel(
    fft_in_place,
    lambda: (normal(0, 4) + 0j,),
    lambda: (normal(0, 1) + 1j,),
    lambda: (normal(0, 128) + 0j,),
)


def dft(x):
    """Transform by the definition."""
    n = len(x)
    out = np.zeros(n, dtype=np.complex128)
    for k in range(n):
        for m in range(n):
            out[k] += x[m] * np.exp(-2j * np.pi * k * m / n)
    return out


kernel(dft, lambda: (normal(0, 3),), lambda: (normal(0, 1),), lambda: (normal(0, 24),))


def exponential_average(x, alpha):
    """Smooth with a first-order filter."""
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1 - alpha) * y[i - 1]
    return y


kernel(
    exponential_average,
    lambda: (normal(0, 5), 0.1),
    lambda: (normal(0, 1), 0.5),
    lambda: (normal(0, 1000), 0.1),
)


def iir(b, a, x):
    """Direct form II transposed filter."""
    order = max(len(a), len(b))
    b = np.pad(b, (0, order - len(b))) / a[0]
    a = np.pad(a, (0, order - len(a))) / a[0]
    state = np.zeros(order - 1)
    y = np.zeros_like(x)
    for n, sample in enumerate(x):
        y[n] = b[0] * sample + state[0]
        for k in range(order - 2):
            state[k] = b[k + 1] * sample + state[k + 1] - a[k + 1] * y[n]
        state[-1] = b[-1] * sample - a[-1] * y[n]
    return y


kernel(
    iir,
    lambda: (np.array([1.0, 0.5]), np.array([1.0, -0.3, 0.1]), normal(0, 5)),
    lambda: (np.array([1.0, 0.5, 0.2, 0.1]), np.array([2.0, -0.3]), normal(0, 3)),
    lambda: (np.array([1.0, 0.5, 0.2]), np.array([1.0, -0.3, 0.1]), normal(0, 300)),
)


def histogram(x, bins, lo, hi):
    """Count into equal bins, the last one closed."""
    counts = np.zeros(bins, dtype=np.int64)
    width = (hi - lo) / bins
    for v in x:
        if v < lo or v > hi:
            continue
        i = min(int((v - lo) / width), bins - 1)
        counts[i] += 1
    return counts, lo + width * np.arange(bins + 1)


kernel(
    histogram,
    lambda: (normal(0, 6), 3, -1.0, 1.0),
    lambda: (normal(0, 0), 2, 0.0, 1.0),
    lambda: (normal(0, 1000), 20, -2.0, 2.0),
)


def histogram_2d(x, y, n):
    """Scatter into a grid at once."""
    ix = np.clip((x * n).astype(int), 0, n - 1)
    iy = np.clip((y * n).astype(int), 0, n - 1)
    grid = np.zeros((n, n))
    np.add.at(grid, (ix, iy), 1.0)
    grid[grid == 0] = np.nan
    return grid, np.nansum(grid), np.bincount(ix, minlength=n)


kernel(
    histogram_2d,
    lambda: (uniform(0, 5), uniform(1, 5), 2),
    lambda: (uniform(0, 3), uniform(1, 3), 4),
    lambda: (uniform(0, 500), uniform(1, 500), 10),
)


def equalize(image):
    """Equalize the histogram of an 8-bit image."""
    hist = np.zeros(256, dtype=int)
    for value in image.flat:
        hist[value] += 1
    cdf = hist.cumsum()
    lowest = cdf[cdf > 0].min()
    scale = image.size - lowest
    if scale == 0:
        return image.copy()
    table = np.round((cdf - lowest) / scale * 255).clip(0, 255).astype(np.uint8)
    return table[image]


kernel(
    equalize,
    lambda: (integers(0, 256, 3, 3).astype(np.uint8),),
    lambda: (np.full((2, 2), 7, np.uint8),),
    lambda: (integers(0, 200, 20, 20).astype(np.uint8),),
)


def natural_spline(x, y, xs):
    """Cubic spline through points, evaluated at others."""
    n = len(x) - 1
    h = np.diff(x)
    alpha = np.zeros(n)
    for i in range(1, n):
        alpha[i] = 3 / h[i] * (y[i + 1] - y[i]) - 3 / h[i - 1] * (y[i] - y[i - 1])
    c, mu, z = np.zeros(n + 1), np.zeros(n), np.zeros(n)
    for i in range(1, n):
        li = 2 * (x[i + 1] - x[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / li
        z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / li
    b, d = np.zeros(n), np.zeros(n)
    for j in range(n - 1, -1, -1):
        c[j] = z[j] - mu[j] * c[j + 1]
        b[j] = (y[j + 1] - y[j]) / h[j] - h[j] * (c[j + 1] + 2 * c[j]) / 3
        d[j] = (c[j + 1] - c[j]) / (3 * h[j])
    idx = np.clip(np.searchsorted(x, xs) - 1, 0, n - 1)
    t = xs - x[idx]
    return y[idx] + t * (b[idx] + t * (c[idx] + t * d[idx]))


kernel(
    natural_spline,
    lambda: (np.arange(4.0), normal(0, 4), np.linspace(0, 3, 5)),
    lambda: (np.arange(2.0), normal(0, 2), np.linspace(0, 1, 2)),
    lambda: (np.arange(50.0), normal(0, 50), np.linspace(0, 49, 100)),
)


def bilinear(image, rows, cols):
    """Sample an image between its pixels."""
    h, w = image.shape
    r0 = np.clip(np.floor(rows).astype(int), 0, h - 2)
    c0 = np.clip(np.floor(cols).astype(int), 0, w - 2)
    fr, fc = rows - r0, cols - c0
    top = image[r0, c0] * (1 - fc) + image[r0, c0 + 1] * fc
    bottom = image[r0 + 1, c0] * (1 - fc) + image[r0 + 1, c0 + 1] * fc
    return top * (1 - fr) + bottom * fr


kernel(
    bilinear,
    lambda: (normal(0, 3, 4), 2 * uniform(1, 3), 3 * uniform(2, 3)),
    lambda: (normal(0, 2, 2), uniform(1, 1), uniform(2, 1)),
    lambda: (normal(0, 20, 20), 19 * uniform(1, 100), 19 * uniform(2, 100)),
)


def romberg(a, b, levels):
    """Integrate by extrapolation of the trapezoidal rule."""

    def f(x):
        return math.exp(-x * x) * math.cos(3 * x)

    r = np.zeros((levels, levels))
    h = b - a
    r[0, 0] = 0.5 * h * (f(a) + f(b))
    for i in range(1, levels):
        h /= 2
        total = sum(f(a + k * h) for k in range(1, 2**i, 2))
        r[i, 0] = 0.5 * r[i - 1, 0] + h * total
        for j in range(1, i + 1):
            r[i, j] = r[i, j - 1] + (r[i, j - 1] - r[i - 1, j - 1]) / (4**j - 1)
    return r[levels - 1, levels - 1]


kernel(romberg, lambda: (0.0, 1.0, 3), lambda: (0.0, 2.0, 1), lambda: (-1.0, 2.0, 8))


def polynomial(coefficients, x):
    """Horner's scheme over an array, highest power first; also the derivative."""
    p = np.zeros_like(x)
    dp = np.zeros_like(x)
    for c in coefficients:
        dp = dp * x + p
        p = p * x + c
    return p, dp


kernel(
    polynomial,
    lambda: (normal(0, 3), normal(1, 4)),
    lambda: (normal(0, 0), normal(1, 2)),
    lambda: (normal(0, 20), normal(1, 100)),
)


def autocorrelation(x, lags):
    """Correlate with lagged copies; then the whitening coefficients of Levinson and Durbin."""
    x = x - x.mean()
    r = np.array([np.dot(x[: len(x) - k], x[k:]) for k in range(lags + 1)]) / len(x)
    a = np.zeros(lags + 1)
    a[0] = 1.0
    e = r[0]
    for i in range(1, lags + 1):
        acc = r[i]
        for j in range(1, i):
            acc += a[j] * r[i - j]
        k = -acc / e
        a[1:i] += k * a[i - 1 : 0 : -1]
        a[i] = k
        e *= 1 - k * k
    return r, a, e


kernel(
    autocorrelation,
    lambda: (normal(0, 6), 2),
    lambda: (normal(0, 4), 0),
    lambda: (normal(0, 200), 10),
)
