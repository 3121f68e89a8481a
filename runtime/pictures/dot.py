"""Pictures in DOT, the language of Graphviz.

Owns the text. It leaves what is shown to `outline`, and places to Graphviz. Invariant: the text is
the same for the same graph in every process, and every text of the user's is quoted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.graph import Value
from .outline import Frame, Vertex

_SHAPES = {
    "operation": "box", "effect": "box", "parameter": "ellipse", "capture": "ellipse",
    "end": "plain",
}  # fmt: skip


def dot(name: str, frames: Sequence[Frame]) -> str:
    r"""Return an outline as a DOT text: clusters for regions, edges labeled with their types.

    Parameters
    ----------
    name
        What the picture is called.
    frames
        What `runtime.pictures.outline.outline` returns.

    Examples
    --------
    >>> print(dot("f", [Frame("graph f", (Vertex("end", "return None", (), (), None),), ())]))
    digraph "f" {
      node [fontname="monospace", fontsize=11]
      edge [fontname="monospace", fontsize=9]
      subgraph cluster1 {
        label="graph f"
        v1 [label="return None", shape=plain]
      }
    }
    <BLANKLINE>
    """
    writer = _Writer()
    writer.line(0, f"digraph {_quoted(name)} {{")
    writer.line(1, 'node [fontname="monospace", fontsize=11]')
    writer.line(1, 'edge [fontname="monospace", fontsize=9]')
    for frame in frames:
        writer.frame(frame, 1)
    # An edge inside a cluster would draw its ends into that cluster.
    writer.lines.extend(writer.edges)
    writer.line(0, "}")
    return "\n".join(writer.lines) + "\n"


class _Writer:
    """One text: lines and edges so far, and which vertex of the text gives each value."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.edges: list[str] = []
        self._vertices = 0
        self._clusters = 0
        self._giver: dict[Value, str] = {}

    def line(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def frame(self, frame: Frame, depth: int) -> None:
        self._clusters += 1
        self.line(depth, f"subgraph cluster{self._clusters} {{")
        self.line(depth + 1, f"label={_quoted(frame.label)}")
        taken: dict[int, list[tuple[Value, str]]] = {}
        for edge in frame.edges:
            taken.setdefault(edge.target, []).append((edge.value, edge.label))
        for index, vertex in enumerate(frame.vertices):
            if vertex.kind == "capture" and vertex.values[0] in self._giver:
                continue  # an edge from further out leads there
            self._vertex(vertex, taken.get(index, []), depth + 1)
        self.line(depth, "}")

    def _vertex(self, vertex: Vertex, taken: list[tuple[Value, str]], depth: int) -> None:
        self._vertices += 1
        name = f"v{self._vertices}"
        if vertex.frames:
            self._clusters += 1
            self.line(depth, f"subgraph cluster{self._clusters} {{")
            self.line(depth + 1, f"label={_quoted(vertex.label)}{_hover(vertex, '; ')}")
            self._drawn(name, vertex, depth + 1)
            for frame in vertex.frames:
                self.frame(frame, depth + 1)
            self.line(depth, "}")
        else:
            self._drawn(name, vertex, depth)
        for value, label in taken:
            if value in self._giver:
                source = self._giver[value]
                self.edges.append(f"  {source} -> {name} [label={_quoted(label)}]")
        for value in vertex.values:
            self._giver[value] = name

    def _drawn(self, name: str, vertex: Vertex, depth: int) -> None:
        style = ', style=filled, fillcolor="#ffe8d6"' if vertex.kind == "effect" else ""
        shape = f"shape={_SHAPES[vertex.kind]}{style}"
        self.line(
            depth, f"{name} [label={_quoted(vertex.label)}, {shape}{_hover(vertex, ', ')}]"
        )  # fmt: skip


def _hover(vertex: Vertex, separator: str) -> str:
    if vertex.origin is None:
        return ""
    return f"{separator}tooltip={_quoted(f'{vertex.origin.file}:{vertex.origin.line}')}"


def _quoted(text: str) -> str:
    r"""Return `text` as a quoted string of DOT.

    >>> print(_quoted('a "b" \\n'))
    "a \"b\" \\n"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
