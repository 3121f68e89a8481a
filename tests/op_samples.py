"""Sample inputs for every operation, from which the tests of operations are generated.

`SAMPLES` maps the name of an operation to its samples. Each family's samples stand in a file of
their own under ``tests/ops``; a new operation gets a line there.
"""

from __future__ import annotations

from ops.numpy_method_samples import NUMPY_SAMPLES
from ops.python_samples import PYTHON_SAMPLES
from ops.sample import Sample

SAMPLES: dict[str, list[Sample]] = {**PYTHON_SAMPLES, **NUMPY_SAMPLES}
