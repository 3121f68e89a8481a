"""Lists, tuples and dicts of objects: taken apart where that is exact."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest

import autograph as ag


class Scale:
    """Multiplies, and adds one."""

    def __init__(self, w):
        self.w = w
        self.calls = 0

    def __call__(self, x):
        return x * self.w + 1


class Shift(Scale):
    """Subtracts."""

    def __call__(self, x):
        return x - self.w


class Net:
    """Holds layers in containers of each kind."""

    def __init__(self, *layers):
        self.layers = list(layers)
        self.fixed = layers
        self.table = dict(zip("abc", layers, strict=False))
        self.gains = [2.0, 3.0, 4.0]


class Dense(ag.Module):
    """A layer."""

    def __init__(self, inputs, outputs):
        self.w = ag.Variable(np.full((inputs, outputs), 0.5))
        self.b = ag.Variable(np.zeros(outputs))

    def __call__(self, x):
        return np.maximum(x @ self.w + self.b, 0.0)


class Perceptron(ag.Module):
    """Layers in a list."""

    def __init__(self, *sizes):
        self.layers = [Dense(n, m) for n, m in itertools.pairwise(sizes)]

    @ag.compile(fallback="error")
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def relu(x):
    return np.maximum(x, 0)


OTHER = Scale(7.0)
SHARED = [Scale(2.0), Shift(1.0)]


# Programs whose containers are taken apart


def chain(net, x):
    for layer in net.layers:
        x = layer(x)
    return x


def chain_of_fixed(net, x):
    for layer in net.fixed:
        x = layer(x)
    return x, net.fixed[-1](x)


def constant_places(net, x):
    return net.layers[-1](net.layers[0](x)), len(net.layers), net.table["a"](x)


def all_but_last(net, x):
    for layer in net.layers[:-1]:
        x = relu(layer(x))
    return net.layers[-1](x)


def numbered(net, x):
    for number, layer in enumerate(reversed(net.layers), 1):
        x = layer(x) * number
    for number, layer in enumerate(net.layers, start=3):
        x = layer(x) * number
    return x


def zipped(net, x):
    for layer, gain, after in zip(net.layers, net.gains, net.layers[1:]):  # noqa: B905  # on purpose
        x = x * gain + after(layer(x))
    return x


def views(net, x):
    for name, layer in net.table.items():
        x = layer(x) * len(name)
    for layer in net.table.values():
        x = layer(x)
    for name in net.table:
        x = net.table[name](x)
    return x


def unpacked(net, x):
    first, second, third = net.layers
    return first(second(third(x)))


def known_jumps(net, x):
    for layer in net.layers:
        if isinstance(layer, Shift):
            continue
        x = layer(x)
        if x.ndim > 3:
            break
    else:
        x = x + 100
    return x


def early_return(net, x):
    for layer in net.layers:
        if isinstance(layer, Shift):
            return layer(x), layer is net.layers[1]
        x = layer(x)
    return x, False


def listed(net, x):
    outputs = []
    for layer in net.layers:
        outputs.append(layer(x))  # noqa: PERF401  # on purpose
    return outputs, [layer(x) for layer in net.layers], {k: v(x) for k, v in net.table.items()}


def inside_a_staged_loop(net, x, n=3):
    for _ in range(int(n)):
        for layer in net.layers:
            x = layer(x) / 2
    return x


def shared_by_name(net, x):
    for layer in SHARED:
        x = layer(x)
    return x


def around():
    layers = [Scale(4.0), relu]

    def from_a_cell(net, x):
        for layer in layers:
            x = layer(x)
        return x

    return from_a_cell


APART = (
    chain, chain_of_fixed, constant_places, all_but_last, numbered, zipped, views, unpacked,
    known_jumps, early_return, listed, inside_a_staged_loop, shared_by_name, around(),
)  # fmt: skip


# Programs that change what they go over, or ask what only a run can tell


def appends_while_it_runs(net, x):
    trips = 0
    for layer in net.layers:
        x = layer(x)
        trips += 1
        if trips < 6:
            net.layers.append(layer)
    return x, trips


def stores_first(net, x):
    net.layers[0] = OTHER
    for layer in net.layers:
        x = layer(x)
    return x


def stores_through_an_alias(net, x):
    before = net.layers[0](x)
    layers = net.layers
    layers[0] = OTHER
    return before, net.layers[0](x)


def replaces(net, x):
    for layer in net.layers:
        x = layer(x)
        net.layers = [OTHER]
    for layer in net.layers:
        x = layer(x)
    return x


def writes_through_a_twin(net, x):
    net.layers[0].w = 5.0
    return net.layers[1].w * x + net.layers[-1].w, net.layers[0] is net.layers[1]


def counts_calls(net, x):
    for layer in net.layers:
        layer.calls += 1
    return [layer.calls for layer in net.layers]


def pops(net, x):
    while net.layers:
        x = net.layers.pop()(x)
    return x


def extends_in_place(net, x):
    net.layers += [OTHER]
    return [layer(x) for layer in net.layers]


def changes_a_part(net, x):
    part = net.layers[:]
    part.append(OTHER)
    for layer in part:
        x = layer(x)
    return x, len(net.layers)


def assigns_a_slice(net, x):
    net.layers[:] = [OTHER]
    return [layer(x) for layer in net.layers]


def reverses_in_place(net, x):
    net.layers.reverse()
    for layer in net.layers:
        x = layer(x)
    return x


def adds_a_key(net, x):
    for name in net.table:
        net.table["new" + name] = OTHER
    return x


def stores_a_key(net, x):
    view = net.table.values()
    net.table["a"] = OTHER
    for layer in view:
        x = layer(x)
    return x


def changes_gains(net, x):
    for layer, gain in zip(net.layers, net.gains):  # noqa: B905  # on purpose
        x = layer(x) * gain
        net.gains[-1] = 100.0
    return x


def uses_an_iterator_twice(net, x):
    numbered = enumerate(net.layers)
    for _, layer in numbered:
        x = layer(x)
    for _ in numbered:
        x = x * 100
    return x


def starts_an_iterator(net, x):
    pairs = zip(net.layers, net.layers)  # noqa: B905  # on purpose
    next(pairs)
    for layer, _ in pairs:
        x = layer(x)
    return x


def iterates_from_outside(net, x):
    numbered = enumerate(net.layers)
    for _ in range(int(x.size) * 8):
        for _, layer in numbered:
            x = layer(x)
    return x


def hands_on_an_iterator(net, x):
    numbered = enumerate(net.layers)
    for _, layer in numbered:
        x = layer(x)
    return x, list(numbered)


def breaks_on_data(net, x):
    for layer in net.layers:
        x = layer(x)
        if x.sum() > 20:
            break
    else:
        x = x + 100
    return x, layer is net.layers[-1]


def returns_on_data(net, x):
    for layer in net.layers:
        x = layer(x)
        if x.max() > 10:
            return x
    return -x


def misses(net, x):
    return net.layers[9](x)


def measures_an_iterator(net, x):
    return len(zip(net.layers))


def pop_one(net):
    net.layers.pop()


pop_one.__autograph_do_not_convert__ = True


def calls_what_pops(net, x):
    x = net.layers[0](x)
    pop_one(net)
    return len(net.layers), [layer(x) for layer in net.layers]


def calls_what_pops_while_it_runs(net, x):
    for layer in net.layers:
        x = layer(x)
        pop_one(net)
    return x


def calls_what_pops_in_a_staged_loop(net, x):
    for _ in range(int(x.size) * 0 + 2):
        x = net.layers[-1](x)
        pop_one(net)
    return x


def calls_what_pops_functions(net, x):
    kept = net.layers
    for layer in kept:
        x = layer(x)
        pop_one(net)
    return x, len(kept)


def returned_function(net, x):
    def run():
        y = x
        for layer in net.layers:
            y = layer(y)
        return y

    first = run()
    net.layers = [OTHER]
    return first, run()


CHANGING = (
    appends_while_it_runs, stores_first, stores_through_an_alias, replaces, writes_through_a_twin,
    counts_calls, pops, extends_in_place, changes_a_part, assigns_a_slice, reverses_in_place,
    adds_a_key, stores_a_key, changes_gains, uses_an_iterator_twice, starts_an_iterator,
    iterates_from_outside, hands_on_an_iterator, breaks_on_data, returns_on_data, misses,
    measures_an_iterator, calls_what_pops,
    calls_what_pops_while_it_runs, calls_what_pops_in_a_staged_loop, calls_what_pops_functions,
    returned_function,
)  # fmt: skip


def distinct():
    return Net(Scale(1.0), Scale(2.0), Scale(3.0))


def of_two_classes():
    return Net(Scale(1.0), Shift(2.0), Scale(np.arange(4.0)))


def twins():
    one = Scale(2.0)
    return Net(one, one, Scale(3.0))


def with_functions():
    return Net(Scale(1), relu, Shift(3))


def of_functions():
    return Net(relu, np.sqrt, np.negative, relu)


def with_a_hole():
    return Net(Scale(1.0), None, 3)


def short():
    return Net(Scale(1.0), Scale(2.0))


def long():
    return Net(*[Scale(float(i)) for i in range(20)])


NETS = (
    distinct, of_two_classes, twins, with_functions, of_functions, with_a_hole, short, Net, long,
)  # fmt: skip


def plainly(item, net):
    """Return `item` so that equal texts mean equal outcomes."""
    if isinstance(item, np.ndarray):
        return str(item.dtype), item.tolist()
    if isinstance(item, list | tuple):
        return type(item), [plainly(part, net) for part in item]
    if isinstance(item, dict):
        return list(item), [plainly(part, net) for part in item.values()]
    if isinstance(item, Scale):
        return "layer", [i for i, layer in enumerate(net.layers) if layer is item]
    return type(item), repr(item)


def outcome(function, net):
    """Return what a call gives, and what it leaves behind."""
    try:
        result = plainly(function(net, np.arange(4.0)), net)
    except Exception as error:
        result = type(error), str(error)
    places = [*net.layers, *net.table.values()]
    state = [(type(i), plainly(getattr(i, "w", None), net), getattr(i, "calls", 0)) for i in places]
    return result, state, list(net.table), net.gains


@pytest.mark.parametrize("function", (*APART, *CHANGING), ids=lambda f: f.__name__)
def test_every_form_of_container_gives_what_plain_python_gives(function):
    """Each container meets traces made for others, and then one made for itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        common = ag.compile(function)
        for make in (*NETS, *NETS):
            own = ag.compile(function)
            expected = repr(outcome(function, make()))
            assert repr(outcome(common, make())) == expected
            assert repr(outcome(own, make())) == expected


@pytest.mark.parametrize("function", APART, ids=lambda f: f.__name__)
def test_calls_of_items_are_inlined(function):
    """No call is left to be made at run time."""
    compiled = ag.compile(function, fallback="error")
    compiled(of_two_classes(), np.arange(4.0))
    assert "island" not in str(compiled.explain())
    assert not compiled.signatures[0].islands


def test_explain_says_what_was_unrolled():
    """The container is named as the program finds it."""
    compiled = ag.compile(chain)
    compiled(distinct(), np.arange(4.0))
    assert "unrolled: 3 items of net.layers" in str(compiled.explain())


def test_one_trace_serves_instances_of_one_structure():
    """Values, extents and identity of items are free; length and classes are not."""
    compiled = ag.compile(chain)
    for net in (distinct(), twins(), distinct()):
        assert np.array_equal(compiled(net, np.ones(3)), chain(net, np.ones(3)))
    assert len(compiled.signatures) == 1
    compiled(short(), np.ones(3))
    compiled(Net(Scale(1.0), Shift(1.0), Scale(1.0)), np.ones(3))
    assert len(compiled.signatures) == 3


def test_items_that_change_between_calls_are_seen():
    """Rebinding an attribute of an item, an item, or the list."""
    net, x = distinct(), np.ones(3)
    compiled = ag.compile(chain)
    for change in (
        lambda: setattr(net.layers[1], "w", 10.0),
        lambda: net.layers.__setitem__(0, Shift(1.0)),
        lambda: net.layers.append(Scale(2.0)),
        lambda: setattr(net, "layers", [Scale(5.0)]),
    ):
        compiled(net, x)
        change()
        assert np.array_equal(compiled(net, x), chain(net, x))


def test_after_eight_structures_items_are_run_time_values():
    """The ninth trace serves all that come later, as a graph."""
    compiled = ag.compile(chain, fallback="error")
    for length in range(1, 16):
        net = Net(*[Scale(float(i)) for i in range(length)])
        assert np.array_equal(compiled(net, np.ones(3)), chain(net, np.ones(3)))
    assert len(compiled.signatures) == 9


def test_functions_that_keep_changing_end_in_run_time_values():
    """Functions are built into a trace, so each new one needs another."""

    def apply(functions, x):
        for function in functions:
            x = function(x)
        return x

    compiled = ag.compile(apply, fallback="error")
    for number in range(12):
        assert compiled([lambda x, n=number: x + n, relu], 1.0) == 1.0 + number
    assert len(compiled.signatures) == 9


def test_a_list_of_functions_that_unknown_code_changes_is_read_as_it_is():
    """Nothing else is read ahead, so the list alone has to be noticed."""

    def drop(functions):
        functions.pop()

    drop.__autograph_do_not_convert__ = True

    def apply(functions, x):
        for function in functions:
            x = function(x)
            drop(functions)
        return x

    compiled = ag.compile(apply)
    assert compiled([np.sqrt, np.negative], 16.0) == apply([np.sqrt, np.negative], 16.0) == 4.0


def test_keys_that_are_equal_but_of_another_class_need_another_trace():
    """``True`` is no ``1`` where the program looks at its keys."""

    def keys(table):
        return list(table), [(key, item(2.0)) for key, item in table.items()]

    compiled = ag.compile(keys)
    for key in (1, True, 1.0):
        assert repr(compiled({key: Scale(3.0)})) == repr(keys({key: Scale(3.0)}))


def test_a_module_of_layers_is_one_graph_without_islands():
    """The loop is unrolled, each layer inlined, variables are read at each call."""
    net, x = Perceptron(3, 4, 2, 1), np.ones((2, 3))
    expected = net.layers[2](net.layers[1](net.layers[0](x)))
    assert np.array_equal(net(x), expected)
    text = str(Perceptron.__call__.program(net, x))
    assert "for " not in text
    assert text.count("@") == 3
    net.layers[0].w.assign(np.zeros((3, 4)))
    net.layers[2].b.assign(np.ones(1))
    assert np.array_equal(net(x), np.ones((2, 1)))
    traces = len(Perceptron.__call__.signatures)
    assert np.array_equal(Perceptron(5, 6, 7, 1)(np.ones((1, 5))), [[5 * 6 * 7 / 8]])
    assert len(Perceptron.__call__.signatures) == traces


def test_training_through_shared_layers_changes_the_one_variable():
    """An item that occurs twice is one object."""

    def step(layers, x):
        for layer in layers:
            layer.b.assign_add(x)
        return [layer.b.value() for layer in layers]

    layer = Dense(1, 2)
    compiled = ag.compile(step, fallback="error")
    first, second = compiled([layer, layer], np.ones(2))
    assert first.tolist() == second.tolist() == [2.0, 2.0]
    one, two = compiled([Dense(1, 2), layer], np.ones(2))
    assert (one.tolist(), two.tolist()) == ([1.0, 1.0], [3.0, 3.0])
