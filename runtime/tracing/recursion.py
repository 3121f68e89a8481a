"""Recursion on values known only at run time: functions of the graph that call themselves.

Owns tracing the body of such a function once, and the fixpoint over its parameters and result. It
leaves deciding which functions are recursive to the host. Invariant: a definition sees nothing but
its parameters; its result is bottom until some path is found that does not recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from ..ir.builder import OpenRegion
from ..ir.graph import Constant, Definition, Region, Value, walk
from ..ir.lattice import join, join_all
from ..ir.types import BOTTOM, OPAQUE, NumberType, Type
from ..ops.closures import CLOSURE
from ..ops.containers import UNBOUND_MARKER
from ..ops.control import APPLY
from .inference import exits, infer_region, widen
from .signals import Unstageable
from .symbol import Symbol
from .tracer import Tracer

MAX_RETRACES = 3
_ROUNDS = 12


@dataclass(eq=False)
class _Function:
    """A definition in the making."""

    name: str
    file: str
    params: list[Value]
    result: Type
    calls: list[tuple[Sequence[Value], Value]] = field(default_factory=list)
    """Arguments and output of every ``apply``."""
    region: Region | None = None


class Definitions:
    """The functions of one graph."""

    def __init__(self, tracer: Tracer) -> None:
        """Keep the tracer."""
        self.tracer = tracer
        self._functions: dict[Hashable, _Function] = {}
        self._seeds: dict[Hashable, tuple[list[Type], Type]] = {}
        self._depth = 0

    @property
    def inside(self) -> bool:
        """Whether the body of a definition is being traced."""
        return self._depth > 0

    def call(
        self,
        key: Hashable,
        name: str,
        file: str,
        body: Callable[..., object],
        arguments: Sequence[object],
    ) -> Symbol:
        """Record a call of the function `key`; trace its body if that was not done yet."""
        values = [self.tracer.value(argument) for argument in arguments]
        known = self._functions.get(key)
        if known is None:
            known = self._define(key, name, file, body, values)
        for param, value in zip(known.params, values, strict=True):
            widen(param, _varying(value.type))
        output = Value(known.result)
        known.calls.append((values, output))
        symbols = self.tracer.append_regions(
            APPLY, values, [], [output], self.tracer.host.origin(), {"function": known.name}
        )
        if not self.inside:
            self._settle()
        return symbols[0]

    def closure(
        self, name: str, file: str, body: Callable[..., object], params: list[Value]
    ) -> str:
        """Trace a function that is called through a value; return its name."""
        function = _Function(self._unique(name), file, params, OPAQUE)
        self._functions[function] = function
        self._trace(function, body)
        return function.name

    def _define(
        self,
        key: Hashable,
        name: str,
        file: str,
        body: Callable[..., object],
        values: Sequence[Value],
    ) -> _Function:
        tracer = self.tracer
        mark = len(tracer.observations)
        before = dict(self._functions)
        outermost = not self.inside
        for _ in range(MAX_RETRACES + 1):
            types, result = self._seeds.get(key, ([BOTTOM] * len(values), BOTTOM))
            params = [
                Value(join(t, _varying(value.type)), value.name)
                for t, value in zip(types, values, strict=True)
            ]
            function = _Function(self._unique(name), file, params, result)
            self._functions[key] = function
            self._trace(function, body)
            if not outermost:
                return function
            self._settle()
            if all(seen.holds() for seen in tracer.observations[mark:]):
                return function
            for other, made in self._functions.items():
                self._seeds[other] = ([p.type for p in made.params], made.result)
            self._functions = dict(before)
            del tracer.observations[mark:]
        raise Unstageable(f"the types in the recursive function {name} keep changing")

    def _unique(self, name: str) -> str:
        taken = {function.name for function in self._functions.values()}
        number, candidate = 1, name
        while candidate in taken:
            number, candidate = number + 1, f"{name}_{number}"
        return candidate

    def _trace(self, function: _Function, body: Callable[..., object]) -> None:
        """Run the body on symbols, in a region of its own that sees no other."""
        tracer = self.tracer
        regions, loops = tracer.builder.regions, tracer.loops
        tracer.builder.regions, tracer.loops = [], []
        self._depth += 1
        try:
            region = OpenRegion(function.params)
            with tracer.reopened(region):
                symbols = tracer.symbols(function.params)
            result = tracer.run_region(body, symbols, region)
            if region.end is None:
                with tracer.reopened(region):
                    tracer.builder.end("return", [tracer.value(result)])
            function.region = region.close()
            _check_bound_for_good(function)
        finally:
            self._depth -= 1
            tracer.builder.regions, tracer.loops = regions, loops

    def _settle(self) -> None:
        """Run the fixpoint over the parameters and results of all definitions."""
        for turn in range(_ROUNDS):
            changed = False
            for function in self._functions.values():
                changed |= self._settle_one(function, give_up=turn == _ROUNDS - 2)
            if not changed:
                return
        raise Unstageable("the types in a recursive function keep changing")

    def _settle_one(self, function: _Function, give_up: bool) -> bool:
        changed = False
        for arguments, output in function.calls:
            for param, value in zip(function.params, arguments, strict=True):
                changed |= widen(param, _varying(value.type))
            changed |= widen(output, function.result)
        if function.region is None:
            return changed
        infer_region(function.region)
        returned = join_all(end.values[0].type for end in exits(function.region, "return"))
        result = join(function.result, returned)
        if result != function.result:
            function.result = OPAQUE if give_up else result
            changed = True
        return changed

    def finished(self, body: Region) -> tuple[Definition, ...]:
        """Return the definitions that the graph with this `body` needs."""
        made = {f.name: f for f in self._functions.values() if f.region is not None}
        needed: dict[str, None] = {}
        pending = [body]
        while pending:
            for node in walk(pending.pop()):
                name = node.attrs.get("function")
                if node.op in (APPLY, CLOSURE) and isinstance(name, str) and name not in needed:
                    needed[name] = None
                    region = made[name].region
                    assert region is not None
                    pending.append(region)
        return tuple(
            Definition(f.name, f.region, f.file)
            for f in made.values()
            if f.region is not None and f.name in needed
        )


def _check_bound_for_good(function: _Function) -> None:
    """Refuse a function that unbinds a variable of another, which would not notice."""
    assert function.region is not None
    for node in walk(function.region):
        if node.op.name == "setitem" and node.inputs[0] in function.params:
            stored = node.inputs[2]
            if isinstance(stored, Constant) and stored.value is UNBOUND_MARKER:
                raise Unstageable(
                    f"the function {function.name} deletes a variable of a function around it",
                    "assign None to it",
                )


def _varying(type_: Type) -> Type:
    return NumberType(type_.kind) if isinstance(type_, NumberType) else type_

