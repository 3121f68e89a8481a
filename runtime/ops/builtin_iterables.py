"""Builtin functions that make or consume iterables.

Owns ``range``, ``enumerate``, ``zip``, ``reversed``, ``iter``, ``next``, ``map``, ``filter``,
``sum``, ``min``, ``max``, ``any``, ``all``, ``sorted`` and the constructors of containers. It
leaves what items are to `iteration`. Invariant: whatever may consume an iterator writes it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.graph import Value
from ..ir.lattice import join, join_all
from ..ir.types import (
    BOOL,
    BOTTOM,
    DICT,
    INT,
    LIST,
    OPAQUE,
    PLAIN,
    SET,
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
    StringType,
    TupleType,
    Type,
    is_plain,
)
from .arithmetic import ADD
from .containers import is_hashable
from .effects import NOTHING, plain_effects, readable
from .functions import Arguments, always, define, opaque
from .iteration import item_alias, item_type
from .number_types import MAX_TUPLE, int_type, known_int, tuple_type
from .registry import FRESH, UNKNOWN, Alias, Effects, Operation, Raises, Sharing, opaque_like

MANY = 1_000_000
"""More positional arguments than any call has."""
_ROUNDS = 4


def is_iterable(type_: Type) -> bool:
    """Tell whether iterating over a value of `type_` may work."""
    if isinstance(type_, ArrayType):
        return type_.shape != ()
    return not isinstance(type_, NumberType | NoneType | ScalarType | SliceType)


_LASTING = ListType | DictType | SetType | TupleType | RangeType | StringType


def iterating(arguments: Arguments, alias: Alias = FRESH, *, silent: bool = False) -> Effects:
    """Return the effects of a function that goes through all items of its operands.

    Parameters
    ----------
    arguments
        The operands; those that may be iterators are consumed.
    alias
        How the result shares memory.
    silent
        Whether the function does nothing with the items that may raise or run code of a class.

    Returns
    -------
    Effects
        Unknown if iterating may run unknown code.
    """
    consumed = []
    never = silent
    calls = False
    for position, type_ in enumerate(arguments.types()):
        if isinstance(type_, IteratorType | OpaqueType):
            consumed.append(position)
            never = False
        elif not isinstance(type_, _LASTING) and not (
            isinstance(type_, ArrayType) and type_.shape
        ):
            never = False
        calls = calls or not (is_plain(type_) or (silent and isinstance(type_, _LASTING)))
    if calls:
        return UNKNOWN
    raises = Raises.NEVER if never else Raises.VALUE
    return Effects(raises, readable(arguments.inputs), tuple(consumed), aliases=(alias,))


# range


def _range_type(arguments: Arguments) -> Type:
    types = arguments.types()
    if any(isinstance(t, NumberType) and t.kind in ("float", "complex") for t in types):
        return BOTTOM
    extents = [t.extent if isinstance(t, NumberType) else None for t in types]
    literals = [extent for extent in extents if isinstance(extent, int)]
    if len(literals) == len(types):
        return RangeType(len(range(*literals))) if literals[2:] != [0] else BOTTOM
    start, stop, step = (0, extents[0], 1) if len(extents) == 1 else (*extents, 1)[:3]
    return RangeType(stop if start == 0 and step == 1 else None)


def _range_effects(arguments: Arguments) -> Effects:
    types = arguments.types()
    integers = all(isinstance(t, NumberType) and t.kind in ("bool", "int") for t in types)
    if not integers:
        return UNKNOWN if not all(map(is_plain, types)) else Effects(Raises.VALUE)
    step = known_int(types[2]) if len(types) > 2 else 1
    return NOTHING if step else Effects(Raises.VALUE)


RANGE = define("builtins.range", range, _range_type, _range_effects, count=(1, 3))


# Iterators


def _enumerate_type(arguments: Arguments) -> Type:
    iterable = arguments.get(0, "iterable")
    if iterable is None or not is_iterable(iterable.type):
        return BOTTOM
    return IteratorType(tuple_type((INT, item_type(iterable.type)), arguments.inputs))


def _zip_type(arguments: Arguments) -> Type:
    types = [value.type for value in arguments.positional]
    if not all(map(is_iterable, types)):
        return BOTTOM
    if not types:
        return IteratorType(BOTTOM)
    return IteratorType(tuple_type([item_type(t) for t in types], arguments.inputs))


def _reversed_type(arguments: Arguments) -> Type:
    (type_,) = arguments.types()
    if not is_iterable(type_) or isinstance(type_, IteratorType | SetType):
        return BOTTOM
    if isinstance(type_, OpaqueType | ObjectType):
        return opaque(arguments)
    return IteratorType(item_type(type_))


def _iter_type(arguments: Arguments) -> Type:
    (type_,) = arguments.types()
    if not is_iterable(type_):
        return BOTTOM
    if isinstance(type_, OpaqueType | ObjectType):
        return opaque(arguments)
    return type_ if isinstance(type_, IteratorType) else IteratorType(item_type(type_))


def _iterator_effects(arguments: Arguments) -> Effects:
    """Return the effects of making an iterator, which leads to the memory of its operands."""
    positions = readable(arguments.inputs)
    alias = Alias(Sharing.MAYBE, positions) if positions else FRESH
    types = arguments.types()
    if any(isinstance(t, OpaqueType | ObjectType) and not is_plain(t) for t in types):
        return UNKNOWN
    never = all(
        isinstance(t, _LASTING | IteratorType) or (isinstance(t, ArrayType) and t.shape)
        for t in types
    )
    # Iterators of dicts and sets remember how many items there were, those of lists the place.
    reads = tuple(i for i in positions if not isinstance(types[i], _BY_PLACE))
    return Effects(Raises.NEVER if never else Raises.VALUE, reads, aliases=(alias,))


_BY_PLACE = ListType | TupleType | ArrayType | RangeType | StringType | IteratorType


def _reversed_effects(arguments: Arguments) -> Effects:
    effects = _iterator_effects(arguments)
    type_ = arguments.types()[0]
    if isinstance(type_, SetType | IteratorType):
        return Effects(Raises.VALUE, aliases=effects.aliases)
    if isinstance(type_, ListType):  # it starts at the end as it is now
        return Effects(effects.raises, (0,), aliases=effects.aliases)
    return effects


def _enumerate_effects(arguments: Arguments) -> Effects:
    effects = _iterator_effects(arguments)
    return effects if len(arguments.inputs) == 1 or effects.calls else Effects(
        Raises.VALUE, effects.reads, aliases=effects.aliases
    )


def _next_type(arguments: Arguments) -> Type:
    iterator, *default = arguments.types()
    if isinstance(iterator, IteratorType):
        return join_all((iterator.item, *default))
    return opaque(arguments) if isinstance(iterator, OpaqueType | ObjectType) else BOTTOM


def _next_effects(arguments: Arguments) -> Effects:
    if not all(is_plain(type_) for type_ in arguments.types()):
        return UNKNOWN
    positions = readable(arguments.inputs)
    alias = Alias(Sharing.MAYBE, positions) if positions else FRESH
    return Effects(Raises.VALUE, positions, (0,), aliases=(alias,))


def _unknown(arguments: Arguments) -> Effects:
    return UNKNOWN


ENUMERATE = define(
    "builtins.enumerate", enumerate, _enumerate_type, _enumerate_effects, count=(1, 2),
    keywords=("start",),
)  # fmt: skip
ZIP = define("builtins.zip", zip, _zip_type, _iterator_effects, count=(0, MANY))
REVERSED = define("builtins.reversed", reversed, _reversed_type, _reversed_effects)
ITER = define("builtins.iter", iter, _iter_type, _iterator_effects)
NEXT = define("builtins.next", next, _next_type, _next_effects, count=(1, 2))
MAP = define("builtins.map", map, always(IteratorType(OPAQUE)), _unknown, count=(2, MANY))
FILTER = define("builtins.filter", filter, always(IteratorType(OPAQUE)), _unknown, count=(2, 2))


# Reductions


def accumulated(operation: Operation, start: Type, type_: Type, inputs: Iterable[Value]) -> Type:
    """Return the type of folding the items of an iterable of `type_` into `start`.

    Parameters
    ----------
    operation
        The binary operator.
    start
        Type of the initial value, which is the result if there are no items.
    type_
        Type of the iterable.
    inputs
        The operands of the call; what opaque results are like.

    Returns
    -------
    Type
        Exact for tuples; else the join of the start and a fixpoint.
    """
    if isinstance(type_, TupleType):
        total = start
        for item in type_.items:
            (total,) = operation.result_types((Value(total), Value(item)), {})
        return total
    item = item_type(type_)
    length = type_.shape[0] if isinstance(type_, ArrayType) and type_.shape else None
    (total,) = operation.result_types((Value(_forget_extent(start)), Value(item)), {})
    for _ in range(_ROUNDS):
        (more,) = operation.result_types((Value(total), Value(item)), {})
        wider = join(total, more)
        if wider == total:
            return total if isinstance(length, int) and length > 0 else join(start, total)
        total = wider
    return opaque_like(list(inputs))


def _forget_extent(type_: Type) -> Type:
    return INT if isinstance(type_, NumberType) and type_.kind == "int" else type_


def _sum_type(arguments: Arguments) -> Type:
    iterable = arguments.inputs[0].type
    if not is_iterable(iterable):
        return BOTTOM
    start = arguments.get(1, "start")
    if isinstance(iterable, OpaqueType | ObjectType):
        return opaque(arguments)
    start_type = int_type(0) if start is None else start.type
    return accumulated(ADD, start_type, iterable, arguments.inputs)


def _sum_effects(arguments: Arguments) -> Effects:
    start = arguments.get(1, "start")
    if start is None and isinstance(arguments.inputs[0].type, RangeType):
        return NOTHING
    simple = start is None or isinstance(start.type, NumberType)
    tuples = any(isinstance(t, TupleType | OpaqueType) for t in arguments.types())
    positions = readable(arguments.inputs)
    shared = bool(positions) and (not simple or tuples)
    return iterating(arguments, Alias(Sharing.MAYBE, positions) if shared else FRESH)


def _extreme_type(arguments: Arguments) -> Type:
    """Return the type of ``min`` or ``max``: that of one of the candidates."""
    if len(arguments.positional) > 1:
        return join_all(value.type for value in arguments.positional)
    if not arguments.positional:
        return BOTTOM
    default = arguments.keywords.get("default")
    found = item_type(arguments.positional[0].type)
    return found if default is None else join(found, default.type)


def _extreme_effects(arguments: Arguments) -> Effects:
    types = arguments.types()
    if arguments.keywords.get("key") is not None:
        return UNKNOWN
    if len(arguments.positional) > 1:
        real = all(isinstance(t, NumberType) and t.kind != "complex" for t in types)
        if real:
            return NOTHING
        return plain_effects(arguments.inputs) if all(map(is_plain, types)) else UNKNOWN
    if len(types) == 1:
        return iterating(arguments, item_alias(types[0]))
    positions = readable(arguments.inputs)
    return iterating(arguments, Alias(Sharing.MAYBE, positions) if positions else FRESH)


def _consuming(arguments: Arguments) -> Effects:
    return iterating(arguments)


def _sorted_effects(arguments: Arguments) -> Effects:
    return UNKNOWN if "key" in arguments.keywords else iterating(arguments)


SUM = define("builtins.sum", sum, _sum_type, _sum_effects, count=(1, 2), keywords=("start",))
MIN = define(
    "builtins.min", min, _extreme_type, _extreme_effects, count=(1, MANY),
    keywords=("key", "default"),
)  # fmt: skip
MAX = define(
    "builtins.max", max, _extreme_type, _extreme_effects, count=(1, MANY),
    keywords=("key", "default"),
)  # fmt: skip
ANY = define("builtins.any", any, always(BOOL), _consuming)
ALL = define("builtins.all", all, always(BOOL), _consuming)
SORTED = define(
    "builtins.sorted", sorted, always(LIST), _sorted_effects, keywords=("key", "reverse")
)


# Constructors of containers


def _tuple_type(arguments: Arguments) -> Type:
    if not arguments.inputs:
        return TupleType(())
    (type_,) = arguments.types()
    if not is_iterable(type_):
        return BOTTOM
    if isinstance(type_, TupleType):
        return type_
    length = None
    if isinstance(type_, ArrayType) and type_.shape:
        length = type_.shape[0]
    elif isinstance(type_, RangeType):
        length = type_.length
    if isinstance(length, int) and length <= MAX_TUPLE:
        return TupleType((item_type(type_),) * length)
    if isinstance(type_, IteratorType | ArrayType | RangeType | StringType):
        return PLAIN if is_plain(type_) else OPAQUE
    return opaque(arguments)


def _tuple_effects(arguments: Arguments) -> Effects:
    if not arguments.inputs:
        return NOTHING
    alias = item_alias(arguments.inputs[0].type)
    if alias.sharing is Sharing.VIEW:
        alias = Alias(Sharing.MAYBE, alias.inputs)
    return iterating(arguments, alias, silent=True)


def _list_effects(arguments: Arguments) -> Effects:
    return iterating(arguments, silent=True)


def _set_effects(arguments: Arguments) -> Effects:
    hashable = all(is_hashable(item_type(type_)) for type_ in arguments.types())
    return iterating(arguments, silent=hashable)


def _dict_effects(arguments: Arguments) -> Effects:
    if not arguments.positional:
        return NOTHING
    if len(arguments.inputs) == 1 and isinstance(arguments.inputs[0].type, DictType):
        return Effects(reads=(0,))
    return UNKNOWN


TUPLE = define("builtins.tuple", tuple, _tuple_type, _tuple_effects, count=(0, 1))
LIST_ = define("builtins.list", list, always(LIST), _list_effects, count=(0, 1))
SET_ = define("builtins.set", set, always(SET), _set_effects, count=(0, 1))
FROZENSET = define(
    "builtins.frozenset", frozenset, always(ObjectType(frozenset)), _set_effects, count=(0, 1)
)
DICT_ = define("builtins.dict", dict, always(DICT), _dict_effects, count=(0, 1), keywords=None)
