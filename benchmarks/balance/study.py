"""A study of balance: checked before it begins, played, and read from its records as a row for each game.

For every variant each agent plays all deals against itself, and each pair of agents plays them one against the other
with seats or teams rotated.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from tantra_envs import cli
from tantra_envs.core.game import Game
from tantra_envs.opponents import apart
from tantra_envs.workers import Run

from ..harness import playing
from ..harness.args import MOST
from ..harness.lineups import Lineup, members, one_vs_rest
from ..harness.playing import Plan
from ..harness.preparing import check, check_agents, made, plan, table
from ..harness.scores import Scores
from ..harness.shards import MatchSpec
from ..harness.worded import over_deals
from .args import Args
from .games import load
from .observer import observed
from .question import ONE_VS_REST, SELF_PLAY
from .variants import variants

FEWEST = 2  # deals: one says nothing about their spread


@dataclass(frozen=True)
class Table:
    """Who plays whom under a variant."""

    variant: str
    lineup: str  # in words
    kind: str  # SELF_PLAY or ONE_VS_REST


@dataclass(frozen=True)
class Study:
    """What is to be played, and where it is kept."""

    games: dict[str, Game]  # by the name of the variant; the first is the base
    agents: list[str]
    tables: dict[str, Table]  # by the names of their records
    plan: Plan
    seed: int
    precision: float | None
    folder: Path


def prepare(args: Args) -> Study:
    """All that the options name, checked; ValueError or OSError tell what is wrong."""
    check(args, FEWEST)
    cli.check_ranges(args, shard=(1, MOST))
    words, deals = zip(*(_worded(word, args.deals) for word in apart(args.agents)), strict=True)
    games: dict[str, Game] = {}
    tables: dict[str, Table] = {}
    matches: dict[str, MatchSpec] = {}
    fewer: dict[str, int] = {}
    for variant, options in variants(args.vary, args.one_at_a_time).items():
        base = table(args, ",".join(words), options)
        game, agents = made(base)
        load(game)
        names = [agent.name for agent in agents]
        check_agents(args.agents, names)
        for lineup, kind in _lineups(len(names), len(game.teams), args.strongest):
            name = f"{len(games)}_{'-'.join(map(str, lineup))}"
            tables[name] = Table(variant, in_words([names[agent] for agent in members(lineup)]), kind)
            matches[name] = replace(base, lineup=lineup, rotations=1 if kind == SELF_PLAY else None)
            fewer[name] = min(deals[agent] for agent in members(lineup))
        games[variant] = game
    most = replace(args, deals=max(fewer.values()))
    made_from = ["balance", args.game, *args.vary, args.agents, args.seed]
    folder, planned = plan(most, made_from, matches, args.shard, fewer)
    return Study(games, names, tables, planned, args.seed, args.precision, folder)


def play(study: Study, run: Run) -> pl.DataFrame:
    """Play what is missing, and observe all games: columns variant and lineup before those of `observer`."""
    deals = playing.play(study.plan, run, Scores(study.plan).precise(study.precision))
    owner = {file: own for name, own in study.tables.items() for file in study.plan.files(name, deals)}
    found = playing.count(observed, list(owner), run)
    return pl.concat([_named(owner[file], games) for file, games in found.items()], how="diagonal")


def in_words(names: Sequence[str]) -> str:
    """A line-up by its agents: one against itself, or the first alone among the other."""
    return " - ".join(names)


def _worded(words: str, usual: int) -> tuple[str, int]:
    """A player and its deals; ValueError for too few."""
    player, deals = over_deals("agents", words, usual)
    if deals < FEWEST:
        raise ValueError(f"agents={words!r} is not allowed; allowed: {FEWEST} deals or more")
    return player, deals


def _lineups(agents: int, teams: int, strongest: bool) -> list[tuple[Lineup, str]]:
    """Against themselves first, then pairs: of two teams the later agent against the earlier, else each alone."""
    both_ways = itertools.permutations(range(agents), 2)
    pairs = [(one_vs_rest(i, j, teams), ONE_VS_REST) for i, j in both_ways if teams > 2 or i > j]
    found = [((i,) * teams, SELF_PLAY) for i in range(agents)] + pairs
    return [(lineup, kind) for lineup, kind in found if not strongest or lineup[0] == agents - 1]


def _named(own: Table, games: pl.DataFrame) -> pl.DataFrame:
    return games.select(pl.lit(own.variant).alias("variant"), pl.lit(own.lineup).alias("lineup"), pl.all())
