"""Measure how long the first call takes, for functions of growing length.

Every five lines hold one staged branch or loop. Seconds from the first call to the published
program: conversion, tracing, passes, lowering. The time a statement should stay the same.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable

import numpy as np

import autograph as ag


def long_function(statements: int) -> Callable[..., object]:
    """Return a function of that many staged statements, and about five times as many lines."""
    lines = ["def program(x, n):", "    a = 0.0", "    b = 1.0"]
    for i in range(statements):
        if i % 2:
            lines += [
                f"    if x[{i % 3}] > a:",
                f"        a = a + x[{i % 3}] * {i}.0",
                "        b = b - a",
                "    else:",
                f"        b = b * 0.5 + {i}",
            ]
        else:
            lines += [
                f"    for i{i} in range(n):",
                f"        a = a + x[i{i}]",
                f"        c{i} = a - b",
                f"        b = b + c{i} * 0.01",
                "        x[0] = a",
            ]
    lines.append("    return a, b")
    text = "\n".join(lines) + "\n"
    file = f"<long function {statements}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Callable[..., object]] = {}
    exec(compile(text, file, "exec"), scope)
    return scope["program"]


def main() -> None:
    """Measure and print."""
    print("staged statements: seconds to the first result, milliseconds a statement")
    for statements in (10, 20, 40, 80):
        compiled = ag.compile(long_function(statements), fallback="error")
        compiled(np.ones(3), 2)
        seconds = compiled.signatures[0].seconds  # type: ignore[attr-defined]  # an inspector
        print(f"    {statements:4}   {seconds:6.2f}   {seconds / statements * 1e3:6.2f}")


if __name__ == "__main__":
    main()
