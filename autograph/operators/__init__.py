"""What converted code calls: `cond`, `while_loop`, `for_loop`, `call` and the rest.

This is the contract between the converters, which write these names, and the tracer.
"""

from .attributes import special, target
from .calls import call, made
from .classes import class_
from .control import break_, cond, continue_, for_loop, scope, while_loop
from .generators import gathered, generator, iterated, yield_
from .handling import box, reraise, try_, with_
from .logic import and_, compare, in_, is_, is_not, not_, not_in, or_
from .patterns import match_class, match_mapping, match_sequence
from .places import double_star, item, part, star
from .values import (
    assert_,
    bound,
    dict_,
    field,
    fstring,
    list_,
    percent,
    raise_,
    set_,
    spread,
    store_global,
    tuple_,
    unbound,
    unpack,
    unpack_starred,
)

__all__ = [
    "and_", "assert_", "bound", "box", "break_", "call", "class_", "compare", "cond", "continue_",
    "dict_", "double_star", "field", "for_loop", "fstring", "gathered", "generator", "in_", "is_",
    "is_not",
    "item", "iterated", "list_", "made", "match_class", "match_mapping", "match_sequence", "not_",
    "not_in", "or_", "part", "percent", "raise_", "reraise", "scope", "set_", "special", "spread",
    "star", "store_global", "target", "try_", "tuple_", "unbound", "unpack", "unpack_starred",
    "while_loop", "with_", "yield_",
]  # fmt: skip
