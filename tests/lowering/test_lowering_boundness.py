"""Checks for unbound names that can never fail are found, and no others."""

from __future__ import annotations

import pytest

from runtime.ir.graph import walk
from runtime.ir.reader import read_graph
from runtime.ir.verifier import verify
from runtime.lowering.boundness import needless_checks
from runtime.ops.catalog import OPERATIONS
from runtime.ops.containers import UNBOUND_MARKER

assert OPERATIONS
HEAD = "graph f(c: bool, xs: list, m: opaque, g: opaque) { s: slot<int | unbound> = slot(@unbound) "
READ = "r = getitem(s, 0) v: int = check_bound(r) [name=\"s\"] "
SET = "setitem(s, 0, 1) "
DELETE = "setitem(s, 0, @unbound) "
CALL = "k = call(g) "


def needed(body: str) -> bool:
    """Tell whether the check of the value ``r`` is needed."""
    text = HEAD + body + " return 0 }"
    graph = verify(read_graph(text, {"unbound": UNBOUND_MARKER}.__getitem__))
    needless = needless_checks(graph.body)
    checks = [n for n in walk(graph.body) if n.op.name == "check_bound" and n.inputs[0].name == "r"]
    (check,) = checks
    return check not in needless


@pytest.mark.parametrize(
    "body",
    [
        SET + READ,
        "r0 = getitem(s, 0) v0: int = check_bound(r0) [name=\"s\"] " + READ,
        "if(c) then { " + SET + "yield } else { " + SET + "yield } " + READ,
        "if(c) then { return 0 } else { " + SET + "yield } " + READ,
        SET + "for(xs) body (i: opaque) { " + READ + SET + "yield }",
        "for(xs) body (i: opaque) { " + SET + READ + "yield }",
        "for(xs) body (i: opaque) { if(c) then { " + SET + "break } else { yield } yield } "
        "orelse { " + SET + "yield } " + READ,
        "while() test { " + SET + "yield c } body { yield } " + READ,
        "block() body { if(c) then { " + SET + "return } else { yield } " + SET + "return } "
        + READ,
        SET + "try(@ValueError) body { " + CALL + "yield } except (e: opaque) { yield } " + READ,
        "try(@ValueError) body { " + SET + CALL + "yield } except (e: opaque) { return 1 } " + READ,
        "try(@ValueError) body { " + CALL + "yield } except (e: opaque) { return 1 } " + SET + READ,
        "try(@ValueError) body { " + CALL + SET + "yield } except (e: opaque) { " + SET + "yield } "
        + READ,
        "try() [final=True] body { " + CALL + "yield } final { " + SET + "yield } " + READ,
        "try(@ValueError) [orelse=True] body { " + SET + "yield } except (e: opaque) { yield } "
        "orelse { " + READ + "yield }",
        SET + "with(m) body (e: opaque) { " + CALL + "yield } " + READ,
        "with(m) body (e: opaque) { setitem(s, 0, 2) " + READ + "yield }",
        "for(xs) body (i: opaque) { u: slot<opaque> = slot(i) r = getitem(u, 0) "
        'v: opaque = check_bound(r) [name="u"] yield }',
        "for(xs) body (i: opaque) { setitem(s, 0, 2) t = getitem(s, 0) setitem(s, 0, t) "
        + READ + "yield }",
    ],
)
def test_check_that_cannot_fail_is_found(body: str) -> None:
    assert not needed(body)


@pytest.mark.parametrize(
    "body",
    [
        READ,
        SET + DELETE + READ,
        "if(c) then { " + SET + "yield } else { yield } " + READ,
        "for(xs) body (i: opaque) { " + SET + "yield } " + READ,
        "for(xs) body (i: opaque) { " + READ + SET + "yield }",
        SET + "for(xs) body (i: opaque) { " + READ + DELETE + "yield }",
        SET + "while() test { " + READ + "yield c } body { " + DELETE + "yield }",
        "for(xs) body (i: opaque) { if(c) then { break } else { yield } yield } "
        "orelse { " + SET + "yield } " + READ,
        "block() body { if(c) then { return } else { yield } " + SET + "return } " + READ,
        "try(@ValueError) body { " + SET + CALL + "yield } except (e: opaque) { yield } " + READ,
        "try(@ValueError) body { " + SET + CALL + "yield } except (e: opaque) { " + READ
        + "yield }",
        SET + "try(@ValueError) body { " + DELETE + SET + "yield } except (e: opaque) { " + READ
        + "yield }",
        "try() [final=True] body { " + SET + "yield } final { " + READ + "yield }",
        SET + "try() [final=True] body { " + CALL + "yield } final { " + DELETE + "yield } " + READ,
        SET + "for(xs) body (i: opaque) { try() [final=True] body { break } final { " + DELETE
        + "yield } unreachable } " + READ,
        "try(@ValueError) [orelse=True] body { yield } except (e: opaque) { yield } "
        "orelse { " + SET + "yield } " + READ,
        "with(m) body (e: opaque) { " + SET + "yield } " + READ,
        SET + "with(m) body (e: opaque) { " + DELETE + CALL + SET + "yield } " + READ,
        SET + "block() body { try() [final=True] body { return } final { " + DELETE
        + "yield } unreachable } " + READ,
        SET + "try() [final=True] body { " + DELETE + CALL + SET + "yield } final { " + READ
        + "yield }",
        "t: opaque = if(c) then { yield g } else { yield @unbound } u: slot<opaque> = slot(t) "
        'r = getitem(u, 0) v: opaque = check_bound(r) [name="u"]',
        "t: int | unbound = if(c) then { yield 1 } else { yield @unbound } q = getitem(s, 0) "
        'w: int = check_bound(t) [name="t"] ' + READ,
        "r0 = getitem(s, 0) " + SET + DELETE + "v0: int = check_bound(r0) [name=\"s\"] " + READ,
        "t: int | unbound = if(c) then { yield 1 } else { yield @unbound } setitem(s, 0, t) "
        + READ,
    ],
)
def test_check_that_may_fail_stays(body: str) -> None:
    assert needed(body)
