"""How operations for builtin functions are declared.

Owns `Arguments` (positional and keyword operands of a call) and `define`, which registers a
function with its rules. It leaves the rules to the families. Invariant: a call with a number of
arguments, or a keyword, that the function may not take is inferred as unknown, never by its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..ir.graph import Attributes, Value
from ..ir.types import OPAQUE, Type
from .effects import by_option
from .registry import UNKNOWN, Effects, Operation, Syntax, opaque_like, register


@dataclass(frozen=True, slots=True)
class Arguments:
    """The operands of a call."""

    inputs: Sequence[Value]
    """All of them, in order; effects name positions in it."""
    positional: Sequence[Value]
    keywords: dict[str, Value]

    def types(self) -> list[Type]:
        """Return the types of all operands."""
        return [value.type for value in self.inputs]

    def get(self, position: int, keyword: str = "") -> Value | None:
        """Return a positional operand, or else the one of that keyword, or None."""
        if position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(keyword)


TypeRule = Callable[[Arguments], Type]
EffectRule = Callable[[Arguments], Effects]


def arguments_of(inputs: Sequence[Value], attrs: Attributes) -> Arguments:
    """Split the inputs of a call-like operation into positional and keyword operands."""
    names = attrs.get("keywords", ())
    keywords = names if isinstance(names, tuple) else ()
    count = max(len(inputs) - len(keywords), 0)
    named = dict(zip(map(str, keywords), inputs[count:], strict=False))
    return Arguments(inputs, inputs[:count], named)


def define(
    name: str,
    function: Callable[..., object],
    types: TypeRule,
    effects: EffectRule,
    *,
    count: tuple[int, int] = (1, 1),
    keywords: tuple[str, ...] | None = (),
    syntax: Syntax | None = None,
) -> Operation:
    """Register the operation that a call of `function` means.

    Parameters
    ----------
    name
        Name of the operation.
    function
        The function; it is the kernel too.
    types, effects
        Its rules, for operands whose types are not unions.
    count
        The least and most positional arguments that the rules deal with.
    keywords
        The keyword arguments that the rules deal with; None for any.
    syntax
        The Python expression for it; None for a call.

    Returns
    -------
    Operation
        The registered operation.
    """

    def known(arguments: Arguments) -> bool:
        least, most = count
        return least <= len(arguments.positional) <= most and (
            keywords is None or all(keyword in keywords for keyword in arguments.keywords)
        )

    def infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
        arguments = arguments_of(inputs, attrs)
        return (types(arguments) if known(arguments) else OPAQUE,)

    def option_effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
        arguments = arguments_of(inputs, attrs)
        return effects(arguments) if known(arguments) else UNKNOWN

    operation = Operation(name, function, infer, by_option(option_effects), syntax, doc=name)
    return register(operation, function)


def always(type_: Type) -> TypeRule:
    """Return the rule of a function that gives `type_` whatever it gets."""
    return lambda arguments: type_


def opaque(arguments: Arguments) -> Type:
    """Return the opaque type for a result computed from the operands."""
    return opaque_like(arguments.inputs)
