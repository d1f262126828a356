# make demo   two hands with a mistake in each on a virtual table, told in the terminal
# make test   everything that must be green: lint, types, import contracts, tests; what is drawn is the same each time
# make soak   long random runs; SEED=... repeats one
.PHONY: demo test lint soak bench clean

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
SEED   ?=
JOBS   ?= 2

demo: $(VENV)/.run
	@$(BIN)/cutcard demo

test: lint
	$(BIN)/pytest -n $(JOBS) -m "not soak" --hypothesis-seed 1

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: $(VENV)/.dev
	@seed=$(SEED); seed=$${seed:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}; \
	echo "repeat this run with: make soak SEED=$$seed"; \
	CUTCARD_SEED=$$seed $(BIN)/pytest -n $(JOBS) -m soak --hypothesis-seed $$seed --timeout 5400

bench: $(VENV)/.run
	$(BIN)/cutcard bench

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# An unfinished environment has no stamp and is made anew.
$(VENV)/.run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cutcard needs Python 3.11 or newer; say which: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: apt-get install -y python3-venv" >&2; exit 2; }
	@echo "Making the virtual environment in $(VENV) (once) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
