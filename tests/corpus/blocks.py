"""``try``, ``with``, ``match`` and globals on values known only at run time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .entries import case

TOTAL = 0
LAST = None


@dataclass
class Point:
    x: float
    y: float = 0.0


class Meter:
    """Counts how often it was entered and left."""

    def __init__(self):
        self.opened = 0
        self.errors = 0

    def __enter__(self):
        self.opened += 1
        return self.opened

    def __exit__(self, kind, error, traceback):
        if kind is not None:
            self.errors += 1
        return kind is ZeroDivisionError


def divides_in_loop(xs):
    """Handle one kind of error, count all trips."""
    good = 0.0
    bad = clean = seen = 0
    for x in xs:
        try:
            good += 1 / x.item()
        except ZeroDivisionError as error:
            bad += len(error.args)
            if bad > 1:
                break
            continue
        else:
            clean += 1
        finally:
            seen += 1
    return good, bad, clean, seen


case(
    divides_in_loop,
    lambda: (np.array([1.0, 0.0, 2.0]),),
    lambda: (np.array([0, 0, 4]),),
    lambda: (np.zeros(0),),
)


def nested_handlers(x, i):
    """Raise through a finally into an outer handler."""
    path = []
    try:
        try:
            value = x[i]
        except TypeError:
            path.append("inner")
            raise
        finally:
            path.append("finally")
        value = value / (i - 1)
    except IndexError as error:
        return path, error.args
    except ZeroDivisionError:
        value = -1.0
    return path, value


case(
    nested_handlers,
    lambda: (np.arange(3.0), 0),
    lambda: (np.arange(3.0), 5),
    lambda: ([1.0, 2.0], 1),
    lambda: ([1.0, 2.0], 2),
)


def raises_from(x):
    """Raise another error from the one handled."""
    try:
        y = 1 / x
    except ZeroDivisionError as error:
        raise ValueError(f"no inverse of {x}") from error
    return y


case(raises_from, lambda: (2,), lambda: (0,), raises=(None, ValueError))


def unbound_after_handler(x):
    """Read a name that the failed body did not bind."""
    try:
        y = x[3]
    except IndexError:
        pass
    return y


case(
    unbound_after_handler,
    lambda: (np.arange(5),),
    lambda: (np.arange(2),),
    raises=(None, UnboundLocalError),
)


def error_name_is_gone(x):
    """Read the name of an error after its handler."""
    try:
        1 // x
    except ZeroDivisionError as error:
        kept = str(error)
    else:
        kept = "none"
    try:
        return error, kept
    except NameError:
        return kept


case(error_name_is_gone, lambda: (0,), lambda: (3,))


def writes_before_error_stay(x, limit):
    """Write into the argument before and after a failing write."""
    try:
        for i in range(limit):
            x[i] = i * 2.0
    except IndexError:
        x[0] = -1.0
    finally:
        x[-1] = 9.0
    return x


case(writes_before_error_stay, lambda: (np.ones(4), 2), lambda: (np.ones(4), 7))


def return_order(x):
    """Return from the body, the handler, else or finally."""
    try:
        if x > 2:
            return "body"
        y = 10 // x
    except ZeroDivisionError:
        return "handler"
    else:
        if x == 2:
            return y
    finally:
        if x == -1:
            return "finally"  # noqa: B012  # on purpose
    return "end"


case(return_order, lambda: (3,), lambda: (0,), lambda: (2,), lambda: (-1,), lambda: (1,))


def closure_in_try(xs):
    """Call a function that rebinds a variable and may raise."""
    total = 0.0

    def add(x):
        nonlocal total
        total += x
        return 1 // int(x)

    for x in xs:
        try:
            add(x)
        except ZeroDivisionError:
            total -= 100
    return total


case(closure_in_try, lambda: (np.array([1.0, 0.5, 2.0]),), lambda: (np.zeros(0),))


def managers(xs, limit):
    """Break out of a with, and have it swallow an error."""
    meter = Meter()
    total = 0.0
    for x in xs:
        with meter as k:
            if x > limit:
                break
            total += k / x.item()
    return total, meter.opened, meter.errors


case(
    managers,
    lambda: (np.array([1.0, 0.0, 9.0, 1.0]), 5.0),
    lambda: (np.array([2.0]), 5.0),
    lambda: (np.zeros(0), 0.0),
)


def quiet_division(x, y):
    """Divide where NumPy would warn."""
    with np.errstate(all="ignore"):
        z = x / y
        if np.isnan(z).any():
            return x
    return z


case(
    quiet_division,
    lambda: (np.ones(2), np.array([1.0, 0.0])),
    lambda: (np.zeros(2), np.array([1.0, 0.0])),
)


def counts_globally(xs):
    """Assign globals in loops, branches and an inner function."""
    global TOTAL, LAST
    TOTAL = 0
    for LAST in xs:
        if LAST > 0:
            TOTAL += LAST

    def double():
        global TOTAL
        TOTAL = TOTAL * 2

    double()
    return TOTAL


case(
    counts_globally,
    lambda: (np.array([1.0, -2.0, 3.0]),),
    lambda: (np.zeros(0),),
    watch=lambda: (TOTAL, LAST),
)


def matches_numbers(xs):
    """Match literals, guards, names and the rest."""
    names = []
    for x in xs:
        match x:
            case 0 | 1:
                name = "small"
            case n if n < 0:
                name = "negative"
            case 5:
                continue
            case _:
                name = "large"
        names.append(name)
    return names


case(matches_numbers, lambda: (np.array([0, 1, -3, 5, 7]),), lambda: ([],))


def matches_tuples(p, r):
    """Match the parts of a tuple."""
    match p:
        case (0, 0):
            kind = "origin"
        case (0, y) if y > r:
            kind = "far"
        case (0, _) | (_, 0):
            kind = "axis"
        case (x, y) if x == y:
            kind = "diagonal"
        case (x, *rest):
            kind = len(rest)
        case _:
            kind = "no tuple"
    return kind


case(
    matches_tuples,
    lambda: ((0, 0), 1),
    lambda: ((0, 5), 1),
    lambda: ((0, 1), 1),
    lambda: ((2, 0), 1),
    lambda: ((2, 2), 1),
    lambda: ((2, 3, 4), 1),
    lambda: (np.ones(2), 1),
    lambda: ([1.0, 2.0], 1),
)


def matches_points(p):
    """Match classes and their attributes."""
    match p:
        case Point(0, 0):
            return "origin"
        case Point(x, y=0):
            return x
        case Point(x, y) if x == y:
            return "diagonal"
        case int() | float():
            return "number"
        case [Point(x=first), *_]:
            return first
        case Point():
            return "point"
    return "nothing"


case(
    matches_points,
    lambda: (Point(0.0),),
    lambda: (Point(2.0),),
    lambda: (Point(2.0, 2.0),),
    lambda: (Point(2.0, 1.0),),
    lambda: (3,),
    lambda: ([Point(4.0), 1],),
    lambda: (np.ones(2),),
)


def guard_binds(p):
    """Keep what a pattern bound though its guard failed."""
    y = "old"
    match p:
        case (x, y) if x > y:
            pass
        case _:
            x = 0
    return x, y


case(guard_binds, lambda: ((1, 2),), lambda: ((2, 1),), lambda: (3,))


def merged(d, x):
    """Merge dictionaries in a display."""
    return {**d, "x": x, **{"y": x + 1}}


case(merged, lambda: ({}, 1), lambda: ({"x": 5, "z": np.ones(2)}, 2.0))
