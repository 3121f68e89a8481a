"""The universal functions of NumPy: one operation each.

Owns their types (`ufunc_result_types`, which operators and methods use too), their ``out=``,
``where=`` and ``dtype=``. It leaves ``ufunc.reduce`` and its like to `ufunc_methods`. Invariant:
dtypes come from ``ufunc.resolve_dtypes`` alone, with Python numbers promoted weakly as NEP 50 says.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ir.graph import Attributes, Value
from ..ir.lattice import join
from ..ir.types import (
    BOTTOM,
    OPAQUE,
    PLAIN,
    TYPE_OF_CLASS,
    ArrayType,
    Extent,
    NoneType,
    NumberType,
    ObjectType,
    TupleType,
    Type,
)
from .calling import (
    Arguments,
    axis_of,
    enters_user_code,
    first_line,
    integer_of,
    opaque_result,
    readable,
)
from .dense import (
    NUMERIC_DTYPES,
    CertainError,
    DtypeKey,
    Shape,
    UndecidedError,
    array_or_scalar,
    broadcast_result,
    broadcast_shapes,
    dtype_key,
    same_extent,
    shape_of,
)
from .effects import broadcast_fits, by_option, elementwise_raises
from .registry import FRESH, UNKNOWN, Alias, Effects, Operation, Raises, Sharing, register

_ROUNDING = ("floor", "ceil", "trunc")
"""Ufuncs that give integers for Python integers of any length, floats for others in NumPy 2.0."""


def ufunc_result_types(
    ufunc: np.ufunc, inputs: Sequence[Value], dtype: np.dtype | None = None
) -> tuple[Type, ...]:
    """Return the types of a ufunc's results, one for each.

    Parameters
    ----------
    ufunc
        Any ufunc, generalized ones (``matmul``) included.
    inputs
        Its operands. Options of unions are to be tried one by one, as `result_types` does.
    dtype
        The ``dtype=`` of the call, if there is one.

    Returns
    -------
    tuple of Type
        A scalar type when no operand has axes, an array type otherwise; bottom when NumPy has no
        loop for the dtypes or the shapes do not fit, since then the call certainly raises; opaque
        when the operands are not numbers, scalars or arrays.

    >>> x = Value(ArrayType(np.dtype("f4"), ("n", 3)))
    >>> print(*ufunc_result_types(np.add, [x, Value(NumberType("float"))]))
    f32[n, 3]
    """
    fallback = (opaque_result(inputs, PLAIN),) * ufunc.nout
    if len(inputs) != ufunc.nin:
        return fallback
    types = [value.type for value in inputs]
    try:
        dtypes = _result_dtypes(ufunc, types, dtype)
        shapes = [shape_of(type_) for type_ in types]
        if ufunc.signature is not None:
            outputs = core_results(ufunc.signature, shapes)
            return tuple(map(array_or_scalar, dtypes, outputs))
        return tuple(broadcast_result(result, shapes) for result in dtypes)
    except UndecidedError:
        return fallback
    except CertainError:
        return (BOTTOM,) * ufunc.nout


def broadcast_never_raises(inputs: Sequence[Value]) -> bool:
    """Tell whether the shapes of arrays, scalars and numbers certainly broadcast."""
    return broadcast_fits([value.type for value in inputs])


def has_loop_into(ufunc: np.ufunc, inputs: Sequence[Value], out: Type) -> bool:
    """Tell whether NumPy may find a loop of a ufunc whose one result can be cast to `out`.

    >>> x, number = Value(ArrayType(np.dtype("i8"), (3,))), Value(NumberType("float"))
    >>> has_loop_into(np.add, [x, number], x.type), has_loop_into(np.less, [x, number], x.type)
    (False, True)
    """
    if not isinstance(out, ArrayType):
        return True
    try:
        keys = tuple(dtype_key(value.type) for value in inputs)
        _dtypes(ufunc, keys, out=out.dtype)
    except UndecidedError:
        return True
    except CertainError:
        return False
    return True


def _result_dtypes(
    ufunc: np.ufunc, types: Sequence[Type], dtype: np.dtype | None, casting: object = None
) -> tuple[np.dtype | None, ...]:
    keys = tuple(dtype_key(type_) for type_ in types)
    results = _dtypes(ufunc, keys, dtype, casting)
    if len(types) == 1 and types[0] == NumberType("int") and dtype is None:
        # Alone, a Python integer past 64 bits is an object, and the loop for objects returns one.
        if ufunc.__name__ in _ROUNDING or any(r is None or r.kind != "f" for r in results):
            raise UndecidedError
    return results


@functools.cache
def _dtypes(
    ufunc: np.ufunc,
    keys: tuple[DtypeKey, ...],
    dtype: np.dtype | None = None,
    casting: object = None,
    out: np.dtype | None = None,
) -> tuple[np.dtype | None, ...]:
    """Return the dtypes of the results; None for one that depends on an unknown dtype."""
    choices = [NUMERIC_DTYPES if key is None else (key,) for key in keys]
    found: tuple[np.dtype | None, ...] | None = None
    for combination in itertools.product(*choices):
        results = _resolve(ufunc, tuple(combination), dtype, casting, out)
        if results is None:
            continue
        if found is None:
            found = results
        found = tuple(x if x == y else None for x, y in zip(found, results, strict=True))
        if not any(found):
            break
    if found is None:
        raise CertainError
    return found


def _resolve(
    ufunc: np.ufunc,
    keys: tuple[object, ...],
    dtype: np.dtype | None,
    casting: object,
    out: np.dtype | None,
) -> tuple[np.dtype, ...] | None:
    """Return the dtypes of the loop that NumPy would choose, None if there is none."""
    options: dict[str, object] = {}
    if dtype is not None:
        options["signature"] = (*(None,) * ufunc.nin, *(dtype,) * ufunc.nout)
    if casting is not None:
        options["casting"] = casting
    if casting == "equiv" and any(isinstance(key, type) for key in keys):
        raise UndecidedError  # asked that of Python numbers, NumPy up to 2.4 ends the process
    try:
        resolved = ufunc.resolve_dtypes((*keys, *(out,) * ufunc.nout), **options)  # type: ignore[arg-type]
    except TypeError:
        return None
    results: tuple[np.dtype, ...] = resolved[ufunc.nin :]
    return results if all(result.kind in "biufc" for result in results) else None


@functools.cache
def _core_axes(signature: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the names of the core axes of the operands, then of the results.

    >>> _core_axes("(m,n),(n)->(m)")
    ((('m', 'n'), ('n',)), (('m',),))
    """
    return tuple(
        tuple(
            tuple(name for name in part.split(",") if name)
            for part in side.strip("()").split("),(")
        )
        for side in signature.replace(" ", "").split("->")
    )


def core_results(signature: str, shapes: Sequence[Shape | None]) -> tuple[Shape | None, ...]:
    """Return the shapes of the results of a generalized ufunc.

    Parameters
    ----------
    signature
        Such as ``(n?,k),(k,m?)->(n?,m?)``; an axis with ``?`` is missing where the operand has
        one axis too few.
    shapes
        Those of the operands.

    Raises
    ------
    CertainError
        If they certainly do not fit.

    >>> core_results("(n?,k),(k,m?)->(n?,m?)", [("n", 3), (3,)])
    (('n',),)
    """
    operands, results = _core_axes(signature)
    sizes: dict[str, Extent] = {}
    missing: set[str] = set()
    outer: list[Shape] = []
    for names, shape in zip(operands, shapes, strict=True):
        if shape is None:
            return (None,) * len(results)
        optional = [name for name in names if name.endswith("?")]
        if len(shape) == len(names) - 1 and optional:
            missing.update(optional)
            names = tuple(name for name in names if name not in optional)
        if len(shape) < len(names):
            raise CertainError
        split = len(shape) - len(names)
        outer.append(shape[:split])
        for name, extent in zip(names, shape[split:], strict=True):
            sizes[name] = same_extent(sizes[name], extent) if name in sizes else extent
    loop = broadcast_shapes(outer)
    return tuple(
        (*loop, *(sizes[name] for name in names if name not in missing)) for names in results
    )


def core_results_along(
    signature: str, shapes: Sequence[Shape | None], arguments: Arguments
) -> tuple[Shape | None, ...]:
    """Return the shapes of the results of a generalized ufunc called with ``axis`` and the like.

    Raises
    ------
    UndecidedError
        If the axes are known only at run time, and matter to the number of axes.
    CertainError
        If the shapes certainly do not fit.
    """
    operands, results = _core_axes(signature)
    if arguments.given("axes"):
        if arguments.given("keepdims"):
            raise UndecidedError
        blank = [None if shape is None else (None,) * len(shape) for shape in shapes]
        return core_results(signature, blank)
    axis = arguments.constant("axis", -1)
    kept = arguments.flag("keepdims")
    if axis in (-1, None) and not kept:
        return core_results(signature, shapes)
    if any(len(names) != 1 for names in operands) or any(results):
        raise UndecidedError
    moved = [_axis_last(shape, integer_of(axis)) for shape in shapes]
    loops = core_results(signature, moved)
    if not kept:
        return loops
    return tuple(loop if loop is None else _inserted(loop, integer_of(axis)) for loop in loops)


def _axis_last(shape: Shape | None, axis: int) -> Shape | None:
    if shape is None:
        return None
    at = axis_of(axis, len(shape))
    return (*shape[:at], *shape[at + 1 :], shape[at])


def _inserted(shape: Shape, axis: int) -> Shape:
    at = axis_of(axis, len(shape) + 1)
    return (*shape[:at], 1, *shape[at:])


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a ufunc, taken apart."""

    operands: tuple[Value, ...]
    outs: tuple[int | None, ...]
    """Position of the input that each result is written to."""
    out_tuple: int | None
    """Position of a tuple given as ``out=``."""
    arguments: Arguments

    def out_types(self) -> tuple[Type, ...]:
        """Return the types of what results are written to."""
        inputs = self.arguments.inputs
        if self.out_tuple is None:
            return tuple(inputs[at].type for at in self.outs if at is not None)
        type_ = inputs[self.out_tuple].type
        items = type_.items if isinstance(type_, TupleType) else (type_,)
        return tuple(item for item in items if not isinstance(item, NoneType))


def _out_shape(type_: Type) -> Shape | None:
    if not isinstance(type_, ArrayType):
        raise UndecidedError
    return type_.shape


_OPTIONS = (
    "out", "where", "dtype", "casting", "order", "subok", "signature", "sig", "axes", "axis",
    "keepdims",
)  # fmt: skip
_LOOP_OPTIONS = ("dtype", "casting", "signature", "sig")
"""Arguments that have a say in which loop is taken."""


def _take_apart(ufunc: np.ufunc, inputs: Sequence[Value], attrs: Attributes) -> _Call | None:
    """Return the parts of a call, None when it has arguments that this file does not treat."""
    names = [f"x{i}" for i in range(ufunc.nin)] + [f"out{i}" for i in range(ufunc.nout)]
    try:
        arguments = Arguments((*names, *_OPTIONS), inputs, attrs)
        operands = tuple(arguments.value(name) for name in names[: ufunc.nin])
    except UndecidedError:
        return None
    outs = [arguments.positions.get(name) for name in names[ufunc.nin :]]
    out_tuple = None
    if arguments.given("out"):
        position = arguments.positions["out"]
        if ufunc.nout == 1 and not isinstance(inputs[position].type, TupleType):
            outs = [position]
        else:
            out_tuple = position
    given = tuple(
        None if at is None or isinstance(inputs[at].type, NoneType) else at for at in outs
    )
    return _Call(operands, given, out_tuple, arguments)


class _Ufunc:
    """Types and effects of calling one ufunc."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self.ufunc = ufunc

    def infer(self, inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        """Return the type of the result: a tuple type when there are several results."""
        fallback = opaque_result(inputs, PLAIN)
        call = _take_apart(self.ufunc, inputs, attrs)
        if call is None:
            return (fallback,)
        if call.out_tuple is not None:
            return (self._written_tuple(call, inputs, fallback),)
        results = self._fresh_results(call)
        types = tuple(
            result if at is None else self._written(call, inputs[at], result)
            for at, result in zip(call.outs, results, strict=True)
        )
        if BOTTOM in types:
            return (BOTTOM,)
        return (types[0] if len(types) == 1 else TupleType(types),)

    def _written_tuple(self, call: _Call, inputs: Sequence[Value], fallback: Type) -> Type:
        """Return the type of the result when ``out`` is a tuple, with None for what is fresh."""
        assert call.out_tuple is not None
        type_ = inputs[call.out_tuple].type
        if not isinstance(type_, TupleType) or len(type_.items) != self.ufunc.nout:
            return fallback
        pairs = zip(type_.items, self._fresh_results(call), strict=True)
        types = tuple(
            result if isinstance(item, NoneType) else _written_type(Value(item), result)
            for item, result in pairs
        )
        if BOTTOM in types:
            return BOTTOM
        return types[0] if len(types) == 1 else TupleType(types)

    def _written(self, call: _Call, out: Value, result: Type) -> Type:
        """Return the type of a result written to `out`; bottom if it certainly cannot be cast."""
        if set(call.arguments.positions).isdisjoint(_LOOP_OPTIONS) and self.ufunc.nout == 1:
            if not any(map(enters_user_code, call.operands)):
                if not has_loop_into(self.ufunc, call.operands, out.type):
                    return BOTTOM
        return _written_type(out, result)

    def _fresh_results(self, call: _Call) -> tuple[Type, ...]:
        fallback = (opaque_result(call.arguments.inputs, PLAIN),) * self.ufunc.nout
        if any(map(enters_user_code, call.operands)):
            return fallback
        try:
            dtypes = _called_dtypes(self.ufunc, call.operands, call.arguments)
        except UndecidedError:
            return fallback
        except CertainError:
            return (BOTTOM,) * self.ufunc.nout
        try:
            return self._shaped(dtypes, call)
        except UndecidedError:
            return tuple(array_or_scalar(dtype, None) for dtype in dtypes)
        except CertainError:
            return (BOTTOM,) * self.ufunc.nout

    def _shaped(self, dtypes: Sequence[np.dtype | None], call: _Call) -> tuple[Type, ...]:
        """Return the types of fresh results of `dtypes`."""
        arguments = call.arguments
        shapes = [shape_of(value.type) for value in call.operands]
        if self.ufunc.signature is not None:
            outputs = core_results_along(self.ufunc.signature, shapes, arguments)
            return tuple(map(array_or_scalar, dtypes, outputs))
        if arguments.given("where"):
            shapes.append(arguments.dense("where").shape)
        # What is not written through ``out`` is as large as what is.
        shapes += [_out_shape(type_) for type_ in call.out_types()]
        return tuple(broadcast_result(dtype, shapes) for dtype in dtypes)

    def effects(self, inputs: Sequence[Value], attrs: Attributes) -> Effects:
        """Return the effects for inputs that are not unions."""
        if any(map(enters_user_code, inputs)):
            return UNKNOWN
        read = readable(inputs)
        call = _take_apart(self.ufunc, inputs, attrs)
        if call is None:
            alias = Alias(Sharing.MAYBE, read) if read else FRESH
            return Effects(Raises.VALUE, read, read, aliases=(alias,))
        written = tuple(at for at in (*call.outs, call.out_tuple) if at is not None)
        if written:
            direct = self.ufunc.nout == 1 and isinstance(inputs[written[0]].type, ArrayType)
            alias = Alias(Sharing.SAME if direct else Sharing.MAYBE, written)
            return Effects(Raises.VALUE, read, written, aliases=(alias,))
        if len(call.operands) != len(inputs):
            return Effects(Raises.VALUE, read)
        return Effects(self._raises(call.operands), read)

    def _raises(self, operands: Sequence[Value]) -> Raises:
        results = ufunc_result_types(self.ufunc, operands)
        if self.ufunc.signature is not None or any(r in (PLAIN, BOTTOM) for r in results):
            return Raises.VALUE
        return elementwise_raises(self.ufunc, operands, results)


def _called_dtypes(
    ufunc: np.ufunc, operands: Sequence[Value], arguments: Arguments
) -> tuple[np.dtype | None, ...]:
    """Return the dtypes of the results of a call with keyword arguments."""
    types = [value.type for value in operands]
    signature = "signature" if arguments.given("signature") else "sig"
    if not arguments.given(signature):
        casting = arguments.constant("casting", None)
        if arguments.given("casting") and not isinstance(casting, str):
            raise UndecidedError
        return _result_dtypes(ufunc, types, arguments.dtype(), casting)
    for type_ in types:
        dtype_key(type_)  # undecided unless they are numbers and arrays
    loop = arguments.constant(signature)
    known = isinstance(loop, str) and "->" in loop and ufunc.signature is None
    if not known or arguments.given("dtype") or any(t == NumberType("int") for t in types):
        raise UndecidedError
    codes = str(loop).split("->")[1]
    if len(codes) != ufunc.nout or not set(codes) <= set("?bhilqpBHILQPefdgFDG"):
        raise UndecidedError
    return tuple(map(np.dtype, codes))


def _written_type(out: Value, result: Type) -> Type:
    """Return the type of a result written to `out`, which may turn out to be None."""
    if isinstance(out.type, ArrayType):
        return out.type
    return join(result, opaque_result([out], PLAIN))


def register_ufunc(ufunc: np.ufunc, name: str) -> Operation:
    """Enter ``np.<name>`` into the tables as the meaning of `ufunc`."""
    rules = _Ufunc(ufunc)
    operation = Operation(
        f"np.{name}", ufunc, rules.infer, by_option(rules.effects), doc=first_line(ufunc)
    )
    return register(operation, ufunc)


def numpy_ufuncs() -> tuple[np.ufunc, ...]:
    """Return the ufuncs of ``numpy``, by name, each once."""
    found = {
        ufunc.__name__: ufunc
        for name, ufunc in sorted(vars(np).items())
        if isinstance(ufunc, np.ufunc)
    }
    return tuple(found.values())


def type_of_ufunc(ufunc: np.ufunc) -> Type:
    """Return the type of a ufunc: opaque if all it does is call a Python function.

    >>> print(type_of_ufunc(np.add), type_of_ufunc(np.frompyfunc(max, 2, 1)))
    object<numpy.ufunc> opaque
    """
    return OPAQUE if all("O" in loop for loop in ufunc.types) else ObjectType(np.ufunc)


TYPE_OF_CLASS[np.ufunc] = type_of_ufunc

UFUNCS: dict[str, Operation] = {
    ufunc.__name__: register_ufunc(ufunc, ufunc.__name__) for ufunc in numpy_ufuncs()
}
"""The operation of each ufunc, by the ufunc's own name."""
