"""Random calls of every operation that has samples: functions of NumPy and methods.

Owns `sampled_snippet`, which takes a sample, changes dtypes, layouts and parts of its inputs, and
makes some of the inputs arguments. Invariant: every input is written as an expression.
"""

from __future__ import annotations

import numpy as np
from comparing import Snippet
from random_arrays import DTYPES, LAYOUTS, Choose, chance, one
from random_call_expressions import repeated

from ops.numpy_method_samples import NUMPY_SAMPLES
from ops.sample import Sample
from runtime.ops.catalog import OPERATIONS

UNCOMPARABLE = ("np.empty", "np.empty_like", "np.random.seed")
NAMES = sorted(
    name
    for name in set(NUMPY_SAMPLES) - set(UNCOMPARABLE)
    if not name.startswith("np.") or name in OPERATIONS  # this NumPy has it
)


class Unwritten(Exception):
    """An input that no expression here makes."""


def text_of(value: object) -> str:
    """Return an expression for `value`.

    Raises
    ------
    Unwritten
        If it is of no kind that is known here.
    """
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject or value.dtype.kind not in "biufc":
            raise Unwritten
        listed = repr(value.tolist()).replace("nan", "np.nan").replace("inf", "np.inf")
        order = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
        return f"laid(np.array({listed}, {value.dtype.str!r}).reshape({value.shape}), {order!r})"
    if isinstance(value, np.generic):
        return f"np.dtype({value.dtype.str!r}).type({value.item()!r})"
    if isinstance(value, tuple | list):
        parts = "".join(f"{text_of(item)}, " for item in value)
        return f"({parts})" if isinstance(value, tuple) else f"[{parts}]"
    if value is None or isinstance(value, str | bytes | bool | int | slice):
        return repr(value)
    if isinstance(value, float | complex):
        return f"{type(value).__name__}({str(value)!r})"
    if isinstance(value, np.dtype):
        return f"np.dtype({value.str!r})"
    if isinstance(value, type) and getattr(np, value.__name__, None) is value:
        return f"np.{value.__name__}"
    if isinstance(value, type) and value in (bool, int, float, complex):
        return value.__name__
    raise Unwritten


def changed(choose: Choose, value: object) -> object:
    """Return `value`, or something like it."""
    if isinstance(value, tuple) and chance(choose, 2):
        return tuple(changed(choose, item) for item in value)
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biufc":
        if isinstance(value, int | float) and not isinstance(value, bool) and chance(choose, 5):
            return one(choose, (0, 1, -1, 2, 1.0, None, np.int64(1), True))
        return value
    pick = choose(6)
    if pick == 1:
        with np.errstate(all="ignore"):
            return value.real.astype(one(choose, DTYPES))
    if pick == 2 and value.ndim:
        return value[:: one(choose, (2, -1))]
    if pick == 3 and value.size and value.ndim:
        return one(choose, (value[0], value[:0], value[None], value[..., :1]))
    if pick == 4:
        return value.T
    return value


def written(choose: Choose, value: object) -> str:
    """Return an expression for `value`, in some layout."""
    text = text_of(value)
    if text.startswith("laid") and chance(choose, 2):
        return text[: text.rindex(", ")] + f", {one(choose, LAYOUTS)!r})"
    return text


def sampled_snippet(choose: Choose) -> Snippet:
    """Return a function that makes a call like that of a sample."""
    while True:
        name = "method" if chance(choose, 6) else one(choose, NAMES)
        sample = one(choose, NUMPY_SAMPLES[name])
        try:
            return _snippet(choose, name, sample)
        except Unwritten:
            continue


def _snippet(choose: Choose, name: str, sample: Sample) -> Snippet:
    inputs = sample.fresh()
    keywords = sample.attrs.get("keywords", ())
    assert isinstance(keywords, tuple)
    arguments: dict[str, str] = {}
    parts = []
    for position, value in enumerate(inputs):
        text = written(choose, changed(choose, value) if chance(choose, 2) else value)
        constant = not any(part in text for part in ("laid", "np.dtype")) and choose(3)
        if not constant:
            key = f"x{len(arguments)}"
            arguments[key] = text
            text = key
        number = position - (len(inputs) - len(keywords))
        parts.append(text if number < 0 else f"{keywords[number]}={text}")
    if name == "method":
        call = f"({parts[0]}).{sample.attrs['name']}({', '.join(parts[1:])})"
    else:
        call = f"{name}({', '.join(parts)})"
    snippet = repeated(choose, call, arguments)
    if name.startswith("np.random"):
        seeded = tuple(f"(lambda _: {text})(np.random.seed(5))" for text in snippet.calls)
        return Snippet(snippet.text, seeded)
    return snippet
