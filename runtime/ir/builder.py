"""Building a graph, operation by operation.

Owns the mutable state of a graph under construction: a stack of open regions. It leaves deciding
what to build to tracing. Invariant: operations are appended in execution order to the innermost
open region.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .graph import Attributes, Graph, Node, Origin, Region, Terminator, TerminatorKind, Value
from .types import Type

if TYPE_CHECKING:
    from ..ops.registry import Operation

_NO_ATTRIBUTES: Mapping[str, object] = {}


class OpenRegion:
    """A region under construction; `end` is None until it is ended."""

    def __init__(self, params: Sequence[Value] = ()) -> None:
        self.params = list(params)
        self.nodes: list[Node] = []
        self.end: Terminator | None = None

    def close(self) -> Region:
        """Return the finished region.

        Raises
        ------
        ValueError
            If the region has no terminator yet.
        """
        if self.end is None:
            raise ValueError("a region needs a terminator")
        return Region(tuple(self.params), tuple(self.nodes), self.end)


class Builder:
    """Appends operations to the innermost open region.

    >>> from runtime.ir.types import INT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(INT, "x")
    >>> y, = build.append(arithmetic.ADD, [x, x])
    >>> build.end("return", [y])
    >>> build.graph("twice").results == (y,)
    True
    """

    def __init__(self) -> None:
        self.regions: list[OpenRegion] = [OpenRegion()]

    @property
    def current(self) -> OpenRegion:
        """The innermost open region."""
        return self.regions[-1]

    def param(self, type: Type, name: str = "") -> Value:
        """Add a parameter to the innermost open region and return it."""
        value = Value(type, name)
        self.current.params.append(value)
        return value

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
        """Append an operation and return its outputs.

        Unless `outputs` are given (as for operations with regions), they are made from what the
        operation's ``infer`` says; `name` is then the hint for the first.
        """
        if outputs is None:
            types = op.result_types(tuple(inputs), attrs)
            outputs = [Value(t, name if i == 0 else "") for i, t in enumerate(types)]
        node = Node(op, tuple(inputs), attrs, tuple(regions), tuple(outputs), origin)
        self.current.nodes.append(node)
        return node.outputs

    def end(
        self, kind: TerminatorKind, values: Sequence[Value] = (), origin: Origin | None = None
    ) -> None:
        """End the innermost open region."""
        self.current.end = Terminator(kind, tuple(values), origin)

    @contextmanager
    def region(self, params: Sequence[Value] = ()) -> Iterator[OpenRegion]:
        """Open a region; operations go there until the ``with`` block is left."""
        opened = OpenRegion(params)
        depth = len(self.regions)
        try:
            self.regions.append(opened)
            yield opened
        finally:
            del self.regions[depth:]

    def graph(self, name: str, file: str = "<graph>") -> Graph:
        """Return the finished graph.

        Raises
        ------
        ValueError
            If a region is still open, or the outermost has no terminator.
        """
        if len(self.regions) != 1:
            raise ValueError("a region is still open")
        return Graph(name, self.current.close(), file)
