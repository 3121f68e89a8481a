"""Generators in generators, left from inside, and handed to what asks for some of their items."""

# ruff: noqa: B905

from __future__ import annotations

from collections.abc import Callable

import pytest

import autograph as ag
from differential.harness import differences, observe


def inner(n):
    """A generator that returns early."""
    for i in range(n):
        if i == 7:
            return
        print("inner", i)
        yield i
    print("inner ends")


def outer(n):
    """A generator that loops over another."""
    for k in range(2):
        for v in inner(n):
            yield v + 10 * k
        print("outer after", k)


def delegating(n):
    """A generator that delegates."""
    yield from outer(n)
    yield from [n, n + 1]


def left_by_break(n):
    """``break`` leaves both of them."""
    seen = []
    for v in outer(n):
        seen.append(v)
        if v == 2:
            break
    else:
        seen.append("else")
    return seen


def left_by_return(n):
    """``return`` does."""
    for v in outer(n):
        if v == 2:
            return v, n
    return None


def left_in_many_ways(n):
    """Three nested loops, jumps of all kinds."""
    for a in inner(n):
        for b in outer(a + 1):
            if b == 1:
                return a, b
            for c in inner(2):
                if c > b:
                    break
                if a == 2 and c == 1:
                    return a, b, c
                if c == 0:
                    continue
                print("c", c)
    return "none"


def left_in_while(n):
    """Inside another loop."""
    k = 0
    while k < 3:
        k += 1
        for v in outer(n):
            if v == 1 and k == 2:
                return v, k
            if v == 2:
                break
        else:
            print("else")
    return "none", k


def left_by_error(n):
    """An error leaves them."""
    for v in outer(n):
        if v == 1:
            raise ValueError(v)
    return n


def any_and_all(n):
    """They stop as soon as they know."""
    return any(v == 2 for v in outer(n)), all(v < 1 for v in outer(n))


def next_of(n):
    """The first item, and the first of some kind."""
    return next(outer(n), "none"), next((v for v in outer(n) if v > 1), None)


def next_of_nothing(n):
    """There is none."""
    return next(inner(0), n), next(inner(0))


def zipped(n):
    """``zip`` asks in order, and stops at the first that ends."""
    first, second = list(zip(outer(n), "ab")), list(zip("ab", outer(n)))
    return first, second, dict(zip("ab", inner(n)))


def zipped_and_left(n):
    """A loop over ``zip`` is left."""
    for i, (a, b) in enumerate(zip([1, 2, 3], outer(n))):
        if b == 1:
            return i, a, b
    return "none"


def mapped(n):
    """``map`` and ``filter`` ask item by item."""
    seen = []
    for v in map(lambda item: item * 2, inner(n)):
        if v > 2:
            break
        seen.append(v)
    return seen, list(filter(lambda item: item % 2, inner(n))), ",".join(map(str, inner(n)))


def delegated(n):
    """``yield from`` is a loop."""
    return [*delegating(n)]


def expression_kept(n):
    """A generator expression sees its variables late, and its first iterable early."""
    items, factor = [1, 2], n
    products = (factor * item for item in items)
    factor = 100
    items.append(5)
    return list(products)


def expression_looped_over(n):
    """It is left."""
    total = 0
    for v in (x * k for x in range(n) if x for k in range(x)):
        if v > 4:
            break
        total += v
    return total


def expression_handed_over(n):
    """A function loops over it."""

    def total(items):
        result = 0
        for item in items:
            result += item
        return result

    return total(x + 1 for x in range(n)), total([1, 2]), total(inner(n))


def expression_of_nothing(n):
    """The first iterable is asked for its items at once."""
    products = (v for v in n)
    print("not reached")
    for _ in products:
        pass


def expression_over_dict(n):
    """The dict grows before the loop."""
    table = {"a": n}
    keys = (key for key in table)
    table["b"] = n
    return list(keys)


PROGRAMS = (
    left_by_break, left_by_return, left_in_many_ways, left_in_while, left_by_error, any_and_all,
    next_of, next_of_nothing, zipped, zipped_and_left, mapped, delegated, expression_kept,
    expression_looped_over, expression_handed_over, expression_of_nothing, expression_over_dict,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_items_and_effects_come_in_order(program: Callable[..., object]) -> None:
    """Nothing runs that plain Python would not run."""
    compiled = ag.compile(program, fallback="error")
    file = program.__code__.co_filename
    for n in (3, 9, 0):
        assert not differences(observe(compiled, (n,), file), observe(program, (n,), file))
    assert len(compiled.signatures) == 1


def numbers_of(table):
    """Mapping patterns."""
    match table:
        case {"x": x, "y": y}:
            return "both", x, y
        case {"x": int(x)}:
            return "int", x
        case {"k": [a, b], **rest}:
            return a, b, rest
        case {"t": {"r": r}} if r > 1:
            return r
        case {"t": "square" | "circle" as kind}:
            return kind
        case {1: value}:
            return value
        case {}:
            return "mapping"
        case _:
            return "none"


@pytest.mark.parametrize(
    "table",
    [
        {"x": 1, "y": 2}, {"x": 1}, {"x": 1.5}, {"k": [1, 2], "z": 3}, {"k": [1]}, {"t": {"r": 2}},
        {"t": {"r": 0}}, {"t": "circle"}, {1: 2}, {}, 3, None, [], "x", (1, 2),
    ],
)  # fmt: skip
def test_mapping_pattern(table: object) -> None:
    """Python itself says what is a mapping."""
    compiled = ag.compile(numbers_of, fallback="error")
    assert compiled(table) == numbers_of(table)


def iterators_of_dict(n):
    """They remember how many items there were."""
    table = {"a": n}
    kept = (iter(table), enumerate(table), zip(table, [1]), reversed(table))[n]
    table["b"] = n
    return list(kept)


@pytest.mark.parametrize("n", range(4))
def test_iterator_of_a_dict_is_made_where_it_stands(n: int) -> None:
    """Not after what is written then."""
    file = iterators_of_dict.__code__.co_filename
    want = observe(iterators_of_dict, (n,), file)
    assert not differences(observe(ag.compile(iterators_of_dict), (n,), file), want)


TABLE, ITEMS = {"a": 1}, [1]


def with_tuple(v, shape=(2, 3), *, names=("a", None)):
    """Defaults that never change."""
    return v * shape[0], shape, names


def with_list(v, items=ITEMS, *, table=TABLE):
    """Defaults that do."""
    items.append(v)
    return len(items), table["a"] + v, items is ITEMS


class Shape:
    """A class with defaults."""

    def __init__(self, n, sides=(2, 3), tags=ITEMS):
        """Keep them."""
        self.n, self.sides, self.tags = n, sides, tags

    def size(self, scale=(1, 2)):
        """Use them."""
        return self.n * self.sides[0] * scale[1]


def defaults(n):
    """Functions and methods are called without them."""
    shape, other = Shape(n), Shape(n, (4, 5))
    given = with_tuple(n), with_tuple(n, (1,)), with_list(n), with_list(n, [n])
    return given, shape.size(), other.size((1, 1)), shape.tags is other.tags


def test_defaults_that_are_containers() -> None:
    """They are the very objects."""
    compiled = ag.compile(defaults, fallback="error")
    file = defaults.__code__.co_filename
    for n in (3, 4):
        ITEMS[:] = [1]
        want = observe(defaults, (n,), file)
        ITEMS[:] = [1]
        assert not differences(observe(compiled, (n,), file), want)
