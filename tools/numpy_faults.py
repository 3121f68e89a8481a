"""Faults in what is known of NumPy's views and writes, which random programs must find.

Owns `NUMPY_FAULTS`, whole kinds of wrong aliases, lost writes and reads, escapes and orders. It
leaves planting to `mutants`, and the programs to `fuzz_numpy`. Invariant: each fault changes what
some program returns, not only what it may do faster.
"""

from __future__ import annotations

from mutant_list import Mutant

_VIEWS = "a view counts as memory of its own: "
_WRITES = "what is written counts as unchanged: "


def _fault(name: str, fault: str, file: str, old: str, new: str) -> Mutant:
    return Mutant(name, fault, f"runtime/{file}", old, new, ())


def _written_by(function: str, file: str, before: str) -> Mutant:
    """Return the fault that a function whose declaration begins so is not known to write."""
    return _fault(f"no write: {function}", _WRITES + function, f"ops/{file}", before,
                  before.partition(", writes")[0])  # fmt: skip


ALIASES = [
    _fault(
        "no alias: .transpose()", _VIEWS + "the method transpose", "ops/methods.py",
        'NumpyFunction("*self", _transpose, view_of("self"), settled(_transpose, "self"))',
        'NumpyFunction("*self", _transpose, raises=settled(_transpose, "self"))',
    ),
    _fault(
        "no alias: np.transpose", _VIEWS + "the function transpose", "ops/shape.py",
        'define(_name, "a axes", _transpose, view_of("a"), settled(_transpose, "a", "axes"))',
        'define(_name, "a axes", _transpose, raises=settled(_transpose, "a", "axes"))',
    ),
    _fault(
        "no alias: .T", _VIEWS + "the attributes T and mT", "ops/attributes.py",
        '    if name in ("T", "mT"):\n        return _VIEW',
        '    if name in ("T", "mT"):\n        return FRESH',
    ),
    _fault(
        "no alias: .real and .imag", _VIEWS + "the parts of complex numbers", "ops/attributes.py",
        'if type_.dtype.kind == "c":\n            return _VIEW',
        'if type_.dtype.kind == "c":\n            return FRESH',
    ),
    _fault(
        "no alias: np.real", _VIEWS + "the function real", "ops/statistics.py",
        'define("real", "val", _part("real"), maybe("val"), settled(_part("real"), "val"))',
        'define("real", "val", _part("real"), raises=settled(_part("real"), "val"))',
    ),
    _fault(
        "no alias: .reshape()", _VIEWS + "the method reshape", "ops/methods.py",
        '_reshape, maybe("self"), _reshape_raises)', "_reshape, raises=_reshape_raises)",
    ),
    _fault(
        "no alias: ravel", _VIEWS + "ravel, the function and the method", "ops/shape.py",
        'define("ravel", "a order", _ravel, maybe("a"), settled(_ravel, "a"))',
        'define("ravel", "a order", _ravel, raises=settled(_ravel, "a"))',
    ),
    _fault(
        "no alias: diagonal", _VIEWS + "diagonal, the function and the method",
        "ops/linear_algebra.py",
        '_diagonal, view_of("a"),\n    settled(', '_diagonal, raises=\n    settled(',
    ),
    _fault(
        "no alias: .view()", _VIEWS + "the method view", "ops/methods.py",
        '_view, view_of("self"), settled(_view, "self")', '_view, raises=settled(_view, "self")',
    ),
    _fault(
        "no alias: swapaxes", _VIEWS + "swapaxes, the function and the method", "ops/shape.py",
        '_swapaxes, view_of("a"),\n    settled(', '_swapaxes, raises=\n    settled(',
    ),
    _fault(
        "no alias: squeeze", _VIEWS + "squeeze, the function and the method", "ops/shape.py",
        '_squeeze, view_of("a"), settled(', '_squeeze, raises=settled(',
    ),
    _fault(
        "no alias: broadcast_to", _VIEWS + "broadcast_to", "ops/shape.py",
        '_broadcast_to, view_of("array"), ', "_broadcast_to, ",
    ),
    _fault(
        "no alias: a basic index", _VIEWS + "an index of integers and slices", "ops/indexing.py",
        "    if isinstance(result, ArrayType):\n        return Alias(Sharing.VIEW, (0,))",
        "    if isinstance(result, ArrayType):\n        return FRESH",
    ),
    _fault(
        "no alias: rows", _VIEWS + "the rows of an array that is iterated or unpacked",
        "ops/iteration.py",
        "return Alias(Sharing.VIEW, (position,)) if len(type_.shape) > 1 else FRESH",
        "return FRESH",
    ),
    _fault(
        "no alias: the item of a loop", _VIEWS + "the item of a for", "memory/classes.py",
        "        atoms = list(self.atoms_of(iterable))\n", "        atoms: list[int] = []\n",
    ),
    _fault(
        "no alias: asarray", _VIEWS + "what asarray returns as it is", "ops/creation.py",
        'return Alias(Sharing.SAME, (arguments.positions["a"],))', "return FRESH",
    ),
    _fault(
        "no alias: ascontiguousarray", _VIEWS + "what ascontiguousarray may return as it is",
        "ops/creation.py",
        '_contiguous, maybe("a"), fallback=OPAQUE)', "_contiguous, fallback=OPAQUE)",
    ),
    _fault(
        "no alias: out=", _VIEWS + "the result of a ufunc with out=", "ops/ufuncs.py",
        "alias = Alias(Sharing.SAME if direct else Sharing.MAYBE, written)", "alias = FRESH",
    ),
    _fault(
        "no alias: .flat", _VIEWS + "the flat iterator", "ops/attributes.py",
        "    if name in _HEADS:\n        return _MAYBE\n", "",
    ),
    _fault(
        "no alias: views that may be copies", _VIEWS + "whatever may be a view or a copy",
        "ops/calling.py",
        "return _shares(arguments, name, Sharing.MAYBE)", "return FRESH",
    ),
    _fault(
        "no alias: x += y", _VIEWS + "what an augmented assignment leaves", "ops/arithmetic.py",
        "return Effects(Raises.VALUE, reads, writes=(0,), aliases=(_SAME,))",
        "return Effects(Raises.VALUE, reads, writes=(0,))",
    ),
]

WRITES = [
    _fault(
        "no write: x[i] = y", _WRITES + "the array of an index assignment", "ops/containers.py",
        "return Effects(Raises.VALUE, readable(inputs), (0,), calls=calls, aliases=())",
        "return Effects(Raises.VALUE, readable(inputs), calls=calls, aliases=())",
    ),
    _fault(
        "no write: x += y", _WRITES + "the array of an augmented assignment", "ops/arithmetic.py",
        "return Effects(Raises.VALUE, reads, writes=(0,), aliases=(_SAME,))",
        "return Effects(Raises.VALUE, reads, aliases=(_SAME,))",
    ),
    _fault(
        "no write: x.real = y", _WRITES + "the array of an attribute assignment",
        "ops/attributes.py",
        "return Effects(Raises.VALUE, readable(inputs), (0,), aliases=())",
        "return Effects(Raises.VALUE, readable(inputs), aliases=())",
    ),
    _fault(
        "no write: out= of a ufunc", _WRITES + "the out= of a ufunc", "ops/ufuncs.py",
        "return Effects(Raises.VALUE, read, written, aliases=(alias,))",
        "return Effects(Raises.VALUE, read, aliases=(alias,))",
    ),
    _fault(
        "no write: out= of a function", _WRITES + "the out= of a reduction and the like",
        "ops/calling.py",
        "return Effects(Raises.VALUE, read, written, aliases=(_out_alias(arguments, read),))",
        "return Effects(Raises.VALUE, read, aliases=(_out_alias(arguments, read),))",
    ),
    _written_by(
        "fill", "methods.py", '"fill": NumpyFunction("self value", _none, writes=("self",)'
    ),
    _written_by(
        "sort", "methods.py",
        '"sort": NumpyFunction("self axis kind order", _none, writes=("self",)',
    ),
    _written_by(
        "partition", "methods.py",
        '"partition": NumpyFunction("self kth axis kind order", _none, writes=("self",)',
    ),
    _written_by("put", "selection.py", 'define("put", "a ind v mode", _no_result, writes=("a",)'),
    _written_by(
        "place", "selection.py", 'define("place", "arr mask vals", _no_result, writes=("arr",)'
    ),
    _written_by(
        "putmask", "selection.py", 'define("putmask", "a mask values", _no_result, writes=("a",)'
    ),
    _written_by(
        "copyto", "selection.py",
        'define("copyto", "dst src casting where", _no_result, writes=("dst",)',
    ),
    _written_by(
        "fill_diagonal", "selection.py",
        'define("fill_diagonal", "a val wrap", _no_result, writes=("a",)',
    ),
    _written_by(
        "put_along_axis", "selection.py",
        'define("put_along_axis", "arr indices values axis", _no_result, writes=("arr",)',
    ),
    _written_by(
        "ufunc.at", "ufunc_methods.py",
        '"at": NumpyFunction("self a indices b", _nothing, writes=("a",)',
    ),
]

READS = [
    _fault(
        "no read: x[i]", "an index reads no memory", "ops/containers.py",
        "return Effects(raises, reads=readable(inputs), calls=calls, aliases=(alias,))",
        "return Effects(raises, calls=calls, aliases=(alias,))",
    ),
    _fault(
        "no read: functions", "functions and methods of NumPy read no memory", "ops/calling.py",
        "return Effects(raises, read, written, aliases=(alias,))",
        "return Effects(raises, (), written, aliases=(alias,))",
    ),
    _fault(
        "no read: ufuncs", "ufuncs read no memory", "ops/ufuncs.py",
        "return Effects(self._raises(call.operands), read)",
        "return Effects(self._raises(call.operands))",
    ),
    _fault(
        "versions ignored", "two equal reads with a write between them are one", "passes/cse.py",
        "versions = self._order.version(node)", "versions = ()",
    ),
    _fault(
        "reads wait across writes", "an expression that reads memory waits across a write",
        "lowering/ordering.py", "READS: WRITES", "READS: NOTHING",
    ),
]

ORDER = [
    _fault(
        "overlapping arguments apart", "arguments that overlap are taken apart",
        "memory/classes.py",
        "if self.overlapping or not _is_buffer(param.type):", "if not _is_buffer(param.type):",
    ),
    _fault(
        "overlap not asked", "overlapping arguments get the program for separate ones",
        "../autograph/callpath.py", "for a, b in entry.separate:", "for a, b in ():",
    ),
    _fault(
        "stored arrays do not escape", "what is stored in a list is reached only by its name",
        "memory/effects.py",
        "elif stored and position not in effects.writes:", "elif False:",
    ),
    _fault(
        "held arrays do not escape", "what a new list holds is reached only by its name",
        "memory/effects.py",
        "elif anything or (holder and not _shares(effects, position)):", "elif anything:",
    ),
    _fault(
        "items of tuples apart", "the items of a tuple share no class with it",
        "memory/classes.py",
        'self.bind(output, shared, apart=node.op.name == "build_tuple")',
        'self.bind(output, () if node.op.name == "build_tuple" else shared, apart=False)',
    ),
    _fault(
        "chosen references apart", "a name that is one of two arrays shares no class with them",
        "memory/classes.py",
        "self.bind(value, [atom for source in both for atom in self.atoms_of(source)])",
        "self.bind(value, ())",
    ),
    _fault(
        "back edge ignored", "what the last trip wrote is not seen at the start of the next",
        "memory/order.py", 'head[class_] = Version("merge", class_, node.key, [before])', "pass",
    ),
    _fault(
        "branch ignored", "what a branch wrote is not seen after it", "memory/order.py",
        "                merged[class_] = Version(\"merge\", class_, node.key, versions)\n"
        "        return merged",
        "                merged[class_] = versions[-1]\n        return merged",
    ),
    _fault(
        "twins merged", "two fresh arrays that are written become one", "passes/cse.py",
        "if not one_object and (self._identity.matters(a) or self._identity.matters(b)):",
        "if False:",
    ),
]

NUMPY_FAULTS = [*ALIASES, *WRITES, *READS, *ORDER]
