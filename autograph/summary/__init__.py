"""Summaries for TensorBoard: scalars, histograms, and traces of what compiled functions did."""

from .tracing import trace_export, trace_off, trace_on
from .values import histogram, scalar
from .writer import FileWriter, create_file_writer

__all__ = [
    "FileWriter", "create_file_writer", "histogram", "scalar", "trace_export", "trace_off",
    "trace_on",
]  # fmt: skip
