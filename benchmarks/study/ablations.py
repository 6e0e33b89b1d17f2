"""Measure the worth of an option: an agent without it plays alone among copies of itself that have it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from tantra_envs import ablations
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.measures import Kinds, Transitions, mean
from tantra_envs.opponents.restricted import narrowed

from ..harness import records
from ..harness.figures import Figure, average

WORTH = mean(
    "worth of an option",
    "0.5 minus the score of an agent without the option, alone among copies of itself that have it.",
    unit="score",
    bounds=(-0.5, 0.5),
    even=0.0,
)
MISSED = mean("decisions without it", "Decisions per game in which the option would have allowed more actions.")


def selected(game: Game, names: tuple[str, ...]) -> dict[str, ablations.Ablation]:
    """Return the ablations of these names, or all of the game; raise ValueError for unknown names."""
    available = ablations.of_game(game)
    for name in names:
        if name not in available or names.count(name) > 1:
            raise ValueError(
                f"without={name} is not allowed; allowed, each once: {', '.join(available) or 'none in this game'}"
            )
    return {name: available[name] for name in names or available}


def figures(options: Sequence[str], option: str) -> list[Figure]:
    """Return the figures of the columns that `counts` makes for one of the options."""
    values = {WORTH: 0.5 - pl.col("score"), MISSED: pl.col("missed")}
    parts = Kinds(tuple(options))
    return [average(dataclasses.replace(measure, parts=parts), value, option) for measure, value in values.items()]


def counts(file: Path) -> pl.DataFrame:
    """Return the outcome of the ablated agent in every game of a record, and its missed decisions.

    A decision is missed if the ablation removed legal actions.
    """
    record = records.read(file)
    available = ablations.of_game(record.game)
    denied = [available[name] for name in record.label["origins"][record.label["agents"][0]]["without"]]
    ablated = record.seating == 0
    missed = np.zeros(len(ablated), np.int64)

    def observe(t: Transitions) -> None:
        mine = ablated[t.rows, t.before["seat"]]
        obs = Observation(t.game, t.before[mine])
        missed[t.rows[mine]] += (narrowed(obs, denied).action_mask != obs.action_mask).any(axis=1)

    records.replay(record, observe)
    return records.outcomes(record).filter("alone").with_columns(missed=missed)
