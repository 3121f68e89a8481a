"""Functions whose control flow is converted; `CASES` gives each its inputs."""

from __future__ import annotations

# ruff: noqa: B007, F821, F841 (written as users write it)


def newton(x, tol):
    """Return the square root of x."""
    y = x
    steps = 0
    while abs(y * y - x) > tol:
        if steps > 50:
            break
        y = 0.5 * (y + x / y)
        steps += 1
    return y, steps


def zero_trips(xs):
    for x in xs:
        y = x
    return y


def keeps_old(xs):
    y = "old"
    for x in xs:
        y = x
    return y


def target_after(n):
    for i in range(n):
        pass
    return i


def target_rebound(xs):
    out = []
    for x in xs:
        x = x + 1
        out.append(x)
    return out, x


def loop_else(xs, t):
    for x in xs:
        if x == t:
            found = "yes"
            break
    else:
        found = "no"
    return found


def while_else(n):
    total = 0
    while n > 0:
        total += n
        if total > 10:
            break
        n -= 1
    else:
        total = -total
    return total, n


def continues(xs):
    total = 0
    for x in xs:
        if x < 0:
            continue
        total += x
    return total


def jump_in_both(xs):
    seen = 0
    for x in xs:
        seen += 1
        if x > 2:
            break
        else:
            continue
    return seen


def nested_break(rows, t):
    count = 0
    for row in rows:
        for x in row:
            if x > t:
                break
            count += 1
        else:
            count += 100
            continue
        count += 1000
    return count


def outer_break_in_else(rows):
    last = None
    for row in rows:
        for x in row:
            last = x
            if x == 0:
                break
        else:
            break
    return last


def forever(n):
    while True:
        n = n + 1
        if n > 10:
            break
    return n


def bound_by_break(xs):
    i = 0
    while True:
        value = xs[i]
        if value > 2:
            break
        i += 1
    return value


def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


def chain(x):
    if x > 10:
        y = 10
    elif x > 5:
        y = 5
    elif x > 0:
        y = x
    else:
        y = 0
    return y


def clip(x):
    if x > 10:
        x = 10
    return x


def two_names(x):
    a, b = 0, 0
    if x:
        a = x
        b = a + 1
    else:
        b = -1
    return a, b


def one_branch_only(x):
    if x > 0:
        y = 1
    return y


def two_in_one_branch(x):
    if x > 0:
        a = x
        b = a + 1
        x = b
    return x, b


def dead_after_branch(x, out):
    if x > 0:
        x = x + 1
        out.append(x)
    return out


def other_branch_unbound(x):
    if x > 0:
        y = 1
    else:
        z = 2
    if x > 0:
        return y
    return z


def maybe_then_augmented(x):
    if x > 0:
        y = 1
    y += 1
    return y


def deleted(x):
    y = x
    if x > 0:
        del y
    return y


def deleted_and_bound_again(xs):
    out = []
    for x in xs:
        if x > 1:
            del out
            out = [x]
    return out


def never_bound(x):
    if x:
        return missing
    missing = 1
    return x


def dead_then_bound(a, b):
    if a:
        x = 1
    if b:
        x = 2
    else:
        x = 3
    return x


def dead_before_endless(c, d):
    if c:
        x = 1
    else:
        x = 2
    while True:
        x = 3
        if d:
            break
    return x


def find(xs, t):
    for i, x in enumerate(xs):
        if x > t:
            return i
    return -1


def find_or_nothing(xs, t):
    for x in xs:
        while x > t:
            if x > 5:
                return x
            x -= 1


def returns_in_one_branch(x, y):
    z = 0
    if x:
        z = 1
        if y:
            return "both"
    z += 10
    return z


def guard(x):
    if x < 0:
        raise ValueError("negative", x)
    return x + 1


def guards(x, y):
    if not y:
        raise ZeroDivisionError
    if x is None:
        return None
    result = x / y
    assert result > 0, f"not positive: {result}"
    return result


def early_with_state(x):
    total = 0
    if x > 3:
        total += x
        if total > 5:
            return "big"
        total += 1
    else:
        total = -1
    return total


def unreachable_code(x):
    while x < 5:
        x += 1
        continue
        x += 100
    return x
    x = 0


def both_arms_define(x):
    if x:
        def g(y):
            return y + 1
    else:
        def g(y):
            return y - 1
    return g(10)


def swap(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def nested_loops(n):
    out = []
    for i in range(n):
        row = 0
        for j in range(i):
            if j == 3:
                continue
            row += i * j
        out.append(row)
    return out


CASES = {
    newton: [(2.0, 1e-9), (2.0, -1.0)],
    zero_trips: [([],), ([1, 2],)],
    keeps_old: [([],), ([1, 2],)],
    target_after: [(0,), (3,)],
    target_rebound: [([],), ([1, 2],)],
    loop_else: [([1, 2], 2), ([1, 2], 3), ([], 0)],
    while_else: [(0,), (2,), (9,)],
    continues: [([1, -2, 3],), ([],)],
    jump_in_both: [([1, 3, 1],), ([],)],
    nested_break: [([[1, 5], [1, 1]], 2), ([[]], 1), ([], 1)],
    outer_break_in_else: [([[1, 0], [2], [3, 0]],), ([],)],
    forever: [(0,), (20,)],
    bound_by_break: [([1, 2, 3],), ([1],)],
    sign: [(3,), (-3,), (0,)],
    chain: [(11,), (6,), (1,), (-1,)],
    clip: [(11,), (1,)],
    two_names: [(0,), (1,)],
    one_branch_only: [(0,), (1,)],
    two_in_one_branch: [(0,), (1,)],
    dead_after_branch: [(0, []), (1, [])],
    other_branch_unbound: [(0,), (1,)],
    maybe_then_augmented: [(0,), (1,)],
    deleted: [(0,), (1,)],
    deleted_and_bound_again: [([1, 2, 3],), ([],)],
    never_bound: [(0,), (1,)],
    dead_then_bound: [(0, 0), (1, 0), (0, 1)],
    dead_before_endless: [(0, 1), (1, 1)],
    find: [([1, 2, 3], 1), ([], 1)],
    find_or_nothing: [([1, 9], 2), ([1], 2), ([3], 2)],
    returns_in_one_branch: [(0, 0), (1, 0), (1, 1)],
    guard: [(1,), (-1,)],
    guards: [(1, 0), (None, 1), (4, 2), (-4, 2)],
    early_with_state: [(1,), (4,), (9,)],
    unreachable_code: [(0,), (9,)],
    both_arms_define: [(0,), (1,)],
    swap: [(0,), (7,)],
    nested_loops: [(0,), (6,)],
}
