"""Python numbers, NumPy scalars and their mixtures."""

from __future__ import annotations

import math

import numpy as np

from .entries import case


def weak_numbers(x):
    """Mix a float32 array with Python numbers: they are weak."""
    return x + 1, x * 2.5, x / 3, x // 2, x**2, x % 3


case(
    weak_numbers,
    lambda: (np.array([1.5, -2.5], np.float32),),
    lambda: (np.array([1, 2, 3], np.int8),),
    lambda: (np.array([1, 2, 3], np.uint16),),
)


def weak_round_a_loop(x, n):
    """Keep a small dtype round a loop."""
    for i in range(n):  # noqa: B007  # on purpose
        x = x * 0.5 + 1
    return x


case(
    weak_round_a_loop,
    lambda: (np.float32(3.0), 3),
    lambda: (np.float16(3.0), 30),
    lambda: (3, 2),
)


def strong_scalars(x, s):
    """Mix with a NumPy scalar: it is strong."""
    return x + s, s * x, x - s


case(
    strong_scalars,
    lambda: (np.array([1.5], np.float32), np.float64(2.0)),
    lambda: (np.array([1, 2], np.int8), np.int64(300)),
    lambda: (2, np.float32(0.5)),
    lambda: (2.5, np.int32(3)),
)


def number_out_of_bounds(x, k):
    """Add a Python int that the dtype cannot hold."""
    return x + k


case(
    number_out_of_bounds,
    lambda: (np.array([1], np.int8), 100),
    lambda: (np.array([1], np.int8), 300),
    raises=(None, OverflowError),
)


def wraps_around(x):
    """Let array integers wrap, and Python's not."""
    big = 2**62
    return x * 4, big * 4


case(wraps_around, lambda: (np.array([2**62]),), lambda: (np.array([3, 2**61]),))


def big_factorial(n):
    """Grow a Python int beyond 64 bits."""
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


case(big_factorial, lambda: (5,), lambda: (40,), lambda: (0,))


def division_by_zero(a, b):
    """Divide Python numbers: zero is an error."""
    return a / b, a // b, a % b


case(
    division_by_zero,
    lambda: (7, 2),
    lambda: (-7, 2),
    lambda: (7, 0),
    lambda: (-7.5, 2.0),
    lambda: (1.0, 0.0),
    raises=(None, None, ZeroDivisionError, None, ZeroDivisionError),
)


def numpy_division_by_zero(x, y):
    """Divide NumPy numbers: zero is a warning."""
    return x / y, np.floor_divide(x, y)


case(
    numpy_division_by_zero,
    lambda: (np.array([1.0, -1.0, 0.0]), np.array([0.0, 0.0, 0.0])),
    lambda: (np.float64(3.0), np.float64(0.0)),
    lambda: (np.array([5, -5]), np.array([0, 2])),
)


def floor_of_negatives(a, b):
    """Floor towards minus infinity, in Python and in NumPy."""
    return a // b, a % b, divmod(a, b)


case(
    floor_of_negatives,
    lambda: (-7, 3),
    lambda: (7, -3),
    lambda: (-7.5, 2),
    lambda: (np.int64(-7), np.int64(3)),
    lambda: (np.float64(-0.0), 2),
)


def powers(a, n):
    """Raise to a power whose kind depends on the value."""
    return a**n


case(
    powers,
    lambda: (2, 10),
    lambda: (2, -1),
    lambda: (2.0, 0.5),
    lambda: (0, 0),
    lambda: (0, -1),
    lambda: (np.float32(2), 3),
    raises=(None, None, None, None, ZeroDivisionError, None),
)


def negative_integer_power(x, n):
    """Raise an integer array to a negative power."""
    return x**n


case(
    negative_integer_power,
    lambda: (np.array([1, 2]), 2),
    lambda: (np.array([1, 2]), -1),
    raises=(None, ValueError),
)


def root_of_negative(x):
    """Get a complex number from a Python float power."""
    return x**0.5


case(root_of_negative, lambda: (4.0,), lambda: (-4.0,), lambda: (np.float64(4.0),))


def conversions(x):
    """Convert between kinds of numbers."""
    return int(x), float(x), bool(x), complex(x), round(x), abs(x)


case(
    conversions,
    lambda: (3.7,),
    lambda: (-0.0,),
    lambda: (5,),
    lambda: (np.float32(2.5),),
    lambda: (True,),
)


def rounding(x, digits):
    """Round to digits: the kind of the result depends on the digits."""
    return round(x, digits), round(x)


case(rounding, lambda: (2.675, 2), lambda: (1234.5, -2), lambda: (7, 1))


def bools_as_numbers(a, b):
    """Do arithmetic and logic with bools."""
    return a + b, a & b, a | b, a ^ b, ~int(a), -a, a * 2.5


case(bools_as_numbers, lambda: (True, False), lambda: (True, True), lambda: (3, 5))


def bits(a, b):
    """Shift and mask integers."""
    return a << b, a >> b, a & b, a | b, a ^ b, ~a


case(bits, lambda: (5, 2), lambda: (-9, 1), lambda: (np.int32(5), np.int32(2)))


def negative_shift(a, b):
    """Shift by a negative count: Python's error."""
    return a << b


case(negative_shift, lambda: (1, 3), lambda: (1, -1), raises=(None, ValueError))


def math_functions(x):
    """Call the math module on a value."""
    return math.sqrt(x), math.floor(x), math.exp(-x), math.isnan(x)


case(
    math_functions,
    lambda: (2.0,),
    lambda: (9,),
    lambda: (np.float32(2.0),),
    lambda: (-1.0,),
    raises=(None, None, None, ValueError),
)


def signed_zeros(x):
    """Keep the sign of zero."""
    return x * 0, -x, x - x, 0.0 * -x, x + 0.0


case(signed_zeros, lambda: (-2.0,), lambda: (0.0,), lambda: (np.array([-1.0, 0.0]),))


def nan_comparisons(x):
    """Compare with nan."""
    return x == x, x != x, x < x, max(x, 1.0), min(1.0, x)


case(nan_comparisons, lambda: (float("nan"),), lambda: (2.0,), lambda: (np.float64("nan"),))


def mixed_comparisons(a, b):
    """Compare numbers of different kinds."""
    return a == b, a < b, a >= b, a is b


case(
    mixed_comparisons,
    lambda: (1, 1.0),
    lambda: (np.float32(0.1), 0.1),
    lambda: (True, 1),
    lambda: (2**60, float(2**60)),
)


def numpy_scalar_loop(x):
    """Run a scalar loop on NumPy scalars."""
    y = x
    n = 0
    while y > 1:
        y = y / 3
        n += 1
    return y, n


case(
    numpy_scalar_loop,
    lambda: (np.float64(100.0),),
    lambda: (np.float32(100.0),),
    lambda: (np.int64(81),),
)


def complex_iteration(c):
    """Iterate on Python complex numbers."""
    z = 0j
    n = 0
    while abs(z) <= 2 and n < 50:
        z = z * z + c
        n += 1
    return n, z


case(complex_iteration, lambda: (0.3 + 0.5j,), lambda: (1 + 1j,))


def integer_square_root(n):
    """Divide Python ints of any size."""
    x = n
    y = (x + 1) // 2
    while y < x:
        x = y
        y = (x + n // x) // 2
    return x


case(integer_square_root, lambda: (10**40,), lambda: (99,))


def extremes_of_three(a, b, c):
    """Take min and max of arguments: ties keep the first."""
    return min(a, b, c), max(a, b, c), sum((a, b, c))


case(extremes_of_three, lambda: (1, 1.0, True), lambda: (3, -2.5, 0), lambda: (0.0, -0.0, 0))


def sum_with_start(x, start):
    """Sum with Python's sum from a start."""
    return sum(x, start)


case(sum_with_start, lambda: (np.array([0.1, 0.2, 0.3]), 0), lambda: (np.arange(3), 1.5))


def numpy_constructors(x):
    """Make NumPy scalars from numbers."""
    return np.float32(x), np.int64(x), np.float64(x) / 3


case(numpy_constructors, lambda: (3.7,), lambda: (5,))
