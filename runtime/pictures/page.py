"""Pictures as pages: one HTML file that shows a graph beside the source it came from.

Owns the page. It leaves the drawing to `svg`, looks to ``page.css``, and what the pointer does to
``page.js``, both of which are written into the page. Invariants: the page loads nothing, so that it
works without a network; every text of the user's is escaped; without scripts it still shows all.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib import resources

from ..ir.graph import Origin
from .layout import place
from .outline import Frame, frames_of
from .svg import svg

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_AROUND = 1
"""Lines of source shown after the last that a graph comes from."""
_BEFORE = 80
"""Lines before the first in which its ``def`` is looked for."""
_APART = 40
"""Lines of a file that may lie between two that are shown, before it is shown in parts."""


def page(title: str, frames: Sequence[Frame], texts: Sequence[tuple[str, str]] = ()) -> str:
    """Return a page that shows an outline, with the user's source at its side.

    Parameters
    ----------
    title
        What the graph is called.
    frames
        What `runtime.pictures.outline.outline` returns.
    texts
        Further texts that are shown between source and picture: pairs of heading and text.

    Returns
    -------
    str
        An HTML document that refers to nothing outside of itself.

    Examples
    --------
    >>> from .outline import Vertex
    >>> frame = Frame("graph f", (Vertex("end", "return 1", (), (), None),), ())
    >>> text = page("f", [frame])
    >>> text.startswith("<!doctype html>"), "return 1" in text
    (True, True)
    """
    vertices = sum(len(frame.vertices) for frame in frames_of(tuple(frames)))
    sources = "".join(_source(file, first, last) for file, first, last in _extents(frames))
    others = "".join(_text(heading, text) for heading, text in texts)
    picture = svg(place(frames), _hover)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
<style>
{_asset("page.css")}</style>
</head>
<body>
<header><h1>{escape(title)}</h1><span>{vertices} boxes; drag to move, ctrl and wheel to zoom</span>
<button id="smaller" aria-label="zoom out">-</button>
<button id="larger" aria-label="zoom in">+</button><button id="fit">fit</button></header>
<main>
{sources}{others}<div id="picture">
{picture}
</div>
</main>
<script>
{_asset("page.js")}</script>
</body>
</html>
"""


@cache
def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hover(origin: Origin) -> str:
    """Return the place and line of source of an operation, and the calls that led there."""
    lines = []
    place: Origin | None = origin
    while place is not None:
        lines.append(f"{place.file}:{place.line} in {place.function}")
        lines.append("    " + linecache.getline(place.file, place.line).strip())
        place = place.caller
    return "\n".join(lines)


def _extents(frames: Sequence[Frame]) -> Iterator[tuple[str, int, int]]:
    """Yield the parts of files that an outline comes from: file, first and last line."""
    lines: dict[str, set[int]] = {}
    for frame in frames_of(tuple(frames)):
        for vertex in frame.vertices:
            place = vertex.origin
            while place is not None:
                lines.setdefault(place.file, set()).add(place.line)
                place = place.caller
    for file, found in lines.items():
        total = len(linecache.getlines(file))
        ordered = sorted(found)
        start = ordered[0]
        for line, following in zip(ordered, [*ordered[1:], None], strict=True):
            if following is None or following - line > _APART:
                if total:
                    yield file, _definition(file, start), min(line + _AROUND, total)
                start = following or line


def _definition(file: str, line: int) -> int:
    """Return the line at or before `line` where its function begins, or `line` itself."""
    for number in range(line, max(line - _BEFORE, 0), -1):
        if linecache.getline(file, number).lstrip().startswith(("def ", "async def ")):
            return number
    return line


def _source(file: str, first: int, last: int) -> str:
    """Return a part of a file as a list whose lines can be marked."""
    items = "".join(
        f'<li data-file="{escape(file)}" data-line="{number}"><b>{number}</b>'
        f"{escape(linecache.getline(file, number).rstrip())}</li>\n"
        for number in range(first, last + 1)
    )
    return f'<section class="text"><h2>{escape(file)}</h2><ol>\n{items}</ol></section>\n'


def _text(heading: str, text: str) -> str:
    items = "".join(f"<li>  {escape(line)}</li>\n" for line in text.splitlines())
    return f'<section class="text"><h2>{escape(heading)}</h2><ol>\n{items}</ol></section>\n'
