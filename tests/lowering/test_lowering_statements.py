"""Statements: assignments, in-place operations, unpacking, unbound names, constants."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from graph_sketch import Sketch

from runtime.ir.graph import Constant
from runtime.ir.types import BOOL, INT, LIST, OPAQUE, ArrayType, type_of
from runtime.ops.containers import UNBOUND_MARKER

ARRAY = ArrayType(np.dtype(np.float64), ("n",))


def text(source: str) -> str:
    """Return a program's text as it stands indented in a test."""
    return inspect.cleandoc(source)


def only_line(s: Sketch, *results: object) -> str:
    """Return the first statement of the program."""
    return s.program(*(results or (None,))).source.splitlines()[1].strip()


def test_setitem() -> None:
    """An item is set by an assignment, its value nested."""
    s = Sketch(x=ARRAY, i=INT)
    s.do("setitem", s.x, s.i, s.do("mul", s.i, 2))
    assert only_line(s) == "x[i] = i * 2"


def test_slices_are_written_between_brackets() -> None:
    """Slices and tuples of slices read as the user wrote them."""
    s = Sketch(x=ARRAY, i=INT)
    part = s.do("build_slice", s.i, None, None)
    s.do("setitem", s.x, s.do("build_tuple", part, 0), slice(1, -1))
    assert only_line(s) == "x[i:, 0] = slice_"
    s = Sketch(x=ARRAY)
    s.do("setitem", s.x, (slice(None), None, ...), s.do("getitem", s.x, slice(1, -1)))
    assert only_line(s) == "x[:, None, ...] = x[1:-1]"


def test_empty_and_nested_tuple_index() -> None:
    """Tuples in an index stay tuples."""
    s = Sketch(x=OPAQUE)
    a = s.do("getitem", s.x, ())
    b = s.do("getitem", s.x, ((1, 2), 3))
    program = s.program(s.do("build_tuple", a, b))

    class Echo:
        def __getitem__(self, index: object) -> object:
            return index

    assert program.function(Echo()) == ((), ((1, 2), 3))


def test_delitem_and_attributes() -> None:
    """Deleting and attributes are statements."""
    s = Sketch(x=OPAQUE)
    s.do("delitem", s.x, 0)
    assert only_line(s) == "del x[0]"
    s = Sketch(x=OPAQUE)
    s.do("setattr", s.x, 3, name="value")
    assert only_line(s) == "x.value = 3"
    s = Sketch(x=OPAQUE)
    s.do("delattr", s.x, name="value")
    assert only_line(s) == "del x.value"


def test_in_place_item_is_one_statement() -> None:
    """``x[i] += v`` reads, changes and stores one item."""
    s = Sketch(x=LIST, i=INT)
    old = s.do("getitem", s.x, s.i)
    s.do("setitem", s.x, s.i, s.do("iadd", old, s.do("mul", s.i, 3)))
    program = s.program(None)
    assert "    x[i] += i * 3\n" in program.source
    x = [1, 2]
    program.function(x, 1)
    assert x == [1, 5]


def test_in_place_item_with_a_slice_built_twice() -> None:
    """The index is built for the read and again for the store."""
    s = Sketch(x=ARRAY, i=INT)
    old = s.do("getitem", s.x, s.do("build_slice", s.i, None, None))
    new = s.do("iadd", old, 1)
    s.do("setitem", s.x, s.do("build_slice", s.i, None, None), new)
    program = s.program(None)
    assert "    x[i:] += 1\n" in program.source
    x = np.zeros(3)
    program.function(x, 1)
    assert x.tolist() == [0, 1, 1]


def test_index_used_twice_is_written_twice() -> None:
    """An index has no name, as nobody would give it one."""
    s = Sketch(x=ARRAY, i=INT)
    index = s.do("build_tuple", s.do("add", s.i, 1), s.do("build_slice", None, s.i, None))
    old = s.do("getitem", s.x, index)
    s.do("setitem", s.x, index, s.do("iadd", old, 1))
    s.do("setitem", s.x, index, 3)
    assert s.program(None).source == text("""
        def f(x, i):
            t = i + 1
            x[t, :i] += 1
            x[t, :i] = 3
            return None
        """)


def test_index_that_is_also_a_value_is_named() -> None:
    """A tuple that goes elsewhere is one object."""
    s = Sketch(x=OPAQUE, i=INT)
    index = s.do("build_tuple", s.i, 1)
    program = s.program(s.do("build_tuple", s.do("getitem", s.x, index), index, index))
    _, first, second = program.function({(0, 1): 5}, 0)
    assert first is second


def test_in_place_attribute_is_one_statement() -> None:
    """``x.a += v``."""
    s = Sketch(x=OPAQUE)
    s.do("setattr", s.x, s.do("iadd", s.do("getattr", s.x, name="a"), 1), name="a")
    assert only_line(s) == "x.a += 1"


def test_other_place_is_not_one_statement() -> None:
    """Reading one item and storing another is two statements."""
    s = Sketch(x=LIST)
    s.do("setitem", s.x, 1, s.do("iadd", s.do("getitem", s.x, 0), 1))
    x = [1, 2]
    s.program(None).function(x)
    assert x == [1, 2]


def test_write_between_read_and_store_is_kept_between() -> None:
    """Nothing that touches memory may stand between the two for one statement."""
    s = Sketch(x=LIST)
    old = s.do("getitem", s.x, 0)
    new = s.do("iadd", old, 1)
    s.do("setitem", s.x, 0, 100)
    s.do("setitem", s.x, 0, new)
    x = [1]
    s.program(None).function(x)
    assert x == [2]


def test_call_between_read_and_store_is_kept_between() -> None:
    """A call that sees the item sees it unchanged."""
    s = Sketch(x=LIST, log=OPAQUE)
    new = s.do("iadd", s.do("getitem", s.x, 0), 1)
    s.do("call", s.log, s.x)
    s.do("setitem", s.x, 0, new)
    x, seen = [1], []
    s.program(None).function(x, seen.extend)
    assert (x, seen) == ([2], [1])


def test_value_computed_before_the_item_is_read() -> None:
    """``v`` ran first, so it is named; the item is read after it."""
    s = Sketch(x=LIST, log=OPAQUE)
    value = s.do("call", s.log, s.x)
    old = s.do("getitem", s.x, 0)
    s.do("setitem", s.x, 0, s.do("iadd", old, value))
    program = s.program(None)

    def change(x: list[int]) -> int:
        x[0] = 50
        return 1

    x = [1]
    program.function(x, change)
    assert x == [51]


def test_in_place_on_a_number_that_lives_on() -> None:
    """The old number stays what it was."""
    s = Sketch(x=INT)
    y = s.do("iadd", s.x, 5, to="y")
    program = s.program(s.do("build_tuple", s.x, y))
    assert program.function(1) == (1, 6)


def test_in_place_does_not_overwrite_its_right_side() -> None:
    """The result is called like the other operand, which is read after the copy is made."""
    s = Sketch(x=INT, y=INT)
    y = s.do("iadd", s.x, s.y, to="y")
    program = s.program(s.do("build_tuple", s.x, y))
    assert program.function(1, 5) == (1, 6)


def test_in_place_operand_that_reads_itself() -> None:
    """``x += x`` with the old value kept elsewhere."""
    s = Sketch(x=INT)
    y = s.do("imul", s.x, s.x, to="y")
    program = s.program(s.do("sub", y, s.x))
    assert program.function(3) == 6


def test_in_place_on_an_array_is_one_object() -> None:
    """Operand and result are one array, and one variable."""
    s = Sketch(x=ARRAY)
    y = s.do("iadd", s.x, 1, to="x")
    program = s.program(s.do("build_tuple", s.x, y))
    x = np.zeros(2)
    a, b = program.function(x)
    assert a is x and b is x and x.tolist() == [1, 1]
    assert "    x += 1\n" in program.source


def test_in_place_on_an_expression() -> None:
    """The operand gets a name."""
    s = Sketch(x=ARRAY)
    y = s.do("iadd", s.do("mul", s.x, 2), 1)
    program = s.program(y)
    x = np.ones(2)
    assert program.function(x).tolist() == [3, 3]
    assert x.tolist() == [1, 1]


def test_in_place_on_a_number_expression() -> None:
    """The operand is named even where it could wait."""
    s = Sketch(x=INT)
    assert s.program(s.do("iadd", s.do("mul", s.x, 2), 1)).function(4) == 9


def test_unpack() -> None:
    """Unpacking is Python's, errors included."""
    s = Sketch(x=OPAQUE)
    a, b = s.do_all("unpack", s.x, count=2, to="a b")
    program = s.program(s.do("sub", a, b))
    assert "    a, b = x\n" in program.source
    with pytest.raises(ValueError, match="too many values"):
        program.function((1, 2, 3))


def test_unpack_of_one_and_none() -> None:
    """One name is a tuple of one, none is an empty target."""
    s = Sketch(x=OPAQUE, y=OPAQUE)
    (a,) = s.do_all("unpack", s.x, count=1, to="a")
    s.do_all("unpack", s.y, count=0)
    program = s.program(a)
    assert program.function([5], []) == 5
    with pytest.raises(ValueError, match="too many values"):
        program.function([5], [1])


def test_unpack_swaps() -> None:
    """Targets that are also operands."""
    s = Sketch(a=OPAQUE, b=OPAQUE)
    a, b = s.do_all("unpack", s.do("build_tuple", s.b, s.a), count=2, to="a b")
    assert s.program(s.do("build_tuple", a, b)).function(1, 2) == (2, 1)


def test_unpack_starred() -> None:
    """The middle is a list."""
    s = Sketch(x=OPAQUE)
    parts = s.do_all("unpack_starred", s.x, before=1, after=1, to="a b c")
    program = s.program(s.do("build_tuple", *parts))
    assert "    a, *b, c = x\n" in program.source
    assert program.function(range(5)) == (0, [1, 2, 3], 4)


def test_call_with_keywords_and_starred() -> None:
    """Arguments by name and splatted ones."""
    s = Sketch(g=OPAQUE, x=OPAQUE)
    y = s.do("call", s.g, 1, s.x, 3, keywords=("c",), starred=(2,))
    program = s.program(y)
    assert "return g(1, *x, c=3)" in program.source
    assert program.function(lambda a, b, c: (a, b, c), [2]) == (1, 2, 3)


def test_kernels_are_called_by_name() -> None:
    """An operation without syntax is a call of its kernel, bound as a global."""
    s = Sketch(x=LIST)
    program = s.program(s.do("builtins.len", s.x))
    assert "return len(x)" in program.source
    assert program.objects["len"] is len


def test_local_name_wins_over_the_name_of_an_object() -> None:
    """A user's variable may be called like a builtin."""
    s = Sketch(len=LIST)
    program = s.program(s.do("builtins.len", s.len))
    assert program.function([1, 2]) == 2


def test_names_that_are_no_identifiers() -> None:
    """Hints are made identifiers; keywords and ``slice`` are avoided."""
    s = Sketch(**{"self.x": OPAQUE, "lambda": OPAQUE, "slice": OPAQUE})
    values = s.current.params
    part = s.do("build_slice", values[0], values[1], None)
    program = s.program(s.do("build_tuple", part, values[2]))
    assert "def f(self_x, lambda_, slice_1):" in program.source
    assert program.function(1, 2, 3) == (slice(1, 2), 3)


def checked_name(may_be_unbound: bool) -> Sketch:
    """Return a sketch that reads a name bound in one branch only."""
    s = Sketch(c=BOOL)
    (y,) = s.if_(s.c, lambda: 1, lambda: Constant(UNBOUND_MARKER), to="y")
    if may_be_unbound:
        y.type = OPAQUE
    else:
        y.type = INT
    s.y = s.do("check_bound", y, name="y", to="y")
    return s


def test_unbound_name_raises_in_its_own_frame() -> None:
    """CPython's error, raised by the program itself."""
    s = checked_name(True)
    program = s.program(s.do("add", s.y, 1))
    assert program.function(True) == 2
    with pytest.raises(UnboundLocalError) as caught:
        program.function(False)
    assert str(caught.value) == (
        "cannot access local variable 'y' where it is not associated with a value"
    )
    assert caught.traceback[-1].name == "f"


def test_name_that_is_never_bound() -> None:
    """Where nothing binds the name, the error is raised without a test."""
    s = Sketch()
    s.do("check_bound", Constant(UNBOUND_MARKER, "y"), name="y", free=True)
    program = s.program(None)
    assert "if " not in program.source
    with pytest.raises(NameError, match="free variable 'y'") as caught:
        program.function()
    assert caught.value.name == "y"


def test_check_of_a_bound_name_is_not_emitted() -> None:
    """A check that cannot fail leaves no trace."""
    s = checked_name(False)
    assert "raise" not in s.program(s.do("add", s.y, 1)).source


@pytest.mark.parametrize(
    "value",
    [0, -7, True, None, ..., 1.5, -0.0, 1e308, "a'\n", "", b"\0", 2**63, math.inf, -math.inf],
    ids=repr,
)
def test_constants_are_exact(value: object) -> None:
    """A constant arrives as it is: class and sign included."""
    result = Sketch().program(value).function()
    assert result == value and type(result) is type(value)
    assert repr(result) == repr(value)


@pytest.mark.parametrize(
    "value", [10**400, math.nan, 1 - 2j, (1, 2), np.ones(2), np.float32(1), [1]], ids=repr
)
def test_objects_enter_as_themselves(value: object) -> None:
    """Everything else is the very object."""
    assert Sketch().program(value).function() is value


def test_shapes_of_numpy_functions_are_literals() -> None:
    """A shape reads as the user wrote it; elsewhere a tuple is the object itself."""
    s = Sketch()
    assert "np_zeros((2, 3))" in s.program(s.do("np.zeros", (2, 3))).source


def test_negative_constant_as_base_of_a_power() -> None:
    """The sign belongs to the constant."""
    s = Sketch(x=INT)
    program = s.program(s.do("pow", -2, s.x))
    assert program.function(2) == 4
    assert "(-2) ** x" in program.source


def test_raise_with_cause() -> None:
    """``raise ... from ...`` keeps both objects."""
    s = Sketch(x=OPAQUE)
    error = s.do("builtins.ValueError", "no", s.x)
    cause = s.do("builtins.KeyError", 1)
    s.jump("raise", error, cause)
    program = s.program()
    with pytest.raises(ValueError) as caught:
        program.function(5)
    assert caught.value.args == ("no", 5)
    assert isinstance(caught.value.__cause__, KeyError)


def test_types_of_objects_are_known_without_them() -> None:
    """The sketch's constants have exact types."""
    assert type_of(3) == Constant(3).type
