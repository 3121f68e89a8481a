"""String literals: text put between quotes.

Owns the ways of writing a given string so that Python reads the same string again. It leaves
choosing among them to `unparse`. Invariant: what a function here returns, put between the quotes it
was made for, evaluates to its argument; where that cannot be, `Unquotable` is raised.
"""

from __future__ import annotations

from collections.abc import Iterable

#: How braces are written where doubling them does not work.
escape_braces = (("{", "\\x7b"), ("}", "\\x7d"))


class Unquotable(Exception):
    """A string cannot be written between any of the quotes that are left."""


def quote(value: str | bytes, quotes: Iterable[str]) -> str:
    r"""Write a string without a backslash.

    Parameters
    ----------
    value
        What the literal stands for.
    quotes
        The quotes that may be used, in order of preference.

    Returns
    -------
    str
        The literal with its quotes.

    Raises
    ------
    Unquotable
        If none of `quotes` can enclose `value` as it is.

    Examples
    --------
    >>> print(quote("it's", ("'", '"')))
    "it's"
    """
    text = value if isinstance(value, str) else value.decode("latin-1")
    plain = "\\" not in text and all(ch.isprintable() or ch in "\n\t" for ch in text)
    if plain and (isinstance(value, str) or text.isascii()):
        for candidate in quotes:
            fits = candidate not in text and not text.endswith(candidate[0])
            if fits and (len(candidate) == 3 or "\n" not in text):
                return f"{'' if isinstance(value, str) else 'b'}{candidate}{text}{candidate}"
    raise Unquotable


def escape(text: str, outer: str, replacements: Iterable[tuple[str, str]] = ()) -> str:
    r"""Write the inside of a string literal, with backslashes where they are needed.

    Parameters
    ----------
    text
        What the literal stands for.
    outer
        The quotes around it.
    replacements
        Pairs of a character and what to write for it.

    Examples
    --------
    >>> print(escape("it's {1}\n", "'", [("{", "{{"), ("}", "}}")]))
    it\'s {{1}}\n
    """
    table = {"\\": "\\\\", outer[0]: f"\\{outer[0]}", **dict(replacements)}
    return "".join(table.get(ch) or (ch if ch.isprintable() else repr(ch)[1:-1]) for ch in text)


def triple_quote(text: str) -> str | None:
    r"""Write a docstring between triple quotes; None if it holds a control character.

    Examples
    --------
    >>> triple_quote('Say "hi"')[3:-3]
    'Say "hi\\"'
    >>> triple_quote("a\r") is None
    True
    """
    if not all(ch.isprintable() or ch in "\n\t" for ch in text):
        return None
    body = text.rstrip('"')
    ending = '\\"' * (len(text) - len(body))
    inside = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{inside}{ending}"""'
