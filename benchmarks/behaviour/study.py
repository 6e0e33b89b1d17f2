"""A study of behaviour: checked before it begins, played, and counted from its records.

The records of an agent bear its name, so that others may be added later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from agents import origin
from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.opponents import apart
from tantra_envs.workers import Run

from ..harness import playing, shards
from ..harness.formatting import slug
from ..harness.lineups import one_vs_rest
from ..harness.playing import Plan
from ..harness.preparing import made, plan_page, players, table
from ..harness.scores import Scores
from ..harness.shards import MatchSpec
from .args import Args
from .games import load
from .observer import counts


@dataclass(frozen=True)
class Player:
    """An agent whose behaviour is counted."""

    name: str
    records: str  # the beginning of the names of its records
    origin: Mapping[str, Any]  # where it comes from, as far as it says
    deals: int  # that it plays, unless the study stops before


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
    game = cli.game(args.game, args.players)
    load(game)
    own, game, own_deals = players(args, apart(args.agents or f"learned:{game.id},scripted,uniform"))
    _, among = made(others := table(args, args.among))
    if len(among) != 1:
        raise ValueError(f"among={args.among!r} is not allowed; allowed: one agent")
    lineup = one_vs_rest(0, 1, len(game.teams))
    seated = {word: replace(own, agents=(word, *others.agents), lineup=lineup) for word in own_deals}
    studied = [_player(seated[word], deals) for word, deals in own_deals.items()]
    matches = {player.records: match for player, match in zip(studied, seated.values(), strict=True)}
    deals = {player.records: player.deals for player in studied}
    _, planned, page = plan_page(f"behaviour-{args.among}", args, game, matches, deals)
    return Study(game, studied, args.among, planned, args.seed, args.precision, page)


def play(study: Study, run: Run) -> dict[str, pl.DataFrame]:
    """Play what is missing, and count: for every agent a table as `observer.counts` makes it."""
    deals = playing.play(study.plan, run, Scores(study.plan).precise(study.precision))
    files = {player.name: study.plan.files(player.records, deals) for player in study.players}
    found = playing.count(counts, [file for own in files.values() for file in own], run)
    return {name: pl.concat(found[file] for file in own) for name, own in files.items()}


def _player(match: MatchSpec, deals: int) -> Player:
    agent, _ = shards.made(match)[1]
    return Player(agent.name, slug(agent.name), origin(agent), deals)
