"""Modules find what they hold, name it by its path, and keep it in checkpoints."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag


class Holder(ag.Module):
    """Holds what it is given."""

    def __init__(self, **attributes: object) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)


class Pair(NamedTuple):
    """Two things."""

    left: object
    right: object


class Color(Enum):
    """Something to choose by."""

    RED = 1


def number(value: float = 0.0, **options: Any) -> ag.Variable:
    """Return a variable with one number."""
    return ag.Variable(value, **options)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (lambda v: v, "x"),
        (lambda v: [v], "x.0"),
        (lambda v: (1, v), "x.1"),
        (lambda v: {"w": v}, "x.w"),
        (lambda v: {3: v}, "x.3"),
        (lambda v: {"3": v}, "x['3']"),
        (lambda v: {"a.b": v}, "x['a.b']"),
        (lambda v: {True: v}, "x[True]"),
        (lambda v: {-1: v}, "x[-1]"),
        (lambda v: {None: v}, "x[None]"),
        (lambda v: {("a", 1): v}, "x[('a', 1)]"),
        (lambda v: {Color.RED: v}, "x[<Color.RED: 1>]"),
        (lambda v: OrderedDict(w=v), "x.w"),
        (lambda v: deque([v]), "x.0"),
        (lambda v: Pair(None, v), "x.right"),
        (lambda v: Holder(y=v), "x.y"),
        (lambda v: [{"a": ([v],)}], "x.0.a.0.0"),
        (lambda v: {"a": [Holder(y={"b": v})]}, "x.a.0.y.b"),
    ],
)
def test_a_variable_is_found_and_has_a_path(value: Any, path: str) -> None:
    variable = number()
    module = Holder(before=1, x=value(variable), after="text")
    assert list(module.named_variables()) == [path]
    assert module.named_variables()[path] is variable
    assert len(module.variables) == 1
    assert module.variables[0] is variable


def test_the_order_is_that_of_attributes_and_items() -> None:
    module = Holder(
        z=number(1), layers=[Holder(b=number(2), a=number(3)), number(4)], a=number(5),
        table={"y": number(6), "x": number(7)},
    )  # fmt: skip
    assert [float(v) for v in module.variables] == [1, 2, 3, 4, 5, 6, 7]
    assert list(module.named_variables()) == [
        "z", "layers.0.b", "layers.0.a", "layers.1", "a", "table.y", "table.x",
    ]  # fmt: skip


def test_what_is_in_several_places_is_found_once_under_its_first_path() -> None:
    shared, inner = number(), Holder(w=number())
    table = {"w": shared}
    module = Holder(first=shared, inner=inner, again=[shared, inner, table, table])
    assert list(module.named_variables()) == ["first", "inner.w"]
    assert module.submodules == (inner,)


def test_cycles_end() -> None:
    module = Holder(w=number())
    child = Holder(parent=module, w=number())
    items: list[object] = [child]
    items.append(items)
    module.children = items
    module.myself = module
    assert list(module.named_variables()) == ["w", "children.0.w"]
    assert module.submodules == (child,)
    assert list(child.named_variables()) == ["parent.w", "w"]


def test_a_long_chain_of_modules_is_searched() -> None:
    module = Holder(w=number())
    for _ in range(3000):
        module = Holder(next=module)
    assert len(module.submodules) == 3000
    assert len(module.variables) == 1


def test_submodules_are_those_at_any_depth_and_not_the_module_itself() -> None:
    leaf = Holder()
    middle = Holder(items={"leaf": leaf})
    top = Holder(parts=(middle,), other=Holder())
    assert top.submodules == (middle, leaf, top.other)


def test_trainable_variables_are_those_that_say_so() -> None:
    module = Holder(w=number(1), steps=number(2, trainable=False), inner=Holder(b=number(3)))
    assert [float(v) for v in module.trainable_variables] == [1, 3]


def test_attributes_of_the_class_and_slots_are_searched() -> None:
    class Base(ag.Module):
        __slots__ = ("empty", "slot")
        shared = ag.Variable(1.0)
        hidden = ag.Variable(2.0)

    class Derived(Base):
        other = (ag.Variable(3.0),)

    module = Derived()
    module.slot = ag.Variable(4.0)
    module.hidden = None
    assert {path: float(v) for path, v in module.named_variables().items()} == {
        "other.0": 3.0, "slot": 4.0, "shared": 1.0,
    }  # fmt: skip


def test_properties_are_not_run() -> None:
    class Careful(ag.Module):
        @property
        def trap(self) -> ag.Variable:
            raise AssertionError

        def __getattr__(self, name: str) -> object:
            raise AssertionError(name)

    assert Careful().variables == ()


def test_other_objects_are_not_searched() -> None:
    class Plain:
        w = ag.Variable(1.0)

    module = Holder(plain=Plain(), array=np.zeros(3), text="w", numbers=range(3), words=["w"])
    assert module.variables == ()


@pytest.mark.parametrize("value", [ag.Variable(0.0), Holder()])
@pytest.mark.parametrize("kind", [set, frozenset])
def test_what_is_in_a_set_is_an_error_and_not_forgotten(kind: Any, value: object) -> None:
    module = Holder(x=[kind([1, value])])
    with pytest.raises(ag.VariableError, match=r"'x\.0' is a set with an object of class"):
        _ = module.variables


def test_sets_of_other_things_are_left_alone() -> None:
    assert Holder(x={1, 2}, w=number()).variables != ()


def test_keys_that_read_the_same_are_an_error() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "odd"

    module = Holder(x={Odd(): number(), Odd(): number()})
    assert len(module.variables) == 2
    with pytest.raises(ag.VariableError, match=r"two variables of Holder have the path 'x\[odd\]'"):
        module.named_variables()


def test_a_subclass_need_not_call_the_init_of_the_base() -> None:
    class Forgetful(ag.Module):
        def __init__(self) -> None:
            self.w = ag.Variable(1.0)

    module = Forgetful()
    assert module.name == "forgetful"
    assert len(module.variables) == 1
    with module.name_scope:
        assert ag.Variable(0.0, name="b").name == "forgetful/b"


def test_a_name_may_be_given_and_changed() -> None:
    module = ag.Module("first")
    assert module.name == "first"
    module.name = "second"
    assert module.name == "second"
    assert ag.Module().name == "module"
    for wrong in ("two words", "", 3):
        with pytest.raises(ValueError, match="is no name"):
            ag.Module(wrong)


def test_any_class_has_a_name() -> None:
    assert type("Über2", (ag.Module,), {})().name == "_ber2"
    assert type("_Net", (ag.Module,), {})().name == "_net"


def test_name_scopes_of_modules_nest_and_may_be_entered_again() -> None:
    outer, inner = ag.Module("outer"), ag.Module("inner")
    for _ in range(2):
        with outer.name_scope, inner.name_scope:
            assert ag.Variable(0.0, name="w").name == "outer/inner/w"
    assert ag.Variable(0.0, name="w").name == "w"


def test_a_dataclass_is_a_module() -> None:
    @dataclass
    class Layer(ag.Module):
        w: ag.Variable
        parts: list[object] = field(default_factory=list)

    module = Layer(number(1), [number(2)])
    assert list(module.named_variables()) == ["w", "parts.0"]


def test_a_copy_has_variables_of_its_own_shared_as_before() -> None:
    shared = ag.Variable([1.0], name="w", trainable=False)
    module = Holder(a=shared, b=[shared])
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert other.a is other.b[0]
        other.a.assign([2.0])
        assert shared.numpy()[0] == 1.0
        assert (other.a.name, other.a.trainable) == ("w", False)


def model(scale: float) -> Holder:
    """Return a module with variables in several places."""
    return Holder(
        w=ag.Variable(np.arange(6.0).reshape(2, 3) * scale),
        layers=[Holder(b=ag.Variable(np.float32([scale]))), ag.Variable(int(scale))],
    )


def test_a_checkpoint_of_one_module_is_loaded_into_another(tmp_path: Path) -> None:
    first, second = model(2), model(5)
    first.save_checkpoint(tmp_path / "a")
    assert list(ag.read_checkpoint(tmp_path / "a")) == ["w", "layers.0.b", "layers.1"]
    second.load_checkpoint(tmp_path / "a")
    for one, other in zip(first.variables, second.variables, strict=True):
        assert np.array_equal(one.numpy(), other.numpy())
        assert one.dtype == other.dtype


def test_the_functions_take_modules_too(tmp_path: Path) -> None:
    first, second = model(2), model(5)
    ag.save_checkpoint(tmp_path / "a", first)
    ag.load_checkpoint(tmp_path / "a", second)
    assert second.layers[1].numpy() == 2


def test_the_order_of_attributes_does_not_matter_to_a_checkpoint(tmp_path: Path) -> None:
    Holder(a=number(1.0), b=number(2.0)).save_checkpoint(tmp_path / "a")
    other = Holder(b=number(), a=number())
    other.load_checkpoint(tmp_path / "a")
    assert {path: float(v) for path, v in other.named_variables().items()} == {"b": 2, "a": 1}


def test_a_checkpoint_that_does_not_fit_says_all_by_path_and_changes_nothing(
    tmp_path: Path,
) -> None:
    model(2).save_checkpoint(tmp_path / "a")
    other = Holder(
        w=ag.Variable(np.zeros((2, 3))),
        layers=[Holder(b=ag.Variable(0.0), c=ag.Variable(True))],
    )
    with pytest.raises(ag.CheckpointError) as caught:
        other.load_checkpoint(tmp_path / "a")
    assert caught.value.problems == (
        "'layers.0.b' has shape (1,) and dtype float32 in the file, but () and float64 here",
        "'layers.0.c', bool with shape (), is not in the file",
        "'layers.1', int64 with shape () in the file, is not here",
    )
    assert not other.variables[0].numpy().any()
