"""One seat for Tianshou: observation and mask under the names that its batches expect, and infos of plain numbers.

With `view="features"` an actor-critic takes `RatingActor(*game.features.sizes)` as its actor, and
`TableCritic(game.features.of_table.size)`. A `RatingActor` is also the model of DQN and similar algorithms.
`networks.save_network(actor, game, file)` writes it as a model file.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

from ..core.game import Game
from ..envs.seat import SeatEnv
from .networks import RatingNetwork, ValueNetwork

Seen = dict[str, Any]


class TianshouSeat(gymnasium.Env[Seen, np.int64]):
    """A `SeatEnv` with the observations {"obs": what it observes, "mask": int8 of the size of the action space}.

    With `view="observation"` it observes (view.size,) float32, with `view="features"` a dict: see `SeatEnv`. When the
    game is over the mask allows every action.
    """

    def __init__(self, game: Game, **seating: Any) -> None:
        self.game = game
        self._env = SeatEnv(game, **seating)
        self.metadata, self.render_mode = self._env.metadata, self._env.render_mode
        self.action_space = self._env.action_space
        choices: Any = self._env.action_space
        mask = gymnasium.spaces.Box(0, 1, (int(choices.n),), np.int8)
        self.observation_space = gymnasium.spaces.Dict(obs=self._env.observation_space, mask=mask)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a game, as `SeatEnv.reset`."""
        view, infos = self._env.reset(seed=seed, options=options)
        return _seen(view, infos)

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play the action, then the opponents' actions until the learner decides again.

        A game that reaches its limit is truncated and terminated: Tianshou takes the value of its last position as 0.
        """
        view, reward, terminated, truncated, infos = self._env.step(action)
        observation, more = _seen(view, infos)
        return observation, reward, terminated or truncated, truncated, more

    def render(self) -> Any:
        """Return the learner's view, as `SeatEnv.render`."""
        return self._env.render()

    def close(self) -> None:
        """Close the window of "human" mode."""
        self._env.close()


class MaskedActor(nn.Module):
    """An actor for Tianshou's actor-critics: the logits of `net`, with very small logits for illegal actions."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Return logits (batch, actions.size), and `state` unchanged."""
        logits = self.net(torch.as_tensor(obs.obs, dtype=torch.float32))
        allowed = torch.as_tensor(obs.mask, device=logits.device).bool()
        return logits.masked_fill(~allowed, torch.finfo(logits.dtype).min), state


class SeenCritic(nn.Module):
    """A module that returns the values of `net` for the observations without their masks."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, **more: Any) -> torch.Tensor:
        """Return values (batch, 1)."""
        values: torch.Tensor = self.net(torch.as_tensor(obs.obs, dtype=torch.float32))
        return values


class RatingActor(RatingNetwork):
    """A `RatingNetwork` as an actor or a Q-network of Tianshou, for environments with `view="features"`."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:  # type: ignore[override]
        """Return the ratings of the places of the lists, (batch, L), and `state` unchanged."""
        lists = getattr(obs, "obs", obs)  # Tianshou passes actors the masks too, and Q-networks only the lists
        entries = (lists.table, lists.actions, lists.action_mask)
        return super().forward(*(torch.as_tensor(entry, device=_device(self)) for entry in entries)), state


class TableCritic(ValueNetwork):
    """A `ValueNetwork` as a critic of Tianshou, for environments with `view="features"`."""

    def forward(self, obs: Any, **more: Any) -> torch.Tensor:  # type: ignore[override]
        """Return values (batch, 1)."""
        return super().forward(torch.as_tensor(obs.obs.table, device=_device(self)))[:, None]


def _device(module: nn.Module) -> torch.device:
    return next(module.parameters()).device


def _seen(view: Any, infos: dict[str, Any]) -> tuple[Seen, dict[str, Any]]:
    mask = infos.pop("action_mask")
    return {"obs": view, "mask": mask}, infos
