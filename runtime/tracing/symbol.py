"""Symbolic values: what user code sees in place of numbers, arrays and containers while tracing.

Owns `Symbol`, which answers every operator, attribute and NumPy protocol by recording an operation,
and `BoundAttribute`, a method that has not been called yet. It leaves deciding what to record to
the `Tracer`. Invariant: a symbol never pretends to be a value: whatever needs the actual value
(``bool``, ``int``, ``hash``, ``str``) raises a signal, never returns a wrong answer.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from ..ir.graph import Value
from ..ir.types import NumberType, TupleType, Type
from .signals import StaticDemand, Unstageable

if TYPE_CHECKING:
    from ..ir.builder import OpenRegion
    from .tracer import Tracer


def _forward(name: str) -> Callable[[Symbol, object], object]:
    def operate(self: Symbol, other: object) -> object:
        return tracer_of(self).operate(name, self, other)

    return operate


def _reflected(name: str) -> Callable[[Symbol, object], object]:
    def operate(self: Symbol, other: object) -> object:
        augmented = _is_augmented(sys._getframe(1))  # Python's errors tell ``+=`` from ``+``
        return tracer_of(self).operate(f"i{name}" if augmented else name, other, self)

    return operate


def _unary(name: str) -> Callable[[Symbol], object]:
    def operate(self: Symbol) -> object:
        return tracer_of(self).operate(name, self)

    return operate


_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_COMPARE_SHIFT = 0 if sys.version_info < (3, 12) else 4 if sys.version_info < (3, 13) else 5


def _comparison(name: str) -> Callable[[Symbol, object], object]:
    """Return a comparison; ``1 < x``, which Python hands over as ``x > 1``, is put right again."""

    def compare(self: Symbol, other: object) -> object:
        if type(other) is not Symbol and _is_mirrored(sys._getframe(1), _SIGNS[name]):
            return tracer_of(self).operate(_MIRRORED[name], other, self)
        return tracer_of(self).operate(name, self, other)

    return compare


_AUGMENTED = range(13, 26)
"""Arguments of ``BINARY_OP`` from ``+=`` to ``^=``."""


def _is_augmented(frame: FrameType) -> bool:
    """Tell whether `frame` is executing an augmented assignment."""
    code = frame.f_code.co_code
    at = frame.f_lasti
    return code[at] == dis.opmap["BINARY_OP"] and code[at + 1] in _AUGMENTED


def _is_indexing(frame: FrameType) -> bool:
    """Tell whether `frame` is executing a subscript."""
    name = dis.opname[frame.f_code.co_code[frame.f_lasti]]
    return name in ("BINARY_SUBSCR", "BINARY_SLICE")


def _is_mirrored(frame: FrameType, sign: str) -> bool:
    """Tell whether `frame` is executing a comparison other than `sign`."""
    code = frame.f_code.co_code
    at = frame.f_lasti
    if code[at] != dis.opmap["COMPARE_OP"]:
        return False
    return dis.cmp_op[code[at + 1] >> _COMPARE_SHIFT] != sign


class Symbol:
    """A value that is known only at run time. Made by the tracer alone."""

    __slots__ = ("__ag_tracer__", "__ag_value__")

    def __init__(self, tracer: Tracer, value: Value) -> None:
        object.__setattr__(self, "__ag_tracer__", tracer)
        object.__setattr__(self, "__ag_value__", value)

    __add__, __radd__, __iadd__ = _forward("add"), _reflected("add"), _forward("iadd")
    __sub__, __rsub__, __isub__ = _forward("sub"), _reflected("sub"), _forward("isub")
    __mul__, __rmul__, __imul__ = _forward("mul"), _reflected("mul"), _forward("imul")
    __truediv__, __rtruediv__ = _forward("truediv"), _reflected("truediv")
    __itruediv__ = _forward("itruediv")
    __floordiv__, __rfloordiv__ = _forward("floordiv"), _reflected("floordiv")
    __ifloordiv__ = _forward("ifloordiv")
    __mod__, __rmod__, __imod__ = _forward("mod"), _reflected("mod"), _forward("imod")
    __pow__, __rpow__, __ipow__ = _forward("pow"), _reflected("pow"), _forward("ipow")
    __matmul__, __rmatmul__ = _forward("matmul"), _reflected("matmul")
    __imatmul__ = _forward("imatmul")
    __lshift__, __rlshift__ = _forward("lshift"), _reflected("lshift")
    __rshift__, __rrshift__ = _forward("rshift"), _reflected("rshift")
    __ilshift__, __irshift__ = _forward("ilshift"), _forward("irshift")
    __and__, __rand__, __iand__ = _forward("and"), _reflected("and"), _forward("iand")
    __or__, __ror__, __ior__ = _forward("or"), _reflected("or"), _forward("ior")
    __xor__, __rxor__, __ixor__ = _forward("xor"), _reflected("xor"), _forward("ixor")
    __lt__, __le__ = _comparison("lt"), _comparison("le")
    __gt__, __ge__ = _comparison("gt"), _comparison("ge")
    __eq__, __ne__ = _forward("eq"), _forward("ne")  # type: ignore[assignment]  # symbolic answers
    __neg__, __pos__, __invert__ = _unary("neg"), _unary("pos"), _unary("invert")

    def __abs__(self) -> object:
        """Record ``abs``."""
        return tracer_of(self).function(abs, (self,), {})

    def __round__(self, ndigits: object = None) -> object:
        """Record ``round``."""
        arguments = (self,) if ndigits is None else (self, ndigits)
        return tracer_of(self).function(round, arguments, {})

    def __getitem__(self, index: object) -> object:
        """Record a subscript."""
        return tracer_of(self).operate("getitem", self, index)

    def __setitem__(self, index: object, value: object) -> None:
        """Record a write."""
        tracer_of(self).effect("setitem", (self, index, value))

    def __delitem__(self, index: object) -> None:
        """Record a deletion."""
        tracer_of(self).effect("delitem", (self, index))

    def __getattr__(self, name: str) -> object:
        """Read an attribute, or record reading it."""
        return tracer_of(self).attribute(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        """Write an attribute, or record writing it."""
        tracer_of(self).set_attribute(self, name, value)

    def __delattr__(self, name: str) -> None:
        """Record the deletion of an attribute."""
        tracer_of(self).delete_attribute(self, name)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Record a call."""
        return tracer_of(self).call_value(self, args, kwargs)

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kw: object) -> object:
        """Record a ufunc."""
        return tracer_of(self).ufunc(ufunc, method, inputs, kw)

    def __array_function__(
        self, function: object, types: object, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        """Record a function of NumPy."""
        return tracer_of(self).function(function, args, kwargs)

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        """Refuse: there is no array yet."""
        raise _refusal(
            self,
            "code that is not compiled asks for the array behind a value known only at run time",
            "an array",
        )

    def __iter__(self) -> Iterator[object]:
        """Iterate over the items of a tuple of known length."""
        tracer = tracer_of(self)
        length = _length(self)
        if length is None:
            reason = "a value known only at run time is iterated by code not compiled"
            raise _refusal(self, reason, "its items")
        return iter([tracer.operate("getitem", self, index) for index in range(length)])

    def __bool__(self) -> bool:
        """Ask for the truth to be static."""
        raise _demand(self, "the truth of a value")

    def __index__(self) -> int:
        """Return a known integer, or ask for it to be static."""
        literal = tracer_of(self).ask(self, literal_int)
        if literal is not None:
            return literal
        raise _demand(self, "an integer", _is_indexing(sys._getframe(1)))

    def __int__(self) -> int:
        """Return a known integer, or ask for it to be static."""
        return self.__index__()

    def __float__(self) -> float:
        """Ask for the number to be static."""
        raise _demand(self, "a number")

    def __complex__(self) -> complex:
        """Ask for the number to be static."""
        raise _demand(self, "a number")

    def __len__(self) -> int:
        """Return a known length, or ask for it to be static."""
        length = _length(self)
        if length is not None:
            return length
        raise _demand(self, "a length")

    def __hash__(self) -> int:
        """Ask for the key to be static."""
        if tracer_of(self).host.symbols_are_keys:
            return object.__hash__(self)
        raise _demand(self, "a key")

    def __str__(self) -> str:
        """Return the text that the host has for it, or ask for the text to be static."""
        text = tracer_of(self).host.text(self)
        if text is None:
            raise _demand(self, "a text")
        return text

    def __format__(self, spec: str) -> str:
        """Return the text that the host has for it, or ask for the text to be static."""
        try:
            return format(str(self), spec)
        except ValueError:  # it is meant for a number
            raise _demand(self, "a text") from None

    def __contains__(self, item: object) -> bool:
        """Refuse: ``in`` is converted."""
        raise _refusal(self, "membership is tested by code that is not compiled", "its items")

    def __copy__(self) -> NoReturn:
        """Refuse: the copy module is not compiled."""
        reason = "a value known only at run time is copied by code not compiled"
        raise _refusal(self, reason, "a copy")

    def __deepcopy__(self, memo: object) -> NoReturn:
        """Refuse: the copy module is not compiled."""
        reason = "a value known only at run time is copied by code not compiled"
        raise _refusal(self, reason, "a copy")

    def __reduce__(self) -> NoReturn:
        """Refuse: a symbol lives in its trace."""
        raise _refusal(self, "a value known only at run time is pickled", "a copy")

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return tracer_of(self).host.text(self) or f"<symbol {value_of(self)!r}>"


class BoundAttribute(Symbol):
    """``value.name`` where the name is that of a method; becomes an operation when called.

    Used in any other way it is a symbol like others: that of the method, read where it stands.
    """

    __slots__ = ("__ag_home__", "__ag_known__", "__ag_method__", "__ag_owner__")

    def __init__(self, owner: Symbol, name: str) -> None:
        tracer = tracer_of(owner)
        object.__setattr__(self, "__ag_tracer__", tracer)
        object.__setattr__(self, "__ag_owner__", owner)
        object.__setattr__(self, "__ag_method__", name)
        object.__setattr__(self, "__ag_home__", tracer.builder.current)
        object.__setattr__(self, "__ag_known__", None)

    @property
    def __ag_value__(self) -> Value:
        """The method itself, made only when it is asked for."""
        home: OpenRegion = object.__getattribute__(self, "__ag_home__")
        known: Value | None = object.__getattribute__(self, "__ag_known__")
        tracer = tracer_of(self)
        if known is None or not any(known in node.outputs for node in home.nodes):
            known = tracer.read_method(*self.__ag_parts__, home)
            object.__setattr__(self, "__ag_known__", known)
        return known

    @property
    def __ag_parts__(self) -> tuple[Symbol, str]:
        """What has the method, and its name."""
        owner: Symbol = object.__getattribute__(self, "__ag_owner__")
        name: str = object.__getattribute__(self, "__ag_method__")
        return owner, name

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Record a call."""
        owner, name = self.__ag_parts__
        return tracer_of(self).method(owner, name, args, kwargs)

    def __bool__(self) -> bool:
        """Return that a method is true."""
        return True


@dataclass(frozen=True, slots=True)
class Splat:
    """``*symbol`` or ``**symbol`` in a call, where the length is known only at run time."""

    symbol: Symbol


def _demand(symbol: Symbol, purpose: str, indexes: bool = False) -> BaseException:
    demand = StaticDemand(value_of(symbol), purpose, indexes=indexes)
    return tracer_of(symbol).host.demanded(demand)


def _refusal(symbol: Symbol, reason: str, purpose: str) -> BaseException:
    return tracer_of(symbol).host.demanded(Unstageable(reason), value_of(symbol), purpose)


def _length(symbol: Symbol) -> int | None:
    """Return a length that is certain."""
    tracer = tracer_of(symbol)
    length = tracer.ask(symbol, tuple_length)
    return tracer.host.known_length(value_of(symbol).type) if length is None else length


def tracer_of(symbol: Symbol) -> Tracer:
    """Return the tracer that made `symbol`."""
    tracer: Tracer = object.__getattribute__(symbol, "__ag_tracer__")
    return tracer


def value_of(symbol: Symbol) -> Value:
    """Return the graph value that `symbol` stands for."""
    value: Value = object.__getattribute__(symbol, "__ag_value__")
    return value


def has_splat(args: Iterable[object]) -> bool:
    """Tell whether the arguments of a call hold something spread at run time."""
    return any(type(argument) is Splat for argument in args)


def call_inputs(
    positional: Sequence[object], named: Mapping[str, object]
) -> tuple[list[object], dict[str, object]]:
    """Return the inputs and attributes of a call-like operation."""
    attrs: dict[str, object] = {"keywords": tuple(named)} if named else {}
    if has_splat(positional):
        attrs["starred"] = tuple(i for i, item in enumerate(positional) if type(item) is Splat)
    items = (*positional, *named.values())
    return [item.symbol if type(item) is Splat else item for item in items], attrs


def is_symbolic(item: object) -> bool:
    """Tell whether `item` is a symbol, or a tuple or slice with a symbol somewhere inside."""
    kind = type(item)
    if kind is Symbol or kind is BoundAttribute or kind is Splat:
        return True
    if kind is tuple:
        return any(is_symbolic(part) for part in item)  # type: ignore[attr-defined]  # by its class
    if kind is slice:
        return any(is_symbolic(p) for p in (item.start, item.stop, item.step))  # type: ignore[attr-defined]
    return False


def literal_int(type_: Type) -> int | None:
    """Return the number that values of `type_` are known to equal, or None."""
    if isinstance(type_, NumberType) and isinstance(type_.extent, int):
        return type_.extent
    return None


def tuple_length(type_: Type) -> int | None:
    """Return the number of items of a tuple of type `type_`, None if the type does not tell."""
    return len(type_.items) if isinstance(type_, TupleType) else None
