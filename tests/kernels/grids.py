"""Stencils and filters on grids of one, two and three dimensions."""

from __future__ import annotations

import numpy as np

from .entries import integers, kernel, normal, uniform


def jacobi_1d(a, b, steps):
    """Relax two arrays in turn, both of them the caller's."""
    for _ in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


kernel(
    jacobi_1d,
    lambda: (normal(0, 6), normal(1, 6), 3),
    lambda: (normal(0, 9), normal(1, 9), 0),
    lambda: (normal(0, 100), normal(1, 100), 100),
)


def laplace_2d(u, tol, max_iter):
    """Solve the equation of Laplace by Jacobi steps until the change is small."""
    new = u.copy()
    for it in range(max_iter):
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        err = np.max(np.abs(new - u))
        u, new = new, u
        if err < tol:
            return u, it + 1
    return u, max_iter


kernel(
    laplace_2d,
    lambda: (uniform(0, 5, 5), 1e-3, 100),
    lambda: (uniform(0, 4, 7), 0.0, 3),
    lambda: (uniform(0, 30, 30), 1e-3, 200),
)


def gauss_seidel(u, steps):
    """Sweep over the points in place."""
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4


kernel(
    gauss_seidel,
    lambda: (uniform(0, 4, 4), 2),
    lambda: (uniform(0, 3, 6), 0),
    lambda: (uniform(0, 20, 20), 5),
)


def red_black(u, f, h, omega, sweeps):
    """Relax with over-relaxation on a checkerboard, the colors by strided slices."""
    for _ in range(sweeps):
        for color in (0, 1):
            for start in (1, 2):
                off = 1 + (start + color) % 2
                c = u[start:-1:2, off:-1:2]
                nb = (
                    u[start - 1 : -2 : 2, off:-1:2]
                    + u[start + 1 :: 2, off:-1:2]
                    + u[start:-1:2, off - 1 : -2 : 2]
                    + u[start:-1:2, off + 1 :: 2]
                )
                rhs = h * h * f[start:-1:2, off:-1:2]
                c += omega * (0.25 * (nb - rhs) - c)
    return u


kernel(
    red_black,
    lambda: (normal(0, 6, 6), normal(1, 6, 6), 0.1, 1.5, 2),
    lambda: (normal(0, 8, 10), normal(1, 8, 10), 0.2, 1.0, 1),
    lambda: (normal(0, 32, 32), normal(1, 32, 32), 0.05, 1.8, 10),
)


def heat_3d(a, b, steps):
    """Diffuse in three dimensions."""
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a, b = b, a
    return a


kernel(
    heat_3d,
    lambda: (normal(0, 4, 4, 4), normal(1, 4, 4, 4), 3),
    lambda: (normal(0, 3, 5, 4), normal(1, 3, 5, 4), 2),
    lambda: (normal(0, 12, 12, 12), normal(1, 12, 12, 12), 20),
)


def adi(u, steps):
    """Alternate between implicit sweeps along columns and along rows."""
    n = u.shape[0]
    v = np.zeros_like(u)
    p = np.zeros_like(u)
    q = np.zeros_like(u)
    dx = 1.0 / n
    dt = 1.0 / max(steps, 1)
    mul = dt / dx**2
    a = -mul / 2.0
    b = 1.0 + mul
    c = a
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = v[0, 1:-1]
        for j in range(1, n - 1):
            p[1:-1, j] = -c / (a * p[1:-1, j - 1] + b)
            q[1:-1, j] = (
                -a * u[j, :-2] + (1.0 + 2.0 * a) * u[j, 1:-1] - c * u[j, 2:] - a * q[1:-1, j - 1]
            ) / (a * p[1:-1, j - 1] + b)
        v[-1, 1:-1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
        u[1:-1, 0] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = -c / (a * p[1:-1, j - 1] + b)
            q[1:-1, j] = (
                -a * v[:-2, j] + (1.0 + 2.0 * a) * v[1:-1, j] - c * v[2:, j] - a * q[1:-1, j - 1]
            ) / (a * p[1:-1, j - 1] + b)
        u[1:-1, -1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]
    return u


kernel(
    adi,
    lambda: (uniform(0, 5, 5), 2),
    lambda: (uniform(0, 4, 4), 0),
    lambda: (uniform(0, 20, 20), 5),
)


def conv2d(image, weights, stride, pad):
    """Convolve a batch of images (n, h, w, c) with filters (kh, kw, c, k), by slices."""
    n, h, w, _ = image.shape
    kh, kw, _, k = weights.shape
    padded = np.pad(image, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    oh = (h + 2 * pad - kh) // stride + 1
    ow = (w + 2 * pad - kw) // stride + 1
    out = np.empty((n, oh, ow, k), dtype=image.dtype)
    for i in range(oh):
        for j in range(ow):
            patch = padded[:, i * stride : i * stride + kh, j * stride : j * stride + kw, :]
            out[:, i, j, :] = np.sum(
                patch[:, :, :, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3)
            )
    return out


kernel(
    conv2d,
    lambda: (normal(0, 1, 4, 4, 2), normal(1, 3, 3, 2, 3), 1, 1),
    lambda: (normal(0, 2, 5, 6, 1), normal(1, 2, 2, 1, 2), 2, 0),
    lambda: (normal(0, 2, 10, 10, 3), normal(1, 3, 3, 3, 4), 1, 1),
)


def max_pool(x, size=2):
    """Pool by the maximum of windows."""
    n, h, w, c = x.shape
    out = np.full((n, h // size, w // size, c), -np.inf)
    for i in range(h // size):
        for j in range(w // size):
            window = x[:, i * size : (i + 1) * size, j * size : (j + 1) * size]
            np.maximum(out[:, i, j], window.max(axis=(1, 2)), out=out[:, i, j])
    return out


kernel(
    max_pool,
    lambda: (normal(0, 1, 4, 4, 2),),
    lambda: (normal(0, 2, 7, 6, 1), 3),
    lambda: (normal(0, 2, 20, 20, 3),),
)


def game_of_life(board, generations):
    """Count neighbors by slices and apply the rules with masks."""
    for _ in range(generations):
        n = np.zeros(board.shape, dtype=int)
        n[1:, :] += board[:-1, :]
        n[:-1, :] += board[1:, :]
        n[:, 1:] += board[:, :-1]
        n[:, :-1] += board[:, 1:]
        n[1:, 1:] += board[:-1, :-1]
        n[1:, :-1] += board[:-1, 1:]
        n[:-1, 1:] += board[1:, :-1]
        n[:-1, :-1] += board[1:, 1:]
        birth = (n == 3) & (board == 0)
        survive = ((n == 2) | (n == 3)) & (board == 1)
        board[...] = 0
        board[birth | survive] = 1
    return board.sum()


kernel(
    game_of_life,
    lambda: (integers(0, 2, 5, 5), 3),
    lambda: (integers(0, 2, 3, 8), 0),
    lambda: (integers(0, 2, 40, 40), 20),
)


def median_filter(x, radius):
    """Slide a window, clipped at the ends."""
    out = np.empty_like(x)
    for i in range(len(x)):
        lo = max(0, i - radius)
        hi = min(len(x), i + radius + 1)
        window = np.sort(x[lo:hi])
        mid = len(window) // 2
        out[i] = window[mid] if len(window) % 2 else 0.5 * (window[mid - 1] + window[mid])
    return out


kernel(
    median_filter,
    lambda: (normal(0, 5), 1),
    lambda: (normal(0, 3), 5),
    lambda: (normal(0, 300), 4),
)


def flood_fill(image, seed, color):
    """Fill a region, with a stack of points."""
    rows, cols = image.shape
    old = image[seed]
    if old == color:
        return 0
    stack = [seed]
    filled = 0
    while stack:
        r, c = stack.pop()
        if r < 0 or r >= rows or c < 0 or c >= cols:
            continue
        if image[r, c] != old:
            continue
        image[r, c] = color
        filled += 1
        stack.append((r + 1, c))
        stack.append((r - 1, c))
        stack.append((r, c + 1))
        stack.append((r, c - 1))
    return filled


kernel(
    flood_fill,
    lambda: (integers(0, 2, 4, 4), (1, 2), 7),
    lambda: (np.zeros((2, 3), int), (0, 0), 0),
    lambda: (integers(3, 2, 25, 25) * integers(4, 2, 25, 25), (5, 5), 9),
)


def label_components(mask):
    """Label the connected regions of a mask, breadth first."""
    labels = np.zeros(mask.shape, dtype=int)
    count = 0
    for start in np.argwhere(mask):
        i, j = int(start[0]), int(start[1])
        if labels[i, j]:
            continue
        count += 1
        labels[i, j] = count
        queue = [(i, j)]
        while len(queue) > 0:
            r, c = queue.pop(0)
            for dr, dc in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
                rr, cc = r + dr, c + dc
                inside = 0 <= rr < mask.shape[0] and 0 <= cc < mask.shape[1]
                if inside and mask[rr, cc] and labels[rr, cc] == 0:
                    labels[rr, cc] = count
                    queue.append((rr, cc))
    return labels, count


kernel(
    label_components,
    lambda: (integers(0, 2, 4, 4) > 0,),
    lambda: (np.zeros((2, 3), bool),),
    lambda: (integers(1, 2, 20, 20) > 0,),
)


def sobel(image):
    """Return the magnitude and the direction of gradients."""
    p = np.pad(image, 1, mode="edge")
    gx = np.zeros_like(image, dtype=float)
    gy = np.zeros_like(image, dtype=float)
    kx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    ky = kx.T
    h, w = image.shape
    for i in range(3):
        for j in range(3):
            gx += kx[i, j] * p[i : i + h, j : j + w]
            gy += ky[i, j] * p[i : i + h, j : j + w]
    magnitude = np.hypot(gx, gy)
    peak = magnitude.max()
    if peak > 0:
        magnitude *= 255.0 / peak
    return magnitude, np.arctan2(gy, gx)


kernel(
    sobel,
    lambda: (uniform(0, 4, 5),),
    lambda: (np.zeros((3, 3)),),
    lambda: (uniform(0, 32, 32),),
)


def integral_image(image, size):
    """Box filter through a summed area table."""
    table = np.zeros((image.shape[0] + 1, image.shape[1] + 1))
    table[1:, 1:] = image.cumsum(axis=0).cumsum(axis=1)
    out = table[size:, size:] - table[:-size, size:] - table[size:, :-size] + table[:-size, :-size]
    return out / size**2


kernel(
    integral_image,
    lambda: (uniform(0, 4, 5), 2),
    lambda: (uniform(0, 6, 6), 3),
    lambda: (uniform(0, 40, 40), 5),
)
