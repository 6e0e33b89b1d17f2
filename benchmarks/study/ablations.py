"""Measure the worth of an option: an agent without it plays alone among copies of itself that have it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tantra_envs import ablations
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.measures import Transitions, mean
from tantra_envs.opponents.restricted import narrowed

from ..harness import records

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


def missed(file: Path) -> int:
    """Return the number of decisions in a record in which the ablation removed legal actions."""
    record = records.read(file)
    alone = record.label["agents"][0]
    available = ablations.of_game(record.game)
    denied = [available[name] for name in record.label["origins"][alone]["without"]]
    ablated = np.array(record.games["seats"].to_list()) == alone
    decisions = 0

    def observe(t: Transitions) -> None:
        nonlocal decisions
        mine = ablated[t.rows, t.before["seat"]]
        obs = Observation(t.game, t.before[mine])
        decisions += int((narrowed(obs, denied).action_mask != obs.action_mask).any(axis=1).sum())

    records.replay(record, observe)
    return decisions
