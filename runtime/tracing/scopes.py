"""Bodies of functions that return early, and leaving several of them at once.

Owns `Scope`. The body of a generator runs inside the loop over it: what the loop leaves may lie
around the scopes of the generator. Invariant: a jump of the graph leaves the innermost block alone;
leaving one around it is a variable in memory, and a test after each block on the way.
"""

from __future__ import annotations

import functools
from types import TracebackType

from ..ir.builder import OpenRegion
from ..ir.graph import Constant, Value
from ..ir.lattice import join_all
from ..ops.control import BLOCK
from .control import cond
from .handlers import Box
from .inference import exits
from .signals import RegionEnd, ReturnJump
from .tracer import Tracer


class Scope:
    """The traced body of a function that returns early: a ``block``.

    Used as ``with Scope(tracer) as scope``; `value` is what the function returns.
    """

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.value: object = None
        self._region = OpenRegion()
        self._depth = 0
        self._origin = tracer.host.origin()
        self._passing: dict[Scope, None] = {}
        """Scopes around that are being left as well: only blocks tell how to leave."""
        self._variables: tuple[Box, Box] | None = None

    def return_(self, value: object) -> None:
        """Leave the scope with `value`; scopes inside it, those of generators, are left first."""
        inner = self.tracer.scopes[-1]
        if inner is self or not isinstance(inner, Scope):
            raise ReturnJump(self, value)
        leaving, held = self._memory()
        held.put(value)
        leaving.put(True)
        inner._passing[self] = None
        raise ReturnJump(inner, None)

    def _memory(self) -> tuple[Box, Box]:
        """Return the variables that say whether the scope is being left, and with what."""
        made = {output for node in self._region.nodes for output in node.outputs}
        if self._variables is not None and all(box.slot in made for box in self._variables):
            return self._variables
        builder = self.tracer.builder
        regions = builder.regions
        builder.regions = regions[: self._depth + 1]
        try:
            leaving = Box(self.tracer, "leaving", False)
            self._variables = leaving, Box(self.tracer, "result", None)
        finally:
            builder.regions = regions
        return self._variables

    def __enter__(self) -> Scope:
        """Enter the scope."""
        self._depth = len(self.tracer.builder.regions)
        self.tracer.builder.regions.append(self._region)
        self.tracer.scopes.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        """Leave the scope; a return of this scope ends here."""
        tracer, region = self.tracer, self._region
        tracer.scopes.remove(self)
        if not self._end(error):
            del tracer.builder.regions[self._depth :]
            return False
        del tracer.builder.regions[self._depth :]
        block = region.close()
        returns = list(exits(block, "return"))
        types = join_all(end.values[0].type for end in returns)
        outputs = [Value(types)] if returns else []
        symbols = tracer.append_regions(BLOCK, [], [block], outputs, self._origin)
        if not symbols:
            tracer.builder.end("unreachable")
            raise RegionEnd
        self.value = symbols[0]
        for outer in self._passing:
            leaving, held = outer._memory()
            cond(tracer, leaving.content, functools.partial(_go_on, outer, held), None, (), ())
        return True

    def _end(self, error: BaseException | None) -> bool:
        """End the region as `error` says; False when it is none of the scope's business."""
        tracer = self.tracer
        if self._region.end is not None:
            return isinstance(error, RegionEnd)
        if error is None:
            tracer.builder.end("return", [Constant(None)], self._origin)
        elif isinstance(error, ReturnJump) and error.scope is self:
            tracer.builder.end("return", [tracer.value(error.value)], tracer.host.origin())
        elif isinstance(error, Exception) and tracer.host.is_user_error(error):
            tracer.end_by_error(error)
        else:
            return False
        return True


def _go_on(scope: Scope, held: Box) -> None:
    """Leave `scope`, from where a scope inside it has been left."""
    scope.return_(held.content)
