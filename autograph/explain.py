"""What the compiler did to a function, and why.

Owns `Explanation`: for each construct of the source, in order, what became of it; names whose type
stays open; memory; fallbacks; traces. It leaves deciding to the tracer, which keeps notes.
Invariant: everything said is read off the trace that a call with these arguments gets.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from runtime.errors import ConversionError
from runtime.ir.graph import Graph, Origin, Value, walk
from runtime.ir.types import ArrayType, OpaqueType, Type, UnboundType, UnionType
from runtime.memory.classes import alias_classes
from runtime.memory.classes import explain as explain_memory
from runtime.ops.control import TRY
from runtime.tracing.decisions import Decision

from .dispatch import Record, Signature
from .staging import NotStaged, Trace
from .syntax.source import FunctionSource, NoSource, read_function

_KINDS: dict[type, str] = {
    gast.If: "if", gast.IfExp: "if", gast.While: "while", gast.For: "for", gast.Call: "call",
    gast.Try: "try", gast.With: "with", gast.ListComp: "for", gast.SetComp: "for",
    gast.DictComp: "for", gast.GeneratorExp: "for", gast.Assert: "assert", gast.match_case: "case",
}  # fmt: skip
_NOTED_AS = {"assert": "if", "case": "if"}
"""What the tracer calls the test of a construct."""
Place = tuple[int, int, int, int]
_ORDER = ("staged", "unrolled", "island", "inlined", "operation", "plain")


@dataclass(frozen=True)
class ConstructNote:
    """What became of one construct of the source."""

    line: int
    column: int
    construct: str
    """``if``, ``while``, ``for``, ``call``, ``try``, ``with``, ``assert``, ``case``."""
    text: str
    """The construct's header as written."""
    outcome: str
    """``staged``, ``unrolled``, ``plain``, ``operation``, ``inlined``, ``island`` or ``not
    reached``."""
    reason: str


@dataclass(frozen=True)
class OpenName:
    """A name whose type stays open."""

    name: str
    type: str
    reason: str


@dataclass(frozen=True, repr=False)
class Explanation:
    """What the compiler did to a function."""

    function: str
    constructs: tuple[ConstructNote, ...]
    open_names: tuple[OpenName, ...]
    memory: tuple[str, ...]
    """Where arrays are kept in order because their references are not fixed, and why."""
    fallbacks: tuple[str, ...]
    """Why calls run as plain Python."""
    signatures: tuple[Signature, ...]
    """The traces made so far."""

    def __str__(self) -> str:
        """Return the explanation as text."""
        lines = [self.function]
        if self.fallbacks:
            lines.append("runs as plain Python:")
            lines += [f"    {part}" for reason in self.fallbacks for part in reason.splitlines()]
        width = max((len(note.text) for note in self.constructs), default=0)
        for note in self.constructs:
            words = note.outcome + (f": {note.reason}" if note.reason else "")
            lines.append(f"    line {note.line:<4} {note.text:<{width}}  {words}")
        if not self.constructs:
            lines.append("    there is no branch, loop or call in it")
        for title, rows in (
            ("types that stay open:", [f"{n.name}: {n.type}, {n.reason}" for n in self.open_names]),
            ("memory:", self.memory),
            ("traces:", [_trace_line(i, made) for i, made in enumerate(self.signatures)]),
        ):
            if rows:
                lines += [title, *(f"    {row}" for row in rows)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return the explanation as text, for a prompt to show."""
        return str(self)


def _trace_line(number: int, made: Signature) -> str:
    return f"{number} ({made.types}): {made.reason}; {made.seconds * 1e3:.1f} ms"


def explain(record: Record, *args: object, **kwargs: object) -> Explanation:
    """Explain what a call with these arguments does; without arguments, the newest trace.

    Parameters
    ----------
    record
        What stands behind the compiled function.
    *args, **kwargs
        Arguments of the call, values or `TypeSpec` objects; the call is traced, not run.

    Returns
    -------
    Explanation
        Its ``str`` is the text.

    Raises
    ------
    TypeError
        If the arguments do not fit the function.
    """
    fallbacks = dict.fromkeys(reason for _, reason in record.refusals)
    if record.plain_reason:
        fallbacks[record.plain_reason] = None
    trace: Trace | None = None
    if args or kwargs or not record.parameters:
        try:
            trace = record.trace(record.bind(args, kwargs))
        except (NotStaged, ConversionError) as error:
            fallbacks[str(error)] = None
    elif record.traces:
        trace = record.traces[-1].trace
    return Explanation(
        record.original.__qualname__,
        _constructs(record, trace.decisions if trace else None),
        tuple(_open_names(trace.graph)) if trace else (),
        explain_memory(trace.graph, alias_classes(trace.graph)) if trace else (),
        tuple(fallbacks),
        tuple(made.signature for made in record.traces),
    )


def _constructs(
    record: Record, decisions: Sequence[Decision] | None
) -> tuple[ConstructNote, ...]:
    try:
        source = read_function(record.original)
    except NoSource:
        return ()
    notes = []
    for node in _in_order(source.node):
        kind = _KINDS[type(node)]
        made = _found(_NOTED_AS.get(kind, kind), node, decisions or (), source.file)
        if not made and kind == "call":  # ``any(... for ...)`` and its like become the loop
            items = [part for part in node.args if isinstance(part, gast.GeneratorExp)]
            made = [d for part in items for d in _found("for", part, decisions or (), source.file)]
        outcome, reason = _summary(made, decisions is not None)
        text, at = _text(node, source), _position(node)
        notes.append(ConstructNote(at.lineno, at.col_offset, kind, text, outcome, reason))
    return tuple(notes)


def _summary(made: Sequence[Decision], traced: bool) -> tuple[str, str]:
    """Return the outcome that says most, and its reason."""
    if not made:
        return ("not reached", "no path of the trace comes here") if traced else ("unknown", "")
    best = min(made, key=lambda d: _ORDER.index(d.outcome))
    others = sorted({d.outcome for d in made} - {best.outcome}, key=_ORDER.index)
    also = f" (elsewhere {', '.join(others)})" if others else ""
    return best.outcome, best.reason + also


def _in_order(function: Any) -> Iterator[Any]:
    """Yield the constructs of a body; decorators and defaults ran when the function was made."""
    body = function.body if isinstance(function.body, list) else [function.body]
    parts = [node for statement in body for node in gast.walk(statement)]
    nodes = [node for node in parts if type(node) in _KINDS and not _takes_all(node)]

    def place(node: Any) -> tuple[int, int, int]:
        at = _position(node)
        return at.lineno, at.col_offset, -at.end_lineno

    return iter(sorted(nodes, key=place))


def _position(node: Any) -> Any:
    """Return what has the position of a construct: a ``case`` has that of its pattern."""
    return node.pattern if isinstance(node, gast.match_case) else node


def _takes_all(node: Any) -> bool:
    """Tell whether a ``case`` tests nothing."""
    return (
        isinstance(node, gast.match_case)
        and isinstance(node.pattern, gast.MatchAs)
        and node.pattern.pattern is None
        and node.guard is None
    )


def _place(node: Any) -> Place:
    """Return where the tracer notes a construct: at its test, at what it goes over, at a word."""
    if isinstance(node, gast.Try):
        return node.lineno, node.col_offset, node.lineno, node.col_offset + len("try")
    if isinstance(node, gast.With):
        part = node.items[0].context_expr
    elif isinstance(node, gast.Assert | gast.match_case):
        part = _position(node)
    else:
        part = getattr(node, "test", None) or getattr(node, "iter", None) or node
    return part.lineno, part.col_offset, part.end_lineno, part.end_col_offset


def _found(kind: str, node: Any, decisions: Sequence[Decision], file: str) -> list[Decision]:
    place = _place(node)
    return [d for d in decisions if d.construct == kind and _is_at(d.origin, place, file)]


def _is_at(origin: Origin | None, place: Place, file: str) -> bool:
    return origin is not None and origin.file == file and place == (
        origin.line, origin.column, origin.end_line, origin.end_column
    )  # fmt: skip


def _text(node: Any, source: FunctionSource) -> str:
    lines = source.text.splitlines()
    line = lines[_position(node).lineno - source.first_line]
    if isinstance(node, gast.Call):
        function: ast.AST = gast.gast_to_ast(node.func)
        return f"{ast.unparse(function)}(...)"
    return str(line.strip())


def _open_names(graph: Graph) -> Iterator[OpenName]:
    seen: dict[tuple[str, str], None] = {}
    for node in walk(graph.body):
        regions = () if node.op is TRY else node.regions  # the error's name is ours
        values = [*node.outputs, *(p for region in regions for p in region.params)]
        for value in values:
            key = (value.name, str(value.type))
            if value.name and _is_open(value.type) and key not in seen:
                seen[key] = None
                line = f" at line {node.origin.line}" if node.origin else ""
                yield OpenName(value.name, str(value.type), _why_open(value, node.op.name) + line)


def _is_open(type_: Type) -> bool:
    if isinstance(type_, ArrayType):
        return type_.dtype is None or type_.shape is None
    return isinstance(type_, OpaqueType | UnionType)


def _why_open(value: Value, operation: str) -> str:
    if isinstance(value.type, UnionType):
        if any(isinstance(option, UnboundType) for option in value.type.options):
            return f"it may be unbound after the {operation}"
        return f"different paths through the {operation} give it different types"
    return f"the result of {operation} is known only at run time"
