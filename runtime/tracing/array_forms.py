"""Arrays whose dtype or shape changes in place, under all their names.

Owns what the tracer has to know of ``x.shape = ...``, ``x.dtype = ...``, ``x.strides = ...`` and
``x.resize(...)``. It leaves recording them to `tracer`. Invariant: in a graph with such an
operation no type says anything of the dtype or shape of an array.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Mapping

import numpy as np

from ..ir.lattice import join_all
from ..ir.types import (
    ArrayType,
    IteratorType,
    NamedTupleType,
    OpaqueType,
    SlotType,
    TupleType,
    Type,
    UnionType,
)
from .signals import Unstageable

ATTRIBUTES = ("dtype", "shape", "strides")
"""The attributes of an array that can be assigned, and are part of its type."""
_ADVICE = "use np.resize, or pass refcheck=False"
UNKNOWN_RESIZE = ("resize is called on something that may be an array", "use np.resize")


def opened(type_: Type) -> Type:
    """Return `type_` without the dtypes and shapes of arrays.

    >>> import numpy as np
    >>> print(opened(TupleType((ArrayType(np.dtype("f8"), (3,)),))))
    (?[...],)
    """
    if isinstance(type_, ArrayType):
        return ArrayType(None, None)
    if isinstance(type_, UnionType):
        return join_all(map(opened, type_.options))
    if isinstance(type_, NamedTupleType):
        return NamedTupleType(tuple(map(opened, type_.items)), type_.cls)
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(opened, type_.items)))
    if isinstance(type_, IteratorType):
        return IteratorType(opened(type_.item))
    return SlotType(opened(type_.content)) if isinstance(type_, SlotType) else type_


def may_be_array(type_: Type) -> bool:
    """Tell whether a value of `type_` may be an array."""
    if isinstance(type_, UnionType):
        return any(map(may_be_array, type_.options))
    return isinstance(type_, ArrayType | OpaqueType)


def method_of_arrays(function: object) -> str:
    """Return the name of a method taken from the class, as in ``np.ndarray.sort(x)``, or nothing.

    >>> method_of_arrays(np.ndarray.sort), method_of_arrays(np.sort)
    ('sort', '')
    """
    if isinstance(function, python_types.MethodDescriptorType):
        return function.__name__ if function.__objclass__ is np.ndarray else ""
    return ""


def check_resize(kwargs: Mapping[str, object]) -> None:
    """Refuse ``x.resize`` unless it does not count references.

    NumPy refuses to resize an array that is referred to by another name; a compiled program may
    have fewer names than the function it stands for.
    """
    if kwargs.get("refcheck", True) is not False:
        raise Unstageable("resize asks how many names the array has", _ADVICE)
