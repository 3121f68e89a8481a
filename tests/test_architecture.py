"""The layers hold: imports point down only, and files stay small enough to be read."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("autograph", "runtime")
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 80

# From the top down. A module belongs to the longest name here that it starts with. It may import
# what is in rows below and what has the same name as its own; those in one row never import each
# other. The two packages' __init__ are the face that users import, nobody inside does.
LAYERS = (
    ("autograph.__main__",),
    ("autograph.cli",),
    ("autograph.__init__",),
    ("autograph.function",),
    ("autograph.explain",),
    ("autograph.dispatch",),
    ("autograph.into_graph",),
    ("autograph.callpath", "autograph.convert", "autograph.staging"),
    ("autograph.operators", "autograph.converters", "autograph.environment"),
    ("autograph.syntax",),
    (
        "autograph.errors", "autograph.modes", "autograph.summary", "autograph.typespec",
        "autograph.version",
    ),
    ("runtime.__init__",),
    ("runtime.pictures", "runtime.graph_mode"),
    ("runtime.modules",),
    ("runtime.checkpoints",),
    ("runtime.compile", "runtime.profiling"),
    ("runtime.lowering",),
    ("runtime.tracing", "runtime.passes"),
    ("runtime.memory",),
    ("runtime.ops",),
    ("runtime.checkpoint_format", "runtime.variables"),
    ("runtime.ir",),
    ("runtime.ops.registry",),
    ("runtime.ir.graph",),
    ("runtime.ir.names",),
    ("runtime.ir.lattice",),
    ("runtime.ir.types",),
    ("runtime.scopes",),
    ("runtime.errors", "runtime.replacing", "runtime.thread_state"),
)
# These import nothing of ours but themselves and what is named.
CLOSED = {
    "autograph.syntax": (),
    "autograph.converters": ("autograph.syntax",),
    "runtime.errors": (),
    "runtime.ir.types": (),
}
# Where a function may import: the doors to packages that need not be installed.
DOORS = {("autograph.cli", "rich")}
# What each package may import from outside of the standard library.
DEPENDENCIES = {
    "autograph": ("numpy", "gast", "astunparse", "rich"),
    "runtime": ("numpy",),
}


@dataclass(frozen=True)
class Import:
    """One import statement of a module: what it names, and where it stands."""

    module: str
    names: tuple[str, ...]
    in_function: bool
    type_checking: bool


def module_name(path: Path) -> str:
    """Return the dotted name of a file of ours; packages end in ``__init__``."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


FILES = {
    module_name(path): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


def imports(name: str) -> Iterator[Import]:
    """Every import in a module, with relative names made absolute."""
    waiting: list[tuple[ast.AST, bool, bool]] = [(TREES[name], False, False)]
    while waiting:
        node, in_function, type_checking = waiting.pop()
        if isinstance(node, ast.Import):
            names = tuple(alias.name for alias in node.names)
            yield Import(name, names, in_function, type_checking)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = name.split(".")[: -node.level]
                base = ".".join([*package, *([node.module] if node.module else [])])
            names = tuple(f"{base}.{alias.name}" for alias in node.names)
            yield Import(name, names, in_function, type_checking)
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        below = type_checking or guarded
        waiting.extend((child, inside, below) for child in ast.iter_child_nodes(node))


def target(name: str) -> str | None:
    """Return the module of ours that an imported name is in, if any."""
    for candidate in (name, f"{name}.__init__", name.rpartition(".")[0]):
        if candidate in FILES:
            return candidate
    parent = f"{name.rpartition('.')[0]}.__init__"
    return parent if parent in FILES else None


def edges(name: str) -> list[str]:
    """Modules of ours that a module imports when it runs."""
    found = [
        reached
        for one in imports(name)
        if not one.type_checking
        for reached in map(target, one.names)
        if reached is not None
    ]
    return sorted(set(found))


def row_and_room(name: str) -> tuple[int, str]:
    """Return the row of `LAYERS` a module is in, and the entry it belongs to."""
    rooms = [
        (len(room), row, room)
        for row, layer in enumerate(LAYERS)
        for room in layer
        if name == room or name.startswith(f"{room}.")
    ]
    assert rooms, f"{name} is in no layer: put it into LAYERS, and into docs/map.md"
    _, row, room = max(rooms)
    return row, room


@pytest.mark.parametrize("name", FILES)
def test_imports_point_down(name: str) -> None:
    row, room = row_and_room(name)
    for reached in edges(name):
        reached_row, reached_room = row_and_room(reached)
        same = room == reached_room
        assert same or reached_row > row, f"{name} imports {reached}, which is not below it"
        assert not name.startswith("runtime") or reached.startswith("runtime")


def test_no_cycles() -> None:
    graph = {name: edges(name) for name in FILES}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path[path.index(name) :], name))
        if name not in done:
            for reached in graph[name]:
                visit(reached, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("room", CLOSED)
def test_closed_rooms_import_only_what_is_named(room: str) -> None:
    allowed = (room, *CLOSED[room])
    for name in FILES:
        if row_and_room(name)[1] == room:
            for reached in edges(name):
                assert row_and_room(reached)[1] in allowed, f"{name} imports {reached}"


@pytest.mark.parametrize("name", FILES)
def test_nobody_imports_the_init_of_a_package_around_it(name: str) -> None:
    around = [f"{name.rsplit('.', depth)[0]}.__init__" for depth in range(1, name.count(".") + 1)]
    for reached in edges(name):
        assert reached == name or reached not in around, f"{name} imports {reached}"


@pytest.mark.parametrize("name", FILES)
def test_functions_import_only_through_doors(name: str) -> None:
    for one in imports(name):
        if one.in_function:
            for imported in one.names:
                assert (name, imported.split(".")[0]) in DOORS, f"{name} imports {imported}"


@pytest.mark.parametrize("name", FILES)
def test_dependencies_are_those_declared(name: str) -> None:
    package = name.split(".")[0]
    allowed = {*DEPENDENCIES[package], *PACKAGES, *sys.stdlib_module_names}
    for one in imports(name):
        for imported in one.names:
            root = imported.split(".")[0]
            assert root in allowed, f"{name} imports {imported}"
            if root == "rich":
                assert one.in_function, f"{name} imports rich, which need not be installed"


def test_only_rows_that_exist_are_in_the_table() -> None:
    present = {row_and_room(name)[1] for name in FILES}
    assert [room for layer in LAYERS for room in layer if room not in present] == []


ALL_PYTHON = sorted(
    path
    for folder in (*PACKAGES, "tests", "tools", "examples", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("path", ALL_PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MAX_FILE_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", ALL_PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_says_what_it_is(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring is not None
    assert docstring.splitlines()[0].endswith((".", "?", "``"))
