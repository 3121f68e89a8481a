"""Write NumPy with ordinary Python control flow and compile it. Use ``import autograph as ag``."""

from .environment.allowlist import do_not_convert
from .errors import (
    AutographError,
    AutographWarning,
    ConversionError,
    GraphError,
    SessionError,
)
from .function import compile
from .modes import eager, executing_eagerly, run_eagerly
from .operators import (
    and_,
    assert_,
    bound,
    break_,
    call,
    compare,
    cond,
    continue_,
    dict_,
    field,
    for_loop,
    fstring,
    in_,
    is_,
    is_not,
    list_,
    not_,
    not_in,
    or_,
    percent,
    raise_,
    scope,
    set_,
    unbound,
    unpack,
    unpack_starred,
    while_loop,
)
from .typespec import TypeSpec
from .version import __version__

__all__ = [
    "AutographError", "AutographWarning", "ConversionError", "GraphError", "SessionError",
    "TypeSpec", "__version__", "and_", "assert_", "bound", "break_", "call", "compare", "compile",
    "cond", "continue_", "dict_", "do_not_convert", "eager", "executing_eagerly", "field",
    "for_loop", "fstring", "in_", "is_", "is_not", "list_", "not_", "not_in", "or_", "percent",
    "raise_", "run_eagerly", "scope", "set_", "unbound", "unpack", "unpack_starred", "while_loop",
]  # fmt: skip
