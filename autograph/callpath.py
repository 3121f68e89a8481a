"""The generated call path: guards in line, then the program.

Owns the text of the function that stands in for the user's: his own parameter list, one test per
trace, the program. It leaves tracing to `dispatch`. Invariant: a call that no test accepts, or that
runs eagerly, goes to the slow path with all its arguments.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType

import numpy as np

from runtime.profiling.gates import Gate
from runtime.thread_state import STATE

from .environment.guards import Guard
from .environment.paths import Argument, Attribute, Cell, Item, OwnAttribute, Path
from .environment.world import Capture

POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
Parameters = tuple[inspect.Parameter, ...]


def parameters_of(function: FunctionType) -> Parameters:
    """Return the parameters of `function`, without annotations or defaults, in order."""
    code = function.__code__
    names = code.co_varnames
    positional, keyword_only = code.co_argcount, code.co_kwonlyargcount
    result = []
    for i in range(positional):
        only = i < code.co_posonlyargcount
        result.append(inspect.Parameter(names[i], POSITIONAL_ONLY if only else POSITIONAL))
    after = positional + keyword_only
    if code.co_flags & inspect.CO_VARARGS:
        result.append(inspect.Parameter(names[after], inspect.Parameter.VAR_POSITIONAL))
    keyword = inspect.Parameter.KEYWORD_ONLY
    result.extend(inspect.Parameter(name, keyword) for name in names[positional:after])
    if code.co_flags & inspect.CO_VARKEYWORDS:
        index = after + bool(code.co_flags & inspect.CO_VARARGS)
        result.append(inspect.Parameter(names[index], inspect.Parameter.VAR_KEYWORD))
    return tuple(result)


def argument_list(parameters: Parameters) -> str:
    """Return the text that passes all parameters on, as ``x, *args, k=k, **more``."""
    forms: dict[object, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*{0}",
        inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
        inspect.Parameter.VAR_KEYWORD: "**{0}",
    }
    return ", ".join(forms.get(p.kind, "{0}").format(p.name) for p in parameters)


def parameter_list(parameters: Parameters, defaults: int, keyword_defaults: Sequence[str]) -> str:
    """Return the text of a parameter list; defaults are ``None`` and replaced afterwards."""
    positional = [p for p in parameters if p.kind <= inspect.Parameter.POSITIONAL_OR_KEYWORD]
    parts: list[str] = []
    starred = False
    for index, parameter in enumerate(parameters):
        text = parameter.name
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            text, starred = f"*{text}", True
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            text = f"**{text}"
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            if not starred:
                parts.append("*")
                starred = True
            text += "=None" if text in keyword_defaults else ""
        elif index >= len(positional) - defaults:
            text += "=None"
        parts.append(text)
        last = index + 1 == len(positional)
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY and (
            last or positional[index + 1].kind is not inspect.Parameter.POSITIONAL_ONLY
        ):
            parts.append("/")
    return ", ".join(parts)


def caller(parameters: Parameters) -> Callable[..., object]:
    """Return ``call(function, values)``: calls `function` with the values of all parameters."""
    names = "".join(f"{p.name}, " for p in parameters)
    arguments = argument_list(parameters)
    text = f"lambda _function_, _values_: (lambda {names}: _function_({arguments}))(*_values_)"
    result: Callable[..., object] = eval(text)  # text of identifiers alone, made above
    return result


@dataclass(frozen=True)
class Entry:
    """One trace, as the call path needs it."""

    guards: tuple[Guard, ...]
    captures: tuple[Capture, ...]
    program: Callable[..., object] | Gate
    """What to run; while calls are recorded, the gate before it."""
    overlapping: Callable[..., object] | Gate
    """The program for arguments that share memory."""
    separate: tuple[tuple[Path, Path], ...]
    """Pairs of places whose arrays must not share memory for `program`."""


class ObjectNames:
    """Gives names to the objects that the call paths of one function refer to.

    A name once given keeps its object: another thread may still be running an older call path.
    """

    def __init__(self, taken: Sequence[str]) -> None:
        self.taken = set(taken)
        self.objects: dict[str, object] = {}
        self._name_of: dict[int, str] = {}

    def __call__(self, item: object, hint: str = "") -> str:
        """Return the name of `item`."""
        known = self._name_of.get(id(item))
        if known is not None:
            return known
        hint = hint or getattr(item, "__name__", "") or "object"
        hint = hint if isinstance(hint, str) and hint.isidentifier() else "object"
        name = self.fresh(hint)
        self.objects[name] = item
        self._name_of[id(item)] = name
        return name

    def fresh(self, hint: str) -> str:
        """Return a name that nothing has."""
        name, number = f"_{hint}", 1
        while name in self.taken:
            name, number = f"_{hint}_{number}", number + 1
        self.taken.add(name)
        return name


def call_path(
    function: FunctionType,
    parameters: Parameters,
    entries: Sequence[Entry],
    slow: Callable[..., object],
    names: ObjectNames,
) -> CodeType:
    """Return the code of the call path; the globals it needs are ``names.objects``.

    Parameters
    ----------
    function
        The user's function: its name, file and parameter list are taken over.
    parameters
        Its parameters.
    entries
        The traces, in the order to be tried.
    slow
        Called with the tuple of all parameters when no trace applies.
    names
        Those given to earlier call paths of the function; further ones are added.
    """
    lines = [f"if not {names(STATE, 'state')}.slow:"] if entries else []
    for entry in entries:
        lines += ["    " + line for line in _entry_lines(entry, parameters, names)]
    values = "".join(f"{p.name}, " for p in parameters)
    lines.append(f"return {names(slow, 'slow')}(({values}))")
    text = f"def _({_all_parameters(function, parameters)}):\n    " + "\n    ".join(lines)
    module = compile(text, function.__code__.co_filename, "exec")
    code = next(c for c in module.co_consts if isinstance(c, CodeType))
    original = function.__code__
    code = code.replace(
        co_name=original.co_name,
        co_qualname=original.co_qualname,
        co_firstlineno=original.co_firstlineno,
    )
    return code


def _all_parameters(function: FunctionType, parameters: Parameters) -> str:
    defaults = len(function.__defaults__ or ())
    return parameter_list(parameters, defaults, tuple(function.__kwdefaults__ or ()))


def _entry_lines(entry: Entry, parameters: Parameters, names: ObjectNames) -> list[str]:
    texts: dict[Path, str] = {}
    conditions = []
    for guard in entry.guards:
        if isinstance(guard.path, Argument):
            conditions.append(guard.condition(guard.path.name, names))
            texts[guard.path] = guard.path.name
            continue
        variable = names.fresh("value")
        condition = guard.condition(variable, names)
        reading = f"({variable} := {guard.path.expression(names)})"
        conditions.append(condition.replace(variable, reading, 1))
        texts[guard.path] = variable
    arguments = [p.name for p in parameters] + [texts[c.path] for c in entry.captures]
    passed = ", ".join(arguments)
    lines = _test(" and ".join(conditions) or "True", entry.guards)
    for a, b in entry.separate:
        share = names(np.may_share_memory)
        lines.append(f"    if {share}({texts[a]}, {texts[b]}):")
        called = _called(entry.overlapping, "overlapping", passed, names)
        lines += ["        " + line for line in called]
    lines += ["    " + line for line in _called(entry.program, "program", passed, names)]
    return lines


def _called(
    program: Callable[..., object] | Gate, hint: str, passed: str, names: ObjectNames
) -> list[str]:
    """Return what runs a program, or counts the call and asks its gate whether to record it."""
    if not isinstance(program, Gate):
        return [f"return {names(program, hint)}({passed})"]
    calls, due = names(program.passed, "calls"), names(program.due, "due")
    return [
        f"if {names(next)}({calls}) < {due}[0]:",
        f"    return {names(program.plain, hint)}({passed})",
        f"return {names(program.recorded, 'recorded')}({passed})",
    ]


def _test(condition: str, guards: Sequence[Guard]) -> list[str]:
    """Return the test of a trace; reading a path that is gone means that it does not apply."""
    if not any(isinstance(guard.path, Attribute | Cell | Item | OwnAttribute) for guard in guards):
        return [f"if {condition}:"]
    return [
        "try:",
        f"    _applies = {condition}",
        "except Exception:",
        "    _applies = False",
        "if _applies:",
    ]
