"""`explain`: what became of every branch, loop and call, and why."""

from __future__ import annotations

import random

import numpy as np

import autograph as ag


def helper(x):
    """Add one."""
    return x + 1


def program(x, n):
    """Hold one of each construct."""
    total = 0
    for k in range(3):
        total += k
    for i in range(n):
        if x[i] > 0:
            total += helper(x[i])
        elif total is None:
            break
    while n > 0:
        n -= 1
        random.random()
    if total > 3:
        word = 1
    else:
        word = "low"
    return total, word


def outcomes(explanation):
    """Return construct and outcome of each construct, in order of the source."""
    return [(note.construct, note.outcome) for note in explanation.constructs]


def test_every_construct_is_listed_in_order():
    """One line each, with what became of it."""
    compiled = ag.compile(program)
    assert outcomes(compiled.explain(np.ones(3), 2)) == [
        ("for", "unrolled"), ("call", "plain"), ("for", "staged"), ("call", "operation"),
        ("if", "staged"), ("call", "inlined"), ("if", "plain"), ("while", "staged"),
        ("call", "island"), ("if", "staged"),
    ]  # fmt: skip


def test_lines_and_words_are_the_users():
    """The header as written, its line, and the number of trips."""
    first = ag.compile(program).explain(np.ones(3), 2).constructs[0]
    start = program.__code__.co_firstlineno
    assert (first.line - start, first.text) == (3, "for k in range(3):")
    assert first.reason == "3 trips, known while tracing"


@ag.compile(fallback="error")
def with_default(x, n=frozenset()):
    """Have calls before the body."""
    return x if x in n else helper(x)


def test_decorators_and_defaults_are_no_part_of_a_call():
    """They ran when the function was made."""
    assert outcomes(with_default.explain(1.0)) == [("if", "staged"), ("call", "inlined")]
    assert outcomes(ag.compile(lambda x, n=frozenset(): helper(x)).explain(1.0)) == [
        ("call", "inlined")
    ]


def test_open_names_say_why():
    """A union is named with the construct that made it."""
    names = {n.name: n for n in ag.compile(program).explain(np.ones(3), 2).open_names}
    assert names["word"].type == "int(1) | str"
    assert "paths through the if" in names["word"].reason


def test_without_arguments_it_is_the_newest_trace():
    """Nothing is traced for it."""
    compiled = ag.compile(program)
    assert outcomes(compiled.explain())[0] == ("for", "unknown")
    compiled(np.ones(3), 2)
    assert outcomes(compiled.explain())[0] == ("for", "unrolled")
    assert len(compiled.signatures) == 1


def test_traces_say_why_they_were_made():
    """The first call, then what no longer held."""
    compiled = ag.compile(helper)
    compiled(1)
    compiled(np.ones(2))
    text = str(compiled.explain())
    assert "0 (x: int): the first call" in text
    assert "1 (x: f64[x_0]): unlike trace 0: x: int no longer holds" in text


def test_a_function_that_cannot_be_converted_says_so():
    """The reason of the fallback, with its place."""

    @ag.compile
    def generator(n):
        yield n

    explanation = generator.explain(1)
    assert len(explanation.fallbacks) == 1
    assert "yield" in explanation.fallbacks[0]
    assert "runs as plain Python" in str(explanation)


def handling(x, n):
    """Hold ``try``, ``with``, comprehensions and methods of constants."""
    try:
        y = 1 / x
    except ZeroDivisionError:
        y = 0.0
    with np.errstate(all="ignore") if x else np.errstate(), np.errstate():
        y = y + 1
    print(",".join([str(y)]), "done".upper())
    return [y for _ in range(n)], {i: y for i in range(n)}, any(i > y for i in range(n))


def test_handlers_managers_and_comprehensions_are_found():
    """Each is noted at a position of its own: a word, a manager, the whole expression."""
    made = outcomes(ag.compile(handling, fallback="error").explain(1.0, 2))
    assert [made.count((kind, "staged")) for kind in ("try", "with", "for")] == [1, 1, 3]
    assert all(outcome != "not reached" for _, outcome in made)


def test_assertions_and_cases_are_listed() -> None:
    """Each with what became of its test; a case that takes anything has none."""

    def program(x, d):
        assert x.sum() > 0, "no"
        match d:
            case {"a": a}:
                return a
            case [1, *_]:
                return 1
            case _:
                return 0

    text = str(ag.compile(program).explain(np.ones(2), {"a": 1}))
    lines = [line.split("  ") for line in text.splitlines()]
    starts = "assert ", "case "
    found = [part.strip() for line in lines for part in line if part.strip().startswith(starts)]
    assert found == ['assert x.sum() > 0, "no"', 'case {"a": a}:', "case [1, *_]:"]
