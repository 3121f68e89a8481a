"""Variables in a traced function.

Owns where Python means the value of a variable, where it means the variable itself, and what a
change of it becomes. It leaves the operations to `runtime.ops.variables`. Invariant: a variable is
read exactly where its own method would read it; wherever that is not certain the operation gets the
variable itself, and Python decides at run time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..ir.graph import Constant, Value
from ..ir.types import ArrayType, NumberType, ScalarType, TupleType, Type, VariableType, is_plain
from ..ops.methods import METHODS
from ..ops.registry import Operation
from ..ops.variables import CHANGE, CHANGES, COPY, IN_PLACE, READ
from ..variables import Variable
from .host import NOT_HANDLED
from .symbol import BoundAttribute, Symbol, call_inputs, tracer_of, value_of

if TYPE_CHECKING:
    from .tracer import Tracer

_UNARY = ("neg", "pos", "invert", "not", "truth")
_BINARY = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and",
    "or", "xor", "lt", "le", "eq", "ne", "gt", "ge", *IN_PLACE,
)  # fmt: skip
_READING_BUILTINS = frozenset(
    f"builtins.{name}"
    for name in (
        "len", "abs", "float", "int", "complex", "bool", "divmod", "range", "sum",
        "any", "all", "sorted", "list", "tuple", "enumerate", "zip", "iter",
    )
)
_METHODS = frozenset(name for name in METHODS if name in vars(Variable))
"""Methods of arrays that a variable has too."""
_PLAIN_OBJECTS = (
    bool, int, float, complex, str, type(None), type(Ellipsis), slice, np.ndarray, np.generic,
    np.dtype, np.ufunc, type,
)  # fmt: skip


def is_variable(item: object) -> bool:
    """Tell whether `item` stands for a variable whose type is known, and remember the answer."""
    if type(item) is not Symbol or not _is_known(value_of(item).type):
        return False
    return tracer_of(item).ask(item, _is_known)


def _is_known(type_: Type) -> bool:
    return isinstance(type_, VariableType)


def read(tracer: Tracer, item: object) -> object:
    """Return the value of a variable, recording that it is read; anything else as it is."""
    if isinstance(item, Variable):  # of a graph that is built by hand
        return item.value()
    return tracer.append(READ, (item,)) if is_variable(item) else item


def operate(tracer: Tracer, name: str, inputs: Sequence[object]) -> object:
    """Apply an operator by the host, or to a variable; `NOT_HANDLED` to record it."""
    if not any(map(is_variable, inputs)):
        return tracer.host.operate(tracer, name, inputs)
    if name in IN_PLACE and is_variable(inputs[0]):
        tracer.append_many(CHANGE, inputs, {"method": IN_PLACE[name]})
        return inputs[0]
    if name == "getitem" and is_variable(inputs[0]):
        return tracer.operate(name, read(tracer, inputs[0]), *inputs[1:])
    if name == "setitem" and is_variable(inputs[2]) and _is_number(inputs[0]):
        if not is_variable(inputs[0]):
            tracer.effect(name, (*inputs[:2], read(tracer, inputs[2])))
            return None
    if name in _UNARY or (name in _BINARY and all(map(_is_number, inputs))):
        return tracer.operate(name, *(read(tracer, item) for item in inputs))
    return NOT_HANDLED


def _is_number(item: object) -> bool:
    """Tell whether an operand is a number, an array or a variable, of exactly these classes."""
    if type(item) is Symbol:
        kinds = (ArrayType, ScalarType, NumberType, VariableType)
        return isinstance(value_of(item).type, kinds)
    return isinstance(item, bool | int | float | complex | np.generic) or type(item) is np.ndarray


def arguments(
    tracer: Tracer, operation: Operation, args: Sequence[object], kwargs: Mapping[str, object]
) -> tuple[Sequence[object], Mapping[str, object]]:
    """Return the arguments of a function of NumPy or Python with variables replaced by values.

    They stay if the function does not just take their values, may write to one of them, or gets
    an object of a class that may have a say.
    """
    given = (*args, *kwargs.values())
    if not any(map(_holds_variable, given)):
        return args, kwargs
    name = operation.name
    reads = name.startswith(("np.", "math.")) or name in _READING_BUILTINS
    reads = reads and name != "math.trunc"  # whose error names the class
    if not reads or not all(map(_has_no_say, given)):
        return args, kwargs
    inputs, attrs = call_inputs(args, kwargs)
    effects = operation.effects([Value(_type(item)) for item in inputs], attrs)
    if effects.calls or any(_holds_variable(inputs[place]) for place in effects.writes):
        return args, kwargs
    return (
        [_read_all(tracer, item) for item in args],
        {key: _read_all(tracer, item) for key, item in kwargs.items()},
    )


def _holds_variable(item: object) -> bool:
    return any(map(_holds_variable, item)) if type(item) is tuple else is_variable(item)


def _has_no_say(item: object) -> bool:
    if type(item) is tuple:
        return all(map(_has_no_say, item))
    if type(item) is Symbol:
        return is_variable(item) or is_plain(value_of(item).type)
    return isinstance(item, _PLAIN_OBJECTS)


def _type(item: object) -> Type:
    """Return the type that `item` has once variables are read."""
    if type(item) is tuple:
        return TupleType(tuple(map(_type, item)))
    type_ = value_of(item).type if type(item) is Symbol else Constant(item).type
    return type_.content if isinstance(type_, VariableType) else type_


def _read_all(tracer: Tracer, item: object) -> object:
    if type(item) is tuple:
        return tuple(_read_all(tracer, part) for part in item)
    return read(tracer, item)


def method(
    tracer: Tracer,
    owner: Symbol,
    name: str,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> object:
    """Call a method by the host, or of a variable; `NOT_HANDLED` to have it called at run time."""
    if not is_variable(owner):
        return tracer.host.method(tracer, owner, name, args, kwargs)
    if name in ("value", "read", "numpy") and not args and not kwargs:
        return tracer.append(COPY if name == "numpy" else READ, (owner,))
    if name in CHANGES:
        given = (*args, *kwargs.values())
        if len(given) == 1 and set(kwargs) <= {"value" if name == "assign" else "delta"}:
            tracer.append_many(CHANGE, (owner, *given), {"method": name})
            return owner
    if name in _METHODS and all(map(_has_no_say, (*args, *kwargs.values()))):
        taken = {key: _read_all(tracer, item) for key, item in kwargs.items()}
        value = tracer.append(READ, (owner,))
        if type(value) is Symbol:
            return tracer.method(value, name, [_read_all(tracer, a) for a in args], taken)
    return NOT_HANDLED


def attribute(tracer: Tracer, symbol: Symbol, name: str) -> object:
    """Read an attribute by the host, or of a variable; `NOT_HANDLED` to read it at run time."""
    if not is_variable(symbol):
        return tracer.host.attribute(tracer, symbol, name)
    if name == "ndim":
        rank = tracer.ask(symbol, _rank)
        return NOT_HANDLED if rank is None else rank
    if name == "dtype":
        dtype = tracer.ask(symbol, _dtype)
        return NOT_HANDLED if dtype is None else dtype
    if name == "T":
        return tracer.attribute(read(tracer, symbol), name)  # type: ignore[arg-type]  # a symbol
    if name in _METHODS or name in CHANGES or name in ("value", "read", "numpy"):
        return BoundAttribute(symbol, name)
    return NOT_HANDLED


def _rank(type_: Type) -> int | None:
    return type_.content.rank if isinstance(type_, VariableType) else None


def _dtype(type_: Type) -> np.dtype | None:
    return type_.content.dtype if isinstance(type_, VariableType) else None
