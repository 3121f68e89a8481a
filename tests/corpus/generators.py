"""Generators used as helpers."""

from __future__ import annotations

import numpy as np

from .entries import case


def _pairs(x):
    for i in range(0, len(x) - 1, 2):
        yield x[i], x[i + 1]


def _until(x, limit):
    while x < limit:
        yield x
        x = x * 2


def _some(x, log):
    log.append("start")
    if x > 0:
        yield x
    log.append("middle")
    yield -x
    log.append("end")


def _nested(x):
    for a, b in _pairs(x):
        yield a
        if b > 2:
            yield b


def over_pairs(x):
    """Loop over a generator, with branches."""
    out = 0.0
    for a, b in _pairs(x):
        if a > b:
            out += a - b
        else:
            out -= 1.0
    return out


case(over_pairs, lambda: (np.array([3.0, 1.0, 2.0, 5.0]),), lambda: (np.array([1.0]),))


def leaves_generator(x, limit):
    """Break, continue and else over a generator that loops itself."""
    total = 0
    count = 0
    for v in _until(x, limit):
        count += 1
        if v == 4:
            continue
        if v > 20:
            break
        total += v
    else:
        total = -total
    return total, count, v


case(leaves_generator, lambda: (1, 100), lambda: (1, 10), lambda: (3, 4))


def leaves_empty_generator(x):
    """Read the target of a loop over a generator that gave nothing."""
    for v in _until(x, 10):  # noqa: B007  # on purpose
        pass
    return v


case(leaves_empty_generator, lambda: (2,), lambda: (20,), raises=(None, UnboundLocalError))


def interleaved(x):
    """See the generator and the loop take turns."""
    log = []
    for v in _some(x, log):
        log.append(v)  # noqa: PERF402  # on purpose
    return log


case(interleaved, lambda: (3,), lambda: (-3,))


def not_run_to_its_end(x):
    """See that a generator left early does not go on."""
    log = []
    for v in _some(x, log):
        if v < 0:
            break
        log.append(v)
    return log


case(not_run_to_its_end, lambda: (3,), lambda: (-3,))


def generator_of_generator(x):
    """Loop over a generator that loops over another."""
    total = 0.0
    for v in _nested(x):
        total = total * 10 + v
    return total


case(generator_of_generator, lambda: (np.arange(6.0),), lambda: (np.zeros(1),))


def used_up(x):
    """Hand generators to what uses them up."""
    log = []
    return (
        sum(_nested(x)),
        list(_pairs(x)),
        max(_nested(x)),
        any(v > 3 for v in _nested(x)),
        sorted(_some(2, log)),
        log,
    )


case(used_up, lambda: (np.arange(6.0),), lambda: (np.arange(2),))


def any_stops(x):
    """See that any and all stop where the answer is known."""
    first, second = [], []
    return any(_some(x, first)), first, all(_some(x, second)), second


case(any_stops, lambda: (3,), lambda: (0,), lambda: (-1,))


def numbered(x):
    """Count the items of a generator."""
    total = 0
    for i, (a, b) in enumerate(_pairs(x)):
        total += i * (a + b)
    return total


case(numbered, lambda: (np.arange(8),), lambda: (np.arange(1),))


def made_inside(x):
    """Loop over a generator function made in the function."""

    def scaled(k):
        for v in x:
            yield v * k

    total = 0.0
    for v in scaled(2):
        total += v
    for v in scaled(3):
        total -= v
    return total


case(made_inside, lambda: (np.arange(4.0),), lambda: (np.zeros(0),))


def returned_from_loop(x, limit):
    """Return from a loop over a generator."""
    for v in _until(x, limit):
        if v > 5:
            return v
    return None


case(returned_from_loop, lambda: (1, 100), lambda: (1, 3))


def error_in_generator(x):
    """See an error of the generator, after some items."""
    total = 0
    for a in _risky(x):
        total += a
    return total


def _risky(x):
    for k in (2, 1, 0):
        yield x // k


case(error_in_generator, lambda: (4,), raises=ZeroDivisionError)


def _early(x):
    for v in x:
        if v > 2:
            return
        yield v


def left_and_returning(x):
    """Break out of a generator that may return before."""
    for v in _early(x):
        if v == 1:
            break
    else:
        v = 100
    return v


case(left_and_returning, lambda: (np.arange(6.0),), lambda: (np.zeros(2),))


def error_in_body(x):
    """Catch an error of the loop's body around the loop."""
    try:
        for v in _early(x):
            if v > 1:
                raise KeyError(v)
    except KeyError as error:
        return error.args, v
    return "none"


case(error_in_body, lambda: (np.arange(6.0),), lambda: (np.zeros(2),))


def made_before_the_loop(x):
    """Use up a generator in the first trip of a loop."""
    items = _early(x)
    total = 0.0
    while total < 10:
        total += 4
        for v in items:
            total += v
    return total


case(made_before_the_loop, lambda: (np.arange(6.0),), staged=False)


def goes_on(x):
    """Leave a generator and go on with it."""
    items = _early(x)
    total = 0.0
    for v in items:
        total += v
        break
    for v in items:
        total -= v
    return total, sum(items)


case(goes_on, lambda: (np.arange(6.0),), staged=False)


def other_uses(x):
    """Use generators as Python may."""
    a, b = _early(x)
    (*c,) = _early(x)
    return a, b, c, b in _early(x), list(zip(_early(x), x)), next(_early(x)), max(*_early(x))  # noqa: B905  # on purpose


case(other_uses, lambda: (np.array([1.0, 2.0]),), staged=False)


def wrong_arguments(x):
    """Call a generator function with too few arguments."""
    try:
        items = _until(x)
    except TypeError as error:
        return error.args
    return sum(items)


case(wrong_arguments, lambda: (1,), staged=False)


def captured_total(x):
    """Rebind a variable that the generator sees, too."""
    total = 0.0

    def shifted():
        for v in x:
            yield v + total

    for v in shifted():
        total += v
    return total


case(captured_total, lambda: (np.arange(4.0),), staged=False)
