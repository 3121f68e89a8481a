"""Compiled functions in several threads: right results, no locks, nothing mixed up."""

from __future__ import annotations

import threading

import numpy as np

import autograph as ag
from runtime.thread_state import STATE

THREADS = 8


def in_threads(work):
    """Run `work(number)` in several threads at once; re-raise what one of them raised."""
    failures: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_first_calls_at_once_with_different_types():
    """Each thread traces its own type while others publish theirs."""
    dtypes = [np.float64, np.float32, np.int64, np.int32, np.int16, np.int8, np.uint8, np.bool_]

    @ag.compile(fallback="error")
    def program(x, n):
        total = x[0]
        for i in range(n):
            if x[i] > 0:
                total = total + x[i]
        return total, x * x

    def work(number: int) -> None:
        x = np.ones(5, dtypes[number])
        for length in (5, 3, 4, 2):
            total, squares = program(x[:length], length)
            assert squares.dtype == (x * x).dtype
            plain = x[0]
            for i in range(length):
                plain = plain + x[i]
            assert type(total) is type(plain)
            assert total == plain

    in_threads(work)
    before = len(program.signatures)
    in_threads(work)
    assert len(program.signatures) == before


def test_eager_is_a_matter_of_one_thread():
    """A thread inside `eager` does not change the others."""

    @ag.compile(fallback="error")
    def program(x):
        return x + 1

    program(1)

    def work(number: int) -> None:
        for _ in range(50):
            if number % 2:
                with ag.eager():
                    assert STATE.plain
                    assert program(number) == number + 1
            else:
                assert not STATE.plain
                assert program(number) == number + 1

    in_threads(work)
