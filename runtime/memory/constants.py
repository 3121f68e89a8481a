"""Constants: when two are the same, what truth they have, what an operation makes of them.

Owns the questions that passes and the memory verifier ask about payloads of constants. It leaves
replacing operations by constants to the passes. Invariants: two payloads with one `constant_key`
cannot be told apart by a program that does not ask for identity; `evaluate` runs the operation's
own kernel, never a second definition of it, and returns only values that can never change.
"""

from __future__ import annotations

import re
import struct
import warnings
from collections.abc import Sequence

import numpy as np

from ..ir.graph import Attributes, Constant, Node, Value
from ..ir.lattice import covers
from ..ir.types import is_immutable, type_of
from ..ops.registry import Operation, Sharing

MAX_BITS = 4096
"""Longest ``int`` that folding reads or makes, in bits."""
MAX_LENGTH = 4096
"""Longest string or tuple that folding reads or makes."""

_ATOMS = (bool, int, float, complex, str, bytes, type(None))
_PLAIN_CLASSES = (
    bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset, type(None),
    np.ndarray,
)  # fmt: skip
_SINGLETONS = (None, True, False, Ellipsis, NotImplemented)
_SHIFTS = ("lshift", "ilshift")
_POWERS = ("pow", "ipow", "builtins.pow", "math.pow")
_PRODUCTS = ("mul", "imul")
_IDENTITY = ("is", "is_not")
_ARITHMETIC = frozenset((
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or",
    "xor", "iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "ilshift", "irshift",
    "iand", "ior", "ixor", "neg", "pos", "invert", "lt", "le", "eq", "ne", "gt", "ge", "is",
    "is_not", "in", "not_in", "not", "truth", "build_tuple", "unpack", "getitem", "check_bound",
    "builtins.len", "builtins.abs", "builtins.bool", "builtins.int", "builtins.float",
    "builtins.complex", "builtins.divmod", "builtins.pow", "builtins.min", "builtins.max",
))  # fmt: skip
_NEVER_FOLDED = frozenset(("builtins.hash", "builtins.id", "call"))
_LONG_NUMBER = re.compile(r"\d{4}")
_LOCALE_FORMAT = re.compile(r"n\}?$")


def constant_key(payload: object) -> object:
    """Return a key that is equal for payloads that cannot be told apart.

    Numbers are kept apart by exact class, sign of zero and bits; a NaN equals only itself, the
    object; so does everything that is not a number, a string or a tuple of those.

    >>> constant_key(1) == constant_key(True), constant_key(0.0) == constant_key(-0.0)
    (False, False)
    >>> constant_key((1, "a")) == constant_key((1, "a"))
    True
    """
    cls = type(payload)
    if cls in (float, complex) and payload != payload:
        return ("object", id(payload))
    if cls is float:
        return ("float", struct.pack("d", payload))
    if isinstance(payload, complex) and cls is complex:
        return ("complex", struct.pack("dd", payload.real, payload.imag))
    if cls in _ATOMS:
        return (cls.__name__, payload)
    if isinstance(payload, np.generic) and payload.dtype.kind in "biuf":
        is_nan = bool(np.isnan(payload)) if payload.dtype.kind == "f" else False
        if not is_nan:
            return ("scalar", payload.dtype.str, payload.tobytes())
    if cls is tuple:
        return ("tuple", *(constant_key(item) for item in payload))  # type: ignore[attr-defined]
    return ("object", id(payload))


def same_constant(a: Value, b: Value) -> bool:
    """Tell whether `a` and `b` are constants that cannot be told apart."""
    if not (isinstance(a, Constant) and isinstance(b, Constant)):
        return False
    return a.value is b.value or constant_key(a.value) == constant_key(b.value)


def attributes_key(attrs: Attributes) -> object:
    """Return a key that is equal for attributes that mean the same."""
    return tuple((name, constant_key(attrs[name])) for name in sorted(attrs))


def constant_truth(value: Value) -> bool | None:
    """Return the truth of a constant number, string, tuple or ``None``; None if not known."""
    if isinstance(value, Constant) and (_is_folded_value(value.value)):
        return bool(value.value)
    return None


def evaluate(node: Node) -> tuple[Constant, ...] | None:
    """Run an operation on its constant inputs.

    Parameters
    ----------
    node
        The operation.

    Returns
    -------
    tuple of Constant, or None
        Its outputs. None if it cannot be run ahead: an input is not constant, it has an effect
        other than raising, its outputs might change later (arrays, lists) or be long, it raised,
        or it warned.
    """
    constants = [value for value in node.inputs if isinstance(value, Constant)]
    if len(constants) != len(node.inputs) or node.regions or not node.outputs:
        return None
    if not all(is_immutable(output.type) for output in node.outputs):
        return None
    effects = node.op.effects(node.inputs, node.attrs)
    if effects.calls or effects.writes:
        return None
    if any(alias.sharing is Sharing.ANYTHING for alias in effects.aliases):
        return None
    payloads = [constant.value for constant in constants]
    if not _may_run(node.op.name, payloads, node.attrs):
        return None
    results = _run(node.op, payloads, node.attrs, len(node.outputs))
    if results is None:
        return None
    folded = [
        Constant(result, output.name)
        for result, output in zip(results, node.outputs, strict=True)
        if _is_folded_value(result) and covers(output.type, type_of(result))
    ]
    return tuple(folded) if len(folded) == len(results) else None


def _run(
    op: Operation, payloads: Sequence[object], attrs: Attributes, count: int
) -> tuple[object, ...] | None:
    """Call the kernel with every warning an error; None if it raises."""
    try:
        with np.errstate(all="raise"), warnings.catch_warnings():
            warnings.simplefilter("error")
            result = apply_kernel(op, payloads, attrs)
    except Exception:
        return None
    if count == 1:
        return (result,)
    return result if isinstance(result, tuple) and len(result) == count else None


def apply_kernel(op: Operation, payloads: Sequence[object], attrs: Attributes) -> object:
    """Call the kernel of `op` on run-time values, keywords by name."""
    names = op.keywords(attrs)
    positional = len(payloads) - len(names)
    keywords = dict(zip(names, payloads[positional:], strict=True))
    return op.kernel_for(attrs)(*payloads[:positional], **keywords)


def _is_folded_value(payload: object) -> bool:
    """Tell whether `payload` can never change and is short."""
    cls = type(payload)
    if cls is int:
        return payload.bit_length() <= MAX_BITS  # type: ignore[attr-defined, no-any-return]
    if cls in (str, bytes):
        return len(payload) <= MAX_LENGTH  # type: ignore[arg-type]  # by its class
    if cls is tuple:
        items: tuple[object, ...] = payload  # type: ignore[assignment]  # by its class
        return len(items) <= MAX_LENGTH and all(_is_folded_value(item) for item in items)
    if isinstance(payload, np.generic):
        return payload.dtype.kind in "biufc"
    return cls in _ATOMS


def _is_readable(payload: object) -> bool:
    """Tell whether folding may hand `payload` to a kernel."""
    if type(payload) is type:
        return payload in _PLAIN_CLASSES
    if isinstance(payload, type):
        return issubclass(payload, np.generic)
    if type(payload) is slice:
        return all(_is_folded_value(x) for x in (payload.start, payload.stop, payload.step))
    if type(payload) is tuple and any(isinstance(item, type) for item in payload):
        return all(_is_readable(item) for item in payload)
    return isinstance(payload, np.dtype) or payload is Ellipsis or _is_folded_value(payload)


def _may_run(name: str, payloads: Sequence[object], attrs: Attributes) -> bool:
    """Tell whether the kernel takes little time and memory, and depends on its inputs alone."""
    if name in _NEVER_FOLDED or attrs.get("starred"):
        return False
    if not all(_is_readable(payload) for payload in payloads):
        return False
    if name in _IDENTITY:
        return any(payload is singleton for payload in payloads for singleton in _SINGLETONS)
    if name in _POWERS:
        return _is_short_power(payloads)
    if name in _SHIFTS:
        return not isinstance(payloads[1], int) or payloads[1] <= MAX_BITS
    if name in _PRODUCTS:
        return _is_short_product(payloads)
    if name == "mod" and isinstance(payloads[0], str | bytes):
        return _is_short_text(payloads)
    if name in _ARITHMETIC:
        return True
    if name.startswith("math.") and name not in ("math.factorial", "math.comb", "math.perm"):
        return True
    if any(isinstance(payload, str | bytes) for payload in payloads) or name in _TEXTUAL:
        return _is_short_text(payloads) and _is_short_text(tuple(attrs.values()))
    return all(_is_small(payload) for payload in payloads)


_TEXTUAL = frozenset(("fstring", "builtins.str", "builtins.repr", "builtins.format"))


def _is_short_power(payloads: Sequence[object]) -> bool:
    if len(payloads) != 2:
        return all(_is_small(payload) for payload in payloads)
    base, exponent = payloads
    if not (isinstance(base, int) and isinstance(exponent, int)):
        return True
    return int(base).bit_length() * abs(int(exponent)) <= MAX_BITS


def _is_short_product(payloads: Sequence[object]) -> bool:
    for sequence, count in (payloads, tuple(reversed(payloads))):
        if isinstance(sequence, str | bytes | tuple) and isinstance(count, int):
            return len(sequence) * count <= MAX_LENGTH
    return True


def _is_short_text(payloads: Sequence[object]) -> bool:
    """Tell whether text made of `payloads` is short and the same under every print option."""
    for payload in payloads:
        items = payload if isinstance(payload, tuple) else (payload,)
        for item in items:
            if isinstance(item, np.generic) or not _is_small(item):
                return False
            if isinstance(item, str) and (
                _LONG_NUMBER.search(item) or _LOCALE_FORMAT.search(item)
            ):
                return False
    return True


def _is_small(payload: object) -> bool:
    if isinstance(payload, tuple):
        return all(_is_small(item) for item in payload)
    return not isinstance(payload, int) or abs(payload) <= MAX_LENGTH
