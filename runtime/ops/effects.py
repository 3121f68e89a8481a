"""What operations do besides computing: the helpers that the families share.

Owns effects of unions (option by option), of operations that know nothing of their inputs, and of
elementwise operations on numbers and arrays. It leaves the effects of one operation to its family.
Invariant: every answer errs on the side of more effects.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from ..ir.graph import Attributes, Constant, Value
from ..ir.types import (
    OPAQUE,
    PLAIN,
    ArrayType,
    BottomType,
    Extent,
    NumberType,
    ScalarType,
    Type,
    UnboundType,
    UnionType,
    is_immutable,
    is_plain,
)
from .registry import ANYTHING, FRESH, UNKNOWN, Alias, Effects, Raises, Sharing

EffectsRule = Callable[[Sequence[Value], Attributes], Effects]

NOTHING = Effects()
"""One output, memory of its own (or none), no effect whatever."""

_MAX_COMBINATIONS = 64


def carries_references(type_: Type) -> bool:
    """Tell whether a value of `type_` may have, or lead to, memory that can change."""
    return not is_immutable(type_)


def readable(inputs: Sequence[Value]) -> tuple[int, ...]:
    """Return the positions of the inputs whose memory an operation may read."""
    return tuple(i for i, value in enumerate(inputs) if not is_immutable(value.type))


def unknown(outputs: int, writes: tuple[int, ...] = ()) -> Effects:
    """Return the effects of an operation that may do anything, with that many outputs."""
    if outputs == 1 and not writes:
        return UNKNOWN
    return Effects(Raises.VALUE, writes=writes, calls=True, aliases=(ANYTHING,) * outputs)


def plain_effects(
    inputs: Sequence[Value], raises: Raises = Raises.VALUE, alias: Alias | None = None
) -> Effects:
    """Return the effects of an operation with one output on plain inputs that writes nothing.

    It reads all memory of the inputs. Unless `alias` is given, the output may be an input, or a
    view of one.
    """
    positions = readable(inputs)
    if alias is None:
        alias = Alias(Sharing.MAYBE, positions) if positions else FRESH
    return Effects(raises, reads=positions, aliases=(alias,))


def conservative(inputs: Sequence[Value], alias: Alias | None = None) -> Effects:
    """Return the effects of an operation with one output of which only the inputs are known.

    If they are all plain it enters no unknown code: it reads them and may raise. Otherwise it may
    do anything.
    """
    if all(is_plain(value.type) for value in inputs):
        return plain_effects(inputs, alias=alias)
    return UNKNOWN


def by_option(rule: EffectsRule) -> EffectsRule:
    """Return `rule` for inputs of any type, given one for inputs that are not unions or bottom.

    The effects of a union are those of its options together. An unbound local is no option, since
    whatever uses one checks it first.
    """

    def effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
        choices = [_options(value) for value in inputs]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count == 1:
            return rule([choice[0] for choice in choices], attrs)
        if count > _MAX_COMBINATIONS:
            choices = [[_forget(value)] for value in inputs]
        found = [rule(combination, attrs) for combination in itertools.product(*choices)]
        return reduce(merge_effects, found)

    return effects


def _options(value: Value) -> list[Value]:
    type_ = value.type
    if isinstance(type_, UnionType):
        bound = [option for option in type_.options if not isinstance(option, UnboundType)]
        return [Value(option) for option in bound]
    if isinstance(type_, BottomType | UnboundType):
        return [Value(PLAIN)]
    return [value]


def _forget(value: Value) -> Value:
    if isinstance(value.type, UnionType):
        return Value(PLAIN if is_plain(value.type) else OPAQUE)
    return _options(value)[0]


def merge_effects(a: Effects, b: Effects) -> Effects:
    """Return effects that cover `a` and `b`.

    >>> from .registry import FRESH
    >>> view = Effects(reads=(0,), aliases=(Alias(Sharing.VIEW, (0,)),))
    >>> merge_effects(view, Effects(Raises.VALUE)).aliases[0].sharing.name
    'MAYBE'
    """
    aliases = tuple(merge_alias(x, y) for x, y in zip(a.aliases, b.aliases, strict=True))
    return Effects(
        max(a.raises, b.raises),
        tuple(sorted({*a.reads, *b.reads})),
        tuple(sorted({*a.writes, *b.writes})),
        a.calls or b.calls,
        aliases,
    )


def merge_alias(a: Alias, b: Alias) -> Alias:
    """Return an alias that covers `a` and `b`."""
    if a == b:
        return a
    if Sharing.ANYTHING in (a.sharing, b.sharing):
        return ANYTHING
    return Alias(Sharing.MAYBE, tuple(sorted({*a.inputs, *b.inputs})))


def broadcast_fits(types: Sequence[Type]) -> bool:
    """Tell whether shapes of `types` certainly broadcast against each other.

    >>> f64 = np.dtype("f8")
    >>> row, matrix = ArrayType(f64, ("n",)), ArrayType(f64, ("m", "n"))
    >>> broadcast_fits([row, matrix]), broadcast_fits([row, ArrayType(f64, ("m",))])
    (True, False)
    """
    shapes: list[tuple[Extent, ...]] = []
    for type_ in types:
        if isinstance(type_, ArrayType):
            if type_.shape is None:
                return len(types) == 1
            shapes.append(type_.shape)
    for axis in range(1, max((len(shape) for shape in shapes), default=0) + 1):
        extents = [shape[-axis] for shape in shapes if len(shape) >= axis and shape[-axis] != 1]
        if len(extents) > 1 and (None in extents or any(e != extents[0] for e in extents)):
            return False
    return True


_EXACT = frozenset(("add", "subtract", "multiply", "negative", "positive", "absolute", "conjugate"))
_BITWISE = frozenset((
    "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift",
    "logical_and", "logical_or", "logical_xor", "logical_not", "equal", "not_equal", "less",
    "less_equal", "greater", "greater_equal", "maximum", "minimum", "sign",
))  # fmt: skip


def elementwise_raises(ufunc: np.ufunc, inputs: Sequence[Value], results: Sequence[Type]) -> Raises:
    """Return when an elementwise ufunc raises, for NumPy arrays, scalars and Python numbers.

    Values matter when a dtype is unknown, when a Python integer might not fit the dtype that it is
    converted to, and for integer powers; shapes matter unless they certainly fit.

    Parameters
    ----------
    ufunc
        An elementwise ufunc (one without a signature).
    inputs
        Its operands: array, scalar and number types only.
    results
        The types of its results, as `ufunc_result_types` gives them.
    """
    types = [value.type for value in inputs]
    dtypes = [result.dtype for result in results if isinstance(result, ArrayType | ScalarType)]
    numpy_dtypes = [t.dtype for t in types if isinstance(t, ArrayType | ScalarType)]
    if len(dtypes) != len(results) or any(d is None for d in (*dtypes, *numpy_dtypes)):
        return Raises.VALUE
    known = [d for d in (*dtypes, *numpy_dtypes) if d is not None]
    if not all(_fits(value, known) for value in inputs if isinstance(value.type, NumberType)):
        return Raises.VALUE
    if ufunc.__name__ in ("power", "float_power") and not _safe_exponent(inputs[1], known):
        return Raises.VALUE
    if not broadcast_fits(types):
        return Raises.SHAPE
    if not any(isinstance(t, ArrayType) for t in types):
        silent = ufunc.__name__ in _BITWISE and not any(d.kind in "fc" for d in known)
        return Raises.NEVER if silent else Raises.WARNS
    silent = ufunc.__name__ in _EXACT or ufunc.__name__ in _BITWISE
    if silent and all(d.kind in "biu" for d in known):
        return Raises.NEVER
    return Raises.WARNS


def _safe_exponent(exponent: Value, dtypes: Sequence[np.dtype]) -> bool:
    """Tell whether no negative integer power of an integer is asked for."""
    if any(dtype.kind in "fc" for dtype in dtypes):
        return True
    type_ = exponent.type
    if isinstance(type_, NumberType):
        literal = type_.extent
        return type_.kind == "bool" or (isinstance(literal, int) and literal >= 0)
    if isinstance(type_, ArrayType | ScalarType):
        return type_.dtype is not None and type_.dtype.kind in "bu"
    return False


def _fits(value: Value, dtypes: Sequence[np.dtype]) -> bool:
    """Tell whether a Python number certainly converts to whichever of `dtypes` it meets."""
    type_ = value.type
    if not isinstance(type_, NumberType) or type_.kind != "int":
        return True
    literal = value.value if isinstance(value, Constant) else type_.extent
    for dtype in dtypes:
        if dtype.kind in "fc":
            small = np.finfo(dtype).bits < 32
            if isinstance(literal, int):
                fits = abs(literal) <= (2048 if small else 2**63)
            else:
                fits = isinstance(literal, str) and not small
        elif dtype.kind in "iu":
            bounds = np.iinfo(dtype)
            if isinstance(literal, int):
                fits = int(bounds.min) <= literal <= int(bounds.max)
            else:
                fits = isinstance(literal, str) and bounds.bits == 64
        else:
            fits = isinstance(literal, str) or (isinstance(literal, int) and abs(literal) < 2**63)
        if not fits:
            return False
    return True
