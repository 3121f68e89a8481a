"""Programs that keep objects and functions in lists, tuples and dicts, as models do."""

from __future__ import annotations

import numpy as np

from autograph import Module, Variable

from .entries import case


class Layer:
    """An affine map."""

    def __init__(self, weights, bias=0.0):
        self.weights = weights
        self.bias = bias

    def __call__(self, x):
        return x @ self.weights + self.bias

    def __eq__(self, other):
        return type(other) is Layer and np.array_equal(self.weights, other.weights)

    __hash__ = None


class Model:
    """Layers, what comes after each, and named parts."""

    def __init__(self, layers, after=(), parts=None):
        self.layers = layers
        self.after = after
        self.parts = parts or {}


class Dense(Module):
    """A layer with variables."""

    def __init__(self, inputs, outputs):
        self.w = Variable(np.full((inputs, outputs), 0.25))
        self.b = Variable(np.zeros(outputs))

    def __call__(self, x):
        return np.maximum(x @ self.w + self.b, 0.0)


class Perceptron(Module):
    """A multilayer perceptron."""

    def __init__(self, *sizes):
        self.layers = [Dense(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def _square(*factors):
    return [Layer(np.eye(2) * factor, factor) for factor in factors]


def _twins():
    layer = Layer(np.array([[1.0, 2.0], [3.0, 4.0]]))
    return [layer, layer, Layer(np.eye(2))]


def forward(model, x):
    """Apply a model as its own method does."""
    return model(x).sum()


case(
    forward,
    lambda: (Perceptron(3, 4, 2, 1), np.ones((5, 3))),
    lambda: (Perceptron(1, 1), np.ones((1, 1))),
    retraces=True,
)


def through_each(model, x):
    """Go through layers, and functions beside them."""
    for layer, function in zip(model.layers, model.after):  # noqa: B905  # on purpose
        x = function(layer(x))
    return x


case(
    through_each,
    lambda: (Model(_square(1.0, 2.0), (np.tanh, np.exp)), np.ones((3, 2))),
    lambda: (Model(_twins(), (np.negative, np.abs, np.sqrt)), np.ones((1, 2))),
    lambda: (Model(_twins(), (np.negative,)), np.ones((1, 2))),
    retraces=True,
)


def named_parts(model, x):
    """Read a dict of objects by key, and go over it."""
    total = model.parts["scale"](x)
    for name, part in model.parts.items():
        total = total + part(x) * len(name)
    return total


case(
    named_parts,
    lambda: (Model([], (), {"scale": _square(2.0)[0], "b": _square(3.0)[0]}), np.ones((1, 2))),
    lambda: (Model([], (), {"b": _square(3.0)[0]}), np.ones((1, 2))),
    raises=(None, KeyError),
    retraces=True,
)


def weights_written_in_place(model, x):
    """Write into the array of an item that may be another item as well."""
    model.layers[0].weights[0, 0] = 9.0
    before = model.layers[1](x)
    model.layers[1].weights[1] += 1.0
    return before, model.layers[0](x), model.layers[0] is model.layers[1]


case(
    weights_written_in_place,
    lambda: (Model(_twins()), np.ones((1, 2))),
    lambda: (Model(_square(1.0, 2.0)), np.ones((1, 2))),
    retraces=True,
)


def attributes_rebound(model, x):
    """Rebind attributes of items, and read them through other items."""
    for number, layer in enumerate(model.layers):
        layer.bias = layer.bias + number + 1
    return [layer.bias for layer in model.layers], model.layers[-1](x)


case(
    attributes_rebound,
    lambda: (Model(_twins()), np.ones((1, 2))),
    lambda: (Model(_square(1.0, 2.0, 3.0)), np.ones((1, 2))),
    staged=False,
)


def grows_while_it_runs(model, x):
    """Append to a list that is being iterated."""
    for layer in model.layers:
        x = layer(x)
        if len(model.layers) < 5:
            model.layers.append(layer)
    return x, len(model.layers)


case(
    grows_while_it_runs,
    lambda: (Model(_square(1.0, 2.0)), np.ones((1, 2))),
    lambda: (Model([]), np.ones((1, 2))),
    staged=False,
)


def replaced_items(model, x):
    """Replace an item through another name of the list."""
    first = model.layers[0](x)
    layers = model.layers
    layers[0] = layers[-1]
    return first, model.layers[0](x), model.layers[0] is layers[1]


case(
    replaced_items,
    lambda: (Model(_square(1.0, 2.0)), np.ones((1, 2))),
    lambda: (Model(_twins()), np.ones((1, 2))),
    staged=False,
)


def nested_blocks(model, x):
    """Go through lists in a list, with a residual connection round each."""
    for block in model.layers:
        y = x
        for layer in block[:-1]:
            y = np.tanh(layer(y))
        x = x + block[-1](y)
    return x


case(
    nested_blocks,
    lambda: (Model([_square(1.0, 2.0), _twins()]), np.ones((1, 2))),
    lambda: (Model([_square(1.0)]), np.ones((1, 2))),
    retraces=True,
)


def stops_on_data(model, x):
    """End by a test of a value."""
    for layer in model.layers:
        x = layer(x)
        if x.sum() > 10.0:
            break
    else:
        return -x
    return x


case(
    stops_on_data,
    lambda: (Model(_square(1.0, 5.0, 9.0)), np.ones((1, 2))),
    lambda: (Model(_square(0.5)), np.ones((1, 2))),
    staged=False,
)


def recurrent(cells, xs, n):
    """Apply cells inside a staged loop over time."""
    state = np.zeros(2)
    for t in range(n):
        for cell in cells:
            state = np.tanh(cell(state) + xs[t])
    return state


case(
    recurrent,
    lambda: (_square(1.0, 2.0), np.ones((40, 2)), 40),
    lambda: (_twins(), np.ones((1, 2)), 1),
    retraces=True,
)
