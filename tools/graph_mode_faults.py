"""Faults that `mutants.py` plants in variables and graph mode.

Owns the list. It leaves planting and judging to `mutants`. Invariant: each is found by the small
tests that it names.
"""

from __future__ import annotations

from mutant_list import Mutant

STAGED = "tests/test_variables_staged.py"
VARIABLES = "tests/test_graph_mode_variables.py"
FUNCTIONS = "tests/test_graph_mode_functions.py"

GRAPH_MODE_FAULTS = [
    Mutant(
        "reading a variable reads nothing",
        "two reads of a variable are one, whatever is assigned between them",
        "runtime/ops/variables.py",
        "return Effects(reads=(0,), aliases=(Alias(Sharing.MAYBE, (0,)),))",
        "return Effects(aliases=(Alias(Sharing.FRESH, ()),))",
        (f"{STAGED}::test_one_variable", f"{STAGED}::test_two_variables"),
    ),
    Mutant(
        "assigning a variable writes nothing",
        "an assignment may be dropped or passed by reads",
        "runtime/ops/variables.py",
        "return Effects(Raises.VALUE, reads=(0, 1), writes=(0,), calls=not known, aliases=())",
        "return Effects(reads=(0, 1), aliases=())",
        (STAGED,),
    ),
    Mutant(
        "a variable keeps the array it is given",
        "what the caller does with an array afterwards changes the variable",
        "runtime/variables.py",
        'copy = np.array(array, order="C")',
        'copy = np.asarray(array, order="C")',
        ("tests/test_variables.py::test_what_is_given_is_copied",),
    ),
    Mutant(
        "additions without a lock",
        "an addition is lost when two threads add at once",
        "runtime/variables.py",
        "with self.lock:\n            value = change",
        "if True:\n            value = change",
        ("tests/test_variables.py::test_no_addition_is_lost",),
    ),
    Mutant(
        "another variable under the same attribute",
        "a variable that is stored where another stood counts as there already",
        "autograph/environment/objects.py",
        "if not plain or here != Attribute(path, name) or name not in",
        "if not plain or name not in",
        (f"{STAGED}::test_attributes_that_change_places",),
    ),
    Mutant(
        "assignments run unasked",
        "whatever reads a variable makes all its assignments run",
        "runtime/graph_mode/fetching.py",
        "return carries_memory(type_) and not isinstance(type_, VariableType)",
        "return carries_memory(type_)",
        (f"{VARIABLES}::test_assignments_run_only_if_they_are_needed",),
    ),
    Mutant(
        "an initializer that comes late",
        "the initializer of a run does nothing to variables that are in use",
        "runtime/graph_mode/session.py",
        "                state.assign(new.numpy())\n",
        "                pass\n",
        (f"{VARIABLES}::test_a_variable_begins_on_first_use_or_by_the_initializer",),
    ),
    Mutant(
        "lengths of two calls are one",
        "lengths that two calls of a compiled function name alike count as equal",
        "runtime/graph_mode/inlining.py",
        'own = f"{name}__{graph.extents}"',
        "own = name",
        (f"{FUNCTIONS}::test_lengths_of_two_calls_are_not_one",),
    ),
]
