"""Many tables as one batched TorchRL environment, with masks for its masked distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from ..core.game import Game
from ..envs.vector import SeatVectorEnv


class TorchRLTables(EnvBase):
    """`num_envs` tables where the learner plays one seat. A step is one decision of that seat.

    observation: (num_envs, view.size) float32; action_mask: (num_envs, actions.size) bool; action: (num_envs,) int64;
    reward, done, terminated, truncated: (num_envs, 1). Random actions are legal.
    """

    def __init__(self, game: Game, num_envs: int, *, device: Any = None, **seating: Any) -> None:
        super().__init__(device=device, batch_size=[num_envs])
        self.tables = SeatVectorEnv(game, num_envs, autoreset_mode="Disabled", **seating)
        n, views, actions = num_envs, game.view.size, game.actions.size
        observations = {
            "observation": Unbounded((n, views)),
            "action_mask": Binary(actions, (n, actions), dtype=torch.bool),
        }
        self.observation_spec = Composite(observations, shape=(n,))
        self.action_spec = Categorical(actions, (n,), dtype=torch.int64)
        self.reward_spec = Unbounded((n, 1))
        flag = Binary(1, (n, 1), dtype=torch.bool)
        ends = {name: flag.clone() for name in ("done", "terminated", "truncated")}
        self.done_spec = Composite(ends, shape=(n,))
        self._first_seed: int | None = None

    def _reset(self, tensordict: TensorDictBase | None = None, **more: Any) -> TensorDictBase:
        mask = None if tensordict is None else tensordict.get("_reset", None)
        rows = np.ones(self.tables.num_envs, bool) if mask is None else mask.cpu().numpy().reshape(-1)
        views, infos = self.tables.reset(seed=self._first_seed, options={"reset_mask": rows})
        self._first_seed = None
        nothing = np.zeros(self.tables.num_envs, bool)
        return self._told(views, infos, {"done": nothing, "terminated": nothing, "truncated": nothing})

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        actions = tensordict["action"].cpu().numpy()
        views, rewards, terminated, truncated, infos = self.tables.step(actions)
        over = terminated | truncated
        ends = {"done": over, "terminated": over, "truncated": truncated}  # nothing follows a game at its limit
        return self._told(views, infos, {**ends, "reward": rewards.astype(np.float32)})

    def _set_seed(self, seed: int | None) -> None:
        self._first_seed = seed

    def _told(self, views: Any, infos: dict[str, Any], columns: dict[str, Any]) -> TensorDictBase:
        """Return everything as tensors, and set the mask of the action spec to the legal actions."""
        mask = torch.from_numpy(infos["action_mask"].astype(bool)).to(self.device)
        self.action_spec.update_mask(mask)
        observations = {"observation": torch.from_numpy(views), "action_mask": mask}
        tall = {name: torch.from_numpy(column)[:, None] for name, column in columns.items()}
        return TensorDict({**observations, **tall}, self.batch_size, device=self.device)
