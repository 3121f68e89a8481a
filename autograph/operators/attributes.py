"""Attributes in converted code that may not stay as written.

Owns `special`, for names such as ``__class__`` that symbols have of their own, and `target`, which
looks at what an attribute is assigned to. Ordinary reads stay as written. Invariant: with no
tracer at work each does what Python does.
"""

from __future__ import annotations

import types

from runtime.tracing import generators, handlers
from runtime.tracing.host import NOT_HANDLED
from runtime.tracing.signals import Unstageable
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import Symbol, is_symbolic

_FIXED = (
    str, type, type(None), types.FunctionType, types.BuiltinFunctionType,
    types.WrapperDescriptorType, types.MethodDescriptorType, types.MethodWrapperType,
)  # fmt: skip


def special(item: object, name: str) -> object:
    """Return ``item.<name>`` for a `name` with two underscores on both sides.

    >>> special(1, "__class__")
    <class 'int'>
    """
    tracer = current_tracer()
    if tracer is None:
        return getattr(item, name)
    if isinstance(item, generators.Generated | generators.GeneratorFunction):
        return item.attribute(name)
    if not is_symbolic(item):
        found = getattr(tracer.host.plain(item), name)
        if isinstance(found, _FIXED):
            return found
        raise Unstageable(f"the attribute {name} of something known while compiling is read")
    if name == "__dict__":
        raise Unstageable("the attribute __dict__ is read", "name the attributes themselves")
    if type(item) is Symbol:
        if name == "__class__":
            return tracer.function(type, (item,), {})
        found = tracer.host.attribute(tracer, item, name)
        if found is not NOT_HANDLED:
            return found
    return tracer.append("getattr", (item,), {"name": name})


def target(item: object) -> object:
    """Return `item`, an attribute of which is going to be assigned or deleted.

    >>> target([])
    []
    """
    tracer = current_tracer()
    if tracer is not None and not isinstance(item, Symbol | handlers.Box):
        tracer.host.assigned(item)
    return item
