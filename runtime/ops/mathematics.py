"""The functions of `math`.

Owns an operation for each, called ``math.<name>``, made from the table of what they return.
Invariant: the result has the exact class that the function itself makes, whatever it is given; a
function of a later Python that is not in the table is opaque.
"""

from __future__ import annotations

import math

from ..ir.types import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    ArrayType,
    NumberType,
    ScalarType,
    TupleType,
    Type,
)
from .arithmetic import MUL
from .builtin_iterables import accumulated, is_iterable, iterating
from .builtins import fits_float
from .effects import NOTHING, conservative
from .functions import Arguments, TypeRule, always, define, opaque
from .number_types import int_type, is_builtin
from .registry import FRESH, Effects, Operation

_FLOAT = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "copysign", "cos", "cosh",
    "degrees", "dist", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fma", "fmod", "fsum",
    "gamma", "hypot", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "nextafter", "pow",
    "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh", "ulp",
)  # fmt: skip
_INT = ("comb", "factorial", "gcd", "isqrt", "lcm", "perm")
_ROUNDING = ("ceil", "floor", "trunc")
_BOOL = ("isclose", "isfinite", "isinf", "isnan")
_NEVER = (
    "asinh", "atan", "atan2", "cbrt", "copysign", "degrees", "erf", "erfc", "fabs", "isfinite",
    "isinf", "isnan", "radians", "tanh",
)  # fmt: skip
_ITERATING = ("dist", "fsum", "prod", "sumprod")
_COUNTS = {
    "atan2": (2, 2), "copysign": (2, 2), "dist": (2, 2), "fmod": (2, 2), "ldexp": (2, 2),
    "pow": (2, 2), "remainder": (2, 2), "nextafter": (2, 2), "isclose": (2, 2), "comb": (2, 2),
    "perm": (1, 2), "log": (1, 2), "fma": (3, 3), "sumprod": (2, 2), "hypot": (0, 64),
    "gcd": (0, 64), "lcm": (0, 64),
}  # fmt: skip
_KEYWORDS = {
    "isclose": ("rel_tol", "abs_tol"), "prod": ("start",), "nextafter": ("steps",),
}  # fmt: skip


def _rounding_type(arguments: Arguments) -> Type:
    """Return the type of ``floor``, ``ceil`` or ``trunc``, which ask a class first."""
    (type_,) = arguments.types()
    if isinstance(type_, NumberType):
        return BOTTOM if type_.kind == "complex" else INT
    if isinstance(type_, ScalarType | ArrayType):
        return INT
    return BOTTOM if is_builtin(type_) else opaque(arguments)


def _product_type(arguments: Arguments) -> Type:
    iterable = arguments.inputs[0].type
    if not is_iterable(iterable):
        return BOTTOM
    if not is_builtin(iterable) and not isinstance(iterable, ArrayType):
        return opaque(arguments)
    start = arguments.keywords.get("start")
    start_type = int_type(1) if start is None else start.type
    return accumulated(MUL, start_type, iterable, arguments.inputs)


def _type_rule(name: str) -> TypeRule:
    if name in _FLOAT:
        return always(FLOAT)
    if name in _INT:
        return always(INT)
    if name in _BOOL:
        return always(BOOL)
    if name in _ROUNDING:
        return _rounding_type
    fixed: dict[str, TypeRule] = {
        "frexp": always(TupleType((FLOAT, INT))),
        "modf": always(TupleType((FLOAT, FLOAT))),
        "prod": _product_type,
    }
    return fixed.get(name, opaque)


def _scalar_effects(arguments: Arguments) -> Effects:
    return conservative(arguments.inputs, FRESH)


def _total_effects(arguments: Arguments) -> Effects:
    """Return the effects of a function that works for every float."""
    return NOTHING if all(map(fits_float, arguments.types())) else _scalar_effects(arguments)


def _iterating_effects(arguments: Arguments) -> Effects:
    return iterating(arguments)


def _define_all() -> dict[str, Operation]:
    operations = {}
    for name, function in sorted(vars(math).items()):
        if not callable(function) or name.startswith("_"):
            continue
        effects = _scalar_effects
        if name in _ITERATING:
            effects = _iterating_effects
        elif name in _NEVER:
            effects = _total_effects
        operations[name] = define(
            f"math.{name}", function, _type_rule(name), effects,
            count=_COUNTS.get(name, (1, 1)), keywords=_KEYWORDS.get(name, ()),
        )  # fmt: skip
    return operations


MATH = _define_all()
"""The operation of each function of `math`, by its name."""
