"""Python's operators: binary, in-place, unary, comparison, identity, membership, truth.

Owns their blocks, on operands of any type. It leaves numbers and builtin sequences to
`number_types` and the dtypes of NumPy's results to `ufuncs`. Invariant: the kernel is the operator
itself, so that an operand of unknown type is right by construction.

In-place operators have no `syntax`: they are statements, which `runtime.lowering` writes.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence

import numpy as np

from ..ir.graph import Attributes, Value
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    DICT,
    LIST,
    OPAQUE,
    PLAIN,
    SET,
    STRING,
    ArrayType,
    DictType,
    IteratorType,
    ListType,
    NoneType,
    NumberType,
    ObjectType,
    OpaqueType,
    RangeType,
    ScalarType,
    SetType,
    StringType,
    TupleType,
    Type,
    UnionType,
    is_immutable,
    is_plain,
    same_dtype,
)
from .effects import (
    NOTHING,
    by_option,
    conservative,
    elementwise_raises,
    readable,
    unknown,
)
from .number_types import (
    COMPARISONS,
    binary_builtin,
    is_builtin,
    number_raises,
    unary_number,
)
from .registry import (
    FRESH,
    Alias,
    Effects,
    Operation,
    Raises,
    Sharing,
    Syntax,
    opaque_like,
    register,
)
from .ufuncs import has_loop_into, ufunc_result_types

_SAME = Alias(Sharing.SAME, (0,))

BINARY: dict[str, tuple[Callable[..., object], type[ast.operator], np.ufunc]] = {
    "add": (operator.add, ast.Add, np.add),
    "sub": (operator.sub, ast.Sub, np.subtract),
    "mul": (operator.mul, ast.Mult, np.multiply),
    "truediv": (operator.truediv, ast.Div, np.true_divide),
    "floordiv": (operator.floordiv, ast.FloorDiv, np.floor_divide),
    "mod": (operator.mod, ast.Mod, np.remainder),
    "pow": (operator.pow, ast.Pow, np.power),
    "matmul": (operator.matmul, ast.MatMult, np.matmul),
    "lshift": (operator.lshift, ast.LShift, np.left_shift),
    "rshift": (operator.rshift, ast.RShift, np.right_shift),
    "and": (operator.and_, ast.BitAnd, np.bitwise_and),
    "or": (operator.or_, ast.BitOr, np.bitwise_or),
    "xor": (operator.xor, ast.BitXor, np.bitwise_xor),
}
"""Kernel, syntax and ufunc of each binary operator."""

IN_PLACE: dict[str, Callable[..., object]] = {
    "iadd": operator.iadd,
    "isub": operator.isub,
    "imul": operator.imul,
    "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv,
    "imod": operator.imod,
    "ipow": operator.ipow,
    "imatmul": operator.imatmul,
    "ilshift": operator.ilshift,
    "irshift": operator.irshift,
    "iand": operator.iand,
    "ior": operator.ior,
    "ixor": operator.ixor,
}
"""Kernel of each in-place operator."""

_COMPARISON: dict[str, tuple[Callable[..., object], type[ast.cmpop], np.ufunc]] = {
    "lt": (operator.lt, ast.Lt, np.less),
    "le": (operator.le, ast.LtE, np.less_equal),
    "eq": (operator.eq, ast.Eq, np.equal),
    "ne": (operator.ne, ast.NotEq, np.not_equal),
    "gt": (operator.gt, ast.Gt, np.greater),
    "ge": (operator.ge, ast.GtE, np.greater_equal),
}

_UNARY: dict[str, tuple[Callable[..., object], type[ast.unaryop], np.ufunc]] = {
    "neg": (operator.neg, ast.USub, np.negative),
    "pos": (operator.pos, ast.UAdd, np.positive),
    "invert": (operator.invert, ast.Invert, np.invert),
}


def is_numeric_operand(type_: Type) -> bool:
    """Tell whether `type_` is a Python number, a NumPy scalar or an array."""
    return isinstance(type_, NumberType | ScalarType | ArrayType)


def _ufunc_of(name: str) -> np.ufunc:
    return _COMPARISON[name][2] if name in COMPARISONS else BINARY[name][2]


def _binary_type(name: str, left: Value, right: Value) -> Type:
    """Return the type of ``left <name> right`` for types that are not unions."""
    a, b = left.type, right.type
    if is_builtin(a) and is_builtin(b):
        return binary_builtin(name, left, right)
    if is_numeric_operand(a) and is_numeric_operand(b):
        return _numpy_type(name, left, right)
    if name == "mul":
        return _repeated_by_scalar(left, right)
    if name not in COMPARISONS and {type(a), type(b)} == {ScalarType, NoneType}:
        return BOTTOM
    if name == "mod" and isinstance(a, StringType) and is_plain(b):
        return STRING
    return opaque_like([left, right])


def _numpy_type(name: str, left: Value, right: Value) -> Type:
    a, b = left.type, right.type
    if _python_decides(name, a, b):
        return BOOL if name in COMPARISONS else COMPLEX
    (result,) = ufunc_result_types(_ufunc_of(name), (left, right))
    return _power_type(a, b, result) if name == "pow" and isinstance(a, ArrayType) else result


def _power_type(base: ArrayType, exponent: Type, result: Type) -> Type:
    """Return the type of ``base ** exponent``, given what ``np.power`` would give.

    For an exponent without axes ``**`` may do something simpler, such as squaring, that keeps the
    dtype of the base (or makes float64 of integers, int8 of booleans). Which exponents, and
    whether the result of a base without axes then is a scalar, differs between releases of NumPy.
    """
    if result == BOTTOM or (isinstance(exponent, ArrayType) and exponent.shape):
        return result
    options = result.options if isinstance(result, UnionType) else (result,)
    dtypes = [o.dtype for o in options if isinstance(o, ArrayType | ScalarType)]
    known = len(dtypes) == len(options) and all(dtype is not None for dtype in dtypes)
    if known and base.dtype is not None:
        kept = all(same_dtype(dtype, base.dtype) for dtype in dtypes) and base.dtype.kind != "b"
        inexact = base.dtype.kind in "fc" and isinstance(exponent, NumberType)
        floated = base.dtype.kind in "iu" and bool(base.shape) and all(
            same_dtype(dtype, np.dtype(np.float64)) for dtype in dtypes
        )
        if kept or inexact or (floated and _is_floating(exponent)):
            return result
    if isinstance(result, ArrayType) and base.shape:
        return ArrayType(None, result.shape)
    return PLAIN


def _is_floating(type_: Type) -> bool:
    if isinstance(type_, NumberType):
        return type_.kind == "float"
    return isinstance(type_, ArrayType | ScalarType) and (
        type_.dtype is not None and type_.dtype.kind == "f"
    )


def _python_decides(name: str, a: Type, b: Type) -> bool:
    """Tell whether Python's own ``complex`` answers: it takes ``np.float64`` for a ``float``."""
    return (
        a == COMPLEX
        and b == ScalarType(np.dtype(np.float64))
        and name in ("add", "sub", "mul", "truediv", "pow", "eq", "ne")
    )


def _repeated_by_scalar(left: Value, right: Value) -> Type:
    """Return the type of a string or list times a NumPy integer."""
    for sequence, count in ((left.type, right.type), (right.type, left.type)):
        if isinstance(count, ScalarType) and count.dtype.kind in "iu":
            if isinstance(sequence, StringType):
                return STRING
            if isinstance(sequence, ListType):
                return LIST
    return opaque_like([left, right])


def _binary_effects(name: str, left: Value, right: Value) -> Effects:
    a, b = left.type, right.type
    inputs = (left, right)
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        raises = number_raises(name, left, right)
        return NOTHING if raises is Raises.NEVER else Effects(raises)
    if is_numeric_operand(a) and is_numeric_operand(b):
        return Effects(_numpy_raises(name, left, right), reads=readable(inputs))
    if is_builtin(a) and is_builtin(b):
        return _builtin_effects(name, left, right)
    return conservative(inputs, _result_alias(name, a, b))


def _may_be_tuple(type_: Type) -> bool:
    return isinstance(type_, TupleType | OpaqueType)


def _result_alias(name: str, a: Type, b: Type) -> Alias:
    """Return how the result shares memory: a tuple made of tuples leads to what they held."""
    joined = name == "add" and _may_be_tuple(a) and _may_be_tuple(b)
    repeated = name == "mul" and (_may_be_tuple(a) or _may_be_tuple(b))
    if not (joined or repeated):
        return FRESH
    holders = tuple(
        i for i, t in enumerate((a, b)) if _may_be_tuple(t) and not is_immutable(t)
    )
    return Alias(Sharing.MAYBE, holders) if holders else FRESH


def _numpy_raises(name: str, left: Value, right: Value) -> Raises:
    if _python_decides(name, left.type, right.type):
        return Raises.VALUE if name in ("truediv", "pow") else Raises.NEVER
    ufunc = _ufunc_of(name)
    results = ufunc_result_types(ufunc, (left, right))
    if name == "matmul":
        return _product_raises(left.type, right.type, results[0])
    return elementwise_raises(ufunc, (left, right), results)


def _product_raises(a: Type, b: Type, result: Type) -> Raises:
    """Return when ``a @ b`` raises: never, for matrices and vectors that certainly fit."""
    if not isinstance(result, ArrayType | ScalarType) or result.dtype is None:
        return Raises.VALUE
    if not (isinstance(a, ArrayType) and isinstance(b, ArrayType) and a.shape and b.shape):
        return Raises.SHAPE
    inner = (a.shape[-1], b.shape[-2] if len(b.shape) > 1 else b.shape[0])
    if max(len(a.shape), len(b.shape)) > 2 or inner[0] is None or inner[0] != inner[1]:
        return Raises.SHAPE
    return Raises.WARNS if result.dtype.kind in "fc" else Raises.NEVER


def _builtin_effects(name: str, left: Value, right: Value) -> Effects:
    """Return the effects for two values of builtin classes, not both numbers."""
    inputs = (left, right)
    a, b = left.type, right.type
    if name == "add" and type(a) is type(b) and isinstance(a, StringType | ListType | TupleType):
        alias = _result_alias(name, a, b)
        return Effects(Raises.NEVER, reads=_containers(inputs), aliases=(alias,))
    if name == "mul":
        alias = _result_alias(name, a, b)
        return Effects(Raises.VALUE, reads=_containers(inputs), aliases=(alias,))
    if is_immutable(a) and is_immutable(b):
        silent = name in ("eq", "ne") or (
            name in COMPARISONS and isinstance(a, StringType) and isinstance(b, StringType)
        )
        return Effects(Raises.NEVER if silent else Raises.VALUE)
    return conservative(inputs, FRESH)


def _containers(inputs: Sequence[Value]) -> tuple[int, ...]:
    return tuple(i for i, value in enumerate(inputs) if isinstance(value.type, ListType))


def _in_place_type(name: str, left: Value, right: Value) -> Type:
    a, b = left.type, right.type
    if isinstance(a, ArrayType):
        if _may_take_over(b):
            return opaque_like([left, right])
        return BOTTOM if is_numeric_operand(b) and _casting_fails(name, left, right) else a
    if isinstance(a, ListType):
        return _list_in_place(name, right)
    if isinstance(a, SetType) and isinstance(b, SetType) and name in ("or", "and", "xor", "sub"):
        return SET
    if isinstance(a, DictType) and name == "or" and isinstance(b, DictType):
        return DICT
    return _binary_type(name, left, right) if not isinstance(a, DictType) else OPAQUE


def _casting_fails(name: str, left: Value, right: Value) -> bool:
    """Tell whether NumPy certainly refuses to cast ``left <name> right`` to the array `left`.

    ``**=`` and ``@=`` choose other loops in some cases.
    """
    if name in ("pow", "matmul"):
        return False
    return not has_loop_into(BINARY[name][2], (left, right), left.type)


def _may_take_over(type_: Type) -> bool:
    """Tell whether an operand of `type_` may answer in place of an array on the left."""
    if isinstance(type_, ObjectType):
        return not is_plain(type_)
    return isinstance(type_, OpaqueType) and not type_.plain


_EXTENDING = ListType | TupleType | StringType | DictType | SetType | RangeType | IteratorType


def _list_in_place(name: str, right: Value) -> Type:
    b = right.type
    if name == "add" and isinstance(b, _EXTENDING):
        return LIST
    if name == "mul" and isinstance(b, NumberType):
        return LIST if b.kind in ("bool", "int") else BOTTOM
    return BOTTOM if is_builtin(b) else OPAQUE


def _in_place_effects(name: str, left: Value, right: Value) -> Effects:
    a, b = left.type, right.type
    if isinstance(a, ArrayType):
        if _may_take_over(b) or isinstance(b, ListType | DictType | SetType):
            return unknown(1, writes=(0,))
        # It may not be writeable, the cast may not be allowed, the shapes may not fit.
        reads = readable((left, right))
        return Effects(Raises.VALUE, reads, writes=(0,), aliases=(_SAME,))
    if isinstance(a, ListType):
        return _list_in_place_effects(name, right)
    if isinstance(a, SetType | DictType):
        return unknown(1, writes=(0,))
    if isinstance(a, OpaqueType) and a.plain and is_plain(b):
        reads = readable((left, right))
        holders = (0, 1) if _may_be_tuple(b) else (0,)
        alias = Alias(Sharing.MAYBE, holders)
        return Effects(Raises.VALUE, reads, writes=(0,), aliases=(alias,))
    if isinstance(a, OpaqueType | ObjectType) and not (isinstance(a, ObjectType) and is_plain(a)):
        return unknown(1, writes=(0,))
    return _binary_effects(name, left, right)


def _list_in_place_effects(name: str, right: Value) -> Effects:
    b = right.type
    if name == "add" and isinstance(b, _EXTENDING):
        if isinstance(b, IteratorType):
            return Effects(
                Raises.VALUE, reads=(0, 1), writes=(0, 1), calls=not is_plain(b), aliases=(_SAME,)
            )
        return Effects(Raises.NEVER, reads=(0, 1), writes=(0,), aliases=(_SAME,))
    if name == "mul" and isinstance(b, NumberType):
        return Effects(Raises.VALUE, reads=(0,), writes=(0,), aliases=(_SAME,))
    return unknown(1, writes=(0,))


def _binary_syntax(node: type[ast.operator]) -> Syntax:
    def syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
        return ast.BinOp(inputs[0], node(), inputs[1])

    return syntax


def _compare_syntax(node: type[ast.cmpop]) -> Syntax:
    def syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
        return ast.Compare(inputs[0], [node()], [inputs[1]])

    return syntax


def _unary_syntax(node: type[ast.unaryop]) -> Syntax:
    def syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
        return ast.UnaryOp(node(), inputs[0])

    return syntax


Rule = Callable[[str, Value, Value], Effects]


def _operation(
    name: str,
    rule_name: str,
    kernel: Callable[..., object],
    syntax: Syntax | None,
    types: Callable[[str, Value, Value], Type],
    effects: Rule,
    doc: str,
) -> Operation:
    """Register an operator with two operands."""

    def infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        return (types(rule_name, inputs[0], inputs[1]),)

    def option_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
        return effects(rule_name, inputs[0], inputs[1])

    return register(Operation(name, kernel, infer, by_option(option_effects), syntax, doc=doc))


def _binary(name: str) -> Operation:
    kernel, node, _ = BINARY[name]
    return _operation(
        name, name, kernel, _binary_syntax(node), _binary_type, _binary_effects,
        f"the operator of ast.{node.__name__}",
    )  # fmt: skip


def _comparison(name: str) -> Operation:
    kernel, node, _ = _COMPARISON[name]
    return _operation(
        name, name, kernel, _compare_syntax(node), _binary_type, _binary_effects,
        f"the comparison of ast.{node.__name__}",
    )  # fmt: skip


def _in_place(name: str) -> Operation:
    kernel, rule = IN_PLACE[name], name[1:]
    return _operation(
        name, rule, kernel, None, _in_place_type, _in_place_effects,
        f"the in-place form of {rule}; the output is what the name is bound to",
    )  # fmt: skip


def _unary(name: str) -> Operation:
    kernel, node, ufunc = _UNARY[name]

    def infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        type_ = inputs[0].type
        if isinstance(type_, NumberType):
            return (unary_number(name, type_),)
        if is_builtin(type_):
            return (BOTTOM,)
        if is_numeric_operand(type_):
            return ufunc_result_types(ufunc, inputs)
        return (opaque_like(inputs),)

    def effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
        type_ = inputs[0].type
        if isinstance(type_, NumberType):
            odd = name == "invert" and type_.kind != "int"
            return Effects(Raises.VALUE) if odd else NOTHING
        if is_numeric_operand(type_):
            raises = elementwise_raises(ufunc, inputs, ufunc_result_types(ufunc, inputs))
            return Effects(raises, reads=readable(inputs))
        if is_builtin(type_):
            return Effects(Raises.VALUE)
        return conservative(inputs, FRESH)

    doc = f"the operator of ast.{node.__name__}"
    return register(
        Operation(name, kernel, infer, by_option(effects), _unary_syntax(node), doc=doc)
    )


def _always_bool(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (BOOL,)


def _no_effect(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    return NOTHING


def truth_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Return the effects of asking input 0 for its truth, for a type that is not a union."""
    type_ = inputs[0].type
    if isinstance(type_, ArrayType):
        single = type_.shape is not None and all(extent == 1 for extent in type_.shape)
        return Effects(Raises.NEVER if single else Raises.VALUE, reads=(0,))
    if isinstance(type_, ListType | DictType | SetType):
        return Effects(reads=(0,))
    if is_builtin(type_) or isinstance(type_, ScalarType):
        return NOTHING
    return conservative(inputs, FRESH)


def membership_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Return the effects of ``item in container``, for types that are not unions."""
    item, container = (value.type for value in inputs)
    if isinstance(container, RangeType) and isinstance(item, NumberType):
        return NOTHING
    if isinstance(container, StringType) and isinstance(item, StringType):
        return NOTHING
    consumed = (1,) if isinstance(container, IteratorType | OpaqueType) else ()
    calls = not all(is_plain(value.type) for value in inputs)
    return Effects(Raises.VALUE, reads=readable(inputs), writes=consumed, calls=calls)


def _test(
    name: str,
    kernel: Callable[..., object],
    effects: Callable[[Sequence[Value], Attributes], Effects],
    syntax: Syntax | None,
    doc: str,
) -> Operation:
    """Register an operator that always gives a ``bool``."""
    return register(Operation(name, kernel, _always_bool, by_option(effects), syntax, doc=doc))


def _not_in(item: object, container: object) -> bool:
    return item not in container  # type: ignore[operator]  # Python's own error if not


def _in(item: object, container: object) -> bool:
    return item in container  # type: ignore[operator]  # Python's own error if not


ADD, SUB, MUL, TRUEDIV, FLOORDIV, MOD, POW, MATMUL, LSHIFT, RSHIFT, AND, OR, XOR = map(
    _binary, BINARY
)
(
    IADD, ISUB, IMUL, ITRUEDIV, IFLOORDIV, IMOD, IPOW, IMATMUL, ILSHIFT, IRSHIFT, IAND, IOR, IXOR,
) = map(_in_place, IN_PLACE)  # fmt: skip
LT, LE, EQ, NE, GT, GE = map(_comparison, _COMPARISON)
NEG, POS, INVERT = map(_unary, _UNARY)
NOT = _test("not", operator.not_, truth_effects, _unary_syntax(ast.Not), "not x")
TRUTH = _test("truth", bool, truth_effects, None, "the truth of a value, as if tests it")
IS = _test("is", operator.is_, _no_effect, _compare_syntax(ast.Is), "identity")
IS_NOT = _test("is_not", operator.is_not, _no_effect, _compare_syntax(ast.IsNot), "not identity")
IN = _test("in", _in, membership_effects, _compare_syntax(ast.In), "membership")
NOT_IN = _test("not_in", _not_in, membership_effects, _compare_syntax(ast.NotIn), "no membership")

STATEMENTS: frozenset[str] = frozenset(IN_PLACE)
"""Operations that lowering writes as augmented assignments."""
