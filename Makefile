# Two commands do everything on a machine with Python 3.11+, make and git: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
COURSE := $(VENV)/bin/course

# Each module is compiled once, not by each of the many processes: empty means that the compiled ones are kept.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test test-slow setup lint docs lock pictures check release grade feedback doctor clean

# Processes that share the quick tests. Kernels under test wait for one another now and then, so two cores serve three.
WORKERS ?= 3

demo: $(VENV)/ready  ## the whole pipeline on the bundled class
	$(COURSE) demo

test: $(VENV)/ready  ## all but the slow tests; TESTS="..." for some of them, TESTS=--cov to see which lines they ran
	$(VENV)/bin/python tests/system_packages.py
	$(VENV)/bin/pytest --numprocesses $(WORKERS) --dist worksteal $(TESTS)

# Which of the slow tests `make test-slow` runs: "slow and not nightly" leaves out those of the nightly run.
SLOW ?= slow

test-slow: $(VENV)/ready  ## the slow ones; TESTS="..." for some of them
	$(VENV)/bin/python tests/system_packages.py
	$(VENV)/bin/pytest -m "$(SLOW)" --durations 12 --durations-min 5 $(TESTS)

setup: $(VENV)/ready  ## the virtual environment alone

lint: $(VENV)/ready  ## code and notebooks; types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

docs: $(VENV)/ready  ## docs/ as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict --config-file .ci/mkdocs.yml

pictures: $(VENV)/ready  ## the pictures of docs/, taken again
	$(VENV)/bin/python docs/pictures.py

check release grade feedback doctor: $(VENV)/ready  ## the command of this name
	$(COURSE) $@ $(OPTIONS)

clean:  ## what can be made again
	rm -rf demo/class site .pytest_cache .ruff_cache

# Made anew when the lock changes.
$(VENV)/ready: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.x")'
	sh .ci/make_venv.sh $(PYTHON) $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

lock:  ## requirements.txt and .ci/voices.txt anew: the newest versions in pyproject.toml's ranges
	PYTHON=$(PYTHON) sh .ci/lock.sh
