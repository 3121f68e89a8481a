"""One sample for an operation: inputs and attributes; and how operations are run on samples."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from runtime.ops.registry import Operation


@dataclass(frozen=True)
class Sample:
    """Inputs of an operation, as run-time values: positional, then those named by keywords."""

    inputs: tuple[object, ...]
    attrs: Mapping[str, object] = field(default_factory=dict)

    def fresh(self) -> tuple[object, ...]:
        """Return copies of the inputs that share objects among each other as the originals do."""
        return copy.deepcopy(self.inputs)

    def __repr__(self) -> str:
        return f"{self.inputs!r} {dict(self.attrs)!r}" if self.attrs else repr(self.inputs)


def sample(*inputs: object, **attrs: object) -> Sample:
    """Return a sample with these inputs and attributes."""
    return Sample(inputs, attrs)


def apply(op: Operation, inputs: tuple[object, ...], attrs: Mapping[str, object]) -> object:
    """Call the kernel of `op`, keywords by name."""
    names = op.keywords(attrs)
    count = len(inputs) - len(names)
    keywords = dict(zip(names, inputs[count:], strict=True))
    return op.kernel_for(attrs)(*inputs[:count], **keywords)


def run(op: Operation, inputs: tuple[object, ...], attrs: Mapping[str, object]) -> object:
    """Call the kernel of `op` without warnings."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return apply(op, inputs, attrs)


def outputs(op: Operation, result: object, attrs: Mapping[str, object]) -> tuple[object, ...]:
    """Return what a kernel returned as a tuple with one item for each output."""
    count = op.output_count(attrs)
    if count == 1:
        return (result,)
    return tuple(result) if count else ()
