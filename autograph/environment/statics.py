"""Attributes of the classes, functions and modules that are built into a trace.

Owns the guards for what converted code may read from such an object: its code reads their
attributes as written, past the tracer. Invariant: an attribute whose name occurs in code of the
trace either is guarded to be what it was, or has the call run as plain Python.

It also says which objects are built in: `is_static`.
"""

from __future__ import annotations

import enum
import functools
import io
import types
from collections.abc import Iterator, MutableMapping
from types import CodeType, FunctionType, MethodType, ModuleType

import numpy as np

from runtime.tracing.signals import Unstageable

from .allowlist import is_library_item, is_library_module
from .guards import EqualGuard, Guard, IdentityGuard
from .overlay import is_overlay_function
from .paths import Attribute, Known, Path

_NUMBERS_AND_TEXTS = (bool, int, float, complex, str, bytes, np.generic)
_NEVER_CHANGING = (type(None), enum.Enum, np.dtype, np.ufunc, type(Ellipsis), type(len))
_DESCRIPTORS = (staticmethod, classmethod, functools.cached_property)
_STATIC_CLASSES = (
    type(None), str, bytes, type, enum.Enum, np.dtype, np.ufunc, FunctionType,
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
    type(Ellipsis), type(NotImplemented), functools.partial, MethodType,
    type(np.sum),
)  # fmt: skip
_DATA = (
    type(None), str, bytes, enum.Enum, np.dtype, type(Ellipsis), type(NotImplemented),
)  # fmt: skip
_CHANGING = (list, dict, set, bytearray, np.ndarray, MutableMapping, io.IOBase)


class StaticAttributes:
    """Watches the objects built into one trace for the attribute names that its code mentions."""

    def __init__(self, guards: dict[Path, Guard]) -> None:
        self._guards = guards
        self._names: dict[str, None] = {}
        self._objects: dict[int, object] = {}
        self.has_data = False
        """Whether a number or text that may be assigned anew was found."""

    def add_code(self, code: CodeType) -> None:
        """Take notice of code that is going to run."""
        new = {name: None for name in _names_in(code) if name not in self._names}
        self._names.update(new)
        for item in list(self._objects.values()):
            for name in new:
                self._watch(item, name)

    def add_object(self, item: object) -> None:
        """Take notice of an object that converted code may hold."""
        if isinstance(item, enum.Enum):
            item = type(item)
        if not isinstance(item, type | FunctionType | ModuleType):
            return
        if isinstance(item, type | FunctionType) and is_library_module(item.__module__ or ""):
            return
        if isinstance(item, type) and issubclass(item, enum.Enum):
            for member in item.__members__.values():  # one leads to all others
                self._add(member)
        else:
            self._add(item)

    def _add(self, item: object) -> None:
        if id(item) in self._objects:
            return
        self._objects[id(item)] = item
        for name in self._names:
            self._watch(item, name)

    def guard_member(self, cls: type, name: str, found: object) -> None:
        """Guard that the class attribute `name` that `found` was looked up as stays."""
        if isinstance(found, FunctionType) and is_overlay_function(found):
            return  # of a class that the trace itself made
        if isinstance(found, FunctionType | property):
            path = Attribute(Known(cls), name)
            self._guards.setdefault(path, IdentityGuard(path, found))

    def guard_function(self, function: FunctionType) -> None:
        """Guard that a function which is converted keeps its code and defaults."""
        for name in ("__code__", "__defaults__"):
            path = Attribute(Known(function), name)
            self._guards.setdefault(path, IdentityGuard(path, getattr(function, name)))

    def _watch(self, item: object, name: str) -> None:
        for found in _attribute(item, name):
            if isinstance(item, ModuleType):
                self._refuse_changing(item, name, found)
            else:
                self._guard(item, name, found)

    def _guard(self, item: object, name: str, found: object) -> None:
        path = Attribute(Known(item), name)
        if isinstance(found, _NUMBERS_AND_TEXTS):
            self.has_data = True
            self._guards[path] = EqualGuard(path, found)
        elif isinstance(found, type | FunctionType):
            self._guards[path] = IdentityGuard(path, found)
            self.add_object(found)
        elif isinstance(found, _NEVER_CHANGING) or is_fixed(found):
            self.has_data = True
            self._guards[path] = IdentityGuard(path, found)
            for part in found if isinstance(found, tuple) else (found,):
                self.add_object(part)
        elif not isinstance(found, _DESCRIPTORS) and not hasattr(type(found), "__get__"):
            if type(found).__module__.partition(".")[0] != "autograph":
                self._refuse(item, name, found)

    def _refuse_changing(self, module: ModuleType, name: str, found: object) -> None:
        if isinstance(found, _CHANGING):
            self._refuse(module, name, found)

    def _refuse(self, item: object, name: str, found: object) -> None:
        owner = getattr(item, "__qualname__", None) or getattr(item, "__name__", "")
        if isinstance(item, enum.Enum):
            owner = f"{type(item).__qualname__}.{item.name}"
        raise Unstageable(
            f"{owner}.{name} is a {type(found).__qualname__}, which compiled code cannot follow "
            "there",
            "pass it as an argument",
        )


def _attribute(item: object, name: str) -> Iterator[object]:
    """Yield what `item` keeps under `name`, without running code; nothing if that is no data."""
    if not isinstance(item, type):
        if name in vars(item):
            yield vars(item)[name]
        return
    for base in item.__mro__:
        if name in vars(base):
            if not is_library_module(base.__module__):
                yield vars(base)[name]
            return


def is_fixed(item: object) -> bool:
    """Tell whether `item` is a tuple of what never changes."""
    fixed = (*_NUMBERS_AND_TEXTS, *_NEVER_CHANGING, type)
    return type(item) is tuple and all(isinstance(p, fixed) or is_fixed(p) for p in item)


@functools.lru_cache(maxsize=1024)
def _names_in(code: CodeType) -> tuple[str, ...]:
    """Return the names of globals and attributes in `code` and in what is nested in it."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names.extend(_names_in(constant))
    return tuple(dict.fromkeys(names))


def is_static(live: object) -> bool:
    """Tell whether an object is built into a trace, guarded by identity (or value, for text)."""
    if isinstance(live, ModuleType):
        return is_library_module(live.__name__)
    return isinstance(live, _STATIC_CLASSES) and not isinstance(live, np.generic)


def is_code(live: object) -> bool:
    """Tell whether an object is a function, a class or a module: what programs do not rebind."""
    return is_static(live) and not isinstance(live, _DATA)


def is_users_code(item: object) -> bool:
    """Tell whether `item` is a function or class of the user's that the trace did not make."""
    if isinstance(item, FunctionType) and is_overlay_function(item):
        return False
    return isinstance(item, FunctionType | type) and not is_library_item(item)
