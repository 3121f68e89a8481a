"""What ``isinstance`` says of a symbolic value.

Owns the relation between types of the graph and Python classes. Invariant: an answer other than
None is right for every value of the type.
"""

from __future__ import annotations

import types

import numpy as np

from runtime.ir.types import (
    ArrayType,
    DictType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    RangeType,
    ScalarType,
    SetType,
    SliceType,
    StringType,
    TupleType,
    Type,
    UnionType,
)
from runtime.tracing.symbol import Symbol
from runtime.tracing.tracer import Tracer

from .overlay import plain_builtin

_CLASS_OF_KIND: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
_CLASS_OF_TYPE: dict[type[Type], type] = {
    ArrayType: np.ndarray, StringType: str, ListType: list, DictType: dict, SetType: set,
    TupleType: tuple, SliceType: slice, RangeType: range, NoneType: type(None),
}  # fmt: skip


def class_of(type_: Type) -> type | None:
    """Return the exact class of the values of `type_`, or None when there are several.

    >>> class_of(NumberType("int"))
    <class 'int'>
    """
    if isinstance(type_, NumberType):
        return _CLASS_OF_KIND[type_.kind]
    if isinstance(type_, ScalarType):
        cls: type = type_.dtype.type
        return cls
    if isinstance(type_, ObjectType):
        return type_.cls
    return _CLASS_OF_TYPE.get(type(type_))


def instance_answer(type_: Type, classes: tuple[type, ...]) -> bool | None:
    """Tell whether values of `type_` are instances of one of `classes`; None if it depends."""
    if isinstance(type_, UnionType):
        answers = {instance_answer(option, classes) for option in type_.options}
        return answers.pop() if len(answers) == 1 else None
    cls = class_of(type_)
    return None if cls is None else issubclass(cls, classes)


def isinstance_at_run_time(
    tracer: Tracer, symbol: Symbol, classes: tuple[type, ...], answer: bool | None
) -> object:
    """Return the answer where it is known, else record the test."""
    if answer is not None:
        return answer
    return tracer.function(isinstance, (symbol, classes), {})


def plain_classes(classes: object) -> tuple[type, ...]:
    """Return the classes that the second argument of ``isinstance`` names."""
    if isinstance(classes, tuple):
        return tuple(cls for part in classes for cls in plain_classes(part))
    if isinstance(classes, types.UnionType):
        return tuple(cls for part in classes.__args__ for cls in plain_classes(part))
    plain = plain_builtin(classes)
    if not isinstance(plain, type):
        raise TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")
    return (plain,)
