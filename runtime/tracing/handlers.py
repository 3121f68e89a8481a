"""Staging of ``try`` and ``with``, and of the variables that change inside them.

Owns `Box`, a variable that lives in memory, and recording ``try`` and ``with`` as regions. It
leaves loops and branches to `control`. Invariant: whatever an exception interrupts, a box holds
what was last assigned, as a Python variable does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import FunctionType

from ..ir.builder import OpenRegion
from ..ir.graph import Region, Value
from ..ir.types import (
    OPAQUE,
    BottomType,
    ObjectType,
    OpaqueType,
    SlotType,
    Type,
    UnboundType,
    UnionType,
)
from ..ops.containers import SLOT, UNBOUND_MARKER
from ..ops.control import TRY, WITH
from .control import cond
from .inference import widen
from .signals import RegionEnd, Unstageable
from .symbol import Symbol, is_symbolic, value_of
from .tracer import Tracer

Function = Callable[..., object]


class Box:
    """A variable of a traced function that lives in memory; see `SlotType`."""

    __slots__ = ("_name", "_slot", "_tracer")

    def __init__(self, tracer: Tracer, name: str, initial: object) -> None:
        self._tracer = tracer
        self._name = name
        slot = tracer.append(SLOT, (initial,), name=name)
        assert isinstance(slot, Symbol)
        self._slot = slot
        tracer.slots.append(value_of(slot))
        if tracer.host.open_slots:
            widen(value_of(slot), SlotType(OPAQUE))

    @classmethod
    def over(cls, tracer: Tracer, name: str, slot: Symbol) -> Box:
        """Return the variable `name` that another function made, as `slot`."""
        box = cls.__new__(cls)
        box._tracer, box._name, box._slot = tracer, name, slot
        return box

    @property
    def slot(self) -> Value:
        """The memory itself."""
        return value_of(self._slot)

    def share(self) -> Symbol:
        """Return the memory itself, for a function that may assign anything at any time."""
        if isinstance(value_of(self._slot).type, SlotType):
            widen(value_of(self._slot), SlotType(OPAQUE))
        return self._slot

    @property
    def value(self) -> object:
        """The variable's value; reading and assigning it are recorded."""
        return self._read(False)

    @value.setter
    def value(self, item: object) -> None:
        self.put(item)

    @property
    def free(self) -> object:
        """The same, as an inner function sees it: its error says that it is not its own."""
        return self._read(True)

    @free.setter
    def free(self, item: object) -> None:
        self.put(item)

    @property
    def content(self) -> object:
        """What the variable holds, if only the mark of an unbound name."""
        return self._tracer.append("getitem", (self._slot, 0), name=self._name)

    def put(self, item: object) -> object:
        """Assign `item` and return it."""
        tracer = self._tracer
        stored = tracer.value(item)
        if isinstance(value_of(self._slot).type, SlotType):
            widen(value_of(self._slot), SlotType(stored.type))
        tracer.append_many("setitem", (self._slot, 0, stored))
        return item

    def _read(self, free: bool) -> object:
        return bound(self._tracer, self.content, self._name, free)


def bound(tracer: Tracer, value: object, name: str, free: bool) -> object:
    """Return `value`, which a variable holds; record a check where it may be unbound."""
    if value is UNBOUND_MARKER or (type(value) is Symbol and tracer.ask(value, _may_be_unbound)):
        attrs = {"name": name, "free": True} if free else {"name": name}
        return tracer.append("check_bound", (value,), attrs, name)
    return value


def _may_be_unbound(type_: Type) -> bool:
    if isinstance(type_, UnionType):
        return any(_may_be_unbound(option) for option in type_.options)
    return isinstance(type_, UnboundType | OpaqueType | BottomType)


def try_(
    tracer: Tracer,
    body: Function,
    handlers: Sequence[tuple[Function | None, Function]],
    orelse: Function | None,
    final: Function | None,
) -> None:
    """Stage ``try``; each handler is a function of its classes (None: any) and one of the error."""
    tracer.note("try", "staged", "its parts become regions")
    origin = tracer.host.origin()
    inputs = [tracer.value(_classes(tracer, classes)) for classes, _ in handlers]
    regions = [_region(tracer, body)]
    for _, handler in handlers:
        regions.append(_region(tracer, handler, Value(OPAQUE, "error")))
    attrs: dict[str, object] = {}
    if orelse is not None:
        attrs["orelse"] = True
        regions.append(_region(tracer, orelse))
    if final is not None:
        attrs["final"] = True
        regions.append(_region(tracer, final))
    tracer.append_regions(TRY, inputs, regions, [], origin, attrs)
    if not _may_continue(regions, len(handlers), orelse is not None, final is not None):
        tracer.builder.end("unreachable")
        raise RegionEnd


def _may_continue(regions: Sequence[Region], handlers: int, orelse: bool, final: bool) -> bool:
    """Tell whether control may reach what follows the ``try``."""
    if final and regions[-1].end.kind != "yield":
        return False
    normal = regions[0].end.kind == "yield"
    if orelse:
        normal = normal and regions[1 + handlers].end.kind == "yield"
    return normal or any(region.end.kind == "yield" for region in regions[1 : 1 + handlers])


def with_(tracer: Tracer, manager: object, body: Function) -> None:
    """Stage ``with``: natively, or by its two methods where they are the user's own."""
    methods = [_method(manager, name) for name in ("__enter__", "__exit__")]
    if methods[0] is not None and methods[1] is not None:
        _with_own_methods(tracer, manager, methods[0], methods[1], body)
        return
    tracer.note("with", "staged", "entered and left at run time")
    origin = tracer.host.origin()
    entered = tracer.value(manager)
    region = _region(tracer, body, Value(OPAQUE))
    tracer.append_regions(WITH, [entered], [region], [], origin)


def _with_own_methods(
    tracer: Tracer, manager: object, enter: FunctionType, leave: FunctionType, body: Function
) -> None:
    """Stage ``with`` as PEP 343 defines it, so that the methods are compiled too."""
    value = tracer.function(enter, (manager,), {})
    left = Box(tracer, "left", False)

    def on_error(error: Symbol) -> None:
        left.value = True
        kind = tracer.function(type, (error,), {})
        traceback = tracer.append("getattr", (error,), {"name": "__traceback__"})
        swallowed = tracer.function(leave, (manager, kind, error, traceback), {})
        cond(tracer, swallowed, lambda: None, lambda: tracer.reraise(), (), ())

    def finally_() -> None:
        def leave_now() -> None:
            tracer.function(leave, (manager, None, None, None), {})

        cond(tracer, left.value, lambda: None, leave_now, (), ())

    try_(tracer, lambda: body(value), ((None, on_error),), None, finally_)


def _method(manager: object, name: str) -> FunctionType | None:
    type_ = value_of(manager).type if type(manager) is Symbol else None
    if not isinstance(type_, ObjectType):
        return None
    found = inspect.getattr_static(type_.cls, name, None)
    library = type_.cls.__module__.partition(".")[0] in ("numpy", "contextlib")
    return found if isinstance(found, FunctionType) and not library else None


def _region(tracer: Tracer, function: Function, *params: Value) -> Region:
    region = OpenRegion(list(params))
    with tracer.reopened(region):
        arguments = tracer.symbols(params)
    tracer.run_region(function, arguments, region)
    if region.end is None:
        with tracer.reopened(region):
            tracer.builder.end("yield")
    return region.close()


def _classes(tracer: Tracer, classes: Function | None) -> object:
    """Return the exception classes of a handler, which Python evaluates when an error arrives."""
    if classes is None:
        return BaseException
    mark = tracer.mark()
    try:
        found = classes()
    except Exception as error:
        if isinstance(error, Unstageable) or not tracer.host.is_user_error(error):
            raise
        raise Unstageable(f"the class of an except clause raises {error!r}", _NAMED) from error
    if is_symbolic(found) or tracer.mark().nodes != mark.nodes:
        raise Unstageable("the classes of an except clause are known only at run time", _NAMED)
    for item in found if type(found) is tuple else (found,):
        if not (isinstance(item, type) and issubclass(item, BaseException)):
            kind = item if isinstance(item, type) else type(item)
            raise Unstageable(
                f"an except clause names no class of exceptions ({kind.__qualname__})", _NAMED
            )
    return found


_NAMED = "name classes of exceptions there"


