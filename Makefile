# make demo    install into .venv, learn Karma from nothing by self-play, judge what was learned, print and save the result
# make test    install into .venv, lint, compile all games, run all tests; with -j 2 it compiles beside the rest
# make quick   install into .venv, lint, and try the rules without compiling: a minute of CPU time, two with the first lint
# make test-adapters   the same for other people's trainers, in .venv-adapters with versions of their own
# make lint    ruff, mypy, import contracts: seconds
# make bench   speed of everything in one run, with peers if they are installed
# make docs    the pages as a site, in runs/site/html
# make release-check   wheel and sdist built, checked, installed in fresh environments of OLDEST and NEWEST, and tried;
#                      every extra resolved for both

PYTHON ?= python3
BIN := .venv/bin
OLDEST ?= python3.11
NEWEST ?= python3.14
# What is never imported needs no byte code: of torch and its libraries that is most, and takes a minute.
INSTALL := install --quiet --disable-pip-version-check --no-compile
# What is imported keeps its byte code: tests start many processes, and each would compile torch again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick warm test-adapters lint bench docs release-check clean

demo: .venv/train.installed
	$(BIN)/python -m training ppo --config configs/training/ppo-karma-demo.toml --name karma-demo-$$(date +%Y%m%d-%H%M%S)

test: lint warm
	$(BIN)/python -m pytest -n 2 --dist worksteal

# All rulings, and one table of every game in its environment, in plain Python.
quick: lint
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/games/*/test_rulings*.py \
		tests/contract/test_every_game.py::test_tables_that_are_cut_off_keep_their_promises

# Games compile with what the wheel needs, while all the rest is installed.
warm: .venv/base.installed
	$(BIN)/python -m tests.tools.warmup

# What is not installed is skipped, and the last lines say so.
test-adapters: .venv-adapters/installed .venv-openenv/installed
	.venv-adapters/bin/python -m pytest -m "" tests/adapters tests/envs/test_flat_observations.py tests/envs/test_interfaces.py
	.venv-openenv/bin/python -m pytest tests/adapters/test_openenv.py
	.venv-adapters/bin/python -m pytest -k frameworks tests/docs/test_snippets.py

lint: .venv/dev.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev.installed
	$(BIN)/python -m benchmarks speed --peers

docs: .venv/dev.installed
	$(BIN)/python -m docs._site

release-check: .venv/release.installed
	$(BIN)/python -m tests.tools.release --oldest $(OLDEST) --newest $(NEWEST)

# The stamp is newer than the files it was made from: nothing is installed twice.
.venv/base.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip $(INSTALL) -c constraints.txt -e .
	touch $@

.venv/train.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip $(INSTALL) -c constraints.txt -e ".[train,bench]"
	touch $@

.venv/dev.installed: .venv/base.installed
	$(BIN)/pip $(INSTALL) -c constraints.txt -e ".[train,bench,docs,dev]"
	touch .venv/train.installed $@

.venv/release.installed: .venv/dev.installed
	$(BIN)/pip $(INSTALL) -c constraints.txt -e ".[release]"
	touch $@

# Frameworks with an extra, and those that only an example uses
STACKS := sb3 rllib jax openspiel mcp verifiers
EXAMPLES := torchrl
COMMA := ,
EMPTY :=

.venv-adapters/installed: pyproject.toml $(STACKS:%=constraints/%.txt) $(EXAMPLES:%=constraints/%.txt)
	$(PYTHON) -m venv .venv-adapters
	.venv-adapters/bin/pip $(INSTALL) $(STACKS:%=-c constraints/%.txt) $(EXAMPLES:%=-c constraints/%.txt) \
		-e ".[$(subst $(EMPTY) ,$(COMMA),$(strip $(STACKS))),train,bench]" $(EXAMPLES) pytest hypothesis supersuit==3.11.0
	touch $@

# OpenEnv needs another major version of the library mcp than our own server.
.venv-openenv/installed: pyproject.toml constraints/openenv.txt
	$(PYTHON) -m venv .venv-openenv
	.venv-openenv/bin/pip $(INSTALL) -c constraints/openenv.txt -e ".[openenv]" pytest hypothesis
	touch $@

clean:
	rm -rf .venv .venv-adapters .venv-openenv .pytest_cache .mypy_cache .ruff_cache .hypothesis
