"""Type specifications: arguments that are types, for looking at graphs without data.

Owns `TypeSpec`, and arrays of random numbers of a type. Invariant: a specification is a type of the
graph; it is never an argument of a run.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from runtime.ir.reader import read_type
from runtime.ir.types import ArrayType, TupleType, Type


@dataclass(frozen=True)
class TypeSpec:
    """Stands for any value of a type, where a function is traced but not run.

    Parameters
    ----------
    text
        A type as graphs print it: ``f64[n, 3]``, ``f64[]``, ``int``, ``(f64[n], int)``.

    Raises
    ------
    TypeError
        If `text` is no text.
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
        if not isinstance(self.text, str):
            raise TypeError(
                f"TypeSpec takes a type as text, such as 'f64[n, 3]' or 'int', not {self.text!r}"
            )
        object.__setattr__(self, "type", read_type(self.text))


def random_value(type: Type, generator: np.random.Generator) -> object:
    """Return an array of a type, with random numbers, to run a function with.

    Parameters
    ----------
    type
        An array with known dtype and lengths, or a tuple of such.
    generator
        Where the numbers come from: floats and complex numbers have parts from 0 to 1, whole
        numbers are from 0 to 99.

    Raises
    ------
    ValueError
        If the type leaves anything open, or is of a number or an object: its value matters.

    Examples
    --------
    >>> random_value(TypeSpec("i64[2, 3]").type, np.random.default_rng(0)).shape
    (2, 3)
    """
    if isinstance(type, TupleType):
        return tuple(random_value(item, generator) for item in type.items)
    if not isinstance(type, ArrayType):
        raise ValueError(f"write a value in place of {type}: it may decide what the function does")
    if type.dtype is None or type.shape is None:
        raise ValueError("write its dtype and lengths, as in f64[1000,3]")
    lengths = [extent for extent in type.shape if isinstance(extent, int)]
    if len(lengths) < len(type.shape):
        raise ValueError("write numbers for its lengths, as in f64[1000,3]")
    if type.dtype.kind in "iu":
        return generator.integers(0, 100, lengths).astype(type.dtype)
    if type.dtype.kind == "b":
        return generator.random(lengths) < 0.5
    if type.dtype.kind == "c":
        return (generator.random(lengths) + 1j * generator.random(lengths)).astype(type.dtype)
    if type.dtype.kind == "f":
        return generator.random(lengths).astype(type.dtype)
    raise ValueError(f"there are no random values of dtype {type.dtype}; use --call")
