"""Samples for Python's own operators, containers and functions."""

from __future__ import annotations

import copy
import itertools

import numpy as np

from ops.sample import Sample, sample
from runtime.ops.arithmetic import BINARY, IN_PLACE
from runtime.ops.containers import UNBOUND_MARKER
from runtime.ops.exceptions import EXCEPTIONS
from runtime.ops.mathematics import MATH

NUMBERS: tuple[object, ...] = (
    True, 0, 3, -2, 2**70, 0.0, 2.5, -1.5, 3.0, float("inf"), float("nan"), 1 + 2j,
)  # fmt: skip
NUMPY_VALUES: tuple[object, ...] = (
    np.bool_(True), np.int8(100), np.int64(-3), np.uint8(2), np.float32(1.5), np.float64(0.0),
    np.float64(-2.5), np.complex128(1j),
    np.array(2.0), np.array(3), np.array([True, False]), np.array([1, 2, 0]),
    np.array([3, -1, 2], dtype=np.int8), np.array([1.5, -2.0, 0.0]), np.array([[1.0], [2.0]]),
    np.array([1, 2, 3], dtype=np.uint64), np.array([[1.0, 2.0, 3.0], [0.5, 0.0, -1.0]], np.float32),
    np.array([1j, 2.0]), np.zeros((0, 3)),
)  # fmt: skip
CONTAINERS: tuple[object, ...] = (
    "ab", "%s", "", None, (1, 2.0), (), (np.array([1.0, 2.0]), 3), [1, 2], [], {1: 2}, {1, 2},
    range(3), slice(1, None),
)  # fmt: skip
OPERANDS = (*NUMBERS, *NUMPY_VALUES, *CONTAINERS)
ARRAYS = tuple(value for value in NUMPY_VALUES if isinstance(value, np.ndarray))
ITERABLES = (*CONTAINERS, *ARRAYS)
_HUGE = 2**40


def _is_costly(name: str, left: object, right: object) -> bool:
    """Tell whether an operator would take too long or too much memory."""
    huge = isinstance(right, int) and abs(right) > _HUGE
    if name.removeprefix("i") in ("pow", "lshift"):
        return huge or (isinstance(left, int) and abs(left) > _HUGE)
    if name.removeprefix("i") == "mul":
        return (huge and not isinstance(left, int | float | complex | np.ndarray)) or (
            isinstance(left, int) and abs(left) > _HUGE and isinstance(right, list | tuple | str)
        )
    return False


def _pairs(name: str, first: tuple[object, ...], second: tuple[object, ...]) -> list[Sample]:
    return [
        sample(left, copy.deepcopy(right))
        for left, right in itertools.product(first, second)
        if not _is_costly(name, left, right)
    ]


def _one(*values: object) -> list[Sample]:
    return [sample(value) for value in values]


def _operators() -> dict[str, list[Sample]]:
    samples = {name: _pairs(name, OPERANDS, OPERANDS) for name in BINARY}
    left = tuple(v for v in OPERANDS if not isinstance(v, float) or v == 2.5)
    samples |= {name: _pairs(name, left, OPERANDS) for name in IN_PLACE}
    for name in ("lt", "eq"):
        samples[name] = _pairs(name, OPERANDS, OPERANDS)
    for name in ("le", "ne", "gt", "ge"):
        samples[name] = _pairs(name, OPERANDS[::3], OPERANDS[::2])
    for name in ("is", "is_not", "in", "not_in"):
        samples[name] = _pairs(name, OPERANDS[::3], OPERANDS)
    for name in ("neg", "pos", "invert", "not", "truth"):
        samples[name] = _one(*OPERANDS)
    for matrices in ((np.ones((2, 3)), np.ones((3, 4))), (np.ones((2, 3)), np.ones(3))):
        samples["matmul"].append(sample(*matrices))
    samples["iadd"] += [
        sample([1], zip([1, 2], "ab", strict=True)), sample([1], enumerate("ab")),
        sample([1], np.array([3])), sample(np.array([1.0]), [2.0]), sample(np.array([1]), [2.0]),
    ]  # fmt: skip
    samples["in"] += [
        sample(1, iter([1, 2])), sample("a", "ab"), sample(2.0, range(4)), sample(1, (1, "a")),
    ]  # fmt: skip
    samples["mod"] += [sample("%d %s", (1, "a")), sample("%(a)s", {"a": 1}), sample("%q", 1)]
    return samples


def _containers() -> dict[str, list[Sample]]:
    matrix = np.arange(12.0).reshape(3, 4)
    cube = np.arange(24).reshape(2, 3, 4)
    indices = (
        0, -1, 5, True, np.int64(1), None, slice(None), slice(1, None, 2), slice(0, 2, 0),
        Ellipsis, (0, 1), (slice(None), 0), (Ellipsis, 0), (None, slice(1)), (0, slice(None), 1),
        np.array([0, 1]), np.array([True, False, True]), [0, 2], (np.array([0, 1]), 0), (),
        np.array(1), "a", 1.5, (0, [0, 1]), (slice(None), None, 1), (Ellipsis, Ellipsis),
    )  # fmt: skip
    bases = (
        matrix, cube, np.arange(3), np.array(2.0), [1, 2, 3], (1, "a", np.zeros(2)), "abc",
        range(5), {0: 1, "a": 2}, {1}, 3, None, np.float64(2.0),
    )  # fmt: skip
    unpacked = (
        (1, 2.0), [1, 2], "ab", np.zeros((2, 3)), np.zeros(2), np.zeros((3, 2)), range(2),
        {1: 2, 3: 4}, {1, 2}, zip("ab", "cd", strict=True), 5, None, (), np.array(1), np.float64(2),
    )  # fmt: skip
    return {
        "build_tuple": [sample(), sample(1, np.zeros(2)), sample((1, (2, (3,))), "a")],
        "slot": [sample(1), sample(np.zeros(2)), sample((1, "a"))],
        "build_list": [sample(), sample(1, np.zeros(2))],
        "build_set": [sample(), sample(1, "a"), sample([1]), sample((1, 2)), sample(np.zeros(2))],
        "build_dict": [sample(), sample("a", 1, 2, np.zeros(2)), sample([1], 2)],
        "build_slice": [sample(1, None, 2), sample(None, np.int64(2), None), sample("a", 1, 1)],
        "getitem": [
            *_pairs("getitem", bases, indices),
            sample([np.zeros(2)], 0), sample([np.zeros(2)], slice(None)),
            sample({"a": np.zeros(2)}, "a"),
        ],
        "setitem": [
            *(sample(base, index, 7) for base in bases for index in indices),
            sample([1, 2, 3], slice(0, 2), iter([1])), sample([1, 2, 3], slice(0, 2), [4, 5, 6]),
            sample(np.zeros(3), slice(None), np.ones(3)), sample(np.zeros(3), 0, "a"),
        ],
        "delitem": _pairs("delitem", bases, indices),
        "unpack": [sample(v, count=n) for v in unpacked for n in (0, 1, 2, 3)],
        "unpack_starred": [
            sample(v, before=b, after=a) for v in unpacked for b, a in ((0, 0), (1, 0), (1, 2))
        ],
        "check_bound": [
            sample(1, name="x"), sample(UNBOUND_MARKER, name="x"), sample(np.zeros(2), name="x"),
            sample(UNBOUND_MARKER, name="x", free=True),
        ],
    }  # fmt: skip


def _attributes() -> dict[str, list[Sample]]:
    names = (
        "shape", "ndim", "size", "dtype", "T", "mT", "real", "imag", "itemsize", "nbytes",
        "strides", "numerator", "denominator", "start", "step", "name", "kind", "flat", "base",
        "upper", "sort", "nothing",
    )  # fmt: skip
    read = [
        sample(value, name=name)
        for value in (*OPERANDS, np.zeros((2, 3, 4)), np.dtype("f4"))
        for name in names
    ]
    array = np.arange(4)
    return {
        "getattr": read,
        "setattr": [sample(np.zeros(2), 1.0, name="real"), sample(1, 2, name="real")],
        "delattr": [sample(1, name="real"), sample(np.zeros(2), name="real")],
        "spread": [
            Sample(([1, 2], 3), {"starred": (0,)}),
            Sample((0, (1.0, "a"), np.arange(3)), {"starred": (1, 2)}),
            Sample((5,), {"starred": (0,)}),
        ],
        "call": [
            sample(max, 1, 2), sample(max, (1, 2), starred=(1,)),
            sample(sorted, [2, 1], True, keywords=("reverse",)), sample(np.sum, array),
            sample(dict, 1, {"b": 2}, keywords=("a", "**0")),
        ],
        "bind": [
            sample(_parameters, 1, (2,), starred=(2,)),
            sample(_parameters, 1, {"y": 2.5}, keywords=("**0",)),
            sample(_parameters, {"z": 2.5}, keywords=("**0",)),
        ],
        "builtins.getattr": [
            *(sample(v, n) for v in OPERANDS[::4] for n in ("real", "shape", "nothing")),
            sample(1, "nothing", None), sample(array, "T", array), sample(1, 2),
        ],
        "builtins.hasattr": [sample(array, "T"), sample(1, "nothing"), sample([], "append")],
    }  # fmt: skip


def _parameters(x: object, y: object = 3) -> tuple[object, ...]:
    return (x, y)


def _texts() -> dict[str, list[Sample]]:
    shown = (*OPERANDS, np.int64(3), 10**5000, slice(10**5000))
    fields = [
        sample(value, spec, parts=("x = ", 0, "!"), conversions=(conversion,))
        for value in (1, 2.5, "a", None, np.float64(1.5), np.zeros(2), [1], (1, 2))
        for spec in ("", ".2f", ">10")
        for conversion in ("", "r", "s", "a")
    ]
    return {
        "fstring": [
            *fields,
            sample(parts=("text",), conversions=()),
            sample(1, "", 2.0, ".1f", parts=(0, 1), conversions=("", "")),
            sample(1, "", 2, "", parts=(1, " ", 0), conversions=("r", "")),
        ],
        "builtins.str": [sample(), *_one(*shown), sample(b"a", "utf8")],
        "builtins.repr": _one(*shown),
        "builtins.ascii": _one(*shown),
        "builtins.format": [*_one(*shown), sample(2.0, ".2f"), sample(2, "q"), sample([1], "")],
        "builtins.chr": _one(65, -1, 2.0, np.int64(66)),
        "builtins.ord": _one("a", "ab", 1),
        **{
            f"builtins.{name}": _one(5, -5, True, 2.0, np.int8(3)) for name in ("bin", "hex", "oct")
        },
    }


def _builtins() -> dict[str, list[Sample]]:
    every = _one(*OPERANDS)
    pairs = _pairs("divmod", (*NUMBERS, *NUMPY_VALUES)[::2], (*NUMBERS, *NUMPY_VALUES))
    return {
        "builtins.len": every,
        "builtins.abs": every,
        "builtins.int": [sample(), *every, sample("12", 8), sample("a")],
        "builtins.float": [sample(), *every, sample("1.5"), sample("a")],
        "builtins.complex": [
            sample(),
            *every,
            sample(1, 2.0),
            sample(2.0, 1.0, keywords=("real", "imag")),
        ],
        "builtins.bool": [sample(), *every],
        "builtins.round": [
            *every,
            sample(2.567, 2),
            sample(2.5, None),
            sample(25, -1),
            sample(True, 1),
            sample(np.float32(2.567), 1),
            sample(np.float64(2.5)),
            sample(2.5, 1, keywords=("ndigits",)),
        ],
        "builtins.divmod": pairs,
        "builtins.pow": [
            sample(2, 3),
            sample(2, -1),
            sample(2, 3, 5),
            sample(2, -1, 5),
            sample(2, 3, None),
            sample(2.0, 3),
            sample(2.0, 3, 5),
            sample(2, 3, keywords=("base", "exp")),
            sample(2, "a"),
        ],
        "builtins.slice": [sample(1), sample(1, 2), sample(1, None, 2)],
        "builtins.isinstance": [
            sample(1, int),
            sample(1.0, (int, float)),
            sample(np.zeros(2), np.ndarray),
            sample(1, 2),
            sample([], list),
        ],
        "builtins.issubclass": [sample(bool, int), sample(np.float64, float), sample(1, int)],
        "builtins.type": every,
        "builtins.callable": [*every, sample(len)],
        "builtins.hash": every,
        "builtins.id": [],
        "builtins.print": [],
    }


def _iterated() -> list[Sample]:
    """Return samples of one input that may be iterated."""
    return _one(*ITERABLES, 3, np.float64(2.0), zip("ab", "cd", strict=True), iter([1, 2]))


def _iterables() -> dict[str, list[Sample]]:
    every = _iterated()
    array = np.array([1.0, 2.0])
    extremes = [
        *every,
        sample(1, 2),
        sample(1, 2.5),
        sample(array, array),
        sample("a", "b"),
        sample(1, "a"),
        sample(np.float64(1), 2),
        sample([], 5, keywords=("default",)),
        sample([3, -4], abs, keywords=("key",)),
        sample((1.0,), 3, keywords=("default",)),
        sample(1j, 2),
    ]
    return {
        "builtins.range": [
            *_one(3, -3, True, 2.0, np.int64(3), "a"),
            sample(1, 4),
            sample(0, 5),
            sample(0, 5, 2),
            sample(5, 0, -1),
            sample(0, 5, 0),
            sample(4, 1),
            sample(0, 3, 1),
        ],
        "builtins.enumerate": [
            *every,
            sample("ab", 2),
            sample("ab", 1.5),
            sample("ab", 2, keywords=("start",)),
        ],
        "builtins.zip": [
            sample(),
            sample("ab", np.zeros((2, 2))),
            sample([1], (1, 2.0)),
            sample(1),
        ],
        "builtins.reversed": every,
        "builtins.iter": every,
        "builtins.next": [
            sample(iter([1])),
            sample(iter([]), None),
            sample(zip("a", "b", strict=True)),
            sample(1),
        ],
        "builtins.map": [sample(abs, [1, -2])],
        "builtins.filter": [sample(None, [1, 0])],
        "builtins.sum": [
            *every,
            sample((1, 2), 0.5),
            sample(((1,), (2,)), ()),
            sample([[1], [2]], []),
            sample(range(4), 2, keywords=("start",)),
            sample((array, array)),
            sample(((array,),), ()),
            sample(np.zeros((0, 2))),
            sample(np.zeros(0)),
            sample(np.array([1, 2])),
            sample((), array),
        ],
        "builtins.min": extremes,
        "builtins.max": extremes,
        "builtins.any": every,
        "builtins.all": every,
        "builtins.sorted": [
            *every,
            sample([2, 1], True, keywords=("reverse",)),
            sample([1, -2], abs, keywords=("key",)),
        ],
    }


def _constructors() -> dict[str, list[Sample]]:
    every = _iterated()
    return {
        "builtins.tuple": [sample(), *every, sample(np.zeros((2, 3)))],
        "builtins.list": [sample(), *every],
        "builtins.dict": [
            sample(),
            sample({1: 2}),
            sample([(1, 2)]),
            sample(1),
            sample(1, keywords=("a",)),
        ],
        "builtins.set": [sample(), *every],
        "builtins.frozenset": [sample(), *every],
    }


def _mathematics() -> dict[str, list[Sample]]:
    one = (
        0,
        2,
        -1,
        True,
        0.5,
        1.5,
        -2.5,
        float("inf"),
        float("nan"),
        2**1100,
        np.float64(0.5),
        np.float32(0.5),
        np.int64(3),
        np.array(0.5),
        np.array([0.5]),
        np.array([0.5, 1.0]),
        1j,
        "a",
        None,
        np.bool_(True),
        np.complex128(1),
    )
    two = ((2, 3), (2.5, -1.0), (1.0, 2), (np.float64(2), 1.5), (True, 2), ("a", 1), (5, 2))
    samples = {f"math.{name}": _one(*one) for name in MATH}
    for name in MATH:
        samples[f"math.{name}"] += [Sample(inputs) for inputs in two]
    samples["math.factorial"] = _one(0, 5, -1, 2.0, True)
    for name in ("comb", "perm"):
        samples[f"math.{name}"] = [sample(5, 2), sample(2, 5), sample(-1, 2), sample(2.0, 1)]
    for name in ("fsum", "prod"):
        samples[f"math.{name}"] += [
            sample([1, 2.5]),
            sample((1, 2)),
            sample((1.0, np.float64(2))),
            sample(range(1, 4)),
            sample(np.array([1.0, 2.0])),
            sample(()),
            sample(np.array([[1, 2], [3, 4]])),
        ]
    samples["math.dist"] += [sample((1, 2), (3.0, 4)), sample([1], [2]), sample((1,), (1, 2))]
    samples["math.hypot"] += [sample(), sample(1, 2, 3)]
    samples["math.gcd"] += [sample(), sample(4, 6, 8)]
    samples["math.isclose"] += [sample(1.0, 2.0, 1.0, keywords=("rel_tol",))]
    return samples


def _exceptions() -> dict[str, list[Sample]]:
    return {
        f"builtins.{cls.__name__}": [sample(), sample("text"), sample(2, "text")]
        for cls in EXCEPTIONS
    }


PYTHON_SAMPLES: dict[str, list[Sample]] = {
    **_operators(),
    **_containers(),
    **_attributes(),
    **_texts(),
    **_builtins(),
    **_iterables(),
    **_constructors(),
    **_mathematics(),
    **_exceptions(),
}
