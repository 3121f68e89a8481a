"""What a tracer asks about the world of the function it traces.

Owns `Host`, whose default knows nothing of a world: graph mode uses it nearly as it is, compiled
functions have one that reads globals, closures and objects. Invariant: a host records what it does
through the tracer and has no effect of its own.
"""

from __future__ import annotations

import enum
import types as python_types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..ir.graph import Origin, Value
from ..ir.types import Type
from ..ops.containers import UNBOUND_MARKER
from .signals import TraceSignal, Unstageable
from .symbol import Symbol

if TYPE_CHECKING:
    from .tracer import Tracer

NOT_HANDLED = object()
"""What a host returns to leave something to the tracer."""
_CONSTANT_CLASSES = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range,
    np.generic, np.dtype, np.ufunc, type, enum.Enum, python_types.ModuleType,
    python_types.BuiltinFunctionType, python_types.FunctionType, python_types.MethodDescriptorType,
    python_types.WrapperDescriptorType, BaseException, type(UNBOUND_MARKER), type(np.sum),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contents:
    """What iterating over a container gives."""

    items: tuple[object, ...]
    text: str
    """What the container is called."""
    unordered: bool = False
    """Whether the container, a view of a dict, cannot be indexed."""


class Host:
    """What a tracer asks about the world of the function it traces; the default knows nothing."""

    open_slots = False
    """Give variables that live in memory an open type from the start."""

    open_arrays = False
    """Whether dtypes and shapes of arrays are left open, since some array changes its own."""

    function_choices = False
    """Whether the run may choose among functions where `may_choose` allows it."""

    def may_choose(self, items: Sequence[object]) -> bool:
        """Tell whether no code is lost to the compiler if the run chooses among `items`."""
        return False

    symbols_are_keys = False
    """Whether symbols may be keys of dictionaries, by identity: where the user feeds them."""

    def text(self, symbol: Symbol) -> str | None:
        """Return the text of a symbol where users may see symbols; None where they may not."""
        return None

    def known_length(self, type_: Type) -> int | None:
        """Return how many items values of `type_` have where Python may iterate over them."""
        return None

    def demanded(
        self, signal: TraceSignal, value: Value | None = None, purpose: str = ""
    ) -> BaseException:
        """Return what is raised where code needs to know of a symbol what only a run can tell.

        That is `signal`, unless users see the symbols themselves: they are told that what `value`
        was asked for, the `purpose` in words, exists only in a run.
        """
        return signal

    def origin(self) -> Origin | None:
        """Return the user's position now being executed."""
        return None

    def name_at(self, place: Origin) -> str:
        """Return the user's name for the value computed at `place`, or nothing."""
        return ""

    def origin_of(self, error: Exception) -> Origin | None:
        """Return the user's position at which `error` was raised."""
        return None

    def call(
        self, tracer: Tracer, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Call something that is neither symbolic nor in the table of operations."""
        return tracer.island(function, args, kwargs)

    def call_symbol(
        self, tracer: Tracer, symbol: Symbol, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Call an object known only at run time; `NOT_HANDLED` to have it called then."""
        return NOT_HANDLED

    def method(
        self,
        tracer: Tracer,
        owner: Symbol,
        name: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
    ) -> object:
        """Call a method of a builtin class; `NOT_HANDLED` to have it called at run time."""
        return NOT_HANDLED

    def contents(self, tracer: Tracer, item: object) -> Contents | None:
        """Return what iterating over `item`, found in the world, gives; None if a run decides."""
        return None

    def unrolling(self) -> None:
        """Take notice that a long loop is going to be run now because its body needs the item."""

    def store_global(self, name: str, value: object) -> None:
        """Take notice of the assignment of a global variable."""
        raise Unstageable(f"the global variable {name} is assigned")

    def operate(self, tracer: Tracer, name: str, inputs: Sequence[object]) -> object:
        """Apply an operator to an object with methods for it; `NOT_HANDLED` to record it."""
        return NOT_HANDLED

    def attribute(self, tracer: Tracer, symbol: Symbol, name: str) -> object:
        """Read an attribute of an object; `NOT_HANDLED` to have it read at run time."""
        return NOT_HANDLED

    def set_attribute(self, tracer: Tracer, symbol: Symbol, name: str, value: object) -> bool:
        """Write an attribute of an object; False to have it written at run time."""
        return False

    def delete_attribute(self, tracer: Tracer, symbol: Symbol, name: str) -> None:
        """Take notice of the deletion of an attribute, which is done at run time."""

    def plain(self, item: object) -> object:
        """Return the user's object that `item` stands for where it is not symbolic."""
        return item

    def assigned(self, item: object) -> None:
        """Take notice that an attribute of `item`, which is not symbolic, is assigned."""
        raise Unstageable(f"an attribute of a {type(item).__qualname__} is assigned")

    def made(self, tracer: Tracer, function: python_types.FunctionType) -> None:
        """Take notice of an inner function as it is made."""

    def lift(self, tracer: Tracer, item: object) -> Value | None:
        """Return the value of a function that was made while tracing; None for anything else."""
        return None

    def constant(self, item: object) -> object:
        """Return what stands for `item` as a constant, or raise `Unstageable`."""
        if isinstance(item, _CONSTANT_CLASSES):
            return item
        raise Unstageable(
            f"an object of class {type(item).__qualname__}, known while tracing, is used where a "
            "value known only at run time decides what becomes of it",
            "call it in each branch, and choose between the results",
        )

    def array_changes_form(self) -> None:
        """Take notice that an array gets another dtype or shape in place, under all its names."""
        raise Unstageable("an array gets another dtype or shape in place", "make a new array of it")

    def unknown_code(self, tracer: Tracer) -> None:
        """Take notice of an operation that may run code we do not know."""

    def is_user_error(self, error: Exception) -> bool:
        """Tell whether `error` was raised by the traced function's own statements."""
        return False
