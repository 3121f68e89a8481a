"""Access paths: where a traced function finds a piece of the outside world.

Owns the path classes, how each is read now, and the expression that reads it in the call path.
Invariant: two equal paths read the same place; reading a path runs no user code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CellType

from runtime.ops.registry import UNKNOWN_VALUE
from runtime.passes.dce import warnings_raise


class Path:
    """Base of all access paths."""

    __slots__ = ()

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return what is there now, in a call with these arguments."""
        raise NotImplementedError

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return Python text that reads it; `name_of` names objects the text refers to."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Argument(Path):
    """A parameter of the compiled function."""

    name: str

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the argument."""
        return arguments[self.name]

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return the parameter's name."""
        return self.name

    def __str__(self) -> str:
        """Return the text for messages."""
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Known(Path):
    """An object that is part of the trace itself, compared by identity."""

    item: object

    def __hash__(self) -> int:
        """Hash by identity of what is held."""
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        """Compare by identity of what is held."""
        return isinstance(other, Known) and other.item is self.item

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the object."""
        return self.item

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return the object's name in the call path."""
        return name_of(self.item)

    def __str__(self) -> str:
        """Return the text for messages."""
        return str(getattr(self.item, "__qualname__", self.item))


@dataclass(frozen=True, slots=True)
class ErrorHandling(Path):
    """Whether NumPy does more about floating-point errors than warn, as under `np.errstate`."""

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return whether it does."""
        return warnings_raise()

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return a call that asks NumPy."""
        return f"{name_of(warnings_raise)}()"

    def __str__(self) -> str:
        """Return the text for messages."""
        return "raising of floating-point errors"


class Namespace:
    """A module's globals, compared by identity."""

    __slots__ = ("variables",)

    def __init__(self, variables: dict[str, object]) -> None:
        self.variables = variables

    def __eq__(self, other: object) -> bool:
        """Compare by identity of what is held."""
        return isinstance(other, Namespace) and other.variables is self.variables

    def __hash__(self) -> int:
        """Hash by identity of what is held."""
        return id(self.variables)


@dataclass(frozen=True, slots=True)
class Global(Path):
    """A global variable."""

    namespace: Namespace
    name: str

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the variable's value; `UNKNOWN_VALUE` when there is none."""
        return self.namespace.variables.get(self.name, UNKNOWN_VALUE)

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return a look-up in the module's dictionary."""
        variables, absent = name_of(self.namespace.variables), name_of(UNKNOWN_VALUE)
        return f"{variables}.get({self.name!r}, {absent})"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"global {self.name}"


@dataclass(frozen=True, slots=True)
class Cell(Path):
    """A variable of an enclosing function; `name` is only for messages."""

    cell: CellType
    name: str

    def __hash__(self) -> int:
        """Hash by identity of what is held."""
        return id(self.cell)

    def __eq__(self, other: object) -> bool:
        """Compare by identity of what is held."""
        return isinstance(other, Cell) and other.cell is self.cell

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the variable's value; ValueError when it is unbound."""
        return self.cell.cell_contents

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return a read of the cell."""
        return f"{name_of(self.cell)}.cell_contents"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"variable {self.name} of an enclosing function"


@dataclass(frozen=True, slots=True)
class Attribute(Path):
    """An attribute of what is found at `base`."""

    base: Path
    name: str

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the attribute."""
        return getattr(self.base.read(arguments), self.name)

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return an attribute access."""
        return f"{self.base.expression(name_of)}.{self.name}"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.base}.{self.name}"


@dataclass(frozen=True, slots=True)
class OwnAttribute(Path):
    """What an object itself, not its class, has under a name; `UNKNOWN_VALUE` if nothing."""

    base: Path
    name: str

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the attribute."""
        return vars(self.base.read(arguments)).get(self.name, UNKNOWN_VALUE)

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return a look-up in the object's dictionary."""
        base = self.base.expression(name_of)
        return f"{base}.__dict__.get({self.name!r}, {name_of(UNKNOWN_VALUE)})"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.base}.{self.name} of its own"


@dataclass(frozen=True, slots=True)
class Item(Path):
    """An item of the tuple or dictionary found at `base`."""

    base: Path
    key: int | str

    def read(self, arguments: Mapping[str, object]) -> object:
        """Return the item."""
        return self.base.read(arguments)[self.key]  # type: ignore[index]  # a tuple or dict by construction

    def expression(self, name_of: Callable[[object], str]) -> str:
        """Return a subscript."""
        return f"{self.base.expression(name_of)}[{self.key!r}]"

    def __str__(self) -> str:
        """Return the text for messages."""
        return f"{self.base}[{self.key!r}]"


def read(path: Path, arguments: Mapping[str, object]) -> object:
    """Return what is found at `path` now, in a call with these arguments."""
    return path.read(arguments)
