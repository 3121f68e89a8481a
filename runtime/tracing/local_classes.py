"""Classes that a traced function makes.

Owns making such a class, once for a trace, and the proof that neither it nor an object of it leaves
the function: its methods belong to the trace and are inlined, so that nobody else may call one.
Invariant: a graph that passes `check` uses such objects for nothing but their own attributes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MemberDescriptorType

from ..ir.graph import Constant, Graph, Node, Region, Terminator, Value, walk_regions
from ..ir.types import SlotType
from ..ops.control import BLOCK, FOR, IF, WHILE
from ..ops.environment import NEW_OBJECT
from .inference import exits
from .signals import Unstageable
from .tracer import Tracer

_MISSING = object()
_READ_AS_THEY_ARE = ("__getattribute__", "__setattr__", "__delattr__", "__new__")


def make_class(
    tracer: Tracer, name: str, bases: Sequence[object], namespace: Mapping[str, object]
) -> type:
    """Return a new class; see `check` for what may be done with it.

    Raises
    ------
    Unstageable
        If it may be made more than once in a run, or making it or an object of it runs code.
    """
    if any(getattr(loop, "staged", False) for loop in tracer.loops):
        raise _refusal(name, "is made in a loop")
    if len(tracer.builder.regions) and tracer.builder.regions[0] is not tracer.outermost:
        raise _refusal(name, "is made in a function that recurses")
    known = [base for base in bases if isinstance(base, type)]
    if len(known) < len(bases) or not all(map(_is_simple, known)):
        raise _refusal(name, "has a base class that customizes its classes or objects")
    made = type(name, tuple(known), dict(namespace))
    tracer.classes[made] = None
    return made


def _is_simple(base: type) -> bool:
    """Tell whether subclasses of `base`, and their objects, are made and read as usual."""
    if type(base) is not type or inspect.getattr_static(base, "__del__", None) is not None:
        return False
    if inspect.getattr_static(base, "__getattr__", None) is not None:
        return False
    if inspect.getattr_static(base, "__init_subclass__") is not vars(object)["__init_subclass__"]:
        return False
    return all(
        inspect.getattr_static(base, name) is vars(object)[name] for name in _READ_AS_THEY_ARE
    )


def _refusal(name: str, why: str) -> Unstageable:
    return Unstageable(f"the class {name} {why}", "define the class at the top of the file")


def check(graph: Graph, classes: Collection[type]) -> None:
    """Check that neither `classes` nor their objects leave the function of `graph`.

    Raises
    ------
    Unstageable
        If one does.
    """
    if classes:
        _Check(graph, classes).run()


class _Check:
    """Follows the objects of some classes through a graph."""

    def __init__(self, graph: Graph, classes: Collection[type]) -> None:
        self.regions = [r for body in graph.bodies for r in walk_regions(body)]
        self.classes = classes
        self.held: dict[Value, type] = {}
        """The class of every value that may be such an object, or a variable that holds one."""

    def run(self) -> None:
        """Follow them, and look at every use."""
        size = -1
        while len(self.held) != size:
            size = len(self.held)
            for region in self.regions:
                for node in region.nodes:
                    self.follow(node)
        for region in self.regions:
            for node in region.nodes:
                for position, value in enumerate(node.inputs):
                    cls = self.class_in(value)
                    if cls is not None and not _is_allowed(node, position, cls):
                        raise self.leaves(node, cls)
                for attribute in node.attrs.values():
                    cls = self.class_in_constant(attribute)
                    if cls is not None:
                        raise self.leaves(node, cls)
            for value in region.end.values:
                cls = self.class_in(value)
                constant = isinstance(value, Constant)
                if cls is not None and (constant or region.end.kind == "raise"):
                    raise self.leaves(region.end, cls)
        self.returns(self.regions)

    def returns(self, regions: Sequence[Region]) -> None:
        """Refuse a return of the function, or of one of the graph's own."""
        inner = {
            id(end)
            for region in regions
            for node in region.nodes
            if node.op is BLOCK
            for end in exits(node.regions[0], "return")
        }
        for region in regions:
            if region.end.kind == "return" and id(region.end) not in inner:
                for value in region.end.values:
                    cls = self.class_in(value)
                    if cls is not None:
                        raise self.leaves(region.end, cls)

    def follow(self, node: Node) -> None:
        """Note which outputs of an operation may be such an object."""
        if node.op is NEW_OBJECT:
            self.put(node.outputs, self.class_in(node.inputs[0]))
        elif node.op is IF:
            self.merge(node, "yield")
        elif node.op is BLOCK:
            self.merge(node, "return")
        elif node.op in (WHILE, FOR):
            self.loop(node, 0 if node.op is WHILE else 1)
        elif node.op.name in ("check_bound", "slot"):
            self.put(node.outputs, self.class_in(node.inputs[0]))
        elif node.op.name == "setitem" and isinstance(node.inputs[0].type, SlotType):
            self.put(node.inputs[:1], self.class_in(node.inputs[2]))
        elif node.op.name == "getitem" and isinstance(node.inputs[0].type, SlotType):
            self.put(node.outputs, self.class_in(node.inputs[0]))

    def merge(self, node: Node, kind: str) -> None:
        for region in node.regions:
            for end in exits(region, "yield" if kind == "yield" else "return"):
                for output, value in zip(node.outputs, end.values, strict=True):
                    self.put([output], self.class_in(value))

    def loop(self, node: Node, skip: int) -> None:
        """Follow the state of a loop, each piece in all the places where it stands."""
        test = node.regions[0] if node.op is WHILE else None
        for i, output in enumerate(node.outputs):
            places = [output, node.inputs[i + skip]]
            for region in node.regions:
                is_body = region is node.regions[0] and skip
                places.append(region.params[i + (1 if is_body else 0)])
                if region is test:
                    continue
                for kind in ("yield", "continue", "break"):
                    places += [end.values[i] for end in exits(region, kind)]
            cls = next((c for c in map(self.class_in, places) if c is not None), None)
            self.put([place for place in places if not isinstance(place, Constant)], cls)

    def put(self, values: Iterable[Value], cls: type | None) -> None:
        if cls is not None:
            for value in values:
                self.held.setdefault(value, cls)

    def class_in(self, value: Value) -> type | None:
        """Return which of the classes a value holds, itself or an object of it."""
        if isinstance(value, Constant):
            return self.class_in_constant(value.value)
        return self.held.get(value)

    def class_in_constant(self, payload: object) -> type | None:
        if isinstance(payload, tuple):
            return next(filter(None, map(self.class_in_constant, payload)), None)
        return payload if isinstance(payload, type) and payload in self.classes else None

    def leaves(self, place: Node | Terminator, cls: type) -> Unstageable:
        function = cls.__qualname__.rpartition(".<locals>.")[0]
        return Unstageable(
            f"an object of the class {cls.__name__}, made inside {function}, leaves it",
            "define the class at the top of the file",
            place.origin,
        )


def _is_allowed(node: Node, position: int, cls: type) -> bool:
    """Tell whether a use of a class, or of an object of it, keeps it inside."""
    if isinstance(node.inputs[position], Constant):
        return (node.op is NEW_OBJECT and position == 0) or node.op.name in ("is", "is_not")
    if node.op is WHILE or (node.op is FOR and position > 0):
        return True
    rule = _USES.get(node.op.name)
    return rule is not None and rule(node, position, cls)


def _reads(node: Node, position: int, cls: type) -> bool:
    """Tell whether reading the attribute runs no code, and gives no method."""
    found = inspect.getattr_static(cls, str(node.attrs["name"]), _MISSING)
    return isinstance(found, MemberDescriptorType) or not hasattr(type(found), "__get__")


def _writes(node: Node, position: int, cls: type) -> bool:
    """Tell whether the attribute is one of the object's own, and hides no method."""
    return position == 0 and _reads(node, position, cls)


def _moves(node: Node, position: int, cls: type) -> bool:
    """Tell whether an item is that of a variable in memory."""
    return position != 1 and isinstance(node.inputs[0].type, SlotType)


def _always(node: Node, position: int, cls: type) -> bool:
    return True


_USES: dict[str, Callable[[Node, int, type], bool]] = {
    "getattr": _reads, "setattr": _writes, "delattr": _reads, "is": _always, "is_not": _always,
    "slot": _always, "check_bound": _always, "getitem": _moves, "setitem": _moves,
}  # fmt: skip


__all__ = ["check", "make_class"]
