"""Class statements in converted code.

Owns `class_`. It leaves which classes may be made in a trace to `runtime.tracing.local_classes`.
Invariant: with no tracer at work the class is the one that the statement makes.
"""

from __future__ import annotations

import sys
import types

from runtime.tracing import local_classes
from runtime.tracing.signals import Unstageable
from runtime.tracing.state import current_tracer
from runtime.tracing.symbol import is_symbolic


def class_(
    name: str,
    path: str,
    documentation: str | None,
    bases: tuple[type, ...],
    *members: tuple[str, object],
) -> type:
    """Return a new class.

    Parameters
    ----------
    name, path
        Its name and its qualified name.
    documentation
        As written.
    bases
        Its base classes.
    *members
        The names that its body binds, with their values, in order.

    Examples
    --------
    >>> Pair = class_("Pair", "f.<locals>.Pair", None, (), ("size", 2))
    >>> Pair.size, Pair.__qualname__
    (2, 'f.<locals>.Pair')
    """
    module = sys._getframe(1).f_globals.get("__name__")
    namespace: dict[str, object] = {"__module__": module, "__qualname__": path}
    if documentation is not None:
        code = compile(repr(documentation), "<documentation>", "exec", optimize=0)
        namespace["__doc__"] = code.co_consts[0]  # Python 3.13 takes indentation away
    namespace.update(members)
    tracer = current_tracer()
    if tracer is None:
        return types.new_class(name, bases, exec_body=lambda body: body.update(namespace))
    if is_symbolic(bases):
        raise Unstageable(f"a base class of {name} is known only at run time")
    plain = tuple(tracer.host.plain(base) for base in bases)
    return local_classes.make_class(tracer, name, plain, namespace)
