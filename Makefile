# Everything a fresh machine needs: Python 3.11 or later with pip and venv.
#
#   make demo     install into .venv, run the example programs on real data
#   make test     install into .venv, run every test
#   make check    lint, types and the fast tests
#   make all      what check does, then the slow tests
#   make mutants  plant faults and see that the tests catch each
#   make fuzz     random programs, ten minutes of them
#   make fuzz-numpy  random uses of NumPy, ten minutes of them
#   make mutants-fuzz  plant faults and see that random programs find each within ten minutes
#   make mutants-numpy  plant faults in views and writes; short programs find each within a minute
#   make map      write docs/map.md anew
#   make numpy-table  write docs/numpy.md anew

SUPPORTED := import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
# The first that runs: a name on the PATH may be a stub for a Python that is not there.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3 python,\
	$(shell $(name) -c "$(SUPPORTED)" >/dev/null 2>&1 && echo $(name))))

BIN := .venv/bin
STAMP := .venv/installed

.PHONY: demo test check fast slow all mutants mutants-fuzz mutants-numpy fuzz fuzz-numpy map numpy-table lint types clean

demo: $(STAMP)
	$(BIN)/python examples/demo.py
	$(BIN)/python examples/linear_regression.py
	$(BIN)/python examples/graph_regression.py

test: $(STAMP)
	$(BIN)/python -m pytest -n 2

check: lint types fast

all: check slow

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

fast: $(STAMP)
	$(BIN)/python -m pytest -n 2 -m "not slow"

slow: $(STAMP)
	$(BIN)/python -m pytest -n 2 -m slow

mutants: $(STAMP)
	$(BIN)/python tools/mutants.py

mutants-fuzz: $(STAMP)
	$(BIN)/python tools/mutants.py --fuzz 600

mutants-numpy: $(STAMP)
	$(BIN)/python tools/mutants.py --fuzz-numpy 60

fuzz: $(STAMP)
	$(BIN)/python tools/fuzz.py

fuzz-numpy: $(STAMP)
	$(BIN)/python tools/fuzz_numpy.py

map: $(STAMP)
	$(BIN)/python tools/map.py

numpy-table: $(STAMP)
	$(BIN)/python tools/numpy_table.py

$(STAMP): pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
		echo "no Python 3.11, 3.12 or 3.13 with pip and venv on the PATH;" \
			"name one: make PYTHON=/path/to/python3.12" >&2; \
		exit 2; \
	fi
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

clean:
	rm -rf .venv .nox build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
