"""Records: the framing of event files.

Owns lengths and checksums around each record, and reading them back. It leaves what is in a record
to `messages`. Invariant: `read_records` yields what `record` framed, and raises for a file with any
byte changed or cut.

A record is its length (64 bits, little-endian), the masked checksum of those eight bytes, the
bytes, and their masked checksum (TFRecord: "TFRecord and tf.train.Example" in the documentation of
TensorFlow).
The checksum is CRC-32C (Castagnoli; RFC 3720, appendix B.4), computed by table, byte by byte.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

_POLYNOMIAL = 0x82F63B78  # of Castagnoli, its bits reversed
_MASK = 0xA282EAD8
_ALL = 0xFFFFFFFF


def _table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        remainder = byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (_POLYNOMIAL if remainder & 1 else 0)
        table.append(remainder)
    return tuple(table)


_TABLE = _table()


def crc32c(data: bytes) -> int:
    """Return the checksum of `data`.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    table, checksum = _TABLE, _ALL
    for byte in data:
        checksum = table[(checksum ^ byte) & 0xFF] ^ checksum >> 8
    return checksum ^ _ALL


def masked(data: bytes) -> int:
    """Return the checksum as records hold it: rotated and shifted, for data that hold checksums."""
    checksum = crc32c(data)
    return (checksum >> 15 | checksum << 17) + _MASK & _ALL


def record(data: bytes) -> bytes:
    """Return `data` framed.

    >>> record(b"").hex()
    '000000000000000029039807d8ea82a2'
    """
    length = struct.pack("<Q", len(data))
    return b"".join(
        (length, struct.pack("<I", masked(length)), data, struct.pack("<I", masked(data)))
    )


def read_records(file: BinaryIO) -> Iterator[bytes]:
    """Yield what is in each record of a file, from where it is to its end.

    >>> import io
    >>> list(read_records(io.BytesIO(record(b"a") + record(b"bc"))))
    [b'a', b'bc']

    Raises
    ------
    ValueError
        If a checksum does not fit, or the file ends inside a record.
    """
    while head := file.read(12):
        if len(head) < 12 or struct.unpack("<I", head[8:])[0] != masked(head[:8]):
            raise ValueError("the head of a record is damaged")
        (length,) = struct.unpack("<Q", head[:8])
        body = file.read(length + 4)
        if len(body) < length + 4:
            raise ValueError("the file ends inside a record")
        if struct.unpack("<I", body[length:])[0] != masked(body[:length]):
            raise ValueError("a record is damaged")
        yield body[:length]
