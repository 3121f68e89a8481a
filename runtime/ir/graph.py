"""The graph: values, operations in execution order, regions.

Owns the data structure that every stage after tracing works on. It leaves printing to `printer`,
checking to `verifier`, and changing to `rewriter`. Invariants, checked by the verifier:

- nodes stand in execution order; effects are never reordered by construction;
- a value is used only after its definition, in the same region or one nested in it (regions see
  the values of the regions around them, as MLIR's ``scf`` regions do);
- a graph is not changed once it is built; a pass makes a new one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .types import Type, type_of

if TYPE_CHECKING:
    from ..ops.registry import Operation

Attributes = Mapping[str, object]
TerminatorKind = Literal["yield", "break", "continue", "return", "raise", "unreachable"]

_node_keys = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an operation comes from in the user's source."""

    file: str
    """Name of the file, as Python shows it in tracebacks."""
    line: int
    column: int
    end_line: int
    end_column: int
    """Lines count from 1, columns (in UTF-8 bytes) from 0, as in `ast`."""
    function: str
    """Qualified name of the function the operation stands in."""
    caller: Origin | None = None
    """The call that led there, when the function was inlined; None for the compiled function."""


class Value:
    """One value of the graph; compares by identity.

    `type` is settled when the graph is built: only type inference during tracing sets it.
    """

    __slots__ = ("name", "type")

    def __init__(self, type: Type, name: str = "") -> None:
        self.type = type
        """What is known of the value in every run."""
        self.name = name
        """The user's name for it, or empty; a hint for texts, not unique."""

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return f"<{self.name or 'value'}: {self.type}>"


class Constant(Value):
    """A value known while compiling. Its payload enters the program as the very object."""

    __slots__ = ("value",)

    def __init__(self, value: object, name: str = "") -> None:
        super().__init__(type_of(value), name)
        self.value = value
        """The object itself. Arrays among them are the user's own objects, never ours."""


@dataclass(frozen=True, eq=False, slots=True)
class Terminator:
    """How a region ends.

    ``yield`` hands `values` to the operation that owns the region; ``break`` and ``continue``
    hand the state of the innermost loop around it to that loop; ``return`` hands the results to
    the innermost ``block`` (or the graph); ``raise`` raises values[0] (from values[1], if there);
    ``unreachable`` ends a region whose last operation never completes.
    """

    kind: TerminatorKind
    values: tuple[Value, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Region:
    """A sequence of operations with parameters and one terminator."""

    params: tuple[Value, ...]
    """Bound by the owning operation at each entry."""
    nodes: tuple[Node, ...]
    """In execution order."""
    end: Terminator


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One operation applied to values."""

    op: Operation
    inputs: tuple[Value, ...]
    """Positional arguments, then those that ``attrs["keywords"]`` names, in that order."""
    attrs: Attributes
    """What is not a value: names, flags, functions. See the operation's block."""
    regions: tuple[Region, ...]
    outputs: tuple[Value, ...]
    origin: Origin | None
    key: int = field(default_factory=lambda: next(_node_keys))
    """Identity across rewrites: the rewriter keeps it, a new operation gets a new one."""

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return f"<{self.op.name} {self.inputs!r} -> {self.outputs!r}>"


@dataclass(frozen=True, eq=False, slots=True)
class Definition:
    """A function inside a graph, called by ``apply``: recursion ends up as one.

    It may also be what a function that ``closure`` makes runs; see `runtime.ops.closures`.
    """

    name: str
    """Unique in the graph."""
    body: Region
    """Sees nothing but its parameters; ends like the body of a graph."""
    file: str
    """File of the function it was traced from."""


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """A traced function: `body` has the graph's parameters and ends with ``return``."""

    name: str
    body: Region
    file: str = "<graph>"
    """File of the function it was traced from."""
    functions: tuple[Definition, ...] = ()
    """Functions that the graph and they themselves call; may call each other."""

    @property
    def params(self) -> tuple[Value, ...]:
        """The parameters, in order: arguments, then captured state."""
        return self.body.params

    @property
    def results(self) -> tuple[Value, ...]:
        """Values returned at the end; empty when the end is never reached."""
        return self.body.end.values if self.body.end.kind == "return" else ()

    @property
    def bodies(self) -> tuple[Region, ...]:
        """The body, and those of the functions."""
        return (self.body, *(function.body for function in self.functions))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Operations of the body, in execution order."""
        return self.body.nodes


def walk(region: Region) -> Iterator[Node]:
    """Yield every operation of `region` and of the regions in it, in program order."""
    for node in region.nodes:
        yield node
        for inner in node.regions:
            yield from walk(inner)


def walk_regions(region: Region) -> Iterator[Region]:
    """Yield `region` and every region in it, outermost first, in program order."""
    yield region
    for node in region.nodes:
        for inner in node.regions:
            yield from walk_regions(inner)
