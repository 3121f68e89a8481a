"""Functions of the user's that become values at run time.

Owns turning an inner function, met where only a graph value will do, into a function of the graph
with the values it captured: the operation ``closure``. It leaves choosing the variables that live
in memory to the converters. Invariants: one function object met while tracing is one object at run
time, made where Python makes it; what it captured either never changes or lives in memory.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CellType, FunctionType

from ..ir.builder import OpenRegion
from ..ir.graph import Value
from ..ir.types import OPAQUE, NumberType, ObjectType, SlotType, Type, is_plain
from ..ops.closures import CLOSURE
from ..ops.containers import UNBOUND_MARKER
from .handlers import Box
from .recursion import Definitions
from .signals import Unstageable
from .symbol import Symbol, is_symbolic, value_of
from .tracer import Tracer

_ADVICE = "call it where it is defined, or choose it by a value known while compiling"
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class _Captured:
    """What one cell of a function holds: known while tracing, or handed over at run time."""

    name: str
    content: object
    value: Value | None = None
    is_itself: bool = False
    """Whether it is the function that captures."""


class Closures:
    """The functions of one trace that are values."""

    def __init__(self, tracer: Tracer, definitions: Definitions) -> None:
        self.tracer = tracer
        self.definitions = definitions
        self._homes: dict[FunctionType, OpenRegion] = {}
        self._lifted: dict[FunctionType, Symbol] = {}
        self._active: list[FunctionType] = []

    @property
    def inside(self) -> bool:
        """Whether the body of such a function is being traced: it may run at any time."""
        return bool(self._active)

    def made(self, function: FunctionType) -> None:
        """Take notice that `function` is made here."""
        self._homes[function] = self.tracer.builder.current

    def lift(self, function: FunctionType) -> Value:
        """Return the value of `function`, made where the function itself was.

        Raises
        ------
        Unstageable
            If that place, or what it captured, cannot be followed.
        """
        home = self._homes.get(function)
        regions = self.tracer.builder.regions
        if home is None or home not in regions:
            raise _refusal(function, "is used as a value where the compiler does not follow it")
        known = self._lifted.get(function)
        if known is not None:
            node = self.tracer.producers[value_of(known)]
            if any(other is node for other in home.nodes):
                return value_of(known)
        if function in self._active:
            raise _refusal(function, "is used as a value and refers to itself")
        self._active.append(function)
        self.tracer.builder.regions = regions[: regions.index(home) + 1]
        try:
            self._lifted[function] = self._make(function)
        finally:
            self.tracer.builder.regions = regions
            self._active.pop()
        return value_of(self._lifted[function])

    def _make(self, function: FunctionType) -> Symbol:
        tracer = self.tracer
        signature = inspect.signature(function)
        if function.__code__.co_flags & _SUSPENDS:
            raise _refusal(function, "is used as a value and is a generator")
        captured = [self._captured(function, *pair) for pair in _variables(function)]
        values = [item.value for item in captured if item.value is not None]
        defaults = [tracer.value(item) for item in function.__defaults__ or ()]
        keywords = function.__kwdefaults__ or {}
        keyword_defaults = [tracer.value(item) for item in keywords.values()]
        params = [
            Value(self._lasting(item), item.value.name) for item in captured if item.value
        ]
        own = [Value(OPAQUE, item.name) for item in captured if item.is_itself][:1]
        count = len(params)
        params += own
        first = len(params)
        params += [Value(OPAQUE, name) for name in signature.parameters]
        name = re.sub(r"\W", "", function.__name__) or "function"

        def body(*symbols: Symbol) -> object:
            inner = _rebuilt(tracer, function, captured, symbols[:first])
            tracer.cells.watch(inner)
            values = dict(zip(signature.parameters, symbols[first:], strict=True))
            inner, arguments = with_all(inner, values)
            return inner(*arguments)

        made = self.definitions.closure(
            name, function.__code__.co_filename, body, params
        )
        if is_symbolic(tuple(function.__annotations__.values())):
            raise _refusal(function, "is used as a value and has computed annotations")
        attrs: dict[str, object] = {
            "function": made,
            "captured": count,
            "own": bool(own),
            "defaults": len(defaults),
            "parameters": _header(signature),
            "keyword_defaults": tuple(keywords),
            "name": function.__name__,
            "qualname": function.__qualname__,
            "module": function.__module__,
            "doc": function.__doc__,
            "annotations": tuple(function.__annotations__.items()),
        }
        inputs = [*values, *defaults, *keyword_defaults]
        (symbol,) = tracer.append_many(CLOSURE, inputs, attrs, function.__name__.strip("<>"))
        tracer.note("call", "staged", f"{function.__qualname__} is a value known at run time")
        return symbol

    def _captured(self, function: FunctionType, name: str, cell: CellType) -> _Captured:
        try:
            content = cell.cell_contents
        except ValueError:
            content = UNBOUND_MARKER
        if content is UNBOUND_MARKER:
            raise _refusal(function, f"is used as a value before {name} is bound")
        if type(content) is Box:
            slot = content.share()
            self._require(function, name, slot)
            return _Captured(name, content, value_of(slot))
        if content is function:
            return _Captured(name, content, is_itself=True)
        if isinstance(content, FunctionType) and content in self._homes:
            if content.__closure__ is None:
                return _Captured(name, content)
            return _Captured(name, content, self.lift(content))
        changing = isinstance(content, type) and content not in self.tracer.classes
        if not is_symbolic(content) and not changing:
            return _Captured(name, content)
        # The attributes of a class are those of the moment when the function runs.
        return _Captured(name, content, self.tracer.value(content))

    def _lasting(self, item: _Captured) -> Type:
        """Return what is known of a captured value at any later time."""
        if type(item.content) is Box:
            return SlotType(OPAQUE)  # nobody can know what others put there
        value = item.value
        if value is None or value not in self.tracer.outermost.params:
            return OPAQUE  # the types of other values may yet grow
        if isinstance(value.type, NumberType):
            return NumberType(value.type.kind)
        plain = is_plain(value.type) and not isinstance(value.type, ObjectType)
        return value.type if plain else OPAQUE

    def _require(self, function: FunctionType, name: str, slot: Symbol) -> None:
        if not self.tracer.is_visible(slot):
            raise _refusal(function, f"is used as a value and refers to {name} too early")


def _refusal(function: FunctionType, why: str) -> Unstageable:
    return Unstageable(f"the function {function.__qualname__} {why}", _ADVICE)


def _variables(function: FunctionType) -> Iterator[tuple[str, CellType]]:
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def _rebuilt(
    tracer: Tracer,
    function: FunctionType,
    captured: Collection[_Captured],
    symbols: Sequence[Symbol],
) -> FunctionType:
    """Return `function` with cells that hold what its definition is handed."""
    handed = iter(symbols)
    cells = []
    for item in captured:
        if item.is_itself:
            cells.append(CellType(symbols[-1]))
        elif item.value is None:
            cells.append(CellType(item.content))
        elif type(item.content) is Box:
            cells.append(CellType(Box.over(tracer, item.name, next(handed))))
        else:
            cells.append(CellType(next(handed)))
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, None, tuple(cells)
    )
    made.__qualname__ = function.__qualname__
    return made


def with_all(
    function: FunctionType, values: Mapping[str, object]
) -> tuple[FunctionType, list[object]]:
    """Return `function` and its arguments, given the values of all parameters.

    The function takes what stands for ``*args`` and ``**kwargs`` like any other argument.

    >>> made, values = with_all(lambda a, *args, k: (a, args, k), {"a": 1, "args": "later", "k": 2})
    >>> made(*values)
    (1, 'later', 2)
    """
    code = function.__code__
    any_number = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    plain = code.replace(
        co_argcount=len(values),
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_flags=code.co_flags & ~any_number,
    )
    made = FunctionType(plain, function.__globals__, function.__name__, None, function.__closure__)
    made.__qualname__ = function.__qualname__
    return made, [values[name] for name in code.co_varnames[: len(values)]]


def _header(signature: inspect.Signature) -> tuple[str, ...]:
    """Return the names of the parameters as in a header, with ``/`` and ``*`` between them."""
    stars: dict[object, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**",
    }  # fmt: skip
    names: list[str] = []
    parameters = list(signature.parameters.values())
    for number, parameter in enumerate(parameters):
        before = parameters[number - 1].kind if number else None
        if before is parameter.POSITIONAL_ONLY and parameter.kind is not before:
            names.append("/")
        if parameter.kind is parameter.KEYWORD_ONLY and before not in (
            parameter.kind, parameter.VAR_POSITIONAL
        ):  # fmt: skip
            names.append("*")
        names.append(stars.get(parameter.kind, "") + parameter.name)
    if parameters and parameters[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        names.append("/")
    return tuple(names)
