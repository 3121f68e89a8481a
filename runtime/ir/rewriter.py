"""Rewriting: the one place that copies graphs.

Owns the walk that makes a changed graph from a graph: substitution of values, nested regions, and
what is carried over (origins, keys, names). It leaves what to change to the passes, and checking
the outcome to `verifier`. Invariants:

- the graph that is rewritten is not touched; whatever did not change is the same object in the
  new graph, so a rewrite that changes nothing returns the very graph it was given;
- a rewritten operation keeps its outputs (the very values), its origin and its key, so tables
  keyed by a value or a key of the old graph hold for the new one;
- only `clone_region` makes new values for old ones, because there the old ones stay in use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .graph import (
    Attributes,
    Constant,
    Graph,
    Node,
    Origin,
    Region,
    Terminator,
    Value,
    walk,
    walk_regions,
)

if TYPE_CHECKING:
    from ..ops.registry import Operation

Rewritten = Node | Sequence[Value] | None
"""What becomes of an operation: another operation in its place, values for its outputs, or
nothing (it is dropped; then nothing may use its outputs)."""

_NO_ATTRIBUTES: Mapping[str, object] = {}


class Rewriter:
    """Walks a graph in execution order and builds the changed one.

    A pass derives from it and overrides `node` (and `region`, if it keeps something per scope).
    The usual shape of `node` is

    - ``node = self.copy(node)``: inputs substituted, regions rewritten; then look at it;
    - return ``node`` to keep it, ``replace(node, ...)`` to change it (`dataclasses.replace` keeps
      key and origin), a sequence of values to use in place of its outputs, None to drop it;
    - before that, `append` or `emit` operations that shall stand before it.

    Looking at the node *before* `copy` allows to drop, inline or hoist from its regions.

    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import INT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(INT, "x")
    >>> y, = build.append(arithmetic.POS, [x])
    >>> z, = build.append(arithmetic.ADD, [y, y])
    >>> build.end("return", [z])
    >>> class DropPlus(Rewriter):
    ...     def node(self, node):
    ...         node = self.copy(node)
    ...         return node.inputs if node.op is arithmetic.POS else node
    >>> graph = DropPlus().graph(build.graph("f"))
    >>> [node.op.name for node in graph.nodes], graph.nodes[0].inputs == (x, x)
    (['add'], True)
    >>> DropPlus().graph(graph) is graph
    True
    """

    def __init__(self) -> None:
        self._replacements: dict[Value, Value] = {}
        self._open: list[_OpenRegion] = []

    def graph(self, graph: Graph) -> Graph:
        """Return the rewritten graph; `graph` itself if nothing changed.

        Its functions stay as they are: each is rewritten as a graph of its own.
        """
        body = self.region(graph.body)
        return graph if body is graph.body else replace(graph, body=body)

    def node(self, node: Node) -> Rewritten:
        """Say what becomes of `node`; to be overridden. As it stands: a copy.

        Parameters
        ----------
        node
            The operation as it stands in the graph that is rewritten.

        Returns
        -------
        Rewritten
            An operation (if it has as many outputs as `node`, but others, they replace those of
            `node` one by one; if it has another number, call `replace_value` for each that is
            used), or values that replace the outputs, or None to drop it.
        """
        return self.copy(node)

    def region(self, region: Region) -> Region:
        """Return the rewritten region; `region` itself if nothing changed.

        Its nodes go through `node` one by one, in order.
        """
        opened = _OpenRegion()
        self._open.append(opened)
        try:
            end = self._walk(region)
        finally:
            self._open.pop()
        if opened.end is not None:
            end = opened.end
        same = (
            end is region.end
            and len(opened.nodes) == len(region.nodes)
            and all(new is old for new, old in zip(opened.nodes, region.nodes, strict=True))
        )
        return region if same else Region(region.params, tuple(opened.nodes), end)

    def terminator(self, end: Terminator) -> Terminator:
        """Return `end` with its values substituted; `end` itself if they stay."""
        values = self.values(end.values)
        return end if values is end.values else replace(end, values=values)

    def value(self, value: Value) -> Value:
        """Return what stands for `value` now: its replacement, or itself."""
        while value in self._replacements:
            value = self._replacements[value]
        return value

    def values(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return `values` substituted one by one; the very tuple if they all stay."""
        changed = tuple(self.value(value) for value in values)
        same = all(new is old for new, old in zip(changed, values, strict=True))
        return values if same else changed

    def replace_value(self, old: Value, new: Value) -> None:
        """Let `new` stand for `old` in everything that is rewritten from now on."""
        new = self.value(new)
        if new is not old:
            self._replacements[old] = new

    def copy(self, node: Node) -> Node:
        """Return `node` with inputs substituted and regions rewritten; itself if nothing changed.

        Call it once for a node: its regions are walked.
        """
        inputs = self.values(node.inputs)
        regions = tuple(self.region(region) for region in node.regions)
        same = all(new is old for new, old in zip(regions, node.regions, strict=True))
        if inputs is node.inputs and same:
            return node
        return replace(node, inputs=inputs, regions=node.regions if same else regions)

    def emit(self, node: Node) -> None:
        """Place `node` as it is, before the operation that is being rewritten."""
        self._open[-1].nodes.append(node)

    def append(
        self,
        op: Operation,
        inputs: Sequence[Value],
        attrs: Attributes = _NO_ATTRIBUTES,
        *,
        regions: Sequence[Region] = (),
        outputs: Sequence[Value] | None = None,
        origin: Origin | None = None,
        name: str = "",
    ) -> tuple[Value, ...]:
        """Place a new operation before the one that is being rewritten; return its outputs.

        The outputs are made from what the operation infers unless they are given; `inputs` must
        be values of the new graph. `origin` is that of the operation it is made from.
        """
        if outputs is None:
            types = op.result_types(tuple(inputs), attrs)
            outputs = [Value(t, name if i == 0 else "") for i, t in enumerate(types)]
        node = Node(op, tuple(inputs), attrs, tuple(regions), tuple(outputs), origin)
        self.emit(node)
        return node.outputs

    def inline(self, region: Region, arguments: Sequence[Value] = ()) -> tuple[Value, ...] | None:
        """Place the rewritten nodes of `region` before the operation that is being rewritten.

        `region` must not be used again (see `clone_region` for that).

        Parameters
        ----------
        region
            A region of the operation that is being rewritten.
        arguments
            What its parameters stand for, one each.

        Returns
        -------
        tuple of Value, or None
            What it yields. None if it does not end with ``yield``: then the region it was placed
            into ends there, and what follows in it is dropped.

        Raises
        ------
        ValueError
            If there are more or fewer arguments than parameters.
        """
        for param, argument in zip(region.params, arguments, strict=True):
            self.replace_value(param, argument)
        end = self._walk(region)
        if self._open[-1].end is not None:
            return None
        if end.kind != "yield":
            self.end_region(end)
            return None
        return end.values

    def end_region(self, end: Terminator) -> None:
        """End the region that is being rebuilt here; the operations left in it are dropped."""
        self._open[-1].end = end

    def _walk(self, region: Region) -> Terminator:
        """Rewrite the nodes of `region` into the innermost open region; return its end."""
        opened = self._open[-1]
        for node in region.nodes:
            result = self.node(node)
            if isinstance(result, Node):
                opened.nodes.append(result)
                self._replace_outputs(node, result.outputs)
            elif result is not None:
                self._replace_outputs(node, tuple(result), strict=True)
            if opened.end is not None:
                return opened.end
        return self.terminator(region.end)

    def _replace_outputs(
        self, node: Node, values: tuple[Value, ...], *, strict: bool = False
    ) -> None:
        if values is node.outputs or (len(values) != len(node.outputs) and not strict):
            return
        for old, new in zip(node.outputs, values, strict=True):
            self.replace_value(old, new)


class _OpenRegion:
    """A region that is being rebuilt; `end` is set when it ends before its old end."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.end: Terminator | None = None


class _Transform(Rewriter):
    def __init__(self, transform: Callable[[Node], Rewritten]) -> None:
        super().__init__()
        self._transform = transform

    def node(self, node: Node) -> Rewritten:
        return self._transform(self.copy(node))


def rewrite(graph: Graph, transform: Callable[[Node], Rewritten]) -> Graph:
    """Return `graph` with every operation replaced by what `transform` says.

    Parameters
    ----------
    graph
        The graph, left as it is.
    transform
        Called with each operation, inner ones first, its inputs already substituted. Returns it
        to keep it, another operation, values for its outputs, or None to drop it.

    Returns
    -------
    Graph
        The new graph; `graph` itself if nothing changed.
    """
    return _Transform(transform).graph(graph)


def substitute(graph: Graph, replacements: Mapping[Value, Value]) -> Graph:
    """Return `graph` with each use of a key of `replacements` a use of its value."""
    rewriter = Rewriter()
    for old, new in replacements.items():
        rewriter.replace_value(old, new)
    return rewriter.graph(graph)


class _Cloner(Rewriter):
    def region(self, region: Region) -> Region:
        params = tuple(self._fresh(param) for param in region.params)
        return replace(super().region(region), params=params)

    def node(self, node: Node) -> Rewritten:
        node_copy = self.copy(node)
        outputs = tuple(self._fresh(output) for output in node.outputs)
        return Node(
            node.op, node_copy.inputs, node.attrs, node_copy.regions, outputs, node.origin
        )  # fmt: skip

    def _fresh(self, value: Value) -> Value:
        new = Value(value.type, value.name)
        self.replace_value(value, new)
        return new


def clone_region(region: Region, replacements: Mapping[Value, Value] | None = None) -> Region:
    """Return a copy of `region` that shares no definition with it: to use a region twice.

    Parameters, outputs and keys are new; values from outside stay, or are replaced as
    `replacements` says.
    """
    cloner = _Cloner()
    for old, new in (replacements or {}).items():
        cloner.replace_value(old, new)
    return cloner.region(region)


def uses(graph: Graph) -> dict[Value, int]:
    """Return how often each value is used, as an input or by a terminator, in program order.

    Values that nothing uses are not in it; constants are.
    """
    counts: dict[Value, int] = {}
    for value in _used(graph):
        counts[value] = counts.get(value, 0) + 1
    return counts


def _used(graph: Graph) -> Iterable[Value]:
    for body in graph.bodies:
        for node in walk(body):
            yield from node.inputs
        for region in walk_regions(body):
            yield from region.end.values


def defining_nodes(graph: Graph) -> dict[Value, Node]:
    """Return the operation that each output belongs to; parameters are not in it."""
    nodes = (node for body in graph.bodies for node in walk(body))
    return {output: node for node in nodes for output in node.outputs}


def captures(region: Region) -> tuple[Value, ...]:
    """Return the values, other than constants, that `region` uses from around it, in order."""
    inside: set[Value] = set()
    found: dict[Value, None] = {}
    for inner in walk_regions(region):
        inside.update(inner.params)
        for node in inner.nodes:
            inside.update(node.outputs)
    for inner in walk_regions(region):
        for node in inner.nodes:
            found.update(dict.fromkeys(node.inputs))
        found.update(dict.fromkeys(inner.end.values))
    return tuple(v for v in found if v not in inside and not isinstance(v, Constant))
