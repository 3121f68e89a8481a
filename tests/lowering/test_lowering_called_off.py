"""A return that an error in a final part calls off, on its way out of several loops."""

from __future__ import annotations

import contextlib

import pytest

import autograph as ag


def called_off(n, bad):
    """Return out of two loops, unless the final part raises what a handler catches."""
    seen = []
    for i in range(n):
        for j in range(n):
            try:
                try:
                    if j == 1:
                        return "early", seen
                finally:
                    if i < bad:
                        raise ValueError("stop")
            except ValueError:
                seen.append((i, j))
        seen.append(i)
    return "late", seen


def swallowed(n, bad):
    """Do the same under a manager that swallows the error."""
    seen = []
    for i in range(n):
        for j in range(n):
            with contextlib.suppress(ValueError):
                try:
                    if j == 1:
                        return "early", seen
                finally:
                    if i < bad:
                        raise ValueError("stop")
            seen.append((i, j))
    return "late", seen


@pytest.mark.parametrize("program", [called_off, swallowed])
@pytest.mark.parametrize(("n", "bad"), [(3, 0), (3, 1), (3, 2), (3, 3), (1, 1), (0, 0)])
def test_a_return_is_called_off_by_an_error_that_is_caught(program, n, bad):
    """The jump is forgotten; a later one is taken."""

    def caller(n, bad):
        result = program(n, bad)  # inlined: its return is no return of the program
        return result, n

    compiled = ag.compile(caller, fallback="error")
    assert compiled(n, bad) == caller(n, bad)
