"""Objects that converted code makes.

Owns calling a class. It leaves calls of functions to the `World`. Invariant: an ``__init__`` of the
user's is converted like any function, and an object is made in its place, on every call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import BuiltinFunctionType, FunctionType

from runtime.ops.environment import NEW_OBJECT
from runtime.tracing.signals import Unstageable
from runtime.tracing.tracer import Tracer

from . import special
from .allowlist import is_library_module

Maker = Callable[[type, Sequence[object], Mapping[str, object]], object]


def construct(
    tracer: Tracer,
    cls: type,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    island: Maker,
) -> object:
    """Call a class as converted code does; `island` calls it at run time, as it is."""
    init = inspect.getattr_static(cls, "__init__")
    written = isinstance(init, FunctionType) and not special.is_generated(init)
    is_error = issubclass(cls, BaseException)
    if is_library_module(cls.__module__) or (is_error and not written):
        return island(cls, args, kwargs)
    maker = inspect.getattr_static(cls, "__new__")
    if not _is_called_as_usual(cls) or not isinstance(maker, BuiltinFunctionType):
        return _generated_class(cls, args, kwargs, island)
    if hasattr(cls, "__del__"):
        raise Unstageable(
            f"the class {cls.__qualname__} has a `__del__`, which runs when an object is freed",
            "make the object outside and pass it as an argument",
        )
    made = tracer.append(NEW_OBJECT, (cls, *args) if is_error else (cls,))
    if written:
        tracer.function(init, (made, *args), kwargs)
        return made
    if init is vars(object)["__init__"] and maker is object.__new__ and not args and not kwargs:
        return made
    return _generated_class(cls, args, kwargs, island)


def _is_called_as_usual(cls: type) -> bool:
    """Tell whether calling `cls` is calling its ``__new__`` and ``__init__``."""
    return type(cls).__call__ is type.__call__


def _generated_class(
    cls: type, args: Sequence[object], kwargs: Mapping[str, object], island: Maker
) -> object:
    """Make an object of a class whose ``__new__`` and ``__init__`` are not the user's code.

    A ``__post_init__`` runs as it is: what calls it has no source.
    """
    makers = [inspect.getattr_static(cls, name, None) for name in ("__new__", "__init__")]
    written = [m for m in makers if isinstance(getattr(m, "__func__", m), FunctionType)]
    if issubclass(cls, Enum) or (
        _is_called_as_usual(cls)
        and all(special.is_generated(getattr(maker, "__func__", maker)) for maker in written)
    ):
        return island(cls, args, kwargs)
    raise Unstageable(
        f"the class {cls.__qualname__} makes its objects in a way that is not compiled",
        "make the object outside and pass it as an argument",
    )
