"""Run a function and see everything a caller can see; compare two such runs.

Owns `Outcome`, what a call did, and `observe`, which makes one. It leaves what to call to the
tests. Invariant: two calls have equal outcomes exactly when no caller could tell them apart: value
with exact types and layout, aliasing, changed arguments, output, warnings, exception and its line.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType, FunctionType

import numpy as np

_SHOWN_AS_TEXT = (
    type(None), bool, int, float, complex, str, bytes, range, slice, np.dtype, type(Ellipsis),
    type(NotImplemented),
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one call did, in a form that compares with ``==``."""

    result: object
    """A picture of the value, or of the exception."""
    arguments: object
    """A picture of the arguments after the call."""
    sharing: tuple[tuple[int, int], ...]
    """Pairs of arrays, numbered as in the pictures, that share memory."""
    printed: str
    watched: object
    """A picture of what the function may change besides its arguments."""
    warned: tuple[str, ...]
    line: int
    """The line in the user's file where the exception came out; 0 without exception."""


class Painter:
    """Makes pictures: nested tuples of texts, with a number for each object that can be shared."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._objects: list[object] = []

    def paint(self, value: object) -> object:
        """Return a picture of `value`; an object seen before is shown by its number."""
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if kind in _SHOWN_AS_TEXT or isinstance(value, np.dtype):
            return name, repr(value)
        if isinstance(value, np.generic):
            return name, str(value.dtype), repr(value.item())
        if isinstance(value, tuple):
            return name, *(self.paint(item) for item in value)
        if isinstance(value, type | types.ModuleType):
            return name, value.__name__
        if isinstance(value, FunctionType | types.BuiltinFunctionType):
            return name, value.__qualname__
        if isinstance(value, np.ufunc):
            return name, value.__name__
        number = self._numbers.get(id(value))
        if number is not None:
            return f"#{number}"
        number = self._numbers[id(value)] = len(self._objects)
        self._objects.append(value)
        return f"#{number}", name, *self._contents(value)

    def _contents(self, value: object) -> Iterator[object]:
        if isinstance(value, np.ndarray):
            yield str(value.dtype)
            yield value.shape
            yield value.strides if value.size > 1 else "small"
            yield "writeable" if value.flags.writeable else "read-only"
            yield tuple(
                self.paint(item) if value.dtype == object else repr(item)
                for item in value.ravel().tolist()
            )
        elif isinstance(value, np.random.Generator):
            yield repr(value.bit_generator.state)
        elif isinstance(value, np.random.RandomState):
            yield repr(value.get_state())
        elif isinstance(value, list):
            for item in value:
                yield self.paint(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                yield self.paint(key), self.paint(item)
        elif isinstance(value, set | frozenset):
            yield tuple(sorted(repr(item) for item in value))
        elif isinstance(value, BaseException):
            yield self.paint(value.args)
            yield type(value.__cause__).__name__
        elif hasattr(value, "__dict__"):
            for key, item in vars(value).items():
                yield key, self.paint(item)

    def sharing(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of painted arrays that share memory."""
        arrays = [
            (number, item)
            for number, item in enumerate(self._objects)
            if isinstance(item, np.ndarray)
        ]
        return tuple(
            (i, j)
            for k, (i, a) in enumerate(arrays)
            for j, b in arrays[k + 1 :]
            if np.shares_memory(a, b)
        )


def observe(
    function: Callable[..., object],
    arguments: tuple[object, ...],
    file: str = "",
    watch: Callable[[], object] | None = None,
) -> Outcome:
    """Call `function` and return all that its caller can see.

    Parameters
    ----------
    function
        Called once.
    arguments
        Its positional arguments; it may change them.
    file
        The user's file, in which the line of an exception is looked for.
    watch
        Returns what else the function may change.
    """
    printed = io.StringIO()
    line = 0
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            result = function(*arguments)
        except Exception as error:
            result = error
            line = _line(error, file)
    painter = Painter()
    after = painter.paint(arguments)
    return Outcome(
        ("raised" if isinstance(result, Exception) else "returned", painter.paint(result)),
        after,
        painter.sharing(),
        printed.getvalue(),
        painter.paint(watch()) if watch is not None else None,
        tuple(sorted({_words(warning) for warning in given} - {""})),
        line,
    )


def without_accidents(outcome: Outcome) -> Outcome:
    """Return what has to be equal for any program whatever.

    A dead operation's warning may go. CPython 3.11 itself, once a function is warm, gives the line
    before for an unbound local (two instructions have become one).
    """
    unbound = "UnboundLocalError" in repr(outcome.result)
    return dataclasses.replace(outcome, warned=(), line=0 if unbound else outcome.line)


def _words(warning: warnings.WarningMessage) -> str:
    """Return a warning as text; nothing for the compiler's own."""
    name = warning.category.__name__
    return "" if name == "AutographWarning" else f"{name}: {warning.message}"


def _line(error: BaseException, file: str) -> int:
    line = 0
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def differences(got: Outcome, want: Outcome) -> list[str]:
    """Return one line for each part of two outcomes that differs."""
    return [
        f"{field.name}: {getattr(got, field.name)!r}\n    instead of {getattr(want, field.name)!r}"
        for field in dataclasses.fields(Outcome)
        if getattr(got, field.name) != getattr(want, field.name)
    ]


def codes_of(functions: Iterable[object]) -> list[CodeType]:
    """Return the code objects of plain functions, with those nested in them."""
    pending = [f.__code__ for f in functions if isinstance(f, FunctionType)]
    found: list[CodeType] = []
    while pending:
        code = pending.pop()
        found.append(code)
        pending.extend(c for c in code.co_consts if isinstance(c, CodeType))
    return found


def module_functions(module: types.ModuleType) -> list[object]:
    """Return the functions and methods defined in `module`."""
    found: list[object] = []
    for value in vars(module).values():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            found.append(value)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            found.extend(vars(value).values())
    return found


def entered(action: Callable[[], object], codes: Iterable[CodeType]) -> list[str]:
    """Run `action` and return the names of those of `codes` that ran meanwhile."""
    watched = {id(code): code.co_qualname for code in codes}
    hit: dict[str, None] = {}

    def profile(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and id(frame.f_code) in watched:
            hit[watched[id(frame.f_code)]] = None

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(before)
    return list(hit)


def signature_key(value: object) -> object:
    """Return what two arguments must share for one trace to serve both: types and structure."""
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.ndim
    if isinstance(value, tuple):
        return tuple, *(signature_key(item) for item in value)
    if isinstance(value, list):
        return list, tuple(dict.fromkeys(signature_key(item) for item in value))
    return type(value)
