"""Particles, random numbers, fractals and finance."""

from __future__ import annotations

import math

import numpy as np

from .entries import kernel, normal, uniform

SOFTENING = 1e-3


def accelerations(pos, mass):
    """Gravity between all pairs."""
    n = len(mass)
    acc = np.zeros_like(pos)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            d = pos[j] - pos[i]
            acc[i] += mass[j] * d / (d @ d + SOFTENING) ** 1.5
    return acc


def nbody(pos, vel, mass, dt, steps):
    """Leapfrog; positions and velocities are the caller's."""
    acc = accelerations(pos, mass)
    for _ in range(steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = accelerations(pos, mass)
        vel += 0.5 * dt * acc
    return 0.5 * np.sum(mass[:, None] * vel**2)


kernel(
    nbody,
    lambda: (normal(0, 3, 3), normal(1, 3, 3), uniform(2, 3), 0.01, 2),
    lambda: (normal(0, 1, 2), normal(1, 1, 2), uniform(2, 1), 0.01, 0),
    lambda: (normal(0, 8, 3), normal(1, 8, 3), uniform(2, 8), 0.01, 5),
)


def nbody_broadcast(pos, mass, g, eps):
    """Accelerations of all pairs by broadcasting."""
    dx = pos[None, :, 0] - pos[:, None, 0]
    dy = pos[None, :, 1] - pos[:, None, 1]
    dz = pos[None, :, 2] - pos[:, None, 2]
    inv_r3 = dx**2 + dy**2 + dz**2 + eps**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = g * (dx * inv_r3) @ mass
    ay = g * (dy * inv_r3) @ mass
    az = g * (dz * inv_r3) @ mass
    return np.stack((ax, ay, az), axis=1)


kernel(
    nbody_broadcast,
    lambda: (normal(0, 3, 3), uniform(1, 3), 1.0, 0.1),
    lambda: (normal(0, 1, 3), uniform(1, 1), 1.0, 0.0),
    lambda: (normal(0, 40, 3), uniform(1, 40), 1.0, 0.1),
)


def lennard_jones(pos, box, cutoff):
    """Forces and energy in a periodic box, each pair once."""
    n = pos.shape[0]
    forces = np.zeros_like(pos)
    energy = 0.0
    for i in range(n - 1):
        delta = pos[i] - pos[i + 1 :]
        delta -= box * np.round(delta / box)
        r2 = np.sum(delta**2, axis=1)
        near = r2 < cutoff**2
        if not near.any():
            continue
        inv6 = (1.0 / r2[near]) ** 3
        energy += np.sum(4.0 * inv6 * (inv6 - 1.0))
        f = (48.0 * inv6 * (inv6 - 0.5) / r2[near])[:, np.newaxis] * delta[near]
        forces[i] += f.sum(axis=0)
        forces[i + 1 :][near] -= f
    return forces, energy


kernel(
    lennard_jones,
    lambda: (uniform(0, 4, 3) * 3, 3.0, 1.4),
    lambda: (uniform(0, 3, 2) * 90, 90.0, 0.1),
    lambda: (uniform(0, 40, 3) * 6, 6.0, 2.5),
)


def mandelbrot(xmin, xmax, ymin, ymax, width, height, maxiter):
    """Escape times, point by point."""
    out = np.zeros((height, width), dtype=np.int32)
    xs = np.linspace(xmin, xmax, width)
    ys = np.linspace(ymin, ymax, height)
    for i in range(height):
        for j in range(width):
            c = complex(xs[j], ys[i])
            z = 0j
            for n in range(maxiter):
                if abs(z) > 2.0:
                    out[i, j] = n
                    break
                z = z * z + c
            else:
                out[i, j] = maxiter
    return out


kernel(
    mandelbrot,
    lambda: (-2.0, 1.0, -1.0, 1.0, 3, 4, 5),
    lambda: (-2.0, 1.0, -1.0, 1.0, 1, 1, 0),
    lambda: (-2.0, 1.0, -1.0, 1.0, 20, 16, 30),
)


def mandelbrot_masked(c, maxiter, horizon=2.0):
    """Escape times of all points at once."""
    z = np.zeros_like(c)
    n = np.zeros(c.shape, dtype=int)
    for it in range(maxiter):
        alive = np.less(abs(z), horizon)
        n[alive] = it
        z[alive] = z[alive] ** 2 + c[alive]
    n[n == maxiter - 1] = 0
    return z, n


def plane(width, height):
    """Return points of the complex plane, complex (height, width)."""
    return np.linspace(-2, 1, width) + 1j * np.linspace(-1, 1, height)[:, None]


kernel(
    mandelbrot_masked,
    lambda: (plane(3, 4), 5),
    lambda: (plane(2, 2), 1),
    lambda: (plane(30, 20), 20),
)


def norm_cdf(x):
    """Normal distribution by the polynomial of Abramowitz and Stegun."""
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    poly = k * (
        0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    w = 1.0 - 1.0 / np.sqrt(2 * np.pi) * np.exp(-0.5 * x * x) * poly
    return np.where(x < 0, 1.0 - w, w)


def black_scholes(s, k, t, r, sigma):
    """Prices of calls and puts."""
    sq = sigma * np.sqrt(t)
    d1 = (np.log(s / k) + (r + 0.5 * sigma**2) * t) / sq
    d2 = d1 - sq
    disc = np.exp(-r * t)
    call = s * norm_cdf(d1) - k * disc * norm_cdf(d2)
    put = k * disc * norm_cdf(-d2) - s * norm_cdf(-d1)
    return call, put


kernel(
    black_scholes,
    lambda: (1 + uniform(0, 3), 1 + uniform(1, 3), 1 + uniform(2, 3), 0.05, 0.2),
    lambda: (1 + uniform(0, 1), 1 + uniform(1, 1), 1 + uniform(2, 1), 0.01, 0.3),
    lambda: (1 + uniform(0, 200), 1 + uniform(1, 200), 1 + uniform(2, 200), 0.05, 0.2),
)


def binomial_option(s, k, t, r, sigma, n, american):
    """Price a put on a binomial tree, backwards."""
    dt = t / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(r * dt) - d) / (u - d)
    prices = s * u ** np.arange(n, -n - 1, -2.0)
    values = np.maximum(k - prices, 0.0)
    for _ in range(n):
        values = math.exp(-r * dt) * (p * values[:-1] + (1 - p) * values[1:])
        if american:
            prices = prices[:-1] / u
            values = np.maximum(values, k - prices)
    return values[0]


kernel(
    binomial_option,
    lambda: (100.0, 105.0, 1.0, 0.05, 0.2, 3, True),
    lambda: (100.0, 95.0, 1.0, 0.05, 0.2, 1, False),
    lambda: (100.0, 105.0, 1.0, 0.05, 0.2, 100, True),
)


def asian_option(s0, strike, r, sigma, t, steps, paths, rng):
    """Monte Carlo price of an average, with antithetic paths."""
    dt = t / steps
    drift = (r - 0.5 * sigma**2) * dt
    payoffs = np.empty(2 * paths)
    for i in range(paths):
        z = rng.standard_normal(steps)
        for sign, slot in ((1, 2 * i), (-1, 2 * i + 1)):
            path = s0 * np.exp(np.cumsum(drift + sigma * np.sqrt(dt) * sign * z))
            payoffs[slot] = max(path.mean() - strike, 0.0)
    price = np.exp(-r * t) * payoffs.mean()
    return price, payoffs.std(ddof=1) / np.sqrt(len(payoffs)), rng.random()


kernel(
    asian_option,
    lambda: (100.0, 100.0, 0.05, 0.2, 1.0, 4, 3, np.random.default_rng(0)),
    lambda: (100.0, 90.0, 0.05, 0.2, 1.0, 1, 1, np.random.default_rng(1)),
    lambda: (100.0, 100.0, 0.05, 0.2, 1.0, 20, 60, np.random.default_rng(2)),
)


def estimate_pi(n, seed):
    """Throw darts with a generator made inside."""
    rng = np.random.default_rng(seed)
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4 * inside / n


kernel(estimate_pi, lambda: (10, 1), lambda: (1, 2), lambda: (2000, 3))


def metropolis(log_density, start, steps, width, rng):
    """Random walk over a density that is a function."""
    x = start
    samples = np.empty(steps)
    accepted = 0
    current = log_density(x)
    for i in range(steps):
        proposal = x + width * rng.normal()
        new = log_density(proposal)
        if math.log(rng.random()) < new - current:
            x, current = proposal, new
            accepted += 1
        samples[i] = x
    return samples, accepted / steps


def double_well(x):
    """Logarithm of a density with two peaks."""
    return -((x * x - 1.0) ** 2) / 0.3


kernel(
    metropolis,
    lambda: (double_well, 0.0, 5, 0.5, np.random.default_rng(0)),
    lambda: (double_well, 1.0, 1, 0.1, np.random.default_rng(1)),
    lambda: (double_well, 0.0, 500, 0.5, np.random.default_rng(2)),
)


def random_walk(steps, walkers, rng):
    """Distance after each step, walkers together."""
    pos = np.zeros((walkers, 2), dtype=np.int64)
    moves = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    msd = []
    for _ in range(steps):
        pos += moves[rng.integers(0, 4, size=walkers)]
        msd.append(np.mean(np.sum(pos**2, axis=1)))
    rng.shuffle(pos)
    return np.array(msd), pos


kernel(
    random_walk,
    lambda: (3, 2, np.random.default_rng(0)),
    lambda: (1, 1, np.random.default_rng(1)),
    lambda: (100, 30, np.random.default_rng(2)),
)


def newton_fractal(re, im, tol, limit):
    """Which root of z**3 = 1 is reached from each point."""
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    z = re[None, :] + 1j * im[:, None]
    reached = np.full(z.shape, -1)
    for _ in range(limit):
        z = z - (z**3 - 1) / (3 * z**2)
        for k, root in enumerate(roots):
            reached[(np.abs(z - root) < tol) & (reached < 0)] = k
        if (reached >= 0).all():
            break
    return reached


kernel(
    newton_fractal,
    lambda: (np.linspace(-1, 1, 3) + 0.1, np.linspace(-1, 1, 4), 1e-6, 30),
    lambda: (np.linspace(1, 2, 2), np.linspace(1, 2, 2), 1e-9, 1),
    lambda: (np.linspace(-1, 1, 20) + 0.01, np.linspace(-1, 1, 20), 1e-6, 30),
)


def brent(a, b, tol):
    """Find a zero by bisection, secant and inverse quadratic interpolation."""

    def f(x):
        return math.cos(x) - x * x * x

    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise ValueError("no change of sign")
    if abs(fa) < abs(fb):
        a, b, fa, fb = b, a, fb, fa
    c, fc, d = a, fa, a
    bisected = True
    steps = 0
    while abs(b - a) > tol and fb != 0:
        if fa != fc and fb != fc:
            s = (
                a * fb * fc / ((fa - fb) * (fa - fc))
                + b * fa * fc / ((fb - fa) * (fb - fc))
                + c * fa * fb / ((fc - fa) * (fc - fb))
            )
        else:
            s = b - fb * (b - a) / (fb - fa)
        low, high = sorted(((3 * a + b) / 4, b))
        step = abs(b - c) if bisected else abs(c - d)
        if not low < s < high or abs(s - b) >= step / 2 or step < tol:
            s = (a + b) / 2
            bisected = True
        else:
            bisected = False
        fs = f(s)
        d, c, fc = c, b, fb
        if fa * fs < 0:
            b, fb = s, fs
        else:
            a, fa = s, fs
        if abs(fa) < abs(fb):
            a, b, fa, fb = b, a, fb, fa
        steps += 1
    return b, steps


kernel(brent, lambda: (0.0, 1.0, 1e-9), lambda: (0.0, 2.0, 1e-2), lambda: (-1.0, 1.5, 1e-13))


def nelder_mead(simplex, limit, tol):
    """Minimize the function of Rosenbrock without derivatives."""

    def f(p):
        return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2

    values = np.array([f(p) for p in simplex])
    for it in range(limit):  # noqa: B007  # on purpose
        order = np.argsort(values)
        simplex, values = simplex[order], values[order]
        if values[-1] - values[0] < tol:
            break
        center = simplex[:-1].mean(axis=0)
        reflected = center + (center - simplex[-1])
        fr = f(reflected)
        if values[0] <= fr < values[-2]:
            simplex[-1], values[-1] = reflected, fr
            continue
        if fr < values[0]:
            expanded = center + 2 * (center - simplex[-1])
            fe = f(expanded)
            simplex[-1], values[-1] = (expanded, fe) if fe < fr else (reflected, fr)
            continue
        contracted = center + 0.5 * (simplex[-1] - center)
        fc = f(contracted)
        if fc < values[-1]:
            simplex[-1], values[-1] = contracted, fc
            continue
        for i in range(1, len(simplex)):
            simplex[i] = simplex[0] + 0.5 * (simplex[i] - simplex[0])
            values[i] = f(simplex[i])
    return simplex[0], values[0], it


kernel(
    nelder_mead,
    lambda: (normal(0, 3, 2), 5, 1e-9),
    lambda: (normal(1, 3, 2), 1, 1e-3),
    lambda: (normal(2, 3, 2), 200, 1e-12),
)


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    """Distances between all pairs of points on a sphere."""
    temp = (
        np.sin((theta_2 - theta_1[:, None]) / 2) ** 2
        + np.cos(theta_1[:, None]) * np.cos(theta_2) * np.sin((phi_2 - phi_1[:, None]) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


kernel(
    arc_distance,
    lambda: tuple(uniform(i, 3) for i in range(4)),
    lambda: tuple(uniform(i, 1) for i in range(4)),
    lambda: tuple(uniform(i, 40) for i in range(4)),
)
