"""What converted code sees of globals, builtins and closures while it is traced.

Owns the globals mapping given to converted functions, the builtins beneath it, and making a
function from converted code. It leaves deciding what a name stands for to the `World`. Invariant:
nothing is ever stored in the user's modules or cells; CPython looks names up in a mapping that is
a subclass of dict through ``__getitem__``, so the converted source needs no wrapping; variables of
functions around are looked up there as well.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping
from types import CellType, CodeType, FrameType, FunctionType
from typing import Protocol

from runtime.ops.registry import UNKNOWN_VALUE

CLASSES_REPLACED = (range, enumerate, zip, reversed)
"""Builtin classes that stay as written in converted code; their stand-ins are told apart again
by `plain_builtin`."""


class Lookup(Protocol):
    """What the overlay asks for names it does not hold."""

    def read_global(self, namespace: dict[str, object], name: str) -> object:
        """Return what the global `name` stands for; `UNKNOWN_VALUE` when there is none."""
        ...

    def read_cell(self, cell: CellType, name: str) -> object:
        """Return what the variable `name` of a function around stands for."""
        ...

    def call_builtin(
        self, function: object, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        """Call a builtin function."""
        ...


class OverlayGlobals(dict[str, object]):
    """The globals of converted functions of one module during one trace.

    Variables of functions around, found in `cells`, are among them.
    """

    __slots__ = ("_cells", "_lookup", "_own", "namespace")

    def __init__(
        self,
        lookup: Lookup,
        namespace: dict[str, object],
        overlay_builtins: dict[str, object],
        cells: Mapping[str, CellType],
    ) -> None:
        super().__init__()
        self._lookup = lookup
        self._cells = cells
        self.namespace = namespace
        self._own = {"__builtins__", "__name__"}
        super().__setitem__("__builtins__", overlay_builtins)
        super().__setitem__("__name__", namespace.get("__name__"))

    def __getitem__(self, name: str) -> object:
        """Return an item."""
        if name in self._own:  # what ``global`` statements store is not read back from here
            return dict.__getitem__(self, name)
        try:
            if name in self._cells:
                return self._lookup.read_cell(self._cells[name], name)
            item = self._lookup.read_global(self.namespace, name)
        except KeyError as error:  # CPython would take it for a missing name
            raise RuntimeError(f"reading the global {name} failed: {error}") from error
        if item is UNKNOWN_VALUE:
            raise KeyError(name)
        return item

    def provide(self, name: str, item: object) -> None:
        """Make `item` known to the code under `name`."""
        self._own.add(name)
        super().__setitem__(name, item)


class ReplacedBuiltin:
    """Stands for a builtin in converted code: records its call when an argument is symbolic."""

    __slots__ = ("lookup", "original")

    def __init__(self, original: object, lookup: Lookup) -> None:
        self.original = original
        self.lookup = lookup

    def __eq__(self, other: object) -> bool:
        """Compare as the builtin itself."""
        return plain_builtin(other) is self.original

    def __repr__(self) -> str:
        """Return the text of the builtin itself."""
        return repr(self.original)

    def __hash__(self) -> int:
        """Hash as the builtin itself."""
        return hash(self.original)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Call it."""
        return self.lookup.call_builtin(self.original, args, kwargs)


def overlay_builtins(lookup: Lookup) -> dict[str, object]:
    """Return the builtins of converted code: functions, and a few classes, are replaced."""
    table: dict[str, object] = dict(vars(builtins))
    for name, item in vars(builtins).items():
        replaced = callable(item) and not isinstance(item, type)
        if (replaced and not name.startswith("__")) or item in CLASSES_REPLACED:
            table[name] = ReplacedBuiltin(item, lookup)
    return table


def plain_builtin(item: object) -> object:
    """Return the builtin that `item` stands for; `item` itself if it is none."""
    return item.original if type(item) is ReplacedBuiltin else item


def is_overlay_function(function: FunctionType) -> bool:
    """Tell whether `function` is converted code that belongs to a trace."""
    return type(function.__globals__) is OverlayGlobals


def is_overlay_frame(frame: FrameType) -> bool:
    """Tell whether `frame` runs converted code that belongs to a trace."""
    return type(frame.f_globals) is OverlayGlobals


def make_function(
    code: CodeType,
    overlay: OverlayGlobals,
    original: FunctionType,
    defaults: tuple[object, ...] | None,
    keyword_defaults: dict[str, object] | None,
) -> FunctionType:
    """Return a function that runs converted `code` in `overlay`, otherwise like `original`."""
    function = FunctionType(code, overlay, original.__name__, defaults)
    function.__kwdefaults__ = keyword_defaults
    function.__qualname__ = original.__qualname__
    return function


def user_frame() -> FrameType | None:
    """Return the innermost frame that runs converted code, or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_overlay_frame(frame):
        frame = frame.f_back
    return frame

