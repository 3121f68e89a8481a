"""Name scopes: prefixes for the names of tensors and variables.

Owns `name_scope`. It leaves making names unique to whoever gives them: a graph does, for everything
in it. The scope that each thread is in, it keeps in `thread_state`. Invariant: what one thread
enters is invisible to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from .thread_state import STATE, changed

_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.\-]*(/[A-Za-z0-9_.][A-Za-z0-9_.\-]*)*")


def checked_name(name: object) -> str:
    """Return `name` if it may be the name of a tensor, a variable or a scope.

    Raises
    ------
    ValueError
        If it is no text of letters, digits, ``_``, ``.`` and ``-``, with ``/`` between parts.

    >>> checked_name("layer/w")
    'layer/w'
    """
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise ValueError(
            f"{name!r} is no name: it takes letters, digits, _, . and -, with / between parts"
        )
    return name


def scoped(name: str) -> str:
    """Return `name` with the scopes of this thread before it.

    >>> with name_scope("outer"), name_scope("inner"):
    ...     scoped("w")
    'outer/inner/w'
    """
    return STATE.scope + name


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """Put ``name/`` before the names of what is made inside a ``with`` block, in this thread.

    Parameters
    ----------
    name
        The scope; nested ones add up.

    Yields
    ------
    str
        The whole scope, such as ``"outer/inner"``.

    Raises
    ------
    ValueError
        If `name` is no name.
    """
    inner = scoped(checked_name(name))
    with changed(scope=f"{inner}/"):
        yield inner
