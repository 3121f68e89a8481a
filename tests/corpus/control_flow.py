"""Branches and loops in their plain forms."""

from __future__ import annotations

import numpy as np

from .entries import case


def absolute(x):
    """Choose by the sign of a number."""
    if x < 0:
        x = -x
    return x


case(absolute, lambda: (-3,), lambda: (4,), lambda: (-2.5,), lambda: (-0.0,))


def sign_of_sum(x):
    """Choose among three by an array's sum."""
    total = x.sum()
    if total > 0:
        return 1
    elif total < 0:
        return -1
    else:
        return 0


case(
    sign_of_sum,
    lambda: (np.array([1.0, 2.0]),),
    lambda: (np.array([-1.0, -2.0, 1.0]),),
    lambda: (np.zeros(0),),
)


def halve_until_small(x, limit):
    """Loop on a number until a test on it fails."""
    steps = 0
    while x > limit:
        x = x / 2
        steps += 1
    return x, steps


case(
    halve_until_small,
    lambda: (100.0, 1.0),
    lambda: (0.5, 1.0),
    lambda: (1e300, 1e-3),
)


def collatz(n):
    """Count steps of an integer loop with a branch in it."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


case(collatz, lambda: (1,), lambda: (27,), lambda: (97,))


def sum_of_range(n):
    """Sum a range of unknown length."""
    total = 0
    for i in range(n):
        total += i
    return total


case(sum_of_range, lambda: (100,), lambda: (0,), lambda: (-3,), lambda: (1,))


def count_down(start, stop):
    """Walk a range with a negative step."""
    seen = 0
    for i in range(start, stop, -2):
        seen = seen * 10 + i
    return seen


case(count_down, lambda: (9, 0), lambda: (4, 4), lambda: (2, 7))


def range_with_step(n, step):
    """Walk a range whose step comes from the caller; zero is Python's error."""
    last = None
    for i in range(0, n, step):
        last = i
    return last


case(
    range_with_step,
    lambda: (10, 3),
    lambda: (-10, -4),
    lambda: (5, 0),
    raises=(None, None, ValueError),
)


def loop_variable_survives(n):
    """Read the loop variable after the loop."""
    i = -1
    for i in range(n):  # noqa: B007  # on purpose
        pass
    return i


case(loop_variable_survives, lambda: (5,), lambda: (0,))


def loop_variable_reassigned(n):
    """Assign to the loop variable inside the loop: the range goes on regardless."""
    total = 0
    for i in range(n):
        total += i
        i = 100
        total += i
    return total, i


case(loop_variable_reassigned, lambda: (3,), lambda: (17,))


def limit_changed_in_loop(n):
    """Change the bound inside the loop: a range is made once."""
    count = 0
    for _ in range(n):
        n = 0
        count += 1
    return count, n


case(limit_changed_in_loop, lambda: (4,), lambda: (20,))


def multiplication_table(n, m):
    """Nest two loops over ranges."""
    total = 0
    for i in range(n):
        for j in range(m):
            if i == j:
                continue
            total += i * j
    return total


case(multiplication_table, lambda: (4, 5), lambda: (0, 5), lambda: (30, 2))


def rows_of_matrix(m):
    """Iterate over the rows of a matrix."""
    best = -np.inf
    for row in m:
        best = max(best, row.sum())
    return best


case(
    rows_of_matrix,
    lambda: (np.arange(12.0).reshape(3, 4),),
    lambda: (np.zeros((0, 3)),),
    lambda: (-np.ones((20, 1)),),
)


def elements_of_vector(x):
    """Iterate over the elements of a vector: NumPy scalars."""
    total = 0
    for v in x:
        if v > 1:
            total += v
    return total


case(
    elements_of_vector,
    lambda: (np.array([0.5, 1.5, 2.5]),),
    lambda: (np.array([0.5]),),
    lambda: (np.zeros(0),),
)


def enumerated(x):
    """Iterate with positions counted from one."""
    weighted = 0.0
    for k, v in enumerate(x, 1):
        weighted += k * v
    return weighted


case(enumerated, lambda: (np.array([1.0, 2.0, 3.0]),), lambda: (np.zeros(0),))


def zipped(x, y):
    """Iterate over two arrays side by side; the shorter one ends it."""
    total = 0.0
    for a, b in zip(x, y):  # noqa: B905  # on purpose
        total += a * b
    return total


case(
    zipped,
    lambda: (np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])),
    lambda: (np.zeros(0), np.array([4.0, 5.0])),
)


def reversed_vector(x):
    """Iterate backwards."""
    value = 0.0
    for v in reversed(x):
        value = value * 0.5 + v
    return value


case(reversed_vector, lambda: (np.array([1.0, 2.0, 4.0]),), lambda: (np.zeros(0),))


def conditional_expression(x, y):
    """Choose with a conditional expression; only one side may run."""
    return 1.0 / y if y != 0 else x


case(conditional_expression, lambda: (1.0, 2.0), lambda: (7.0, 0.0), lambda: (7.0, -0.0))


def short_circuit(x, i):
    """Guard an index with `and`."""
    if i < len(x) and x[i] > 0:
        return x[i]
    return -1.0


case(
    short_circuit,
    lambda: (np.array([1.0, -2.0]), 0),
    lambda: (np.array([1.0, -2.0]), 1),
    lambda: (np.array([1.0, -2.0]), 2),
)


def operands_returned(x, y):
    """Use the values that `and` and `or` return."""
    return (x and y), (x or y), (not x)


case(operands_returned, lambda: (0, 5), lambda: (2, 5), lambda: (0.0, 0), lambda: (3.5, 0))


def chained_comparison(a, b, c):
    """Chain comparisons; the middle one is evaluated once."""
    inside = a < b <= c
    outside = not a < b < c
    return inside, outside


case(chained_comparison, lambda: (1, 2, 2), lambda: (1, 1, 2), lambda: (3, 2, 1))


def nested_branches(a, b):
    """Bind a name on every path of a tree of branches."""
    if a > 0:
        if b > 0:
            quadrant = 1
        else:
            quadrant = 4
    else:
        if b > 0:
            quadrant = 2
        else:
            quadrant = 3
    return quadrant


case(
    nested_branches,
    lambda: (1, 1),
    lambda: (1, -1),
    lambda: (-1, 1),
    lambda: (-1, -1),
)


def array_truth(x):
    """Use an array as a condition: an error unless it has one element."""
    if x > 0:
        return "positive"
    return "not positive"


case(
    array_truth,
    lambda: (np.array([2.0]),),
    lambda: (np.array([-2.0]),),
    lambda: (np.array([1.0, 2.0]),),
    raises=(None, None, ValueError),
)


def any_and_all(x):
    """Combine reductions of truth in a loop condition."""
    steps = 0
    while np.any(x > 1) and not np.all(x > 10):
        x = x * 0.5
        steps += 1
    return x, steps


case(
    any_and_all,
    lambda: (np.array([3.0, 9.0]),),
    lambda: (np.array([0.5]),),
    lambda: (np.array([20.0, 30.0, 40.0]),),
)


def walrus(x):
    """Bind in a loop condition."""
    total = 0.0
    while (half := x / 2) > 1:
        total += half
        x = half
    return total, half


case(walrus, lambda: (40.0,), lambda: (1.0,))


def gcd(a, b):
    """Swap two numbers round a loop."""
    while b:
        a, b = b, a % b
    return a


case(gcd, lambda: (48, 36), lambda: (7, 0), lambda: (17, 5))


def bisect_root(low, high, target):
    """Halve an interval until it is short."""
    while high - low > 1e-9:
        middle = (low + high) / 2
        if middle * middle < target:
            low = middle
        else:
            high = middle
    return low


case(bisect_root, lambda: (0.0, 2.0, 2.0), lambda: (0.0, 9.0, 9.0), lambda: (1.0, 1.0, 5.0))


def assertion(x):
    """Assert with a message built from a value."""
    assert x > 0, f"not positive: {x}"
    return 1 / x


case(assertion, lambda: (4,), lambda: (0,), raises=(None, AssertionError))


def matched(command, x):
    """Choose by `match` on a string."""
    match command:
        case "double":
            return x * 2
        case "square":
            return x * x
        case _:
            return x


case(
    matched,
    lambda: ("double", np.arange(3.0)),
    lambda: ("square", np.arange(3.0)),
    lambda: ("other", np.arange(3.0)),
    staged=False,
)


def three_deep(n):
    """Nest three loops of three kinds."""
    total = 0
    i = 0
    while i < n:
        for j in range(i):
            k = j
            while k > 0:
                total += k
                k -= 2
        i += 1
    return total


case(three_deep, lambda: (6,), lambda: (0,), lambda: (1,))


def long_constant_range(x):
    """Walk a constant range too long to unroll."""
    for i in range(50):
        x = x * 0.9 + i
    return x


case(long_constant_range, lambda: (1.0,), lambda: (np.float32(2.0),), lambda: (3,))


def short_constant_range(x):
    """Walk a constant range that is unrolled."""
    for i in range(4):
        if x > i:
            x = x - i
    return x


case(short_constant_range, lambda: (7.0,), lambda: (0.5,))
