"""Many tables as one batched TorchRL environment, with masks for its masked distributions.

With `view="features"` the network of an actor or of a QValueActor is `rating_module(game)`, and a critic is
`value_module(game)`. `networks.save_network(module, game, file)` writes the former as a model file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from tensordict.nn import TensorDictModule
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import ValueOperator

from ..core.game import Game
from ..envs.vector import SeatVectorEnv
from ..envs.views import NO_ACTION
from .networks import RatingNetwork, ValueNetwork


class TorchRLTables(EnvBase):
    """`num_envs` tables where the learner plays one seat. A step is one decision of that seat.

    observation: (num_envs, view.size) float32; action_mask: (num_envs, actions.size) bool; action: (num_envs,) int64;
    reward, done, terminated, truncated: (num_envs, 1). Random actions are legal.

    With `view="features"` there are table, actions and ids of the lists of legal actions in place of observation: see
    `SeatVectorEnv`. An action is a place in the list, and action_mask has the size of the list.
    """

    def __init__(self, game: Game, num_envs: int, *, device: Any = None, **seating: Any) -> None:
        super().__init__(device=device, batch_size=[num_envs])
        self.tables = SeatVectorEnv(game, num_envs, autoreset_mode="Disabled", **seating)
        choices: Any = self.tables.single_action_space
        n, actions = num_envs, int(choices.n)
        observations: dict[str, Any] = {"observation": Unbounded((n, game.view.size))}
        if seating.get("view") == "features":
            of_action, of_table = game.features.sizes
            observations = {
                "table": Unbounded((n, of_table)),
                "actions": Unbounded((n, actions, of_action)),
                "ids": Bounded(NO_ACTION, game.actions.size - 1, (n, actions), dtype=torch.int64),
            }
        observations["action_mask"] = Binary(actions, (n, actions), dtype=torch.bool)
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
        arrays = views if isinstance(views, dict) else {"observation": views}
        observations = {name: torch.from_numpy(array) for name, array in arrays.items()} | {"action_mask": mask}
        tall = {name: torch.from_numpy(column)[:, None] for name, column in columns.items()}
        return TensorDict({**observations, **tall}, self.batch_size, device=self.device)


def rating_module(game: Game, hidden: Sequence[int] = (64, 64), out_key: str = "logits") -> TensorDictModule:
    """Return a module that rates the places of the lists, for tables with `view="features"`.

    With `out_key="action_value"` a `QValueModule` reads the ratings.
    """
    network = _Ratings(*game.features.sizes, hidden)
    return TensorDictModule(network, in_keys=["table", "actions", "ids"], out_keys=[out_key])


def value_module(game: Game, hidden: Sequence[int] = (64, 64)) -> ValueOperator:
    """Return a module that values tables by their features, for tables with `view="features"`."""
    return ValueOperator(_Values(game.features.of_table.size, hidden), in_keys=["table"])


class _Ratings(RatingNetwork):
    """Ratings of lists by their ids. The mask of a table that is over allows all places, and its ids none."""

    def forward(self, table: torch.Tensor, actions: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return super().forward(table, actions, ids != NO_ACTION)


class _Values(ValueNetwork):
    """Values with a dimension of their own, (.., 1)."""

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return super().forward(inputs)[..., None]
