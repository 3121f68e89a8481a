"""Functions with ``try``, ``with``, ``match`` and globals; `CASES` gives each its inputs."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

# ruff: noqa: B012, E731, F821, F841 (written as users write it)

TOTAL = 0


@dataclass
class Point:
    x: float
    y: float = 0


class Meter:
    """Notes what happens to it in the list it was given."""

    def __init__(self, seen, swallowed=()):
        self.seen, self.swallowed = seen, swallowed

    def __enter__(self):
        self.seen.append("enter")
        return len(self.seen)

    def __exit__(self, kind, error, traceback):
        self.seen.append(kind and kind.__name__)
        return isinstance(error, self.swallowed)


def counts(xs):
    good = 0.0
    bad = clean = seen = 0
    for x in xs:
        try:
            if x < 0:
                raise ValueError("negative")
            good += 1 / x
        except ValueError:
            bad += 1
            continue
        except ZeroDivisionError as error:
            bad += len(error.args)
            if bad > 2:
                break
        else:
            clean += 1
        finally:
            seen += 1
    return good, bad, clean, seen


def local_to_a_part(xs):
    out = []
    for x in xs:
        try:
            half = x / 2
            for i in range(2):
                half += i
            out.append(half)
        except TypeError as error:
            text = str(error)
            out.append(text)
    return out


def returns_from_all_parts(x):
    try:
        if x == 0:
            return "body"
        y = 1 / (x - 1)
        y = y["key"] if x == 2 else y
    except ZeroDivisionError:
        return "handler"
    else:
        if x == 3:
            return "else"
    finally:
        if x == 4:
            return "finally"
    return y


def keeps_raising(x):
    try:
        try:
            return 1 / x
        except ZeroDivisionError:
            x = 5
            raise
        finally:
            x += 1
    except Exception as error:
        return type(error).__name__, x


def raises_from(x):
    try:
        x = x / 0
    except ZeroDivisionError as error:
        raise ValueError(x) from error


def error_is_unbound_after(x):
    try:
        x = x[0]
    except TypeError as e:
        y = e
    try:
        return e
    except NameError:
        return "gone", x


def error_seen_by_a_lambda(x):
    try:
        x[0]
    except TypeError as e:
        later = lambda: e.args
        now = later()
        try:
            later()
        finally:
            now = now, 1
    try:
        return later()
    except NameError as error:
        return now, error.args


def unbound_in_handler(x):
    try:
        y = x[0]
        z = y + 1
    except (TypeError, IndexError):
        return y
    return z


def parameter_rebound(x, y=2):
    try:
        x = x + 1
        x = x / y
    except ZeroDivisionError:
        pass
    return x


def defined_inside(x):
    try:
        def g(y):
            return x / y
        x = 4
        return g(0)
    except ZeroDivisionError:
        return g(2), g.__name__


def closure_and_try(xs):
    total = 0

    def add(x):
        nonlocal total
        total += x
        return 1 / x

    for x in xs:
        try:
            add(x)
        except ZeroDivisionError:
            del total
            total = -1
    return total


def deleted_inside(x):
    y = 1
    try:
        if x:
            del y
        y = y + 1
    except NameError as error:
        return error.args
    return y


def walrus_inside(xs):
    try:
        while (n := len(xs)) > 1:
            xs.pop()
        [last := x for x in xs]
    finally:
        xs.append("end")
    return n, last, xs


def managed(xs, limit):
    seen = []
    meter = Meter(seen)
    total = 0.0
    for x in xs:
        with meter as k, Meter(seen, ZeroDivisionError):
            if x > limit:
                break
            total += k / x
    return total, seen


def returns_from_with(x):
    with contextlib.nullcontext((x, [x])) as (a, b):
        b.append(a)
        return b
    return a


def swallowed(x):
    with contextlib.suppress(TypeError):
        x = x + 1
        return x
    return "swallowed", x


def assigns_global(xs):
    global TOTAL, LAST
    TOTAL = 0
    for LAST in xs:
        if LAST:
            TOTAL += LAST
    first, (TOTAL, *rest) = LAST, (TOTAL, LAST)
    add = lambda: TOTAL + LAST
    return TOTAL, LAST, add(), first, rest


def global_in_inner_function(n):
    def count():
        global TOTAL
        TOTAL = n
        while TOTAL < 10:
            TOTAL += n

    count()
    return [TOTAL for _ in range(2)]


def matches_values(x):
    match x:
        case 0 | 1 | -1:
            return "small"
        case None:
            return "none"
        case True:
            return "never"
        case "a" | "b" as letter:
            return letter
        case int() | float():
            return "number"
        case _:
            return "other"


def matches_sequences(x):
    match x:
        case []:
            kind = "empty"
        case [0, 0]:
            kind = "origin"
        case [0, y] if y > 3:
            kind = "far"
        case (0, _) | (_, 0):
            kind = "axis"
        case [x, [y, *rest]]:
            kind = rest
        case [first, *_, last]:
            kind = first, last
        case _:
            kind = "no"
    return kind


def binds_before_the_guard(x):
    y = "old"
    match x:
        case [y, z] if y == z:
            kind = "equal"
        case [1, y]:
            kind = "one"
        case other:
            kind = other
    return kind, y


def matches_classes(x):
    match x:
        case Point(0, y=0):
            return "origin"
        case Point(a, b) if a == b:
            return a
        case Point(x=a):
            return "x", a
        case int(n) | str(n):
            return n
        case Point():
            return "never"
        case [Point(x=0), Point() as last]:
            return last.x
    return "nothing"


def matches_in_a_loop(xs):
    counts = {}
    for x in xs:
        match x:
            case [a, b]:
                key = a + b
            case int() if x > 5:
                break
            case 3:
                continue
            case key:
                pass
        counts[key] = counts.get(key, 0) + 1
    return counts


def compares_tuples(x, y):
    return (x, y) == (y, x), (x, 1) < (y, 1), x != (y,), (x, y) <= (1, 2) < (3, x)


def merges(d, x):
    return {**d, "x": x, **{"y": d}, "z": 1}, {"a": 1, **d}


CASES = {
    counts: [([1, -2, 3, 0],), ([0, 0, 0, 1],), ([],), ([-1],), (["a"],)],
    local_to_a_part: [([1, "a", 3],), ([],)],
    returns_from_all_parts: [(0,), (1,), (2,), (3,), (4,), (5,)],
    keeps_raising: [(0,), (4,), ("a",)],
    raises_from: [(1,), ("a",)],
    error_is_unbound_after: [([1],), (3,), ([],)],
    error_seen_by_a_lambda: [(3,), ([1],)],
    unbound_in_handler: [([1],), ([],), (3,), (["a"],)],
    parameter_rebound: [(1,), (1, 0), ("a",)],
    defined_inside: [(3,)],
    closure_and_try: [([1, 2],), ([1, 0, 2],)],
    deleted_inside: [(0,), (1,)],
    walrus_inside: [([1, 2, 3],), ([],)],
    managed: [([1, 2, 9, 1], 5), ([1, 0, 2], 5), ([], 1), (["a"], 1)],
    returns_from_with: [(3,)],
    swallowed: [(1,), ("a",)],
    assigns_global: [([1, 2, 0],), ([0],)],
    global_in_inner_function: [(3,), (20,)],
    matches_values: [(0,), (-1,), (None,), (True,), ("b",), (7,), (2.5,), ([],)],
    matches_sequences: [
        ([],), ((0, 0),), ([0, 4],), ([0, 2],), ((5, 0),), ((1, (2, 3, 4)),), ([1, 2, 3],), (3,),
        ("ab",), ([1, "ab"],), (range(2),), ([0, "a"],),
    ],
    binds_before_the_guard: [([1, 2],), ([2, 2],), ([3, 2],), (4,)],
    matches_classes: [
        (Point(0),), (Point(2, 2),), (Point(2, 1),), (4,), ("a",), ([Point(0), Point(7)],), (None,),
        ([Point(1), 2],),
    ],
    matches_in_a_loop: [([1, [2, 3], 3, "a", [2, 3], 9, 4],), ([],)],
    compares_tuples: [(1, 2), (2, 2), ("a", 1)],
    merges: [({}, 1), ({"x": 2, "q": 3}, 1), ([], 2)],
}  # fmt: skip
