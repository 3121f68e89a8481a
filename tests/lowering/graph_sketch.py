"""Short notation for building graphs by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.ir.builder import Builder
from runtime.ir.graph import Constant, Graph, Origin, Region, Value
from runtime.ir.types import OPAQUE, Type
from runtime.lowering.program import Program, lower
from runtime.ops.catalog import OPERATIONS
from runtime.ops.control import BLOCK, FOR, IF, WHILE

Operand = object
Body = Callable[..., object]
"""Builds a region: gets its parameters, returns the values it yields (or ends it itself)."""


class Sketch(Builder):
    """A builder that takes Python objects for constants and functions for regions."""

    def __init__(self, **params: Type) -> None:
        super().__init__()
        for name, type_ in params.items():
            setattr(self, name, self.param(type_, name))

    def __getattr__(self, name: str) -> Value:
        """Return a parameter; this is for the type checker."""
        raise AttributeError(name)

    def do(
        self, name: str, /, *inputs: Operand, to: str = "", at: Origin | None = None,
        **attrs: object,
    ) -> Value:  # fmt: skip
        """Append an operation and return its output (the first, or None if it has none)."""
        outputs = self.do_all(name, *inputs, to=to, at=at, **attrs)
        return outputs[0] if outputs else None

    def do_all(
        self, name: str, /, *inputs: Operand, to: str = "", at: Origin | None = None,
        **attrs: object,
    ) -> tuple[Value, ...]:  # fmt: skip
        """Append an operation and return its outputs, named as `to` says."""
        op = OPERATIONS[name]
        types = op.result_types([as_value(i) for i in inputs], attrs)
        names = to.split() + [""] * len(types)
        outputs = [Value(t, n) for t, n in zip(types, names, strict=False)]
        return self.append(op, [as_value(i) for i in inputs], attrs, outputs=outputs, origin=at)

    def piece(self, body: Body, params: Sequence[Value] = (), kind: str = "yield") -> Region:
        """Return the region that `body` builds."""
        with self.region(params) as region:
            result = body(*params)
            if region.end is None:
                values = () if result is None else result
                values = values if isinstance(values, tuple) else (values,)
                self.end(kind, [as_value(value) for value in values])
            return region.close()

    def jump(self, kind: str, *values: Operand) -> None:
        """End the region."""
        self.end(kind, [as_value(value) for value in values])

    def if_(
        self, test: Operand, then: Body, orelse: Body, to: str = "", at: Origin | None = None
    ) -> tuple[Value, ...]:
        """Append an ``if``; `to` names its outputs."""
        regions = [self.piece(then), self.piece(orelse)]
        return self.append(
            IF, [as_value(test)], regions=regions, outputs=named(to), origin=at
        )

    def while_(
        self,
        state: dict[str, Operand],
        test: Body,
        body: Body,
        orelse: Body | None = None,
        type: Type = OPAQUE,
    ) -> tuple[Value, ...]:
        """Append a ``while`` over the state of these names and initial values."""
        bodies = [test, body] if orelse is None else [test, body, orelse]
        regions = [self.piece(b, [Value(type, n) for n in state]) for b in bodies]
        outputs = [Value(type, n) for n in state]
        inits = [as_value(value) for value in state.values()]
        return self.append(WHILE, inits, regions=regions, outputs=outputs)

    def for_(
        self,
        iterable: Operand,
        state: dict[str, Operand],
        body: Body,
        orelse: Body | None = None,
        item: Type = OPAQUE,
        name: str = "i",
        type: Type = OPAQUE,
    ) -> tuple[Value, ...]:
        """Append a ``for``."""
        regions = [self.piece(body, [Value(item, name), *(Value(type, n) for n in state)])]
        if orelse is not None:
            regions.append(self.piece(orelse, [Value(type, n) for n in state]))
        outputs = [Value(type, n) for n in state]
        inits = [as_value(iterable), *map(as_value, state.values())]
        return self.append(FOR, inits, regions=regions, outputs=outputs)

    def block(self, body: Body, to: str = "") -> tuple[Value, ...]:
        """Append a ``block``."""
        return self.append(
            BLOCK, [], regions=[self.piece(body, kind="return")], outputs=named(to)
        )

    def returns(self, *values: Operand, name: str = "f", file: str = "<graph>") -> Graph:
        """Return the finished graph."""
        if self.current.end is None:
            self.end("return", [as_value(value) for value in values])
        return self.graph(name, file)

    def program(self, *values: Operand, name: str = "f", file: str = "<graph>") -> Program:
        """Return the program of the finished graph."""
        return lower(self.returns(*values, name=name, file=file))


def as_value(operand: Operand) -> Value:
    """Return a value as it is, anything else as a constant."""
    return operand if isinstance(operand, Value) else Constant(operand)


def named(names: str) -> list[Value]:
    """Return new values of these names; ``_`` is no name."""
    return [Value(OPAQUE, "" if name == "_" else name) for name in names.split()]
