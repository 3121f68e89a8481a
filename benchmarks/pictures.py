"""Measure how long the page of a graph takes to make, for graphs of growing size.

Run as ``python benchmarks/pictures.py``. The graphs are those of `tests/pictures/big_graphs.py`.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "pictures"))

from big_graphs import graph_of

from runtime.pictures.outline import frames_of, outline
from runtime.pictures.page import page

SIZES = (10, 300, 1000, 5000)
ROUNDS = 3


def main() -> None:
    """Print seconds and size of the page for each number of operations."""
    for size in SIZES:
        graph = graph_of(size)
        seconds = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            text = page("big", outline(graph))
            seconds.append(time.perf_counter() - start)
        boxes = sum(len(frame.vertices) for frame in frames_of(outline(graph)))
        print(
            f"{size} operations, {boxes} boxes: {statistics.median(seconds):.3f} s, "
            f"{len(text) / 1000:.0f} kB"
        )


if __name__ == "__main__":
    main()
