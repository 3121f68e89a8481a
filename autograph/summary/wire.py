"""The wire format of protocol buffers, as far as event files need it.

Owns fields as bytes, and bytes as fields. It leaves which fields a message has to `messages`.
Source: "Encoding", the documentation of Protocol Buffers. Invariant: `fields` reads back what the
other functions write; damaged bytes give a `ValueError`, nothing else.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types."""
_MAX_VARINT_BYTES = 10


def varint(value: int) -> bytes:
    """Return a whole number in groups of seven bits, the lowest first.

    >>> varint(300).hex(), varint(-1).hex()
    ('ac02', 'ffffffffffffffffff01')
    """
    value &= 0xFFFFFFFFFFFFFFFF  # negative numbers are written in two's complement
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def integer(number: int, value: int) -> bytes:
    """Return field `number` with a whole number of 64 bits, or nothing for 0, the default."""
    return varint(number << 3 | VARINT) + varint(value) if value else b""


def double(number: int, value: float) -> bytes:
    """Return field `number` with a ``double``."""
    return varint(number << 3 | FIXED64) + struct.pack("<d", value)


def data(number: int, value: bytes | str) -> bytes:
    """Return field `number` with bytes, a text, or a message that is encoded already."""
    encoded = value.encode("utf-8", "backslashreplace") if isinstance(value, str) else value
    return varint(number << 3 | BYTES) + varint(len(encoded)) + encoded


def packed_integers(number: int, values: tuple[int, ...]) -> bytes:
    """Return field `number` with a list of whole numbers."""
    return data(number, b"".join(varint(value) for value in values)) if values else b""


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    r"""Yield the number and the value of each field of a message, in order.

    Fixed-size values are yielded as bytes.

    >>> list(fields(integer(1, 300) + data(2, "text") + double(3, 0.5)))
    [(1, 300), (2, b'text'), (3, b'\x00\x00\x00\x00\x00\x00\xe0?')]

    Raises
    ------
    ValueError
        If the bytes are no message.
    """
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        kind = key & 7
        if kind == VARINT:
            value, position = _varint(message, position)
            yield key >> 3, value
            continue
        if kind == BYTES:
            size, position = _varint(message, position)
        elif kind in (FIXED32, FIXED64):
            size = 4 if kind == FIXED32 else 8
        else:
            raise ValueError(f"a field has wire type {kind}, which is none")
        if position + size > len(message):
            raise ValueError("a field is longer than its message")
        yield key >> 3, message[position : position + size]
        position += size


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = 0
    for index, byte in enumerate(message[position : position + _MAX_VARINT_BYTES]):
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return value, position + index + 1
    raise ValueError("a number has no end")
