"""A critic that sees what all seats see, beside an actor that sees what its own does: for training only.

The inputs are the actor's and behind them the critic's alone; Pinto et al., Asymmetric Actor Critic for Image-Based
Robot Learning, 2017.
"""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor


class AllSeeingCritic(MaskableActorCriticPolicy):
    """MaskablePPO's policy whose actor sees the first `seen` inputs; `transform` is that of all of them."""

    def __init__(self, *arguments: Any, seen: int, features_extractor_class: Any, **named: Any) -> None:
        self.transform = features_extractor_class
        named["features_extractor_class"] = Beginning
        named["features_extractor_kwargs"] = {"seen": seen, "transform": features_extractor_class}
        named["share_features_extractor"] = False
        super().__init__(*arguments, **named)

    def _build_mlp_extractor(self) -> None:
        super()._build_mlp_extractor()
        self.vf_features_extractor = self.transform(self.observation_space)
        inputs: int = self.vf_features_extractor.features_dim
        whole = MlpExtractor(inputs, self.net_arch, self.activation_fn, self.device)
        self.mlp_extractor.value_net = whole.value_net


class Beginning(BaseFeaturesExtractor):
    """The first `seen` inputs, transformed."""

    def __init__(self, observation_space: spaces.Box, seen: int, transform: type[BaseFeaturesExtractor]) -> None:
        super().__init__(observation_space, seen)
        self.transform = transform(spaces.Box(-1, 1, (seen,)))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """(k, seen or more) to (k, seen)."""
        return torch.as_tensor(self.transform(inputs[:, : self.features_dim]))
