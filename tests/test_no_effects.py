"""Nothing outside sees a trace: no store, no output, no call, whether it succeeds or fails.

A compiled function is traced with `f.graph(...)`, which never runs it: whatever a recorder sees
meanwhile, the trace did.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import random
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import autograph as ag
from corpus import CASES
from differential.harness import Painter, module_functions

AUDITED = ("open", "os.", "subprocess.", "socket.", "shutil.", "import", "builtins.input")
LOADED_AHEAD = (np.char, np.rec)
"""Parts of NumPy that it loads itself when they are first named."""
_events: list[str] = []
_listening = threading.Event()


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if _listening.is_set() and event.startswith(AUDITED):
        _events.append(f"{event} {arguments[:1]}")


sys.addaudithook(_audit)


@contextlib.contextmanager
def nothing_happens(*watched: object) -> Iterator[None]:
    """Assert that nothing is printed or opened and that `watched` stays as it is.

    Source files may be read: that is how functions are converted.
    """
    before = picture(watched)
    printed = io.StringIO()
    _events.clear()
    _listening.set()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield
    finally:
        _listening.clear()
    assert printed.getvalue() == ""
    assert [event for event in _events if not event.endswith(".py',)")] == []
    assert picture(watched) == before


def picture(watched: tuple[object, ...]) -> object:
    """Return all of `watched`, with modules by their globals and functions by their cells."""
    painter = Painter()
    parts: list[object] = []
    for item in watched:
        if isinstance(item, types.ModuleType):
            parts.append([
                (name, id(value), painter.paint(value))
                for name, value in vars(item).items()
                if not name.startswith("__")
            ])  # fmt: skip
        elif isinstance(item, types.FunctionType):
            parts.append([_cell(cell) for cell in item.__closure__ or ()])
            parts.append([id(value) for value in item.__defaults__ or ()])
            parts.append(sorted(item.__dict__))
        else:
            parts.append(painter.paint(item))
    return parts


def _cell(cell: types.CellType) -> tuple[int, str]:
    try:
        return id(cell.cell_contents), repr(cell.cell_contents)
    except ValueError:
        return 0, "empty"


def trace(function: Callable[..., object], *arguments: object) -> bool:
    """Trace `function` for these arguments without running it; tell whether that succeeded."""
    compiled = ag.compile(function, fallback="error")
    try:
        compiled.graph(*arguments)
    except ag.ConversionError:
        return False
    return True


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_tracing_the_corpus_changes_nothing(case):
    """Globals, cells, arguments and output are the same after each trace, failed or not."""
    module = inspect.getmodule(case.function)
    functions = [f for f in module_functions(module) if isinstance(f, types.FunctionType)]
    for maker in case.makers:
        arguments = maker()
        with nothing_happens(module, arguments, *functions):
            trace(case.function, *arguments)


class _Guarded:
    """An object that notices every store."""

    def __init__(self):
        object.__setattr__(self, "stores", [])
        object.__setattr__(self, "value", 1.0)
        object.__setattr__(self, "items", [1, 2, 3])

    def __setattr__(self, name, value):
        self.stores.append(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self.stores.append(name)
        object.__delattr__(self, name)

    def __setitem__(self, key, value):
        self.stores.append(key)

    def __getitem__(self, key):
        return self.items[key]

    def __len__(self):
        self.stores.append("len")
        return 3

    def __iter__(self):
        self.stores.append("iter")
        return iter(self.items)


class _Noticing(dict):
    """A dict that notices every store."""

    stores: list[object] = []  # noqa: RUF012  # on purpose

    def __setitem__(self, key, value):
        self.stores.append(key)
        super().__setitem__(key, value)


def stores_attributes(g, x):
    """Write attributes and items of an argument."""
    for i in range(len(x)):
        g.value = g.value + x[i]
        g[i] = x[i]
    return g.value


def stores_then_fails(g, x):
    """Write an attribute, then do what cannot be traced."""
    g.value = x.sum()
    exec("pass")
    g.value = 7.0
    return g.value


def deletes(g, x):
    """Delete an attribute after a write in a branch."""
    if x.sum() > 0:
        g.value = 3.0
    del g.value
    return x


def iterates(g, x):
    """Iterate over an object of one's own."""
    total = 0
    for item in g:
        total += item * x
    return total, len(g)


@pytest.mark.parametrize(
    "function",
    [stores_attributes, stores_then_fails, deletes, iterates],
    ids=lambda function: function.__name__,
)
def test_objects_notice_nothing(function):
    """`__setattr__`, `__setitem__`, `__len__` and `__iter__` of an argument are not called."""
    guarded = _Guarded()
    trace(function, guarded, np.arange(3.0))
    assert guarded.stores == []
    assert guarded.value == 1.0


def test_a_dict_notices_nothing():
    """Nor is the `__setitem__` of a dict subclass."""

    def program(d, x):
        if x.sum() > 0:
            d["a"] = x
        return d

    d = _Noticing()
    trace(program, d, np.ones(2))
    assert d == {}
    assert d.stores == []


CALLS: list[str] = []
SHARED = 0


def impure(x):
    """Do something that a trace must not do."""
    CALLS.append("impure")
    return x


def draws(x):
    """Call random generators and clocks."""
    total = x.sum()
    for _ in range(3):
        total += np.random.rand()
    return total, random.random(), time.perf_counter()


def test_calls_with_effects_are_not_made():
    """A helper's append, and the state of NumPy's generator, are untouched by a trace."""

    def program(x):
        y = impure(x)
        for _ in range(20):
            y = impure(y)
        return y

    with nothing_happens(CALLS):
        trace(program, np.ones(2))
    state = np.random.get_state()[2]
    trace(draws, np.ones(2))
    assert np.random.get_state()[2] == state


def test_draws_differ_from_call_to_call():
    """A random number is never baked in: the second call draws another."""
    compiled = ag.compile(draws)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.AutographWarning)
        results = [compiled(np.ones(2)) for _ in range(3)]
    for kind in zip(*results, strict=True):
        assert len(set(kind)) == 3


def writes_global(n):
    """Rebind a global in a loop, and read it back."""
    global SHARED
    for i in range(n):
        SHARED = SHARED + i
    return SHARED


def test_another_thread_sees_no_symbol():
    """A global that the traced function writes is an int for every other thread, at any time."""
    global SHARED
    SHARED = 5
    stop = threading.Event()
    seen: dict[str, None] = {}

    def read():
        while not stop.is_set():
            seen[type(SHARED).__name__] = None

    reader = threading.Thread(target=read)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    reader.start()
    try:
        for _ in range(20):
            trace(writes_global, 40)
    finally:
        stop.set()
        reader.join()
        sys.setswitchinterval(interval)
    assert list(seen) == ["int"]
    assert SHARED == 5


def test_a_failed_trace_leaves_cells_alone():
    """A nonlocal write before a construct that cannot be staged stays in the trace."""
    count = 0

    def program(x):
        nonlocal count
        count += 1
        if x.sum() > 0:
            count += 10
        exec("pass")
        return count

    with nothing_happens(program):
        trace(program, np.ones(2))
    assert count == 0


def test_effects_of_a_fallback_happen_once():
    """After a failed trace the plain function runs as if nothing had been."""

    def program(xs, x):
        xs.append(1)
        print("once")
        if x.sum() > 0:
            xs.append(2)
        exec("xs.append(3)")
        return len(xs)

    compiled = ag.compile(program)
    xs: list[int] = []
    printed = io.StringIO()
    with pytest.warns(ag.AutographWarning), contextlib.redirect_stdout(printed):
        assert compiled(xs, np.ones(2)) == 3
    assert xs == [1, 2, 3]
    assert printed.getvalue() == "once\n"


lazy_module = types.ModuleType("lazy_module_of_a_user")
asked: list[str] = []


def _made_when_asked(name: str) -> object:
    asked.append(name)
    if name == "scale":
        return 3.0
    raise AttributeError(name)


lazy_module.__dict__["__getattr__"] = _made_when_asked


def scaled_by_module(x):
    if x.sum() > 0:
        x = x * lazy_module.scale
    return x


def test_a_module_that_makes_its_attributes_is_asked_where_the_program_asks() -> None:
    compiled = ag.compile(scaled_by_module, fallback="error")
    asked.clear()
    compiled.graph(np.ones(2))
    assert asked == []
    assert compiled(np.ones(2)).tolist() == [3.0, 3.0]
    assert compiled(-np.ones(2)).tolist() == [-1.0, -1.0]
    assert asked == ["scale"]
