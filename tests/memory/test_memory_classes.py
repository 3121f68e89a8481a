"""Which values share memory, and which tier their classes are in."""

from __future__ import annotations

from runtime.ir.builder import Builder
from runtime.ir.graph import Graph, Value, walk, walk_regions
from runtime.ir.reader import read_graph
from runtime.ir.types import OPAQUE
from runtime.memory.classes import ESCAPED, AliasClasses, Tier, alias_classes, explain
from runtime.ops.catalog import OPERATIONS
from runtime.ops.registry import Alias, Effects, Operation, Sharing

assert OPERATIONS


def named(graph: Graph) -> dict[str, Value]:
    """Return the values of a graph by name."""
    regions = list(walk_regions(graph.body))
    params = [param for region in regions for param in region.params]
    outputs = [output for node in walk(graph.body) for output in node.outputs]
    return {value.name: value for value in (*params, *outputs)}


def analysed(text: str, *, overlapping: bool = False) -> tuple[AliasClasses, dict[str, Value]]:
    graph = read_graph(text)
    return alias_classes(graph, overlapping=overlapping), named(graph)


def tier(classes: AliasClasses, value: Value) -> Tier:
    (class_,) = classes.of(value)
    return classes.placement(class_).tier


def reason(classes: AliasClasses, value: Value) -> str:
    return classes.placement(classes.of(value)[0]).reason


def test_numbers_have_no_memory() -> None:
    classes, v = analysed("graph f(n: int, s: str) { a = add(n, 1) return a }")
    assert classes.of(v["n"]) == classes.of(v["a"]) == classes.of(v["s"]) == ()


def test_each_array_argument_has_its_class() -> None:
    classes, v = analysed("graph f(x: f64[n], y: f64[n]) { return x }")
    assert classes.of(v["x"]) != classes.of(v["y"])
    assert tier(classes, v["x"]) is Tier.VALUE
    assert set(classes.visible) == {ESCAPED, *classes.of(v["x"]), *classes.of(v["y"])}


def test_overlapping_arguments_are_one_class_in_the_memory_tier() -> None:
    classes, v = analysed("graph f(x: f64[n], y: f64[n]) { return x }", overlapping=True)
    assert classes.of(v["x"]) == classes.of(v["y"]) == (ESCAPED,)
    assert tier(classes, v["x"]) is Tier.MEMORY
    assert "overlap" in reason(classes, v["x"])


def test_a_view_by_basic_index_shares_and_stays_in_the_value_tier() -> None:
    classes, v = analysed("""
    graph f(x: f64[n]) {
      s = build_slice(1, None, None)
      view = getitem(x, s)
      setitem(view, 0, 1.0)
      return x
    }""")
    assert classes.of(v["view"]) == classes.of(v["x"])
    assert tier(classes, v["view"]) is Tier.VALUE


def test_a_fresh_result_shares_nothing() -> None:
    classes, v = analysed("graph f(x: f64[n]) { y = add(x, 1.0) z = add(x, 1.0) return z }")
    assert len({classes.of(v[name]) for name in "xyz"}) == 3
    assert classes.of(v["y"])[0] not in classes.visible


def test_an_in_place_operation_returns_the_same_object() -> None:
    classes, v = analysed("graph f(x: f64[n]) { y = iadd(x, 1.0) return y }")
    assert classes.root(v["y"]) is v["x"]
    assert tier(classes, v["y"]) is Tier.VALUE


MAYBE_VIEW = """
graph f(x: f64[n, 2]) {{
  flat = np.ravel(x)
  {write}
  return flat
}}"""


def test_a_view_or_a_copy_is_in_the_memory_tier_if_written() -> None:
    classes, v = analysed(MAYBE_VIEW.format(write="setitem(flat, 0, 1.0)"))
    assert classes.of(v["flat"]) == classes.of(v["x"])
    assert tier(classes, v["x"]) is Tier.MEMORY
    assert "np.ravel" in reason(classes, v["x"])
    classes, v = analysed(MAYBE_VIEW.format(write=""))
    assert tier(classes, v["x"]) is Tier.VALUE


def test_branches_join_their_arrays() -> None:
    classes, v = analysed("""
    graph f(c: bool_, a: f64[n], b: f64[n]) {
      t: f64[n] = if(c) then { yield a } else { yield b }
      setitem(t, 0, 9.0)
      return t
    }""")
    assert classes.of(v["a"]) == classes.of(v["b"]) == classes.of(v["t"])
    assert tier(classes, v["t"]) is Tier.MEMORY
    assert "one of several objects" in reason(classes, v["t"])


def test_branches_that_agree_are_that_object() -> None:
    classes, v = analysed("""
    graph f(c: bool_, a: f64[n]) {
      t: f64[n] = if(c) then { u = iadd(a, 1.0) yield u } else { yield a }
      return t
    }""")
    assert classes.root(v["t"]) is v["a"]
    assert tier(classes, v["t"]) is Tier.VALUE


def test_only_the_taken_branch_of_a_constant_test_counts() -> None:
    classes, v = analysed("""
    graph f(a: f64[n], b: f64[n]) {
      t: f64[n] = if(True) then { yield a } else { yield b }
      return t
    }""")
    assert classes.of(v["a"]) != classes.of(v["b"])


def test_swapped_references_are_joined() -> None:
    classes, v = analysed("""
    graph f(u: f64[n], v: f64[n]) {
      p: f64[n], q: f64[n] = for(range(0, 3, 1), u, v) body (i: int, u1: f64[n], v1: f64[n]) {
        setitem(v1, 0, 1.0)
        yield v1, u1
      }
      r = build_tuple(p, q)
      return r
    }""")
    assert len({classes.of(v[name]) for name in ("u", "v", "u1", "v1", "p", "q")}) == 1
    assert tier(classes, v["u"]) is Tier.MEMORY


def test_a_reference_that_every_trip_keeps_stays_itself() -> None:
    classes, v = analysed("""
    graph f(u: f64[n], v: f64[n]) {
      p: f64[n], q: f64[n] = for(range(0, 3, 1), u, v) body (i: int, u1: f64[n], v1: f64[n]) {
        w = iadd(u1, 1.0)
        yield w, v1
      }
      return p
    }""")
    assert classes.root(v["p"]) is v["u"] and classes.root(v["q"]) is v["v"]
    assert classes.of(v["u"]) != classes.of(v["v"])
    assert tier(classes, v["u"]) is Tier.VALUE


def test_an_array_replaced_by_a_view_of_itself_is_no_fixed_name() -> None:
    classes, v = analysed("""
    graph f(u: f64[n]) {
      p: f64[?] = for(range(0, 3, 1), u) body (i: int, u1: f64[?]) {
        s = build_slice(1, None, None)
        w = getitem(u1, s)
        yield w
      }
      return p
    }""")
    assert classes.root(v["p"]) is not v["u"]
    assert classes.of(v["p"]) == classes.of(v["u"])
    assert tier(classes, v["u"]) is Tier.MEMORY


def test_what_breaks_and_continues_hand_over_counts() -> None:
    classes, v = analysed("""
    graph f(c: bool_, a: f64[n], b: f64[n], d: f64[n]) {
      p: f64[n] = while(a) test (a1: f64[n]) { yield c } body (a2: f64[n]) {
        if(c) then { break b } else { continue d }
        unreachable
      }
      return p
    }""")
    assert classes.of(v["a"]) == classes.of(v["d"]) == classes.of(v["b"]) == classes.of(v["p"])


def test_what_a_block_returns_counts() -> None:
    classes, v = analysed("""
    graph f(c: bool_, a: f64[n], b: f64[n]) {
      p: f64[n] = block() body {
        if(c) then { return a } else { yield }
        return b
      }
      return p
    }""")
    assert classes.of(v["a"]) == classes.of(v["b"]) == classes.of(v["p"])


def test_rows_of_a_loop_share_with_the_matrix() -> None:
    classes, v = analysed("""
    graph f(m: f64[n, 2]) {
      for(m) body (row: f64[2]) {
        r = iadd(row, 1.0)
        yield
      }
      return m
    }""")
    assert classes.of(v["row"]) == classes.of(v["m"])
    assert tier(classes, v["m"]) is Tier.MEMORY


def test_storing_in_a_list_escapes() -> None:
    classes, v = analysed("""
    graph f(x: f64[n]) {
      y = add(x, 1.0)
      xs = build_list()
      t = method(xs, y) [name="append"]
      return xs
    }""")
    assert classes.of(v["y"]) == (ESCAPED,)
    assert classes.of(v["x"]) != (ESCAPED,)
    assert classes.of(v["xs"]) != (ESCAPED,)
    assert tier(classes, v["xs"]) is Tier.MEMORY


def test_being_an_item_of_a_list_display_escapes() -> None:
    classes, v = analysed("graph f(x: f64[n]) { y = add(x, 1.0) xs = build_list(y) return xs }")
    assert classes.of(v["y"]) == (ESCAPED,)


def test_what_comes_from_a_list_may_be_anything_reachable() -> None:
    classes, v = analysed("graph f(xs: list, x: f64[n]) { y = getitem(xs, 0) return y }")
    assert classes.of(v["y"]) == (ESCAPED,)
    assert classes.reach(classes.of(v["y"])) == tuple(sorted((ESCAPED, *classes.of(v["x"]))))


def test_what_a_loop_takes_from_a_list_may_be_anything_reachable() -> None:
    classes, v = analysed("""
    graph f(x: f64[n]) {
      xs = build_list(x)
      for(xs) body (item: opaque) { yield }
      return 1
    }""")
    assert classes.of(v["item"]) == (ESCAPED,)


def test_a_part_of_a_container_may_be_anything_reachable() -> None:
    part = Operation(
        "part", lambda x: x, lambda inputs, attrs: (OPAQUE,),
        lambda inputs, attrs: Effects(aliases=(Alias(Sharing.MAYBE, (0,)),)),
    )  # fmt: skip
    build = Builder()
    xs, = build.append(OPERATIONS["build_list"], [])
    y, = build.append(part, [xs])
    build.end("return", [y])
    assert alias_classes(build.graph("f")).of(y) == (ESCAPED,)


def test_a_tuple_leads_to_each_of_its_items() -> None:
    classes, v = analysed("""
    graph f(x: f64[n]) { y = add(x, 1.0) t = build_tuple(x, y) return t }""")
    assert classes.of(v["t"]) == (*classes.of(v["x"]), *classes.of(v["y"]))
    assert classes.of(v["x"]) != classes.of(v["y"])


def test_an_island_takes_its_arguments_and_the_callers_arrays_to_the_memory_tier() -> None:
    classes, v = analysed("""
    graph f(g: opaque, x: f64[n], z: f64[n]) {
      y = add(x, 1.0)
      kept = add(x, 2.0)
      t = call(g, y)
      return z
    }""")
    assert classes.of(v["y"]) == (ESCAPED,)
    assert tier(classes, v["z"]) is Tier.MEMORY
    assert "not compiled" in reason(classes, v["z"])
    assert tier(classes, v["kept"]) is Tier.VALUE


def test_one_partition_for_two_graphs_joins_what_either_joins() -> None:
    before = read_graph("graph f(a: f64[n], b: f64[n]) { s = build_tuple(a, b) return s }")
    joined = read_graph("""graph f(c: bool_, a: f64[n], b: f64[n]) {
      t: f64[n] = if(c) then { yield a } else { yield b } return t }""")
    classes = alias_classes(before, joined)
    v = named(joined)
    assert classes.of(v["a"]) == classes.of(v["b"])


def test_explain_tells_the_line_that_moved_a_written_array_to_the_memory_tier() -> None:
    graph = read_graph("""
    graph f(c: bool_, a: f64[n], b: f64[n]) {
      t: f64[n] = if(c) at 7:0 to 7:20 in "f" then { yield a } else { yield b }
      setitem(t, 0, 9.0)
      return t
    }""")
    assert explain(graph, alias_classes(graph)) == ("line 7: a, b, t: t is one of several objects",)
