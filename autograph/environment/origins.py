"""Where in the user's source a trace is.

Owns reading positions from the frames that run converted code, which carries the original
positions. Invariant: reading costs no more than a walk up the stack; positions are cached by code.
"""

from __future__ import annotations

import functools
from types import CodeType, FrameType

from runtime.ir.graph import Origin

from .overlay import is_overlay_frame, user_frame

_MAX_CHAIN = 8


def current_origin() -> Origin | None:
    """Return the position being executed in converted code, with the calls that led there."""
    frame = user_frame()
    chain: list[FrameType] = []
    while frame is not None and len(chain) < _MAX_CHAIN:
        if is_overlay_frame(frame):
            chain.append(frame)
        frame = frame.f_back
    origin: Origin | None = None
    for frame in reversed(chain):
        origin = _origin(frame.f_code.co_filename, frame.f_code, frame.f_lasti // 2, origin)
    return origin


def origin_of_error(error: BaseException) -> Origin | None:
    """Return the innermost position in converted code from which `error` came."""
    found: Origin | None = None
    traceback = error.__traceback__
    while traceback is not None:
        if is_overlay_frame(traceback.tb_frame):
            code = traceback.tb_frame.f_code
            found = _origin(code.co_filename, code, traceback.tb_lasti // 2, found)
        traceback = traceback.tb_next
    return found


@functools.lru_cache(maxsize=4096)
def _origin(file: str, code: CodeType, instruction: int, caller: Origin | None) -> Origin:
    """Return a position; equal codes may stand in different files."""
    line, end_line, column, end_column = _positions(code)[instruction]
    line = line or code.co_firstlineno
    return Origin(
        file,
        line,
        column or 0,
        end_line or line,
        end_column or 0,
        code.co_qualname,
        caller,
    )


@functools.lru_cache(maxsize=512)
def _positions(
    code: CodeType,
) -> tuple[tuple[int | None, int | None, int | None, int | None], ...]:
    return tuple(code.co_positions())
