"""Types from text.

Owns `read_type`, the inverse of a type's ``str``, and the forms that only people write
(``float32[n]``, ``float[3]``, ``None``). Invariant: reading what ``str`` gives makes an equal
type; nothing is evaluated or imported.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import GraphError
from .lattice import join_all
from .names import KNOWN_CLASSES
from .tokens import Cursor, Token
from .types import (
    BOTTOM,
    DICT,
    DTYPE_OF_SHORT_NAME,
    LIST,
    NONE,
    NUMBER_KINDS,
    OPAQUE,
    PLAIN,
    SET,
    SLICE,
    STRING,
    UNBOUND,
    ArrayType,
    Extent,
    IteratorType,
    NamedTupleType,
    NumberKind,
    NumberType,
    ObjectType,
    RangeType,
    ScalarType,
    SlotType,
    TupleType,
    Type,
    VariableType,
)

Lookup = Callable[[str], object]
"""Gives the object that a text means by ``@1`` (from ``"1"``), or the class ``object<a.B>`` (from
``"a.B"``); raises KeyError for what it does not know."""

MAX_RANK = 64
_VARIABLE = "runtime.variables.Variable"
_WORDS: dict[str, Type] = {
    "bottom": BOTTOM, "unbound": UNBOUND, "opaque": OPAQUE, "plain": PLAIN, "none": NONE,
    "None": NONE, "str": STRING, "list": LIST, "dict": DICT, "set": SET, "slice": SLICE,
}  # fmt: skip
_DTYPE_WORDS = {
    **DTYPE_OF_SHORT_NAME,
    **{dtype.name: dtype for dtype in DTYPE_OF_SHORT_NAME.values() if dtype.name != "bool"},
}
_KINDS: dict[str, NumberKind] = {kind: kind for kind in NUMBER_KINDS}


def read_type(text: str, lookup: Lookup | None = None) -> Type:
    """Return the type that `text` describes.

    Parameters
    ----------
    text
        A type as it prints, such as ``f64[n, 3]``, ``f64``, ``int``, ``(int, f64[])``. Full names
        of dtypes (``float32[n]``) and Python's kinds as dtypes (``float[n]``) are understood too.
    lookup
        Gives the classes that ``object<...>`` names, beyond the builtin ones.

    Returns
    -------
    Type
        The type; an alternative of more types than a union holds is opaque.

    Raises
    ------
    GraphError
        If `text` is no type; with the column and what was expected.

    Examples
    --------
    >>> read_type("float32[n,3]"), read_type("f64[]").rank
    (ArrayType(dtype=dtype('float32'), shape=('n', 3)), 0)
    >>> str(read_type("(int, bool[2],list | none)"))
    '(int, bool_[2], list | none)'
    >>> read_type("f64[n")
    Traceback (most recent call last):
    ...
    runtime.errors.GraphError: line 1, column 6: expected ',' or ']', found the end of the text
    """
    cursor = Cursor(text)
    type_ = parse_type(cursor, lookup)
    if cursor.token.kind != "end":
        cursor.fail("expected the end of the type")
    return type_


def parse_type(cursor: Cursor, lookup: Lookup | None) -> Type:
    """Return the type at `cursor` and move past it.

    Raises
    ------
    GraphError
        If there is none.
    """
    cursor.enter()
    options = [_single(cursor, lookup)]
    while cursor.skip("|"):
        options.append(_single(cursor, lookup))
    cursor.leave()
    return join_all(options)


def parse_dtype(cursor: Cursor) -> np.dtype:
    """Return the dtype named at `cursor`, in its short, full or written form."""
    token = cursor.advance()
    if token.kind == "name" and token.text in _DTYPE_WORDS:
        return _DTYPE_WORDS[token.text]
    if token.kind == "dtype":
        return dtype_of(cursor, token.text[len("dtype<") : -1], token)
    cursor.fail("expected a dtype", token)


def dtype_of(cursor: Cursor, text: str, token: Token) -> np.dtype:
    """Return ``np.dtype(text)``, with `GraphError` at `token` for what NumPy refuses."""
    try:
        return np.dtype(text)
    except (TypeError, ValueError, SyntaxError, OverflowError):
        cursor.fail(f"no dtype is called {text!r}", token)


def _single(cursor: Cursor, lookup: Lookup | None) -> Type:
    token = cursor.token
    if token.kind == "mark" and token.text == "(":
        return _tuple(cursor, lookup)
    if token.kind == "mark" and token.text == "?":
        cursor.advance()
        return ArrayType(None, _shape(cursor))
    if token.kind == "class":
        cls = _class(cursor, cursor.advance(), lookup)
        return NamedTupleType(_items(cursor, lookup)[0], cls) if cursor.at("(") else ObjectType(cls)
    if token.kind == "dtype" or token.text in _DTYPE_WORDS:
        return _of_dtype(cursor, parse_dtype(cursor))
    if token.kind != "name":
        cursor.fail("expected a type")
    cursor.advance()
    if token.text in _KINDS:
        if cursor.at("["):
            return ArrayType(np.dtype(token.text), _shape(cursor))
        return NumberType(_KINDS[token.text], _length(cursor))
    if token.text in _WORDS:
        return _WORDS[token.text]
    if token.text == "range":
        return RangeType(_length(cursor))
    if token.text == "iterator":
        cursor.expect("<")
        item = parse_type(cursor, lookup)
        cursor.expect(">")
        return IteratorType(item)
    if token.text == "variable":
        cursor.expect("<")
        held = parse_type(cursor, lookup)
        known = KNOWN_CLASSES.get(_VARIABLE)  # where operations on variables are known
        if not isinstance(held, ArrayType) or known is None:
            cursor.fail("a variable holds an array", token)
        cursor.expect(">")
        return VariableType(known, held)
    if token.text == "slot":
        cursor.expect("<")
        content = parse_type(cursor, lookup)
        cursor.expect(">")
        return SlotType(content)
    cursor.fail("expected a type", token)


def _of_dtype(cursor: Cursor, dtype: np.dtype) -> Type:
    return ArrayType(dtype, _shape(cursor)) if cursor.at("[") else ScalarType(dtype)


def _shape(cursor: Cursor) -> tuple[Extent, ...] | None:
    start = cursor.expect("[")
    if cursor.token.kind == "ellipsis":
        cursor.advance()
        cursor.expect("]")
        return None
    extents: list[Extent] = []
    while cursor.more("]", len(extents)):
        extents.append(None if cursor.skip("?") else _extent(cursor, least=0))
    if len(extents) > MAX_RANK:
        cursor.fail(f"an array has at most {MAX_RANK} axes", start)
    return tuple(extents)


def _length(cursor: Cursor) -> Extent:
    """Return the extent in parentheses at `cursor`, None if there is none."""
    if not cursor.skip("("):
        return None
    extent = _extent(cursor, least=None)
    cursor.expect(")")
    return extent


def _extent(cursor: Cursor, least: int | None) -> int | str:
    token = cursor.advance()
    if token.kind == "name":
        return token.text
    if token.kind != "number" or not token.text.removeprefix("-").isdecimal():
        cursor.fail("expected a length or the name of one", token)
    if len(token.text) > 19:
        cursor.fail("this length is too large", token)
    extent = int(token.text)
    if least is not None and extent < least:
        cursor.fail("a length is not negative", token)
    return extent


def _tuple(cursor: Cursor, lookup: Lookup | None) -> Type:
    """Return a tuple's type, or what stands in plain parentheses."""
    items, comma = _items(cursor, lookup)
    return items[0] if items and not comma and len(items) == 1 else TupleType(items)


def _items(cursor: Cursor, lookup: Lookup | None) -> tuple[tuple[Type, ...], bool]:
    """Return the types between parentheses, and whether a comma follows the last."""
    cursor.expect("(")
    items: list[Type] = []
    comma = True
    while not cursor.at(")"):
        if not comma:
            cursor.fail("expected ',' or ')'")
        items.append(parse_type(cursor, lookup))
        comma = cursor.skip(",")
    cursor.expect(")")
    return tuple(items), comma


def _class(cursor: Cursor, token: Token, lookup: Lookup | None) -> type:
    name = token.text[len("object<") : -1]
    found: object = KNOWN_CLASSES.get(name)
    if found is None and lookup is not None:
        try:
            found = lookup(name)
        except (KeyError, GraphError):
            found = None
    if not isinstance(found, type):
        cursor.fail(f"the class {name!r} is not known here", token)
    return found
