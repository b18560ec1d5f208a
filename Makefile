# Everything here needs only python3 and make: uv comes from PyPI into .tools if the machine has none.

UV := $(or $(shell command -v uv 2>/dev/null),.tools/bin/uv)
RUN := $(UV) run --locked
ifeq ($(UV),.tools/bin/uv)
export UV_CACHE_DIR ?= $(CURDIR)/.tools/cache
endif
PACKAGES := checkpoint sqlite postgres conformance

.DEFAULT_GOAL := help
export LANGGRAPH_RELEASE_PYTHON ?= $(wildcard $(CURDIR)/.release/bin/python)

.PHONY: help demo test check format release build clean $(PACKAGES:%=test-%)

help: ## Say what can be done here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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

release: .release/bin/python ## Install the released packages beside ours, for the tests that compare

build: $(UV) ## Build the wheels and source archives into dist/
	$(UV) build --all-packages --out-dir dist

clean: ## Remove what was built, cached and installed here
	rm -rf dist build .venv .tools .release .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.release/bin/python: $(UV)
	@$(UV) venv --quiet --clear .release
	@$(UV) pip install --quiet --python $@ langgraph==1.2.24 langgraph-checkpoint==4.3.2 \
		langgraph-checkpoint-sqlite==3.1.2 langgraph-checkpoint-postgres==3.2.0 psycopg-binary

.tools/bin/uv:
	@python3 -m venv .tools 2>/dev/null || { rm -rf .tools; python3 -m pip install --quiet --target .tools uv; }
	@test -x $@ || .tools/bin/python -m pip install --quiet uv
	@test -x $@ || { echo "uv could not be installed: python3 needs the venv or the pip module" >&2; exit 1; }
