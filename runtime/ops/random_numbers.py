"""Functions of ``np.random`` that draw from, or change, NumPy's global random state.

Owns their types. It leaves generators made by ``default_rng``, which are objects of their own, to
unknown calls. Invariant: none of them is pure: each is ordered with every other effect, and runs
once for each execution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.graph import Attributes, Value
from ..ir.types import (
    FLOAT,
    INT,
    NONE,
    OPAQUE,
    PLAIN,
    ArrayType,
    NumberType,
    Type,
    is_immutable,
)
from .calling import (
    Arguments,
    bind,
    decide,
    enters_user_code,
    first_line,
    numpy_function,
    opaque_result,
)
from .creation import new_shape
from .dense import UndecidedError
from .effects import by_option
from .registry import FRESH, FUNCTIONS, UNKNOWN, Effects, Operation, Raises, register

_FLOAT = np.dtype(float)
_INTEGER = np.dtype(int)


class _Draw:
    """The rules of one function of the global random state."""

    def __init__(
        self,
        parameters: str,
        result: Callable[[Arguments], Type],
        writes: bool,
        fallback: Type,
    ) -> None:
        self.parameters = tuple(parameters.split())
        self.result = result
        self.writes = writes
        self.fallback = fallback

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        fallback = opaque_result(inputs, self.fallback)
        return (decide(self.result, bind(self.parameters, inputs, attrs), fallback),)

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        if any(map(enters_user_code, inputs)):
            return UNKNOWN
        readable = tuple(i for i, value in enumerate(inputs) if not is_immutable(value.type))
        written = readable if self.writes else ()
        return Effects(Raises.VALUE, readable, written, calls=True, aliases=(FRESH,))


def _define(
    name: str,
    parameters: str,
    result: Callable[[Arguments], Type],
    writes: bool = False,
    fallback: Type = PLAIN,
) -> None:
    function = numpy_function(f"random.{name}")
    if function is None or function in FUNCTIONS:
        return
    rules = _Draw(parameters, result, writes, fallback)
    register(
        Operation(
            f"np.random.{name}", function, rules.infer, by_option(rules.effects),
            doc=first_line(function),
        ),
        function,
    )  # fmt: skip


def _dimensions(arguments: Arguments) -> Type:
    """Return the type of ``rand(2, 3)``: a Python float without dimensions."""
    if not arguments.inputs:
        return FLOAT
    extents = [new_shape(value) for value in arguments.inputs]
    if any(extent is None or len(extent) != 1 for extent in extents):
        raise UndecidedError
    return ArrayType(_FLOAT, tuple(extent[0] for extent in extents if extent is not None))


def _sized(dtype: np.dtype, number: Type) -> Callable[[Arguments], Type]:
    """Return the rule of a distribution: an array of `size`, a Python `number` without it."""

    def rule(arguments: Arguments) -> Type:
        if arguments.given("size"):
            if arguments.given("dtype"):
                raise UndecidedError
            shape = new_shape(arguments.value("size"))
            if shape is None:
                raise UndecidedError
            return ArrayType(dtype, shape)
        plain = all(
            isinstance(arguments.inputs[at].type, NumberType)
            for name, at in arguments.positions.items()
            if name != "size"
        )
        if not plain or "size" in arguments.positions:
            raise UndecidedError
        return number

    return rule


for _name in ("rand", "randn"):
    _define(_name, "*dimensions", _dimensions)
for _name in ("random", "random_sample", "ranf", "sample", "standard_normal"):
    _define(_name, "size", _sized(_FLOAT, FLOAT))
for _name, _parameters in {
    "uniform": "low high size", "normal": "loc scale size", "exponential": "scale size",
    "gamma": "shape scale size", "beta": "a b size", "laplace": "loc scale size",
    "lognormal": "mean sigma size", "chisquare": "df size", "weibull": "a size",
    "logistic": "loc scale size", "gumbel": "loc scale size", "rayleigh": "scale size",
    "triangular": "left mode right size", "standard_exponential": "size",
}.items():  # fmt: skip
    _define(_name, _parameters, _sized(_FLOAT, FLOAT))
_define("randint", "low high size dtype", _sized(_INTEGER, INT))
for _name, _parameters in {
    "poisson": "lam size", "binomial": "n p size", "geometric": "p size",
}.items():  # fmt: skip
    _define(_name, _parameters, _sized(_INTEGER, INT))


def _undecided(arguments: Arguments) -> Type:
    raise UndecidedError


def _permutation(arguments: Arguments) -> Type:
    type_ = arguments.type("x")
    if isinstance(type_, NumberType) and type_.kind == "int":
        return ArrayType(_INTEGER, (type_.extent,))
    array = arguments.array("x")
    if not array.shape:
        raise UndecidedError
    return array


_define("permutation", "x", _permutation, fallback=OPAQUE)
_define("choice", "a size replace p", _undecided, fallback=OPAQUE)


def _nothing(arguments: Arguments) -> Type:
    return NONE


_define("shuffle", "x", _nothing, writes=True, fallback=NONE)
_define("seed", "seed", _nothing, fallback=NONE)
for _name in ("multivariate_normal", "multinomial", "dirichlet"):
    _define(_name, "mean cov size check_valid tol", _undecided)
