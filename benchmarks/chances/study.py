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
from ..harness.formatting import slug
from ..harness.playing import Plan
from ..harness.preparing import MOST, check, check_agents, made, plan, table
from ..harness.worded import over_deals
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
    check(args, FEWEST)
    cli.check_ranges(args, shard=(1, MOST), worlds=(1, MOST))
    if args.precision is not None:
        raise ValueError(f"precision={args.precision} is not allowed; allowed: None, all deals are played")
    players = [over_deals("agents", words, args.deals) for words in args.agents]
    base = table(args, ",".join(word for word, _ in players))
    game, agents = made(base)
    _ = game.scripted  # who plays on
    check_agents(list(args.agents), [agent.name for agent in agents])
    lone = {
        slug(word): replace(base, agents=(word,), lineup=(0,) * len(game.teams), rotations=1) for word, _ in players
    }
    deals = {slug(word): own for word, own in players}
    most = replace(args, deals=max(deals.values()))
    folder, planned = plan(most, ["chances", args.game, f"{game.players}p", args.seed], lone, args.shard, deals)
    page = args.page or folder / f"{game.id}.md"
    open_folder(page.parent)
    open_folder(folder / "sampled")
    names = {slug(word): word for word, _ in players}
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
