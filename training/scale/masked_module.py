"""The network that RLlib trains: actor as everywhere in the project, a critic beside it, illegal actions masked."""

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
FORBIDDEN = torch.finfo(torch.float32).min  # a logit that leaves entropies finite


class MaskedActorCritic(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    """Sees {"observations": (n, view.size), "action_mask": (n, actions.size)}; `model_config` holds "game" and "spec".

    Only learners need the critic: env runners have the actor alone.
    """

    def setup(self) -> None:
        """Build both networks, orthogonal as MaskablePPO begins with them."""
        spec, game = self.model_config["spec"], self.model_config["game"]
        self.actor, self.critic = build_actor(spec, game), build_actor(spec, game)
        self.critic[2] = nn.Linear(spec.widths(game)[-2], 1)
        for network, last in ((self.actor, 0.01), (self.critic, 1.0)):
            _begin_orthogonal(network, last)

    def logits(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Of all actions, (n, actions.size); of illegal ones the least number there is."""
        return torch.where(masks > 0, self.actor(observations), FORBIDDEN)

    def compute_values(self, batch: Tensors, embeddings: Any = None) -> torch.Tensor:
        """What the critic thinks, (n,)."""
        return self.critic(batch[Columns.OBS]["observations"]).squeeze(-1)  # type: ignore[no-any-return]

    def get_non_inference_attributes(self) -> list[str]:
        """What env runners do without."""
        return ["critic"]

    def _forward(self, batch: Tensors, **more: Any) -> Tensors:
        observations = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.logits(observations["observations"], observations["action_mask"])}


def _begin_orthogonal(network: nn.Sequential, last: float) -> None:
    """Weights orthogonal, the last layer's small by the factor `last`, biases zero."""
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Linear)]
    for layer in layers:
        nn.init.orthogonal_(layer.weight, last if layer is layers[-1] else math.sqrt(2))
        nn.init.zeros_(layer.bias)
