"""The types of the graph.

Owns the type classes and how they print. It leaves joining them to `lattice`, and computing
them to the operations' ``infer``. Invariant: types are immutable, hashable and compare by value;
``str(type)`` is deterministic and the reader reads it back.

An *extent* is the length of one axis: an ``int`` when known, a ``str`` when it has a name
(two axes of one name have equal lengths in every run), ``None`` when unknown.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Extent = int | str | None
NumberKind = Literal["bool", "int", "float", "complex"]
NUMBER_KINDS: tuple[NumberKind, ...] = ("bool", "int", "float", "complex")

_SHORT_NAMES = {
    "bool": "bool_", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16",
    "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128",
}  # fmt: skip
DTYPE_OF_SHORT_NAME = {short: np.dtype(name) for name, short in _SHORT_NAMES.items()}


def dtype_name(dtype: np.dtype) -> str:
    """Return the short name of `dtype`, such as ``f64``.

    >>> dtype_name(np.dtype(np.float32))
    'f32'
    """
    if dtype.isnative and dtype.name in _SHORT_NAMES:
        return _SHORT_NAMES[dtype.name]
    return "dtype<" + dtype.str + ">"


def dtype_text(dtype: np.dtype) -> str:
    """Return what messages call `dtype`: its short name, or NumPy's own text where it has none.

    >>> dtype_text(np.dtype(np.float32)), dtype_text(np.dtype(">f8")), dtype_text(np.dtype(object))
    ('f32', '>f8', 'object')
    """
    name = dtype_name(dtype)
    return str(dtype) if name.startswith("dtype<") else name


def same_dtype(a: np.dtype | None, b: np.dtype | None) -> bool:
    """Tell whether two dtypes are equal; None, for an unknown one, equals None alone."""
    return (a is None) == (b is None) and a == b


class Type:
    """Base of all types."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class BottomType(Type):
    """No value at all: the result of code that never finishes, or is not known yet."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "bottom"


@dataclass(frozen=True, slots=True)
class UnboundType(Type):
    """A local name that is not bound to anything."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "unbound"


class Unbound:
    """The class of the run-time object that stands for an unbound local; see `UnboundType`."""

    __slots__ = ()

    def __copy__(self) -> Unbound:
        """Return the marker itself: there is one."""
        return self

    def __deepcopy__(self, memo: object) -> Unbound:
        """Return the marker itself: there is one."""
        return self

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return "<unbound>"


@dataclass(frozen=True, slots=True)
class OpaqueType(Type):
    """A value that is known only at run time.

    `plain` says that it is known to be a NumPy or builtin value, holding nothing else, so that
    operations on it enter no code of a user's class.
    """

    plain: bool = False

    def __str__(self) -> str:
        """Return the text for messages."""
        return "plain" if self.plain else "opaque"


@dataclass(frozen=True, slots=True)
class NoneType(Type):
    """``None``."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "none"


@dataclass(frozen=True, slots=True)
class NumberType(Type):
    """A Python number, of exactly the class `kind`.

    `extent`, for ``int`` only, says which length the number is known to equal: a literal number,
    or the name of an extent.
    """

    kind: NumberKind
    extent: Extent = None

    def __str__(self) -> str:
        """Return the text for messages."""
        return self.kind if self.extent is None else f"{self.kind}({self.extent})"


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """A NumPy scalar (``np.float64(1)``), not an array."""

    dtype: np.dtype

    def __str__(self) -> str:
        """Return the text for messages."""
        return dtype_name(self.dtype)


@dataclass(frozen=True, slots=True, eq=False)
class ArrayType(Type):
    """An ``ndarray`` (exactly that class; rank 0 included).

    `dtype` is None when unknown, `shape` is None when the rank is unknown.
    """

    dtype: np.dtype | None = None
    shape: tuple[Extent, ...] | None = None

    def __eq__(self, other: object) -> bool:
        """Compare by value; written out because ``np.dtype("f8") == None`` is true.

        >>> ArrayType(np.dtype("f8"), (3,)) == ArrayType(None, (3,))
        False
        """
        if not isinstance(other, ArrayType):
            return NotImplemented
        return same_dtype(self.dtype, other.dtype) and self.shape == other.shape

    def __hash__(self) -> int:
        """Hash by value."""
        return hash((self.dtype, self.shape))

    @property
    def rank(self) -> int | None:
        """Number of axes, None when unknown."""
        return None if self.shape is None else len(self.shape)

    def __str__(self) -> str:
        """Return the text for messages."""
        name = "?" if self.dtype is None else dtype_name(self.dtype)
        if self.shape is None:
            return name + "[...]"
        return name + "[" + ", ".join("?" if e is None else str(e) for e in self.shape) + "]"


@dataclass(frozen=True, slots=True)
class StringType(Type):
    """A ``str`` made at run time."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "str"


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A ``tuple`` of known length."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        """Return the text for messages."""
        return "(" + ", ".join(map(str, self.items)) + ("," if len(self.items) == 1 else "") + ")"


@dataclass(frozen=True, slots=True)
class NamedTupleType(TupleType):
    """A named tuple of NumPy's own, exactly of the class `cls`, such as ``np.linalg.eigh`` gives.

    It is a tuple in every respect but its class and its attributes.
    """

    cls: type = tuple

    def __str__(self) -> str:
        """Return the text for messages."""
        name = f"object<{self.cls.__module__}.{self.cls.__qualname__}>"
        return f"{name}({', '.join(map(str, self.items))})"

    def field(self, name: str) -> Type | None:
        """Return the type of the item called `name`, None if there is none."""
        names: tuple[str, ...] = getattr(self.cls, "_fields", ())
        return self.items[names.index(name)] if name in names else None


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """A ``list``; what it holds is known at run time."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "list"


@dataclass(frozen=True, slots=True)
class SlotType(ListType):
    """A variable that lives in memory: a list of one item of type `content`.

    A name that changes inside ``try`` is one, since an exception may leave it at any of its values.
    """

    content: Type = BottomType()

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"slot<{self.content}>"


@dataclass(frozen=True, slots=True)
class DictType(Type):
    """A ``dict``; what it holds is known at run time."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "dict"


@dataclass(frozen=True, slots=True)
class SetType(Type):
    """A ``set``; what it holds is known at run time."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "set"


@dataclass(frozen=True, slots=True)
class SliceType(Type):
    """A ``slice`` whose bounds may be known only at run time."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return "slice"


@dataclass(frozen=True, slots=True)
class RangeType(Type):
    """A ``range``; `length` is its length where known."""

    length: Extent = None

    def __str__(self) -> str:
        """Return the text for messages."""
        return "range" if self.length is None else f"range({self.length})"


@dataclass(frozen=True, slots=True)
class IteratorType(Type):
    """An iterator that is consumed once (``enumerate``, ``zip``, ``reversed``) over `item`."""

    item: Type

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"iterator<{self.item}>"


@dataclass(frozen=True, slots=True)
class ObjectType(Type):
    """An instance of exactly the class `cls`: a function, a module, a user's object."""

    cls: type

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"object<{self.cls.__module__}.{self.cls.__qualname__}>"


@dataclass(frozen=True, slots=True)
class VariableType(ObjectType):
    """A variable, of the class `cls`: an object that holds an array and replaces it as a whole."""

    content: ArrayType = ArrayType()
    """The type of every array that it holds."""

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"variable<{self.content}>"


@dataclass(frozen=True, slots=True)
class UnionType(Type):
    """One of a few types; which one is known at run time. Built by `lattice.join` alone."""

    options: tuple[Type, ...]

    def __str__(self) -> str:
        """Return the text for messages."""
        return " | ".join(map(str, self.options))


BOTTOM = BottomType()
UNBOUND = UnboundType()
OPAQUE = OpaqueType()
PLAIN = OpaqueType(plain=True)
NONE = NoneType()
BOOL = NumberType("bool")
INT = NumberType("int")
FLOAT = NumberType("float")
COMPLEX = NumberType("complex")
STRING = StringType()
LIST = ListType()
DICT = DictType()
SET = SetType()
SLICE = SliceType()

_NUMBER_OF_CLASS: dict[type, NumberType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
_BY_CLASS: dict[type, Type] = {
    type(None): NONE, str: STRING, list: LIST, dict: DICT, set: SET, slice: SLICE,
    Unbound: UNBOUND,
}  # fmt: skip
_PLAIN_CLASSES = (
    python_types.BuiltinFunctionType, np.ufunc, np.dtype, bytes,
)  # fmt: skip
RANDOM_CLASSES: tuple[type, ...] = (
    np.random.Generator, np.random.RandomState, np.random.SeedSequence, np.random.PCG64,
    np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64,
)  # fmt: skip
"""NumPy's sources of random numbers: they change, but run no code of a user's."""
_PLAIN_EXACTLY = (*RANDOM_CLASSES, np.finfo, np.iinfo)
TYPE_OF_CLASS: dict[type, Callable[[Any], Type]] = {}
"""How the type of an object is found, for classes of ours whose objects differ in type."""


def type_of(value: object) -> Type:
    """Return the type of a run-time value, with every extent known.

    Values of dtypes without a type of their own (objects, structures, strings, times) are opaque.

    >>> str(type_of(np.zeros((2, 3))))
    'f64[2, 3]'
    >>> str(type_of((1, 2.0)))
    '(int(1), float)'
    """
    cls = type(value)
    if cls in _NUMBER_OF_CLASS:
        if cls is int:
            return NumberType("int", value if -(2**31) < value < 2**31 else None)  # type: ignore[operator,arg-type]
        return _NUMBER_OF_CLASS[cls]
    if cls is np.ndarray:
        array: np.ndarray = value  # type: ignore[assignment]  # by its class
        return ArrayType(array.dtype, array.shape) if is_numeric(array.dtype) else OPAQUE
    if isinstance(value, np.generic):
        return ScalarType(value.dtype) if is_numeric(value.dtype) else OPAQUE
    if cls is tuple:
        return TupleType(tuple(type_of(item) for item in value))  # type: ignore[attr-defined]
    if cls is range:
        return RangeType(_range_length(value))  # type: ignore[arg-type]  # by its class
    if cls in TYPE_OF_CLASS:
        return TYPE_OF_CLASS[cls](value)
    return _BY_CLASS.get(cls, ObjectType(cls))


def _range_length(value: range) -> int | None:
    """Return how many items `value` has; None when they are more than ``len`` can tell."""
    try:
        return len(value)
    except OverflowError:
        return None


def is_numeric(dtype: np.dtype) -> bool:
    """Tell whether `dtype` is a native boolean, integer, floating or complex dtype."""
    return dtype.kind in "biufc" and dtype.isnative


def is_plain(type_: Type) -> bool:
    """Tell whether operations on values of `type_` are known to enter no code of a user's class.

    Containers may hold anything, so they are not plain.
    """
    if isinstance(type_, OpaqueType):
        return type_.plain
    if isinstance(type_, TupleType):
        return all(is_plain(item) for item in type_.items)
    if isinstance(type_, UnionType):
        return all(is_plain(option) for option in type_.options)
    if isinstance(type_, IteratorType):
        return is_plain(type_.item)
    if isinstance(type_, ObjectType):
        return issubclass(type_.cls, _PLAIN_CLASSES) or type_.cls in _PLAIN_EXACTLY
    return not isinstance(type_, ListType | DictType | SetType)


def is_immutable(type_: Type) -> bool:
    """Tell whether values of `type_` can never change and have no identity a user relies on."""
    if isinstance(type_, TupleType):
        return all(is_immutable(item) for item in type_.items)
    if isinstance(type_, UnionType):
        return all(is_immutable(option) for option in type_.options)
    return isinstance(
        type_,
        NumberType | ScalarType | StringType | NoneType | UnboundType | BottomType | RangeType
        | SliceType,
    )  # fmt: skip
