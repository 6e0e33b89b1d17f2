"""One seat as Tianshou wants it: observation and mask under the names its batches know, infos of plain numbers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

from ..core.game import Game
from ..envs.seat import SeatEnv

Seen = dict[str, Any]


class TianshouSeat(gymnasium.Env[Seen, np.int64]):
    """A `SeatEnv` whose observations are {"obs": (view.size,) float32, "mask": (actions.size,) int8}.

    Where nothing is left to decide the mask allows every action.
    """

    def __init__(self, game: Game, **seating: Any) -> None:
        self.game = game
        self._env = SeatEnv(game, **seating)
        self.action_space = self._env.action_space
        mask = gymnasium.spaces.Box(0, 1, (game.actions.size,), np.int8)
        self.observation_space = gymnasium.spaces.Dict(obs=self._env.observation_space, mask=mask)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a game, as `SeatEnv.reset`."""
        view, infos = self._env.reset(seed=seed, options=options)
        return _seen(view, infos)

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play the action, and the others until the learner decides again."""
        view, reward, terminated, truncated, infos = self._env.step(int(action))
        seen, told = _seen(view, infos)
        return seen, reward, terminated, truncated, told


class MaskedActor(nn.Module):
    """Logits of `net` for Tianshou's actor-critics, very small where the mask of the batch forbids the action."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Logits (batch, actions.size), and the state as it came."""
        logits = self.net(torch.as_tensor(obs.obs, dtype=torch.float32))
        allowed = torch.as_tensor(obs.mask, device=logits.device).bool()
        return logits.masked_fill(~allowed, torch.finfo(logits.dtype).min), state


class SeenCritic(nn.Module):
    """Values of `net`, which is shown the observation without the mask."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, **more: Any) -> torch.Tensor:
        """Values (batch, 1)."""
        values: torch.Tensor = self.net(torch.as_tensor(obs.obs, dtype=torch.float32))
        return values


def _seen(view: Any, infos: dict[str, Any]) -> tuple[Seen, dict[str, Any]]:
    mask = infos.pop("action_mask")
    return {"obs": view, "mask": mask}, infos
