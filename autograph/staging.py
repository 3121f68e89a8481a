"""Tracing one call of a function to a graph.

Owns the loop that starts a trace again until its settings fit: a value that must be static, a
variable that may be rebound. It leaves what names mean to the environment. Invariant: whatever
happens in a trace, nothing outside has changed afterwards.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import FunctionType

import numpy as np

from runtime.errors import ConversionError, GraphError
from runtime.ir.graph import Constant, Graph, Origin, Value
from runtime.ir.types import DICT, ArrayType, NumberType, StringType
from runtime.ir.verifier import verify
from runtime.tracing import local_classes
from runtime.tracing.closures import Closures
from runtime.tracing.decisions import Decision
from runtime.tracing.inference import settle_slots
from runtime.tracing.recursion import Definitions
from runtime.tracing.signals import (
    RegionEnd,
    SharedVariable,
    StaticDemand,
    TraceSignal,
    Unstageable,
)
from runtime.tracing.state import tracing
from runtime.tracing.symbol import Symbol
from runtime.tracing.tracer import Tracer

from . import operators
from .environment.converted import Capture, Converted
from .environment.guards import Guard
from .environment.origins import origin_of_error
from .environment.paths import Argument, Attribute, Item, Path
from .environment.recursive import RecursiveCalls
from .environment.stand_ins import in_user_words
from .environment.world import Restart, Settings, World
from .typespec import TypeSpec

MAX_RESTARTS = 24


class NotStaged(Exception):
    """A function, or one trace of it, runs as plain Python; `reason` is complete in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Trace:
    """What tracing one call gave."""

    graph: Graph
    guards: tuple[Guard, ...]
    captures: tuple[Capture, ...]
    settings: Settings
    seconds: float
    """Time spent tracing."""
    body_traces: int
    """How often a loop's body was run on symbols."""
    islands: tuple[tuple[Origin | None, str], ...]
    decisions: tuple[Decision, ...]
    """What became of each branch, loop and call, in the order of execution."""


def trace(
    function: FunctionType,
    arguments: Mapping[str, object],
    convert: Callable[[FunctionType], Converted],
    settings: Settings,
    call: Callable[[Callable[..., object], Mapping[str, object]], object],
) -> Trace:
    """Trace `function` for a call with these `arguments`.

    Parameters
    ----------
    function
        The plain function.
    arguments
        The value of each parameter by name, as the function body sees it (``*args`` as a tuple).
    convert
        Converts a function, or raises ConversionError.
    settings
        What is static and what may be rebound, to begin with.
    call
        Calls the converted function with what stands for the arguments.

    Raises
    ------
    NotStaged
        If the call cannot be staged.
    ConversionError
        If the function itself cannot be converted.
    """
    worlds: list[World] = []
    try:
        return _trace(function, arguments, convert, settings, call, worlds)
    except NotStaged:
        if not any(world.structures.used for world in worlds):
            raise
    without = replace(settings, structures=False)
    return _trace(function, arguments, convert, without, call, [])


def _trace(
    function: FunctionType,
    arguments: Mapping[str, object],
    convert: Callable[[FunctionType], Converted],
    settings: Settings,
    call: Callable[[Callable[..., object], Mapping[str, object]], object],
    worlds: list[World],
) -> Trace:
    """Trace `function`; the worlds of all attempts are added to `worlds`."""
    start = time.perf_counter()
    convert(function)
    for _ in range(MAX_RESTARTS):
        world = World(settings, convert, operators)
        worlds.append(world)
        tracer = world.tracer = Tracer(world)
        world.definitions = Definitions(tracer)
        world.closures = Closures(tracer, world.definitions)
        world.recursive_calls = RecursiveCalls(tracer, world.definitions)
        try:
            graph = _record(world, tracer, function, arguments, call)
        except Restart as restart:
            settings = restart.settings
            continue
        except StaticDemand as demand:
            settings = _made_static(world, tracer, demand, settings, function, arguments)
            continue
        except Unstageable as signal:
            if isinstance(signal, SharedVariable) and not settings.function_values:
                settings = replace(settings, function_values=True)
                continue
            raise NotStaged(_located(signal, function)) from None
        return Trace(
            graph,
            tuple(world.guards.values()),
            tuple(world.captures),
            world.settings,
            time.perf_counter() - start,
            tracer.body_traces,
            tuple(world.islands),
            tuple(tracer.decisions),
        )
    raise NotStaged(_located(Unstageable("tracing does not settle"), function))


def _record(
    world: World,
    tracer: Tracer,
    function: FunctionType,
    arguments: Mapping[str, object],
    call: Callable[[Callable[..., object], Mapping[str, object]], object],
) -> Graph:
    bound: dict[str, object] = {}
    flags, names = function.__code__.co_flags, tuple(arguments)
    keywords = names[-1] if flags & inspect.CO_VARKEYWORDS else ""
    for name, live in arguments.items():
        if isinstance(live, TypeSpec):
            bound[name] = _of_type(world, tracer, name, live)
            continue
        if name == keywords and isinstance(live, dict):
            tracer.parameter(DICT, name)
            bound[name] = world.bind_keywords(Argument(name), live)
            continue
        bound[name] = world.bind(Argument(name), live, name, is_argument=True)
        if type(bound[name]) is not Symbol:
            tracer.parameter(Constant(live).type, name)
    with tracing(tracer), np.errstate(all="raise"):  # a warning now would be lost at run time
        try:
            result = call(world.function(function, defaults=False), bound)
            tracer.builder.end("return", [tracer.value(result)])
        except RegionEnd:
            if tracer.builder.current.end is None:
                tracer.builder.end("unreachable")
        except TraceSignal:
            raise
        except ConversionError:
            raise
        except RecursionError:  # says how deep the call is, nothing of what it does
            raise
        except Exception as error:
            if not world.is_user_error(error):
                raise Unstageable(_unexpected(error)) from error
            tracer.end_by_error(error)
    graph = tracer.builder.graph(function.__name__, function.__code__.co_filename)
    graph = replace(graph, functions=world.definitions.finished(graph.body))
    world.check()
    world.check_structures(graph)
    local_classes.check(graph, tracer.classes)
    if tracer.slots:
        settle_slots([graph.body, *(f.body for f in graph.functions)], tracer.slots)
    if tracer.slots and not all(seen.holds() for seen in tracer.observations):
        raise Restart(replace(world.settings, open_slots=True))
    try:
        verify(graph)
    except GraphError as error:
        raise Unstageable(f"the compiler cannot vouch for the graph it made ({error})") from error
    return graph


def _of_type(world: World, tracer: Tracer, name: str, spec: TypeSpec) -> Symbol:
    """Return what stands for an argument that is a type: there is no value to guard or to read."""
    if isinstance(spec.type, ArrayType) and spec.type.shape is not None:
        for axis, extent in enumerate(spec.type.shape):
            if isinstance(extent, str):
                place = Item(Attribute(Argument(name), "shape"), axis)
                world.extents.setdefault(extent, place)
    return tracer.parameter(spec.type, name)


def _unexpected(error: Exception) -> str:
    return f"tracing raised {type(error).__name__}: {in_user_words(error)}"


def _located(signal: Unstageable, function: FunctionType) -> str:
    """Return the reason of `signal`, the user's file and line, and the advice.

    What stands in the way of returning a value is found when `function` has ended: its first line
    is named.
    """
    place = signal.origin or origin_of_error(signal)
    if place is None and signal.__cause__ is not None:
        place = origin_of_error(signal.__cause__)
    code = function.__code__
    file, line = (place.file, place.line) if place else (code.co_filename, code.co_firstlineno)
    if isinstance(signal.__cause__, ConversionError):  # of a helper: it says where
        return f"{signal.reason}\n    where {file}:{line} calls it"
    advice = f"; {signal.advice}" if signal.advice else ""
    return f"{file}:{line}: {signal.reason}{advice}"


def _made_static(
    world: World,
    tracer: Tracer,
    demand: StaticDemand,
    settings: Settings,
    function: FunctionType,
    arguments: Mapping[str, object],
) -> Settings:
    """Return settings in which what `demand` depends on is static, or else texts are not."""
    if demand.indexes and not settings.items:
        return replace(settings, items=True)
    paths = _leaves(world, tracer, demand.value)
    if demand.chooses and not settings.function_choices:
        if not frozenset(paths or ()) - settings.static:
            return replace(settings, function_values=True, function_choices=True)
    if not settings.texts_move and not frozenset(paths or ()) - settings.static:
        if any(type(live) is str for live in arguments.values()):
            return replace(settings, texts_move=True)
    if paths is None:
        why = "known only at run time: it comes from the contents of an object or from a loop"
        raise NotStaged(_located(_demand_as_reason(demand, why), function))
    new = frozenset(paths) - settings.static
    if not new:
        reason = _demand_as_reason(demand, "known only at run time")
        raise NotStaged(_located(reason, function))
    return replace(settings, static=settings.static | new)


def _demand_as_reason(demand: StaticDemand, why: str) -> Unstageable:
    name = demand.value.name
    subject = f"the value of {name}" if name else "a value"
    signal = Unstageable(
        f"{demand.purpose} is needed while compiling, but {subject} is {why}",
        "compute it from an argument that is a number, or outside",
    )
    return signal.with_traceback(demand.__traceback__)


def _leaves(world: World, tracer: Tracer, value: Value) -> list[Path] | None:
    """Return the numbers and extents `value` is computed from; None if not from those alone."""
    captured = {capture.value: capture.path for capture in world.captures}
    captured.update(world.argument_paths())
    found: list[Path] = []
    seen: set[Value] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen or isinstance(current, Constant):
            continue
        seen.add(current)
        kind = current.type
        if isinstance(kind, NumberType) and isinstance(kind.extent, str):
            found.append(world.extents[kind.extent])
        elif current in captured and isinstance(kind, NumberType | StringType):
            found.append(captured[current])
        elif current in tracer.producers:
            node = tracer.producers[current]
            effects = node.op.effects(node.inputs, node.attrs)
            if effects.calls or effects.reads:
                return None
            pending.extend(node.inputs)
        else:
            return None
    return found
