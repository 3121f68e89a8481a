"""Objects of the user's classes in a traced function: attributes, operators, calls.

Owns the part of the `World` that answers for them: properties and special methods are inlined,
attributes are read by access path where nobody writes them. It leaves reading the world to `world`
and finding methods to `special`. Invariant: what was found on a class is guarded to stay.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType

from runtime.ir.graph import Value
from runtime.ir.types import ObjectType
from runtime.ops.registry import UNKNOWN_VALUE
from runtime.tracing.host import NOT_HANDLED, Host
from runtime.tracing.signals import Unstageable
from runtime.tracing.symbol import Symbol, value_of
from runtime.tracing.tracer import Tracer
from runtime.tracing.variables import is_variable

from . import special
from .allowlist import is_library_module
from .guards import AbsentGuard, Guard, TypeGuard
from .paths import Attribute, OwnAttribute, Path
from .settings import Restart, Settings
from .statics import StaticAttributes


class ObjectHost(Host):
    """What a world says of objects; the world itself has what is declared here."""

    settings: Settings
    guards: dict[Path, Guard]
    _live: dict[Value, tuple[Path, object]]
    _statics: StaticAttributes

    def bind(self, path: Path, live: object, name: str, is_argument: bool = False) -> object:
        """Return what stands for the object found at `path`."""
        raise NotImplementedError

    def attribute(self, tracer: Tracer, symbol: Symbol, name: str) -> object:
        """Read an attribute of an object of the world."""
        if name == "__class__":
            return NOT_HANDLED
        value = value_of(symbol)
        type_ = value.type
        if not isinstance(type_, ObjectType):
            return NOT_HANDLED
        cls = type_.cls
        if is_library_module(cls.__module__) and not issubclass(cls, ModuleType):
            return NOT_HANDLED
        if not issubclass(cls, ModuleType) and special.customizes_attributes(cls):
            return NOT_HANDLED
        found = inspect.getattr_static(cls, name, UNKNOWN_VALUE)
        self._statics.guard_member(cls, name, found)
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            return tracer.function(found.fget, (symbol,), {})
        if not isinstance(found, FunctionType | staticmethod | classmethod | MemberDescriptorType):
            if hasattr(type(found), "__get__"):
                return NOT_HANDLED  # reading it may run code
        known = self._live.get(value)
        if isinstance(found, FunctionType | staticmethod | classmethod):
            if name in self.settings.written or self._has_own(known, name):
                return NOT_HANDLED
            if isinstance(found, FunctionType):
                return MethodType(found, symbol)
            return getattr(cls, name)
        if known is None or name in self.settings.written or self.settings.rebinding:
            return NOT_HANDLED
        path, live = known
        if isinstance(live, ModuleType) and name not in vars(live):
            return NOT_HANDLED  # its own `__getattr__` may run code
        try:
            item = getattr(live, name)
        except AttributeError:
            return NOT_HANDLED
        return self.bind(Attribute(path, name), item, name)

    def _has_own(self, known: tuple[Path, object] | None, name: str) -> bool:
        """Tell whether an object hides the method `name` of its class; guard that it does not."""
        if known is None or not hasattr(known[1], "__dict__"):
            return False
        path = OwnAttribute(known[0], name)
        if name in vars(known[1]):
            return True
        self.guards[path] = AbsentGuard(path)
        return False

    def delete_attribute(self, tracer: Tracer, symbol: Symbol, name: str) -> None:
        """Take notice of the deletion of an attribute; the deletion itself is recorded."""
        if name not in self.settings.written:
            raise Restart(replace(self.settings, written=self.settings.written | {name}))

    def assigned(self, item: object) -> None:
        """Refuse the assignment of an attribute of something that is part of the trace itself."""
        name = getattr(item, "__qualname__", None) or getattr(item, "__name__", "")
        raise Unstageable(
            f"an attribute of the {type(item).__qualname__} {name} is assigned",
            "keep the value in an object that is an argument, or return it",
        )

    def set_attribute(self, tracer: Tracer, symbol: Symbol, name: str, value: object) -> bool:
        """Take notice of a write to an attribute; the write itself is recorded."""
        type_ = value_of(symbol).type
        if isinstance(type_, ObjectType):
            found = inspect.getattr_static(type_.cls, name, UNKNOWN_VALUE)
            self._statics.guard_member(type_.cls, name, found)
            if isinstance(found, property) and isinstance(found.fset, FunctionType):
                tracer.function(found.fset, (symbol, value), {})
                return True
            if self._is_there_already(type_, value_of(symbol), name, value):
                return True
        if name not in self.settings.written:
            raise Restart(replace(self.settings, written=self.settings.written | {name}))
        return False

    def _is_there_already(
        self, type_: ObjectType, owner: Value, name: str, value: object
    ) -> bool:
        """Tell whether a variable is stored where it was read, as by ``self.w += 1``."""
        known = self._live.get(owner)
        if known is None or name in self.settings.written or not is_variable(value):
            return False
        path, live = known
        here = self._live.get(value_of(value), (None, None))[0]  # type: ignore[arg-type]
        plain = inspect.getattr_static(type_.cls, "__setattr__") is vars(object)["__setattr__"]
        if not plain or here != Attribute(path, name) or name not in getattr(live, "__dict__", ()):
            return False
        own = OwnAttribute(path, name)
        self.guards[own] = TypeGuard(own, value_of(value).type)  # type: ignore[arg-type]
        return True

    def operate(self, tracer: Tracer, name: str, inputs: Sequence[object]) -> object:
        """Apply an operator to an object of a user's class: its method is inlined."""
        if name in special.TAKES_TWO and not special.in_order(name, inputs[0], inputs[1]):
            return NOT_HANDLED
        for position, method in special.methods_tried(name):
            if position >= len(inputs):
                continue
            found = self.special(inputs[position], method)
            if found is None and special.has_other(inputs[position], method):
                return NOT_HANDLED
            if found is None:
                continue
            mark = tracer.mark()
            others = [item for i, item in enumerate(inputs) if i != position]
            result = tracer.function(found, (inputs[position], *others), {})
            if name not in special.TAKES_TWO or not special.may_be_not_implemented(result):
                return result
            tracer.go_back(mark)
            if result is not NotImplemented:
                return NOT_HANDLED
        return NOT_HANDLED

    def special(self, item: object, method: str) -> FunctionType | None:
        """Return the user's special method for a symbolic object, or None; guard that it stays."""
        cls, found = special.find_class(item), special.find(item, method)
        if cls is not None and found is not None:
            self._statics.guard_member(cls, method, found)
        return found

    def call_symbol(
        self, tracer: Tracer, symbol: Symbol, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Call an object of the world: its class's ``__call__`` is a function like any other."""
        found = self.special(symbol, "__call__")
        return NOT_HANDLED if found is None else tracer.function(found, (symbol, *args), kwargs)
