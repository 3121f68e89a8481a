"""Fitting and deciding: gradients by hand, boosting, sampling, resampling, search."""

from __future__ import annotations

import numpy as np

from .entries import definite, integers, kernel, normal, uniform


def im2col(x, size):
    """Patches of a batch of images as rows."""
    n, height, width = x.shape
    out = np.empty((n, height - size + 1, width - size + 1, size * size), dtype=x.dtype)
    for i in range(size):
        for j in range(size):
            out[..., i * size + j] = x[:, i : i + height - size + 1, j : j + width - size + 1]
    return out


def train_convolution(x, y, filters, weights, lr, steps):
    """Train filters and weights in place by gradient descent; the loss of each step."""
    losses = []
    size = round(np.sqrt(filters.shape[0]))
    patches = im2col(x, size)
    for _ in range(steps):
        z = patches @ filters
        a = np.maximum(z, 0)
        pooled = a.mean(axis=(1, 2))
        error = pooled @ weights - y
        losses.append(float(0.5 * np.mean(error**2)))
        g = error / len(y)
        d_weights = pooled.T @ g
        d_a = (g[:, None] * weights)[:, None, None, :] / (a.shape[1] * a.shape[2])
        d_z = np.where(z > 0, d_a, 0)
        filters -= lr * np.tensordot(patches, d_z, axes=([0, 1, 2], [0, 1, 2]))
        weights -= lr * d_weights
    return losses


kernel(
    train_convolution,
    lambda: (normal(0, 2, 4, 4), normal(1, 2), normal(2, 4, 3), normal(3, 3), 0.1, 2),
    lambda: (normal(0, 3, 6, 5), normal(1, 3), normal(2, 9, 2), normal(3, 2), 0.1, 4),
    lambda: (normal(0, 16, 12, 12), normal(1, 16), normal(2, 9, 8), normal(3, 8), 0.1, 10),
)


def adaboost(x, y, rounds):
    """Decision stumps, each fitted to what the ones before got wrong."""
    n, features = x.shape
    w = np.full(n, 1 / n)
    stumps = []
    for _ in range(rounds):
        best = (np.inf, 0, 0.0, 1)
        for j in range(features):
            for threshold in np.unique(x[:, j]):
                wrong = w[(x[:, j] > threshold) != (y > 0)].sum()
                for sign, error in ((1, wrong), (-1, 1 - wrong)):
                    if error < best[0]:
                        best = (error, j, threshold, sign)
        error, j, threshold, sign = best
        alpha = 0.5 * np.log((1 - error + 1e-10) / (error + 1e-10))
        prediction = sign * np.where(x[:, j] > threshold, 1, -1)
        w *= np.exp(-alpha * y * prediction)
        w /= w.sum()
        stumps.append((alpha, j, threshold, sign))
        if error < 1e-9:
            break
    score = sum(a * s * np.where(x[:, j] > t, 1, -1) for a, j, t, s in stumps)
    return np.sign(score), len(stumps)


kernel(
    adaboost,
    lambda: (normal(0, 4, 1), np.array([1, -1, 1, -1]), 2),
    lambda: (normal(1, 8, 2), np.where(normal(2, 8) > 0, 1, -1), 3),
    lambda: (normal(1, 40, 3), np.where(normal(2, 40) > 0, 1, -1), 8),
)


def gaussian_process(x, y, xs, length, noise):
    """Mean and variance of a Gaussian process at the points `xs`."""
    def covariance(a, b):
        return np.exp(-0.5 * ((a[:, None] - b[None, :]) / length) ** 2)

    k = covariance(x, x)
    k[np.diag_indices_from(k)] += noise**2
    try:
        lower = np.linalg.cholesky(k)
    except np.linalg.LinAlgError:
        lower = np.linalg.cholesky(k + 1e-6 * np.eye(len(x)))
    alpha = np.linalg.solve(lower.T, np.linalg.solve(lower, y))
    ks = covariance(x, xs)
    v = np.linalg.solve(lower, ks)
    return ks.T @ alpha, 1 - np.sum(v**2, axis=0)


kernel(
    gaussian_process,
    lambda: (np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([0.5]), 1.0, 0.1),
    lambda: (np.zeros(3), np.ones(3), np.linspace(0, 1, 4), 0.5, 0.0),
    lambda: (uniform(0, 60), normal(1, 60), np.linspace(0, 1, 50), 0.2, 0.1),
)


def bootstrap(x, samples, rng, level=0.9):
    """An interval for the mean, from samples drawn with replacement."""
    means = np.empty(samples)
    for k in range(samples):
        means[k] = rng.choice(x, size=len(x)).mean()
    means.sort()
    low = int((1 - level) / 2 * samples)
    return means[low], means[samples - 1 - low]


kernel(
    bootstrap,
    lambda: (np.arange(3.0), 10, np.random.default_rng(0)),
    lambda: (normal(0, 20), 40, np.random.default_rng(1), 0.8),
    lambda: (normal(0, 200), 500, np.random.default_rng(2)),
)


def ransac(points, threshold, tries, rng):
    """The line through most points, and which they are."""
    best = np.zeros(len(points), dtype=bool)
    for _ in range(tries):
        p, q = points[rng.choice(len(points), 2, replace=False)]
        normal_ = np.array([q[1] - p[1], p[0] - q[0]])
        norm = np.linalg.norm(normal_)
        if norm == 0:
            continue
        inside = np.abs((points - p) @ (normal_ / norm)) < threshold
        if inside.sum() > best.sum():
            best = inside
    slope, intercept = np.polyfit(points[best, 0], points[best, 1], 1)
    return slope, intercept, best


def line_with_outliers(n):
    """Points on a line, every third one off it."""
    x = np.linspace(0, 1, n)
    y = 2 * x + 1
    y[::3] += normal(n, len(y[::3]))
    return np.stack([x, y], axis=1)


kernel(
    ransac,
    lambda: (line_with_outliers(6), 0.01, 20, np.random.default_rng(0)),
    lambda: (line_with_outliers(10), 0.1, 30, np.random.default_rng(1)),
    lambda: (line_with_outliers(200), 0.05, 100, np.random.default_rng(2)),
)


def convex_hull(points):
    """The corners of the hull, by the monotone chain."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(sequence):
        chain = []
        for p in sequence:
            while len(chain) > 1:
                a, b = chain[-2], chain[-1]
                if (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0:
                    break
                chain.pop()
            chain.append(p)
        return chain

    lower, upper = half(ordered), half(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


kernel(
    convex_hull,
    lambda: (np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.2, 0.2]]),),
    lambda: (normal(0, 12, 2),),
    lambda: (normal(1, 300, 2),),
)


def held_karp(distances):
    """The length of the shortest round trip, over all sets of towns."""
    n = len(distances)
    cost = np.full((1 << n, n), np.inf)
    cost[1, 0] = 0
    for visited in range(1, 1 << n, 2):
        for last in range(n):
            if not visited >> last & 1 or np.isinf(cost[visited, last]):
                continue
            for town in range(n):
                if visited >> town & 1:
                    continue
                after = visited | 1 << town
                longer = cost[visited, last] + distances[last, town]
                if longer < cost[after, town]:
                    cost[after, town] = longer
    return np.min(cost[-1] + distances[:, 0])


kernel(
    held_karp,
    lambda: (np.array([[0.0, 2.0], [3.0, 0.0]]),),
    lambda: (uniform(0, 4, 4),),
    lambda: (uniform(1, 8, 8),),
)


def safe(board, row, column, value):
    """Tell whether a value may stand in a place of a sudoku."""
    r, c = row - row % 3, column - column % 3
    return not (
        (board[row] == value).any()
        or (board[:, column] == value).any()
        or (board[r : r + 3, c : c + 3] == value).any()
    )


def sudoku(board):
    """Fill the empty places in place; whether that was possible."""
    empty = np.argwhere(board == 0)
    if len(empty) == 0:
        return True
    row, column = empty[0]
    for value in range(1, 10):
        if safe(board, row, column, value):
            board[row, column] = value
            if sudoku(board):
                return True
            board[row, column] = 0
    return False


def solved_board(holes):
    """A solved sudoku with the last `holes` places of a pattern empty."""
    base = np.arange(9)
    board = np.stack([np.roll(base, -(3 * (i % 3) + i // 3)) + 1 for i in range(9)])
    board.flat[: 7 * holes : 7] = 0
    return board


kernel(
    sudoku,
    lambda: (solved_board(0),),
    lambda: (solved_board(3),),
    lambda: (solved_board(11),),
)


def normalize_columns(table, names):
    """Standard scores of the named columns of a dict of arrays, in place; what could not be."""
    failed = {}
    for name in names:
        column = table.get(name)
        if column is None:
            failed[name] = "missing"
            continue
        with np.errstate(all="raise"):
            try:
                column -= column.mean()
                column /= column.std()
            except FloatingPointError as error:
                failed[name] = str(error)
                column[...] = 0
    return failed


kernel(
    normalize_columns,
    lambda: ({"a": np.arange(3.0), "b": np.ones(2)}, ["a", "b"]),
    lambda: ({"a": np.arange(5.0)}, ["a", "c"]),
    lambda: ({"a": normal(0, 1000), "b": normal(1, 10)}, ["b", "a"]),
)


def particle_filter(observations, particles, noise, rng):
    """Means of particles that follow observations, resampled by systematic steps."""
    n = len(particles)
    means = []
    for observation in observations:
        particles = 0.9 * particles + rng.normal(0, 0.5, n)
        log_weights = -0.5 * ((observation - particles) / noise) ** 2
        weights = np.exp(log_weights - log_weights.max())
        weights /= weights.sum()
        means.append(weights @ particles)
        positions = (rng.random() + np.arange(n)) / n
        chosen = np.minimum(np.searchsorted(np.cumsum(weights), positions), n - 1)
        particles = particles[chosen]
    return np.array(means)


kernel(
    particle_filter,
    lambda: (normal(0, 2), np.zeros(3), 1.0, np.random.default_rng(0)),
    lambda: (normal(1, 6), np.zeros(10), 0.5, np.random.default_rng(1)),
    lambda: (normal(2, 50), np.zeros(500), 0.7, np.random.default_rng(2)),
)


def mahalanobis_outliers(x, limit, rounds):
    """Drop rows far from the mean until none is; the rest and how many rounds it took."""
    for step in range(rounds):
        mean = x.mean(axis=0)
        covariance = np.atleast_2d(np.cov(x, rowvar=False))
        d = x - mean
        distance = np.sqrt(np.einsum("ij,jk,ik->i", d, np.linalg.inv(covariance), d))
        keep = distance < limit
        if keep.all():
            return x, step
        x = x[keep]
    return x, rounds


kernel(
    mahalanobis_outliers,
    lambda: (normal(0, 8, 2), 2.0, 5),
    lambda: (normal(1, 30, 3), 2.5, 10),
    lambda: (normal(2, 300, 3) @ definite(0, 3), 3.0, 10),
)


def ternary_search_tree(keys, queries):
    """How often each query is among the keys, by a tree in arrays that grow."""
    left, right, key, count = [-1], [-1], [int(keys[0])], [1]
    for k in keys[1:]:
        node = 0
        while True:
            if k == key[node]:
                count[node] += 1
                break
            side = left if k < key[node] else right
            if side[node] < 0:
                side[node] = len(key)
                left.append(-1)
                right.append(-1)
                key.append(int(k))
                count.append(1)
                break
            node = side[node]
    found = np.zeros(len(queries), dtype=int)
    for i, q in enumerate(queries):
        node = 0
        while node >= 0:
            if q == key[node]:
                found[i] = count[node]
                break
            node = left[node] if q < key[node] else right[node]
    return found


kernel(
    ternary_search_tree,
    lambda: (np.array([2, 1, 2]), np.array([1, 2, 5])),
    lambda: (integers(0, 9, 20), integers(1, 9, 6)),
    lambda: (integers(0, 100, 300), integers(1, 150, 100)),
)
