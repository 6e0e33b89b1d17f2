"""The tables of self-play for Stable-Baselines3, with network inputs as observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from tantra_envs.adapters.sb3_tables import SB3Tables
from tantra_envs.envs.vector import Infos, SeatVectorEnv
from tantra_envs.opponents.network_spec import Observations, network_inputs


class SB3VecEnv(SB3Tables):
    """A VecEnv whose observations are network inputs, see `network_inputs`."""

    def __init__(self, tables: SeatVectorEnv, advice: bool = False) -> None:
        super().__init__(tables, _space(tables, advice))
        self._advice = advice

    def _inputs(self, observations: Observations, infos: Infos) -> Observations:
        known = self.tables.known() if self._advice else None
        return network_inputs(self.tables.game, observations, self.tables.action_masks(), known)

    def _last(self, observation: Observations, infos: Infos, i: int) -> Observations:
        """Return the last observation of a game. It has no advice, because no decision follows."""
        inputs: Any = self.observation_space.shape
        return np.pad(observation, (0, inputs[0] - len(observation)))


def _space(tables: SeatVectorEnv, advice: bool) -> spaces.Space[Any]:
    """Return the space of the network inputs."""
    space: Any = tables.single_observation_space
    more = np.full(tables.game.actions.size if advice else 0, 1, np.float32)
    return spaces.Box(np.concatenate([space.low, 0 * more]), np.concatenate([space.high, more]), dtype=np.float32)
