"""Reading and changing variables, and values that carry a name.

Owns ``variable.read``, ``variable.copy``, ``variable.change`` and ``identity``. It leaves what a
variable is to `runtime.variables`, and where Python means one of these to `runtime.tracing`.
Invariant: what a variable was read as never changes, but is ordered with its changes as if it did.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence

from ..ir.graph import Attributes, Value
from ..ir.names import name_class, name_object
from ..ir.types import OPAQUE, Type, VariableType, is_plain
from ..variables import Variable
from .effects import by_option
from .registry import FRESH, UNKNOWN, Alias, Effects, Operation, Raises, Sharing, register

name_object("ag.Variable", name_class(Variable))
IN_PLACE = {
    "iadd": "assign_add", "isub": "assign_sub",
    **{
        name: f"__{name}__"
        for name in (
            "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul", "ilshift", "irshift",
            "iand", "ior", "ixor",
        )
    },
}  # fmt: skip
"""The method of a variable that each in-place operator means."""
CHANGES = ("assign", *IN_PLACE.values())
_OPERATORS = {f"__{name}__": getattr(operator, name) for name in IN_PLACE}


def _infer_value(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    type_ = inputs[0].type
    return (type_.content if isinstance(type_, VariableType) else OPAQUE,)


def _read_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    if not isinstance(inputs[0].type, VariableType):
        return UNKNOWN
    return Effects(reads=(0,), aliases=(Alias(Sharing.MAYBE, (0,)),))


def _copy_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    if not isinstance(inputs[0].type, VariableType):
        return UNKNOWN
    return Effects(reads=(0,), aliases=(FRESH,))


def _change_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Return the effects of a change: it checks its operand, which may be a list of anything."""
    known = isinstance(inputs[0].type, VariableType) and (
        is_plain(inputs[1].type) or isinstance(inputs[1].type, VariableType)
    )
    return Effects(Raises.VALUE, reads=(0, 1), writes=(0,), calls=not known, aliases=())


def _change(attrs: Attributes, variable: Variable, value: object) -> None:
    name = str(attrs["method"])
    if name in _OPERATORS:
        _OPERATORS[name](variable, value)
    else:
        getattr(variable, name)(value)


def _method_syntax(inputs: list[ast.expr], attrs: Attributes, name: str) -> ast.expr:
    return ast.Call(ast.Attribute(inputs[0], name, ast.Load()), inputs[1:], [])


READ = register(
    Operation(
        "variable.read", Variable.value, _infer_value, by_option(_read_effects),
        lambda inputs, attrs: _method_syntax(inputs, attrs, "value"),
        doc="the present value of a variable, a read-only array",
    )
)  # fmt: skip
COPY = register(
    Operation(
        "variable.copy", Variable.numpy, _infer_value, by_option(_copy_effects),
        lambda inputs, attrs: _method_syntax(inputs, attrs, "numpy"),
        doc="a copy of the present value of a variable",
    )
)  # fmt: skip
CHANGE = register(
    Operation(
        "variable.change", _change, lambda inputs, attrs: (), by_option(_change_effects),
        lambda inputs, attrs: _method_syntax(inputs, attrs, str(attrs["method"])),
        outputs=0, takes_attributes=True,
        doc="replace the value of a variable; attribute method: assign, assign_add, __imul__, ...",
    )
)  # fmt: skip
IDENTITY = register(
    Operation(
        "identity", lambda value: value, lambda inputs, attrs: (inputs[0].type,),
        by_option(lambda inputs, attrs: Effects(aliases=(Alias(Sharing.SAME, (0,)),))),
        lambda inputs, attrs: inputs[0],
        doc="its input, under a name of its own",
    )
)  # fmt: skip
