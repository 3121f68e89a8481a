"""Functions that add to the graph that is being built, and do the like with arrays elsewhere.

Owns `placeholder`, `constant`, `identity` and `global_variables_initializer`. All other operations
are NumPy's own functions and Python's operators. Invariant: outside of graphs these functions give
plain arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import SessionError
from ..ops.variables import IDENTITY
from ..scopes import checked_name
from ..thread_state import STATE
from ..tracing.symbol import Symbol, is_symbolic
from ..variables import plain
from .default import get_default_graph
from .graph import Graph, Shape, hand_built
from .variables import Initializer


def placeholder(dtype: object, shape: Shape | None = None, name: str | None = None) -> Symbol:
    """Add a tensor that is fed in each run to the graph that is being built.

    Parameters
    ----------
    dtype
        Anything `np.dtype` takes: a numeric dtype.
    shape
        For each axis its length, None if any length will do, or a name: axes of one name have
        one length in each run. ``()`` for a NumPy scalar, None for arrays of any number of axes.
    name
        What messages call it; made unique.

    Returns
    -------
    Symbol
        A tensor: it takes operators, methods and NumPy functions, and is a key of `feed_dict`.

    Raises
    ------
    SessionError
        If no graph is being built, or dtype or shape are none.
    ValueError
        If `name` is no name.
    """
    graph: Graph | None = STATE.graph
    if graph is None:
        raise SessionError(
            "a placeholder belongs to a graph: write `with Graph().as_default():` around it, or "
            "call disable_eager_execution() first"
        )
    return graph.placeholder(dtype, shape, name)


def constant(value: object, dtype: object = None, name: str | None = None) -> Any:
    """Return ``np.array(value, dtype)``; where a graph is built, as a tensor.

    Parameters
    ----------
    value
        Numbers: an array, a number, nested lists.
    dtype
        Anything `np.dtype` takes.
    name
        The name of the tensor; made unique.

    Raises
    ------
    ValueError
        If `name` is no name.

    >>> constant([[1.0, 2.0]])
    array([[1., 2.]])
    """
    if is_symbolic(value):
        raise SessionError("a constant is made of numbers, not of a tensor; use identity")
    array: np.ndarray = np.array(plain(value), dtype)  # type: ignore[call-overload]
    chosen = "constant" if name is None else checked_name(name)
    graph: Graph | None = STATE.graph
    if graph is None:
        return array
    return graph.tracer.append(IDENTITY, (array,), name=chosen)


def identity(value: Any, name: str | None = None) -> Any:
    """Return `value`; a tensor as a new tensor of the same value, with a name of its own.

    Parameters
    ----------
    value
        A tensor, a variable (whose present value is taken), an array or a number.
    name
        The name of the tensor; made unique.

    Raises
    ------
    ValueError
        If `name` is no name.

    >>> identity(np.arange(3), name="steps")
    array([0, 1, 2])
    """
    chosen = "identity" if name is None else checked_name(name)
    taken = plain(value)
    graph = hand_built(taken) or STATE.graph
    if graph is None:
        return taken
    return graph.tracer.append(IDENTITY, (taken,), name=chosen)


def global_variables_initializer() -> Initializer:
    """Return what a session runs to give every variable made so far the value it starts with.

    It is of the graph that is being built, else of the default graph. Without it a session gives a
    variable that value when it first uses it.
    """
    graph = get_default_graph()
    return Initializer(graph, tuple(graph.variables))
