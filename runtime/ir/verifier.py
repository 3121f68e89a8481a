"""Checking that a graph is well formed.

Owns every structural rule that the other stages rely on: scoping, the conventions of operations
with regions (the table in `runtime.ops.control`), how regions may end, and types. It leaves the
order of effects and the sharing of memory to `runtime.memory`. Invariant: a graph that passes can
be lowered; one that does not is named by its operation and value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..errors import GraphError
from .graph import Constant, Graph, Node, Region, Terminator, Value, walk
from .lattice import covers
from .names import OPERATIONS, region_labels
from .printer import format_constant, format_node, format_with_names
from .types import OPAQUE, SlotType, Type, type_of


def verify(graph: Graph) -> Graph:
    """Return `graph` if it is well formed.

    The rules:

    - values: each is defined once; a use stands after the definition, in the same region or one
      inside it; a constant is never defined, and has the type of its payload;
    - operations: registered, keys unique; inputs, outputs, regions and parameters as many as the
      operation has; ``keywords`` and ``starred`` name inputs;
    - ends: ``yield`` hands over as many values as the owner takes; ``break`` and ``continue`` stand
      in the body of a loop of the same block and hand over its whole state; ``return`` hands over
      the outputs of its block, or the one result of the graph or function; none of the three
      leaves the test of a loop; ``raise`` without values stands in a handler;
    - functions: named apart; see only their parameters; ``apply`` hands over their parameters, and
      its output covers what they return; ``closure`` hands over the first of them, and anything as
      the others;
    - types: what flows into a parameter or output is covered by its type; outputs cover what the
      operation infers; a variable in memory is only read and written, and covers what is written,
      which is anything if a ``closure`` captures it.

    Raises
    ------
    GraphError
        At the first rule that is broken; names the operation and the value, with the graph's text
        as a note.

    Examples
    --------
    >>> from runtime.ir.graph import Region, Terminator
    >>> x, y = Value(type_of(1.0), "x"), Value(type_of(1.0), "y")
    >>> try:
    ...     verify(Graph("f", Region((x,), (), Terminator("return", (y,)))))
    ... except GraphError as error:
    ...     print(error)
    graph f: return: 'y' is not defined here
    """
    try:
        _Verifier(graph).graph()
    except _FaultError as fault:
        raise _explained(graph, fault) from None
    return graph


class _FaultError(Exception):
    """A broken rule: the operation it is at, what is wrong, the values the message names."""

    def __init__(self, place: Node | Terminator | None, message: str, *values: Value) -> None:
        super().__init__(message)
        self.place = place
        self.message = message
        self.values = values


def _explained(graph: Graph, fault: _FaultError) -> GraphError:
    text, names = format_with_names(graph)
    shown = [
        format_constant(value.value) if isinstance(value, Constant) else repr(names.of(value))
        for value in fault.values
    ]
    message = fault.message.format(*shown)
    if isinstance(fault.place, Node):
        message = f"{format_node(fault.place, names)}: {message}"
    elif isinstance(fault.place, Terminator):
        message = f"{fault.place.kind}: {message}"
    error = GraphError(f"graph {graph.name}: {message}")
    error.add_note(text)
    return error


@dataclass(frozen=True)
class _Target:
    """Where values handed over go: values (or None for any type) that must cover them."""

    what: str
    count: int
    covering: tuple[tuple[Value, ...], ...] = ()


@dataclass(frozen=True)
class _Place:
    """How a region may end: the target of each kind of end that is allowed."""

    targets: dict[str, _Target] = field(default_factory=dict)

    def with_targets(self, **targets: _Target | None) -> _Place:
        """Return this place with other targets; None forbids that end."""
        merged = {**self.targets, **targets}
        return replace(self, targets={k: t for k, t in merged.items() if t is not None})


class _Verifier:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._defined: set[Value] = set()
        self._visible: dict[Value, None] = {}
        self._functions = {function.name: function for function in graph.functions}
        self._handlers = 0
        """How many handlers are around."""
        self._checks: dict[str, Callable[[Node, _Place], None]] = {
            "if": self._if,
            "while": self._while,
            "for": self._for,
            "block": self._block,
            "try": self._try,
            "with": self._with,
            "apply": self._apply,
            "closure": self._closure,
        }

    def graph(self) -> None:
        keys: set[int] = set()
        for node in (node for body in self._graph.bodies for node in walk(body)):
            if node.key in keys:
                raise _FaultError(node, "another operation has the same key")
            keys.add(node.key)
        if len(self._functions) != len(self._graph.functions):
            raise _FaultError(None, "two functions have one name")
        self._region(None, self._graph.body, _Place({"return": _Target("the graph", 1)}))
        for function in self._graph.functions:
            self._region(None, function.body, _Place({"return": _Target("the function", 1)}))

    def _region(self, owner: Node | None, region: Region, place: _Place) -> None:
        outside = len(self._visible)
        for param in region.params:
            self._define(owner, param)
        for node in region.nodes:
            self._node(node, place)
        self._end(region.end, place)
        while len(self._visible) > outside:
            self._visible.popitem()

    def _define(self, owner: Node | None, value: Value) -> None:
        if isinstance(value, Constant):
            raise _FaultError(owner, "a constant cannot be defined")
        if value in self._defined:
            raise _FaultError(owner, "{} is defined twice", value)
        self._defined.add(value)
        self._visible[value] = None

    def _use(self, place: Node | Terminator, value: Value) -> None:
        if isinstance(value, Constant):
            if not covers(value.type, type_of(value.value)):
                raise _FaultError(place, f"a constant has the type {value.type}, not its own")
        elif value not in self._visible:
            raise _FaultError(place, "{} is not defined here", value)

    def _node(self, node: Node, place: _Place) -> None:
        if OPERATIONS.get(node.op.name) is not node.op:
            raise _FaultError(node, "the operation is not registered")
        for value in node.inputs:
            self._use(node, value)
        self._attributes(node)
        self._slots(node)
        check = self._checks.get(node.op.name)
        if check is not None:
            check(node, place)
        elif node.regions:
            raise _FaultError(node, "the operation has no regions")
        else:
            self._types(node)
        for output in node.outputs:
            self._define(node, output)

    def _attributes(self, node: Node) -> None:
        keywords = node.attrs.get("keywords", ())
        if not isinstance(keywords, tuple) or len(keywords) > len(node.inputs):
            raise _FaultError(node, "keywords name more inputs than there are")
        if not all(isinstance(name, str) for name in keywords):
            raise _FaultError(node, "a keyword is not a string")
        if len(set(keywords)) != len(keywords):
            raise _FaultError(node, "a keyword is given twice")
        starred = node.attrs.get("starred", ())
        if not isinstance(starred, tuple) or not all(
            isinstance(at, int) and 0 <= at < len(node.inputs) - len(keywords) for at in starred
        ):
            raise _FaultError(node, "starred counts an input that is not positional")

    def _types(self, node: Node) -> None:
        inferred = node.op.result_types(node.inputs, node.attrs)
        if node.op.name == "getitem" and isinstance(node.inputs[0].type, SlotType):
            # What is read is part of it: not all that is ever written has been written then.
            if len(node.outputs) == 1 and covers(inferred[0], node.outputs[0].type):
                return
        if len(inferred) != len(node.outputs):
            raise _FaultError(node, f"it has {len(inferred)} outputs, not {len(node.outputs)}")
        for output, type_ in zip(node.outputs, inferred, strict=True):
            self._cover(node, output, type_, "the operation gives")

    def _cover(
        self, place: Node | Terminator, general: Value, special: Type, what: str, *named: Value
    ) -> None:
        if not covers(general.type, special):
            raise _FaultError(
                place,
                f"{{}} has type {general.type}, which does not cover {special}: {what}",
                general,
                *named,
            )

    def _end(self, end: Terminator, place: _Place) -> None:
        for value in end.values:
            self._use(end, value)
        if end.kind == "unreachable":
            if end.values:
                raise _FaultError(end, "it hands over nothing")
            return
        if end.kind == "raise":
            if len(end.values) > 2 or (not end.values and not self._handlers):
                raise _FaultError(end, "it takes an exception and possibly a cause")
            return
        target = place.targets.get(end.kind)
        if target is None:
            raise _FaultError(end, "it cannot stand here")
        self._hand_over(end, end.values, target)

    def _hand_over(
        self, place: Node | Terminator, values: Sequence[Value], target: _Target
    ) -> None:
        if len(values) != target.count:
            raise _FaultError(
                place, f"{target.what} takes {target.count} values, not {len(values)}"
            )
        for takers in target.covering:
            for taker, value in zip(takers, values, strict=True):
                self._cover(place, taker, value.type, f"{{}} flows into {target.what}", value)

    def _shape(self, node: Node, regions: tuple[int, int], params: Sequence[int]) -> None:
        """Check the numbers of regions (least and most) and of each region's parameters."""
        labels = region_labels(node.op.name, len(node.inputs), node.attrs)
        if not regions[0] <= len(node.regions) <= regions[1]:
            raise _FaultError(node, f"it has {len(node.regions)} regions, not {labels}")
        for label, region, count in zip(labels, node.regions, params, strict=False):
            if len(region.params) != count:
                raise _FaultError(
                    node, f"its region {label} takes {count} parameters, not {len(region.params)}"
                )

    def _inputs(self, node: Node, count: int) -> None:
        if len(node.inputs) != count:
            raise _FaultError(node, f"it takes {count} inputs, not {len(node.inputs)}")

    def _if(self, node: Node, place: _Place) -> None:
        self._inputs(node, 1)
        self._shape(node, (2, 2), (0, 0))
        outputs = _Target("the operation", len(node.outputs), (node.outputs,))
        for region in node.regions:
            self._region(node, region, place.with_targets(**{"yield": outputs}))

    def _block(self, node: Node, place: _Place) -> None:
        self._inputs(node, 0)
        self._shape(node, (1, 1), (0,))
        outputs = _Target("the block", len(node.outputs), (node.outputs,))
        self._region(node, node.regions[0], _Place({"return": outputs}))

    def _try(self, node: Node, place: _Place) -> None:
        handlers = len(node.inputs)
        orelse, final = bool(node.attrs.get("orelse")), bool(node.attrs.get("final"))
        count = 1 + handlers + orelse + final
        self._shape(node, (count, count), (0, *(1,) * handlers, 0, 0))
        if node.outputs:
            raise _FaultError(node, "it has outputs")
        if not handlers and (orelse or not final):
            raise _FaultError(node, "it has no handler")
        if not all(isinstance(value, Constant) for value in node.inputs):
            raise _FaultError(node, "the classes of a handler are not constant")
        inside = place.with_targets(**{"yield": _Target("the operation", 0)})
        for number, region in enumerate(node.regions):
            handles = 1 <= number <= handlers
            self._handlers += handles
            self._region(node, region, inside)
            self._handlers -= handles

    def _with(self, node: Node, place: _Place) -> None:
        self._inputs(node, 1)
        self._shape(node, (1, 1), (1,))
        if node.outputs:
            raise _FaultError(node, "it has outputs")
        inside = place.with_targets(**{"yield": _Target("the operation", 0)})
        self._region(node, node.regions[0], inside)

    def _apply(self, node: Node, place: _Place) -> None:
        function = self._functions.get(str(node.attrs.get("function")))
        if function is None:
            raise _FaultError(node, "the graph has no such function")
        if node.regions or len(node.outputs) != 1:
            raise _FaultError(node, "it has one output and no regions")
        params = function.body.params
        self._hand_over(node, node.inputs, _Target("the function", len(params), (params,)))
        for end in _returns(function.body):
            for value in end.values:
                self._cover(node, node.outputs[0], value.type, "{} is returned", value)

    def _closure(self, node: Node, place: _Place) -> None:
        """Check a function made at run time: anybody may call it, with anything."""
        function = self._functions.get(str(node.attrs.get("function")))
        if function is None:
            raise _FaultError(node, "the graph has no such function")
        captured, names = node.attrs.get("captured"), node.attrs.get("parameters")
        if not isinstance(captured, int) or not isinstance(names, tuple):
            raise _FaultError(node, "it does not say what it captures and takes")
        own = [name for name in names if name not in ("/", "*")]
        count = captured + bool(node.attrs.get("own")) + len(own)
        params = function.body.params
        if captured > len(node.inputs) or len(params) != count:
            raise _FaultError(node, "the function has other parameters")
        for param, value in zip(params, node.inputs[:captured], strict=False):
            self._cover(node, param, value.type, "{} is captured", value)
        for param in params[captured:]:
            self._cover(node, param, OPAQUE, "anything may be handed over")
        self._types(node)

    def _slots(self, node: Node) -> None:
        """Check that a variable in memory is used as one."""
        for position, value in enumerate(node.inputs):
            if not isinstance(value.type, SlotType):
                continue
            captured = node.attrs.get("captured") if node.op.name == "closure" else 0
            if node.op.name == "apply":
                captured = len(node.inputs)
            if isinstance(captured, int) and position < captured:
                if value.type.content != OPAQUE:
                    raise _FaultError(node, "{} is handed over, and may hold anything", value)
                continue
            access = node.op.name in ("getitem", "setitem") and position == 0
            index = node.inputs[1] if access else None
            if not isinstance(index, Constant) or type(index.value) is not int or index.value:
                raise _FaultError(node, "{} is not read or written as a variable", value)
            content = value.type.content
            if node.op.name == "setitem" and not covers(content, node.inputs[2].type):
                written = node.inputs[2].type
                raise _FaultError(
                    node, f"{{}} holds {content}, which does not cover {written}", value
                )

    def _while(self, node: Node, place: _Place) -> None:
        count = len(node.outputs)
        self._inputs(node, count)
        self._shape(node, (2, 3), (count,) * 3)
        test, body, *orelse = node.regions
        last = orelse[0].params if orelse else node.outputs
        self._hand_over(node, node.inputs, _Target("the test", count, (test.params,)))
        self._hand_over(node, test.params, _Target("the body", count, (body.params,)))
        self._hand_over(node, test.params, _Target("what follows the loop", count, (last,)))
        self._region(node, test, _Place({"yield": _Target("the test", 1)}))
        again = _Target("the next test", count, (test.params,))
        self._loop(node, body, orelse, place, again)

    def _for(self, node: Node, place: _Place) -> None:
        count = len(node.outputs)
        self._inputs(node, count + 1)
        self._shape(node, (1, 2), (count + 1, count))
        body, *orelse = node.regions
        last = orelse[0].params if orelse else node.outputs
        self._hand_over(node, node.inputs[1:], _Target("the body", count, (body.params[1:], last)))
        again = _Target("the next trip", count, (body.params[1:], last))
        self._loop(node, body, orelse, place, again)

    def _loop(
        self, node: Node, body: Region, orelse: Sequence[Region], place: _Place, again: _Target
    ) -> None:
        left = _Target("the outputs of the loop", len(node.outputs), (node.outputs,))
        inside = place.with_targets(**{"yield": again, "continue": again, "break": left})
        self._region(node, body, inside)
        for region in orelse:
            self._region(node, region, place.with_targets(**{"yield": left}))


def _returns(region: Region) -> Iterator[Terminator]:
    """Yield the ends of a function that return from it."""
    if region.end.kind == "return":
        yield region.end
    for node in region.nodes:
        if node.op.name != "block":
            for inner in node.regions:
                yield from _returns(inner)
