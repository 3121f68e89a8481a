"""Names of tensors, and tensors in messages."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import autograph as ag
from autograph.errors import SessionError


@pytest.fixture
def graph() -> Iterator[ag.Graph]:
    """Give a graph that is being built."""
    built = ag.Graph()
    with built.as_default():
        yield built


def test_operations_name_their_results(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, ("n", "n"), name="a")
    made = [
        a @ a, np.matmul(a, a), a + 1.0, np.exp(a), np.linalg.det(a), a.sum(), a.T, a[0], -a,
        np.sum(a), ag.placeholder(np.float64),
    ]  # fmt: skip
    assert [tensor.name for tensor in made] == [
        "matmul", "matmul_1", "add", "exp", "det", "sum", "T", "getitem", "neg", "sum_1",
        "placeholder",
    ]  # fmt: skip


def test_names_that_are_given(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, (), name="x")
    b = ag.placeholder(np.float64, (), name="x")
    c = ag.constant([1, 2], np.float32, name="c")
    d = ag.identity(a + b, name="total")
    e = ag.identity(d, name="x_1")
    assert [t.name for t in (a, b, c, d, e)] == ["x", "x_1", "c", "total", "x_1_1"]
    (i, j) = ag.while_loop(lambda i, j: i < a, lambda i, j: (i + 1, j * 2), (0, 1), names="i j")
    chosen = ag.cond(a > 1, lambda: b, lambda: 2 * b, names="chosen")
    assert [t.name for t in (i, j, chosen)] == ["i", "j", "chosen"]


def test_branches_and_loops_have_names(graph: ag.Graph) -> None:
    n = ag.placeholder(np.int64, (), name="n")
    chosen = ag.cond(n > 1, lambda: n + 1, lambda: n - 1)
    (total,) = ag.for_loop(np.arange(3) + n, lambda i, t: (t + i,), (0,))
    assert (chosen.name, total.name) == ("cond", "for_loop")


def test_scopes_add_up_and_are_left(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, ())
    with ag.name_scope("layer") as layer:
        b = a * 2.0
        with ag.name_scope("inner"):
            c = ag.identity(b, name="out")
        d = a * 3.0
    e = a * 4.0
    assert layer == "layer"
    assert [t.name for t in (b, c, d, e)] == [
        "layer/mul", "layer/inner/out", "layer/mul_1", "mul",
    ]  # fmt: skip


def test_tensors_are_found_by_name(graph: ag.Graph) -> None:
    with ag.name_scope("layer"):
        a = ag.placeholder(np.float64, (), name="a")
        c = a * 2.0
    assert graph.get_tensor_by_name("layer/a") is a
    assert graph.get_tensor_by_name("layer/mul:0") is c
    with ag.Session() as session:
        assert session.run(graph.get_tensor_by_name("layer/mul"), {a: 4.0}) == 8.0
    with pytest.raises(SessionError, match="no tensor is called 'mul'; there are layer/a, layer"):
        graph.get_tensor_by_name("mul")
    w = ag.Variable(1.0, name="w")
    with pytest.raises(SessionError, match="no tensor is called 'w'"):
        graph.get_tensor_by_name(w.name)
    assert graph.tensor_names() == ("layer/a", "layer/mul")


@pytest.mark.parametrize("name", ["", "a b", "a//b", "/a", "a:0", 3])
def test_what_is_no_name_is_refused(graph: ag.Graph, name: str) -> None:
    for make in (ag.placeholder, ag.constant):
        with pytest.raises(ValueError, match="is no name: it takes letters, digits"):
            make(np.float64 if make is ag.placeholder else 1.0, name=name)
    with pytest.raises(ValueError, match="is no name"), ag.name_scope(name):
        pass


def test_printing_shows_name_and_type(graph: ag.Graph, capsys: pytest.CaptureFixture[str]) -> None:
    a = ag.placeholder(np.float32, (None, 2), name="a")
    print(a, f"{a + 1}", [a], sep="\n")
    assert capsys.readouterr().out == (
        "<placeholder 'a': f32[?, 2]>\n<tensor 'add': f32[?, 2]>\n[<placeholder 'a': f32[?, 2]>]\n"
    )


def test_a_tensor_knows_its_graph(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float32, (3, 2))
    assert a.graph is graph
    assert (a + 1).graph is graph
    assert (a.dtype, a.ndim) == (np.float32, 2)


def test_names_in_branches_belong_to_the_branch(graph: ag.Graph) -> None:
    a = ag.placeholder(np.float64, ())
    inner = []

    def then() -> object:
        inner.append(a * 2.0)
        return inner[0]

    ag.cond(a > 1, then, lambda: a)
    assert "mul" not in graph.tensor_names()
    with pytest.raises(SessionError, match="was made inside a branch or loop: return it from the"):
        ag.Session().run(inner[0], {a: 1.0})


def test_constants_and_identities_outside_of_graphs_are_arrays() -> None:
    made = ag.constant([[1, 2]], np.float32, name="c")
    assert type(made) is np.ndarray
    assert (made.dtype, made.tolist()) == (np.float32, [[1.0, 2.0]])
    assert ag.identity(made, name="d") is made
    assert ag.identity(ag.Variable([1.0])).tolist() == [1.0]


def test_constants_are_snapshots(graph: ag.Graph) -> None:
    held = np.ones(2)
    c, d = ag.constant(held), ag.identity(held)
    held[0] = 5.0
    with ag.Session() as session:
        first, second = session.run([c, d])
        first[0] = 9.0
        assert session.run(c).tolist() == [1.0, 1.0]
        assert second.tolist() == [1.0, 1.0]
    with pytest.raises(SessionError, match="a constant is made of numbers, not of a tensor"):
        ag.constant(c)


PROGRAM = """
import numpy as np, autograph as ag
with ag.Graph().as_default() as graph:
    a = ag.placeholder(np.float64, ("n",))
    w = ag.Variable(1.0, name="w")
    b = ag.compile(lambda x: (x + w, x * w))(a)
    w.assign_add(1.0)
    np.concatenate([a, b[0]])
print(graph.tensor_names())
"""


def test_names_are_the_same_in_each_process() -> None:
    found = set()
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        found.add(done.stdout)
    assert len(found) == 1
