"""Common subexpression elimination.

Owns finding an operation whose result an earlier one has computed already. It leaves which memory
operations see to `runtime.memory.order`. Invariants: the earlier operation runs before the later
one on every path (it stands earlier in the same region or in one around it), reads the same
versions of memory, and nobody can tell the two results apart:

- results with an identity of their own (arrays, lists) are shared only if all that is done with
  either is reading;
- an operation that may warn is not merged, since a warning is given once per source operation.
  One that may raise is: had it raised, the later one would never have been reached.
"""

from __future__ import annotations

from ..ir.graph import Constant, Graph, Node, Region
from ..ir.rewriter import Rewriter, Rewritten
from ..ir.types import (
    ArrayType,
    NoneType,
    NumberType,
    RangeType,
    ScalarType,
    SliceType,
    StringType,
    TupleType,
    Type,
    UnionType,
    is_immutable,
)
from ..memory.classes import alias_classes
from ..memory.constants import attributes_key, constant_key
from ..memory.effects import effects_of
from ..memory.escapes import IdentityUses
from ..memory.order import MemoryOrder, memory_order
from ..ops.registry import Effects, Raises, Sharing

_SILENT = frozenset((
    "getitem", "getattr", "build_tuple", "build_slice", "unpack", "check_bound", "builtins.len",
    "truth", "not", "builtins.isinstance", "np.shape", "np.ndim", "np.size", "np.transpose",
))  # fmt: skip
"""Operations that compute nothing on NumPy numbers, so that they never give a warning."""
_EXACT_ON_INTEGERS = frozenset((
    "add", "sub", "mul", "and", "or", "xor", "lt", "le", "eq", "ne", "gt", "ge", "np.add",
    "np.subtract", "np.multiply", "np.bitwise_and", "np.bitwise_or", "np.bitwise_xor", "np.less",
    "np.less_equal", "np.equal", "np.not_equal", "np.greater", "np.greater_equal", "np.maximum",
    "np.minimum",
))  # fmt: skip
"""Operations that never warn on integer arrays of at least one axis."""

_Key = tuple[object, ...]


class _Cse(Rewriter):
    def __init__(self, order: MemoryOrder, identity: IdentityUses) -> None:
        super().__init__()
        self._order = order
        self._identity = identity
        self._scopes: list[dict[_Key, Node]] = []

    def region(self, region: Region) -> Region:
        self._scopes.append({})
        try:
            return super().region(region)
        finally:
            self._scopes.pop()

    def node(self, node: Node) -> Rewritten:
        if not self._order.is_reached(node) or not _may_merge(node):
            return self.copy(node)
        node = self.copy(node)
        key = self._key(node)
        for scope in reversed(self._scopes):
            earlier = scope.get(key)
            if earlier is not None and self._interchangeable(earlier, node):
                return earlier.outputs
        self._scopes[-1].setdefault(key, node)
        return node

    def _key(self, node: Node) -> _Key:
        inputs = tuple(
            constant_key(v.value) if isinstance(v, Constant) else v for v in node.inputs
        )
        versions = self._order.version(node)
        return (node.op, inputs, attributes_key(node.attrs), versions)

    def _interchangeable(self, earlier: Node, later: Node) -> bool:
        aliases = effects_of(later).aliases
        for a, b, alias in zip(earlier.outputs, later.outputs, aliases, strict=True):
            if a.type != b.type:
                return False
            one_object = alias.sharing is Sharing.SAME
            if not one_object and (self._identity.matters(a) or self._identity.matters(b)):
                return False
        return True


def _may_merge(node: Node) -> bool:
    """Tell whether two runs of `node` on one state of memory can be one."""
    if node.regions or not node.outputs:
        return False
    effects = effects_of(node)
    if effects.calls or effects.writes:
        return False
    for output, alias in zip(node.outputs, effects.aliases, strict=True):
        if alias.sharing is Sharing.SAME:
            continue
        if alias.sharing not in (Sharing.FRESH, Sharing.VIEW):
            return False
        if not is_immutable(output.type) and not isinstance(output.type, ArrayType):
            return False
    return _is_silent(node, effects)


def _is_silent(node: Node, effects: Effects) -> bool:
    """Tell whether `node` certainly gives no warning."""
    if effects.raises is Raises.NEVER or node.op.name in _SILENT:
        return True
    if effects.raises is Raises.WARNS:
        return False
    values = (*node.inputs, *node.outputs)
    makes_array = any(isinstance(output.type, ArrayType) for output in node.outputs)
    if node.op.name in _EXACT_ON_INTEGERS and makes_array:
        return all(_is_integral(value.type) for value in values)
    return node.op.name != "invert" and all(_is_python(value.type) for value in values)


def _is_python(type_: Type) -> bool:
    """Tell whether `type_` is of Python numbers and strings, on which nothing warns."""
    if isinstance(type_, UnionType):
        return all(_is_python(option) for option in type_.options)
    if isinstance(type_, TupleType):
        return all(_is_python(item) for item in type_.items)
    return isinstance(type_, NumberType | StringType | NoneType | SliceType | RangeType)


def _is_integral(type_: Type) -> bool:
    """Tell whether `type_` is a Python integer, or integers of NumPy (one axis at least)."""
    if isinstance(type_, NumberType):
        return type_.kind in ("bool", "int")
    if isinstance(type_, ArrayType):
        return bool(type_.shape) and type_.dtype is not None and type_.dtype.kind in "biu"
    return isinstance(type_, ScalarType) and type_.dtype.kind in "biu"


def cse(graph: Graph, *, overlapping: bool = True) -> Graph:
    """Use the result of an earlier, equal operation in place of computing it again.

    Parameters
    ----------
    graph
        Any graph.
    overlapping
        Whether arguments may share memory with each other; False only where the caller of the
        program has checked that they do not.

    Returns
    -------
    Graph
        The graph with fewer operations; `graph` itself if no two are equal.

    Examples
    --------
    >>> from runtime.ir.builder import Builder
    >>> from runtime.ir.types import FLOAT
    >>> from runtime.ops import arithmetic
    >>> build = Builder()
    >>> x = build.param(FLOAT, "x")
    >>> a, = build.append(arithmetic.MUL, [x, x])
    >>> b, = build.append(arithmetic.MUL, [x, x])
    >>> y, = build.append(arithmetic.ADD, [a, b])
    >>> build.end("return", [y])
    >>> before = build.graph("f")
    >>> after = cse(before)
    >>> [node.op.name for node in before.nodes], [node.op.name for node in after.nodes]
    (['mul', 'mul', 'add'], ['mul', 'add'])
    >>> after.nodes[1].inputs == (a, a)
    True
    >>> cse(after) is after
    True
    """
    classes = alias_classes(graph, overlapping=overlapping)
    return _Cse(memory_order(graph, classes), IdentityUses(graph)).graph(graph)
