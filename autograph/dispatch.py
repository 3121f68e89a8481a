"""From a call to a trace: the record behind a compiled function.

Owns the traces of one compiled function, choosing among them, making new ones, and falling back to
the plain function. It leaves tracing to `staging`, and the fast path to `callpath`. Invariant: a
finished trace is published by one assignment, without a lock, and a call always ends in one of
three ways: a program, the plain function with a warning, or the user's own exception.
"""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, Literal

import numpy as np

from runtime.compile import compile_graph
from runtime.errors import AutographWarning, ConversionError
from runtime.graph_mode.graph import Graph as BuiltGraph
from runtime.ir.graph import Graph, walk
from runtime.ir.types import ArrayType, TupleType
from runtime.lowering.program import Program
from runtime.passes.dce import drops_warnings
from runtime.passes.pipeline import SEPARATE_PIPELINE
from runtime.profiling.gates import Gate
from runtime.profiling.profile import Profile, format_seconds
from runtime.profiling.recorder import RECORDER, Recordable, Recording
from runtime.thread_state import STATE, changed

from .callpath import (
    Entry,
    ObjectNames,
    Parameters,
    call_path,
    caller,
    parameter_list,
    parameters_of,
)
from .convert import convert, refuse_generator
from .environment.guards import EqualGuard, Guard, IdentityGuard, KeysGuard, TypeGuard
from .environment.paths import Argument, ErrorHandling, Path, read
from .environment.structures import differs
from .environment.world import Settings
from .into_graph import AT_ONCE, call_in_graph, graph_for
from .staging import NotStaged, Trace, trace
from .typespec import TypeSpec

MAX_TRACES = 8
"""How many traces a function may have that differ in a number or text built in."""
MAX_REFUSALS = 8
"""After how many kinds of calls that could not be staged a function stays plain."""
Fallback = Literal["warn", "error"]


@dataclass(frozen=True)
class Options:
    """What `compile` was asked for."""

    fallback: Fallback = "warn"
    without: tuple[str, ...] = ()
    """Names of passes that are switched off."""


@dataclass(frozen=True)
class Signature:
    """One trace of a compiled function, for `signatures` and `explain`."""

    types: str
    """Types of the arguments, as text."""
    guards: tuple[str, ...]
    """What must hold for the trace to be used."""
    reason: str
    """Why it was made: what differed from the nearest earlier trace."""
    seconds: float
    """How long tracing, optimizing and lowering took."""
    staged: Mapping[str, int]
    """How many ``if``, ``while`` and ``for`` became operations."""
    islands: tuple[str, ...]
    """Calls that are made at run time to code that is not compiled, with their lines."""
    body_traces: int
    """How often a loop's body was run on symbols while tracing."""


@dataclass(frozen=True)
class CompiledTrace:
    """A trace with its programs."""

    trace: Trace
    program: Program
    signature: Signature
    separate: tuple[tuple[Path, Path], ...]
    overlapping: Program

    def __post_init__(self) -> None:
        """Prepare what is derived."""
        programs = {one: Recordable(one) for one in (self.program, self.overlapping)}
        object.__setattr__(self, "_recordable", programs)

    def function(self, program: Program) -> Callable[..., Any]:
        """Return what to run for one of the programs: itself, or what records it."""
        recordable: dict[Program, Recordable] = vars(self)["_recordable"]
        return recordable[program].function

    def _gated(self, program: Program) -> Callable[..., Any] | Gate:
        recordable: dict[Program, Recordable] = vars(self)["_recordable"]
        return recordable[program].gated

    def entry(self) -> Entry:
        """Return what the call path needs."""
        return Entry(
            self.trace.guards,
            self.trace.captures,
            self._gated(self.program),
            self._gated(self.overlapping),
            self.separate,
        )


class Signatures(Sequence[Signature]):
    """The traces of a compiled function, as they are now."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def __len__(self) -> int:
        """Return the length."""
        return len(self._record.traces)

    def __getitem__(self, index: Any) -> Any:
        """Return an item."""
        return [made.signature for made in self._record.traces][index]

    def __iter__(self) -> Iterator[Signature]:
        """Iterate."""
        return iter([made.signature for made in self._record.traces])

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return repr(list(self))


@dataclass(eq=False)
class Record:
    """Everything behind one compiled function."""

    original: FunctionType
    options: Options
    traces: tuple[CompiledTrace, ...] = ()
    refusals: list[tuple[object, str]] = field(default_factory=list)
    """Kinds of calls that run as plain Python, and why."""
    plain_reason: str = ""
    """Why no call is compiled at all; empty when calls are."""

    def __post_init__(self) -> None:
        """Prepare what is derived."""
        self.parameters: Parameters = parameters_of(self.original)
        self._call = caller(self.parameters)
        self._warned: set[str] = set()
        self._adding = threading.RLock()  # a signal handler may call the function too
        self._names = ObjectNames([p.name for p in self.parameters])
        self._slow = self.slow
        self.compiled: FunctionType | None = None
        _RECORDS.add(self)

    def publish(self) -> None:
        """Give the compiled function a call path with the present traces."""
        if self.compiled is None:
            return
        entries = [made.entry() for made in self.traces]
        code = call_path(self.original, self.parameters, entries, self._slow, self._names)
        self.compiled.__globals__.update(self._names.objects)
        self.compiled.__code__ = code

    def publish_again(self) -> None:
        """Publish the present traces once more, unless a new one is just being published."""
        with self._adding:
            if self.traces:
                self.publish()

    def bind(self, args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[object, ...]:
        """Return the values of all parameters for a call.

        Raises
        ------
        TypeError
            If the arguments do not fit the function, in Python's own words.
        """
        names = ", ".join(p.name for p in self.parameters)
        defaults = self.original.__defaults__ or ()
        keyword_defaults = self.original.__kwdefaults__ or {}
        header = parameter_list(self.parameters, len(defaults), tuple(keyword_defaults))
        namespace: dict[str, FunctionType] = {}
        name = self.original.__name__ if self.original.__name__.isidentifier() else "function"
        exec(f"def {name}({header}): return ({names + ',' if names else ''})", {}, namespace)
        binder = namespace[name]
        binder.__defaults__ = self.original.__defaults__
        binder.__kwdefaults__ = self.original.__kwdefaults__
        values: tuple[object, ...] = binder(*args, **kwargs)
        return values

    # Calls

    def slow(self, values: tuple[object, ...]) -> object:
        """Serve a call that no guard of the call path accepted."""
        if STATE.plain:
            return self._call(self.original, values)
        graph = graph_for(values)
        if graph is not None:
            result = self._into_graph(graph, values)
            if isinstance(result, NotStaged):
                return self._fall_back(result.reason, values)
            if result is not AT_ONCE:
                return result
        found = self.trace_for(values)
        if isinstance(found, str):  # no error of ours is being handled meanwhile
            return self._fall_back(found, values)
        if graph is None:
            return self._run(found, values)
        with changed(graph=None, tracer=None):
            return self._run(found, values)

    def _into_graph(self, graph: BuiltGraph, values: tuple[object, ...]) -> object:
        """Return what a call gives where a graph is built, or why there is nothing to give."""
        names = [p.name for p in self.parameters]
        try:
            return call_in_graph(graph, names, values, self._traced)
        except ConversionError as error:
            return NotStaged(str(error))
        except NotStaged as error:
            return NotStaged(error.reason)

    def _traced(self, values: tuple[object, ...]) -> Trace:
        """Return a trace for tensors, of which only types are known, or for values."""
        if any(isinstance(value, TypeSpec) for value in values):
            return self.trace(values)
        found = self.trace_for(values)
        if isinstance(found, str):
            raise NotStaged(found)
        return found.trace

    def trace_for(self, values: tuple[object, ...]) -> CompiledTrace | str:
        """Return the trace that serves a call, made if need be, or why there is none."""
        if self.plain_reason:
            return self.plain_reason
        found = self.find(values)
        if found is not None:
            return found
        kind = _kind(values)
        for refused, reason in self.refusals:
            if refused == kind:
                return reason
        try:
            found = self.make(values)
        except ConversionError as error:
            reason = str(error)
            if self._is_convertible():  # what it was given is not; other arguments may be
                self._refuse(kind, reason)
            else:
                self.plain_reason = reason
            return reason
        except RecursionError:  # another call may be less deep
            return "the stack leaves too little room to compile it here"
        except NotStaged as error:
            self._refuse(kind, error.reason)
            return error.reason
        return self._add(found, values)

    def _add(self, made: CompiledTrace, values: tuple[object, ...]) -> CompiledTrace:
        """Publish a trace, unless another thread has made one for such a call meanwhile."""
        with self._adding:
            found = self.find(values)
            if found is None:
                found = made
                self.traces = (*self.traces, made)
                self.publish()
        return found

    def _run(self, made: CompiledTrace, values: tuple[object, ...]) -> object:
        program, arguments = self.program_call(made, values)
        return made.function(program)(*arguments)

    def program_call(
        self, made: CompiledTrace, values: tuple[object, ...]
    ) -> tuple[Program, tuple[object, ...]]:
        """Return the program that serves a call, and its arguments."""
        arguments = dict(zip((p.name for p in self.parameters), values, strict=True))
        captured = [read(capture.path, arguments) for capture in made.trace.captures]
        arrays = [(read(a, arguments), read(b, arguments)) for a, b in made.separate]
        shared = any(np.may_share_memory(a, b) for a, b in arrays)
        program = made.overlapping if shared else made.program
        return program, (*values, *captured)

    def profile(self, values: tuple[object, ...]) -> Profile:
        """Run a call with probes and return its profile; see `autograph.function.compile`."""
        found = self.trace_for(values) if not STATE.plain else "it is called in eager mode"
        if isinstance(found, str):
            start = time.perf_counter()
            plain = STATE.plain
            result = self._call(self.original, values) if plain else self._fall_back(found, values)
            seconds = format_seconds(time.perf_counter() - start)
            note = f"{self.original.__qualname__} ran as plain Python, in {seconds}: {found}"
            return Profile.of([], [note], result)
        program, arguments = self.program_call(found, values)
        recording = Recording(program)
        result = recording.function(*arguments)
        return Profile.of([recording], result=result)

    def find(self, values: tuple[object, ...]) -> CompiledTrace | None:
        """Return the first trace whose guards hold for a call."""
        arguments = dict(zip((p.name for p in self.parameters), values, strict=True))
        for made in self.traces:
            if all(holds(guard, arguments) for guard in made.trace.guards):
                return made
        return None

    def _is_convertible(self) -> bool:
        try:
            refuse_generator(self.original)
            convert(self.original)
        except ConversionError:
            return False
        return True

    def _refuse(self, kind: object, reason: str) -> None:
        self.refusals.append((kind, reason))
        if len(self.refusals) >= MAX_REFUSALS:
            self.plain_reason = reason

    def _fall_back(self, reason: str, values: tuple[object, ...]) -> object:
        if self.options.fallback == "error":
            raise ConversionError(reason)
        name = self.original.__qualname__
        RECORDER.note_plain(name, reason)
        if reason not in self._warned:
            self._warned.add(reason)
            warnings.warn(
                f"{name} runs as plain Python: {reason}", AutographWarning, stacklevel=4
            )
        return self._call(self.original, values)

    # Traces

    def make(self, values: tuple[object, ...], keep: bool = True) -> CompiledTrace:
        """Trace a call, optimize and lower it.

        Raises
        ------
        ConversionError
            If the function cannot be converted.
        NotStaged
            If this call cannot be staged.
        """
        made = self.trace(values)
        others = [other.trace.guards for other in self.traces]
        if keep and sum(differs(guards, made.guards) for guards in others) >= MAX_TRACES:
            made = self.trace(values, structures=False)
        if keep and self._is_retracing(made) and any(type(value) is str for value in values):
            with contextlib.suppress(NotStaged):  # one trace for all texts
                made = self.trace(values, texts_move=True)
        if keep and self._is_retracing(made):
            varying = {p for other in self.traces for p in _varying(other.trace, made)}
            names = ", ".join(sorted(map(str, varying)))
            code = self.original.__code__
            sizes = varying <= set(_sizes(made))
            advice = (
                "pass a list or an array"
                if sizes
                else "pass arrays, or write the code so that the value is not needed as a Python "
                "object"
            )
            raise NotStaged(
                f"{code.co_filename}:{code.co_firstlineno}: "
                f"{self.original.__qualname__} would be traced again for each new "
                f"{'length' if sizes else 'value'} of {names}; {advice}"
            )
        start = time.perf_counter()
        separate = pairs_to_separate(made)
        try:
            program = overlapping = compile_graph(made.graph, without=self.options.without)
            if separate:
                passes = SEPARATE_PIPELINE
                program = compile_graph(made.graph, passes, without=self.options.without)
        except RecursionError:
            raise
        except Exception as error:  # a fault of ours must not keep the user from his result
            name = self.original.__qualname__
            raise NotStaged(f"the compiler failed on the graph of {name}: {error!r}") from error
        if any(drops_warnings(made.graph, one.graph) for one in (program, overlapping)):
            made = replace(made, guards=(*made.guards, IdentityGuard(ErrorHandling(), False)))
        seconds = made.seconds + time.perf_counter() - start
        signature = self._signature(made, values, seconds)
        return CompiledTrace(made, program, signature, separate, overlapping)

    def _is_retracing(self, made: Trace) -> bool:
        """Tell whether `made` is one trace too many that differs in what is built in."""
        return sum(bool(_varying(other.trace, made)) for other in self.traces) >= MAX_TRACES

    def trace(
        self, values: tuple[object, ...], texts_move: bool = False, structures: bool = True
    ) -> Trace:
        """Trace a call, with texts built in and containers of objects taken apart if possible."""
        arguments = dict(zip((p.name for p in self.parameters), values, strict=True))
        strict = self.options.fallback == "error"
        settings = Settings(strict=strict, texts_move=texts_move, structures=structures)
        refuse_generator(self.original)
        return trace(self.original, arguments, convert, settings, self._call_by_name)

    def _call_by_name(self, function: object, arguments: Mapping[str, object]) -> object:
        return self._call(function, tuple(arguments[p.name] for p in self.parameters))

    def _signature(self, made: Trace, values: tuple[object, ...], seconds: float) -> Signature:
        names = [p.name for p in self.parameters]
        params = made.graph.params[: len(names)]
        types = ", ".join(f"{n}: {v.type}" for n, v in zip(names, params, strict=True))
        return Signature(
            types,
            tuple(str(guard) for guard in made.guards),
            self._why(values),
            seconds,
            staged_counts(made.graph),
            tuple(f"line {o.line if o else '?'}: {name}" for o, name in made.islands),
            made.body_traces,
        )

    def _why(self, values: tuple[object, ...]) -> str:
        """Return in words what differs from the nearest earlier trace."""
        if not self.traces:
            return "the first call"
        arguments = dict(zip((p.name for p in self.parameters), values, strict=True))
        failing = [
            [guard for guard in made.trace.guards if not holds(guard, arguments)]
            for made in self.traces
        ]
        nearest = min(range(len(failing)), key=lambda i: len(failing[i]))
        parts = ", ".join(f"{guard} no longer holds" for guard in failing[nearest])
        return f"unlike trace {nearest}: {parts}"


_RECORDS: weakref.WeakSet[Record] = weakref.WeakSet()


def _publish_all() -> None:
    """Give every compiled function a call path to its programs as they are to be run now."""
    for record in list(_RECORDS):
        record.publish_again()


RECORDER.listeners.append(_publish_all)


def _varying(old: Trace, new: Trace) -> list[Path]:
    """Return the places for whose very values both traces are made, but for different ones.

    The length of a tuple is such a value, and so are the names of keyword arguments.
    """
    before, after = _built_in(old), _built_in(new)
    values = [
        path
        for path, guard in before.items()
        if path in after and not after[path].holds_for(guard.value)
    ]
    sizes, others = _sizes(old), _sizes(new)
    return values + [path for path in sizes if path in others and sizes[path] != others[path]]


def _sizes(made: Trace) -> dict[Path, object]:
    """Return the lengths of tuples, and the names of keyword arguments, a trace is made for."""
    lengths: dict[Path, object] = {
        guard.path: len(guard.type.items)
        for guard in made.guards
        if isinstance(guard, TypeGuard) and isinstance(guard.type, TupleType)
    }
    return lengths | {g.path: g.keys for g in made.guards if isinstance(g, KeysGuard)}


def _built_in(made: Trace) -> dict[Path, EqualGuard | IdentityGuard]:
    """Return the guards of the places whose very values, or objects, a trace is made for."""
    return {g.path: g for g in made.guards if isinstance(g, EqualGuard | IdentityGuard)}


def holds(guard: Guard, arguments: Mapping[str, object]) -> bool:
    """Tell whether a guard holds for a call with these arguments, and the world as it is."""
    try:
        return guard.holds_for(read(guard.path, arguments))
    except Exception:  # the path leads nowhere any more
        return False


def pairs_to_separate(made: Trace) -> tuple[tuple[Path, Path], ...]:
    """Return the pairs of arrays that share no memory in the usual case, where that matters.

    It matters only to a trace that writes into memory that the caller can see.
    """
    writes = any(node.op.effects(node.inputs, node.attrs).writes for node in walk(made.graph.body))
    if not writes:
        return ()
    captured = {capture.value: capture.path for capture in made.captures}
    places = [
        captured.get(param, Argument(param.name))
        for param in made.graph.params
        if isinstance(param.type, ArrayType)
    ]
    return tuple((a, b) for i, a in enumerate(places) for b in places[i + 1 :])


def staged_counts(graph: Graph) -> dict[str, int]:
    """Count the branches and loops of a graph.

    >>> from runtime.ir.builder import Builder
    >>> build = Builder()
    >>> build.end("unreachable")
    >>> staged_counts(build.graph("f"))
    {'if': 0, 'while': 0, 'for': 0}
    """
    names = [node.op.name for node in walk(graph.body)]
    return {name: names.count(name) for name in ("if", "while", "for")}


def _kind(values: tuple[object, ...]) -> object:
    """Return what calls that cannot be staged are told apart by: classes, dtypes, ranks, code."""

    def kind(value: object) -> object:  # runs no code of the user's
        if type(value) is np.ndarray:
            return np.ndarray, value.dtype, value.ndim
        return (FunctionType, value.__code__) if type(value) is FunctionType else type(value)

    return tuple(map(kind, values))
