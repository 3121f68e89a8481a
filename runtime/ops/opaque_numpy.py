"""The functions of NumPy that no family describes: known only not to run user code.

Owns conservative operations for those of ``numpy``, ``numpy.linalg`` and ``numpy.fft``, which
`register_remaining` enters once every family is there. It leaves out functions that
call back (``apply_along_axis``), touch files, print or depend on global settings: those are unknown
code. Invariant: nothing is claimed of the result but that it is some object, possibly an argument
or a view of one.
"""

from __future__ import annotations

import types as python_types
from collections.abc import Iterator

import numpy as np

from ..ir.types import OPAQUE, Type
from .calling import Arguments, any_input, define
from .dense import UndecidedError
from .registry import FUNCTIONS

_UNKNOWN_CODE = frozenset((
    "apply_along_axis", "apply_over_axes", "fromfunction", "piecewise", "frompyfunc", "fromfile",
    "fromiter", "fromregex", "genfromtxt", "load", "loadtxt", "save", "savez", "savez_compressed",
    "savetxt", "set_printoptions", "get_printoptions", "printoptions", "seterr", "geterr",
    "seterrcall", "geterrcall", "setbufsize", "getbufsize", "info", "show_config", "show_runtime",
    "test", "nested_iters", "array2string", "array_repr", "array_str", "get_include", "einsum_path",
    "from_dlpack", "asmatrix", "bmat", "typename", "mintypecode", "asarray_chkfinite",
))  # fmt: skip
"""Functions that call back, or touch the world outside or NumPy's settings."""

_CALENDAR = ("_", "busday", "datetime", "is_busday")


def _unknown(arguments: Arguments) -> Type:
    raise UndecidedError


def remaining_functions() -> Iterator[str]:
    """Yield the dotted names of functions that no family describes, in order of name."""
    for prefix, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft)):
        for name, function in sorted(vars(module).items()):
            left_out = name in _UNKNOWN_CODE or name.startswith(_CALENDAR)
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
