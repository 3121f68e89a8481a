"""Compiled functions in graphs: their traces become operations of the graph that is being built.

Owns putting a traced function into a graph as one operation. It leaves tracing to the front end.
Invariant: a call runs as a whole if any of its results is needed, so what the function assigns,
prints or raises it does in each such run, once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import SessionError, VariableError
from ..ir.graph import Constant, Definition, Node, Region, Value, walk, walk_regions
from ..ir.graph import Graph as TracedGraph
from ..ir.lattice import join_all
from ..ir.rewriter import Rewritten, captures, clone_region, rewrite
from ..ir.types import (
    ArrayType,
    Extent,
    IteratorType,
    NamedTupleType,
    NumberType,
    RangeType,
    SlotType,
    TupleType,
    Type,
    UnionType,
    VariableType,
)
from ..ops.control import BLOCK
from ..tracing.inference import exits
from ..tracing.symbol import Symbol, value_of
from ..variables import Variable, made_outside
from .graph import Graph
from .variables import storage_of

_CONTAINERS = (dict, set, bytearray)
_OUTER = "__outer"


def inline(graph: Graph, traced: TracedGraph, arguments: Sequence[object]) -> object:
    """Add a call of a traced function to a graph.

    Parameters
    ----------
    graph
        The graph that is being built.
    traced
        What tracing the function gave.
    arguments
        For each parameter of `traced` a value of `graph`, or any other object.

    Returns
    -------
    object
        The tensor of the result; tuples as tuples of tensors.

    Raises
    ------
    SessionError
        If the function always raises, or changes a container that it was given.
    VariableError
        If it uses a variable that is not of this graph.
    """
    if traced.body.end.kind != "return":
        raise SessionError(f"{traced.name} always raises an exception with these arguments")
    traced = _with_own_functions(graph, traced)
    used = set(captures(Region((), traced.body.nodes, traced.body.end)))
    tracer = graph.tracer
    given: dict[Value, Value] = {}
    for param, item in zip(traced.body.params, arguments, strict=True):
        given[param] = _value(graph, param, item) if param in used else Constant(None)
    region = clone_region(Region((), traced.body.nodes, traced.body.end), given)
    _rename_extents(graph, region)
    type_ = join_all(end.values[0].type for end in exits(region, "return"))
    origin = tracer.host.origin()
    name = traced.name.strip("_")
    outputs = [Value(type_, name if name.isidentifier() else "call")]
    (result,) = tracer.append_regions(BLOCK, [], [region], outputs, origin)
    return _unpacked(graph, result)


def _unpacked(graph: Graph, result: object) -> object:
    type_ = value_of(result).type if isinstance(result, Symbol) else None
    if type(type_) is not TupleType:
        return result
    items = [graph.tracer.operate("getitem", result, index) for index in range(len(type_.items))]
    return tuple(_unpacked(graph, item) for item in items)


def _value(graph: Graph, param: Value, item: object) -> Value:
    """Return what stands for an argument, or something captured, in the graph."""
    if isinstance(item, Value):
        return item
    if isinstance(item, Variable):
        storage = storage_of(item)
        if storage is None:
            raise made_outside(item)
        if storage.graph is not graph:
            raise VariableError(
                f"variable {storage.name!r} is of another graph than the one that is being built"
            )
        return graph.variables[item]
    if isinstance(item, _CONTAINERS):
        raise SessionError(
            f"{param.name or 'an argument'} is a {type(item).__name__}, which a graph does not "
            "hold; pass arrays, numbers or lists of them"
        )
    if isinstance(item, np.ndarray | list | tuple):
        return _snapshot(graph, item)
    return Constant(item)


def _snapshot(graph: Graph, item: object) -> Value:
    """Return an array as a constant, and a list as one that each run makes anew."""
    if isinstance(item, list | tuple):
        parts = [_snapshot(graph, part) for part in item]
        made = graph.tracer.append("build_list" if type(item) is list else "build_tuple", parts)
        return value_of(made)  # type: ignore[arg-type]  # a symbol by now
    return Constant(graph.tracer.host.constant(item))


def _with_own_functions(graph: Graph, traced: TracedGraph) -> TracedGraph:
    """Enter the functions of `traced` into `graph`, under names of their own."""
    new_names: dict[str, str] = {}
    for function in traced.functions:
        name, number = function.name, 1
        while name in graph.definitions or name in new_names.values():
            name, number = f"{function.name}_{number}", number + 1
        new_names[function.name] = name
    if not new_names:
        return traced

    def renamed(node: Node) -> Rewritten:
        name = node.attrs.get("function")
        if not isinstance(name, str) or name not in new_names:
            return node
        return replace(node, attrs={**node.attrs, "function": new_names[name]})

    traced = rewrite(traced, renamed)
    for function in traced.functions:
        own = new_names[function.name]
        graph.definitions[own] = Definition(own, function.body, function.file)
    return traced


def argument_type(type_: Type) -> Type:
    """Return the type to trace a function with for a tensor of type `type_`.

    Lengths that the graph has names for get other names, which cannot be those that the trace has
    for lengths of its own; `inline` changes them back.
    """
    return _renamed(type_, {name: name + _OUTER for name in _extents(type_)})


def _rename_extents(graph: Graph, region: Region) -> None:
    """Give back the graph's names of lengths, and give all others names of their own."""
    names: dict[str, str] = {}
    values = [param for part in walk_regions(region) for param in part.params]
    values += [output for node in walk(region) for output in node.outputs]
    for value in values:
        for name in _extents(value.type):
            if name not in names:
                graph.extents += not name.endswith(_OUTER)
                own = f"{name}__{graph.extents}"
                names[name] = name.removesuffix(_OUTER) if name.endswith(_OUTER) else own
    for value in values:
        value.type = _renamed(value.type, names)


def _extents(type_: Type) -> tuple[str, ...]:
    """Return the names of lengths in `type_`, in order."""
    if isinstance(type_, ArrayType):
        return tuple(extent for extent in type_.shape or () if isinstance(extent, str))
    if isinstance(type_, NumberType):
        return (type_.extent,) if isinstance(type_.extent, str) else ()
    if isinstance(type_, RangeType):
        return (type_.length,) if isinstance(type_.length, str) else ()
    parts: tuple[Type, ...] = ()
    if isinstance(type_, TupleType):
        parts = type_.items
    elif isinstance(type_, UnionType):
        parts = type_.options
    elif isinstance(type_, IteratorType):
        parts = (type_.item,)
    elif isinstance(type_, SlotType | VariableType):
        parts = (type_.content,)
    return tuple(name for part in parts for name in _extents(part))


def _renamed(type_: Type, names: Mapping[str, str]) -> Type:
    """Return `type_` with other names for lengths."""

    def extent(old: Extent) -> Extent:
        return names.get(old, old) if isinstance(old, str) else old

    if isinstance(type_, ArrayType) and type_.shape is not None:
        return ArrayType(type_.dtype, tuple(map(extent, type_.shape)))
    if isinstance(type_, NumberType):
        return NumberType(type_.kind, extent(type_.extent))
    if isinstance(type_, RangeType):
        return RangeType(extent(type_.length))
    if isinstance(type_, NamedTupleType):
        return NamedTupleType(tuple(_renamed(item, names) for item in type_.items), type_.cls)
    if isinstance(type_, TupleType):
        return TupleType(tuple(_renamed(item, names) for item in type_.items))
    if isinstance(type_, UnionType):
        return join_all(_renamed(option, names) for option in type_.options)
    if isinstance(type_, IteratorType):
        return IteratorType(_renamed(type_.item, names))
    if isinstance(type_, SlotType):
        return SlotType(_renamed(type_.content, names))
    if isinstance(type_, VariableType):
        content = _renamed(type_.content, names)
        return VariableType(type_.cls, content) if isinstance(content, ArrayType) else type_
    return type_
