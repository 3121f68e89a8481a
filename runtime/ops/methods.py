"""Method calls: the operation ``method`` and what is known of methods by the receiver's class.

Owns the methods of arrays, NumPy scalars, Python numbers, ufuncs and ranges, and the dispatch on
the receiver. It leaves strings and containers to `container_methods`, and methods that mean a NumPy
function to that function's family. Invariant: a method of an object whose class is not known runs
unknown code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import numpy as np

from ..ir.graph import Attributes, Value
from ..ir.lattice import join_all
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    LIST,
    NONE,
    OPAQUE,
    PLAIN,
    STRING,
    ArrayType,
    DictType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SetType,
    SliceType,
    StringType,
    TupleType,
    Type,
    UnionType,
    is_immutable,
    is_plain,
)
from .attributes import call_syntax, named_arguments, splat, spreads
from .calling import (
    DEFINED,
    Arguments,
    NumpyFunction,
    enters_user_code,
    maybe,
    settled,
    view_of,
)
from .container_methods import DICT_METHODS, LIST_METHODS, SET_METHODS, STRING_METHODS, MethodRules
from .dense import UndecidedError, array_or_scalar, array_with
from .effects import by_option
from .random_generators import RANDOM_METHODS
from .registry import ANYTHING, FRESH, UNKNOWN, Alias, Effects, Operation, Raises, Sharing, register
from .selection import clipped, without_extent
from .shape import reshape_raises
from .shaping import permuted, reshaped
from .ufunc_methods import UFUNC_METHODS
from .ufuncs import ufunc_result_types

BYTES = ObjectType(bytes)

_FUNCTIONS = (
    "sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "argmax", "argmin", "cumsum",
    "cumprod", "round", "dot", "take", "repeat", "nonzero", "searchsorted", "choose", "diagonal",
    "trace", "swapaxes", "squeeze", "argsort", "argpartition", "ravel", "put",
)  # fmt: skip
"""Methods of arrays that mean the NumPy function of that name, with the array as its first
argument."""

_PYTHON_NUMBERS: dict[str, Type] = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}


def python_number(dtype: np.dtype | None) -> Type:
    """Return the type of an element of `dtype` as a Python number (``item``)."""
    if dtype is None:
        raise UndecidedError
    return ScalarType(dtype) if dtype.char in "gG" else _PYTHON_NUMBERS[dtype.kind]


class _Delegate:
    """A method that means the NumPy function of the same name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        return DEFINED[f"np.{self.name}"].infer(inputs, _call_attributes(attrs))

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        return DEFINED[f"np.{self.name}"].effects(inputs, _call_attributes(attrs))


def _call_attributes(attrs: Attributes) -> Attributes:
    return {"keywords": attrs.get("keywords", ())}


# Rules of methods that only arrays have, or that differ from the function


def _array_of(arguments: Arguments) -> ArrayType:
    return arguments.array("self")


def _self_type(arguments: Arguments) -> Type:
    return arguments.type("self")


def _astype(arguments: Arguments) -> Type:
    arguments.only("self", "dtype", "order", "casting", "subok", "copy")
    dtype = arguments.dtype()
    type_ = arguments.type("self")
    if dtype is None:
        raise UndecidedError
    if isinstance(type_, ScalarType):
        return ScalarType(dtype)
    return ArrayType(dtype, _array_of(arguments).shape)


def _astype_alias(arguments: Arguments) -> Alias:
    copies = arguments.positions.get("copy")
    if copies is None:
        return FRESH
    return Alias(Sharing.MAYBE, (0,))


def _astype_raises(arguments: Arguments) -> Raises:
    only_dtype = set(arguments.positions) == {"self", "dtype"}
    return Raises.WARNS if only_dtype else Raises.VALUE


def _copy(arguments: Arguments) -> Type:
    return _self_type(arguments)


def _dense_type(arguments: Arguments) -> ArrayType:
    """Return the type of the receiver, a scalar as an array without axes."""
    receiver = arguments.dense("self")
    return ArrayType(receiver.dtype, receiver.shape)


def _flatten(arguments: Arguments) -> Type:
    return reshaped(_dense_type(arguments), [Value(NumberType("int", -1))])


def _reshape(arguments: Arguments) -> Type:
    arguments.only("self", "order")
    return reshaped(_dense_type(arguments), [arguments.inputs[i] for i in arguments.rest[1:]])


def _reshape_raises(arguments: Arguments) -> Raises:
    if set(arguments.positions) != {"self"}:
        return Raises.VALUE
    return reshape_raises(_dense_type(arguments), _reshape(arguments))


def _transpose(arguments: Arguments) -> Type:
    if isinstance(arguments.type("self"), ScalarType):
        if not all(isinstance(value.type, NoneType) for value in arguments.inputs[1:]):
            raise UndecidedError
        return arguments.type("self")
    return permuted(_array_of(arguments), [arguments.inputs[i] for i in arguments.rest[1:]])


def _item(arguments: Arguments) -> Type:
    type_ = arguments.inputs[0].type
    if isinstance(type_, ArrayType | ScalarType):
        return python_number(type_.dtype)
    raise UndecidedError


def _tolist(arguments: Arguments) -> Type:
    type_ = arguments.type("self")
    if isinstance(type_, ScalarType):
        return python_number(type_.dtype)
    shape = _array_of(arguments).shape
    if shape:
        return LIST
    if shape is None:
        raise UndecidedError
    return python_number(_array_of(arguments).dtype)


def _view(arguments: Arguments) -> Type:
    arguments.only("self", "dtype")
    type_ = _array_of(arguments)
    dtype = arguments.dtype()
    if dtype is None:
        return type_
    if type_.dtype is None or type_.dtype.itemsize != dtype.itemsize:
        raise UndecidedError
    return ArrayType(dtype, type_.shape)


def _conjugate(arguments: Arguments) -> Type:
    arguments.only("self")
    type_ = arguments.type("self")
    if isinstance(type_, ScalarType):
        return type_
    type_ = _array_of(arguments)
    if type_.dtype is None and not type_.shape:
        raise UndecidedError
    if type_.dtype is not None and type_.dtype.kind == "c":
        return array_or_scalar(type_.dtype, type_.shape)
    return type_


def _conjugate_alias(arguments: Arguments) -> Alias:
    dtype = _array_of(arguments).dtype
    return FRESH if dtype is not None and dtype.kind == "c" else Alias(Sharing.MAYBE, (0,))


def _clip(arguments: Arguments) -> Type:
    arguments.only("self", "min", "max")
    bounds = [arguments.value(name) for name in ("min", "max") if arguments.given(name)]
    if not bounds:
        raise UndecidedError
    receiver = arguments.value("self")
    if len(bounds) == 1:
        return ufunc_result_types(np.minimum, [receiver, *bounds])[0]
    return clipped([receiver.type, *(bound.type for bound in bounds)])


def _compress(arguments: Arguments) -> Type:
    operand = _dense_type(arguments)
    if not arguments.given("axis"):
        return ArrayType(operand.dtype, (None,))
    shape = (1,) if operand.shape == () else operand.shape
    return array_with(operand.dtype, lambda: without_extent(shape, arguments))


def _none(arguments: Arguments) -> Type:
    return NONE


def _bytes(arguments: Arguments) -> Type:
    return BYTES


def _plain(arguments: Arguments) -> Type:
    raise UndecidedError


_ARRAY_METHODS: dict[str, MethodRules] = {
    **{name: _Delegate(name) for name in _FUNCTIONS},
    "astype": NumpyFunction(
        "self dtype order casting subok copy", _astype, _astype_alias, _astype_raises
    ),
    "copy": NumpyFunction("self order", _copy, raises=Raises.NEVER),
    "flatten": NumpyFunction("self order", _flatten, raises=Raises.NEVER),
    "reshape": NumpyFunction("*self order copy", _reshape, maybe("self"), _reshape_raises),
    "transpose": NumpyFunction("*self", _transpose, view_of("self"), settled(_transpose, "self")),
    "item": NumpyFunction("*self", _item),
    "tolist": NumpyFunction("self", _tolist, raises=Raises.NEVER, fallback=OPAQUE),
    "view": NumpyFunction(
        "self dtype type", _view, view_of("self"), settled(_view, "self"), fallback=OPAQUE
    ),
    "conj": NumpyFunction("self out", _conjugate, _conjugate_alias),
    "conjugate": NumpyFunction("self out", _conjugate, _conjugate_alias),
    "clip": NumpyFunction("self min max out", _clip),
    "compress": NumpyFunction("self condition axis out", _compress),
    "fill": NumpyFunction("self value", _none, writes=("self",)),
    "sort": NumpyFunction("self axis kind order", _none, writes=("self",)),
    "partition": NumpyFunction("self kth axis kind order", _none, writes=("self",)),
    "setfield": NumpyFunction("self val dtype offset", _none, writes=("self",)),
    "resize": NumpyFunction("*self refcheck", _none, writes=("self",)),
    "setflags": NumpyFunction("self write align uic", _none, writes=("self",)),
    "byteswap": NumpyFunction(
        "self inplace", _self_type, maybe("self"), writes=("self:inplace",)
    ),
    "to_device": NumpyFunction("self device stream", _self_type, maybe("self")),
    "tobytes": NumpyFunction("self order", _bytes),
    "dumps": NumpyFunction("self", _bytes),
    "getfield": NumpyFunction("self dtype offset", _plain, maybe("self"), fallback=OPAQUE),
}
"""What is known of methods of arrays; those of NumPy scalars are the same ones."""


def _same_kind(arguments: Arguments) -> Type:
    type_ = arguments.type("self")
    if not isinstance(type_, NumberType):
        raise UndecidedError
    return INT if type_.kind == "bool" else type_


_NUMBER_METHODS: dict[str, MethodRules] = {
    "conjugate": NumpyFunction("self", _same_kind, raises=Raises.NEVER),
    "is_integer": NumpyFunction("self", lambda arguments: BOOL),
    "bit_length": NumpyFunction("self", lambda arguments: INT),
    "bit_count": NumpyFunction("self", lambda arguments: INT),
    "as_integer_ratio": NumpyFunction("self", lambda arguments: TupleType((INT, INT))),
    "hex": NumpyFunction("self", lambda arguments: STRING),
    "to_bytes": NumpyFunction("self length byteorder signed", _bytes),
}
_SCALAR_METHODS: dict[str, MethodRules] = {
    **{
        name: _NUMBER_METHODS[name]
        for name in ("is_integer", "bit_count", "as_integer_ratio", "hex", "bit_length")
    },
    "fromhex": NumpyFunction("self string", _self_type),
    "squeeze": NumpyFunction("self axis", _self_type),
}


_SEQUENCE_METHODS: dict[str, MethodRules] = {
    "index": NumpyFunction("self value start stop", lambda arguments: INT),
    "count": NumpyFunction("self value", lambda arguments: INT),
}

_BY_FAMILY: dict[type[Type], dict[str, MethodRules]] = {
    ArrayType: _ARRAY_METHODS,
    ScalarType: {
        **{name: rules for name, rules in _ARRAY_METHODS.items() if hasattr(np.generic, name)},
        **_SCALAR_METHODS,
    },
    NumberType: _NUMBER_METHODS,
    StringType: STRING_METHODS,
    ListType: LIST_METHODS,
    DictType: DICT_METHODS,
    SetType: SET_METHODS,
    TupleType: _SEQUENCE_METHODS,
    RangeType: _SEQUENCE_METHODS,
}

OBJECT_METHODS: dict[type, Mapping[str, MethodRules]] = {np.ufunc: UFUNC_METHODS, **RANDOM_METHODS}
"""The rules of the methods of ufuncs and of sources of random numbers, by their exact class."""
OBJECT_METHOD_NAMES = frozenset(name for table in OBJECT_METHODS.values() for name in table)

METHODS: dict[str, tuple[type[Type], ...]] = {
    name: tuple(family for family, table in _BY_FAMILY.items() if name in table)
    for name in sorted({name for table in _BY_FAMILY.values() for name in table})
}
"""The families of types that have a method of each known name."""

_CLASSES: dict[type[Type], type] = {
    ArrayType: np.ndarray, StringType: str, ListType: list, DictType: dict, SetType: set,
    TupleType: tuple, RangeType: range, NoneType: type(None), SliceType: slice,
}  # fmt: skip
"""The exact class of values of each family."""
_PLAIN_FAMILIES = (ArrayType, ScalarType, NumberType, StringType, TupleType, RangeType)


def rules_of(type_: Type, name: str) -> MethodRules | None:
    """Return the rules of a method of values of `type_`; None when nothing is known of it."""
    if isinstance(type_, ObjectType):
        return OBJECT_METHODS.get(type_.cls, {}).get(name)
    return _BY_FAMILY.get(type(type_), {}).get(name)


def has_object_method(type_: Type, name: str) -> bool:
    """Tell whether every value of `type_` is an object of NumPy's with a known method `name`.

    >>> has_object_method(ObjectType(np.random.Generator), "normal")
    True
    """
    if isinstance(type_, UnionType):
        return all(has_object_method(option, name) for option in type_.options)
    return isinstance(type_, ObjectType) and rules_of(type_, name) is not None


def is_random_source(type_: Type) -> bool:
    """Tell whether values of `type_` are sources of random numbers of NumPy's own."""
    return isinstance(type_, ObjectType) and type_.cls in RANDOM_METHODS


def _name(attrs: Attributes) -> str:
    return str(attrs.get("name", ""))


def _plain_result(name: str, inputs: Sequence[Value], attrs: Attributes) -> Type:
    """Return the type of a method of a plain value of unknown class."""
    results: list[Type] = [PLAIN]
    for family in METHODS.get(name, ()):
        rules = _BY_FAMILY[family][name]
        if family in _PLAIN_FAMILIES:
            results += rules.infer(inputs, attrs)
    return join_all(results) if name in METHODS or name in UFUNC_METHODS else OPAQUE


def _infer_method(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    receiver, name = inputs[0].type, _name(attrs)
    if spreads(attrs):
        return (OPAQUE,)
    rules = rules_of(receiver, name)
    if rules is not None:
        return rules.infer(inputs, attrs)
    cls = _CLASSES.get(type(receiver))
    if isinstance(receiver, ScalarType):
        cls = receiver.dtype.type
    if cls is not None and not hasattr(cls, name):
        return (BOTTOM,)
    if is_plain(receiver) and not any(map(enters_user_code, inputs)):
        return (_plain_result(name, inputs, attrs),)
    return (OPAQUE,)


def _method_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    receiver, name = inputs[0].type, _name(attrs)
    if spreads(attrs):
        return UNKNOWN
    rules = rules_of(receiver, name)
    if rules is not None:
        return rules.effects(inputs, attrs)
    plain = isinstance(receiver, OpaqueType) and receiver.plain
    if plain and (name in METHODS or name in UFUNC_METHODS):
        if any(map(enters_user_code, inputs)):
            return UNKNOWN
        readable = tuple(i for i, value in enumerate(inputs) if not is_immutable(value.type))
        written = readable
        if name in _READING:
            written = tuple(i for i in readable if i and takes_out(name))
        return Effects(
            Raises.VALUE, readable, written, aliases=(Alias(Sharing.MAYBE, readable),)
        )
    if is_immutable(receiver) and all(is_plain(value.type) for value in inputs):
        return Effects(Raises.VALUE, aliases=(ANYTHING,))
    return UNKNOWN


_WRITING = (
    "fill", "sort", "partition", "setfield", "setflags", "byteswap", "put", "at", "resize",
)  # fmt: skip
_READING = frozenset(
    name
    for name, families in METHODS.items()
    if name not in _WRITING
    and any(family in _PLAIN_FAMILIES for family in families)
)
"""Methods that write to no plain receiver, if they are called without ``out``."""


def takes_out(name: str) -> bool:
    """Tell whether a method of arrays takes an array to write its result to."""
    rules = _ARRAY_METHODS.get(name)
    if isinstance(rules, _Delegate):
        rules = DEFINED[f"np.{name}"]
    return isinstance(rules, NumpyFunction) and "out" in rules.parameters


def _method(attrs: Attributes, *inputs: object, **keywords: object) -> object:
    receiver, *arguments = splat(attrs, inputs)
    return getattr(receiver, _name(attrs))(*arguments, **named_arguments(keywords))


def _method_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    function = ast.Attribute(inputs[0], _name(attrs), ast.Load())
    return call_syntax(function, inputs, attrs)


METHOD = register(
    Operation(
        "method", _method, _infer_method, by_option(_method_effects), _method_syntax,
        doc="value.name(...); attributes name, keywords and starred", takes_attributes=True,
    )
)  # fmt: skip
