"""Operations that read the world of the compiled function at their place in the program.

Owns `load_global` and `load_cell`, for variables that may be rebound during the run, `store_global`
and `new_object`. Invariant: reading is ordered with every effect, and raises as Python does.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from types import CellType
from typing import Protocol

from ..ir.graph import Attributes, Value
from ..ir.types import OPAQUE, ObjectType, Type
from .registry import UNKNOWN, Effects, Operation, Raises, constant_of, register


class Variables(Protocol):
    """The holder of a module's variables."""

    variables: dict[str, object]


def _load_global(namespace: Variables, name: str) -> object:
    if name in namespace.variables:
        return namespace.variables[name]
    if name not in vars(builtins):
        raise NameError(f"name '{name}' is not defined", name=name)
    return vars(builtins)[name]


def _infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (OPAQUE,)


def _effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    return UNKNOWN


LOAD_GLOBAL = register(
    Operation(
        "load_global",
        _load_global,
        _infer,
        _effects,
        doc="a global variable as it is at this moment; inputs: the namespace, the name",
    )
)


_EMPTY = CellType()


def _load_cell(cell: CellType, name: str) -> object:
    if cell == _EMPTY:  # never asks what is in the cell; no exception that would be a context
        raise NameError(
            f"cannot access free variable '{name}' where it is not associated with a value in "
            "enclosing scope",
            name=name,
        )
    return cell.cell_contents


LOAD_CELL = register(
    Operation(
        "load_cell",
        _load_cell,
        _infer,
        _effects,
        doc="a variable of a function around as it is at this moment; inputs: its cell, its name",
    )
)


def _store_global(namespace: Variables, name: str, value: object) -> None:
    namespace.variables[name] = value


STORE_GLOBAL = register(
    Operation(
        "store_global",
        _store_global,
        lambda inputs, attrs: (),
        lambda inputs, attrs: Effects(Raises.NEVER, calls=True, aliases=()),
        outputs=0,
        doc="assign a global variable; inputs: the namespace, the name, the value",
    )
)


def _new_object(cls: type, *arguments: object) -> object:
    """Return an object as its class's ``__new__`` makes it; exceptions keep their arguments."""
    return cls.__new__(cls, *arguments)


def _infer_object(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    cls = constant_of(inputs[0])
    return (ObjectType(cls) if isinstance(cls, type) else OPAQUE,)


def _object_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    return Effects(Raises.VALUE)  # an abstract class refuses


NEW_OBJECT = register(
    Operation(
        "new_object",
        _new_object,
        _infer_object,
        _object_effects,
        doc="an object of a class before its __init__; the __init__ is inlined",
    )
)
