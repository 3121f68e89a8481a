"""Objects of NumPy's that a loop or a formula uses: ``ndindex``, ``ndenumerate``, ``finfo``.

Owns making them. It leaves looping over them to `iteration`, their attributes to `attributes`.
Invariant: an iterator over an array leads to the memory of the array.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.names import name_class
from ..ir.types import (
    INT,
    OPAQUE,
    PLAIN,
    IteratorType,
    NumberType,
    ObjectType,
    ScalarType,
    TupleType,
    Type,
)
from .calling import Arguments, any_input, define
from .dense import UndecidedError


def _places(arguments: Arguments) -> Type:
    """Return the type of ``ndindex(2, 3)`` or ``ndindex((2, 3))``: it gives tuples of integers."""
    given = [arguments.inputs[i].type for i in arguments.rest]
    if len(given) == 1 and isinstance(given[0], TupleType):
        given = list(given[0].items)
    integers = all(
        (isinstance(type_, NumberType) and type_.kind == "int")
        or (isinstance(type_, ScalarType) and type_.dtype.kind in "iu")
        for type_ in given
    )
    if not integers or (len(given) != len(arguments.rest) and len(arguments.rest) != 1):
        raise UndecidedError
    return IteratorType(TupleType((INT,) * len(given)))


define("ndindex", "*shape", _places, fallback=OPAQUE)


def _numbered(arguments: Arguments) -> Type:
    """Return the type of ``ndenumerate``: it gives places and elements."""
    array = arguments.array("arr")
    place: Type = PLAIN if array.shape is None else TupleType((INT,) * len(array.shape))
    element: Type = PLAIN if array.dtype is None else ScalarType(array.dtype)
    return IteratorType(TupleType((place, element)))


define("ndenumerate", "arr", _numbered, any_input, fallback=OPAQUE)


def _limits(cls: type) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        return ObjectType(name_class(cls))

    return rule


define("finfo", "dtype", _limits(np.finfo), fallback=OPAQUE)
define("iinfo", "type", _limits(np.iinfo), fallback=OPAQUE)
