"""Write NumPy with ordinary Python control flow and compile it. Use ``import autograph as ag``."""

from runtime.checkpoints import load_checkpoint, read_checkpoint, save_checkpoint
from runtime.graph_mode.building import (
    constant,
    global_variables_initializer,
    identity,
    placeholder,
)
from runtime.graph_mode.default import get_default_graph, reset_default_graph
from runtime.graph_mode.graph import Graph
from runtime.graph_mode.session import Session
from runtime.modules import Module
from runtime.scopes import name_scope
from runtime.variables import Variable

from . import summary
from .environment.allowlist import do_not_convert
from .errors import (
    AutographError,
    AutographWarning,
    CheckpointError,
    ConversionError,
    GraphError,
    SessionError,
    SummaryError,
    VariableError,
)
from .function import compile
from .modes import (
    disable_eager_execution,
    eager,
    enable_eager_execution,
    executing_eagerly,
    run_eagerly,
)
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
    "AutographError", "AutographWarning", "CheckpointError", "ConversionError", "Graph",
    "GraphError", "Module", "Session", "SessionError", "SummaryError", "TypeSpec", "Variable",
    "VariableError", "__version__", "and_", "assert_", "bound", "box", "break_", "call", "compare",
    "compile", "cond", "constant", "continue_", "dict_", "disable_eager_execution",
    "do_not_convert", "eager", "enable_eager_execution", "executing_eagerly", "field", "for_loop",
    "fstring", "get_default_graph", "global_variables_initializer", "identity", "in_", "is_",
    "is_not", "list_", "load_checkpoint", "name_scope", "not_", "not_in", "or_", "percent",
    "placeholder", "raise_", "read_checkpoint", "reraise", "reset_default_graph", "run_eagerly",
    "save_checkpoint", "scope", "set_", "special", "store_global", "summary", "target", "try_",
    "unbound", "unpack", "unpack_starred", "while_loop", "with_",
]  # fmt: skip
