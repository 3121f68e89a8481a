"""Which names are still wanted.

Owns the backward analysis over one control-flow graph: a name is *live* at a point when some path
from there reads it before it is bound again. It leaves the paths to `cfg`. Invariant: names that an
inner function captures are live everywhere, since it may be called at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .cfg import Graph, Node


@dataclass(frozen=True)
class Liveness:
    """Names live before and after each node of a graph, by node number."""

    before: tuple[frozenset[str], ...]
    after: tuple[frozenset[str], ...]


def analyze(graph: Graph, always: Iterable[str] = ()) -> Liveness:
    r"""Return the live names at every node of `graph`.

    Parameters
    ----------
    graph : Graph
    always : iterable of str
        Names that are live everywhere.

    Examples
    --------
    A loop that runs zero times hands on the value from before it:

    >>> import gast
    >>> from . import cfg, scope
    >>> text = "def f(xs, y):\n  for x in xs: y = x\n  return y"
    >>> function = gast.parse(text).body[0]
    >>> graph = cfg.build(function, scope.analyze(function))
    >>> sorted(analyze(graph).before[graph.index[function.body[0], "head"]])
    ['y']
    """
    forever = frozenset(always)
    before = [forever for _ in graph.nodes]
    after = [forever for _ in graph.nodes]
    predecessors = graph.predecessors()
    waiting = list(range(len(graph.nodes)))  # the last node first: most edges lead forward
    queued = [True for _ in waiting]
    while waiting:
        number = waiting.pop()
        queued[number] = False
        node = graph.nodes[number]
        after[number] = forever.union(*(before[successor] for successor in node.successors))
        live = _through(node, after[number]) | forever
        if live != before[number]:
            before[number] = live
            for predecessor in predecessors[number]:
                if not queued[predecessor]:
                    queued[predecessor] = True
                    waiting.append(predecessor)
    return Liveness(tuple(before), tuple(after))


def _through(node: Node, after: frozenset[str]) -> frozenset[str]:
    live = set(after)
    for event in reversed(node.events):
        if event.kind == "write" and event.certain:
            live.discard(event.name)
        elif event.kind == "delete":
            # Deleting an unbound name raises, so a deletion looks at the name first.
            live.add(event.name)
        elif event.kind == "read":
            live.add(event.name)
    return frozenset(live)
