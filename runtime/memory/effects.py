"""What one operation does to memory, operations with regions included.

Owns the questions that have an answer for a single operation: which types carry memory, what
testing a truth value or iterating does, which inputs an operation lets escape. It leaves joining
values into classes to `classes`, and order to `order`. Invariant: every answer errs on the side
of more effects.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Iterator
from dataclasses import replace

from ..ir.graph import Constant, Node, Region, Terminator, TerminatorKind, Value
from ..ir.types import (
    ArrayType,
    DictType,
    IteratorType,
    ListType,
    ObjectType,
    OpaqueType,
    RangeType,
    SetType,
    StringType,
    TupleType,
    Type,
    UnionType,
    VariableType,
    is_immutable,
    is_plain,
)
from ..ops.control import BLOCK, FOR, IF, TRY, WHILE
from ..ops.registry import Effects, Raises, Sharing
from .constants import constant_truth

_CONTAINERS = (ListType, DictType, SetType)
IDENTITY_OPERATIONS = frozenset(("is", "is_not", "in", "not_in", "builtins.id"))
"""Operations whose result depends on which object they get, not on its value alone."""


def carries_memory(type_: Type) -> bool:
    """Tell whether a value of `type_` may have, or lead to, memory that can change.

    >>> import numpy as np
    >>> from runtime.ir.types import INT, OPAQUE
    >>> carries_memory(ArrayType(np.dtype("f8"), (3,))), carries_memory(INT), carries_memory(OPAQUE)
    (True, False, True)
    """
    if isinstance(type_, ObjectType):
        return not is_plain(type_) or issubclass(type_.cls, python_types.ModuleType)
    return not is_immutable(type_)


def holds_references(type_: Type) -> bool:
    """Tell whether a value of `type_` may lead to other objects that can change."""
    if isinstance(type_, TupleType):
        return any(carries_memory(item) for item in type_.items)
    if isinstance(type_, UnionType):
        return any(holds_references(option) for option in type_.options)
    if isinstance(type_, OpaqueType):
        return not type_.plain
    if isinstance(type_, VariableType):
        return False  # it holds a copy of what it is given
    if isinstance(type_, ObjectType):
        return carries_memory(type_)
    return isinstance(type_, (*_CONTAINERS, IteratorType))


def is_container(type_: Type) -> bool:
    """Tell whether `type_` is a list, dict or set: memory of its own that holds references."""
    return isinstance(type_, _CONTAINERS)


def is_transparent(type_: Type) -> bool:
    """Tell whether a value of `type_` is only a way to the memory of what it was made from."""
    return isinstance(type_, TupleType | IteratorType)


def truth_effects(value: Value) -> Effects:
    """Return what ``bool(value)`` does; `value` is input 0."""
    raises, reads, calls = _truth(value.type)
    return Effects(raises, reads=(0,) if reads else (), calls=calls, aliases=())


def _truth(type_: Type) -> tuple[Raises, bool, bool]:
    """Return when a truth test raises, whether it reads memory, whether it runs unknown code."""
    if isinstance(type_, UnionType):
        parts = [_truth(option) for option in type_.options]
        return (
            max(raises for raises, _, _ in parts),
            any(reads for _, reads, _ in parts),
            any(calls for _, _, calls in parts),
        )
    if isinstance(type_, ArrayType):
        one = type_.shape is not None and all(extent == 1 for extent in type_.shape)
        return (Raises.NEVER if one else Raises.VALUE), True, False
    if isinstance(type_, OpaqueType):
        return Raises.VALUE, True, not type_.plain
    if is_container(type_):
        return Raises.NEVER, True, False
    if is_immutable(type_) or isinstance(type_, TupleType | IteratorType):
        return Raises.NEVER, False, False
    if isinstance(type_, ObjectType):
        return (Raises.NEVER, False, False) if is_plain(type_) else (Raises.VALUE, True, True)
    return Raises.VALUE, True, True


def iteration_effects(value: Value) -> Effects:
    """Return what iterating over `value` does, all trips together; `value` is input 0.

    Exhausting a range, an array, a tuple, a string or a container always ends, and only reads.
    """
    type_ = value.type
    if isinstance(type_, RangeType | TupleType | StringType):
        return Effects(aliases=())
    if isinstance(type_, ArrayType):
        axes = type_.shape is not None and len(type_.shape) > 0
        return Effects(Raises.NEVER if axes else Raises.VALUE, reads=(0,), aliases=())
    if isinstance(type_, ListType):
        return Effects(reads=(0,), aliases=())
    if is_container(type_):
        return Effects(Raises.VALUE, reads=(0,), aliases=())
    if isinstance(type_, IteratorType):
        plain = is_plain(type_)
        return Effects(Raises.VALUE, reads=(0,), writes=(0,), calls=not plain, aliases=())
    if is_plain(type_):
        return Effects(Raises.VALUE, reads=(0,), writes=(0,), aliases=())
    return Effects(Raises.VALUE, reads=(0,), writes=(0,), calls=True, aliases=())


def effects_of(node: Node) -> Effects:
    """Return what `node` does itself, without its regions; positions are those of its inputs.

    Of ``while`` this is nothing: its test is a value of its first region (see `test_effects`).
    Attributes of arrays are read from memory like elements, since ``x.shape = ...`` changes them.
    """
    if node.op is IF:
        return truth_effects(node.inputs[0])
    if node.op is FOR:
        return iteration_effects(node.inputs[0])
    if node.op in (WHILE, BLOCK, TRY):
        return Effects(aliases=())
    effects = node.op.effects(node.inputs, node.attrs)
    if node.op.name == "getattr" and not is_immutable(node.inputs[0].type):
        return replace(effects, reads=(0,))
    return effects


def test_effects(node: Node) -> Effects:
    """Return what testing does in a ``while``; input 0 is what its first region yields."""
    end = node.regions[0].end
    return truth_effects(end.values[0]) if end.kind == "yield" else Effects(aliases=())


def test_truth(node: Node) -> bool | None:
    """Return the truth of the test of an ``if`` or ``while`` where it is a constant, else None."""
    if node.op is IF:
        return constant_truth(node.inputs[0])
    if node.op is WHILE and node.regions[0].end.kind == "yield":
        return constant_truth(node.regions[0].end.values[0])
    return None


def escaping_inputs(node: Node, effects: Effects) -> Iterator[tuple[int, str]]:
    """Yield the positions of inputs that may be reached, after `node`, by ways it does not show.

    That is: they were handed to unknown code, stored in something that holds references, or the
    result may be anything that can be reached from them. With each position comes the reason.
    """
    anything = any(alias.sharing is Sharing.ANYTHING for alias in effects.aliases)
    holder = any(
        holds_references(output.type) and not is_transparent(output.type)
        for output in node.outputs
    )
    stored = any(holds_references(node.inputs[i].type) for i in effects.writes)
    for position, value in enumerate(node.inputs):
        if not carries_memory(value.type):
            continue
        if effects.calls:
            yield position, f"it is passed to code that is not compiled ({describe(node)})"
        elif stored and position not in effects.writes:
            yield position, f"it is stored in another object ({describe(node)})"
        elif anything or (holder and not _shares(effects, position)):
            yield position, f"another object may hold it ({describe(node)})"


def _shares(effects: Effects, position: int) -> bool:
    """Tell whether an output is a known alias of the input at `position`."""
    return any(
        position in alias.inputs and alias.sharing is not Sharing.ANYTHING
        for alias in effects.aliases
    )


def describe(node: Node) -> str:
    """Return a short name of `node` for messages: the operation, and the method or attribute."""
    name = node.attrs.get("name")
    text = f"{node.op.name} .{name}" if isinstance(name, str) else node.op.name
    if node.op.name == "call" and node.inputs and isinstance(node.inputs[0], Constant):
        called = getattr(node.inputs[0].value, "__name__", "")
        text = f"call of {called}" if isinstance(called, str) and called else text
    return text if node.origin is None else f"{text}, line {node.origin.line}"


def exits(region: Region, kind: TerminatorKind) -> Iterator[tuple[Region, Terminator]]:
    """Yield the terminators of `kind`, with their regions, that leave to the owner of `region`.

    ``yield`` is that of `region` alone. ``break`` and ``continue`` in the body of an inner loop
    are its own, but in its ``orelse`` they belong to the loop around, as in Python; ``return`` in
    an inner block is its own.
    """
    if region.end.kind == kind:
        yield region, region.end
    if kind == "yield":
        return
    for node in region.nodes:
        if node.op is BLOCK and kind == "return":
            continue
        inner = node.regions
        if kind in ("break", "continue"):
            inner = inner[loop_regions(node) :]
        for part in inner:
            yield from exits(part, kind)


def ends(region: Region, kinds: tuple[TerminatorKind, ...]) -> tuple[Terminator, ...]:
    """Return the terminators of `exits` for several kinds."""
    return tuple(end for kind in kinds for _, end in exits(region, kind))


def loop_regions(node: Node) -> int:
    """Return how many leading regions of `node` are a loop's own (test and body); else 0."""
    return 2 if node.op is WHILE else 1 if node.op is FOR else 0


def returns_at_its_end(node: Node) -> bool:
    """Tell whether `node` is a block whose only ``return`` is the end of its body."""
    if node.op is not BLOCK or node.regions[0].end.kind != "return":
        return False
    return len(list(exits(node.regions[0], "return"))) == 1


def is_essential(node: Node) -> bool:
    """Tell whether `node` itself does what a caller may see: write, call, raise, or not end."""
    if node.op is WHILE:
        return True
    effects = effects_of(node)
    return bool(effects.calls or effects.writes or effects.raises >= Raises.SHAPE)


def loop_body(node: Node) -> Region:
    """Return the body of a loop."""
    return node.regions[loop_regions(node) - 1]


def loop_orelse(node: Node) -> Region | None:
    """Return the region that runs when a loop ends without ``break``, if there is one."""
    rest = node.regions[loop_regions(node) :]
    return rest[0] if rest else None


def loop_state(node: Node) -> tuple[Value, ...]:
    """Return the initial state of a loop."""
    return node.inputs[1:] if node.op is FOR else node.inputs
