"""Lists, tuples and dicts of the user's objects and functions: structure, not data.

Owns `Structures`: which containers are taken apart while tracing, the symbols of their items, and
whether the finished graph leaves them alone. It leaves binding items to the `World`. Invariants:
what was taken for known is guarded before the run, and neither code that is not compiled nor the
graph itself may change a list or dict that the graph did not make; what may is traced again with
such containers known only at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Protocol

import numpy as np

from runtime.ir.graph import Graph, Node, Region, Value, walk, walk_regions
from runtime.ir.types import DictType, ListType, OpaqueType, Type, UnionType
from runtime.ops.registry import UNKNOWN_VALUE
from runtime.tracing.host import Contents
from runtime.tracing.symbol import Symbol, is_symbolic, value_of
from runtime.tracing.tracer import Tracer
from runtime.variables import Variable

from .allowlist import is_library_module
from .guards import EqualGuard, Guard, IdentityGuard, StructureGuard
from .paths import Attribute, Item, OwnAttribute, Path

MOST_ITEMS = 16
"""Longer containers are run-time values."""
_DEEPEST = 3
_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType, np.ufunc, type, type(np.sum))
_VIEWS = ("items", "keys", "values")
_ITERATORS: tuple[object, ...] = (enumerate, zip, reversed)
_MAKES_LIST = frozenset(("build_list", "build_dict", "build_set", "builtins.list", "builtins.dict"))


class Binding(Protocol):
    """What is asked of the world."""

    guards: dict[Path, Guard]
    _live: dict[Value, tuple[Path, object]]

    def bind(self, path: Path, live: object, name: str, is_argument: bool = False) -> object:
        """Return what stands for the object found at `path`."""
        ...


@dataclass(frozen=True)
class _Iterator:
    """What an iterator will give; it can be used up once, where it was made."""

    contents: Callable[[], Contents | None]
    region: object


class Structures:
    """The containers whose items are known in one trace."""

    def __init__(self, world: Binding) -> None:
        self._world = world
        self.used: dict[Path, None] = {}
        """Where the containers are that the trace is made for."""
        self._derived: dict[Value, Contents] = {}
        self._iterators: dict[Value, _Iterator] = {}
        self._used_up: dict[Value, None] = {}

    def contents(self, tracer: Tracer, item: object, leaves: bool = False) -> Contents | None:
        """Return what iterating over `item` gives; None if only the run can tell.

        With `leaves`, lists and dicts of numbers and arrays alone are taken apart too.
        """
        if type(item) is not Symbol:
            return None
        value = value_of(item)
        if value in self._iterators:
            iterator = self._iterators[value]
            if iterator.region is not tracer.builder.current:
                return None  # an iterator from outside a loop gives less on each trip
            del self._iterators[value]
            contents = iterator.contents()
            if contents is not None:
                self._used_up[value] = None
            return contents
        if value in self._derived:
            return self._derived[value]
        found = self._container(value, leaves)
        if found is None:
            return None
        path, live = found
        if isinstance(live, dict):
            return Contents(tuple(live), str(path))
        return Contents(tuple(self._item(value, key) for key in range(len(live))), str(path))

    def _container(
        self, value: Value, leaves: bool = False
    ) -> tuple[Path, list[object] | tuple[object, ...] | dict[int | str, object]] | None:
        """Return a container found in the world, guarded to keep its form, and where it is."""
        path, live = self._world._live.get(value, (None, None))
        if path is None or not isinstance(live, list | tuple | dict):
            return None
        if path not in self.used:
            if not is_structure(live, leaves):
                return None
            self.used[path] = None
            keys = tuple(live) if isinstance(live, dict) else tuple(range(len(live)))
            guarded = self._world.guards[path]
            assert guarded is not None
            self._world.guards[path] = StructureGuard(path, type(live), keys, value.type)
        return path, live

    def length(self, tracer: Tracer, item: object) -> int | None:
        """Return what ``len(item)`` is; None if only the run can tell."""
        if type(item) is not Symbol or value_of(item) in self._iterators:
            return None
        contents = self.contents(tracer, item)
        return None if contents is None else len(contents.items)

    def _item(self, value: Value, key: int | str) -> object:
        path, live = self._world._live[value]
        item = live[key]  # type: ignore[index]  # a list, tuple or dict
        return self._world.bind(Item(path, key), item, f"{value.name}_{key}")

    def item(self, tracer: Tracer, base: object, index: object) -> object:
        """Return what ``base[index]`` is; `UNKNOWN_VALUE` if only the run can tell."""
        if type(base) is not Symbol or is_symbolic(index) or value_of(base) in self._iterators:
            return UNKNOWN_VALUE
        value = value_of(base)
        live: object = self._world._live.get(value, (None, None))[1]
        if isinstance(live, dict):
            found = self._container(value) if type(index) in (int, str) else None
            if found is None or index not in live:
                return UNKNOWN_VALUE
            return self._item(value, index)  # type: ignore[arg-type]  # one of the two
        if type(index) is slice:
            return self._part(tracer, base, index)
        contents = self.contents(tracer, base)
        if contents is None or type(index) is not int or contents.unordered:
            return UNKNOWN_VALUE
        try:
            return contents.items[index]
        except IndexError:
            return UNKNOWN_VALUE

    def _part(self, tracer: Tracer, base: Symbol, index: slice) -> object:
        """Record a slice, a list of its own whose items are known."""
        contents = self.contents(tracer, base)
        bounds = (index.start, index.stop, index.step)
        if contents is None or contents.unordered or index.step == 0:
            return UNKNOWN_VALUE
        if not all(bound is None or type(bound) is int for bound in bounds):
            return UNKNOWN_VALUE
        made = tracer.append("getitem", (base, index))
        self._derive(made, Contents(contents.items[index], f"a part of {contents.text}"))
        return made

    def method(
        self, tracer: Tracer, owner: Symbol, name: str, args: object, kwargs: object
    ) -> object:
        """Record a view of a dict whose items are known; `UNKNOWN_VALUE` for anything else."""
        live = self._world._live.get(value_of(owner), (None, None))[1]
        if name not in _VIEWS or args or kwargs or not isinstance(live, dict):
            return UNKNOWN_VALUE
        found = self._container(value_of(owner))
        if found is None:
            return UNKNOWN_VALUE
        keys = tuple(live)
        values = tuple(self._item(value_of(owner), key) for key in keys)
        table = {"keys": keys, "values": values, "items": tuple(zip(keys, values, strict=True))}
        inputs, attrs = tracer.arguments((), {}, owner)
        made = tracer.append("method", inputs, {**attrs, "name": name})
        self._derive(made, Contents(table[name], f"{found[0]}.{name}()", unordered=True))
        return made

    def _derive(self, made: object, contents: Contents) -> None:
        assert type(made) is Symbol
        self._derived[value_of(made)] = contents

    def iterator(
        self,
        tracer: Tracer,
        function: object,
        args: tuple[object, ...],
        kwargs: Mapping[str, object],
        made: object,
    ) -> None:
        """Take notice that `function` made an iterator over `args`, if their items are known."""
        if function not in _ITERATORS or type(made) is not Symbol or not args:
            return
        if function is enumerate and tuple(kwargs) == ("start",) and len(args) == 1:
            args, kwargs = (*args, kwargs["start"]), {}
        if kwargs:
            return

        def contents() -> Contents | None:
            return self._iterated(tracer, function, args)

        self._iterators[value_of(made)] = _Iterator(contents, tracer.builder.current)

    def _iterated(
        self, tracer: Tracer, function: object, args: tuple[object, ...]
    ) -> Contents | None:
        start = args[1] if len(args) == 2 and function is enumerate else 0
        iterated = args[:1] if function is enumerate else args
        if type(start) is not int or (function is reversed and len(args) != 1):
            return None
        found = [self.contents(tracer, arg) for arg in iterated]
        known = [contents for contents in found if contents is not None]
        if not known:
            return None
        parts = [
            contents.items if contents else self._other(tracer, arg)
            for contents, arg in zip(found, iterated, strict=True)
        ]
        rows = [part for part in parts if part is not None]
        if len(rows) < len(parts):
            return None
        text = known[0].text
        if function is enumerate:
            return Contents(tuple(enumerate(rows[0], start)), text)
        if function is reversed:
            return Contents(rows[0][::-1], text)
        return Contents(tuple(zip(*rows, strict=False)), text)

    def _other(self, tracer: Tracer, item: object) -> tuple[object, ...] | None:
        """Return the items of what is iterated along with a structure."""
        if isinstance(item, range | tuple) and len(item) <= MOST_ITEMS:
            return tuple(item)
        contents = self.contents(tracer, item, leaves=True)
        return None if contents is None else contents.items

    def holds(self, graph: Graph) -> bool:
        """Tell whether a run of `graph` leaves the containers as they are, and uses iterators once.

        A list or dict that is written has to be one that the graph made; an iterator that was
        used up while tracing must not occur but in others.
        """
        if not self.used:
            return True
        bodies = [graph.body, *(function.body for function in graph.functions)]
        nodes = [node for body in bodies for node in walk(body)]
        made_by = {output: node for node in nodes for output in node.outputs}
        return all(self._leaves_alone(node, made_by) for node in nodes) and not any(
            value in self._used_up
            for body in bodies
            for region in walk_regions(body)
            for value in self._uses(region)
        )

    def _leaves_alone(self, node: Node, made_by: Mapping[Value, Node]) -> bool:
        for place in node.op.effects(node.inputs, node.attrs).writes:
            written = node.inputs[place]
            maker = made_by.get(written)
            fresh = maker is not None and maker.op.name in _MAKES_LIST
            if _may_be_container(written.type) and not fresh:
                return False
        return True

    def _uses(self, region: Region) -> list[Value]:
        used = list(region.end.values)
        for node in region.nodes:
            if not any(output in self._used_up for output in node.outputs):
                used += node.inputs
        return used


def differs(old: Sequence[Guard], new: Sequence[Guard]) -> bool:
    """Tell whether the guards of two traces want containers of objects of different forms."""
    before, after = _form(old), _form(new)
    return any(path in after and not _agree(before[path], after[path]) for path in before)


def _form(guards: Sequence[Guard]) -> dict[Path, Guard]:
    """Return the guards of containers that are taken apart, and of what they lead to."""
    places = {guard.path for guard in guards if isinstance(guard, StructureGuard)}
    if not places:
        return {}
    return {guard.path: guard for guard in guards if any(p in places for p in _above(guard.path))}


def _above(path: Path) -> Iterator[Path]:
    yield path
    while isinstance(path, Item | Attribute | OwnAttribute):
        path = path.base
        yield path


def _agree(old: Guard, new: Guard) -> bool:
    if isinstance(old, IdentityGuard | EqualGuard):
        return new.holds_for(old.value)
    return old == new


def is_structure(item: object, leaves: bool = False) -> bool:
    """Tell whether a container is taken apart: a short one with objects or functions in it.

    >>> is_structure([len]), is_structure([1.0]), is_structure([1.0], leaves=True)
    (True, False, True)
    """
    return _is_short(item, 0) and (leaves or _leads_to_object(item))


def _parts(item: object) -> tuple[object, ...] | None:
    if type(item) is dict:
        return tuple(item.values())
    return tuple(item) if type(item) is list or type(item) is tuple else None


def _is_short(item: object, depth: int) -> bool:
    parts = _parts(item)
    if parts is None:
        return not isinstance(item, np.ndarray) or type(item) is np.ndarray
    if len(parts) > MOST_ITEMS or depth == _DEEPEST:
        return False
    if type(item) is dict and not all(type(key) in (int, str) for key in item):
        return False
    return all(_is_short(part, depth + 1) for part in parts)


def _leads_to_object(item: object) -> bool:
    """Tell whether there is an object of a user's class, a variable or a function in a tree."""
    parts = _parts(item)
    if parts is not None:
        return any(_leads_to_object(part) for part in parts)
    if isinstance(item, (Variable, *_FUNCTIONS)):
        return True
    return not is_library_module(type(item).__module__) and type(item).__module__ != "builtins"


def _may_be_container(type_: Type) -> bool:
    if isinstance(type_, UnionType):
        return any(_may_be_container(option) for option in type_.options)
    if isinstance(type_, OpaqueType):
        return not type_.plain
    return isinstance(type_, ListType | DictType)
