"""Tables as a Stable-Baselines3 VecEnv. A step that ends a game also deals the next one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from ..core.game import Game
from ..envs.vector import SeatVectorEnv


class SB3Tables(VecEnv):
    """A VecEnv of `num_envs` tables; see `adapters.sb3`.

    The info of a finished game holds `terminal_observation` and `episode` with the return `r` and the length `l`, in
    the format of SB3's Monitor. `truncated` is True if the game reached its limit. `TimeLimit.truncated` is False all
    the same, because SB3 would add the value of the last observation to the final rewards. Other infos are empty.
    """

    def __init__(self, game: Game, num_envs: int, **seating: Any) -> None:
        self.tables: SeatVectorEnv[Any] = SeatVectorEnv(
            game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **seating
        )
        self._returns: npt.NDArray[np.float64] = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.tables.single_observation_space, self.tables.single_action_space)

    def reset(self) -> Any:
        """Deal all tables; return the observations, (num_envs, inputs), or a dict of arrays with `view="features"`.

        Raises:
            ValueError: The options of `set_options` differ between the tables.
        """
        options = self._options[0]
        if any(other != options for other in self._options):
            raise ValueError(
                f"{self.tables.game.name}: options={self._options} differ; allowed: one dict for all tables"
            )
        self._returns[:] = 0.0
        self._lengths[:] = 0
        observations, _ = self.tables.reset(seed=self._seeds[0], options=options)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Store the learners' actions, (num_envs,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the stored actions."""
        observations, rewards, terminated, truncated, infos = self.tables.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        dones = terminated | truncated
        sb3_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            episode = {"r": float(self._returns[i]), "l": int(self._lengths[i])}
            sb3_infos[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": False,
                "truncated": bool(truncated[i]),
                "episode": episode,
            }
        self._returns[dones] = 0.0
        self._lengths[dones] = 0
        return observations, rewards, dones, sb3_infos

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """Call a method of the tables, for example `action_masks`, and return one result for each of `indices`."""
        results = getattr(self.tables, method_name)(*args, **kwargs)
        return results if indices is None else [results[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of the tables, once for each of `indices`."""
        return [getattr(self.tables, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of all tables."""
        setattr(self.tables, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each of `indices`: tables have no wrappers, but infos include episodes as with a Monitor."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()
