"""The language that can be compiled: a yes or no for every kind of node, with the reason.

Owns the verdict on a tree before anything is done with it. It leaves finding the tree to `source`
and everything that depends on types or values to tracing.

Invariant: every node class of gast stands in `VERDICTS`, and a class that does not is refused; so a
function that passes holds nothing that a later stage has not heard of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from autograph.syntax.class_statements import refusals
from autograph.syntax.source import FunctionSource


@dataclass(frozen=True)
class Rejection:
    """One construct that cannot be compiled.

    Attributes
    ----------
    line
        The line of the file on which the construct starts, from 1.
    column
        Where it starts in that line, in UTF-8 bytes from 0, as Python's own trees count.
    end_column
        Where it ends in that line; None if it goes on on the next line.
    construct
        Its name, as a Python programmer calls it: "`yield`", "class statement".
    reason
        Why it cannot be compiled, as a sentence without its full stop.
    advice
        What to write instead, as a clause.
    """

    line: int
    column: int
    end_column: int | None
    construct: str
    reason: str
    advice: str


@dataclass(frozen=True)
class Refused:
    """A no: what the construct is called, why it is refused, what to write instead."""

    construct: str
    reason: str
    advice: str


_PLAIN = "keep it outside of the compiled function, or run the function with fallback"
_OUTSIDE = Refused("module", "only a function can be compiled", "pass a function")
_GROUPS = Refused(
    "`except*`",
    "`except*` cannot be compiled",
    "catch the whole group with `except`",
)
_ASYNC = Refused(
    "`async`",
    "{function} is a coroutine; a coroutine cannot be compiled",
    "compile the numeric part as a function of its own and call that",
)
_YIELD = Refused(
    "`yield`",
    "the value of `yield`, which is what a caller sends, cannot be compiled",
    "write `yield` as a statement of its own",
)
_YIELD_FROM = Refused(
    "`yield from`",
    "the value of `yield from`, which is what a generator returns, cannot be compiled",
    "write `yield from` as a statement of its own",
)
_GUARDED_YIELD = Refused(
    "`yield`",
    "`yield` inside `try` or `with` cannot be compiled",
    "put it after the construct, or return a list",
)
_IMPORT = Refused(
    "import inside a function",
    "an import inside {function} would run while it is traced",
    "put the import at the top of the file",
)
_PYTHON_2 = Refused("Python 2", "this is not Python 3", "write it in Python 3")
_TYPE_PARAMETER = Refused(
    "type parameter",
    "type parameters inside {function} cannot be compiled",
    "leave them out, they mean nothing at run time",
)
_TEMPLATE = Refused(
    "template string", "a template string cannot be compiled", "write it as an f-string"
)


def _accepted(*names: str) -> dict[str, Refused | None]:
    """Say yes to each of `names`."""
    return dict.fromkeys(names)


def _refused(verdict: Refused, *names: str) -> dict[str, Refused | None]:
    """Say no to each of `names`, for one reason."""
    return dict.fromkeys(names, verdict)


#: Yes (None) or no for every node class of gast, by name. Some of the yes depend on the context,
#: see `_CONTEXTS`.
VERDICTS: dict[str, Refused | None] = {
    # Statements.
    **_accepted(
        "FunctionDef", "ClassDef", "Return", "Delete", "Assign", "AugAssign", "AnnAssign", "For",
        "While", "If", "Raise", "Assert", "Global", "Nonlocal", "Expr", "Pass", "Break", "Continue",
        "Try", "ExceptHandler", "With", "withitem", "Match", "match_case", "MatchValue",
        "MatchSingleton", "MatchSequence", "MatchMapping", "MatchClass", "MatchStar", "MatchAs",
        "MatchOr",
    ),
    **_refused(_ASYNC, "AsyncFunctionDef", "AsyncFor", "AsyncWith", "Await"),
    **_refused(_GROUPS, "TryStar"),
    **_refused(_IMPORT, "Import", "ImportFrom", "alias"),
    **_refused(_TYPE_PARAMETER, "TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple"),
    # Expressions.
    **_accepted(
        "BoolOp", "NamedExpr", "BinOp", "UnaryOp", "Lambda", "IfExp", "Dict", "Set", "ListComp",
        "SetComp", "DictComp", "GeneratorExp", "Compare", "Call", "FormattedValue", "JoinedStr",
        "Constant", "Attribute", "Subscript", "Starred", "Name", "List", "Tuple", "Slice",
        "comprehension", "arguments", "keyword",
    ),
    **_refused(_YIELD, "Yield"),
    **_refused(_YIELD_FROM, "YieldFrom"),
    **_refused(_TEMPLATE, "TemplateStr", "Interpolation"),
    # Operators and contexts.
    **_accepted(
        "And", "Or", "Not", "Invert", "UAdd", "USub", "Add", "Sub", "Mult", "MatMult", "Div",
        "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor", "BitAnd", "FloorDiv", "Eq", "NotEq",
        "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn", "Load", "Store", "Del", "Param",
    ),
    # What never stands inside a function.
    **_refused(
        _OUTSIDE, "Module", "Interactive", "Expression", "FunctionType", "Suite", "type_ignore"
    ),
    **_refused(_PYTHON_2, "Print", "Exec", "Repr", "ExtSlice", "AugLoad", "AugStore"),
}  # fmt: skip

# Refused statements whose bodies are looked at all the same, so that one run tells everything.
_DESCENDED = frozenset({"TryStar"})
_COMPREHENSIONS = frozenset({"ListComp", "SetComp", "DictComp", "GeneratorExp"})
# Builtins that see the frame they are called from, which is not the user's while tracing.
_FRAME_BUILTINS = frozenset({"exec", "eval", "locals", "globals"})
_FRAME_CALLS = frozenset({"vars", "dir"})


def check(node: Any) -> tuple[Rejection, ...]:
    r"""Find everything in a function that cannot be compiled.

    Parameters
    ----------
    node
        A gast FunctionDef, AsyncFunctionDef or Lambda. Its decorators, defaults and annotations
        are not looked at, since they are evaluated outside of the function.

    Returns
    -------
    tuple of Rejection
        In the order of the source; empty if the function may be compiled.

    Examples
    --------
    >>> tree = gast.parse("def f(n):\n    for i in range(n):\n        await n\n")
    >>> for rejection in check(tree.body[0]):
    ...     print(rejection.line, rejection.reason)
    3 f is a coroutine; a coroutine cannot be compiled
    """
    fence = _Fence(node)
    return tuple(sorted(fence.rejections, key=lambda found: (found.line, found.column)))


def format_rejection(rejection: Rejection, source: FunctionSource) -> str:
    """Write a rejection with its place, its line, a caret, and the advice.

    Parameters
    ----------
    rejection
        One of what `check` found in ``source.node``.
    source
        The source of the function.

    Returns
    -------
    str
        Four lines without a newline at the end; the column is counted in characters from 1.
    """
    lines = source.text.split("\n")
    index = rejection.line - source.first_line
    line = lines[index] if 0 <= index < len(lines) else ""
    before, rest = _split(line, rejection.column)
    if rejection.end_column is None:
        marked = rest.rstrip()
    else:
        marked = _split(rest, rejection.end_column - rejection.column)[0]
    # Tabs are kept, so that the caret stands under its column whatever their width.
    pad = "".join("\t" if character == "\t" else " " for character in before.lstrip())
    place = f"{source.file}:{rejection.line}:{len(before) + 1}"
    return "\n".join(
        (
            f"{place}: {rejection.reason}",
            f"    {line.strip()}",
            f"    {pad}{'^' * max(1, len(marked))}",
            f"    {rejection.advice}",
        )
    )


def _split(text: str, byte_count: int) -> tuple[str, str]:
    """Split a line after a number of UTF-8 bytes."""
    encoded = text.encode()
    head = encoded[:byte_count].decode(errors="replace")
    return head, encoded[byte_count:].decode(errors="replace")


@dataclass(frozen=True)
class _Scope:
    """One function around the node that is looked at."""

    name: str
    bound: frozenset[str]
    outer: _Scope | None
    # The construct in which a walrus would bind nothing outside of it, or not always.
    walrus: str | None = None
    # Whether an exception is being handled.
    handles: bool = False
    # Whether a `try` or `with` of this function is around.
    guarded: bool = False

    def binds(self, name: str) -> bool:
        """Tell whether this function or one around it, up to the compiled one, binds `name`."""
        return name in self.bound or (self.outer is not None and self.outer.binds(name))

    def within(self, construct: str) -> _Scope:
        """Return this scope, as seen from within `construct`."""
        return replace(self, walrus=construct)


class _Fence:
    """One walk over one function."""

    def __init__(self, root: Any) -> None:
        self.rejections: list[Rejection] = []
        verdict = VERDICTS.get(type(root).__name__, _OUTSIDE)
        if not isinstance(root, gast.FunctionDef | gast.Lambda):
            name = getattr(root, "name", "this")
            self.refuse(root, verdict or _OUTSIDE, _Scope(name, frozenset(), None))
            return
        scope = _Scope(_name_of(root), _bound_names(root), None)
        self.type_parameters(root, scope)
        if isinstance(root, gast.Lambda):
            scope = scope.within("a lambda")
        for child in _as_list(root.body):
            self.visit(child, scope)

    def refuse(self, node: Any, verdict: Refused, scope: _Scope) -> None:
        """Record that `node` is refused."""
        line = getattr(node, "lineno", 1)
        same_line = getattr(node, "end_lineno", line) == line
        self.rejections.append(
            Rejection(
                line,
                getattr(node, "col_offset", 0),
                getattr(node, "end_col_offset", None) if same_line else None,
                verdict.construct,
                verdict.reason.format(function=scope.name),
                verdict.advice.format(function=scope.name),
            )
        )

    def visit(self, node: Any, scope: _Scope) -> None:
        """Look at `node` and what is inside."""
        kind = type(node).__name__
        unknown = Refused(kind, f"{kind} is not known to the compiler", _PLAIN)
        verdict = VERDICTS.get(kind, unknown)
        if verdict is not None:
            self.refuse(node, verdict, scope)
        if verdict is not None and kind not in _DESCENDED:
            return
        handler = _CONTEXTS.get(kind)
        if handler is not None:
            handler(self, node, scope)
        else:
            self.children(node, scope)

    def children(self, node: Any, scope: _Scope) -> None:
        """Look at what is inside `node`."""
        for child in gast.iter_child_nodes(node):
            self.visit(child, scope)

    def function(self, node: Any, scope: _Scope) -> None:
        """Look at a function inside the compiled one."""
        for decorator in getattr(node, "decorator_list", []):
            self.visit(decorator, scope)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default, scope)
        inner = _Scope(_name_of(node), _bound_names(node), scope)
        self.type_parameters(node, inner)
        if isinstance(node, gast.Lambda):
            inner = inner.within("a lambda")
        for child in _as_list(node.body):
            self.visit(child, inner)

    def class_(self, node: Any, scope: _Scope) -> None:
        """Look at a class statement."""
        for part, what in refusals(node):
            verdict = Refused(
                "class statement",
                f"{what} cannot be compiled in a class made inside {{function}}",
                "define the class at the top of the file",
            )
            self.refuse(part, verdict, scope)
        for child in node.body:
            if isinstance(child, gast.FunctionDef):
                self.visit(child, scope)

    def type_parameters(self, node: Any, scope: _Scope) -> None:
        """Refuse the parameters of ``def f[T](...)``."""
        for parameter in getattr(node, "type_params", None) or ():
            self.refuse(parameter, _TYPE_PARAMETER, scope)

    def nonlocal_(self, node: Any, scope: _Scope) -> None:
        """Refuse a nonlocal that lives outside of the compiled function."""
        for name in node.names:
            if scope.outer is None or not scope.outer.binds(name):
                verdict = Refused(
                    f"`nonlocal {name}`",
                    f"{{function}} assigns {name}, which belongs to a function around the "
                    "compiled one",
                    f"return {name} and assign it where {{function}} is called",
                )
                self.refuse(node, verdict, scope)

    def name(self, node: Any, scope: _Scope) -> None:
        """Refuse names that mean the frame or the class the code stands in."""
        if not isinstance(node.ctx, gast.Load) or scope.binds(node.id):
            return
        if node.id in _FRAME_BUILTINS:
            verdict = Refused(
                f"`{node.id}`",
                f"`{node.id}` sees the variables of {{function}}, which a compiled function "
                "does not keep",
                "name the values it needs, or keep it outside of the compiled function",
            )
            self.refuse(node, verdict, scope)
        elif node.id == "__class__":
            self.refuse(node, _ZERO_ARGUMENT_SUPER, scope)

    def call(self, node: Any, scope: _Scope) -> None:
        """Refuse calls that depend on where they stand."""
        callee = node.func.id if isinstance(node.func, gast.Name) else None
        if callee is not None and not node.args and not node.keywords and not scope.binds(callee):
            if callee == "super":
                self.refuse(node, _ZERO_ARGUMENT_SUPER, scope)
            elif callee in _FRAME_CALLS:
                verdict = Refused(
                    f"`{callee}()`",
                    f"`{callee}()` sees the variables of {{function}}, which a compiled "
                    "function does not keep",
                    f"pass an object: `{callee}(x)`",
                )
                self.refuse(node, verdict, scope)
        self.children(node, scope)

    def walrus(self, node: Any, scope: _Scope) -> None:
        """Refuse `:=` where it is not evaluated exactly once, in the function's own scope."""
        if scope.walrus is not None:
            verdict = Refused(
                "`:=`",
                f"`:=` inside {scope.walrus} cannot be compiled yet",
                "assign the name in a statement of its own",
            )
            self.refuse(node, verdict, scope)
        self.children(node, scope)

    def assert_(self, node: Any, scope: _Scope) -> None:
        """Look at an assertion, whose message is evaluated only when it fails."""
        self.visit(node.test, scope)
        if node.msg is not None:
            self.visit(node.msg, scope.within("the message of `assert`"))

    def comparison(self, node: Any, scope: _Scope) -> None:
        """Look at a comparison; in a chain the later operands may not be evaluated."""
        chained = len(node.ops) > 1
        self.visit(node.left, scope)
        for operand in node.comparators:
            self.visit(operand, scope.within("a chain of comparisons") if chained else scope)

    def conditional(self, node: Any, scope: _Scope) -> None:
        """Look at a conditional expression, of which one branch is evaluated."""
        self.visit(node.test, scope)
        for branch in (node.body, node.orelse):
            self.visit(branch, scope.within("a conditional expression"))

    def and_or(self, node: Any, scope: _Scope) -> None:
        """Look at `and` or `or`, whose later operands may not be evaluated."""
        first, *rest = node.values
        self.visit(first, scope)
        for operand in rest:
            self.visit(operand, scope.within("`and` or `or`"))

    def comprehension(self, node: Any, scope: _Scope) -> None:
        """Refuse `async for` in a comprehension."""
        if node.is_async:
            self.refuse(node.target, _ASYNC, scope)
        self.children(node, scope)

    def annotated(self, node: Any, scope: _Scope) -> None:
        """Look at an annotated assignment; Python does not evaluate its annotation either."""
        self.visit(node.target, scope)
        if node.value is not None:
            self.visit(node.value, scope)

    def raise_(self, node: Any, scope: _Scope) -> None:
        """Refuse a bare `raise` outside of a handler."""
        if node.exc is None and not scope.handles:
            verdict = Refused(
                "bare `raise`",
                "a bare `raise` outside of `except` needs an exception that a caller handles",
                "name the exception to raise",
            )
            self.refuse(node, verdict, scope)
        self.children(node, scope)

    def statement(self, node: Any, scope: _Scope) -> None:
        """Look at an expression statement, which may be a `yield`."""
        if not isinstance(node.value, gast.Yield | gast.YieldFrom):
            self.visit(node.value, scope)
            return
        if scope.guarded:
            self.refuse(node.value, _GUARDED_YIELD, scope)
        self.children(node.value, scope)

    def guard(self, node: Any, scope: _Scope) -> None:
        """Look at a `try` or `with`."""
        self.children(node, replace(scope, guarded=True))

    def handler(self, node: Any, scope: _Scope) -> None:
        """Look at a handler, whose classes may not be evaluated."""
        if node.type is not None:
            self.visit(node.type, scope.within("the classes of `except`"))
        for child in node.body:
            self.visit(child, replace(scope, handles=True))


_ZERO_ARGUMENT_SUPER = Refused(
    "`super()`",
    "`super()` without arguments needs the class that {function} is written in",
    "name them: `super(Class, self)`",
)

_CONTEXTS: dict[str, Callable[[_Fence, Any, _Scope], None]] = {
    "FunctionDef": _Fence.function,
    "ClassDef": _Fence.class_,
    "Lambda": _Fence.function,
    "Nonlocal": _Fence.nonlocal_,
    "Name": _Fence.name,
    "Call": _Fence.call,
    "NamedExpr": _Fence.walrus,
    "Assert": _Fence.assert_,
    "Compare": _Fence.comparison,
    "IfExp": _Fence.conditional,
    "BoolOp": _Fence.and_or,
    "comprehension": _Fence.comprehension,
    "AnnAssign": _Fence.annotated,
    "Raise": _Fence.raise_,
    "ExceptHandler": _Fence.handler,
    "Expr": _Fence.statement,
    "Try": _Fence.guard,
    "With": _Fence.guard,
}


def _as_list(body: Any) -> list[Any]:
    """Return the body of a function or of a lambda, as a list of nodes."""
    return body if isinstance(body, list) else [body]


def _name_of(node: Any) -> str:
    """Return what to call a function in a message."""
    return "this lambda" if isinstance(node, gast.Lambda) else str(node.name)


def _bound_names(function: Any) -> frozenset[str]:
    """Names that a function binds in its own scope, parameters included."""
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    names = [parameter.id for parameter in parameters]
    for child in _as_list(function.body):
        names.extend(_stored_names(child))
    return frozenset(names)


def _stored_names(node: Any) -> Iterator[str]:
    """Names that `node` binds in the function it stands in."""
    if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
        yield node.id
    elif isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        yield node.name
    elif isinstance(node, gast.MatchAs | gast.MatchStar | gast.MatchMapping):
        name = node.rest if isinstance(node, gast.MatchMapping) else node.name
        if name is not None:
            yield name
        for child in gast.iter_child_nodes(node):
            yield from _stored_names(child)
    elif isinstance(node, gast.alias):
        yield (node.asname or node.name).split(".")[0]
    elif not isinstance(node, gast.Lambda) and type(node).__name__ not in _COMPREHENSIONS:
        for child in gast.iter_child_nodes(node):
            yield from _stored_names(child)
