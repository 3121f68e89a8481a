"""docs/map.md has one true line for every file."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
BUILT = {"build", "dist", "__pycache__"}


def load_tool() -> ModuleType:
    """Import tools/map.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("map_tool", ROOT / "tools" / "map.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
LINES = (ROOT / "docs" / "map.md").read_text(encoding="utf-8").splitlines()
MAPPED = dict(re.findall(r"^- `(.+?)`: (.+)$", "\n".join(LINES), re.MULTILINE))


def test_map_is_what_the_tool_writes() -> None:
    assert "\n".join(LINES) + "\n" == TOOL.map_text(), "run python tools/map.py"


@pytest.mark.parametrize("package", ["autograph", "runtime"])
def test_every_file_has_a_line_with_words(package: str) -> None:
    files = [str(path.relative_to(ROOT)) for path in (ROOT / package).rglob("*.py")]
    assert len(files) > 10
    for name in files:
        assert len(MAPPED.get(name, "").split()) >= 2, name


def test_no_line_is_stale() -> None:
    assert [name for name in MAPPED if not (ROOT / name).exists()] == []


def test_everything_at_the_top_has_a_line() -> None:
    present = {
        path.name
        for path in ROOT.iterdir()
        if not path.name.startswith(".") and path.name not in BUILT and path.suffix != ".egg-info"
    }
    assert present == {*TOOL.TOP, *TOOL.FOLDERS}


def test_links_of_the_map_lead_somewhere() -> None:
    for name in ("tests/test_architecture.py", "tools/map.py"):
        assert name in "\n".join(LINES)
        assert (ROOT / name).exists()
