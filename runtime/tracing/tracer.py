"""The tracer: turns what symbols are asked into operations of a graph under construction.

Owns lifting Python objects to graph values, recording operations, and observations (questions
Python code asked about types, which must keep their answers). It leaves loops and branches to
`control`, and everything about the user's world (calls, attributes, positions) to a `Host` that is
handed in. Invariant: tracing runs no effect: effects are recorded, in program order.
"""

from __future__ import annotations

import functools
import types as python_types
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from ..ir.builder import Builder, OpenRegion
from ..ir.graph import Attributes, Constant, Node, Origin, Region, Value
from ..ir.types import (
    ArrayType,
    DictType,
    ListType,
    OpaqueType,
    ScalarType,
    SetType,
    StringType,
    Type,
    UnionType,
    is_immutable,
    is_plain,
)
from ..ops.catalog import FUNCTIONS, OPERATIONS
from ..ops.methods import METHODS, OBJECT_METHOD_NAMES, has_object_method, is_random_source
from ..ops.registry import Operation, Sharing
from . import array_forms, displays, variables
from .cells import Cells
from .decisions import Construct, Decision, Outcome
from .host import NOT_HANDLED, Host
from .signals import LoopJump, RegionEnd, ReturnJump, Unstageable
from .symbol import (
    BoundAttribute,
    Symbol,
    call_inputs,
    has_splat,
    is_symbolic,
    literal_int,
    value_of,
)

Answer = TypeVar("Answer")
MAX_NODES = 20_000
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "lt": int.__lt__, "le": int.__le__, "eq": int.__eq__, "ne": int.__ne__, "gt": int.__gt__,
    "ge": int.__ge__,
}  # fmt: skip



@dataclass(frozen=True, slots=True)
class Observation:
    """A question about a type that Python code asked, and the answer it was given."""

    value: Value
    question: Callable[[Type], object]
    answer: object

    def holds(self) -> bool:
        """Tell whether the question still has that answer."""
        answer = self.question(self.value.type)
        return type(answer) is type(self.answer) and answer == self.answer  # None == dtype(float)


@dataclass(frozen=True, slots=True)
class Mark:
    """A point in a trace to go back to."""

    region: OpenRegion
    nodes: int
    observations: int
    decisions: int


class LoopContext(Protocol):
    """What the tracer needs of a loop being traced."""

    def lift(self, tracer: Tracer, state: Sequence[object]) -> list[Value]:
        """Return the graph values of the loop's state at a jump."""
        ...


class OpenScope(Protocol):
    """What the tracer knows of a function body that returns early."""

    def return_(self, value: object) -> None:
        """Leave it."""
        ...


class Tracer:
    """Records one graph."""

    def __init__(self, host: Host | None = None, unroll: int = 16) -> None:
        self.host = host or Host()
        self.unroll = unroll
        self.builder = Builder()
        self.outermost = self.builder.current
        """The region of the graph itself."""
        self.observations: list[Observation] = []
        self.cells = Cells()
        self.slots: list[Value] = []
        """The variables of the graph that live in memory."""
        self.classes: dict[type, None] = {}
        """The classes that the traced function made."""
        self.decisions: list[Decision] = []
        """What became of the constructs met so far."""
        self.loops: list[LoopContext] = []
        """The loops being traced, innermost last."""
        self.scopes: list[OpenScope] = []
        """The bodies of functions that return early and are being traced, innermost last."""
        self.consumers: list[Callable[[object], None]] = []
        """What takes the items of the generators being run, innermost last."""
        self.warm_start: dict[tuple[Origin | None, str], tuple[Type, ...]] = {}
        self.body_traces = 0
        self.node_count = 0
        self.producers: dict[Value, Node] = {}
        """The operation that made each value; kept when a region is given up."""
        self._home: dict[Value, OpenRegion] = {}

    def note(self, construct: Construct, outcome: Outcome, reason: str) -> None:
        """Keep what became of the construct being executed."""
        self.decisions.append(Decision(construct, self.host.origin(), outcome, reason))

    # Values

    def parameter(self, type_: Type, name: str) -> Symbol:
        """Add a parameter to the outermost region."""
        value = Value(array_forms.opened(type_) if self.host.open_arrays else type_, name)
        self.outermost.params.append(value)
        self._home[value] = self.outermost
        return Symbol(self, value)

    def symbols(self, values: Sequence[Value]) -> list[Symbol]:
        """Return symbols for values defined in the innermost open region."""
        for value in values:
            self._home[value] = self.builder.current
        return [Symbol(self, value) for value in values]

    def value(self, item: object) -> Value:
        """Return the graph value for a Python object met while tracing.

        Raises
        ------
        Unstageable
            If the object cannot enter a graph.
        """
        kind = type(item)
        if kind is Symbol or kind is BoundAttribute:
            return self._known(item)  # type: ignore[arg-type]  # by its class
        if kind is tuple:
            return self._tuple(item)  # type: ignore[arg-type]  # by its class
        if kind is slice:
            parts = (item.start, item.stop, item.step)  # type: ignore[attr-defined]  # by its class
            if is_symbolic(item):
                return self.value(self.append("build_slice", parts))
            return Constant(item)
        lifted = self.host.lift(self, item)
        return Constant(self.host.constant(item)) if lifted is None else lifted

    def _known(self, symbol: Symbol) -> Value:
        value = value_of(symbol)
        if not self.is_visible(symbol):
            raise Unstageable(
                "a value made inside a branch or loop is used outside it, past what the compiler "
                "follows",
                "pass it to the function that uses it as an argument, and return the new one",
            )
        return value

    def _tuple(self, items: tuple[object, ...]) -> Value:
        values = [self.value(item) for item in items]
        if all(isinstance(value, Constant) for value in values):
            return Constant(tuple(value.value for value in values if isinstance(value, Constant)))
        return self.value(self.append("build_tuple", values))

    def ask(self, symbol: Symbol, question: Callable[[Type], Answer]) -> Answer:
        """Answer a question about a symbol's type, and remember that it was asked."""
        value = value_of(symbol)
        answer = question(value.type)
        self.observations.append(Observation(value, question, answer))
        return answer

    # Operations

    def append(
        self,
        operation: Operation | str,
        inputs: Sequence[object],
        attrs: Attributes | None = None,
        name: str = "",
    ) -> object:
        """Record an operation with one output (or none) and return the output's symbol."""
        outputs = self.append_many(operation, inputs, attrs, name)
        return outputs[0] if outputs else None

    def append_many(
        self,
        operation: Operation | str,
        inputs: Sequence[object],
        attrs: Attributes | None = None,
        name: str = "",
    ) -> list[Symbol]:
        """Record an operation and return the symbols of its outputs."""
        op = OPERATIONS[operation] if isinstance(operation, str) else operation
        values = [i if isinstance(i, Value) else self.value(i) for i in inputs]
        attributes = attrs or {}
        if op.effects(values, attributes).calls and not all(is_plain(v.type) for v in values):
            self.host.unknown_code(self)
        self._count()
        origin = self.host.origin()
        outputs = self.builder.append(
            op, values, attributes, origin=origin, name=name or self._name_at(origin)
        )
        if self.host.open_arrays:
            for output in outputs:
                output.type = array_forms.opened(output.type)
        self.producers.update(dict.fromkeys(outputs, self.builder.current.nodes[-1]))
        return self.symbols(outputs)

    def name_here(self) -> str:
        """Return the user's name for the value being computed, or nothing."""
        return self._name_at(self.host.origin())

    def _name_at(self, origin: Origin | None) -> str:
        return "" if origin is None else self.host.name_at(origin)

    def append_regions(
        self,
        op: Operation,
        inputs: Sequence[Value],
        regions: Sequence[Region],
        outputs: Sequence[Value],
        origin: Origin | None,
        attrs: Attributes | None = None,
    ) -> list[Symbol]:
        """Record an operation with regions."""
        self._count()
        attributes = attrs or {}
        self.builder.append(op, inputs, attributes, regions=regions, outputs=outputs, origin=origin)
        return self.symbols(outputs)

    def _count(self) -> None:
        self.node_count += 1
        if self.node_count > MAX_NODES:
            raise Unstageable(
                f"the trace grows past {MAX_NODES} operations",
                "let a loop over a run-time range take the place of a long constant one, or of "
                "recursion",
            )

    def operate(self, name: str, *inputs: object) -> object:
        """Record an operator; comparisons of known numbers are answered at once."""
        if name in _COMPARISONS:
            numbers = [self._literal(item) for item in inputs]
            if numbers[0] is not None and numbers[1] is not None:
                return _COMPARISONS[name](numbers[0], numbers[1])
        result = variables.operate(self, name, inputs)
        if result is not NOT_HANDLED:
            return result
        return self.append(name, *displays.prepared(self, name, inputs))

    def _literal(self, item: object) -> int | None:
        if type(item) is Symbol:
            return self.ask(item, literal_int)
        return item if type(item) is int else None

    def effect(self, name: str, inputs: Sequence[object], attrs: Attributes | None = None) -> None:
        """Record an operation without outputs."""
        if variables.operate(self, name, inputs) is NOT_HANDLED:
            self.append_many(name, *displays.prepared(self, name, inputs, attrs))

    # Calls

    def function(
        self, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record the operation that `function` means, or have the host call it."""
        try:
            operation = FUNCTIONS.get(function)
        except TypeError:
            operation = None
        if operation is None:
            name = array_forms.method_of_arrays(function)
            if name and args and type(args[0]) is Symbol and self.ask(args[0], _is_array):
                return self.method(args[0], name, args[1:], kwargs)
            return self.host.call(self, function, args, kwargs)
        if has_splat((*args, *kwargs.values())):
            return self.call_value(function, args, kwargs)
        args = displays.arguments(self, operation, args, kwargs)
        if operation.name.startswith("np."):
            kwargs = displays.keyword_arguments(self, kwargs)
        args, kwargs = variables.arguments(self, operation, args, kwargs)
        if not is_symbolic((*args, *kwargs.values())):
            done, result = self._evaluate(operation, args, kwargs)
            if done:
                self.note("call", "plain", "its arguments are known while tracing")
                return result
        self.note("call", "operation", operation.name)
        return self.append(operation, *self.arguments(args, kwargs))

    def arguments(
        self, args: Sequence[object], kwargs: Mapping[str, object], *first: object
    ) -> tuple[list[object], dict[str, object]]:
        """Return inputs and attributes for a call-like operation."""
        return call_inputs((*first, *args), kwargs)

    def _evaluate(
        self, operation: Operation, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> tuple[bool, object]:
        """Compute a pure operation on static arguments now, if that has no effect whatever."""
        inputs, attrs = self.arguments(args, kwargs)
        values = [self.value(item) for item in inputs]
        effects = operation.effects(values, attrs)
        fresh = all(alias.sharing is not Sharing.ANYTHING for alias in effects.aliases)
        types = operation.result_types(values, attrs)
        if effects.calls or effects.writes or not fresh or not all(map(is_immutable, types)):
            return False, None
        if any(isinstance(type_, ScalarType) for type_ in types):
            return False, None  # NumPy's scalars stay symbolic: arithmetic on them may warn
        try:
            with np.errstate(all="raise"), warnings.catch_warnings():
                warnings.simplefilter("error")
                return True, operation.kernel(*args, **kwargs)
        except Exception:  # it raises or warns at run time, in its place
            return False, None

    def method(
        self, owner: Symbol, name: str, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record a call of ``owner.name``."""
        self.note("call", "operation", f"method {name}")
        result = variables.method(self, owner, name, args, kwargs)
        if result is not NOT_HANDLED:
            return result
        if name == "resize" and array_forms.may_be_array(value_of(owner).type):
            array_forms.check_resize(kwargs)
            self.host.array_changes_form()
        args = displays.method_arguments(self, owner, name, args)
        if name in OBJECT_METHOD_NAMES and self.ask(owner, is_random_source):
            args = displays.draw_arguments(self, name, args)
            kwargs = displays.keyword_arguments(self, kwargs)
        inputs, attrs = self.arguments(args, kwargs, owner)
        return self.append("method", inputs, {**attrs, "name": name})

    def call_value(
        self, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record a call of something known only at run time."""
        if type(function) is Symbol:
            result = self.host.call_symbol(self, function, args, kwargs)
            if result is not NOT_HANDLED:
                return result
            self.note("call", "island", "what is called is known only at run time")
        if not is_symbolic(function) and not isinstance(function, python_types.FunctionType):
            function = Constant(function)  # called by identity, whatever it is
        inputs, attrs = self.arguments(args, kwargs, function)
        return self.append("call", inputs, attrs)

    def island(
        self, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record a call of code that is not compiled, made at run time, in its place."""
        return self.call_value(function, args, kwargs)

    def ufunc(
        self, ufunc: object, method: str, args: Sequence[object], kwargs: dict[str, object]
    ) -> object:
        """Record a ufunc call that reached us through ``__array_ufunc__``."""
        out = kwargs.get("out")
        if type(out) is tuple:
            kwargs = {**kwargs, "out": out[0] if len(out) == 1 else out}
        if method == "__call__":
            return self.function(ufunc, args, kwargs)
        args = displays.ufunc_arguments(self, method, args)
        inputs, attrs = self.arguments(args, kwargs, ufunc)
        return self.append("method", inputs, {**attrs, "name": method})

    # Attributes

    def attribute(self, symbol: Symbol, name: str) -> object:
        """Read ``symbol.name``."""
        result = variables.attribute(self, symbol, name)
        if result is not NOT_HANDLED:
            return result
        if name.startswith("__") and name.endswith("__") and name not in ("__name__", "__doc__"):
            raise AttributeError(name)
        if name == "ndim":
            rank = self.ask(symbol, _rank)
            if rank is not None:
                return rank
        if name == "dtype":
            dtype = self.ask(symbol, _dtype)
            if dtype is not None:
                return dtype
        if name in METHODS and self.ask(symbol, _has_known_methods):
            return BoundAttribute(symbol, name)
        if name in OBJECT_METHOD_NAMES and self.ask(
            symbol, functools.partial(has_object_method, name=name)
        ):
            return BoundAttribute(symbol, name)
        if name == "resize" and array_forms.may_be_array(value_of(symbol).type):
            raise Unstageable(*array_forms.UNKNOWN_RESIZE)
        return self.append("getattr", (symbol,), {"name": name})

    def read_method(self, owner: Symbol, name: str, home: OpenRegion) -> Value:
        """Record ``owner.name``, a method that is used as a value, where it was read.

        Raises
        ------
        Unstageable
            If that place is past.
        """
        regions = self.builder.regions
        if not any(region is home for region in regions):
            raise Unstageable(f"the method {name} is used as a value where it was not read")
        self.builder.regions = regions[: next(
            number for number, region in enumerate(regions) if region is home
        ) + 1]  # fmt: skip
        try:
            (made,) = self.append_many("getattr", (owner,), {"name": name})
        finally:
            self.builder.regions = regions
        return value_of(made)

    def set_attribute(self, symbol: Symbol, name: str, value: object) -> None:
        """Write ``symbol.name = value``."""
        if name in array_forms.ATTRIBUTES and array_forms.may_be_array(value_of(symbol).type):
            self.host.array_changes_form()
        if not self.host.set_attribute(self, symbol, name, value):
            self.effect("setattr", (symbol, value), {"name": name})

    def delete_attribute(self, symbol: Symbol, name: str) -> None:
        """Delete ``symbol.name``."""
        self.host.delete_attribute(self, symbol, name)
        self.effect("delattr", (symbol,), {"name": name})

    # Regions

    def mark(self) -> Mark:
        """Return the present point of the trace."""
        current = self.builder.current
        return Mark(current, len(current.nodes), len(self.observations), len(self.decisions))

    def go_back(self, mark: Mark) -> None:
        """Forget everything recorded since `mark`."""
        del mark.region.nodes[mark.nodes :]
        del self.observations[mark.observations :]
        del self.decisions[mark.decisions :]

    def run_region(
        self,
        function: Callable[..., object],
        args: Sequence[object],
        region: OpenRegion,
        names: Sequence[str] = (),
    ) -> object:
        """Run `function` with its operations going to `region`; return its result.

        When the function left by a jump or an exception, the region is ended accordingly and the
        result is None. `names` are the variables that the construct hands on.
        """
        self.cells.enter()
        try:
            result = self._run_region(function, args, region)
            self.cells.leave(function, names)
        finally:
            self.cells.forget()
        return result

    def _run_region(
        self, function: Callable[..., object], args: Sequence[object], region: OpenRegion
    ) -> object:
        builder = self.builder
        depth = len(builder.regions)
        try:
            builder.regions.append(region)
            return function(*args)
        except LoopJump as jump:
            self._end_by_jump(jump)
        except ReturnJump as jump:
            builder.end("return", [self.value(jump.value)], self.host.origin())
        except RegionEnd:
            if region.end is None:
                builder.end("unreachable")
        except Exception as error:
            if not self.host.is_user_error(error):
                raise
            self.end_by_error(error)
        finally:
            del builder.regions[depth:]
        return None

    def _end_by_jump(self, jump: LoopJump) -> None:
        values = self.loops[-1].lift(self, jump.state)
        self.builder.end(jump.kind, values, self.host.origin())

    def end_by_error(self, error: Exception) -> None:
        """Have an error of the user's own statement raised at run time, in its place."""
        origin = self.host.origin_of(error)
        inputs = [self._made_again(error)]
        if error.__cause__ is not None and type(error.__cause__).__module__ == "builtins":
            inputs.append(self._made_again(error.__cause__))
        self.builder.end("raise", inputs, origin)

    def _made_again(self, error: BaseException) -> Value:
        """Record the making of an exception like `error`."""
        known: dict[str, object] = {}
        if isinstance(error, NameError | AttributeError):
            known["name"] = error.name
        if isinstance(error, AttributeError):
            known["obj"] = error.obj
        return self.value(self.function(type(error), error.args, known))

    def reraise(self) -> None:
        """Record a bare ``raise`` and leave the region."""
        self.builder.end("raise", (), self.host.origin())
        raise RegionEnd

    @contextmanager
    def reopened(self, region: OpenRegion) -> Iterator[None]:
        """Record into `region` again inside a ``with`` block."""
        depth = len(self.builder.regions)
        try:
            self.builder.regions.append(region)
            yield
        finally:
            del self.builder.regions[depth:]

    def comes_from(self, value: Value, sources: Collection[Value]) -> bool:
        """Tell whether `value` is computed from one of `sources`."""
        pending, seen = [value], set()
        while pending:
            current = pending.pop()
            if current in sources:
                return True
            if current not in seen and current in self.producers:
                seen.add(current)
                pending.extend(self.producers[current].inputs)
        return False

    def is_visible(self, symbol: Symbol) -> bool:
        """Tell whether the value of `symbol` is defined in a region that is open."""
        return self._home.get(value_of(symbol)) in self.builder.regions

    def raise_(self, error: object, *cause: object) -> None:
        """Record ``raise error`` (``from`` the one `cause`, if given) and leave the region."""
        inputs = [self.value(item) for item in (error, *cause)]
        self.builder.end("raise", inputs, self.host.origin())
        raise RegionEnd


def _is_array(type_: Type) -> bool:
    return isinstance(type_, ArrayType)


def _rank(type_: Type) -> int | None:
    return type_.rank if isinstance(type_, ArrayType) else None


def _dtype(type_: Type) -> np.dtype | None:
    return type_.dtype if isinstance(type_, ArrayType) else None


def _has_known_methods(type_: Type) -> bool:
    """Tell whether a method's name on this type means the method of NumPy or Python itself."""
    if isinstance(type_, UnionType):
        return all(_has_known_methods(option) for option in type_.options)
    if isinstance(type_, OpaqueType):
        return type_.plain
    return is_plain(type_) or isinstance(type_, ListType | DictType | SetType | StringType)
