"""Graphs of any size, for pictures: chains of operations with a branch in a loop now and then."""

from __future__ import annotations

from runtime.ir.graph import Graph
from runtime.ir.reader import read_graph
from runtime.ops.catalog import OPERATIONS

assert "add" in OPERATIONS  # the reader knows what the catalog has entered


def graph_of(operations: int) -> Graph:
    """Return a graph with at least that many operations, regions included."""
    lines = ["graph big(v0: f64[n], m: int) -> f64[n] {"]
    count, last = 0, "v0"
    while count < operations:
        name = f"v{count + 1}"
        if count % 10 == 5:
            lines += [
                f"  {name}: f64[n] = for(m, {last}) body (i: int, s{name}: f64[n]) {{",
                f"    c{name}: bool = gt(i, 3)",
                f"    t{name}: f64[n] = if(c{name}) then {{",
                f"      w{name}: f64[n] = mul(s{name}, v0)",
                f"      yield w{name}",
                "    } else {",
                f"      setitem(s{name}, 0, 1.0)",
                f"      yield s{name}",
                "    }",
                f"    yield t{name}",
                "  }",
            ]
            count += 5
        else:
            lines.append(f"  {name}: f64[n] = add({last}, {'v0' if count % 3 else last})")
            count += 1
        last = name
    return read_graph("\n".join([*lines, f"  return {last}", "}"]) + "\n")
