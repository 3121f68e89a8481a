"""Write docs/map.md: one line for every file, taken from the file's own first line.

The line of a Python file is the first line of its docstring, so that there is one place to keep it
true. The exit status is 1 under ``--check`` if the map on disk is not what would be written.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAP = ROOT / "docs" / "map.md"

# Folders whose files each get a line, with what the folder is for.
FOLDERS = {
    "autograph": "The face: compiler front end, public functions, command line. Imports `runtime`.",
    "runtime": "The engine: graph, operations, memory, passes, lowering. Needs NumPy alone.",
    "examples": "Programs written as anyone would write them with NumPy, and the data they run on.",
    "benchmarks": "Where the figures of performance.md come from.",
    "tools": "What is run by hand or by `make`, and is no part of the packages.",
}
# What else stands at the top, with what it is for.
TOP = {
    "CHANGELOG.md": "What changed, release by release.",
    "CONTRIBUTING.md": "How to change this project: rooms, rules, recipes.",
    "LICENSE": "Apache License 2.0.",
    "Makefile": "Everything one does with a checkout; `make demo` and `make test` to start with.",
    "README.md": "What this is, and how to use it.",
    "docs": "For users: start at index.md. For builders: this map, and decisions/ for why.",
    "noxfile.py": "The tests on every supported Python.",
    "pyproject.toml": "Metadata, dependencies, and the settings of ruff, mypy and pytest.",
    "tests": "Mirrors the packages; `corpus` holds small programs that several suites share.",
}

_INTRODUCTION = """\
# Map of the repository

One line for each file, from its own first line; `python tools/map.py` writes this page. Imports
point down only: the layers are the table in `tests/test_architecture.py`, which holds them.
"""


def first_line(path: Path) -> str:
    """Return the first line of a Python file's docstring, or of a package without one, nothing."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n")[0]


def map_text(root: Path = ROOT) -> str:
    """Return what docs/map.md should be for the project at `root`."""
    parts = [_INTRODUCTION, "\n## At the top\n\n"]
    parts += [f"- `{name}`: {meaning}\n" for name, meaning in sorted(TOP.items())]
    for folder, meaning in FOLDERS.items():
        parts.append(f"\n## {folder}/\n\n{meaning}\n\n")
        files = sorted((root / folder).rglob("*.py"), key=_order)
        parts += [f"- `{path.relative_to(root)}`: {first_line(path)}\n" for path in files]
    return "".join(parts)


def _order(path: Path) -> tuple[tuple[str, ...], bool, str]:
    """Sort folder by folder, what a package says of itself first."""
    return path.parts[:-1], path.name != "__init__.py", path.name


def main() -> int:
    """Write the map, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether it is true")
    options = parser.parse_args()
    text = map_text()
    if options.check:
        same = MAP.exists() and MAP.read_text(encoding="utf-8") == text
        print("docs/map.md is true" if same else "docs/map.md is stale: run python tools/map.py")
        return 0 if same else 1
    MAP.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
