"""What a graph means, said as directly as possible: the oracle of the graph suites.

Every operation is its kernel, every region a Python loop over its operations. It knows nothing of
passes, memory or lowering, so these are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.ir.graph import Attributes, Constant, Graph, Node, Region, Value
from runtime.ops.registry import Operation

Ending = tuple[str, list[object]]
"""How a region ended: the kind of its terminator and the values handed over."""


def interpret(graph: Graph, *arguments: object) -> object:
    """Return the result of `graph` for `arguments`; raises what an operation raises."""
    return _call(graph, graph.body, arguments)


def _call(graph: Graph, body: Region, arguments: Sequence[object]) -> object:
    kind, values = _Interpreter(graph).region(body, arguments)
    assert kind == "return", f"the graph ended with {kind}"
    (result,) = values
    return result


def apply(op: Operation, inputs: Sequence[object], attrs: Attributes) -> tuple[object, ...]:
    """Return the outputs of `op`, computed by its kernel."""
    names = op.keywords(attrs)
    split = len(inputs) - len(names)
    keywords = dict(zip(names, inputs[split:], strict=True))
    result = op.kernel_for(attrs)(*inputs[:split], **keywords)
    count = op.output_count(attrs)
    if count == 0:
        return ()
    return result if count != 1 else (result,)


class _Interpreter:
    def __init__(self, graph: Graph) -> None:
        self._values: dict[Value, object] = {}
        self._functions = {function.name: function for function in graph.functions}
        self._graph = graph

    def region(self, region: Region, arguments: Sequence[object] = ()) -> Ending:
        self._values.update(zip(region.params, arguments, strict=True))
        for node in region.nodes:
            ending = self._node(node)
            if ending is not None:
                return ending
        values = [self._value(value) for value in region.end.values]
        if region.end.kind == "raise":
            if len(values) == 2:
                raise values[0] from values[1]
            if not values:
                raise
            raise values[0]
        assert region.end.kind != "unreachable", "an unreachable end was reached"
        return region.end.kind, values

    def _value(self, value: Value) -> object:
        return value.value if isinstance(value, Constant) else self._values[value]

    def _node(self, node: Node) -> Ending | None:
        """Execute `node`; return how it ends the region around it, None if it does not."""
        inputs = [self._value(value) for value in node.inputs]
        if node.op.name == "if":
            ending = self.region(node.regions[0 if inputs[0] else 1])
        elif node.op.name == "block":
            kind, values = self.region(node.regions[0])
            ending = ("yield" if kind == "return" else kind), values
        elif node.op.name == "while":
            ending = self._while(node, inputs)
        elif node.op.name == "for":
            ending = self._for(node, inputs)
        elif node.op.name == "try":
            ending = self._try(node, inputs)
        elif node.op.name == "with":
            ending = "yield", []
            with inputs[0] as entered:
                ending = self.region(node.regions[0], [entered])
        elif node.op.name == "apply":
            body = self._functions[str(node.attrs["function"])].body
            ending = "yield", [_call(self._graph, body, inputs)]
        else:
            outputs = apply(node.op, inputs, node.attrs)
            ending = "yield", list(outputs)
        if ending[0] != "yield":
            return ending
        self._values.update(zip(node.outputs, ending[1], strict=True))
        return None

    def _while(self, node: Node, state: list[object]) -> Ending:
        test, body, *orelse = node.regions
        while True:
            kind, values = self.region(test, state)
            if kind != "yield":
                return kind, values
            if not values[0]:
                return self.region(orelse[0], state) if orelse else ("yield", state)
            kind, values = self.region(body, state)
            if kind not in ("yield", "continue"):
                return ("yield" if kind == "break" else kind), values
            state = values

    def _try(self, node: Node, classes: Sequence[object]) -> Ending:
        body, *parts = node.regions
        final = parts.pop() if node.attrs.get("final") else None
        orelse = parts.pop() if node.attrs.get("orelse") else None
        ending: Ending = "yield", []
        last: Ending = "yield", []
        try:
            try:
                ending = self.region(body)
            except BaseException as error:
                handler = next(
                    (h for h, caught in zip(parts, classes, strict=True)
                     if isinstance(error, caught)), None,
                )  # fmt: skip
                if handler is None:
                    raise
                ending = self.region(handler, [error])
            else:
                if orelse is not None and ending[0] == "yield":
                    ending = self.region(orelse)
        finally:
            if final is not None:
                last = self.region(final)
                if last[0] != "yield":
                    return last  # noqa: B012 - as in Python, this takes the place of all else
        return ending

    def _for(self, node: Node, inputs: list[object]) -> Ending:
        body, *orelse = node.regions
        items: Iterator[object] = iter(inputs[0])
        state = inputs[1:]
        for item in items:
            kind, values = self.region(body, [item, *state])
            if kind not in ("yield", "continue"):
                return ("yield" if kind == "break" else kind), values
            state = values
        return self.region(orelse[0], state) if orelse else ("yield", state)
