"""Time stepping of differential equations; boundary conditions in functions that write."""

from __future__ import annotations

import numpy as np

from .entries import kernel, normal, uniform


def heat_equation(u, alpha, dx, dt, steps):
    """Explicit steps for the heat equation with fixed ends."""
    r = alpha * dt / dx**2
    for _ in range(steps):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


kernel(
    heat_equation,
    lambda: (uniform(0, 6), 0.1, 0.1, 0.01, 3),
    lambda: (uniform(0, 3), 0.1, 0.1, 0.01, 0),
    lambda: (uniform(0, 200), 0.1, 0.1, 0.01, 100),
)


def periodic(u):
    """Copy the cells at each end into the ghost cells at the other."""
    u[0] = u[-2]
    u[-1] = u[1]


def burgers(u, nu, dx, dt, steps):
    """Upwind steps for the equation of Burgers, periodic."""
    snapshots = []
    for n in range(steps):
        un = u.copy()
        u[1:-1] = (
            un[1:-1]
            - un[1:-1] * dt / dx * (un[1:-1] - un[:-2])
            + nu * dt / dx**2 * (un[2:] - 2 * un[1:-1] + un[:-2])
        )
        periodic(u)
        if n % 5 == 0:
            snapshots.append(u.copy())
    return snapshots


kernel(
    burgers,
    lambda: (uniform(0, 6), 0.1, 0.1, 0.01, 7),
    lambda: (uniform(0, 9), 0.2, 0.1, 0.01, 0),
    lambda: (uniform(0, 100), 0.1, 0.1, 0.01, 100),
)


def build_up_b(b, rho, dt, u, v, dx, dy):
    """Source term of the pressure equation."""
    b[1:-1, 1:-1] = rho * (
        1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
        - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)) ** 2
    )
    return b


def pressure_poisson(p, dx, dy, b, nit):
    """Iterate for the pressure."""
    pn = np.empty_like(p)
    for _ in range(nit):
        pn[:] = p
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
    return p


def no_slip(u, v, lid):
    """Walls all round and a moving lid."""
    for f in (u, v):
        f[0, :] = 0
        f[:, 0] = 0
        f[:, -1] = 0
        f[-1, :] = 0
    u[-1, :] = lid


def cavity_flow(nx, ny, nt, dt, rho, nu):
    """Lid-driven cavity flow."""
    dx = 2 / (nx - 1)
    dy = 2 / (ny - 1)
    u = np.zeros((ny, nx))
    v = np.zeros((ny, nx))
    p = np.zeros((ny, nx))
    b = np.zeros((ny, nx))
    for _ in range(nt):
        un = u.copy()
        vn = v.copy()
        b = build_up_b(b, rho, dt, u, v, dx, dy)
        p = pressure_poisson(p, dx, dy, b, 10)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
        )
        no_slip(u, v, 1.0)
    return u, v, p


kernel(
    cavity_flow,
    lambda: (5, 6, 2, 0.001, 1.0, 0.1),
    lambda: (4, 4, 0, 0.001, 1.0, 0.1),
    lambda: (21, 21, 10, 0.001, 1.0, 0.1),
)


def apply_bc(f, kind="neumann"):
    """Set the border of a field."""
    if kind == "neumann":
        f[0, :] = f[1, :]
        f[-1, :] = f[-2, :]
        f[:, 0] = f[:, 1]
        f[:, -1] = f[:, -2]
    elif kind == "dirichlet":
        f[[0, -1], :] = 0.0
        f[:, [0, -1]] = 0.0
    else:
        raise ValueError(f"unknown boundary condition {kind!r}")


def gray_scott(u, v, du, dv, feed, kill, steps):
    """Reaction and diffusion of two substances."""
    for _ in range(steps):
        lu = u[:-2, 1:-1] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1] + u[1:-1, 2:] + u[2:, 1:-1]
        lv = v[:-2, 1:-1] + v[1:-1, :-2] - 4 * v[1:-1, 1:-1] + v[1:-1, 2:] + v[2:, 1:-1]
        cu, cv = u[1:-1, 1:-1], v[1:-1, 1:-1]
        uvv = cu * cv * cv
        cu += du * lu - uvv + feed * (1 - cu)
        cv += dv * lv + uvv - (feed + kill) * cv
        apply_bc(u)
        apply_bc(v, kind="dirichlet")


kernel(
    gray_scott,
    lambda: (uniform(0, 5, 5), uniform(1, 5, 5), 0.16, 0.08, 0.06, 0.062, 3),
    lambda: (uniform(0, 4, 6), uniform(1, 4, 6), 0.1, 0.08, 0.06, 0.06, 0),
    lambda: (uniform(0, 40, 40), uniform(1, 40, 40), 0.16, 0.08, 0.06, 0.062, 50),
)


def wave_equation(u0, c, dt, dx, steps, absorb):
    """Leapfrog with three levels that rotate."""
    prev = u0.copy()
    cur = u0.copy()
    nxt = np.zeros_like(u0)
    k = (c * dt / dx) ** 2
    energy = np.zeros(steps)
    for t in range(steps):
        nxt[1:-1] = 2 * cur[1:-1] - prev[1:-1] + k * (cur[2:] - 2 * cur[1:-1] + cur[:-2])
        if absorb:
            nxt[0] = cur[1]
            nxt[-1] = cur[-2]
        energy[t] = 0.5 * np.sum(((nxt - cur) / dt) ** 2)
        prev, cur, nxt = cur, nxt, prev
    return cur, energy


kernel(
    wave_equation,
    lambda: (uniform(0, 6), 1.0, 0.05, 0.1, 4, True),
    lambda: (uniform(0, 9), 1.0, 0.05, 0.1, 3, False),
    lambda: (uniform(0, 100), 1.0, 0.05, 0.1, 100, True),
)


def minmod(a, b):
    """Limit slopes."""
    return np.where(a * b <= 0.0, 0.0, np.where(np.abs(a) < np.abs(b), a, b))


def euler_flux(q, gamma):
    """Flux of the equations of Euler."""
    rho, m, e = q
    u = m / rho
    p = (gamma - 1.0) * (e - 0.5 * rho * u**2)
    return np.array([m, m * u + p, (e + p) * u]), np.abs(u) + np.sqrt(gamma * p / rho)


def sod_shock_tube(n, t_end, cfl=0.4, gamma=1.4):
    """Finite volumes of second order with Rusanov fluxes, adaptive time step."""
    x = (np.arange(n) + 0.5) / n
    dx = 1.0 / n
    q = np.empty((3, n))
    q[0] = np.where(x < 0.5, 1.0, 0.125)
    q[1] = 0.0
    q[2] = np.where(x < 0.5, 1.0, 0.1) / (gamma - 1.0)
    t = 0.0
    steps = 0
    while t < t_end:
        _, speed = euler_flux(q, gamma)
        dt = min(cfl * dx / speed.max(), t_end - t)
        slope = np.zeros_like(q)
        slope[:, 1:-1] = minmod(q[:, 1:-1] - q[:, :-2], q[:, 2:] - q[:, 1:-1])
        left = (q + 0.5 * slope)[:, :-1]
        right = (q - 0.5 * slope)[:, 1:]
        fl, sl = euler_flux(left, gamma)
        fr, sr = euler_flux(right, gamma)
        flux = 0.5 * (fl + fr) - 0.5 * np.maximum(sl, sr) * (right - left)
        q[:, 1:-1] -= dt / dx * (flux[:, 1:] - flux[:, :-1])
        t += dt
        steps += 1
    return q, steps


kernel(sod_shock_tube, lambda: (10, 0.05), lambda: (16, 0.0), lambda: (100, 0.1))


def lorenz(state, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    """Right-hand side of the system of Lorenz."""
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def rk4(y0, t0, t1, n):
    """Integrate with the classical method of Runge and Kutta."""
    h = (t1 - t0) / n
    ys = np.empty((n + 1, len(y0)))
    ys[0] = y = np.asarray(y0, dtype=float)
    for i in range(n):
        k1 = lorenz(y)
        k2 = lorenz(y + 0.5 * h * k1)
        k3 = lorenz(y + 0.5 * h * k2)
        k4 = lorenz(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        ys[i + 1] = y
    return ys


kernel(
    rk4,
    lambda: (np.array([1.0, 1.0, 1.0]), 0.0, 0.1, 3),
    lambda: (np.array([1.0, 0.0, 2.0]), 0.0, 1.0, 1),
    lambda: (np.array([1.0, 1.0, 1.0]), 0.0, 1.0, 100),
)


def rk45(y, t_end, tol):
    """Adaptive steps with an embedded pair of second and third order."""
    t, h = 0.0, 0.1
    ts = [t]
    ys = [y.copy()]
    rejected = 0
    while t < t_end:
        h = min(h, t_end - t)
        k1 = lorenz(y)
        k2 = lorenz(y + h * k1 / 2)
        k3 = lorenz(y + 3 * h * k2 / 4)
        new = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
        k4 = lorenz(new)
        error = np.linalg.norm(h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - k4 / 8))
        if error > tol and h > 1e-6:
            rejected += 1
            h *= max(0.2, 0.9 * (tol / error) ** (1 / 3))
            continue
        t += h
        y = new
        ts.append(t)
        ys.append(y)
        h *= min(5.0, 0.9 * (tol / max(error, 1e-15)) ** (1 / 3))
    return np.array(ts), np.array(ys), rejected


kernel(
    rk45,
    lambda: (np.array([1.0, 1.0, 1.0]), 0.1, 1e-2),
    lambda: (np.array([1.0, 2.0, 1.0]), 0.0, 1e-3),
    lambda: (np.array([1.0, 1.0, 1.0]), 1.0, 1e-4),
)


def crank_nicolson(psi, potential, dx, dt, steps):
    """A wave packet in a potential: complex tridiagonal systems, solved in place."""
    n = psi.size
    r = 1j * dt / (2 * dx * dx)
    norms = np.zeros(steps)
    for s in range(steps):
        diag = 1 + 2 * r + 1j * dt / 2 * potential
        rhs = (1 - 2 * r - 1j * dt / 2 * potential) * psi
        rhs[1:] += r * psi[:-1]
        rhs[:-1] += r * psi[1:]
        for i in range(1, n):
            w = -r / diag[i - 1]
            diag[i] = diag[i] + w * r
            rhs[i] = rhs[i] - w * rhs[i - 1]
        psi[-1] = rhs[-1] / diag[-1]
        for i in range(n - 2, -1, -1):
            psi[i] = (rhs[i] + r * psi[i + 1]) / diag[i]
        norms[s] = np.sum(np.abs(psi) ** 2) * dx
    return norms


kernel(
    crank_nicolson,
    lambda: (normal(0, 4) + 0j, uniform(1, 4), 0.1, 0.01, 2),
    lambda: (normal(0, 3) + 1j, uniform(1, 3), 0.1, 0.01, 0),
    lambda: (normal(0, 60) + 0j, uniform(1, 60), 0.1, 0.01, 10),
)
