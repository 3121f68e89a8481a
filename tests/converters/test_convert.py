"""The conversion of one function: what it keeps, what it refuses, how it is cached."""

from __future__ import annotations

import gc
import threading
import traceback
import types

import numpy as np
import pytest
from programs import function_in
from running import converted_function, function_of, function_with, outcome, tree_of

import autograph
import autograph.convert as pipeline
from autograph.convert import convert
from autograph.errors import ConversionError
from autograph.syntax.source import FunctionSource


def test_name_signature_and_docstring_are_kept():
    def f(a, /, b: int = 1, *c, d: float = 2.0, **e) -> int:
        """Say what f does."""
        return a

    conversion = convert(f)
    code = conversion.code
    assert (code.co_name, code.co_qualname) == (f.__code__.co_name, f.__code__.co_qualname)
    assert code.co_varnames[:5] == f.__code__.co_varnames[:5]
    assert code.co_filename == __file__
    assert conversion.name == f.__qualname__
    assert function_of(conversion, f).__doc__ == f.__doc__
    assert "def f(a, /, b: int = 1, *c, d: float = 2.0, **e) -> int:" in conversion.text


def test_defaults_are_not_evaluated_again():
    def f(x, y=[]):  # noqa: B006  # on purpose
        y.append(x)
        return y

    assert converted_function(f)(1) is f.__defaults__[0]


def test_free_variables_are_among_the_original_ones():
    used, dropped = 1, 2

    def f(x):
        if x:
            return used
        return x
        return dropped

    code = convert(f).code
    assert code.co_freevars == ("used",)
    assert converted_function(f)(3) == 1


def test_a_function_may_have_the_name_of_a_global_it_calls():
    f = function_in("def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n", "recursive.py")
    assert convert(f).code.co_freevars == ()
    assert converted_function(f)(5) == 120


def test_lambdas_are_functions():
    f = lambda x, k=2: [x * i for i in range(k)]  # noqa: E731  # on purpose
    conversion = convert(f)
    assert conversion.code.co_name == "<lambda>"
    assert converted_function(f)(3) == [0, 3]


def test_inner_functions_are_named_as_in_the_original():
    def f(xs):
        for x in xs:
            if x:
                def g():
                    return lambda: [y for y in xs]
        return g

    plain, converted = f([1]), converted_function(f)([1])
    assert converted.__qualname__ == plain.__qualname__
    assert converted().__qualname__ == plain().__qualname__


class Private:
    __scale = 3

    def scaled(self, x):
        if x:
            self.__last = x
        return self.__scale * x


def test_private_names_are_mangled():
    thing = Private()
    assert converted_function(Private.scaled)(thing, 2) == 6
    assert thing._Private__last == 2


def test_methods_are_converted():
    assert convert(Private().scaled) is convert(Private.scaled)


def test_the_operators_get_another_name_where_ag_is_taken():
    def f(ag):
        return not ag

    conversion = convert(f)
    assert conversion.operators_name == "ag_"
    assert "ag_.not_(ag)" in conversion.text


def test_the_operators_keep_their_name_where_ag_is_this_package():
    f = function_in("def f(x):\n    return ag.not_(x), not x\n", "package.py")
    f.__globals__["ag"] = autograph
    assert convert(f).operators_name == "ag"
    g = function_in("def f(x):\n    return ag.Variable, not x\n", "with_variables.py")
    g.__globals__["ag"] = autograph
    assert convert(g).operators_name == "ag_"


def test_the_operators_get_another_name_where_ag_is_another_global():
    f = function_in("def f(x):\n    return ag, not x\n", "other.py")
    f.__globals__["ag"] = 5
    assert convert(f).operators_name == "ag_"
    assert converted_function(f)(0) == (5, True)


def test_user_names_are_never_taken():
    def f(item, result, scope, xs):
        then_L1, items, x_in = item, result, scope
        for then_L1, (items, x_in) in xs:
            if items:
                return [result for result in (item, scope)], then_L1, x_in
        return then_L1, items, x_in

    for xs in ([], [(1, (2, 3))], [(1, (0, 3))]):
        assert converted_function(f)(7, 8, 9, xs) == f(7, 8, 9, xs)


def test_calls_of_ufuncs_go_through_the_operator():
    f = function_in("def f(x):\n    return np.exp(x), np.sum(x), np.linalg.norm(x)\n", "numbers.py")
    f.__globals__["np"] = np
    text = convert(f).text
    assert "ag.call(np.exp, x), ag.call(np.sum, x), ag.call(np.linalg.norm, x)" in text


def test_the_cache_knows_the_code_and_what_it_relied_on():
    text = "def f(x):\n    return len(x)\n"
    first = function_in(text, "cached.py")
    assert convert(first) is convert(first)
    elsewhere = types.FunctionType(first.__code__, {"len": lambda x: -1})
    assert convert(elsewhere) is not convert(first)
    assert "ag.call(len, x)" in convert(elsewhere).text
    assert convert(first).text == "def f(x):\n    return len(x)"


def test_equal_code_of_two_files_is_not_one_function():
    one = function_in("def f(x):\n    return not x\n", "one.py")
    other = function_in("def f(x):\n    return not x\n", "two.py")
    assert one.__code__ == other.__code__
    assert convert(one).code.co_filename == "one.py"
    assert convert(other).code.co_filename == "two.py"


def test_the_cache_forgets_dead_code():
    f = function_in("def f(x):\n    return not x\n", "dead.py")
    key = id(f.__code__), False, False
    convert(f)
    assert key in pipeline._cache
    pipeline.read_function.__globals__["_read_module"].cache_clear()
    del f
    gc.collect()
    assert key not in pipeline._cache


def test_threads_get_one_conversion():
    f = function_in("def f(x):\n    return not x\n", "threads.py")
    found = []
    threads = [threading.Thread(target=lambda: found.append(convert(f))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(one is found[0] for one in found)


def raises_in_a_loop(xs):
    total = 0
    for x in xs:
        if x > 1:
            total += 1 // (x - 2)
    return total


def test_tracebacks_point_at_the_users_line():
    with pytest.raises(ZeroDivisionError) as plain:
        raises_in_a_loop([2])
    with pytest.raises(ZeroDivisionError) as converted:
        converted_function(raises_in_a_loop)([2])
    expected = traceback.extract_tb(plain.value.__traceback__)[-1]
    found = traceback.extract_tb(converted.value.__traceback__)[-1]
    for attribute in ("filename", "lineno", "end_lineno", "colno", "end_colno", "line"):
        assert getattr(found, attribute) == getattr(expected, attribute)


def test_no_source():
    namespace = {}
    exec("def f(x): return x", namespace)
    with pytest.raises(ConversionError, match="f has no source"):
        convert(namespace["f"])
    with pytest.raises(ConversionError, match="not a function written in Python"):
        convert(len)


REFUSED = {
    "yield": (
        "def f(n):\n    x = yield n\n",
        "refused.py:2:9: the value of `yield`, which is what a caller sends, cannot be compiled",
    ),
    "generator": (
        "def f(xs):\n    return ((y := x) for x in xs)\n",
        "refused.py:2:12: generator expression cannot be compiled here: it binds a name",
    ),
    "lambda": (
        "def f(xs, k):\n    return lambda y=k + 1: [x + y for x in xs]\n",
        "refused.py:2:12: lambda cannot be compiled here",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_where_and_what_to_do(name):
    text, words = REFUSED[name]
    with pytest.raises(ConversionError) as caught:
        convert(function_in(text, "refused.py"))
    assert str(caught.value).startswith(words)
    assert "^" in str(caught.value)


def test_variable_that_a_skipped_call_may_rebind_lives_in_memory():
    text = (
        "def f(x):\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n"
        "    return x and g(), n\n"
    )
    function = function_in(text, "boxed.py")
    assert "n = ag.box('n', 0)" in convert(function).text


# The fence refuses these for now; the converters know them.
BEYOND_THE_FENCE = {
    "walrus in the test of a loop": (
        "def f(xs):\n    out = []\n    while (x := xs.pop()) > 0:\n        out.append(x)\n"
        "    else:\n        out.append(-x)\n    return out, x\n",
        [([0, 1, 2],), ([1],)],
    ),
    "walrus in a comprehension": (
        "def f(xs):\n    ys = [y for x in xs if (y := x - 1) > 0]\n    return ys, y\n",
        [([1, 2],), ([],)],
    ),
    "walrus in a comprehension in a test": (
        "def f(xs):\n    n = 0\n    while [y := n for _ in xs] and n < 3:\n        n += 1\n"
        "    return n, y\n",
        [([1, 2],), ([],)],
    ),
    "decorated inner function": (
        "def f(xs):\n    def twice(g):\n        return lambda x: g(g(x))\n"
        "    def by(n):\n        return lambda g: lambda x: g(x) + n\n"
        "    @twice\n    @by(10)\n    def h(x):\n        return x + 1\n    return h(xs[0])\n",
        [([1, 2],)],
    ),
    "spread in a dict": ("def f(d):\n    return {**d, 'a': 1}\n", [({"b": 2},)]),
}


@pytest.mark.parametrize("name", BEYOND_THE_FENCE)
def test_beyond_the_fence(name):
    text, inputs = BEYOND_THE_FENCE[name]
    function = function_in(text, f"{name}.py")
    source = FunctionSource(f"{name}.py", text, tree_of(text), 1)
    unit = pipeline.run_pipeline(source, function)
    code = pipeline._compile(unit, source, function.__code__)
    converted = function_with(code, unit.operators_name, function)
    for arguments in inputs:
        assert outcome(converted, arguments) == outcome(function, arguments)


def test_generators_hand_their_items_to_the_loop():
    text = (
        "def f(xs):\n    def g(n):\n        for x in xs:\n            yield x * n\n"
        "    return [y for y in g(2)]\n"
    )
    converted = convert(function_in(text, "generators.py")).text
    assert "    @ag.generator\n    def g(n):\n" in converted
    assert "            ag.yield_(x * n)\n" in converted
