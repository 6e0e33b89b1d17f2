"""A study of chances: checked before it begins, played, and sampled record by record."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.files import open_folder
from tantra_envs.workers import Run

from ..harness import playing
from ..harness.args import MOST
from ..harness.formatting import slug
from ..harness.playing import Plan
from ..harness.preparing import plan_page, players, plays_all_deals
from .args import Args
from .sampling import keep

FEWEST = 2  # deals: one says nothing about their spread


@dataclass(frozen=True)
class Study:
    """What is to be played and sampled, and where it is kept."""

    game: Game
    table: str  # the game and its variant in words
    agents: dict[str, str]  # by the beginnings of their records
    plan: Plan
    worlds: int
    seed: int
    folder: Path
    page: Path


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    cli.check_ranges(args, worlds=(1, MOST))
    plays_all_deals(args)
    base, game, deals = players(args, args.agents, FEWEST)
    _ = game.scripted  # who plays on
    names = {slug(word): word for word in deals}
    alone = (0,) * len(game.teams)
    lone = {key: replace(base, agents=(word,), lineup=alone, rotations=1) for key, word in names.items()}
    folder, planned, page = plan_page("chances", args, game, lone, {key: deals[word] for key, word in names.items()})
    open_folder(folder / "sampled")
    return Study(game, args.game, names, planned, args.worlds, args.seed, folder, page)


def play(study: Study, run: Run) -> pl.DataFrame:
    """Play and sample what is missing: a row for each game, with the column `agent` before those of `sampled`."""
    deals = playing.play(study.plan, run)
    owner = {file: agent for name, agent in study.agents.items() for file in study.plan.files(name, deals)}
    keeping = functools.partial(keep, study.folder / "sampled", study.worlds, study.seed)
    places = playing.count(keeping, list(owner), run)
    parts = [
        pl.read_parquet(places[file]).select(pl.lit(agent).alias("agent"), pl.all()) for file, agent in owner.items()
    ]
    return pl.concat(parts)
