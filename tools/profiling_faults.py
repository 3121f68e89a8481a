"""Faults that `mutants.py` plants in profiles, pictures, summaries and the command line.

Owns the list. It leaves planting and judging to `mutants`. Invariant: each is found by the small
tests that it names.
"""

from __future__ import annotations

from mutant_list import Mutant

GATES = "tests/test_profiling_gates.py"
PROFILES = "tests/test_profiling.py"
LAYOUT = "tests/pictures/test_layout.py"

PROFILING_FAULTS = [
    Mutant(
        "calls past a gate forgotten",
        "a profile tells of fewer calls than there were",
        "runtime/profiling/recorder.py",
        "return self.recorded + self.skipped",
        "return self.recorded",
        (f"{GATES}::test_a_new_recording_counts_anew",),
    ),
    Mutant(
        "gate open inside of a recorded program",
        "the time of calls that pass unrecorded counts for who calls, too",
        "runtime/profiling/recorder.py",
        "            self._gate.close()\n",
        "            pass\n",
        (f"{GATES}::test_all_calls_inside_of_another_recorded_program_are_recorded",),
    ),
    Mutant(
        "memory of skipped calls forgotten",
        "a profile tells of less memory than was taken",
        "runtime/profiling/profile.py",
        "bytes=round(one.bytes * factor),",
        "bytes=one.bytes,",
        (f"{GATES}::test_memory_of_calls_that_are_not_recorded_is_estimated",),
    ),
    Mutant(
        "estimates shown as counts",
        "trips of calls that were not recorded are told without a ~",
        "runtime/profiling/profile.py",
        "is_exact=one.is_exact and (in_every_call or not one.calls),",
        "is_exact=one.is_exact,",
        (f"{GATES}::test_trips_of_calls_that_are_not_recorded_are_estimated",),
    ),
    Mutant(
        "views counted as memory",
        "what takes no memory is told to take some",
        "runtime/profiling/instrument.py",
        "if sharing in (Sharing.SAME, Sharing.VIEW):\n        return NOTHING",
        "if sharing in (Sharing.SAME, Sharing.VIEW):\n        return FRESH",
        (f"{PROFILES}::test_memory_counts_arrays_that_are_made_and_no_views",),
    ),
    Mutant(
        "timelines by the clock of the machine",
        "slices overlap, since a float holds no nanoseconds of months",
        "runtime/profiling/timeline.py",
        "(self.start - zero) / 1000",
        "self.start / 1000",
        (f"{PROFILES}::test_chrome_trace_starts_at_zero_however_long_the_clock_has_run",),
    ),
    Mutant(
        "operations past changes of memory in pictures",
        "a picture shows a read below the write that it was made before",
        "runtime/pictures/layout.py",
        "            change = cell.layer\n",
        "            pass\n",
        (f"{LAYOUT}::test_an_operation_stays_above_a_later_change_of_memory",),
    ),
    Mutant(
        "operations at the top of pictures",
        "long lines run through a picture",
        "runtime/pictures/layout.py",
        "    _sink(frame, cells, inputs, filled)\n",
        "",
        (f"{LAYOUT}::test_an_operation_stands_above_its_first_use_not_at_the_top",),
    ),
    Mutant(
        "quotes in Graphviz's language",
        "a text of the user's ends its string and is read as a program",
        "runtime/pictures/dot.py",
        ".replace('\"', '\\\\\"')",
        "",
        ("tests/pictures/test_dot.py::test_text_of_the_user_is_quoted",),
    ),
    Mutant(
        "markup in pages",
        "a text of the user's is run as a script",
        "runtime/pictures/svg.py",
        "{escape(vertex.label)}",
        "{vertex.label}",
        ("tests/pictures/test_page.py::test_every_text_is_escaped",),
    ),
    Mutant(
        "exit of the user's function",
        "the command line ends without a word",
        "autograph/cli.py",
        'except (Exception, SystemExit) as error:\n        raise UsageError(f"{name}',
        'except Exception as error:\n        raise UsageError(f"{name}',
        ("tests/test_profiling_cli.py::test_mistakes_are_told_in_one_line",),
    ),
]
