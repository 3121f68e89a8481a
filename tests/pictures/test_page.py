"""The page: whole in itself, true to the text of the user, and shown by a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from big_graphs import graph_of

from runtime.ir.graph import Origin
from runtime.ir.reader import read_graph
from runtime.pictures.outline import Frame, Vertex, outline
from runtime.pictures.page import page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0",
    "--window-size=1400,1000", "--virtual-time-budget=3000",
)  # fmt: skip
EVIL = "</text><script>alert(1)</script>\"'&"
VOID = ("meta", "br", "link", "img", "input")


class Tags(HTMLParser):
    """Collects tags and attributes, and checks that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser.seen


def test_the_page_refers_to_nothing_outside() -> None:
    text = page("big", outline(graph_of(30)))
    for tag, attributes in tags(text):
        assert tag not in ("link", "img", "iframe", "base")
        assert not {"src", "href", "srcset", "data"} & set(attributes)
    assert "url(" not in text and "@import" not in text and "fetch(" not in text


def test_every_text_is_escaped() -> None:
    origin = Origin(f"<{EVIL}>", 1, 0, 1, 0, EVIL)
    vertex = Vertex("operation", EVIL, (EVIL,), (), origin)
    text = page(EVIL, [Frame(EVIL, (vertex,), ())], [(EVIL, EVIL)])
    assert [tag for tag, _ in tags(text)].count("script") == 1


def test_an_operation_tells_its_line_of_source(tmp_path: Path) -> None:
    file = tmp_path / "user.py"
    file.write_text("def f(x):\n    return x < 3\n", encoding="utf-8")
    origin = Origin(str(file), 2, 11, 2, 16, "f")
    text = page("f", [Frame("graph f", (Vertex("operation", "lt", (), (), origin),), ())])
    assert f"<title>{file}:2 in f\n    return x &lt; 3</title>" in text
    lines = [a for tag, a in tags(text) if tag == "li"]
    assert [attributes["data-line"] for attributes in lines] == ["1", "2"]


def test_the_call_that_led_to_an_operation_is_told(tmp_path: Path) -> None:
    file = tmp_path / "user.py"
    file.write_text("def f(x):\n    return g(x)\ndef g(x):\n    return -x\n", encoding="utf-8")
    call = Origin(str(file), 2, 11, 2, 15, "f")
    origin = Origin(str(file), 4, 11, 4, 13, "g", call)
    text = page("f", [Frame("graph f", (Vertex("operation", "neg", (), (), origin),), ())])
    assert f"{file}:4 in g\n    return -x\n{file}:2 in f\n    return g(x)" in text


def test_a_graph_without_source_has_a_page() -> None:
    origin = Origin("<nowhere>", 7, 0, 7, 1, "f")
    text = page("f", [Frame("graph f", (Vertex("operation", "neg", (), (), origin),), ())])
    assert "&lt;nowhere&gt;:7 in f" in text and "<li" not in text


def test_loops_sixty_deep_have_a_page() -> None:
    depth = 60
    lines = ["graph deep(x: f64[n], m: int) -> f64[n] {"]
    for level in range(depth):
        given = f"s{level - 1}" if level else "x"
        lines.append(
            f"r{level}: f64[n] = for(m, {given}) body (i{level}: int, s{level}: f64[n]) {{"
        )
    lines.append(f"yield s{depth - 1}")
    lines += [f"}}\n{'yield' if level else 'return'} r{level}" for level in reversed(range(depth))]
    text = page("deep", outline(read_graph("\n".join([*lines, "}"]) + "\n")))
    assert text.count('<text class="title"') == depth + 1
    tags(text)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize("operations", [10, 300, 1000])
def test_a_browser_shows_it_without_network_and_without_errors(
    operations: int, tmp_path: Path
) -> None:
    assert CHROMIUM is not None
    file = tmp_path / "graph.html"
    file.write_text(page("big", outline(graph_of(operations))), encoding="utf-8")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    shown = subprocess.run(
        [*command, file.as_uri()], capture_output=True, text=True, check=True, timeout=120
    )
    assert 'data-shown="yes"' in shown.stdout
    assert re.search(r'<svg[^>]* style="transform: translate', shown.stdout)
    assert "CONSOLE" not in shown.stderr
