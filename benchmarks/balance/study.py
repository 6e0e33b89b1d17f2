"""A study of balance: checked before it begins, played, and read from its records as a row for each game.

For every variant each agent plays all deals against itself, and each pair of agents plays them one against the other
with seats or teams rotated.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from tantra_envs.core.game import Game

from ..harness import playing, shards
from ..harness.args import check, check_agents
from ..harness.lineups import Lineup, members, one_vs_rest
from ..harness.playing import Plan
from ..harness.run_folder import run_folder
from ..harness.scores import Scores
from ..harness.shards import MatchSpec, Options
from ..harness.workers import Run
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
    words = tuple(word.strip() for word in args.agents.split(","))
    games: dict[str, Game] = {}
    tables: dict[str, Table] = {}
    matches: dict[str, MatchSpec] = {}
    for variant, varied in variants(args.vary).items():
        base = MatchSpec(args.game, _options(args, varied), words, (), args.seed)
        game, agents = shards.made(base)
        _check_game(game)
        names = [agent.name for agent in agents]
        check_agents(args.agents, names)
        for lineup, kind in _lineups(len(names), len(game.teams)):
            name = f"{len(games)}_{'-'.join(map(str, lineup))}"
            tables[name] = Table(variant, " - ".join(names[agent] for agent in members(lineup)), kind)
            matches[name] = replace(base, lineup=lineup, rotations=1 if kind == SELF_PLAY else None)
        games[variant] = game
    folder = run_folder(args, ["balance", args.game, *args.vary, args.agents, args.seed])
    plan = Plan(folder / "records", matches, args.deals)
    plan.check()
    return Study(games, names, tables, plan, args.seed, args.precision, folder)


def play(study: Study, run: Run) -> pl.DataFrame:
    """Play what is missing, and observe all games: columns variant and lineup before those of `observer`."""
    deals = playing.play(study.plan, run, Scores(study.plan).precise(study.precision))
    owner = {file: table for name, table in study.tables.items() for file in study.plan.files(name, deals)}
    found = playing.count(observed, list(owner), run)
    return pl.concat([_named(owner[file], games) for file, games in found.items()], how="diagonal")


def _options(args: Args, varied: Options) -> Options:
    players = {} if args.players is None else {"players": args.players}
    return tuple({**players, **dict(varied)}.items())


def _check_game(game: Game) -> None:
    """ValueError if there is nobody to play against, or nothing to be asked."""
    load(game)
    if len(game.teams) < 2:
        raise ValueError(f"{game.name}: players={game.players} has nobody to play against; allowed: 2 or more")


def _lineups(agents: int, teams: int) -> list[tuple[Lineup, str]]:
    """Against themselves first, then pairs: of two teams the later agent against the earlier, else each alone."""
    both_ways = itertools.permutations(range(agents), 2)
    pairs = [(one_vs_rest(i, j, teams), ONE_VS_REST) for i, j in both_ways if teams > 2 or i > j]
    return [((i,) * teams, SELF_PLAY) for i in range(agents)] + pairs


def _named(table: Table, games: pl.DataFrame) -> pl.DataFrame:
    return games.select(pl.lit(table.variant).alias("variant"), pl.lit(table.lineup).alias("lineup"), pl.all())
