"""The skeleton of a graph: what it does that a caller may see, in order.

Owns the sequence of writes, calls, operations that may raise, jumps and loops that may not end,
nested as the regions are. It leaves comparing skeletons to `verifier`. Invariant: control flow
that is decided by constants is seen through, so that pruning it does not change the skeleton.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..ir.graph import Graph, Node, Region, Terminator
from ..ops.control import BLOCK, FOR, IF, WHILE
from .effects import is_essential
from .order import Truth


@dataclass(frozen=True, eq=False)
class Step:
    """One step of a skeleton: an operation, or the end of a region by a jump."""

    kind: str
    """``op``, or the kind of the terminator."""
    node: Node | None = None
    parts: tuple[tuple[Step, ...], ...] = ()
    """The skeletons of the operation's regions."""
    end: Terminator | None = None
    """The terminator, if the step is one."""

    @property
    def name(self) -> object:
        """What is equal for one step before and after a pass."""
        return self.kind if self.node is None else self.node.key


def skeleton(graph: Graph, truth: Truth) -> tuple[Step, ...]:
    """Return the skeleton of a graph; `truth` tells what is known of its tests."""
    return _region(graph.body, truth)[0]


def _region(region: Region, truth: Truth) -> tuple[tuple[Step, ...], bool]:
    """Return the steps of a region, and whether its end may be a ``yield`` that is reached."""
    steps: list[Step] = []
    for node in region.nodes:
        inner, goes_on = _node(node, truth)
        steps.extend(inner)
        if not goes_on:
            return tuple(steps), False
    if region.end.kind == "yield":
        return tuple(steps), True
    return (*steps, Step(region.end.kind, end=region.end)), False


def _node(node: Node, truth: Truth) -> tuple[tuple[Step, ...], bool]:
    if not node.regions:
        return ((Step("op", node),) if is_essential(node) else ()), True
    known = truth(node)
    if node.op is IF and known is not None:
        return _region(node.regions[0 if known else 1], truth)
    if node.op is WHILE and known is False:
        steps, goes_on = _region(node.regions[0], truth)
        for orelse in node.regions[2:] if goes_on else ():
            more, goes_on = _region(orelse, truth)
            steps = (*steps, *more)
        return steps, goes_on
    if node.op is BLOCK:
        steps, yields = _region(node.regions[0], truth)
        if steps and steps[-1].kind == "return":
            steps, yields = steps[:-1], True
        if not any(map(_returns, steps)):
            return steps, yields
    parts = [_region(region, truth) for region in node.regions]
    goes_on = node.op is not IF or any(open_ for _, open_ in parts)
    step = Step("op", node, tuple(steps for steps, _ in parts))
    if is_essential(node) or any(step.parts):
        return (step,), goes_on
    return (), goes_on


def _returns(step: Step) -> bool:
    """Tell whether `step` may be left by a ``return`` of the block around it."""
    if step.node is None or step.node.op is BLOCK:
        return step.kind == "return"
    return any(_returns(inner) for part in step.parts for inner in part)


def all_steps(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield `steps` and those inside them, in order."""
    for step in steps:
        yield step
        for part in step.parts:
            yield from all_steps(part)


def may_be_dropped(step: Step, excused: Callable[[Node], bool]) -> bool:
    """Tell whether all that `step` does is to decide, within itself, what runs there.

    Operations that are `excused` count as harmless.
    """
    return step.node is not None and not _leaves(step, excused)


def _leaves(
    step: Step, excused: Callable[[Node], bool], loop: bool = False, block: bool = False
) -> bool:
    """Tell whether `step` has an effect, or a jump that leaves what is being looked at."""
    node = step.node
    if node is None:
        if step.kind in ("break", "continue"):
            return not loop
        return not (step.kind == "return" and block)
    if is_essential(node) and (node.regions or not excused(node)):
        return True
    for number, part in enumerate(step.parts):
        inside = loop or (node.op is FOR and number == 0)
        if any(_leaves(inner, excused, inside, block or node.op is BLOCK) for inner in part):
            return True
    return False
