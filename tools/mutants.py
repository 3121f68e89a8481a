"""Plant faults in the compiler, one at a time, and see that the tests notice each.

Each fault is a patch of one place in a copy of the project, with the few tests that must fail. The
exit status is 1 if a fault survives, cannot be planted, or the tests fail without any fault.
"""

from __future__ import annotations

import argparse
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from mutant_list import MUTANTS, Mutant

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


def run_tests(where: Path, selection: tuple[str, ...]) -> int:
    """Run the tests of `selection` in a copy and return pytest's status; 1 for hanging."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--no-header", *selection]
    try:
        return subprocess.run(
            command, cwd=where, timeout=TIMEOUT, capture_output=True, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return 1


def run_fuzzer(where: Path, seconds: float) -> int:
    """Compare random programs in a copy, for so long or until one differs; 1 if one did."""
    command = [sys.executable, "-B", "tools/fuzz.py", "--failures", "1"]
    command += ["--minutes", str(seconds / 60)]
    environment = {**os.environ, "PYTHONPATH": str(where)}
    try:
        return subprocess.run(
            command, cwd=where, timeout=seconds + TIMEOUT, capture_output=True, check=False,
            env=environment,
        ).returncode  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1


def verdict(where: Path, mutant: Mutant, fuzz: float) -> str:
    """Plant `mutant` in the copy at `where`, run its tests (or fuzz), take it out again."""
    file = where / mutant.file
    text = file.read_text()
    if text.count(mutant.old) != 1:
        return f"not planted: the old text is there {text.count(mutant.old)} times"
    file.write_text(text.replace(mutant.old, mutant.new))
    try:
        status = run_fuzzer(where, fuzz) if fuzz else run_tests(where, mutant.tests)
    finally:
        file.write_text(text)
    if status == 1:
        return "caught"
    return "SURVIVED" if status == 0 else f"broken: it ended with status {status}"


def work(
    where: Path, jobs: queue.SimpleQueue[Mutant | None], results: dict[str, str], fuzz: float
) -> None:
    """Judge mutants until there are none left."""
    while (mutant := jobs.get()) is not None:
        start = time.monotonic()
        results[mutant.name] = verdict(where, mutant, fuzz)
        taken = time.monotonic() - start
        print(
            f"{mutant.name:34} {results[mutant.name]:10} {taken:5.1f} s  {mutant.fault}", flush=True
        )


def sound(where: Path, mutants: list[Mutant]) -> bool:
    """Tell whether the tests of all mutants pass while nothing is planted."""
    selections = dict.fromkeys(mutant.tests for mutant in mutants)
    everything = tuple(dict.fromkeys(test for selection in selections for test in selection))
    if run_tests(where, everything) == 0:
        return True
    for selection in selections:
        status = run_tests(where, selection)
        if status != 0:
            print(f"without any fault, status {status} of: pytest {' '.join(selection)}")
    return False


def main() -> int:
    """Judge all mutants, or those named, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, default=2, help="how many copies to work in")
    parser.add_argument(
        "--fuzz", type=float, default=0.0, metavar="SECONDS",
        help="let random programs find each fault within so many seconds, in place of the tests",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", help="parts of the names of the mutants to judge")
    options = parser.parse_args()
    chosen = [
        m for m in MUTANTS if not options.names or any(part in m.name for part in options.names)
    ]
    jobs: queue.SimpleQueue[Mutant | None] = queue.SimpleQueue()
    results: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / str(k) for k in range(options.workers)]
        for place in places:
            place.mkdir()
            copy_project(place)
        if not options.fuzz and not sound(places[0], chosen):
            return 1
        for mutant in chosen:
            jobs.put(mutant)
        threads = []
        for place in places:
            jobs.put(None)
            threads.append(threading.Thread(target=work, args=(place, jobs, results, options.fuzz)))
            threads[-1].start()
        for thread in threads:
            thread.join()
    caught = sum(result == "caught" for result in results.values())
    print(f"{caught} of {len(chosen)} planted faults were caught")
    return 0 if caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
