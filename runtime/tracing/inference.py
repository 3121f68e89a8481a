"""Type inference over regions.

Owns the fixpoint that settles the types of loops without running any Python: the types at the
back edge are joined into the parameters, and the ``infer`` of every operation in the region is run
again until nothing changes. It leaves deciding whether Python code must be traced again to
`control`. Invariant: types only grow, so the iteration ends; a stubborn one is made opaque.

The scheme is the worklist iteration of dataflow analysis (Kildall, POPL 1973) on a structured
program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.graph import Constant, Node, Region, Terminator, TerminatorKind, Value
from ..ir.lattice import join, join_all
from ..ir.types import OPAQUE, PLAIN, SlotType, Type, is_plain
from ..ops.containers import SETITEM
from ..ops.control import APPLY, BLOCK, FOR, IF, TRY, WHILE, WITH
from ..ops.iteration import item_type

_ROUNDS = 12


def exits(region: Region, kind: TerminatorKind) -> Iterator[Terminator]:
    """Yield the terminators of `kind` that belong to the construct owning `region`.

    ``break`` and ``continue`` of inner loops are theirs, ``return`` in an inner block is its own;
    ``yield`` is that of `region` alone.
    """
    if region.end.kind == kind:
        yield region.end
    if kind == "yield":
        return
    for node in region.nodes:
        if node.op is BLOCK and kind == "return":
            continue
        regions = node.regions
        if node.op in (WHILE, FOR) and kind in ("break", "continue"):
            regions = regions[2 if node.op is WHILE else 1 :]  # jumps in its ``else`` leave it too
        for inner in regions:
            yield from exits(inner, kind)


def widen(value: Value, type_: Type) -> bool:
    """Join `type_` into the type of `value`; tell whether that changed it."""
    if isinstance(value, Constant):
        return False
    joined = join(value.type, type_)
    if joined == value.type:
        return False
    value.type = joined
    return True


def infer_region(region: Region) -> None:
    """Bring the types of everything in `region` up to date with its parameters."""
    for node in region.nodes:
        infer_node(node)


def settle_slots(regions: Sequence[Region], slots: Sequence[Value]) -> None:
    """Bring the types in all `regions` up to date with what variables in memory may hold.

    A loop may read a variable before it assigns the variable a value of another type.
    """
    for _ in range(_ROUNDS):
        before = [slot.type for slot in slots]
        for region in regions:
            infer_region(region)
        if [slot.type for slot in slots] == before:
            return
    for slot in slots:
        widen(slot, SlotType(OPAQUE))
    for region in regions:
        infer_region(region)


def infer_node(node: Node) -> None:
    """Bring the types of a node's outputs and regions up to date with its inputs."""
    if node.op is IF:
        for region in node.regions:
            infer_region(region)
        _widen_all(node.outputs, node.regions, "yield")
    elif node.op is BLOCK:
        infer_region(node.regions[0])
        _widen_all(node.outputs, node.regions, "return")
    elif node.op is WHILE:
        settle_loop(node.inputs, None, node.regions[:2], node.regions[2:], node.outputs)
    elif node.op is FOR:
        item = item_type(node.inputs[0].type)
        settle_loop(node.inputs[1:], item, node.regions[:1], node.regions[1:], node.outputs)
    elif node.op is APPLY:
        pass  # `recursion` settles what its function returns
    elif node.op in (TRY, WITH):
        for region in node.regions:
            infer_region(region)
    elif node.op is SETITEM and isinstance(node.inputs[0].type, SlotType):
        widen(node.inputs[0], SlotType(node.inputs[2].type))
    else:
        for output, type_ in zip(
            node.outputs, node.op.result_types(node.inputs, node.attrs), strict=True
        ):
            widen(output, type_)


def settle_loop(
    initial: Sequence[Value],
    item: Type | None,
    regions: Sequence[Region],
    orelse: Sequence[Region],
    outputs: Sequence[Value],
) -> None:
    """Run the fixpoint of one loop.

    Arguments
    ---------
    initial
        The state at entry.
    item
        Type of the items of a ``for``, None for ``while``.
    regions
        The regions entered at each trip, the body last.
    orelse
        The region of the loop's ``else``, if there is one.
    outputs
        The state after the loop; their types are widened to what may reach them.
    """
    skip = 0 if item is None else 1
    body = regions[-1]
    state = [value.type for value in initial]
    for turn in range(_ROUNDS + 1):
        changed = False
        for region in regions:
            offset = skip if region is body else 0
            if offset and item is not None:
                changed |= widen(region.params[0], item)
            for param, type_ in zip(region.params[offset:], state, strict=True):
                changed |= widen(param, type_)
        state = [param.type for param in body.params[skip:]]
        if turn and not changed:
            break
        for region in regions:
            infer_region(region)
        back = [*exits(body, "yield"), *exits(body, "continue")]
        arriving = [join_all(end.values[i].type for end in back) for i in range(len(state))]
        if turn == _ROUNDS - 1:
            arriving = [_give_up(a, b) for a, b in zip(state, arriving, strict=True)]
        state = [join(a, b) for a, b in zip(state, arriving, strict=True)]
    final = state
    if orelse:
        for param, type_ in zip(orelse[0].params, state, strict=True):
            widen(param, type_)
        infer_region(orelse[0])
        ends = list(exits(orelse[0], "yield"))
        final = [join_all(end.values[i].type for end in ends) for i in range(len(state))]
    breaks = list(exits(body, "break"))
    for i, output in enumerate(outputs):
        widen(output, join_all([final[i], *(end.values[i].type for end in breaks)]))


def _give_up(old: Type, new: Type) -> Type:
    """Widen to opaque what still changes after many rounds."""
    if join(old, new) == old:
        return old
    return PLAIN if is_plain(old) and is_plain(new) else OPAQUE


def _widen_all(outputs: Sequence[Value], regions: Sequence[Region], kind: TerminatorKind) -> None:
    ends = [end for region in regions for end in exits(region, kind)]
    for i, output in enumerate(outputs):
        widen(output, join_all(end.values[i].type for end in ends))
