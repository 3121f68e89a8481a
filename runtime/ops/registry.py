"""What an operation is, and the tables of all operations.

Owns the `Operation` block (one object holds everything the compiler knows of an operation), its
effects, and the tables from NumPy and builtin functions to operations. It leaves the operations
themselves to the family files. Invariant: `result_types` is total and monotone: it never raises,
and wider inputs give wider outputs.
"""

from __future__ import annotations

import ast
import enum
import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..ir.graph import Attributes, Constant, Value
from ..ir.lattice import join
from ..ir.names import OPERATIONS as OPERATIONS
from ..ir.types import (
    BOTTOM,
    OPAQUE,
    PLAIN,
    BottomType,
    OpaqueType,
    Type,
    UnboundType,
    UnionType,
    is_plain,
)

Infer = Callable[[Sequence[Value], Attributes], tuple[Type, ...]]
Syntax = Callable[[list[ast.expr], Attributes], ast.expr]

_MAX_UNION_PRODUCT = 16


class Raises(enum.IntEnum):
    """When an operation may raise; a larger member includes the smaller."""

    NEVER = 0
    WARNS = 1
    """It never raises, but may give a floating-point warning."""
    SHAPE = 2
    """It raises when shapes do not fit."""
    VALUE = 3
    """It may raise depending on values, or nothing is known."""


class Sharing(enum.Enum):
    """How an output relates to the memory of inputs."""

    FRESH = "memory of its own, or no memory at all"
    SAME = "it is that input, the very object"
    VIEW = "a view of that input by basic indexing (must-alias)"
    MAYBE = "that input, a view of it, or fresh; known at run time"
    ANYTHING = "it may share memory with anything reachable"


@dataclass(frozen=True, slots=True)
class Alias:
    """How one output shares memory: `sharing`, with the inputs of these positions."""

    sharing: Sharing
    inputs: tuple[int, ...] = ()


FRESH = Alias(Sharing.FRESH)
ANYTHING = Alias(Sharing.ANYTHING)


@dataclass(frozen=True, slots=True)
class Effects:
    """What an operation does besides computing its outputs."""

    raises: Raises = Raises.NEVER
    reads: tuple[int, ...] = ()
    """Positions of inputs whose memory (array elements, container items) is read."""
    writes: tuple[int, ...] = ()
    """Positions of inputs whose memory is written."""
    calls: bool = False
    """It may run unknown code or touch the outside (print, island): ordered with everything."""
    aliases: tuple[Alias, ...] = (FRESH,)
    """One for each output."""


UNKNOWN = Effects(Raises.VALUE, calls=True, aliases=(ANYTHING,))


@dataclass(frozen=True, eq=False)
class Operation:
    """Everything the compiler knows of one operation."""

    name: str
    """Unique; what texts show. NumPy functions are called ``np.<name>``."""
    kernel: Callable[..., object]
    """What it means: takes the inputs (keywords by name) and returns the output, a tuple of
    outputs when there are several. Folding, execution and tests all call this."""
    infer: Infer
    """Types of the outputs from inputs of concrete types; `result_types` deals with the rest."""
    effects: Callable[[Sequence[Value], Attributes], Effects]
    """Aliases, reads, writes and exceptions, from the inputs' types."""
    syntax: Syntax | None = None
    """The Python expression that computes it, from those of its inputs; None for a call of the
    kernel by name with the inputs (keywords by name)."""
    outputs: int | Callable[[Attributes], int] = 1
    """How many outputs it has, or a function of the attributes that tells; operations with
    regions have as many as their state."""
    doc: str = ""
    """One line for tables and error messages."""
    takes_attributes: bool = False
    """The kernel takes the attributes first, before the inputs; see `kernel_for`."""
    takes_unbound: bool = False
    """An unbound local is an input like any other; elsewhere it means that control never comes."""

    def result_types(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the types of the outputs; total and monotone.

        Bottom in gives bottom out, and so does an unbound local: whatever uses one checks it
        first. A union is inferred option by option; an opaque input is handed to `infer`, which
        must allow it.
        """
        if self.takes_unbound:
            return self.infer(inputs, attrs)
        types = [value.type for value in inputs]
        never = (BOTTOM,) * self.output_count(attrs)
        if any(isinstance(t, BottomType | UnboundType) for t in types):
            return never
        choices = [
            [Value(o) for o in t.options if not isinstance(o, UnboundType)]
            if isinstance(t, UnionType)
            else [value]
            for value, t in zip(inputs, types, strict=True)
        ]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count > _MAX_UNION_PRODUCT:
            plain = all(is_plain(t) for t in types)
            choices = [
                [Value(PLAIN if plain else OPAQUE)] if isinstance(t, UnionType) else [value]
                for value, t in zip(inputs, types, strict=True)
            ]
        result: tuple[Type, ...] = never
        for combination in itertools.product(*choices):
            result = tuple(
                join(a, b) for a, b in zip(result, self.infer(combination, attrs), strict=True)
            )
        return result

    def keywords(self, attrs: Attributes) -> tuple[str, ...]:
        """Return the names of the trailing inputs that are keyword arguments."""
        names = attrs.get("keywords", ())
        return names if isinstance(names, tuple) else ()

    def output_count(self, attrs: Attributes) -> int:
        """Return how many outputs it has with these attributes."""
        return self.outputs if isinstance(self.outputs, int) else self.outputs(attrs)

    def kernel_for(self, attrs: Attributes) -> Callable[..., object]:
        """Return the kernel as a function of the inputs alone, keywords by name."""
        return functools.partial(self.kernel, attrs) if self.takes_attributes else self.kernel

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return f"<operation {self.name}>"


FUNCTIONS: dict[object, Operation] = {}
"""The operation that a NumPy, math or builtin function means, keyed by the function object."""


def register(operation: Operation, *functions: object) -> Operation:
    """Enter `operation` into the tables, as the meaning of `functions`, and return it.

    Raises
    ------
    ValueError
        If the name or a function is taken.
    """
    if operation.name in OPERATIONS:
        raise ValueError(f"two operations are called {operation.name!r}")
    OPERATIONS[operation.name] = operation
    for function in functions:
        if function in FUNCTIONS:
            raise ValueError(f"{function!r} has two operations")
        FUNCTIONS[function] = operation
    return operation


def constant_of(value: Value) -> object:
    """Return the payload of a constant; `UNKNOWN_VALUE` for any other value."""
    return value.value if isinstance(value, Constant) else UNKNOWN_VALUE


class _UnknownValue:
    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN_VALUE = _UnknownValue()
"""What `constant_of` returns for a value that is known only at run time."""


def opaque_like(inputs: Sequence[Value]) -> OpaqueType:
    """Return the opaque type for a result computed from `inputs`: plain if they all are."""
    return PLAIN if all(is_plain(value.type) for value in inputs) else OPAQUE
