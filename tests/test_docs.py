"""Every Python block of the documents runs, and prints what the document shows.

The blocks of one document share a namespace and run in order. A ``text`` block right after a Python
block is what it prints. Links between documents lead somewhere.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def blocks(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Yield language, first line and end of each fenced block; lines count from 0."""
    start, language = None, ""
    for number, line in enumerate(lines):
        if line.startswith("```"):
            if start is None:
                start, language = number + 1, line[3:].strip()
            else:
                yield language, start, number
                start = None


def run(code: str, namespace: dict[str, object], name: str) -> str:
    """Run a block and return what it printed; its source is found under `name`."""
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, name, "exec"), namespace)
    return printed.getvalue()


@pytest.mark.parametrize("path", DOCUMENTS, ids=[str(p.relative_to(ROOT)) for p in DOCUMENTS])
def test_python_blocks_run_and_print_what_is_shown(path):
    """Run a document from top to bottom."""
    lines = path.read_text(encoding="utf-8").splitlines()
    namespace: dict[str, object] = {"__name__": "document"}
    previous, printed = -2, ""
    for language, start, end in blocks(lines):
        text = "\n".join(lines[start:end])
        if language == "python":
            name = f"<{path.relative_to(ROOT)}:{start + 1}>"
            printed = run(text + "\n", namespace, name)
            previous = end
        elif language == "text" and not "".join(lines[previous + 1 : start - 1]).strip():
            assert printed.rstrip() == text.rstrip(), f"{path.name}, line {start + 1}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=[str(p.relative_to(ROOT)) for p in DOCUMENTS])
def test_links_lead_somewhere(path):
    """Relative links name files that exist."""
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), target
