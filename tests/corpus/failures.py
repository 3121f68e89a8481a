"""Exceptions: class, arguments, and what was done before."""

from __future__ import annotations

import numpy as np

from .entries import case


class TooFar(Exception):
    """An exception with two arguments of its own."""

    def __init__(self, where, limit):
        super().__init__(where, limit)
        self.where = where


def raised_with_values(x, low):
    """Raise with run-time values as arguments."""
    least = x.min()
    if least < low:
        raise ValueError("below", least, low)
    return x - low


case(
    raised_with_values,
    lambda: (np.array([3.0]), 1),
    lambda: (np.array([3.0, 0.5]), 1),
    raises=(None, ValueError),
)


def raised_in_loop(x):
    """Raise in a loop after writes and prints."""
    for i in range(len(x)):
        print(i)
        x[i] += 1
        if x[i] > 3:
            raise RuntimeError(f"element {i} is {x[i]}")
    return x


case(
    raised_in_loop,
    lambda: (np.zeros(2),),
    lambda: (np.array([1.0, 3.0, 1.0]),),
    raises=(None, RuntimeError),
)


def own_exception(n):
    """Raise an exception class of one's own."""
    i = 0
    while True:
        if i * i > n:
            raise TooFar(i, n)
        i += 1


case(own_exception, lambda: (10,), lambda: (-1,), raises=(TooFar, TooFar), staged=False)


def bare_class(x):
    """Raise a class without calling it."""
    if x > 1:
        raise KeyError
    return x


case(bare_class, lambda: (1,), lambda: (2,), raises=(None, KeyError))


def order_of_errors(x, i, n):
    """Keep the first of two possible errors."""
    a = x[i]
    b = 1 // n
    return a, b


case(
    order_of_errors,
    lambda: (np.arange(2.0), 1, 1),
    lambda: (np.arange(2.0), 5, 0),
    lambda: (np.arange(2.0), 1, 0),
    raises=(None, IndexError, ZeroDivisionError),
)


def unused_result_raises(x, i):
    """Fail in an operation whose result nobody reads."""
    x[i]
    unused = x @ x[:2]  # noqa: F841  # on purpose
    return x.sum()


case(
    unused_result_raises,
    lambda: (np.ones(2), 1),
    lambda: (np.ones(2), 2),
    lambda: (np.ones(3), 2),
    raises=(None, IndexError, ValueError),
)


def repeated_failure(x, i, n):
    """Compute the same failing expression under a test only."""
    total = 0.0
    for k in range(n):
        if k > 1:
            total += x[i]
    return total


case(
    repeated_failure,
    lambda: (np.ones(2), 5, 2),
    lambda: (np.ones(2), 5, 3),
    lambda: (np.ones(2), 1, 4),
    raises=(None, IndexError, None),
)


def reraised(x):
    """Handle an exception and raise another from it."""
    try:
        return 10 // x
    except ZeroDivisionError as error:
        raise ValueError("zero") from error


case(reraised, lambda: (3,), lambda: (0,), raises=(None, ValueError))


def handled(x, i):
    """Handle NumPy's own error."""
    try:
        y = x[i]
    except IndexError:
        y = -1.0
    else:
        y = y * 2
    finally:
        x[0] = 9
    return y


case(handled, lambda: (np.ones(2), 1), lambda: (np.ones(2), 2))


def wrong_types(x, y):
    """Add things that do not add: Python's error."""
    return x + y


case(
    wrong_types,
    lambda: (1, 2),
    lambda: (1, "2"),
    raises=(None, TypeError),
)


def attribute_missing(x):
    """Read an attribute that is not there."""
    if x.sum() > 0:
        return x.nothing
    return x


case(
    attribute_missing,
    lambda: (np.zeros(2),),
    lambda: (np.ones(2),),
    raises=(None, AttributeError),
)


def name_missing(x):
    """Read a global that is not there, on one path."""
    if x > 0:
        return not_a_name_anywhere  # noqa: F821  # on purpose
    return x


case(name_missing, lambda: (0,), lambda: (1,), raises=(None, NameError))


def assertion_without_message(x):
    """Assert without a message."""
    for v in x:
        assert v != 0
    return len(x)


case(
    assertion_without_message,
    lambda: (np.ones(2),),
    lambda: (np.array([1.0, 0.0]),),
    raises=(None, AssertionError),
)


def not_iterable(x):
    """Iterate over a number."""
    total = 0
    for v in x:
        total += v
    return total


case(
    not_iterable,
    lambda: (np.arange(3),),
    lambda: (5,),
    lambda: (np.float64(5),),
    lambda: (np.array(5),),
    raises=(None, TypeError, TypeError, TypeError),
)


def unbounded_recursion(x):
    """Fail two helpers deep."""
    return _deep(x, 2)


def _deep(x, level):
    if level == 0:
        return 1 / x
    return _deep(x, level - 1)


case(
    unbounded_recursion,
    lambda: (2,),
    lambda: (0,),
    raises=(None, ZeroDivisionError),
)


def error_in_condition(x):
    """Fail in a loop condition after some trips."""
    n = 3
    while 6 // n > x:
        n -= 1
    return n


case(error_in_condition, lambda: (2,), lambda: (1,), raises=(None, ZeroDivisionError))


def raised_from_none(x):
    """Replace an exception by another that does not mention it."""
    try:
        y = 1 / x
    except ZeroDivisionError:
        raise ValueError("zero", x) from None
    return y


case(raised_from_none, lambda: (2,), lambda: (0,), raises=(None, ValueError))


def chained_with_what_has_no_order(x, most):
    """Compare a number with a list, which is on the right."""
    return 0 < x <= most


case(
    chained_with_what_has_no_order,
    lambda: (1, 2),
    lambda: ([1], 2),
    raises=(None, TypeError),
)


def read_before_it_is_changed(x, i):
    """Read an item that is not there, to change it in the next statement."""
    x[i]
    x[i] += 1
    return x


case(
    read_before_it_is_changed,
    lambda: (np.zeros(3), 1),
    lambda: (np.zeros(3), 3),
    lambda: ([1, 2], 2),
    raises=(None, IndexError, IndexError),
)


def ufunc_of_a_long_integer(x):
    """Give a ufunc an integer that is no number of NumPy's, known while compiling."""
    if x > 1:
        return np.log(2**70)
    return x


case(ufunc_of_a_long_integer, lambda: (1,), lambda: (2,), raises=(None, TypeError))


def list_for_one_element(x, i):
    """Assign a list to a single element."""
    x[i] = [1, 2]
    return x


case(
    list_for_one_element,
    lambda: (np.zeros((2, 2)), 0),
    lambda: (np.zeros(3, dtype=int), 1),
    lambda: (np.zeros(()), ()),
    lambda: (np.zeros(3), np.array(1)),
    lambda: (np.zeros((2, 3)), (1, 1)),
    raises=(None, TypeError, ValueError, ValueError, ValueError),
)
