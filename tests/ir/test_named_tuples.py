"""The type of NumPy's own named tuples: text, join, items by name."""

from __future__ import annotations

import numpy as np

from runtime.ir.lattice import covers, join
from runtime.ir.type_reader import read_type
from runtime.ir.types import FLOAT, PLAIN, ArrayType, NamedTupleType, TupleType, is_plain
from runtime.ops.probing import named

F64 = np.dtype(float)
EIGH = named("linalg.eigh", ArrayType(F64, ("n",)), ArrayType(F64, ("n", "n")))
OTHER = named("linalg.eigh", ArrayType(F64, (3,)), ArrayType(F64, (3, "n")))


def test_text_is_read_back() -> None:
    for type_ in (EIGH, OTHER, TupleType((EIGH, FLOAT)), join(EIGH, FLOAT)):
        assert read_type(str(type_)) == type_
    assert "EighResult>(f64[n], f64[n, n])" in str(EIGH)


def test_join_is_of_the_items_where_the_class_is_one() -> None:
    joined = join(EIGH, OTHER)
    items = (ArrayType(F64, (None,)), ArrayType(F64, (None, "n")))
    assert joined == NamedTupleType(items, EIGH.cls)
    assert covers(joined, EIGH) and covers(joined, OTHER) and not covers(EIGH, joined)


def test_named_tuples_are_no_tuples_of_that_type() -> None:
    plain = TupleType(EIGH.items)
    assert plain != EIGH
    assert not covers(plain, EIGH) and not covers(EIGH, plain)
    assert join(plain, EIGH) == join(EIGH, plain)
    slogdet = named("linalg.slogdet", *EIGH.items)
    assert not covers(EIGH, slogdet)


def test_items_have_names() -> None:
    assert EIGH.field("eigenvectors") == EIGH.items[1]
    assert EIGH.field("wrong") is None


def test_they_are_plain_with_their_items() -> None:
    assert is_plain(EIGH)
    assert join(EIGH, PLAIN) == PLAIN
