"""A study of behaviour: checked before it begins, played, and counted from its records.

The records of an agent bear its name, so that others may be added later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.files import open_folder

from ..harness import playing, shards
from ..harness.args import check, check_agents
from ..harness.formatting import slug
from ..harness.lineups import one_vs_rest
from ..harness.playing import Plan
from ..harness.run_folder import run_folder
from ..harness.scores import Scores
from ..harness.shards import MatchSpec, Options
from ..harness.workers import Run
from .args import Args
from .games import load
from .observer import counts


@dataclass(frozen=True)
class Player:
    """An agent whose behaviour is counted."""

    name: str
    records: str  # the beginning of the names of its records
    made: Mapping[str, Any]  # how it was made, as far as it says so


@dataclass(frozen=True)
class Study:
    """What is to be played, and where it is kept."""

    game: Game
    players: list[Player]
    among: str
    plan: Plan
    seed: int
    precision: float | None
    page: Path


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    check(args)
    options: Options = () if args.players is None else (("players", args.players),)
    game, _ = shards.made(MatchSpec(args.game, options, (), (), args.seed))
    teams = len(game.teams)
    if teams < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")
    load(game)
    if "," in args.among:
        raise ValueError(f"among={args.among!r} is not allowed; allowed: one agent")
    words = [word.strip() for word in (args.agents or f"learned:{game.id},scripted,uniform").split(",")]
    matches = [MatchSpec(args.game, options, (word, args.among), one_vs_rest(0, 1, teams), args.seed) for word in words]
    players = [_player(match) for match in matches]
    check_agents(args.agents or "", [player.name for player in players])
    folder = run_folder(args, ["behaviour", args.game, f"{game.players}p", args.among, args.seed])
    named = {player.records: match for player, match in zip(players, matches, strict=True)}
    plan = Plan(folder / "records", named, args.deals)
    plan.check()
    page = args.page or folder / f"{game.id}.md"
    open_folder(page.parent)
    return Study(game, players, args.among, plan, args.seed, args.precision, page)


def play(study: Study, run: Run) -> dict[str, pl.DataFrame]:
    """Play what is missing, and count: for every agent a table as `observer.counts` makes it."""
    deals = playing.play(study.plan, run, Scores(study.plan).precise(study.precision))
    files = {player.name: study.plan.files(player.records, deals) for player in study.players}
    found = playing.count(counts, [file for own in files.values() for file in own], run)
    return {name: pl.concat(found[file] for file in own) for name, own in files.items()}


def _player(match: MatchSpec) -> Player:
    agent, _ = shards.made(match)[1]
    return Player(agent.name, slug(agent.name), dict(getattr(agent, "made", {})))
