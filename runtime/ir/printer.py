"""Graphs as text.

Owns the textual form that `reader` reads back, and the names values have in it. It leaves the
form of types to `types`. Invariants: the text is the same for the same graph in every process,
`reader.read_graph` makes an equal graph of it, and printing that gives the same text. Any graph
is printed, also one that the verifier rejects.

The form, one operation a line::

    graph newton(x: f64[n], tol: float) -> f64[n] {
      y: f64[n], steps: int = while(x, 0) test (y1: f64[n], steps1: int) {
        residual: f64[n] = sub(y1, x)
        size: f64 = np.max(residual, axis=0)
        more: bool_ = gt(size, tol)
        yield more
      } body (y2: f64[n], steps2: int) {
        ...
        yield y3, steps3
      }
      return y
    }

Functions of the graph follow it in the same form, with ``function`` in place of ``graph``.

- A value is defined as ``name: type``; names come from the user's, made unique.
- An operation is ``name(inputs)``; ``axis=0`` is an input that ``attrs["keywords"]`` names, ``*x``
  one that ``attrs["starred"]`` counts. Other attributes follow in brackets: ``[count=2]``.
- Constants: ``3``, ``-0.0``, ``inf``, ``nan``, ``complex(0.0, 1.0)``, ``"text"``, ``b"bytes"``,
  ``None``, ``True``, ``...``, tuples, ``slice(0, None, 2)``, ``range(0, 9, 1)``, NumPy scalars as
  ``f32(0.5)``, dtypes as ``dtype(f32)``, well-known objects as ``@ValueError``; any other object is
  ``@1``, ``@2``, in order of appearance, and a comment says what it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

import numpy as np

from .graph import (
    Constant,
    Definition,
    Graph,
    Node,
    Origin,
    Region,
    Terminator,
    Value,
    walk_regions,
)
from .names import KNOWN_CLASSES, class_name, name_of_object, region_labels
from .types import (
    DTYPE_OF_SHORT_NAME,
    IteratorType,
    NamedTupleType,
    ObjectType,
    SlotType,
    TupleType,
    Type,
    UnionType,
    dtype_name,
    type_of,
)

NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
"""Pattern of the name of a value, keyword, attribute or operation."""
RESERVED = frozenset(
    "None True False nan inf at yield break continue return raise unreachable".split()
)
"""Words that cannot name a value."""
DTYPE_TEXT = r"[<>|=]?[biufcmMSUVO]\d{0,9}(?:\[\d{0,9}[A-Za-z]+\])?"
"""Pattern of the dtypes that have no short name but are written: no structures."""
_MAX_DECIMAL_BITS = 4096
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SHORT_NAME_OF_DTYPE = {dtype: name for name, dtype in DTYPE_OF_SHORT_NAME.items()}


def format_graph(graph: Graph, *, lines: bool = False, origins: bool = False) -> str:
    """Return `graph` as text.

    Parameters
    ----------
    graph
        Any graph.
    lines
        Whether a comment shows the line of the user's source that each operation comes from.
    origins
        Whether the text holds the whole origin of each operation, to be read back.

    Returns
    -------
    str
        The text, with a line break at the end.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> y, = build.append(arithmetic.MUL, [x, Constant(2.0)], name="y")
    >>> build.end("return", [y])
    >>> print(format_graph(build.graph("twice")), end="")
    graph twice(x: float) -> float {
      y: float = mul(x, 2.0)
      return y
    }
    """
    return _Printer(lines, origins).graph(graph)


def format_with_names(graph: Graph) -> tuple[str, Names]:
    """Return `graph` as text, and the names that its values have there."""
    printer = _Printer(False, False)
    return printer.graph(graph), printer.names


def graph_objects(graph: Graph) -> dict[str, object]:
    """Return the objects that the text of `graph` names: ``@1`` as ``"1"``, classes by name.

    Its ``__getitem__`` is the `lookup` with which the text is read back.
    """
    printer = _Printer(False, False)
    printer.graph(graph)
    found: dict[str, object] = {str(i + 1): value for i, value in enumerate(printer.objects)}
    for region in (region for body in graph.bodies for region in walk_regions(body)):
        outputs = (output for node in region.nodes for output in node.outputs)
        for value in (*region.params, *outputs):
            for cls in _classes(value.type):
                if KNOWN_CLASSES.get(class_name(cls)) is not cls:
                    found.setdefault(class_name(cls), cls)
    return found


def format_constant(value: object) -> str:
    """Return a constant as graph texts show it, objects by what they are.

    >>> format_constant((1, -0.0, "a")), format_constant(np.float32(0.5)), format_constant([])
    ('(1, -0.0, "a")', 'f32(0.5)', '<list>')
    """
    return _constant(value, lambda other: f"<{describe_object(other)}>")


def describe_object(value: object) -> str:
    """Return a few words on `value` that are the same in every process.

    >>> describe_object(np.zeros((2, 3))), describe_object(len), describe_object([1])
    ('f64[2, 3]', 'builtin_function_or_method builtins.len', 'list')
    """
    if isinstance(value, np.ndarray):
        kind = str(type_of(value)) if type(value) is np.ndarray else type(value).__name__
        return kind.replace("opaque", f"array of {value.dtype}")
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    module = getattr(value, "__module__", None)
    if not isinstance(name, str):
        return type(value).__name__
    full = f"{module}.{name}" if isinstance(module, str) else name
    return f"{type(value).__name__} {full}".replace("\n", " ")


class Names:
    """Unique names for values, given in the order in which they are asked for.

    >>> names = Names()
    >>> y = Value(type_of(1), "y")
    >>> names.of(y), names.of(Value(type_of(1), "y")), names.of(Value(type_of(1))), names.of(y)
    ('y', 'y1', 'v', 'y')
    """

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._taken: set[str] = set(RESERVED)
        self._counts: dict[str, int] = {}

    def of(self, value: Value) -> str:
        """Return the name of `value`, a new one when it is asked for the first time."""
        if value not in self._names:
            self._names[value] = self._unique(value.name)
        return self._names[value]

    def _unique(self, hint: str) -> str:
        name = hint
        if not re.fullmatch(NAME, hint):
            name = re.sub(r"\W", "_", hint)
            if not re.fullmatch(NAME, name):
                name = "v" + name
        unique = name
        while unique in self._taken:
            self._counts[name] = self._counts.get(name, 0) + 1
            unique = f"{name}{self._counts[name]}"
        self._taken.add(unique)
        return unique


class _Printer:
    """One printing: names given so far, objects met so far, lines written so far."""

    def __init__(self, lines: bool, origins: bool) -> None:
        self.names = Names()
        self.objects: list[object] = []
        self._number_of_object: dict[int, int] = {}
        self._new_objects: list[str] = []
        self._show_lines = lines
        self._show_origins = origins
        self._file = ""
        self._text: list[str] = []

    def graph(self, graph: Graph) -> str:
        self._function("graph", graph)
        for function in graph.functions:
            self._function("function", function)
        return "\n".join(self._text) + "\n"

    def _function(self, kind: str, function: Graph | Definition) -> None:
        self._file = function.file
        body, name = function.body, function.name
        name = name if re.fullmatch(NAME, name) else format_string(name)
        returned = body.end.values if body.end.kind == "return" else ()
        results = ", ".join(str(value.type) for value in returned) or "bottom"
        if body.end.kind == "return" and not returned:
            results = "()"
        file = f" file {format_string(function.file)}" if self._show_origins else ""
        self._line(0, f"{kind} {name}({self._definitions(body.params)}) -> {results}{file} {{")
        self._statements(body, 1)
        self._line(0, "}")

    def _line(self, depth: int, text: str, origin: Origin | None = None) -> None:
        comments = self._new_objects
        self._new_objects = []
        if origin is not None and self._show_lines:
            file = "" if origin.file == self._file else f" of {origin.file}"
            comments = [f"line {origin.line}{file}", *comments]
        comment = "  # " + ", ".join(comments).replace("\n", " ") if comments else ""
        self._text.append("  " * depth + text + comment)

    def _statements(self, region: Region, depth: int) -> None:
        for node in region.nodes:
            self._node(node, depth)
        self._terminator(region.end, depth)

    def _node(self, node: Node, depth: int) -> None:
        text = self._definitions(node.outputs)
        text += (" = " if text else "") + self._application(node) + self._origin(node.origin)
        labels = region_labels(node.op.name, len(node.inputs), node.attrs)
        for index, region in enumerate(node.regions):
            label = labels[index] if index < len(labels) else "region"
            params = f" ({self._definitions(region.params)})" if region.params else ""
            text += f" {label}{params} {{"
            self._line(depth, text, node.origin if index == 0 else None)
            self._statements(region, depth + 1)
            text = "}"
        self._line(depth, text, None if node.regions else node.origin)

    def _application(self, node: Node) -> str:
        attrs = dict(node.attrs)
        count = len(node.inputs)
        keywords = _keywords(attrs, count)
        starred = _starred(attrs, count - len(keywords))
        operands = [self._operand(value) for value in node.inputs]
        for index in starred:
            operands[index] = "*" + operands[index]
        for index, keyword in enumerate(keywords, count - len(keywords)):
            operands[index] = f"{keyword}={operands[index]}"
        text = f"{node.op.name}({', '.join(operands)})"
        if attrs:
            pairs = (f"{_word(name)}={self._constant(value)}" for name, value in attrs.items())
            text += f" [{', '.join(pairs)}]"
        return text

    def _terminator(self, end: Terminator, depth: int) -> None:
        values = ", ".join(self._operand(value) for value in end.values)
        text = f"{end.kind} {values}" if values else end.kind
        self._line(depth, text + self._origin(end.origin), end.origin)

    def _definitions(self, values: tuple[Value, ...]) -> str:
        return ", ".join(f"{self.names.of(value)}: {value.type}" for value in values)

    def _operand(self, value: Value) -> str:
        if isinstance(value, Constant):
            return self._constant(value.value)
        return self.names.of(value)

    def _constant(self, value: object) -> str:
        return _constant(value, self._object)

    def _object(self, value: object) -> str:
        number = self._number_of_object.get(id(value))
        if number is None:
            self.objects.append(value)
            number = self._number_of_object[id(value)] = len(self.objects)
            self._new_objects.append(f"@{number}: {describe_object(value)}")
        return f"@{number}"

    def _origin(self, origin: Origin | None) -> str:
        if not self._show_origins or origin is None:
            return ""
        return " at " + " from ".join(self._place(place) for place in _chain(origin))

    def _place(self, origin: Origin) -> str:
        start = f"{origin.line}:{origin.column}"
        end = f"{origin.end_line}:{origin.end_column}"
        file = "" if origin.file == self._file else f" of {format_string(origin.file)}"
        return f"{start} to {end} in {format_string(origin.function)}{file}"


def format_node(node: Node, names: Names) -> str:
    """Return `node` in one line, without its regions, for messages."""
    printer = _Printer(False, False)
    printer.names = names
    definitions = ", ".join(names.of(value) for value in node.outputs)
    return (definitions + " = " if definitions else "") + printer._application(node)


def format_string(text: str) -> str:
    r"""Return `text` quoted, with what is not printable escaped.

    >>> print(format_string('a "b"' + chr(10)))
    "a \"b\"\n"
    """
    return '"' + "".join(map(_character, text)) + '"'


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _byte(code: int) -> str:
    return _character(chr(code)) if code < 0x80 else f"\\x{code:02x}"


def _constant(value: object, other: Callable[[object], str]) -> str:
    """Format a constant; objects that have no literal by `other`."""
    cls = type(value)
    if value is None or value is True or value is False:
        return str(value)
    if value is ...:
        return "..."
    if isinstance(value, int) and cls is int:
        return str(value) if value.bit_length() <= _MAX_DECIMAL_BITS else hex(value)
    if isinstance(value, float) and cls is float:
        return _float(value)
    if isinstance(value, complex) and cls is complex:
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    if isinstance(value, str) and cls is str:
        return format_string(value)
    if isinstance(value, bytes) and cls is bytes:
        return 'b"' + "".join(map(_byte, value)) + '"'
    if isinstance(value, tuple) and cls is tuple:
        items = [_constant(item, other) for item in value]
        return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
    if isinstance(value, slice):
        bounds = (value.start, value.stop, value.step)
        return "slice(" + ", ".join(_constant(bound, other) for bound in bounds) + ")"
    if isinstance(value, range):
        bounds = (value.start, value.stop, value.step)
        return "range(" + ", ".join(_constant(bound, other) for bound in bounds) + ")"
    return _numpy_constant(value, other)


def _numpy_constant(value: object, other: Callable[[object], str]) -> str:
    name = name_of_object(value)
    if name is not None:
        return "@" + name
    if isinstance(value, np.dtype):
        return _dtype(value) or other(value)
    if isinstance(value, np.generic) and type(value) is value.dtype.type:
        short = _SHORT_NAME_OF_DTYPE.get(value.dtype)
        if short is None or type(value) is not DTYPE_OF_SHORT_NAME[short].type:
            return other(value)
        item = value.item()
        if isinstance(item, complex):
            return f"{short}({_float(item.real)}, {_float(item.imag)})"
        return f"{short}({_constant(item, other)})"
    return other(value)


def _dtype(dtype: np.dtype) -> str | None:
    exact = dtype.metadata is None and dtype.kind in "biufcMmSU"
    if not exact or np.dtype(dtype.str).char != dtype.char:
        return None
    short = dtype_name(dtype)
    return f"dtype({short if short in DTYPE_OF_SHORT_NAME else format_string(dtype.str)})"


def _float(value: float) -> str:
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return repr(value)


def _is_word(name: object) -> bool:
    """Tell whether `name` can stand unquoted before ``=``."""
    return isinstance(name, str) and bool(re.fullmatch(NAME, name)) and name not in RESERVED


def _word(name: str) -> str:
    return name if _is_word(name) else format_string(name)


def _keywords(attrs: dict[str, object], inputs: int) -> tuple[str, ...]:
    """Take the keywords out of `attrs` if they can be shown at the inputs."""
    names = attrs.get("keywords")
    if not isinstance(names, tuple) or not 0 < len(names) <= inputs:
        return ()
    if not all(_is_word(name) for name in names):
        return ()
    del attrs["keywords"]
    return names


def _starred(attrs: dict[str, object], positional: int) -> tuple[int, ...]:
    """Take the starred positions out of `attrs` if they can be shown at the inputs."""
    places = attrs.get("starred")
    if not isinstance(places, tuple) or not places:
        return ()
    if not all(type(place) is int and 0 <= place < positional for place in places):
        return ()
    if list(places) != sorted(set(places)):
        return ()
    del attrs["starred"]
    return places


def _chain(origin: Origin) -> Iterator[Origin]:
    place: Origin | None = origin
    while place is not None:
        yield place
        place = place.caller


def _classes(type_: Type) -> Iterator[type]:
    """Yield the classes that the text of a type names."""
    if isinstance(type_, ObjectType):
        yield type_.cls
    elif isinstance(type_, TupleType):
        if isinstance(type_, NamedTupleType):
            yield type_.cls
        for item in type_.items:
            yield from _classes(item)
    elif isinstance(type_, UnionType):
        for option in type_.options:
            yield from _classes(option)
    elif isinstance(type_, IteratorType):
        yield from _classes(type_.item)
    elif isinstance(type_, SlotType):
        yield from _classes(type_.content)
