"""An agent for weights that `ppo:FILE` would play wrongly: a policy whose actions are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.networks import sampled_at


class SampledPolicy(LearnedAgent):
    """An agent that draws its actions from the policy in a model file. A subclass sets `weights`."""

    weights: ClassVar[Path]

    def __init__(self, game: Game) -> None:
        super().__init__(game, self.weights, self.weights.stem)

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,)."""
        return sampled_at(obs, np.arange(len(obs)), self.logits(obs), rng)
