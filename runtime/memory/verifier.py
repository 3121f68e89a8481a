"""Checking that a pass kept what memory and effects mean.

Owns the comparison of a graph with what a pass made of it. It leaves the shape of graphs to
`runtime.ir.verifier`, and whether values are computed rightly to the tests of the passes.
Invariant: operations are matched by key, and one partition into alias classes, right for both
graphs, is used for both.

The rules, each with its reason in ``docs/decisions``:

- every read sees the writes that it saw;
- every write, call and operation that may raise happens where it did, in the same order; one that
  raises may go only if an equal one always runs before it, or if it was run while compiling;
- two objects become one only if nobody can tell;
- what was made while compiling and can change is only read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ..errors import GraphError
from ..ir.graph import Constant, Graph, Node, Region, Value, walk
from ..ops.control import BLOCK, WHILE
from ..ops.registry import Raises
from .classes import AliasClasses, alias_classes
from .congruence import Congruence
from .effects import carries_memory, describe, effects_of, loop_regions, test_truth
from .escapes import IdentityUses, escapes
from .order import ENTRY_KEY, memory_order, writes_by_class
from .skeleton import Step, all_steps, may_be_dropped, skeleton


def verify_memory(before: Graph, after: Graph, *, overlapping: bool = True) -> Graph:
    """Return `after` if memory and effects mean in it what they mean in `before`.

    Parameters
    ----------
    before
        A well-formed graph.
    after
        What a pass made of it: operations that are the same have the same key.
    overlapping
        Whether arguments may share memory with each other.

    Returns
    -------
    Graph
        `after`.

    Raises
    ------
    GraphError
        At the first rule that is broken; the message names the operations, with their lines.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import numpy as np
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import ArrayType
    >>> from runtime.ops import containers
    >>> build = Builder()
    >>> x = build.param(ArrayType(np.dtype("f8"), (3,)), "x")
    >>> _ = build.append(containers.SETITEM, [x, Constant(0), Constant(1.0)])
    >>> build.end("return", [x])
    >>> before = build.graph("f")
    >>> verify_memory(before, replace(before, body=replace(before.body, nodes=())))
    Traceback (most recent call last):
    ...
    runtime.errors.GraphError: graph f: setitem was dropped: it writes x
    """
    _Check(before, after, overlapping).run()
    return after


class _Check:
    def __init__(self, before: Graph, after: Graph, overlapping: bool) -> None:
        self.before, self.after = before, after
        self.old = {node.key: node for node in walk(before.body)}
        self.new = {node.key: node for node in walk(after.body)}
        self.classes: AliasClasses = alias_classes(before, after, overlapping=overlapping)
        refined = {key: self.new[key] for key, node in self.old.items() if self.is_refined(node)}
        self.old_order = memory_order(before, self.classes, known=refined)
        self.new_order = memory_order(after, self.classes, self.truth)
        self.congruence = Congruence(before, self.classes, self.old_order)
        self.identity = IdentityUses(before)
        self.old_steps: set[object] = set()
        self.loops: list[tuple[Node, Node]] = []
        self.blocks: list[tuple[Node, Node]] = []
        self.written = dict.fromkeys(
            (*writes_by_class(before, self.old_order), *writes_by_class(after, self.new_order))
        )

    def truth(self, node: Node) -> bool | None:
        """Return what `before` knows of a test: a pass may know more, but is not to be asked."""
        return test_truth(self.old.get(node.key, node))

    def run(self) -> None:
        steps = skeleton(self.before, test_truth), skeleton(self.after, self.truth)
        self.old_steps = {step.name for step in all_steps(steps[0])}
        self.compare_steps(*steps)
        for key, node in self.new.items():
            old = self.old.get(key)
            if old is not None and self.old_order.is_reached(old):
                self.compare_accesses(old, node)
        self.compare_operands()
        self.compare_loops()
        self.check_constants()

    def fail(self, message: str) -> GraphError:
        return GraphError(f"graph {self.before.name}: {message}")

    def names(self, classes: Sequence[int]) -> str:
        """Return the user's names of the values in `classes`."""
        found = dict.fromkeys(
            value.name for class_ in classes for value in self.classes.members(class_) if value.name
        )
        return ", ".join(found) or "memory without a name"

    # -- order of effects -------------------------------------------------------------------

    def compare_steps(self, old: Sequence[Step], new: Sequence[Step]) -> None:
        """Check that `new` has the steps of `old`, in order, but for those that may go."""
        position = 0
        for step in old:
            while position < len(new) and new[position].node is not None:
                if new[position].name in self.old_steps:
                    break
                self.fail_extra(new[position])
            if position < len(new) and new[position].name == step.name:
                self.compare_matched(step, new[position])
                position += 1
            else:
                self.check_dropped(step)
        if position < len(new):
            self.fail_extra(new[position])

    def fail_extra(self, step: Step) -> NoReturn:
        """Fail at a step that was not there."""
        node = step.node
        if node is None:
            raise self.fail(f"a region ends with {step.kind} that did not")
        if node.key in self.old_steps:
            raise self.fail(f"{describe(node)} was moved: {self.effect(node)}")
        writes = effects_of(node).writes
        if writes:
            self.fail_write(node, [c for i in writes for c in self.classes.of(node.inputs[i])])
        raise self.fail(f"{describe(node)} has an effect that was not there: {self.effect(node)}")

    def compare_matched(self, old: Step, new: Step) -> None:
        if old.end is not None and new.end is not None:
            owners = self.loops if old.kind in ("break", "continue") else self.blocks
            pair = owners[-1] if owners and old.kind != "raise" else None
            values = _aligned(pair, old.end.values, new.end.values)
            for value, other in zip(*values, strict=True):
                self.check_replaced(value, other, old.kind)
        if old.node is None or new.node is None:
            return
        if len(old.parts) != len(new.parts):
            raise self.fail(f"{describe(old.node)} has another number of regions")
        pair = (old.node, new.node)
        for number, (old_part, new_part) in enumerate(zip(old.parts, new.parts, strict=True)):
            in_loop = number < loop_regions(old.node)
            in_block = old.node.op is BLOCK
            self.loops += [pair] * in_loop
            self.blocks += [pair] * in_block
            self.compare_steps(old_part, new_part)
            del self.loops[len(self.loops) - in_loop :]
            del self.blocks[len(self.blocks) - in_block :]

    def check_dropped(self, step: Step) -> None:
        node = step.node
        if node is None:
            raise self.fail(f"the {step.kind} at the end of a region is lost")
        if may_be_dropped(step, self.is_excused):
            return
        if node.regions:
            for inner in (inner for part in step.parts for inner in part):
                if not may_be_dropped(inner, self.is_excused) and inner.node is not None:
                    self.check_dropped(inner)
            raise self.fail(f"{describe(node)} was dropped: {self.effect(node)}")
        moved = node.key in self.new and self.has_effect(self.new[node.key])
        what = "was moved" if moved else "was dropped"
        raise self.fail(f"{describe(node)} {what}: {self.effect(node)}")

    def is_excused(self, node: Node) -> bool:
        """Tell whether an operation with an effect may be missing from the new skeleton.

        It may if it is still there, and what is now known of its inputs excludes an effect; or if
        its only effect is that it may raise, and it was run while compiling, or an equal one
        always runs before it.
        """
        if node.key in self.new:
            return self.is_refined(node)
        effects = effects_of(node)
        if effects.calls or effects.writes:
            return False
        return (
            self.congruence.constant(node) is not None
            or self.congruence.repeats(node, self.new) is not None
        )

    def is_refined(self, node: Node) -> bool:
        """Tell whether `node` is still there, with inputs that exclude an effect."""
        kept = self.new.get(node.key)
        if kept is None or kept.op is not node.op or node.regions:
            return False
        return self.has_effect(node) and not self.has_effect(kept)

    def has_effect(self, node: Node) -> bool:
        effects = effects_of(node)
        return bool(
            node.regions or effects.calls or effects.writes or effects.raises >= Raises.SHAPE
        )

    def effect(self, node: Node) -> str:
        """Return in words why the place of `node` matters."""
        if node.op is WHILE:
            return "it may not end"
        effects = effects_of(node)
        if effects.calls:
            return "it may run unknown code"
        if effects.writes:
            classes = [c for i in effects.writes for c in self.classes.of(node.inputs[i])]
            return f"it writes {self.names(classes)}"
        may_raise = effects.raises >= Raises.SHAPE
        return "it may raise" if may_raise else "it decides what happens"

    # -- memory -----------------------------------------------------------------------------

    def compare_accesses(self, old: Node, new: Node) -> None:
        """Check that one operation reads the same versions and writes the same classes."""
        key = old.key
        made = self.new_order.writes.get(key)
        if made is None:
            return
        extra = [c for c in made if c not in self.old_order.writes[key]]
        if extra:
            self.fail_write(new, extra)
        for class_, version in self.new_order.reads[key].items():
            seen = self.new_order.reaching(version)
            known = self.old_order.reads[key].get(class_)
            if known is None:
                if class_ in self.written and seen != {ENTRY_KEY}:
                    raise self.fail(
                        f"{describe(new)} reads {self.names([class_])}, which it did not"
                    )
            elif seen != self.old_order.reaching(known):
                self.fail_read(new, class_, seen, self.old_order.reaching(known))

    def fail_write(self, node: Node, classes: Sequence[int]) -> NoReturn:
        found = escapes(self.before, self.classes)
        for position in effects_of(node).writes:
            escape = found.of(node.inputs[position])
            if escape is not None:
                name = node.inputs[position].name or "memory"
                raise self.fail(
                    f"{describe(node)} writes {name}, which has escaped: {escape.reason}"
                )
        raise self.fail(f"{describe(node)} writes {self.names(classes)}, which it did not")

    def fail_read(
        self, node: Node, class_: int, seen: frozenset[int], known: frozenset[int]
    ) -> NoReturn:
        lost = [self.writer(key) for key in sorted(known - seen)]
        gained = [self.writer(key) for key in sorted(seen - known)]
        parts = []
        if lost:
            parts.append(f"no longer sees {', '.join(lost)}")
        if gained:
            parts.append(f"now sees {', '.join(gained)}")
        raise self.fail(f"{describe(node)} reads {self.names([class_])} and {' and '.join(parts)}")

    def writer(self, key: int) -> str:
        if key == ENTRY_KEY:
            return "what it held at first"
        return "the write by " + describe(self.old.get(key) or self.new[key])

    # -- replaced values --------------------------------------------------------------------

    def compare_operands(self) -> None:
        """Check each value that is used in place of another."""
        for key, node in self.new.items():
            old = self.old.get(key)
            if old is None or old.op is not node.op:
                continue
            pair = (old, node)
            values = _aligned(pair, old.inputs, node.inputs)
            for value, other in zip(*values, strict=True):
                self.check_replaced(value, other, describe(node))
            if len(old.regions) != len(node.regions):
                continue
            for ends in zip(old.regions, node.regions, strict=True):
                if all(region.end.kind == "yield" for region in ends):
                    values = _aligned(pair, *(region.end.values for region in ends))
                    for value, other in zip(*values, strict=True):
                        self.check_replaced(value, other, "yield")

    def check_replaced(self, old: Value, new: Value, user: str) -> None:
        """Check that `user` may take `new` where it took `old`."""
        if old is new or self.classes.root(old) is self.classes.root(new):
            return
        node = self.congruence.producer(old)
        if node is not None and not node.regions and self.old_order.is_reached(node):
            self.check_read(node, new, user)
        if not carries_memory(old.type) and not self.identity.matters(old):
            return
        if isinstance(new, Constant) and not carries_memory(new.type):
            return
        if self.identity.matters(old):
            names = f"{new.name or 'another object'} in place of {old.name or 'an object'}"
            raise self.fail(f"{user} takes {names}: the two can be told apart")

    def check_read(self, node: Node, new: Value, user: str) -> None:
        """Check that `new` saw the memory that `node`, whose result it replaces, sees."""
        changing = [c for c in self.old_order.reads[node.key] if c in self.written]
        if not changing:
            return
        other = self.congruence.producer(new)
        same = (
            other is not None
            and other.op is node.op
            and self.old_order.is_reached(other)
            and self.old_order.version(other) == self.old_order.version(node)
        )
        if not same:
            raise self.fail(
                f"{user} takes {new.name or 'another value'} in place of what {describe(node)} "
                f"reads of {self.names(changing)}, which is written in between"
            )

    # -- fresh memory -----------------------------------------------------------------------

    def compare_loops(self) -> None:
        """Check that what was new at each trip of a loop still is, where that can be told."""
        old_loop, new_loop = _innermost_loops(self.before.body), _innermost_loops(self.after.body)
        for key, node in self.new.items():
            if key not in self.old or old_loop[key] == new_loop[key]:
                continue
            if any(carries_memory(o.type) and self.identity.matters(o) for o in node.outputs):
                raise self.fail(
                    f"{describe(node)} was moved to another loop, but what it makes is written "
                    "or escapes"
                )

    def check_constants(self) -> None:
        """Check that objects which a pass made, and which can change, are only read."""
        known = {id(value.value) for value in _constants(self.before)}
        identity = IdentityUses(self.after)
        for value in _constants(self.after):
            made = id(value.value) not in known and carries_memory(value.type)
            if made and identity.matters(value):
                raise self.fail(
                    f"a constant {type(value.value).__name__} was made that escapes or is written"
                )


def _aligned(
    owners: tuple[Node, Node] | None,
    old_values: tuple[Value, ...],
    new_values: tuple[Value, ...],
) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """Return the values handed to an operation before and after, pairwise, without dropped ones."""
    if len(old_values) == len(new_values):
        return old_values, new_values
    if owners is None or not owners[0].regions:
        return (), ()
    old, new = owners
    lead = len(new_values) - len(new.outputs)
    if lead != len(old_values) - len(old.outputs) or lead < 0:
        return (), ()
    if any(output not in old.outputs for output in new.outputs):
        return (), ()
    kept = [old.outputs.index(output) + lead for output in new.outputs]
    return (*old_values[:lead], *(old_values[i] for i in kept)), new_values


def _innermost_loops(region: Region, loop: int = 0) -> dict[int, int]:
    """Return, for each operation, the key of the loop it stands in; 0 for none."""
    found: dict[int, int] = {}
    for node in region.nodes:
        found[node.key] = loop
        for number, inner in enumerate(node.regions):
            inside = node.key if number < loop_regions(node) else loop
            found.update(_innermost_loops(inner, inside))
    return found


def _constants(graph: Graph) -> list[Constant]:
    """Return the constants of a graph, in order of use."""
    found: dict[Value, None] = {}
    pending = [graph.body]
    while pending:
        region = pending.pop(0)
        for node in region.nodes:
            found.update(dict.fromkeys(node.inputs))
            pending.extend(node.regions)
        found.update(dict.fromkeys(region.end.values))
    return [value for value in found if isinstance(value, Constant)]
