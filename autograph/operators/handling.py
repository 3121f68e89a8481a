"""``try`` and ``with`` in converted code, and the variables that change inside them.

Owns `box`, `try_`, `with_` and `reraise`. It leaves staging to `runtime.tracing.handlers`.
Invariant: with no tracer at work each is the Python statement, and jumps of converted code pass
through it as ``break`` and ``return`` do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from runtime.ops.containers import CHECK_BOUND, UNBOUND_MARKER
from runtime.tracing import handlers
from runtime.tracing.signals import TraceSignal
from runtime.tracing.state import current_tracer

Function = Callable[..., object]


class _Box:
    """A variable outside of tracing."""

    __slots__ = ("_content", "_name")

    def __init__(self, name: str, content: object) -> None:
        """Keep the first content."""
        self._name = name
        self._content = content

    @property
    def value(self) -> object:
        """The variable's value, as its own function sees it."""
        return CHECK_BOUND.kernel({"name": self._name, "free": False}, self._content)

    @value.setter
    def value(self, item: object) -> None:
        self._content = item

    @property
    def free(self) -> object:
        """The variable's value, as an inner function sees it."""
        return CHECK_BOUND.kernel({"name": self._name, "free": True}, self._content)

    @free.setter
    def free(self, item: object) -> None:
        self._content = item

    def put(self, item: object) -> object:
        """Assign `item` and return it."""
        self._content = item
        return item


def box(name: str, value: object = UNBOUND_MARKER) -> handlers.Box | _Box:
    """Return a variable that lives in memory; its value is the attribute ``value``.

    Reading the attribute raises `UnboundLocalError` while nothing is assigned. Inner functions use
    ``free``, which raises `NameError`, as CPython does there.

    Parameters
    ----------
    name
        The user's name for it.
    value
        Its first value; left out for a name that is unbound.

    Examples
    --------
    >>> total = box("total", 1)
    >>> total.value += 2
    >>> total.value
    3
    """
    tracer = current_tracer()
    return _Box(name, value) if tracer is None else handlers.Box(tracer, name, value)


def try_(
    body: Function,
    *excepts: tuple[Function | None, Function],
    orelse: Function | None = None,
    final: Function | None = None,
) -> None:
    """Run ``try: body() except ...: ... else: orelse() finally: final()``.

    Parameters
    ----------
    body
        The guarded statements.
    *excepts
        For each ``except``: a function that returns the class or classes (None for a bare
        ``except``), and one that handles the error.
    orelse, final
        The other two parts, where there are any.

    Examples
    --------
    >>> try_(lambda: 1 / 0, (lambda: ZeroDivisionError, lambda error: print(error)))
    division by zero
    """
    tracer = current_tracer()
    if tracer is not None:
        handlers.try_(tracer, body, excepts, orelse, final)
        return
    try:
        try:
            body()
        except TraceSignal:
            raise
        except BaseException as error:
            handler = _handler_for(error, excepts)
            if handler is None:
                raise
            handler(error)
        else:
            if orelse is not None:
                orelse()
    finally:
        if final is not None:
            final()


def _handler_for(
    error: BaseException, excepts: tuple[tuple[Function | None, Function], ...]
) -> Function | None:
    for classes, handler in excepts:
        if classes is None or isinstance(error, classes()):  # type: ignore[arg-type]
            return handler
    return None


def reraise() -> None:
    """Raise the error being handled again, as a bare ``raise`` does.

    Raises
    ------
    RuntimeError
        If there is none.
    """
    tracer = current_tracer()
    if tracer is not None:
        tracer.reraise()
    if sys.exc_info()[0] is None:
        raise RuntimeError("No active exception to reraise")
    raise


def with_(manager: AbstractContextManager[object], body: Function) -> None:
    """Run ``with manager as value: body(value)``.

    Examples
    --------
    >>> import contextlib
    >>> with_(contextlib.nullcontext(5), print)
    5
    """
    tracer = current_tracer()
    if tracer is not None:
        handlers.with_(tracer, manager, body)
        return
    jump: TraceSignal | None = None
    with manager as value:
        try:
            body(value)
        except TraceSignal as signal:
            jump = signal  # the manager sees a jump as a normal end
    if jump is not None:
        raise jump
