"""Writing event files.

Owns one file for each writer, and which writer is the default. It leaves framing to `records` and
messages to `messages`. Invariants: what is written before `flush` or `close` returns is on the
file; two threads, two writers and a forked process never mix their records.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType

from runtime.errors import SummaryError

from .messages import first_event
from .records import record

_FLUSH_SECONDS = 2.0
_MAX_PENDING = 1 << 20  # bytes
_numbers = itertools.count()
_DEFAULT: ContextVar[FileWriter | None] = ContextVar("summary writer", default=None)


class _File:
    """The file of one writer in one process."""

    def __init__(self, folder: str) -> None:
        host, process = socket.gethostname() or "localhost", os.getpid()
        name = f"events.out.tfevents.{int(time.time()):010d}.{host}.{process}.{next(_numbers)}"
        self.process = process
        self.lock = threading.RLock()
        self.pending = [record(first_event(time.time()))]
        self.flushed = 0.0
        self.path = os.path.join(folder, name)
        self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)

    def flush(self) -> None:
        """Write what is pending, unless this process is a fork of the one that it belongs to."""
        if os.getpid() != self.process or self._handle < 0:
            return
        with self.lock:
            waiting = memoryview(b"".join(self.pending))
            while waiting:
                waiting = waiting[os.write(self._handle, waiting) :]
            self.pending.clear()
            self.flushed = time.monotonic()

    def close(self) -> None:
        """Write what is pending, and nothing more."""
        with self.lock:
            if self._handle >= 0:
                try:
                    self.flush()
                finally:
                    os.close(self._handle)
                    self._handle = -1


class FileWriter:
    """Writes summaries to an event file in a folder; made by `create_file_writer`."""

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        self.logdir = os.fspath(logdir)
        """The folder, as it was given."""
        self._folder = os.path.abspath(self.logdir)
        self._closed = False
        self._exported: set[tuple[str, int]] = set()
        with _explained(self.logdir):
            Path(self._folder).mkdir(parents=True, exist_ok=True)
            self._open()

    def _open(self) -> None:
        self._file = _File(self._folder)
        self._finalizer = weakref.finalize(self, self._file.close)
        self._file.flush()

    @property
    def path(self) -> str:
        """The event file."""
        return self._file.path

    @contextlib.contextmanager
    def as_default(self) -> Iterator[FileWriter]:
        """Make this the writer of `scalar`, `histogram` and `trace_export` in a ``with`` block.

        Holds in this thread. The writer stays open after the block.
        """
        token = _DEFAULT.set(self)
        try:
            yield self
        finally:
            _DEFAULT.reset(token)
            self.flush()

    def __enter__(self) -> FileWriter:
        """Make this the default writer until the block ends."""
        self._check_open()
        self._block = self.as_default()
        return self._block.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the writer."""
        try:
            self._block.__exit__(None, None, None)
        finally:
            self.close()

    def write(self, event: bytes) -> None:
        """Add an event."""
        self._check_open()
        framed = record(event)
        with _explained(self.logdir):
            if self._file.process != os.getpid():  # forked: that file is the other process's
                self._finalizer.detach()
                self._open()
            file = self._file
            with file.lock:
                file.pending.append(framed)
                is_long = sum(map(len, file.pending)) > _MAX_PENDING
                if is_long or time.monotonic() - file.flushed > _FLUSH_SECONDS:
                    file.flush()

    def flush(self) -> None:
        """Write what has been added so far to the file."""
        if not self._closed:
            with _explained(self.logdir):
                self._file.flush()

    def close(self) -> None:
        """Write what has been added so far, and take no more. May be called again."""
        self._closed = True
        with _explained(self.logdir):
            if self._file.process == os.getpid():
                self._file.close()
            self._finalizer.detach()

    def note_export(self, name: str, step: int) -> None:
        """Note the name of a trace.

        Raises
        ------
        SummaryError
            If there is one of that name and step already.
        """
        if (name, step) in self._exported:
            raise SummaryError(
                f"a trace {name!r} of step {step} is in {self.logdir} already: give another name "
                "or step"
            )
        self._exported.add((name, step))

    def _check_open(self) -> None:
        if self._closed:
            raise SummaryError(f"the writer of {self.logdir} is closed")

    def __repr__(self) -> str:
        """Return a text for debugging."""
        return f"<FileWriter {self.logdir!r}{', closed' if self._closed else ''}>"


def create_file_writer(logdir: str | os.PathLike[str]) -> FileWriter:
    """Open a new event file in a folder, for TensorBoard to read.

    Parameters
    ----------
    logdir
        The folder; made if it is not there. Files of earlier runs in it stay.

    Returns
    -------
    FileWriter
        To be used as ``with writer.as_default():``, or in a ``with`` of its own, which closes it
        at the end. It has `flush` and `close`; what is pending is also written when the program
        ends.

    Raises
    ------
    SummaryError
        If the folder cannot be made or written to.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with create_file_writer(folder) as writer:
    ...         pass
    ...     len(os.listdir(folder))
    1
    """
    if not isinstance(logdir, str | os.PathLike) or not os.fspath(logdir):
        raise SummaryError(f"logdir is the path of a folder, not {logdir!r}")
    return FileWriter(logdir)


def default_writer(what: str) -> FileWriter:
    """Return the default writer; `what` is to be written.

    Raises
    ------
    SummaryError
        If there is none.
    """
    writer = _DEFAULT.get()
    if writer is None:
        raise SummaryError(
            f"no writer for {what}: write `with ag.summary.create_file_writer(logdir)"
            ".as_default():` around it"
        )
    return writer


@contextlib.contextmanager
def _explained(logdir: str) -> Iterator[None]:
    """Turn an error of the system into one that names the folder."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = "there is a file of that name, not a folder"
        raise SummaryError(f"cannot write summaries to {logdir}: {reason}") from error
