"""The graph as scheduling reads it: values resolved, blocks dissolved, files told apart.

Owns what is decided before any statement exists: which values are one (the parameters of a loop's
regions; the outputs of a block without early return and what it returns), which operations become
the target of a ``for``, which run of operations becomes a function of its own because it is from
another file, and how often each value is used. It leaves nesting and statements to `schedule`.
Invariant: the graph is not touched; every answer is a side table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..ir.graph import Constant, Graph, Node, Region, Terminator, Value, walk
from ..ir.types import SlotType, TupleType, Type
from ..ops.closures import CLOSURE
from ..ops.containers import CHECK_BOUND
from ..ops.control import APPLY, BLOCK, FOR, IF, WHILE
from ..ops.registry import Raises
from .boundness import needless_checks
from .statements import Target

UserList = list[Node | Terminator]


@dataclass(frozen=True, eq=False)
class Run:
    """Consecutive operations from another file, to be a function of its own."""

    file: str
    name: str
    body: Region
    outputs: tuple[Value, ...]
    captures: tuple[Value, ...]


class GraphView:
    """Side tables over one graph."""

    def __init__(self, graph: Graph) -> None:
        self._same: dict[Value, Value] = {}
        self.renamed: dict[Value, Value] = {}
        """What stands for a value in the part that is being scheduled."""
        self._nodes: dict[Region, tuple[Node, ...]] = {}
        self._hints: dict[Value, str] = {}
        self._dissolved: set[Node] = set()
        self.loop_targets: dict[Node, Target] = {}
        """Targets of ``for`` loops that unpack their items."""
        self.runs: dict[Node, Run] = {}
        """The runs that stand in operation lists as one ``block`` each."""
        bodies = [(graph.body, graph.file), *((d.body, d.file) for d in graph.functions)]
        self._needless = frozenset(n for body, _ in bodies for n in needless_checks(body))
        for body, _ in bodies:
            self._flatten(body)
        self._users = self._find_users(body for body, _ in bodies)
        for body, _ in bodies:
            self._find_loop_targets(body)
        if self._dissolved:
            self._users = self._find_users(body for body, _ in bodies)
        for body, file in bodies:
            self._split_files(body, file)
        self._shared = {v for run in self.runs.values() for v in (*run.captures, *run.outputs)}
        for body, _ in bodies:
            for node in walk(body):
                if node.op in (APPLY, CLOSURE):
                    self._shared.update(node.inputs)
        for body, _ in bodies:
            self._shared.update(body.params)  # a variable of another function

    def resolve(self, value: Value) -> Value:
        """Return the value that `value` is."""
        while value in self._same:
            value = self._same[value]
        return self.renamed.get(value, value)

    def resolve_all(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """Return the values that `values` are."""
        return tuple(self.resolve(value) for value in values)

    def nodes(self, region: Region) -> tuple[Node, ...]:
        """Return the operations of `region` that are executed there."""
        return self._nodes[region]

    def users(self, value: Value) -> Sequence[Node | Terminator]:
        """Return what uses `value`, in every function of the program."""
        return self._users.get(value, ())

    def is_captured(self, value: Value) -> bool:
        """Tell whether a function of the program gets `value` as an argument."""
        return any(value in run.captures for run in self.runs.values())

    def is_variable(self, value: Value) -> bool:
        """Tell whether a variable in memory can be one of Python: one function uses it."""
        return isinstance(value.type, SlotType) and value not in self._shared

    def hint(self, value: Value) -> str:
        """Return the user's name for `value`, empty if there is none."""
        return value.name or self._hints.get(value, "")

    def count_uses(self, region: Region) -> dict[Value, int]:
        """Return how often each value is used in `region` and those in it, runs counting once."""
        uses: dict[Value, int] = {}
        for values in self._used_lists(region):
            for value in self.resolve_all(values):
                uses[value] = uses.get(value, 0) + 1
        return uses

    def shortcuts(self, region: Region) -> tuple[Node, ...]:
        """Return every ``if`` that yields its test from one side and uses it nowhere else."""
        uses = self.count_uses(region)
        found: list[Node] = []

        def visit(region: Region) -> None:
            for node in self.nodes(region):
                if node in self.runs:
                    continue
                if node.op is IF and len(node.outputs) == 1:
                    test = self.resolve(node.inputs[0])
                    if uses[test] == 2 and any(self._yields(r, test) for r in node.regions):
                        found.append(node)
                for inner in node.regions:
                    visit(inner)

        visit(region)
        return tuple(found)

    def _yields(self, region: Region, value: Value) -> bool:
        end = region.end
        if self.nodes(region) or end.kind != "yield":
            return False
        return self.resolve(end.values[0]) is value

    def _used_lists(self, region: Region) -> Iterator[Sequence[Value]]:
        for node in self.nodes(region):
            if node in self.runs:
                yield self.runs[node].captures
                continue
            yield node.inputs
            for inner in node.regions:
                yield from self._used_lists(inner)
        yield region.end.values

    def _make_same(self, value: Value, other: Value) -> None:
        kept = self.resolve(other)
        if kept is value:
            return
        self._same[value] = kept
        if value.name and not self.hint(kept):
            self._hints[kept] = value.name

    def _flatten(self, region: Region) -> None:
        flat: list[Node] = []
        for node in region.nodes:
            if node.op is WHILE:
                test = node.regions[0]
                for other in node.regions[1:]:
                    for param, state in zip(other.params, test.params, strict=True):
                        self._make_same(param, state)
            elif node.op is FOR and len(node.regions) > 1:
                body, orelse = node.regions
                for param, state in zip(orelse.params, body.params[1:], strict=True):
                    self._make_same(param, state)
            elif node.op is CHECK_BOUND:
                self._make_same(node.outputs[0], node.inputs[0])
            for inner in node.regions:
                self._flatten(inner)
            if node.op is BLOCK and _returns_once(node.regions[0]):
                flat += self._nodes[node.regions[0]]
                for output, result in zip(node.outputs, node.regions[0].end.values, strict=True):
                    self._make_same(output, result)
            elif node not in self._needless:
                flat.append(node)
        self._nodes[region] = tuple(flat)

    def _walk(self, region: Region) -> Iterator[Node]:
        for node in self._nodes[region]:
            yield node
            for inner in node.regions:
                yield from self._walk(inner)

    def _find_users(self, bodies: Iterable[Region]) -> dict[Value, UserList]:
        users: dict[Value, UserList] = {}

        def visit(region: Region) -> None:
            for node in self._nodes[region]:
                enter(node, node.inputs)
                for inner in node.regions:
                    visit(inner)
            enter(region.end, region.end.values)

        def enter(user: Node | Terminator, values: Sequence[Value]) -> None:
            for value in values:
                users.setdefault(self.resolve(value), []).append(user)

        for body in bodies:
            visit(body)
        return users

    def _find_loop_targets(self, region: Region) -> None:
        for node in list(self._walk(region)):
            if node.op is not FOR:
                continue
            body = node.regions[0]
            item = body.params[0]
            before = len(self._dissolved)
            target = self._target(item, item.type, body)
            if len(self._dissolved) > before:
                self.loop_targets[node] = target
        if self._dissolved:
            for at, nodes in self._nodes.items():
                if not self._dissolved.isdisjoint(nodes):
                    self._nodes[at] = tuple(n for n in nodes if n not in self._dissolved)

    def _target(self, value: Value, type_: Type, body: Region) -> Target:
        """Return what to assign an item to; unpacking that is part of it is dissolved."""
        users = self._users.get(value, [])
        nodes = [user for user in users if isinstance(user, Node)]
        if not nodes or len(nodes) < len(users):
            return value
        if len(nodes) == 1 and nodes[0].op.name == "unpack":
            node = nodes[0]
            known = isinstance(type_, TupleType) and len(type_.items) == len(node.outputs)
            first = next((n for n in self._nodes[body] if n not in self._dissolved), None)
            if not node.outputs or not (known or node is first):
                return value
            self._dissolved.add(node)
            return tuple(self._target(output, output.type, body) for output in node.outputs)
        if isinstance(type_, TupleType) and type_.items:
            return self._indexed_target(value, type_, nodes, body)
        return value

    def _indexed_target(
        self, value: Value, type_: TupleType, nodes: Sequence[Node], body: Region
    ) -> Target:
        count = len(type_.items)
        parts: list[Value | None] = [None] * count
        for node in nodes:
            if _item_number(node, count) is None:
                return value
        for node in nodes:
            number = _item_number(node, count) or 0
            kept = parts[number]
            if kept is None:
                parts[number] = node.outputs[0]
            else:
                self._make_same(node.outputs[0], kept)
                self._users.setdefault(kept, []).extend(self._users.get(node.outputs[0], []))
            self._dissolved.add(node)
        return tuple(
            Value(item) if part is None else self._target(part, part.type, body)
            for part, item in zip(parts, type_.items, strict=True)
        )

    def _split_files(self, region: Region, file: str) -> None:
        """Put a block in place of every run of operations from another file than `file`."""
        result: list[Node] = []
        run: list[Node] = []

        def close() -> None:
            if any(_may_raise(node) for node in run):
                result.append(self._make_run(tuple(run)))
            else:
                result.extend(run)
            run.clear()

        for node in self._nodes[region]:
            other = node.origin.file if node.origin else file
            if other != file and not _escapes(node):
                if run and run[0].origin and run[0].origin.file != other:
                    close()
                run.append(node)
                continue
            close()
            result.append(node)
        close()
        self._nodes[region] = tuple(result)
        for node in result:
            if node not in self.runs:
                for inner in node.regions:
                    self._split_files(inner, file)

    def _make_run(self, nodes: tuple[Node, ...]) -> Node:
        origin = nodes[0].origin
        assert origin is not None
        inside: dict[Value, int] = {}
        free: dict[Value, None] = {}
        defined: set[Value] = set()

        def visit(nodes: Sequence[Node]) -> None:
            for node in nodes:
                enter(node.inputs)
                for inner in node.regions:
                    defined.update(self.resolve_all(inner.params))
                    if node in self.loop_targets:
                        defined.update(_flat(self.loop_targets[node]))
                    visit(self._nodes[inner])
                    enter(inner.end.values)
                defined.update(node.outputs)

        def enter(values: Sequence[Value]) -> None:
            for value in self.resolve_all(values):
                inside[value] = inside.get(value, 0) + 1
                if value not in defined and not isinstance(value, Constant):
                    free[value] = None

        visit(nodes)
        made = [output for node in nodes for output in node.outputs]
        outputs = tuple(v for v in made if len(self._users.get(v, ())) > inside.get(v, 0))
        body = Region((), nodes, Terminator("return", outputs, nodes[-1].origin))
        self._nodes[body] = nodes
        block = Node(BLOCK, (), {}, (body,), outputs, origin)
        name = origin.function.rpartition(".")[2]
        self.runs[block] = Run(origin.file, name, body, outputs, tuple(free))
        self._split_files(body, origin.file)
        return block


def _flat(target: Target) -> Iterator[Value]:
    if isinstance(target, Value):
        yield target
    else:
        for part in target:
            yield from _flat(part)


def _item_number(node: Node, count: int) -> int | None:
    """Return the position that `node` reads of a tuple of `count` items, if that is known."""
    if node.op.name != "getitem":
        return None
    index = node.inputs[1]
    if not isinstance(index, Constant) or type(index.value) is not int:
        return None
    return index.value % count if -count <= index.value < count else None


def _returns_once(body: Region) -> bool:
    """Tell whether a block returns at its end and nowhere else."""
    return body.end.kind == "return" and not any(
        _leaves(inner, "return") for node in body.nodes for inner in _own_regions(node)
    )


def _own_regions(node: Node) -> tuple[Region, ...]:
    return () if node.op is BLOCK else node.regions


def _leaves(region: Region, kind: str) -> bool:
    """Tell whether a jump of `kind` leads out of `region`, directly or from inside."""
    if region.end.kind == kind:
        return True
    for node in region.nodes:
        if kind == "return" and node.op is BLOCK:
            continue
        for number, inner in enumerate(node.regions):
            inside_loop = node.op in (WHILE, FOR) and number < (2 if node.op is WHILE else 1)
            if not (inside_loop and kind in ("break", "continue")) and _leaves(inner, kind):
                return True
    return False


def _escapes(node: Node) -> bool:
    """Tell whether a jump leads from inside `node` to something around it."""
    shell = Region((), (node,), Terminator("unreachable"))
    return any(_leaves(shell, kind) for kind in ("break", "continue", "return"))


def _may_raise(node: Node) -> bool:
    if node.regions:
        return True
    return node.op.effects(node.inputs, node.attrs).raises is not Raises.NEVER
