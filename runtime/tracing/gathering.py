"""Items of generator expressions that are computed before a function takes them.

Owns the question whether that can be told from computing them one by one, as the function asks.
Invariant: where the items have effects, and the function may stop at one of them, it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.graph import Node, Value
from ..ir.names import OPERATIONS
from ..ir.types import NumberType, ScalarType, Type, UnionType
from ..memory.effects import effects_of
from ..ops.attributes import CALL, SETATTR
from ..ops.methods import METHOD
from .signals import Unstageable
from .symbol import Symbol, value_of
from .tracer import Tracer


def refuse_early_effects(tracer: Tracer, items: Symbol, consumer: str) -> None:
    """Refuse a list of items whose effects come earlier than those of a generator would.

    Parameters
    ----------
    tracer
        What records the program.
    items
        The list, just made by the operations recorded last.
    consumer
        The name of the builtin function that takes the items: it may raise at one of them.

    Raises
    ------
    Unstageable
        If making the items changes or calls what others see, and `consumer` may stop half-way.
    """
    made = value_of(items)
    nodes: Sequence[Node] = tracer.builder.current.nodes
    start = next((i for i, node in enumerate(nodes) if made in node.outputs), len(nodes))
    inside = [node for top in nodes[start:] for node in _with_inner(top)]
    own = {output for node in inside for output in node.outputs}
    appended = [node.inputs[1].type for node in inside if _appends(node, made)]
    if consumer in _OF_NUMBERS and all(_is_real(type_) for type_ in appended):
        return
    if any(_is_seen(node, own) for node in inside):
        raise Unstageable(
            f"`{consumer}` of a generator may stop at an item, before the effects of later ones",
            f"make a list of the items first: {consumer}([...])",
        )


_OF_NUMBERS = ("sum", "min", "max", "frozenset")
"""Functions that take every item which is a real number."""
_CALLING = (CALL, METHOD, SETATTR)
"""What has effects on purpose; an operator on an unknown value hardly ever has one."""
_TAKING_APART = (OPERATIONS["unpack"], OPERATIONS["unpack_starred"])
"""What uses an item up; nothing else holds an iterator that was just made."""


def _with_inner(node: Node) -> Iterator[Node]:
    yield node
    for region in node.regions:
        for inner in region.nodes:
            yield from _with_inner(inner)


def _appends(node: Node, made: Value) -> bool:
    return node.op is METHOD and node.inputs[0] is made and node.attrs.get("name") == "append"


def _is_seen(node: Node, own: set[Value]) -> bool:
    """Tell whether others may see what `node` itself does."""
    if node.regions or node.op in _TAKING_APART:
        return False
    effects = effects_of(node)
    called = effects.calls and (node.op in _CALLING or node.op.name.startswith("builtins."))
    return called or any(node.inputs[index] not in own for index in effects.writes)


def _is_real(type_: Type) -> bool:
    if isinstance(type_, UnionType):
        return all(_is_real(option) for option in type_.options)
    if isinstance(type_, NumberType):
        return type_.kind != "complex"
    return isinstance(type_, ScalarType) and type_.dtype.kind in "biuf"
