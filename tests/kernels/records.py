"""Data of many kinds: records, dates, words, sparse assembly, bits, images without loops."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .entries import integers, kernel, normal, uniform


def trade_summary(trades):
    """Volume and last price for each symbol of an array of records."""
    symbols, inverse = np.unique(trades["symbol"], return_inverse=True)
    volume = np.zeros(len(symbols), dtype=np.int64)
    last = np.zeros(len(symbols))
    np.add.at(volume, inverse, trades["size"])
    for k in np.argsort(trades["time"], kind="stable"):
        last[inverse[k]] = trades["price"][k]
    trades["price"][trades["size"] == 0] = np.nan
    return symbols, volume, last


def trades(n):
    """An array of `n` records."""
    kind = [("symbol", "U4"), ("time", "datetime64[s]"), ("price", "f8"), ("size", "i4")]
    table = np.zeros(n, dtype=kind)
    table["symbol"] = np.array(["ABC", "XY", "QQQQ"])[integers(0, 3, n)]
    table["time"] = np.datetime64("2024-01-01") + integers(1, 10**6, n).astype("m8[s]")
    table["price"] = 10 + uniform(2, n)
    table["size"] = integers(3, 5, n)
    return table


kernel(
    trade_summary, lambda: (trades(3),), lambda: (trades(12),), lambda: (trades(1000),)
)


def monthly_means(days, values):
    """Months, and the mean of the values of each."""
    months = days.astype("datetime64[M]")
    first = np.flatnonzero(np.r_[True, months[1:] != months[:-1]])
    counts = np.diff(np.append(first, len(days)))
    return months[first], np.add.reduceat(values, first) / counts


kernel(
    monthly_means,
    lambda: (np.arange("2024-01-30", "2024-02-02", dtype="M8[D]"), np.arange(3.0)),
    lambda: (np.arange("2023-11-05", "2024-03-01", dtype="M8[D]"), normal(0, 117)),
    lambda: (np.arange("1990-01-01", "2020-01-01", dtype="M8[D]"), normal(0, 10957)),
)


def assemble(nodes, triangles):
    """Stiffness matrix of linear triangles in CSR form, from sorted coordinates."""
    p = nodes[triangles]
    edges = p[:, [2, 0, 1]] - p[:, [1, 2, 0]]
    area = 0.5 * np.abs(edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0])
    local = np.einsum("tik,tjk->tij", edges, edges) / (4 * area[:, None, None])
    rows = np.repeat(triangles, 3, axis=1).ravel()
    columns = np.tile(triangles, (1, 3)).ravel()
    values = local.ravel()
    order = np.lexsort((columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    starts = np.flatnonzero(fresh)
    data = np.add.reduceat(values, starts)
    indptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows[starts], minlength=len(nodes)), out=indptr[1:])
    return data, columns[starts], indptr


def mesh(n):
    """Nodes and triangles of a square cut into ``2 n^2``."""
    grid = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (part.ravel() for part in (grid[:-1, :-1], grid[1:, :-1], grid[:-1, 1:],
                                             grid[1:, 1:]))  # fmt: skip
    nodes = np.stack(np.divmod(np.arange((n + 1) ** 2), n + 1), axis=1) / n
    return nodes, np.concatenate([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)])


kernel(assemble, lambda: mesh(1), lambda: mesh(3), lambda: mesh(30))


def sha256(message):
    """The digest of a message, in unsigned integers of 32 bits that wrap around."""
    primes = [p for p in range(2, 312) if all(p % q for q in range(2, int(p**0.5) + 1))]
    k = np.array([int((p ** (1 / 3) % 1) * 2**32) for p in primes[:64]], dtype=np.uint32)
    h = np.array([int((p**0.5 % 1) * 2**32) for p in primes[:8]], dtype=np.uint32)
    n = len(message)
    padded = np.zeros((n + 8) // 64 * 64 + 64, dtype=np.uint8)
    padded[:n] = message
    padded[n] = 0x80
    padded[-8:] = np.frombuffer((8 * n).to_bytes(8, "big"), dtype=np.uint8)
    words = padded.view(">u4").astype(np.uint32).reshape(-1, 16)

    def rotate(x, r):
        return (x >> np.uint32(r)) | (x << np.uint32(32 - r))

    for block in words:
        w = np.zeros(64, dtype=np.uint32)
        w[:16] = block
        for i in range(16, 64):
            s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> np.uint32(3))
            s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> np.uint32(10))
            w[i : i + 1] = w[i - 16 : i - 15] + s0 + w[i - 7 : i - 6] + s1
        s = h.copy()
        for i in range(64):
            s1 = rotate(s[4:5], 6) ^ rotate(s[4:5], 11) ^ rotate(s[4:5], 25)
            ch = (s[4:5] & s[5:6]) ^ (~s[4:5] & s[6:7])
            t1 = s[7:8] + s1 + ch + k[i : i + 1] + w[i : i + 1]
            s0 = rotate(s[0:1], 2) ^ rotate(s[0:1], 13) ^ rotate(s[0:1], 22)
            t2 = s0 + ((s[0:1] & s[1:2]) ^ (s[0:1] & s[2:3]) ^ (s[1:2] & s[2:3]))
            s[1:] = s[:-1].copy()
            s[4:5] += t1
            s[0:1] = t1 + t2
        h += s
    return h.astype(">u4").tobytes().hex()


kernel(
    sha256,
    lambda: (np.zeros(0, np.uint8),),
    lambda: (np.frombuffer(b"abc", np.uint8),),
    lambda: (integers(0, 256, 130).astype(np.uint8),),
)


def seam_carving(image, seams):
    """Take out the seams of least energy, one after another."""
    for _ in range(seams):
        rows, columns = image.shape
        gy, gx = np.gradient(image)
        cost = np.abs(gx) + np.abs(gy)
        for i in range(1, rows):
            padded = np.pad(cost[i - 1], 1, constant_values=np.inf)
            cost[i] += sliding_window_view(padded, 3).min(axis=1)
        j = int(np.argmin(cost[-1]))
        keep = np.ones((rows, columns), dtype=bool)
        for i in range(rows - 1, -1, -1):
            keep[i, j] = False
            if i > 0:
                low = max(j - 1, 0)
                j = low + int(np.argmin(cost[i - 1, low : j + 2]))
        image = image[keep].reshape(rows, columns - 1)
    return image


kernel(
    seam_carving,
    lambda: (uniform(0, 3, 4), 1),
    lambda: (uniform(1, 6, 8), 3),
    lambda: (uniform(2, 40, 50), 10),
)


def haar(x):
    """The Haar transform, in place, level by level."""
    n = len(x)
    while n > 1:
        half = n // 2
        mean = (x[0:n:2] + x[1:n:2]) / np.sqrt(2)
        x[half:n] = (x[0:n:2] - x[1:n:2]) / np.sqrt(2)
        x[:half] = mean
        n = half


kernel(haar, lambda: (normal(0, 2),), lambda: (normal(1, 16),), lambda: (normal(2, 4096),))


def run_lengths(x):
    """Values and lengths of the runs of equal numbers, and the array made of them again."""
    if x.size == 0:
        return x[:0], np.zeros(0, dtype=int), x.copy()
    change = np.concatenate(([0], np.flatnonzero(np.diff(x)) + 1, [x.size]))
    values, lengths = x[change[:-1]], np.diff(change)
    return values, lengths, np.repeat(values, lengths)


kernel(
    run_lengths,
    lambda: (np.zeros(0, int),),
    lambda: (np.array([1, 1, 2, 2, 2, 1]),),
    lambda: (integers(0, 2, 5000),),
)


def top_words(words, count):
    """The words that are most frequent in an array of strings, with how often each is there."""
    words = np.char.lower(words)
    unique, first, counts = np.unique(words, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[:count]
    return unique[order], counts[order], np.char.str_len(unique[order]).max(initial=0)


kernel(
    top_words,
    lambda: (np.array(["a", "b", "A"], "U8"), 1),
    lambda: (np.array("the cat and the dog and The mouse".split(), "U8"), 3),
    lambda: (integers(0, 50, 2000).astype("U8"), 10),
)
