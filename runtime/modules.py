"""Modules: objects that own variables, and other modules.

Owns `Module`: finding what an object holds, and the path that leads there. It leaves the variables
to `variables` and files to `checkpoints`. Invariants: a module needs no registration, it is an
ordinary object that is searched anew each time; the order of what is found, and each path, follow
from the order in which attributes and items were made alone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from types import MemberDescriptorType

from .checkpoints import Keeper, Path, load_checkpoint, save_checkpoint
from .errors import VariableError
from .scopes import checked_name, name_scope
from .variables import Variable

_WORD_STARTS = re.compile(r"(?<=[A-Za-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9_]")


class Module:
    """Base class of objects that own variables: layers, models, optimizers.

    A module finds the variables and modules in its attributes (those of its class included), and in
    the lists, tuples and dicts there, nested in any way. A subclass may make them at any time, in
    ``__init__`` or in its first call; it need not call ``super().__init__()``. Methods can be
    compiled; all instances share the traces.

    Parameters
    ----------
    name
        What its name scope is called; by default the name of the class in small letters, with
        ``_`` between words.

    Raises
    ------
    ValueError
        If `name` is no name.

    Examples
    --------
    >>> import numpy as np
    >>> class Linear(Module):
    ...     def __init__(self, inputs, outputs):
    ...         with self.name_scope:
    ...             self.w = Variable(np.ones((inputs, outputs)), name="w")
    ...             self.b = Variable(np.zeros(outputs), name="b")
    ...
    ...     def __call__(self, x):
    ...         return x @ self.w + self.b
    >>> class Net(Module):
    ...     def __init__(self):
    ...         self.layers = [Linear(2, 3), Linear(3, 1)]
    ...
    ...     def __call__(self, x):
    ...         for layer in self.layers:
    ...             x = layer(x)
    ...         return x
    >>> net = Net()
    >>> net(np.ones((1, 2)))
    array([[6.]])
    >>> for path, variable in net.named_variables().items():
    ...     print(path, variable.name, variable.shape)
    layers.0.w linear/w (2, 3)
    layers.0.b linear/b (3,)
    layers.1.w linear/w (3, 1)
    layers.1.b linear/b (1,)
    """

    def __init__(self, name: str | None = None) -> None:
        if name is not None:
            self.name = name

    @property
    def name(self) -> str:
        """The name of the module, which its name scope has."""
        given = vars(self).get("_module_name")
        return given if isinstance(given, str) else _default_name(type(self).__name__)

    @name.setter
    def name(self, name: str) -> None:
        self._module_name = checked_name(name)

    @property
    def name_scope(self) -> AbstractContextManager[str]:
        """A name scope with the name of the module, for a ``with`` statement.

        Variables that are made inside have names that start with it.
        """
        return name_scope(self.name)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of the module and of the modules in it, each once.

        They come in the order in which attributes and items were made, those of a module in its
        place.

        Raises
        ------
        VariableError
            If one is in a set, which has no order.
        """
        return tuple(found for _, found in _search(self) if isinstance(found, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that training is meant to change.

        Raises
        ------
        VariableError
            If a variable is in a set.
        """
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules in this one, at any depth, each once; not the module itself.

        Raises
        ------
        VariableError
            If one is in a set, which has no order.
        """
        return tuple(found for _, found in _search(self) if isinstance(found, Module))

    def named_variables(self) -> dict[str, Variable]:
        """Return the variables, each under its path, such as ``"layers.0.w"``.

        A path has the names of attributes and of keys that are identifiers after a dot, indices
        too; other keys stand in brackets: ``"tables['a b'].w"``. A variable that is in several
        places has the first one's path.

        Raises
        ------
        VariableError
            If a variable is in a set, or two keys of a dict read the same.
        """
        named: dict[str, Variable] = {}
        for path, found in _search(self):
            if isinstance(found, Variable):
                if path in named:
                    raise VariableError(
                        f"two variables of {type(self).__qualname__} have the path {path!r}; use "
                        "keys of a dict that read differently"
                    )
                named[path] = found
        return named

    def save_checkpoint(self, path: Path, session: Keeper | None = None) -> None:
        """Save the values of the variables under their paths; see `save_checkpoint`.

        Raises
        ------
        OSError
            If the file cannot be written; what was there is untouched.
        """
        save_checkpoint(path, self, session)

    def load_checkpoint(self, path: Path, session: Keeper | None = None) -> None:
        """Give the variables the values that a file holds, all or none; see `load_checkpoint`.

        Raises
        ------
        CheckpointError
            If the file is no whole checkpoint, or its names, shapes and dtypes are others.
        OSError
            If the file cannot be read.
        """
        load_checkpoint(path, self, session)


def _default_name(class_name: str) -> str:
    """Return a name made from that of a class.

    >>> [_default_name(name) for name in ("LinearRegression", "MLP", "Conv2D", "RNNCell")]
    ['linear_regression', 'mlp', 'conv2d', 'rnn_cell']
    """
    return _NOT_IN_NAMES.sub("_", _WORD_STARTS.sub("_", class_name).lower())


def _search(module: Module) -> Iterator[tuple[str, Variable | Module]]:
    """Yield what a module holds with its path, each object once, from top to bottom."""
    seen = {id(module)}
    waiting = _children("", module)[::-1]  # not by recursion: a chain of modules may be long
    while waiting:
        path, item = waiting.pop()
        if id(item) in seen:
            continue
        if isinstance(item, set | frozenset):
            _check_set(path, item)
        elif _may_hold(item):
            seen.add(id(item))
            if isinstance(item, Variable | Module):
                yield path, item
            waiting += _children(path, item)[::-1]


def _may_hold(item: object) -> bool:
    return isinstance(item, Variable | Module | list | tuple | deque | Mapping | set | frozenset)


def _check_set(path: str, items: set[object] | frozenset[object]) -> None:
    for item in items:
        if isinstance(item, Variable | Module):
            raise VariableError(
                f"{path!r} is a set with an object of class {type(item).__qualname__} in it, and "
                "has no order; use a list, a tuple or a dict"
            )


def _children(path: str, item: object) -> list[tuple[str, object]]:
    """Return what is directly in an object that may hold variables, with paths."""
    if isinstance(item, Module):
        return [
            (f"{path}{_step(name)}".removeprefix("."), value)
            for name, value in _attributes(item).items()
        ]
    if isinstance(item, Mapping):
        return [(path + _step(key), value) for key, value in list(item.items()) if _may_hold(value)]
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        fields = zip(item._fields, item, strict=True)
        return [(path + _step(name), value) for name, value in fields if _may_hold(value)]
    if isinstance(item, list | tuple | deque):
        return [(f"{path}.{n}", value) for n, value in enumerate(item) if _may_hold(value)]
    return []


def _step(key: object) -> str:
    """Return how a path goes on by a key or the name of an attribute; no two read the same.

    >>> _step("w"), _step(0), _step("0"), _step("a.b"), _step(("a", 1))
    ('.w', '.0', "['0']", "['a.b']", "[('a', 1)]")
    """
    plain = key.isidentifier() if isinstance(key, str) else type(key) is int and key >= 0
    return f".{key}" if plain else f"[{key!r}]"


def _attributes(module: Module) -> dict[str, object]:
    """Return the attributes that may hold variables: own ones, slots, then those of the classes."""
    found: dict[str, object] = dict(vars(module))
    for owner in type(module).__mro__:
        if owner is Module:
            break
        for name, value in list(vars(owner).items()):
            if isinstance(value, MemberDescriptorType):
                try:
                    value = value.__get__(module)
                except AttributeError:
                    continue  # a slot that holds nothing
            found.setdefault(name, value)
    return {name: value for name, value in found.items() if _may_hold(value)}
