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


def program(*names: str) -> tuple[str, ...]:
    """Return tests of small programs, one for each thing that is easily got wrong."""
    return tuple(f"tests/differential/test_expressions.py::test_{name}" for name in names)


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
        "result of an endless loop",
        "a name that only the code after a loop reads is no state of the loop",
        "autograph/converters/facts.py",
        "if name in after or name in head]",
        "if name in head]",
        corpus("arrays.power_iteration"),
    ),
    Mutant(
        "zero-trip loop",
        "the old value of a name is lost where a loop runs zero times",
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
        "for successor in node.successors))",
        "for successor in node.successors if successor > number))",
        corpus("unbound_names.previous_trip", "unbound_names.first_trip_unbound"),
    ),
    Mutant(
        "first path decides definedness",
        "a name bound on one of two paths counts as bound",
        "autograph/syntax/definedness.py",
        "bound, unbound = target.bound | state.bound, target.unbound | state.unbound",
        "bound, unbound = target.bound, target.unbound",
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
        "continue leaves the loop",
        "the cfg sends a continue past the loop",
        "autograph/syntax/cfg.py",
        'self.connect(self.add(statement, "run"), self.loops[-1][0])',
        'self.loops[-1][1].append(self.add(statement, "run"))',
        program("bound_on_the_path_of_a_continue"),
    ),
    Mutant(
        "middle operand evaluated twice",
        "a chained comparison computes its middle operand again",
        "autograph/operators/logic.py",
        "lambda: compare(second, *rest)",
        "lambda: compare(thunk(), *rest)",
        program("middle_operand_is_computed_once"),
    ),
    Mutant(
        "or gives a bool",
        "`or` returns the truth of its operand",
        "autograph/operators/logic.py",
        "return control.cond(tracer, first, lambda: first, lambda: or_",
        "return control.cond(tracer, first, lambda: True, lambda: or_",
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
        program("type_that_comes_from_a_continue"),
    ),
    Mutant(
        "no join from break",
        "types at a break do not reach the code after the loop",
        "runtime/tracing/inference.py",
        'breaks = list(exits(body, "break"))',
        'breaks = list(exits(body, "return"))',
        program("type_that_comes_from_a_break"),
    ),
    Mutant(
        "promoted join",
        "an int and a float join to float",
        "runtime/ir/lattice.py",
        "if isinstance(a, NumberType) and isinstance(b, NumberType) and a.kind == b.kind:",
        "if isinstance(a, NumberType) and isinstance(b, NumberType):",
        program("bool_of_a_joined_number"),
    ),
    Mutant(
        "extents kept at a join",
        "two lengths join to the first",
        "runtime/ir/lattice.py",
        "tuple(x if x == y else None for x, y in extents)",
        "tuple(x for x, y in extents)",
        program("length_known_only_by_branch"),
    ),
    Mutant(
        "questions not asked again",
        "a loop body that asked for a type keeps the first answer",
        "runtime/tracing/control.py",
        "if all(seen.holds() for seen in tracer.observations[mark.observations :]):",
        "if True:",
        program("rank_asked_round_a_loop"),
    ),
    Mutant(
        "signed zeros are one",
        "0.0 and -0.0 count as one static value",
        "runtime/tracing/control.py",
        "return repr(a) == repr(b)",
        "return a == b",
        program("zeros_of_both_signs_in_branches"),
    ),
    Mutant(
        "effect baked",
        "a call with an effect and known arguments is made while tracing",
        "runtime/tracing/tracer.py",
        "if effects.calls or effects.writes or not fresh or not all(map(is_immutable, types)):",
        "if effects.writes or not fresh or not all(map(is_immutable, types)):",
        ("tests/test_no_effects.py::test_draws_differ_from_call_to_call",),
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
        "trips of a failed unrolling stay",
        "what an unrolled loop recorded stays when the loop is staged after all",
        "runtime/tracing/tracer.py",
        "del mark.region.nodes[mark.nodes :]",
        "pass",
        program("loop_that_is_unrolled_only_at_first"),
    ),
]

MEMORY = [
    Mutant(
        "read hoisted over a write",
        "two equal reads with a write between them are one",
        "runtime/passes/cse.py",
        "versions = self._order.version(node)",
        "versions = ()",
        program("equal_reads_of_one_state_agree"),
    ),
    Mutant(
        "escaped buffers merged",
        "two fresh arrays that are returned become one",
        "runtime/passes/cse.py",
        "if not one_object and (self._identity.matters(a) or self._identity.matters(b)):",
        "if False:",
        program("equal_arrays_are_two_objects"),
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
            "tests/memory/test_memory_order.py",
            "tests/differential/test_expressions.py::test_read_round_a_loop_of_writes",
        ),
    ),
    Mutant(
        "views forgotten",
        "a view is in no class with its base",
        "runtime/memory/classes.py",
        'self.bind(output, shared, apart=node.op.name == "build_tuple")',
        "self.bind(output, (), apart=False)",
        program(
            "read_of_a_base_after_a_write_through_a_view",
            "read_of_a_view_after_a_write_through_its_base",
        ),
    ),
    Mutant(
        "chosen reference forgotten",
        "a name that is one of two arrays shares no class with them",
        "runtime/memory/classes.py",
        "self.bind(value, [atom for source in both for atom in self.atoms_of(source)])",
        "self.bind(value, ())",
        program("write_through_a_chosen_name"),
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
        ("tests/memory/test_memory_constants.py",),
    ),
    Mutant(
        "wrong branch pruned",
        "a branch on a constant test keeps the other side",
        "runtime/passes/prune.py",
        "node.regions[0 if truth else 1]",
        "node.regions[1 if truth else 0]",
        ("tests/passes/test_passes_fold.py",),
    ),
    Mutant(
        "warning folded away",
        "an operation that warns is computed while compiling",
        "runtime/memory/constants.py",
        """with np.errstate(all="raise"), warnings.catch_warnings():
            warnings.simplefilter("error")""",
        """with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")""",
        program("warning_of_known_operands_is_given_at_run_time"),
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
        program("first_of_two_errors_wins"),
    ),
    Mutant(
        "write moved over a read",
        "an expression that writes waits across a read",
        "runtime/lowering/ordering.py",
        "WRITES: EVERYTHING",
        "WRITES: RAISES | WRITES",
        program("write_before_a_read_in_one_result"),
    ),
    Mutant(
        "value before target",
        "the index of an assignment is evaluated before its value",
        "runtime/lowering/ordering.py",
        '"setitem": (2, 0, 1)',
        '"setitem": (0, 1, 2)',
        program("index_computed_before_the_value"),
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
        program("helper_that_returns_out_of_two_loops_in_a_loop"),
    ),
    Mutant(
        "wrong line",
        "nodes of a program stand at the first line of its function",
        "runtime/lowering/origins.py",
        "position = (origin.line, origin.column, origin.end_line, origin.end_column)",
        "position = (max(origin.line - 1, 1), 0, origin.line, 0)",
        corpus("failures.raised_in_loop", "failures.order_of_errors"),
    ),
]

HANDLERS = [
    Mutant(
        "finally dropped",
        "the final part of a try is not emitted",
        "runtime/lowering/emit.py",
        "return [ast.Try(body or [ast.Pass()], handlers, orelse, final)]",
        "return [ast.Try(body or [ast.Pass()], handlers, orelse, [] if handlers else final)]",
        corpus("jumps.try_in_loop", "failures.handled"),
    ),
    Mutant(
        "else of a try dropped",
        "what follows a try that raised nothing is not emitted",
        "runtime/lowering/emit.py",
        "return [ast.Try(body or [ast.Pass()], handlers, orelse, final)]",
        "return [ast.Try(body or [ast.Pass()], handlers, [], final)]",
        corpus("failures.handled"),
    ),
]

CALL_PATH = [
    Mutant(
        "dtype not guarded",
        "a trace serves arrays of every dtype",
        "autograph/environment/guards.py",
        'parts.append(f"{text}.dtype is {name_of(type_.dtype)}")',
        "pass",
        rereading("what_a_trace_has_built_in_is_guarded[dtype]"),
    ),
    Mutant(
        "rank not guarded",
        "a trace serves arrays of every rank",
        "autograph/environment/guards.py",
        'parts.append(f"{text}.ndim == {type_.rank}")',
        "pass",
        rereading("what_a_trace_has_built_in_is_guarded[rank]"),
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
        "bool taken for an int",
        "numbers are guarded by isinstance",
        "autograph/environment/guards.py",
        'return f"type({text}) is {type_.kind}"',
        'return f"isinstance({text}, {type_.kind})"',
        rereading("what_a_trace_has_built_in_is_guarded[class]"),
    ),
    Mutant(
        "eager mode ignored",
        "a compiled function runs its program inside `eager()`",
        "autograph/callpath.py",
        '''f"if not {names(STATE, 'state')}.slow:"''',
        '''"if True:"''',
        rereading("eager_is_the_plain_function", "run_eagerly_switches_back_and_forth"),
    ),
    Mutant(
        "length of a tuple not guarded",
        "a trace serves tuples of every length",
        "autograph/environment/guards.py",
        'parts = [f"type({text}) is tuple", f"len({text}) == {len(type_.items)}"]',
        'parts = [f"type({text}) is tuple"]',
        rereading("what_a_trace_has_built_in_is_guarded[length]"),
    ),
]

NUMPY = [
    Mutant(
        "ufunc.at writes nothing",
        "what `at` changes is not known to change",
        "runtime/ops/ufunc_methods.py",
        '"self a indices b", _nothing, writes=("a",), fallback=NONE',
        '"self a indices b", _nothing, fallback=NONE',
        ("tests/ops/test_ufunc_calls.py::test_calls_have_types_and_effects",),
    ),
    Mutant(
        "output of a ufunc not written",
        "an `out=` is not known to change",
        "runtime/ops/ufuncs.py",
        "return Effects(Raises.VALUE, read, written, aliases=(alias,))",
        "return Effects(Raises.VALUE, read, aliases=(alias,))",
        corpus("reads_around_writes.around_out"),
    ),
    Mutant(
        "form of an array kept",
        "dtypes and shapes stay known where an array changes its own",
        "runtime/tracing/array_forms.py",
        "        return ArrayType(None, None)",
        "        return type_",
        corpus("views_and_forms.shape_assigned", "views_and_forms.dtype_assigned"),
    ),
    Mutant(
        "resize counts too few names",
        "resize is compiled though it counts the names of the array",
        "runtime/tracing/array_forms.py",
        'if kwargs.get("refcheck", True) is not False:',
        "if False:",
        ("tests/test_array_forms.py::test_resize_that_counts_names_runs_as_plain_python",),
    ),
    Mutant(
        "views pass a ban on writing",
        "reading an attribute of an array reads no memory",
        "runtime/ops/attributes.py",
        "return Effects(raises, reads=(0,), aliases=(_attribute_alias(type_, name),))",
        "return Effects(raises, aliases=(_attribute_alias(type_, name),))",
        ("tests/test_array_forms.py::test_views_are_made_before_writing_is_forbidden",),
    ),
    Mutant(
        "changed list taken as written",
        "a list counts as just written after something has changed it",
        "runtime/tracing/displays.py",
        "elif node.op.name not in _INDEXING or not isinstance(node.inputs[0].type, ArrayType):",
        "elif False:",
        ("tests/tracing/test_displays.py",),
    ),
    Mutant(
        "mask selects a known number",
        "an index list of truth values selects as many elements as it has",
        "runtime/ops/indexing.py",
        'return ArrayType(np.dtype(bool) if form[0] == "b" else np.dtype(np.intp), lengths)',
        "return ArrayType(np.dtype(np.intp), lengths)",
        ("tests/tracing/test_displays.py::test_indices_have_types",),
    ),
    Mutant(
        "flat writes elsewhere",
        "the flat iterator of an array has memory of its own",
        "runtime/ops/attributes.py",
        """    if name in _HEADS:
        return _MAYBE
""",
        "",
        corpus("reads_around_writes.around_flat"),
    ),
]

MUTANTS: list[Mutant] = [
    *FRONT_END, *TRACER, *MEMORY, *EMITTER, *HANDLERS, *CALL_PATH, *NUMPY,
]  # fmt: skip
