"""A progress bar for loops: with `rich` where it is installed, else a word on how to get one."""

from __future__ import annotations

import sys
from collections.abc import Iterator


def progress(steps: int, description: str) -> Iterator[int]:
    """Yield 0, 1, ... below `steps`, and show on a terminal how far the loop has come.

    The bar goes to the standard error. Where that is no terminal, nothing is shown; where `rich` is
    not installed, one line says how to install it.
    """
    if not sys.stderr.isatty():
        yield from range(steps)
        return
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        print("no progress bar: it needs rich (pip install 'autograph[cli]')", file=sys.stderr)
        yield from range(steps)
        return
    yield from track(range(steps), description, console=Console(stderr=True), transient=True)
