"""Functions whose expressions and small statements are converted; `CASES` gives the inputs."""

from __future__ import annotations

# ruff: noqa: B007, B023, F821, PERF401, RUF021, UP031 (written as users write it)
import numpy as np

scale = 3


class Box:
    def __init__(self, items):
        self.items = items
        self.log = []

    def note(self, text, value):
        self.log.append(text)
        return value


def plain_calls(x):
    return len(x) + abs(-2) + np.sqrt(4.0) + np.sum(x), str(scale)


def shadowed(x):
    len = max
    return len(x)


def logic(a, b):
    return a and b or not a, a is None, b is not None, a in (1, 2), b not in (1, 2)


def chained(a, b, c):
    return a < b <= c != 0, a < b


def conditional(a, b):
    return a if a > b else b


def displays(a, *rest):
    return [a, *rest], {a}, {"k": a, a: 1}, (a, *rest), [], {}


def texts(a, b):
    return f"{a}", f"{a!r:>{b}} and {b:03d}{{}}", "%s-%d" % (a, b), f"{b=}", f"plain"  # noqa: F541  # on purpose


def slices(x):
    y = list(x)
    y[1:] = [7]
    y[0] += 5
    del y[0]
    return y, x[::-1], x[-1:]


def unpacking(p):
    (a, b), *c, d = p
    [e, f] = a, b
    g = h, i = [d, e]
    return a, b, c, d, e, f, g, h, i


def unpack_fails(p):
    a, b = p
    return a + b


def order(box):
    box.items[box.note("index", 0)], y = box.note("value", (5, 6))
    box.items[box.note("i", 0)] += box.note("v", 1)
    z = {box.note("k", 1): box.note("v", 2) for _ in range(1)}
    w = [box.note("a", 1), box.note("b", 2)] + [box.note("c", v) for v in [box.note("d", 3)]]
    return box.log, box.items, y, z, w


def comprehensions(xs, k):
    a = [x * k for x in xs if x > 1]
    b = {x % 2 for x in xs}
    c = {x: x * x for x in xs}
    d = [(x, y) for x in xs for y in range(x) if y != 1]
    e = [[y for y in range(x)] for x in xs]
    return a, b, c, d, e


def generators(xs):
    if not xs:
        return any(x for x in xs), all(x for x in xs), sum(x for x in xs)
    return (
        any(x > 1 for x in xs), all(x > 1 for x in xs), sum(x * x for x in xs),
        list(x for x in xs), tuple(x for x in xs), set(x for x in xs), sorted(-x for x in xs),
        min(x for x in xs), max((x for x in xs), default=0), ",".join(str(x) for x in xs),
    )  # fmt: skip


def any_stops(xs):
    return any(1 / x > 0 for x in xs), all(1 / x < 0 for x in xs)


def comprehension_in_test(xs):
    t = 0
    while any(x > t for x in xs):
        t += 1
    return t


def comprehension_of_unbound(x):
    if x:
        k = 1
    return [k for _ in range(2)]


def comprehension_in_lambda(xs):
    f = lambda k, n=1: [x * k + n for x in xs]  # noqa: E731  # on purpose
    return f(2)


def lambdas_in_loop(n, x):
    fns = []
    for i in range(n):
        fns.append(lambda: x * i)
    return [g() for g in fns]


def lambda_before_binding(x):
    f = lambda: late  # noqa: E731  # on purpose
    if x:
        late = 5
    return f()


def default_at_definition(n):
    fns = []
    for i in range(n):
        fns.append(lambda j=i: j * i)
    return [f() for f in fns]


def inner_function(x):
    """Return the factorial."""

    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    return factorial(x)


def closure_sees_rebinding(x):
    def lifted(v):
        return v + offset

    offset = 100
    out = [lifted(x)]
    for offset in range(3):
        out.append(lifted(x))
    offset = x
    out.append(lifted(x))
    return out


def nonlocal_total(xs, cap):
    count = 0
    total = 0.0

    def add(v):
        nonlocal count, total
        if v > 0:
            count += 1
            total += v
        return total > cap

    trace = []
    for v in xs:
        if add(v):
            total = total - cap
        trace.append((count, total))
    middle = count
    while count < 5:
        add(1.0)
    return trace, middle, count, total


def nonlocal_before_binding(x):
    def put():
        nonlocal y
        y = x

    if x:
        put()
    if x > 1:
        y = x + 1
    return y


def nonlocal_early_return(xs):
    n = 0

    def visit(v):
        nonlocal n
        if v < 0:
            return "negative"
        n += v
        for _ in range(v):
            if n > 4:
                return "full"
            n += 1
        return "ok"

    return [(visit(x), n) for x in xs], n


def walrus(xs):
    parts = [(top := max(xs)), top + 1, [top, (low := min(xs))]]
    return parts, top - low


def keyword_calls(f, xs):
    return dict(a=1, **{"b": 2}), max(*xs, key=lambda v: -v), print


def annotated(x: int, *, flag: bool = False) -> int:
    y: int = x
    z: int
    if flag:
        z = y + 1
    return z


def only_declared(x):
    y: int
    return y


def sums_of_lists(x):
    xs = []
    xs += [x]
    xs.append(x)
    ys = xs
    ys += [1]
    return xs, ys is xs


CASES = {
    plain_calls: [(np.array([1.0, 2.0]),)],
    shadowed: [([1, 5],)],
    logic: [(0, 2), (1, 0), (None, None), (2, 3)],
    chained: [(1, 2, 3), (3, 2, 1), (1, 2, 0)],
    conditional: [(1, 2), (2, 1)],
    displays: [(1,), (1, 2, 3)],
    texts: [(1, 2), ("a", 5), ("a", "b")],
    slices: [([1, 2, 3],)],
    unpacking: [(((1, 2), 3, 4),), (((1, 2),),), ((1, 2),), (((1, 2, 3), 4),)],
    unpack_fails: [([1, 2],), ([1],), ([1, 2, 3],), (5,)],
    order: [],
    comprehensions: [([1, 2, 3], 2), ([], 1)],
    generators: [([],), ([1, 2, 3],), ([2, 3],)],
    any_stops: [([1, 0],), ([0],), ([],), ([-1],)],
    comprehension_in_test: [([1, 4],), ([],)],
    comprehension_of_unbound: [(0,), (1,)],
    comprehension_in_lambda: [([1, 2],)],
    lambdas_in_loop: [(0, 2), (3, 2)],
    lambda_before_binding: [(0,), (1,)],
    default_at_definition: [(3,)],
    inner_function: [(0,), (5,)],
    closure_sees_rebinding: [(1,)],
    nonlocal_total: [([1.0, -2.0, 3.0], 100.0), ([4.0, 4.0, -1.0, 4.0], 5.0), ([], 1.0)],
    nonlocal_before_binding: [(0,), (1,), (2,)],
    nonlocal_early_return: [([1, -1, 2, 3],), ([],)],
    walrus: [([1, 4],), ([2],), ([],)],
    keyword_calls: [(None, [1, 2])],
    annotated: [(1,)],
    only_declared: [(1,)],
    sums_of_lists: [(1,)],
}
