"""Which code is ours to convert, and which belongs to libraries.

Owns the decision whether a module's functions are converted or called as they are. Invariant: a
module of the standard library, NumPy or anything installed beside it is never converted.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from types import FunctionType, ModuleType

import numpy as np

_ROOTS = {*sys.stdlib_module_names, "numpy", "scipy", "autograph", "runtime"} - {"__main__"}
_LIBRARY_FOLDERS = tuple(
    os.path.realpath(folder) + os.sep
    for key in ("purelib", "platlib", "stdlib", "platstdlib")
    if (folder := sysconfig.get_path(key))
)


def is_library_module(name: str) -> bool:
    """Tell whether the module called `name` belongs to a library whose state is never the user's.

    >>> is_library_module("numpy.linalg"), is_library_module("__main__")
    (True, False)
    """
    return name.partition(".")[0] in _ROOTS


def is_library_item(item: object) -> bool:
    """Tell whether a module, class or function belongs to a library.

    >>> is_library_item(np), is_library_item(np.exp), is_library_item(len), is_library_item("text")
    (True, True, True, False)
    """
    if isinstance(item, ModuleType):
        return is_library_module(item.__name__)
    if isinstance(item, np.ufunc):
        return True
    module = getattr(item, "__module__", None)
    return callable(item) and isinstance(module, str) and is_library_module(module)


def is_library_function(function: FunctionType) -> bool:
    """Tell whether `function` belongs to a library, by its module or by its file."""
    if is_library_module(function.__module__ or ""):
        return True
    file = os.path.realpath(function.__code__.co_filename)
    return file.startswith(_LIBRARY_FOLDERS)


def is_library_object(item: ModuleType) -> bool:
    """Tell whether the module `item` belongs to a library."""
    return is_library_module(item.__name__)


def do_not_convert(function: FunctionType) -> FunctionType:
    """Mark `function` so that compiled code calls it as it is, at run time.

    >>> @do_not_convert
    ... def log(x):
    ...     print(x)
    """
    function.__autograph_do_not_convert__ = True  # type: ignore[attr-defined]  # functions take any
    return function
