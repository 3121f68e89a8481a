"""Write docs/numpy.md: what the compiler makes of every function of NumPy.

Each row is measured: a function is an operation if the types of its samples (those that the tests
of operations use) are known before it runs. The exit status is 1 under ``--check`` if the page on
disk is not what would be written. Functions come and go with versions of NumPy, so that a page
holds for the version it names.
"""

from __future__ import annotations

import argparse
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "numpy.md"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from ops.numpy_method_samples import NUMPY_SAMPLES  # noqa: E402  # found by the line above
from ops.random_samples import samples_of  # noqa: E402  # on the path set above
from ops.sample import Sample, run  # noqa: E402  # on the path set above

from runtime.ir.graph import Constant, Value  # noqa: E402  # on the path set above
from runtime.ir.types import ArrayType, ObjectType, OpaqueType, Type, type_of  # noqa: E402  # on the path set above
from runtime.ops.catalog import FUNCTIONS  # noqa: E402  # on the path set above
from runtime.ops.methods import METHOD, rules_of  # noqa: E402  # on the path set above
from runtime.ops.opaque_numpy import OPAQUE_FUNCTIONS, UNKNOWN_CODE  # noqa: E402  # on the path set above
from runtime.ops.registry import Operation  # noqa: E402  # on the path set above

OPERATION, OPAQUE, CALL = "operation", "opaque", "call"
_ABSTRACT = "abstract; there are no values of it"
_RUN_TIME = "an object of its own, which is used at run time"
_NOT_NUMERIC = "its values are no numbers"
_CLASSES = {
    **dict.fromkeys(
        ("character", "complexfloating", "flexible", "floating", "generic", "inexact", "integer",
         "number", "signedinteger", "unsignedinteger"), _ABSTRACT,
    ),
    **dict.fromkeys(
        ("broadcast", "busdaycalendar", "dtype", "flatiter", "ndarray", "nditer", "ufunc"),
        _RUN_TIME,
    ),
    **dict.fromkeys(
        ("bytes_", "datetime64", "object_", "record", "str_", "timedelta64", "void"), _NOT_NUMERIC,
    ),
    **dict.fromkeys(
        ("matrix", "memmap", "recarray"), "a subclass of ndarray; pass `np.asarray` of it",
    ),
    "vectorize": "it calls a function of yours, which is not looked into",
    "errstate": "its settings hold as outside while its block runs",
    "poly1d": "an object with operators of its own; use `np.polyval` and its kin",
}  # fmt: skip
_METHOD_REASONS = {
    "dump": "it writes a file", "tofile": "it writes a file", "to_device": "there is one device",
    "getfield": "it may see the array as any dtype", "resolve_dtypes": "it tells about dtypes",
    "tostring": "an old name of `tobytes`", "get_state": "it gives a tuple or a dictionary",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What becomes of one function or method."""

    name: str
    kind: str
    """One of `OPERATION`, `OPAQUE` and `CALL`."""
    note: str = ""


def _is_array_like(value: object) -> bool:
    if isinstance(value, tuple):
        return any(map(_is_array_like, value))
    return isinstance(value, np.ndarray)


def _described(value: object) -> Value:
    """Return what the compiler knows of an input: types of arrays, values of the rest."""
    return Value(type_of(value)) if _is_array_like(value) else Constant(value)


def _runs(op: Operation, sample: Sample) -> bool:
    """Tell whether a sample gives a result, and not one of dtypes that have no type."""
    try:
        result = run(op, sample.fresh(), sample.attrs)
    except Exception:
        return False
    objects = isinstance(result, np.ndarray | np.generic) and not _decided(type_of(result))
    return not objects


def _decided(type_: Type) -> bool:
    return not isinstance(type_, OpaqueType)


def measure(op: Operation, samples: Sequence[Sample]) -> tuple[int, int]:
    """Return of how many samples the type is known, and how many of them run."""
    running = [sample for sample in samples if _runs(op, sample)]
    known = [
        all(map(_decided, op.result_types([_described(v) for v in sample.inputs], sample.attrs)))
        for sample in running
    ]
    return sum(known), len(known)


def _kind(op: Operation, samples: Sequence[Sample]) -> str:
    known, count = measure(op, samples)
    return OPERATION if known * 2 >= count > 0 else OPAQUE


def function_rows(module: types.ModuleType, prefix: str) -> Iterator[Row]:
    """Yield a row for each public function of a module of NumPy, in order of name."""
    for name in sorted(dir(module)):
        item = getattr(module, name)
        if name.startswith("_") or isinstance(item, type | types.ModuleType) or not callable(item):
            continue
        if isinstance(item, np.ufunc) and not prefix:
            continue
        yield _function_row(prefix + name, item)


def _function_row(name: str, item: object) -> Row:
    op = FUNCTIONS.get(item)
    if op is None:
        short = name.rpartition(".")[2]
        return Row(name, CALL, UNKNOWN_CODE.get(name) or UNKNOWN_CODE.get(short, ""))
    if isinstance(item, np.ufunc):
        return Row(name, OPERATION)
    kind = _kind(op, NUMPY_SAMPLES.get(op.name, ()) or samples_of(None, name.rpartition(".")[2]))
    reason = OPAQUE_FUNCTIONS.get(name) or _METHOD_REASONS.get(name.rpartition(".")[2], "")
    return Row(name, kind, reason if kind == OPAQUE else "")


def ufunc_rows() -> Iterator[Row]:
    """Yield a row for each ufunc of the main namespace, and one for each method of ufuncs."""
    for name in sorted(dir(np)):
        item = getattr(np, name)
        if isinstance(item, np.ufunc):
            yield Row(name, OPERATION if item in FUNCTIONS else CALL)


def method_rows(cls: type, prefix: str) -> Iterator[Row]:
    """Yield a row for each public method of an object of NumPy's."""
    for name in sorted(dir(cls)):
        if name.startswith("_") or not callable(getattr(cls, name)):
            continue
        yield _method_row(cls, prefix + name, name)


def _method_row(cls: type, shown: str, name: str) -> Row:
    receiver = ArrayType(np.dtype(float), (3,)) if cls is np.ndarray else ObjectType(cls)
    reason = _METHOD_REASONS.get(name, "")
    if rules_of(receiver, name) is None:
        return Row(shown, CALL, reason)
    if cls is np.ndarray or cls is np.ufunc:
        samples = [
            sample for sample in NUMPY_SAMPLES["method"]
            if sample.attrs.get("name") == name and isinstance(sample.inputs[0], cls)
        ]  # fmt: skip
        kind = _kind(METHOD, samples) if samples else OPERATION
    else:
        kind = _kind(METHOD, samples_of(cls, name))
    return Row(shown, kind, reason if kind == OPAQUE else "")


def class_rows() -> Iterator[Row]:
    """Yield a row for each class of the main namespace that functions make objects of."""
    for name in sorted(dir(np)):
        item = getattr(np, name)
        if name.startswith("_") or not isinstance(item, type):
            continue
        if item in FUNCTIONS:
            samples = NUMPY_SAMPLES.get(FUNCTIONS[item].name, ())
            yield Row(name, _kind(FUNCTIONS[item], samples) if samples else OPERATION)
        else:
            yield Row(name, CALL, _CLASSES.get(name, ""))


SECTIONS: Mapping[str, Callable[[], Iterator[Row]]] = {
    "Functions of `numpy`": lambda: function_rows(np, ""),
    "Ufuncs": ufunc_rows,
    "Methods of ufuncs": lambda: method_rows(np.ufunc, "ufunc."),
    "Methods of arrays": lambda: method_rows(np.ndarray, "ndarray."),
    "`numpy.linalg`": lambda: function_rows(np.linalg, "linalg."),
    "`numpy.fft`": lambda: function_rows(np.fft, "fft."),
    "Functions of `numpy.random`": lambda: function_rows(np.random, "random."),
    "Methods of `numpy.random.Generator`": lambda: method_rows(np.random.Generator, "Generator."),
    "Methods of `numpy.random.RandomState`": lambda: method_rows(
        np.random.RandomState, "RandomState."
    ),
    "Classes of `numpy`": class_rows,
}
"""The sections of the page, with what makes their rows."""

_INTRODUCTION = """\
# NumPy

What becomes of each function of NumPy in compiled code. `python tools/numpy_table.py` writes this
page from the tables of operations, by trying each function on samples; it was made with NumPy
{version}. Other versions have a few functions more or less.

- **operation**: the compiler knows the dtype and shape of the result before it is computed, as far
  as they follow from those of the arguments, and which memory it reads, writes and shares. Where
  they depend on values (how many elements are nonzero, whether eigenvalues are real) the type says
  so.
- **opaque**: one operation of the graph, of which only the effects are known: what kind of value
  it gives is seen when it runs.
- **call**: the function is called at its place in the program on every run, like any code that is
  not compiled. The result is what NumPy gives; nothing is assumed about it.

All three run NumPy itself and give what it gives.
"""


def rows() -> dict[str, list[Row]]:
    """Return the rows of each section."""
    return {title: list(make()) for title, make in SECTIONS.items()}


def page_text() -> str:
    """Return what docs/numpy.md should be under this version of NumPy."""
    table = rows()
    parts = [_INTRODUCTION.format(version=minor_version())]
    parts.append("\n| | operation | opaque | call |\n|---|---|---|---|\n")
    for title, found in table.items():
        counts = [sum(row.kind == kind for row in found) for kind in (OPERATION, OPAQUE, CALL)]
        parts.append(f"| {title} | {' | '.join(map(str, counts))} |\n")
    for title, found in table.items():
        parts.append(f"\n## {title}\n")
        names = [f"`{row.name}`" for row in found if row.kind == OPERATION]
        if names:
            parts.append("\nOperations: " + ", ".join(names) + ".\n")
        others = [row for row in found if row.kind != OPERATION]
        if others:
            parts.append("\n| | | why |\n|---|---|---|\n")
            parts += [f"| `{row.name}` | {row.kind} | {row.note} |\n" for row in others]
    return "".join(parts)


def minor_version() -> str:
    """Return the version of NumPy that the table is of, without its last part."""
    return ".".join(np.__version__.split(".")[:2])


def main() -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether it is true")
    options = parser.parse_args()
    text = page_text()
    if options.check:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("docs/numpy.md is true" if same else "it is stale: run python tools/numpy_table.py")
        return 0 if same else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
