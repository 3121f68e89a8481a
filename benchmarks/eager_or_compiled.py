"""Measure where compiling pays and where it does not, for docs/eager-or-compiled.md.

Each program is run plainly and compiled, in turns; times are the least of many rounds, so that what
else runs on the machine disturbs them little. The first call, which converts, traces, optimizes and
emits, is measured once, in processor time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import autograph as ag

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

from linear_regression import LinearRegression, training_step
from mandelbrot import mandelbrot
from newton import newton

ROUNDS = 50
Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def first(x: Array) -> np.float64:
    """Return an element: as little as a function can do."""
    return x[0]


def collatz(n: int) -> int:
    """Return how many steps lead to 1: a loop over Python numbers."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def smoothed(x: Array) -> Array:
    """Return running means of three: a loop over single elements of an array."""
    out = x.copy()
    for i in range(1, len(x) - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0
    return out


def moments(x: Array) -> tuple[np.float64, np.float64, np.float64]:
    """Return mean, variance and skewness of a sample."""
    mean = x.mean()
    centered = x - mean
    variance = (centered * centered).mean()
    return mean, variance, (centered**3).mean() / variance**1.5


def spread(x: Array) -> np.float64:
    """Use one of three results of a function."""
    _, variance, _ = moments(x)
    return np.sqrt(variance)


def luminance(red: Integers, green: Integers, blue: Integers) -> Integers:
    """Return brightness in thousandths, from whole numbers below 256."""
    return 299 * red + 587 * green + 114 * blue


def colorfulness(red: Integers, green: Integers, blue: Integers) -> Integers:
    """Call a small function again and again, on the same integers."""
    from_red = 1000 * red - luminance(red, green, blue)
    from_blue = 1000 * blue - luminance(red, green, blue)
    return np.maximum(from_red * from_red, from_blue * from_blue) // luminance(red, green, blue)


def products(a: Array, b: Array) -> Array:
    """Return a product of matrices: all the time goes into one call of NumPy."""
    return a @ b @ a


def seconds(function: Callable[..., object], arguments: tuple[object, ...], calls: int) -> float:
    """Return the time of one call, from many."""
    start = time.perf_counter()
    for _ in range(calls):
        function(*arguments)
    return (time.perf_counter() - start) / calls


def first_call(function: Callable[..., object], arguments: tuple[object, ...] = ()) -> str:
    """Return the processor time of the first call of a function."""
    start = time.thread_time()
    function(*arguments)
    return readable(time.thread_time() - start)


def in_turns(
    functions: tuple[Callable[..., object], ...], arguments: tuple[object, ...]
) -> list[float]:
    """Return the least time of a call of each function, measured in turns."""
    once = seconds(functions[0], arguments, 1)
    calls = max(1, int(0.001 / max(once, 1e-7)))
    rounds = [[seconds(f, arguments, calls) for f in functions] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def readable(taken: float) -> str:
    """Return a time with a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if taken >= size:
            return f"{taken / size:.3g} {unit}"
    return f"{taken * 1e9:.0f} ns"


def print_line(title: str, plain: float, fast: float, first_call: str) -> None:
    """Print a row of the table."""
    times = f"{readable(plain)} | {readable(fast)} | {plain / fast:.2f}"
    print(f"| {title} | {times} | {first_call} |", flush=True)


def compare(title: str, function: Callable[..., object], *arguments: object) -> None:
    """Print a row for one program."""
    compiled = ag.compile(function, fallback="error")
    once = first_call(compiled, arguments)
    plain, fast = in_turns((function, compiled), arguments)
    print_line(title, plain, fast, once)


STEPS = 50


def training_lines() -> None:
    """Print the lines for training steps, which read and assign variables of a module."""
    random = np.random.default_rng(0)
    for rows in (17, 5000):
        x, target = random.normal(size=(rows, 8)), random.normal(size=(rows, 1))
        model = LinearRegression(8, 1)

        def steps(model: LinearRegression = model, x: Array = x, target: Array = target) -> None:
            for _ in range(STEPS):
                training_step(model, x, target, 0.01)

        def plain_steps(steps: Callable[[], None] = steps) -> None:
            with ag.eager():
                steps()

        once = first_call(training_step, (model, x, target, 0.01)) if rows == 17 else ""
        plain, fast = (taken / STEPS for taken in in_turns((plain_steps, steps), ()))
        title = f"training step of a module, {rows} rows"
        print_line(title, plain, fast, once)


def graph_lines() -> None:
    """Print the lines for graphs that are built by hand and run by a session."""
    session = ag.Session()
    with ag.Graph().as_default():
        fed = ag.placeholder(np.float64, (None,))
        results = moments(fed)
    for length in (10, 10_000):
        x = np.random.default_rng(0).normal(size=length)

        def all_three(x: Array = x) -> object:
            return session.run(results, feed_dict={fed: x})

        def one(x: Array = x) -> object:
            return session.run(results[1], feed_dict={fed: x})

        def function(x: Array = x) -> object:
            return moments(x)

        once = first_call(all_three) if length == 10 else ""
        plain, run, pruned = in_turns((function, all_three, one), ())
        print_line(f"a run of a graph, {length} numbers", plain, run, once)
        print_line(f"one of its three results, {length} numbers", plain, pruned, "")


def main() -> None:
    """Measure and print."""
    random = np.random.default_rng(0)
    ag.compile(first)(np.ones(1))  # the very first compilation loads what all share
    print("| program | plain | compiled | speed | first call |\n|---|---|---|---|---|")
    compare("one element of an array", first, np.ones(3))
    compare("Newton's method, 5 trips", newton, 2.0, 1e-9)
    compare("Collatz, 350 trips", collatz, 77031)
    compare("running means of 1000 elements", smoothed, np.arange(1000.0))
    compare("Mandelbrot, 60 x 60, 40 trips", mandelbrot,
            np.linspace(-2.0, 0.5, 60), np.linspace(-1.25, 1.25, 60), 40)  # fmt: skip
    compare("two products of 100 x 100", products, *random.normal(size=(2, 100, 100)))
    for length in (10, 10_000):
        compare(f"one of three results used, {length} numbers", spread, random.normal(size=length))
    for length in (10, 10_000):
        columns = random.integers(1, 256, size=(3, length))
        compare(f"repeated work on integers, {length} numbers", colorfulness, *columns)
    training_lines()
    graph_lines()


if __name__ == "__main__":
    main()
