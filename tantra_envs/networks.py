"""Networks in torch that read action features: a rating for every legal action, and a value for every table.

    game = tantra_envs.game("tarot:hand")
    of_action, of_table = game.features.sizes
    policy, critic = RatingNetwork(of_action, of_table), ValueNetwork(of_table)
    described = game.describe(states)
    features, tables, rows = tensors(described)
    log_probs = log_softmax(policy.rate(features, tables, rows), described.counts)  # (k, most legal actions)
    save_network(policy, game, "mine.safetensors")                                  # plays as ppo:mine.safetensors

The trainers of this project use the same classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from .core.features import Described
from .core.game import Game
from .core.observation import Actions, Observation
from .opponents.model_files import ModelCard, write_layers

NOT_LEGAL = -1e8  # logit in places without a legal action
ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


class RatingNetwork(nn.Module):
    """Rates every legal action by its features and those of its table. A rating is a logit, or the value of an action.

    Args:
        features: Number of features of an action.
        table: Number of features of a table.
        hidden: Sizes of the hidden layers.
        activation: "tanh" or "relu".
    """

    def __init__(self, features: int, table: int, hidden: Sequence[int] = (64, 64), activation: str = "tanh") -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for width, wider in pairwise([features + table, *hidden]):
            layers += [nn.Linear(width, wider), ACTIVATIONS[activation]()]
        self.score = nn.Sequential(*layers, nn.Linear([features + table, *hidden][-1], 1))

    def begin_even(self) -> RatingNetwork:
        """Rate all actions about equally, so that a policy begins near uniform play; return the network."""
        last: Any = self.score[-1]
        with torch.no_grad():
            last.weight.mul_(0.01)
            last.bias.zero_()
        return self

    def rate(self, features: torch.Tensor, tables: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Return the ratings (m,) of actions with `features` (m, F) at the tables `rows` (m,).

        `tables` are the features of the tables, (k, T). The first layer reads each of them only once.
        """
        first, width, linear = self.score[0], features.shape[1], nn.functional.linear
        of_tables = linear(tables, first.weight[:, width:], first.bias)  # type: ignore[index, arg-type]
        hidden = linear(features, first.weight[:, :width]) + of_tables[rows]  # type: ignore[index]
        return self.score[1:](hidden)[:, 0]  # type: ignore[no-any-return]

    def forward(self, table: torch.Tensor, actions: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
        """Return the ratings in lists of legal actions, (.., L), and NOT_LEGAL in places without an action.

        The arguments are the entries of an observation with `view="features"`: (.., T), (.., L, F) and (.., L). A table
        without legal actions is over; its ratings are 0, which is the value of every action after the end.
        """
        masks = action_mask.reshape(-1, action_mask.shape[-1]) > 0
        rows, places = masks.nonzero(as_tuple=True)
        ratings = self.rate(actions.reshape(*masks.shape, -1)[rows, places], table.reshape(len(masks), -1), rows)
        empty = (masks.any(dim=1, keepdim=True) * NOT_LEGAL).to(ratings.dtype).repeat(1, masks.shape[1])
        return empty.index_put((rows, places), ratings).reshape(action_mask.shape)


class ValueNetwork(nn.Sequential):
    """Values tables by their features, or by observations: (.., inputs) to (..)."""

    def __init__(self, inputs: int, hidden: Sequence[int] = (64, 64), activation: str = "relu") -> None:
        widths = [inputs, *hidden]
        layers = [(nn.Linear(*pair), ACTIVATIONS[activation]()) for pair in pairwise(widths)]
        super().__init__(*(part for pair in layers for part in pair), nn.Linear(widths[-1], 1))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the expected rewards of the seats to decide, (..)."""
        values: torch.Tensor = super().forward(inputs)  # type: ignore[no-untyped-call]
        return values[..., 0]


class RatingAgent:
    """An agent that plays the legal action with the highest rating of a network."""

    def __init__(self, name: str, network: RatingNetwork) -> None:
        self.name, self.network = name, network

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,)."""
        return best_actions(self.network, obs.described)


def best_actions(network: RatingNetwork, described: Described) -> Actions:
    """Return the legal action with the highest rating at every table, (k,)."""
    with torch.inference_mode():
        best = log_softmax(network.rate(*tensors(described)), described.counts).argmax(dim=1).numpy()
    return np.asarray(described.actions[described.starts + best])


def tensors(described: Described) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the arguments of `RatingNetwork.rate`: features, tables, and the table of each action."""
    features, tables, rows = map(torch.from_numpy, (described.features, described.tables, described.rows))
    return features, tables, rows


def log_softmax(ratings: torch.Tensor, counts: Any) -> torch.Tensor:
    """Return the log-probabilities of the legal actions of k tables, (k, most legal actions).

    Args:
        ratings: The ratings of all actions, table by table, (m,).
        counts: The numbers of legal actions of the tables, (k,), an array or a tensor.
    """
    counts = torch.as_tensor(counts, device=ratings.device)
    rows = torch.repeat_interleave(counts)
    places = torch.arange(len(rows), device=rows.device) - (torch.cumsum(counts, 0) - counts)[rows]
    logits = ratings.new_full((len(counts), int(counts.max())), NOT_LEGAL)
    return torch.log_softmax(logits.index_put((rows, places), ratings), dim=1)


def save_network(network: nn.Module, game: Game, file: str | Path) -> ModelCard:
    """Write a network as a model file, which plays as `ppo:FILE`: compiled, without torch, in every environment.

    Args:
        network: A `RatingNetwork`, a policy or RLModule with one as its `action_net`, or any module whose layers are
            Linear with Tanh or ReLU between them. Its inputs are the features of an action and then those of its table,
            with one output. Or they are an observation, with one output for each action id.
        game: The game it was trained on.
        file: Path of the file, with the ending .safetensors.

    Raises:
        ValueError: A layer does not fit; the message names it.
    """
    parts = [layer for layer in getattr(network, "action_net", network).modules() if not list(layer.children())]
    activation = _activation(parts)
    layers = [
        (_array(part.weight), _array(torch.zeros(part.out_features) if part.bias is None else part.bias))
        for part in parts
        if isinstance(part, nn.Linear)
    ]
    return write_layers(Path(file), layers, game, activation)


def _activation(layers: Sequence[nn.Module]) -> str:
    """Return the activation between linear layers; raise ValueError for a layer that model files do not have."""
    found = "tanh"
    for number, layer in enumerate(layers):
        kinds = [nn.Linear] if number % 2 == 0 else [*ACTIVATIONS.values()]
        if number == 1:
            found = next((name for name, kind in ACTIVATIONS.items() if isinstance(layer, kind)), found)
        if number > 1 and number % 2:
            kinds = [ACTIVATIONS[found]]
        if not isinstance(layer, tuple(kinds)):
            names = " or ".join(kind.__name__ for kind in kinds)
            raise ValueError(f"layer {number}, {layer}, is not allowed; allowed: {names}")
    if len(layers) % 2 == 0:
        raise ValueError(f"the last layer, {layers[-1] if layers else 'none'}, is not allowed; allowed: Linear")
    return found


def _array(tensor: torch.Tensor) -> np.ndarray[Any, np.dtype[np.float32]]:
    return tensor.detach().cpu().float().numpy()
