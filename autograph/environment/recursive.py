"""Calls of functions that call themselves on values known only at run time.

Owns what such a call hands over: the arguments, and what the function and those it refers to have
captured from the functions around them. It leaves tracing the body once to
`runtime.tracing.recursion`. Invariant: the body refers to nothing of the function around it but
what it is handed; two calls share a body only if all else that is built into it is the same.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CellType, FunctionType

from runtime.tracing.handlers import Box
from runtime.tracing.recursion import Definitions
from runtime.tracing.symbol import Symbol, is_symbolic
from runtime.tracing.tracer import Tracer

from .overlay import is_overlay_function

_EMPTY = object()


Place = CellType | tuple[FunctionType, int | str]
"""A variable of a function around, or the default of a parameter of an inner function."""


@dataclass(frozen=True)
class _Captured:
    """What an inner function has from the time and place it was made."""

    name: str
    place: Place
    content: object

    @property
    def is_handed(self) -> bool:
        """Whether only the run knows it."""
        return type(self.content) is Box or is_symbolic(self.content)


class RecursiveCalls:
    """The calls of such functions in one trace."""

    def __init__(self, tracer: Tracer, definitions: Definitions) -> None:
        self.tracer = tracer
        self.definitions = definitions
        self._kept: list[object] = []
        """What is told apart by identity, so that nothing else gets its place in memory."""

    def call(
        self, function: FunctionType, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record the call."""
        bound = inspect.signature(function).bind(*args, **kwargs)
        bound.apply_defaults()
        static = {
            name: item
            for name, item in bound.arguments.items()
            if not is_symbolic(item) and not isinstance(item, bool | int | float | complex)
        }
        moving = [name for name in bound.arguments if name not in static]
        captured = list(_captured(function))
        handed = [item.content for item in captured if item.is_handed]
        key = (
            _code(function),
            tuple((item.name, self._known(item)) for item in captured),
            tuple((name, self._identity(item)) for name, item in static.items()),
        )

        def body(*values: Symbol) -> object:
            inner = _Copies(self.tracer, captured, values[: len(handed)]).of(function)
            rest = dict(zip(moving, values[len(handed) :], strict=True))
            call = inspect.BoundArguments(bound.signature, {**static, **rest})
            self.tracer.cells.watch(inner)
            return inner(*call.args, **call.kwargs)

        arguments = [item.share() if type(item) is Box else item for item in handed]
        arguments += [bound.arguments[name] for name in moving]
        file = function.__code__.co_filename
        return self.definitions.call(key, function.__name__, file, body, arguments)

    def _known(self, item: _Captured) -> object:
        """Return what tells a body with `item` built in from others."""
        if item.is_handed:
            return "handed"
        content = item.content
        if isinstance(content, bool | int | float | complex | str):
            return type(content), repr(content)
        return _code(content) if _is_inner(content) else self._identity(content)

    def _identity(self, item: object) -> int:
        self._kept.append(item)
        return id(item)


class _Copies:
    """Copies of inner functions that refer to what the body of a definition is handed."""

    def __init__(
        self, tracer: Tracer, captured: Sequence[_Captured], handed: Sequence[Symbol]
    ) -> None:
        self._made: dict[FunctionType, FunctionType] = {}
        self._cells: dict[int, CellType] = {}
        self._defaults: dict[tuple[FunctionType, int | str], object] = {}
        for item in captured:
            if isinstance(item.place, CellType):
                self._cells[id(item.place)] = CellType()
        values = iter(handed)
        for item in captured:
            content = item.content
            if type(content) is Box:
                content = Box.over(tracer, item.name, next(values))
            elif item.is_handed:
                content = next(values)
            elif _is_inner(content):
                content = self.of(content)  # type: ignore[arg-type]  # a function
            if not isinstance(item.place, CellType):
                self._defaults[item.place] = content
            elif content is not _EMPTY:
                self._cells[id(item.place)].cell_contents = content
        for original, made in self._made.items():
            self._set_defaults(original, made)

    def of(self, original: FunctionType) -> FunctionType:
        """Return the copy of `original`."""
        if original not in self._made:
            closure = tuple(self._cells[id(cell)] for cell in original.__closure__ or ())
            made = FunctionType(
                original.__code__, original.__globals__, original.__name__, None, closure
            )
            made.__qualname__, made.__doc__ = original.__qualname__, original.__doc__
            self._made[original] = made
            self._set_defaults(original, made)
        return self._made[original]

    def _set_defaults(self, original: FunctionType, made: FunctionType) -> None:
        if original.__defaults__ is not None:
            numbered = enumerate(original.__defaults__)
            made.__defaults__ = tuple(self._default(original, *pair) for pair in numbered)
        if original.__kwdefaults__ is not None:
            named = original.__kwdefaults__.items()
            made.__kwdefaults__ = {pair[0]: self._default(original, *pair) for pair in named}

    def _default(self, original: FunctionType, key: int | str, default: object) -> object:
        return self._defaults.get((original, key), default)


def _is_inner(content: object) -> bool:
    """Tell whether `content` is a function of the trace."""
    return isinstance(content, FunctionType) and is_overlay_function(content)


def _code(function: object) -> tuple[object, ...]:
    """Return what two functions share that differ at most in what they captured."""
    assert isinstance(function, FunctionType)
    return function.__code__, id(function.__globals__)


def _captured(function: FunctionType) -> Iterator[_Captured]:
    """Yield what `function`, and the inner functions it refers to, have captured."""
    pending, seen = [function], {function}
    cells: set[int] = set()
    while pending:
        current = pending.pop()
        found: list[_Captured] = []
        for name, cell in zip(
            current.__code__.co_freevars, current.__closure__ or (), strict=True
        ):
            if id(cell) not in cells:
                cells.add(id(cell))
                found.append(_Captured(name, cell, _content(cell)))
        for number, default in enumerate(current.__defaults__ or ()):
            found.append(_Captured("default", (current, number), default))
        for name, default in (current.__kwdefaults__ or {}).items():
            found.append(_Captured(name, (current, name), default))
        for item in found:
            yield item
            if isinstance(item.content, FunctionType) and _is_inner(item.content):
                if item.content not in seen:
                    seen.add(item.content)
                    pending.append(item.content)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY
