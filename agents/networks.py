"""Networks in torch: built from a spec, trained here, and played as agents or exported for `tantra_envs.opponents`."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, FlattenExtractor
from torch import nn

from tantra_envs.core.features import Described
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.networks import ACTIVATIONS, RatingNetwork, tensors
from tantra_envs.opponents.network_spec import MLP, NetworkSpec
from tantra_envs.opponents.networks import NO_ACTION, ArgmaxAgent, sampled

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


class TorchAgent(ArgmaxAgent):
    """An agent that plays the most probable action of a torch network."""

    def __init__(self, name: str, actor: nn.Module, spec: NetworkSpec = MLP) -> None:
        super().__init__(name, functools.partial(logits, actor), spec)
        self.actor = actor


def logits(network: nn.Module, inputs: Any) -> npt.NDArray[np.float32]:
    """Return the logits (k, actions.size) of a network for its inputs: see `policy_inputs`."""
    with torch.inference_mode():
        return network(inputs if isinstance(inputs, Described) else torch.from_numpy(inputs)).numpy()  # type: ignore[no-any-return]


class Snapshot(TorchAgent):
    """An agent that draws its actions from the distribution of a torch network."""

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Draw actions from the distribution."""
        return sampled(self.logits(obs), rng)


class SymlogExtractor(BaseFeaturesExtractor):
    """The function sign(x) log(1 + |x|), which scales counts and scores of hundreds to the range of the other inputs.

    The symlog of Hafner et al., Mastering Diverse Domains through World Models, 2023.
    """

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the transformed inputs, in the same shape."""
        return inputs.sign() * inputs.abs().log1p()


TRANSFORMS: dict[str, type[BaseFeaturesExtractor]] = {"none": FlattenExtractor, "symlog": SymlogExtractor}


class FeatureLogits(RatingNetwork):
    """Described actions of k tables to logits (k, actions.size): a small network rates every action by its features."""

    def __init__(self, game: Game, hidden: Sequence[int], activation: str = "tanh") -> None:
        super().__init__(*game.features.sizes, hidden, activation)
        self.size = game.actions.size

    def forward(self, described: Described) -> torch.Tensor:  # type: ignore[override]
        """Return a logit for every action."""
        features, tables, rows = tensors(described)
        logits = torch.full((len(tables), self.size), NO_ACTION)
        return logits.index_put((rows, torch.from_numpy(described.actions)), self.rate(features, tables, rows))


def build_actor(spec: NetworkSpec, game: Game) -> nn.Sequential:
    """Build the network of a spec. Its weights are not set yet."""
    width, *hidden, actions = spec.widths(game)
    if spec.policy != "mlp":
        return nn.Sequential(nn.Identity(), FeatureLogits(game, hidden, spec.activation))
    extractor = TRANSFORMS[spec.transform](spaces.Box(-1, 1, (width,)))
    layers: list[nn.Module] = []
    for wider in hidden:
        layers += [nn.Linear(width, wider), ACTIVATIONS[spec.activation]()]
        width = wider
    return nn.Sequential(extractor, nn.Sequential(*layers), nn.Linear(width, actions))


def filled(network: nn.Module, tensors: Mapping[str, npt.NDArray[Any]]) -> nn.Module:
    """Return the network with these weights; raise ValueError if they belong to another network."""
    try:
        network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    except RuntimeError as error:
        raise ValueError(str(error)) from None
    return network


def tensors_of(network: nn.Module) -> dict[str, npt.NDArray[Any]]:
    """Return the weights of a network by their names."""
    return {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}


def actor_of(model: MaskablePPO) -> nn.Sequential:
    """Return the part of a model's policy that maps inputs to logits. It shares the model's weights."""
    policy = model.policy
    return nn.Sequential(policy.features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
