"""Branches, loops and early returns of converted code.

Owns the public `cond`, `while_loop`, `for_loop`, and the jumps `break_`, `continue_` and `scope`.
It leaves staging to `runtime.tracing.control`. Invariant: with no tracer at work each of them is
plain Python, so converted functions run as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType

from runtime.tracing import control, generators, scopes
from runtime.tracing.signals import LoopJump, ReturnJump
from runtime.tracing.state import current_tracer

from .generators import Items
from .mapping import Mapped

Function = Callable[..., object]


def cond(
    test: object,
    then: Function,
    orelse: Function | None = None,
    state: Sequence[object] = (),
    names: str = "",
) -> object:
    """Run one of two functions, by the truth of `test`; stage both when it is symbolic.

    Parameters
    ----------
    test
        Anything that has a truth value.
    then, orelse
        Called with `state` as positional arguments; `orelse` may be omitted: it then returns the
        state (the bare value if it is one, else the tuple).
    state
        Values handed to the branches.
    names
        Names of what the branches return, separated by spaces, for texts and messages.

    Returns
    -------
    What the branch that ran returns.

    Raises
    ------
    ValueError
        If `test` is an array of more than one element, as NumPy raises it.

    Examples
    --------
    >>> cond(2 > 1, lambda x: x + 1, lambda x: x - 1, (10,))
    11
    """
    tracer = current_tracer()
    if tracer is not None:
        return control.cond(tracer, test, then, orelse, state, names.split())
    if test:
        return then(*state)
    return control.default_branch(*state) if orelse is None else orelse(*state)


def while_loop(
    test: Function,
    body: Function,
    state: Sequence[object],
    names: str = "",
    orelse: Function | None = None,
) -> tuple[object, ...]:
    """Repeat `body` while `test` holds; stage the loop when it depends on symbolic values.

    Parameters
    ----------
    test
        Takes the state, returns anything that has a truth value.
    body
        Takes the state, returns the next state as a tuple.
    state
        The initial state.
    names
        Names of the state, separated by spaces.
    orelse
        Runs, like `body`, when the loop ends otherwise than by `break_`.

    Returns
    -------
    The state at the end, a tuple.

    Examples
    --------
    >>> while_loop(lambda n, s: n > 0, lambda n, s: (n - 1, s + n), (3, 0))
    (0, 6)
    """
    tracer = current_tracer()
    if tracer is not None:
        return control.while_loop(tracer, test, body, state, names.split(), orelse)
    current = tuple(state)
    while test(*current):
        current, broken = _trip(body, current)
        if broken:
            return current
    return current if orelse is None else _tuple(orelse(*current))


def for_loop(
    iterable: Iterable[object],
    body: Function,
    state: Sequence[object] = (),
    names: str = "",
    orelse: Function | None = None,
) -> tuple[object, ...]:
    """Run `body` for every item; stage the loop when the iterable is symbolic or long.

    Parameters
    ----------
    iterable
        Anything that can be iterated; the rows of an array are views.
    body
        Takes the item and the state, returns the next state as a tuple.
    state, names, orelse
        As for `while_loop`.

    Returns
    -------
    The state at the end, a tuple.

    Examples
    --------
    >>> for_loop(range(4), lambda i, total: (total + i,), (0,))
    (6,)
    """
    tracer = current_tracer()
    if tracer is not None:
        if isinstance(iterable, Mapped):
            body = iterable.before(body)
            iterable = iterable.items  # type: ignore[assignment]  # a symbol
        if isinstance(iterable, generators.Generated):
            return generators.loop(tracer, iterable, body, state, names.split(), orelse)
        return control.for_loop(tracer, iterable, body, state, names.split(), orelse)
    current = tuple(state)
    if isinstance(iterable, Items):
        broken = False

        def take(item: object) -> bool:
            nonlocal current, broken
            current, broken = _trip(body, current, item)
            return not broken

        iterable.consume(take)
        return current if orelse is None or broken else _tuple(orelse(*current))
    for item in iterable:
        current, broken = _trip(body, current, item)
        if broken:
            return current
    return current if orelse is None else _tuple(orelse(*current))


def break_(*state: object) -> None:
    """Leave the innermost loop with its whole `state`."""
    raise LoopJump("break", state)


def continue_(*state: object) -> None:
    """Start the next trip of the innermost loop with its whole `state`."""
    raise LoopJump("continue", state)


class _EagerScope:
    """The body of a function that returns early, run as plain Python."""

    def __init__(self) -> None:
        self.value: object = None

    def return_(self, value: object) -> None:
        """Leave the scope with `value`."""
        raise ReturnJump(self, value)

    def __enter__(self) -> _EagerScope:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if isinstance(error, ReturnJump) and error.scope is self:
            self.value = error.value
            return True
        return False


def scope() -> scopes.Scope | _EagerScope:
    """Open the body of a function that returns early.

    >>> with scope() as function:
    ...     function.return_(5)
    >>> function.value
    5
    """
    tracer = current_tracer()
    return _EagerScope() if tracer is None else scopes.Scope(tracer)


def _trip(
    body: Function, state: tuple[object, ...], *item: object
) -> tuple[tuple[object, ...], bool]:
    try:
        return _tuple(body(*item, *state)), False
    except LoopJump as jump:
        return jump.state, jump.kind == "break"


def _tuple(result: object) -> tuple[object, ...]:
    if result is None:
        return ()
    if not isinstance(result, tuple):
        raise TypeError(f"the body of a loop returns a tuple, not {type(result).__name__}")
    return result
