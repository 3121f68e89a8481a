"""The functions of NumPy that no family describes, and why.

Owns conservative operations for those of ``numpy``, ``numpy.linalg`` and ``numpy.fft``, which
`register_remaining` enters once every family is there, and the reasons that docs/numpy.md gives. It
leaves out functions that call back (``apply_along_axis``), touch files, print or depend on global
settings: those are unknown code. Invariant: nothing is claimed of the result but that it is some
object, possibly an argument or a view of one.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Iterator

import numpy as np

from ..ir.types import OPAQUE, Type
from .calling import Arguments, any_input, define
from .dense import UndecidedError
from .registry import FUNCTIONS

_CALLS_BACK = "it calls a function of yours, which is not looked into"
_FILES = "it reads or writes a file"
_SETTINGS = "it reads or changes settings of NumPy that hold everywhere"
_PRINTS = "its text depends on NumPy's print options"
_CALENDAR = "dates are no numbers here"
_MATRIX = "it makes a matrix, a subclass of ndarray"
_INSTALLATION = "it tells about the installation of NumPy"
_OTHER_LIBRARY = "it takes memory of another library"

UNKNOWN_CODE: dict[str, str] = {
    **dict.fromkeys(
        ("apply_along_axis", "apply_over_axes", "fromfunction", "piecewise", "frompyfunc"),
        _CALLS_BACK,
    ),
    "fromiter": "it uses up an iterable of yours",
    **dict.fromkeys(
        ("fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "save", "savez",
         "savez_compressed", "savetxt"), _FILES,
    ),
    **dict.fromkeys(
        ("set_printoptions", "get_printoptions", "printoptions", "seterr", "geterr", "seterrcall",
         "geterrcall", "setbufsize", "getbufsize"), _SETTINGS,
    ),
    **dict.fromkeys(("array2string", "array_repr", "array_str"), _PRINTS),
    **dict.fromkeys(("info", "show_config", "show_runtime", "test", "get_include"), _INSTALLATION),
    **dict.fromkeys(("asmatrix", "bmat"), _MATRIX),
    **dict.fromkeys(
        ("busday_count", "busday_offset", "is_busday", "datetime_as_string", "datetime_data"),
        _CALENDAR,
    ),
    "from_dlpack": _OTHER_LIBRARY,
    "nested_iters": "it makes iterators of NumPy's own kind",
    "einsum_path": "it plans a sum, and computes none",
    "typename": "it tells about a type code",
    "mintypecode": "it tells about type codes",
    "asarray_chkfinite": "it takes any object",
    "random.get_bit_generator": "it hands out NumPy's global state",
    "random.set_bit_generator": "it exchanges NumPy's global state",
}  # fmt: skip
"""Functions that stay calls, made at run time at their place: by dotted name, the reason."""

OPAQUE_FUNCTIONS: dict[str, str] = {
    "block": "what it joins stands in nested lists, whose items are known at run time",
    "mask_indices": "it asks a function which places there are",
    "frombuffer": "it reads the memory of any object",
    "fromstring": "it reads numbers from a text",
    "common_type": "it gives a class of scalars",
    "result_type": "it gives a dtype",
    "promote_types": "it gives a dtype",
    "min_scalar_type": "it gives a dtype",
}
"""Functions whose results have a type only at run time: by dotted name, the reason."""


def _unknown(arguments: Arguments) -> Type:
    raise UndecidedError


def remaining_functions() -> Iterator[str]:
    """Yield the dotted names of functions that no family describes, in order of name."""
    for prefix, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft)):
        for name, function in sorted(vars(module).items()):
            left_out = name in UNKNOWN_CODE or name.startswith("_")
            if left_out or not _is_function(function) or function in FUNCTIONS:
                continue
            yield prefix + name


def _is_function(function: object) -> bool:
    """Tell whether `function` is one of NumPy's own, dispatched or built in."""
    own = str(getattr(function, "__module__", "") or "").startswith("numpy")
    kinds = (python_types.FunctionType, python_types.BuiltinFunctionType, type(np.sum))
    return own and isinstance(function, kinds)


def register_remaining() -> None:
    """Enter conservative operations for all functions that are not in the tables yet."""
    for name in tuple(remaining_functions()):
        define(name, "*inputs", _unknown, any_input, fallback=OPAQUE)
