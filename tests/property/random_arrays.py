"""Arrays of every dtype, shape and layout, as Python expressions that make them.

Owns `array`, which those expressions call, and `array_text`, which chooses one. Invariant: the same
expression makes equal arrays each time, with strides and flags alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Choose = Callable[[int], int]
"""Returns a number from 0 to below its argument; 0 is the simplest choice."""

DTYPES = (
    "f8", "i8", "f4", "?", "c16", "i1", "u1", "i4", "u8", "i2", "u2", "u4", "f2", "c8", "g",
)  # fmt: skip
USUAL_DTYPES = ("f8", "i8", "f4", "?", "c16", "u1")
LAYOUTS = (
    "C", "F", "offset", "strided", "reversed", "transposed", "broadcast", "read-only", "swapped",
)  # fmt: skip
_NUMBERS = np.array([3, -1, 2, 0, 5, 1, 4, -2, 7, 1, 0, -3])
_REALS = np.array([0.5, 2.0, -1.25, 0.0, 3.0, -0.0, 1.5, np.inf, 0.25, np.nan, -2.0, 1e30])


def values(count: int, dtype: str, seed: int) -> np.ndarray:
    """Return `count` numbers; an odd `seed` brings in what is no finite number."""
    kind = np.dtype(dtype).kind
    source = _REALS if seed % 2 and kind in "fc" else _NUMBERS
    numbers = np.resize(np.roll(source, seed), count)
    if kind == "b":
        return numbers > 0
    with np.errstate(all="ignore"):
        if kind == "c":
            return (numbers + 1j * np.roll(numbers, 1)).astype(dtype)
        return (abs(numbers) if kind == "u" else numbers).astype(dtype)


def array(shape: tuple[int, ...], dtype: str = "f8", layout: str = "C", seed: int = 0):
    """Return an array of this shape, dtype and layout; `seed` chooses the numbers in it."""
    if layout == "broadcast":
        return np.broadcast_to(array(shape[1:], dtype, "C", seed), shape)
    return laid(values(int(np.prod(shape)), dtype, seed).reshape(shape), layout)


def laid(x: np.ndarray, layout: str) -> np.ndarray:
    """Return a copy of `x` in one of `LAYOUTS`.

    ``"broadcast"`` repeats what is first, and ``"swapped"`` has the other byte order.
    """
    if layout == "broadcast":
        return np.broadcast_to(x[:1].copy()[0], x.shape) if x.ndim and x.size else x.copy()
    if layout == "F":
        return x.copy(order="F")
    if layout == "swapped":
        return x.astype(x.dtype.newbyteorder())
    if layout in ("C", "read-only"):
        x = x.copy()
        x.flags.writeable = layout == "C"
        return x
    if layout == "offset":
        room = np.zeros(tuple(n + 2 for n in x.shape), x.dtype)
        view = room[(..., *(slice(1, n + 1) for n in x.shape))]
    elif layout == "strided":
        room = np.zeros(tuple(2 * n for n in x.shape), x.dtype)
        view = room[(..., *(slice(None, None, 2),) * x.ndim)]
    elif layout == "reversed":
        view = np.zeros(x.shape, x.dtype)[(..., *(slice(None, None, -1),) * x.ndim)]
    else:
        room = np.zeros(x.shape[1:] + x.shape[:1], x.dtype)
        view = room.transpose(*(k - 1 for k in range(x.ndim)))
    view[...] = x
    return view


def one(choose: Choose, options: Sequence[T]) -> T:
    """Return one of `options`."""
    return options[choose(len(options))]


def chance(choose: Choose, n: int) -> bool:
    """Return True once in `n` times."""
    return choose(n) == n - 1


def shape_of_choice(choose: Choose, rank: int | None = None) -> tuple[int, ...]:
    """Return a small shape, seldom an empty one."""
    rank = one(choose, (1, 2, 2, 3, 0)) if rank is None else rank
    return tuple(one(choose, (3, 2, 4, 1, 3, 2, 0)) for _ in range(rank))


def array_text(
    choose: Choose,
    shape: tuple[int, ...] | None = None,
    dtypes: Sequence[str] = USUAL_DTYPES,
) -> str:
    """Return an expression that makes an array.

    Parameters
    ----------
    choose
        Where choices come from.
    shape
        Its shape; any if it is not given.
    dtypes
        What to choose the dtype from; seldom it is one of all.
    """
    shape = shape_of_choice(choose) if shape is None else shape
    dtype = one(choose, DTYPES) if chance(choose, 6) else one(choose, dtypes)
    layout = one(choose, LAYOUTS) if chance(choose, 2) else "C"
    if layout in ("broadcast", "transposed") and not shape:
        layout = "C"
    return f"array({shape}, {dtype!r}, {layout!r}, {choose(4)})"
