"""Particles, cells and lattices: scattered additions, periodic neighbors, random events."""

from __future__ import annotations

import numpy as np

from .entries import kernel, uniform


def particle_in_cell(x, v, cells, length, dt, steps):
    """Charges that move in the field they make; positions and speeds are changed in place."""
    dx = length / cells
    energy = np.zeros(steps)
    k = 2 * np.pi * np.fft.rfftfreq(cells, dx)
    k[0] = 1.0
    for step in range(steps):
        at = x / dx
        left = np.floor(at).astype(int)
        weight = at - left
        density = np.zeros(cells)
        np.add.at(density, left % cells, 1 - weight)
        np.add.at(density, (left + 1) % cells, weight)
        density = density / density.mean() - 1
        potential = np.fft.rfft(density) / k**2
        potential[0] = 0
        field = np.fft.irfft(-1j * k * potential, cells)
        v -= dt * ((1 - weight) * field[left % cells] + weight * field[(left + 1) % cells])
        x += dt * v
        x %= length
        energy[step] = 0.5 * np.sum(field**2) * dx
    return energy


kernel(
    particle_in_cell,
    lambda: (uniform(0, 5), np.zeros(5), 4, 1.0, 0.1, 2),
    lambda: (uniform(1, 20), uniform(2, 20) - 0.5, 8, 1.0, 0.05, 5),
    lambda: (uniform(1, 2000), uniform(2, 2000) - 0.5, 64, 1.0, 0.05, 20),
)


def collide(f, omega):
    """Relax the nine densities of each cell towards equilibrium, in place."""
    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    rho = f.sum(axis=0)
    ux = np.tensordot(cx, f, axes=1) / rho
    uy = np.tensordot(cy, f, axes=1) / rho
    square = 1.5 * (ux**2 + uy**2)
    for i in range(9):
        cu = 3 * (cx[i] * ux + cy[i] * uy)
        f[i] += omega * (w[i] * rho * (1 + cu + 0.5 * cu**2 - square) - f[i])
    return ux, uy


def lattice_boltzmann(f, wall, omega, steps):
    """Flow between obstacles; the densities are changed in place."""
    cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]
    opposite = [0, 3, 4, 1, 2, 7, 8, 5, 6]
    for _ in range(steps):
        for i in range(9):
            f[i] = np.roll(np.roll(f[i], cx[i], axis=0), cy[i], axis=1)
        bounced = f[opposite][:, wall]
        ux, uy = collide(f, omega)
        f[:, wall] = bounced
    return np.where(wall, 0, np.hypot(ux, uy))


def channel(n, m):
    """Densities at rest but for a push, and walls with an obstacle."""
    f = np.ones((9, n, m))
    f[1] += 0.3
    wall = np.zeros((n, m), dtype=bool)
    wall[:, 0] = wall[n // 3 : n // 2, m // 3 :] = True
    return f, wall


kernel(
    lattice_boltzmann,
    lambda: (*channel(4, 3), 1.0, 1),
    lambda: (*channel(7, 6), 1.2, 3),
    lambda: (*channel(60, 30), 1.7, 20),
)


def find_root(parent, i):
    """The root of a tree, halving the path to it."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def percolation(n, rng):
    """The share of open cells at which a square lets water through."""
    top, bottom = n * n, n * n + 1
    parent = np.arange(n * n + 2)
    opened = np.zeros((n, n), dtype=bool)
    count = 0
    for cell in rng.permutation(n * n):
        row, column = divmod(int(cell), n)
        opened[row, column] = True
        count += 1
        neighbors = []
        if row == 0:
            neighbors.append(top)
        if row == n - 1:
            neighbors.append(bottom)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < n and 0 <= c < n and opened[r, c]:
                neighbors.append(r * n + c)
        for other in neighbors:
            parent[find_root(parent, row * n + column)] = find_root(parent, other)
        if find_root(parent, top) == find_root(parent, bottom):
            break
    return count / (n * n)


kernel(
    percolation,
    lambda: (1, np.random.default_rng(0)),
    lambda: (5, np.random.default_rng(1)),
    lambda: (20, np.random.default_rng(2)),
)


def gillespie(susceptible, infected, beta, gamma, t_end, rng):
    """A stochastic epidemic, event by event."""
    recovered = 0
    population = susceptible + infected
    t = 0.0
    history = [(t, susceptible, infected, recovered)]
    while infected > 0 and t < t_end:
        rates = np.array([beta * susceptible * infected / population, gamma * infected])
        total = rates.sum()
        t += rng.exponential(1 / total)
        if rng.random() * total < rates[0]:
            susceptible -= 1
            infected += 1
        else:
            infected -= 1
            recovered += 1
        history.append((t, susceptible, infected, recovered))
    return np.array(history)


kernel(
    gillespie,
    lambda: (3, 1, 0.5, 0.1, 5.0, np.random.default_rng(0)),
    lambda: (20, 2, 1.5, 0.3, 20.0, np.random.default_rng(1)),
    lambda: (400, 5, 1.5, 0.3, 100.0, np.random.default_rng(2)),
)


def velocity_verlet(x, v, box, cutoff, dt, steps):
    """Molecules in a periodic box, forces from a list of close pairs; arrays changed in place."""

    def forces():
        f = np.zeros_like(x)
        i, j = np.triu_indices(len(x), k=1)
        d = x[i] - x[j]
        d -= box * np.round(d / box)
        r2 = np.einsum("ij,ij->i", d, d)
        near = r2 < cutoff**2
        i, j, d, r2 = i[near], j[near], d[near], r2[near]
        inverse = 1.0 / r2**3
        pair = (24 * (2 * inverse**2 - inverse) / r2)[:, None] * d
        np.add.at(f, i, pair)
        np.subtract.at(f, j, pair)
        return f, np.sum(4 * (inverse**2 - inverse))

    f, potential = forces()
    energies = np.empty(steps)
    for step in range(steps):
        v += 0.5 * dt * f
        x += dt * v
        x -= box * np.floor(x / box)
        f, potential = forces()
        v += 0.5 * dt * f
        energies[step] = potential + 0.5 * np.sum(v * v)
    return energies


def lattice_points(n):
    """Points near a cubic lattice, at rest."""
    grid = np.stack(np.meshgrid(*(np.arange(n),) * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return grid * 1.2 + 0.05 * uniform(n, n**3, 3), np.zeros((n**3, 3)), 1.2 * n


kernel(
    velocity_verlet,
    lambda: (*lattice_points(2), 1.1, 0.001, 2),
    lambda: (*lattice_points(2), 1.3, 0.002, 5),
    lambda: (*lattice_points(4), 2.0, 0.001, 10),
)


def sandpile(n, grains):
    """Topple a pile of sand until it rests."""
    pile = np.zeros((n, n), dtype=np.int64)
    pile[n // 2, n // 2] = grains
    topplings = 0
    while (unstable := pile >= 4).any():
        count = pile[unstable] // 4
        spill = np.zeros_like(pile)
        spill[unstable] = count
        pile -= 4 * spill
        pile[1:] += spill[:-1]
        pile[:-1] += spill[1:]
        pile[:, 1:] += spill[:, :-1]
        pile[:, :-1] += spill[:, 1:]
        topplings += int(count.sum())
    return pile, topplings


kernel(sandpile, lambda: (3, 5), lambda: (7, 60), lambda: (31, 2000))
