# Two commands do everything on a machine with Python 3.11+, make and git: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
COURSE := $(VENV)/bin/course

.PHONY: demo test test-slow setup lint check release grade feedback doctor clean

# Processes that share the quick tests. Kernels under test wait for one another now and then, so two cores serve three.
WORKERS ?= 3

demo: $(VENV)/ready  ## the whole pipeline on the bundled class
	$(COURSE) demo

test: $(VENV)/ready  ## all but the slow tests; TESTS="..." for some of them, TESTS=--cov to see which lines they ran
	$(VENV)/bin/pytest --numprocesses $(WORKERS) --dist worksteal $(TESTS)

test-slow: $(VENV)/ready  ## the slow ones; TESTS="..." for some of them
	$(VENV)/bin/pytest -m slow $(TESTS)

setup: $(VENV)/ready  ## the virtual environment alone

lint: $(VENV)/ready  ## code and notebooks; types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

check release grade feedback doctor: $(VENV)/ready  ## the verb of this name
	$(COURSE) $@

clean:  ## what can be made again
	rm -rf demo/class .pytest_cache .ruff_cache

# Made anew when the pins change. setuptools comes with torch, so building needs no second download.
$(VENV)/ready: $(wildcard requirements*.txt) pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.x")'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@
