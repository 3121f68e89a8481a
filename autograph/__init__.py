"""Write NumPy with ordinary Python control flow and compile it. Use ``import autograph as ag``."""

from runtime.checkpoints import load_checkpoint, read_checkpoint, save_checkpoint
from runtime.modules import Module
from runtime.scopes import name_scope
from runtime.session import Graph, Session, placeholder
from runtime.variables import Variable

from .environment.allowlist import do_not_convert
from .errors import (
    AutographError,
    AutographWarning,
    CheckpointError,
    ConversionError,
    GraphError,
    SessionError,
    VariableError,
)
from .function import compile
from .modes import eager, executing_eagerly, run_eagerly
from .operators import (
    and_,
    assert_,
    bound,
    box,
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
    reraise,
    scope,
    set_,
    special,
    store_global,
    target,
    try_,
    unbound,
    unpack,
    unpack_starred,
    while_loop,
    with_,
)
from .typespec import TypeSpec
from .version import __version__

__all__ = [
    "AutographError", "AutographWarning", "CheckpointError",
    "ConversionError", "Graph", "GraphError", "Module", "Session",
    "SessionError", "TypeSpec", "Variable", "VariableError", "__version__", "and_", "assert_",
    "bound", "box", "break_", "call", "compare", "compile", "cond", "continue_", "dict_",
    "do_not_convert", "eager", "executing_eagerly", "field", "for_loop", "fstring", "in_", "is_",
    "is_not", "list_",
    "load_checkpoint", "name_scope", "not_", "not_in", "or_", "percent", "placeholder", "raise_",
    "read_checkpoint",
    "reraise", "run_eagerly", "save_checkpoint",
    "scope", "set_", "special", "store_global", "target", "try_",
    "unbound", "unpack", "unpack_starred", "while_loop", "with_",
]  # fmt: skip
