"""Running converted functions eagerly, beside the functions they were made of."""

from __future__ import annotations

import ast
import copy
import importlib.util
import sys
import types

import eager_operators
import gast

from autograph.convert import Conversion, convert


def converted_function(function):
    """Return the converted form of `function`, as a function."""
    return function_of(convert(function), function)


def function_of(conversion: Conversion, function):
    """Return a function that runs a conversion of `function`."""
    return function_with(conversion.code, conversion.operators_name, function)


def function_with(code, operators_name, function):
    """Return `function` with other code, which reaches the operators by a name."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    result = types.FunctionType(
        code,
        {**function.__globals__, operators_name: eager_operators},
        function.__name__,
        function.__defaults__,
        tuple(cells[name] for name in code.co_freevars),
    )
    result.__kwdefaults__ = function.__kwdefaults__
    return result


def outcome(function, arguments):
    """Return what a call comes to: its value or exception, and the arguments afterwards."""
    arguments = copy.deepcopy(arguments)
    try:
        result = "returned", plain(function(*arguments))
    except Exception as error:
        result = "raised", type(error), plain(error.args)
    return result, plain(arguments)


def plain(value, around=()):
    """Return a value that compares equal only to values of the same types."""
    if any(value is outer for outer in around):
        return "itself"
    inner = (*around, value)
    if isinstance(value, list | tuple):
        return type(value), [plain(item, inner) for item in value]
    if isinstance(value, dict):
        return dict, [(plain(key, inner), plain(item, inner)) for key, item in value.items()]
    if callable(value):
        return "function"
    assert value is not eager_operators.UNBOUND, "the mark of an unbound name escaped"
    return type(value), repr(value)


def load(path):
    """Import a file that is not on the path."""
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def tree_of(text):
    """Return the gast of the one function in `text`."""
    return gast.ast_to_gast(ast.parse(text)).body[0]
