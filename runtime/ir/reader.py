"""Graphs from text.

Owns `read_graph`, the inverse of `printer.format_graph`. It leaves types to `type_reader`, and
whether the graph makes sense to `verifier`. Invariants: for any text the outcome is a graph or a
`GraphError` with line, column and what was expected; nothing is evaluated, imported or called but
the `lookup` that the caller gives.

Beyond what the printer writes, the type of an output may be left out where the operation infers
it, and so may the result types; line breaks and blanks are free.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from ..errors import GraphError
from .graph import (
    Constant,
    Definition,
    Graph,
    Node,
    Origin,
    Region,
    Terminator,
    TerminatorKind,
    Value,
)
from .names import OPERATIONS, object_of_name, region_labels
from .printer import DTYPE_TEXT, RESERVED
from .tokens import Cursor, Token, string_of
from .type_reader import Lookup, dtype_of, parse_dtype, parse_type, read_type
from .types import DTYPE_OF_SHORT_NAME, OPAQUE, Type

__all__ = ["Lookup", "read_graph", "read_type"]

_TERMINATORS: dict[str, TerminatorKind] = {
    "yield": "yield", "break": "break", "continue": "continue", "return": "return",
    "raise": "raise", "unreachable": "unreachable",
}  # fmt: skip
_WORDS: dict[str, object] = {"None": None, "True": True, "False": False}
_MAX_DIGITS = 4000
_MAX_LINE = 2**31


def read_graph(text: str, lookup: Lookup | None = None) -> Graph:
    """Return the graph that `text` describes.

    Parameters
    ----------
    text
        A graph as `printer.format_graph` writes it.
    lookup
        Gives the object for a name: ``"1"`` for ``@1``, ``"module.Class"`` for a class;
        ``printer.graph_objects(graph).__getitem__`` for the text of `graph`. Without it, such
        names are errors.

    Returns
    -------
    Graph
        The graph, not verified.

    Raises
    ------
    GraphError
        If `text` describes no graph; with line, column and what was expected.

    Examples
    --------
    >>> from runtime.ops import arithmetic
    >>> graph = read_graph("graph f(x: int) { y = add(x, 1) return y }")
    >>> graph.results
    (<y: int>,)
    >>> read_graph("graph f(x: int) { return y }")
    Traceback (most recent call last):
    ...
    runtime.errors.GraphError: line 1, column 26: no value is called 'y' here
    """
    try:
        return _Reader(text, lookup).graph()
    except RecursionError:
        raise GraphError("line 1, column 1: the text nests too deep") from None


class _Scope:
    """The names that a region sees: its own and those around it."""

    def __init__(self, outer: _Scope | None = None) -> None:
        self._outer = outer
        self._values: dict[str, Value] = {}

    def find(self, name: str) -> Value | None:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope._values:
                return scope._values[name]
            scope = scope._outer
        return None

    def define(self, value: Value) -> None:
        self._values[value.name] = value


class _Reader:
    def __init__(self, text: str, lookup: Lookup | None) -> None:
        self._cursor = Cursor(text)
        self._lookup = lookup
        self._scope = _Scope()
        self._file = "<graph>"

    def graph(self) -> Graph:
        cursor = self._cursor
        cursor.expect("graph")
        name, body, file = self._function("the name of the graph")
        functions: list[Definition] = []
        while cursor.skip("function"):
            functions.append(Definition(*self._function("the name of the function")))
        if cursor.token.kind != "end":
            cursor.fail("expected the end of the graph")
        return Graph(name, body, file, tuple(functions))

    def _function(self, what: str) -> tuple[str, Region, str]:
        """Read the name, body and file of the graph or of a function of it."""
        cursor = self._cursor
        name = self._word(what)
        params = self._params()
        declared = self._declared_results()
        self._file = self._string("the name of a file") if cursor.skip("file") else "<graph>"
        body = self._body(params)
        if declared is not None:
            self._check_results(body.end, *declared)
        return name, body, self._file

    def _declared_results(self) -> tuple[Token, list[Type]] | None:
        cursor = self._cursor
        if not cursor.skip("->"):
            return None
        start = cursor.token
        types = [self._type()]
        while cursor.skip(","):
            types.append(self._type())
        return start, types

    def _check_results(self, end: Terminator, start: Token, types: list[Type]) -> None:
        said = ", ".join(map(str, types))
        found = ", ".join(str(value.type) for value in end.values)
        if end.kind != "return" or not end.values:
            found = "()" if end.kind == "return" else "bottom"
        if said != found:
            self._cursor.fail(f"the results are said to be {said} but are {found}", start)

    def _params(self) -> tuple[Value, ...]:
        """Read ``(name: type, ...)``; the values enter the scope with the region's body."""
        cursor = self._cursor
        cursor.expect("(")
        params: list[Value] = []
        while cursor.more(")", len(params)):
            params.append(Value(OPAQUE, self._new_name({param.name for param in params})))
            cursor.expect(":")
            params[-1].type = self._type()
        return tuple(params)

    def _body(self, params: tuple[Value, ...]) -> Region:
        cursor = self._cursor
        cursor.expect("{")
        cursor.enter()
        outer = self._scope
        self._scope = _Scope(outer)
        for param in params:
            self._scope.define(param)
        nodes: list[Node] = []
        while cursor.token.text not in _TERMINATORS or cursor.token.kind != "name":
            if cursor.at("}"):
                cursor.fail("expected an operation or the end of the region, such as 'yield'")
            nodes.append(self._node())
        end = self._terminator()
        self._scope = outer
        cursor.leave()
        cursor.expect("}")
        return Region(params, tuple(nodes), end)

    def _terminator(self) -> Terminator:
        cursor = self._cursor
        kind = _TERMINATORS[cursor.advance().text]
        values: list[Value] = []
        if not cursor.at("}") and not cursor.at("at"):
            values.append(self._operand())
            while cursor.skip(","):
                values.append(self._operand())
        return Terminator(kind, tuple(values), self._origin())

    def _node(self) -> Node:
        cursor = self._cursor
        outputs = self._outputs()
        token = cursor.expect_kind("name", "an operation")
        op = OPERATIONS.get(token.text)
        if op is None:
            cursor.fail(f"no operation is called {token.text!r}", token)
        inputs, attrs = self._inputs()
        if cursor.skip("["):
            self._attributes(attrs)
        origin = self._origin()
        regions = self._regions(region_labels(op.name, len(inputs), attrs))
        unknown = [output for output, type_ in outputs if type_ is None]
        if unknown:
            if regions or len(outputs) != op.output_count(attrs):
                cursor.fail(f"the outputs of {op.name!r} need types: {unknown[0].name}: ...", token)
            inferred = op.result_types(tuple(inputs), attrs)
            outputs = [(output, t) for (output, _), t in zip(outputs, inferred, strict=True)]
        for output, type_ in outputs:
            output.type = type_ or OPAQUE
            self._scope.define(output)
        values = tuple(output for output, _ in outputs)
        return Node(op, tuple(inputs), attrs, regions, values, origin)

    def _outputs(self) -> list[tuple[Value, Type | None]]:
        """Read ``name: type, name: type =``; nothing if the operation comes first."""
        cursor = self._cursor
        outputs: list[tuple[Value, Type | None]] = []
        if cursor.token.kind != "name":
            cursor.fail("expected a name, an operation or the end of the region")
        if cursor.following.text == "(":
            return outputs
        while True:
            value = Value(OPAQUE, self._new_name({output.name for output, _ in outputs}))
            outputs.append((value, self._type() if cursor.skip(":") else None))
            if not cursor.skip(","):
                break
        cursor.expect("=")
        return outputs

    def _inputs(self) -> tuple[list[Value], dict[str, object]]:
        """Read ``(a, *b, key=c)``; the attributes are those that this form stands for."""
        cursor = self._cursor
        cursor.expect("(")
        inputs: list[Value] = []
        starred: list[int] = []
        keywords: list[str] = []
        while cursor.more(")", len(inputs)):
            if cursor.token.kind == "name" and cursor.following.text == "=":
                keywords.append(cursor.advance().text)
                cursor.advance()
            elif keywords:
                cursor.fail("expected a keyword: those come last")
            elif cursor.skip("*"):
                starred.append(len(inputs))
            inputs.append(self._operand())
        attrs: dict[str, object] = {}
        if keywords:
            attrs["keywords"] = tuple(keywords)
        if starred:
            attrs["starred"] = tuple(starred)
        return inputs, attrs

    def _attributes(self, attrs: dict[str, object]) -> None:
        """Read ``name=constant, ...]`` into `attrs`."""
        cursor = self._cursor
        while True:
            token = cursor.token
            name = self._word("the name of an attribute")
            if name in attrs:
                cursor.fail(f"the attribute {name!r} is given twice", token)
            cursor.expect("=")
            attrs[name] = self._constant()
            if not cursor.skip(","):
                break
        cursor.expect("]")

    def _regions(self, labels: Sequence[str]) -> tuple[Region, ...]:
        cursor = self._cursor
        regions: list[Region] = []
        while cursor.following.text in ("(", "{") and cursor.token.kind == "name":
            label = labels[len(regions)] if len(regions) < len(labels) else "region"
            if not cursor.at(label):
                break
            cursor.advance()
            regions.append(self._body(self._params() if cursor.at("(") else ()))
        return tuple(regions)

    def _new_name(self, siblings: set[str]) -> str:
        cursor = self._cursor
        token = cursor.expect_kind("name", "the name of a new value")
        if token.text in RESERVED:
            cursor.fail(f"{token.text!r} cannot name a value", token)
        if token.text in siblings or self._scope.find(token.text) is not None:
            cursor.fail(f"the name {token.text!r} is defined already", token)
        return token.text

    def _operand(self) -> Value:
        cursor = self._cursor
        token = cursor.token
        literal = token.text in RESERVED or cursor.following.text == "("
        if token.kind != "name" or literal:
            return self._make_constant(token)
        cursor.advance()
        value = self._scope.find(token.text)
        if value is None:
            cursor.fail(f"no value is called {token.text!r} here", token)
        return value

    def _make_constant(self, token: Token) -> Constant:
        payload = self._constant()
        try:
            return Constant(payload)
        except OverflowError:
            self._cursor.fail("this constant is too large", token)

    def _constant(self) -> object:
        cursor = self._cursor
        token = cursor.token
        if cursor.at("("):
            return self._tuple()
        if token.kind == "name" and cursor.following.text == "(":
            return self._built(cursor.advance())
        cursor.advance()
        if token.kind == "number":
            return self._number(token)
        if token.kind == "string":
            return string_of(cursor, token)
        if token.kind == "bytes":
            return self._bytes(token)
        if token.kind == "ellipsis":
            return ...
        if token.kind == "name" and token.text in _WORDS:
            return _WORDS[token.text]
        if token.kind == "object":
            return self._object(token)
        cursor.fail("expected a value", token)

    def _tuple(self) -> object:
        cursor = self._cursor
        cursor.expect("(")
        cursor.enter()
        items: list[object] = []
        comma = True
        while not cursor.at(")"):
            if not comma:
                cursor.fail("expected ',' or ')'")
            items.append(self._constant())
            comma = cursor.skip(",")
        if len(items) == 1 and not comma:
            cursor.fail("expected ',' (a tuple of one item has a comma)")
        cursor.expect(")")
        cursor.leave()
        return tuple(items)

    def _built(self, token: Token) -> object:
        """Read what follows ``complex``, ``slice``, ``range``, ``dtype`` or a scalar's dtype."""
        cursor = self._cursor
        if token.text == "dtype":
            return self._dtype()
        if token.text not in _BUILDERS:
            cursor.fail("expected a value", token)
        build, kinds, count = _BUILDERS[token.text]
        items = self._tuple_items()
        if len(items) != count or not all(type(item) in kinds or not kinds for item in items):
            expected = " or ".join(kind.__name__ for kind in kinds) or "constant"
            cursor.fail(f"expected {count} of {expected} in {token.text}(...)", token)
        try:
            with np.errstate(all="ignore"):
                return build(*items)
        except (ValueError, OverflowError) as error:
            cursor.fail(f"{token.text}(...): {error}", token)

    def _tuple_items(self) -> list[object]:
        cursor = self._cursor
        cursor.expect("(")
        cursor.enter()
        items: list[object] = []
        while cursor.more(")", len(items)):
            items.append(self._constant())
        cursor.leave()
        return items

    def _dtype(self) -> np.dtype:
        cursor = self._cursor
        cursor.expect("(")
        token = cursor.token
        if token.kind == "string":
            text = string_of(cursor, cursor.advance())
            if not re.fullmatch(DTYPE_TEXT, text):
                cursor.fail("expected a dtype", token)
            dtype = dtype_of(cursor, text, token)
        else:
            dtype = parse_dtype(cursor)
        cursor.expect(")")
        return dtype

    def _number(self, token: Token) -> int | float:
        text = token.text
        if text.lstrip("-").startswith("0x"):
            return int(text, 16)
        if text.lstrip("-").isdecimal():
            if len(text) > _MAX_DIGITS:
                self._cursor.fail("this number is too long; write it as 0x...", token)
            return int(text)
        return float(text)

    def _bytes(self, token: Token) -> bytes:
        try:
            return string_of(self._cursor, token).encode("latin-1")
        except UnicodeEncodeError:
            self._cursor.fail("expected bytes, each at most \\xff", token)

    def _object(self, token: Token) -> object:
        name = token.text[1:]
        try:
            return object_of_name(name)
        except KeyError:
            pass
        try:
            if self._lookup is not None:
                return self._lookup(name)
        except KeyError:
            pass
        self._cursor.fail(f"the object {token.text} is not known here", token)

    def _origin(self) -> Origin | None:
        """Read ``at 4:2 to 4:9 in "f" from ...``; None if there is none."""
        cursor = self._cursor
        if not cursor.skip("at"):
            return None
        places = [self._place()]
        while cursor.skip("from"):
            places.append(self._place())
        origin: Origin | None = None
        for file, start, end, function in reversed(places):
            origin = Origin(file, *start, *end, function, origin)
        return origin

    def _place(self) -> tuple[str, tuple[int, int], tuple[int, int], str]:
        cursor = self._cursor
        start = self._position()
        cursor.expect("to")
        end = self._position()
        cursor.expect("in")
        function = self._string("the name of a function")
        file = self._string("the name of a file") if cursor.skip("of") else self._file
        return file, start, end, function

    def _position(self) -> tuple[int, int]:
        line = self._count()
        self._cursor.expect(":")
        return line, self._count()

    def _count(self) -> int:
        token = self._cursor.expect_kind("number", "a line or column")
        if not token.text.isdecimal() or len(token.text) > 10 or int(token.text) >= _MAX_LINE:
            self._cursor.fail("expected a line or column", token)
        return int(token.text)

    def _string(self, what: str) -> str:
        return string_of(self._cursor, self._cursor.expect_kind("string", what))

    def _word(self, what: str) -> str:
        if self._cursor.token.kind == "string":
            return self._string(what)
        return self._cursor.expect_kind("name", what).text

    def _type(self) -> Type:
        return parse_type(self._cursor, self._lookup)


def _scalar_builder(dtype: np.dtype) -> tuple[Callable[..., object], tuple[type, ...], int]:
    if dtype.kind == "c":
        return lambda real, imag: dtype.type(complex(real, imag)), (float,), 2
    return dtype.type, ({"b": bool, "i": int, "u": int}.get(dtype.kind, float),), 1


_BUILDERS: dict[str, tuple[Callable[..., object], tuple[type, ...], int]] = {
    "complex": (complex, (float,), 2),
    "range": (range, (int, bool), 3),
    "slice": (slice, (), 3),
    **{name: _scalar_builder(dtype) for name, dtype in DTYPE_OF_SHORT_NAME.items()},
}
"""What builds a constant, the classes its items may have (none: any), and their number."""
