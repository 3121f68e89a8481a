"""Objects that converted code makes.

Owns calling a class. It leaves calls of functions to the `World`. Invariant: an ``__init__`` of the
user's is converted like any function, and an object is made in its place, on every call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
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
    if type(cls) is not type or not isinstance(maker, BuiltinFunctionType):
        return _generated_class(cls, args, kwargs, island)
    if hasattr(cls, "__del__"):
        raise Unstageable(
            f"the class {cls.__qualname__} has a `__del__`, which runs as soon as an object is freed",
            "make the object outside and pass it as an argument",
        )
    made = tracer.append(NEW_OBJECT, (cls, *args) if is_error else (cls,))
    if written:
        tracer.function(init, (made, *args), kwargs)
        return made
    if init is vars(object)["__init__"] and maker is object.__new__ and not args and not kwargs:
        return made
    return _generated_class(cls, args, kwargs, island)


def _generated_class(
    cls: type, args: Sequence[object], kwargs: Mapping[str, object], island: Maker
) -> object:
    """Make an object of a class that runs no code of the user's when it makes one."""
    makers = [inspect.getattr_static(cls, name, None) for name in ("__new__", "__init__")]
    written = [m for m in makers if isinstance(getattr(m, "__func__", m), FunctionType)]
    hooks = inspect.getattr_static(cls, "__post_init__", None)
    if type(cls) is type and hooks is None and all(
        special.is_generated(getattr(maker, "__func__", maker)) for maker in written
    ):
        return island(cls, args, kwargs)
    raise Unstageable(
        f"the class {cls.__qualname__} makes its objects in a way that is not compiled",
        "make the object outside and pass it as an argument",
    )
