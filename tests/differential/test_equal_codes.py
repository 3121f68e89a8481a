"""Functions of the same text in different files keep their own positions."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import autograph as ag

TEXT = """\
def divided(x, y):
    z = x + 1
    return z / y
"""


def module_in(file: Path) -> ModuleType:
    """Return the module that a new file with `TEXT` makes."""
    file.write_text(TEXT, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_errors_are_found_in_the_file_of_the_function(tmp_path: Path) -> None:
    for name in ("first_of_two", "second_of_two"):
        module = module_in(tmp_path / f"{name}.py")
        with pytest.raises(ZeroDivisionError) as caught:
            ag.compile(module.divided, fallback="error")(1, 0)
        places = [(str(entry.path), entry.lineno + 1) for entry in caught.traceback]
        assert places[-1] == (module.__file__, 3)
