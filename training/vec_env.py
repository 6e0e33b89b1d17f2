"""The tables of a `SeatVectorEnv` as Stable-Baselines3 wants them: finished games are dealt anew within the step."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from agents.network_spec import Observations, network_inputs
from tantra_envs.envs.vector import SeatVectorEnv


class SB3VecEnv(VecEnv):
    """A VecEnv over `tables`, whose autoreset mode must be SAME_STEP.

    Its observations are the inputs of networks, see `agents.network_spec.network_inputs`. The info of a finished game
    holds `terminal_observation`, `TimeLimit.truncated` and `episode`, its return `r` and length `l`, as SB3's own
    Monitor writes them.
    """

    def __init__(self, tables: SeatVectorEnv, advice: bool = False) -> None:
        if tables.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            raise ValueError("Stable-Baselines3 needs tables with autoreset_mode=AutoresetMode.SAME_STEP")
        self.tables = tables
        self._first: Observations | None = None
        self._returns = np.zeros(tables.num_envs)
        self._lengths = np.zeros(tables.num_envs, np.int64)
        self._advice = advice
        super().__init__(tables.num_envs, _space(tables, advice), tables.single_action_space)

    def continue_from(self, observations: Observations) -> None:
        """Let the next `reset` go on with games that are under way, of which the learners see `observations`."""
        self._first = observations

    def reset(self) -> Observations:
        """Deal all tables."""
        observations, self._first = self._first, None
        self._returns[:] = 0.0
        self._lengths[:] = 0
        if observations is None:
            observations = self.tables.reset(seed=self._seeds[0])[0]
        self._reset_seeds()
        return self._inputs(observations)

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learners' actions."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them."""
        observations, rewards, terminated, truncated, infos = self.tables.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        dones = terminated | truncated
        sb3_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            episode = {"r": float(self._returns[i]), "l": int(self._lengths[i])}
            last = _padded(infos["final_obs"][i], self.observation_space.shape)
            sb3_infos[i] = {"terminal_observation": last, "TimeLimit.truncated": bool(truncated[i]), "episode": episode}
        self._returns[dones] = 0.0
        self._lengths[dones] = 0
        return self._inputs(observations), rewards, dones, sb3_infos

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """What a method of the tables returns for each of them: `action_masks` above all."""
        return getattr(self.tables, method_name)(*args, **kwargs)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for all tables."""
        return [getattr(self.tables, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of all tables."""
        setattr(self.tables, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Tables wear no wrappers, but report episodes as Monitor would."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()

    def _inputs(self, observations: Observations) -> Observations:
        return network_inputs(self.tables.game, observations, self.tables.action_masks(), self._advice)


def _space(tables: SeatVectorEnv, advice: bool) -> spaces.Space[Any]:
    """Of the inputs of networks."""
    own: Any = tables.single_observation_space
    more = np.full(tables.game.actions.size if advice else 0, 1, np.float32)
    return spaces.Box(np.append(own.low, 0 * more), np.append(own.high, more), dtype=np.float32)


def _padded(observation: Any, shape: Any) -> Any:
    """A last observation, with no advice: there is nothing to decide."""
    return np.pad(observation, (0, shape[0] - len(observation)))
