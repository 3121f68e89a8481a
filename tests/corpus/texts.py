"""Strings made from values, and print."""

from __future__ import annotations

import numpy as np

from .entries import case


def printed_in_loop(x):
    """Print once per trip, in order."""
    total = 0.0
    for i, v in enumerate(x):
        total += v
        print(i, v, total)
    print("done", total, sep=":", end="!\n")
    return total


case(printed_in_loop, lambda: (np.array([1.0, 2.5]),), lambda: (np.zeros(0),))


def printed_in_branches(x):
    """Print around and inside a branch."""
    print("start")
    if x > 0:
        print("positive", x)
    else:
        print("not positive", x)
    print("end")
    return x


case(printed_in_branches, lambda: (1,), lambda: (-0.5,))


def printed_while_written(x):
    """Print an array between writes."""
    for i in range(len(x)):
        x[i] = i
        print(x)
    return x


case(printed_while_written, lambda: (np.ones(3),), lambda: (np.ones(1, int),))


def formatted(x, n):
    """Format with an f-string, a percent, format and str."""
    return f"{x:.3f} of {n!r:>4}", "%d steps, %.2e" % (n, x), format(x, ".1f"), str(n) + "!"  # noqa: UP031  # on purpose


case(formatted, lambda: (1.5, 3), lambda: (float("inf"), -10))


def formatted_with_run_time_width(x, width):
    """Nest a run-time value in a format specification."""
    return f"[{x:{width}.2f}]"


case(formatted_with_run_time_width, lambda: (1.5, 8), lambda: (1.5, 3))


def text_built_in_loop(n):
    """Build a string round a loop."""
    text = ""
    for i in range(n):
        text += str(i)
        if i % 2:
            text = text + ","
    return text


case(text_built_in_loop, lambda: (5,), lambda: (0,), lambda: (20,))


def text_joined(x):
    """Join strings made from values."""
    return ", ".join([str(v) for v in x.tolist()]), "ab" * 2


case(text_joined, lambda: (np.array([1.5, 2.0]),))


def text_branch(word, x):
    """Branch on a string argument."""
    if word == "half":
        return x / 2
    if word.startswith("d"):
        return x * 2
    return x


case(text_branch, lambda: ("half", 3.0), lambda: ("double", 3.0), lambda: ("none", 3.0),
     retraces=True)  # fmt: skip


def printed_numbers(x):
    """Print numbers of several kinds."""
    print(x, int(x), float(x), x > 1, [x], (x,), {"k": x})
    print()
    return None


case(printed_numbers, lambda: (2,), lambda: (2.5,), lambda: (np.float32(2.5),))


def printed_before_error(x, i):
    """Print, then fail: the output stays."""
    print("before", i)
    y = x[i]
    print("after", y)
    return y


case(
    printed_before_error,
    lambda: (np.arange(2.0), 1),
    lambda: (np.arange(2.0), 5),
    raises=(None, IndexError),
)


def bad_format(x):
    """Format with a wrong specification: Python's error."""
    return f"{x:d}"


case(bad_format, lambda: (3,), lambda: (3.5,), raises=(None, ValueError))


def mapped_texts(n):
    """Join, spread and unpack what `map` gives."""
    first, second = map(int, f"{n} {n + 1}".split())
    head, *tail = map(str, range(n + 1))
    print(*map(str, range(n)))
    return ",".join(map(str, range(n))), [*map(abs, range(-n, 0))], first + second, head, tail


case(mapped_texts, lambda: (3,), lambda: (0,))


def mapped_used_up(n):
    """Use up what `map` gives by functions that stop early and functions that do not."""

    def shown(v):
        print(v)
        return v

    found = any(map(shown, range(n))), all(map(shown, range(n)))
    return found, sum(map(shown, range(n))), max(map(abs, range(n)), default=None)


case(mapped_used_up, lambda: (3,), lambda: (0,))


def mapped_too_many(n):
    """Unpack an iterator: one item more than there are names is asked for."""

    def shown(v):
        print(v)
        return v

    a, b = map(shown, range(n))
    return a, b


case(
    mapped_too_many,
    lambda: (2,),
    lambda: (1,),
    lambda: (5,),
    raises=(None, ValueError, ValueError),
)
