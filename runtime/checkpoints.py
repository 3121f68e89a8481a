"""Checkpoints: the values of variables, kept in a file.

Owns what is saved under which name, and the comparison of a file with what it is loaded into. It
leaves bytes to `checkpoint_format`, replacing files to `replacing`, and finding the variables of
modules to `modules`. Invariants: a load changes everything or nothing; nothing in a file is run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from .checkpoint_format import LONGEST_NAME, Entry, dtype_text, reading, write_arrays
from .errors import CheckpointError
from .replacing import replacing
from .variables import Variable, is_eager, replace_value

Path = str | os.PathLike[str]
_NO_SESSION = "is a variable of a graph: give the session that keeps its value"
_MOST_LINES = 100
"""Of a message; `CheckpointError.problems` holds all."""


@runtime_checkable
class Named(Protocol):
    """What has variables with names, such as a module."""

    def named_variables(self) -> Mapping[str, Variable]:
        """Return the variables, each under the name that a checkpoint gives it."""
        ...


class Keeper(Protocol):
    """What keeps the values of variables of a graph: a session."""

    def run(self, fetches: object) -> object:
        """Return the values of a dict of variables, as such a dict."""
        ...

    def load(self, values: Mapping[Variable, object]) -> None:
        """Give variables values, all or none."""
        ...


def save_checkpoint(
    path: Path, variables: Named | Mapping[str, object], session: Keeper | None = None
) -> None:
    """Save the values of variables in one file.

    The file is written beside the old one and takes its place in one step: a crash at any moment
    leaves the old file or the new one, whole. Programs that save at the same time do not mix their
    files; the last one stays. Equal values make equal files, byte by byte.

    Parameters
    ----------
    path
        The file. What is there is replaced; its permissions stay.
    variables
        A module, or a mapping from names to variables or arrays of any shape and layout. Values
        are booleans, integers, floating or complex numbers of any width, in any byte order.
    session
        For variables of a graph: the session whose values are saved.

    Raises
    ------
    CheckpointError
        If a value has another dtype or a name is no text; says all of them. If a variable is of
        a graph, and no session is given.
    OSError
        If the file cannot be written. In all cases, what was there is untouched.

    See Also
    --------
    load_checkpoint, read_checkpoint
    runtime.checkpoint_format : the file, byte by byte.

    Examples
    --------
    >>> import tempfile
    >>> w = Variable([1.0, 2.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_checkpoint(os.path.join(folder, "model"), {"w": w})
    ...     _ = w.assign([0.0, 0.0])
    ...     load_checkpoint(os.path.join(folder, "model"), {"w": w})
    >>> w
    Variable(array([1., 2.]), name='Variable')
    """
    arrays: dict[str, np.ndarray] = {}
    problems = []
    for name, value in _values(_mapping(variables), session).items():
        problem = _unsavable(name, value)
        if problem is None:
            arrays[name] = np.asarray(value)
        else:
            problems.append(problem)
    if problems:
        raise _misfit(f"cannot save checkpoint {os.fspath(path)!r}", problems)
    try:
        with replacing(path) as file:
            write_arrays(file, arrays)
    except ValueError as error:
        raise CheckpointError(f"cannot save checkpoint {os.fspath(path)!r}: {error}") from None
    except OSError as error:
        error.add_note(f"the checkpoint {os.fspath(path)!r} is what it was before")
        raise


def load_checkpoint(
    path: Path, variables: Named | Mapping[str, object], session: Keeper | None = None
) -> None:
    """Give variables the values that a file holds: all of them, or none.

    The file may come from anywhere: nothing in it is run, and nothing is allocated that the
    variables would not hold.

    Parameters
    ----------
    path
        A file that `save_checkpoint` wrote.
    variables
        A module, or a mapping from names to variables or arrays; arrays are written to in place.
        Names, shapes and dtypes have to be those of the file; the byte order of an array may
        differ.
    session
        For variables of a graph: the session that gets the values.

    Raises
    ------
    CheckpointError
        If the file was cut or changed in any byte, or is no checkpoint; if a name is missing in
        the file or in `variables`, or a shape or dtype differs: says all of them, and
        `CheckpointError.problems` holds a text for each; if a variable is of a graph, and no
        session is given. Nothing is assigned then.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model")
    ...     save_checkpoint(path, {"w": np.zeros(2), "b": np.zeros(3)})
    ...     try:
    ...         load_checkpoint(path, {"w": Variable([1, 2]), "c": Variable(0.0)})
    ...     except CheckpointError as error:
    ...         for problem in error.problems:
    ...             print(problem)
    'w' has dtype float64 in the file, but int64 here
    'c', float64 with shape (), is not in the file
    'b', float64 with shape (3,) in the file, is not here
    """
    targets = _mapping(variables)
    with reading(path) as reader:
        problems = _differences(reader.entries, targets, session is not None)
        if problems:
            raise _misfit(
                f"checkpoint {os.fspath(path)!r} does not fit, and nothing was loaded", problems
            )
        arrays = reader.arrays()
    _assign(targets, arrays, session)


def _assign(
    targets: Mapping[str, object], arrays: dict[str, np.ndarray], session: Keeper | None
) -> None:
    """Give all targets their values; what may be refused, or lack memory, comes first."""
    in_session = {}
    for name, target in targets.items():
        if isinstance(target, Variable):
            arrays[name] = arrays[name].astype(target.dtype, copy=False)
            if not is_eager(target):
                in_session[target] = arrays[name]

    def assign() -> None:
        if session is not None:
            session.load(in_session)
        for name, target in targets.items():
            if isinstance(target, np.ndarray):
                target[...] = arrays[name]
            elif isinstance(target, Variable) and target not in in_session:
                replace_value(target, arrays[name])

    try:
        assign()
    except Exception:
        raise
    except BaseException:  # Ctrl-C: half a checkpoint is worse than a moment's delay
        assign()
        raise


def read_checkpoint(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a file by name, in the order in which they were saved.

    Parameters
    ----------
    path
        A file that `save_checkpoint` wrote; it may come from anywhere. No more memory is taken
        than the file is long.

    Raises
    ------
    CheckpointError
        If the file was cut or changed in any byte, or is no checkpoint.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model")
    ...     save_checkpoint(path, {"steps": 7, "w": np.float32([1, 2])})
    ...     read_checkpoint(path)
    {'steps': array(7), 'w': array([1., 2.], dtype=float32)}
    """
    with reading(path) as reader:
        return reader.arrays()


def _mapping(variables: Named | Mapping[str, object]) -> Mapping[str, object]:
    if isinstance(variables, Named):
        return variables.named_variables()
    if isinstance(variables, Mapping):
        return variables
    raise TypeError(
        "a checkpoint is of a module, or of a mapping from names to variables or arrays; this is "
        f"an object of class {type(variables).__qualname__}"
    )


def _values(items: Mapping[str, object], session: Keeper | None) -> dict[str, object]:
    """Return `items` with the value of each variable in its place, where there is one."""
    values = dict(items)
    kept: dict[str, Variable] = {}
    for name, item in items.items():
        if isinstance(item, Variable) and is_eager(item):
            values[name] = item.numpy()
        elif isinstance(item, Variable):
            kept[name] = item
    if session is not None and kept:
        found = session.run(kept)
        assert isinstance(found, dict)
        values.update(found)
    return values


def _unsavable(name: object, value: object) -> str | None:
    """Return why a value cannot be saved under `name`; None if it can."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        return f"{str(name)[:60]!r} is no name: a name is a text of 1 to {LONGEST_NAME} characters"
    if isinstance(value, Variable):
        return f"{name!r} {_NO_SESSION}"
    if isinstance(value, np.ma.MaskedArray):
        return f"{name!r} is a masked array; save its data and its mask"
    if not isinstance(value, np.ndarray | np.generic | bool | int | float | complex):
        return f"{name!r} is an object of class {type(value).__qualname__}, not an array"
    dtype = np.asarray(value).dtype
    if dtype_text(dtype) is None:
        return f"{name!r} has dtype {dtype}, which a checkpoint does not hold"
    return None


def _differences(
    entries: Sequence[Entry], targets: Mapping[str, object], in_session: bool
) -> list[str]:
    """Return how a file differs from what it is to be loaded into, one text for each variable."""
    held = {entry.name: entry for entry in entries}
    problems = []
    for name, target in targets.items():
        if not isinstance(target, Variable | np.ndarray):
            problems.append(
                f"{name!r} is an object of class {type(target).__qualname__} here, not a variable"
            )
        elif name not in held:
            problems.append(f"{name!r}, {_said(target.dtype, target.shape)}, is not in the file")
        elif isinstance(target, np.ndarray) and not target.flags.writeable:
            problems.append(f"{name!r} is a read-only array here")
        elif not in_session and isinstance(target, Variable) and not is_eager(target):
            problems.append(f"{name!r} {_NO_SESSION}")
        else:
            problems += _difference(held[name], target.dtype, target.shape)
    problems += [
        f"{name!r}, {_said(entry.dtype, entry.shape)} in the file, is not here"
        for name, entry in held.items()
        if name not in targets
    ]
    return problems


def _difference(entry: Entry, dtype: np.dtype, shape: tuple[int, ...]) -> list[str]:
    parts = []
    if entry.shape != shape:
        parts.append((f"shape {entry.shape}", str(shape)))
    if entry.dtype.newbyteorder("=") != dtype.newbyteorder("="):
        parts.append((f"dtype {entry.dtype.name}", dtype.name))
    if not parts:
        return []
    there, here = (" and ".join(side) for side in zip(*parts, strict=True))
    return [f"{entry.name!r} has {there} in the file, but {here} here"]


def _said(dtype: np.dtype, shape: tuple[int, ...]) -> str:
    return f"{dtype.name} with shape {shape}"


def _misfit(beginning: str, problems: Sequence[str]) -> CheckpointError:
    """Return an error that says all `problems`; a file from anywhere may have very many."""
    lines = [f"    {problem}" for problem in problems[:_MOST_LINES]]
    if len(problems) > _MOST_LINES:
        lines.append(f"    and {len(problems) - _MOST_LINES} more")
    return CheckpointError("\n".join([f"{beginning}:", *lines]), tuple(problems))
