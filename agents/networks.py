"""Networks that choose: how they are built, what they are shown, and the player that plays with one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, FlattenExtractor
from torch import nn

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.opinions import Opinion

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

Observations = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]


class NetworkPlayer:
    """Plays the likeliest action of a network, which turns its inputs (see `network_inputs`) into logits."""

    def __init__(self, name: str, actor: nn.Module, advice: bool = False) -> None:
        self.name = name
        self.actor = actor
        self.advice = advice

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The likeliest legal action at every table."""
        return np.asarray(self.logits(obs).argmax(axis=1), np.int64)

    def weigh(self, obs: Observation, rng: np.random.Generator) -> tuple[Actions, list[Opinion | None]]:
        """The same, and how probable the network thinks the legal actions."""
        logits = self.logits(obs)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        probable = weights / weights.sum(axis=1, keepdims=True)
        told = [{int(a): float(row[a]) for a in np.flatnonzero(mask)}
                for row, mask in zip(probable, obs.action_mask, strict=True)]  # fmt: skip
        actions = np.asarray(logits.argmax(axis=1), np.int64)
        return actions, [Opinion("probability", values, {}) for values in told]

    def logits(self, obs: Observation) -> npt.NDArray[np.float32]:
        """Logits of all actions, shape (k, actions.size); of illegal ones -inf."""
        inputs = network_inputs(obs.game, obs.observation, obs.action_mask, self.advice)
        with torch.inference_mode():
            logits = self.actor(torch.from_numpy(inputs)).numpy()
        return np.where(obs.action_mask, logits, np.float32(-np.inf))


def network_inputs(game: Game, observations: Observations, masks: Masks, advice: bool) -> Observations:
    """The observations; with `advice` after each a one-hot of the action the scripted player would take there.

    Masks that allow everything stand for tables where nobody decides; there is no advice for those.
    """
    if not advice:
        return observations
    advised = np.zeros(masks.shape, np.float32)
    rows = np.flatnonzero(~masks.all(axis=1))
    advised[rows, game.scripted.choose(game, observations[rows], masks[rows])] = 1
    return np.concatenate([observations, advised], axis=1)


class SymlogExtractor(BaseFeaturesExtractor):
    """sign(x) log(1 + |x|), which brings counts and scores of hundreds near the ones and zeros.

    The symlog of Hafner et al., Mastering Diverse Domains through World Models, 2023.
    """

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The same shape."""
        return inputs.sign() * inputs.abs().log1p()


ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}
TRANSFORMS: dict[str, type[BaseFeaturesExtractor]] = {"none": FlattenExtractor, "symlog": SymlogExtractor}


@dataclass(frozen=True)
class NetworkSpec:
    """What is needed to build a network, besides its game."""

    policy: Literal["mlp", "placements"] = "mlp"
    net_arch: tuple[int, ...] = (128, 128)  # hidden layers
    activation: Literal["tanh", "relu"] = "tanh"
    transform: Literal["none", "symlog"] = "none"  # of the observation
    advice: bool = False  # is the scripted player's action among the inputs?

    def policy_for(self, game: Game) -> tuple[Any, dict[str, Any]]:
        """The policy class MaskablePPO is given, and its keywords; ValueError if it does not suit the game."""
        if self.advice:
            _ = game.scripted  # there must be one
        if self.policy == "mlp":
            inputs, activation = TRANSFORMS[self.transform], ACTIVATIONS[self.activation]
            keywords = {"features_extractor_class": inputs, "activation_fn": activation}
            return "MlpPolicy", {"net_arch": list(self.net_arch), **keywords}
        if game.id != "tantrix" or game.config["mode"] not in ("strategy", "solitaire"):
            allowed = "mlp, and for Strategy and Solitaire of Tantrix placements"
            raise ValueError(f"policy={self.policy!r} is not allowed for {game.id}; allowed: {allowed}")
        if self.advice:
            raise ValueError("advice=True is not allowed with policy='placements'; allowed: False")
        from .placement_policy import PlacementPolicy

        return PlacementPolicy, {"net_arch": list(self.net_arch), "game": game}

    def actor(self, game: Game) -> nn.Sequential:
        """The network that `actor_of` takes from a model of this kind, with weights yet to be filled in."""
        width = game.view.size + (game.actions.size if self.advice else 0)
        extractor = TRANSFORMS[self.transform](spaces.Box(-1, 1, (width,)))
        if self.policy == "placements":
            from .placement_policy import PlacementFeatures, PlacementLogits

            return nn.Sequential(
                extractor, PlacementLogits(PlacementFeatures(game), list(self.net_arch)), nn.Identity()
            )
        layers: list[nn.Module] = []
        for hidden in self.net_arch:
            layers += [nn.Linear(width, hidden), ACTIVATIONS[self.activation]()]
            width = hidden
        return nn.Sequential(extractor, nn.Sequential(*layers), nn.Linear(width, game.actions.size))


def actor_of(model: MaskablePPO) -> nn.Sequential:
    """The part of a model's policy that chooses, sharing its weights: inputs to logits."""
    policy = model.policy
    return nn.Sequential(policy.features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
