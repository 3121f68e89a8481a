"""Lists written where they are used, as ``x[[0, 2]]`` and ``x += [1, 2]``.

A list has no type, as it may change; one that was written just now has: that of its items. Owns
finding such lists, and handing NumPy a tuple in place of one, or the form of an index. It leaves
recording to the tracer. Invariants: a list is taken for its items only while nothing can have
changed it; a tuple takes its place only where NumPy makes the same of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..ir.graph import Attributes, Constant, Node, Value
from ..ir.types import ArrayType, NumberType, ScalarType, SliceType, Type
from ..ops.arithmetic import BINARY, IN_PLACE
from ..ops.joining import treats_tuple_as_list
from ..ops.registry import Operation
from .symbol import Symbol, has_splat, value_of

if TYPE_CHECKING:
    from .tracer import Tracer

_FAR = 200
"""How many operations may stand between a list and its use."""
_BUILDING = ("build_list", "build_tuple")
_INDEXING = ("getitem", "setitem")
_OPERATORS = frozenset((*BINARY, "lt", "le", "eq", "ne", "gt", "ge"))
_ALIKE_AT: dict[str, tuple[int, ...]] = {
    "np.put": (1, 2), "np.take": (1,), "np.place": (2,), "np.putmask": (2,), "np.copyto": (1,),
    "np.searchsorted": (1,), "np.where": (1, 2), "np.dot": (0, 1), "np.isin": (0, 1),
    "np.interp": (0, 1, 2), "np.convolve": (0, 1), "np.digitize": (0, 1), "np.repeat": (1,),
    "np.select": (0, 1), "np.choose": (0, 1), "np.pad": (1,), "np.tile": (1,), "np.roll": (1,),
    "np.reshape": (1,), "np.broadcast_to": (1,), "np.zeros": (0,), "np.ones": (0,),
    "np.empty": (0,), "np.full": (0, 1), "np.indices": (0,), "np.histogram": (0, 1),
    "np.insert": (1, 2), "np.delete": (1,), "np.append": (1,), "np.transpose": (1,),
    "np.linspace": (0, 1), "np.ravel_multi_index": (0,), "np.unravel_index": (0,),
    "np.random.dirichlet": (0,), "np.random.multinomial": (1,), "np.random.choice": (0,),
    **dict.fromkeys(("np.ix_", "np.meshgrid"), (0, 1, 2, 3)), "np.einsum": (1, 2, 3),
    **dict.fromkeys(("np.quantile", "np.percentile"), (0, 1)),
    **dict.fromkeys(
        ("np.linalg.solve", "np.linalg.lstsq", "np.polyfit", "np.polyadd", "np.polysub",
         "np.polymul", "np.polydiv", "np.polyval", "np.inner", "np.outer", "np.vdot", "np.kron",
         "np.cross", "np.tensordot", "np.correlate", "np.trapezoid", "np.union1d",
         "np.intersect1d", "np.setdiff1d", "np.setxor1d", "np.array_equal", "np.allclose",
         "np.isclose"), (0, 1),
    ),
}  # fmt: skip
"""Positions at which functions of NumPy make the same of a tuple as of a list."""
_ALIKE_IN_METHODS: dict[str, tuple[int, ...]] = {
    "put": (0, 1), "take": (0,), "searchsorted": (0,), "dot": (0,), "repeat": (0,), "fill": (0,),
}  # fmt: skip
_ALIKE_IN_DRAWS: dict[str, tuple[int, ...]] = {
    "choice": (0, 1), "dirichlet": (0, 1), "multinomial": (1, 2), "multivariate_normal": (0, 1, 2),
    "permutation": (0,), "integers": (0, 1, 2), "random": (0,), "normal": (0, 1, 2),
    "uniform": (0, 1, 2), "standard_normal": (0,), "multivariate_hypergeometric": (0,),
}  # fmt: skip
_ALIKE_KEYWORDS = frozenset(("p", "size", "weights", "pvals", "alpha", "fweights", "aweights"))
"""Keywords of functions of NumPy, and of methods of generators, that take a list for a tuple."""

_ALIKE_IN_UFUNC_METHODS: dict[str, tuple[int, ...]] = {
    "reduce": (0,), "accumulate": (0,), "reduceat": (0, 1), "outer": (0, 1), "at": (2,),
}  # fmt: skip


def items_of(tracer: Tracer, item: object) -> tuple[object, ...] | None:
    """Return the items of a list that was written just now, lists among them as tuples.

    Returns
    -------
    tuple, or None
        None if `item` is anything else, or something may have changed it since.
    """
    node = tracer.producers.get(value_of(item)) if type(item) is Symbol else None
    if node is None or node.op.name != "build_list" or not _is_untouched(tracer, node):
        return None
    parts = [
        value.value if isinstance(value, Constant) else Symbol(tracer, value)
        for value in node.inputs
    ]
    inner = [items_of(tracer, part) for part in parts]
    return tuple(
        part if items is None else items for part, items in zip(parts, inner, strict=True)
    )


def _is_untouched(tracer: Tracer, made: Node) -> bool:
    """Tell whether a list made by `made` is certainly as it was, here and now."""
    nodes = tracer.builder.current.nodes
    nearest = max(len(nodes) - _FAR, 0)
    at = next((i for i in range(len(nodes) - 1, nearest - 1, -1) if nodes[i] is made), None)
    if at is None:
        return False
    holders: dict[Value, None] = dict.fromkeys(made.outputs)
    for node in nodes[at + 1 :]:
        if node.regions:
            return False
        touched = [i for i, value in enumerate(node.inputs) if value in holders]
        if not touched:
            continue
        if node.op.name in _BUILDING:
            holders.update(dict.fromkeys(node.outputs))
        elif node.op.name not in _INDEXING or not isinstance(node.inputs[0].type, ArrayType):
            return False
    return True


def prepared(
    tracer: Tracer, name: str, inputs: Sequence[object], attrs: Attributes | None = None
) -> tuple[Sequence[object], Attributes]:
    """Return the inputs and attributes of an operator with lists written in it made known."""
    known = dict(attrs or {})
    if name in _INDEXING:
        value = items_of(tracer, inputs[2]) if len(inputs) > 2 else None
        forms = _forms(tracer, inputs[1])
        if (any(forms) or value is not None) and _is_array(tracer, inputs[0]):
            if any(forms):
                known["lists"] = forms
            if value is not None and (any(forms) or _keeps_an_axis(tracer, *inputs[:2])):
                inputs = (*inputs[:2], value)
    elif name in IN_PLACE or name in _OPERATORS:
        left, right = (items_of(tracer, item) for item in inputs)
        if right is not None and _is_array(tracer, inputs[0]):
            inputs = (inputs[0], right)
        elif left is not None and name in _OPERATORS and _is_array(tracer, inputs[1]):
            inputs = (left, inputs[1])
    return inputs, known


def _keeps_an_axis(tracer: Tracer, base: object, index: object) -> bool:
    """Tell whether an index certainly selects more than one element.

    To a single one NumPy assigns no list, and names its class.
    """
    parts = index if type(index) is tuple else (index,)
    kinds = [value_of(part).type if type(part) is Symbol else None for part in parts]
    if any(isinstance(kind, ArrayType) and kind.rank for kind in kinds):
        return True
    if any(isinstance(kind, SliceType) for kind in kinds):
        return True
    if any(type(part) is slice or part is Ellipsis for part in parts):
        return True
    type_ = value_of(base).type if type(base) is Symbol else None
    integers = all(
        type(part) is int or (isinstance(kind, NumberType) and kind.kind == "int")
        for part, kind in zip(parts, kinds, strict=True)
    )
    rank = type_.rank if isinstance(type_, ArrayType) else None
    return integers and rank is not None and rank > len(parts)


def _is_array(tracer: Tracer, item: object) -> bool:
    return type(item) is Symbol and tracer.ask(item, _is_array_type)


def _is_array_type(type_: Type) -> bool:
    return isinstance(type_, ArrayType)


def _as_tuple(tracer: Tracer, item: object) -> object:
    items = items_of(tracer, item)
    return item if items is None else items


def _forms(tracer: Tracer, index: object) -> tuple[str, ...]:
    """Return the form of each part of an index that is a list of integers or truth values.

    It is a letter for their kind and the lengths: ``i2,3`` for two rows of three integers.
    """
    parts = index if type(index) is tuple else (index,)
    return tuple(_form(tracer, part) for part in parts)


def _form(tracer: Tracer, part: object) -> str:
    items = items_of(tracer, part)
    if items is None:
        return ""
    if not items:
        return "i0"
    kinds = {_kind(tracer, item) for item in items}
    if len(kinds) > 1:
        return ""
    (kind,) = kinds
    if not kind:
        return ""
    return f"{kind[0]}{len(items)}" + (f",{kind[1:]}" if kind[1:] else "")


def _kind(tracer: Tracer, item: object) -> str:
    """Return the letter of an item of an index list, and the lengths if it is a list itself."""
    if type(item) is tuple:
        kinds = {_kind(tracer, part) for part in item}
        kind = kinds.pop() if len(kinds) == 1 else ""
        return f"{kind[0]}{len(item)}" + (f",{kind[1:]}" if kind[1:] else "") if kind else ""
    if type(item) is Symbol:
        return tracer.ask(item, _kind_of_type)
    if isinstance(item, bool | np.bool_):
        return "b"
    return "i" if isinstance(item, int | np.integer) else ""


def _kind_of_type(type_: Type) -> str:
    if isinstance(type_, NumberType):
        return {"int": "i", "bool": "b"}.get(type_.kind, "")
    if isinstance(type_, ScalarType):
        return {"i": "i", "u": "i", "b": "b"}.get(type_.dtype.kind, "")
    return ""


def arguments(
    tracer: Tracer, operation: Operation, args: Sequence[object], kwargs: Mapping[str, object]
) -> Sequence[object]:
    """Return the positional arguments of a function of NumPy with lists written in them as tuples.

    Only where the function makes the same of both.
    """
    places = _ALIKE_AT.get(operation.name, ())
    if isinstance(operation.kernel, np.ufunc):
        places = tuple(range(operation.kernel.nin))
    elif args and treats_tuple_as_list(operation.name, kwargs, len(args)):
        places = (0, *places)
    return _with_tuples(tracer, args, places)


def method_arguments(
    tracer: Tracer, owner: Symbol, name: str, args: Sequence[object]
) -> Sequence[object]:
    """Return the positional arguments of a method of an array with lists in them as tuples."""
    changed = _with_tuples(tracer, args, _ALIKE_IN_METHODS.get(name, ()))
    return changed if changed is not args and _is_array(tracer, owner) else args


def draw_arguments(tracer: Tracer, name: str, args: Sequence[object]) -> Sequence[object]:
    """Return the positional arguments of a method of a generator with lists in them as tuples."""
    return _with_tuples(tracer, args, _ALIKE_IN_DRAWS.get(name, ()))


def keyword_arguments(tracer: Tracer, kwargs: Mapping[str, object]) -> Mapping[str, object]:
    """Return the keyword arguments of NumPy's code with lists in them as tuples."""
    if _ALIKE_KEYWORDS.isdisjoint(kwargs):
        return kwargs
    return {
        name: _as_tuple(tracer, item) if name in _ALIKE_KEYWORDS else item
        for name, item in kwargs.items()
    }


def ufunc_arguments(tracer: Tracer, name: str, args: Sequence[object]) -> Sequence[object]:
    """Return the positional arguments of a method of a ufunc with lists in them as tuples.

    An index that is a list, as ``at`` takes it, becomes a tuple that holds one: a tuple by itself
    would be an index for each axis.
    """
    if name == "at" and len(args) > 1 and not has_splat(args) and _form(tracer, args[1]):
        args = (args[0], (items_of(tracer, args[1]),), *args[2:])
    return _with_tuples(tracer, args, _ALIKE_IN_UFUNC_METHODS.get(name, ()))


def _with_tuples(
    tracer: Tracer, args: Sequence[object], places: Sequence[int]
) -> Sequence[object]:
    if has_splat(args):
        return args  # nobody knows which argument is where
    found = {at: items_of(tracer, args[at]) for at in places if at < len(args)}
    if all(items is None for items in found.values()):
        return args
    return tuple(
        arg if found.get(at) is None else found[at] for at, arg in enumerate(args)
    )
