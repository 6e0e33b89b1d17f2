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
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Kinds, Measure, Transitions, mean
from tantra_envs.opponents.restricted import narrowed

from ..harness import records
from ..harness.figures import Figure
from ..harness.figures import mean as mean_of

WORTH = mean(
    "worth of an option",
    "0.5 minus the score of an agent without the option, alone among copies of itself that have it.",
    unit="score",
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


def figures(options: Sequence[str], option: str) -> list[tuple[Measure, int, Figure]]:
    """Return the figures of the columns that `counts` makes for one of the options: measure, part, figure."""
    worth = mean_of(0.5 - pl.col("score"), (-0.5, 0.5))
    return [
        (dataclasses.replace(measure, parts=Kinds(tuple(options))), options.index(option), figure)
        for measure, figure in ((WORTH, worth), (MISSED, mean_of(pl.col("missed"))))
    ]


def counts(file: Path) -> pl.DataFrame:
    """Return a row for every game of a record: its deal, the score of the ablated agent, and its missed decisions.

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
    scores = team_scores(record.paid)[ablated[:, record.game.team_representatives]]
    return pl.DataFrame({"deal": record.deals, "score": scores, "missed": missed})
