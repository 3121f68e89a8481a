"""Attributes and calls of unknown code.

Owns ``getattr``, ``setattr``, ``delattr`` and ``call``. It leaves method calls to `methods`.
Invariant: an attribute has a type only where the class of the object fixes what it is.

``setattr`` and ``delattr`` have no `syntax`: they are statements, which `runtime.lowering` writes.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from math import prod

import numpy as np

from ..ir.graph import Attributes, Value
from ..ir.types import (
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    LIST,
    OPAQUE,
    PLAIN,
    RANDOM_CLASSES,
    STRING,
    ArrayType,
    DictType,
    Extent,
    ListType,
    NamedTupleType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    StringType,
    TupleType,
    Type,
    VariableType,
    is_immutable,
    is_plain,
)
from .effects import NOTHING, by_option, carries_references, readable, unknown
from .number_types import is_builtin
from .registry import (
    ANYTHING,
    FRESH,
    UNKNOWN,
    Alias,
    Effects,
    Operation,
    Raises,
    Sharing,
    register,
)

_VIEW = Alias(Sharing.VIEW, (0,))
_MAYBE = Alias(Sharing.MAYBE, (0,))

_ARRAY_ATTRIBUTES = frozenset(
    ("shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "T", "mT", "real", "imag")
)
_HEADS = ("flags", "flat", "data")
"""Attributes of arrays that are objects of NumPy's or Python's own which refer to the array."""
_FLAGS = (
    "aligned", "behaved", "c_contiguous", "carray", "contiguous", "f_contiguous", "farray", "fnc",
    "forc", "fortran", "owndata", "writeable", "writebackifcopy",
)  # fmt: skip
_DTYPE_STRINGS = ("name", "kind", "char", "str", "byteorder")
_RANDOM_SOURCES = ("bit_generator", "seed_seq")
_LIMITS: dict[type, dict[str, Type]] = {
    np.iinfo: {"min": INT, "max": INT, "bits": INT},
    np.finfo: dict.fromkeys(
        ("eps", "epsneg", "max", "min", "tiny", "smallest_normal", "resolution", "precision",
         "bits", "dtype", "nmant"), PLAIN,
    ),
}  # fmt: skip
"""Attributes of what tells the limits of a dtype."""
_DTYPE_NUMBERS = ("itemsize", "num", "alignment")


def _name(attrs: Attributes) -> str:
    return str(attrs.get("name", ""))


def _real_dtype(dtype: np.dtype | None) -> np.dtype | None:
    """Return the dtype of the real and imaginary parts of numbers of `dtype`."""
    if dtype is None or dtype.kind != "c":
        return dtype
    return np.dtype(f"f{dtype.itemsize // 2}")


def _array_attribute(type_: ArrayType, name: str) -> Type:
    dtype, shape = type_.dtype, type_.shape
    if name in _HEADS:
        return PLAIN
    if name == "device":
        return STRING
    if name in ("real", "imag"):
        return ArrayType(_real_dtype(dtype), shape)
    if name == "T":
        return ArrayType(dtype, None if shape is None else shape[::-1])
    if name == "mT":
        if shape is None:
            return ArrayType(dtype, None)
        return ArrayType(dtype, (*shape[:-2], shape[-1], shape[-2])) if len(shape) > 1 else BOTTOM
    if name == "dtype":
        return PLAIN if dtype is None else ObjectType(type(dtype))
    if name == "itemsize":
        return INT if dtype is None else NumberType("int", dtype.itemsize)
    if name == "nbytes":
        return INT
    if name == "ndim":
        return NumberType("int", type_.rank)
    if name == "size":
        return NumberType("int", None if shape is None else _size(shape))
    if shape is None:
        return PLAIN
    if name == "shape":
        return TupleType(tuple(NumberType("int", extent) for extent in shape))
    return TupleType((INT,) * len(shape))


def _size(shape: Sequence[Extent]) -> Extent:
    """Return the product of extents where it is an extent itself."""
    literals = [extent for extent in shape if isinstance(extent, int)]
    others = [extent for extent in shape if not isinstance(extent, int)]
    count = prod(literals)
    if count == 0:
        return 0
    if not others:
        return count if count < 2**31 else None
    return others[0] if count == 1 and len(others) == 1 else None


def _number_attribute(type_: NumberType, name: str) -> Type | None:
    if name not in ("real", "imag"):
        integral = type_.kind in ("bool", "int") and name in ("numerator", "denominator")
        return INT if integral else None
    if type_.kind == "complex":
        return FLOAT
    if type_.kind == "float":
        return type_
    return type_ if type_.kind == "int" and name == "real" else INT


def _scalar_attribute(type_: ScalarType, name: str) -> Type | None:
    if name in ("real", "imag"):
        dtype = _real_dtype(type_.dtype)
        return None if dtype is None else ScalarType(dtype)
    if name in ("shape", "strides"):
        return TupleType(())
    if name in ("ndim", "size", "itemsize", "nbytes"):
        return INT
    if name == "T" or (name == "numerator" and type_.dtype.kind in "iu"):
        return type_
    if name == "denominator" and type_.dtype.kind in "iu":
        return INT
    if name == "device" and hasattr(np.generic, name):
        return STRING
    return ObjectType(type(type_.dtype)) if name == "dtype" else None


def known_attribute(type_: Type, name: str) -> Type | None:
    """Return the type of an attribute that the class of `type_` fixes; None for any other."""
    if isinstance(type_, ArrayType):
        known = name in _ARRAY_ATTRIBUTES or name in _HEADS or name == "device"
        return _array_attribute(type_, name) if known else None
    if isinstance(type_, ScalarType):
        return _scalar_attribute(type_, name)
    if isinstance(type_, NumberType):
        return _number_attribute(type_, name)
    if isinstance(type_, RangeType) and name in ("start", "stop", "step"):
        return INT
    if isinstance(type_, ObjectType) and issubclass(type_.cls, np.dtype):
        if name in _DTYPE_STRINGS:
            return STRING
        return INT if name in _DTYPE_NUMBERS else None
    if isinstance(type_, VariableType):
        return _variable_attribute(type_, name)
    if isinstance(type_, ObjectType) and type_.cls in _LIMITS:
        return _LIMITS[type_.cls].get(name)
    return type_.field(name) if isinstance(type_, NamedTupleType) else None


def _variable_attribute(type_: VariableType, name: str) -> Type | None:
    if name in ("shape", "ndim", "size", "dtype"):
        return _array_attribute(type_.content, name)
    return STRING if name == "name" else BOOL if name == "trainable" else None


def _plain_names(name: str) -> bool:
    """Tell whether every plain object with an attribute of that name has a plain value there."""
    return (
        name in _ARRAY_ATTRIBUTES
        or name in _HEADS
        or name in _FLAGS
        or name in _DTYPE_STRINGS
        or name in (*_DTYPE_NUMBERS, "numerator", "denominator")
    )


def _infer_getattr(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    type_, name = inputs[0].type, _name(attrs)
    known = known_attribute(type_, name)
    if known is not None:
        return (known,)
    if is_builtin(type_) and name in _ARRAY_ATTRIBUTES:
        return (BOTTOM,)
    inner = isinstance(type_, ObjectType) and type_.cls in RANDOM_CLASSES
    plain = is_plain(type_) and (_plain_names(name) or (inner and name in _RANDOM_SOURCES))
    return (PLAIN if plain else OPAQUE,)


def _attribute_alias(type_: Type, name: str) -> Alias:
    if not isinstance(type_, ArrayType):
        return _MAYBE if carries_references(type_) else FRESH
    if name in _HEADS:
        return _MAYBE
    if name in ("T", "mT"):
        return _VIEW
    if name in ("real", "imag"):
        if type_.dtype is None:
            return _MAYBE
        if type_.dtype.kind == "c":
            return _VIEW
        return Alias(Sharing.SAME, (0,)) if name == "real" else FRESH
    return FRESH


def _getattr_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    type_, name = inputs[0].type, _name(attrs)
    known = known_attribute(type_, name)
    if known is not None:
        if isinstance(type_, ArrayType):
            never = known != BOTTOM and (name != "mT" or type_.rank is not None)
            never = never and name != "data"
            raises = Raises.NEVER if never else Raises.VALUE
            # What it reads is the head of the array: shape, dtype and flags can be assigned.
            return Effects(raises, reads=(0,), aliases=(_attribute_alias(type_, name),))
        if isinstance(type_, NamedTupleType):
            return Effects(aliases=(_attribute_alias(type_, name),))
        return NOTHING
    if is_plain(type_) and _plain_names(name):
        return Effects(Raises.VALUE, reads=(0,), aliases=(_MAYBE,))
    if is_builtin(type_) or isinstance(type_, ArrayType | ScalarType):
        return Effects(Raises.VALUE, reads=readable(inputs), aliases=(ANYTHING,))
    return UNKNOWN


def _getattr(attrs: Attributes, base: object) -> object:
    return getattr(base, _name(attrs))


def _getattr_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return ast.Attribute(inputs[0], _name(attrs), ast.Load())


def _setattr(attrs: Attributes, base: object, value: object) -> None:
    setattr(base, _name(attrs), value)


def _delattr(attrs: Attributes, base: object) -> None:
    delattr(base, _name(attrs))


def _infer_nothing(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return ()


def _change_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Return the effects of setting or deleting an attribute."""
    base = inputs[0].type
    if is_immutable(base):
        return Effects(Raises.VALUE, aliases=())
    head = isinstance(base, OpaqueType) and base.plain  # an array, its flags, its flat iterator
    if (isinstance(base, ArrayType) or head) and all(is_plain(value.type) for value in inputs):
        return Effects(Raises.VALUE, readable(inputs), (0,), aliases=())
    return unknown(0, writes=(0,))


GETATTR = register(
    Operation(
        "getattr", _getattr, _infer_getattr, by_option(_getattr_effects), _getattr_syntax,
        doc="value.name", takes_attributes=True,
    )
)  # fmt: skip
SETATTR = register(
    Operation(
        "setattr", _setattr, _infer_nothing, by_option(_change_effects), outputs=0,
        doc="object.name = value", takes_attributes=True,
    )
)  # fmt: skip
DELATTR = register(
    Operation(
        "delattr", _delattr, _infer_nothing, by_option(_change_effects), outputs=0,
        doc="del object.name", takes_attributes=True,
    )
)  # fmt: skip


_REREADABLE = (ArrayType, DictType, ListType, RangeType, StringType, TupleType)
"""Types of iterables that run no unknown code and stay as they are when they are iterated."""


def starred(attrs: Attributes) -> tuple[int, ...]:
    """Return the positions of the inputs that a call splats with ``*``."""
    positions = attrs.get("starred", ())
    return positions if isinstance(positions, tuple) else ()


def splat(attrs: Attributes, inputs: Sequence[object]) -> list[object]:
    """Return positional `inputs` with the starred ones spread out."""
    spread = starred(attrs)
    arguments: list[object] = []
    for position, value in enumerate(inputs):
        if position in spread:
            arguments.extend(value)  # type: ignore[arg-type]  # Python's own error if not
        else:
            arguments.append(value)
    return arguments


def is_spread(keyword: str) -> bool:
    """Tell whether a keyword stands for a mapping that a call splats with ``**``.

    There may be several, so their names are ``**0``, ``**1``...
    """
    return keyword.startswith("**")


def spreads(attrs: Attributes) -> bool:
    """Tell whether a call splats anything."""
    names = attrs.get("keywords", ())
    keywords = names if isinstance(names, tuple) else ()
    return bool(starred(attrs)) or any(map(is_spread, keywords))


def named_arguments(keywords: dict[str, object]) -> dict[str, object]:
    """Return the keyword arguments of a call with the splatted mappings spread out.

    Raises
    ------
    TypeError
        If a name is given twice.

    >>> named_arguments({"a": 1, "**0": {"b": 2}})
    {'a': 1, 'b': 2}
    """
    result: dict[str, object] = {}
    for keyword, value in keywords.items():
        more = value if is_spread(keyword) else {keyword: value}
        for name in more:  # type: ignore[attr-defined]  # a mapping, or Python's own error
            if name in result:
                raise TypeError(f"got multiple values for keyword argument {name!r}")
            result[name] = more[name]  # type: ignore[index]  # looked at before
    return result


def call_syntax(function: ast.expr, inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    """Return a call of `function`; `inputs` holds the callee or ``self`` first, then arguments."""
    keywords = attrs.get("keywords", ())
    names = keywords if isinstance(keywords, tuple) else ()
    spread = starred(attrs)
    count = len(inputs) - len(names)
    positional = [
        ast.Starred(node, ast.Load()) if position in spread else node
        for position, node in enumerate(inputs[:count])
    ]
    named = zip(names, inputs[count:], strict=True)
    return ast.Call(
        function,
        positional[1:],
        [ast.keyword(None if is_spread(name) else name, node) for name, node in named],
    )


def _infer_call(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (OPAQUE,)


def _call_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    return UNKNOWN


def _call(attrs: Attributes, *inputs: object, **keywords: object) -> object:
    function, *arguments = splat(attrs, inputs)
    return function(*arguments, **named_arguments(keywords))  # type: ignore[operator]


def _spread_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    iterated = [inputs[position] for position in starred(attrs)]
    if not all(isinstance(value.type, _REREADABLE) for value in iterated):
        return UNKNOWN
    return Effects(Raises.VALUE, reads=readable(inputs), aliases=(ANYTHING,))


def _spread_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    spread = starred(attrs)
    items = [
        ast.Starred(node, ast.Load()) if position in spread else node
        for position, node in enumerate(inputs)
    ]
    return ast.List(items, ast.Load())


def _call_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return call_syntax(inputs[0], inputs, attrs)


def _bind_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    names = attrs.get("keywords", ())
    keywords = names if isinstance(names, tuple) else ()
    first = len(inputs) - len(keywords)
    spread = [*starred(attrs), *(first + i for i, name in enumerate(keywords) if is_spread(name))]
    if not all(isinstance(inputs[position].type, _REREADABLE) for position in spread):
        return UNKNOWN
    return Effects(Raises.VALUE, reads=readable(inputs), aliases=(ANYTHING,))


BIND = register(
    Operation(
        "bind", _call, _infer_call,
        by_option(_bind_effects), _call_syntax, takes_attributes=True,
        doc="the values of the parameters of a function whose call has starred arguments; inputs: "
        "a function that returns its parameters, the arguments",
    )
)  # fmt: skip
SPREAD = register(
    Operation(
        "spread", lambda attrs, *inputs: splat(attrs, inputs), lambda inputs, attrs: (LIST,),
        by_option(_spread_effects), _spread_syntax, takes_attributes=True,
        doc="a list display with starred items; attribute starred",
    )
)  # fmt: skip


CALL = register(
    Operation(
        "call", _call, _infer_call, _call_effects, _call_syntax, takes_attributes=True,
        doc="a call of code that is not compiled; attributes keywords and starred",
    )
)  # fmt: skip
