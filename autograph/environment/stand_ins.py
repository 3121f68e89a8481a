"""Errors whose words tell of what stands for the user's objects while tracing.

Owns telling them, and saying them in the user's words. Invariant: an error that tells of a stand-in
never becomes part of a program.
"""

from __future__ import annotations

from runtime.tracing.generators import GeneratorFunction
from runtime.tracing.symbol import BoundAttribute, Splat, Symbol

from .overlay import ReplacedBuiltin

_USER_WORDS: tuple[tuple[str, str], ...] = (
    (BoundAttribute.__name__, "builtin_function_or_method"),
    (ReplacedBuiltin.__name__, "builtin_function_or_method"),
    (GeneratorFunction.__name__, "function"),
    (Splat.__name__, "iterable"),
    (Symbol.__name__, "object"),
    ("autograph.operators.calls.call()", "the call's"),
    ("autograph.operators.values.list_()", "the list's"),
    ("autograph.operators.values.tuple_()", "the tuple's"),
    ("autograph.operators.values.set_()", "the set's"),
    ("argument after *", "argument after *"),  # Python names the function that is called
    ("Value after *", "what stands after *"),
)


def tells_of_stand_in(error: Exception) -> bool:
    """Tell whether the text of `error` is not the one that the plain function gives.

    >>> tells_of_stand_in(TypeError("'BoundAttribute' object is not subscriptable"))
    True
    """
    text = str(error)
    return any(words in text for words, _ in _USER_WORDS)


def in_user_words(error: Exception) -> str:
    """Return the text of `error` without the names of stand-ins."""
    text = str(error)
    for words, plain in _USER_WORDS:
        text = text.replace(words, plain)
    return text
