"""The world of a traced function: what its names, attributes and calls stand for.

Owns the `World`, the tracer's host: it reads globals, cells and arguments by access path, records a
guard for each, turns numbers, arrays and containers into parameters of the graph, and inlines
functions. It leaves objects to `objects`, and recording operations to the tracer. Invariant: the
world only reads; nothing of the user's is stored to or called while tracing.
"""

from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import CellType, CodeType, FunctionType, MethodType

import numpy as np

from runtime.errors import ConversionError
from runtime.ir.graph import Constant, Graph, Origin, Value
from runtime.ir.types import OPAQUE
from runtime.ops.registry import UNKNOWN_VALUE
from runtime.tracing.closures import Closures, with_all
from runtime.tracing.generators import Generated, GeneratorFunction, generated, use_up
from runtime.tracing.host import Contents
from runtime.tracing.recursion import Definitions
from runtime.tracing.signals import Unstageable
from runtime.tracing.symbol import Symbol, has_splat, is_symbolic, value_of
from runtime.tracing.tracer import Tracer

from .abstraction import Abstraction
from .allowlist import is_library_function, is_library_item
from .binding import bind_spread
from .builtin_calls import call_builtin
from .construction import construct
from .converted import Capture, Converted
from .guards import (
    AbsentGuard,
    ClassGuard,
    EqualGuard,
    Guard,
    IdentityGuard,
    KeysGuard,
    TypeGuard,
)
from .key_functions import list_method
from .objects import ObjectHost
from .origins import current_origin, origin_of_error
from .overlay import (
    OverlayGlobals,
    is_overlay_frame,
    is_overlay_function,
    make_function,
    overlay_builtins,
    plain_builtin,
    user_frame,
)
from .paths import Argument, Attribute, Cell, Global, Item, Known, Namespace, Path
from .recursive import RecursiveCalls
from .settings import Restart, Settings
from .stand_ins import tells_of_stand_in
from .statics import StaticAttributes, is_code, is_fixed, is_static, is_users_code
from .structures import Structures

MAX_RECURSION = 4
_BY_VALUE = (str, bytes)


@dataclass
class World(ObjectHost):
    """The host of one trace."""

    settings: Settings
    convert: Callable[..., Converted]
    """Converts a function, for `Settings.function_values` and `Settings.items`."""
    operators: object
    tracer: Tracer = field(init=False)
    definitions: Definitions = field(init=False)
    closures: Closures = field(init=False)
    recursive_calls: RecursiveCalls = field(init=False)
    guards: dict[Path, Guard] = field(default_factory=dict)
    captures: list[Capture] = field(default_factory=list)
    islands: list[tuple[Origin | None, str]] = field(default_factory=list)
    extents: dict[str, Path] = field(default_factory=dict)
    """Where each named extent comes from."""

    def __post_init__(self) -> None:
        """Prepare what is derived."""
        self._live: dict[Value, tuple[Path, object]] = {}
        self._bindings: dict[Path, object] = {}
        self._builtins = overlay_builtins(self)
        self._overlays: dict[tuple[object, ...], OverlayGlobals] = {}
        self._path_of_static: dict[int, Path] = {}
        self._assigned: dict[tuple[str, int, int, int, int], str] = {}
        self._active: list[CodeType] = []
        self._statics = StaticAttributes(self.guards)
        self.structures = Structures(self)
        self.function_choices = self.settings.function_choices

    def may_choose(self, items: Sequence[object]) -> bool:
        """Tell whether `items` are functions of the trace or of libraries, or no functions."""
        return not any(map(is_users_code, items))

    @property
    def open_slots(self) -> bool:  # type: ignore[override]  # read by the tracer
        """Whether variables that live in memory have an open type from the start."""
        return self.settings.open_slots

    @property
    def open_arrays(self) -> bool:  # type: ignore[override]  # read by the tracer
        """Whether dtypes and shapes of arrays are left open."""
        return self.settings.open_arrays

    def array_changes_form(self) -> None:
        """Start again with dtypes and shapes of arrays left open."""
        if not self.settings.open_arrays:
            raise Restart(replace(self.settings, open_arrays=True))

    # Reading the world

    def bind(self, path: Path, live: object, name: str, is_argument: bool = False) -> object:
        """Return what stands for the object found at `path`: itself if static, else a symbol."""
        if path in self._bindings:
            return self._bindings[path]
        moving = self.settings.rebinding or (not is_argument and self.definitions.inside)
        if moving and not is_argument and not is_static(live):
            raise Unstageable(
                f"{path} may be rebound by code that is not compiled",
                "pass it as an argument",
            )
        bound = self._bind(path, live, name, is_argument)
        self._bindings[path] = bound
        return bound

    def bind_keywords(self, path: Path, live: Mapping[str, object]) -> dict[str, object]:
        """Return what stands for the keyword arguments a call had beyond the named parameters."""
        self.guards[path] = KeysGuard(path, tuple(live))
        return {
            key: self._bind(Item(path, key), item, key, is_argument=False)
            for key, item in live.items()
        }

    def _bind(self, path: Path, live: object, name: str, is_argument: bool) -> object:
        moves = is_argument and self.settings.texts_move and type(live) is str
        if path in self.settings.static or (is_static(live) and not moves):
            by_value = isinstance(live, (*_BY_VALUE, int, float, complex, np.generic))
            self.guards[path] = (EqualGuard if by_value else IdentityGuard)(path, live)
            self._path_of_static.setdefault(id(live), path)
            self._statics.add_object(live)
            return live
        if isinstance(live, np.ndarray) and type(live) is not np.ndarray:
            raise Unstageable(
                f"{path} is a {type(live).__qualname__}, a subclass of ndarray",
                "pass a plain ndarray: np.asarray(x), or x.filled(value) of a masked array",
            )
        type_ = Abstraction(self.settings.static, self.extents).type_of(path, live, name)
        if isinstance(live, np.ndarray) and type_ == OPAQUE:
            self.guards[path] = ClassGuard(path, np.ndarray, live.dtype)
        elif isinstance(live, np.generic) and type_ == OPAQUE:
            self.guards[path] = ClassGuard(path, type(live), live.dtype)
        else:
            self.guards[path] = TypeGuard(path, type_)
        symbol = self.tracer.parameter(type_, name)
        if not is_argument:
            self.captures.append(Capture(path, value_of(symbol)))
        self._live[value_of(symbol)] = (path, live)
        return symbol

    def read_global(self, namespace: dict[str, object], name: str) -> object:
        """Return what the global `name` stands for; `UNKNOWN_VALUE` when there is none."""
        path = Global(Namespace(namespace), name)
        live = namespace.get(name, UNKNOWN_VALUE)
        if live is UNKNOWN_VALUE and path not in self.settings.stored:
            self.guards.setdefault(path, AbsentGuard(path))
            place = Global(Namespace(vars(builtins)), name)
            builtin = vars(builtins).get(name, UNKNOWN_VALUE)
            absent = builtin is UNKNOWN_VALUE
            self.guards[place] = AbsentGuard(place) if absent else IdentityGuard(place, builtin)
            return self._builtins.get(name, UNKNOWN_VALUE)
        if path in self.settings.stored or self._is_moving(live):
            inputs = (Constant(path.namespace), Constant(name))
            return self.tracer.append("load_global", inputs, name=name)
        return self.bind(path, live, name)

    def read_cell(self, cell: CellType, name: str) -> object:
        """Return what the variable `name` of a function around stands for."""
        try:
            live = cell.cell_contents
        except ValueError:
            live = UNKNOWN_VALUE
        if live is UNKNOWN_VALUE or self._is_moving(live):
            return self.tracer.append("load_cell", (Constant(cell), Constant(name)), name=name)
        return self.bind(Cell(cell, name), live, name)

    def _is_moving(self, live: object) -> bool:
        """Tell whether a variable is read in its place, where it may be another than `live`."""
        if self.closures.inside and not is_library_item(live):
            return True
        return (self.settings.rebinding or self.definitions.inside) and not is_code(live)

    def store_global(self, name: str, value: object) -> None:
        """Record the assignment of a global variable of the function being traced."""
        frame = user_frame()
        assert frame is not None and isinstance(frame.f_globals, OverlayGlobals)
        path = Global(Namespace(frame.f_globals.namespace), name)
        if path not in self.settings.stored:
            raise Restart(replace(self.settings, stored=self.settings.stored | {path}))
        self.tracer.append_many("store_global", (Constant(path.namespace), Constant(name), value))

    def _overlay(self, original: FunctionType, operators_name: str) -> OverlayGlobals:
        """Return the globals of the converted form of `original`."""
        cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
        # By the operators' name too: another function of the file may mean something else by it.
        bound = tuple((name, id(cell)) for name, cell in cells.items())
        key = id(original.__globals__), operators_name, bound
        overlay = self._overlays.get(key)
        if overlay is None:
            overlay = OverlayGlobals(self, original.__globals__, self._builtins, cells)
            self._overlays[key] = overlay
        overlay.provide(operators_name, self.operators)
        return overlay

    def function(self, original: FunctionType, defaults: bool = True) -> FunctionType:
        """Return the converted form of `original` that belongs to this trace.

        Without `defaults` it has to be called with all its arguments.
        """
        converted = self.convert(original, self.settings.function_values, self.settings.items)
        self._statics.add_code(original.__code__)
        self._assigned.update(converted.assigned)
        overlay = self._overlay(original, converted.operators_name)
        return make_function(
            converted.open_code,
            overlay,
            original,
            self._defaults(original) if defaults else None,
            self._keyword_defaults(original) if defaults else None,
        )

    def _defaults(self, original: FunctionType) -> tuple[object, ...] | None:
        if original.__defaults__ is None:
            return None
        return tuple(
            self._default(original, "__defaults__", i, item)
            for i, item in enumerate(original.__defaults__)
        )

    def _keyword_defaults(self, original: FunctionType) -> dict[str, object] | None:
        if original.__kwdefaults__ is None:
            return None
        return {
            name: self._default(original, "__kwdefaults__", name, item)
            for name, item in original.__kwdefaults__.items()
        }

    def _default(
        self, original: FunctionType, which: str, key: int | str, live: object
    ) -> object:
        """Return what stands for a default; that it is this one is guarded with the function."""
        if is_static(live) or isinstance(live, bool | int | float | complex) or is_fixed(live):
            self._statics.add_object(live)
            return live
        if self.settings.rebinding or self.definitions.inside or self.closures.inside:
            defaults = self.tracer.append("getattr", (original,), {"name": which})
            return self.tracer.append("getitem", (defaults, key), name=f"default_{key}")
        path = Item(Attribute(Known(original), which), key)
        return self.bind(path, live, f"default_{key}")

    def check(self) -> None:
        """Raise `Unstageable` if something built into the trace may change during a run."""
        if self.settings.rebinding and self._statics.has_data:
            raise Unstageable(
                "an attribute of a class or function may be rebound by code that is not compiled",
                "pass its value as an argument",
            )

    def argument_paths(self) -> dict[Value, Path]:
        """Return where the value of each parameter that came from the world is found."""
        return {value: path for value, (path, _) in self._live.items()}

    # What the tracer asks

    def origin(self) -> Origin | None:
        """Return the user's position now being executed."""
        return current_origin()

    def origin_of(self, error: Exception) -> Origin | None:
        """Return the position at which a converted statement raised `error`."""
        return origin_of_error(error)

    def name_at(self, place: Origin) -> str:
        """Return the name that the value of the expression at `place` is assigned to."""
        at = (place.file, place.line, place.column, place.end_line, place.end_column)
        return self._assigned.get(at, "")

    def is_user_error(self, error: Exception) -> bool:
        """Tell whether a converted statement itself raised `error`, a builtin exception."""
        traceback = error.__traceback__
        if traceback is None or type(error).__module__ != "builtins":
            return False
        if isinstance(error, FloatingPointError | RecursionError | MemoryError):
            return False  # warnings and limits met while tracing
        while traceback.tb_next is not None:
            traceback = traceback.tb_next
        own = is_overlay_frame(traceback.tb_frame) and not is_symbolic(error.args)
        return own and not tells_of_stand_in(error)

    def plain(self, item: object) -> object:
        """Return the user's object behind a stand-in of the overlay."""
        return plain_builtin(item)

    def constant(self, item: object) -> object:
        """Return what stands for `item` as a constant of the graph."""
        item = self.plain(item)
        if isinstance(item, Generated | GeneratorFunction):
            raise Unstageable(
                f"the generator {item.name} is used otherwise than by a loop",
                "loop over it, or make a list of it",
            )
        return super().constant(item)

    def made(self, tracer: Tracer, function: FunctionType) -> None:
        """Take notice of an inner function as it is made."""
        self.closures.made(function)

    def lift(self, tracer: Tracer, item: object) -> Value | None:
        """Return the value of a function of the trace; None for anything else."""
        if not (isinstance(item, FunctionType) and is_overlay_function(item)):
            return None
        if not self.settings.function_values:
            raise Restart(replace(self.settings, function_values=True))
        return self.closures.lift(item)

    # Containers of objects

    def _structures_hold(self) -> bool:
        """Tell whether containers of objects may be taken apart here."""
        ahead = not (self.settings.rebinding or self.definitions.inside or self.closures.inside)
        return self.settings.structures and ahead

    def contents(self, tracer: Tracer, item: object) -> Contents | None:
        """Return what iterating over a container of objects gives."""
        return self.structures.contents(tracer, item) if self._structures_hold() else None

    def operate(self, tracer: Tracer, name: str, inputs: Sequence[object]) -> object:
        """Apply an operator to a container of objects, or to an object of a user's class."""
        if name == "getitem" and self._structures_hold():
            found = self.structures.item(tracer, inputs[0], inputs[1])
            if found is not UNKNOWN_VALUE:
                return found
        return super().operate(tracer, name, inputs)

    def method(
        self,
        tracer: Tracer,
        owner: Symbol,
        name: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
    ) -> object:
        """Call a method of a builtin class."""
        if self._structures_hold():
            found = self.structures.method(tracer, owner, name, args, kwargs)
            if found is not UNKNOWN_VALUE:
                return found
        return list_method(self, tracer, owner, name, args, kwargs)

    def check_structures(self, graph: Graph) -> None:
        """Start again with containers known only at run time if a run may change them."""
        if not self.structures.holds(graph):
            raise Restart(replace(self.settings, structures=False))

    def unrolling(self) -> None:
        """Start again with texts known only at run time, in case their items are needed."""
        if not self.settings.texts_move and any(
            isinstance(path, Argument) and type(item) is str
            for path, item in self._bindings.items()
        ):
            raise Restart(replace(self.settings, texts_move=True))

    def unknown_code(self, tracer: Tracer) -> None:
        """Start again without reading ahead, if the world was read ahead."""
        if not self.settings.rebinding and (self.captures or self.structures.used):
            raise Restart(replace(self.settings, rebinding=True))
        if not self.settings.rebinding:
            self.settings = replace(self.settings, rebinding=True)

    def call_builtin(
        self, function: object, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        """Call a builtin function from converted code."""
        if any(isinstance(item, Generated) for item in args):
            return use_up(self.tracer, function, args, kwargs)
        if function is len and len(args) == 1 and not kwargs and self._structures_hold():
            length = self.structures.length(self.tracer, args[0])
            if length is not None:
                return length
        result = call_builtin(self, self.tracer, function, args, kwargs)
        if self._structures_hold():
            self.structures.iterator(self.tracer, function, args, kwargs, result)
        return result

    def call(
        self, tracer: Tracer, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Call what is neither symbolic nor an operation: inline it, or leave it an island."""
        original = plain_builtin(function)
        if original is not function:
            return self.call_builtin(original, tuple(args), dict(kwargs))
        if isinstance(function, MethodType):
            return self._call_method(function, args, kwargs)
        if isinstance(function, functools.partial):
            keywords = {**function.keywords, **kwargs}
            return tracer.function(function.func, (*function.args, *args), keywords)
        if isinstance(function, FunctionType):
            return self._call_function(function, args, kwargs)
        if isinstance(function, type):
            return construct(tracer, function, args, kwargs, self.island)
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc):
            name = getattr(function, "__name__", "")
            tracer.note("call", "operation", f"method {name}")
            return tracer.ufunc(owner, name, args, dict(kwargs))
        if isinstance(owner, str | bytes | tuple):
            inputs, attrs = tracer.arguments(args, kwargs, owner)
            name = getattr(function, "__name__", "")
            if not is_symbolic((*args, *kwargs.values())) and isinstance(owner, str | bytes):
                result = function(*args, **kwargs)  # type: ignore[operator]  # a pure text method
                if not isinstance(result, list):  # each run makes its own list
                    tracer.note("call", "plain", "its arguments are known while tracing")
                    return result
            tracer.note("call", "operation", f"method {name}")
            return tracer.append("method", inputs, {**attrs, "name": name})
        return self.island(function, args, kwargs)

    def _call_method(
        self, method: MethodType, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        owner = method.__self__
        library = isinstance(method.__func__, FunctionType) and is_library_function(method.__func__)
        if library and type(owner) is not Symbol:
            return self.island(method, args, kwargs)
        if type(owner) is not Symbol and not isinstance(owner, type | Enum):
            path = self._path_of_static.get(id(method))
            if path is None:
                raise Unstageable(f"the method {method.__qualname__} of an object made elsewhere")
            owner = self.bind(Attribute(path, "__self__"), owner, "self")
        return self.tracer.function(method.__func__, (owner, *args), kwargs)

    def _call_function(
        self, function: FunctionType, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        if is_overlay_function(function):
            return self._enter(function, args, kwargs)
        compiled = vars(function).get("__autograph_original__")
        copied = vars(function).get("__wrapped__") is not compiled  # by another decorator
        if isinstance(compiled, FunctionType) and not copied:
            return self._call_function(compiled, args, kwargs)
        unmarked = not getattr(function, "__autograph_do_not_convert__", False)
        if not unmarked or is_library_function(function):
            return self.island(function, args, kwargs)
        try:
            converted = self.function(function)
            self._statics.guard_function(function)
        except ConversionError as error:
            if self.settings.strict:
                raise Unstageable(str(error)) from error
            return self.island(function, args, kwargs)
        if function.__code__.co_flags & inspect.CO_GENERATOR:
            return generated(self.tracer, converted, args, kwargs, self._enter_generator)
        return self._enter(converted, args, kwargs)

    def _enter_generator(
        self,
        tracer: Tracer,
        function: FunctionType,
        args: Sequence[object],
        kwargs: Mapping[str, object],
    ) -> object:
        return self._enter(function, args, kwargs)

    def _enter(
        self, function: FunctionType, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        if has_splat((*args, *kwargs.values())):
            function, args = with_all(function, bind_spread(self.tracer, function, args, kwargs))
            kwargs = {}
        code = function.__code__
        if code in self.settings.recursive:
            return self.recursive_calls.call(function, args, kwargs)
        if self._active.count(code) >= MAX_RECURSION:
            raise Restart(replace(self.settings, recursive=self.settings.recursive | {code}))
        self.tracer.note("call", "inlined", function.__qualname__)
        self.tracer.cells.watch(function)
        self._active.append(code)
        try:
            return function(*args, **kwargs)
        finally:
            self._active.pop()

    def island(
        self, function: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        """Record a call made at run time, in its place, on every call."""
        name = getattr(function, "__qualname__", None) or type(function).__qualname__
        self.islands.append((self.origin(), name))
        self.tracer.note("call", "island", f"{name} is not compiled; it is called at run time")
        return self.tracer.island(function, args, kwargs)


__all__ = ["Capture", "Restart", "Settings", "World"]
