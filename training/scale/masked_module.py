"""The network that RLlib trains: the project's actor, a critic, and a mask for illegal actions."""

from __future__ import annotations

import math
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from agents.networks import build_actor

Tensors = dict[str, Any]
FORBIDDEN = torch.finfo(torch.float32).min  # a finite logit, so that entropies are finite


class MaskedActorCritic(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    """An actor and a critic over {"observations": (n, view.size), "action_mask": (n, actions.size)}.

    `model_config` holds "game" and "spec". Only learners need the critic, so env runners have the actor alone.
    """

    def setup(self) -> None:
        """Build both networks with the orthogonal weights that MaskablePPO starts with."""
        spec, game = self.model_config["spec"], self.model_config["game"]
        self.actor, self.critic = build_actor(spec, game), build_actor(spec, game)
        self.critic[2] = nn.Linear(spec.widths(game)[-2], 1)
        for network, last in ((self.actor, 0.01), (self.critic, 1.0)):
            _begin_orthogonal(network, last)

    def logits(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return the logits of all actions, (n, actions.size); those of illegal actions are the lowest float."""
        return torch.where(masks > 0, self.actor(observations), FORBIDDEN)

    def compute_values(self, batch: Tensors, embeddings: Any = None) -> torch.Tensor:
        """Return the values of the critic, (n,)."""
        return self.critic(batch[Columns.OBS]["observations"]).squeeze(-1)  # type: ignore[no-any-return]

    def get_non_inference_attributes(self) -> list[str]:
        """Return the names of the networks that env runners do not need."""
        return ["critic"]

    def _forward(self, batch: Tensors, **more: Any) -> Tensors:
        observations = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.logits(observations["observations"], observations["action_mask"])}


def _begin_orthogonal(network: nn.Sequential, last: float) -> None:
    """Set orthogonal weights, scaled by `last` in the last layer, and zero biases."""
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Linear)]
    for layer in layers:
        nn.init.orthogonal_(layer.weight, last if layer is layers[-1] else math.sqrt(2))
        nn.init.zeros_(layer.bias)
