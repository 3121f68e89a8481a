"""Modules in graphs: sessions keep their values, and checkpoints bring these back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag


class Scale(ag.Module):
    """Multiplies by numbers that a graph or the program keeps."""

    def __init__(self) -> None:
        with self.name_scope:
            self.factors = ag.Variable([2.0, 3.0], name="factors")
            self.steps = ag.Variable(0, name="steps", trainable=False)

    @ag.compile(fallback="error")
    def __call__(self, x: Any) -> Any:
        return x * self.factors


@pytest.fixture
def graph() -> ag.Graph:
    """Give a graph that nobody builds."""
    return ag.Graph()


@pytest.fixture
def module(graph: ag.Graph) -> Scale:
    """Give a module whose variables are of the graph."""
    with graph.as_default():
        return Scale()


@pytest.fixture
def session(graph: ag.Graph) -> Iterator[ag.Session]:
    """Give a session of the graph."""
    with ag.Session(graph) as one:
        yield one


def test_a_module_of_a_graph_finds_its_variables(module: Scale) -> None:
    assert list(module.named_variables()) == ["factors", "steps"]
    assert [v.name for v in module.variables] == ["scale/factors", "scale/steps"]


def test_a_compiled_method_builds_the_graph(graph: ag.Graph, module: Scale,
                                            session: ag.Session) -> None:  # fmt: skip
    with graph.as_default():
        fed = ag.placeholder(np.float64, (None,))
        result = module(fed)
    assert session.run(result, {fed: [1.0, 10.0]}).tolist() == [2.0, 30.0]


def test_values_of_a_session_are_saved_and_loaded_into_another(
    graph: ag.Graph, module: Scale, session: ag.Session, tmp_path: Path
) -> None:
    with graph.as_default():
        change = module.factors.assign([5.0, 6.0])
    session.run(change)
    module.save_checkpoint(tmp_path / "a", session)
    with ag.Session(graph) as other:
        assert other.run(module.factors).tolist() == [2.0, 3.0]
        module.load_checkpoint(tmp_path / "a", other)
        assert other.run(module.factors).tolist() == [5.0, 6.0]
    with ag.Session(graph) as fresh:
        ag.load_checkpoint(tmp_path / "a", module, session=fresh)
        assert fresh.run(module.factors).tolist() == [5.0, 6.0]


def test_files_of_graphs_and_of_eager_modules_are_the_same(
    module: Scale, session: ag.Session, tmp_path: Path
) -> None:
    eager = Scale()
    eager.save_checkpoint(tmp_path / "eager")
    ag.save_checkpoint(tmp_path / "graph", module, session=session)
    assert (tmp_path / "eager").read_bytes() == (tmp_path / "graph").read_bytes()
    eager.factors.assign([7.0, 8.0])
    eager.save_checkpoint(tmp_path / "eager")
    module.load_checkpoint(tmp_path / "eager", session)
    assert session.run(module.factors).tolist() == [7.0, 8.0]


@pytest.mark.parametrize("building", [False, True])
def test_without_a_session_a_variable_of_a_graph_is_refused(
    graph: ag.Graph, module: Scale, tmp_path: Path, building: bool
) -> None:
    Scale().save_checkpoint(tmp_path / "a")

    def both() -> None:
        words = "'factors' is a variable of a graph: give the session that keeps its value"
        with pytest.raises(ag.CheckpointError, match=words):
            module.load_checkpoint(tmp_path / "a")
        with pytest.raises(ag.CheckpointError, match=words):
            module.save_checkpoint(tmp_path / "b")

    if building:
        with graph.as_default():
            both()
    else:
        both()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_eager_module_is_saved_and_loaded_while_a_graph_is_built(
    graph: ag.Graph, tmp_path: Path
) -> None:
    eager = Scale()
    with graph.as_default():
        eager.save_checkpoint(tmp_path / "a")
        eager.load_checkpoint(tmp_path / "a")
    assert eager.factors.numpy().tolist() == [2.0, 3.0]


def test_what_does_not_fit_changes_nothing_in_the_session(
    module: Scale, session: ag.Session, tmp_path: Path
) -> None:
    ag.save_checkpoint(tmp_path / "a", {"factors": np.array([9.0, 9.0]), "steps": np.array(1.0)})
    with pytest.raises(ag.CheckpointError) as caught:
        module.load_checkpoint(tmp_path / "a", session)
    assert caught.value.problems == ("'steps' has dtype float64 in the file, but int64 here",)
    assert session.run(module.factors).tolist() == [2.0, 3.0]


def test_a_closed_session_leaves_eager_variables_and_arrays_alone(
    module: Scale, session: ag.Session, tmp_path: Path
) -> None:
    v, array = ag.Variable(0.0), np.zeros(1)
    ag.save_checkpoint(tmp_path / "a", {"x": array + 1, "v": np.array(1.0), "s": np.array(5)})
    session.close()
    targets = {"x": array, "v": v, "s": module.steps}
    with pytest.raises(ag.SessionError, match="closed"):
        ag.load_checkpoint(tmp_path / "a", targets, session)
    assert (array[0], v.numpy()) == (0.0, 0.0)


def test_one_checkpoint_may_hold_arrays_and_variables_of_both_modes(
    module: Scale, session: ag.Session, tmp_path: Path
) -> None:
    v, array = ag.Variable(1.0), np.ones(1)
    targets = {"x": array, "v": v, "s": module.steps}
    ag.save_checkpoint(tmp_path / "a", targets, session)
    array[:] = 0.0
    v.assign(0.0)
    session.load({module.steps: 9})
    ag.load_checkpoint(tmp_path / "a", targets, session)
    assert (array[0], v.numpy(), session.run(module.steps)) == (1.0, 1.0, 0)


def test_a_session_loads_values_all_or_none(
    graph: ag.Graph, module: Scale, session: ag.Session
) -> None:
    session.load({module.factors: [1.0, 1.0]})
    with graph.as_default():
        session.load({module.factors: [1.0, 1.0]})
    assert session.run(module.factors).tolist() == [1.0, 1.0]
    with pytest.raises(ag.VariableError, match="loaded with a value of shape"):
        session.load({module.factors: [4.0, 4.0], module.steps: [1, 2]})
    assert session.run(module.factors).tolist() == [1.0, 1.0]
    with pytest.raises(ag.SessionError, match="was made outside of a graph"):
        session.load({ag.Variable(0.0): 1.0})
    with ag.Graph().as_default():
        other = ag.Variable(0.0)
    with pytest.raises(ag.SessionError, match="is not of the graph of this session"):
        session.load({other: 1.0})
    session.close()
    with pytest.raises(ag.SessionError, match="closed"):
        session.load({})


def test_a_module_of_tensors_is_searched(graph: ag.Graph) -> None:
    with graph.as_default():
        module = ag.Module()
        module.tensor = ag.placeholder(np.float64, (2,))
        module.items = [module.tensor * 2, ag.Variable(0.0)]
        assert list(module.named_variables()) == ["items.1"]
