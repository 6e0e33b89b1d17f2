"""Every piece of Python on the pages runs, and every command is one that its own parser takes.

A page's pieces run one after the other in one namespace, in an empty folder. What a page takes for granted is given to
it in `GIVEN`. Commands are read by the programs themselves, which are stopped once they have understood; studies,
measurements and tables for play are prepared as well, which checks agents, games and options without playing. Those of
the first afternoon are played: see `test_start.py`.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
import re
import shlex
import sys
import tomllib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tantra_envs
from tantra_envs.commands import play
from tantra_envs.games import BENCHMARKS
from tantra_envs.opponents import opponent
from tantra_envs.programs import cli

from .pages import GAMES, PAGES, ROOT, blocks, commands, name_of

BOT = """
class MyAgent:
    name = "mine"

    def __init__(self, game):
        pass

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)


Thrifty = MyAgent
"""
AGENTS_PAGE, NEW_GAME_PAGE = ROOT / "docs/agents.md", ROOT / "docs/add-a-game.md"
COURSE_PAGE = ROOT / "docs/course.md"
SHORT = {"200_000": "1", "300_000": "1", "400_000": "8_192"}  # steps of training
PREPARED = {  # the functions that check the options of a command
    "benchmarks tournament": "benchmarks.presets.tournament:rows",
    "benchmarks ladder": "benchmarks.presets.ladder:rows",
    "benchmarks study": "benchmarks.study.experiment:prepare",
    "training evaluate": "training.evaluate:prepare",
    "training ppo": "training.options:check",
    "training q-learning": "training.options:check",
    "tantra_envs play": f"{__name__}:_prepare_play",
}
# Commands of their time, those that test_new_game.py runs, and usages with placeholders.
UNTRIED = (ROOT / "CHANGELOG.md", NEW_GAME_PAGE)
COMMANDS = sorted({(name_of(page), command) for page in PAGES for command in commands(page) if page not in UNTRIED})


class UnderstoodError(Exception):
    """A program has understood its command line, whose options this holds, and is stopped."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a reader: a checkout with a bot, as far as pages assume it."""
    monkeypatch.chdir(tmp_path)
    for name in ("configs", "docs", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    weights = "tantra_envs/opponents/weights"  # with which some configs of training begin
    (tmp_path / weights).parent.mkdir(parents=True)
    (tmp_path / weights).symlink_to(ROOT / weights)
    for name in ("my_bot", "my_agent", "my_torch_agent"):
        (tmp_path / f"{name}.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "class.toml").write_text(blocks(COURSE_PAGE, "toml")[0], encoding="utf-8")
    for name in ("ann", "ann_first", "ben"):
        (tmp_path / f"bots/{name}.py").parent.mkdir(exist_ok=True)
        (tmp_path / f"bots/{name}.py").write_text((ROOT / "docs/course/rule_of_thumb.py").read_text(encoding="utf-8"))
    (tmp_path / "lowest_first.py").write_text(blocks(AGENTS_PAGE, "python")[0], encoding="utf-8")
    return tmp_path


# Python


def _environments() -> dict[str, Any]:
    torch, gymnasium = pytest.importorskip("torch"), importlib.import_module("gymnasium")

    def policy(views: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    class Training:
        left = 3

        def __bool__(self) -> bool:
            self.left -= 1
            return self.left > 0

    device = torch.device("cpu")
    return {"gymnasium": gymnasium, "torch": torch, "device": device, "policy": policy, "training": Training()}


def _watching() -> dict[str, Any]:
    env = tantra_envs.make_raw("karma")
    env.reset(seed=1)
    game, actions = env.game, []
    state = game.new(1)
    start = state.copy()
    for _ in range(20):
        actions.append(game.legal(state)[0])
        game.apply_action(state, actions[-1])
        env.step(actions[-1])
    agents = [opponent("search:4", game), None]
    return {"env": env, "game": game, "start": start, "actions": actions, "names": ["Ann", "Ben"], "agents": agents}


def _tournaments() -> dict[str, Any]:
    pytest.importorskip("polars")
    from benchmarks.__main__ import main

    assert (
        main(["tournament", "karma", "--agents", "uniform", "greedy", "--deals", "2", "--name", "my-tournament"]) == 0
    )
    return {}


GIVEN = {"docs/environments.md": _environments, "docs/watching.md": _watching, "docs/tournaments.md": _tournaments}
# What a piece, or a program, needs that need not be installed.
NEEDS = {
    "RecordVideo": "moviepy",
    "adapters.sb3": "sb3_contrib",
    "sb3_contrib": "sb3_contrib",
    "import torch": "torch",
    "adapters.rllib": "ray",
    "adapters.jax": "jax",
    "adapters.openspiel": "pyspiel",
    "from trl import": "trl",
    "from mcp import": "mcp",
    "import supersuit": "supersuit",
    "training examples torchrl": "torchrl",
}


def _pieces(page: Path) -> list[str]:
    return [piece for piece in blocks(page, "python") if ">>>" not in piece]  # those are tests of their own


RUN = [page for page in PAGES if _pieces(page) and page not in (*GAMES, NEW_GAME_PAGE)]


@pytest.mark.whole
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_python_runs(page, folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("You may:\n- PASS\n\n"))  # what a program that answers is asked
    names = {"np": np, "tantra_envs": tantra_envs, "__file__": str(page)}
    known: dict[str, Any] = {**names, **GIVEN.get(name_of(page), dict)()}
    for block in _pieces(page):
        if all(importlib.util.find_spec(module) for word, module in NEEDS.items() if word in block):
            piece = re.sub("|".join(SHORT), lambda steps: SHORT[steps[0]], block)
            exec(compile(piece, name_of(page), "exec"), known)


# Commands


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=lambda words: re.sub(r"\W+", "-", words))
def test_commands_are_understood(page, command, folder, monkeypatch):
    first, *words = _filled_in(command)
    if first == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), command
    elif first == "pip":
        _check_extras(command)
    else:
        _check_program(words[1], words[2:], folder, monkeypatch)


def _filled_in(command: str) -> list[str]:
    """The words of a command, with what a reader fills in: a game for GAME, agents for `..` and for files of runs."""
    for blank, word in {"tests/FOLDER": "tests/core", "GAME": "karma", "$game": "karma", " .. ": " scripted "}.items():
        command = command.replace(blank, word)
    game = next((game for game in BENCHMARKS if re.search(rf"\b{game}\b", command)), "karma")
    files = dict.fromkeys(re.findall(r"ppo:[\w/.-]+?\.safetensors(?:,name=\w+)?", command))
    for file, agent in zip(files, (f"learned:{game}", "search:2"), strict=False):
        command = command.replace(file, agent)
    command = re.sub(r"--config runs/\S+/rank\.toml", "scripted", command)
    return shlex.split(command, comments=True)


def _check_extras(command: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for named in re.findall(r"\[([\w,]+)\]", command):
        assert set(named.split(",")) <= set(extras), command


def _prepare_play(options: play.Args) -> None:
    if options.game or options.resume:
        play.prepare(options)
    else:  # the lobby makes tables later
        play._check(options)


def _check_program(program: str, words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not words or program.startswith(("tests.", "docs._site")):
        assert _main_of(program)
        return
    if program == "pytest":
        files = [
            word for before, word in pairwise(["", *words]) if before not in ("-k", "-m") and not word.startswith("-")
        ]
        assert all((ROOT / file).exists() for file in files)
        return
    whole = " ".join([program, *words])
    for module in (module for word, module in NEEDS.items() if whole.startswith(word)):
        pytest.importorskip(module)
    options = _understood(program, words, monkeypatch)
    if hasattr(options, "runs"):
        options = replace(options, runs=folder / "runs")
    for function in (function for command, function in PREPARED.items() if f"{whole} ".startswith(f"{command} ")):
        pkgutil.resolve_name(function)(options)


def _understood(program: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the options that a program reads from its command line; None if it has none. Fail if it refuses them."""
    read = cli.read

    def read_in(*given: Any) -> Any:
        raise UnderstoodError(read(*given))

    module = importlib.import_module(_main_of(program))
    monkeypatch.setattr(cli, "read", read_in)
    monkeypatch.setattr(sys, "argv", [program, *words])
    with pytest.raises(UnderstoodError) as understood:
        module.main(words)
    return understood.value.args[0]


def _main_of(program: str) -> str:
    found = importlib.util.find_spec(program)
    assert found, f"there is no module {program}"
    return f"{program}.__main__" if found.submodule_search_locations else program
