"""Variables of graphs.

Owns where such a variable is kept: in the graph it is only a name and a beginning, in each session
it is a variable of its own. Also what reading and assigning one record, and `Initializer`. It
leaves sessions to `session`. Invariant: an assignment of a graph is one operation, which assigns
and then gives the new value; it runs where it was built among the reads and assignments of its
variable.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import VariableError
from ..ir.builder import OpenRegion
from ..ir.graph import Value
from ..ir.types import (
    ArrayType,
    NumberType,
    ScalarType,
    Type,
    VariableType,
    dtype_text,
)
from ..ops.control import BLOCK
from ..ops.variables import CHANGE, IN_PLACE, READ
from ..thread_state import STATE
from ..tracing.symbol import Symbol, value_of
from ..variables import Variable, fitting, plain

if TYPE_CHECKING:
    from .graph import Graph

_CHANGES = {
    getattr(operator, name.removeprefix("i") + "_" * (name in ("iand", "ior"))): method
    for name, method in IN_PLACE.items()
}
"""The method of a variable for the operator that its new value is computed with."""


class GraphStorage:
    """The storage of a variable that belongs to a graph."""

    __slots__ = ("_value", "graph", "initial", "name")

    def __init__(self, graph: Graph, name: str, value: Value, initial: np.ndarray) -> None:
        self.graph = graph
        self.name = name
        """Unique in the graph."""
        self.initial = initial
        """What it is in a session at first."""
        self._value = value

    def read(self, variable: Variable) -> Any:
        """Record that the variable is read, and return the tensor; in a run, return the value."""
        if STATE.run is not None:
            return STATE.run.state_of(variable).value()
        return self._here(variable).append(READ, (self._symbol(),), name=f"{self._last()}_read")

    def copy(self, variable: Variable) -> np.ndarray:
        """Return a copy of the value in a run, and refuse elsewhere: there is none."""
        if STATE.run is not None:
            copied: np.ndarray = STATE.run.state_of(variable).numpy()
            return copied
        raise VariableError(
            f"variable {self.name!r} belongs to a graph and has a value in each session: "
            "session.run(variable)"
        )

    def shown(self) -> str:
        """Return what `repr` shows in place of a value."""
        return f"a variable of a graph, {self._value.type.content}"  # type: ignore[attr-defined]

    def assign(self, variable: Variable, value: object) -> object:
        """Record an assignment, and return the tensor of the new value; in a run, do it."""
        if STATE.run is not None:
            STATE.run.state_of(variable).assign(value)
            return variable
        return self._change(variable, "assign", value)

    def update(
        self,
        variable: Variable,
        change: Callable[[Any, Any], Any],
        operand: object,
        in_place: bool = False,
    ) -> object:
        """Record an assignment of ``change(value, operand)``, and return the new value's tensor.

        In a run it is done at once.
        """
        if STATE.run is not None:
            state = STATE.run.state_of(variable)
            state.storage.update(state, change, operand, in_place)
            return variable
        method = _CHANGES[change]
        if in_place and len(self._here(variable).builder.regions) == 1:
            instead = method if method.startswith("assign") else "assign"
            raise VariableError(
                f"nothing would run an in-place operator on variable {self.name!r} of a graph; "
                f"write `operation = variable.{instead}(...)` and run the operation"
            )
        return self._change(variable, method, operand)

    def _here(self, variable: Variable) -> Any:
        """Return the tracer of the graph, which has to be the one that is being built."""
        if STATE.graph is self.graph:
            return self.graph.tracer if STATE.tracer is None else STATE.tracer
        if STATE.graph is None:
            raise VariableError(
                f"variable {self.name!r} belongs to a graph: fetch it in a session, "
                "session.run(variable), or use it where its graph is built"
            )
        raise VariableError(
            f"variable {self.name!r} is of another graph than the one that is being built"
        )

    def _symbol(self) -> Symbol:
        return Symbol(self.graph.tracer, self._value)

    def _last(self) -> str:
        return self.name.rpartition("/")[2]

    def _change(self, variable: Variable, method: str, operand: object) -> Symbol:
        tracer = self._here(variable)
        operand = plain(operand)
        if method == "assign" and holds_tensor(operand):
            operand = Symbol(tracer, tracer.value(operand))
            self._check(variable, value_of(operand).type)
        elif method == "assign":
            operand = fitting(variable, operand, "assigned")

        def change() -> object:
            tracer.append_many(CHANGE, (self._symbol(), operand), {"method": method})
            return tracer.append(READ, (self._symbol(),))

        region = OpenRegion()
        result = tracer.run_region(change, (), region)
        with tracer.reopened(region):
            tracer.builder.end("return", [tracer.value(result)])
        content = self._value.type.content  # type: ignore[attr-defined]  # of a variable
        name = method if method.startswith("assign") else "assign"
        output = Value(content, f"{self._last()}_{name}")
        origin = tracer.host.origin()
        made: list[Symbol] = tracer.append_regions(BLOCK, [], [region.close()], [output], origin)
        return made[0]

    def _check(self, variable: Variable, given: Type) -> None:
        """Refuse a tensor whose type shows that it can never be assigned."""
        held = self._value.type
        assert isinstance(held, VariableType)
        if not isinstance(given, ArrayType | ScalarType | NumberType):
            return
        dtype = given.dtype if isinstance(given, ArrayType | ScalarType) else variable.dtype
        if dtype is not None and dtype != variable.dtype:
            raise VariableError(
                f"variable {self.name!r} has dtype {dtype_text(variable.dtype)}, but is assigned "
                f"a tensor of dtype {dtype_text(dtype)}"
            )
        shape = given.shape if isinstance(given, ArrayType) else ()
        if shape is not None and (
            len(shape) != variable.ndim
            or any(
                isinstance(extent, int) and extent != length
                for extent, length in zip(shape, variable.shape, strict=True)
            )
        ):
            raise VariableError(
                f"variable {self.name!r} has shape {variable.shape}, but is assigned a tensor of "
                f"type {given}"
            )


class Initializer:
    """What a session runs to give variables of a graph the values they start with."""

    def __init__(self, graph: Graph, variables: tuple[Variable, ...]) -> None:
        self.graph = graph
        self.variables = variables
        """The variables that there were when it was made."""

    def __repr__(self) -> str:
        """Return a text for messages."""
        return f"<initializer of {len(self.variables)} variables>"


def holds_tensor(item: object) -> bool:
    """Tell whether `item` is a tensor, or a tuple or list with one somewhere inside."""
    if type(item) in (tuple, list):
        return any(map(holds_tensor, item))  # type: ignore[call-overload]  # a container by now
    return isinstance(item, Symbol)


def storage_of(variable: Variable) -> GraphStorage | None:
    """Return the storage of a variable that belongs to a graph; None for any other."""
    storage = variable.storage
    return storage if isinstance(storage, GraphStorage) else None
