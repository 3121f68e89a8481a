"""Strings made at run time: f-strings, ``str``, ``repr``, ``format`` and their like.

Owns their blocks. It leaves ``%`` and ``+`` on strings to `arithmetic`. Invariant: a result is
called ``str`` only if no class of a user's can have made it a subclass of ``str``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ..ir.graph import Attributes, Value
from ..ir.types import (
    INT,
    OPAQUE,
    STRING,
    ArrayType,
    DictType,
    ListType,
    NoneType,
    NumberType,
    OpaqueType,
    ScalarType,
    SetType,
    StringType,
    TupleType,
    Type,
    is_plain,
)
from .effects import NOTHING, by_option, readable
from .functions import Arguments, define
from .registry import UNKNOWN, Effects, Operation, Raises, constant_of, register

_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}


def text_type(inputs: Sequence[Value]) -> Type:
    """Return the type of a text made of `inputs`."""
    for value in inputs:
        container = isinstance(value.type, ListType | DictType | SetType | TupleType)
        if not container and not is_plain(value.type):
            return OPAQUE
    return STRING


def text_effects(inputs: Sequence[Value], formatted: bool) -> Effects:
    """Return the effects of making a text of `inputs`, for types that are not unions.

    Parameters
    ----------
    inputs
        What is shown, in any order, specifications among them.
    formatted
        Whether a format specification that may not fit is applied.

    Returns
    -------
    Effects
        Showing an array depends on NumPy's print options, so it is ordered with everything.
    """
    if not all(is_plain(value.type) for value in inputs):
        return UNKNOWN
    if any(isinstance(value.type, ArrayType | OpaqueType | TupleType) for value in inputs):
        return Effects(Raises.VALUE, reads=readable(inputs), calls=True)
    never = not formatted and all(_shows_without_error(value.type) for value in inputs)
    return NOTHING if never else Effects(Raises.VALUE, reads=readable(inputs))


def _shows_without_error(type_: Type) -> bool:
    """Tell whether ``str`` of a value never raises: an ``int`` may have too many digits."""
    if isinstance(type_, NumberType):
        return type_.kind != "int" or type_.extent is not None
    return isinstance(type_, StringType | NoneType | ScalarType)


def _layout(attrs: Attributes) -> tuple[tuple[object, ...], tuple[object, ...]]:
    parts, conversions = attrs.get("parts", ()), attrs.get("conversions", ())
    return (
        parts if isinstance(parts, tuple) else (),
        conversions if isinstance(conversions, tuple) else (),
    )


def _fstring(attrs: Attributes, *inputs: object) -> str:
    """Return the text of an f-string from values and specifications of its fields, in turn."""
    parts, conversions = _layout(attrs)
    texts = []
    for number, conversion in enumerate(conversions):
        value, spec = inputs[2 * number], inputs[2 * number + 1]
        if isinstance(conversion, str) and conversion:
            value = _CONVERSIONS[conversion](value)
        texts.append(format(value, spec))  # type: ignore[arg-type]  # Python's own error if not
    return "".join(texts[part] if isinstance(part, int) else str(part) for part in parts)


def _fstring_syntax(inputs: list[ast.expr], attrs: Attributes) -> ast.expr:
    parts, conversions = _layout(attrs)
    values: list[ast.expr] = []
    for part in parts:
        if not isinstance(part, int):
            values.append(ast.Constant(str(part)))
            continue
        conversion = str(conversions[part])
        code = ord(conversion) if conversion else -1
        spec = _specification(inputs[2 * part + 1])
        values.append(ast.FormattedValue(inputs[2 * part], code, spec))
    return ast.JoinedStr(values)


def _specification(node: ast.expr) -> ast.expr | None:
    """Return what stands after the colon of a field."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return ast.JoinedStr([node]) if node.value else None
    if isinstance(node, ast.JoinedStr):
        return node
    return ast.JoinedStr([ast.FormattedValue(node, -1, None)])


def _infer_fstring(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (text_type(inputs),)


def _fstring_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    formatted = any(constant_of(spec) != "" for spec in inputs[1::2])
    return text_effects(inputs, formatted)


FSTRING = register(
    Operation(
        "fstring", _fstring, _infer_fstring, by_option(_fstring_effects), _fstring_syntax,
        doc="an f-string; attributes parts and conversions", takes_attributes=True,
    )
)  # fmt: skip


def _shown(arguments: Arguments) -> Type:
    return text_type(arguments.inputs)


def _show_effects(arguments: Arguments) -> Effects:
    return text_effects(arguments.inputs, formatted=False)


def _format_effects(arguments: Arguments) -> Effects:
    return text_effects(arguments.inputs, formatted=len(arguments.inputs) > 1)


def _str_effects(arguments: Arguments) -> Effects:
    return text_effects(arguments.inputs, formatted=len(arguments.inputs) > 1)


def _number_text(arguments: Arguments) -> Type:
    """Return the type of ``chr``, ``bin`` and their like, which make exact strings."""
    return STRING


def _index_effects(arguments: Arguments) -> Effects:
    if not all(is_plain(type_) for type_ in arguments.types()):
        return UNKNOWN
    return Effects(Raises.VALUE, reads=readable(arguments.inputs))


STR = define("builtins.str", str, _shown, _str_effects, count=(0, 3))
REPR = define("builtins.repr", repr, _shown, _show_effects)
ASCII = define("builtins.ascii", ascii, _shown, _show_effects)
FORMAT = define("builtins.format", format, _shown, _format_effects, count=(1, 2))
CHR = define("builtins.chr", chr, _number_text, _index_effects)
BIN = define("builtins.bin", bin, _number_text, _index_effects)
HEX = define("builtins.hex", hex, _number_text, _index_effects)
OCT = define("builtins.oct", oct, _number_text, _index_effects)
ORD = define("builtins.ord", ord, lambda arguments: INT, _index_effects)
