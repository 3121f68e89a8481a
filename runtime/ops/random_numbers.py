"""Drawing random numbers: the types and effects that all sources of them share.

Owns the rules of every distribution, and the functions of ``np.random``, which draw from NumPy's
global state. It leaves the methods of generators to `random_generators`. Invariant: no draw is
pure: each is ordered with every other effect, and runs once for each execution, since two
generators may share one state.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..ir.graph import Attributes, Value
from ..ir.types import (
    FLOAT,
    LIST,
    NONE,
    OPAQUE,
    PLAIN,
    ArrayType,
    Extent,
    NumberType,
    ObjectType,
    ScalarType,
    Type,
    is_immutable,
    type_of,
)
from .calling import (
    Arguments,
    axis_of,
    bind,
    decide,
    enters_user_code,
    first_line,
    numpy_function,
    opaque_result,
    out_type,
)
from .creation import new_shape
from .dense import (
    CertainError,
    Shape,
    UndecidedError,
    broadcast_shapes,
    dense_of,
)
from .effects import by_option
from .registry import (
    FRESH,
    FUNCTIONS,
    UNKNOWN,
    Alias,
    Effects,
    Operation,
    Raises,
    Sharing,
    register,
)

FLOAT64 = np.dtype(float)
BYTES = ObjectType(bytes)
Rule = Callable[[Arguments], Type]


class Draw:
    """The rules of one function or method that draws from, or changes, a random state.

    Parameters
    ----------
    parameters
        The names of its parameters, separated by spaces; ``self`` first if it is a method.
    result
        The type of the result; may raise `UndecidedError` or `CertainError`.
    writes
        Parameters whose memory is written, besides ``out``.
    fallback
        What it returns at all for plain inputs.
    shares
        Parameters that the result may be, or be a view of.
    """

    def __init__(
        self,
        parameters: str,
        result: Rule,
        writes: tuple[str, ...] = (),
        fallback: Type = PLAIN,
        shares: tuple[str, ...] = (),
    ) -> None:
        self.parameters = tuple(parameters.split())
        self.result = result
        self.writes = writes
        self.fallback = fallback
        self.shares = shares

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the type of the result."""
        fallback = opaque_result(inputs, self.fallback)
        arguments = bind(self.parameters, inputs, attrs)
        out = None if arguments is None else out_type(arguments)
        if out is not None:
            return (out if isinstance(out, ArrayType) else fallback,)
        return (decide(self.result, arguments, fallback),)

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        """Return the effects for inputs that are not unions."""
        if any(map(enters_user_code, inputs)):
            return UNKNOWN
        readable = tuple(i for i, value in enumerate(inputs) if not is_immutable(value.type))
        arguments = bind(self.parameters, inputs, attrs)
        if arguments is None:
            alias = Alias(Sharing.MAYBE, readable) if readable else FRESH
            return Effects(Raises.VALUE, readable, readable, calls=True, aliases=(alias,))
        written = self._positions(arguments, (*self.writes, "out", "self"))
        shared = self._positions(arguments, (*self.shares, "out"))
        alias = Alias(Sharing.MAYBE, shared) if shared else FRESH
        return Effects(Raises.VALUE, readable, written, calls=True, aliases=(alias,))

    def _positions(self, arguments: Arguments, names: tuple[str, ...]) -> tuple[int, ...]:
        found = (arguments.positions[n] for n in names if n in arguments.positions)
        return tuple(sorted(i for i in found if not is_immutable(arguments.inputs[i].type)))


# Distributions

_SAMPLES: dict[str, tuple[object, ...]] = {
    "binomial": (3, 0.5), "multivariate_hypergeometric": ((3, 3), 2), "zipf": (2.0,),
    "hypergeometric": (3, 4, 5), "triangular": (0.0, 0.5, 1.0), "integers": (5,), "randint": (5,),
    "random_integers": (5,), "negative_binomial": (3, 0.5),
}  # fmt: skip
"""Arguments to try a distribution with where 0.5 for each parameter will not do."""
DISTRIBUTIONS: dict[str, str] = {
    "beta": "a b", "binomial": "n p", "chisquare": "df", "exponential": "scale",
    "f": "dfnum dfden", "gamma": "shape scale", "geometric": "p", "gumbel": "loc scale",
    "hypergeometric": "ngood nbad nsample", "laplace": "loc scale", "logistic": "loc scale",
    "lognormal": "mean sigma", "logseries": "p", "negative_binomial": "n p",
    "noncentral_chisquare": "df nonc", "noncentral_f": "dfnum dfden nonc", "normal": "loc scale",
    "pareto": "a", "poisson": "lam", "power": "a", "rayleigh": "scale", "standard_cauchy": "",
    "standard_t": "df", "triangular": "left mode right", "uniform": "low high",
    "vonmises": "mu kappa", "wald": "mean scale", "weibull": "a", "zipf": "a",
}  # fmt: skip
"""The parameters of each distribution that generators and the global state have alike, but size."""


def shape_of_parameter(value: Value) -> Shape | None:
    """Return the shape that a parameter of a distribution broadcasts with, None if unknown."""
    if isinstance(value.type, NumberType | ScalarType):
        return ()
    return dense_of(value.type).shape


def size_of_result(arguments: Arguments, name: str = "size") -> Shape | None:
    """Return the shape that ``size=`` asks for, None if its rank is unknown.

    Raises
    ------
    UndecidedError
        If it may be None at run time.
    """
    value = arguments.value(name)
    shape = new_shape(value)
    if shape is None and not isinstance(value.type, ArrayType):
        raise UndecidedError
    return shape


class Distribution:
    """The result of a distribution: a number, or an array of its size or its parameters' shape."""

    def __init__(self, source: object, name: str, parameters: str) -> None:
        self.name = name
        self.function: Callable[..., object] = getattr(source, name)
        """The method of a source of our own, to try what it returns."""
        self.parameters = parameters.split()

    def __call__(self, arguments: Arguments) -> Type:
        """Return the type of what is drawn."""
        options = self.options(arguments)
        shapes = [
            shape_of_parameter(arguments.value(name))
            for name in self.parameters
            if name in arguments.positions
        ]
        if arguments.given("size"):
            return ArrayType(self.dtype(options), size_of_result(arguments))
        if any(shape is None for shape in shapes):
            raise UndecidedError
        shape = broadcast_shapes([shape for shape in shapes if shape is not None])
        if shape:
            return ArrayType(self.dtype(options), shape)
        return type_of_sample(self.function, self.sample(), options)

    def options(self, arguments: Arguments) -> tuple[tuple[str, object], ...]:
        """Return the arguments that decide the dtype."""
        if "dtype" not in arguments.positions:
            return ()
        arguments.dtype()
        dtype = arguments.constant("dtype")
        return (("dtype", dtype),) if isinstance(dtype, str | type | np.dtype) else ()

    def sample(self) -> tuple[object, ...]:
        """Return arguments to try it with."""
        return _SAMPLES.get(self.name, (0.5,) * len(self.parameters))

    def dtype(self, options: tuple[tuple[str, object], ...]) -> np.dtype:
        """Return the dtype of its arrays."""
        type_ = type_of_sample(self.function, self.sample(), (*options, ("size", (1,))))
        assert isinstance(type_, ArrayType) and type_.dtype is not None
        return type_.dtype


@functools.cache
def type_of_sample(
    function: Callable[..., object],
    sample: tuple[object, ...],
    options: tuple[tuple[str, object], ...],
) -> Type:
    """Return the type of what a method of a source of our own draws.

    Raises
    ------
    UndecidedError
        If it refuses, such as for a dtype.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drawn = function(*sample, **dict(options))
    except (TypeError, ValueError):
        if sample == (5,):
            return type_of_sample(function, (1,), options)
        raise UndecidedError from None
    type_ = type_of(drawn)
    return NumberType(type_.kind) if isinstance(type_, NumberType) else type_


def sized_vector(dtype: np.dtype, parameter: str) -> Rule:
    """Return the rule of a distribution of vectors, as long as that parameter.

    The axes of ``size`` come before those of the vector.
    """

    def rule(arguments: Arguments) -> Type:
        last = dense_of(arguments.type(parameter)).shape
        first: Shape | None = ()
        if "n" in arguments.positions and parameter != "n":
            first = shape_of_parameter(arguments.value("n"))
        if arguments.given("size"):
            first = size_of_result(arguments)
        if last is None or len(last) != 1 or first is None:
            raise UndecidedError
        return ArrayType(dtype, (*first, last[0]))

    return rule


def permutation(arguments: Arguments) -> Type:
    """Return the type of a permuted copy; of an integer, that of the numbers below it."""
    type_ = arguments.type("x")
    if isinstance(type_, NumberType | ScalarType):
        integer = isinstance(type_, ScalarType) or type_.kind in ("bool", "int")
        extent: Extent = type_.extent if isinstance(type_, NumberType) else None
        if isinstance(extent, int) and extent < 0:
            raise CertainError
        if not integer or (isinstance(type_, ScalarType) and type_.dtype.kind not in "iu"):
            raise UndecidedError
        return ArrayType(type_of_counting(), (extent,))
    array = arguments.array("x")
    if not array.shape:
        raise UndecidedError
    return array


@functools.cache
def type_of_counting() -> np.dtype:
    """Return the dtype of a permutation of the first integers."""
    return np.random.RandomState(0).permutation(2).dtype


def choice(arguments: Arguments) -> Type:
    """Return the type of a choice: numbers below an integer, or rows of an array."""
    type_ = arguments.type("a")
    size = size_of_result(arguments) if arguments.given("size") else None
    if isinstance(type_, NumberType) and type_.kind == "int":
        if not arguments.given("size"):
            return NumberType("int")
        return ArrayType(type_of_counting(), size)
    array = arguments.array("a")
    if array.shape is None or not array.shape:
        raise UndecidedError
    axis = axis_of(arguments.constant("axis", 0), len(array.shape))
    rest = (array.shape[:axis], array.shape[axis + 1 :])
    if arguments.given("size"):
        return ArrayType(array.dtype, None if size is None else (*rest[0], *size, *rest[1]))
    if len(array.shape) > 1:
        return ArrayType(array.dtype, (*rest[0], *rest[1]))
    if array.dtype is None:
        raise UndecidedError
    return ScalarType(array.dtype)


def dimensions(arguments: Arguments) -> Type:
    """Return the type of ``rand(2, 3)``: a Python float without dimensions."""
    given = [arguments.inputs[i] for i in arguments.rest if "self" not in arguments.positions or i]
    if not given:
        return FLOAT
    extents = [new_shape(value) for value in given]
    if any(extent is None or len(extent) != 1 for extent in extents):
        raise UndecidedError
    return ArrayType(FLOAT64, tuple(extent[0] for extent in extents if extent is not None))


def nothing(arguments: Arguments) -> Type:
    """Return the type of what is done for its effect."""
    return NONE


def text_of_bytes(arguments: Arguments) -> Type:
    """Return the type of random bytes."""
    return BYTES


def undecided(arguments: Arguments) -> Type:
    """Leave a result to the run."""
    raise UndecidedError


def a_list(arguments: Arguments) -> Type:
    """Return the type of a list of new sources."""
    return LIST


def legacy_state(arguments: Arguments) -> Type:
    """Return the type of a state: a tuple as of old, or a dictionary."""
    return PLAIN if arguments.flag("legacy", True) else OPAQUE


def legacy_rules(self_: str) -> dict[str, Draw]:
    """Return the rules of the methods of ``RandomState``, by name.

    Parameters
    ----------
    self_
        The word for the receiver among the parameters: ``"self "`` for methods, else nothing.
    """
    source = np.random.RandomState(0)
    rules = {
        name: Draw(f"{self_}{parameters} size", Distribution(source, name, parameters))
        for name, parameters in {
            **DISTRIBUTIONS, "random": "", "random_sample": "", "standard_normal": "",
            "standard_exponential": "", "standard_gamma": "shape", "tomaxint": "",
            "random_integers": "low high",
        }.items()
    }  # fmt: skip
    integers = Distribution(source, "randint", "low high")
    rules["randint"] = Draw(f"{self_}low high size dtype", integers)
    for name in ("rand", "randn"):
        rules[name] = Draw("*self" if self_ else "*dimensions", dimensions)
    counting = type_of_counting()
    rules |= {
        "multinomial": Draw(f"{self_}n pvals size", sized_vector(counting, "pvals")),
        "dirichlet": Draw(f"{self_}alpha size", sized_vector(FLOAT64, "alpha")),
        "multivariate_normal": Draw(
            f"{self_}mean cov size check_valid tol", sized_vector(FLOAT64, "mean")
        ),
        "permutation": Draw(f"{self_}x", permutation, fallback=OPAQUE),
        "choice": Draw(f"{self_}a size replace p", choice, fallback=OPAQUE, shares=("a",)),
        "shuffle": Draw(f"{self_}x", nothing, ("x",), NONE),
        "seed": Draw(f"{self_}seed", nothing, fallback=NONE),
        "bytes": Draw(f"{self_}length", text_of_bytes, fallback=BYTES),
        "get_state": Draw(f"{self_}legacy", legacy_state, fallback=OPAQUE),
        "set_state": Draw(f"{self_}state", nothing, fallback=NONE),
    }
    return rules


def _register_global_functions() -> None:
    """Enter the functions of ``np.random``: methods of a state that is NumPy's own."""
    rules = legacy_rules("")
    same: Mapping[str, str] = {"ranf": "random_sample", "sample": "random_sample"}
    for name in (*rules, *same):
        function = numpy_function(f"random.{name}")
        if function is None or function in FUNCTIONS:
            continue
        draw = rules[same.get(name, name)]
        DRAWS[f"np.random.{name}"] = draw
        register(
            Operation(
                f"np.random.{name}", function, draw.infer, by_option(draw.effects),
                doc=first_line(function),
            ),
            function,
        )  # fmt: skip


DRAWS: dict[str, Draw] = {}
"""The rules of every function of ``np.random`` here, by the operation's name."""
_register_global_functions()
