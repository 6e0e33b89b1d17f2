"""A study: checked before it begins, played block by block, and taken up again where it was stopped.

For every variant each agent plays all deals against itself (a mirror), and each pair of agents plays them one against
the other with seats or teams rotated. A finished block of deals is a file in `parts`; at the end they become one.
"""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from rich.progress import Progress

from agents import parse
from benchmarks.harness import run_folder as results
from benchmarks.tournament.run import weights
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.matches.match import rotated

from .figures import MIRROR, PAIRS
from .games import about
from .play import play_games
from .variants import variants

if TYPE_CHECKING:
    from .__main__ import Args

BLOCK = 256  # deals played side by side; part of the method: another number draws other random numbers


@dataclass(frozen=True)
class Lineup:
    """Who sits at a table: one agent alone, or against the others' agent."""

    name: str
    kind: str  # MIRROR or PAIRS
    teams: tuple[int, ...]  # the agent of each team before rotation


@dataclass(frozen=True)
class Study:
    """A study under way: its settings, and a folder that holds what has been played."""

    games: dict[str, Game]  # by the name of the variant; the first is the base
    agents: dict[str, list[Agent]]
    settings: dict[str, Any]
    folder: Path

    @property
    def file(self) -> Path:
        """A row for every game, once all are played."""
        return self.folder / "games.parquet"

    @property
    def parts(self) -> Path:
        """What is finished until then."""
        return self.folder / "parts"

    def lineups(self, variant: str) -> list[Lineup]:
        """Mirrors first, then pairs: with two teams the later agent against the earlier, else each alone in turn."""
        names, teams = self.settings["agents"], len(self.games[variant].teams)
        mirrors = [Lineup(name, MIRROR, (i,) * teams) for i, name in enumerate(names)]
        both_ways = itertools.permutations(range(len(names)), 2)
        pairs = [(i, j) for i, j in both_ways if teams > 2 or i > j]
        return mirrors + [Lineup(f"{names[i]} - {names[j]}", PAIRS, (i, *(j,) * (teams - 1))) for i, j in pairs]


@dataclass(frozen=True)
class Block:
    """Some deals of a line-up under a variant."""

    variant: str
    lineup: Lineup
    first: int
    deals: int
    file: Path

    @property
    def rotations(self) -> int:
        """Games of each deal."""
        return 1 if self.lineup.kind == MIRROR else len(self.lineup.teams)


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    for field, value, allowed in (("deals", args.deals, range(2, 1 << 31)), ("seed", args.seed, range(1 << 31))):
        if value not in allowed:
            raise ValueError(f"{field}={value} is not allowed; allowed: {allowed[0]}..{allowed[-1]}")
    games = variants(args.game, args.vary)
    agents = {}
    for variant, game in games.items():
        about(game)
        agents[variant] = parse(args.agents, game)
    names = [agent.name for agent in next(iter(agents.values()))]
    if len(set(names)) < len(names):
        raise ValueError(f"agents={args.agents!r} is not allowed; allowed: agents that differ")
    settings = {
        **{"game": next(iter(games.values())).name, "agents": names, "deals": args.deals, "seed": args.seed},
        "variants": {variant: {**game.config} for variant, game in games.items()},
        "weights": {variant: weights(made) for variant, made in agents.items()},
    }
    folder = args.runs / (args.name or _folder_name(args))
    results.open_folder(folder / "parts")
    study = Study(games, agents, settings, folder)
    before = results.read(folder / "study.json")
    results.check_same(folder, before and before["settings"], settings, "study")
    return study


def play(study: Study, command: str) -> None:
    """Play what is missing, and put all together."""
    results.write(study.folder / "study.json", {"command": command, "settings": study.settings})
    if not study.file.exists():
        blocks = list(_blocks(study))
        with Progress() as bar:
            task = bar.add_task("games", total=sum(block.deals * block.rotations for block in blocks))
            for block in blocks:
                bar.update(task, description=f"{block.variant}: {block.lineup.name}")
                if block.file.exists():
                    bar.advance(task, block.deals * block.rotations)
                else:
                    played = _play(study, block, lambda ended: bar.advance(task, ended))
                    results.replace(block.file, played.write_parquet)
        games = pl.concat([pl.read_parquet(block.file) for block in blocks], how="diagonal")
        results.replace(study.file, games.write_parquet)
    shutil.rmtree(study.parts, ignore_errors=True)


def _blocks(study: Study) -> Iterator[Block]:
    deals = study.settings["deals"]
    for v, variant in enumerate(study.games):
        for i, lineup in enumerate(study.lineups(variant)):
            for first in range(0, deals, BLOCK):
                yield Block(variant, lineup, first, min(BLOCK, deals - first), study.parts / f"{v}-{i}-{first}.parquet")


def _play(study: Study, block: Block, progress: Any) -> pl.DataFrame:
    """The games of a block; deal d is dealt from the same seed in every variant and line-up."""
    game, seed = study.games[block.variant], study.settings["seed"]
    deals = np.repeat(np.arange(block.first, block.first + block.deals, dtype=np.int64), block.rotations)
    seating = rotated(game, np.tile(block.lineup.teams, (block.deals, 1)), block.rotations)
    played = play_games(game, study.agents[block.variant], seating, deals + (seed << 32), (seed, block.first), progress)
    lone = study.settings["agents"][block.lineup.teams[0]]
    return played.select(
        pl.lit(block.variant).alias("variant"),
        pl.lit(block.lineup.name).alias("lineup"),
        pl.Series("deal", deals),
        pl.Series("rotation", np.tile(np.arange(block.rotations), block.deals)),
        *((pl.col(f"agent_{place}") == lone).alias(f"alone_{place}") for place in range(1, len(game.teams) + 1)),
        pl.all(),
    )


def _folder_name(args: Args) -> str:
    words = ["balance", args.game, *args.vary, args.agents, str(args.deals), str(args.seed)]
    return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(words)).strip("-")
