"""Tables filled step by step, shortest paths, sequences and integers."""

from __future__ import annotations

import numpy as np

from .entries import integers, kernel, normal, uniform


def edit_distance(a, b):
    """Distance of Levenshtein between two strings."""
    m, n = len(a), len(b)
    d = np.zeros((m + 1, n + 1), dtype=int)
    d[:, 0] = np.arange(m + 1)
    d[0, :] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return int(d[m, n])


kernel(
    edit_distance,
    lambda: (integers(0, 4, 5), integers(1, 4, 3)),
    lambda: (integers(0, 4, 0), integers(1, 4, 3)),
    lambda: (integers(0, 4, 40), integers(1, 4, 35)),
)


def needleman_wunsch(a, b, match, mismatch, gap):
    """Align two sequences and trace back."""
    n, m = len(a), len(b)
    score = np.zeros((n + 1, m + 1))
    move = np.zeros((n + 1, m + 1), dtype=np.int8)
    score[:, 0] = gap * np.arange(n + 1)
    score[0, :] = gap * np.arange(m + 1)
    move[1:, 0] = 1
    move[0, 1:] = 2
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            choices = (
                score[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch),
                score[i - 1, j] + gap,
                score[i, j - 1] + gap,
            )
            best = int(np.argmax(choices))
            move[i, j] = best
            score[i, j] = choices[best]
    i, j = n, m
    path = []
    while i > 0 or j > 0:
        path.append((i, j))
        if move[i, j] == 0:
            i, j = i - 1, j - 1
        elif move[i, j] == 1:
            i -= 1
        else:
            j -= 1
    path.reverse()
    return score[n, m], path


kernel(
    needleman_wunsch,
    lambda: (integers(0, 4, 5), integers(1, 4, 3), 1.0, -1.0, -1.0),
    lambda: (integers(0, 4, 0), integers(1, 4, 2), 2.0, -1.0, -2.0),
    lambda: (integers(0, 4, 15), integers(1, 4, 16), 1.0, -1.0, -0.5),
)


def knapsack(weights, values, capacity):
    """0/1 knapsack, one row updated from the right; then the chosen items."""
    n = len(weights)
    keep = np.zeros((n, capacity + 1), dtype=bool)
    best = np.zeros(capacity + 1)
    for i in range(n):
        w, v = weights[i], values[i]
        for c in range(capacity, w - 1, -1):
            candidate = best[c - w] + v
            if candidate > best[c]:
                best[c] = candidate
                keep[i, c] = True
    chosen = []
    c = capacity
    for i in range(n - 1, -1, -1):
        if keep[i, c]:
            chosen.append(i)
            c -= weights[i]
    return best[capacity], chosen[::-1]


kernel(
    knapsack,
    lambda: (integers(0, 5, 4) + 1, uniform(1, 4), 6),
    lambda: (integers(0, 5, 0) + 1, uniform(1, 0), 3),
    lambda: (integers(0, 9, 12) + 1, uniform(1, 12), 40),
)


def longest_increasing(x):
    """Longest increasing subsequence, with predecessors."""
    n = len(x)
    length = np.ones(n, dtype=int)
    prev = np.full(n, -1)
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
                prev[i] = j
    k = int(np.argmax(length))
    out = []
    while k != -1:
        out.append(x[k])
        k = prev[k]
    return np.array(out[::-1])


kernel(
    longest_increasing,
    lambda: (normal(0, 5),),
    lambda: (normal(0, 1),),
    lambda: (normal(0, 50),),
)


def floyd_warshall(dist):
    """All shortest paths, by rows at once, in place."""
    for k in range(dist.shape[0]):
        dist[:] = np.minimum(dist, dist[:, k, np.newaxis] + dist[np.newaxis, k, :])
    return dist


kernel(
    floyd_warshall,
    lambda: (uniform(0, 3, 3),),
    lambda: (uniform(0, 0, 0),),
    lambda: (uniform(0, 30, 30),),
)


def dijkstra(weights, source):
    """Shortest paths from one node in a dense graph."""
    n = len(weights)
    dist = np.full(n, np.inf)
    prev = np.full(n, -1, dtype=int)
    done = np.zeros(n, dtype=bool)
    dist[source] = 0.0
    for _ in range(n):
        u = -1
        for v in range(n):
            if not done[v] and (u == -1 or dist[v] < dist[u]):
                u = v
        if u == -1 or np.isinf(dist[u]):
            break
        done[u] = True
        for v in range(n):
            if weights[u, v] > 0 and not done[v]:
                alt = dist[u] + weights[u, v]
                if alt < dist[v]:
                    dist[v] = alt
                    prev[v] = u
    return dist, prev


kernel(
    dijkstra,
    lambda: (np.maximum(normal(0, 4, 4), 0.0), 0),
    lambda: (np.zeros((3, 3)), 2),
    lambda: (np.maximum(normal(1, 20, 20), 0.0), 3),
)


def bellman_ford(edges, weights, n, source):
    """Shortest paths with negative weights; None when there is a negative cycle."""
    dist = np.full(n, np.inf)
    dist[source] = 0
    for _ in range(n - 1):
        changed = False
        for (u, v), w in zip(edges, weights, strict=True):
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
                changed = True
        if not changed:
            break
    for (u, v), w in zip(edges, weights, strict=True):
        if dist[u] + w < dist[v]:
            return None
    return dist


kernel(
    bellman_ford,
    lambda: (integers(0, 4, 6, 2), uniform(1, 6), 4, 0),
    lambda: (integers(0, 3, 5, 2), normal(1, 5), 3, 1),
    lambda: (integers(0, 20, 100, 2), uniform(1, 100), 20, 0),
)


def find(parent, i):
    """Root of `i`, halving the path."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def kruskal(n, edges, weights):
    """Minimum spanning tree with union and find."""
    parent = np.arange(n)
    size = np.ones(n, dtype=int)
    total = 0.0
    tree = []
    for e in np.argsort(weights, kind="stable"):
        a = find(parent, edges[e, 0])
        b = find(parent, edges[e, 1])
        if a == b:
            continue
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        size[a] += size[b]
        total += weights[e]
        tree.append(int(e))
    return total, tree


kernel(
    kruskal,
    lambda: (4, integers(0, 4, 6, 2), uniform(1, 6)),
    lambda: (2, integers(0, 2, 0, 2), uniform(1, 0)),
    lambda: (30, integers(0, 30, 120, 2), uniform(1, 120)),
)


def page_rank(links, damping, tol):
    """Rank pages by power iteration, with dangling pages."""
    n = links.shape[0]
    out = links.sum(axis=1)
    rank = np.ones(n) / n
    iterations = 0
    while True:
        dangling = rank[out == 0].sum()
        new = np.full(n, (1 - damping) / n + damping * dangling / n)
        for i in range(n):
            if out[i] > 0:
                new[links[i] > 0] += damping * rank[i] / out[i]
        iterations += 1
        if np.abs(new - rank).sum() < tol or iterations >= 100:
            return new, iterations
        rank = new


kernel(
    page_rank,
    lambda: (integers(0, 2, 4, 4), 0.85, 1e-6),
    lambda: (np.zeros((3, 3), int), 0.5, 1e-3),
    lambda: (integers(1, 2, 20, 20), 0.85, 1e-8),
)


def dtw(x, y, window):
    """Dynamic time warping in a band."""
    n, m = len(x), len(y)
    window = max(window, abs(n - m))
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(max(1, i - window), min(m, i + window) + 1):
            d = abs(x[i - 1] - y[j - 1])
            cost[i, j] = d + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]


kernel(
    dtw,
    lambda: (normal(0, 4), normal(1, 5), 2),
    lambda: (normal(0, 1), normal(1, 3), 0),
    lambda: (normal(0, 40), normal(1, 40), 8),
)


def sieve(n):
    """Sieve of Eratosthenes."""
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            is_prime[i * i :: i] = False
        i += 1
    return np.flatnonzero(is_prime)


kernel(sieve, lambda: (30,), lambda: (2,), lambda: (20000,))


def collatz_lengths(limit):
    """Longest chain of Collatz below a limit, with a table of known lengths."""
    cache = np.zeros(limit, dtype=np.int64)
    cache[1] = 1
    best, best_start = 1, 1
    for start in range(2, limit):
        n, steps = start, 0
        while n >= start:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        cache[start] = steps + cache[n]
        if cache[start] > best:
            best, best_start = cache[start], start
    return best_start, int(best)


kernel(collatz_lengths, lambda: (10,), lambda: (2,), lambda: (1500,))


def crc32(data):
    """Check sum of bytes, bit by bit, with a table made first."""
    table = np.zeros(256, dtype=np.uint32)
    for i in range(256):
        c = i
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table[i] = c
    crc = 0xFFFFFFFF
    for byte in data:
        crc = int(table[(crc ^ int(byte)) & 0xFF]) ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


kernel(
    crc32,
    lambda: (integers(0, 256, 5).astype(np.uint8),),
    lambda: (integers(0, 256, 0).astype(np.uint8),),
    lambda: (integers(0, 256, 2000).astype(np.uint8),),
)


def xorshift(seed, n):
    """Random numbers from shifts, in Python's own integers."""
    state = seed & 0xFFFFFFFFFFFFFFFF
    out = np.empty(n)
    for k in range(n):
        state ^= (state << 13) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 7
        state ^= (state << 17) & 0xFFFFFFFFFFFFFFFF
        out[k] = state / 2**64
    return out, state


kernel(xorshift, lambda: (88172645463325252, 4), lambda: (1, 0), lambda: (12345, 1000))


def merge_sort(x):
    """Sort by merging, recursively."""
    if len(x) <= 1:
        return x
    mid = len(x) // 2
    a, b = merge_sort(x[:mid]), merge_sort(x[mid:])
    out = np.empty_like(x)
    i = j = 0
    for k in range(len(x)):
        if j >= len(b) or (i < len(a) and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


kernel(merge_sort, lambda: (normal(0, 5),), lambda: (normal(0, 1),), lambda: (normal(0, 100),))


def partition(x, lo, hi):
    """Partition of Hoare; returns the split."""
    pivot = x[(lo + hi) // 2]
    i, j = lo - 1, hi + 1
    while True:
        i += 1
        while x[i] < pivot:
            i += 1
        j -= 1
        while x[j] > pivot:
            j -= 1
        if i >= j:
            return j
        x[i], x[j] = x[j], x[i]


def quicksort(x):
    """Sort in place with a stack of ranges."""
    stack = [(0, len(x) - 1)]
    while stack:
        lo, hi = stack.pop()
        if lo < hi:
            p = partition(x, lo, hi)
            stack.append((lo, p))
            stack.append((p + 1, hi))


kernel(quicksort, lambda: (normal(0, 5),), lambda: (normal(0, 1),), lambda: (normal(0, 100),))


def binary_search(xs, targets):
    """Positions of targets in a sorted array, -1 where missing."""
    out = np.empty(len(targets), dtype=np.intp)
    for k, target in enumerate(targets):
        lo, hi = 0, len(xs)
        while lo < hi:
            mid = (lo + hi) // 2
            if xs[mid] < target:
                lo = mid + 1
            else:
                hi = mid
        out[k] = lo if lo < len(xs) and xs[lo] == target else -1
    return out


kernel(
    binary_search,
    lambda: (np.arange(5), integers(0, 9, 4)),
    lambda: (np.arange(0), integers(0, 9, 2)),
    lambda: (np.arange(0, 200, 2), integers(0, 200, 100)),
)


def maximum_subarray(x):
    """Kadane's algorithm; also where the best stretch lies."""
    best = cur = x[0]
    start = best_start = best_end = 0
    for i in range(1, len(x)):
        if cur < 0:
            cur, start = x[i], i
        else:
            cur = cur + x[i]
        if cur > best:
            best, best_start, best_end = cur, start, i
    return best, x[best_start : best_end + 1]


kernel(
    maximum_subarray, lambda: (normal(0, 5),), lambda: (normal(0, 1),), lambda: (normal(0, 500),)
)


def ising(spins, beta, sweeps, rng):
    """Metropolis sweeps over a lattice of spins."""
    n = spins.shape[0]
    magnetization = np.zeros(sweeps)
    for s in range(sweeps):
        for _ in range(n * n):
            i = rng.integers(n)
            j = rng.integers(n)
            neighbors = (
                spins[(i + 1) % n, j]
                + spins[i, (j + 1) % n]
                + spins[(i - 1) % n, j]
                + spins[i, (j - 1) % n]
            )
            delta = 2 * spins[i, j] * neighbors
            if delta <= 0 or rng.random() < np.exp(-beta * delta):
                spins[i, j] *= -1
        magnetization[s] = spins.mean()
    return magnetization


kernel(
    ising,
    lambda: (2 * integers(0, 2, 3, 3) - 1, 0.4, 2, np.random.default_rng(1)),
    lambda: (2 * integers(0, 2, 2, 2) - 1, 0.4, 0, np.random.default_rng(1)),
    lambda: (2 * integers(0, 2, 8, 8) - 1, 0.44, 4, np.random.default_rng(1)),
)
