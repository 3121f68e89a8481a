"""Replacing a file as a whole, piece by piece written.

Owns how a new file takes the place of an old one. It leaves what is in it to others. Invariant: at
every moment, a reader finds the old file or the new one, whole; what goes wrong, a crash of the
machine included, leaves the old one.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import secrets
import stat
from collections.abc import Iterator
from typing import BinaryIO

_LONGEST_STEM = 100  # of the old name in the temporary one: file systems allow 255 bytes


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Give a file to write to, which takes the place of `path` at the end of the ``with`` block.

    The new content is written beside the old file, under a hidden name that ends in ``.tmp``, is
    forced to the disk and then takes the name of the old one in one step. If the block raises, it
    is removed. Writers that run at the same time do not mix: the last one to end wins.

    Parameters
    ----------
    path
        The file; it need not exist. Links are followed, and permissions of an old file are kept.

    Yields
    ------
    BinaryIO
        The new file, empty.

    Raises
    ------
    OSError
        If the file cannot be written, or is no regular file (a device, a pipe, a folder); what was
        there is untouched.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a")
    ...     with replacing(path) as file:
    ...         _ = file.write(b"text")
    ...     pathlib.Path(path).read_bytes(), os.listdir(folder)
    (b'text', ['a'])
    """
    target = os.path.realpath(os.fsdecode(path))
    mode = _mode_of_old_file(target)
    folder, name = os.path.split(target)
    temporary = _name_beside(folder, name)
    try:  # Ctrl-C may strike between any two steps: the name is known before the file is there
        with _open_new(temporary, target, mode) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _settle(folder)


def _mode_of_old_file(target: str) -> int | None:
    """Return the permissions of the file that is going to be replaced; None if there is none."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file, and so not replaced", target)
    if not os.access(target, os.W_OK):  # replacing would go round the protection
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    return stat.S_IMODE(status.st_mode)


def _name_beside(folder: str, name: str) -> str:
    """Return a name in `folder` that nobody else takes or guesses."""
    stem = os.fsdecode(os.fsencode(name)[:_LONGEST_STEM])
    return os.path.join(folder, f".{stem}.{secrets.token_hex(16)}.tmp")


def _open_new(temporary: str, target: str, mode: int | None) -> BinaryIO:
    """Make a new file that nobody may read who might not read `target`, and open it."""
    private = functools.partial(os.open, mode=0o666 if mode is None else 0o600)
    try:
        file = open(temporary, "xb", opener=private)  # the caller closes it
    except OSError as error:  # of the name that the user knows
        error.filename = target
        raise
    if mode is not None:
        os.chmod(temporary, mode)
    return file


def _settle(folder: str) -> None:
    """Make the new name survive a crash of the machine, where the system can do that."""
    if hasattr(os, "O_DIRECTORY"):
        with contextlib.suppress(OSError):  # a folder one may not list, a system without this
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
