"""Operations that own regions, and how control leaves them.

Owns ``if``, ``while``, ``for``, ``block``, ``try``, ``with`` and ``apply``. It leaves their types
to type inference over regions (`runtime.tracing`), and their statements to `runtime.lowering`.
Invariant: the conventions below, which the verifier checks.

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
``apply``   the arguments               none; calls the function of the graph that attribute
                                        ``function`` names
``try``     the class or tuple of       ``body``, then a handler for each input, with the
            classes of each handler     error as parameter; with attribute ``orelse`` then that
                                        region, with ``final`` then that; all yield nothing
``with``    the context manager         ``body``: its parameter is what ``__enter__`` returned;
                                        yields nothing
==========  ==========================  ====================================================

The outputs of a loop are its state when it ends: as the test failed or the items ran out (through
``orelse`` if there is one), or as a ``break`` handed it over. A branch or body may end with
``break``, ``continue``, ``return`` or ``raise`` in place of ``yield``. ``try`` and ``with`` have no
outputs: names that change inside live in slots. A ``raise`` without values, in a handler, raises
the error again. The test is what Python's
``if`` would take: any value that has a truth value.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.graph import Attributes, Value
from ..ir.types import BOTTOM, OPAQUE, Type
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
APPLY = register(
    Operation(
        "apply", _kernel, lambda inputs, attrs: (BOTTOM,), _effects,
        doc="a call of one of the graph's own functions; attribute function; typed by the tracer",
    )
)  # fmt: skip
TRY = _region_operation("try", "a region whose errors are handled")
WITH = _region_operation("with", "a region under a context manager")
REGION_OPERATIONS = (IF, WHILE, FOR, BLOCK, TRY, WITH)
