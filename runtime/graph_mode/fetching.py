"""What a fetch needs: pruning a graph under construction to a program of its own.

Owns choosing the operations that given values depend on, writes to memory they share included. It
leaves checking feeds and running to `session`. Invariant: what is kept computes the fetched values
as the whole sequence of operations would, given the fed values.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..ir.graph import (
    Constant,
    Definition,
    Graph,
    Node,
    Region,
    Terminator,
    Value,
    walk,
    walk_regions,
)
from ..ir.rewriter import captures, substitute
from ..ir.types import Type, VariableType
from ..memory.effects import carries_memory, holds_references
from ..ops.containers import BUILD_TUPLE
from ..ops.registry import Sharing
from ..ops.variables import READ


@dataclass(frozen=True, eq=False)
class Fetching:
    """A program for some fetches, given some feeds."""

    graph: Graph
    """Takes the feeds in the order of `feeds`, then the variables; returns the fetched values, then
    the variables that were to be read, as a tuple."""
    kept: tuple[Node, ...]
    """The operations that were chosen."""
    feeds: tuple[Value, ...]
    """The fed values, in the order of the graph's parameters."""
    variables: tuple[Value, ...]
    """The variables that are used."""
    written: frozenset[Value]
    """Feeds whose memory the program may write."""
    missing: tuple[Value, ...]
    """What is needed but neither computed nor fed: placeholders, in order of appearance."""


def fetching(
    nodes: Sequence[Node],
    fetches: Sequence[Value],
    feeds: Iterable[Value],
    variables: Iterable[Value] = (),
    read: Sequence[Value] = (),
    functions: Iterable[Definition] = (),
) -> Fetching:
    """Return the program that computes `fetches` from `feeds`.

    Parameters
    ----------
    nodes
        Operations in execution order.
    fetches
        What to compute.
    feeds
        Values that are given from outside, whether or not an operation computes them.
    variables
        Values that stand for variables.
    read
        Variables whose values at the end are wanted too.
    functions
        Functions that the operations may call.

    Returns
    -------
    Fetching
        The program, with no more operations than it needs.
    """
    given = dict.fromkeys(feeds)
    sharing = _Sharing(nodes, given)
    kept, live = _needed(nodes, fetches, given, sharing)
    used = tuple(v for v in variables if v in live or v in read)
    known = {*given, *used}
    missing = tuple(v for v in live if v not in known and not isinstance(v, Constant))
    params = {value: Value(value.type, value.name) for value in (*given, *used)}
    results = [*fetches]
    reads = [_reading(value) for value in read]
    results += [node.outputs[0] for node in reads]
    result = Value(BUILD_TUPLE.result_types(results, {})[0], "fetched")
    end = Node(BUILD_TUPLE, tuple(results), {}, (), (result,), None)
    nodes = (*kept, *reads, end)
    body = Region(tuple(params.values()), nodes, Terminator("return", (result,)))
    graph = substitute(Graph("session", body, functions=_called(nodes, functions)), params)
    touched = {sharing.find(value) for node in kept for value in sharing.written(node)}
    written = frozenset(value for value in given if sharing.find(value) in touched)
    return Fetching(graph, tuple(kept), tuple(given), used, written, missing)


def _reading(variable: Value) -> Node:
    output = Value(READ.result_types([variable], {})[0], variable.name)
    return Node(READ, (variable,), {}, (), (output,), None)


def _called(nodes: Sequence[Node], functions: Iterable[Definition]) -> tuple[Definition, ...]:
    """Return the functions that `nodes`, or functions they call, call."""
    known = {function.name: function for function in functions}
    found: dict[str, Definition] = {}
    pending = [part for node in nodes for part in walk(Region((), (node,), Terminator("yield")))]
    while pending:
        name = str(pending.pop().attrs.get("function", ""))
        if name in known and name not in found:
            found[name] = known[name]
            pending.extend(walk(known[name].body))
    return tuple(function for name, function in known.items() if name in found)


def _needed(
    nodes: Sequence[Node],
    fetches: Sequence[Value],
    given: dict[Value, None],
    sharing: _Sharing,
) -> tuple[list[Node], list[Value]]:
    """Return the operations that are needed, and the values that must be there before them."""
    live = dict.fromkeys(fetches)
    kept: list[Node] = []
    for node in reversed(nodes):
        computes = any(output in live and output not in given for output in node.outputs)
        if not computes and not _writes_any(node, live, sharing):
            continue
        kept.append(node)
        for output in node.outputs:
            if output not in given:
                live.pop(output, None)
        live.update(dict.fromkeys(_uses(node)))
    return kept[::-1], list(live)


def _writes_any(node: Node, live: Iterable[Value], sharing: _Sharing) -> bool:
    written = {sharing.find(value) for value in sharing.written(node)}
    return bool(written) and any(
        _is_shared(value.type) and sharing.find(value) in written for value in live
    )


def _uses(node: Node) -> Iterator[Value]:
    yield from node.inputs
    for region in node.regions:
        yield from captures(region)


class _Sharing:
    """Which values may share memory: a partition by unification (Steensgaard, POPL 1996).

    Coarser than `runtime.memory.classes` where regions are concerned, finer in that code that is
    not compiled reaches only what it is passed: that is all a graph lets it see. What is fed shares
    nothing with what the operation that would compute it was made of.
    """

    def __init__(self, nodes: Sequence[Node], given: Container[Value]) -> None:
        self._given = given
        self._parent: dict[Value, Value] = {}
        self._written: dict[int, tuple[Value, ...]] = {}
        for node in nodes:
            inner = [part for region in node.regions for part in walk(region)]
            written = [value for part in (node, *inner) for value in self._enter(part)]
            self._written[node.key] = tuple(dict.fromkeys(written))

    def find(self, value: Value) -> Value:
        """Return what stands for all values that may share memory with `value`."""
        while self._parent.get(value, value) is not value:
            value = self._parent[value]
        return value

    def written(self, node: Node) -> tuple[Value, ...]:
        """Return the values whose memory `node` may write, those in its regions included."""
        return self._written.get(node.key, ())

    def _unite(self, values: Iterable[Value]) -> None:
        roots = [self.find(v) for v in values if _is_shared(v.type)]
        for root in roots[1:]:
            if root is not roots[0]:
                self._parent[self.find(root)] = self.find(roots[0])

    def _computed(self, node: Node) -> Iterator[Value]:
        return (output for output in node.outputs if output not in self._given)

    def _enter(self, node: Node) -> Iterator[Value]:
        """Unite what `node` lets share memory; yield what it writes."""
        if node.regions:
            inner = [part for region in node.regions for part in walk_regions(region)]
            handed = [value for part in inner for value in (*part.params, *part.end.values)]
            self._unite((*node.inputs, *self._computed(node), *handed))
            return
        effects = node.op.effects(node.inputs, node.attrs)
        written = node.inputs if effects.calls else [node.inputs[i] for i in effects.writes]
        for index, output in enumerate(node.outputs):
            if output in self._given:
                continue
            alias = effects.aliases[index] if index < len(effects.aliases) else None
            if alias is None or alias.sharing is Sharing.ANYTHING:
                self._unite((output, *node.inputs))
            elif alias.sharing is not Sharing.FRESH:
                self._unite((output, *(node.inputs[i] for i in alias.inputs)))
            elif holds_references(output.type):
                self._unite((output, *node.inputs))
        if any(holds_references(value.type) for value in written):
            self._unite(node.inputs)
        yield from (value for value in written if _is_shared(value.type))


def _is_shared(type_: Type) -> bool:
    """Tell whether a write to a value of `type_` is needed by whatever may share its memory.

    An assignment to a variable is not: it runs if its own result is needed.
    """
    return carries_memory(type_) and not isinstance(type_, VariableType)
