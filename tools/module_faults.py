"""Faults that `mutants.py` plants in checkpoints and modules.

Owns the list. It leaves planting and judging to `mutants`. Invariant: each is found by the small
tests that it names.
"""

from __future__ import annotations

from mutant_list import Mutant

FORMAT = "runtime/checkpoint_format.py"
FILES = "tests/test_checkpoint_files.py"
HOSTILE = f"{FILES}::test_what_is_no_such_file_is_refused_with_its_reason"
DAMAGED = f"{FILES}::test_a_thousand_damaged_files_are_refused_or_load_rightly"
CHECKPOINTS = "tests/test_checkpoints.py"
REPLACING = "tests/test_replacing.py"
MODULES = "tests/test_modules.py"

MODULE_FAULTS = [
    Mutant(
        "checksum of a header unread",
        "a changed name or shape is taken for what was saved",
        FORMAT,
        "if found != self._digest.digest():",
        "if False:",
        (f"{FILES}::test_every_cut_and_every_changed_byte_of_a_file_is_noticed", DAMAGED),
    ),
    Mutant(
        "checksum of items unread",
        "changed numbers are loaded",
        FORMAT,
        "if self._take(DIGEST) != self._digest.digest():",
        "if False:",
        (DAMAGED,),
    ),
    Mutant(
        "length of a file unchecked",
        "memory is taken for what a header only says",
        FORMAT,
        "if self.size < expected:",
        "if False:",
        (f"{FILES}::test_nothing_is_allocated_for_what_a_header_only_says",),
    ),
    Mutant(
        "names twice",
        "the second of two arrays of one name is taken",
        FORMAT,
        "if len({entry.name for entry in entries}) != len(entries):",
        "if False:",
        (HOSTILE,),
    ),
    Mutant(
        "truth values of any byte",
        "a file makes truth values that are neither 0 nor 1",
        FORMAT,
        ".max() > 1:",
        ".max() > 2:",
        (HOSTILE,),
    ),
    Mutant(
        "padding is saved",
        "equal long doubles make different files",
        FORMAT,
        "parts[:, slice(10, None) if",
        "parts[:, slice(16, None) if",
        (f"{CHECKPOINTS}::test_equal_values_make_equal_files",),
    ),
    Mutant(
        "unexpected names pass",
        "what a file holds beyond the module is dropped without a word",
        "runtime/checkpoints.py",
        "        if name not in targets\n",
        "        if False\n",
        (f"{CHECKPOINTS}::test_all_that_does_not_fit_is_said_at_once_and_nothing_is_loaded",),
    ),
    Mutant(
        "shapes compared by rank",
        "a value of another shape is written into an array",
        "runtime/checkpoints.py",
        "if entry.shape != shape:",
        "if len(entry.shape) != len(shape):",
        (f"{CHECKPOINTS}::test_all_that_does_not_fit_is_said_at_once_and_nothing_is_loaded",),
    ),
    Mutant(
        "assigned before refused",
        "a session that refuses leaves eager variables changed",
        "runtime/checkpoints.py",
        """        if session is not None:
            session.load(in_session)
        for name, target in targets.items():
            if isinstance(target, np.ndarray):
                target[...] = arrays[name]
            elif isinstance(target, Variable) and target not in in_session:
                replace_value(target, arrays[name])
""",
        """        for name, target in targets.items():
            if isinstance(target, np.ndarray):
                target[...] = arrays[name]
            elif isinstance(target, Variable) and target not in in_session:
                replace_value(target, arrays[name])
        if session is not None:
            session.load(in_session)
""",
        (
            "tests/test_graph_checkpoints.py"
            "::test_a_closed_session_leaves_eager_variables_and_arrays_alone",
        ),
    ),
    Mutant(
        "half loaded",
        "Ctrl-C leaves some variables with new values and others with old ones",
        "runtime/checkpoints.py",
        """a moment's delay
        assign()
        raise
""",
        """a moment's delay
        raise
""",
        ("tests/test_interrupts.py::test_a_checkpoint_is_saved_and_loaded_as_a_whole",),
    ),
    Mutant(
        "mode left behind",
        "Ctrl-C at the end of a block leaves its mode on",
        "runtime/thread_state.py",
        "        if self._before is not None:\n            state = self._state",
        "        if False:\n            state = self._state",
        ("tests/test_interrupts.py::test_no_place_of_an_interrupt_leaves_anything_behind",),
    ),
    Mutant(
        "lock of a thread that is gone",
        "a forked child waits for ever where a thread of its parent was assigning",
        "runtime/variables.py",
        "        snapshot.renew()",
        "        pass",
        ("tests/test_variables.py::test_a_fork_does_not_wait_for_threads_of_the_parent",),
    ),
    Mutant(
        "not forced to the disk",
        "a crash of the machine leaves an empty file under the old name",
        "runtime/replacing.py",
        "os.fsync(file.fileno())",
        "pass",
        (f"{REPLACING}::test_the_new_content_is_on_the_disk_before_it_has_the_name",),
    ),
    Mutant(
        "left beside",
        "a failed write leaves its temporary file",
        "runtime/replacing.py",
        """        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
""",
        "        raise\n",
        (f"{REPLACING}::test_an_error_in_the_block_leaves_the_old_file_and_nothing_else",),
    ),
    Mutant(
        "readable for a moment",
        "the new form of a private file can be read by others while it is written",
        "runtime/replacing.py",
        "0o666 if mode is None else 0o600",
        "0o666",
        (f"{REPLACING}::test_a_file_that_replaces_another_begins_as_a_private_one",),
    ),
    Mutant(
        "found twice",
        "a shared variable is counted for each place that it is in",
        "runtime/modules.py",
        "                yield path, item\n",
        "                yield path, item\n                seen.discard(id(item))\n",
        (f"{MODULES}::test_what_is_in_several_places_is_found_once_under_its_first_path",),
    ),
    Mutant(
        "found in any order",
        "variables come last to first",
        "runtime/modules.py",
        "waiting += _children(path, item)[::-1]",
        "waiting += _children(path, item)",
        (f"{MODULES}::test_the_order_is_that_of_attributes_and_items",),
    ),
    Mutant(
        "forgotten in sets",
        "a variable in a set is in no checkpoint",
        "runtime/modules.py",
        "            _check_set(path, item)\n",
        "            pass\n",
        (f"{MODULES}::test_what_is_in_a_set_is_an_error_and_not_forgotten",),
    ),
    Mutant(
        "one path for two keys",
        "two variables under keys that differ have one path",
        "runtime/modules.py",
        "plain = key.isidentifier() if isinstance(key, str) else type(key) is int and key >= 0",
        "plain = True",
        (f"{MODULES}::test_a_variable_is_found_and_has_a_path",),
    ),
    Mutant(
        "one meaning of ag in a file",
        "a helper that says ag.Variable gets the operators in place of the package",
        "autograph/environment/world.py",
        "key = id(original.__globals__), operators_name, bound",
        "key = id(original.__globals__), bound",
        ("tests/test_compiled_modules.py::test_modules_and_variables_are_made_in_compiled_code",),
    ),
]
