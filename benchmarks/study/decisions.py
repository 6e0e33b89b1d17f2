"""Measure agency and kingmaking: how much decisions of an agent matter, and whether the last one decides for others.

One action is drawn in every tenth of a recorded game and valued by `harness.judged`. The agent is its own judge.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from tantra_envs import Agent, Game
from tantra_envs.measures import mean, share

from ..harness import plans, records
from ..harness.figures import Figure, average
from ..harness.judged import FEWEST, OWN, valued
from ..harness.plans import MatchSpec
from ..harness.records import Record
from .tension import BY_TENTH, tables_by_tenth

COLUMNS_VERSION = 4  # of the kept files; other columns need another number
STREAM = 1  # separates these random numbers from those of win probabilities

CHOICE = share("decisions with a choice", "Decisions with two or more legal actions. All other figures are about them.")
RANDOM = mean(
    "advantage over a random action",
    "How much more the best action scores than a random legal one, which may be the best.",
    unit="score",
    even=0.0,
)
CLEAR_RANDOM = share(
    "clear against a random action",
    "Decisions in which the best action is better than a random legal one by more than two standard errors. More "
    "playouts make more decisions clear. If no action matters, 2 to 3 % are clear by chance, with few playouts more.",
)
VALUES = {CHOICE: pl.col("choice"), RANDOM: pl.col("best") - pl.col("mean"), CLEAR_RANDOM: pl.col("clear_mean")}
GROUPS = {"tenth": "over a game", "kind": "by kind of action", "phase": "by phase of the rules"}  # by column
KINGMAKING = share(
    "kingmaking decisions",
    "Decisions of the team that is last by its expected score at which two actions are as good for itself, and choose "
    f"which of two others is ahead. As good means: within {OWN} of its best expected score.",
)
KINGMAKING_DEALS = share(
    "deals with kingmaking",
    "Deals in which the last team has such a decision. One decision in each tenth of a game is looked at, so there are "
    "more of them.",
)


def figures(game: Game) -> list[Figure]:
    """Return all figures of the rows that `sampled` makes."""
    rows = [average(measure, value) for measure, value in VALUES.items()]
    blocks = tuple(block.name for block in game.actions)
    groups: dict[str, tuple[str, ...]] = {"tenth": BY_TENTH, "kind": blocks, "phase": tuple(game.phases[:-1])}
    for group, parts in groups.items():
        split = dataclasses.replace(RANDOM, name=f"{RANDOM.name}, {GROUPS[group]}", parts=parts)
        rows += [average(split, pl.when(pl.col(group) == name).then(VALUES[RANDOM]), name) for name in parts]
    if len(game.teams) >= FEWEST:
        king = pl.col("king")
        deals = ((king.max() == 1).fill_null(False).cast(pl.Float64), (king.count() > 0).cast(pl.Float64))
        rows += [average(KINGMAKING, king), Figure(KINGMAKING_DEALS, deals)]
    return rows


def of_file(matches: Mapping[str, MatchSpec], playouts: int, seed: int, file: Path) -> pl.DataFrame:
    """Return the valued decisions of a record, in which one agent plays all seats."""
    _, (agent,) = plans.build(matches[file.stem.rsplit("_", 2)[0]])
    return sampled(records.read(file), agent, playouts, seed)


def sampled(record: Record, agent: Agent, playouts: int, seed: int) -> pl.DataFrame:
    """Return a row of `valued` for one decision in every tenth of every game, with deal, tenth and kind."""
    game, rng = record.game, np.random.default_rng((seed, record.deals[0], STREAM))
    parts = []
    for name, states, paid, actions in zip(BY_TENTH, *tables_by_tenth(record, rng), strict=True):
        rows = valued(game, agent, states, paid, actions, playouts, rng)
        kind = pl.Series("kind", [game.actions.at(int(action)).name for action in actions])
        parts.append(rows.with_columns(pl.Series("deal", record.deals), pl.lit(name).alias("tenth"), kind))
    return pl.concat(parts)
