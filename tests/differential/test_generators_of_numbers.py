"""Generators of random numbers as values: one trace for all, and the numbers drawn plainly."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import autograph as ag

KINDS: tuple[Callable[[int], np.random.Generator], ...] = (
    np.random.default_rng,
    lambda seed: np.random.Generator(np.random.MT19937(seed)),
    lambda seed: np.random.Generator(np.random.SFC64(seed)),
)


def walk(rng, n):
    """Draw in a loop whose length is drawn too."""
    x = 0.0
    for _ in range(n + rng.integers(3)):
        x += rng.normal(scale=0.5)
        if rng.random() < 0.25:
            x = -x
    return x, rng.permutation(n)


def test_one_trace_serves_all_generators() -> None:
    compiled = ag.compile(walk, fallback="error")
    for seed in range(4):
        for make in KINDS:
            plain, traced = make(seed), make(seed)
            want, got = walk(plain, 5), compiled(traced, 5)
            assert want[0] == got[0]
            assert want[1].tolist() == got[1].tolist()
            assert repr(plain.bit_generator.state) == repr(traced.bit_generator.state)
    assert len(compiled.signatures) == 1


def test_methods_of_generators_are_operations() -> None:
    compiled = ag.compile(walk, fallback="error")
    text = str(compiled.graph(np.random.default_rng(1), 5))
    assert "call(" not in text
    assert "float = method(rng" in text
    compiled(np.random.default_rng(1), 5)
    assert compiled.signatures[0].islands == ()


def equal_draws(rng):
    """Two draws alike, one of them unused, are three draws."""
    first = rng.normal(0.0, 1.0)
    rng.normal(0.0, 1.0)
    second = rng.normal(0.0, 1.0)
    return first == second, first, second


def test_draws_are_neither_merged_nor_removed() -> None:
    compiled = ag.compile(equal_draws, fallback="error")
    program = str(compiled.program(np.random.default_rng(1)))
    assert program.count("rng.normal(0.0, 1.0)") == 3
    assert compiled(np.random.default_rng(1)) == equal_draws(np.random.default_rng(1))


class Fixed(np.random.Generator):
    """A generator of a user's, which draws the same number always."""

    def random(self, size=None, dtype=float, out=None):
        """Return a half."""
        return 0.5


def halves(rng, n):
    """Draw several times."""
    return [rng.random() for _ in range(n)], rng.integers(9)


def test_a_subclass_keeps_its_methods() -> None:
    make = lambda: Fixed(np.random.PCG64(3))  # noqa: E731  # made twice
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        assert ag.compile(halves)(make(), 3) == halves(make(), 3)


def through_default_rng(seed):
    """Take a seed or a generator, as libraries do."""
    rng = np.random.default_rng(seed)
    return rng.random(2), rng is seed


@pytest.mark.parametrize("make", [lambda: 7, lambda: np.random.default_rng(3), lambda: Fixed(
    np.random.PCG64(1)
)])  # fmt: skip
def test_a_seed_may_be_a_generator(make: Callable[[], object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        got, want = ag.compile(through_default_rng)(make()), through_default_rng(make())
    assert np.array_equal(got[0], want[0])
    assert got[1] is want[1]


def one_of(draw, n):
    """Draw by a bound method that is handed in."""
    return [draw() for _ in range(n)]


def test_bound_methods_draw_from_their_generator() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        compiled = ag.compile(one_of)
        for seed in (1, 2):
            got = compiled(np.random.default_rng(seed).random, 3)
            assert got == one_of(np.random.default_rng(seed).random, 3)
