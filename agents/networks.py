"""Networks that choose, in torch: built from a spec, and the player that plays with one."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, FlattenExtractor
from torch import nn

from tantra_envs.core.game import Game

from .likeliest import Likeliest
from .network_spec import NetworkSpec, Observations

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


class NetworkPlayer(Likeliest):
    """Plays the likeliest action of a network of torch."""

    def __init__(self, name: str, actor: nn.Module, advice: bool = False) -> None:
        super().__init__(name, functools.partial(logits, actor), advice)
        self.actor = actor


def logits(network: nn.Module, inputs: Observations) -> npt.NDArray[np.float32]:
    """What a network makes of inputs (k, size): (k, actions.size)."""
    with torch.inference_mode():
        return network(torch.from_numpy(inputs)).numpy()  # type: ignore[no-any-return]


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


def actor(spec: NetworkSpec, game: Game) -> nn.Sequential:
    """The network of a spec, with weights yet to be filled in."""
    width, *hidden, actions = spec.widths(game)
    extractor = TRANSFORMS[spec.transform](spaces.Box(-1, 1, (width,)))
    if spec.policy != "mlp":
        from .described_policy import DescribedActions, DescribedLogits

        return nn.Sequential(extractor, DescribedLogits(DescribedActions(game, spec.policy), hidden), nn.Identity())
    layers: list[nn.Module] = []
    for wider in hidden:
        layers += [nn.Linear(width, wider), ACTIVATIONS[spec.activation]()]
        width = wider
    return nn.Sequential(extractor, nn.Sequential(*layers), nn.Linear(width, actions))


def filled(network: nn.Module, tensors: Mapping[str, npt.NDArray[Any]]) -> nn.Module:
    """The network with these weights; ValueError if they are not its own."""
    try:
        network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    except RuntimeError as error:
        raise ValueError(str(error)) from None
    return network


def tensors_of(network: nn.Module) -> dict[str, npt.NDArray[Any]]:
    """Its weights by their names."""
    return {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}


def actor_of(model: MaskablePPO) -> nn.Sequential:
    """The part of a model's policy that chooses, sharing its weights: inputs to logits."""
    policy = model.policy
    return nn.Sequential(policy.features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
