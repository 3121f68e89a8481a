"""Building, unpacking and indexing of containers; the marker of unbound locals.

Owns displays, slices, unpacking, ``getitem``, ``setitem``, ``delitem`` and ``check_bound``. It
leaves the types of indexed arrays to `indexing`, attributes and calls to `attributes`. Invariant:
the kernel does what the display, assignment or subscript of Python does, errors included.

The operations in `STATEMENTS` have no `syntax`: they are statements, which `runtime.lowering`
writes.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Sequence

from ..ir.graph import Attributes, Value
from ..ir.lattice import join_all
from ..ir.names import name_object
from ..ir.types import (
    BOTTOM,
    DICT,
    INT,
    LIST,
    OPAQUE,
    SET,
    SLICE,
    STRING,
    ArrayType,
    DictType,
    IteratorType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SetType,
    SliceType,
    SlotType,
    StringType,
    TupleType,
    Type,
    Unbound,
    UnboundType,
    UnionType,
    is_plain,
)
from .effects import (
    NOTHING,
    by_option,
    conservative,
    readable,
    unknown,
)
from .grids import made_type
from .indexing import index_alias, index_raises, index_type, makes_arrays, with_lists
from .iteration import item_alias, item_type
from .number_types import is_builtin, known_int, tuple_type
from .registry import (
    ANYTHING,
    FRESH,
    UNKNOWN,
    Alias,
    Effects,
    Operation,
    Raises,
    Sharing,
    constant_of,
    opaque_like,
    register,
)

UNBOUND_MARKER = Unbound()
"""The run-time object that stands for an unbound local; its type is `types.UNBOUND`."""
name_object("UNBOUND", UNBOUND_MARKER)

SLICE_NAME = "slice"
"""The only name that syntax functions write; no variable of a program may be called so."""

STATEMENTS: frozenset[str] = frozenset(
    ("setitem", "delitem", "setattr", "delattr", "unpack", "unpack_starred")
)
"""Operations that lowering writes as assignment and ``del`` statements."""


# Displays


def _tuple(*items: object) -> tuple[object, ...]:
    return items


def _list(*items: object) -> list[object]:
    return list(items)


def _set(*items: object) -> set[object]:
    return set(items)


def _dict(*parts: object) -> dict[object, object]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _infer_tuple(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (tuple_type([value.type for value in inputs], inputs),)


def _tuple_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    positions = readable(inputs)
    alias = Alias(Sharing.MAYBE, positions) if positions else FRESH
    return Effects(aliases=(alias,))


def _hashing_effects(keys: Sequence[Value]) -> Effects:
    """Return the effects of a display whose hashed parts are `keys`."""
    if all(is_hashable(key.type) for key in keys):
        return NOTHING
    if all(is_plain(key.type) for key in keys):
        return Effects(Raises.VALUE)
    return UNKNOWN


def is_hashable(type_: Type) -> bool:
    """Tell whether values of `type_` have a builtin hash, which never raises."""
    if isinstance(type_, TupleType):
        return all(is_hashable(item) for item in type_.items)
    if isinstance(type_, UnionType):
        return all(is_hashable(option) for option in type_.options)
    return isinstance(type_, NumberType | ScalarType | StringType | NoneType | RangeType)


def _tuple_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return ast.Tuple(list(inputs), ast.Load())


def _list_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return ast.List(list(inputs), ast.Load())


def _set_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    if not inputs:
        return ast.Set([ast.Starred(ast.Tuple([], ast.Load()), ast.Load())])
    return ast.Set(list(inputs))


def _dict_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return ast.Dict(list(inputs[::2]), list(inputs[1::2]))


def _slice_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return ast.Call(ast.Name(SLICE_NAME, ast.Load()), list(inputs), [])


def _infer_slice(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (SLICE if all(is_plain(value.type) for value in inputs) else OPAQUE,)


def _always(type_: Type) -> Callable[[Sequence[Value], Attributes], tuple[Type, ...]]:
    def infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        return (type_,)

    return infer


def _no_effect(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    return NOTHING


BUILD_TUPLE = register(
    Operation(
        "build_tuple", _tuple, _infer_tuple, _tuple_effects, _tuple_syntax, doc="a tuple display"
    )
)
BUILD_LIST = register(
    Operation("build_list", _list, _always(LIST), _no_effect, _list_syntax, doc="a list display")
)
SLOT = register(
    Operation(
        "slot", _list, lambda inputs, attrs: (SlotType(inputs[0].type),), _no_effect, _list_syntax,
        takes_unbound=True, doc="a variable that lives in memory, with its first value",
    )
)  # fmt: skip
BUILD_DICT = register(
    Operation(
        "build_dict", _dict, _always(DICT), lambda inputs, attrs: _hashing_effects(inputs[::2]),
        _dict_syntax, doc="a dict display; inputs are key, value, key, value, ...",
    )
)  # fmt: skip
BUILD_SET = register(
    Operation(
        "build_set", _set, _always(SET), lambda inputs, attrs: _hashing_effects(inputs),
        _set_syntax, doc="a set display",
    )
)  # fmt: skip
BUILD_SLICE = register(
    Operation(
        "build_slice", slice, _infer_slice, _no_effect, _slice_syntax,
        doc="a slice from start, stop and step",
    )
)  # fmt: skip


# Unpacking


@functools.cache
def unpacker(before: int, after: int | None = None) -> Callable[[object], object]:
    """Return a function that unpacks its argument by an assignment statement.

    Parameters
    ----------
    before
        How many names stand in the target, before the starred one if there is one.
    after
        How many follow the starred name; None when there is none.

    Returns
    -------
    Callable
        Returns the parts as a tuple, or the part itself when there is one.

    >>> unpacker(1, 1)((1, 2, 3, 4))
    (1, [2, 3], 4)
    """
    names = [f"part{i}" for i in range(before)]
    targets = list(names)
    if after is not None:
        more = [f"last{i}" for i in range(after)]
        targets += ["*middle", *more]
        names += ["middle", *more]
    target = ", ".join(targets) + "," if targets else "()"
    result = names[0] if len(names) == 1 else f"({', '.join(names)})"
    scope: dict[str, Callable[[object], object]] = {}
    exec(f"def unpack(value):\n    {target} = value\n    return {result}", scope)
    return scope["unpack"]


def _count(attrs: Attributes) -> int:
    count = attrs.get("count", 0)
    return count if isinstance(count, int) else 0


def _starred_counts(attrs: Attributes) -> tuple[int, int]:
    before, after = attrs.get("before", 0), attrs.get("after", 0)
    return (before if isinstance(before, int) else 0, after if isinstance(after, int) else 0)


def _starred_outputs(attrs: Attributes) -> int:
    return sum(_starred_counts(attrs)) + 1


def _unpack(attrs: Attributes, value: object) -> object:
    return unpacker(_count(attrs))(value)


def _unpack_starred(attrs: Attributes, value: object) -> object:
    return unpacker(*_starred_counts(attrs))(value)


def _known_length(type_: Type) -> int | None:
    """Return how many items a value of `type_` is known to have, or None."""
    if isinstance(type_, TupleType):
        return len(type_.items)
    length = None
    if isinstance(type_, ArrayType) and type_.shape:
        length = type_.shape[0]
    elif isinstance(type_, RangeType):
        length = type_.length
    return length if isinstance(length, int) else None


def _parts(type_: Type, count: int) -> tuple[Type, ...]:
    if isinstance(type_, TupleType) and len(type_.items) == count:
        return type_.items
    length = _known_length(type_)
    if length is not None and length != count:
        return (BOTTOM,) * count
    return (item_type(type_),) * count


def _infer_unpack(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return _parts(inputs[0].type, _count(attrs))


def _infer_unpack_starred(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    before, after = _starred_counts(attrs)
    type_ = inputs[0].type
    length = _known_length(type_)
    if length is not None and length < before + after:
        return (BOTTOM,) * (before + after + 1)
    if isinstance(type_, TupleType):
        return (*type_.items[:before], LIST, *type_.items[len(type_.items) - after :])
    item = item_type(type_)
    if isinstance(type_, NumberType | NoneType | ScalarType | SliceType):
        return (BOTTOM,) * (before + after + 1)
    return (*(item,) * before, LIST, *(item,) * after)


def _unpack_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    count = _count(attrs)
    return _unpacking(inputs[0].type, count, (count, count), (item_alias(inputs[0].type),) * count)


def _unpack_starred_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    before, after = _starred_counts(attrs)
    alias = item_alias(inputs[0].type)
    aliases = (*(alias,) * before, FRESH, *(alias,) * after)
    return _unpacking(inputs[0].type, before + after + 1, (before + after, None), aliases)


def _unpacking(
    type_: Type, outputs: int, lengths: tuple[int, int | None], aliases: tuple[Alias, ...]
) -> Effects:
    """Return the effects of unpacking; `lengths` are the least and most items it takes."""
    length = _known_length(type_)
    least, most = lengths
    fits = length is not None and least <= length and (most is None or length <= most)
    raises = Raises.NEVER if fits else Raises.VALUE
    if isinstance(type_, IteratorType | OpaqueType):
        if not is_plain(type_):
            return unknown(outputs, writes=(0,))
        return Effects(Raises.VALUE, (0,), (0,), aliases=aliases)
    if is_builtin(type_) or isinstance(type_, ArrayType | ScalarType):
        reads = (0,) if isinstance(type_, ArrayType | ListType | DictType | SetType) else ()
        return Effects(raises, reads, aliases=aliases)
    return unknown(outputs)


UNPACK = register(
    Operation(
        "unpack", _unpack, _infer_unpack, by_option(_unpack_effects), outputs=_count,
        takes_attributes=True, doc="a, b = value; attribute count",
    )
)  # fmt: skip
UNPACK_STARRED = register(
    Operation(
        "unpack_starred", _unpack_starred, _infer_unpack_starred,
        by_option(_unpack_starred_effects), outputs=_starred_outputs, takes_attributes=True,
        doc="a, *b, c = value; attributes before and after",
    )
)  # fmt: skip


# Subscripts


def _is_integer(type_: Type) -> bool:
    if isinstance(type_, NumberType):
        return type_.kind in ("bool", "int")
    return isinstance(type_, ScalarType) and type_.dtype.kind in "iu"


def _item_type(base: Value, index: Value) -> Type:
    """Return the type of ``base[index]`` for types that are not unions."""
    type_, at = base.type, index.type
    if makes_arrays(base):
        return made_type(base, index)
    if isinstance(type_, ArrayType):
        return index_type(base, index)
    if isinstance(type_, TupleType):
        return _tuple_item(type_, base, index)
    if isinstance(type_, DictType | OpaqueType | ObjectType | ScalarType):
        return opaque_like([base, index])
    if isinstance(type_, SlotType):
        return type_.content
    if isinstance(type_, ListType):
        return LIST if isinstance(at, SliceType) else OPAQUE
    if not isinstance(type_, StringType | RangeType):
        return BOTTOM
    whole: Type = STRING if isinstance(type_, StringType) else RangeType()
    if isinstance(at, SliceType):
        return whole
    if _is_integer(at):
        return STRING if isinstance(type_, StringType) else INT
    return BOTTOM if is_builtin(at) else opaque_like([base, index])


def _tuple_item(type_: TupleType, base: Value, index: Value) -> Type:
    at = index.type
    if isinstance(at, SliceType):
        bounds = constant_of(index)
        if isinstance(bounds, slice):
            try:
                return tuple_type(type_.items[bounds], [base])
            except (TypeError, ValueError):
                return BOTTOM
        return opaque_like([base])
    if _is_integer(at):
        number = known_int(at)
        if number is None:
            return join_all(type_.items)
        inside = -len(type_.items) <= number < len(type_.items)
        return type_.items[number] if inside else BOTTOM
    return BOTTOM if is_builtin(at) else opaque_like([base, index])


def _infer_getitem(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (_item_type(inputs[0], with_lists(inputs[1], attrs)),)


def _getitem_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    base, index = inputs[0], with_lists(inputs[1], attrs)
    type_, at = base.type, index.type
    if makes_arrays(base) and is_plain(at):
        read = tuple(1 + i for i in readable([index]))
        return Effects(Raises.VALUE, reads=read, aliases=(FRESH,))
    if isinstance(type_, ArrayType):
        calls = not is_plain(at)
        raises = index_raises(base, index)
        alias = ANYTHING if calls else index_alias(base, index)
        return Effects(raises, reads=readable(inputs), calls=calls, aliases=(alias,))
    simple = _is_integer(at) or isinstance(at, SliceType)
    if isinstance(type_, TupleType) and simple:
        number = known_int(at)
        inside = number is not None and -len(type_.items) <= number < len(type_.items)
        alias = Alias(Sharing.MAYBE, (0,)) if readable(inputs[:1]) else FRESH
        return Effects(Raises.NEVER if inside else Raises.VALUE, aliases=(alias,))
    if isinstance(type_, ListType) and simple:
        alias = FRESH if isinstance(at, SliceType) else ANYTHING
        return Effects(Raises.VALUE, reads=(0,), aliases=(alias,))
    if isinstance(type_, DictType) and is_hashable(at):
        return Effects(Raises.VALUE, reads=(0,), aliases=(ANYTHING,))
    return conservative(inputs)


def _change_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Return the effects of ``base[index] = value`` and ``del base[index]``."""
    base, index, *values = inputs
    index = with_lists(index, attrs)
    type_, at = base.type, index.type
    simple = _is_integer(at) or isinstance(at, SliceType)
    if isinstance(type_, ListType) and _is_integer(at):
        return Effects(Raises.VALUE, writes=(0,), aliases=())
    if isinstance(type_, DictType) and is_hashable(at):
        return Effects(Raises.VALUE, reads=(0,), writes=(0,), aliases=())
    if isinstance(type_, ListType) and simple:
        builtin = all(is_plain(v.type) or isinstance(v.type, ListType) for v in values)
        consumed = (2,) if values and isinstance(values[0].type, IteratorType | OpaqueType) else ()
        return Effects(
            Raises.VALUE, readable(inputs), (0, *consumed), calls=not builtin, aliases=()
        )
    calls = not all(is_plain(value.type) for value in (base, index, *values))
    return Effects(Raises.VALUE, readable(inputs), (0,), calls=calls, aliases=())


def _infer_nothing(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return ()


def index_syntax(node: ast.expr) -> ast.expr:
    """Return `node` as it stands between brackets: calls of ``slice`` become slices.

    >>> call = ast.parse("x[slice(1, None, None), i]", mode="eval").body
    >>> ast.unparse(ast.Subscript(call.value, index_syntax(call.slice), ast.Load()))
    'x[1:, i]'
    """
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        return ast.Tuple([_slice_or(element) for element in node.elts], ast.Load())
    return _slice_or(node)


def _slice_or(node: ast.expr) -> ast.expr:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == SLICE_NAME
        and len(node.args) == 3
        and not node.keywords
    ):
        parts = [None if _is_none(argument) else argument for argument in node.args]
        return ast.Slice(*parts)
    return node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _getitem_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    return ast.Subscript(inputs[0], index_syntax(inputs[1]), ast.Load())


GETITEM = register(
    Operation(
        "getitem", operator.getitem, _infer_getitem, by_option(_getitem_effects), _getitem_syntax,
        doc="base[index]",
    )
)  # fmt: skip
SETITEM = register(
    Operation(
        "setitem", operator.setitem, _infer_nothing, by_option(_change_effects), outputs=0,
        doc="base[index] = value",
    )
)  # fmt: skip
DELITEM = register(
    Operation(
        "delitem", operator.delitem, _infer_nothing, by_option(_change_effects), outputs=0,
        doc="del base[index]",
    )
)  # fmt: skip


# Unbound locals


def _check_bound(attrs: Attributes, value: object) -> object:
    """Return `value` unless it is the marker of an unbound name.

    Raises
    ------
    UnboundLocalError, NameError
        If it is, in CPython's words for a local, or a free variable (attribute ``free``).
    """
    if value is not UNBOUND_MARKER:
        return value
    name = attrs["name"]
    if attrs.get("free"):
        raise NameError(
            f"cannot access free variable '{name}' where it is not associated with a value in "
            "enclosing scope",
            name=str(name),
        )
    raise UnboundLocalError(
        f"cannot access local variable '{name}' where it is not associated with a value"
    )


def _infer_bound(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    """Return the type without what the check refuses."""
    type_ = inputs[0].type
    options = type_.options if isinstance(type_, UnionType) else (type_,)
    return (join_all(option for option in options if not isinstance(option, UnboundType)),)


def _check_bound_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    type_ = inputs[0].type
    options = type_.options if isinstance(type_, UnionType) else (type_,)
    bound = not any(isinstance(option, UnboundType | OpaqueType) for option in options)
    return Effects(
        Raises.NEVER if bound else Raises.VALUE, aliases=(Alias(Sharing.SAME, (0,)),)
    )


CHECK_BOUND = register(
    Operation(
        "check_bound", _check_bound, _infer_bound, _check_bound_effects, takes_attributes=True,
        doc="the value of a name; raises when it is unbound; attributes name and free",
    )
)  # fmt: skip
