"""Formulas on arrays: option prices, a polynomial, softmax, layer norm."""

from __future__ import annotations

import numpy as np

from .entries import program


def normal_cdf(x):
    """The cumulative normal distribution, by the polynomial of Abramowitz and Stegun (26.2.17)."""
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937
                + k * (-1.821255978 + k * 1.330274429))))  # fmt: skip
    tail = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) * poly
    return np.where(x >= 0.0, 1.0 - tail, tail)


def black_scholes(spot, strike, years, rate, volatility):
    """Prices of European calls and puts."""
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - spot * normal_cdf(-d1)
    return call, put


def options(n, dtype=np.float64):
    """Spot prices, strike prices and years of `n` options, with rate and volatility."""
    rng = np.random.default_rng(0)
    spot, strike = rng.uniform(10, 50, n), rng.uniform(10, 50, n)
    years = rng.uniform(1, 2, n)
    return spot.astype(dtype), strike.astype(dtype), years.astype(dtype), 0.1, 0.2


program(
    black_scholes,
    lambda: options(7),
    lambda: options(100),
    timed={
        "float64, 10^3": lambda: options(10**3),
        "float64, 10^5": lambda: options(10**5),
        "float64, 10^7": lambda: options(10**7),
        "float32, 10^7": lambda: options(10**7, np.float32),
    },
)


def polynomial_where(x):
    """One polynomial inside the unit interval, another one outside."""
    inside = ((((0.5 * x - 1.0) * x + 2.0) * x - 0.25) * x + 1.5) * x - 3.0
    outside = (1.0 - x * x) * x + 0.125
    return np.where(np.abs(x) < 1.0, inside, outside)


def numbers(n):
    """Numbers around the unit interval."""
    return (np.random.default_rng(1).normal(size=n),)


program(
    polynomial_where,
    lambda: numbers(5),
    lambda: numbers(64),
    timed={f"10^{k}": lambda k=k: numbers(10**k) for k in (3, 5, 7)},
)


def softmax(x):
    """Exponentials of each row that sum to one."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def rows(n, m):
    """A matrix of single precision."""
    return np.random.default_rng(2).normal(size=(n, m)).astype(np.float32)


program(
    softmax,
    lambda: (rows(3, 5),),
    lambda: (rows(16, 9),),
    timed={"float32, 1024 x 1024": lambda: (rows(1024, 1024),)},
)


def layer_norm(x, gain, bias, eps=1e-5):
    """Each row with mean 0 and variance 1, scaled and shifted."""
    mean = x.mean(axis=-1, keepdims=True)
    centered = x - mean
    variance = np.mean(centered**2, axis=-1, keepdims=True)
    return centered / np.sqrt(variance + eps) * gain + bias


def norm_arguments(n, m):
    """A matrix of single precision, a gain and a bias for its columns."""
    return rows(n, m), np.full(m, 1.5, np.float32), np.full(m, 0.25, np.float32)


program(
    layer_norm,
    lambda: norm_arguments(3, 5),
    lambda: norm_arguments(8, 17),
    timed={"float32, 1024 x 1024": lambda: norm_arguments(1024, 1024)},
)
