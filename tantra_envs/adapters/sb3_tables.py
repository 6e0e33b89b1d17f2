"""Tables as Stable-Baselines3 wants them: a VecEnv in which finished games are dealt anew within the step."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from ..core.game import Game
from ..envs.vector import Infos, SeatVectorEnv, Views


def tables(game: Game, num_envs: int, **seating: Any) -> SB3Tables:
    """A VecEnv of so many tables; see `adapters.sb3`."""
    return SB3Tables(SeatVectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **seating))


class SB3Tables(VecEnv):
    """A VecEnv over `tables`, whose autoreset mode must be SAME_STEP.

    The info of a finished game holds `terminal_observation`, `TimeLimit.truncated` and `episode`, its return `r` and
    length `l`, as SB3's own Monitor writes them; other infos are empty.
    """

    def __init__(self, tables: SeatVectorEnv, space: spaces.Space[Any] | None = None) -> None:
        if tables.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            raise ValueError("Stable-Baselines3 needs tables with autoreset_mode=AutoresetMode.SAME_STEP")
        self.tables = tables
        self._first: tuple[Views, Infos] | None = None
        self._returns: npt.NDArray[np.float64] = np.zeros(tables.num_envs)
        self._lengths = np.zeros(tables.num_envs, np.int64)
        super().__init__(tables.num_envs, space or tables.single_observation_space, tables.single_action_space)

    def continue_from(self, observations: Views, infos: Infos) -> None:
        """Let the next `reset` go on with games that are under way, of which `tables.load` tells so much."""
        self._first = observations, infos

    def reset(self) -> Views:
        """Deal all tables."""
        first, self._first = self._first, None
        self._returns[:] = 0.0
        self._lengths[:] = 0
        observations, infos = first or self.tables.reset(seed=self._seeds[0])
        self._reset_seeds()
        return self._inputs(observations, infos)

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
            last = self._last(infos["final_obs"][i], infos["final_info"], int(i))
            sb3_infos[i] = {"terminal_observation": last, "TimeLimit.truncated": bool(truncated[i]), "episode": episode}
        self._returns[dones] = 0.0
        self._lengths[dones] = 0
        return self._inputs(observations, infos), rewards, dones, sb3_infos

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

    def _inputs(self, observations: Views, infos: Infos) -> Views:
        """What networks are shown, (num_envs, inputs); here the observations."""
        return observations

    def _last(self, observation: Views, infos: Infos, i: int) -> Views:
        """What they are shown of the finished game at table `i`, (inputs,)."""
        return observation
