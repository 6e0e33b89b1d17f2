"""What an option is worth: an agent without it sits alone among copies of itself that have it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agents.restricted import narrowed
from tantra_envs import ablations
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.measures import Transitions, mean

from ..harness import records

WORTH = mean(
    "worth of an option",
    "One half less the score of an agent without the option, alone among copies of itself that have it.",
    unit="score",
    even=0.0,
)
MISSED = mean("decisions without it", "Decisions in a game in which the option would have left more to choose from.")


def selected(game: Game, names: tuple[str, ...]) -> dict[str, ablations.Ablation]:
    """Return the ablations of these names, or all of the game; ValueError for unknown names."""
    available = ablations.of_game(game)
    for name in names:
        if name not in available or names.count(name) > 1:
            raise ValueError(
                f"without={name} is not allowed; allowed: each once of {', '.join(available) or 'nothing'}"
            )
    return {name: available[name] for name in names or available}


def missed(file: Path) -> int:
    """Return the decisions of a record in which the ablated agent had less to choose from."""
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
