"""The messages of event files: events, summaries, tensors, graphs and what their runs cost.

Owns the fields of each message. It leaves their bytes to `wire`, and what is in them to callers.
Field numbers are those of TensorFlow's ``event.proto``, ``summary.proto``, ``tensor.proto``,
``tensor_shape.proto``, ``graph.proto``, ``node_def.proto``, ``attr_value.proto``, ``config.proto``
and ``step_stats.proto``. Invariant: every function returns one encoded message.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .wire import data, double, integer

FLOAT, DOUBLE, STRING = 1, 2, 7
"""Dtypes of tensors."""
SCALAR, TENSOR, BLOB_SEQUENCE = 1, 2, 3
"""Classes of summaries."""
DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
_FILE_VERSION = "brain.Event:2"
_PRODUCER = 26  # the version of graphs that TensorBoard's own converters write

Shape = tuple[int, ...] | None
"""Lengths of the axes, -1 for one that is not known; None if not even their number is."""


@dataclass(frozen=True)
class GraphNode:
    """One node of a graph as TensorBoard draws it."""

    name: str
    """Unique; slashes make boxes."""
    op: str
    inputs: tuple[str, ...] = ()
    """Names of the nodes it takes values from."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    shapes: tuple[Shape, ...] = ()
    """Of its outputs."""


@dataclass(frozen=True)
class NodeRecord:
    """What the runs of one node cost, in one piece of time."""

    name: str
    start: int
    """Microseconds."""
    duration: int
    bytes: int
    calls: int
    shapes: tuple[Shape, ...] = ()
    """Of its outputs. TensorBoard draws what has neither time nor memory nor these as unused."""


def first_event(time: float) -> bytes:
    """Return the event that opens a file."""
    return double(1, time) + data(3, _FILE_VERSION)


def summary_event(time: float, step: int, tag: str, tensor: bytes, metadata: bytes) -> bytes:
    """Return an event with one value."""
    value = data(1, tag) + data(8, tensor) + data(9, metadata)
    return double(1, time) + integer(2, step) + data(5, data(1, value))


def summary_metadata(plugin: str, content: bytes, data_class: int) -> bytes:
    """Return which part of TensorBoard shows a value."""
    return data(1, data(1, plugin) + data(2, content)) + integer(4, data_class)


def float_tensor(value: float) -> bytes:
    """Return a tensor with one number of 32 bits."""
    return integer(1, FLOAT) + data(2, b"") + data(4, struct.pack("<f", value))


def double_tensor(values: NDArray[np.float64]) -> bytes:
    """Return a tensor with the elements of an array."""
    content = np.ascontiguousarray(values, "<f8").tobytes()
    return integer(1, DOUBLE) + data(2, tensor_shape(values.shape)) + data(4, content)


def string_tensor(value: bytes) -> bytes:
    """Return a tensor with one axis and one text, as a sequence of blobs has to be."""
    return integer(1, STRING) + data(2, tensor_shape((1,))) + data(8, value)


def tensor_shape(shape: Shape) -> bytes:
    """Return the shape of a tensor."""
    if shape is None:
        return integer(3, 1)
    # A length of 0 is the default and still has to be a dimension.
    return b"".join(data(2, integer(1, length)) for length in shape)


def graph_def(nodes: Sequence[GraphNode]) -> bytes:
    """Return a graph."""
    return b"".join(data(1, _node_def(node)) for node in nodes) + data(4, integer(1, _PRODUCER))


def _node_def(node: GraphNode) -> bytes:
    parts = [data(1, node.name), data(2, node.op)]
    parts += [data(3, name) for name in node.inputs]
    parts.append(data(4, DEVICE))
    attributes = {name: data(2, text) for name, text in node.attributes.items()}
    if node.shapes:
        shapes = b"".join(data(7, tensor_shape(shape)) for shape in node.shapes)
        attributes["_output_shapes"] = data(1, shapes)
    parts += [data(5, data(1, name) + data(2, value)) for name, value in attributes.items()]
    return b"".join(parts)


def run_metadata(nodes: Sequence[GraphNode], records: Sequence[NodeRecord]) -> bytes:
    """Return a graph with what its runs cost.

    TensorBoard reads the graph from the one entry of ``function_graphs``, and what it cost from
    ``step_stats`` of devices called ``/device:CPU:0`` and the like.
    """
    stats = b""
    if records:
        device = data(1, DEVICE) + b"".join(data(2, _node_stats(one)) for one in records)
        stats = data(1, data(1, device))
    return stats + data(4, data(2, graph_def(nodes)))


def _node_stats(one: NodeRecord) -> bytes:
    memory = data(1, "cpu") + integer(2, one.bytes) + integer(3, one.bytes)
    outputs = [integer(1, slot) + data(3, data(2, tensor_shape(shape)))
               for slot, shape in enumerate(one.shapes)]  # fmt: skip
    return b"".join(
        (
            data(1, one.name),
            integer(2, one.start),
            integer(4, one.duration),
            integer(5, one.duration),
            data(6, memory),
            *(data(7, output) for output in outputs),
            data(8, f"{one.calls} calls"),
        )
    )
