"""The faults that `mutants.py` plants, from the front end to the call path."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    name: str
    fault: str
    """What goes wrong, in words."""
    file: str
    """Path in the project."""
    old: str
    """The right text; it stands exactly once in the file."""
    new: str
    tests: tuple[str, ...]
    """Arguments for pytest: the tests that must fail."""


def corpus(*names: str) -> tuple[str, ...]:
    """Return the tests that compare functions of the corpus, plain and compiled."""
    test = "tests/differential/test_differential.py::test_compiled_agrees_with_plain"
    return tuple(f"{test}[{name}]" for name in names)


def memory(*names: str) -> tuple[str, ...]:
    """Return memory programs."""
    return tuple(f"tests/test_memory_programs.py::test_{name}" for name in names)


def rereading(*names: str) -> tuple[str, ...]:
    """Return tests of calls after something outside has changed."""
    return tuple(f"tests/test_rereading.py::test_{name}" for name in names)


FRONT_END = [
    Mutant(
        "state lost on break",
        "a break hands on no state",
        "autograph/operators/control.py",
        'raise LoopJump("break", state)',
        'raise LoopJump("break", ())',
        corpus("jumps.break_keeps_values", "jumps.newton"),
    ),
    Mutant(
        "zero-trip loop",
        "a name that only the code after a loop reads is no state of the loop",
        "autograph/converters/facts.py",
        "if name in after or name in head or name in needed",
        "if name in head or name in needed",
        corpus("control_flow.loop_variable_survives", "unbound_names.old_value_survives"),
    ),
    Mutant(
        "old value not handed in",
        "a loop starts from an unbound name although the name is bound",
        "autograph/converters/facts.py",
        "if known.get(n) == Status.UNBOUND or n not in head",
        "if known.get(n) == Status.UNBOUND or n in head",
        corpus("unbound_names.old_value_survives", "control_flow.collatz"),
    ),
    Mutant(
        "loop else dropped",
        "the else of a loop never runs",
        "autograph/converters/control.py",
        "if node.orelse and self.is_reached(node.orelse[0]):",
        "if node.orelse and not self.is_reached(node.orelse[0]):",
        corpus("jumps.loop_else", "jumps.for_else_value"),
    ),
    Mutant(
        "liveness stops at the back edge",
        "what only the next trip reads is not live at the end of a trip",
        "autograph/syntax/liveness.py",
        "forever.union(*(before[successor] for successor in node.successors))",
        "forever.union(*(before[successor] for successor in node.successors if successor > number))",
        corpus("unbound_names.previous_trip", "unbound_names.first_trip_unbound"),
    ),
    Mutant(
        "first path decides definedness",
        "a name bound on one of two paths counts as bound",
        "autograph/syntax/definedness.py",
        "joined = target.get(name, Status.UNREACHABLE) | status",
        "joined = target.get(name) or status",
        corpus("unbound_names.bound_in_one_branch", "unbound_names.loop_variable_unbound"),
    ),
    Mutant(
        "del does not unbind",
        "after del the name still counts as bound",
        "autograph/syntax/definedness.py",
        "after = Status.UNBOUND",
        "after = Status.BOUND",
        corpus("unbound_names.deleted"),
    ),
    Mutant(
        "rest after an early return",
        "what follows `if c: return a` is lost",
        "autograph/converters/desugar.py",
        "statement.orelse = statement.orelse + rest",
        "statement.orelse = statement.orelse + rest[:-1]",
        corpus("jumps.early_return_guard", "functions.captured_global"),
    ),
    Mutant(
        "break of the wrong loop",
        "the cfg sends a continue past the loop",
        "autograph/syntax/cfg.py",
        'self.connect(self.add(statement, "run"), self.loops[-1][0])',
        'self.loops[-1][1].append(self.add(statement, "run"))',
        corpus("jumps.continue_in_while", "jumps.all_jumps", "jumps.continue_skips"),
    ),
    Mutant(
        "middle operand evaluated twice",
        "a chained comparison computes its middle operand again",
        "autograph/operators/logic.py",
        "lambda: compare(second, *rest)",
        "lambda: compare(thunk(), *rest)",
        ("tests/differential/test_expressions.py::test_middle_operand_is_computed_once",),
    ),
    Mutant(
        "or gives a bool",
        "`or` returns the truth of its operand",
        "autograph/operators/logic.py",
        "return control.cond(tracer, first, lambda: first, lambda: or_(rest[0](), *rest[1:]), (), ())",
        "return control.cond(tracer, first, lambda: True, lambda: or_(rest[0](), *rest[1:]), (), ())",
        corpus("control_flow.operands_returned"),
    ),
]

TRACER = [
    Mutant(
        "branches swapped",
        "the then branch is recorded as the else branch",
        "runtime/tracing/control.py",
        "for function, region in zip((then, otherwise), branches, strict=True)",
        "for function, region in zip((otherwise, then), branches, strict=True)",
        corpus("control_flow.absolute", "control_flow.sign_of_sum"),
    ),
    Mutant(
        "no join at the back edge",
        "types at the end of a trip do not reach its start",
        "runtime/tracing/inference.py",
        "state = [join(a, b) for a, b in zip(state, arriving, strict=True)]",
        "state = list(state)",
        corpus("joins.int_becomes_float", "control_flow.halve_until_small"),
    ),
    Mutant(
        "no join from continue",
        "types at a continue do not reach the next trip",
        "runtime/tracing/inference.py",
        'back = [*exits(body, "yield"), *exits(body, "continue")]',
        'back = [*exits(body, "yield")]',
        ("tests/differential/test_expressions.py::test_type_that_comes_from_a_continue",),
    ),
    Mutant(
        "no join from break",
        "types at a break do not reach the code after the loop",
        "runtime/tracing/inference.py",
        'breaks = list(exits(body, "break"))',
        'breaks = list(exits(body, "return"))',
        ("tests/differential/test_expressions.py::test_type_that_comes_from_a_break",),
    ),
    Mutant(
        "promoted join",
        "an int and a float join to float",
        "runtime/ir/lattice.py",
        "if isinstance(a, NumberType) and isinstance(b, NumberType) and a.kind == b.kind:",
        "if isinstance(a, NumberType) and isinstance(b, NumberType):",
        corpus("joins.number_kinds_differ", "joins.swap_kinds", "joins.bool_or_int"),
    ),
    Mutant(
        "extents kept at a join",
        "two lengths join to the first",
        "runtime/ir/lattice.py",
        "tuple(x if x == y else None for x, y in extents)",
        "tuple(x for x, y in extents)",
        ("tests/differential/test_expressions.py::test_length_that_depends_on_a_branch",),
    ),
    Mutant(
        "questions not asked again",
        "a loop body that asked for a type keeps the first answer",
        "runtime/tracing/control.py",
        "if all(seen.holds() for seen in tracer.observations[mark.observations :]):",
        "if True:",
        ("tests/differential/test_expressions.py::test_rank_asked_round_a_loop",),
    ),
    Mutant(
        "signed zeros are one",
        "0.0 and -0.0 count as one static value",
        "runtime/tracing/control.py",
        "return repr(a) == repr(b)",
        "return a == b",
        ("tests/differential/test_expressions.py::test_zeros_of_both_signs_in_branches",),
    ),
    Mutant(
        "effect baked",
        "a call with known arguments is made while tracing",
        "autograph/environment/world.py",
        "return self.tracer.island(function, args, kwargs)",
        "return function(*args, **kwargs)  # type: ignore[operator]",
        (
            "tests/test_no_effects.py::test_calls_with_effects_are_not_made",
            "tests/test_no_effects.py::test_draws_differ_from_call_to_call",
        ),
    ),
    Mutant(
        "stale guard",
        "a global text or number built into a trace has no guard",
        "autograph/environment/world.py",
        "self.guards[path] = (EqualGuard if by_value else IdentityGuard)(path, live)",
        "pass",
        rereading("a_rebound_global_is_seen[text]", "a_rebound_global_is_seen[function]"),
    ),
    Mutant(
        "absent global not guarded",
        "a builtin that a global comes to shadow is not noticed",
        "autograph/environment/world.py",
        "self.guards.setdefault(path, AbsentGuard(path))",
        "pass",
        rereading("a_global_that_comes_to_hide_a_builtin_is_seen"),
    ),
    Mutant(
        "write lost in a failed unrolling",
        "what an unrolled loop recorded stays when the loop is staged after all",
        "runtime/tracing/tracer.py",
        "del mark.region.nodes[mark.nodes :]",
        "pass",
        corpus("control_flow.short_constant_range", "control_flow.three_deep", "jumps.while_true"),
    ),
]

MEMORY = [
    Mutant(
        "read hoisted over a write",
        "two equal reads with a write between them are one",
        "runtime/passes/cse.py",
        "versions = self._order.version(node)",
        "versions = ()",
        corpus("writes.view_read_after_write", "writes.base_read_after_write"),
    ),
    Mutant(
        "escaped buffers merged",
        "two fresh arrays that are returned become one",
        "runtime/passes/cse.py",
        "if not one_object and (self._identity.matters(a) or self._identity.matters(b)):",
        "if False:",
        ("tests/differential/test_expressions.py::test_equal_arrays_are_two_objects",),
    ),
    Mutant(
        "dead raise removed",
        "an unused operation that may raise is dropped",
        "runtime/memory/effects.py",
        "return bool(effects.calls or effects.writes or effects.raises >= Raises.SHAPE)",
        "return bool(effects.calls or effects.writes)",
        corpus("failures.unused_result_raises"),
    ),
    Mutant(
        "dead write removed",
        "a write is dropped when nobody in the program reads it",
        "runtime/memory/effects.py",
        "return bool(effects.calls or effects.writes or effects.raises >= Raises.SHAPE)",
        "return bool(effects.calls or effects.raises > Raises.VALUE)",
        corpus("writes.fill_squares", "writes.augment_in_loop", "writes.methods_in_place"),
    ),
    Mutant(
        "back edge without memory",
        "what the last trip wrote is not seen at the start of the next",
        "runtime/memory/order.py",
        'head[class_] = Version("merge", class_, node.key, [before])',
        "pass",
        (
            "tests/memory",
            "tests/differential/test_expressions.py::test_read_round_a_loop_of_writes",
        ),
    ),
    Mutant(
        "views forgotten",
        "a view is in no class with its base",
        "runtime/memory/classes.py",
        'self.bind(output, shared, apart=node.op.name == "build_tuple")',
        "self.bind(output, (), apart=False)",
        corpus(
            "writes.base_read_after_write",
            "writes.view_round_a_loop",
            "writes.view_read_after_write",
        ),
    ),
    Mutant(
        "chosen reference forgotten",
        "a name that is one of two arrays shares no class with them",
        "runtime/memory/classes.py",
        "self.bind(value, [atom for source in both for atom in self.atoms_of(source)])",
        "self.bind(value, ())",
        ("tests/differential/test_expressions.py::test_write_through_a_chosen_name",),
    ),
    Mutant(
        "arguments never overlap",
        "the program for overlapping arguments takes them apart",
        "runtime/memory/classes.py",
        "if self.overlapping or not _is_buffer(param.type):",
        "if not _is_buffer(param.type):",
        memory("08_overlapping_arguments_read_before_the_write"),
    ),
    Mutant(
        "one constant for 1 and True",
        "equal constants of different classes are one",
        "runtime/memory/constants.py",
        "return (cls.__name__, payload)",
        "return payload",
        ("tests/memory", "tests/passes"),
    ),
    Mutant(
        "wrong branch pruned",
        "a branch on a constant test keeps the other side",
        "runtime/passes/prune.py",
        "node.regions[0 if truth else 1]",
        "node.regions[1 if truth else 0]",
        ("tests/passes",),
    ),
    Mutant(
        "plus of a bool",
        "+True is True",
        "runtime/passes/simplify.py",
        'number = isinstance(type_, NumberType) and type_.kind != "bool"',
        "number = isinstance(type_, NumberType)",
        ("tests/differential/test_expressions.py::test_plus_of_a_bool",),
    ),
]

EMITTER = [
    Mutant(
        "parallel copy sequentialised",
        "a swap overwrites what it still has to read",
        "runtime/lowering/emit.py",
        "if any(number[value] in set_before for value in variables(source)):",
        "if False:",
        corpus("control_flow.gcd", "joins.swap_kinds", "containers.tuple_state"),
    ),
    Mutant(
        "copy lost to coalescing",
        "a value that is still to be read shares its variable with a new one",
        "runtime/lowering/coalesce.py",
        "self._set(target, live & ~(copied & ~targets))",
        "self._set(target, 0)",
        corpus("jumps.break_with_swap", "writes.swapped_buffers", "unbound_names.previous_trip"),
    ),
    Mutant(
        "nested read moved over a write",
        "an expression that reads memory waits across a write",
        "runtime/lowering/ordering.py",
        "READS: WRITES",
        "READS: NOTHING",
        memory("03_value_read_before_a_write", "05_swap_of_scalars"),
    ),
    Mutant(
        "exceptions swapped",
        "two expressions that may raise change places",
        "runtime/lowering/ordering.py",
        "RAISES: RAISES | WRITES",
        "RAISES: WRITES",
        ("tests/differential/test_expressions.py::test_first_of_two_errors_wins",),
    ),
    Mutant(
        "raise moved over a write",
        "an expression that may raise waits across a write",
        "runtime/lowering/ordering.py",
        "WRITES: EVERYTHING",
        "WRITES: READS",
        ("tests/differential/test_expressions.py::test_write_before_a_failing_expression",),
    ),
    Mutant(
        "value before target",
        "the index of an assignment is evaluated before its value",
        "runtime/lowering/ordering.py",
        '"setitem": (2, 0, 1)',
        '"setitem": (0, 1, 2)',
        (
            "tests/differential/test_expressions.py::test_value_of_an_assignment_fails_first",
            "tests/lowering",
        ),
    ),
    Mutant(
        "break values lost",
        "a break does not set what comes after the loop",
        "runtime/lowering/schedule.py",
        "self._transfer(target.outputs, values, end.origin)",
        "pass",
        corpus("jumps.break_keeps_values", "jumps.return_from_loop"),
    ),
    Mutant(
        "continue values lost",
        "a continue does not set the state of the next trip",
        "runtime/lowering/schedule.py",
        "self._transfer(context.loop.state, values, end.origin)",
        "pass",
        corpus("jumps.continue_skips", "jumps.continue_in_while"),
    ),
    Mutant(
        "print lost",
        "a call whose result nobody reads is not emitted",
        "runtime/lowering/emit.py",
        "return ast.Expr(value)",
        "return ast.Pass()",
        corpus("texts.printed_in_loop", "texts.printed_in_branches"),
    ),
    Mutant(
        "loop else after a break",
        "the else of a loop runs after a break, too",
        "runtime/lowering/emit.py",
        "if orelse and (loop.is_left or loop.flags):",
        "if False:",
        corpus("jumps.loop_else", "jumps.for_else_value", "jumps.return_from_two_loops"),
    ),
    Mutant(
        "flag of a far jump not reset",
        "a jump out of two loops is remembered by later trips",
        "runtime/lowering/emit.py",
        "before.append(place(off, origin))",
        "pass",
        corpus(
            "jumps.return_from_two_loops", "jumps.else_that_breaks", "jumps.else_that_continues"
        ),
    ),
    Mutant(
        "wrong line",
        "nodes of a program stand at the first line of its function",
        "runtime/lowering/origins.py",
        "",
        "",
        corpus("failures.raised_in_loop", "failures.order_of_errors"),
    ),
]

CALL_PATH = [
    Mutant(
        "dtype not guarded",
        "a trace serves arrays of every dtype",
        "autograph/environment/guards.py",
        "",
        "",
        rereading("an_argument_of_another_type_is_served_rightly[dtypes]"),
    ),
    Mutant(
        "rank not guarded",
        "a trace serves arrays of every rank",
        "autograph/environment/guards.py",
        'parts.append(f"{text}.ndim == {type_.rank}")',
        "pass",
        rereading("an_argument_of_another_type_is_served_rightly[ranks]"),
    ),
    Mutant(
        "overlap not guarded",
        "the program for separate arguments serves overlapping ones",
        "autograph/callpath.py",
        "for a, b in entry.separate:",
        "for a, b in ():",
        rereading("overlap_of_arguments_counts", "overlap_with_a_global_counts"),
    ),
    Mutant(
        "subclass of int taken for an int",
        "numbers are guarded by isinstance",
        "autograph/environment/guards.py",
        'return f"type({text}) is {type_.kind}"',
        'return f"isinstance({text}, {type_.kind})"',
        rereading(
            "subclasses_are_not_taken_for_arrays",
            "an_argument_of_another_type_is_served_rightly[numbers]",
        ),
    ),
    Mutant(
        "eager mode ignored",
        "a compiled function runs its program inside `eager()`",
        "autograph/callpath.py",
        "",
        "",
        rereading("eager_is_the_plain_function", "run_eagerly_switches_back_and_forth"),
    ),
    Mutant(
        "length of a tuple not guarded",
        "a trace serves tuples of every length",
        "autograph/environment/guards.py",
        'parts = [f"type({text}) is tuple", f"len({text}) == {len(type_.items)}"]',
        'parts = [f"type({text}) is tuple"]',
        rereading("an_argument_of_another_type_is_served_rightly[containers]"),
    ),
]

MUTANTS: list[Mutant] = [*FRONT_END, *TRACER, *MEMORY, *EMITTER, *CALL_PATH]
