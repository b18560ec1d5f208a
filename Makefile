# Everything here needs only python3 and make: uv comes from PyPI into .tools if the machine has none.

UV := $(or $(shell command -v uv 2>/dev/null),.tools/bin/uv)
RUN := $(UV) run --locked
PACKAGES := checkpoint sqlite postgres conformance

.DEFAULT_GOAL := help
.PHONY: help demo test check format build clean bench-serde $(PACKAGES:%=test-%)

help: ## Say what can be done here
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(UV) ## Kill an agent in the middle of its work and watch it resume, on SQLite
	@$(UV) sync --quiet --locked --inexact --no-default-groups --group engine
	@.venv/bin/python examples/research_agent/demo.py

test: $(UV) ## Run all tests
	$(RUN) pytest $(ARGS)

test-checkpoint: $(UV) ## Run the tests of the base package
	$(RUN) pytest libs/checkpoint $(ARGS)

test-sqlite: $(UV) ## Run the tests of the SQLite package
	$(RUN) pytest libs/checkpoint-sqlite $(ARGS)

test-postgres: $(UV) ## Run the tests of the Postgres package
	$(RUN) pytest libs/checkpoint-postgres $(ARGS)

test-conformance: $(UV) ## Run the tests of the conformance kit
	$(RUN) pytest libs/checkpoint-conformance $(ARGS)

check: $(UV) ## Lint, check the format and the types; what CI runs
	$(UV) lock --check
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(RUN) pyright

format: $(UV) ## Format the code and mend what can be mended by itself
	$(RUN) ruff check --fix
	$(RUN) ruff format

build: $(UV) ## Build the wheels and source archives into dist/
	$(UV) build --all-packages --out-dir dist

clean: ## Remove what was built, cached and installed here
	rm -rf dist build .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.tools/bin/uv:
	@python3 -m venv .tools 2>/dev/null || { rm -rf .tools; python3 -m pip install --quiet --target .tools uv; }
	@test -x $@ || .tools/bin/python -m pip install --quiet uv
	@test -x $@ || { echo "uv could not be installed: python3 needs the venv or the pip module" >&2; exit 1; }
