"""Programs as text: run plain and compiled, and compared.

Owns `Snippet`, a function's source with the arguments of its calls, and `disagreements`. It leaves
writing such programs to the files called ``random_...``. Invariant: what is reported can be run
again from the printed text alone.
"""

from __future__ import annotations

import functools
import linecache
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import FunctionType

import numpy as np
from random_arrays import array, laid

import autograph as ag
from differential.harness import Outcome, differences, observe, without_accidents
from ops.test_python_operations import describes
from runtime.ir.types import ArrayType, Extent, NumberType, RangeType, TupleType, Type, UnionType

FILE = "<random snippet>"
NAMES: dict[str, object] = {"np": np, "array": array, "laid": laid}
"""What the expressions of arguments may use."""


@dataclass(frozen=True)
class Snippet:
    """A module with a function ``f``, and its calls."""

    text: str
    calls: tuple[str, ...]
    """Python source of the arguments of each call: an expression that is a tuple, which may use
    `NAMES`."""

    def function(self) -> FunctionType:
        """Return ``f``, whose source is found under the file name `FILE`."""
        linecache.cache[FILE] = (len(self.text), None, self.text.splitlines(True), FILE)
        namespace: dict[str, object] = {"__name__": "random_snippet", "np": np}
        exec(compile(self.text, FILE, "exec"), namespace)
        function = namespace["f"]
        assert isinstance(function, FunctionType)
        return function

    def arguments(self, call: int) -> tuple[object, ...]:
        """Return fresh arguments for a call."""
        value = eval(self.calls[call], dict(NAMES))
        assert isinstance(value, tuple)
        return value

    def __str__(self) -> str:
        """Return all that is needed to run it again."""
        return "\n".join((self.text, *(f"f(*{call})" for call in self.calls)))


class Trial:
    """Runs the lines of a program while it is written, so that what follows can fit."""

    def __init__(self, made: Mapping[str, str]) -> None:
        self.names: dict[str, object] = dict(NAMES)
        """Names with the values that they have after the lines so far."""
        self.made: dict[str, str] = {}
        """The expressions that make the arguments."""
        self.runs("", made)

    def runs(self, lines: str, made: Mapping[str, str]) -> bool:
        """Run `lines`, making new arguments first, and tell whether they raised nothing.

        Lines that raise may have done a part of their work.
        """
        for name, text in made.items():
            if self.made.get(name) != text:
                self.names[name] = eval(text, self.names)
                self.made[name] = text
        code = compile(lines, FILE, "exec")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(code, self.names)
            except Exception:
                return False
        return True


def disagreements(
    snippet: Snippet, warned: bool = True, staged: bool = False, typed: bool = True
) -> list[str]:
    """Return how a snippet differs compiled: at each call, when the first comes again, in types.

    A function on which the compiler itself fails differs, though it runs as plain Python.

    Parameters
    ----------
    snippet
        What to run.
    warned
        Whether warnings are compared.
    staged
        Whether it must not fall back.
    typed
        Whether the types that its graph gives its result are compared.
    """
    plain = snippet.function()
    compiled = ag.compile(plain, fallback="error" if staged else "warn")

    def outcome(function: Callable[..., object], call: int) -> Outcome:
        seen = observe(function, snippet.arguments(call), FILE)
        return seen if warned else without_accidents(seen)

    found: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        warnings.simplefilter("ignore", FutureWarning)  # some flags warn when they are looked at
        for call in (*range(len(snippet.calls)), 0):
            want = outcome(plain, call)
            found += [f"call {call}, {d}" for d in differences(outcome(compiled, call), want)]
            if typed and want.result[0] == "returned" and call == 0 and not found:
                found += wrong_types(snippet, plain, compiled)
    record = vars(compiled)["__autograph_record__"]
    reasons = [record.plain_reason, *(reason for _, reason in record.refusals)]
    return found + [reason for reason in reasons if "the compiler failed" in reason]


def wrong_types(
    snippet: Snippet, plain: FunctionType, compiled: Callable[..., object]
) -> list[str]:
    """Return what the first call's graph says wrongly of the parts of its result."""
    try:
        graph = compiled.graph(*snippet.arguments(0)).graph
    except ag.ConversionError:
        return []
    arguments = snippet.arguments(0)
    lengths = {
        name: length
        for value, parameter in zip(arguments, graph.params, strict=False)
        for name, length in _extents(parameter.type, value)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = plain(*arguments)
    if not graph.results:
        return [f"the graph never returns, but the function returned {result!r}"]
    type_ = measured(graph.results[0].type, lengths)
    if isinstance(type_, TupleType) and isinstance(result, tuple):
        pairs = list(zip(type_.items, result, strict=True))
    else:
        pairs = [(type_, result)]
    return [
        f"type {said} of part {k} is wrong: it is {part!r}"
        for k, (said, part) in enumerate(pairs)
        if not describes(said, part)
    ]


def _extents(type_: Type, value: object) -> list[tuple[str, int]]:
    if isinstance(type_, ArrayType) and isinstance(value, np.ndarray) and type_.shape is not None:
        pairs = zip(type_.shape, value.shape, strict=True)
        return [(extent, length) for extent, length in pairs if isinstance(extent, str)]
    if isinstance(type_, TupleType) and isinstance(value, tuple):
        parts = zip(type_.items, value, strict=True)
        return [found for item, part in parts for found in _extents(item, part)]
    return []


def measured(type_: Type, lengths: Mapping[str, int]) -> Type:
    """Return `type_` with the lengths in place of the names of extents."""

    def length(extent: Extent) -> Extent:
        return lengths.get(extent) if isinstance(extent, str) else extent

    again = functools.partial(measured, lengths=lengths)
    if isinstance(type_, ArrayType) and type_.shape is not None:
        return ArrayType(type_.dtype, tuple(map(length, type_.shape)))
    if isinstance(type_, NumberType):
        return NumberType(type_.kind, length(type_.extent))
    if isinstance(type_, RangeType):
        return RangeType(length(type_.length))
    if isinstance(type_, TupleType):
        return replace(type_, items=tuple(map(again, type_.items)))
    if isinstance(type_, UnionType):
        return UnionType(tuple(map(again, type_.options)))
    return type_
