"""Operations that read the world of the compiled function at their place in the program.

Owns `load_global`, for variables that code not compiled may rebind during the run. Invariant: it is
ordered with every effect, and raises NameError as Python does.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Protocol

from ..ir.graph import Attributes, Value
from ..ir.types import OPAQUE, Type
from .registry import UNKNOWN, Effects, Operation, register


class Variables(Protocol):
    """The holder of a module's variables."""

    variables: dict[str, object]


def _load_global(namespace: Variables, name: str) -> object:
    if name in namespace.variables:
        return namespace.variables[name]
    try:
        return vars(builtins)[name]
    except KeyError:
        raise NameError(f"name '{name}' is not defined") from None


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
