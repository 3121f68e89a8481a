"""Tokens of graph texts.

Owns cutting a text into tokens and the cursor that walks them. It leaves what they mean to
`type_reader` and `reader`. Invariant: whatever the text is, the only exception that leaves is
`GraphError`, and it says line, column and what was expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from ..errors import GraphError
from .printer import DTYPE_TEXT, NAME

MAX_DEPTH = 120
"""How deep constants, types and regions may nest in a text."""

_PATTERNS = {
    "space": r"[ \t\r\n]+|\#[^\n]*",
    "bytes": r'b"(?:[^"\\\n]|\\.)*"',
    "string": r'"(?:[^"\\\n]|\\.)*"',
    "number": r"-?(?:0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan)(?![\w.])",
    "dtype": rf"dtype<{DTYPE_TEXT}>",
    "class": r"object<(?:[^<>\n]|<[^<>\n]*>)+>",
    "object": r"@[\w.]+",
    "arrow": r"->",
    "ellipsis": r"\.\.\.",
    "name": NAME,
    "mark": r"[](){}\[<>:,=*|?]",
}
_TOKEN = re.compile("|".join(f"(?P<{kind}>{text})" for kind, text in _PATTERNS.items()))


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; the last one has kind ``end``."""

    kind: str
    text: str
    offset: int


def tokenize(text: str) -> list[Token]:
    """Cut `text` into tokens, blanks and comments left out.

    Raises
    ------
    GraphError
        At a character that begins no token.
    """
    tokens = []
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise error_at(text, offset, f"unexpected character {text[offset]!r}")
        kind = match.lastgroup or ""
        if kind != "space":
            tokens.append(Token(kind, match.group(), offset))
        offset = match.end()
    tokens.append(Token("end", "", len(text)))
    return tokens


def error_at(text: str, offset: int, message: str) -> GraphError:
    """Return the error for a place in `text`, with its line and column, counted from 1."""
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return GraphError(f"line {line}, column {column}: {message}")


class Cursor:
    """A place in the tokens of a text."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._tokens = tokenize(text)
        self._index = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The token at the cursor."""
        return self._tokens[self._index]

    @property
    def following(self) -> Token:
        """The token after that; the last one again at the end."""
        return self._tokens[min(self._index + 1, len(self._tokens) - 1)]

    def advance(self) -> Token:
        """Return the token at the cursor and move on."""
        token = self.token
        if token.kind != "end":
            self._index += 1
        return token

    def at(self, text: str) -> bool:
        """Tell whether the mark or word `text` is at the cursor."""
        return self.token.text == text and self.token.kind not in ("string", "bytes")

    def skip(self, text: str) -> bool:
        """Move past the mark or word `text` if it is at the cursor; tell whether it was."""
        found = self.at(text)
        if found:
            self.advance()
        return found

    def expect(self, text: str) -> Token:
        """Move past the mark or word `text`.

        Raises
        ------
        GraphError
            If something else is at the cursor.
        """
        if not self.at(text):
            self.fail(f"expected {text!r}")
        return self.advance()

    def more(self, close: str, count: int) -> bool:
        """Tell whether a list goes on after `count` items, past its comma or past `close`.

        Raises
        ------
        GraphError
            If neither is at the cursor.
        """
        if self.skip(close):
            return False
        if count and not self.skip(","):
            self.fail(f"expected ',' or {close!r}")
        return True

    def expect_kind(self, kind: str, what: str) -> Token:
        """Move past a token of `kind`; `what` says in the error what was expected."""
        if self.token.kind != kind:
            self.fail(f"expected {what}")
        return self.advance()

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise the error for `token`, by default the one at the cursor."""
        token = token or self.token
        found = "the end of the text" if token.kind == "end" else repr(token.text[:40])
        if message.startswith("expected"):
            message = f"{message}, found {found}"
        raise error_at(self._source, token.offset, message)

    def enter(self) -> None:
        """Count one more level of nesting; `leave` takes it back.

        Raises
        ------
        GraphError
            Beyond `MAX_DEPTH` levels.
        """
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep")

    def leave(self) -> None:
        """Count one level of nesting less."""
        self._depth -= 1


_ESCAPE = re.compile(r'\\(?:([nrt"\\])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|.?)', re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def string_of(cursor: Cursor, token: Token) -> str:
    """Return what a ``string`` or ``bytes`` token stands for, bytes as characters below 256.

    Raises
    ------
    GraphError
        At an escape that does not exist.
    """

    def character(match: re.Match[str]) -> str:
        simple, *codes = match.groups()
        if simple:
            return _SIMPLE[simple]
        digits = next((code for code in codes if code), None)
        if digits is None or int(digits, 16) > 0x10FFFF:
            cursor.fail(f"unknown escape {match.group()!r} in a string", token)
        return chr(int(digits, 16))

    text = token.text[2:-1] if token.kind == "bytes" else token.text[1:-1]
    return _ESCAPE.sub(character, text)
