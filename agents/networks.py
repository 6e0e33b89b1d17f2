"""Networks that choose: how they are built for training, and built again for weights that ship."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, FlattenExtractor
from torch import nn

from tantra_envs.core.game import Game

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}


class LogExtractor(BaseFeaturesExtractor):
    """Inputs in which a count or a score of hundreds is brought near the ones and zeros: sign(x) log(1 + |x|)."""

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The same shape."""
        return inputs.sign() * inputs.abs().log1p()


EXTRACTORS: dict[str, type[BaseFeaturesExtractor]] = {"plain": FlattenExtractor, "log": LogExtractor}


@dataclass(frozen=True)
class Form:
    """What is needed to build a network, besides its game."""

    policy: str = "mlp"  # or placements
    network: tuple[int, ...] = (128, 128)  # hidden layers
    activation: str = "tanh"
    numbers: str = "plain"  # how those of the view come in: plain or log
    advice: bool = False  # is the network shown what the scripted player would do?

    def policy_for(self, game: Game) -> tuple[Any, dict[str, Any]]:
        """The policy class MaskablePPO is given, and its keywords; ValueError if it does not suit the game."""
        if self.advice:
            _ = game.scripted  # there must be one
        if self.policy == "mlp":
            more = {"activation_fn": ACTIVATIONS[self.activation], "features_extractor_class": EXTRACTORS[self.numbers]}
            return "MlpPolicy", {"net_arch": list(self.network), **more}
        if game.id != "tantrix" or game.config["mode"] not in ("strategy", "solitaire"):
            allowed = "mlp, and for Strategy and Solitaire of Tantrix placements"
            raise ValueError(f"policy={self.policy!r} is not allowed for {game.id}; allowed: {allowed}")
        if self.advice:
            raise ValueError("advice=True is not allowed with policy='placements'; allowed: False")
        from .placement_policy import PlacementPolicy

        return PlacementPolicy, {"net_arch": list(self.network), "game": game}

    def choosing_net(self, game: Game) -> nn.Module:
        """What `choosing_net` takes from a model of this form, with weights yet to be filled in."""
        width = game.view.size + (game.actions.size if self.advice else 0)
        extractor = EXTRACTORS[self.numbers](spaces.Box(-1, 1, (width,)))
        if self.policy == "placements":
            from .placement_policy import Described, Scores

            return nn.Sequential(extractor, Scores(Described(game), list(self.network)), nn.Identity())
        layers: list[nn.Module] = []
        for wider in self.network:
            layers += [nn.Linear(width, wider), ACTIVATIONS[self.activation]()]
            width = wider
        return nn.Sequential(extractor, nn.Sequential(*layers), nn.Linear(width, game.actions.size))


def choosing_net(model: MaskablePPO) -> nn.Module:
    """The part of a model's policy that chooses, sharing its weights: views to logits."""
    policy = model.policy
    return nn.Sequential(policy.features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
