"""Compiled methods of modules do what the plain methods do, and share their traces."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag

compiled = ag.compile(fallback="error")


class Linear(ag.Module):
    """An affine function."""

    def __init__(self, inputs: int, outputs: int, scale: float = 1.0) -> None:
        with self.name_scope:
            self.w = ag.Variable(np.full((inputs, outputs), scale), name="w")
            self.b = ag.Variable(np.zeros(outputs), name="b")
        self.calls = 0

    @compiled
    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return x @ self.w + self.b

    @compiled
    def step(self, x: Any, target: Any, rate: float) -> Any:
        error = x @ self.w + self.b - target
        self.w.assign_sub(rate * (x.T @ error) / len(x))
        self.b -= rate * error.mean(axis=0)
        return (error * error).mean()


class Chain(ag.Module):
    """Layers one after the other."""

    def __init__(self, layers: list[Any]) -> None:
        self.layers = layers

    @compiled
    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = np.maximum(layer(x), 0.0)
        return x


class Lazy(ag.Module):
    """Makes its variable in the first call."""

    w: ag.Variable | None = None

    @compiled
    def __call__(self, x: Any) -> Any:
        if self.w is None:
            with self.name_scope:
                self.w = ag.Variable(np.full(x.shape[1], 2.0), name="w")
        return x * self.w


def plain(module: Any, *arguments: Any) -> Any:
    """Call a module with its methods as they are written."""
    with ag.eager():
        return module(*arguments)


def test_one_trace_serves_several_instances_of_any_extents() -> None:
    before = len(Linear.__call__.signatures)
    for inputs, outputs in ((2, 3), (3, 1), (1, 7)):
        layer = Linear(inputs, outputs)
        x = np.arange(2.0 * inputs).reshape(2, inputs)
        assert np.array_equal(layer(x), plain(layer, x))
        assert layer.calls == 2
    assert len(Linear.__call__.signatures) - before <= 1


def test_what_is_assigned_between_calls_is_seen() -> None:
    layer = Linear(2, 2)
    x = np.ones((1, 2))
    assert layer(x).tolist() == [[2, 2]]
    layer.w.assign(layer.w * 5)
    assert layer(x).tolist() == [[10, 10]]
    layer.w = ag.Variable(np.zeros((2, 2)))
    assert layer(x).tolist() == [[0, 0]]
    layer.b = ag.Variable(np.float32([1, 2]))
    assert layer(x).tolist() == [[1, 2]]


def test_a_training_step_assigns_as_the_plain_one_does() -> None:
    random = np.random.default_rng(3)
    x, target = random.normal(size=(20, 2)), random.normal(size=(20, 1))
    one, other = Linear(2, 1), Linear(2, 1)
    for _ in range(5):
        loss = one.step(x, target, 0.1)
        with ag.eager():
            assert other.step(x, target, 0.1) == loss
    assert np.array_equal(one.w.numpy(), other.w.numpy())
    assert np.array_equal(one.b.numpy(), other.b.numpy())
    assert isinstance(one.b, ag.Variable)


@pytest.mark.parametrize("count", [0, 1, 3, 40])
def test_a_loop_over_layers_is_staged(count: int) -> None:
    net = Chain([Linear(2, 2, 0.5) for _ in range(count)])
    x = np.array([[1.0, -2.0], [0.5, 3.0]])
    assert np.array_equal(net(x), plain(net, x))
    assert len(net.variables) == 2 * count


def test_one_trace_serves_any_number_of_layers_and_kinds_of_them() -> None:
    before = len(Chain.__call__.signatures)
    x = np.ones((1, 2))
    for layers in ([Linear(2, 2)], [Linear(2, 3), Linear(3, 2), np.negative], [Chain([])]):
        net = Chain(layers)
        assert np.array_equal(net(x), plain(net, x))
    assert len(Chain.__call__.signatures) - before <= 1


def test_layers_may_be_added_between_calls() -> None:
    net = Chain([Linear(2, 2)])
    x = np.ones((1, 2))
    assert net(x).tolist() == [[2, 2]]
    net.layers.append(Linear(2, 2))
    assert net(x).tolist() == [[4, 4]]


def test_a_variable_made_in_the_first_call_is_made_once() -> None:
    module = Lazy()
    assert module.variables == ()
    assert module(np.ones((1, 2))).tolist() == [[2, 2]]
    (made,) = module.variables
    assert made.name == "lazy/w"
    made.assign([3.0, 4.0])
    assert module(np.ones((1, 2))).tolist() == [[3, 4]]
    assert module(np.ones((5, 2), np.float32)).dtype == np.float64  # traced for another dtype
    assert module.w is made
    other = Lazy()
    assert other(np.ones((1, 3))).tolist() == [[2, 2, 2]]
    assert other.w is not made


def test_a_checkpoint_is_loaded_into_a_compiled_module(tmp_path: Path) -> None:
    first, second = Chain([Linear(2, 2, 3.0)]), Chain([Linear(2, 2)])
    x = np.ones((1, 2))
    assert second(x).tolist() == [[2, 2]]
    first.save_checkpoint(tmp_path / "a")
    second.load_checkpoint(tmp_path / "a")
    assert second(x).tolist() == [[6, 6]]


def test_loops_over_variables_of_a_module_are_compiled() -> None:
    @compiled
    def decay(variables: Any, rate: float) -> float:
        total = 0.0
        for variable in variables:
            variable.assign_sub(rate * variable)
            total += float(np.sum(variable * variable))
        return total

    one, other = Chain([Linear(2, 2), Linear(2, 1)]), Chain([Linear(2, 2), Linear(2, 1)])
    result = decay(list(one.trainable_variables), 0.5)
    with ag.eager():
        assert decay(list(other.trainable_variables), 0.5) == result
    for left, right in zip(one.variables, other.variables, strict=True):
        assert np.array_equal(left.numpy(), right.numpy())


def test_threads_share_a_module() -> None:
    layer = Linear(2, 2)
    x = np.ones((1, 2))
    results = []

    def work() -> None:
        results.extend(layer(x).tolist() for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[[2.0, 2.0]]] * 400


def test_methods_of_other_kinds_can_be_compiled() -> None:
    class Kinds(ag.Module):
        def __init__(self) -> None:
            self.w = ag.Variable([1.0, 2.0])

        @property
        @compiled
        def total(self) -> Any:
            return np.sum(self.w)

        @classmethod
        @compiled
        def double(cls, x: Any) -> Any:
            return x * 2

        @staticmethod
        @compiled
        def triple(x: Any) -> Any:
            return x * 3

        @compiled
        def norm(self) -> Any:
            return self.total + self.double(1.0) + self.triple(1.0) + self.named("w")

        def named(self, name: str) -> Any:
            return float(self.w[0])

    module = Kinds()
    assert module.total == 3.0
    assert Kinds.double(2.0) == 4.0
    assert module.norm() == 9.0
    module.w.assign([2.0, 2.0])
    assert module.norm() == 11.0


def test_the_name_of_a_module_is_read_in_compiled_code() -> None:
    class Named(ag.Module):
        @compiled
        def label(self, x: float) -> str:
            return f"{self.name}: {x}"

    assert Named().label(1.0) == "named: 1.0"
    assert Named("other").label(2.0) == "other: 2.0"


def test_the_variables_of_a_module_are_listed_in_compiled_code() -> None:
    class Normed(ag.Module):
        def __init__(self, count: int) -> None:
            self.parts = [ag.Variable(np.full(2, float(k))) for k in range(count)]

        @compiled
        def norm(self) -> Any:
            total = 0.0
            for variable in self.variables:
                total = total + np.sum(variable * variable)
            return total

    assert Normed(3).norm() == 10.0
    assert Normed(4).norm() == 28.0
    assert Normed(0).norm() == 0.0


def made_without_naming_the_package(x: Any) -> Any:
    layer = Linear(2, 2, 3.0)
    layer.b.assign_add(np.ones(2))
    return layer(x) + scaled(x)


def scaled(x: Any) -> Any:
    if x.shape[0] > 1:
        return x * ag.Variable(2.0)
    return x * ag.Variable([3.0, 4.0])


def named_and_not(x: Any) -> Any:
    return ag.Variable([5.0, 6.0]) + made_without_naming_the_package(x)


@pytest.mark.parametrize("function", [made_without_naming_the_package, named_and_not])
@pytest.mark.parametrize("rows", [1, 2])
def test_modules_and_variables_are_made_in_compiled_code(function: Any, rows: int) -> None:
    x = np.ones((rows, 2))
    program = compiled(function)
    for _ in range(2):
        assert np.array_equal(program(x), plain(function, x))


def test_a_module_made_in_compiled_code_is_new_in_each_call() -> None:
    @compiled
    def make() -> Any:
        return Linear(1, 1)

    one, other = make(), make()
    assert isinstance(one, Linear)
    one.w.assign([[7.0]])
    assert other.w.numpy() == 1.0
    assert [v.name for v in one.variables] == ["linear/w", "linear/b"]


def test_what_is_said_of_a_trace_has_no_addresses() -> None:
    Lazy()(np.ones((1, 2)))
    guards = [guard for signature in Lazy.__call__.signatures for guard in signature.guards]
    assert "Lazy.name_scope is the property that it was" in guards
    assert " at 0x" not in "\n".join(guards)


def test_compiled_code_saves_and_loads_at_its_place(tmp_path: Path) -> None:
    class Keeper(ag.Module):
        def __init__(self) -> None:
            self.w = ag.Variable([1.0, 2.0])

        @compiled
        def __call__(self, path: Path, n: int) -> Any:
            for i in range(n):
                self.w.assign_add([1.0, 1.0])
                if i == 1:
                    self.save_checkpoint(path)
            before = self.w * 1
            self.load_checkpoint(path)
            return before, self.w * 1

    before, after = Keeper()(tmp_path / "a", 4)
    assert before.tolist() == [5, 6]
    assert after.tolist() == [3, 4]
