"""Names in the emitted program.

Owns the names of local variables and of the objects the program uses, and which constants are
written as literals. It leaves where they stand to `emit`. Invariant: in one program no local name
is the name of an object, names are Python identifiers, and the same graph gives the same names.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..ir.graph import Value
from ..ops.containers import SLICE_NAME, UNBOUND_MARKER
from .coalesce import Variables

_LITERAL_BITS = 64
"""Longer integers enter as objects: their digits would say nothing."""
_NOT_A_NAME_CHARACTER = re.compile(r"\W")


RESERVED = (SLICE_NAME,)
"""Names that the syntax of operations refers to: builtins that keep their name."""


def identifier(text: str) -> str:
    """Return `text` as a Python identifier; empty stays empty.

    >>> identifier("self.x"), identifier("lambda"), identifier("2 y")
    ('self_x', 'lambda_', '_2_y')
    """
    name = _NOT_A_NAME_CHARACTER.sub("_", text.strip())
    if not name:
        return ""
    if not name.isidentifier():
        name = "_" + name
    return name + "_" if keyword.iskeyword(name) or name == "__debug__" else name


class _Names:
    """Names in use, and new ones."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = dict.fromkeys(taken)
        self._next: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        """Return `name`, with the first number that makes it unused if it is in use."""
        chosen = name
        while chosen in self.taken:
            number = self._next.get(name, 1)
            self._next[name] = number + 1
            chosen = f"{name}_{number}"
        self.taken[chosen] = None
        return chosen


class LocalNames:
    """The names of the variables of one function."""

    def __init__(
        self, variables: Variables, params: Sequence[Value], hint: Callable[[Value], str]
    ) -> None:
        self._variables = variables
        self._names: dict[int, str] = {}
        self._used = _Names(RESERVED)
        for value in params:
            self._give(variables.number[value], identifier(hint(value)) or "arg")
        for number, members in variables.members.items():
            if number not in self._names:
                hints = (identifier(hint(value)) for value in members)
                read = any(variables.reads.get(value) for value in members)
                self._give(number, next(filter(None, hints), "t" if read else "_"))

    def _give(self, number: int, name: str) -> None:
        self._names[number] = self.fresh(name)

    def fresh(self, name: str) -> str:
        """Return a local name like `name` that nothing else has."""
        return self._used.fresh(name)

    @property
    def taken(self) -> tuple[str, ...]:
        """Every name in use, in order of first use."""
        return tuple(self._used.taken)

    def of(self, value: Value) -> str:
        """Return the name of the variable that `value` lives in."""
        return self._names[self._variables.number[value]]


class GlobalNames:
    """The objects of one program and their names, the program's globals."""

    def __init__(self, taken: Sequence[str]) -> None:
        self._used = _Names((*taken, *RESERVED))
        self._names: dict[int, str] = {}
        self.objects: dict[str, object] = {}
        """Every object by its name, in order of first use."""

    def of(self, value: object, preferred: str) -> str:
        """Return the name of the object `value`; a new one is like `preferred`."""
        key = id(value)
        if key not in self._names:
            name = self._used.fresh(identifier(preferred) or "constant")
            self._names[key] = name
            self.objects[name] = value
        return self._names[key]

    def reserve(self, preferred: str) -> str:
        """Return a name for an object that is made later."""
        return self._used.fresh(identifier(preferred) or "function")

    def fresh_local(self, locals_: LocalNames, preferred: str) -> str:
        """Return a local name like `preferred` that is no object's name either."""
        name = locals_.fresh(preferred)
        while name in self._used.taken:
            name = locals_.fresh(preferred)
        self._used.taken[name] = None
        return name


def literal(value: object) -> ast.expr | None:
    """Return the expression that is exactly `value`, None if only the object itself will do.

    >>> ast.unparse(literal(-3)), ast.unparse(literal(-0.0)), literal(float("inf")) is None
    ('-3', '-0.0', True)
    """
    if value is None or value is Ellipsis:
        return ast.Constant(value)
    if isinstance(value, bool | str | bytes) and type(value) in (bool, str, bytes):
        return ast.Constant(value)
    if type(value) is int and value.bit_length() <= _LITERAL_BITS:
        return _signed(value, value < 0)
    if type(value) is float and math.isfinite(value):
        return _signed(value, math.copysign(1.0, value) < 0)
    return None


def _signed(value: int | float, negative: bool) -> ast.expr:
    if negative:
        # A negative constant prints wrongly as the base of a power.
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def object_name(value: object, hint: str = "") -> str:
    """Return what to call a constant that is no literal.

    >>> object_name(np.exp), object_name(np.dtype(float)), object_name(np.zeros(2)), object_name(())
    ('exp', 'float64', 'array', 'tuple_')
    """
    if value is UNBOUND_MARKER:
        return "unbound"
    if hint:
        return hint
    if type(value) is float:
        return "nan" if math.isnan(value) else "inf" if value > 0 else "minus_inf"
    if isinstance(value, np.ndarray):
        return "array"
    if isinstance(value, np.dtype):
        return str(value.name)
    name = getattr(value, "__name__", None)
    if isinstance(name, str) and name:
        return name.rpartition(".")[2]
    return type(value).__name__.strip("_").lower() + "_"


def kernel_name(operation: str) -> str:
    """Return what to call the kernel of an operation.

    >>> kernel_name("np.exp"), kernel_name("builtins.len"), kernel_name("math.sqrt")
    ('np_exp', 'len', 'math_sqrt')
    """
    return operation.removeprefix("builtins.").replace(".", "_")
