"""Type specifications: arguments that are types, for looking at graphs without data.

Owns `TypeSpec`. Invariant: a specification is a type of the graph; it is never an argument of a
run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from runtime.ir.reader import read_type
from runtime.ir.types import Type


@dataclass(frozen=True)
class TypeSpec:
    """Stands for any value of a type, where a function is traced but not run.

    Parameters
    ----------
    text
        A type as graphs print it: ``f64[n, 3]``, ``f64[]``, ``int``, ``(f64[n], int)``.

    Raises
    ------
    GraphError
        If the text is not a type.

    Examples
    --------
    >>> TypeSpec("f64[n]").type.rank
    1
    """

    text: str
    type: Type = field(init=False, repr=False)

    @classmethod
    def of(cls, type: Type) -> TypeSpec:
        """Return what stands for any value of a type of the graph."""
        spec = cls.__new__(cls)
        object.__setattr__(spec, "text", str(type))
        object.__setattr__(spec, "type", type)
        return spec

    def __post_init__(self) -> None:
        """Prepare what is derived."""
        object.__setattr__(self, "type", read_type(self.text))
