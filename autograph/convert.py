"""The pipeline that converts one function.

Owns the order of the stages, compiling their result, and the cache of conversions. It leaves each
stage to its file. Invariant: the code that runs is compiled from the converted tree itself, under
the original file name, and every instruction stands at a position of the user's.
"""

from __future__ import annotations
import __future__

import builtins
import functools
import inspect
import threading
import types
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import gast

from runtime.errors import ConversionError

from . import operators
from .converters import boxes, classes, control, desugar, facts, matches
from .converters.unit import Names, Place, Surroundings, Unconvertible, Unit, look_up
from .syntax.fence import Rejection, check, format_rejection
from .syntax.source import FunctionSource, NoSource, read_function
from .syntax.templates import Maker
from .syntax.unparse import unparse


class Stage(NamedTuple):
    """One stage of the pipeline, and why it is there."""

    run: Callable[[Unit], None]
    reason: str


def _convert(unit: Unit) -> None:
    control.convert(unit, facts.analyze(unit.tree))


PIPELINE = (
    Stage(classes.classes, "so that methods are inner functions like any other"),
    Stage(matches.matches, "so that a pattern is nothing but tests and assignments"),
    Stage(desugar.comprehensions, "so that loops inside expressions are converted like any other"),
    Stage(boxes.boxes, "so that what a try or with binds outlives whatever interrupts it"),
    Stage(desugar.loop_tests, "so that what the test of a while binds is state of the loop"),
    Stage(desugar.early_returns, "so that an if with returns is one expression, not a jump"),
    Stage(_convert, "analyze once, then turn constructs and calls into calls of operators"),
)


@dataclass(frozen=True)
class Conversion:
    """A converted function.

    Attributes
    ----------
    source : str
        The lines of the original.
    text : str
        The converted function as Python source.
    code : types.CodeType
        Takes the place of the original's code; its free variables are among the original's.
    open_code : types.CodeType
        The same without free variables: to it they are globals.
    operators_name : str
        The global by which the code reaches `autograph.operators`.
    name : str
        The original's qualified name.
    assigned : mapping of (file, line, column, end line, end column) to str
        The name that the value of the expression at a place is assigned to.
    """

    source: str
    text: str
    code: types.CodeType
    open_code: types.CodeType
    operators_name: str
    name: str
    assigned: Mapping[Place, str]


class _Entry(NamedTuple):
    conversion: Conversion
    assumed: dict[str, object]


_Key = tuple[int, bool, bool]
_cache: dict[_Key, tuple[weakref.ref[types.CodeType], list[_Entry]]] = {}
_lock = threading.RLock()  # a signal handler may convert too


def convert(
    function: Callable[..., object], function_values: bool = False, items: bool = False
) -> Conversion:
    """Convert a function, or return its conversion from an earlier call.

    Parameters
    ----------
    function
        A function written in Python, or a bound method of one.
    function_values
        Whether inner functions may be called at times the trace does not see, so that the
        variables they share with it live in memory.
    items
        Whether any subscript may pick an item by a number known only at run time.

    Returns
    -------
    Conversion
        The same object for functions of one code object, as long as the global names that it
        relies on (builtins, NumPy) mean the same to them.

    Raises
    ------
    ConversionError
        If there is no source, or the fence or a converter refuses a construct.
    """
    plain = function.__func__ if isinstance(function, types.MethodType) else function
    if not isinstance(plain, types.FunctionType):
        read = NoSource(
            repr(function), None, "it is not a function written in Python", "pass a function"
        )
        raise ConversionError(str(read))
    key = id(plain.__code__), function_values, items
    # Code objects of different files may be equal, so that identity has to be the key.
    for entry in _cache.get(key, (None, []))[1]:
        if _holds(entry.assumed, plain):
            return entry.conversion
    unit, source = convert_tree(plain, function_values, items)
    text = unparse(unit.tree)
    code = _compile(unit, source, plain.__code__)
    conversion = Conversion(
        source.text,
        text,
        code,
        _compile(unit, source, plain.__code__, closed=False) if code.co_freevars else code,
        unit.operators_name,
        plain.__code__.co_qualname,
        unit.assigned,
    )
    with _lock:
        if key not in _cache:
            alive = weakref.ref(plain.__code__, functools.partial(_forget, key))
            _cache[key] = (alive, [])
        for entry in _cache[key][1]:
            if _holds(entry.assumed, plain):
                return entry.conversion
        _cache[key][1].append(_Entry(conversion, unit.surroundings.assumed))
    return conversion


def _assigned(source: FunctionSource) -> Iterator[tuple[Place, str]]:
    """Yield the place of every expression whose value a plain name gets, and that name."""
    for node in gast.walk(source.node):
        if isinstance(node, gast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, gast.AnnAssign | gast.NamedExpr):
            target, value = node.target, node.value
        elif isinstance(node, gast.AugAssign):
            target, value = node.target, node
        else:
            continue
        if isinstance(target, gast.Name) and value is not None:
            place = value.lineno, value.col_offset, value.end_lineno, value.end_col_offset
            yield (source.file, *place), target.id


def _forget(key: _Key, reference: weakref.ref[types.CodeType]) -> None:
    entry = _cache.get(key)
    if entry is not None and entry[0] is reference:
        del _cache[key]


def _holds(assumed: dict[str, object], function: types.FunctionType) -> bool:
    return all(look_up(function, name) is value for name, value in assumed.items())


def convert_tree(
    function: types.FunctionType, function_values: bool = False, items: bool = False
) -> tuple[Unit, FunctionSource]:
    """Return the converted tree of a function, in its unit, and its source.

    Raises
    ------
    ConversionError
        As `convert` does.
    """
    try:
        source = read_function(function)
    except NoSource as error:
        raise ConversionError(str(error)) from None
    refused = check(source.node)
    if refused:
        raise ConversionError("\n".join(format_rejection(one, source) for one in refused))
    assigned = dict(_assigned(source))  # before the tree is changed
    try:
        unit = run_pipeline(source, function, function_values, items)
        unit.assigned.update(assigned)
        return unit, source
    except Unconvertible as error:
        if error.shared and not function_values:
            return convert_tree(function, True, items)
        raise ConversionError(format_rejection(_rejection(error), source)) from None


def refuse_generator(function: types.FunctionType) -> None:
    """Refuse a generator that is compiled itself; called from compiled code it is converted.

    Raises
    ------
    ConversionError
        If `function` is a generator function.
    """
    if not function.__code__.co_flags & inspect.CO_GENERATOR:
        return
    try:
        source = read_function(function)
    except NoSource as error:
        raise ConversionError(str(error)) from None
    refused = Unconvertible(
        next(n for n in gast.walk(source.node) if isinstance(n, gast.Yield | gast.YieldFrom)),
        "`yield`",
        f"it makes {function.__name__} a generator",
        "return a list, or call it from a compiled function",
    )
    raise ConversionError(format_rejection(_rejection(refused), source))


def _rejection(error: Unconvertible) -> Rejection:
    node: Any = error.node
    same_line = node.lineno == node.end_lineno
    return Rejection(
        node.lineno,
        node.col_offset,
        node.end_col_offset if same_line else None,
        error.construct,
        f"{error.construct} cannot be compiled here: {error.reason}",
        error.advice,
    )


def run_pipeline(
    source: FunctionSource,
    function: types.FunctionType,
    function_values: bool = False,
    items: bool = False,
) -> Unit:
    """Run every stage on a function that the fence let pass.

    Raises
    ------
    Unconvertible
        If a converter refuses a construct.
    """
    tree = _as_function(source.node)
    bound = _stored(tree)
    definitions = gast.FunctionDef | gast.ClassDef
    bound |= {node.name for node in gast.walk(tree) if isinstance(node, definitions)}
    bound |= set(function.__code__.co_freevars)
    if isinstance(source.node, gast.FunctionDef) and tree.name not in function.__code__.co_freevars:
        # The function itself is named from outside.
        inner = [node.name for node in gast.walk(tree) if isinstance(node, gast.FunctionDef)]
        if inner.count(tree.name) == 1 and tree.name not in _stored(tree):
            bound.discard(tree.name)
    names = Names(tree, ["ag", *function.__code__.co_freevars])
    surroundings = Surroundings(function, dict.fromkeys(sorted(bound)))
    unit = Unit(tree, names, surroundings, _operators_name(tree, names, surroundings))
    unit.function_values = function_values
    unit.items = items
    _check_globals(tree, function.__code__)
    for stage in PIPELINE:
        stage.run(unit)
    return unit


def _check_globals(tree: gast.AST, code: types.CodeType) -> None:
    """Refuse a name that means a global in one place, and another function's in another."""
    for node in gast.walk(tree):
        if isinstance(node, gast.Global):
            for name in node.names:
                if name in code.co_freevars:
                    raise Unconvertible(
                        node,
                        f"`global {name}`",
                        f"{name} is a variable of a function around as well",
                        "use another name",
                    )


def _stored(tree: gast.AST) -> set[str]:
    found = set()
    for node in gast.walk(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.add(node.id)
        elif isinstance(node, gast.MatchAs | gast.MatchStar) and node.name is not None:
            found.add(node.name)
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            found.add(node.rest)
    return found


def _as_function(node: Any) -> Any:
    """Return a ``def`` without decorators for any kind of function."""
    if isinstance(node, gast.Lambda):
        body = [Maker(node.body).return_(node.body)]
        name = f"lambda_L{node.lineno}"
        return Maker(node).place(gast.FunctionDef(name, node.args, body, [], None, None, []))
    node.decorator_list = []
    node.type_params = []
    return node


def _operators_name(tree: gast.AST, names: Names, surroundings: Surroundings) -> str:
    used = any(isinstance(node, gast.Name) and node.id == "ag" for node in gast.walk(tree))
    if not used and "ag" not in surroundings.own:
        return "ag"
    value = surroundings.global_value("ag")
    ours = isinstance(value, types.ModuleType) and value.__name__ in _OWN_MODULES
    if ours and _uses_operators_alone(tree):
        surroundings.assumed["ag"] = value
        return "ag"
    return names.fresh("ag_")


def _uses_operators_alone(tree: gast.AST) -> bool:
    """Tell whether all that a function uses of ``ag`` are operators, and not ``ag.Variable``."""
    known = {
        id(node.value)
        for node in gast.walk(tree)
        if isinstance(node, gast.Attribute) and node.attr in operators.__all__
    }
    return all(
        id(node) in known
        for node in gast.walk(tree)
        if isinstance(node, gast.Name) and node.id == "ag"
    )


_OWN_MODULES = ("autograph", "autograph.operators")


def _compile(
    unit: Unit, source: FunctionSource, original: types.CodeType, closed: bool = True
) -> types.CodeType:
    """Compile the converted tree inside a factory, which binds its free names if `closed`."""
    maker = Maker(unit.tree)
    args = unit.tree.args
    for param in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg):
        if param is not None:
            param.annotation = None
    # Defaults and annotations are not evaluated again, so that only the code of the body counts.
    bare = gast.arguments(
        args.args, args.posonlyargs, args.vararg, args.kwonlyargs,
        [None for _ in args.kwonlyargs], args.kwarg, [],
    )  # fmt: skip
    name = unit.names.fresh("converted")
    for node in gast.walk(unit.tree):
        if isinstance(node, gast.Lambda) and node not in unit.lambdas:
            node.args.vararg = Maker(node).place(gast.Name(_MARK, gast.Param(), None, None))
    tree: Any = maker.place(gast.FunctionDef(name, bare, unit.tree.body, [], None, None, []))
    names = original.co_freevars if closed else ()
    free = [maker.assign(maker.store(n), maker.constant(None)) for n in names]
    factory = maker.function(unit.names.fresh("factory"), (), [*free, tree])
    flags = functools.reduce(
        lambda found, feature: found | getattr(__future__, feature).compiler_flag,
        __future__.all_feature_names,
        0,
    )
    module = builtins.compile(
        gast.gast_to_ast(gast.Module([factory], [])),
        source.file,
        "exec",
        original.co_flags & flags,
        dont_inherit=True,
    )
    code = next(found for found in _codes(module) if found.co_name == name)
    return _renamed(code, unit, original.co_name, original.co_qualname, original.co_qualname)


_MARK = "<made of an expression>"
"""A parameter that tells functions made of expressions from the user's; all are ``<lambda>``."""


def _codes(code: types.CodeType) -> list[types.CodeType]:
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return [*inner, *(found for one in inner for found in _codes(one))]


def _renamed(
    code: types.CodeType, unit: Unit, name: str, qualname: str, around: str
) -> types.CodeType:
    """Return `code` with the names it would have if no function had been made around it.

    `around` is the qualified name of the innermost function of the user's; functions made of its
    constructs are parts of it.
    """
    constants = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner = constant.co_name
            marked = constant.co_varnames[constant.co_argcount :][:1] == (_MARK,)
            own = not marked and (inner not in unit.generated or inner in unit.shown)
            shown = unit.shown.get(inner, inner)
            path = f"{around}.<locals>.{shown}" if own else around
            name_ = shown.rpartition(".")[2]  # methods show their class as well
            constant = _renamed(constant, unit, name_, path, path if own else around)
        constants.append(constant)
    return code.replace(co_name=name, co_qualname=qualname, co_consts=tuple(constants))


__all__ = [
    "PIPELINE", "Conversion", "Stage", "convert", "convert_tree", "refuse_generator",
    "run_pipeline",
]  # fmt: skip
