"""Generators: their code is run with the loop over them in the place of each ``yield``.

Owns `Generated`, what a call of a generator function gives while tracing, and the ways to use it
up. It leaves recording loops to `control` and variables to `handlers`. Invariant: nothing of the
generator runs before its first item is asked for, and nothing after its loop was left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dis import get_instructions
from inspect import signature
from types import CodeType, FunctionType

from ..ops.containers import UNBOUND_MARKER
from .control import cond, for_loop
from .handlers import Box
from .scopes import Scope
from .signals import Unstageable
from .symbol import Symbol
from .tracer import Tracer

Function = Callable[..., object]
Consumer = Callable[[object], None]


@dataclass(eq=False, repr=False)
class Generated:
    """A generator that has not started.

    To Python's own errors it is called ``generator``; whatever else it is asked gives up the trace.

    Attributes
    ----------
    name : str
        That of its function, for messages.
    body : FunctionType or None
        The converted code.
    run : callable
        Runs the code; each item goes to the consumer it is given.
    place : sequence
        The function and the innermost loop in which it was made.
    used : bool
        Whether its items were asked for.
    """

    name: str
    body: FunctionType | None
    run: Callable[[Consumer], object]
    place: Sequence[object]
    used: bool = field(default=False)

    def __iter__(self) -> Iterator[object]:
        """Give up: Python iterates it at unknown moments."""
        raise _other_use(self.name)

    def __repr__(self) -> str:
        """Give up: the text tells where the generator is in memory."""
        raise _other_use(self.name)

    def __getattr__(self, name: str) -> object:
        """Give up, as for ``send`` and ``close``."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise _other_use(self.name)

    def attribute(self, name: str) -> object:
        """Return an attribute, such as ``__name__``, of the generator."""
        if self.body is None or name not in ("__name__", "__qualname__"):
            raise _other_use(self.name)
        found: str = getattr(self.body, name)
        return found

    def consume(self, tracer: Tracer, consumer: Consumer) -> None:
        """Run the generator to its end, each item going to `consumer`.

        Raises
        ------
        Unstageable
            If it ran before, or may run again: in a loop that it was not made in.
        """
        here = _place(tracer)
        if self.used or any(a is not b for a, b in zip(self.place, here, strict=True)):
            raise Unstageable(
                f"the generator {self.name} is used twice", "call its function again"
            )
        self.used = True
        self.run(consumer)


Generated.__name__ = Generated.__qualname__ = "generator"


def _place(tracer: Tracer) -> tuple[object, object]:
    outermost = tracer.builder.regions[0]
    return outermost, tracer.loops[-1] if tracer.loops else None


def _other_use(name: str) -> Unstageable:
    return Unstageable(
        f"the generator {name} is used otherwise than by a loop",
        "loop over it, or make a list of it",
    )


class GeneratorFunction:
    """A generator function made while tracing."""

    def __init__(self, function: FunctionType) -> None:
        """Keep the converted function."""
        self.function = function
        self.name = function.__name__

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Give up: converted code uses `called`."""
        raise _other_use(self.name)

    def __repr__(self) -> str:
        """Give up."""
        raise _other_use(self.name)

    def __getattr__(self, name: str) -> object:
        """Give up."""
        raise _other_use(self.name)

    def attribute(self, name: str) -> object:
        """Return an attribute, such as ``__doc__``, of the function."""
        if name not in ("__name__", "__qualname__", "__doc__", "__module__"):
            raise _other_use(self.name)
        found: str | None = getattr(self.function, name)
        return found

    def called(
        self, tracer: Tracer, args: Sequence[object], kwargs: dict[str, object]
    ) -> Generated:
        """Return the generator that a call gives."""
        return generated(tracer, self.function, args, kwargs, tracer.host.call)


def generated(
    tracer: Tracer,
    function: FunctionType,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    call: Function,
) -> Generated:
    """Return the generator that a call gives; `call` enters converted code as a host does.

    Raises
    ------
    Unstageable
        If the arguments do not fit.
    """
    try:
        signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise Unstageable(str(error)) from error

    def run(consumer: Consumer) -> None:
        tracer.consumers.append(consumer)
        try:
            call(tracer, function, args, kwargs)
        finally:
            tracer.consumers.pop()

    return Generated(function.__name__, function, run, _place(tracer))


def yield_(tracer: Tracer, item: object) -> None:
    """Hand `item` to whatever asked for it."""
    if not tracer.consumers:
        raise Unstageable("a generator runs without a loop over it")
    consumer = tracer.consumers.pop()
    try:
        consumer(item)  # what it runs may yield, too, to a consumer of its own
    finally:
        tracer.consumers.append(consumer)


def loop(
    tracer: Tracer,
    items: Generated,
    body: Function,
    state: Sequence[object],
    names: Sequence[str],
    orelse: Function | None,
) -> tuple[object, ...]:
    """Run a ``for`` loop over a generator, whose state lives in memory meanwhile."""
    code = getattr(body, "__code__", None)
    if isinstance(code, CodeType) and _rebinds(code):
        raise Unstageable(
            f"a loop over the generator {items.name} binds a variable that a function captures",
            "loop over a list",
        )
    breaks, continues = (_says(code, name) for name in ("break_", "continue_"))
    tracer.note("for", "inlined", "the generator runs inside the loop over it")
    padded = [*names, *[""] * (len(state) - len(names))]
    boxes = [Box(tracer, name, item) for name, item in zip(padded, state, strict=True)]
    broken = Box(tracer, "broken", False) if breaks else None

    def finished(*current: object) -> tuple[object, ...]:
        assert broken is not None
        broken.put(False)
        return current

    def trip(item: object) -> None:
        current = [box.content for box in boxes]
        if broken is not None:
            broken.put(True)
            after = for_loop(tracer, (item,), body, current, names, finished)
        elif continues:
            after = for_loop(tracer, (item,), body, current, names, None)
        else:
            result = body(item, *current)
            after = result if isinstance(result, tuple) else ()
        for box, value in zip(boxes, after, strict=True):
            box.put(value)

    if broken is None:
        items.consume(tracer, trip)
    else:
        with Scope(tracer) as whole:

            def trip_or_leave(item: object) -> None:
                trip(item)
                assert broken is not None
                cond(tracer, broken.content, lambda: whole.return_(None), None, (), ())

            items.consume(tracer, trip_or_leave)
    final = tuple(box.content for box in boxes)
    if orelse is None:
        return final
    if broken is None:
        result = orelse(*final)
    else:
        result = cond(tracer, broken.content, lambda *s: s, _as_tuple(orelse), final, names)
    return result if isinstance(result, tuple) else ()


def _as_tuple(function: Function) -> Function:
    def returning(*state: object) -> object:
        result = function(*state)
        return result if isinstance(result, tuple) else ()

    return returning


def _codes(code: CodeType) -> list[CodeType]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *(found for one in inner for found in _codes(one))]


def _says(code: CodeType | None, name: str) -> bool:
    return code is not None and any(name in one.co_names for one in _codes(code))


def _rebinds(code: CodeType) -> bool:
    """Tell whether some code binds a variable of a function around it."""
    free = set(code.co_freevars)
    return any(
        instruction.opname in ("STORE_DEREF", "DELETE_DEREF") and instruction.argval in free
        for one in _codes(code)
        for instruction in get_instructions(one)
    )


def as_list(tracer: Tracer, items: Generated) -> Symbol:
    """Record the making of a list of all items."""
    result = tracer.append("build_list", ())
    assert isinstance(result, Symbol)
    items.consume(tracer, lambda item: _ignore(tracer.method(result, "append", (item,), {})))
    return result


def _ignore(result: object) -> None:
    """Take a result that is of no interest."""


def use_up(
    tracer: Tracer, function: object, args: Sequence[object], kwargs: dict[str, object]
) -> object:
    """Call a builtin whose first argument is a generator.

    Raises
    ------
    Unstageable
        If it is none that uses up a generator at once.
    """
    items, *others = args
    plain = tracer.host.plain(function)
    if isinstance(items, Generated) and plain in (any, all) and not others:
        return _any_or_all(tracer, items, plain is any)
    if isinstance(items, Generated) and plain is enumerate:
        return _numbered(tracer, items, *others, **kwargs)
    if isinstance(items, Generated) and plain is next and len(others) < 2 and not kwargs:
        return _first(tracer, items, others)
    if plain is zip and not kwargs and sum(isinstance(item, Generated) for item in args) == 1:
        return _zipped(tracer, args)
    if isinstance(items, Generated) and plain in _USE_UP:
        listed = as_list(tracer, items)
        return listed if plain is list else tracer.function(plain, (listed, *others), kwargs)
    names = [item.name for item in args if isinstance(item, Generated)]
    raise Unstageable(
        f"the generator {names[0]} is handed to {getattr(plain, '__name__', 'a function')}",
        "loop over it, or make a list of it",
    )


_USE_UP = (list, tuple, set, frozenset, dict, sorted, sum, min, max)
"""Functions that use up an iterator at once, so that a list does as well."""


def _any_or_all(tracer: Tracer, items: Generated, sought: bool) -> object:
    found = Box(tracer, "found", not sought)
    with Scope(tracer) as whole:

        def leave() -> None:
            found.put(sought)
            whole.return_(None)

        def look(item: object) -> None:
            parts = (leave, None) if sought else (lambda: None, leave)
            cond(tracer, item, parts[0], parts[1], (), ())

        items.consume(tracer, look)
    return found.content


def _numbered(tracer: Tracer, items: Generated, start: object = 0) -> Generated:
    count = Box(tracer, "count", start)

    def run(consumer: Consumer) -> None:
        def number(item: object) -> None:
            current = count.content
            count.put(current + 1)  # type: ignore[operator]  # a number
            consumer((current, item))

        items.consume(tracer, number)

    return Numbered(items.name, items.body, run, _place(tracer))


def _first(tracer: Tracer, items: Generated, default: Sequence[object]) -> object:
    """Record ``next``: the generator is left at its first ``yield``, for good."""
    found = Box(tracer, "found", False)
    first = Box(tracer, "first", default[0] if default else None)

    with Scope(tracer) as whole:

        def take(item: object) -> None:
            found.put(True)
            first.put(item)
            whole.return_(None)

        items.consume(tracer, take)
    if default:
        return first.content

    def stop() -> object:
        return tracer.function(next, (tracer.function(iter, ((),), {}),), {})

    return cond(tracer, found.content, lambda: first.content, stop, (), ())


def _zipped(tracer: Tracer, args: Sequence[object]) -> Generated:
    """Return ``zip`` of a generator and other iterables, which are asked in their order."""
    place = next(i for i, item in enumerate(args) if isinstance(item, Generated))
    items = args[place]
    assert isinstance(items, Generated)
    before = [tracer.function(iter, (item,), {}) for item in args[:place]]
    after = [tracer.function(iter, (item,), {}) for item in args[place + 1 :]]
    heads = [Box(tracer, "head", None) for _ in before]

    def run(consumer: Consumer) -> None:
        with Scope(tracer) as whole:

            def ask(iterator: object) -> object:
                item = tracer.function(next, (iterator, UNBOUND_MARKER), {})
                ended = tracer.operate("is", item, UNBOUND_MARKER)
                cond(tracer, ended, lambda: whole.return_(None), None, (), ())
                return item

            def ask_before() -> None:
                for head, iterator in zip(heads, before, strict=True):
                    head.put(ask(iterator))

            def pair(item: object) -> None:
                given = [head.content for head in heads]
                consumer((*given, item, *map(ask, after)))
                ask_before()

            ask_before()
            items.consume(tracer, pair)

    return Zipped(items.name, items.body, run, _place(tracer))


def filtered(tracer: Tracer, keep: Function, items: Generated) -> Generated:
    """Return ``filter`` of a generator; `keep` tells which items are kept."""

    def run(consumer: Consumer) -> None:
        def look(item: object) -> None:
            cond(tracer, keep(item), lambda: _ignore(consumer(item)), None, (), ())  # type: ignore[func-returns-value]

        items.consume(tracer, look)

    return Filtered(items.name, items.body, run, _place(tracer))


def applied(tracer: Tracer, function: Function, items: Generated) -> Generated:
    """Return ``map`` of a generator; `function` calls the user's."""

    def run(consumer: Consumer) -> None:
        items.consume(tracer, lambda item: consumer(function(item)))

    return Applied(items.name, items.body, run, _place(tracer))


class _Around(Generated):
    """An iterator over a generator; the name is that of the generator."""

    def attribute(self, name: str) -> object:
        """Give up: nothing of the generator's shows."""
        raise _other_use(self.name)


class Zipped(_Around):
    """``zip``."""


class Filtered(_Around):
    """``filter``."""


class Applied(_Around):
    """``map``."""


for _class, _name in ((Zipped, "zip"), (Filtered, "filter"), (Applied, "map")):
    _class.__name__ = _class.__qualname__ = _name


class Numbered(Generated):
    """``enumerate`` of a generator; the name is that of the generator."""

    def attribute(self, name: str) -> object:
        """Give up: nothing of the generator's shows."""
        raise _other_use(self.name)


Numbered.__name__ = Numbered.__qualname__ = "enumerate"
