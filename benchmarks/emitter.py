"""Speed of emitted programs against the plain functions they mean, as ratios in one process.

Run with ``python benchmarks/emitter.py``. A ratio of 1.0 is plain Python's speed; more is faster.
The graphs are built by hand, so only lowering is measured.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Graph, Region, Value
from runtime.ir.types import FLOAT, INT, ArrayType, Type
from runtime.lowering.program import lower
from runtime.ops.catalog import OPERATIONS
from runtime.ops.control import IF, WHILE

REPEATS = 15


def apply(build: Builder, name: str, *inputs: Value | float, to: str = "") -> Value:
    """Append the operation `name` and return its output."""
    values = [value if isinstance(value, Value) else Constant(value) for value in inputs]
    return build.append(OPERATIONS[name], values, name=to)[0]


def state(**types: Type) -> list[Value]:
    """Return loop state."""
    return [Value(type_, name) for name, type_ in types.items()]


def leave_if(build: Builder, test: Value, values: list[Value]) -> None:
    """Append ``if test: break``."""
    with build.region() as then:
        build.end("break", values)
    with build.region() as orelse:
        build.end("yield")
    build.append(IF, [test], regions=[then.close(), orelse.close()], outputs=[])


def while_loop(
    build: Builder, inits: list[Value], regions: list[Region], outputs: list[Value]
) -> list[Value]:
    """Append a ``while``."""
    return list(build.append(WHILE, inits, regions=regions, outputs=outputs))


def scalar_graph() -> Graph:
    """Return the graph of `scalar_plain`."""
    build = Builder()
    x, limit = build.param(FLOAT, "x"), build.param(INT, "limit")
    test_state = state(y=FLOAT, steps=INT)
    with build.region(test_state) as test:
        build.end("yield", [apply(build, "gt", test_state[0], 0.0)])
    y, steps = state(y=FLOAT, steps=INT)
    with build.region([y, steps]) as body:
        leave_if(build, apply(build, "ge", steps, limit), [y, steps])
        quotient = apply(build, "truediv", x, y)
        half = apply(build, "mul", 0.5, apply(build, "add", y, quotient), to="y")
        more = apply(build, "iadd", steps, 1, to="steps")
        build.end("yield", [half, more])
    outputs = state(y=FLOAT, steps=INT)
    while_loop(build, [x, Constant(0)], [test.close(), body.close()], outputs)
    build.end("return", [outputs[0]])
    return build.graph("scalar")


def scalar_plain(x: float, limit: int) -> float:
    """Newton's square root, for `limit` steps, left by ``break``."""
    y = x
    steps = 0
    while y > 0.0:
        if steps >= limit:
            break
        y = 0.5 * (y + x / y)
        steps += 1
    return y


def array_graph() -> Graph:
    """Return the graph of `array_plain`."""
    build = Builder()
    array = ArrayType(np.dtype(np.float64), ("n",))
    a, b = build.param(array, "a"), build.param(array, "b")
    limit = build.param(INT, "limit")
    test_state = state(y=array, steps=INT)
    with build.region(test_state) as test:
        build.end("yield", [apply(build, "lt", test_state[1], limit)])
    y, steps = state(y=array, steps=INT)
    with build.region([y, steps]) as body:
        product = apply(build, "add", apply(build, "mul", y, a), b)
        scaled = apply(build, "mul", apply(build, "sub", product, y), 0.5, to="y")
        build.end("yield", [scaled, apply(build, "iadd", steps, 1, to="steps")])
    outputs = state(y=array, steps=INT)
    while_loop(build, [a, Constant(0)], [test.close(), body.close()], outputs)
    build.end("return", [outputs[0]])
    return build.graph("array")


def array_plain(a: np.ndarray, b: np.ndarray, limit: int) -> np.ndarray:
    """Elementwise arithmetic of floats (n,) in a loop: NumPy's temporary elision matters."""
    y = a
    steps = 0
    while steps < limit:
        y = (y * a + b - y) * 0.5
        steps += 1
    return y


def fibonacci_graph() -> Graph:
    """Return the graph of `fibonacci_plain`."""
    build = Builder()
    limit = build.param(INT, "limit")
    test_state = state(a=INT, b=INT, n=INT)
    with build.region(test_state) as test:
        build.end("yield", [apply(build, "lt", test_state[2], limit)])
    a, b, n = state(a=INT, b=INT, n=INT)
    with build.region([a, b, n]) as body:
        total = apply(build, "mod", apply(build, "add", a, b), 1000003)
        build.end("yield", [b, total, apply(build, "iadd", n, 1, to="n")])
    outputs = state(a=INT, b=INT, n=INT)
    inits: list[Value] = [Constant(0), Constant(1), Constant(0)]
    while_loop(build, inits, [test.close(), body.close()], outputs)
    build.end("return", [outputs[0]])
    return build.graph("fibonacci")


def fibonacci_plain(limit: int) -> int:
    """Two numbers that move round: a parallel assignment."""
    a, b = 0, 1
    n = 0
    while n < limit:
        a, b = b, (a + b) % 1000003
        n += 1
    return a


def ratio(
    plain: Callable[..., object], program: Callable[..., object], *arguments: object
) -> float:
    """Return the median time of `plain` over that of `program`, taken in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for repeat in range(REPEATS):
        pair = [(plain, times[0]), (program, times[1])]
        for function, found in pair if repeat % 2 else pair[::-1]:
            start = time.perf_counter()
            function(*arguments)
            found.append(time.perf_counter() - start)
    return statistics.median(times[0]) / statistics.median(times[1])


def main() -> None:
    """Print one line for each program."""
    print(f"{'program':<24}{'plain / program':>16}")
    scalar, fibonacci = lower(scalar_graph()).function, lower(fibonacci_graph()).function
    print(f"{'scalar loop, break':<24}{ratio(scalar_plain, scalar, 2.0, 10**6):>16.3f}")
    print(f"{'parallel assignment':<24}{ratio(fibonacci_plain, fibonacci, 10**6):>16.3f}")
    array = lower(array_graph()).function
    for size, steps in ((10**3, 20000), (10**5, 300), (10**6, 20)):
        a, b = np.linspace(0.1, 0.9, size), np.ones(size)
        name = f"arrays of {size}"
        print(f"{name:<24}{ratio(array_plain, array, a, b, steps):>16.3f}")


if __name__ == "__main__":
    main()
