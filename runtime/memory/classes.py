"""Alias classes: which values may share memory.

Owns the partition of all values that carry memory, and the tier of each class. It leaves the
order of reads and writes to `order`. Invariants:

- values in different classes never share memory, except that class `ESCAPED` stands for anything
  that can be reached from outside: it overlaps every class in `visible`;
- a class in the value tier has one buffer under fixed names and views that certainly alias it.

The partition is found by unification (Steensgaard, POPL 1996), the fixed names by constant
propagation over the places where references meet (Wegman and Zadeck, TOPLAS 1991).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..ir.graph import Constant, Graph, Node, Origin, Region, Value, walk
from ..ir.types import ArrayType, IteratorType, OpaqueType, TupleType, Type, UnionType
from ..ops.control import BLOCK, FOR, IF, WHILE
from ..ops.registry import Alias, Sharing
from .effects import (
    carries_memory,
    effects_of,
    ends,
    escaping_inputs,
    holds_references,
    is_container,
    is_transparent,
    loop_body,
    loop_orelse,
    loop_regions,
    loop_state,
    test_truth,
)

ESCAPED = 0
"""The class of everything reachable in ways the graph does not show."""


class Tier(enum.Enum):
    """What a pass may assume of the references to a class."""

    VALUE = "one buffer, under fixed names"
    MEMORY = "ordered statements on real objects, untouched"


@dataclass(frozen=True, slots=True)
class Placement:
    """The tier of a class, and why."""

    tier: Tier
    reason: str = ""
    """Why it is in the memory tier; empty in the value tier."""
    origin: Origin | None = None
    """What put it there."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """Something that puts the class of `atom` into the memory tier (if it is written)."""

    atom: int
    reason: str
    origin: Origin | None
    when_written: bool = False


class AliasClasses:
    """The classes of one graph, or of several that share values.

    Classes are small integers; `ESCAPED` is 0, the others count in order of appearance.
    """

    def __init__(self, analysis: _Analysis) -> None:
        self._atoms = analysis.atoms
        numbers: dict[int, int] = {analysis.find(ESCAPED): ESCAPED}
        for atom in range(len(analysis.parent)):
            numbers.setdefault(analysis.find(atom), len(numbers))
        self._number = [numbers[analysis.find(atom)] for atom in range(len(analysis.parent))]
        self._root = analysis.roots()
        shown = {ESCAPED, *(self._number[atom] for atom in analysis.visible)}
        self.visible: tuple[int, ...] = tuple(sorted(shown))
        """Classes that code outside can reach: the caller's arrays and what escaped."""
        self.count = len(numbers)
        """How many classes there are."""
        self._placements = self._place(analysis)

    def of(self, value: Value) -> tuple[int, ...]:
        """Return the classes `value` leads to: none without memory, several for a tuple."""
        atoms = self._atoms.get(value)
        if atoms is None:
            return (ESCAPED,) if carries_memory(value.type) else ()
        return tuple(sorted({self._number[atom] for atom in atoms}))

    def reach(self, classes: Iterable[int]) -> tuple[int, ...]:
        """Return all classes whose memory an access to `classes` may touch."""
        found = set(classes)
        if ESCAPED in found:
            found.update(self.visible)
        return tuple(sorted(found))

    def root(self, value: Value) -> Value:
        """Return the value that is certainly the same object as `value`, defined first."""
        return self._root.get(value, value)

    def members(self, class_: int) -> tuple[Value, ...]:
        """Return the values of a class, in order of definition."""
        return tuple(value for value in self._atoms if class_ in self.of(value))

    def placement(self, class_: int) -> Placement:
        """Return the tier of a class, and what put it there."""
        return self._placements[class_]

    def _place(self, analysis: _Analysis) -> list[Placement]:
        placements = [Placement(Tier.VALUE)] * self.count
        placements[ESCAPED] = Placement(Tier.MEMORY, "it can be reached from outside")
        written = {self._number[atom] for atom in analysis.written}
        facts = list(analysis.facts)
        if analysis.island is not None:
            reason = "code that is not compiled may reach it"
            facts += [_Fact(atom, reason, analysis.island.origin) for atom in analysis.visible]
        for fact in reversed(facts):
            class_ = self._number[fact.atom]
            if not fact.when_written or class_ in written or ESCAPED == class_:
                placements[class_] = Placement(Tier.MEMORY, fact.reason, fact.origin)
        return placements


class _Analysis:
    """The state of the analysis: a union-find structure over atoms of memory."""

    def __init__(self, overlapping: bool) -> None:
        self.overlapping = overlapping
        self.parent: list[int] = [ESCAPED]
        self.atoms: dict[Value, tuple[int, ...]] = {}
        self.visible: dict[int, None] = {}
        self.written: dict[int, None] = {}
        self.facts: list[_Fact] = []
        self.island: Node | None = None
        self.same: dict[Value, Value] = {}
        self.meeting: dict[Value, tuple[Value, ...]] = {}
        self.meeting_origin: dict[Value, Origin | None] = {}
        self._blocks: list[Node] = []

    def find(self, atom: int) -> int:
        while self.parent[atom] != atom:
            self.parent[atom] = self.parent[self.parent[atom]]
            atom = self.parent[atom]
        return atom

    def unite(self, atoms: Sequence[int]) -> None:
        for atom in atoms[1:]:
            a, b = sorted((self.find(atoms[0]), self.find(atom)))
            self.parent[b] = a

    def new_atom(self) -> int:
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def atoms_of(self, value: Value) -> tuple[int, ...]:
        known = self.atoms.get(value)
        if known is not None:
            return known
        if not carries_memory(value.type):
            return ()
        atoms = (ESCAPED,) if isinstance(value, Constant) else (self.new_atom(),)
        self.atoms[value] = atoms
        return atoms

    def bind(self, value: Value, atoms: Sequence[int], *, apart: bool = False) -> None:
        """Let `value` lead to `atoms` (and to what it leads to already): one class unless apart."""
        if not carries_memory(value.type):
            return
        together = tuple(dict.fromkeys((*self.atoms.get(value, ()), *atoms)))
        if not together:
            self.atoms_of(value)
            return
        if not apart:
            self.unite(together)
        self.atoms[value] = together if apart else together[:1]

    def meet(self, value: Value, sources: Iterable[Value], origin: Origin | None) -> None:
        """Record that `value` is one of `sources`."""
        known = self.meeting.get(value, ())
        both = tuple(dict.fromkeys((*known, *sources)))
        self.meeting[value] = both
        self.meeting_origin.setdefault(value, origin)
        if carries_memory(value.type):
            self.bind(value, [atom for source in both for atom in self.atoms_of(source)])

    def graph(self, graph: Graph) -> None:
        for param in graph.params:
            if not carries_memory(param.type) or param in self.atoms:
                continue
            if self.overlapping or not _is_buffer(param.type):
                self.atoms[param] = (ESCAPED,)
                reason = "arguments may overlap" if self.overlapping else "the caller holds it"
                self.facts.append(_Fact(ESCAPED, reason, None))
            else:
                self.visible[self.atoms_of(param)[0]] = None
        self.region(graph.body)

    def region(self, region: Region) -> None:
        for node in region.nodes:
            if node.regions:
                self.region_node(node)
            else:
                self.plain_node(node)
        if region.end.kind == "raise":
            for value in region.end.values:
                self.escape(value, "it is raised", region.end.origin)

    def plain_node(self, node: Node) -> None:
        effects = effects_of(node)
        if effects.calls and self.island is None:
            self.island = node
        for position in effects.writes:
            self.written.update(dict.fromkeys(self.atoms_of(node.inputs[position])))
        for position, reason in escaping_inputs(node, effects):
            self.escape(node.inputs[position], reason, node.origin)
        aliases = effects.aliases or (Alias(Sharing.FRESH),) * len(node.outputs)
        if len(aliases) != len(node.outputs):
            aliases = (*aliases, *(Alias(Sharing.ANYTHING),) * len(node.outputs))
        for output, alias in zip(node.outputs, aliases, strict=False):
            self.output(node, output, alias)

    def output(self, node: Node, output: Value, alias: Alias) -> None:
        sources = [node.inputs[i] for i in alias.inputs]
        if alias.sharing is Sharing.SAME and len(sources) == 1:
            self.same[output] = sources[0]
        if not carries_memory(output.type):
            return
        shared = [atom for source in sources for atom in self.atoms_of(source)]
        if alias.sharing is Sharing.FRESH:
            self.fresh(node, output)
        elif alias.sharing is Sharing.ANYTHING:
            self.bind(output, (ESCAPED,))
        else:
            through = any(_gives_contents(source.type) for source in sources)
            if through and alias.sharing is not Sharing.SAME:
                shared.append(ESCAPED)
            self.bind(output, shared, apart=node.op.name == "build_tuple")
            if alias.sharing is Sharing.MAYBE and node.op.name != "build_tuple":
                reason = f"a view or a copy, known at run time ({node.op.name})"
                self.facts += [_Fact(atom, reason, node.origin, True) for atom in shared]

    def fresh(self, node: Node, output: Value) -> None:
        """Bind an output that is new; what it was made of may hang on it."""
        if is_transparent(output.type):
            atoms = [atom for value in node.inputs for atom in self.atoms_of(value)]
            self.bind(output, atoms, apart=node.op.name == "build_tuple")
        elif is_container(output.type) or not holds_references(output.type):
            atom = self.atoms_of(output)
            if is_container(output.type):
                reason = "it holds references to other objects"
                self.facts.append(_Fact(atom[0], reason, node.origin))
        else:
            self.bind(output, (ESCAPED,))

    def escape(self, value: Value, reason: str, origin: Origin | None) -> None:
        atoms = self.atoms_of(value)
        self.facts += [_Fact(atom, reason, origin) for atom in atoms]
        self.unite((ESCAPED, *atoms))

    def region_node(self, node: Node) -> None:
        if node.op is IF:
            self.branch(node)
        elif node.op is BLOCK:
            self.region(node.regions[0])
            for end in ends(node.regions[0], ("yield", "return")):
                self.hand_over(node.outputs, end.values, node.origin)
        elif node.op is WHILE or node.op is FOR:
            self.loop(node)
        else:
            self.guarded(node)

    def guarded(self, node: Node) -> None:
        """Bind what ``try`` and ``with`` define: errors, and what a context manager gives."""
        effects = effects_of(node)
        if effects.calls:
            self.island = self.island or node
        for position, reason in escaping_inputs(node, effects):
            self.escape(node.inputs[position], reason, node.origin)
        for region in node.regions:
            for param in region.params:
                self.bind(param, (ESCAPED,))
            self.region(region)
        for output in node.outputs:
            self.bind(output, (ESCAPED,))

    def branch(self, node: Node) -> None:
        effects = effects_of(node)
        if effects.calls:
            self.island = self.island or node
        taken = test_truth(node)
        for index, region in enumerate(node.regions):
            if taken is not None and taken == bool(index):
                continue
            self.region(region)
            if region.end.kind == "yield":
                self.hand_over(node.outputs, region.end.values, node.origin)

    def loop(self, node: Node) -> None:
        state = loop_state(node)
        body, orelse = loop_body(node), loop_orelse(node)
        skip = 0
        if node.op is FOR:
            skip = 1
            self.item(node, body.params[0])
        holders = [region.params for region in node.regions]
        holders[loop_regions(node) - 1] = body.params[skip:]
        for params in holders[: loop_regions(node)]:
            self.hand_over(params, state, node.origin)
        if node.op is WHILE:
            self.region(node.regions[0])
        self.region(body)
        for end in ends(body, ("yield", "continue")):
            for params in holders[: loop_regions(node)]:
                self.hand_over(params, end.values, node.origin)
        last: tuple[Value, ...] = holders[0]
        if orelse is not None:
            self.hand_over(orelse.params, last, node.origin)
            self.region(orelse)
            if orelse.end.kind == "yield":
                self.hand_over(node.outputs, orelse.end.values, node.origin)
        else:
            self.hand_over(node.outputs, last, node.origin)
        for end in ends(body, ("break",)):
            self.hand_over(node.outputs, end.values, node.origin)

    def item(self, node: Node, item: Value) -> None:
        """Bind the item of a ``for``: a row, what a container holds, or what an iterator gives."""
        iterable = node.inputs[0]
        effects = effects_of(node)
        if effects.calls:
            self.island = self.island or node
            self.escape(iterable, "it is iterated by code that is not compiled", node.origin)
        if effects.writes:
            self.written.update(dict.fromkeys(self.atoms_of(iterable)))
        atoms = list(self.atoms_of(iterable))
        if _gives_contents(iterable.type):
            atoms.append(ESCAPED)
        self.bind(item, atoms)
        if carries_memory(item.type) and _is_buffer(iterable.type):
            reason = "a row of it goes by another name at each trip"
            self.facts += [_Fact(atom, reason, node.origin, True) for atom in atoms]

    def hand_over(
        self, to: Sequence[Value], values: Sequence[Value], origin: Origin | None
    ) -> None:
        for target, source in zip(to, values, strict=True):
            self.meet(target, (source,), origin)

    def roots(self) -> dict[Value, Value]:
        """Return what each value that is certainly another object is, and note joined references.

        A place where references meet is the object they all are, if it is one; the meeting value
        itself (reached round a loop) does not count.
        """
        root: dict[Value, Value] = {}

        def resolve(value: Value) -> Value | None:
            while True:
                if value in self.same:
                    value = self.same[value]
                elif value not in self.meeting or root.get(value) is value:
                    return value
                elif value in root:
                    value = root[value]
                else:
                    return None

        changed = True
        while changed:
            changed = False
            for value, sources in self.meeting.items():
                if root.get(value) is value:
                    continue
                found = dict.fromkeys(r for s in sources if (r := resolve(s)) is not None)
                new = value if len(found) > 1 else next(iter(found), None)
                if new is not None and root.get(value) is not new:
                    root[value] = new
                    changed = True
        for value in self.meeting:
            if root.get(value, value) is value and value in self.atoms:
                reason = f"{value.name or 'a value'} is one of several objects"
                origin = self.meeting_origin[value]
                self.facts += [_Fact(atom, reason, origin) for atom in self.atoms[value]]
        for value in self.same:
            found_root = resolve(value)
            if found_root is not None:
                root[value] = found_root
        return root


def _is_buffer(type_: Type) -> bool:
    """Tell whether memory of `type_` is one buffer that holds no references."""
    if isinstance(type_, UnionType):
        options = [option for option in type_.options if carries_memory(option)]
        return all(_is_buffer(option) for option in options)
    return isinstance(type_, ArrayType) or (isinstance(type_, OpaqueType) and type_.plain)


def _gives_contents(type_: Type) -> bool:
    """Tell whether an item of `type_` may be something that `type_` merely refers to."""
    if isinstance(type_, TupleType):
        return False
    if isinstance(type_, IteratorType):
        return holds_references(type_.item)
    return holds_references(type_)


def alias_classes(*graphs: Graph, overlapping: bool = False) -> AliasClasses:
    """Return the alias classes of a graph, or one partition for several graphs.

    Parameters
    ----------
    *graphs
        The graph; or a graph and what a pass made of it (they share values), for one partition
        that is right for both.
    overlapping
        Whether arguments may share memory with each other. If not, whoever calls the program must
        have checked that each array argument shares none with another.

    Returns
    -------
    AliasClasses
        The side table.
    """
    analysis = _Analysis(overlapping)
    for graph in graphs:
        analysis.graph(graph)
    return AliasClasses(analysis)


def explain(graph: Graph, classes: AliasClasses) -> tuple[str, ...]:
    """Return a line for each written class in the memory tier: its values, why, and where."""
    written: dict[int, None] = {}
    for node in walk(graph.body):
        for position in effects_of(node).writes:
            written.update(dict.fromkeys(classes.of(node.inputs[position])))
    lines = []
    for class_ in sorted(written):
        placement = classes.placement(class_)
        if placement.tier is Tier.MEMORY:
            names = dict.fromkeys(v.name for v in classes.members(class_) if v.name)
            where = f"line {placement.origin.line}: " if placement.origin else ""
            lines.append(f"{where}{', '.join(names) or 'an object'}: {placement.reason}")
    return tuple(lines)
