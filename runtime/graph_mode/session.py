"""Sessions: they run parts of graphs, and keep the values of variables.

Owns `Session` and what may be fetched and fed. It leaves what a run needs and does to `program`.
Invariant: each session has variables of its own; a graph may grow between two runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from ..errors import SessionError
from ..ir.graph import Value
from ..thread_state import STATE
from ..tracing.symbol import Symbol
from ..variables import Variable, fitting, rebuilt, replace_value
from .graph import Graph, described, hand_built
from .program import program_for
from .variables import Initializer, storage_of


class Session:
    """Runs parts of a graph, and keeps the values of its variables.

    Parameters
    ----------
    graph
        The graph; by default the one that is being built, else that of the fetches of each run.
    """

    def __init__(self, graph: Graph | None = None) -> None:
        if graph is not None and not isinstance(graph, Graph):
            raise SessionError(f"a session runs a Graph, not an object of class "
                               f"{type(graph).__qualname__}")  # fmt: skip
        self._graph: Graph | None = graph or STATE.graph
        self._closed = False
        self._states: dict[Value, Variable] = {}

    def run(self, fetches: object, feed_dict: Mapping[object, object] | None = None) -> Any:
        """Compute tensors.

        Only what the fetches depend on runs. An inner tensor may be fed like a placeholder: then
        what computes it does not run. Assignments run if they are fetched, or if what is fetched
        is made from their result, in the order in which the graph was built.

        Parameters
        ----------
        fetches
            A tensor, a variable (its value at the end of the run), the result of
            `global_variables_initializer` (which runs before all else, and gives None), or lists,
            tuples and dicts of fetches, nested as you like.
        feed_dict
            For each placeholder that is needed (and any other tensor) its value: an array of its
            dtype and shape, or Python data that convert to it.

        Returns
        -------
        object
            The values, in the structure of `fetches`: arrays, NumPy scalars, or what the
            operations of the tensors give.

        Raises
        ------
        SessionError
            If the session is closed; a fetch is no tensor, or of another graph; a placeholder that
            is needed is not fed; a feed has the wrong dtype or shape.
        VariableError
            If a value that is assigned has the wrong dtype or shape.
        """
        if self._closed:
            raise SessionError("the session is closed; open another one")
        feeds = _checked_feeds(feed_dict)
        graph = self._graph or _graph_of(fetches) or _graph_of(list(feeds))
        if graph is None:
            return _map(fetches, _refuse)
        fetched: dict[Value, None] = {}
        read: dict[Value, None] = {}
        first: list[Initializer] = []

        def note(leaf: object) -> None:
            if isinstance(leaf, Initializer):
                first.append(_of_graph(leaf, graph))
            elif isinstance(leaf, Variable):
                read[_value_of_variable(leaf, graph)] = None
            else:
                fetched[graph.value(leaf, "a fetch")] = None

        _map(fetches, note)
        fed = {graph.value(key, "a key of feed_dict"): item for key, item in feeds.items()}
        program = program_for(graph, tuple(fetched), tuple(fed), tuple(read))
        for initializer in first:
            self._initialize(graph, initializer.variables)
        self._begin(graph, program.variables)
        computed = program(fed, self._states, self)
        results = dict(zip((*fetched, *read), computed, strict=True))

        def result(leaf: object) -> object:
            if isinstance(leaf, Initializer):
                return None
            if isinstance(leaf, Variable):
                return results[_value_of_variable(leaf, graph)]
            return results[graph.value(leaf, "a fetch")]

        return _map(fetches, result)

    def _initialize(self, graph: Graph, variables: tuple[Variable, ...]) -> None:
        for variable in variables:
            new = _beginning(variable)
            state = self._states.setdefault(graph.variables[variable], new)
            if state is not new:
                state.assign(new.numpy())

    def _begin(self, graph: Graph, values: tuple[Value, ...]) -> None:
        """Give variables that this session has not used yet the values they start with."""
        missing = [value for value in values if value not in self._states]
        if missing:
            for variable, value in graph.variables.items():
                if value in missing:
                    self._states.setdefault(value, _beginning(variable))

    def state_of(self, variable: Variable) -> Variable:
        """Return the variable that holds the value of a variable of a graph in this session.

        Raises
        ------
        SessionError
            If it is not a variable of the graph of this session.
        """
        return self._states.setdefault(self._place(variable), _beginning(variable))

    def load(self, values: Mapping[Variable, object]) -> None:
        """Give variables of a graph their values in this session; nothing is run.

        Parameters
        ----------
        values
            For each variable an array of its dtype and shape, or Python numbers that fit.

        Raises
        ------
        SessionError
            If the session is closed, or a variable is of no graph, or not of that of the session.
        VariableError
            If dtype or shape differ. In all cases, nothing is changed then.
        """
        if self._closed:
            raise SessionError("the session is closed; open another one")
        states = [
            (self._place(variable), rebuilt(variable.name, fitting(variable, value, "loaded with"),
                                            variable.trainable))
            for variable, value in values.items()
        ]  # fmt: skip

        def assign() -> None:
            for place, state in states:
                if self._states.setdefault(place, state) is not state:
                    replace_value(self._states[place], state)

        try:
            assign()
        except BaseException:  # Ctrl-C: all, not a part
            assign()
            raise

    def _place(self, variable: Variable) -> Value:
        """Return what holds a variable of the graph of this session."""
        storage = storage_of(variable)
        if storage is None:
            raise SessionError(
                f"variable {variable.name!r} was made outside of a graph: assign it, in no session"
            )
        if self._graph not in (None, storage.graph):
            raise SessionError(f"variable {variable.name!r} is not of the graph of this session")
        return storage.graph.variables[variable]

    def close(self) -> None:
        """End the session; it runs nothing any more."""
        self._closed = True
        self._states = {}

    def __enter__(self) -> Session:
        """Return the session itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the session."""
        self.close()


def _beginning(variable: Variable) -> Variable:
    storage = storage_of(variable)
    assert storage is not None
    return rebuilt(storage.name, storage.initial, variable.trainable)


def _value_of_variable(variable: Variable, graph: Graph) -> Value:
    storage = storage_of(variable)
    if storage is None:
        raise SessionError(
            f"a fetch, variable {variable.name!r}, was made outside of a graph: its value is "
            "variable.numpy()"
        )
    if storage.graph is not graph:
        raise SessionError(f"a fetch, variable {variable.name!r}, is of another graph")
    return graph.variables[variable]


def _of_graph(initializer: Initializer, graph: Graph) -> Initializer:
    if initializer.graph is not graph:
        raise SessionError("a fetch, an initializer, is of another graph")
    return initializer


def _checked_feeds(feed_dict: object) -> Mapping[object, object]:
    if feed_dict is None:
        return {}
    if not isinstance(feed_dict, Mapping):
        raise SessionError(
            "feed_dict is a dict from tensors to values, not an object of class "
            f"{type(feed_dict).__qualname__}"
        )
    for key in feed_dict:
        if isinstance(key, Variable):
            raise SessionError(
                f"a key of feed_dict is variable {key.name!r}; run an assignment, or feed what was "
                "read from it"
            )
    return feed_dict


def _graph_of(fetches: object) -> Graph | None:
    """Return the graph of the first tensor in `fetches`, if there is one."""
    found: list[Graph] = []

    def note(leaf: object) -> None:
        graph = leaf.graph if isinstance(leaf, Initializer) else hand_built(leaf)
        if isinstance(leaf, Variable):
            storage = storage_of(leaf)
            graph = None if storage is None else storage.graph
        if graph is not None:
            found.append(graph)

    _map(fetches, note)
    return found[0] if found else None


def _refuse(leaf: object) -> object:
    if isinstance(leaf, Variable):
        return _value_of_variable(leaf, Graph())
    raise SessionError(f"a fetch is {described(leaf)}, not a tensor")


def _map(fetches: object, function: Callable[[object], object]) -> object:
    """Apply `function` to every leaf of nested fetches and return the same structure."""
    if isinstance(fetches, Symbol):
        return function(fetches)
    if isinstance(fetches, dict):
        return {key: _map(part, function) for key, part in fetches.items()}
    if isinstance(fetches, list):
        return [_map(part, function) for part in fetches]
    if isinstance(fetches, tuple):
        parts = [_map(part, function) for part in fetches]
        make = getattr(type(fetches), "_make", tuple)
        return make(parts)
    return function(fetches)
