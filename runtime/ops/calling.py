"""How operations that are NumPy functions are declared: arguments by name, ``out``, fallbacks.

Owns `Arguments` (the inputs of a call bound to parameter names) and `define`, the one way to
register a NumPy function. It leaves types and aliases of each function to the families. Invariant:
whatever a family does not decide gets an opaque type and conservative effects, so that a family
states only what it is sure of.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..ir.graph import Attributes, Constant, Value
from ..ir.lattice import join
from ..ir.types import (
    BOTTOM,
    LIST,
    OPAQUE,
    PLAIN,
    ArrayType,
    NoneType,
    NumberType,
    OpaqueType,
    ScalarType,
    TupleType,
    Type,
    is_immutable,
    is_plain,
)
from .dense import CertainError, Dense, UndecidedError, dense_of
from .effects import by_option
from .registry import (
    FRESH,
    FUNCTIONS,
    OPERATIONS,
    UNKNOWN,
    Alias,
    Effects,
    Operation,
    Raises,
    Sharing,
    register,
)

_MISSING = object()
_PLAIN_CLASSES = (
    bool, int, float, complex, str, bytes, tuple, list, dict, set, type(None), np.ndarray,
)  # fmt: skip


_MEMORYLESS = (type, np.dtype, np.ufunc, type(Ellipsis))


def enters_user_code(value: Value) -> bool:
    """Tell whether a NumPy function given `value` may run code of a user's class.

    Classes of NumPy and builtin ones (as ``dtype=``) are harmless, and so is ``...``.
    """
    if isinstance(value, Constant):
        payload = value.value
        if isinstance(payload, type):
            return not (payload in _PLAIN_CLASSES or issubclass(payload, np.generic))
        if payload is Ellipsis:
            return False
        if type(payload) is tuple:
            return any(enters_user_code(Constant(item)) for item in payload)
    return not is_plain(value.type)


def readable(inputs: Sequence[Value]) -> tuple[int, ...]:
    """Return the positions of the inputs whose memory a NumPy function may read."""
    return tuple(
        i
        for i, value in enumerate(inputs)
        if not is_immutable(value.type)
        and not (isinstance(value, Constant) and isinstance(value.value, _MEMORYLESS))
    )


class Arguments:
    """The inputs of a call, bound to the names of a function's parameters.

    Parameters
    ----------
    parameters
        Names in order. One that starts with ``*`` takes all positional inputs, and is also the
        name of the first of them; the others are keywords then.
    inputs, attrs
        Those of the operation.

    Raises
    ------
    UndecidedError
        If they do not fit the names.
    """

    def __init__(
        self, parameters: Sequence[str], inputs: Sequence[Value], attrs: Attributes
    ) -> None:
        self.inputs = tuple(inputs)
        self.positions: dict[str, int] = {}
        self.rest: tuple[int, ...] = ()
        """Positions of the inputs that a ``*`` parameter took."""
        keywords = attrs.get("keywords", ())
        names: tuple[str, ...] = keywords if isinstance(keywords, tuple) else ()
        split = len(inputs) - len(names)
        positional = [name for name in parameters if not name.startswith("*")]
        starred = [name[1:] for name in parameters if name.startswith("*")]
        for position in range(split):
            if starred:
                self.positions.setdefault(starred[0], position)
                self.rest += (position,)
            elif position < len(positional):
                self.positions[positional[position]] = position
            else:
                raise UndecidedError
        for position, name in enumerate(names, split):
            if name in self.positions or name not in positional:
                raise UndecidedError
            self.positions[name] = position

    def given(self, name: str) -> bool:
        """Tell whether the argument is there and not ``None``."""
        position = self.positions.get(name)
        return position is not None and not isinstance(self.inputs[position].type, NoneType)

    def only(self, *names: str) -> None:
        """Leave the call undecided if any other argument is given."""
        for name in self.positions:
            if name not in names and self.given(name):
                raise UndecidedError

    def value(self, name: str) -> Value:
        """Return an argument; undecided if it is missing."""
        position = self.positions.get(name)
        if position is None:
            raise UndecidedError
        return self.inputs[position]

    def type(self, name: str) -> Type:
        """Return the type of an argument; undecided if it is missing."""
        return self.value(name).type

    def dense(self, name: str) -> Dense:
        """Return an argument as an array, whatever numeric value it is."""
        return dense_of(self.type(name))

    def array(self, name: str) -> ArrayType:
        """Return the type of an argument that is an array already."""
        type_ = self.type(name)
        if not isinstance(type_, ArrayType):
            raise UndecidedError
        return type_

    def constant(self, name: str, default: object = None) -> object:
        """Return the payload of an argument that is known while compiling."""
        position = self.positions.get(name)
        return default if position is None else known(self.inputs[position])

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a known truth value."""
        payload = self.constant(name, default)
        if not isinstance(payload, bool | np.bool_):
            raise UndecidedError
        return bool(payload)

    def integer(self, name: str, default: int) -> int:
        """Return a known integer."""
        return integer_of(self.constant(name, default))

    def dtype(self, name: str = "dtype") -> np.dtype | None:
        """Return a known numeric dtype, None if it is not given.

        Raises
        ------
        UndecidedError
            If it is known only at run time, or not numeric.
        """
        if not self.given(name):
            return None
        payload = self.constant(name)
        if not isinstance(payload, str | np.dtype | type):
            raise UndecidedError
        try:
            dtype = np.dtype(payload)
        except TypeError:
            raise UndecidedError from None
        if dtype.kind not in "biufc" or not dtype.isnative:
            raise UndecidedError
        return dtype


def known(value: Value) -> object:
    """Return the payload of a value that is known while compiling.

    Raises
    ------
    UndecidedError
        If it is known only at run time.
    """
    if isinstance(value, Constant):
        return value.value
    type_ = value.type
    if isinstance(type_, NumberType) and isinstance(type_.extent, int):
        return type_.extent
    if isinstance(type_, NoneType):
        return None
    if isinstance(type_, TupleType):
        return tuple(known(Value(item)) for item in type_.items)
    raise UndecidedError


def integer_of(payload: object) -> int:
    """Return a known integer as an ``int``; undecided for anything else."""
    if isinstance(payload, int | np.integer) and not isinstance(payload, bool):
        return operator.index(payload)
    raise UndecidedError


def axis_of(payload: object, rank: int) -> int:
    """Return an axis counted from 0.

    Raises
    ------
    UndecidedError
        If `payload` is no integer.
    CertainError
        If an array of that rank has no such axis.
    """
    axis = integer_of(payload)
    if not -rank <= axis < rank:
        raise CertainError
    return axis % rank


def axes_of(payload: object, rank: int) -> tuple[int, ...]:
    """Return axes counted from 0, of an integer, a tuple of them, or None for all."""
    if payload is None:
        return tuple(range(rank))
    if isinstance(payload, tuple):
        axes = tuple(axis_of(item, rank) for item in payload)
        if len(set(axes)) != len(axes):
            raise CertainError
        return axes
    return (axis_of(payload, rank),)


ResultRule = Callable[[Arguments], Type]
AliasRule = Callable[[Arguments], Alias]
RaisesRule = Callable[[Arguments], Raises]


def settled(
    rule: ResultRule, *names: str, otherwise: Raises = Raises.VALUE, settled: Raises = Raises.NEVER
) -> RaisesRule:
    """Return when a function raises that cannot once `rule` knows its result's dtype and rank.

    Parameters
    ----------
    rule
        The function's own result rule.
    names
        The arguments with which that holds.
    otherwise
        When it raises if less is known, or other arguments are given.
    settled
        When it raises if that much is known.
    """

    def raises(arguments: Arguments) -> Raises:
        if any(name not in names for name in arguments.positions):
            return otherwise
        type_ = rule(arguments)
        if isinstance(type_, ScalarType):
            return settled
        if isinstance(type_, ArrayType) and type_.shape is not None and type_.dtype is not None:
            return settled
        return otherwise

    return raises


def view_of(name: str) -> AliasRule:
    """Return the rule: the result is a view of that argument if it is an array, else fresh."""

    def rule(arguments: Arguments) -> Alias:
        return _shares(arguments, name, Sharing.VIEW)

    return rule


def maybe(name: str) -> AliasRule:
    """Return the rule: the result is that argument, a view of it, or fresh."""

    def rule(arguments: Arguments) -> Alias:
        return _shares(arguments, name, Sharing.MAYBE)

    return rule


def _shares(arguments: Arguments, name: str, sharing: Sharing) -> Alias:
    position = arguments.positions[name]
    if is_immutable(arguments.inputs[position].type):
        return FRESH
    return Alias(sharing, (position,))


def any_input(arguments: Arguments) -> Alias:
    """Return the alias of a result that may share memory with any argument."""
    positions = readable(arguments.inputs)
    return Alias(Sharing.MAYBE, positions) if positions else FRESH


def fresh(arguments: Arguments) -> Alias:
    """Return the alias of a result with memory of its own."""
    return FRESH


def opaque_result(inputs: Sequence[Value], fallback: Type) -> Type:
    """Return `fallback` if no input may run unknown code, else opaque."""
    return OPAQUE if any(map(enters_user_code, inputs)) else fallback


def out_type(arguments: Arguments, name: str = "out") -> Type | None:
    """Return the type of what is written through ``out=``, None if it is not given."""
    if not arguments.given(name):
        return None
    type_ = arguments.type(name)
    return type_ if isinstance(type_, ArrayType) else opaque_result([arguments.value(name)], PLAIN)


def _returns_out(arguments: Arguments) -> bool:
    """Tell whether a function with ``out=`` certainly returns that array.

    None may turn out to be given, and a method of a scalar writes to an array without axes but
    returns a scalar.
    """
    return isinstance(arguments.type("out"), ArrayType) and not any(
        isinstance(value.type, ScalarType | OpaqueType) for value in arguments.inputs
    )


def _out_alias(arguments: Arguments, read: tuple[int, ...]) -> Alias:
    """Return the alias of what a function with ``out=`` returns."""
    if _returns_out(arguments):
        return Alias(Sharing.SAME, (arguments.positions["out"],))
    return Alias(Sharing.MAYBE, read)


def bind(
    parameters: Sequence[str], inputs: Sequence[Value], attrs: Attributes
) -> Arguments | None:
    """Return the bound arguments, None if they do not fit."""
    try:
        return Arguments(parameters, inputs, attrs)
    except UndecidedError:
        return None


def _written_names(writes: Sequence[str], arguments: Arguments) -> Iterator[str]:
    """Yield the names of parameters that are written; see `define`."""
    for entry in writes:
        name, _, condition = entry.partition(":")
        if not condition:
            yield name
        elif arguments.given(condition):
            asked = arguments.value(condition)
            if not (isinstance(asked, Constant) and asked.value is False):
                yield name


def decide(rule: ResultRule, arguments: Arguments | None, fallback: Type) -> Type:
    """Return what `rule` says, bottom for a certain error, `fallback` when it is undecided."""
    if arguments is None:
        return fallback
    try:
        return rule(arguments)
    except UndecidedError:
        return fallback
    except CertainError:
        return BOTTOM


class NumpyFunction:
    """The rules of one NumPy function, as `define` takes them."""

    def __init__(
        self,
        parameters: str,
        result: ResultRule,
        alias: AliasRule = fresh,
        raises: Raises | RaisesRule = Raises.VALUE,
        writes: tuple[str, ...] = (),
        fallback: Type = PLAIN,
    ) -> None:
        self.parameters = tuple(parameters.replace(",", " ").split())
        self.result = result
        self.alias = alias
        self.raises = raises
        self.writes = writes
        self.fallback = fallback

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the type of the result."""
        fallback = opaque_result(inputs, self.fallback)
        arguments = bind(self.parameters, inputs, attrs)
        if arguments is not None:
            out = out_type(arguments)
            if out is not None and _returns_out(arguments):
                return (out,)
            if isinstance(out, ArrayType):
                return (opaque_result(inputs, PLAIN),)
            if out is not None:
                return (join(out, decide(self.result, arguments, fallback)),)
        return (decide(self.result, arguments, fallback),)

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        """Return the effects for inputs that are not unions."""
        arguments = bind(self.parameters, inputs, attrs)
        if any(map(enters_user_code, inputs)):
            return UNKNOWN
        read = readable(inputs)
        if arguments is None:
            alias = Alias(Sharing.MAYBE, read) if read else FRESH
            return Effects(Raises.VALUE, read, read, aliases=(alias,))
        written = tuple(
            arguments.positions[name]
            for name in (*_written_names(self.writes, arguments), "out")
            if name in arguments.positions and arguments.given(name)
        )
        if arguments.given("out"):
            return Effects(Raises.VALUE, read, written, aliases=(_out_alias(arguments, read),))
        type_ = decide(self.result, arguments, OPAQUE)
        if type_ == OPAQUE or type_ == BOTTOM:
            alias = Alias(Sharing.MAYBE, read) if read else FRESH
            return Effects(Raises.VALUE, read, written, aliases=(alias,))
        raises = self.raises if isinstance(self.raises, Raises) else self.raises(arguments)
        alias = FRESH if is_immutable(type_) else self.alias(arguments)
        return Effects(raises, read, written, aliases=(alias,))


def define(
    name: str,
    parameters: str,
    result: ResultRule,
    alias: AliasRule = fresh,
    raises: Raises | RaisesRule = Raises.VALUE,
    writes: tuple[str, ...] = (),
    fallback: Type = PLAIN,
    doc: str = "",
) -> Operation | None:
    """Register the NumPy function ``np.<name>``.

    Parameters
    ----------
    name
        Its dotted name under ``numpy``.
    parameters
        The names of its parameters in order, separated by spaces; see `Arguments`. A parameter
        called ``out`` is handled here: it is written, and it is the result.
    result
        The type of the result; may raise `UndecidedError` or `CertainError`.
    alias
        How the result shares memory, asked only when `result` decided.
    raises
        When it raises given that `result` decided and there is no ``out``.
    writes
        Parameters whose memory is written, besides ``out``; ``"a:flag"`` says that ``a`` is
        written if the argument ``flag`` is given and not False.
    fallback
        The type of the result for plain inputs when `result` is undecided: what the function
        returns at all. It must cover everything `result` gives.
    doc
        One line; the first line of NumPy's documentation if empty.

    Returns
    -------
    Operation, or None
        None if this version of NumPy has no such function, or it has an operation by another name.
    """
    function = numpy_function(name)
    if function is None or function in FUNCTIONS or f"np.{name}" in OPERATIONS:
        return None
    rules = NumpyFunction(parameters, result, alias, raises, writes, fallback)
    DEFINED[f"np.{name}"] = rules
    return register(
        Operation(
            f"np.{name}",
            function,
            rules.infer,
            by_option(rules.effects),
            doc=doc or first_line(function),
        ),
        function,
    )


DEFINED: dict[str, NumpyFunction] = {}
"""The rules of every function that `define` registered, by the operation's name."""


def numpy_function(name: str) -> Callable[..., object] | None:
    """Return what ``np.<name>`` is, None if this version of NumPy does not have it."""
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, _MISSING)
    return found if callable(found) else None


def first_line(function: object) -> str:
    """Return the first sentence of a function's documentation, or nothing."""
    for line in (getattr(function, "__doc__", "") or "").splitlines():
        text = str(line.strip())
        if text and "(" not in text:
            return text
    return ""


def list_result(arguments: Arguments) -> Type:
    """Return the type of functions that always return a list."""
    return LIST
