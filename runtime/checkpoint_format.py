"""The files that checkpoints are: named arrays, and nothing that is ever run.

Owns the bytes. It leaves replacing files to `replacing`, and what the names mean to `checkpoints`.
Invariants: equal arrays make equal bytes; a file that was cut or changed in any byte is refused;
nothing is allocated before the size of the file has been found to agree with what it says.

A file is, with all integers little-endian,

======== ======================================================================================
bytes    content
======== ======================================================================================
14       ``89 61 75 74 6f 67 72 61 70 68 0d 0a 1a 0a``: ``autograph`` between bytes that change
         when a file is taken for text
2        version of the format: 1
8        length *n* of the header
*n*      header: a list of ``[name, dtype, shape]``, one for each array, as JSON in ASCII without
         spaces
32       SHA-256 of all bytes so far
...      the items of each array, one array after the other, in C order and in the byte order that
         the dtype says
32       SHA-256 of all bytes so far
======== ======================================================================================

A dtype is what ``dtype.str`` gives (``"<f8"``, ``"|b1"``). To that of `numpy.longdouble`, which
differs from machine to machine, the number of bits of its fraction is added (``"<f16:63"``).
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from .errors import CheckpointError

SIGNATURE = b"\x89autograph\r\n\x1a\n"
VERSION = 1
DIGEST = 32
"""Bytes of a SHA-256."""
LONGEST_HEADER = 1 << 24
"""In bytes; a header that says it is longer is not read."""
LONGEST_NAME = 1000
_CHUNK = 1 << 20
_CODES = "qQiIlLhHbB?eFdfD"  # of NumPy; where two are equal, the last is the usual one
_MOST_AXES = 64  # of an array of NumPy 2
_LARGEST_EXTENT = (1 << 63) - 1


@dataclass(frozen=True)
class Entry:
    """One array of a file: all about it but its items."""

    name: str
    dtype: np.dtype
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """How many bytes its items take."""
        return math.prod(self.shape) * self.dtype.itemsize


def _fraction_bits(dtype: np.dtype) -> int:
    return int(np.finfo(dtype).nmant)


def dtype_text(dtype: np.dtype) -> str | None:
    """Return what a header calls a dtype; None if files do not hold it.

    >>> dtype_text(np.dtype(np.float32)), dtype_text(np.dtype(object))
    ('<f4', None)
    """
    if dtype.char in "gG":
        return f"{dtype.str}:{_fraction_bits(dtype)}"
    return dtype.str if dtype.char in _CODES else None


_DTYPES = {
    dtype_text(dtype): dtype
    for code in _CODES + "gG"
    for dtype in (np.dtype(code), np.dtype(code).newbyteorder())
}


def _header(entries: Sequence[Entry]) -> bytes:
    rows = [[entry.name, dtype_text(entry.dtype), list(entry.shape)] for entry in entries]
    return json.dumps(rows, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _frame(header: bytes) -> bytes:
    """Return what stands before the first array, but for the digest."""
    prefix = SIGNATURE + VERSION.to_bytes(2, "little") + len(header).to_bytes(8, "little")
    return prefix + header


def write_arrays(file: BinaryIO, arrays: Mapping[str, np.ndarray]) -> None:
    """Write named arrays.

    Parameters
    ----------
    file
        An empty file.
    arrays
        The arrays, of any shape and layout, of dtypes that `dtype_text` knows; names are not empty.

    Raises
    ------
    ValueError
        If there are more names than a header can hold.
    """
    entries = [Entry(name, array.dtype, array.shape) for name, array in arrays.items()]
    header = _header(entries)
    if len(header) > LONGEST_HEADER:
        raise ValueError(f"{len(entries)} names take more than {LONGEST_HEADER} bytes")
    digest = hashlib.sha256()

    def put(part: bytes) -> None:
        digest.update(part)
        file.write(part)

    put(_frame(header))
    put(digest.digest())
    for array in arrays.values():
        items = _items(array)
        for start in range(0, len(items), _CHUNK):
            put(items[start : start + _CHUNK].tobytes())
    file.write(digest.digest())


def _items(array: np.ndarray) -> np.ndarray:
    """Return the bytes of the items in C order; those without meaning are zero."""
    if not _has_padding(array.dtype):
        return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    flat = np.array(array, order="C").reshape(-1)
    if flat.size:
        width = flat.dtype.itemsize // (2 if flat.dtype.kind == "c" else 1)
        parts = flat.view(np.uint8).reshape(-1, width)
        parts[:, slice(10, None) if flat.dtype.isnative else slice(0, width - 10)] = 0
    return flat.view(np.uint8)


def _has_padding(dtype: np.dtype) -> bool:
    """Tell whether items have bytes without meaning: 80-bit numbers in 12 or 16 bytes do."""
    return dtype.char in "gG" and _fraction_bits(dtype) == 63


class Reader:
    """A checkpoint file that is open, its header checked.

    Parameters
    ----------
    file
        The file, at its start.
    path
        What messages call it.

    Raises
    ------
    CheckpointError
        If it is no checkpoint, or was cut or changed before the first array.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file = file
        self._path = path
        self._digest = hashlib.sha256()
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise self.error("it is not a regular file")
        self.size = status.st_size
        self.entries = self._read_header()
        """The arrays of the file, in its order; names differ."""

    def error(self, problem: str) -> CheckpointError:
        """Return an error that names the file."""
        return CheckpointError(f"cannot load checkpoint {self._path!r}: {problem}")

    def _take(self, length: int) -> bytes:
        """Read `length` bytes, which the file has."""
        part = self._file.read(length)
        if len(part) != length:
            raise self.error("it became shorter while it was read")
        return part

    def _read_header(self) -> tuple[Entry, ...]:
        shortest = len(_frame(b"")) + 2 * DIGEST
        prefix = self._file.read(len(_frame(b"")))
        if not SIGNATURE.startswith(prefix[: len(SIGNATURE)]) or not prefix:
            raise self.error("it is empty" if not prefix else "it is no checkpoint of autograph")
        if len(prefix) != len(_frame(b"")):
            raise self.error(f"it is cut off: it has only {self.size} bytes")
        version = int.from_bytes(prefix[14:16], "little")
        if version != VERSION:
            raise self.error(f"it has version {version} of the format, not {VERSION}")
        length = int.from_bytes(prefix[16:24], "little")
        if length > LONGEST_HEADER:
            raise self.error(f"its header says to have {length} bytes, more than there may be")
        if length > self.size - shortest:
            raise self.error(f"it is cut off: it has only {self.size} bytes")
        header = self._take(length)
        self._digest.update(prefix + header)
        found = self._take(DIGEST)
        if found != self._digest.digest():
            raise self.error("its header is damaged: the checksum does not fit")
        self._digest.update(found)
        entries = self._parse(header)
        expected = shortest + length + sum(entry.nbytes for entry in entries)
        if self.size < expected:
            raise self.error(f"it is cut off: it has {self.size} of {expected} bytes")
        if self.size > expected:
            raise self.error(f"{self.size - expected} bytes follow after its end")
        return entries

    def _parse(self, header: bytes) -> tuple[Entry, ...]:
        """Return what a header says; it has to be the text that this program writes for that."""
        try:
            rows = json.loads(header.decode("ascii"))
        except (ValueError, RecursionError, MemoryError):
            raise self.error("its header is no list of arrays") from None
        if type(rows) is not list:
            raise self.error("its header is no list of arrays")
        entries = tuple(self._entry(row) for row in rows)
        if len({entry.name for entry in entries}) != len(entries):
            raise self.error("its header has a name twice")
        if _header(entries) != header:
            raise self.error("its header is not written as the format says")
        return entries

    def _entry(self, row: Any) -> Entry:
        if type(row) is not list or len(row) != 3:
            raise self.error("its header is no list of arrays")
        name, dtype, shape = row
        if type(name) is not str or not 0 < len(name) <= LONGEST_NAME:
            raise self.error("its header has a name that is no text, empty or too long")
        if type(dtype) is not str or dtype not in _DTYPES:
            raise self.error(f"{name!r} has dtype {str(dtype)[:20]!r}, which is unknown here")
        if (
            type(shape) is not list
            or len(shape) > _MOST_AXES
            or not all(type(n) is int and 0 <= n <= _LARGEST_EXTENT for n in shape)
            or math.prod(n for n in shape if n) > sys.maxsize // _DTYPES[dtype].itemsize
        ):
            raise self.error(f"{name!r} has a shape that no array has")
        return Entry(name, _DTYPES[dtype], tuple(shape))

    def arrays(self) -> dict[str, np.ndarray]:
        """Read all arrays; to be called once.

        Raises
        ------
        CheckpointError
            If the file was changed in any byte, or there is not enough memory.
        """
        try:
            arrays = {entry.name: self._array(entry) for entry in self.entries}
        except MemoryError:
            raise self.error(f"there is no memory for its {self.size} bytes") from None
        if self._take(DIGEST) != self._digest.digest():
            raise self.error("it is damaged: the checksum does not fit")
        for name, array in arrays.items():
            if array.dtype == np.bool_ and array.size and array.view(np.uint8).max() > 1:
                raise self.error(f"{name!r} holds a truth value that is neither 0 nor 1")
        return arrays

    def _array(self, entry: Entry) -> np.ndarray:
        array = np.empty(entry.shape, entry.dtype)
        items = array.reshape(-1).view(np.uint8).data
        for start in range(0, len(items), _CHUNK):
            part = items[start : start + _CHUNK]
            if self._file.readinto(part) != len(part):  # type: ignore[attr-defined]
                raise self.error("it became shorter while it was read")
            self._digest.update(part)
        return array


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[Reader]:
    """Open a checkpoint for the time of a ``with`` block; a pipe is refused, not waited for.

    Raises
    ------
    OSError
        If it cannot be opened.
    CheckpointError
        If it is no checkpoint, or was cut or changed before the first array.
    """

    def open_at_once(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    name = os.fsdecode(path)
    with open(name, "rb", opener=open_at_once) as file:
        yield Reader(file, name)
