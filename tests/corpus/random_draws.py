"""Random numbers: generators that are made inside, passed, kept in objects or globals."""

from __future__ import annotations

import numpy as np

from .entries import case


def own_generator(seed, n):
    """Make a generator, draw in a loop with branches."""
    rng = np.random.default_rng(seed)
    total = 0.0
    hits = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1:
            hits += 1
        else:
            total += rng.normal(x, 0.5)
    return hits, total, rng.integers(10)


case(own_generator, lambda: (1, 30), lambda: (2, 0))


def passed_generator(rng, n):
    """Draw from an argument; its state is the caller's."""
    x = rng.normal(size=(n, 3))
    x -= x.mean(axis=0)
    noise = rng.standard_normal(n, dtype=np.float32)
    return x, noise, rng.uniform(-1, 1, n), rng.poisson(3.0), rng.bytes(2)


case(
    passed_generator,
    lambda: (np.random.default_rng(3), 4),
    lambda: (np.random.Generator(np.random.MT19937(4)), 2),
    lambda: (np.random.default_rng(3), 0),
)


def in_place(rng, x):
    """Shuffle and fill the caller's arrays."""
    rng.shuffle(x)
    rng.shuffle(x, axis=1)
    out = np.empty(len(x))
    same = rng.random(out=out) is out
    view = x[:, 0]
    rng.shuffle(view)
    y = rng.permuted(x, axis=1)
    rng.permuted(x, axis=0, out=x)
    return out, same, view, y, rng.permutation(x), rng.permutation(len(x))


case(in_place, lambda: (np.random.default_rng(5), np.arange(12.0).reshape(4, 3)))


def choices(rng, items, k):
    """Choose with and without replacement, with weights, along axes."""
    first = rng.choice(items)
    rows = rng.choice(items, size=k, replace=False)
    weights = np.arange(1.0, len(items) + 1)
    numbers = rng.choice(len(items), size=(k, 2), p=weights / weights.sum())
    return first, rows, numbers, rng.choice(5), rng.choice(items, 2, axis=0, shuffle=False)


case(
    choices,
    lambda: (np.random.default_rng(6), np.arange(5), 3),
    lambda: (np.random.default_rng(6), np.arange(12.0).reshape(6, 2), 2),
    lambda: (np.random.default_rng(6), np.arange(3), 4),
    raises=(None, None, ValueError),
)


class Walker:
    """Something with a generator of its own."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.position = 0.0

    def step(self, scale):
        """Move at random."""
        self.position += scale * self.rng.choice(np.array([-1.0, 1.0]))
        return self.position


def kept_generator(walker, n):
    """Draw through a method of an object that keeps its generator."""
    path = np.empty(n)
    for i in range(n):
        path[i] = walker.step(0.5)
    return path, walker.rng.random()


case(kept_generator, lambda: (Walker(7), 6), lambda: (Walker(8), 0))

SHARED = np.random.default_rng(9)
STEP = 0.25


def reset():
    """Put the generator of this module back."""
    SHARED.bit_generator.state = np.random.default_rng(9).bit_generator.state


def from_a_global(n):
    """Draw from a generator of the module, beside a number that is read from it."""
    out = [SHARED.normal(STEP, 1.0) for _ in range(n)]
    return out, STEP


def _reset_and(*arguments):
    def make():
        reset()
        return arguments

    return make


case(from_a_global, _reset_and(3), _reset_and(0), watch=lambda: SHARED.random())


def two_names_of_one_state(bits, n):
    """Draw from two generators that share a state: the order of all draws counts."""
    a, b = np.random.Generator(bits), np.random.Generator(bits)
    x = a.random()
    y = b.random()
    unused = a.random()
    return x, y, b.random(n), np.random.default_rng(a) is a, unused is None


case(two_names_of_one_state, lambda: (np.random.PCG64(3), 2))


def drawn_and_dropped(rng, flag):
    """Draws whose results nobody uses happen all the same."""
    rng.random()
    if flag:
        rng.normal(size=3)
    first, second = rng.random(), rng.random()
    return first - second, rng.random() - rng.random()


case(
    drawn_and_dropped,
    lambda: (np.random.default_rng(2), True),
    lambda: (np.random.default_rng(2), False),
)


def saved_state(rng):
    """Save the state, draw, put it back, draw again."""
    state = rng.bit_generator.state
    first = rng.random(2)
    rng.bit_generator.state = state
    return first, rng.random(2)


case(saved_state, lambda: (np.random.default_rng(4),))


def children(seed, n):
    """Spawn generators, draw from each."""
    parents = np.random.SeedSequence(seed).spawn(n)
    means = [np.random.default_rng(parent).normal(size=4).mean() for parent in parents]
    more = [child.random() for child in np.random.default_rng(seed).spawn(n)]
    return means, more, np.random.SeedSequence(seed).generate_state(2)


case(children, lambda: (11, 3), lambda: (11, 0))


def _seeded(*arguments):
    def make():
        np.random.seed(0)
        return arguments

    return make


def global_state(n):
    """Draw from NumPy's global state, and from a state of the old kind."""
    np.random.seed(n)
    old = np.random.RandomState(n)
    x = np.random.rand(n, 2)
    np.random.shuffle(x)
    picked = np.random.choice(n, 2)
    return x, picked, np.random.standard_t(3.0), old.randint(0, 9, n), old.randn(), old.rand(2)


case(global_state, _seeded(4), _seeded(1), watch=np.random.random)


def old_state(state, n):
    """Draw from a RandomState that is passed."""
    total = 0
    while total < n:
        total += state.randint(1, 4)
    return total, state.normal(size=2), state.permutation(3), state.multinomial(5, np.ones(2) / 2)


case(old_state, lambda: (np.random.RandomState(1), 9), lambda: (np.random.RandomState(1), 0))


def bad_parameters(rng, scale):
    """NumPy's own error, at the user's line, after draws that stay drawn."""
    first = rng.random()
    second = rng.normal(0.0, scale)
    return first, second


case(
    bad_parameters,
    lambda: (np.random.default_rng(2), 1.0),
    lambda: (np.random.default_rng(2), -1.0),
    raises=(None, ValueError),
)


def joined_sources(rng, other, flag):
    """Draw from one of two generators."""
    source = rng if flag else other
    return source.random(), rng.random(), other.integers(3, size=2)


case(
    joined_sources,
    lambda: (np.random.default_rng(1), np.random.default_rng(2), True),
    lambda: (np.random.default_rng(1), np.random.default_rng(2), False),
)


def metropolis(rng, steps, width):
    """Sample a Gaussian by Metropolis's rule."""
    x = 0.0
    chain = np.empty(steps)
    accepted = 0
    for i in range(steps):
        proposal = x + rng.uniform(-width, width)
        if rng.random() < np.exp(0.5 * (x**2 - proposal**2)):
            x = proposal
            accepted += 1
        chain[i] = x
    return chain, accepted


case(metropolis, lambda: (np.random.default_rng(3), 40, 2.0))


def lists_as_parameters(rng, k):
    """Weights, sizes and means that are written as lists."""
    picked = rng.choice(["a", "b"], p=[0.25, 0.75])
    numbers = rng.choice([1, 2, 3], size=[2, k], p=[0.5, 0.25, 0.25])
    grid = rng.normal([0.0, 10.0], 1.0, size=[k, 2])
    old = np.random.choice([1, 2], size=[2], p=[0.5, 0.5])
    shares = rng.dirichlet([1.0, 2.0])
    return picked, numbers, grid, rng.multinomial(k, [0.5, 0.5]), shares, old.sum()


def _seeded_generator():
    np.random.seed(0)
    return np.random.default_rng(5), 3


case(lists_as_parameters, _seeded_generator)
