"""Groups of operations that are one statement of Python.

Owns the operators of in-place operations, and finding the store that belongs to an in-place
operation on an item. Invariant: a group is taken for one statement only where Python's
statement executes just these operations, in this order.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..ir.graph import Constant, Node, Value
from ..ops.arithmetic import BINARY
from ..ops.arithmetic import STATEMENTS as IN_PLACE_NAMES
from ..ops.containers import UNBOUND_MARKER
from .regions import GraphView
from .statements import Apply, Expression, Read

IN_PLACE: dict[str, type[ast.operator]] = {
    name: BINARY[name.removeprefix("i")][1] for name in sorted(IN_PLACE_NAMES)
}
"""Python's operator of each in-place operation."""

INDEX_PARTS = frozenset({"build_slice", "build_tuple"})
"""Operations that build an index from its parts."""
_STORE_OF = {"getitem": "setitem", "getattr": "setattr"}


@dataclass(frozen=True, eq=False)
class Store:
    """The operation that stores a changed item, and how many operations lead up to it."""

    node: Node
    covered: int


def find_store(
    view: GraphView,
    place: Expression,
    nodes: Sequence[Node],
    position: int,
    uses: Mapping[Value, int],
) -> Store | None:
    """Return the store that makes ``place += v``, at `position`, one statement; None if none does.

    Between the two only the parts of the index may be built once more, as happens when the item
    is read and stored through the same written-out index. The item must have been read where it is
    stored: one read in an earlier statement, for that statement too, may raise there.
    """
    if not isinstance(place, Apply) or place.node.op.name not in _STORE_OF:
        return None
    if not all(_is_plain_index(operand) for operand in place.operands):
        return None
    built: dict[Value, Node] = {}
    for number in range(position + 1, len(nodes)):
        node = nodes[number]
        if node.op.name in INDEX_PARTS and uses.get(node.outputs[0], 0) == 1:
            built[node.outputs[0]] = node
            continue
        if node.op.name != _STORE_OF[place.node.op.name] or node.origin != place.node.origin:
            return None
        inputs = view.resolve_all(node.inputs)
        stored = inputs[-1] if node.op.name == "setitem" else inputs[1]
        where = inputs[:-1] if node.op.name == "setitem" else inputs[:1]
        same_place = node.attrs.get("name") == place.node.attrs.get("name") and all(
            _same(view, operand, value, built)
            for operand, value in zip(place.operands, where, strict=True)
        )
        used = {value for value in built if not _reaches(view, where, value, built)}
        if stored is not nodes[position].outputs[0] or not same_place or used:
            return None
        return Store(node, number - position + 1)
    return None


def is_only_index(view: GraphView, value: Value) -> bool:
    """Tell whether `value` is used between brackets alone, directly or as a part of an index."""
    return all(
        isinstance(user, Node)
        and (
            _stands_second(view, user, value)
            if user.op.name in ("getitem", "setitem", "delitem")
            else user.op.name == "build_tuple" and is_only_index(view, user.outputs[0])
        )
        for user in view.users(value)
    )


def _stands_second(view: GraphView, node: Node, value: Value) -> bool:
    others = view.resolve_all((node.inputs[0], *node.inputs[2:]))
    return view.resolve(node.inputs[1]) is value and value not in others


def is_unbound(expression: Expression) -> bool:
    """Tell whether `expression` is the marker of an unbound name."""
    if not isinstance(expression, Read) or not isinstance(expression.value, Constant):
        return False
    return expression.value.value is UNBOUND_MARKER


def unbound_error(node: Node) -> NameError:
    """Return what a ``check_bound`` raises for a name that is unbound."""
    try:
        node.op.kernel_for(node.attrs)(UNBOUND_MARKER)
    except NameError as error:
        return error
    raise AssertionError("the marker of an unbound name passed the check")


def _is_plain_index(expression: Expression) -> bool:
    """Tell whether `expression` is a variable, a constant, or slices and tuples of those."""
    if isinstance(expression, Read):
        return True
    return (
        isinstance(expression, Apply)
        and expression.node.op.name in INDEX_PARTS
        and all(map(_is_plain_index, expression.operands))
    )


def _same(
    view: GraphView, expression: Expression, value: Value, built: Mapping[Value, Node]
) -> bool:
    """Tell whether `value`, perhaps one of those `built`, is what `expression` gives."""
    if isinstance(expression, Read):
        return expression.value is value or _same_constant(expression.value, value)
    if not isinstance(expression, Apply):
        return False
    if expression.node.outputs[0] is value:
        return True
    if value not in built:
        return False
    node = built[value]
    inputs = view.resolve_all(node.inputs)
    return (
        node.op is expression.node.op
        and len(inputs) == len(expression.operands)
        and all(_same(view, a, b, built) for a, b in zip(expression.operands, inputs, strict=True))
    )


def _same_constant(a: Value, b: Value) -> bool:
    if not isinstance(a, Constant) or not isinstance(b, Constant):
        return False
    if a.value is b.value:
        return True
    kind = type(a.value)
    if kind is not type(b.value):
        return False
    if kind in (int, str, bool):
        return a.value == b.value
    return kind is slice and _same_slice(a.value, b.value)


def _same_slice(a: object, b: object) -> bool:
    assert isinstance(a, slice) and isinstance(b, slice)
    return all(
        _same_constant(Constant(x), Constant(y))
        for x, y in ((a.start, b.start), (a.stop, b.stop), (a.step, b.step))
    )


def _reaches(
    view: GraphView, values: Sequence[Value], wanted: Value, built: Mapping[Value, Node]
) -> bool:
    """Tell whether `wanted` is one of `values` or a part of one."""
    return any(
        value is wanted
        or (value in built and _reaches(view, view.resolve_all(built[value].inputs), wanted, built))
        for value in values
    )
