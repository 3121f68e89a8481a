"""Fourier transforms: ``numpy.fft``.

Owns the lengths that transforms give and their dtypes. It leaves other functions of signals to
`signals`. Invariant: a length of 0 along a transformed axis certainly raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.types import ArrayType, Extent, NumberType, Type
from .calling import Arguments, axes_of, axis_of, define, numpy_function
from .dense import CertainError, Shape, UndecidedError, array_with, probe_dtype
from .shaping import extent_of, shape_argument


def _half(extent: Extent) -> Extent:
    """Return how many frequencies of a real signal there are."""
    return extent // 2 + 1 if isinstance(extent, int) else None


def _double(extent: Extent) -> Extent:
    """Return how long the real signal of so many frequencies is."""
    if extent == 1:
        raise CertainError
    return 2 * (extent - 1) if isinstance(extent, int) else None


def _same(extent: Extent) -> Extent:
    return extent


_Lengths = tuple[Callable[[Extent], Extent], Callable[[Extent], Extent]]
_LENGTHS: dict[str, _Lengths] = {
    "fft": (_same, _same), "ifft": (_same, _same), "rfft": (_half, _half), "ihfft": (_half, _half),
    "irfft": (_double, _same), "hfft": (_double, _same),
}  # fmt: skip
"""The length of the result: from that of the operand, and from ``n`` where it is given."""


def _length(payload: Extent) -> Extent:
    """Return a length that is asked for; it has to be positive."""
    if isinstance(payload, int) and payload < 1:
        raise CertainError
    return payload


def _dtype(name: str, type_: ArrayType, rank: int) -> np.dtype | None:
    function = numpy_function(f"fft.{name}")
    assert function is not None
    return probe_dtype(function, [type_.dtype], ((2,) * rank,))


def _transform(name: str) -> Callable[[Arguments], Type]:
    """Return the rule of a transform along one axis."""
    natural, asked = _LENGTHS[name]

    def rule(arguments: Arguments) -> Type:
        arguments.only("a", "n", "axis", "norm")
        type_ = arguments.array("a")
        given = arguments.given("n")
        length = asked(_length(extent_of(arguments.type("n")))) if given else None

        def shape() -> Shape | None:
            if type_.shape is None:
                return None
            axis = axis_of(arguments.constant("axis", -1), len(type_.shape))
            extent = type_.shape[axis]
            if extent == 0 and not given:
                raise CertainError
            result = length if given else natural(extent)
            return (*type_.shape[:axis], result, *type_.shape[axis + 1 :])

        return array_with(_dtype(name, type_, 1), shape)

    return rule


for _name in _LENGTHS:
    define(f"fft.{_name}", "a n axis norm out", _transform(_name))


def _transform_all(name: str, two: bool) -> Callable[[Arguments], Type]:
    """Return the rule of a transform along several axes; the last two by default if `two`."""
    natural, asked = _LENGTHS[{"rfft": "rfft", "irff": "irfft"}.get(name[:4], "fft")]

    def rule(arguments: Arguments) -> Type:
        arguments.only("a", "s", "axes", "norm")
        type_ = arguments.array("a")
        dtype = _dtype(name, type_, 2)
        if type_.shape is None:
            raise UndecidedError  # what has no axes is returned as it is
        asked_for = shape_argument(arguments.value("s")) if arguments.given("s") else None
        axes = _axes(arguments, len(type_.shape), two, asked_for)
        if not axes:
            raise UndecidedError
        shape = list(type_.shape)
        for i, axis in enumerate(axes):
            wanted = -1 if asked_for is None else asked_for[i]
            length = shape[axis] if wanted == -1 else _length(wanted)
            if length == 0:
                raise CertainError
            if i == len(axes) - 1:
                length = (natural if asked_for is None else asked)(length)
            shape[axis] = length
        return ArrayType(dtype, tuple(shape))

    return rule


def _axes(
    arguments: Arguments, rank: int, two: bool, asked_for: Sequence[Extent] | None
) -> tuple[int, ...]:
    """Return the transformed axes, the last of them last."""
    if arguments.given("axes"):
        axes = axes_of(arguments.constant("axes"), rank)
    elif two and "axes" not in arguments.positions:
        axes = axes_of((-2, -1), rank)
    elif asked_for is None:
        axes = tuple(range(rank))
    else:
        axes = axes_of(tuple(range(-len(asked_for), 0)), rank)
    if asked_for is not None and len(asked_for) != len(axes):
        raise CertainError
    return axes


for _name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
    define(f"fft.{_name}", "a s axes norm out", _transform_all(_name, _name.endswith("2")))


def _frequencies(of_length: Callable[[Extent], Extent]) -> Callable[[Arguments], Type]:
    def rule(arguments: Arguments) -> Type:
        arguments.only("n", "d")
        n = arguments.type("n")
        step = arguments.type("d") if "d" in arguments.positions else NumberType("float")
        if not (isinstance(n, NumberType) and n.kind == "int"):
            raise UndecidedError
        if not (isinstance(step, NumberType) and step.kind in ("int", "float")):
            raise UndecidedError
        extent = n.extent
        if isinstance(extent, int) and extent < 1:
            raise CertainError
        return ArrayType(np.dtype(float), (of_length(extent),))

    return rule


define("fft.fftfreq", "n d device", _frequencies(_same))
define("fft.rfftfreq", "n d device", _frequencies(_half))
for _name in ("fftshift", "ifftshift"):
    define(f"fft.{_name}", "x axes", lambda arguments: arguments.array("x"))
