"""Short notation for ``try``, ``with`` and variables in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graph_sketch import Body, Sketch, as_value

from runtime.ir.graph import Constant, Region, Value
from runtime.ir.types import INT, OPAQUE, SlotType
from runtime.ir.verifier import verify
from runtime.lowering.program import Program, lower
from runtime.ops.containers import SLOT
from runtime.ops.control import TRY, WITH


class Guarded(Sketch):
    """A sketch with ``try``, ``with`` and variables in memory."""

    def try_(
        self,
        body: Body,
        *handlers: tuple[object, Body],
        orelse: Body | None = None,
        final: Body | None = None,
    ) -> None:
        """Append a ``try``; each handler gets the error."""
        attrs = {
            name: True for name, part in (("orelse", orelse), ("final", final)) if part is not None
        }
        regions = [self.part(body)]
        regions += [self.part(b, [Value(OPAQUE, "error")]) for _, b in handlers]
        regions += [self.part(part) for part in (orelse, final) if part is not None]
        self.append(TRY, [Constant(c) for c, _ in handlers], attrs, regions=regions, outputs=[])

    def with_(self, manager: object, body: Body) -> None:
        """Append a ``with``; its body gets what was entered."""
        region = self.part(body, [Value(OPAQUE, "entered")])
        self.append(WITH, [as_value(manager)], regions=[region], outputs=[])

    def part(self, body: Body, params: Sequence[Value] = ()) -> Region:
        """Return the region that `body` builds; it hands over nothing."""

        def build(*params: Value) -> None:
            body(*params)

        return self.piece(build, params)

    def slot(self, first: object, name: str) -> Value:
        """Append a variable that lives in memory."""
        slot = Value(SlotType(OPAQUE), name)
        self.append(SLOT, [as_value(first)], outputs=[slot])
        return slot

    def read(self, slot: Value) -> Value:
        """Append reading a variable."""
        return self.do("getitem", slot, 0, to=slot.name)

    def write(self, slot: Value, value: object) -> None:
        """Append writing a variable."""
        self.do("setitem", slot, 0, value)

    def log(self, word: object) -> None:
        """Append noting something in the list ``seen``."""
        self.do("method", self.seen, word, name="append")

    def checked(self, *values: object) -> Program:
        """Return the program of the finished graph, which is verified."""
        return lower(verify(self.returns(*values)))


def loop_with(s: Guarded, guarded: Callable[[Value, Value], None]) -> Value:
    """Append a loop over four items with one number as state; return it."""

    def trip(i: Value, total: Value) -> Value:
        guarded(i, total)
        return s.do("add", total, 1000)

    (total,) = s.for_(Constant(range(4)), {"total": 0}, trip, item=INT, type=INT)
    return total
