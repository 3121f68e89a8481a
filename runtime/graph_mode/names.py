"""Names of the tensors of a graph.

Owns making names unique, and which name an operation gives its result. Invariant: in one graph two
tensors never have one name, and the same program gives the same names.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ..ir.graph import Attributes, Constant, Value
from ..ops.registry import Operation

_NAMES = {"if": "cond", "while": "while_loop", "for": "for_loop", "variable.read": "read"}


class UniqueNames:
    """The names taken in one graph.

    >>> names = UniqueNames()
    >>> names.take("matmul"), names.take("matmul"), names.take("matmul_1")
    ('matmul', 'matmul_1', 'matmul_1_1')
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return `name`, with a number if it is taken."""
        unique = name
        for number in itertools.count(self._next.get(name, 0)):
            unique = f"{name}_{number}" if number else name
            if unique not in self._taken:
                self._next[name] = number + 1
                break
        self._taken.add(unique)
        return unique


def operation_name(operation: Operation, inputs: Sequence[Value], attrs: Attributes) -> str:
    """Return what a tensor that `operation` computes is called.

    >>> from ..ops.arithmetic import ADD
    >>> operation_name(ADD, (), {})
    'add'
    """
    name = operation.name
    if name in ("method", "getattr"):
        name = str(attrs.get("name", name))
    if name == "call" and inputs and isinstance(inputs[0], Constant):
        name = str(getattr(inputs[0].value, "__name__", name))
    name = _NAMES.get(name) or name.rpartition(".")[2]
    return name if name.isidentifier() else "tensor"
