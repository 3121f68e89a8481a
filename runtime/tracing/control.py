"""Staging of branches, loops and function scopes.

Owns how ``if``, ``while``, ``for`` and early returns become operations with regions, or plain
Python where nothing tested is symbolic. It leaves type inference to `inference`. Invariant: a
region is traced once, and again only if a question Python asked about a type would now be answered
otherwise, at most `MAX_RETRACES` times.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, Literal, TypeVar, cast

import numpy as np

from ..ir.builder import OpenRegion
from ..ir.graph import Constant, Region, Value
from ..ir.lattice import join, join_all
from ..ir.types import BOTTOM, NoneType, NumberType, TupleType, Type
from ..ops.containers import UNBOUND_MARKER
from ..ops.control import FOR, IF, WHILE
from ..ops.iteration import item_type
from .inference import exits, settle_loop
from .signals import LoopJump, LoopMustBeStaged, RegionEnd, StaticDemand, Unstageable
from .symbol import BoundAttribute, Symbol, is_symbolic, literal_int, value_of
from .tracer import Tracer
from .variables import read

MAX_RETRACES = 3
MAX_UNROLLED = 1000
"""How many trips a loop may have that is unrolled because its body needs the item."""
Function = Callable[..., object]
Staging = TypeVar("Staging", bound=Callable[..., Any])


def known_truth(tracer: Tracer, test: object) -> bool | None:
    """Return the truth of `test` where it is known while tracing, else None."""
    if type(test) is Symbol:
        return tracer.ask(test, _truth_of_type)
    if type(test) is BoundAttribute:
        return True
    return bool(test)


def _truth_of_type(type_: Type) -> bool | None:
    if isinstance(type_, NoneType):
        return False
    if isinstance(type_, TupleType):
        return bool(type_.items)
    number = literal_int(type_)
    return None if number is None else bool(number)


def default_branch(*state: object) -> object:
    """Return the state as a branch that does nothing returns it."""
    if not state:
        return None
    return state[0] if len(state) == 1 else state


def _answered(function: Staging) -> Staging:
    """Let the host say what becomes of a signal that leaves a construct."""

    @functools.wraps(function)
    def staged(tracer: Tracer, *args: Any) -> Any:
        try:
            return function(tracer, *args)
        except (StaticDemand, Unstageable, RegionEnd) as signal:
            raise tracer.host.demanded(signal).with_traceback(signal.__traceback__) from None

    return cast(Staging, staged)


@_answered
def cond(
    tracer: Tracer,
    test: object,
    then: Function,
    orelse: Function | None,
    state: Sequence[object],
    names: Sequence[str],
) -> object:
    """Stage a branch, or take it now when the truth of `test` is known."""
    otherwise = orelse or default_branch
    test = read(tracer, test)
    truth = known_truth(tracer, test)
    if truth is not None:
        tracer.note("if", "plain", f"its test is {truth} while tracing")
        return then(*state) if truth else otherwise(*state)
    tracer.note("if", "staged", "its test is known at run time")
    origin = tracer.host.origin()
    test_value = tracer.value(test)
    branches = (OpenRegion(), OpenRegion())
    results = [
        tracer.run_region(function, state, region, names)
        for function, region in zip((then, otherwise), branches, strict=True)
    ]
    open_branches = [branch for branch in branches if branch.end is None]
    merge = _Merge(tracer, test_value, branches, names)
    result = merge.structure(results) if open_branches else None
    regions = merge.close()
    symbols = tracer.append_regions(IF, [test_value], regions, merge.outputs, origin)
    if not open_branches:
        tracer.builder.end("unreachable")
        raise RegionEnd
    return merge.fill(result, symbols)


class _Merge:
    """Merges the results of two branches, and collects what each must yield."""

    def __init__(
        self,
        tracer: Tracer,
        test: Value,
        branches: tuple[OpenRegion, OpenRegion],
        names: Sequence[str],
    ) -> None:
        self.tracer = tracer
        self.test = test
        self.branches = branches
        self.names = names
        self.outputs: list[Value] = []
        self.yields: tuple[list[Value], list[Value]] = ([], [])

    def structure(self, results: list[object], index: int | None = None) -> object:
        """Return the merged result; outputs appear in it as `_Slot`."""
        a, b = results
        if self.branches[0].end is not None:
            return self._one_sided(1, b, index)
        if self.branches[1].end is not None:
            return self._one_sided(0, a, index)
        if a is b or (type(a) is Symbol and type(b) is Symbol and value_of(a) is value_of(b)):
            return a
        if type(a) is tuple and type(b) is tuple and len(a) == len(b):
            return tuple(
                self.structure([x, y], i if index is None else index)
                for i, (x, y) in enumerate(zip(a, b, strict=True))
            )
        if not is_symbolic((a, b)):
            if same_static(a, b):
                return a
            if callable(a) or callable(b):
                self._decide((a, b))
        return self._slot(self._lift(0, a), self._lift(1, b), index)

    def _decide(self, functions: Sequence[object]) -> None:
        """Ask for the test to be known, unless the run may choose between the functions."""
        host = self.tracer.host
        possible = host.may_choose(functions)
        if not (possible and host.function_choices):
            names = ", ".join(
                each.__qualname__ if isinstance(each, FunctionType | type) else type(each).__name__
                for each in functions
            )
            purpose = f"the truth of a test that decides between functions ({names})"
            raise StaticDemand(self.test, purpose, possible)

    def _one_sided(self, side: int, item: object, index: int | None) -> object:
        if type(item) is tuple:
            return tuple(
                self._one_sided(side, part, i if index is None else index)
                for i, part in enumerate(item)
            )
        if type(item) is Symbol and self.tracer.is_visible(item):
            return item
        if not is_symbolic(item):
            return item
        value = self._lift(side, item)
        return self._slot(value, None, index) if side == 0 else self._slot(None, value, index)

    def _lift(self, side: int, item: object) -> Value:
        with self.tracer.reopened(self.branches[side]):
            return self.tracer.value(item)

    def _slot(self, a: Value | None, b: Value | None, index: int | None) -> _Slot:
        present = [value for value in (a, b) if value is not None]
        name = self.names[index or 0] if (index or 0) < len(self.names) else ""
        name = name or next((value.name for value in present if value.name), "")
        name = name or self.tracer.name_here()
        self.outputs.append(Value(join_all(value.type for value in present), name))
        for yields, value in zip(self.yields, (a, b), strict=True):
            if value is not None:
                yields.append(value)
        return _Slot(len(self.outputs) - 1)

    def close(self) -> list[Region]:
        """Return the finished branches."""
        for branch, values in zip(self.branches, self.yields, strict=True):
            if branch.end is None:
                with self.tracer.reopened(branch):
                    self.tracer.builder.end("yield", values)
        return [branch.close() for branch in self.branches]

    def fill(self, result: object, symbols: Sequence[Symbol]) -> object:
        """Put the symbols of the outputs in place of the slots."""
        if type(result) is _Slot:
            return symbols[result.index]
        if type(result) is tuple:
            return tuple(self.fill(part, symbols) for part in result)
        return result


class _Slot:
    """Stands for an output until the operation exists."""

    def __init__(self, index: int) -> None:
        self.index = index


def same_static(a: object, b: object) -> bool:
    """Tell whether two objects known while tracing are one value for every purpose."""
    if type(a) is not type(b):
        return False
    if isinstance(a, bool | int | str | bytes | type(None)):
        return a == b
    if isinstance(a, float | complex):
        return repr(a) == repr(b)
    return False


class UnrolledLoop:
    """A loop that runs while tracing, because nothing it depends on is symbolic."""

    staged = False

    def lift(self, tracer: Tracer, state: Sequence[object]) -> list[Value]:
        """Give up: a jump of this loop depends on a run-time value."""
        raise LoopMustBeStaged(self)


def _unrolled(
    tracer: Tracer,
    trips: Callable[[UnrolledLoop, Sequence[object], int], tuple[object, ...] | None],
    body: Function,
    state: Sequence[object],
    orelse: Function | None,
    construct: Literal["for", "while"],
    most: int | None = None,
    over: str = "",
) -> tuple[object, ...] | None:
    """Run a loop now; None (and nothing recorded) when it has to be staged after all."""
    loop = UnrolledLoop()
    mark = tracer.mark()
    depth = len(tracer.loops)
    current = tuple(state)
    place = len(tracer.decisions)
    tracer.note(construct, "unrolled", "")
    note = tracer.decisions[place]
    trip = 0
    most = tracer.unroll if most is None else most
    try:
        tracer.loops.append(loop)
        for trip in range(most + 1):
            items = trips(loop, current, trip)
            if items is None:
                break
            if trip == most:
                raise LoopMustBeStaged(loop)
            try:
                current = _state_tuple(body(*items, *current))
            except LoopJump as jump:
                current = jump.state
                if jump.kind == "break":
                    trip += 1
                    return current
    except LoopMustBeStaged as signal:
        if signal.loop is not loop:
            raise
        tracer.go_back(mark)
        return None
    finally:
        del tracer.loops[depth:]
        if note in tracer.decisions[place : place + 1]:
            reason = over or f"{trip} trips, known while tracing"
            tracer.decisions[place] = replace(note, reason=reason)
    return _state_tuple(orelse(*current)) if orelse else current


@_answered
def while_loop(
    tracer: Tracer,
    test: Function,
    body: Function,
    state: Sequence[object],
    names: Sequence[str],
    orelse: Function | None,
) -> tuple[object, ...]:
    """Stage a ``while`` loop, or run it now as long as its test is known."""

    def trips(
        loop: UnrolledLoop, current: Sequence[object], trip: int
    ) -> tuple[object, ...] | None:
        truth = known_truth(tracer, read(tracer, test(*current)))
        if truth is None:
            raise LoopMustBeStaged(loop)
        return () if truth else None

    done = _unrolled(tracer, trips, body, state, orelse, "while")
    return StagedLoop(tracer, test, body, state, names, orelse).stage() if done is None else done


@_answered
def for_loop(
    tracer: Tracer,
    iterable: object,
    body: Function,
    state: Sequence[object],
    names: Sequence[str],
    orelse: Function | None,
) -> tuple[object, ...]:
    """Stage a ``for`` loop, or run it now over a short sequence that is known.

    A longer one is run now after all if its body needs the item as a Python value.
    """
    contents = tracer.host.contents(tracer, iterable)
    if contents is None and (
        not isinstance(iterable, range | tuple | str) or len(iterable) > MAX_UNROLLED
    ):
        return StagedLoop(tracer, None, body, state, names, orelse).stage(iterable)
    items = tuple(iterable) if contents is None else contents.items  # type: ignore[arg-type]
    over = "" if contents is None else f"{len(items)} items of {contents.text}"

    def trips(
        loop: UnrolledLoop, current: Sequence[object], trip: int
    ) -> tuple[object, ...] | None:
        return (items[trip],) if trip < len(items) else None

    if len(items) <= tracer.unroll:
        done = _unrolled(tracer, trips, body, state, orelse, "for", over=over)
        if done is not None:
            return done
    mark = tracer.mark()
    regions, loops = list(tracer.builder.regions), len(tracer.loops)
    staged = StagedLoop(tracer, None, body, state, names, orelse)
    try:
        return staged.stage(iterable)
    except StaticDemand as demand:
        if len(items) <= tracer.unroll or not tracer.comes_from(demand.value, staged.items):
            raise
        tracer.builder.regions[:] = regions
        del tracer.loops[loops:]
        tracer.go_back(mark)
        tracer.host.unrolling()
        done = _unrolled(tracer, trips, body, state, orelse, "for", len(items))
        if done is None:
            raise
        return done


class StagedLoop:
    """A loop on its way to an operation.

    State that is not a number (a string, a function) is kept as the very object until some trip
    is found to change it.
    """

    staged = True

    def __init__(
        self,
        tracer: Tracer,
        test: Function | None,
        body: Function,
        state: Sequence[object],
        names: Sequence[str],
        orelse: Function | None,
    ) -> None:
        self.tracer = tracer
        self.test = test
        self.body = body
        self.state = tuple(state)
        self.names = [*names, *[""] * (len(self.state) - len(names))]
        self.orelse = orelse
        self.dynamic = [i for i, item in enumerate(self.state) if _may_change(item)]
        self.changed: list[int] = []
        self.items: set[Value] = set()
        """The items of a ``for``, one for each time its body was traced."""
        self.origin = tracer.host.origin()
        why = "its test depends on" if test else "it goes over"
        tracer.note("while" if test else "for", "staged", f"{why} what is known at run time")

    def stage(self, iterable: object = None) -> tuple[object, ...]:
        """Record the loop and return the state after it."""
        tracer = self.tracer
        first = [] if self.test else [tracer.value(read(tracer, iterable))]
        item = None if self.test else item_type(first[0].type)
        operation = WHILE if self.test else FOR
        key = (self.origin, operation.name)
        start: list[Type] = []
        mark = tracer.mark()
        for _ in range(MAX_RETRACES + 1):
            initial = [tracer.value(self.state[i]) for i in self.dynamic]
            start = start or list(tracer.warm_start.get(key, ()))
            if len(start) != len(initial):
                start = [BOTTOM] * len(initial)
            types = [join(_varying(v.type), t) for v, t in zip(initial, start, strict=True)]
            self.changed = []
            regions, orelse = self._trace(types, item)
            if self.changed:
                self.dynamic = sorted({*self.dynamic, *self.changed})
                start = []
                tracer.go_back(mark)
                continue
            outputs = [Value(BOTTOM, self.names[i]) for i in self.dynamic]
            settle_loop(initial, item, regions, orelse, outputs)
            start = [p.type for p in regions[-1].params[0 if self.test else 1 :]]
            tracer.warm_start[key] = tuple(start)
            if all(seen.holds() for seen in tracer.observations[mark.observations :]):
                return self._finish([*first, *initial], [*regions, *orelse], outputs)
            tracer.go_back(mark)
        raise Unstageable(
            "the types of " + ", ".join(filter(None, self.names)) + " keep changing round a loop"
        )

    def _trace(
        self, types: Sequence[Type], item: Type | None
    ) -> tuple[list[Region], list[Region]]:
        """Run test, body and else once, on symbols of the given types."""
        tracer = self.tracer
        depth = len(tracer.loops)
        regions = []
        try:
            tracer.loops.append(self)
            if self.test:
                region = self._region(types)
                result = tracer.run_region(
                    self.test, self._arguments(region), region, self.names
                )
                if region.end is not None:
                    raise Unstageable("the test of a loop always raises")
                with tracer.reopened(region):
                    tracer.builder.end("yield", [tracer.value(read(tracer, result))])
                regions.append(region.close())
            tracer.body_traces += 1
            body = self._region(types, item)
            self._run(self.body, body, self._arguments(body, item))
            regions.append(body.close())
        finally:
            del tracer.loops[depth:]
        if not self.orelse:
            return regions, []
        region = self._region(types)
        self._run(self.orelse, region, self._arguments(region))
        return regions, [region.close()]

    def _region(self, types: Sequence[Type], item: Type | None = None) -> OpenRegion:
        params = [Value(t, self.names[i]) for t, i in zip(types, self.dynamic, strict=True)]
        if item is None:
            return OpenRegion(params)
        code = getattr(self.body, "__code__", None)
        name = code.co_varnames[0] if code is not None and code.co_argcount else ""
        value = Value(item, "" if name == "item" else name)
        self.items.add(value)
        return OpenRegion([value, *params])

    def _arguments(self, region: OpenRegion, item: Type | None = None) -> list[object]:
        with self.tracer.reopened(region):
            symbols = self.tracer.symbols(region.params)
        arguments: list[object] = [] if item is None else [symbols.pop(0)]
        moving = iter(symbols)
        arguments += [
            next(moving) if i in self.dynamic else kept for i, kept in enumerate(self.state)
        ]
        return arguments

    def _run(self, function: Function, region: OpenRegion, arguments: list[object]) -> None:
        result = self.tracer.run_region(function, arguments, region, self.names)
        if region.end is None:
            with self.tracer.reopened(region):
                self.tracer.builder.end("yield", self.lift(self.tracer, _state_tuple(result)))

    def lift(self, tracer: Tracer, state: Sequence[object]) -> list[Value]:
        """Return the graph values of the state at the end of a trip."""
        for i, item in enumerate(state):
            kept = self.state[i]
            if i not in self.dynamic and item is not kept and not same_static(item, kept):
                self.changed.append(i)
        return [tracer.value(state[i]) for i in self.dynamic]

    def _finish(
        self, inputs: list[Value], regions: list[Region], outputs: list[Value]
    ) -> tuple[object, ...]:
        tracer = self.tracer
        operation = WHILE if self.test else FOR
        symbols = tracer.append_regions(operation, inputs, regions, outputs, self.origin)
        if self._never_ends(regions):
            tracer.builder.end("unreachable")
            raise RegionEnd
        moving = iter(symbols)
        return tuple(
            next(moving) if i in self.dynamic else kept for i, kept in enumerate(self.state)
        )

    def _never_ends(self, regions: Sequence[Region]) -> bool:
        """Tell whether what follows the loop is never reached."""
        body = regions[1 if self.test else 0]
        if any(True for _ in exits(body, "break")):
            return False
        if self.orelse and regions[-1].end.kind != "yield":
            return True
        test = regions[0].end.values[0] if self.test else None
        return isinstance(test, Constant) and test.value is True


def _may_change(item: object) -> bool:
    """Tell whether a piece of loop state is taken to change until shown otherwise."""
    if is_symbolic(item) or item is None:
        return True
    if isinstance(item, tuple):
        return True
    return isinstance(item, bool | int | float | complex | np.generic) or item is UNBOUND_MARKER


def _varying(type_: Type) -> Type:
    """Return the type of a number that a loop is expected to change."""
    return NumberType(type_.kind) if isinstance(type_, NumberType) else type_


def _state_tuple(result: object) -> tuple[object, ...]:
    if result is None:
        return ()
    if not isinstance(result, tuple):
        raise TypeError("the body of a loop returns the state as a tuple")
    return result
