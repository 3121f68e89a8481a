"""Operations that own regions, and how control leaves them.

Owns ``if``, ``while``, ``for`` and ``block``. It leaves their types to type inference over regions
(`runtime.tracing`), and their statements to `runtime.lowering`. Invariant: the conventions below,
which the verifier checks.

==========  ==========================  ====================================================
operation   inputs                      regions
==========  ==========================  ====================================================
``if``      the test                    ``then``, ``else``: no parameters, yield the outputs
``while``   the initial state           ``test``: parameters are the state, yields one value;
                                        ``body``: parameters are the state, yields the state;
                                        optionally ``orelse``: like body, runs when the test
                                        fails, not after ``break``
``for``     the iterable, then the      ``body``: parameters are the item and the state, yields
            initial state               the state; optionally ``orelse``, without the item
``block``   none                        ``body``: no parameters; a ``return`` anywhere in it, not
                                        inside a further block, ends it with the outputs
==========  ==========================  ====================================================

The outputs of a loop are its state when it ends: as the test failed or the items ran out (through
``orelse`` if there is one), or as a ``break`` handed it over. A branch or body may end with
``break``, ``continue``, ``return`` or ``raise`` in place of ``yield``. The test is what Python's
``if`` would take: any value that has a truth value.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.graph import Attributes, Value
from ..ir.types import OPAQUE, Type
from .registry import UNKNOWN, Effects, Operation, register


def _infer(inputs: Sequence[Value], attrs: Attributes) -> tuple[Type, ...]:
    return (OPAQUE,)


def _effects(inputs: Sequence[Value], attrs: Attributes) -> Effects:
    """Region operations do what their regions do; without looking, anything."""
    return UNKNOWN


def _kernel(*inputs: object) -> object:
    raise TypeError("an operation with regions is lowered, not called")


def _region_operation(name: str, doc: str) -> Operation:
    return register(Operation(name, _kernel, _infer, _effects, doc=doc))


IF = _region_operation("if", "one of two regions, by the truth of a value")
WHILE = _region_operation("while", "a loop with a test")
FOR = _region_operation("for", "a loop over an iterable")
BLOCK = _region_operation("block", "a region that return leaves: an inlined function")
REGION_OPERATIONS = (IF, WHILE, FOR, BLOCK)
