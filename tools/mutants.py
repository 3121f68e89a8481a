"""Plant faults in the compiler, one at a time, and see that the tests notice each.

Each fault is a patch of one place in a copy of the project, with the few tests that must fail. With
``--fuzz`` random programs look for it in place of the tests, with ``--fuzz-numpy`` random programs
of views and writes. The exit status is 1 if a fault survives, cannot be planted, or something fails
without any fault.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from graph_mode_faults import GRAPH_MODE_FAULTS
from module_faults import MODULE_FAULTS
from mutant_list import MUTANTS, Mutant
from numpy_faults import NUMPY_FAULTS
from profiling_faults import PROFILING_FAULTS
from program_faults import FOUND_BY_PROGRAMS, PROGRAM_FAULTS

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("autograph", "runtime", "tests", "tools", "examples", "pyproject.toml")
TIMEOUT = 120.0


def copy_project(to: Path) -> None:
    """Copy what tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, to / name)


def run(where: Path, command: list[str], timeout: float) -> int:
    """Run Python in a copy and return the exit status; 1 for hanging."""
    try:
        return subprocess.run(
            [sys.executable, "-B", *command], cwd=where, timeout=timeout, capture_output=True,
            check=False, env={**os.environ, "PYTHONPATH": str(where)},
        ).returncode  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1


class Tests:
    """Looks for a fault by the tests that are named with it."""

    def look(self, where: Path, mutant: Mutant) -> str:
        """Return what came out of looking for a fault that is planted in `where`."""
        return self.verdict(self.status(where, mutant.tests))

    def status(self, where: Path, selection: tuple[str, ...]) -> int:
        """Run tests and return pytest's status."""
        return run(where, ["-m", "pytest", "-x", "-q", "--no-header", *selection], TIMEOUT)

    def verdict(self, status: int) -> str:
        """Return a status in words."""
        if status == 1:
            return "caught"
        return "SURVIVED" if status == 0 else f"broken: it ended with status {status}"

    def sound(self, where: Path, mutants: list[Mutant]) -> bool:
        """Tell whether the tests of all mutants pass while nothing is planted."""
        selections = dict.fromkeys(mutant.tests for mutant in mutants)
        everything = tuple(dict.fromkeys(test for selection in selections for test in selection))
        if self.status(where, everything) == 0:
            return True
        for selection in selections:
            status = self.status(where, selection)
            if status != 0:
                print(f"without any fault, status {status} of: pytest {' '.join(selection)}")
        return False

    def finish(self, where: Path) -> bool:
        """Say what there is to say at the end, and tell whether nothing is wrong."""
        return True


class RandomPrograms:
    """Looks for a fault by random programs, always the same ones in the same order."""

    def __init__(self, seconds: float, fuzzer: tuple[str, ...]) -> None:
        """Look so long for each with a tool that makes such programs, and its options."""
        self.seconds = seconds
        self.fuzzer = fuzzer
        self.constructs: Counter[str] = Counter()
        self.seeds: dict[int, None] = {}
        """Those of the programs that found a fault."""

    def look(self, where: Path, mutant: Mutant) -> str:
        """Return what came out of looking for a fault that is planted in `where`."""
        status, report = self.fuzz(where, ["--minutes", str(self.seconds / 60)])
        if report is None:
            return f"broken: it ended with status {status} and no report"
        self.constructs.update(report["constructs"])
        if not report["failing"]:
            return f"SURVIVED {report['programs']} programs"
        seed = report["failing"][0]
        self.seeds[seed] = None
        worked = f", {report['seconds']:.1f} s of work" if "seconds" in report else ""
        return f"caught by program {report['programs']} (seed {seed}{worked})"

    def fuzz(self, where: Path, options: list[str]) -> tuple[int, dict[str, object] | None]:
        """Run the fuzzer and return its status and its report."""
        report = where / "report.json"
        report.unlink(missing_ok=True)
        command = [*self.fuzzer, "--failures", "1", "--report", str(report), *options]
        status = run(where, command, 4 * self.seconds + TIMEOUT)
        return status, json.loads(report.read_text()) if report.exists() else None

    def sound(self, where: Path, mutants: list[Mutant]) -> bool:
        """Put off the question whether the programs agree without a fault to `finish`."""
        return True

    def finish(self, where: Path) -> bool:
        """Say what was covered; tell whether the programs agree while nothing is planted."""
        covered = ", ".join(f"{name} {n}" for name, n in sorted(self.constructs.items()))
        print(f"constructs: {covered}")
        if not self.seeds:
            return True
        _, report = self.fuzz(where, ["--seeds", *map(str, self.seeds)])
        if report is None or report["failing"]:
            print(f"without any fault, the programs differ: {report and report['failing']}")
            return False
        return True


Looking = Tests | RandomPrograms


def verdict(where: Path, mutant: Mutant, looking: Looking) -> str:
    """Plant `mutant` in the copy at `where`, look for it, and take it out again."""
    file = where / mutant.file
    text = file.read_text()
    if text.count(mutant.old) != 1:
        return f"not planted: the old text is there {text.count(mutant.old)} times"
    file.write_text(text.replace(mutant.old, mutant.new))
    try:
        return looking.look(where, mutant)
    finally:
        file.write_text(text)


def work(
    where: Path,
    jobs: queue.SimpleQueue[Mutant | None],
    results: dict[str, str],
    looking: Looking,
) -> None:
    """Judge mutants until there are none left."""
    while (mutant := jobs.get()) is not None:
        start = time.monotonic()
        result = results[mutant.name] = verdict(where, mutant, looking)
        taken = time.monotonic() - start
        print(f"{mutant.name:34} {taken:5.1f} s  {result:10} {mutant.fault}", flush=True)


def candidates(fuzz: float, fuzz_numpy: float, any_: bool) -> tuple[Looking, list[Mutant]]:
    """Return how to look for faults, and the faults to look for.

    Parameters
    ----------
    fuzz, fuzz_numpy
        For how many seconds random programs of either kind look; 0 for not at all.
    any_
        Whether also those faults count that random programs need not find.
    """
    if fuzz_numpy:
        fuzzer = ("tools/fuzz_numpy.py", "--kind", "aliases")
        return RandomPrograms(fuzz_numpy, fuzzer), NUMPY_FAULTS
    mutants = [*MUTANTS, *MODULE_FAULTS, *PROGRAM_FAULTS, *GRAPH_MODE_FAULTS, *PROFILING_FAULTS]
    unknown = {*FOUND_BY_PROGRAMS} - {mutant.name for mutant in mutants}
    if unknown:
        raise SystemExit(f"no faults of these names: {', '.join(sorted(unknown))}")
    if not fuzz:
        return Tests(), mutants
    found = [mutant for mutant in mutants if any_ or mutant.name in FOUND_BY_PROGRAMS]
    return RandomPrograms(fuzz, ("tools/fuzz.py",)), found


def main() -> int:
    """Judge all mutants, or those named, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, default=2, help="how many copies to work in")
    parser.add_argument(
        "--fuzz", type=float, default=0.0, metavar="SECONDS",
        help="let random programs find each fault that they must find, within so many seconds",
    )  # fmt: skip
    parser.add_argument(
        "--fuzz-numpy", type=float, default=0.0, metavar="SECONDS",
        help="the same with programs of views and writes, and the faults in what is known of them",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", help="parts of the names of the mutants to judge")
    options = parser.parse_args()
    looking, mutants = candidates(options.fuzz, options.fuzz_numpy, bool(options.names))
    chosen = [
        mutant
        for mutant in mutants
        if not options.names or any(part in mutant.name for part in options.names)
    ]
    jobs: queue.SimpleQueue[Mutant | None] = queue.SimpleQueue()
    results: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / str(k) for k in range(options.workers)]
        for place in places:
            place.mkdir()
            copy_project(place)
        if not looking.sound(places[0], chosen):
            return 1
        for mutant in chosen:
            jobs.put(mutant)
        threads = []
        for place in places:
            jobs.put(None)
            threads.append(threading.Thread(target=work, args=(place, jobs, results, looking)))
            threads[-1].start()
        for thread in threads:
            thread.join()
        sound = looking.finish(places[0])
    caught = sum(result.startswith("caught") for result in results.values())
    print(f"{caught} of {len(chosen)} planted faults were caught")
    return 0 if sound and caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
