"""Which planted faults random programs must find, and whole-kind faults besides `mutant_list`'s.

Owns the table `FOUND_BY_PROGRAMS`. It leaves planting to `mutants`. Invariant: every name in the
table is that of one fault.
"""

from __future__ import annotations

from mutant_list import Mutant, corpus

PROGRAM_FAULTS = [
    Mutant(
        "generator run eagerly",
        "a generator runs to its end before the loop over it begins",
        "runtime/tracing/generators.py",
        'tracer.note("for", "inlined", "the generator runs inside the loop over it")',
        "return for_loop(tracer, as_list(tracer, items), body, state, names, orelse)",
        corpus("generators.interleaved"),
    ),
    Mutant(
        "print lost on an early return",
        "what `if c: print(...); return a` prints is lost",
        "autograph/converters/desugar.py",
        "        statement.body = _structured(statement.body)",
        "        statement.body = _structured(\n"
        "            [s for s in statement.body if type(s) is not gast.Expr] or statement.body\n"
        "        )",
        corpus("found.printed_before_an_early_return"),
    ),
    Mutant(
        "late binding lost",
        "an inner function sees the value that a variable had before the loop or branch",
        "autograph/converters/handling.py",
        "prologue += [maker.nonlocal_(state.shared)] if state.shared else []",
        "prologue += []",
        corpus("found.closure_sees_trips"),
    ),
    Mutant(
        "nonlocal write leaks",
        "what a called function assigns in a branch is not noticed",
        "runtime/tracing/cells.py",
        "if key not in handed_on and _content(cell) is not before:",
        "if False:",
        corpus("found.nonlocal_of_a_callers_caller"),
    ),
    Mutant(
        "unbound check dropped",
        "a name that may be unbound is read without a check",
        "runtime/passes/simplify.py",
        '"check_bound": _same_object,',
        '"check_bound": lambda node: node.inputs[0],',
        corpus("blocks.error_name_is_gone"),
    ),
    Mutant(
        "negative step run upwards",
        "a known range that counts down is run upwards",
        "runtime/tracing/control.py",
        "    items = tuple(iterable)",
        "    items = tuple(sorted(iterable) if isinstance(iterable, range) else iterable)",
        corpus("found.counts_down"),
    ),
    Mutant(
        "augmented write rebinds",
        "`x += y` makes a new object and gives it the name",
        "runtime/lowering/emit.py",
        "return [*result, ast.AugAssign(target, operator, right)]",
        "made = ast.BinOp(ast.Name(target.id, ast.Load()), operator, right)\n"
        "        return [*result, ast.Assign([target], made)]",
        corpus("writes.augment_in_loop"),
    ),
    Mutant(
        "append to another list",
        "the length of a list is taken to stay as it is when something is appended",
        "runtime/ops/container_methods.py",
        '"append": ContainerMethod(NONE, FRESH, True, (1, 1), Raises.NEVER),',
        '"append": ContainerMethod(NONE, FRESH, False, (1, 1), Raises.NEVER),',
        corpus("found.length_after_append"),
    ),
    Mutant(
        "walrus in a loop test lost",
        "what the test of a loop binds stays as it was",
        "autograph/converters/desugar.py",
        "(_binds(node.test) or (shared and _calls(node.test)))",
        "(shared and _calls(node.test))",
        corpus("control_flow.walrus"),
    ),
    Mutant(
        "signed zero folded",
        "x + 0 counts as x",
        "runtime/passes/simplify.py",
        '"pos": _plus,',
        '"pos": _plus, "add": lambda node: (\n'
        '        node.inputs[0] if getattr(node.inputs[1], "value", None) == 0 else None\n'
        "    ),",
        corpus("found.zero_added"),
    ),
    Mutant(
        "guard of a case ignored",
        "a case whose pattern fits is taken whatever its guard says",
        "autograph/converters/matches.py",
        "both = at.place(gast.BoolOp(gast.And(), [test, case.guard]))",
        "both = test",
        corpus("found.guarded_constants"),
    ),
    Mutant(
        "error not swallowed",
        "an error goes on though the manager of a with swallowed it",
        "runtime/tracing/handlers.py",
        "cond(tracer, swallowed, lambda: None, lambda: tracer.reraise(), (), ())",
        "tracer.reraise()",
        corpus("blocks.managers"),
    ),
    Mutant(
        "first handler takes all",
        "an except clause takes errors of every class",
        "runtime/tracing/handlers.py",
        "        found = classes()",
        "        found = BaseException",
        corpus("blocks.nested_handlers"),
    ),
    Mutant(
        "second operand always computed",
        "`or` computes its second operand even if the first is true",
        "autograph/operators/logic.py",
        "first, lambda: first, lambda: or_(rest[0](), *rest[1:]), (), ())",
        "first, lambda: first, (lambda last: lambda: last)(or_(rest[0](), *rest[1:])), (), ())",
        corpus("found.first_true_operand"),
    ),
    Mutant(
        "unread part of a pattern forgotten",
        "a name that is bound and never read may overwrite what is still to be read",
        "runtime/lowering/coalesce.py",
        " or is_statement_only(statement.expression):",
        ":",
        corpus("found.unread_part_of_a_pattern"),
    ),
]

FOUND_BY_PROGRAMS = (
    # Names, and the values that come round loops and out of branches.
    "state lost on break",
    "result of an endless loop",
    "zero-trip loop",
    "liveness stops at the back edge",
    "first path decides definedness",
    "del does not unbind",
    "unbound check dropped",
    "walrus in a loop test lost",
    "late binding lost",
    # Types.
    "promoted join",
    "questions not asked again",
    "signed zero folded",
    # Control.
    "branches swapped",
    "loop else dropped",
    "loop else after a break",
    "rest after an early return",
    "print lost on an early return",
    "generator run eagerly",
    "negative step run upwards",
    "middle operand evaluated twice",
    "second operand always computed",
    "or gives a bool",
    "guard of a case ignored",
    # Errors.
    "dead raise removed",
    "exceptions swapped",
    "finally dropped",
    "else of a try dropped",
    "error not swallowed",
    "first handler takes all",
    "wrong line",
    # Memory and effects.
    "effect baked",
    "print lost",
    "dead write removed",
    "augmented write rebinds",
    "append to another list",
    "read hoisted over a write",
    "views forgotten",
    "chosen reference forgotten",
    "nested read moved over a write",
    # Variables of the program.
    "copy lost to coalescing",
    "break values lost",
    "continue values lost",
    # Guards.
    "dtype not guarded",
    "bool taken for an int",
)
"""Names of the faults, of the kinds that programs can meet, that random programs must find."""
