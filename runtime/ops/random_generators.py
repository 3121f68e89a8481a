"""Sources of random numbers as objects: making them, and their methods.

Owns ``default_rng``, ``Generator``, ``RandomState``, ``SeedSequence`` and the bit generators. It
leaves what a distribution gives to `random_numbers`. Invariant: a generator is known by its class
alone, never by its state; every method may change that state, and is ordered with every effect.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.names import name_class
from ..ir.types import (
    LIST,
    NONE,
    OPAQUE,
    RANDOM_CLASSES,
    ArrayType,
    NumberType,
    ObjectType,
    Type,
)
from .calling import Arguments, enters_user_code, first_line
from .creation import new_shape
from .dense import UndecidedError
from .effects import by_option
from .random_numbers import (
    BYTES,
    DISTRIBUTIONS,
    DRAWS,
    FLOAT64,
    Distribution,
    Draw,
    a_list,
    choice,
    legacy_rules,
    nothing,
    permutation,
    sized_vector,
    text_of_bytes,
)
from .registry import Operation, register

for _cls in RANDOM_CLASSES:
    name_class(_cls)


def _permuted(arguments: Arguments) -> Type:
    return arguments.array("x")


def _generator_methods() -> dict[str, Draw]:
    """Return the rules of the methods of ``Generator``, by name."""
    source = np.random.Generator(np.random.PCG64(0))
    rules = {
        name: Draw(f"self {parameters} size", Distribution(source, name, parameters))
        for name, parameters in DISTRIBUTIONS.items()
    }
    for name, parameters in {
        "random": "size dtype out", "standard_normal": "size dtype out",
        "standard_exponential": "size dtype method out",
    }.items():  # fmt: skip
        rules[name] = Draw(f"self {parameters}", Distribution(source, name, ""))
    gamma = Distribution(source, "standard_gamma", "shape")
    rules["standard_gamma"] = Draw("self shape size dtype out", gamma)
    integers = Distribution(source, "integers", "low high")
    rules["integers"] = Draw("self low high size dtype endpoint", integers)
    colored = sized_vector(np.dtype(np.int64), "colors")
    normal = sized_vector(FLOAT64, "mean")
    return rules | {
        "multinomial": Draw("self n pvals size", sized_vector(np.dtype(np.int64), "pvals")),
        "multivariate_hypergeometric": Draw("self colors nsample size method", colored),
        "multivariate_normal": Draw("self mean cov size check_valid tol method", normal),
        "dirichlet": Draw("self alpha size", sized_vector(FLOAT64, "alpha")),
        "permutation": Draw("self x axis", permutation, fallback=OPAQUE),
        "permuted": Draw("self x axis out", _permuted, fallback=OPAQUE),
        "choice": Draw(
            "self a size replace p axis shuffle", choice, fallback=OPAQUE, shares=("a",)
        ),
        "shuffle": Draw("self x axis", nothing, ("x",), NONE),
        "bytes": Draw("self length", text_of_bytes, fallback=BYTES),
        "spawn": Draw("self n_children", a_list, fallback=LIST),
    }


def _words(arguments: Arguments) -> Type:
    """Return the type of ``generate_state``: unsigned integers of 32 bits, or of 64."""
    dtype = arguments.dtype() or np.dtype(np.uint32)
    return ArrayType(dtype, new_shape(arguments.value("n_words")))


def _raw(arguments: Arguments) -> Type:
    """Return the type of ``random_raw``: a Python integer, or an array of them."""
    if not arguments.flag("output", True):
        return NONE
    if arguments.given("size"):
        shape = new_shape(arguments.value("size"))
        if shape is None:
            raise UndecidedError
        return ArrayType(np.dtype(np.uint64), shape)
    return NumberType("int")


def _like_self(arguments: Arguments) -> Type:
    return arguments.type("self")


_BIT_GENERATOR_METHODS: dict[str, Draw] = {
    "random_raw": Draw("self size output", _raw),
    "jumped": Draw("self jumps", _like_self, fallback=OPAQUE),
    "advance": Draw("self delta", _like_self, fallback=OPAQUE, shares=("self",)),
    "spawn": Draw("self n_children", a_list, fallback=LIST),
}
RANDOM_METHODS: dict[type, dict[str, Draw]] = {
    np.random.Generator: _generator_methods(),
    np.random.RandomState: legacy_rules("self "),
    np.random.SeedSequence: {
        "spawn": Draw("self n_children", a_list, fallback=LIST),
        "generate_state": Draw("self n_words dtype", _words),
    },
    **{
        cls: {name: rules for name, rules in _BIT_GENERATOR_METHODS.items() if hasattr(cls, name)}
        for cls in RANDOM_CLASSES
        if issubclass(cls, np.random.BitGenerator)
    },
}
"""What is known of the methods of each source of random numbers."""


def _made(cls: type) -> Draw:
    """Return the rules of a constructor of `cls`."""

    def rule(arguments: Arguments) -> Type:
        return ObjectType(cls)

    names = {
        np.random.Generator: "bit_generator",
        np.random.SeedSequence: "entropy spawn_key pool_size n_children_spawned",
        np.random.Philox: "seed counter key",
    }
    return Draw(names.get(cls, "seed"), rule, fallback=OPAQUE)


def _default_generator(arguments: Arguments) -> Type:
    """Return the type of ``default_rng``: a generator that is given is returned."""
    if any(map(enters_user_code, arguments.inputs)):
        raise UndecidedError
    return ObjectType(np.random.Generator)


def _register() -> None:
    constructors = {cls: _made(cls) for cls in RANDOM_CLASSES}
    default = Draw("seed", _default_generator, fallback=OPAQUE, shares=("seed",))
    makers: list[tuple[Callable[..., object], Draw]] = [*constructors.items()]
    makers.append((np.random.default_rng, default))
    for maker, draw in makers:
        name = f"np.random.{maker.__name__}"
        DRAWS[name] = draw
        register(
            Operation(name, maker, draw.infer, by_option(draw.effects), doc=first_line(maker)),
            maker,
        )


_register()
