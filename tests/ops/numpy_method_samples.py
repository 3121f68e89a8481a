"""Samples for the methods of arrays, scalars, numbers, strings and containers."""

from __future__ import annotations

import numpy as np

from ops.numpy_function_samples import FUNCTION_SAMPLES, N
from ops.numpy_samples import OPERANDS, B, D, F, M, P, T, V, call, ramp
from ops.sample import Sample


def method(receiver: object, name: str, *inputs: object, **keywords: object) -> Sample:
    """Return a sample of a method call."""
    made = call(receiver, *inputs, **keywords)
    return Sample(made.inputs, {**made.attrs, "name": name})


ARRAY_METHOD_SAMPLES = [
    method(M, "sum", 0, None, ramp(3)),
    method(M, "sum", axis=0, keepdims=True),
    method(np.float32(2), "sum", 0, None, ramp()),
    method(np.float32(2), "max", out=ramp()),
    method(np.float32(2), "take", 0, out=ramp()),
    method(M, "dot", V),
    method(V, "dot", V),
    method(M, "take", 0),
    method(M, "take", N, 1),
    method(M, "repeat", 2),
    method(M, "repeat", 2, axis=0),
    method(V, "searchsorted", 1.5),
    method(M, "swapaxes", 0, 1),
    method(M, "argpartition", 1),
    method(N, "choose", (V, V, V)),
    method(M, "compress", B, 1),
    method(M, "clip", 0, 1),
    method(M, "clip", min=1),
    method(V, "clip", 0.5, out=ramp(3)),
    method(np.float32(2), "clip", 0, 1),
    method(ramp(3), "put", 0, 5.0),
    method(ramp(3), "fill", 2.5),
    method(ramp(3), "fill", V),
    method(ramp(3)[::-1].copy(), "sort"),
    method(ramp(3), "partition", 1),
    method(ramp(3), "setflags", write=False),
    method(ramp(3), "byteswap", True),
    method(M, "reshape", 3, 2),
    method(M, "reshape", -1),
    method(M, "reshape", (3, 2)),
    method(F, "reshape", -1),
    method(M, "reshape", (6, 1), order="F"),
    method(M, "reshape", 5),
    method(M, "reshape", ()),
    method(M, "transpose", 1, 0),
    method(T, "transpose", (2, 0, 1)),
    method(T, "transpose", None),
    method(M, "view", np.int64),
    method(M, "view", "f4"),
    method(M, "astype", np.float32),
    method(M, "astype", float, copy=False),
    method(M, "astype", "i4"),
    method(np.float32(2), "astype", float),
    method(M, "item", 0),
    method(M, "item", (0, 1)),
    method(np.longdouble(2), "item"),
    method(P, "item"),
    method(M, "getfield", np.float32),
    method(np.add, "reduce", M),
    method(np.add, "reduce", M, 0, None, ramp(3)),
    method(np.add, "reduce", M, out=ramp(3)),
    method(np.add, "accumulate", V),
    method(np.multiply, "outer", V, D),
    method(np.maximum, "outer", D, 2**70),
    method(np.bitwise_or, "outer", 2**70, np.array(3)),
    method(np.bitwise_xor, "outer", 2**70, D),
    method(np.add, "at", ramp(3), N, 1.0),
    method(np.add, "reduceat", V, N[:2]),
    method(np.maximum, "reduce", 2.5),
    method(1.5, "is_integer"),
    method(5, "bit_length"),
    method(5, "bit_count"),
    method(1.5, "hex"),
    method(5, "to_bytes", 2, "big"),
    method(1.5, "as_integer_ratio"),
    method(2j, "conjugate"),
    method(True, "conjugate"),
    method(np.float64(2), "is_integer"),
    method(np.int8(3), "bit_count"),
    method((1, 2, 1), "count", 1),
    method((1, 2), "index", 2),
    method(range(5), "index", 2),
    method(range(5), "count", 9),
    method(3, "nothing"),
    method(M, "nothing"),
]


def _method_samples() -> list[Sample]:
    """Return samples for the methods of arrays, scalars, numbers, strings and containers."""
    samples = []
    alone = "sum prod max min mean std var any all argmax argmin cumsum cumprod round nonzero"
    alone += " ravel squeeze argsort trace diagonal flatten copy tolist conj conjugate item view"
    alone += " transpose tobytes byteswap"
    for name in alone.split():
        samples += [method(operand, name) for operand in OPERANDS]
    for name in (
        "sum",
        "mean",
        "max",
        "any",
        "argmax",
        "cumsum",
        "sort",
        "argsort",
        "squeeze",
        "std",
    ):
        samples += [method(ramp(2, 3), name, 0), method(ramp(2, 3), name, axis=1)]
    return [*samples, *ARRAY_METHOD_SAMPLES, *CONTAINER_METHOD_SAMPLES, *_string_samples()]


CONTAINER_METHOD_SAMPLES = [
    method([1], "append", 2),
    method([1], "extend", [2]),
    method([1], "extend", V),
    method([1], "extend", 5),
    method([1], "insert", 0, 3),
    method([1, 2], "pop"),
    method([], "pop"),
    method([1, 2], "pop", 0),
    method([1], "remove", 1),
    method([1], "clear"),
    method([2, 1], "sort"),
    method([2, 1], "sort", reverse=True),
    method([2, 1], "reverse"),
    method([1], "copy"),
    method([1], "index", 1),
    method([1], "count", 1),
    method([1], "append"),
    method({1: V}, "get", 1),
    method({}, "get", 1, 2.5),
    method({}, "setdefault", 1, 2),
    method({1: 2}, "pop", 1),
    method({}, "pop", 1, None),
    method({1: 2}, "popitem"),
    method({1: 2}, "update", {2: 3}),
    method({1: 2}, "update", key=3),
    method({1: 2}, "clear"),
    method({1: 2}, "copy"),
    method({1: 2}, "keys"),
    method({1: 2}, "values"),
    method({1: 2}, "items"),
    method({1}, "add", 2),
    method({1}, "add", []),
    method({1}, "discard", 1),
    method({1}, "remove", 2),
    method({1}, "pop"),
    method({1}, "clear"),
    method({1}, "copy"),
    method({1}, "update", {2}),
    method({1}, "difference_update", {1}),
    method({1}, "union", {2}),
    method({1}, "issubset", {1}),
    method({1}, "isdisjoint", {2}),
    method({1}, "symmetric_difference", {1, 2}),
]


def _string_samples() -> list[Sample]:
    """Return samples for the methods of strings."""
    text = "capitalize casefold expandtabs lower lstrip rstrip strip swapcase title upper isalnum"
    text += " isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace"
    text += " istitle isupper split rsplit splitlines encode"
    samples = [method("some Text 1", name) for name in text.split()]
    samples += [
        method("text", name, part)
        for name in (
            "count",
            "find",
            "index",
            "rfind",
            "startswith",
            "endswith",
            "partition",
            "rpartition",
        )
        for part in ("t", "x")
    ]
    samples += [
        method("a{}b", "format", 2.5),
        method("a{x}", "format", x=1),
        method("{}", "format", [1]),
        method("-", "join", ["a", "b"]),
        method("-", "join", ("a", "b")),
        method("-", "join", [1]),
        method("ab", "replace", "a", "c"),
        method("ab", "center", 7),
        method("ab", "zfill", 5),
        method("ab", "ljust", 5),
        method("ab", "rjust", 5, "*"),
        method("ab", "removeprefix", "a"),
        method("ab", "removesuffix", "b"),
        method("ab", "translate", {97: "x"}),
    ]
    return samples


METHOD_SAMPLES = _method_samples()
NUMPY_SAMPLES: dict[str, list[Sample]] = {**FUNCTION_SAMPLES, "method": METHOD_SAMPLES}
"""The samples of every operation of NumPy, by its name."""
