"""Check what was played: `python -m benchmarks check FOLDER|FILE ..`.

Agents by name decide again in all games, with the same random numbers. Other agents play their recorded actions, so no
code of theirs runs. The figures of a folder are computed again, from the games or from the stored points.
"""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from agents import AGENTS, AgentSpec, load, origin
from tantra_envs.core.asking import AgentError
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Agent, Observation
from tantra_envs.programs import cli, workers
from tantra_envs.programs import results as files
from tantra_envs.programs.progress import progress
from tantra_envs.programs.results import RESULTS

from .harness import plans, records
from .harness.oracle import OpenObservation
from .harness.plans import MatchSpec, Shard
from .harness.played import read_folder

NONE = -1  # in place of an action after the end of a game
SAME = "are played again to the same results"
NEAR = 1e-9  # allowed difference of two numbers that are computed from the same games


@dataclass(frozen=True)
class PathOptions:
    """Options that come first on the command line."""

    paths: tuple[Path, ...]
    """Folders of runs, records, and tables of results."""


@dataclass(frozen=True)
class Args(cli.WorkerOptions, PathOptions):
    """Check what was played: replay all games, and compute all figures again.

    Example: python -m benchmarks check runs/my-tournament

    Agents by name decide again in every game, so this takes about as long as playing.
    """


def main(argv: Sequence[str]) -> int:
    """Check the files and folders of the options."""
    with cli.user_errors("bench,train"):
        args = cli.read(Args, "benchmarks check", argv)
    with cli.work():
        try:
            with workers.executor(args.workers) as run:
                for path in args.paths:
                    print(f"{path}: {_folder(path, run) if path.is_dir() else _file(path)}", flush=True)
        except ValueError as wrong:
            raise cli.UserError(str(wrong)) from wrong
    return 0


def _file(file: Path) -> str:
    if file.suffix == ".csv":
        return f"{check_figures(file).height:,} figures in their intervals"
    return f"{play_again(file):,} games {SAME}"


def _folder(folder: Path, run: workers.Run) -> str:
    """Return what was checked in a folder; raise ValueError for the first difference."""
    every = sorted((folder / "records").glob("*.parquet"))
    with progress("records replayed", len(every)) as advance:
        games = 0
        for _, played in run(play_again, every):
            games += played
            advance(1)
    words = [f"{games:,} games {SAME}"] if every else []
    if (folder / RESULTS).is_file():
        words.append(compare_figures(folder))
    if not words:
        raise ValueError(f"{folder} has nothing to check; allowed: a folder with records, or with {RESULTS}")
    return "; ".join(words)


# Figures


def check_figures(file: Path) -> pl.DataFrame:
    """Return a table of results; raise ValueError unless every value is in its interval."""
    found = files.read(file)
    outside = found.filter((pl.col("low") > pl.col("value")) | (pl.col("high") < pl.col("value")))
    for line in outside.iter_rows(named=True):
        raise ValueError(f"{file}: {_place(line)}: value={line['value']} is not allowed; allowed: low <= value <= high")
    return found


def compare_figures(folder: Path) -> str:
    """Return what was checked of the figures in a folder; raise ValueError unless they follow from games or points."""
    found = check_figures(folder / RESULTS)
    view = importlib.import_module(f"benchmarks.views.{found['view'][0]}")
    load = getattr(view, "recomputed", None if hasattr(view, "load") else read_folder)
    if load is None:  # its figures follow from options that the file does not have
        return f"{found.height:,} figures in their intervals"
    expected = view.results(load(folder))
    if found.height != expected.height:
        raise ValueError(f"{folder / RESULTS}: {found.height} lines are not allowed; allowed: {expected.height}")
    for line, again in zip(found.iter_rows(named=True), expected.iter_rows(named=True), strict=True):
        for name in (name for name in files.SCHEMA if name != "date"):
            if not _same(line[name], again[name]):
                problem = f"{name}={line[name]!r} is not allowed; allowed: {again[name]!r}"
                raise ValueError(f"{folder / RESULTS}: {_place(again)}: {problem}, which follows from the games")
    return f"{found.height:,} figures are computed again to the same values"


def _same(value: Any, expected: Any) -> bool:
    if isinstance(value, float) and isinstance(expected, float):
        return math.isclose(value, expected, abs_tol=NEAR)
    return bool((value or "") == (expected or ""))


def _place(line: dict[str, Any]) -> str:
    names = ("table", "agent", "others", "measure", "part")
    return " ".join(line[name] for name in names if line[name])


# Games


class _Recorded:
    """An agent that plays the recorded actions."""

    def __init__(self, name: str, actions: pl.Series) -> None:
        self.name, self._actions = name, actions

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the recorded action of every table, NONE after the end of its record."""
        assert isinstance(obs, OpenObservation)
        plies = pl.Series(obs.tables["plies"].astype(np.int64))
        actions = self._actions.gather(obs.rows).list.get(plies, null_on_oob=True)
        return actions.fill_null(NONE).to_numpy().astype(np.int64)


def play_again(file: Path) -> int:
    """Play the games of a record again, and return their number; raise ValueError if one of them differs."""
    record = records.read(file)
    game, label, games = record.game, record.label, len(record.games)
    records.outcomes(record)  # refuses games of no match
    names, *facts = (label[name] for name in records.OF_MATCH)
    match = MatchSpec(game.id, (), tuple(names), *facts)
    shard = Shard(match, int(record.deals[0]), games // label["rotations"])
    origins, actions = label.get("origins", {}), record.games["actions"]
    agents = [_known(name, game, origins) or _Recorded(name, actions) for name in match.agents]
    try:
        again = plans.play_games(game, agents, shard, OpenObservation)
    except AgentError as error:
        raise ValueError(f"{file}: {error}") from None
    if len(again) != games:
        raise ValueError(f"{file}: {games} games are not allowed; allowed: {label['rotations']} for each deal")
    for name in records.SCHEMA:
        for row, (own, kept) in enumerate(zip(again[name].to_list(), record.games[name].to_list(), strict=True)):
            if own != kept:
                words = f"{name} is {own!s:.80} in the replay, but {kept!s:.80} in the file"
                raise ValueError(f"{file}: game {row}: {words}")
    return games


def _known(name: str, game: Game, origins: dict[str, Any]) -> Agent | None:
    """Return the agent of the package with this name, weights and settings; None for others and programs."""
    if AgentSpec.parse(name).name not in AGENTS or "text:" in name or ".py" in name:
        return None
    try:
        agent = load(name, game)
    except ValueError:
        return None
    is_same = agent.name == name and json.loads(json.dumps(origin(agent))) == origins.get(name, {})
    return agent if is_same else None
