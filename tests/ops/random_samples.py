"""Samples for the methods of sources of random numbers, and for the functions of ``np.random``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ops.numpy_samples import call
from ops.sample import Sample
from runtime.ir.types import RANDOM_CLASSES
from runtime.ops.random_generators import RANDOM_METHODS
from runtime.ops.random_numbers import DISTRIBUTIONS

GENERATOR, LEGACY = np.random.Generator, np.random.RandomState
SIZES = ((), (None,), (3,), ((2, 3),), ((),), (np.int64(2),), (np.array([2, 1]),), (0,))
FIRST = {
    "binomial": (3, 0.5), "hypergeometric": (3, 4, 5), "zipf": (2.0,),
    "negative_binomial": (3, 0.5), "triangular": (0.0, 0.5, 1.0),
}  # fmt: skip
V, M = np.arange(1.0, 4.0), np.arange(6.0).reshape(2, 3)
K = np.arange(3)


def source(cls: type) -> object:
    """Return a source of class `cls` of known state."""
    if cls is GENERATOR:
        return np.random.default_rng(7)
    return cls(7)


def parameters(name: str) -> Iterator[tuple[object, ...]]:
    """Yield arguments of a distribution: numbers, scalars, arrays without axes and with some."""
    numbers = FIRST.get(name, (0.5,) * len(DISTRIBUTIONS[name].split()))
    yield numbers
    if numbers:
        yield tuple(np.asarray(number)[()] for number in numbers)
        yield tuple(np.asarray(number) for number in numbers)
        yield (np.full((2, 3), numbers[0]), *numbers[1:])
        yield (*numbers[:-1], np.full(3, numbers[-1]))
        yield tuple(np.full((2, 1), number) for number in numbers)


def legacy_samples() -> dict[str, list[Sample]]:
    """Return arguments of the methods that both kinds of generators have, and of the old ones."""
    found = {
        name: [call(*given, *size) for given in parameters(name) for size in SIZES]
        for name in DISTRIBUTIONS
    }
    sized = [call(*size) for size in SIZES]
    found |= dict.fromkeys(("random", "random_sample", "standard_normal", "tomaxint"), sized)
    found |= {
        "standard_exponential": sized,
        "standard_gamma": [call(V, *size) for size in SIZES] + [call(0.5, *s) for s in SIZES],
        "random_integers": [call(5), call(1, 5, 3), call(5, size=(2, 2))],
        "randint": [
            call(5), call(1, 5), call(1, 5, 3), call(5, size=(2, 2)), call(5, dtype="i4"),
            call(5, dtype=np.int64), call(5, dtype=int), call(1, dtype=bool), call(K + 1),
            call(5, size=3, dtype=np.uint8), call(np.int64(5)), call(1, K + 2, dtype="u4"),
        ],
        "rand": [call(), call(3), call(2, 3), call(np.int64(2))],
        "randn": [call(), call(3), call(2, 3)],
        "multinomial": [call(3, V / 6), call(3, V / 6, 2), call(3, V / 6, size=(2, 2))],
        "multivariate_normal": [
            call(V, np.eye(3)), call(V, np.eye(3), 2), call(V[:2], np.eye(2), size=(2, 1)),
        ],
        "dirichlet": [call(V), call(V, 2), call(V, size=(2, 2)), call((1.0, 2.0))],
        "permutation": [call(4), call(V), call(M), call(np.int64(3)), call(0)],
        "choice": [
            call(4), call(V), call(V, 2), call(4, size=3), call(V, (2, 2)), call(V, ()),
            call(4, 2, False), call(K, p=V / 6), call(np.int64(4)), call(np.array(4)),
        ],
        "shuffle": [call(V.copy()), call(M.copy()), call(np.arange(3))],
        "seed": [call(1), call(None), call()],
        "bytes": [call(3), call(0), call(np.int64(2))],
        "get_state": [call(), call(True), call(False), call(legacy=False)],
        "set_state": [call(LEGACY(3).get_state())],
    }  # fmt: skip
    return found


def generator_samples() -> dict[str, list[Sample]]:
    """Return arguments of the methods of ``Generator``."""
    found = {name: samples for name, samples in legacy_samples().items() if name in GENERATOR_NAMES}
    typed = [
        call(*size, dtype=dtype)
        for size in ((), (3,), ((2, 2),))
        for dtype in (np.float32, "f4", float)
    ]
    small = np.zeros(2, "f4")
    out = [call(out=np.zeros(3)), call(out=np.zeros((2, 2))), call(out=small, dtype="f4")]
    found["random"] = [*found["random"], *typed, *out]
    found["standard_normal"] = [*found["standard_normal"], *typed, *out]
    found["standard_exponential"] = [*found["standard_exponential"], *typed, call(3, float, "inv")]
    gamma = [call(0.5, 3, "f4"), call(2.0, out=V.copy())]
    found["standard_gamma"] = [*found["standard_gamma"], *gamma]
    found |= {
        "integers": [
            *legacy_samples()["randint"], call(5, endpoint=True), call(0, 5, 3, endpoint=True),
            call(np.array(5)), call(K + 1, K[:, None] + 7), call(2**40, size=2),
        ],
        "permuted": [call(V), call(M), call(M, axis=1), call(M, axis=0, out=M.copy())],
        "shuffle": [call(V.copy()), call(M.copy(), axis=1)],
        "choice": [*found["choice"], call(M), call(M, 2), call(M, (2, 2), axis=1), call(M, axis=1)],
        "multivariate_hypergeometric": [call(K + 3, 2), call(K + 3, 2, 4), call(K + 3, 2, (2, 1))],
        "multinomial": [*found["multinomial"], call(K, V / 6), call(K[:, None], V / 6)],
        "spawn": [call(2), call(0), call(n_children=1)],
    }  # fmt: skip
    return found


GENERATOR_NAMES = frozenset(RANDOM_METHODS[GENERATOR])
OTHERS: dict[str, list[Sample]] = {
    "random_raw": [call(), call(3), call((2, 2)), call(2, output=False), call(None)],
    "jumped": [call(), call(2)],
    "advance": [call(3)],
    "spawn": [call(2)],
    "generate_state": [call(3), call(2, np.uint64), call(n_words=1)],
}


def samples_of(cls: type | None, name: str) -> list[Sample]:
    """Return samples of a method of `cls`, or of the function of ``np.random`` if it is None.

    Those of a method have a source of known state for their receiver.
    """
    if cls is None:
        return CONSTRUCTORS.get(name, []) or legacy_samples().get(SAME.get(name, name), [])
    found = {GENERATOR: generator_samples, LEGACY: legacy_samples}.get(cls, lambda: OTHERS)()
    return [
        Sample((source(cls), *sample.inputs), {**sample.attrs, "name": name})
        for sample in found.get(name, ())
    ]


SAME = {"ranf": "random_sample", "sample": "random_sample"}
CONSTRUCTORS = {
    cls.__name__: [call(7)] for cls in RANDOM_CLASSES if cls is not GENERATOR
} | {"Generator": [call(np.random.PCG64(7))], "default_rng": [call(7), call(None), call()]}
